//! Functions of the library that walk through texts or arrays, written out where they are called. All of it
//! is part of the statement, so none of it is a step.

use model::{Argument, Binary, Builtin, Command, Expr, Place, Scalar, Unary};

use super::Lowered;
use super::body::Body;
use super::inputs::constant;
use super::library::{either, letter, moved_if, within};
use crate::tree::ExprId;

impl Body<'_, '_> {
    /// A variable for the time of the statement.
    pub(super) fn variable(&mut self, value: Expr) -> Place {
        let place = self.temporary();
        self.emit(Command::Set(place.clone(), value));
        place
    }

    pub(super) fn set(&mut self, place: &Place, value: Expr) {
        self.emit(Command::Set(place.clone(), value));
    }

    /// Does something if a condition holds.
    pub(super) fn when(&mut self, condition: Expr, act: impl FnOnce(&mut Self)) {
        let (yes, end) = (self.location(), self.location());
        self.split(condition, yes, end);
        self.at = yes;
        act(self);
        self.flush(end, None);
    }

    /// Does something again and again as long as a condition holds. `act` may leave the loop for the location
    /// that it is given.
    pub(super) fn repeat(&mut self, condition: Expr, act: impl FnOnce(&mut Self, u32)) {
        let (head, inside, end) = (self.location(), self.location(), self.location());
        self.flush(head, None);
        self.split(condition, inside, end);
        self.at = inside;
        act(self, end);
        self.flush(head, None);
        self.at = end;
    }

    /// A pointer moved by some bytes.
    pub(super) fn further(&self, pointer: Expr, by: Expr) -> Expr {
        self.pointer_sum(pointer, by, 1, false)
    }

    pub(super) fn answer(&mut self, which: Builtin, arguments: Vec<Expr>) -> Expr {
        let place = self.temporary();
        self.emit(Command::Builtin { which, arguments, result: Some(place.clone()) });
        Expr::Load(place)
    }

