//! Why a formula does not hold of a word: from the whole formula down to the parts and positions that made it false.
//!
//! What makes `[] F` false is the first position at which F is false; what makes an implication false is that its left
//! side is true and its right side is false, at the same position; and so on, down to atoms and to what never comes.
//! Beer, Ben-David, Chockler, Orni and Trefler (*Explaining counterexamples using causality*, 2009) mark such values as
//! causes; here one way down is followed, the earliest, because that is what people read.

use std::fmt;

use super::lasso::{Known, Word};
use super::{Binary, Formula, Node, Unary};

/// Formulas with more parts than that are not told part by part.
const MOST_PARTS: usize = 64;
/// Beyond so many reasons nobody reads on.
const MOST_REASONS: usize = 32;

/// A part of a formula along a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub text: String,
    /// The part that it is an operand of; none for the whole formula, which comes last.
    pub parent: Option<usize>,
    /// Whether it holds at each position; nothing where what comes decides.
    pub values: Vec<Option<bool>>,
}

/// One reason why a formula is false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// Which part.
    pub part: usize,
    /// At which position of the word.
    pub at: usize,
    /// Whether it holds there.
    pub holds: bool,
    /// Whether it is a statement about everything from there on, so that no single later position shows it.
    pub from_there_on: bool,
}

/// A formula along a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blame {
    /// Operands before what they belong to; the whole formula is the last.
    pub parts: Vec<Part>,
    /// Why it is false, the whole formula first; empty where it is not known to be false.
    pub reasons: Vec<Reason>,
}

impl<A: Clone + fmt::Display> Formula<A> {
    /// What made the formula false on a word; nothing if it has too many parts, or the word no meaning.
    pub fn blame(&self, word: Word, holds: impl FnMut(&A, usize) -> bool) -> Option<Blame> {
        if self.nodes.len() > MOST_PARTS || !word.is_sound() {
            return None;
        }
        let mut values: Vec<Vec<Known>> = Vec::with_capacity(self.nodes.len());
        self.evaluate(word, holds, |_, value| values.push(value.to_vec()));
        let operands = self.operands();
        let mut parents = vec![None; self.nodes.len()];
        for (at, operands) in operands.iter().enumerate() {
            operands.iter().flatten().for_each(|operand| parents[*operand] = Some(at));
        }
        let reasons = Walk { formula: self, word, values: &values, operands: &operands }.reasons();
        let parts = values.into_iter().zip(parents).enumerate().map(|(at, (values, parent))| Part {
            text: self.part(at).to_string(),
            parent,
            values,
        });
        Some(Blame { parts: parts.collect(), reasons })
    }
}

impl<A> Formula<A> {
    /// The operands of every node.
    fn operands(&self) -> Vec<[Option<usize>; 2]> {
        // Which nodes wait for their operator.
        let mut waiting = Vec::new();
        let of = self.nodes.iter().enumerate().map(|(at, node)| {
            let operands = match node {
                Node::Constant(_) | Node::Atom(_) => [None, None],
                Node::Unary(_) => [waiting.pop(), None],
                Node::Binary(_) => {
                    let right = waiting.pop();
                    [waiting.pop(), right]
                }
            };
            waiting.push(at);
            operands
        });
        of.collect()
    }
}

impl<A: Clone> Formula<A> {
    /// The formula that ends with a node.
    fn part(&self, last: usize) -> Self {
        let mut wanted = 1;
        let mut first = last + 1;
        while wanted > 0 && first > 0 {
            first -= 1;
            wanted = match self.nodes[first] {
                Node::Constant(_) | Node::Atom(_) => wanted - 1,
                Node::Unary(_) => wanted,
                Node::Binary(_) => wanted + 1,
            };
        }
        Self { nodes: self.nodes[first..=last].to_vec(), depth: self.depth }
    }
}

struct Walk<'a, A> {
    formula: &'a Formula<A>,
    word: Word,
    values: &'a [Vec<Known>],
    operands: &'a [[Option<usize>; 2]],
}

