//! What can become of a trace from each node: whether it can still fail, and whether it can still pass.
//!
//! By the definitions: a trace fails if it comes to the violation that is explained. It passes if it ends where nothing
//! is wrong, or goes on forever without a violation and, where that is asked, is weakly fair: every process moves again
//! and again, or again and again cannot move. Both are closures backwards along steps that pass no violation.
//!
//! A trace can go on forever and be fair exactly in a strongly connected component in which going round everything is
//! fair: every process that could move in all of its states takes one of its steps. Inside of a sequence that nothing
//! interrupts others cannot move, and that is no excuse; only who stays in such states forever owes nothing to others.

use findings::Fate;

use crate::components::components;
use crate::net::Net;

#[derive(Debug)]
pub(crate) struct Fates {
    pub(crate) can_fail: Vec<bool>,
    pub(crate) can_pass: Vec<bool>,
}

impl Fates {
    pub(crate) fn new(net: &Net, is_fair: bool) -> Self {
        let all = 0..net.nodes.len();
        let before = predecessors(net);
        let failing: Vec<usize> = all.clone().filter(|node| net.is_target(*node)).collect();
        let stays = forever(net, is_fair && net.has_processes);
        let passes =
            |node: &usize| !net.is_violating(*node) && (net.nodes[*node].edges.is_empty() || stays[*node]);
        let passing: Vec<usize> = all.filter(passes).collect();
        Self { can_fail: closure(net, &before, failing), can_pass: closure(net, &before, passing) }
    }

    pub(crate) fn of(&self, node: usize) -> Fate {
        match (self.can_fail[node], self.can_pass[node]) {
            (true, true) => Fate::Free,
            (true, false) => Fate::Doomed,
            (false, true) => Fate::Safe,
            (false, false) => Fate::Elsewhere,
        }
    }
}

/// All nodes from which a trace comes to one of these, passing no violation.
pub(crate) fn leading_to(net: &Net, ends: Vec<usize>) -> Vec<bool> {
    closure(net, &predecessors(net), ends)
}

fn predecessors(net: &Net) -> Vec<Vec<usize>> {
    let mut before = vec![Vec::new(); net.nodes.len()];
    for (from, node) in net.nodes.iter().enumerate() {
        for edge in &node.edges {
            before[edge.to].push(from);
        }
    }
    before
}

/// All nodes from which a trace comes to one of these, passing no violation.
fn closure(net: &Net, before: &[Vec<usize>], mut waiting: Vec<usize>) -> Vec<bool> {
    let mut reached = vec![false; net.nodes.len()];
    waiting.iter().for_each(|node| reached[*node] = true);
    while let Some(node) = waiting.pop() {
        for from in before[node].iter().filter(|from| !net.is_violating(**from)) {
            if !std::mem::replace(&mut reached[*from], true) {
                waiting.push(*from);
            }
        }
    }
    reached
}

/// The nodes in which a trace can stay forever, going round, without a violation.
fn forever(net: &Net, is_fair: bool) -> Vec<bool> {
    let mut stays = vec![false; net.nodes.len()];
    let everywhere = |node: usize| !net.is_violating(node);
    let uninterrupted = |node: usize| everywhere(node) && net.nodes[node].is_uninterrupted;
    let places: [&dyn Fn(usize) -> bool; 2] = [&everywhere, &uninterrupted];
    for belongs in places {
        for members in components(net, belongs) {
            if goes_round(net, &members, is_fair) {
                members.iter().for_each(|node| stays[*node] = true);
            }
        }
        if !is_fair {
            break;
        }
    }
    stays
}

/// Whether a trace can go round in a component forever; fairly, if that is asked.
fn goes_round(net: &Net, members: &[usize], is_fair: bool) -> bool {
    let is_inside = |node: usize| members.binary_search(&node).is_ok();
    let edges = || members.iter().flat_map(|node| &net.nodes[*node].edges);
    if !edges().any(|edge| is_inside(edge.to)) {
        return false;
    }
    if !is_fair {
        return true;
    }
    let interrupted: Vec<usize> =
        members.iter().copied().filter(|node| !net.nodes[*node].is_uninterrupted).collect();
    let Some(first) = interrupted.first() else { return true };
    let can_move = |process: u8, node: usize| {
        net.nodes[node].edges.iter().any(|edge| net.events[edge.event].actors.contains(&process))
    };
    let mut always: Vec<u8> =
        net.nodes[*first].edges.iter().flat_map(|edge| net.events[edge.event].actors.clone()).collect();
    always.sort_unstable();
    always.dedup();
    always.retain(|process| interrupted.iter().all(|node| can_move(*process, *node)));
    always.iter().all(|process| {
        edges().any(|edge| is_inside(edge.to) && net.events[edge.event].actors.contains(process))
    })
}
