//! What holds in all samples: constants, small sets, ranges, remainders, order and equality, and what the other
//! files add.
//!
//! A fact is told only if it is not likely to be chance: if values were drawn at random, the fact would hold of
//! so many samples with a probability below one in a hundred. Where the samples are all there can be, there is
//! no chance in it, and two are enough to call something common.

use std::collections::BTreeSet;

use crate::fact::Fact;
use crate::samples::{Samples, Value};
use crate::{arrays, implications, linear};

/// A fact that holds in all samples, and how many samples speak for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    pub fact: Fact,
    pub samples: usize,
}

/// How likely chance may be.
const CHANCE: f64 = 0.01;
/// A variable with so few values is told by them.
const FEW: usize = 3;
/// Relations of so many variables are looked for; three at a time, of fewer.
const MOST_VARIABLES: usize = 60;
const MOST_FOR_TRIPLES: usize = 14;
/// Implications are looked for among so few, and in so few samples.
pub(crate) const MOST_FOR_SPLITS: usize = 16;
pub(crate) const MOST_SAMPLES_TO_SPLIT: usize = 2_000;

/// Decides whether something may be chance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judge {
    is_exhaustive: bool,
}

impl Judge {
    /// Whether so many samples are enough for what one sample shows by chance with this probability.
    pub(crate) fn is_enough(&self, samples: usize, probability: f64) -> bool {
        if self.is_exhaustive {
            return samples >= 2;
        }
        let samples = i32::try_from(samples).unwrap_or(i32::MAX);
        probability.powi(samples) <= CHANCE
    }
}

/// What holds in all samples; `is_exhaustive` says that there can be no others.
pub fn detect(samples: &Samples, is_exhaustive: bool) -> Vec<Invariant> {
    if samples.is_empty() {
        return Vec::new();
    }
    let judge = Judge { is_exhaustive };
    let mut found = simple(samples, &judge, MOST_VARIABLES);
    relations(samples, &judge, &mut found);
    arrays::of_arrays(samples, &judge, &mut found);
    implications::of_truth_values(samples, &judge, &mut found);
    found
}

/// What holds of one set of samples, of another, or of both.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// What holds of all of the first and not of all of the second.
    pub first: Vec<Invariant>,
    pub second: Vec<Invariant>,
    pub both: Vec<Invariant>,
}

pub fn compare(first: &Samples, second: &Samples, is_exhaustive: bool) -> Compared {
    let mut compared = Compared::default();
    let fails_in = |fact: &Fact, samples: &Samples| {
        let mut known = (0..samples.len()).filter_map(|row| fact.holds(samples, row)).peekable();
        known.peek()?;
        Some(known.any(|holds| !holds))
    };
    for (own, other, is_first) in [(first, second, true), (second, first, false)] {
        for invariant in detect(own, is_exhaustive) {
            match (fails_in(&invariant.fact, other), is_first) {
                (Some(true), true) => compared.first.push(invariant),
                (Some(true), false) => compared.second.push(invariant),
                (Some(false), true) => compared.both.push(invariant),
                // What holds of both was found in the first already, or is weaker than what was.
                (Some(false), false) | (None, _) => {}
            }
        }
    }
    compared
}

/// Facts of one variable, and order and equality of two.
pub(crate) fn simple(samples: &Samples, judge: &Judge, most_variables: usize) -> Vec<Invariant> {
    let mut found = Vec::new();
    let mut numbers: Vec<(usize, Vec<i64>)> = Vec::new();
    for column in 0..samples.names().len() {
        if let Some(values) = samples.numbers(column) {
            if of_numbers(samples, column, &values, judge, &mut found) {
                numbers.push((column, values));
            }
        } else if let Some(words) = samples.words(column) {
            of_words(samples, column, &words, judge, &mut found);
        }
    }
    numbers.truncate(most_variables);
    for (at, (one, left)) in numbers.iter().enumerate() {
        for (other, right) in &numbers[at + 1..] {
            let names = (&samples.names()[*one], &samples.names()[*other]);
            found.extend(of_pair(names, left, right, judge));
        }
    }
    found
}

