//! The early rounds of partition refinement, by hashing.
//!
//! Every state has a colour. A round hashes a state's own colour and the set of (label, colour of the
//! target) it offers into its next colour. Most graphs fall apart into nearly their final classes in a
//! few rounds, and a round runs through the edges in order, which is what processors like; the rest is
//! left to an algorithm that visits only what changes. Rounds go on only while each makes the number
//! of colours grow by half, so there are O(log n) of them.
//!
//! Bisimilar states have equal colours in every round. The converse does not hold, because rounds stop
//! early and because two signatures may hash alike: colours are a start that has to be checked.

use graph::{Edge, Interrupt, StateGraph};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::pulse::Pulse;

/// The colours before and after the last round, numbered densely.
pub(crate) struct Colours {
    pub(crate) before: Vec<u32>,
    pub(crate) before_count: usize,
    pub(crate) after: Vec<u32>,
    pub(crate) after_count: usize,
}

/// Colours the states of a graph until a round no longer pays.
pub(crate) fn colour(graph: &StateGraph, pulse: &mut Pulse<'_>) -> Result<Colours, Interrupt> {
    let states = graph.state_count();
    let mut colours = Colours {
        before: vec![0; states],
        before_count: states.min(1),
        after: vec![0; states],
        after_count: states.min(1),
    };
    let mut hashes = vec![0u64; states];
    let mut targets = Vec::new();
    loop {
        for (state, hash) in hashes.iter_mut().enumerate() {
            let edges = graph.edges(state as u32);
            *hash = signature_hash(&colours.after, state, edges, &mut targets);
            pulse.work(edges.len() + 1, colours.after_count)?;
        }
        std::mem::swap(&mut colours.before, &mut colours.after);
        colours.before_count = colours.after_count;
        colours.after_count = number(&hashes, &mut colours.after, colours.before_count);
        if colours.after_count < colours.before_count + colours.before_count.div_ceil(2)
            || colours.after_count == states
        {
            return Ok(colours);
        }
    }
}

/// `edges` are sorted by label; the colours under one label are sorted here, so that equal sets hash
/// alike.
#[inline]
fn signature_hash(colour: &[u32], state: usize, edges: &[Edge], targets: &mut Vec<u32>) -> u64 {
    let mut hash = mix(SEED, u64::from(colour[state]));
    for run in edges.chunk_by(|one, other| one.label == other.label) {
        let label = u64::from(run[0].label) << 32;
        if let [edge] = run {
            hash = mix(hash, label | u64::from(colour[edge.state as usize]));
            continue;
        }
        targets.clear();
        targets.extend(run.iter().map(|edge| colour[edge.state as usize]));
        targets.sort_unstable();
        targets.dedup();
        for target in targets.iter() {
            hash = mix(hash, label | u64::from(*target));
        }
    }
    hash
}

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// Both halves of a 128-bit product, folded together.
#[inline]
fn mix(hash: u64, value: u64) -> u64 {
    let product = u128::from(hash ^ value ^ 0xd6e8_feb8_6659_fd93) * u128::from(0xa076_1d64_78bd_642f_u64);
    (product as u64 ^ (product >> 64) as u64).rotate_left(23)
}

/// Numbers distinct hashes in the order in which they turn up; returns how many there are.
fn number(hashes: &[u64], numbers: &mut [u32], expected: usize) -> usize {
    let mut seen: HashTable<(u64, u32)> = HashTable::with_capacity(expected);
    for (hash, slot) in hashes.iter().zip(numbers) {
        let next = seen.len() as u32;
        *slot = match seen.entry(*hash, |(known, _)| known == hash, |(known, _)| *known) {
            Entry::Occupied(known) => known.get().1,
            Entry::Vacant(free) => {
                free.insert((*hash, next));
                next
            }
        };
    }
    seen.len()
}
