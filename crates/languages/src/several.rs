//! Several properties of one input: each is decided, and the first one that is violated is explained in full.
//!
//! Violations are numbered through all properties, so that one number is enough to ask for another one. What could not
//! be decided stays in the list: a property that nobody looked at must not seem to hold.

use anyhow::{Result, bail};
use findings::{CheckedProperty, Explanation, Property, Reason, Verdict, Violation};
use graph::{Interrupt, Progress, Watch};
use pipeline::request::{Host, ModelError, Request, Stage};

use crate::answer::Answer;
use crate::question::{PropertyOptions, Question};

/// What came of one property.
#[derive(Clone, Debug)]
pub(crate) struct Decision {
    pub(crate) property: Property,
    /// What `-p` says to ask for it alone.
    pub(crate) ask: Option<String>,
    pub(crate) verdict: Verdict,
    pub(crate) reason: Reason,
    /// Its own, numbered from 1.
    pub(crate) violations: Vec<Violation>,
}

impl Decision {
    /// What an answer about it says.
    pub(crate) fn of(ask: Option<String>, explanation: &Explanation) -> Self {
        Self {
            property: explanation.property.clone(),
            ask,
            verdict: explanation.verdict,
            reason: explanation.reason.clone(),
            violations: explanation.violations.clone(),
        }
    }
}

/// What came of all properties, in their order.
#[derive(Debug)]
pub(crate) struct Decisions {
    list: Vec<Decision>,
    /// The violations of all, each once.
    violations: Vec<Violation>,
    /// The numbers of those of each property.
    ids: Vec<Vec<u64>>,
}

impl Decisions {
    pub(crate) fn new(list: Vec<Decision>) -> Self {
        let mut violations: Vec<Violation> = Vec::new();
        let mut ids = Vec::new();
        for decision in &list {
            let mut own = Vec::new();
            for violation in &decision.violations {
                let is_same = |known: &Violation| {
                    (known.kind, &known.what, &known.location)
                        == (violation.kind, &violation.what, &violation.location)
                };
                let at = violations.iter().position(is_same).unwrap_or_else(|| {
                    let id = violations.len() as u64 + 1;
                    violations.push(Violation { id, ..violation.clone() });
                    violations.len() - 1
                });
                own.push(at as u64 + 1);
            }
            ids.push(own);
        }
        Self { list, violations, ids }
    }

    /// The properties as reports list them.
    pub(crate) fn properties(&self) -> Vec<CheckedProperty> {
        let told = self.list.iter().zip(&self.ids).map(|(decision, ids)| CheckedProperty {
            property: decision.property.clone(),
            ask: decision.ask.clone(),
            verdict: decision.verdict,
            reason: decision.reason.clone(),
            violations: ids.clone(),
        });
        told.collect()
    }

    /// Which property is explained, and which of its own violations: the one with the number that is asked for, or else
    /// those of the first property that is violated. Nothing if none is.
    pub(crate) fn target(&self, violation: Option<u64>) -> Result<Option<(usize, Option<u64>)>> {
        let Some(id) = violation else {
            let violated = self.list.iter().position(|decision| decision.verdict == Verdict::Violated);
            return Ok(violated.map(|at| (at, None)));
        };
        let place = |(at, ids): (usize, &Vec<u64>)| {
            let own = ids.iter().position(|known| *known == id)?;
            Some((at, Some(own as u64 + 1)))
        };
        match self.ids.iter().enumerate().find_map(place) {
            Some(found) => Ok(Some(found)),
            None => Err(ModelError::NoSuchViolation { id, known: self.violations.len() }.into()),
        }
    }

    /// Makes the explanation of one property one of all of them.
    pub(crate) fn complete(&self, target: usize, explanation: &mut Explanation) {
        let ids = &self.ids[target];
        let renumbered = |own: u64| {
            let at = usize::try_from(own).ok().and_then(|own| own.checked_sub(1));
            at.and_then(|at| ids.get(at).copied()).unwrap_or(own)
        };
        explanation.explained = explanation.explained.map(renumbered);
        for other in &mut explanation.others {
            other.violation = renumbered(other.violation);
        }
        explanation.violations.clone_from(&self.violations);
        explanation.statistics.violations = self.violations.iter().map(|violation| violation.count).sum();
        explanation.properties = self.properties();
        let undecided = self.list.iter().find(|decision| decision.verdict == Verdict::Unknown);
        if let (Verdict::Unknown, Some(open)) =
            (CheckedProperty::together(&explanation.properties), undecided)
        {
            explanation.verdict = Verdict::Unknown;
            explanation.property = open.property.clone();
            explanation.reason = open.reason.clone();
        }
    }
}

/// Answers a question about several properties where each needs a search of its own: first for all verdicts, then for what
/// explains the first violation.
pub(crate) fn explain_each(
    question: &Question<'_>,
    host: &dyn Host,
    explain: impl Fn(&Question<'_>, &dyn Host) -> Result<Answer>,
) -> Result<Answer> {
    if question.trail.is_some() {
        bail!("--trail is a counterexample to one property: give -p once");
    }
    let check = Request {
        methods: Vec::new(),
        repairs: None,
        others: false,
        picture: false,
        violation: None,
        ..question.request.clone()
    };
    let mut answers = Vec::new();
    let of = question.property.texts.len() as u64;
    for (text, number) in question.property.texts.iter().zip(1..) {
        host.stage(Stage::Property { number, of });
        answers.push(explain(&about(question, text, check.clone()), &Silent(host))?);
    }
    host.stage(Stage::Whole);
    let asked = question.property.texts.iter().zip(&answers);
    let decisions = asked.map(|(text, answer)| Decision::of(Some(text.clone()), &answer.explanation));
    let decisions = Decisions::new(decisions.collect());
    let (at, violation) = decisions.target(question.request.violation)?.unwrap_or((0, None));
    let request = Request { properties: decisions.properties(), violation, ..question.request.clone() };
    let mut answer = explain(&about(question, &question.property.texts[at], request), host)?;
    decisions.complete(at, &mut answer.explanation);
    Ok(answer)
}

/// The same question about one property.
fn about<'a>(question: &Question<'a>, text: &str, request: Request) -> Question<'a> {
    Question {
        input: question.input,
        reading: question.reading.clone(),
        property: PropertyOptions { texts: vec![text.to_owned()], ..question.property.clone() },
        request,
        search: question.search,
        trail: None,
        near: question.near.clone(),
        counterexample_lts: None,
        emit: question.emit,
    }
}

/// A host that is told nothing before all verdicts are known.
struct Silent<'a>(&'a dyn Host);

impl Watch for Silent<'_> {
    fn pulse(&self, progress: Progress) -> Result<(), Interrupt> {
        self.0.pulse(progress)
    }
}

impl Host for Silent<'_> {
    fn seconds(&self) -> f64 {
        self.0.seconds()
    }

    fn peak_bytes(&self) -> Option<u64> {
        self.0.peak_bytes()
    }

    fn share_memory(&self, share: f64) {
        self.0.share_memory(share);
    }
}