impl<A> Walk<'_, A> {
    fn reasons(&self) -> Vec<Reason> {
        let mut reasons: Vec<Reason> = Vec::new();
        let whole = self.values.len() - 1;
        if self.values[whole][0] != Some(false) {
            return reasons;
        }
        let mut waiting = vec![(whole, 0)];
        while let Some((part, at)) = waiting.pop() {
            let Some(holds) = self.values[part][at] else { continue };
            if reasons.len() == MOST_REASONS {
                break;
            }
            let next = self.because(part, at, holds);
            let is_leaf = matches!(self.formula.nodes[part], Node::Constant(_) | Node::Atom(_));
            let reason = Reason { part, at, holds, from_there_on: next.is_empty() && !is_leaf };
            if !reasons.contains(&reason) {
                reasons.push(reason);
                // What stands on the left is told first.
                waiting.extend(next.into_iter().rev());
            }
        }
        reasons
    }

    /// The operands and positions because of which a part holds, or does not.
    fn because(&self, part: usize, at: usize, holds: bool) -> Vec<(usize, usize)> {
        let [left, right] = self.operands[part];
        let is = |operand: Option<usize>, at: usize, wanted: bool| {
            operand.filter(|operand| self.values[*operand][at] == Some(wanted)).map(|operand| (operand, at))
        };
        let first = |operand, wanted| self.places(at).find_map(|at| is(operand, at, wanted));
        let one_of = |one: Option<(usize, usize)>, other: Option<(usize, usize)>| one.or(other);
        let operator = match &self.formula.nodes[part] {
            Node::Constant(_) | Node::Atom(_) => return Vec::new(),
            Node::Unary(operator) => {
                let only = match (operator, holds) {
                    (Unary::Not, _) => is(left, at, !holds),
                    (Unary::Next, _) => self.word.next(at).and_then(|next| is(left, next, holds)),
                    (Unary::Always, false) => first(left, false),
                    (Unary::Eventually, true) => first(left, true),
                    (Unary::Always, true) | (Unary::Eventually, false) => None,
                };
                return only.into_iter().collect();
            }
            Node::Binary(operator) => *operator,
        };
        let both = [is(left, at, holds), is(right, at, holds)];
        match (operator, holds) {
            (Binary::And, true) | (Binary::Or, false) => both.into_iter().flatten().collect(),
            (Binary::And, false) | (Binary::Or, true) => one_of(both[0], both[1]).into_iter().collect(),
            (Binary::Implies, false) => [is(left, at, true), both[1]].into_iter().flatten().collect(),
            (Binary::Implies, true) => one_of(is(left, at, false), both[1]).into_iter().collect(),
            (Binary::Equivalent, _) => {
                [left, right].into_iter().flatten().map(|operand| (operand, at)).collect()
            }
            // Both sides are false at a position that comes before any at which the right one is true.
            (Binary::Until | Binary::WeakUntil, false) => {
                let neither = self.places(at).find_map(|at| is(left, at, false).zip(is(right, at, false)));
                neither.map_or_else(Vec::new, |(left, right)| vec![left, right])
            }
            (Binary::Until | Binary::WeakUntil, true) => first(right, true).into_iter().collect(),
            (Binary::Release, false) => first(right, false).into_iter().collect(),
            (Binary::Release, true) => {
                let together = self.places(at).find_map(|at| is(left, at, true).zip(is(right, at, true)));
                together.map_or_else(Vec::new, |(left, right)| vec![left, right])
            }
        }
    }

    /// The positions from one on, each once.
    fn places(&self, at: usize) -> impl Iterator<Item = usize> + use<A> {
        let (word, mut left) = (self.word, self.word.length);
        let mut next = Some(at);
        std::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let now = next?;
            next = word.next(now);
            Some(now)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Ltl = Formula<char>;

    fn atom(name: char) -> Ltl {
        Formula::atom(name)
    }

    /// Why a formula is false of a word whose letters are sets of atoms: parts, positions, values.
    fn why(formula: &Ltl, letters: &[&str], loop_start: Option<usize>) -> Vec<String> {
        let word = Word { length: letters.len(), loop_start };
        let blame = formula.blame(word, |atom, at| letters[at].contains(*atom)).unwrap();
        let told = blame.reasons.iter().map(|reason| {
            let (sign, on) =
                (if reason.holds { "" } else { "not " }, if reason.from_there_on { ".." } else { "" });
            format!("{}{on} {sign}{}", reason.at, blame.parts[reason.part].text)
        });
        told.collect()
    }

    #[test]
    fn a_response_that_never_comes() {
        let response =
            Formula::binary(Binary::Implies, atom('p'), Formula::unary(Unary::Eventually, atom('q')));
        let formula = Formula::unary(Unary::Always, response);
        let expected = ["0 not [](p -> <>q)", "2 not (p -> <>q)", "2 p", "2.. not <>q"];
        assert_eq!(why(&formula, &["p", "q", "p", "", "r"], Some(3)), expected);
        assert_eq!(why(&formula, &["p", "q"], Some(0)), [""; 0]);
        // Where nobody knows what comes, nothing is known to be false.
        assert_eq!(why(&formula, &["p", "q", "p"], None), [""; 0]);
    }

    #[test]
    fn what_is_false_whatever_comes() {
        let formula = Formula::unary(Unary::Always, atom('p').negated());
        let expected = ["0 not []!p", "2 not !p", "2 p"];
        assert_eq!(why(&formula, &["", "", "p"], None), expected);
        let until = Formula::binary(Binary::Until, atom('p'), atom('q'));
        assert_eq!(why(&until, &["p", ""], None), ["0 not (p U q)", "1 not p", "1 not q"]);
        assert_eq!(why(&until, &["p"], Some(0)), ["0.. not (p U q)"]);
        let next = Formula::unary(Unary::Next, atom('p'));
        assert_eq!(why(&next, &["p", ""], Some(0)), ["0 not X p", "1 not p"]);
    }

    #[test]
    fn parts_know_what_they_belong_to() {
        let formula = Formula::binary(Binary::Or, atom('p'), Formula::unary(Unary::Next, atom('q')));
        let blame = formula.blame(Word { length: 2, loop_start: Some(1) }, |atom, _| *atom == 'q').unwrap();
        let told: Vec<(&str, Option<usize>)> =
            blame.parts.iter().map(|part| (part.text.as_str(), part.parent)).collect();
        assert_eq!(told, [("p", Some(3)), ("q", Some(2)), ("X q", Some(3)), ("(p || X q)", None)]);
        assert_eq!(blame.parts[3].values, [Some(true), Some(true)]);
        assert!(formula.blame(Word { length: 0, loop_start: None }, |_, _| true).is_none());
        let long = (0..70).fold(atom('p'), |formula, _| formula.negated());
        assert!(long.blame(Word { length: 1, loop_start: None }, |_, _| true).is_none());
    }
}