    /// The value of a call of a function that walks through texts; nothing if it is another one.
    pub(super) fn text_call(
        &mut self,
        id: ExprId,
        name: &str,
        arguments: &[ExprId],
    ) -> Lowered<Option<Expr>> {
        let value = match (name, arguments) {
            ("atoi" | "atol" | "atoll", [text]) => {
                let text = self.kept(*text)?;
                self.number(id, text, None, 10, name == "atoi")?
            }
            ("strtol" | "strtoll", [text, end, base]) => {
                let tree = self.lowering.tree;
                let Some(base @ (0 | 2..=36)) = constant(tree, *base) else {
                    let message =
                        format!("`{name}` is known here for bases that are constants from 2 to 36, or 0");
                    return self.lowering.refuse(tree[*base].span, message);
                };
                let (text, end) = (self.kept(*text)?, self.kept(*end)?);
                self.number(id, text, Some(end), base, false)?
            }
            ("strdup", [text]) => {
                let text = self.kept(*text)?;
                let length = self.answer(Builtin::TextLength, vec![text.clone()]);
                let size = Expr::binary(Binary::Add, length, Expr::Constant(1));
                let copy = self.answer(Builtin::Allocate, vec![size]);
                self.answer(Builtin::TextCopy, vec![copy.clone(), text]);
                copy
            }
            ("strspn" | "strcspn", [text, set]) => {
                let (text, set) = (self.kept(*text)?, self.kept(*set)?);
                let end = self.span_of(text.clone(), &set, name == "strspn");
                self.difference(end, text)
            }
            ("strpbrk", [text, set]) => {
                let (text, set) = (self.kept(*text)?, self.kept(*set)?);
                let end = self.span_of(text, &set, false);
                let character = Expr::Deref(Scalar::U8, Box::new(end.clone()));
                self.keep(Expr::Choose(Box::new(character), Box::new(end), Box::new(Expr::Constant(0))))
            }
            ("strtok", [text, set]) => {
                let (text, set) = (self.kept(*text)?, self.kept(*set)?);
                let Some(state) = self.lowering.token_state else { return Ok(None) };
                let state = Place::global(state, self.lowering.pointers.scalar);
                self.token(text, &set, &state)
            }
            ("qsort", [array, count, size, order]) => {
                let (array, count) = (self.kept(*array)?, self.kept(*count)?);
                let (size, order) = (self.kept(*size)?, self.kept(*order)?);
                self.sort(id, &array, count, &size, &order)?;
                Expr::Constant(0)
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    /// The value of an argument, which other arguments do not change any more.
    pub(super) fn kept(&mut self, argument: ExprId) -> Lowered<Expr> {
        let value = self.value(argument)?;
        self.access(true);
        Ok(self.keep(value))
    }

    /// The number that a text begins with, and where it ends.
    fn number(
        &mut self,
        id: ExprId,
        text: Expr,
        end: Option<Expr>,
        base: i64,
        narrow: bool,
    ) -> Lowered<Expr> {
        let node = &self.lowering.tree[id];
        let result = self.lowering.kind(node.ty, node.span)?.scalar();
        // `atoi` is `strtol` in the width of an `int`.
        let wide = if narrow { self.lowering.pointers.scalar } else { result };
        let (least, most) = Scalar { signed: true, ..wide }.bounds();
        let at = self.variable(text.clone());
        let here = Expr::Load(at.clone());
        let character = |place: &Expr| Expr::Deref(Scalar::U8, Box::new(place.clone()));
        let is = |value: Expr, what: u8| equal(value, i64::from(what));
        let onward = self.further(here.clone(), Expr::Constant(1));
        let space = either(within(character(&here), b'\t', b'\r'), within(character(&here), b' ', b' '));
        self.repeat(space, |body, _| body.set(&at, onward.clone()));
        let negative = self.keep(is(character(&here), b'-'));
        let sign = either(is(character(&here), b'-'), is(character(&here), b'+'));
        self.when(sign, |body| body.set(&at, onward.clone()));
        let mut radix = Expr::Constant(if base == 0 { 10 } else { base });
        if base == 0 || base == 16 {
            let (second, third) = (onward.clone(), self.further(here.clone(), Expr::Constant(2)));
            let marked = either(is(character(&second), b'x'), is(character(&second), b'X'));
            let is_digit = Expr::binary(Binary::Less, digit(character(&third)), Expr::Constant(16));
            let both = Expr::AndAlso(Box::new(marked), Box::new(is_digit));
            let zero = is(character(&here), b'0');
            let prefix = self.keep(Expr::AndAlso(Box::new(zero.clone()), Box::new(both)));
            if base == 0 {
                let octal = Expr::Choose(Box::new(zero), Box::new(Expr::Constant(8)), Box::new(radix));
                let sixteen = Box::new(Expr::Constant(16));
                radix = self.keep(Expr::Choose(Box::new(prefix.clone()), sixteen, Box::new(octal)));
            }
            self.when(prefix, |body| body.set(&at, third.clone()));
        }
        let start = self.keep(here.clone());
        // Counted downwards, because there is one more number below 0.
        let sum = self.variable(Expr::Constant(0));
        let overflow = self.variable(Expr::Constant(0));
        let by_radix = |number: fn(i64, i64) -> i64| match (&radix, base) {
            (Expr::Constant(base), _) => Expr::Constant(number(least, *base)),
            (radix, _) => {
                let of = |base: i64| Box::new(Expr::Constant(number(least, base)));
                let octal = Expr::Choose(Box::new(equal(radix.clone(), 8)), of(8), of(10));
                Expr::Choose(Box::new(equal(radix.clone(), 16)), of(16), Box::new(octal))
            }
        };
        let (last, rest) = (by_radix(|least, base| least / base), by_radix(|least, base| -(least % base)));
        let value = digit(character(&here));
        let goes_on = Expr::binary(Binary::Less, value.clone(), radix.clone());
        self.repeat(goes_on, |body, _| {
            let value = body.keep(value.clone());
            let old = Expr::Load(sum.clone());
            let at_last = Expr::binary(Binary::Equal, old.clone(), last.clone());
            let too_much = Expr::binary(Binary::Greater, value.clone(), rest.clone());
            let beyond = either(
                Expr::binary(Binary::Less, old.clone(), last.clone()),
                Expr::AndAlso(Box::new(at_last), Box::new(too_much)),
            );
            body.set(&overflow, either(Expr::Load(overflow.clone()), beyond));
            let product = Expr::binary(Binary::Multiply, old, radix.clone());
            body.set(&sum, Expr::binary(Binary::Subtract, product, value));
            body.set(&at, onward.clone());
        });
        let sum = Expr::Load(sum);
        let positive =
            Expr::AndAlso(Box::new(Expr::negation(negative.clone())), Box::new(equal(sum.clone(), least)));
        let overflow = self.keep(either(Expr::Load(overflow), positive));
        if self.lowering.has_errno() {
            self.when(overflow.clone(), |body| {
                body.give_up("`errno` is not set where a number is too large")
            });
        }
        if let Some(end) = end {
            let none = Expr::binary(Binary::Equal, here.clone(), start);
            let value = Expr::Choose(Box::new(none), Box::new(text), Box::new(here));
            let value = self.keep(value);
            let scalar = self.lowering.pointers.scalar;
            self.store_unless_null(end, scalar, value);
        }
        let choose = |condition: Expr, yes: Expr, no: Expr| {
            Expr::Choose(Box::new(condition), Box::new(yes), Box::new(no))
        };
        let limit = choose(negative.clone(), Expr::Constant(least), Expr::Constant(most));
        let magnitude = Expr::Unary(Unary::Negate, Box::new(sum.clone()));
        let number = choose(overflow, limit, choose(negative, sum, magnitude));
        Ok(self.keep(Expr::Wrap(result, Box::new(number))))
    }

    /// Where the first character of a text is that is not in a set, or that is; or where the text ends.
    fn span_of(&mut self, text: Expr, set: &Expr, inside: bool) -> Expr {
        let at = self.variable(text);
        let here = Expr::Load(at.clone());
        let character = Expr::Deref(Scalar::U8, Box::new(here.clone()));
        let onward = self.further(here.clone(), Expr::Constant(1));
        self.repeat(character.clone(), |body, end| {
            let found = body.answer(Builtin::TextFind, vec![set.clone(), character]);
            let next = body.location();
            if inside {
                body.split(found, next, end);
            } else {
                body.split(found, end, next);
            }
            body.at = next;
            body.set(&at, onward);
        });
        here
    }

    fn difference(&mut self, end: Expr, start: Expr) -> Expr {
        let scalar = self.lowering.pointers.scalar;
        self.keep(Expr::Wrap(scalar, Box::new(Expr::binary(Binary::Subtract, end, start))))
    }

    /// The next word of a text; the text is where the last call left off, if it is not given.
    fn token(&mut self, text: Expr, set: &Expr, state: &Place) -> Expr {
        let result = self.variable(Expr::Constant(0));
        let saved = Expr::Load(state.clone());
        let start = Expr::Choose(Box::new(text.clone()), Box::new(text), Box::new(saved));
        let start = self.keep(start);
        self.when(start.clone(), |body| {
            let start = body.span_of(start, set, true);
            let start = body.keep(start);
            body.set(state, start.clone());
            let first = Expr::Deref(Scalar::U8, Box::new(start.clone()));
            body.when(first, |body| {
                body.set(&result, start.clone());
                let end = body.span_of(start, set, false);
                body.set(state, end.clone());
                let last = Expr::Deref(Scalar::U8, Box::new(end.clone()));
                body.when(last, |body| {
                    let zero = Expr::Constant(0);
                    body.emit(Command::Store { address: end.clone(), scalar: Scalar::U8, value: zero });
                    let next = body.further(end, Expr::Constant(1));
                    body.set(state, next);
                });
            });
        });
        Expr::Load(result)
    }

    /// Sorts by insertion, so that what is equal stays in its order.
    fn sort(&mut self, id: ExprId, array: &Expr, count: Expr, size: &Expr, order: &Expr) -> Lowered<()> {
        let outer = self.variable(Expr::Constant(1));
        let inner = self.variable(Expr::Constant(0));
        let mut outcome = Ok(());
        let (at, below) = (Expr::Load(outer.clone()), Expr::Load(inner.clone()));
        let one_more = |value: Expr| Expr::binary(Binary::Add, value, Expr::Constant(1));
        self.repeat(Expr::binary(Binary::Less, at.clone(), count), |body, _| {
            body.set(&inner, at.clone());
            let goes_on = Expr::binary(Binary::Greater, below.clone(), Expr::Constant(0));
            body.repeat(goes_on, |body, end| {
                let before = Expr::binary(Binary::Subtract, below.clone(), Expr::Constant(1));
                let element = |body: &mut Self, index: Expr| {
                    let offset = Expr::binary(Binary::Multiply, index, size.clone());
                    let element = body.further(array.clone(), offset);
                    body.keep(element)
                };
                let (left, right) = (element(body, before.clone()), element(body, below.clone()));
                let result = Place { scalar: Scalar::I32, ..body.temporary() };
                let arguments = [&left, &right].map(|value| Argument::Value(value.clone())).to_vec();
                let pointer = order.clone();
                outcome = body.call_step(id, |body| {
                    body.emit(Command::CallPointer { pointer, arguments, result: Some(result.clone()) });
                    Ok(())
                });
                let next = body.location();
                body.split(Expr::binary(Binary::Greater, Expr::Load(result), Expr::Constant(0)), next, end);
                body.at = next;
                body.swap(&left, &right, size);
                body.set(&inner, before);
            });
            body.set(&outer, one_more(at));
        });
        outcome
    }

    fn swap(&mut self, left: &Expr, right: &Expr, size: &Expr) {
        let index = self.variable(Expr::Constant(0));
        let at = Expr::Load(index.clone());
        self.repeat(Expr::binary(Binary::Less, at.clone(), size.clone()), |body, _| {
            let [left, right] = [left, right].map(|pointer| body.further(pointer.clone(), at.clone()));
            let read = |place: &Expr| Expr::Deref(Scalar::U8, Box::new(place.clone()));
            let (one, other) = (body.keep(read(&left)), body.keep(read(&right)));
            body.emit(Command::Store { address: left, scalar: Scalar::U8, value: other });
            body.emit(Command::Store { address: right, scalar: Scalar::U8, value: one });
            body.set(&index, Expr::binary(Binary::Add, at, Expr::Constant(1)));
        });
    }
}

fn equal(value: Expr, number: i64) -> Expr {
    Expr::binary(Binary::Equal, value, Expr::Constant(number))
}

/// The value of a digit; of another character one that no base has.
fn digit(character: Expr) -> Expr {
    let lower = moved_if(within(character.clone(), b'A', b'Z'), character.clone(), 32);
    let of_letter = Expr::binary(Binary::Subtract, lower, Expr::Constant(i64::from(b'a') - 10));
    let of_digit = Expr::binary(Binary::Subtract, character.clone(), Expr::Constant(i64::from(b'0')));
    let other =
        Expr::Choose(Box::new(letter(character.clone())), Box::new(of_letter), Box::new(Expr::Constant(99)));
    Expr::Choose(Box::new(within(character, b'0', b'9')), Box::new(of_digit), Box::new(other))
}
