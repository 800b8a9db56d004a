//! What is needed to have a report on a model tested again: its formulas in the plainest form, and which atoms are true in
//! a state.

use std::cell::RefCell;

use findings::{Beyond, Verification};
use graph::{Fairness, System, Worker, Wrong};
use pipeline::request::Host;
use promela::machine::Observed;
use promela::{Model, Narrator};
use property::ltl::{Binary, Formula, Node, Unary};
use verify::{Endless as Naive, Invariant, Ltl, ModelQuestion, NoSurvey, Report, Survey, Text, WrongAt};

use super::obligations::Endless;
use super::options;
use super::stated::{self, Stated, What, asked_in};
use crate::disk::{Disk, text_of};
use crate::question::Question;
use crate::verified::limits;

/// Tests what a report says of one of the properties that are stated.
pub(super) fn verify(
    question: &Question<'_>,
    report: &Report,
    model: &Model,
    stated: &[Stated],
    host: &dyn Host,
) -> Verification {
    let own = text_of(question.input.bytes);
    let testing = Testing { question, host };
    let properties = |text: &str| {
        let one = stated.iter().find(|one| one.property.text == text)?;
        testing.wrong(model, one)
    };
    let survey = |changed: &str| testing.survey(changed);
    let text = Some(Text { text: &own, survey: &survey });
    let limits = limits(question, host);
    let story = Narrator::new(model);
    let about = stated.iter().find(|one| one.property.text == report.property.text);
    match about.map(|one| &one.what) {
        Some(What::Safety(asked)) => {
            let is_asked = |wrong: &Wrong| asked.covers(wrong);
            let is_fair = question.property.fairness.unwrap_or(Fairness::Weak) == Fairness::Weak;
            let asked = ModelQuestion {
                is_asked: &is_asked,
                invariant: None,
                is_fair,
                text,
                properties: &properties,
            };
            verify::model(report, model, &story, asked, limits)
        }
        Some(What::Endless(endless)) => {
            let Some(meaning) = testing.meaning(model, *endless) else { return verify::untested(report) };
            // A given counterexample goes on behind the state that is wrong.
            let is_given = report.counterexample.as_ref().is_some_and(|found| found.is_given());
            if let Some(condition) = testing.invariant(model, *endless).filter(|_| !is_given) {
                let letter = |state: &[u8]| (meaning.letter)(state);
                let holds = |state: &[u8]| letter(state).is_none_or(|letter| holds_of(&condition, letter));
                let mut is_broken_at_once = false;
                model.worker().initial(|state| is_broken_at_once |= !holds(state));
                if !is_broken_at_once {
                    let is_asked = |wrong: &Wrong| wrong.kind == endless.kind();
                    let is_fair = question.property.fairness.unwrap_or(Fairness::Weak) == Fairness::Weak;
                    let invariant = Some(Invariant { kind: endless.kind(), holds: &holds });
                    let properties = &properties;
                    let asked = ModelQuestion { is_asked: &is_asked, invariant, is_fair, text, properties };
                    return verify::model(report, model, &story, asked, limits);
                }
            }
            meaning.with(|naive| verify::endless(report, model, &story, (naive, &properties, text), limits))
        }
        _ => verify::untested(report),
    }
}

struct Testing<'a> {
    question: &'a Question<'a>,
    host: &'a dyn Host,
}

/// Which atoms are true in a state; nothing where they cannot be told.
type Letter<'m> = Box<dyn Fn(&[u8]) -> Option<u64> + 'm>;

/// What a property of endless traces means.
struct Meaning<'m> {
    formula: Ltl,
    parts: Vec<Ltl>,
    letter: Letter<'m>,
    atoms: Vec<String>,
    repeats_last: bool,
    is_fair: bool,
}

impl Meaning<'_> {
    fn with<T>(&self, then: impl FnOnce(Naive<'_>) -> T) -> T {
        let Self { formula, parts, letter, atoms, repeats_last, is_fair } = self;
        then(Naive { formula, parts, letter, atoms, repeats_last: *repeats_last, is_fair: *is_fair })
    }
}

/// Whether a condition is true where these atoms are.
fn holds_of(condition: &Formula<u32>, letter: u64) -> bool {
    condition.is_true_here(|atom| letter >> atom & 1 != 0) != Some(false)
}

