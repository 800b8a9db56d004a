//! When a step is fatal: the smallest condition that tells its fatal occurrences from its harmless ones.
//!
//! A point of no return names a statement, but the same statement is harmless at other times. What makes the
//! difference is looked for among simple predicates (a variable has a value, is at least or at most
//! so much): first one conjunction of few of them that is true of all fatal occurrences and of no other;
//! where there is none, several conjunctions, each true of no harmless occurrence, that cover as many fatal
//! ones as possible (sequential covering, as in CN2: Clark and Niblett, 1989). Every occurrence is looked at,
//! so what is said about coverage is exact. Values that no condition can tell apart are counted, too.

use std::collections::BTreeMap;

pub use findings::Predicate;
use graph::BitSet;
use rustc_hash::FxHashMap;

/// Conjunctions have at most so many predicates, and a condition at most so many conjunctions.
const MOST_LITERALS: usize = 3;
/// Where that is not enough, one conjunction may have so many if it then fits exactly.
const MOST_NEEDED: usize = 8;
const MOST_RULES: usize = 3;
/// Of variables with more values than this only bounds are looked at, so many of them.
const MOST_VALUES: usize = 64;
/// So many predicates, the best ones, are combined with each other.
const COMBINED: usize = 150;

/// A predicate about a variable, or whatever else has values, by its number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Literal {
    pub variable: u32,
    pub predicate: Predicate,
}

/// When a step is fatal: if one of the rules is true, all of whose literals are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    pub rules: Vec<Vec<Literal>>,
    /// How many occurrences are fatal, and of how many of them the condition is true.
    pub fatal: u64,
    pub fatal_covered: u64,
    /// The same for harmless ones.
    pub harmless: u64,
    pub harmless_covered: u64,
}

impl Condition {
    /// Whether the step is fatal exactly when this is true.
    pub fn is_exact(&self) -> bool {
        self.fatal_covered == self.fatal && self.harmless_covered == 0
    }

    /// Whether the condition is true where variables have these values.
    pub fn holds<'v>(&self, value: impl Fn(u32) -> Option<&'v str>) -> bool {
        let is_true =
            |literal: &Literal| value(literal.variable).is_some_and(|value| literal.predicate.holds(value));
        self.rules.iter().any(|rule| rule.iter().all(is_true))
    }
}

/// The number of no value.
const NONE: u32 = u32::MAX;

/// Occurrences of a step, with the values that variables had, all of them numbers: there can be many.
#[derive(Debug, Default)]
pub struct Occurrences {
    /// Different rows, with how often each was fatal and how often harmless. Each has the values of variables in the order
    /// of their numbers; those that it lacks have none.
    rows: FxHashMap<Box<[u32]>, [u64; 2]>,
    row: Vec<u32>,
}

impl Occurrences {
    /// Adds one occurrence: variables and their values.
    pub fn add(&mut self, values: &[(u32, u32)], is_fatal: bool) {
        self.row.clear();
        for (variable, value) in values {
            let at = *variable as usize;
            if self.row.len() <= at {
                self.row.resize(at + 1, NONE);
            }
            self.row[at] = *value;
        }
        let column = usize::from(!is_fatal);
        match self.rows.get_mut(&self.row[..]) {
            Some(counts) => counts[column] += 1,
            None => self.rows.entry(self.row.clone().into()).or_default()[column] = 1,
        }
    }

    /// The smallest condition that could be found, without rules if nothing was; none if nothing is fatal or
    /// nothing harmless, or if nothing is known of the occurrences that they do not have in common. Of `variables` that
    /// tell as well, those that come first are taken; `texts` are the values.
    pub fn condition(&self, variables: &[u32], texts: &[String]) -> Option<Condition> {
        let table = Table::new(self, variables, texts);
        let [fatal, harmless] = table.totals;
        if fatal == 0 || harmless == 0 || table.predicates.is_empty() {
            return None;
        }
        let rules = table.conjunction().map_or_else(|| table.covering(), |rule| vec![rule]);
        let mut seen = BitSet::new(table.rows);
        rules.iter().flat_map(|rule| table.meet(rule)).for_each(|row| _ = seen.insert(row));
        let covered = table.weight(seen.iter());
        let told = |rule: &Vec<usize>| {
            // Predicates are in the order of the variables.
            let mut rule = rule.clone();
            rule.sort_unstable();
            rule.into_iter().map(|at| table.predicates[at].literal.clone()).collect()
        };
        Some(Condition {
            rules: rules.iter().map(told).collect(),
            fatal,
            fatal_covered: covered[0],
            harmless,
            harmless_covered: covered[1],
        })
    }
}

