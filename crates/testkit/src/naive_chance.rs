//! The chance to fail by the definition: one linear equation for every state from which failing is possible,
//! all solved at once by elimination.

use std::collections::{BTreeMap, BTreeSet};

use crate::naive_system::{NaiveSystem, Pair};

impl NaiveSystem {
    /// For every live state, how likely a trace fails that takes any of the steps with the same chance.
    pub fn chances(&self) -> BTreeMap<Pair, f64> {
        let live = self.live();
        let fails = |state: &Pair| self.violating.contains(state);
        // Who can fail: grown until nothing is added.
        let mut can: BTreeSet<Pair> = live.iter().copied().filter(fails).collect();
        loop {
            let more: Vec<Pair> = live
                .iter()
                .copied()
                .filter(|state| !can.contains(state))
                .filter(|state| {
                    self.steps[state].iter().any(|(_, to)| to.is_some_and(|to| can.contains(&to)))
                })
                .collect();
            if more.is_empty() {
                break;
            }
            can.extend(more);
        }
        let unknown: Vec<Pair> = can.iter().copied().filter(|state| !fails(state)).collect();
        let place: BTreeMap<Pair, usize> = unknown.iter().copied().zip(0..).collect();
        // chance(state) - sum of chance(target) / n = (steps that fail at once) / n
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for state in &unknown {
            let mut row = vec![0.0; unknown.len() + 1];
            row[place[state]] += 1.0;
            let steps = &self.steps[state];
            for to in steps.iter().filter_map(|(_, to)| *to).filter(|to| can.contains(to)) {
                match place.get(&to) {
                    Some(at) => row[*at] -= 1.0 / steps.len() as f64,
                    None => row[unknown.len()] += 1.0 / steps.len() as f64,
                }
            }
            rows.push(row);
        }
        let solved = eliminate(rows);
        let chance = |state: Pair| match place.get(&state) {
            Some(at) => solved[*at],
            None => f64::from(u8::from(fails(&state))),
        };
        live.iter().map(|state| (*state, chance(*state))).collect()
    }
}

/// Gauss and Jordan, with the largest number of the column as pivot.
fn eliminate(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let size = rows.len();
    for column in 0..size {
        let best = (column..size)
            .max_by(|one, other| rows[*one][column].abs().total_cmp(&rows[*other][column].abs()));
        rows.swap(column, best.unwrap_or(column));
        let pivot = rows[column].clone();
        for (at, row) in rows.iter_mut().enumerate().filter(|(at, _)| *at != column) {
            let factor = row[column] / pivot[column];
            assert!(factor.is_finite(), "row {at} has no pivot");
            row.iter_mut().zip(&pivot).for_each(|(value, other)| *value -= factor * other);
        }
    }
    (0..size).map(|at| rows[at][size] / rows[at][at]).collect()
}
