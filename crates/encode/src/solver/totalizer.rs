//! At most so many of these: a counter in unary that grows with the bound.
//!
//! The totalizer (Bailleux and Boufkhad 2003) is a tree of adders over unary numbers; its root says "at least j
//! of all inputs are true" for every j. It is built only as far as a bound asks for, and a larger bound adds
//! to it (Martins, Joshi, Manquinho and Lynce 2014), so that a search with growing bounds keeps all that the
//! solver has learnt. Only the direction that bounds from above is encoded.

use super::{Literal, Solver};

#[derive(Clone, Debug)]
struct Node {
    /// The two nodes it adds; a leaf has none.
    children: Option<(usize, usize)>,
    /// How many inputs lie below.
    inputs: usize,
    /// The j-th is true if more than j inputs below are; as many as were asked for.
    outputs: Vec<Literal>,
}

/// Counts how many of its inputs are true.
#[derive(Clone, Debug)]
pub struct Totalizer {
    /// Children come before their parents; the last is the root.
    nodes: Vec<Node>,
}

impl Totalizer {
    pub fn new(inputs: &[Literal]) -> Self {
        let mut nodes: Vec<Node> =
            inputs.iter().map(|input| Node { children: None, inputs: 1, outputs: vec![*input] }).collect();
        let mut next = 0;
        // Taking the two oldest roots again and again makes a balanced tree.
        while nodes.len() >= next + 2 {
            let inputs = nodes[next].inputs + nodes[next + 1].inputs;
            nodes.push(Node { children: Some((next, next + 1)), inputs, outputs: Vec::new() });
            next += 2;
        }
        Self { nodes }
    }

    pub fn inputs(&self) -> usize {
        self.nodes.last().map_or(0, |root| root.inputs)
    }

    /// A literal to assume or assert: if it is true, at most `bound` inputs are.
    pub fn at_most(&mut self, solver: &mut Solver<'_>, bound: usize) -> Literal {
        if bound >= self.inputs() {
            return Literal::TRUE;
        }
        self.grow(solver, bound + 1);
        self.nodes.last().map_or(Literal::TRUE, |root| !root.outputs[bound])
    }

    /// Gives every node the outputs up to `count` that its inputs can reach.
    fn grow(&mut self, solver: &mut Solver<'_>, count: usize) {
        for at in 0..self.nodes.len() {
            let Some((left, right)) = self.nodes[at].children else { continue };
            let known = self.nodes[at].outputs.len();
            let wanted = count.min(self.nodes[at].inputs);
            for _ in known..wanted {
                let output = solver.fresh();
                // More than j + 1 are more than j: not needed, but it makes propagation immediate.
                if let Some(last) = self.nodes[at].outputs.last() {
                    solver.clause(&[!output, *last]);
                }
                self.nodes[at].outputs.push(output);
            }
            let node = &self.nodes[at];
            let reaches = |child: usize, number: usize| match number.checked_sub(1) {
                None => Some(Literal::TRUE),
                Some(at) => self.nodes[child].outputs.get(at).copied(),
            };
            for total in known + 1..=wanted {
                for from_left in 0..=total {
                    if let (Some(one), Some(other)) =
                        (reaches(left, from_left), reaches(right, total - from_left))
                    {
                        solver.clause(&[!one, !other, node.outputs[total - 1]]);
                    }
                }
            }
        }
    }
}