/// A predicate, and of which rows it is true.
struct Column {
    literal: Literal,
    rows: BitSet,
}

/// All rows and all predicates about them.
struct Table {
    rows: usize,
    counts: Vec<[u64; 2]>,
    totals: [u64; 2],
    predicates: Vec<Column>,
}

impl Table {
    fn new(all: &Occurrences, variables: &[u32], texts: &[String]) -> Self {
        let mut rows: Vec<(&[u32], [u64; 2])> =
            all.rows.iter().map(|(row, counts)| (&**row, *counts)).collect();
        rows.sort_unstable();
        let counts: Vec<[u64; 2]> = rows.iter().map(|(_, counts)| *counts).collect();
        let totals = counts.iter().fold([0, 0], |sum, own| [sum[0] + own[0], sum[1] + own[1]]);
        let mut table = Self { rows: counts.len(), counts, totals, predicates: Vec::new() };
        for variable in variables {
            let mut numbered: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
            for (row, (values, _)) in (0..).zip(&rows) {
                match values.get(*variable as usize) {
                    Some(value) if *value != NONE => numbered.entry(*value).or_default().push(row),
                    _ => {}
                }
            }
            let values: BTreeMap<&str, Vec<u32>> =
                numbered.into_iter().map(|(value, rows)| (texts[value as usize].as_str(), rows)).collect();
            if values.len() > 1 || values.values().any(|rows| rows.len() < table.rows) {
                table.add(*variable, &values);
            }
        }
        table
    }

    /// Adds the predicates about one variable.
    fn add(&mut self, variable: u32, values: &BTreeMap<&str, Vec<u32>>) {
        let mut push = |predicate: Predicate, rows: &mut dyn Iterator<Item = u32>| {
            let mut set = BitSet::new(self.rows);
            rows.for_each(|row| _ = set.insert(row));
            self.predicates.push(Column { literal: Literal { variable, predicate }, rows: set });
        };
        for (value, rows) in values.iter().filter(|_| values.len() <= MOST_VALUES) {
            push(Predicate::Is((*value).to_owned()), &mut rows.iter().copied());
            // Of two values, not being one of them is being the other.
            let others = values.iter().filter(|(other, _)| *other != value).flat_map(|(_, rows)| rows);
            if values.len() > 2 {
                push(Predicate::IsNot((*value).to_owned()), &mut others.copied());
            }
        }
        let numbers: Option<BTreeMap<i64, &Vec<u32>>> =
            values.iter().map(|(value, rows)| Some((value.parse().ok()?, rows))).collect();
        for numbers in numbers.iter().filter(|numbers| numbers.len() > 2) {
            let every = numbers.len().div_ceil(MOST_VALUES);
            for bound in numbers.keys().skip(1).step_by(every) {
                let above = numbers.range(bound..).flat_map(|(_, rows)| rows.iter().copied());
                push(Predicate::AtLeast(*bound), &mut above.into_iter());
                let below = numbers.range(..bound);
                let most = below.clone().next_back().map_or(*bound, |(number, _)| *number);
                push(Predicate::AtMost(most), &mut below.flat_map(|(_, rows)| rows.iter().copied()));
            }
        }
    }

    /// How many fatal and harmless occurrences some rows have.
    fn weight(&self, rows: impl IntoIterator<Item = u32>) -> [u64; 2] {
        rows.into_iter().fold([0, 0], |sum, row| {
            let own = self.counts[row as usize];
            [sum[0] + own[0], sum[1] + own[1]]
        })
    }

    /// The rows of which all predicates of a rule are true.
    fn meet(&self, rule: &[usize]) -> Vec<u32> {
        let Some((first, others)) = rule.split_first() else { return (0..self.rows as u32).collect() };
        let holds = |row: &u32| others.iter().all(|at| self.predicates[*at].rows.contains(*row));
        self.predicates[*first].rows.iter().filter(holds).collect()
    }

    /// Fewer literals are better, and of as many those that say what is rather than what is not.
    fn plainness(&self, at: usize) -> (u8, usize) {
        let kind = match self.predicates[at].literal.predicate {
            Predicate::Is(_) => 0,
            Predicate::AtLeast(_) | Predicate::AtMost(_) => 1,
            Predicate::IsNot(_) => 2,
        };
        (kind, at)
    }

