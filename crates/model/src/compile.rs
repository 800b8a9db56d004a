//! From expression trees to flat code.

use thiserror::Error;

use crate::code::{Op, STACK};
use crate::{Base, Code, Expr, Place};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the expression is nested too deeply")]
pub struct TooDeep;

/// Code for the value of an expression.
pub fn compile(expr: &Expr) -> Result<Code, TooDeep> {
    let mut compiler = Compiler { ops: Vec::new(), depth: 0, deepest: 0 };
    compiler.expr(expr)?;
    Ok(Code { ops: compiler.ops, depth: compiler.deepest })
}

/// Code for the address of a place.
pub fn compile_place(place: &Place) -> Result<Code, TooDeep> {
    let mut compiler = Compiler { ops: Vec::new(), depth: 0, deepest: 0 };
    compiler.address(place)?;
    Ok(Code { ops: compiler.ops, depth: compiler.deepest })
}

struct Compiler {
    ops: Vec<Op>,
    /// How much of the stack is in use here; also bounds the recursion, because every level of
    /// nesting that could go on for ever keeps something on the stack or is counted below.
    depth: usize,
    deepest: usize,
}

impl Compiler {
    fn push(&mut self, op: Op) -> Result<(), TooDeep> {
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        if self.depth > STACK {
            return Err(TooDeep);
        }
        self.ops.push(op);
        Ok(())
    }

    fn expr(&mut self, expr: &Expr) -> Result<(), TooDeep> {
        match expr {
            Expr::Constant(value) => self.push(Op::Push(*value))?,
            Expr::Load(place) => self.load(place)?,
            Expr::Unary(operator, inner) => {
                self.expr(inner)?;
                self.ops.push(Op::Unary(*operator));
            }
            Expr::Wrap(scalar, inner) => {
                self.expr(inner)?;
                self.ops.push(Op::Wrap(*scalar));
            }
            Expr::Binary(operator, left, right) => {
                self.expr(left)?;
                self.expr(right)?;
                self.ops.push(Op::Binary(*operator));
                self.depth -= 1;
            }
            Expr::AndAlso(left, right) => self.short_circuit(left, right, Op::ZeroAndJump)?,
            Expr::OrElse(left, right) => self.short_circuit(left, right, Op::OneAndJump)?,
            Expr::Choose(condition, yes, no) => {
                self.expr(condition)?;
                self.depth -= 1;
                let to_no = self.placeholder();
                self.expr(yes)?;
                self.depth -= 1;
                let to_end = self.placeholder();
                self.ops[to_no] = Op::JumpIfZero(self.here());
                self.expr(no)?;
                self.ops[to_end] = Op::Jump(self.here());
            }
            Expr::Ask(question, arguments) => {
                for argument in arguments {
                    self.expr(argument)?;
                }
                self.depth -= arguments.len();
                self.push(Op::Ask(*question, arguments.len() as u8))?;
            }
            Expr::Deref(scalar, pointer) => {
                self.expr(pointer)?;
                self.ops.push(Op::Deref(*scalar));
            }
            Expr::Apply(primitive, arguments) => {
                for argument in arguments.iter().take(primitive.arity()) {
                    self.expr(argument)?;
                }
                self.ops.push(Op::Apply(*primitive));
                self.depth -= primitive.arity() - 1;
            }
        }
        Ok(())
    }

    fn short_circuit(&mut self, left: &Expr, right: &Expr, jump: fn(u32) -> Op) -> Result<(), TooDeep> {
        self.expr(left)?;
        self.depth -= 1;
        let decided = self.placeholder();
        self.expr(right)?;
        self.ops.push(Op::Truth);
        self.ops[decided] = jump(self.here());
        Ok(())
    }

    fn load(&mut self, place: &Place) -> Result<(), TooDeep> {
        match (&place.base, place.indices.is_empty()) {
            (Base::Global, true) => self.push(Op::LoadGlobal(place.offset, place.scalar)),
            (Base::Local, true) => self.push(Op::LoadLocal(place.offset, place.scalar)),
            _ => {
                self.address(place)?;
                self.ops.push(Op::LoadAt(place.scalar));
                Ok(())
            }
        }
    }

    fn address(&mut self, place: &Place) -> Result<(), TooDeep> {
        match &place.base {
            Base::Global => self.push(Op::AddressGlobal(place.offset))?,
            Base::Local => self.push(Op::AddressLocal(place.offset))?,
            Base::Of(process) => {
                self.expr(process)?;
                self.ops.push(Op::AddressOf(place.offset));
            }
        }
        for index in &place.indices {
            self.expr(&index.value)?;
            self.ops.push(Op::Index { stride: index.stride, length: index.length });
            self.depth -= 1;
        }
        Ok(())
    }