impl Testing<'_> {
    /// The condition that a property asks of every state, if it asks nothing else.
    fn invariant(&self, model: &Model, endless: Endless) -> Option<Formula<u32>> {
        let Endless::Formula(number) = endless else { return None };
        model.machine.formula(number)?.invariant()
    }

    /// What a property means; nothing of a claim, which is an automaton.
    fn meaning<'m>(&self, model: &'m Model, endless: Endless) -> Option<Meaning<'m>> {
        let mut parts = Vec::new();
        let (formula, observed) = match endless {
            Endless::Formula(number) => {
                parts = plain(model.machine.formula(number)?)?;
                (parts.last()?.clone(), Observed::Formula(number))
            }
            // Somebody is at a label of progress again and again.
            Endless::NonProgress => (Ltl::Atom(0).always().eventually().negated(), Observed::NonProgress),
            // Nobody is at a label of acceptance any more from some time on.
            Endless::Acceptance => (Ltl::Atom(0).negated().always().eventually(), Observed::Nothing),
            Endless::Claim(_) => return None,
        };
        let observer = RefCell::new(model.machine.observer(observed).ok()?);
        let letter = move |state: &[u8]| match endless {
            Endless::Acceptance => Some(u64::from(observer.borrow_mut().is_at_accept_label(state))),
            _ => observer.borrow_mut().letter(state).ok(),
        };
        let is_fair = self.question.property.fairness == Some(Fairness::Weak);
        let atoms = endless.atoms(model);
        let repeats_last = endless != Endless::NonProgress;
        Some(Meaning { formula, parts, letter: Box::new(letter), atoms, repeats_last, is_fair })
    }

    /// What is wrong with a property.
    fn wrong(&self, model: &Model, stated: &Stated) -> Option<Result<Vec<WrongAt>, Beyond>> {
        let (story, limits) = (Narrator::new(model), limits(self.question, self.host));
        match &stated.what {
            What::Broken { .. } => None,
            What::Safety(asked) => {
                let is_asked = |wrong: &Wrong| asked.covers(wrong);
                let asked = ModelQuestion {
                    is_asked: &is_asked,
                    invariant: None,
                    is_fair: true,
                    text: None,
                    properties: &|_| None,
                };
                Some(match verify::survey(model, &story, asked, limits) {
                    Ok(survey) => Ok(survey.wrong),
                    Err(NoSurvey::TooLarge(why)) => Err(why),
                    Err(NoSurvey::Unreadable(_)) => return None,
                })
            }
            What::Endless(endless) => {
                let meaning = self.meaning(model, *endless)?;
                let is_violated = meaning.with(|naive| verify::is_violated(model, &story, naive, limits));
                let told = (format!("{} {}", stated.property.kind, stated.property.text), None);
                Some(is_violated.map(|is_violated| is_violated.then_some(told).into_iter().collect()))
            }
        }
    }

    /// What a changed text does, of all that it states and all that was asked for.
    fn survey(&self, text: &str) -> Result<Survey, NoSurvey> {
        let question = self.question;
        let unreadable = || NoSurvey::Unreadable("it has errors".to_owned());
        let reading = Model::read(&Disk, question.input.path, text, &options(&question.reading));
        let model = reading.model.map_err(|_| unreadable())?;
        let mut stated = stated::all(&model);
        let is_new = |given: &&String| stated.iter().all(|one| one.ask.as_ref() != Some(*given));
        let given: Vec<String> = question.property.texts.iter().filter(is_new).cloned().collect();
        let (model, own) = match given.is_empty() {
            true => (model, Vec::new()),
            false => asked_in(question, model, text, &given).map_err(|_| unreadable())?,
        };
        stated.extend(own);
        let limits = limits(question, self.host);
        let all = ModelQuestion {
            is_asked: &|_| true,
            invariant: None,
            is_fair: true,
            text: None,
            properties: &|_| None,
        };
        let mut survey = verify::survey(&model, &Narrator::new(&model), all, limits)?;
        for one in &stated {
            if matches!(one.what, What::Endless(_)) {
                let wrong = self.wrong(&model, one).transpose().map_err(NoSurvey::TooLarge)?;
                survey.wrong.extend(wrong.into_iter().flatten());
            }
        }
        Ok(survey)
    }
}

/// The parts of a formula with the few operators that others are told by, the whole last.
fn plain(formula: &Formula<u32>) -> Option<Vec<Ltl>> {
    let mut all = Vec::new();
    let mut parts: Vec<Ltl> = Vec::new();
    for node in formula.nodes() {
        let part = match node {
            Node::Constant(value) => Ltl::Constant(*value),
            Node::Atom(atom) => Ltl::Atom(*atom),
            Node::Unary(operator) => {
                let part = parts.pop()?;
                match operator {
                    Unary::Not => part.negated(),
                    Unary::Next => part.next(),
                    Unary::Eventually => part.eventually(),
                    Unary::Always => part.always(),
                }
            }
            Node::Binary(operator) => {
                let (right, left) = (parts.pop()?, parts.pop()?);
                match operator {
                    Binary::And => left.and(right),
                    Binary::Or => left.or(right),
                    Binary::Implies => left.negated().or(right),
                    Binary::Equivalent => {
                        left.clone().and(right.clone()).or(left.negated().and(right.negated()))
                    }
                    Binary::Until => left.until(right),
                    Binary::WeakUntil => left.clone().until(right).or(left.always()),
                    Binary::Release => left.negated().until(right.negated()).negated(),
                }
            }
        };
        all.push(part.clone());
        parts.push(part);
    }
    Some(all)
}
