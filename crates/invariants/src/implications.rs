//! Implications: what holds where a truth value is one thing, and not where it is the other.

use crate::detect::{Invariant, Judge, MOST_FOR_SPLITS, MOST_SAMPLES_TO_SPLIT, simple};
use crate::fact::Fact;
use crate::samples::Samples;

/// Splits the samples by every variable that is 0 or 1; `found` is what holds anyway.
pub(crate) fn of_truth_values(samples: &Samples, judge: &Judge, found: &mut Vec<Invariant>) {
    if samples.len() > MOST_SAMPLES_TO_SPLIT {
        return;
    }
    let mut implied = Vec::new();
    for column in 0..samples.names().len().min(MOST_FOR_SPLITS) {
        let Some(values) = samples.numbers(column) else { continue };
        let has = |number: i64| values.contains(&number);
        if !(has(0) && has(1) && values.iter().all(|value| [0, 1].contains(value))) {
            continue;
        }
        let name = &samples.names()[column];
        for when in [0, 1] {
            let part = samples.where_is(column, when);
            let other = samples.where_is(column, 1 - when);
            for invariant in simple(&part, judge, MOST_FOR_SPLITS) {
                let says_nothing =
                    matches!(&invariant.fact, Fact::AtLeast(..) | Fact::AtMost(..) | Fact::NotEqual(..))
                        || mentions(&invariant.fact, name);
                if !says_nothing && !invariant.fact.holds_in_all(&other) {
                    let fact = Fact::Implies(name.clone(), when, Box::new(invariant.fact));
                    implied.push(Invariant { fact, samples: invariant.samples });
                }
            }
        }
    }
    found.extend(implied);
}

fn mentions(fact: &Fact, name: &str) -> bool {
    match fact {
        Fact::Constant(var, _) | Fact::OneOf(var, _) | Fact::NonZero(var) | Fact::Modulus { var, .. } => {
            var == name
        }
        Fact::Equal(one, other)
        | Fact::NotEqual(one, other)
        | Fact::Less(one, other)
        | Fact::LessOrEqual(one, other) => one == name || other == name,
        _ => false,
    }
}