    fn placeholder(&mut self) -> usize {
        self.ops.push(Op::Jump(0));
        self.ops.len() - 1
    }

    fn here(&self) -> u32 {
        self.ops.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Binary, Context, Fault, Host, Index, Scalar, Unary};

    struct Alone;

    impl Host for Alone {
        fn ask(&self, question: u32, arguments: &[i64], _: &Context<'_>) -> Result<i64, Fault> {
            Ok(i64::from(question) + arguments.iter().sum::<i64>())
        }

        fn frame_of(&self, value: i64, _: &Context<'_>) -> Result<usize, Fault> {
            if value == 1 { Ok(2) } else { Err(Fault::NoProcess(value)) }
        }
    }

    fn value(expr: &Expr) -> Result<i64, Fault> {
        let bytes = [10, 20, 30, 0xff, 50, 60];
        let context = Context { bytes: &bytes, local: 2, process: 0 };
        compile(expr).unwrap().run(&context, &Alone)
    }

    fn load(place: Place) -> Expr {
        Expr::Load(place)
    }

    #[test]
    fn loads_find_their_frame() {
        assert_eq!(value(&load(Place::global(1, Scalar::U8))), Ok(20));
        assert_eq!(value(&load(Place::local(1, Scalar::signed(8)))), Ok(-1));
        let of = |process| Place {
            base: Base::Of(Box::new(Expr::Constant(process))),
            ..Place::global(2, Scalar::U8)
        };
        assert_eq!(value(&load(of(1))), Ok(50));
        assert_eq!(value(&load(of(7))), Err(Fault::NoProcess(7)));
    }

    #[test]
    fn indices_are_checked() {
        let element = |index| {
            let index = Index { value: Expr::Constant(index), stride: 2, length: 3 };
            load(Place { indices: vec![index], ..Place::global(0, Scalar::U8) })
        };
        assert_eq!(value(&element(2)), Ok(50));
        assert_eq!(value(&element(3)), Err(Fault::Index { index: 3, length: 3 }));
        assert_eq!(value(&element(-1)), Err(Fault::Index { index: -1, length: 3 }));
    }

    #[test]
    fn the_second_operand_is_looked_at_only_when_it_matters() {
        let fault = || Expr::binary(Binary::Divide, Expr::Constant(1), Expr::Constant(0));
        let and = |left| Expr::AndAlso(Box::new(Expr::Constant(left)), Box::new(fault()));
        let or = |left| Expr::OrElse(Box::new(Expr::Constant(left)), Box::new(fault()));
        assert_eq!(value(&and(0)), Ok(0));
        assert_eq!(value(&and(5)), Err(Fault::DivisionByZero));
        assert_eq!(value(&or(5)), Ok(1));
        assert_eq!(value(&or(0)), Err(Fault::DivisionByZero));
        let choose = |condition| {
            Expr::Choose(Box::new(Expr::Constant(condition)), Box::new(Expr::Constant(7)), Box::new(fault()))
        };
        assert_eq!(value(&choose(1)), Ok(7));
        assert_eq!(value(&choose(0)), Err(Fault::DivisionByZero));
    }

    #[test]
    fn truth_values_are_zero_and_one() {
        let seven = || Box::new(Expr::Constant(7));
        assert_eq!(value(&Expr::AndAlso(seven(), seven())), Ok(1));
        assert_eq!(value(&Expr::OrElse(Box::new(Expr::Constant(0)), seven())), Ok(1));
        assert_eq!(value(&Expr::negation(Expr::Constant(7))), Ok(0));
        assert_eq!(value(&Expr::Unary(Unary::Complement, seven())), Ok(-8));
    }

    #[test]
    fn questions_go_to_the_host() {
        let sum = Expr::Ask(100, vec![Expr::Constant(1), Expr::Constant(2)]);
        assert_eq!(value(&Expr::binary(Binary::Add, sum, Expr::Constant(1000))), Ok(1103));
    }

    #[test]
    fn deep_nesting_is_refused() {
        let mut expr = Expr::Constant(1);
        for _ in 0..STACK {
            expr = Expr::binary(Binary::Add, Expr::Constant(1), expr);
        }
        assert_eq!(compile(&expr), Err(TooDeep));
        let mut flat = Expr::Constant(1);
        for _ in 0..STACK {
            flat = Expr::binary(Binary::Add, flat, Expr::Constant(1));
        }
        assert_eq!(value(&flat), Ok(STACK as i64 + 1));
    }
}
