//! Looking for changes of a model after which nothing is wrong.
//!
//! A change is tried on everything that the file states, whatever was asked for: a model that meets one formula and
//! breaks another is not repaired. Nor is one in which a formula holds because a part of it has no say any more
//! ([`weigh`](Trying::weigh)).

use std::cell::RefCell;
use std::collections::BTreeSet;

use findings::{Explanation, TraceEnd, Verdict, What as Wrong};
use graph::{Fairness, Interrupt};
use pipeline::endless::Endlessly;
use pipeline::meeting::MeetingTraces;
use pipeline::repairs::{Allowance, Known, Text as Tried, Trial, Wrongdoing, target};
use pipeline::request::{Asked, Host};
use promela::{Model, Narrator};
use search::{Ending, Followed};

use super::lassos::Lasso;
use super::obligations::Endless;
use super::options;
use super::stated::{self, Stated, What, asked_in};
use crate::disk::{Disk, text_of};
use crate::question::Question;
use crate::repairs::{self, Text, changed_lines};
use crate::retrace::Retraced;
use crate::safety;

/// How much work it may be to ask which parts of formulas matter, in states that are read for each of them.
const MOST_WEIGHED: u64 = 10_000_000;

/// Looks for repairs. `before` is what is known of the model as it is, where it states nothing about endless traces.
pub(super) fn repair(
    question: &Question<'_>,
    host: &dyn Host,
    fairness: Fairness,
    before: Option<Trial>,
    explanation: &mut Explanation,
) {
    let text = text_of(question.input.bytes);
    let about = Text { question, text: &text, language: edits::Language::Promela };
    let trying = Trying {
        about: &about,
        host,
        fairness,
        target: target(explanation),
        known: Known::new(explanation),
        before: RefCell::default(),
    };
    if let Some(before) = &before {
        let checked = vec![safety::all().1.text];
        *trying.before.borrow_mut() = Before { wrong: before.violations.clone(), checked };
    }
    repairs::repair(explanation, &about, host, before, |changed, allowance| {
        trying.trial(changed, about.at_most(allowance))
    });
    if let Some(search) = &mut explanation.repair_search {
        search.properties = trying.before.into_inner().checked;
    }
}

/// What is known of the model as it is.
#[derive(Debug, Default)]
struct Before {
    wrong: Vec<Wrongdoing>,
    /// The properties that could be decided, which are those that changes are tried on.
    checked: Vec<String>,
}

struct Trying<'a> {
    about: &'a Text<'a>,
    host: &'a dyn Host,
    fairness: Fairness,
    target: Option<Wrongdoing>,
    known: Known,
    before: RefCell<Before>,
}

