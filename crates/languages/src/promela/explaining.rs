//! Models: a verdict about every property, and what explains the first violation.
//!
//! One search serves all properties. What is wrong at the end of a trace is read off it; each property of endless traces
//! takes one more pass over its graph. Only then something is explained, so that whatever is told first stays true.

use anyhow::{Context, Result, anyhow, bail};
use findings::{Explanation, Verdict, Why};
use graph::Fairness;
use pipeline::analysis::judge;
use pipeline::endless::{Endlessly, analyse_endless, violation};
use pipeline::invariant::analyse_invariant;
use pipeline::repairs::Text as Tried;
use pipeline::request::{Asked, Host, Request, Stage};
use promela::{Model, Narrator};
use search::{Explored, Limits};

use super::obligations::Endless;
use super::stated::{self, Stated, What};
use super::{effect_trace, lassos, repair, shown, spin_trails};
use crate::answer::Answer;
use crate::question::Question;
use crate::retrace::near_states;
use crate::searched::{Goal, Searched, Searching, explore};
use crate::several::{Decision, Decisions};
use crate::trail::Trail;

/// A model, and what is asked about it.
struct Explaining<'a> {
    question: &'a Question<'a>,
    host: &'a dyn Host,
    model: &'a Model,
    narrator: &'a Narrator<'a>,
    searching: Searching<'a>,
}

/// Checks all that is stated, and explains the property with the number `pinned`, or else the first one that is violated.
pub(super) fn explain(
    question: &Question<'_>,
    host: &dyn Host,
    model: &Model,
    stated: &[Stated],
    pinned: Option<usize>,
) -> Result<Answer> {
    let narrator = Narrator::new(model);
    let searching = Searching::new(question, host);
    let case = Explaining { question, host, model, narrator: &narrator, searching };
    let explanation = match stated {
        [only] => case.alone(only)?,
        _ => case.all(stated, pinned)?,
    };
    shown(question, host, model, explanation)
}

