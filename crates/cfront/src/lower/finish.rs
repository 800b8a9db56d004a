//! The last touch on an automaton: edges that only lead on and locations that nothing leads to are taken
//! out, loops get their heads.

use model::{Edge, Location};

use super::body::SILENT;

/// Locations, edges in the order of their sources, and where to begin.
pub(super) fn finish(locations: Vec<Location>, edges: Vec<Edge>) -> (Vec<Location>, Vec<Edge>, u32) {
    let onward = onward(&locations, &edges);
    let mut edges: Vec<Edge> = edges.into_iter().filter(|edge| edge.statement != SILENT).collect();
    for edge in &mut edges {
        edge.to = onward[edge.to as usize];
    }
    edges.sort_by_key(|edge| edge.from);
    let entry = onward[0];
    let (order, heads) = walk(locations.len(), &edges, entry);
    let mut number = vec![u32::MAX; locations.len()];
    order.iter().zip(0..).for_each(|(old, new)| number[*old as usize] = new);
    let mut kept: Vec<Location> = order.iter().map(|old| locations[*old as usize]).collect();
    order.iter().zip(&mut kept).for_each(|(old, location)| location.loop_head = heads[*old as usize]);
    edges.retain(|edge| number[edge.from as usize] != u32::MAX);
    for edge in &mut edges {
        edge.from = number[edge.from as usize];
        edge.to = number[edge.to as usize];
    }
    edges.sort_by_key(|edge| edge.from);
    (kept, edges, 0)
}

/// Where each location leads if silent edges are followed.
fn onward(locations: &[Location], edges: &[Edge]) -> Vec<u32> {
    let mut next: Vec<u32> = (0..locations.len() as u32).collect();
    for edge in edges.iter().filter(|edge| edge.statement == SILENT) {
        next[edge.from as usize] = edge.to;
    }
    (0..next.len())
        .map(|start| {
            let mut at = start;
            // A circle of silent edges does not happen: every loop has a step at its head.
            for _ in 0..next.len() {
                match next[at] as usize {
                    further if further == at => break,
                    further => at = further,
                }
            }
            at as u32
        })
        .collect()
}

/// The reachable locations in the order of a depth-first walk, and which of them an edge leads back to.
fn walk(count: usize, edges: &[Edge], entry: u32) -> (Vec<u32>, Vec<bool>) {
    let mut order = Vec::new();
    let mut heads = vec![false; count];
    let mut open = vec![false; count];
    let mut seen = vec![false; count];
    let first = |location: u32| edges.partition_point(|edge| edge.from < location);
    let mut stack = vec![(entry, first(entry))];
    seen[entry as usize] = true;
    open[entry as usize] = true;
    order.push(entry);
    while let Some((at, next)) = stack.last_mut() {
        match edges.get(*next).filter(|edge| edge.from == *at) {
            None => {
                open[*at as usize] = false;
                stack.pop();
            }
            Some(edge) => {
                *next += 1;
                let to = edge.to;
                if open[to as usize] {
                    heads[to as usize] = true;
                } else if !seen[to as usize] {
                    seen[to as usize] = true;
                    open[to as usize] = true;
                    order.push(to);
                    stack.push((to, first(to)));
                }
            }
        }
    }
    (order, heads)
}
