//! Transformations: the smallest changes that make a passing trace fail.
//!
//! A positive and a negative go together at first, then part, and in the end take the same steps again until
//! the one fails. What lies between is the transformation. (The paper lets it end one state too late: the
//! common end is one of the traces without their last step.) The same change at several places is told once,
//! smallest changes first, with how many pairs it explains.

use graph::{Edge, Interrupt, Transitions, Watch};
use rustc_hash::FxHashMap;

use super::generate::Generated;
use super::table::{Side, Table};
use super::tree::Tree;
use crate::pulse::Pulse;

/// What kind of thing a transformation changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Only who moves when: a concurrency error.
    Schedule,
    /// Only what processes choose, or are given.
    Input,
    Both,
}

/// A change that makes a positive a negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transformation {
    /// After how many steps the first pair parts.
    pub at: usize,
    /// What the positive does there, and the negative.
    pub positive: Vec<Edge>,
    pub negative: Vec<Edge>,
    /// The label of the step with which both go on.
    pub rejoins: u32,
    /// How many pairs it explains.
    pub pairs: u64,
    /// The last nodes of the first such pair.
    pub example: (u32, u32),
    /// Nothing where no processes are known.
    pub class: Option<Class>,
}

/// What came of all pairs.
#[derive(Clone, Debug)]
pub struct Transformed {
    /// Smallest first.
    pub list: Vec<Transformation>,
    /// How many pairs were compared.
    pub pairs: u64,
    /// The sets of Table 1 for what is changed.
    pub table: Table,
}

/// How many negatives are compared with how many positives, shortest first.
const MOST_TRACES: usize = 400;

/// Compares all negatives with all positives. `keys` has the key of each label, `shown` what of it goes into the
/// sets, of which there are `shown_count`.
pub fn transformations<T: Transitions>(
    system: &T,
    generated: &Generated,
    keys: &[u32],
    shown: &[u32],
    shown_count: usize,
    watch: &dyn Watch,
) -> Result<Transformed, Interrupt> {
    let mut pulse = Pulse::new("comparing variations", watch);
    let tree = &generated.tree;
    let paths = |nodes: &[u32]| -> Vec<Vec<u32>> {
        let path = |node: &u32| {
            let mut path = Vec::new();
            tree.path(*node, &mut path);
            path
        };
        nodes.iter().take(MOST_TRACES).map(path).collect()
    };
    let (negatives, positives) = (paths(&generated.negatives), paths(&generated.positives));
    let mut known: FxHashMap<(Vec<u32>, Vec<u32>), usize> = FxHashMap::default();
    let mut list: Vec<Transformation> = Vec::new();
    let mut pairs = 0;
    for positive in &positives {
        for negative in &negatives {
            pairs += 1;
            pulse.beat((positive.len() + negative.len()) as u32)?;
            let (at, suffix) = parts(tree, positive, negative, keys);
            let changed = |path: &[u32]| -> Vec<Edge> {
                path[at..path.len() - 1 - suffix].iter().map(|node| tree.step(*node)).collect()
            };
            let (of_positive, of_negative) = (changed(positive), changed(negative));
            // The same steps with other outcomes are no change that anybody could make.
            if of_positive.is_empty() && of_negative.is_empty() {
                continue;
            }
            let keyed = |steps: &[Edge]| steps.iter().map(|step| keys[step.label as usize]).collect();
            let at_list = *known.entry((keyed(&of_positive), keyed(&of_negative))).or_insert_with(|| {
                let example = (positive[positive.len() - 1], negative[negative.len() - 1]);
                let rejoins = tree.step(negative[negative.len() - 1 - suffix]).label;
                let parting = at.checked_sub(1).map_or(Tree::ROOT, |before| negative[before]);
                let with_next = |path: &[u32]| -> Vec<Edge> {
                    path[at..path.len() - suffix].iter().map(|node| tree.step(*node)).collect()
                };
                let class =
                    class(system, tree.state(parting), &with_next(positive), &with_next(negative), keys);
                list.push(Transformation {
                    at,
                    positive: of_positive,
                    negative: of_negative,
                    rejoins,
                    pairs: 0,
                    example,
                    class,
                });
                list.len() - 1
            });
            list[at_list].pairs += 1;
        }
    }
    list.sort_by_key(|change| change.positive.len() + change.negative.len());
    let shown_of =
        |steps: &[Edge]| -> Vec<u32> { steps.iter().map(|step| shown[step.label as usize]).collect() };
    let side = |steps: &dyn Fn(&Transformation) -> Vec<u32>| {
        Side::of_traces(shown_count, list.iter().map(|change| steps(change).into_iter()))
    };
    let table = Table {
        negative: side(&|change| shown_of(&change.negative)),
        positive: side(&|change| shown_of(&change.positive)),
    };
    Ok(Transformed { list, pairs, table })
}

