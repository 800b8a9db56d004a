//! The order in which the locations of a function are visited: loops inside of loops.
//!
//! A weak topological order (Bourdoncle 1993): components nest, each has a head, and every edge that leads
//! backwards leads to the head of a component around it. So a walk that repeats components, and otherwise goes
//! on, comes to a location only when all ways to it are known, whatever jumps the program has. Found by taking
//! out the head of every strongly connected component, again and again.

use graph::{Components, Unwatched};
use model::Function;

/// A location, or a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Single(u32),
    Loop(Loop),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Loop {
    pub(super) head: u32,
    pub(super) body: Vec<Element>,
    /// All locations in it, in order.
    locations: Vec<u32>,
}

impl Loop {
    pub(super) fn contains(&self, location: u32) -> bool {
        self.locations.binary_search(&location).is_ok()
    }
}

/// The locations of a function that its entry reaches.
pub(super) fn shape(function: &Function) -> Vec<Element> {
    let count = function.locations.len();
    // Locations are numbered in the order of a walk from the entry, so the first of a loop is where it is
    // entered, unless jumps lead into it elsewhere; then any head is right.
    order(function, &(0..count as u32).collect::<Vec<_>>(), None)
}

/// The order of some locations, where edges to `head` are left out.
fn order(function: &Function, locations: &[u32], head: Option<u32>) -> Vec<Element> {
    let inside = |location: u32| Some(location) != head && locations.binary_search(&location).is_ok();
    let mut components = Components::new(function.locations.len(), "unwinding");
    let mut found: Vec<Vec<u32>> = Vec::new();
    for location in locations.iter().copied().filter(|location| Some(*location) != head) {
        if components.was_reached(location) {
            continue;
        }
        let targets = |from: u32, targets: &mut Vec<u32>| {
            let edges = function.edges_of(from).iter().map(|edge| edge.to);
            targets.extend(edges.filter(|to| inside(*to)));
        };
        let searched =
            components.from(location, targets, &Unwatched, |_, component| found.push(component.to_vec()));
        debug_assert!(searched.is_ok());
    }
    // What is found first lies behind everything else.
    let elements = found.into_iter().rev().map(|mut component| {
        component.sort_unstable();
        let first = component[0];
        let loops = function.edges_of(first).iter().any(|edge| edge.to == first);
        if component.len() == 1 && !loops {
            return Element::Single(first);
        }
        let body = order(function, &component, Some(first));
        Element::Loop(Loop { head: first, body, locations: component })
    });
    elements.collect()
}
