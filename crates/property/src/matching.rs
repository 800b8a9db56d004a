//! How a trace came to match a forbidden expression: which test each of its steps passed.
//!
//! The tests of an expression, as often as they stand in it, are the states of its position automaton (Glushkov
//! 1961): a test can follow another if both can stand next to each other in a word. A way of the trace through it
//! assigns a test to every step. There can be many; the one is taken on which the fewest steps count, those that
//! pass `true` not being counted, so that what is told is as short and as late as it can be.

use std::collections::BTreeMap;

use graph::Labels;

use crate::evaluate::Evaluator;
use crate::label_set::LabelSet;
use crate::{Formula, Predicate, Regular, Repeat};

/// Expressions with more tests than that are not matched.
const MOST_TESTS: usize = 64;
/// Nor are traces so long that it would take more steps than that.
const MOST_WORK: usize = 50_000_000;

/// A forbidden expression along a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matching {
    /// The tests of the expression, from left to right, in MCL's operators.
    pub tests: Vec<String>,
    /// For each test and each step whether the step passes it.
    pub passes: Vec<Vec<bool>>,
    /// For each step the test that it passed on the way to the violation.
    pub taken: Vec<usize>,
    /// Whether each test is one that every step passes.
    pub is_trivial: Vec<bool>,
}

impl Formula {
    /// How the trace with these labels matches what the formula forbids; nothing if it does not, or if that takes too
    /// long to tell.
    pub fn matching(&self, trace: &[&str]) -> Option<Matching> {
        let mut labels = Labels::new();
        let word: Vec<u32> = trace.iter().map(|label| labels.intern(label)).collect();
        let mut evaluator = Evaluator::new(&labels);
        let mut tests: Vec<(&Predicate<_>, LabelSet)> = Vec::new();
        let mut count = 0;
        self.regular.for_each_atom(&mut |_| count += 1);
        if count > MOST_TESTS {
            return None;
        }
        let positions = self
            .regular
            .try_map(&mut |predicate| {
                tests.push((predicate, evaluator.predicate(predicate)?));
                Ok::<_, crate::CompileError>(tests.len() - 1)
            })
            .ok()?;
        let automaton = Positions::new(&positions, count);
        let moves: usize = automaton.follow.values().map(Vec::len).sum::<usize>() + count;
        if moves.saturating_mul(word.len()) > MOST_WORK {
            return None;
        }
        let is_trivial: Vec<bool> =
            tests.iter().map(|(predicate, _)| matches!(predicate, Predicate::True)).collect();
        let taken = automaton.cheapest(word.len(), |test, step| {
            tests[test].1.contains(word[step]).then_some(u32::from(!is_trivial[test]))
        })?;
        let passes = tests.iter().map(|(_, set)| word.iter().map(|label| set.contains(*label)).collect());
        let passes = passes.collect();
        let tests = tests.iter().map(|(predicate, _)| outer_stripped(&predicate.to_string())).collect();
        Some(Matching { tests, passes, taken, is_trivial })
    }
}

/// A text without the parentheses around all of it.
fn outer_stripped(text: &str) -> String {
    let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    inside.unwrap_or(text).to_owned()
}

/// The position automaton of an expression whose atoms are numbered from left to right.
struct Positions {
    is_nullable: bool,
    first: Vec<usize>,
    last: Vec<usize>,
    follow: BTreeMap<usize, Vec<usize>>,
}

impl Positions {
    fn new(regular: &Regular<usize>, count: usize) -> Self {
        let mut follow: BTreeMap<usize, Vec<usize>> = (0..count).map(|at| (at, Vec::new())).collect();
        let (is_nullable, first, last) = ends(regular, &mut follow);
        follow.values_mut().for_each(|after| {
            after.sort_unstable();
            after.dedup();
        });
        Self { is_nullable, first, last, follow }
    }

    /// The positions that a word of this length passes at the least cost; `cost` is nothing where a position does not
    /// fit a letter.
    fn cheapest(&self, length: usize, cost: impl Fn(usize, usize) -> Option<u32>) -> Option<Vec<usize>> {
        if length == 0 {
            return self.is_nullable.then(Vec::new);
        }
        let count = self.follow.len();
        // For each letter and position the cost so far, and the position before.
        let mut rows: Vec<Vec<Option<(u32, usize)>>> = Vec::with_capacity(length);
        for letter in 0..length {
            let mut row = vec![None; count];
            let mut arrive = |to: usize, so_far: u32, from: usize| {
                let Some(own) = cost(to, letter) else { return };
                let total = so_far.saturating_add(own);
                if row[to].is_none_or(|(known, _)| total < known) {
                    row[to] = Some((total, from));
                }
            };
            match rows.last() {
                None => self.first.iter().for_each(|to| arrive(*to, 0, usize::MAX)),
                Some(before) => {
                    for (from, after) in &self.follow {
                        let Some((so_far, _)) = before[*from] else { continue };
                        after.iter().for_each(|to| arrive(*to, so_far, *from));
                    }
                }
            }
            rows.push(row);
        }
        let total = |at: &usize| rows.last().and_then(|row| row[*at]).map(|(total, _)| total);
        let mut at = self.last.iter().copied().filter(|at| total(at).is_some()).min_by_key(total)?;
        let mut taken = Vec::with_capacity(length);
        for row in rows.iter().rev() {
            taken.push(at);
            at = row[at]?.1;
        }
        taken.reverse();
        Some(taken)
    }
}

