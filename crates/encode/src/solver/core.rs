//! Smaller reasons for a no.
//!
//! The core a solver returns is a set of assumptions that cannot all hold, and rarely a smallest one. Deletion
//! makes it minimal (no assumption can be left out): leave one out, ask again, and take the new core if the
//! answer is still no; an assumption whose loss makes the answer a yes belongs to every later core. With the
//! cores of the questions taken over (Dershowitz, Hanna and Nadel 2006) most assumptions are never tried.

use super::{Literal, Solver, Stop, Verdict};

/// Assumptions that cannot all hold together with what was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Core {
    pub literals: Vec<Literal>,
    /// Why the core may not be minimal, if deletion was cut short.
    pub stopped: Option<Stop>,
}

/// A minimal part of `core` that contradicts the clauses and the assumptions `given`. The question with all of
/// `given` and `core` must have been answered no; if in truth its answer is yes, the whole of `core` comes
/// back.
pub fn minimise_core(solver: &mut Solver<'_>, given: &[Literal], core: &[Literal]) -> Core {
    let mut literals = core.to_vec();
    literals.sort_unstable();
    literals.dedup();
    let mut kept = 0;
    let mut question = Vec::with_capacity(given.len() + literals.len());
    while kept < literals.len() {
        question.clear();
        question.extend_from_slice(given);
        question
            .extend(literals.iter().copied().enumerate().filter(|(at, _)| *at != kept).map(|(_, one)| one));
        match solver.solve(&question) {
            Ok(Verdict::Satisfiable) => kept += 1,
            Ok(Verdict::Unsatisfiable) => {
                // The first `kept` are needed, so they stay even where this one proof did without.
                let found = solver.core();
                let mut at = 0;
                literals.retain(|literal| {
                    at += 1;
                    at <= kept || at != kept + 1 && found.binary_search(literal).is_ok()
                });
            }
            Err(stop) => return Core { literals, stopped: Some(stop) },
        }
    }
    Core { literals, stopped: None }
}
