//! gcc's builtins that have no function behind them.

use model::{Argument, Binary, Command, Expr, Failure, Primitive, Scalar};
use source::Span;

use super::Lowered;
use super::arithmetic::{comparison, operation};
use super::body::Body;
use super::places::Spot;
use super::types::ScalarKind;
use crate::tree::{
    Arithmetic, AtomicOp, BitCount, Builtin, Comparison, ExprId, FloatTest, Rmw, Type, TypeId,
};

impl Body<'_, '_> {
    pub(super) fn builtin(
        &mut self,
        which: Builtin,
        arguments: &[ExprId],
        ty: TypeId,
        span: Span,
    ) -> Lowered<Expr> {
        match which {
            Builtin::Abs => {
                let value = self.only(arguments, span)?;
                let kind = self.lowering.kind(ty, span)?;
                Ok(self.magnitude(value, kind))
            }
            Builtin::ByteSwap => {
                let value = self.only(arguments, span)?;
                let scalar = self.lowering.kind(ty, span)?.scalar();
                let swapped = Expr::Apply(Primitive::SwapBytes, vec![value]);
                let down = i64::from(64 - scalar.bits);
                let moved = Expr::Apply(Primitive::ShiftRightUnsigned, vec![swapped, Expr::Constant(down)]);
                Ok(self.lowering.convert(moved, ScalarKind::Int(Scalar::I64), ScalarKind::Int(scalar)))
            }
            Builtin::CountBits(count) => self.count_bits(count, arguments, span),
            Builtin::FloatTest(test) => self.float_test(test, arguments, span),
            Builtin::FloatAbs => {
                Ok(Expr::Apply(Primitive::FloatMagnitude, vec![self.only(arguments, span)?]))
            }
            Builtin::CopySign => Ok(Expr::Apply(Primitive::CopySign, self.values(arguments)?)),
            Builtin::Overflow { op, at, stores } => self.overflow(op, at, stores, arguments, span),
            Builtin::Alloca => {
                let size = self.only(arguments, span)?;
                let result = self.temporary();
                self.access(true);
                let which = model::Builtin::AllocateInFrame;
                self.emit(Command::Builtin { which, arguments: vec![size], result: Some(result.clone()) });
                Ok(Expr::Load(result))
            }
            Builtin::Unreachable => {
                self.emit(Command::Fail(Failure::Unreachable));
                self.end_of_program();
                Ok(Expr::Constant(0))
            }
            Builtin::Trap => {
                self.end_of_program();
                Ok(Expr::Constant(0))
            }
            Builtin::Atomic { op, .. } => self.atomic_operation(op, arguments, ty, span),
        }
    }

    fn only(&mut self, arguments: &[ExprId], span: Span) -> Lowered<Expr> {
        match arguments {
            [argument, ..] => self.value(*argument),
            [] => self.lowering.refuse(span, "an argument is missing"),
        }
    }

    fn count_bits(&mut self, count: BitCount, arguments: &[ExprId], span: Span) -> Lowered<Expr> {
        let Some(first) = arguments.first() else {
            return self.lowering.refuse(span, "an argument is missing");
        };
        let scalar = self.lowering.kind(self.lowering.tree[*first].ty, span)?.scalar();
        let value = self.value(*first)?;
        let unsigned = ScalarKind::Int(Scalar { signed: false, ..scalar });
        let bits = self.lowering.convert(value, ScalarKind::Int(scalar), unsigned);
        let bits = self.keep(bits);
        let apply = |primitive, value| Expr::Apply(primitive, vec![value]);
        let less = |value, by| Expr::binary(Binary::Subtract, value, Expr::Constant(by));
        let spare = i64::from(64 - scalar.bits);
        Ok(match count {
            BitCount::Ones => apply(Primitive::CountOnes, bits),
            BitCount::Parity => {
                Expr::binary(Binary::And, apply(Primitive::CountOnes, bits), Expr::Constant(1))
            }
            BitCount::LeadingZeros => less(apply(Primitive::LeadingZeros, bits), spare),
            BitCount::TrailingZeros => apply(Primitive::TrailingZeros, bits),
            BitCount::FirstSet => {
                let place = less(apply(Primitive::TrailingZeros, bits.clone()), -1);
                let is_zero = Expr::negation(bits);
                Expr::Choose(Box::new(is_zero), Box::new(Expr::Constant(0)), Box::new(place))
            }
            BitCount::RedundantSign => {
                let signed = Scalar { signed: true, ..scalar };
                let value = Expr::Wrap(signed, Box::new(bits));
                let sign = Expr::binary(Binary::ShiftRight, value.clone(), Expr::Constant(63));
                let folded = Expr::binary(Binary::Xor, value, sign);
                less(apply(Primitive::LeadingZeros, folded), spare + 1)
            }
        })
    }

