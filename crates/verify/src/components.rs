//! Strongly connected components by the method of Kosaraju and Sharir: two depth-first walks, the second one backwards.

use crate::net::Net;

/// The components of the nodes that belong, the members of each in ascending order.
pub(crate) fn components(net: &Net, belongs: &dyn Fn(usize) -> bool) -> Vec<Vec<usize>> {
    let count = net.nodes.len();
    let inside: Vec<bool> = (0..count).map(belongs).collect();
    let mut before = vec![Vec::new(); count];
    for from in (0..count).filter(|node| inside[*node]) {
        for edge in net.nodes[from].edges.iter().filter(|edge| inside[edge.to]) {
            before[edge.to].push(from);
        }
    }
    let mut order = Vec::new();
    let mut seen = vec![false; count];
    for root in (0..count).filter(|node| inside[*node]) {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            let edges = &net.nodes[*node].edges;
            match edges.get(*next) {
                Some(edge) => {
                    *next += 1;
                    if inside[edge.to] && !std::mem::replace(&mut seen[edge.to], true) {
                        path.push((edge.to, 0));
                    }
                }
                None => {
                    order.push(*node);
                    path.pop();
                }
            }
        }
    }
    let mut found = Vec::new();
    let mut taken = vec![false; count];
    for root in order.into_iter().rev() {
        if std::mem::replace(&mut taken[root], true) {
            continue;
        }
        let mut members = vec![root];
        let mut at = 0;
        while at < members.len() {
            for from in &before[members[at]] {
                if !std::mem::replace(&mut taken[*from], true) {
                    members.push(*from);
                }
            }
            at += 1;
        }
        members.sort_unstable();
        found.push(members);
    }
    found
}
