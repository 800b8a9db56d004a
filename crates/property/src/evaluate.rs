//! Which labels satisfy a predicate.
//!
//! A predicate is evaluated on all labels at once, with a bit a label. Every different test is tried
//! on the labels only once, however often it occurs.

use std::collections::BTreeMap;

use graph::Labels;

use crate::compile_error::CompileError;
use crate::label_set::LabelSet;
use crate::multi_action::normal_form;
use crate::{Atom, Predicate, Test};

/// The most bits that the sets of all different tests may have together: a quarter of a gibibyte.
const MAX_BITS: usize = 1 << 31;

pub(crate) struct Evaluator<'a> {
    labels: &'a Labels,
    tests: BTreeMap<&'a Test, LabelSet>,
    /// The labels by their normal form as multi-actions, made when first needed.
    multi_actions: Option<BTreeMap<Vec<String>, Vec<u32>>>,
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(labels: &'a Labels) -> Self {
        Self { labels, tests: BTreeMap::new(), multi_actions: None }
    }

    pub(crate) fn predicate(&mut self, predicate: &'a Predicate<Atom>) -> Result<LabelSet, CompileError> {
        let count = self.labels.len();
        let mut fold = |parts: &'a [Predicate<Atom>], start, join: fn(LabelSet, &LabelSet) -> LabelSet| {
            parts.iter().try_fold(start, |set, part| Ok::<_, CompileError>(join(set, &self.predicate(part)?)))
        };
        Ok(match predicate {
            Predicate::And(parts) => fold(parts, LabelSet::all(count), LabelSet::intersection)?,
            Predicate::Or(parts) => fold(parts, LabelSet::none(count), LabelSet::union)?,
            Predicate::Equivalent(parts) => fold(parts, LabelSet::all(count), LabelSet::agreement)?,
            Predicate::True => LabelSet::all(count),
            Predicate::False => LabelSet::none(count),
            Predicate::Atom(atom) => self.test(&atom.test)?.clone(),
            Predicate::Not(inner) => self.predicate(inner)?.complement(),
            Predicate::Implies(left, right) => {
                self.predicate(left)?.complement().union(&self.predicate(right)?)
            }
        })
    }

    pub(crate) fn test(&mut self, test: &'a Test) -> Result<&LabelSet, CompileError> {
        if !self.tests.contains_key(test) {
            if (self.tests.len() + 1).saturating_mul(self.labels.len()) > MAX_BITS {
                return Err(CompileError::TooManyTests {
                    tests: self.tests.len(),
                    labels: self.labels.len(),
                });
            }
            let set = self.try_on_labels(test);
            self.tests.insert(test, set);
        }
        Ok(&self.tests[test])
    }

    fn try_on_labels(&mut self, test: &Test) -> LabelSet {
        let mut set = LabelSet::none(self.labels.len());
        match test {
            Test::Literal(text) => self.labels.find(text).into_iter().for_each(|label| set.insert(label)),
            Test::Hidden => {
                ["i", "tau"]
                    .iter()
                    .filter_map(|name| self.labels.find(name))
                    .for_each(|label| set.insert(label));
            }
            Test::Regex(regex) => match regex.literal() {
                Some(text) => self.labels.find(text).into_iter().for_each(|label| set.insert(label)),
                None => {
                    // It was compiled before, when the formula was parsed.
                    let Some(regex) = regex.whole() else { return set };
                    self.insert_if(&mut set, |label| regex.is_match(label));
                }
            },
            Test::Offers(pattern) => self.insert_if(&mut set, |label| pattern.matches(label)),
            Test::MultiAction(actions) => {
                let index = self.multi_actions.get_or_insert_with(|| by_normal_form(self.labels));
                index.get(actions).into_iter().flatten().for_each(|label| set.insert(*label));
            }
        }
        set
    }

    fn insert_if(&self, set: &mut LabelSet, satisfied: impl Fn(&str) -> bool) {
        for (label, text) in self.labels.iter().enumerate() {
            if satisfied(text) {
                set.insert(label as u32);
            }
        }
    }
}

fn by_normal_form(labels: &Labels) -> BTreeMap<Vec<String>, Vec<u32>> {
    let mut index: BTreeMap<Vec<String>, Vec<u32>> = BTreeMap::new();
    for (label, text) in labels.iter().enumerate() {
        index.entry(normal_form(text)).or_default().push(label as u32);
    }
    index
}