    /// A conjunction that is true of all fatal occurrences and of no other, if a short one is.
    fn conjunction(&self) -> Option<Vec<usize>> {
        let mut needed: Vec<(u64, usize, Vec<u32>)> = Vec::new();
        for (at, column) in self.predicates.iter().enumerate() {
            let [fatal, harmless] = self.weight(column.rows.iter());
            if fatal == self.totals[0] && harmless < self.totals[1] {
                let left = column.rows.iter().filter(|row| self.counts[*row as usize][1] > 0).collect();
                needed.push((harmless, at, left));
            }
        }
        needed.sort_by_key(|(harmless, at, _)| (*harmless, self.plainness(*at)));
        if let Some((_, at, _)) = needed.first().filter(|(harmless, ..)| *harmless == 0) {
            return Some(vec![*at]);
        }
        needed.truncate(COMBINED);
        // The harmless rows that are left must leave one after the other.
        let leaves = |rows: &[u32], at: usize| -> Vec<u32> {
            rows.iter().copied().filter(|row| self.predicates[at].rows.contains(*row)).collect()
        };
        for (number, (_, first, left)) in needed.iter().enumerate() {
            for (_, second, _) in &needed[number + 1..] {
                if leaves(left, *second).is_empty() {
                    return Some(vec![*first, *second]);
                }
            }
        }
        for (number, (_, first, left)) in needed.iter().enumerate().take(COMBINED / 5) {
            for (next, (_, second, _)) in needed.iter().enumerate().skip(number + 1) {
                let left = leaves(left, *second);
                for (_, third, _) in &needed[next + 1..] {
                    if leaves(&left, *third).is_empty() {
                        return Some(vec![*first, *second, *third]);
                    }
                }
            }
        }
        // No three are enough: whatever leaves the fewest next, then without those that turn out not to be needed.
        let (_, first, mut left) = needed.first().cloned()?;
        let mut rule = vec![first];
        while !left.is_empty() && rule.len() < MOST_NEEDED {
            let (_, best) = needed
                .iter()
                .map(|(_, at, _)| ((leaves(&left, *at).len(), self.plainness(*at)), *at))
                .min()?;
            left = leaves(&left, best);
            rule.push(best);
        }
        for at in (0..rule.len()).rev() {
            let others: Vec<usize> = [&rule[..at], &rule[at + 1..]].concat();
            let is_harmless = |row: &u32| self.counts[*row as usize][1] > 0;
            if left.is_empty() && !self.meet(&others).iter().any(is_harmless) {
                rule = others;
            }
        }
        left.is_empty().then_some(rule)
    }

    /// Conjunctions that are true of no harmless occurrence, each of as many fatal ones as possible that no
    /// other is true of; if there are none, the one that comes nearest to it.
    fn covering(&self) -> Vec<Vec<usize>> {
        let mut left = BitSet::new(self.rows);
        let fatal = (0..self.rows as u32).filter(|row| self.counts[*row as usize][0] > 0);
        fatal.for_each(|row| _ = left.insert(row));
        let mut rules = Vec::new();
        while rules.len() < MOST_RULES {
            let rule = self.grow(&left);
            let rows = self.meet(&rule);
            let [_, harmless] = self.weight(rows.iter().copied());
            let covered = rows.iter().filter(|row| left.remove(**row)).count();
            if covered == 0 || rule.is_empty() || harmless > 0 && !rules.is_empty() {
                break;
            }
            rules.push(rule);
            if harmless > 0 || left.iter().next().is_none() {
                break;
            }
        }
        rules
    }

