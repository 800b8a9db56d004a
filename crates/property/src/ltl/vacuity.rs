//! Vacuity: whether a formula holds without some part of it having a say.
//!
//! After Beer, Ben-David, Eisner and Rodeh (CAV 1997) and Kupferman and Vardi (2003): take one occurrence of an atom and
//! replace it by what makes the formula hardest to meet, `false` where it stands positively and `true` where it stands
//! under a negation. If the formula still holds, that occurrence is idle: `[] (request -> <> answer)` holds with `false`
//! for `answer` if nobody ever requests anything. An atom under `<->` stands both ways and is left as it is. So is what
//! stands before an arrow: where the formula holds with `true` for `request`, answers come without being asked for, which
//! is more than was promised and nothing to complain about.

use super::{Binary, Formula, Node, Unary};

/// How an occurrence stands in a formula.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Polarity {
    Positive,
    Negative,
    /// Either way, or as what a promise depends on.
    Spared,
}

impl Polarity {
    fn turned(self) -> Self {
        match self {
            Self::Positive => Self::Negative,
            Self::Negative => Self::Positive,
            Self::Spared => Self::Spared,
        }
    }
}

impl<A: Clone> Formula<A> {
    /// The formula with one occurrence of an atom replaced so that it is harder to meet: one formula for each occurrence
    /// that stands one way, from left to right, with the number of the occurrence.
    pub fn strengthened(&self) -> Vec<(usize, Self)> {
        let polarities = self.polarities();
        let atoms = self.nodes.iter().enumerate().filter(|(_, node)| matches!(node, Node::Atom(_)));
        let mut found = Vec::new();
        for (occurrence, (at, _)) in atoms.enumerate() {
            let value = match polarities[at] {
                Polarity::Positive => false,
                Polarity::Negative => true,
                Polarity::Spared => continue,
            };
            let mut stronger = self.clone();
            stronger.nodes[at] = Node::Constant(value);
            found.push((occurrence, stronger));
        }
        found
    }

    /// How every node stands in the whole. Operands lie before their operator, so the last node is the whole.
    fn polarities(&self) -> Vec<Polarity> {
        let mut begins: Vec<usize> = Vec::new();
        let mut left_ends = vec![0; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            match node {
                Node::Constant(_) | Node::Atom(_) => begins.push(at),
                Node::Unary(_) => {}
                Node::Binary(_) => left_ends[at] = begins.pop().map_or(0, |begin| begin.saturating_sub(1)),
            }
        }
        let mut found = vec![Polarity::Positive; self.nodes.len()];
        for at in (0..self.nodes.len()).rev() {
            let own = found[at];
            match &self.nodes[at] {
                Node::Constant(_) | Node::Atom(_) => {}
                Node::Unary(Unary::Not) => found[at - 1] = own.turned(),
                Node::Unary(_) => found[at - 1] = own,
                Node::Binary(operator) => {
                    let (left, right) = match operator {
                        Binary::Implies => (Polarity::Spared, own),
                        Binary::Equivalent => (Polarity::Spared, Polarity::Spared),
                        _ => (own, own),
                    };
                    found[left_ends[at]] = left;
                    found[at - 1] = right;
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_occurrence_is_made_hardest_once() {
        let always = |formula| Formula::unary(Unary::Always, formula);
        let request = Formula::atom("request");
        let answer = Formula::unary(Unary::Eventually, Formula::atom("answer"));
        let formula = always(Formula::binary(Binary::Implies, request, answer));
        let told: Vec<String> = formula.strengthened().iter().map(|(_, one)| one.to_string()).collect();
        assert_eq!(told, ["[](request -> <>false)"]);
        let both = Formula::binary(Binary::And, Formula::atom("a"), Formula::atom("b"));
        let told = always(both.negated()).strengthened();
        let told: Vec<String> = told.iter().map(|(_, one)| one.to_string()).collect();
        assert_eq!(told, ["[]!(true && b)", "[]!(a && true)"]);
        let same = Formula::binary(Binary::Equivalent, Formula::atom("a"), Formula::atom("b"));
        assert!(always(same).strengthened().is_empty(), "both ways");
    }
}
