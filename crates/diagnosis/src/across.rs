//! Diagnoses of several failing runs at once: sets of statements that explain each of them on its own way, with its own
//! inputs.
//!
//! Each run has conflicts of its own. A set that explains all of them hits every conflict of every run, and the
//! smallest such sets are the smallest hitting sets of all conflicts together (Reiter 1987). So the runs are one
//! formula: it is consistent where each of theirs is, and a conflict of any of them is one of its.

use encode::solver::{Solver, Stop};
use encode::unwind::{At, Unwinder};
use explain::diagnosis::{Answer, Ending, Formula, diagnoses};
use graph::Watch;
use model::Program;

use crate::case::{Suspected, suspected};
use crate::formula::{Question, TraceFormula};
use crate::limits::LIMITS;

/// What explains several failing runs.
pub(crate) struct Across {
    /// The inputs of the runs.
    pub(crate) runs: Vec<Vec<i64>>,
    /// The smallest sets of statements, by size.
    pub(crate) sets: Vec<Vec<u32>>,
    pub(crate) complete: bool,
}

struct Together<'p, 'w> {
    formulas: Vec<TraceFormula<'p, 'w>>,
}

impl Formula for Together<'_, '_> {
    type Model = ();
    type Stop = Stop;

    fn ask(&mut self, abnormal: &[u32]) -> Result<Answer<()>, Stop> {
        for formula in &mut self.formulas {
            if let Answer::Conflict(conflict) = formula.ask(abnormal)? {
                return Ok(Answer::Conflict(conflict));
            }
        }
        Ok(Answer::Consistent(()))
    }
}

/// The smallest sets that explain all runs, if there are two or more whose ways can be followed.
pub(crate) fn across(
    program: &Program,
    runs: &[Vec<i64>],
    trusts: &dyn Fn(u32) -> bool,
    watch: &dyn Watch,
) -> Result<Option<Across>, Stop> {
    let mut ways: Vec<(Vec<At>, Vec<u32>, &Vec<i64>)> = Vec::new();
    for inputs in runs {
        let path = Unwinder::new(program, Solver::new(watch)).path(inputs)?;
        let Ok(Suspected { sliced, .. }) = suspected(program, &path, trusts) else { continue };
        ways.push((path, sliced, inputs));
    }
    let mut formulas = Vec::new();
    let mut followed = Vec::new();
    for (path, suspects, inputs) in &ways {
        let question = Question { program, path, suspects, probes: &[], inputs: Some(inputs) };
        let Ok(mut formula) = TraceFormula::new(&question, watch) else { continue };
        formula.fix(inputs);
        formulas.push(formula);
        followed.push((*inputs).clone());
    }
    if formulas.len() < 2 {
        return Ok(None);
    }
    let found = diagnoses(&mut Together { formulas }, LIMITS);
    if let (Ending::Stopped(stop), true) = (found.ending, found.diagnoses.is_empty()) {
        return Err(stop);
    }
    let sets = found.diagnoses.into_iter().map(|one| one.statements).filter(|set| !set.is_empty());
    Ok(Some(Across { runs: followed, sets: sets.collect(), complete: found.ending == Ending::Complete }))
}
