//! Diagnosis: which statements, assumed wrong, would explain it (Pu: Assumption-based Reasoning with Constraints
//! for Diagnosing Program Errors, 2013, after Reiter: A Theory of Diagnosis from First Principles, 1987).
//!
//! A set of statements is a diagnosis if what should hold can hold when they are wrong, and no smaller set will do.
//! A conflict is a set of statements that cannot all be right. Each diagnosis hits every conflict, and the smallest
//! sets that do so are the diagnoses: so sets grow one statement at a time, always by one of a conflict that they do
//! not hit yet (Reiter's tree, without his pruning error that Greiner, Smith and Wilkerson corrected in 1989, because
//! sets are visited by size and conflicts are never replaced). Only a set that hits all known conflicts is asked
//! about; the answer is yes, or one more conflict. Sets of the same size come in the order of their statements.
//!
//! What is asked goes through [`Formula`], so nothing here knows how programs become formulas.

use std::collections::BTreeSet;

/// What should hold, in terms of statements that may be wrong. Statements are numbers; which ones may be wrong is
/// the formula's business, because it names them in its conflicts.
pub trait Formula {
    /// What is known of a run on which all is as it should be.
    type Model;
    /// Why there is no answer.
    type Stop;

    /// Whether all can be as it should be if these statements, in order, may be wrong and all others are right.
    fn ask(&mut self, abnormal: &[u32]) -> Result<Answer<Self::Model>, Self::Stop>;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer<M> {
    Consistent(M),
    /// These statements, none of them assumed wrong, cannot all be right.
    Conflict(Vec<u32>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many statements may be wrong at once.
    pub size: usize,
    /// How many diagnoses are looked for.
    pub count: usize,
    /// How many questions are asked.
    pub questions: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis<M> {
    /// In order.
    pub statements: Vec<u32>,
    pub model: M,
}

/// How a search for diagnoses ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending<S> {
    /// There are no others.
    Complete,
    /// There may be others, beyond the limits.
    Limited,
    Stopped(S),
}

#[derive(Clone, Debug)]
pub struct Found<M, S> {
    /// By size.
    pub diagnoses: Vec<Diagnosis<M>>,
    /// In the order in which they were met, each in order.
    pub conflicts: Vec<Vec<u32>>,
    pub ending: Ending<S>,
}

/// How many sets may wait to be looked at.
const MOST_WAITING: usize = 1 << 16;

/// The diagnoses, smallest first. One without any statement means that nothing need be wrong.
pub fn diagnoses<F: Formula>(formula: &mut F, limits: Limits) -> Found<F::Model, F::Stop> {
    let mut found = Found { diagnoses: Vec::new(), conflicts: Vec::new(), ending: Ending::Complete };
    let mut asked = 0;
    let mut sets = BTreeSet::from([Vec::new()]);
    while !sets.is_empty() {
        let mut larger = BTreeSet::new();
        for set in sets {
            if found.diagnoses.iter().any(|known| is_part(&known.statements, &set)) {
                continue;
            }
            let missed = found.conflicts.iter().position(|conflict| !hits(&set, conflict));
            let missed = match missed {
                Some(missed) => missed,
                None if asked == limits.questions || found.diagnoses.len() == limits.count => {
                    found.ending = Ending::Limited;
                    return found;
                }
                None => {
                    asked += 1;
                    match formula.ask(&set) {
                        Err(stop) => {
                            found.ending = Ending::Stopped(stop);
                            return found;
                        }
                        Ok(Answer::Consistent(model)) => {
                            found.diagnoses.push(Diagnosis { statements: set, model });
                            continue;
                        }
                        Ok(Answer::Conflict(mut conflict)) => {
                            conflict.sort_unstable();
                            found.conflicts.push(conflict);
                            found.conflicts.len() - 1
                        }
                    }
                }
            };
            if found.conflicts[missed].is_empty() {
                // Whatever is wrong, it is not a statement that may be.
                return found;
            }
            if set.len() == limits.size || larger.len() >= MOST_WAITING {
                found.ending = Ending::Limited;
                continue;
            }
            for statement in &found.conflicts[missed] {
                let mut more = set.clone();
                more.insert(more.partition_point(|known| known < statement), *statement);
                larger.insert(more);
            }
        }
        sets = larger;
    }
    found
}

/// Whether all of `part` is in `whole`; both are in order.
pub fn is_part(part: &[u32], whole: &[u32]) -> bool {
    part.iter().all(|one| whole.binary_search(one).is_ok())
}

fn hits(set: &[u32], conflict: &[u32]) -> bool {
    set.iter().any(|one| conflict.binary_search(one).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::random::{Random, for_random_inputs};

    /// All is well where one of these sets is wrong.
    struct Known {
        sets: Vec<Vec<u32>>,
        statements: u32,
        random: Random,
    }

    impl Formula for Known {
        type Model = ();
        type Stop = ();

        fn ask(&mut self, abnormal: &[u32]) -> Result<Answer<()>, ()> {
            if self.sets.iter().any(|set| is_part(set, abnormal)) {
                return Ok(Answer::Consistent(()));
            }
            // All others are a conflict; some of them can be spared, in any order.
            let mut right: Vec<u32> = (0..self.statements).filter(|one| !abnormal.contains(one)).collect();
            for _ in 0..self.random.below(2 * self.statements) {
                let one = right[self.random.below(right.len() as u32) as usize];
                let fewer: Vec<u32> = right.iter().copied().filter(|other| *other != one).collect();
                let all_hit = |set: &Vec<u32>| set.iter().any(|one| fewer.contains(one));
                if !fewer.is_empty() && self.sets.iter().all(all_hit) {
                    right = fewer;
                }
            }
            Ok(Answer::Conflict(right))
        }
    }

    fn minimal(sets: &[Vec<u32>]) -> BTreeSet<Vec<u32>> {
        let smaller = |set: &Vec<u32>| sets.iter().any(|other| other != set && is_part(other, set));
        sets.iter().filter(|set| !smaller(set)).cloned().collect()
    }

    #[test]
    fn diagnoses_are_all_smallest_sets_whatever_conflicts_are_told() {
        for_random_inputs(300, |random| {
            let statements = 1 + random.below(7);
            let sets: Vec<Vec<u32>> = (0..1 + random.below(6))
                .map(|_| (0..statements).filter(|_| random.below(3) == 0).collect())
                .collect();
            let mut formula = Known { sets: sets.clone(), statements, random: Random::new(random.bits()) };
            let limits = Limits { size: 7, count: usize::MAX, questions: usize::MAX };
            let found = diagnoses(&mut formula, limits);
            assert_eq!(found.ending, Ending::Complete);
            let sizes: Vec<usize> = found.diagnoses.iter().map(|one| one.statements.len()).collect();
            assert!(sizes.is_sorted(), "{sizes:?}");
            let told: BTreeSet<Vec<u32>> = found.diagnoses.iter().map(|one| one.statements.clone()).collect();
            assert_eq!(told.len(), found.diagnoses.len());
            assert_eq!(told, minimal(&sets), "{sets:?}");
            // Within two statements, those of two and no others are missed.
            let few = diagnoses(&mut formula, Limits { size: 2, ..limits });
            let small: BTreeSet<Vec<u32>> = few.diagnoses.into_iter().map(|one| one.statements).collect();
            assert_eq!(small, minimal(&sets).into_iter().filter(|set| set.len() <= 2).collect());
        });
    }

    #[test]
    fn where_no_statement_helps_there_is_no_diagnosis() {
        struct Never;
        impl Formula for Never {
            type Model = ();
            type Stop = ();
            fn ask(&mut self, _: &[u32]) -> Result<Answer<()>, ()> {
                Ok(Answer::Conflict(Vec::new()))
            }
        }
        let found = diagnoses(&mut Never, Limits { size: 3, count: 9, questions: 9 });
        assert_eq!((found.diagnoses.len(), found.conflicts.len()), (0, 1));
        assert_eq!(found.ending, Ending::Complete);
    }
}