impl Explaining<'_> {
    /// The answer about one property.
    fn alone(&self, stated: &Stated) -> Result<Explanation> {
        match &stated.what {
            What::Safety(asked) => {
                let goal = (asked.clone(), stated.property.clone());
                let request = self.searching.request(Model::KIND, &goal);
                if self.searching.is_check() {
                    return self.checked(request);
                }
                self.safety(self.explored(false)?, &goal, request, |_| {})
            }
            What::Endless(endless) => {
                let violation = self.question.request.violation;
                if violation.is_some_and(|id| id != 1) {
                    bail!("there is at most one violation of such a property: --violation is of no use");
                }
                if self.question.near.is_some() {
                    bail!("--near is for violations at the end of a trace");
                }
                self.endless(self.explored(true)?, *endless, stated, Vec::new(), |_| {})
            }
            What::Broken { at, message } => bail!("{}: {at}: {message}", stated.property.text),
        }
    }

    /// The answer about several properties.
    fn all(&self, stated: &[Stated], pinned: Option<usize>) -> Result<Explanation> {
        let has_endless = stated.iter().any(|one| matches!(one.what, What::Endless(_)));
        let is_check = self.searching.is_check();
        let mut decided: Vec<Option<Decision>> = vec![None; stated.len()];
        // What was checked without keeping steps is explained already as far as it will be.
        let mut checked: Vec<Option<Explanation>> = vec![None; stated.len()];
        for (at, one) in stated.iter().enumerate().filter(|_| is_check) {
            if let What::Safety(asked) = &one.what {
                let request = self.searching.request(Model::KIND, &(asked.clone(), one.property.clone()));
                let answer = self.checked(Request { violation: None, ..request })?;
                decided[at] = Some(Decision::of(one.ask.clone(), &answer));
                checked[at] = Some(answer);
            }
        }
        let mut found = (has_endless || !is_check).then(|| self.explored(has_endless)).transpose()?;
        if let Some(explored) = found.take() {
            found = Some(self.decide(explored, stated, &mut decided));
        }
        let decisions = stated.iter().zip(decided).map(|(one, decided)| match (decided, &one.what) {
            (Some(decided), _) => decided,
            (None, What::Broken { at, message }) => {
                undecided(one, Why::FromParser { at: at.clone(), message: message.clone() })
            }
            (None, _) => undecided(one, Why::Nothing),
        });
        let decisions = Decisions::new(decisions.collect());
        let pinned = pinned.map(|at| (at, None));
        let target =
            pinned.map_or_else(|| decisions.target(self.question.request.violation), |at| Ok(Some(at)))?;
        let can_be_told = |one: &Stated| !matches!(one.what, What::Broken { .. });
        let (at, violation) = target.unwrap_or((stated.iter().position(can_be_told).unwrap_or(0), None));
        let properties = decisions.properties();
        let mut explanation = match (&stated[at].what, found) {
            (What::Safety(asked), found) => {
                let goal = (asked.clone(), stated[at].property.clone());
                let request = self.searching.request(Model::KIND, &goal);
                let request = Request { violation, properties, ..request };
                match (checked[at].take(), found) {
                    (Some(answer), _) if violation.is_none() => answer,
                    (_, Some(found)) if !is_check => {
                        self.safety(found, &goal, request, |told| decisions.complete(at, told))?
                    }
                    _ => self.checked(request)?,
                }
            }
            (What::Endless(endless), Some(found)) => {
                self.endless(found, *endless, &stated[at], properties, |told| decisions.complete(at, told))?
            }
            _ => return Err(anyhow!("{}: it was not searched for", stated[at].property.text)),
        };
        if is_check && matches!(stated[at].what, What::Safety(_)) {
            decisions.complete(at, &mut explanation);
        }
        Ok(explanation)
    }

    /// Decides about all properties that a search with all its steps can tell of, and gives it back.
    fn decide(&self, found: Explored, stated: &[Stated], decided: &mut [Option<Decision>]) -> Explored {
        for (at, one) in stated.iter().enumerate() {
            if let (What::Safety(asked), None) = (&one.what, &decided[at]) {
                let judged = judge(&found, self.narrator, asked);
                decided[at] = Some(Decision {
                    property: one.property.clone(),
                    ask: one.ask.clone(),
                    verdict: judged.verdict,
                    reason: judged.reason,
                    violations: judged.violations,
                });
            }
        }
        if !stated.iter().any(|one| matches!(one.what, What::Endless(_))) {
            return found;
        }
        let endlessly = Endlessly::new(self.model, found, self.narrator);
        for (at, one) in stated.iter().enumerate() {
            if let What::Endless(endless) = one.what {
                let (number, of) = (at as u64 + 1, stated.len() as u64);
                self.host.stage(Stage::Property { number, of });
                decided[at] = Some(self.decide_endless(&endlessly, endless, one));
            }
        }
        self.host.stage(Stage::Whole);
        endlessly.finish()
    }

    fn decide_endless(
        &self,
        endlessly: &Endlessly<'_, Narrator<'_>>,
        endless: Endless,
        stated: &Stated,
    ) -> Decision {
        let fairness = self.fairness();
        let (store, graph) = (endlessly.store(), endlessly.graph());
        let obligation = endless.obligation(self.model, store, graph, fairness == Fairness::Weak, self.host);
        let obligation = match obligation {
            Ok(obligation) => obligation,
            Err(error) => return undecided(stated, Why::FromFrontEnd(format!("{error:#}"))),
        };
        let found = endlessly.decide(&obligation, fairness, self.host);
        let told = found
            .violation
            .map(|end| violation(1, endless.kind(), endless.property(&stated.property.text), end));
        Decision {
            property: stated.property.clone(),
            ask: stated.ask.clone(),
            verdict: found.verdict,
            reason: found.reason,
            violations: told.into_iter().collect(),
        }
    }

    /// Which endless traces must meet a property: all of them, as in SPIN, unless the user says otherwise.
    fn fairness(&self) -> Fairness {
        self.question.property.fairness.unwrap_or(Fairness::None)
    }

    /// Searches the model with all its steps.
    fn explored(&self, for_endless: bool) -> Result<Explored> {
        let retraced = |trail: &Trail| spin_trails::in_model(self.model, self.narrator, trail);
        let near = near_states(self.question.near.as_ref(), retraced)?;
        if for_endless && near.is_none() {
            let max_states = self.question.request.max_states;
            let limits = Limits { max_states, order: self.question.search.order() };
            return explore(self.model, limits, 0.5, self.host);
        }
        self.searching.explored(self.model, near)
    }

    /// Checks for what is wrong at the end of a trace without keeping steps.
    fn checked(&self, request: Request) -> Result<Explanation> {
        let reduce = self.question.search.reduce && self.model.machine.can_be_reduced();
        self.searching.checked(self.model, request, reduce)
    }

    /// Explains what is wrong at the end of a trace: deadlocks, assertions and faults. `complete` adds what is known of
    /// other properties, before anything is told.
    fn safety(
        &self,
        found: Explored,
        goal: &Goal,
        request: Request,
        complete: impl FnOnce(&mut Explanation),
    ) -> Result<Explanation> {
        let events = self.question.trail.as_ref().map(|(path, trail)| {
            let retraced = spin_trails::in_model(self.model, self.narrator, trail);
            retraced.with_context(|| path.display().to_string())?.violating(path)
        });
        let request = Request { events: events.transpose()?, ..request };
        // What is asked about endless traces takes a search that is kept.
        let is_plain = !self.question.property.is_given() && stated::all(self.model).len() == 1;
        let before = request.repairs.filter(|_| is_plain);
        let as_it_is = |goal: &Goal| {
            pipeline::repairs::explored(self.model, &found, self.narrator, &goal.0, Tried::AsItIs)
        };
        let before = before.map(|_| as_it_is(goal));
        let mut explanation = self.searching.explained(self.model, found, request.clone())?;
        complete(&mut explanation);
        self.host.known(&explanation);
        effect_trace::diagnose(&mut explanation, self.model, self.narrator, None, &request, self.host);
        repair::repair(self.question, self.host, self.fairness(), before, &mut explanation);
        Ok(explanation)
    }

    /// Explains what goes wrong forever. `complete` adds what is known of other properties, before anything is told.
    fn endless(
        &self,
        found: Explored,
        endless: Endless,
        stated: &Stated,
        properties: Vec<findings::CheckedProperty>,
        complete: impl FnOnce(&mut Explanation),
    ) -> Result<Explanation> {
        let (question, host, model) = (self.question, self.host, self.model);
        let lasso = question.trail.as_ref().map(|(path, trail)| {
            let given = spin_trails::in_model(model, self.narrator, trail);
            lassos::violating(model, endless, given, host).with_context(|| path.display().to_string())
        });
        let lasso = lasso.transpose()?;
        let size = findings::GraphSize {
            states: found.counted_states,
            transitions: found.transitions,
            labels: found.events.len() as u64,
        };
        let fairness = self.fairness();
        let is_fair = fairness == Fairness::Weak;
        let obligation = endless.obligation(model, &found.store, &found.graph, is_fair, host)?;
        let input = question.told_input(Model::KIND, Some(size));
        let request = question.request.about(input, stated.property.clone());
        let request = Request { properties, asked: Asked::All, ..request };
        // A formula about single states is explained like an assertion that stands everywhere.
        let found = match (endless, &lasso) {
            (Endless::Formula(number), None) => {
                let parts = |state: &[u8]| self.narrator.invariant(number, state);
                analyse_invariant(model, found, self.narrator, &obligation, &parts, &request, host)
            }
            _ => Err(Box::new(found)),
        };
        let trace = lasso.as_ref().map(|lasso| (&lasso.trace.events[..], lasso.ending));
        let request = Request { fairness, ..request };
        let is_invariant = found.is_ok();
        let mut explanation = found.unwrap_or_else(|found| {
            analyse_endless(model, *found, self.narrator, &obligation, trace, &request, host)
        });
        let own = explanation.violations.first().filter(|_| lasso.is_some()).cloned();
        complete(&mut explanation);
        // What was decided about all properties tells of traces that were found; the one that was given ends elsewhere.
        let explained = explanation.explained;
        let told = explanation.violations.iter_mut().find(|violation| Some(violation.id) == explained);
        if let (Some(own), Some(told)) = (own, told) {
            told.what = own.what;
        }
        host.known(&explanation);
        if let (Endless::Formula(number), true) = (endless, is_invariant) {
            effect_trace::diagnose(&mut explanation, model, self.narrator, Some(number), &request, host);
        }
        // What only an unfair scheduler does is not repaired by changing the model.
        if !explanation.only_unfair {
            repair::repair(question, host, fairness, None, &mut explanation);
        }
        Ok(explanation)
    }
}

fn undecided(stated: &Stated, why: Why) -> Decision {
    Decision {
        property: stated.property.clone(),
        ask: stated.ask.clone(),
        verdict: Verdict::Unknown,
        reason: why.into(),
        violations: Vec::new(),
    }
}
