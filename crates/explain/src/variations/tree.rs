//! Many traces that share their beginnings, as a tree.

use graph::Edge;

/// A tree of steps; a node stands for the trace from the root to it.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: u32,
    step: Edge,
}

impl Tree {
    /// The node of the empty trace.
    pub const ROOT: u32 = 0;

    pub fn new(start: u32) -> Self {
        Self { nodes: vec![Node { parent: Self::ROOT, step: Edge { label: 0, state: start } }] }
    }

    pub(super) fn child(&mut self, parent: u32, step: Edge) -> u32 {
        self.nodes.push(Node { parent, step });
        self.nodes.len() as u32 - 1
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        false
    }

    /// Where the trace of a node ends.
    pub fn state(&self, node: u32) -> u32 {
        self.nodes[node as usize].step.state
    }

    /// The last step of the trace of a node.
    pub fn step(&self, node: u32) -> Edge {
        self.nodes[node as usize].step
    }

    pub fn parent(&self, node: u32) -> Option<u32> {
        (node != Self::ROOT).then(|| self.nodes[node as usize].parent)
    }

    /// The nodes of a trace after the root, first to last, into `path`.
    pub fn path(&self, node: u32, path: &mut Vec<u32>) {
        path.clear();
        let mut at = node;
        while let Some(parent) = self.parent(at) {
            path.push(at);
            at = parent;
        }
        path.reverse();
    }

    /// How many steps the trace of a node has.
    pub fn length(&self, node: u32) -> usize {
        std::iter::successors(self.parent(node), |node| self.parent(*node)).count()
    }
}