/// Whether an expression matches the empty word, and the positions that its words begin and end with.
fn ends(
    regular: &Regular<usize>,
    follow: &mut BTreeMap<usize, Vec<usize>>,
) -> (bool, Vec<usize>, Vec<usize>) {
    let link = |follow: &mut BTreeMap<usize, Vec<usize>>, last: &[usize], first: &[usize]| {
        for at in last {
            follow.entry(*at).or_default().extend(first);
        }
    };
    match regular {
        Regular::Atom(at) => (false, vec![*at], vec![*at]),
        Regular::Choice(parts) => {
            let mut whole = (false, Vec::new(), Vec::new());
            for part in parts {
                let (nullable, first, last) = ends(part, follow);
                whole.0 |= nullable;
                whole.1.extend(first);
                whole.2.extend(last);
            }
            whole
        }
        Regular::Sequence(parts) => {
            let mut whole: (bool, Vec<usize>, Vec<usize>) = (true, Vec::new(), Vec::new());
            for part in parts {
                let (nullable, first, last) = ends(part, follow);
                link(follow, &whole.2, &first);
                if whole.0 {
                    whole.1.extend(&first);
                }
                if nullable {
                    whole.2.extend(last);
                } else {
                    whole.2 = last;
                }
                whole.0 &= nullable;
            }
            whole
        }
        Regular::Repeat(inner, repeat) => {
            let (nullable, first, last) = ends(inner, follow);
            if matches!(repeat, Repeat::Star | Repeat::Plus) {
                link(follow, &last, &first);
            }
            (nullable || matches!(repeat, Repeat::Star | Repeat::Optional), first, last)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MAX_STATES, Spelling, parse};

    fn matching(formula: &str, trace: &[&str]) -> Option<Matching> {
        parse(formula, Spelling::Mcl).unwrap().matching(trace)
    }

    fn taken(formula: &str, trace: &[&str]) -> Option<Vec<String>> {
        let found = matching(formula, trace)?;
        Some(found.taken.iter().map(|test| found.tests[*test].clone()).collect())
    }

    #[test]
    fn every_step_passes_the_test_it_is_said_to_pass() {
        let formula = "[true* . 'open' . (not 'close')* . 'open'] false";
        let trace = ["open", "close", "open", "wait", "open"];
        let expected = ["true", "true", "'open'", "not 'close'", "'open'"];
        assert_eq!(taken(formula, &trace).unwrap(), expected);
        let found = matching(formula, &trace).unwrap();
        assert_eq!(found.passes[2], [true, false, true, true, true]);
        assert_eq!(found.is_trivial, [true, false, false, false]);
        assert_eq!(taken(formula, &["open", "close", "open"]), None);
    }

    #[test]
    fn the_latest_way_is_taken() {
        let formula = "[true* . \"a\" . true* . \"b\"] false";
        assert_eq!(taken(formula, &["a", "a", "c", "b"]).unwrap(), ["true", "\"a\"", "true", "\"b\""]);
        assert_eq!(taken("[\"a\"* | \"b\"+] false", &[]).unwrap().len(), 0);
        assert_eq!(
            taken("[\"a\" . (\"b\" . \"c\")? . \"d\"] false", &["a", "d"]).unwrap(),
            ["\"a\"", "\"d\""]
        );
    }

    /// Whether the automaton of the formula accepts a trace and whether the trace matches is the same.
    #[test]
    fn what_matches_is_what_the_automaton_accepts() {
        let formulas = [
            "[true* . \"a\" . (not \"b\")* . \"a\"] false",
            "[(\"a\" | \"b\" . \"c\")+ . \"c\"?] false",
            "[\"a\"] [(true . true)*] [\"b\"] false and [\"c\" . \"c\"] false",
            "[nil | \"a\"*] false",
            "[((\"a\"+)* . \"b\")*] false",
        ];
        let letters = ["a", "b", "c"];
        let mut accepted = 0;
        for formula in formulas {
            let parsed = parse(formula, Spelling::Mcl).unwrap();
            let mut labels = Labels::new();
            letters.iter().for_each(|label| _ = labels.intern(label));
            let compiled = parsed.automaton(&labels, None, MAX_STATES).unwrap();
            for number in 0..3_usize.pow(5) {
                for length in 0..=5 {
                    let word: Vec<u32> =
                        (0..length).map(|at| (number / 3_usize.pow(at) % 3) as u32).collect();
                    let mut state = compiled.dfa.initial();
                    for letter in &word {
                        if state != graph::Dfa::DEAD {
                            state = compiled.dfa.next(state, compiled.classes.of(*letter));
                        }
                    }
                    let accepts = state != graph::Dfa::DEAD && compiled.dfa.accepts(state);
                    let trace: Vec<&str> = word.iter().map(|letter| letters[*letter as usize]).collect();
                    let found = parsed.matching(&trace);
                    assert_eq!(found.is_some(), accepts, "{formula} {trace:?}");
                    if let Some(found) = found {
                        accepted += 1;
                        assert_eq!(found.taken.len(), trace.len());
                        assert!(
                            (0..).zip(&found.taken).all(|(step, test): (usize, _)| found.passes[*test][step])
                        );
                    }
                }
            }
        }
        assert!(accepted > 100, "{accepted}");
    }
}