/// How many steps two traces have in common at the beginning, and how many, compared by their keys, before the
/// last.
fn parts(tree: &Tree, positive: &[u32], negative: &[u32], keys: &[u32]) -> (usize, usize) {
    let most = positive.len().min(negative.len()) - 1;
    let prefix = positive.iter().zip(negative).take(most).take_while(|(one, other)| one == other).count();
    let key = |node: &u32| keys[tree.step(*node).label as usize];
    let before_last =
        |path: &[u32]| -> Vec<u32> { path[prefix..path.len() - 1].iter().rev().map(key).collect() };
    let (one, other) = (before_last(positive), before_last(negative));
    let suffix = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    (prefix, suffix)
}

/// What has to be changed: whether a process chooses otherwise where it could, and whether the processes take
/// turns in another order. Both sides end with the step with which the traces go on together.
fn class<T: Transitions>(
    system: &T,
    parting: u32,
    positive: &[Edge],
    negative: &[Edge],
    keys: &[u32],
) -> Option<Class> {
    if !system.has_processes() {
        return None;
    }
    let ours = Moves::new(system, parting, positive, keys);
    let theirs = Moves::new(system, parting, negative, keys);
    let mut processes = [&ours.turns[..], &theirs.turns].concat();
    processes.sort_unstable();
    processes.dedup();
    let chooses_otherwise = processes.iter().any(|process| {
        let (own, other) = (ours.choices_of(*process), theirs.choices_of(*process));
        let differing = own.zip(other).find(|(own, other)| own.key != other.key);
        differing.is_some_and(|(own, other)| could(system, own.state, *process, other.key, keys))
    });
    Some(match (chooses_otherwise, ours.turns == theirs.turns, processes.len()) {
        (true, true, _) => Class::Input,
        (true, false, _) => Class::Both,
        // What one process does alone can only be its own choice.
        (false, _, 0 | 1) => Class::Input,
        (false, _, _) => Class::Schedule,
    })
}

/// A step that its process could have made otherwise.
#[derive(Clone, Copy)]
struct Choice {
    process: u8,
    key: u32,
    state: u32,
}

/// Who moves, and what is chosen.
struct Moves {
    /// The processes in the order in which they take turns.
    turns: Vec<u8>,
    choices: Vec<Choice>,
}

impl Moves {
    fn new<T: Transitions>(system: &T, parting: u32, steps: &[Edge], keys: &[u32]) -> Self {
        let mut moves = Self { turns: Vec::new(), choices: Vec::new() };
        let mut state = parting;
        for step in steps {
            let Some(process) = system.actors(step.label).iter().next() else { continue };
            moves.turns.push(process);
            let key = keys[step.label as usize];
            let mut others = false;
            system.successors(state, |label, _| {
                let is_own = system.actors(label).iter().next() == Some(process);
                others |= is_own && keys[label as usize] != key;
            });
            if others {
                moves.choices.push(Choice { process, key, state });
            }
            state = step.state;
        }
        moves.turns.dedup();
        moves
    }

    fn choices_of(&self, process: u8) -> impl Iterator<Item = Choice> {
        self.choices.iter().copied().filter(move |choice| choice.process == process)
    }
}

/// Whether a process can take a step with this key from a state.
fn could<T: Transitions>(system: &T, state: u32, process: u8, key: u32, keys: &[u32]) -> bool {
    let mut found = false;
    system.successors(state, |label, _| {
        found |= keys[label as usize] == key && system.actors(label).iter().next() == Some(process);
    });
    found
}