    fn float_test(&mut self, test: FloatTest, arguments: &[ExprId], span: Span) -> Lowered<Expr> {
        let mut values = Vec::new();
        for value in self.values(arguments)? {
            values.push(self.keep(value));
        }
        let Some(first) = values.first().cloned() else {
            return self.lowering.refuse(span, "an argument is missing");
        };
        let second = values.get(1).cloned().unwrap_or(Expr::Constant(0));
        let is = |primitive| Expr::Apply(primitive, vec![first.clone()]);
        let either = |one, other| Expr::OrElse(Box::new(one), Box::new(other));
        Ok(match test {
            FloatTest::NotANumber => is(Primitive::IsNotANumber),
            FloatTest::Infinite => is(Primitive::IsInfinite),
            FloatTest::InfiniteSign => {
                let sign = Expr::Choose(
                    Box::new(is(Primitive::SignBit)),
                    Box::new(Expr::Constant(-1)),
                    Box::new(Expr::Constant(1)),
                );
                let infinite = Box::new(is(Primitive::IsInfinite));
                Expr::Choose(infinite, Box::new(sign), Box::new(Expr::Constant(0)))
            }
            FloatTest::Finite => {
                Expr::negation(either(is(Primitive::IsInfinite), is(Primitive::IsNotANumber)))
            }
            FloatTest::Normal => is(Primitive::IsNormal),
            FloatTest::SignBit => is(Primitive::SignBit),
            FloatTest::Unordered => {
                either(is(Primitive::IsNotANumber), Expr::Apply(Primitive::IsNotANumber, vec![second]))
            }
            FloatTest::LessOrGreater => either(
                Expr::Apply(Primitive::FloatLess, vec![first.clone(), second.clone()]),
                Expr::Apply(Primitive::FloatLess, vec![second, first]),
            ),
        })
    }

    /// Exact only where 64 bits are enough for the exact result.
    fn overflow(
        &mut self,
        op: Arithmetic,
        _: TypeId,
        stores: bool,
        arguments: &[ExprId],
        span: Span,
    ) -> Lowered<Expr> {
        let tree = self.lowering.tree;
        let [left, right, into] = arguments else {
            return self.lowering.refuse(span, "an argument is missing");
        };
        let target = match self.type_of(tree[*into].ty) {
            Type::Pointer(pointee) if stores => pointee,
            _ => tree[*into].ty,
        };
        let scalar = self.lowering.kind(target, span)?.scalar();
        for operand in [left, right] {
            let kind = self.lowering.kind(tree[*operand].ty, span)?;
            if kind.scalar().bits > 32 {
                return self.lowering.refuse(span, "overflow of integers of 64 bits is not supported");
            }
        }
        let (left, right) = (self.value(*left)?, self.value(*right)?);
        let exact = operation(op, left, right, ScalarKind::Int(Scalar::I64), false);
        let exact = self.keep(exact);
        let fits =
            self.lowering.convert(exact.clone(), ScalarKind::Int(Scalar::I64), ScalarKind::Int(scalar));
        if stores {
            let pointer = self.value(*into)?;
            self.store(&Spot::pointer(pointer), target, fits.clone(), span)?;
        }
        Ok(Expr::binary(Binary::NotEqual, exact, fits))
    }

