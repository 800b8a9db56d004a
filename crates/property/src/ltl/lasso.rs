//! What a formula means on a word, straight from the definition.
//!
//! Of an infinite word that ends in a loop, the positions of stem and loop are finitely many, and what holds at a
//! position depends on what holds at that position and at the next. So the set of positions where a formula holds is
//! found from those of its operands: until is the least solution of *right, or left and next*, release the greatest of
//! *right, and left or next*. This checks counterexamples and the translation into automata, with which it shares
//! nothing.
//!
//! Of a word whose end nobody knows, a formula holds, does not hold, or nobody knows (Kleene's three values).

use super::{Binary, Formula, Step, Unary};

/// Whether something holds; nothing where that is not known.
pub(super) type Known = Option<bool>;

/// A word: how long what is known of it is, and which position follows the last one, if that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    pub length: usize,
    /// Where the loop starts.
    pub loop_start: Option<usize>,
}

impl Word {
    pub(super) fn next(self, at: usize) -> Option<usize> {
        if at + 1 < self.length { Some(at + 1) } else { self.loop_start }
    }

    /// Whether the word has a meaning.
    pub(super) fn is_sound(self) -> bool {
        self.length > 0 && self.loop_start.is_none_or(|start| start < self.length)
    }
}

impl<A> Formula<A> {
    /// Whether the formula holds of a word of `length` letters in which the first letter of the loop,
    /// `loop_start`, follows the last one. `holds` tells which atoms are true at which position. The
    /// empty word has no meaning and satisfies nothing.
    pub fn holds_on(&self, length: usize, loop_start: usize, holds: impl FnMut(&A, usize) -> bool) -> bool {
        let word = Word { length, loop_start: Some(loop_start) };
        self.evaluate(word, holds, |_, _| {}) == Some(true)
    }

    /// Whether the formula holds of a word. `each` is given every node, by its place in postfix order, and whether it
    /// holds at each position.
    pub(super) fn evaluate(
        &self,
        word: Word,
        mut holds: impl FnMut(&A, usize) -> bool,
        mut each: impl FnMut(usize, &[Known]),
    ) -> Known {
        if !word.is_sound() {
            return None;
        }
        let everywhere = |value: bool| vec![Some(value); word.length];
        let after = |now: &[Known], at: usize| word.next(at).and_then(|next| now[next]);
        let until = |left: &[Known], right: &[Known]| {
            solve(everywhere(false), |now, at| or(right[at], and(left[at], after(now, at))))
        };
        let release = |left: &[Known], right: &[Known]| {
            solve(everywhere(true), |now, at| and(right[at], or(left[at], after(now, at))))
        };
        let both = |left: &[Known], right: &[Known], table: fn(Known, Known) -> Known| -> Vec<Known> {
            left.iter().zip(right).map(|(left, right)| table(*left, *right)).collect()
        };
        let mut node = 0;
        let value = self.fold(|step: Step<'_, A, Vec<Known>>| {
            let value = match step {
                Step::Constant(value) => everywhere(value),
                Step::Atom(atom) => (0..word.length).map(|at| Some(holds(atom, at))).collect(),
                Step::Unary(Unary::Not, operand) => operand.iter().map(|value| value.map(|is| !is)).collect(),
                Step::Unary(Unary::Next, operand) => (0..word.length).map(|at| after(&operand, at)).collect(),
                Step::Unary(Unary::Eventually, operand) => until(&everywhere(true), &operand),
                Step::Unary(Unary::Always, operand) => release(&everywhere(false), &operand),
                Step::Binary(operator, left, right) => match operator {
                    Binary::And => both(&left, &right, and),
                    Binary::Or => both(&left, &right, or),
                    Binary::Implies => both(&left, &right, |left, right| or(left.map(|is| !is), right)),
                    Binary::Equivalent => {
                        both(&left, &right, |left, right| left.zip(right).map(|(left, right)| left == right))
                    }
                    Binary::Until => until(&left, &right),
                    Binary::Release => release(&left, &right),
                    Binary::WeakUntil => {
                        let for_ever = release(&everywhere(false), &left);
                        both(&until(&left, &right), &for_ever, or)
                    }
                },
            };
            each(node, &value);
            node += 1;
            value
        });
        value.and_then(|value| value[0])
    }
}

fn and(left: Known, right: Known) -> Known {
    match (left, right) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn or(left: Known, right: Known) -> Known {
    match (left, right) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}

/// Applies the equation until nothing changes. Backwards, because what holds later decides.
fn solve(mut now: Vec<Known>, equation: impl Fn(&[Known], usize) -> Known) -> Vec<Known> {
    loop {
        let mut changed = false;
        for at in (0..now.len()).rev() {
            let value = equation(&now, at);
            changed |= value != now[at];
            now[at] = value;
        }
        if !changed {
            return now;
        }
    }
}
