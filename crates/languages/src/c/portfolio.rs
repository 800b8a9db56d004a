//! Which engine decides about a program.
//!
//! Three engines can: a search of all states, a search call by call, and a solver that is asked a formula. None is best
//! for all programs, and which one is cannot be told before. So they are asked in turn, and each gets so much to do that
//! the others are not kept waiting for long:
//!
//! - Where inputs have too many values to try them all, a solver is asked first, and states are searched where it does not
//!   decide. If explanations need the graph of all states, a few states are looked at before: small programs are small
//!   even with all their inputs.
//! - Otherwise states are searched first, as far as a limit; then a solver gets a few questions, which is enough where a
//!   loop is long and the rest is simple; then states are searched to their end, and a solver is asked to its own.
//! - Recursion without a bound is searched call by call, because a search of all states would not end. This is done in the
//!   place of the search of states, by the search itself.
//! - A violation that was found in a part of the states is not told from there if what explains it needs all of them.
//!
//! Limits count states and work, never time, so that every machine asks the same engines. Where nobody decides, the
//! answer says what each engine says of its own limits.

use anyhow::{Result, bail};
use findings::{Explanation, Verdict, Why};

use crate::question::Engine;

/// How many states are looked at before a solver is asked: where explanations need all of them, and where they do not.
const MANY_STATES: u64 = 3_000_000;
const FEW_STATES: u64 = 400_000;

/// How much work the formula and its solver may be before all states are searched, in units of a [`graph::Watch`]: a few
/// seconds.
const A_FEW_QUESTIONS: u64 = 2_000 * graph::PULSE;

/// One way to decide about a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attempt {
    /// All states, or so many of them.
    States(Option<u64>),
    /// As a formula, with so much work or as long as it takes.
    Formula(Option<u64>),
}

/// What is known of a program before it is decided about.
pub(super) struct Situation {
    pub(super) engine: Engine,
    /// Why it is no formula, if it is not.
    pub(super) no_formula: Option<&'static str>,
    /// Whether its inputs are too many to try them all.
    pub(super) has_many_inputs: bool,
    /// Whether explanations need the graph of its states.
    pub(super) needs_states: bool,
    /// How many states the user allows.
    pub(super) max_states: u64,
}

impl Situation {
    /// The engines in the order in which they are asked.
    fn attempts(&self) -> Result<Vec<Attempt>> {
        let (few, many) = (Attempt::States(Some(FEW_STATES)), Attempt::States(Some(MANY_STATES)));
        let (all, ask) = (Attempt::States(None), Attempt::Formula(None));
        let briefly = Attempt::Formula(Some(A_FEW_QUESTIONS));
        Ok(match (self.engine, self.no_formula) {
            (Engine::Sat, Some(why)) => bail!("--engine sat: {why}"),
            (Engine::Sat, None) => vec![ask],
            (Engine::Auto, None) => match (self.has_many_inputs, self.needs_states) {
                (true, false) => vec![ask, all],
                (true, true) => vec![few, ask, all],
                (false, false) => vec![few, briefly, all, ask],
                (false, true) => vec![many, briefly, all, ask],
            },
            (Engine::Auto | Engine::Explicit | Engine::Summary, _) => vec![all],
        })
    }

    /// How far the states were searched, by what came of the first so many of them.
    fn searched(&self, most: Option<u64>, found: &Explanation) -> Searched {
        let is_violated = found.verdict == Verdict::Violated;
        let is_part = most.is_some_and(|most| {
            let is_over = is_violated || found.reason.why.limit_of_states() == Some(most);
            !found.statistics.complete && most < self.max_states && is_over
        });
        match (is_part, is_violated && self.needs_states) {
            (false, _) => Searched::Whole,
            (true, false) => Searched::Part,
            (true, true) => Searched::Violated,
        }
    }

    /// Asks the engines in turn until one decides; otherwise what they say of their limits.
    pub(super) fn decided(&self, mut ask: impl FnMut(Attempt) -> Result<Explanation>) -> Result<Explanation> {
        let mut undecided = Undecided::default();
        let mut searched = None;
        for attempt in self.attempts()? {
            match (attempt, searched) {
                (Attempt::States(None), Some(Searched::Whole)) => continue,
                (Attempt::Formula(_), Some(Searched::Violated)) => continue,
                _ => {}
            }
            let found = ask(attempt)?;
            if let Attempt::States(most) = attempt {
                searched = Some(self.searched(most, &found));
                if searched == Some(Searched::Violated) {
                    continue;
                }
            }
            if found.verdict != Verdict::Unknown || found.reason.why.is_final() {
                return Ok(found);
            }
            match attempt {
                Attempt::States(_) => undecided.by_states = Some(found),
                Attempt::Formula(_) => undecided.by_formula = Some(found),
            }
        }
        match undecided.told() {
            Some(found) => Ok(found),
            None => bail!("no engine fits"),
        }
    }
}

/// How far states were searched.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Searched {
    /// As far as they ever will be.
    Whole,
    /// In part.
    Part,
    /// In part, and something is wrong there, which takes all of them to explain.
    Violated,
}

/// What engines say that do not know, each the last time it was asked.
#[derive(Default)]
struct Undecided {
    by_states: Option<Explanation>,
    by_formula: Option<Explanation>,
}

impl Undecided {
    /// What both say together.
    fn told(self) -> Option<Explanation> {
        let Self { by_states: Some(mut first), by_formula: Some(second) } = self else {
            return self.by_states.or(self.by_formula);
        };
        first.reason = Why::Both {
            first: Box::new((first.reason, first.engine)),
            second: Box::new((second.reason, second.engine)),
        }
        .into();
        first.bound = first.bound.or(second.bound);
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn situation() -> Situation {
        Situation {
            engine: Engine::Auto,
            no_formula: None,
            has_many_inputs: false,
            needs_states: true,
            max_states: u64::MAX,
        }
    }

    #[test]
    fn a_solver_comes_first_where_inputs_are_many() {
        let attempts = Situation { has_many_inputs: true, needs_states: false, ..situation() }.attempts();
        assert_eq!(attempts.unwrap(), [Attempt::Formula(None), Attempt::States(None)]);
    }

    #[test]
    fn what_is_asked_for_is_all_that_is_asked() {
        let explicit = Situation { engine: Engine::Explicit, ..situation() };
        assert_eq!(explicit.attempts().unwrap(), [Attempt::States(None)]);
        let threads =
            Situation { engine: Engine::Sat, no_formula: Some("the program starts threads"), ..situation() };
        assert!(threads.attempts().is_err());
    }
}