    /// Adds the literal that leaves the largest part fatal, and of equal parts the most, until nothing harmless
    /// is left.
    fn grow(&self, wanted: &BitSet) -> Vec<usize> {
        let mut rule = Vec::new();
        let mut rows: Vec<u32> = (0..self.rows as u32).collect();
        let weigh = |rows: &[u32]| {
            rows.iter().fold([0, 0], |sum: [u64; 2], row| {
                let own = self.counts[*row as usize];
                let fatal = if wanted.contains(*row) { own[0] } else { 0 };
                [sum[0] + fatal, sum[1] + own[1]]
            })
        };
        while rule.len() < MOST_LITERALS && weigh(&rows)[1] > 0 {
            let mut best: Option<([u64; 2], usize, Vec<u32>)> = None;
            for (at, column) in self.predicates.iter().enumerate() {
                let kept: Vec<u32> = rows.iter().copied().filter(|row| column.rows.contains(*row)).collect();
                let own @ [fatal, harmless] = weigh(&kept);
                if fatal == 0 || kept.len() == rows.len() {
                    continue;
                }
                let is_better = best.as_ref().is_none_or(|([known_fatal, known_harmless], known, _)| {
                    // fatal / (fatal + harmless), compared without division.
                    let (one, other) = (
                        u128::from(fatal) * u128::from(*known_harmless),
                        u128::from(*known_fatal) * u128::from(harmless),
                    );
                    let order = one.cmp(&other).then(fatal.cmp(known_fatal));
                    order.then_with(|| self.plainness(*known).cmp(&self.plainness(at))).is_gt()
                });
                if is_better {
                    best = Some((own, at, kept));
                }
            }
            let Some((_, at, kept)) = best else { break };
            rule.push(at);
            rows = kept;
        }
        rule
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Occurrences with names in place of numbers.
    #[derive(Default)]
    struct Named {
        all: Occurrences,
        variables: Vec<String>,
        texts: Vec<String>,
    }

    fn number(known: &mut Vec<String>, text: &str) -> u32 {
        let at = known.iter().position(|other| other == text).unwrap_or_else(|| {
            known.push(text.to_owned());
            known.len() - 1
        });
        at as u32
    }

    impl Named {
        fn add<N: AsRef<str>, T: AsRef<str>>(
            &mut self,
            values: impl IntoIterator<Item = (N, T)>,
            is_fatal: bool,
        ) {
            let (variables, texts) = (&mut self.variables, &mut self.texts);
            let values = values.into_iter();
            let row: Vec<(u32, u32)> = values
                .map(|(name, value)| (number(variables, name.as_ref()), number(texts, value.as_ref())))
                .collect();
            self.all.add(&row, is_fatal);
        }

        fn condition(&self) -> Option<Condition> {
            let variables: Vec<u32> = (0..self.variables.len() as u32).collect();
            self.all.condition(&variables, &self.texts)
        }
    }

    fn condition(rows: &[(&[(&str, &str)], bool)]) -> Condition {
        let mut all = Named::default();
        rows.iter().for_each(|(values, is_fatal)| all.add(values.iter().copied(), *is_fatal));
        all.condition().expect("some are fatal and some are not")
    }

    fn literal(variable: u32, predicate: Predicate) -> Literal {
        Literal { variable, predicate }
    }

    #[test]
    fn one_predicate_is_better_than_two() {
        let found = condition(&[
            (&[("x", "1"), ("y", "0")], true),
            (&[("x", "1"), ("y", "1")], true),
            (&[("x", "0"), ("y", "0")], false),
            (&[("x", "0"), ("y", "1")], false),
        ]);
        assert_eq!(found.rules, [[literal(0, Predicate::Is("1".into()))]]);
        assert!(found.is_exact());
        assert_eq!((found.fatal, found.harmless), (2, 2));
    }

    #[test]
    fn bounds_and_conjunctions() {
        let value = |number: i32| number.to_string();
        let mut all = Named::default();
        for x in 0..6 {
            for y in 0..3 {
                all.add([("x", value(x)), ("y", value(y))], x >= 4 && y != 1);
            }
        }
        let found = all.condition().unwrap();
        let expected = [literal(0, Predicate::AtLeast(4)), literal(1, Predicate::IsNot("1".into()))];
        assert_eq!(found.rules, [expected]);
        assert!(found.is_exact());
    }

    #[test]
    fn many_literals_if_all_are_needed() {
        let mut all = Named::default();
        for bits in 0..64u32 {
            let values = (0..6).map(|bit| (format!("x{bit}"), (bits >> bit & 1).to_string()));
            all.add(values.collect::<Vec<_>>(), bits & 0b10_1111 == 0b10_1111);
        }
        let found = all.condition().unwrap();
        let variables: Vec<u32> = found.rules[0].iter().map(|literal| literal.variable).collect();
        assert_eq!((found.rules.len(), variables), (1, vec![0, 1, 2, 3, 5]));
        assert!(found.is_exact());
    }

    #[test]
    fn several_rules_where_one_is_not_enough() {
        let mut all = Named::default();
        for x in ["a", "b", "c", "d"] {
            for y in ["p", "q", "r", "s"] {
                all.add([("x", x), ("y", y)], (x, y) == ("a", "p") || (x, y) == ("c", "r"));
            }
        }
        let found = all.condition().unwrap();
        assert_eq!((found.rules.len(), found.is_exact()), (2, true));
    }

    #[test]
    fn what_cannot_be_told_apart_is_counted() {
        let row: &[(&str, &str)] = &[("x", "1")];
        let found =
            condition(&[(row, true), (row, false), (row, false), (&[("x", "2")], false), (&[], false)]);
        assert_eq!(found.rules, [[literal(0, Predicate::Is("1".into()))]]);
        assert_eq!((found.fatal_covered, found.harmless_covered, found.harmless), (1, 2, 4));
        assert!(Named::default().condition().is_none());
        let mut alike = Named::default();
        for is_fatal in [true, false] {
            alike.add([("x", "1")], is_fatal);
        }
        assert!(alike.condition().is_none());
    }
}
