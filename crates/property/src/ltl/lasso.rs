//! What a formula means on an infinite word that ends in a loop, straight from the definition.
//!
//! The positions of stem and loop are finitely many, and what holds at a position depends on what holds
//! at that position and at the next. So the set of positions where a formula holds is found from those of
//! its operands: until is the least solution of *right, or left and next*, release the greatest of
//! *right, and left or next*. This checks counterexamples and the translation into automata, with which
//! it shares nothing.

use super::{Binary, Formula, Step, Unary};

impl<A> Formula<A> {
    /// Whether the formula holds of a word of `length` letters in which the first letter of the loop,
    /// `loop_start`, follows the last one. `holds` tells which atoms are true at which position. The
    /// empty word has no meaning and satisfies nothing.
    pub fn holds_on(
        &self,
        length: usize,
        loop_start: usize,
        mut holds: impl FnMut(&A, usize) -> bool,
    ) -> bool {
        if loop_start >= length {
            return false;
        }
        let next = |at: usize| if at + 1 < length { at + 1 } else { loop_start };
        let everywhere = |value: bool| vec![value; length];
        let until = |left: &[bool], right: &[bool]| {
            solve(everywhere(false), |now, at| right[at] || (left[at] && now[next(at)]))
        };
        let release = |left: &[bool], right: &[bool]| {
            solve(everywhere(true), |now, at| right[at] && (left[at] || now[next(at)]))
        };
        let both = |left: &[bool], right: &[bool], table: fn(bool, bool) -> bool| -> Vec<bool> {
            left.iter().zip(right).map(|(left, right)| table(*left, *right)).collect()
        };
        let value = self.fold(|step: Step<'_, A, Vec<bool>>| match step {
            Step::Constant(value) => everywhere(value),
            Step::Atom(atom) => (0..length).map(|at| holds(atom, at)).collect(),
            Step::Unary(Unary::Not, operand) => operand.iter().map(|value| !value).collect(),
            Step::Unary(Unary::Next, operand) => (0..length).map(|at| operand[next(at)]).collect(),
            Step::Unary(Unary::Eventually, operand) => until(&everywhere(true), &operand),
            Step::Unary(Unary::Always, operand) => release(&everywhere(false), &operand),
            Step::Binary(operator, left, right) => match operator {
                Binary::And => both(&left, &right, |left, right| left && right),
                Binary::Or => both(&left, &right, |left, right| left || right),
                Binary::Implies => both(&left, &right, |left, right| !left || right),
                Binary::Equivalent => both(&left, &right, |left, right| left == right),
                Binary::Until => until(&left, &right),
                Binary::Release => release(&left, &right),
                Binary::WeakUntil => {
                    let for_ever = release(&everywhere(false), &left);
                    both(&until(&left, &right), &for_ever, |one, other| one || other)
                }
            },
        });
        value.is_some_and(|value| value[0])
    }
}

/// Applies the equation until nothing changes. Backwards, because what holds later decides.
fn solve(mut now: Vec<bool>, equation: impl Fn(&[bool], usize) -> bool) -> Vec<bool> {
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
