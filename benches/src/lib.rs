//! Large graphs of known structure, the same ones on every machine, as text in the AUT format: what
//! every tool under comparison can read. Beside them: SPIN's verifier ([`pan`]), and what a program has
//! cost ([`cost`]).

pub mod cost;
pub mod models;
pub mod pan;

use std::fmt::Write;

/// A graph as AUT text, with the name it has in tables.
#[derive(Debug)]
pub struct Input {
    pub name: String,
    pub aut: String,
}

/// A circle: state `s` steps with label `a<k>` to `s + k + 1`. All states are alike.
pub fn ring(states: u32, degree: u32) -> Input {
    let edges = (0..states).flat_map(|s| (0..degree).map(move |k| (s, k, (s + k + 1) % states)));
    let name = format!("ring, {states} states");
    Input { name, aut: aut(states, states as usize * degree as usize, edges, |label| format!("a{label}")) }
}

/// The same circle with one state that can also stop: no two states are alike, and it takes as many
/// rounds as there are states to find out.
pub fn broken_ring(states: u32) -> Input {
    let edges = (0..states).map(|s| (s, 0, (s + 1) % states)).chain([(0, 1, 0)]);
    let name = format!("broken ring, {states} states");
    Input { name, aut: aut(states, states as usize + 1, edges, |label| format!("a{label}")) }
}

/// Edges by chance, such that all states can be reached; `silent` of a hundred edges are labelled `i`.
/// With `back` off, edges lead from lower to higher states only, so there are no cycles.
pub fn random(states: u32, degree: u32, labels: u32, silent: u32, back: bool, seed: u64) -> Input {
    let mut random = Random(seed);
    let mut edges = Vec::with_capacity(states as usize * degree as usize);
    for number in 0..states * degree {
        // The first edges make a tree.
        let (source, target) = if number + 1 < states {
            (random.below(number + 1), number + 1)
        } else {
            let (one, other) = (random.below(states), random.below(states));
            if back { (one, other) } else { (one.min(other), one.max(other)) }
        };
        let label = if random.below(100) < silent { labels } else { random.below(labels) };
        if back || source != target {
            edges.push((source, label, target));
        }
    }
    edges.sort_unstable();
    let label = |label| if label == labels { "i".into() } else { format!("a{label}") };
    let name = format!("random, {states} states, {silent} % silent{}", if back { "" } else { ", acyclic" });
    Input { name, aut: aut(states, edges.len(), edges.into_iter(), label) }
}

/// `components` counters that go round independently, each through `size` values: the structure of
/// concurrent systems. The last value of a component is left by its own label, others by `i` if
/// `silent`, by the component's label otherwise.
pub fn interleaving(components: u32, size: u32, silent: bool) -> Input {
    let states = size.pow(components);
    let edges = (0..states).flat_map(|s| {
        (0..components).map(move |component| {
            let weight = size.pow(component);
            let value = s / weight % size;
            let last = value == size - 1;
            let target = if last { s - value * weight } else { s + weight };
            let label = match (last, silent) {
                (true, _) => 2 * component,
                (false, true) => 2 * components,
                (false, false) => 2 * component + 1,
            };
            (s, label, target)
        })
    });
    let label = |label| if label == 2 * components { "i".into() } else { format!("a{label}") };
    let name = format!("{components} components of {size}{}", if silent { ", silent" } else { "" });
    Input { name, aut: aut(states, states as usize * components as usize, edges, label) }
}

fn aut(
    states: u32,
    edges: usize,
    list: impl Iterator<Item = (u32, u32, u32)>,
    label: impl Fn(u32) -> String,
) -> String {
    let mut names: Vec<String> = Vec::new();
    let mut text = String::with_capacity(edges * 24 + 64);
    let _ = writeln!(text, "des (0, {edges}, {states})");
    for (source, number, target) in list {
        while names.len() <= number as usize {
            names.push(label(names.len() as u32));
        }
        let _ = writeln!(text, "({source}, \"{}\", {target})", names[number as usize]);
    }
    text
}

/// SplitMix, so that a seed gives the same graph everywhere.
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        (((bits >> 32) * u64::from(bound)) >> 32) as u32
    }
}
