//! The early rounds of partition refinement, by hashing.
//!
//! Every state has a colour. A round hashes a state's own colour and the set of (label, colour of the
//! target) it offers, its *signature*, into its next colour. Most graphs fall apart into nearly their
//! final classes in a few rounds, and a round runs through the edges in order, which is what processors
//! like; the rest is left to an algorithm that visits only what changes. Rounds go on only while each
//! makes the number of colours grow by half, so there are O(log n) of them.
//!
//! Equivalent states have equal colours in every round. The converse does not hold, because rounds stop
//! early and because two signatures may hash alike: colours are a start that has to be checked.
//!
//! For branching bisimilarity the signature of a state includes that of whatever it reaches by silent
//! steps without a change of colour (Blom and van de Pol 2009). Such a union of sets is not hashed as a
//! whole but summarised by the least and greatest hashes of its members, which unite at no cost.

use graph::{Interrupt, StateGraph};
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

/// Colours that bisimilar states share.
pub(crate) fn colour(graph: &StateGraph, pulse: &mut Pulse<'_>) -> Result<Colours, Interrupt> {
    let mut targets = Vec::new();
    rounds(graph.state_count(), |colour, hashes| {
        for (state, hash) in hashes.iter_mut().enumerate() {
            let edges = graph.edges(state as u32);
            *hash = mix(SEED, u64::from(colour[state]));
            // Edges are sorted by label. The colours under one label are sorted here, so that equal sets
            // hash alike.
            for run in edges.chunk_by(|one, other| one.label == other.label) {
                if let [edge] = run {
                    *hash = mix(*hash, offer(edge.label, colour[edge.state as usize]));
                    continue;
                }
                targets.clear();
                targets.extend(run.iter().map(|edge| colour[edge.state as usize]));
                targets.sort_unstable();
                targets.dedup();
                for target in &targets {
                    *hash = mix(*hash, offer(run[0].label, *target));
                }
            }
            pulse.work(edges.len() + 1, colour.len())?;
        }
        Ok(())
    })
}

/// Colours that branching bisimilar states share. `order` has all states, each after the targets of its
/// silent steps.
pub(crate) fn colour_silently(
    graph: &StateGraph,
    tau: u32,
    order: &[u32],
    pulse: &mut Pulse<'_>,
) -> Result<Colours, Interrupt> {
    let mut summaries = vec![Summary::EMPTY; graph.state_count()];
    rounds(graph.state_count(), |colour, hashes| {
        for state in order {
            let own = colour[*state as usize];
            let mut summary = Summary::EMPTY;
            let edges = graph.edges(*state);
            for edge in edges {
                let target = colour[edge.state as usize];
                if edge.label == tau && target == own {
                    summary.unite(summaries[edge.state as usize]);
                } else {
                    summary.insert(mix(SEED, offer(edge.label, target)));
                }
            }
            summaries[*state as usize] = summary;
            hashes[*state as usize] =
                summary.0.iter().fold(mix(SEED, u64::from(own)), |hash, part| mix(hash, *part));
            pulse.work(edges.len() + 1, colour.len())?;
        }
        Ok(())
    })
}

/// The least members of a set of hashes after several bijections, one of which turns the order around.
#[derive(Clone, Copy)]
struct Summary([u64; 3]);

impl Summary {
    const EMPTY: Self = Self([u64::MAX; 3]);

    #[inline]
    fn insert(&mut self, hash: u64) {
        self.unite(Self([hash, !hash, hash.wrapping_mul(0x9fb2_1c65_1e98_df25)]));
    }

    #[inline]
    fn unite(&mut self, other: Self) {
        for (part, other) in self.0.iter_mut().zip(other.0) {
            *part = (*part).min(other);
        }
    }
}

/// Repeats rounds until one no longer pays; `hash` turns the colours of all states into new hashes.
fn rounds(
    states: usize,
    mut hash: impl FnMut(&[u32], &mut [u64]) -> Result<(), Interrupt>,
) -> Result<Colours, Interrupt> {
    let mut colours = Colours {
        before: vec![0; states],
        before_count: states.min(1),
        after: vec![0; states],
        after_count: states.min(1),
    };
    let mut hashes = vec![0u64; states];
    loop {
        hash(&colours.after, &mut hashes)?;
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

fn offer(label: u32, colour: u32) -> u64 {
    u64::from(label) << 32 | u64::from(colour)
}

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// Both halves of a 128-bit product, folded together.
#[inline]
fn mix(hash: u64, value: u64) -> u64 {
    let product = u128::from(hash ^ value ^ 0xd6e8_feb8_6659_fd93) * u128::from(0xa076_1d64_78bd_642f_u64);
    (product as u64 ^ (product >> 64) as u64).rotate_left(23)
}
