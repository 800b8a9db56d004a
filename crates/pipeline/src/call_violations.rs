//! What is wrong in a program that was searched call by call.

use graph::{Shortest, Story, Target};
use search::Summaries;

use crate::model_system::Classes;

/// Something wrong that was found: the node, and the label of the wrong step; none for a deadlock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoundViolation {
    pub(crate) node: u32,
    pub(crate) label: Option<u32>,
    pub(crate) class: usize,
}

/// All that is wrong, class by class.
pub(crate) fn violations(
    found: &Summaries,
    shortest: Option<&Shortest<'_>>,
    story: &impl Story,
) -> (Classes, Vec<FoundViolation>) {
    let length = |node: u32| shortest.and_then(|shortest| shortest.to(node)).unwrap_or_default();
    let mut places: Vec<(u32, Option<(u32, u32)>)> =
        found.deadlocks.iter().map(|node| (*node, None)).collect();
    for node in 0..found.graph.node_count() as u32 {
        places.extend(found.graph.edges(node).iter().filter_map(|edge| match edge.target {
            Target::Wrong(what) => Some((node, Some((edge.label, what)))),
            _ => None,
        }));
    }
    let parts = places.iter().map(|(node, wrong)| match wrong {
        None => (None, 1, length(*node)),
        Some((label, what)) => (Some((found.events[*label as usize], *what)), 1, length(*node) + 1),
    });
    let classes = Classes::of_parts(parts, story);
    let of = places.iter().zip(&classes.of);
    let list = of.map(|((node, wrong), class)| FoundViolation {
        node: *node,
        label: wrong.map(|(label, _)| label),
        class: *class,
    });
    let list = list.collect();
    (classes, list)
}