    /// Atomic operations happen in one edge.
    fn atomic_operation(
        &mut self,
        op: AtomicOp,
        arguments: &[ExprId],
        ty: TypeId,
        span: Span,
    ) -> Lowered<Expr> {
        let tree = self.lowering.tree;
        let mut values = Vec::new();
        for argument in arguments {
            match self.argument(*argument)? {
                Argument::Value(value) => values.push(self.keep(value)),
                Argument::Block(..) => {
                    return self.lowering.refuse(span, "an atomic operation on a record is not supported");
                }
            }
        }
        let Some(address) = values.first().cloned() else { return Ok(Expr::Constant(0)) };
        let Some(target) = tree.types.pointee(tree[arguments[0]].ty) else {
            return self.lowering.refuse(span, "an atomic operation without an address is not supported");
        };
        let spot = Spot::pointer(address);
        let at = |index: usize| values.get(index).cloned().unwrap_or(Expr::Constant(0));
        let pointed = |index: usize| Spot::pointer(at(index));
        if self.visible && self.lowering.threads {
            self.cut();
        }
        self.atomic += 1;
        let kind = self.lowering.kind(target, span)?;
        let value = match op {
            AtomicOp::Fence | AtomicOp::SignalFence => Ok(Expr::Constant(0)),
            AtomicOp::Load => self.load(&spot, target, span),
            AtomicOp::LoadInto => {
                let value = self.load(&spot, target, span)?;
                self.store(&pointed(1), target, value, span).map(|()| Expr::Constant(0))
            }
            AtomicOp::Store => self.store(&spot, target, at(1), span).map(|()| Expr::Constant(0)),
            AtomicOp::TestAndSet => {
                let old = self.load(&spot, target, span)?;
                let old = self.keep(old);
                self.store(&spot, target, Expr::Constant(1), span)?;
                Ok(Expr::binary(Binary::NotEqual, old, Expr::Constant(0)))
            }
            AtomicOp::Exchange | AtomicOp::ExchangeInto => {
                let new = match op {
                    AtomicOp::Exchange => at(1),
                    _ => self.load(&pointed(1), target, span)?,
                };
                let old = self.load(&spot, target, span)?;
                let old = self.keep(old);
                self.store(&spot, target, new, span)?;
                if op == AtomicOp::ExchangeInto {
                    self.store(&pointed(2), target, old.clone(), span)?;
                }
                Ok(old)
            }
            AtomicOp::SwapBool | AtomicOp::SwapValue => {
                let old = self.load(&spot, target, span)?;
                let old = self.keep(old);
                let met = comparison(Comparison::Equal, old.clone(), at(1), kind);
                let met = self.keep(met);
                let new = Expr::Choose(Box::new(met.clone()), Box::new(at(2)), Box::new(old.clone()));
                self.store(&spot, target, new, span)?;
                Ok(if op == AtomicOp::SwapBool { met } else { old })
            }
            AtomicOp::CompareExchange => {
                let old = self.load(&spot, target, span)?;
                let old = self.keep(old);
                let expected = self.load(&pointed(1), target, span)?;
                let met = comparison(Comparison::Equal, old.clone(), expected, kind);
                let met = self.keep(met);
                let new = Expr::Choose(Box::new(met.clone()), Box::new(at(2)), Box::new(old.clone()));
                self.store(&spot, target, new, span)?;
                self.store(&pointed(1), target, old, span)?;
                Ok(met)
            }
            AtomicOp::Fetch(change) | AtomicOp::Update(change) => {
                let old = self.load(&spot, target, span)?;
                let old = self.keep(old);
                let new = self.changed_atomically(change, old.clone(), at(1), target, span)?;
                let new = self.keep(new);
                self.store(&spot, target, new.clone(), span)?;
                Ok(if matches!(op, AtomicOp::Fetch(_)) { old } else { new })
            }
        };
        self.atomic -= 1;
        let value = value?;
        if tree.types.is_void(ty) { Ok(Expr::Constant(0)) } else { Ok(value) }
    }

    fn changed_atomically(
        &mut self,
        change: Rmw,
        old: Expr,
        by: Expr,
        target: TypeId,
        span: Span,
    ) -> Lowered<Expr> {
        let kind = self.lowering.kind(target, span)?;
        if let ScalarKind::Pointer(_) = kind {
            return Ok(self.pointer_sum(old, by, 1, change == Rmw::Subtract));
        }
        let op = match change {
            Rmw::Add => Arithmetic::Add,
            Rmw::Subtract => Arithmetic::Subtract,
            Rmw::And | Rmw::Nand => Arithmetic::And,
            Rmw::Or => Arithmetic::Or,
            Rmw::Xor => Arithmetic::Xor,
        };
        // Atomic arithmetic wraps.
        let result = operation(op, old, by, kind, false);
        if change != Rmw::Nand {
            return Ok(result);
        }
        let complement = Expr::Unary(model::Unary::Complement, Box::new(result));
        Ok(self.lowering.convert(complement, ScalarKind::Int(Scalar::I64), kind))
    }
}
