//! Counterexamples and causes, for programs to read.

use findings::{Fate, Method, ViolationKind};
use report::RecheckResult;

use super::Location;

/// A trace that ends with what is wrong.
#[derive(Clone, Copy, Debug)]
pub struct Counterexample<'a>(pub(super) &'a report::Counterexample);

impl<'a> Counterexample<'a> {
    /// What sort of violation.
    pub fn kind(&self) -> ViolationKind {
        self.0.kind
    }

    /// What is wrong at its end, where more is known than the property says.
    pub fn text(&self) -> Option<&'a str> {
        self.0.text.as_deref()
    }

    /// Its steps, in their order.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = TraceStep<'a>> + use<'a> {
        self.0.steps.iter().map(TraceStep)
    }

    /// The variables of the first state, with their values.
    pub fn initial(&self) -> impl ExactSizeIterator<Item = (&'a str, &'a str)> + use<'a> {
        self.0.initial.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// For a deadlock: who waits for what.
    pub fn waiting(&self) -> impl ExactSizeIterator<Item = (&'a str, &'a str)> + use<'a> {
        self.0.blocked.iter().map(|one| (one.process.as_deref().unwrap_or_default(), one.waits_for.as_str()))
    }
}

/// A step of a counterexample.
#[derive(Clone, Copy, Debug)]
pub struct TraceStep<'a>(&'a report::Step);

impl<'a> TraceStep<'a> {
    /// Its number, from 1.
    pub fn n(&self) -> u64 {
        self.0.n
    }

    /// What happens.
    pub fn action(&self) -> &'a str {
        &self.0.action
    }

    /// Who does it: kind and number.
    pub fn process(&self) -> Option<(&'a str, u64)> {
        Some((self.0.process.as_deref()?, self.0.pid?))
    }

    /// Where the statement stands.
    pub fn location(&self) -> Option<Location> {
        self.0.location.as_ref().map(place)
    }

    /// The fate of the state it leads to.
    pub fn fate(&self) -> Fate {
        self.0.fate
    }

    /// Whether it takes away the last way to pass.
    pub fn is_point_of_no_return(&self) -> bool {
        self.0.point_of_no_return
    }

    /// What could have happened instead, so that failing would have become impossible.
    pub fn escapes(&self) -> &'a [String] {
        &self.0.escapes
    }

    /// Names of variables that changed, with what they held before and after; nothing where they did not exist.
    pub fn changes(
        &self,
    ) -> impl ExactSizeIterator<Item = (&'a str, Option<&'a str>, Option<&'a str>)> + use<'a> {
        self.0.changes.iter().map(|(name, [old, new])| (name.as_str(), old.as_deref(), new.as_deref()))
    }
}

/// What came of an independent test of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Recheck {
    /// The claim is true.
    Confirmed,
    /// It is false; causes that were refuted are told as such.
    Refuted,
    /// It was not tested, or the test did not end in time.
    NotRun,
}

/// Something that made traces fail.
#[derive(Clone, Copy, Debug)]
pub struct Cause<'a>(pub(super) &'a report::Cause);

impl<'a> Cause<'a> {
    /// Its place in the list, from 1.
    pub fn rank(&self) -> u64 {
        self.0.rank
    }

    /// How much speaks for it; the first has the highest.
    pub fn score(&self) -> f64 {
        self.0.score
    }

    /// The cause in a sentence.
    pub fn summary(&self) -> &'a str {
        &self.0.summary
    }

    /// What is claimed about failing and passing traces.
    pub fn claim(&self) -> &'a str {
        &self.0.claim
    }

    /// The steps of the counterexample it names, by their numbers.
    pub fn steps(&self) -> &'a [u64] {
        &self.0.steps
    }

    /// Where the statements stand that it names.
    pub fn locations(&self) -> impl ExactSizeIterator<Item = Location> + use<'a> {
        self.0.locations.iter().map(place)
    }

    /// The methods that found it.
    pub fn methods(&self) -> &'a [Method] {
        &self.0.methods
    }

    /// What came of testing the claim, and how it was tested.
    pub fn recheck(&self) -> (Recheck, &'a str) {
        let result = match self.0.recheck.result {
            RecheckResult::Confirmed => Recheck::Confirmed,
            RecheckResult::Refuted => Recheck::Refuted,
            RecheckResult::NotRun => Recheck::NotRun,
        };
        (result, &self.0.recheck.how)
    }

    /// What else speaks for it: the method, and what it claims.
    pub fn evidence(&self) -> impl ExactSizeIterator<Item = (Method, &'a str)> + use<'a> {
        self.0.evidence.iter().map(|one| (one.method, one.claim.as_str()))
    }
}

fn place(at: &report::Location) -> Location {
    Location::new(&at.file, at.line).column(at.column).text(&at.text)
}
