//! Runs that pass, with inputs near those that fail. Where a solver decides about a changed program nobody knows all that
//! passing runs do; these few show whether a change only turns inputs away.

use std::collections::BTreeSet;

use cfront::Model;
use pipeline::repairs::Trial;
use pipeline::request::Asked;

use super::failing::fed;

/// How many runs are tried, and how many that pass are kept.
const MOST_TRIED: usize = 96;
const MOST_KEPT: usize = 24;

/// What every input is in turn.
const EVERYWHERE: [i64; 8] = [0, 1, 2, 3, 5, 8, 40, -1];

pub(super) struct Passing {
    runs: Vec<(Vec<i64>, Trial)>,
    longest: u64,
}

impl Passing {
    /// Those of the program as it is.
    pub(super) fn near(model: &Model, failing: &[i64], asked: &Asked, longest: u64) -> Self {
        let mut runs: Vec<(Vec<i64>, Trial)> = Vec::new();
        for inputs in nearby(failing).into_iter().take(MOST_TRIED) {
            let run = fed(model, &inputs, asked, longest);
            if run.complete && run.violations.is_empty() {
                runs.push((inputs, run));
            }
            if runs.len() == MOST_KEPT {
                break;
            }
        }
        Self { runs, longest }
    }

    /// The part of them that a changed program does not run to a proper end any more, or with lines left out that it
    /// did not change; nothing where none is known.
    pub(super) fn lost(&self, model: &Model, asked: &Asked, changed: &BTreeSet<u64>) -> Option<f64> {
        let is_lost = |(inputs, before): &&(Vec<i64>, Trial)| {
            let after = fed(model, inputs, asked, self.longest);
            let is_left_out =
                |place: &&(String, u64)| !changed.contains(&place.1) && !after.visited.contains(place);
            !after.complete
                || !after.violations.is_empty()
                || before.visited.iter().any(|at| is_left_out(&at))
        };
        let lost = self.runs.iter().filter(is_lost).count();
        (!self.runs.is_empty()).then(|| lost as f64 / self.runs.len() as f64)
    }
}

/// Inputs that differ in one place from these, and some that are the same everywhere.
fn nearby(inputs: &[i64]) -> Vec<Vec<i64>> {
    let mut all: Vec<Vec<i64>> = Vec::new();
    for (at, own) in inputs.iter().enumerate() {
        for other in [own.wrapping_add(1), own.wrapping_sub(1), 0, 1, own / 2, own.wrapping_neg()] {
            let mut changed = inputs.to_vec();
            changed[at] = other;
            all.push(changed);
        }
    }
    all.extend(EVERYWHERE.iter().map(|value| vec![*value; inputs.len()]));
    all.retain(|changed| changed.as_slice() != inputs);
    let mut known = BTreeSet::new();
    all.retain(|changed| known.insert(changed.clone()));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_nearby_are_others() {
        let all = nearby(&[4, 0]);
        assert!(all.contains(&vec![5, 0]) && all.contains(&vec![4, -1]) && all.contains(&vec![3, 3]));
        assert!(!all.contains(&vec![4, 0]) && nearby(&[]).is_empty());
    }
}