/// Facts of a number; whether it changes.
fn of_numbers(
    samples: &Samples,
    column: usize,
    values: &[i64],
    judge: &Judge,
    found: &mut Vec<Invariant>,
) -> bool {
    let name = &samples.names()[column];
    let different: BTreeSet<i64> = values.iter().copied().collect();
    let (Some(least), Some(most)) = (different.first().copied(), different.last().copied()) else {
        return false;
    };
    let count = values.len();
    let mut tell = |fact: Fact| found.push(Invariant { fact, samples: count });
    if least == most {
        if judge.is_enough(count, 0.5) {
            tell(Fact::Constant(name.clone(), Value::Number(least)));
        }
        return false;
    }
    if !judge.is_enough(count, 0.5) {
        return true;
    }
    if different.len() <= FEW {
        tell(Fact::OneOf(name.clone(), different.iter().map(|value| Value::Number(*value)).collect()));
    } else {
        tell(Fact::AtLeast(name.clone(), least));
        tell(Fact::AtMost(name.clone(), most));
    }
    let width = (i128::from(most) - i128::from(least) + 1) as f64;
    if least < 0 && most > 0 && !different.contains(&0) && judge.is_enough(count, 1.0 - 1.0 / width) {
        tell(Fact::NonZero(name.clone()));
    }
    let step = different
        .iter()
        .fold(0u128, |step, value| gcd(step, (i128::from(*value) - i128::from(least)).unsigned_abs()));
    if different.len() > 2
        && let Ok(modulus) = i64::try_from(step)
        && modulus > 1
        && judge.is_enough(different.len() - 1, 1.0 / modulus as f64)
    {
        tell(Fact::Modulus { var: name.clone(), modulus, remainder: least.rem_euclid(modulus) });
    }
    true
}

fn of_words(samples: &Samples, column: usize, words: &[&str], judge: &Judge, found: &mut Vec<Invariant>) {
    if !judge.is_enough(words.len(), 0.5) {
        return;
    }
    let name = samples.names()[column].clone();
    let different: BTreeSet<&str> = words.iter().copied().collect();
    let values: Vec<Value> = different.iter().map(|word| Value::Word((*word).to_owned())).collect();
    let fact = match &values[..] {
        [only] => Fact::Constant(name, only.clone()),
        few if few.len() <= FEW => Fact::OneOf(name, values),
        _ => return,
    };
    found.push(Invariant { fact, samples: words.len() });
}

/// The strongest fact of two numbers that both change, if what is known of each alone does not say it.
fn of_pair(names: (&String, &String), left: &[i64], right: &[i64], judge: &Judge) -> Option<Invariant> {
    let count = left.len();
    let pairs = || left.iter().zip(right);
    if !judge.is_enough(count, 0.5) {
        return None;
    }
    let (one, other) = (names.0.clone(), names.1.clone());
    let is_apart = |left: &[i64], right: &[i64]| left.iter().max() < right.iter().min();
    let fact = if pairs().all(|(left, right)| left == right) {
        Fact::Equal(one, other)
    } else if is_apart(left, right) || is_apart(right, left) {
        return None;
    } else if pairs().all(|(left, right)| left < right) {
        Fact::Less(one, other)
    } else if pairs().all(|(left, right)| right < left) {
        Fact::Less(other, one)
    } else if pairs().all(|(left, right)| left <= right) {
        Fact::LessOrEqual(one, other)
    } else if pairs().all(|(left, right)| right <= left) {
        Fact::LessOrEqual(other, one)
    } else {
        // How likely two values are different by chance, if both come from what was seen of both.
        let seen: BTreeSet<&i64> = left.iter().chain(right).collect();
        let chance = 1.0 - 1.0 / seen.len() as f64;
        let differ = pairs().all(|(left, right)| left != right);
        if !differ || !judge.is_enough(count, chance) {
            return None;
        }
        Fact::NotEqual(one, other)
    };
    Some(Invariant { fact, samples: count })
}

/// Linear relations of two and of three numbers that change and are not simply equal.
fn relations(samples: &Samples, judge: &Judge, found: &mut Vec<Invariant>) {
    let mut columns: Vec<(String, Vec<i64>)> = Vec::new();
    for column in 0..samples.names().len() {
        let Some(values) = samples.numbers(column) else { continue };
        let changes = values.iter().any(|value| *value != values[0]);
        // What is equal to another is told as such.
        if changes && !columns.iter().any(|(_, other)| *other == values) {
            columns.push((samples.names()[column].clone(), values));
        }
    }
    columns.truncate(MOST_VARIABLES);
    let mut related = BTreeSet::new();
    for (at, (x, xs)) in columns.iter().enumerate() {
        for (y, ys) in &columns[at + 1..] {
            // Through two points there always is a line.
            if let Some((fact, points)) = linear::of_two((x, xs), (y, ys))
                && points > 2
                && judge.is_enough(points - 2, 0.1)
            {
                related.insert(y.clone());
                found.push(Invariant { fact, samples: points });
            }
        }
    }
    // A variable that depends on another one would repeat all that is found of that.
    columns.retain(|(name, _)| !related.contains(name));
    columns.truncate(MOST_FOR_TRIPLES);
    for (at, (x, xs)) in columns.iter().enumerate() {
        for (behind, (y, ys)) in columns.iter().enumerate().skip(at + 1) {
            for (z, zs) in &columns[behind + 1..] {
                if let Some((fact, points)) = linear::of_three((x, xs), (y, ys), (z, zs))
                    && points > 3
                    && judge.is_enough(points - 3, 0.1)
                {
                    found.push(Invariant { fact, samples: points });
                }
            }
        }
    }
}

fn gcd(one: u128, other: u128) -> u128 {
    if other == 0 { one } else { gcd(other, one % other) }
}
