//! The model in which the fewest of some literals are true.
//!
//! Bounds grow from 0 (an unsatisfiable question each, until the last): where few are enough, which is the
//! case for faults and for changes, the hard questions about large bounds are never asked.

use super::{Literal, Solver, Stop, Totalizer, Verdict};

/// How few can be true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fewest {
    /// So many, and the solver holds a model in which no more are.
    Exactly(usize),
    /// The assumptions contradict the clauses, whatever the bound.
    Never,
}

/// Looks for a model of the assumptions in which as few of the counted literals are true as possible. The
/// counter may have been used before; `from` is a number that is known to be needed, or 0.
pub fn fewest(
    solver: &mut Solver<'_>,
    assumptions: &[Literal],
    counter: &mut Totalizer,
    from: usize,
) -> Result<Fewest, Stop> {
    Ok(fewest_up_to(solver, assumptions, counter, from, usize::MAX)?.unwrap_or(Fewest::Never))
}

/// The same, but nothing if more than `most` are needed: the counter grows with the square of its bound.
pub fn fewest_up_to(
    solver: &mut Solver<'_>,
    assumptions: &[Literal],
    counter: &mut Totalizer,
    from: usize,
    most: usize,
) -> Result<Option<Fewest>, Stop> {
    let mut question = assumptions.to_vec();
    for bound in from..=counter.inputs().max(from) {
        if bound > most {
            return Ok(None);
        }
        let limit = counter.at_most(solver, bound);
        question.push(limit);
        if solver.solve(&question)? == Verdict::Satisfiable {
            return Ok(Some(Fewest::Exactly(bound)));
        }
        // Where the bound had no part in the contradiction, no other will help.
        if solver.core().binary_search(&limit).is_err() {
            return Ok(Some(Fewest::Never));
        }
        question.pop();
    }
    Ok(Some(Fewest::Never))
}