impl Trying<'_> {
    /// What the checker says of a text; nothing if that is no model.
    fn trial(&self, text: &str, allowance: Allowance) -> Result<Option<Trial>, Interrupt> {
        let is_itself = text == self.about.text;
        let Some((model, stated)) = self.read(text) else { return Ok(None) };
        let narrator = Narrator::new(&model);
        if !is_itself {
            let file = self.about.question.input.path.display().to_string();
            let changed = changed_lines(self.about.text, text);
            let followed = self.known.followed(&model, &narrator, &file, &changed);
            let refuted = self.known.refutes(&followed, &narrator).or_else(|| {
                let endless = stated.iter().find_map(|one| self.target_of(one))?;
                self.still_violates(&model, endless, followed)
            });
            if refuted.is_some() {
                return Ok(refuted);
            }
        }
        let Some(found) = repairs::explored(&model, allowance, self.host)? else { return Ok(None) };
        let check = self.target.as_ref().filter(|wrong| wrong.is_check);
        let tried = match is_itself {
            true => Tried::AsItIs,
            false => Tried::Changed { check: check.and_then(|wrong| wrong.place.as_ref()) },
        };
        let mut trial = pipeline::repairs::explored(&model, &found, &narrator, &Asked::All, tried);
        // What is refuted already needs no more.
        if is_itself && !trial.complete || !is_itself && self.is_refuted(&trial) {
            return Ok(Some(trial));
        }
        let endlessly = Endlessly::new(&model, found, &narrator);
        if !trial.complete {
            // A part of the states may be enough to see that nothing is better.
            for one in stated.iter().filter(|one| self.target_of(one).is_some()) {
                let What::Endless(endless) = one.what else { continue };
                let wrong = self.decided(&endlessly, &model, endless, one, &mut trial).flatten();
                trial.violations.extend(wrong);
            }
            return Ok(Some(trial));
        }
        let mut checked = Vec::new();
        // What is violated now is asked first: most changes leave it so.
        let (first, others): (Vec<&Stated>, Vec<&Stated>) =
            stated.iter().partition(|one| self.target_of(one).is_some());
        for one in first.into_iter().chain(others) {
            let What::Endless(endless) = one.what else {
                checked.extend(matches!(one.what, What::Safety(_)).then(|| one.property.text.clone()));
                continue;
            };
            if !is_itself && !self.before.borrow().checked.contains(&one.property.text) {
                continue;
            }
            match self.decided(&endlessly, &model, endless, one, &mut trial) {
                Some(Some(wrong)) if is_itself && Some(&wrong) == self.target.as_ref() => {
                    checked.push(one.property.text.clone());
                    let passing = self.passing(&endlessly, &model, endless);
                    trial = trial.of_passing(&passing, endlessly.store(), &narrator);
                    trial.violations.push(wrong);
                }
                Some(wrong) => {
                    checked.push(one.property.text.clone());
                    trial.violations.extend(wrong);
                    if !is_itself && self.is_refuted(&trial) {
                        return Ok(Some(trial));
                    }
                }
                None if is_itself => {}
                None => {
                    trial.complete = false;
                    return Ok(Some(trial));
                }
            }
        }
        if is_itself || !self.is_refuted(&trial) {
            trial.matters = self.weigh(&endlessly, &model, &stated, &mut trial.work);
        }
        if is_itself {
            // In the order in which they are stated.
            let place = |text: &String| stated.iter().position(|one| one.property.text == *text);
            checked.sort_by_key(place);
            *self.before.borrow_mut() = Before { wrong: trial.violations.clone(), checked };
        }
        Ok(Some(trial))
    }

    /// The property of endless traces that is stated, if it is the one that is violated.
    fn target_of(&self, one: &Stated) -> Option<Endless> {
        let What::Endless(endless) = one.what else { return None };
        (Some(&wrongdoing(endless, one)) == self.target.as_ref()).then_some(endless)
    }

    /// What a changed model does that violates the property with the same steps. Which traces are fair is not looked at
    /// here.
    fn still_violates(&self, model: &Model, endless: Endless, followed: Followed) -> Option<Trial> {
        let diverges = matches!(followed.trace.ending, Ending::Diverges { .. });
        if diverges || self.fairness == Fairness::Weak {
            return None;
        }
        let states = followed.trace.states.len() as u64;
        let retraced = Retraced { trace: followed.trace, loop_start: followed.loop_start, divergence: None };
        let lasso = Lasso::new(model, retraced)?;
        let is_violated = endless.is_violated_by(model, &lasso, self.host).ok()?;
        let violations = self.target.clone().into_iter().collect();
        is_violated.then(|| Trial { states, work: states, violations, ..Trial::default() })
    }

    /// A text as a model, and what it states: all that the file does, and what was asked for besides.
    fn read(&self, text: &str) -> Option<(Model, Vec<Stated>)> {
        let question = self.about.question;
        let reading = Model::read(&Disk, question.input.path, text, &options(&question.reading));
        let model = reading.model.ok()?;
        let mut stated = stated::all(&model);
        let is_asked = |text: &&String| stated.iter().all(|one| one.ask.as_ref() != Some(*text));
        let asked: Vec<String> = question.property.texts.iter().filter(is_asked).cloned().collect();
        let (model, own) = match asked.is_empty() {
            true => (model, Vec::new()),
            false => asked_in(question, model, text, &asked).ok()?,
        };
        stated.extend(own.into_iter().filter(|one| matches!(one.what, What::Endless(_))));
        Some((model, stated))
    }

    /// Whether something is wrong that must not be.
    fn is_refuted(&self, trial: &Trial) -> bool {
        let before = self.before.borrow();
        trial
            .violations
            .iter()
            .any(|wrong| Some(wrong) == self.target.as_ref() || !before.wrong.contains(wrong))
    }

    /// What violates a property of endless traces, if anything does; nothing if that is not decided.
    fn decided(
        &self,
        endlessly: &Endlessly<'_, Narrator<'_>>,
        model: &Model,
        endless: Endless,
        stated: &Stated,
        trial: &mut Trial,
    ) -> Option<Option<Wrongdoing>> {
        let is_fair = self.fairness == Fairness::Weak;
        let obligation =
            endless.obligation(model, endlessly.store(), endlessly.graph(), is_fair, self.host).ok()?;
        // Each property takes about as much as the search.
        trial.work += endlessly.graph().edge_count() as u64;
        match endlessly.decide(&obligation, self.fairness, self.host).verdict {
            Verdict::Holds => Some(None),
            Verdict::Unknown => None,
            Verdict::Violated => Some(Some(wrongdoing(endless, stated))),
        }
    }

    /// What the traces do that meet a property; nothing where that cannot be told.
    fn passing(
        &self,
        endlessly: &Endlessly<'_, Narrator<'_>>,
        model: &Model,
        endless: Endless,
    ) -> MeetingTraces {
        let is_fair = self.fairness == Fairness::Weak;
        let obligation = endless.obligation(model, endlessly.store(), endlessly.graph(), is_fair, self.host);
        let passing =
            obligation.ok().and_then(|obligation| endlessly.passing(&obligation, self.fairness, self.host));
        passing.unwrap_or_default()
    }

    /// Which parts of formulas matter: without them, or with what is hardest in their place, the formula would be
    /// violated. A change after which one of them has no say makes its formula hold for nothing.
    fn weigh(
        &self,
        endlessly: &Endlessly<'_, Narrator<'_>>,
        model: &Model,
        stated: &[Stated],
        work: &mut u64,
    ) -> BTreeSet<(String, usize)> {
        let mut matters = BTreeSet::new();
        let mut left = MOST_WEIGHED;
        let states = endlessly.store().len() as u64;
        for one in stated {
            let What::Endless(Endless::Formula(number)) = one.what else { continue };
            let Some(parts) = Endless::stronger(model, number) else { continue };
            let cost = states.saturating_mul(parts.len() as u64);
            if cost > left {
                continue;
            }
            left -= cost;
            *work += cost;
            for (occurrence, formula) in parts {
                let obligation =
                    Endless::obligation_of_parts(model, number, &formula, endlessly.store(), self.host);
                let Ok(obligation) = obligation else { continue };
                if endlessly.decide(&obligation, self.fairness, self.host).verdict == Verdict::Violated {
                    matters.insert((one.property.text.clone(), occurrence));
                }
            }
        }
        matters
    }
}

/// That a property of endless traces is violated, as repairs compare it.
fn wrongdoing(endless: Endless, stated: &Stated) -> Wrongdoing {
    Wrongdoing {
        kind: endless.kind(),
        what: Wrong::Endless { property: endless.property(&stated.property.text), ending: TraceEnd::Decided },
        place: None,
        is_check: true,
        is_output: false,
    }
}
