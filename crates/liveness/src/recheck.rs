//! Whether an accepted trace goes on, found again in another way.
//!
//! Emerson and Lei (1986): keep the nodes from which every demand can be met again and again inside what
//! is kept, and repeat until nothing is dropped. A demand is met by an accepting node, or for a process
//! by a step of it or a node where it cannot move. No components are needed, so this shares nothing
//! with the search that it checks but the product itself.

use graph::{Fairness, Transitions};
use rustc_hash::FxHashMap;

use crate::product::Product;

/// A node with what it demands of a round.
struct Node {
    accepting: bool,
    decides: bool,
    uninterrupted: bool,
    able: Vec<u8>,
    /// Who moves, and where to.
    edges: Vec<(Vec<u8>, usize)>,
}

/// Whether an accepted trace goes on from one of these states and places; nothing if that takes more than
/// `most` nodes, or some are open.
pub fn is_accepted_from<T: Transitions>(
    product: &Product<'_, T>,
    starts: &[u32],
    fairness: Fairness,
    most: usize,
) -> Option<bool> {
    let nodes = gather(product, starts, most)?;
    if nodes.iter().any(|node| node.decides) {
        return Some(true);
    }
    let mut processes: Vec<u8> = Vec::new();
    if fairness == Fairness::Weak {
        processes = nodes.iter().flat_map(|node| node.able.iter().copied()).collect();
        processes.sort_unstable();
        processes.dedup();
    }
    let demands: Vec<Option<u8>> = std::iter::once(None).chain(processes.into_iter().map(Some)).collect();
    // Among nodes that nothing interrupts only the first demand counts.
    Some(survives(&nodes, &demands, |_| true) || survives(&nodes, &demands[..1], |node| node.uninterrupted))
}

fn survives(nodes: &[Node], demands: &[Option<u8>], belongs: impl Fn(&Node) -> bool) -> bool {
    let mut kept: Vec<bool> = nodes.iter().map(belongs).collect();
    loop {
        let before = kept.iter().filter(|kept| **kept).count();
        for demand in demands {
            kept = meeting(nodes, &kept, *demand);
        }
        let after = kept.iter().filter(|kept| **kept).count();
        if after == before {
            return after > 0;
        }
    }
}

/// The kept nodes from which a step that meets the demand can be reached among kept ones.
fn meeting(nodes: &[Node], kept: &[bool], demand: Option<u8>) -> Vec<bool> {
    let meets = |node: &Node, movers: &[u8]| match demand {
        None => node.accepting,
        Some(process) => movers.contains(&process) || (!node.uninterrupted && !node.able.contains(&process)),
    };
    let mut reaching = vec![false; nodes.len()];
    loop {
        let mut changed = false;
        for (at, node) in nodes.iter().enumerate().rev() {
            if kept[at] && !reaching[at] {
                let inside = node.edges.iter().filter(|(_, target)| kept[*target]);
                let reaches =
                    inside.into_iter().any(|(movers, target)| meets(node, movers) || reaching[*target]);
                reaching[at] = reaches;
                changed |= reaches;
            }
        }
        if !changed {
            return reaching;
        }
    }
}

fn gather<T: Transitions>(product: &Product<'_, T>, starts: &[u32], most: usize) -> Option<Vec<Node>> {
    let mut numbers: FxHashMap<u32, usize> = starts.iter().copied().zip(0..).collect();
    let mut order = starts.to_vec();
    let mut nodes: Vec<Node> = Vec::new();
    while let Some(node) = order.get(nodes.len()).copied() {
        if order.len() > most || product.is_open(node) {
            return None;
        }
        let mut edges = Vec::new();
        product.successors(node, |label, target| {
            let fresh = order.len();
            let number = *numbers.entry(target).or_insert(fresh);
            if number == fresh {
                order.push(target);
            }
            edges.push((product.system().actors(label).iter().collect(), number));
        });
        let mut able = Vec::new();
        product.system().successors(product.state(node), |label, _| {
            able.extend(product.system().actors(label).iter().next());
        });
        nodes.push(Node {
            accepting: product.is_accepting(node),
            decides: product.decides(node),
            uninterrupted: product.is_uninterrupted(node),
            able,
            edges,
        });
    }
    Some(nodes)
}
