//! What gcc has as `__builtin_...` without a function behind it, as far as it can be carried. The rest is
//! refused here, and with it every node of the library that nobody knows.

use rucc_sema::{
    AtomicOp as TheirAtomic, BitCount as TheirCount, Classify, ExprKind as Kind, Ordering, OverflowOp,
    Rmw as TheirRmw, Sign,
};
use source::Span;

use super::lower::{Lower, Lowered};
use crate::tree::{Arithmetic, AtomicOp, BitCount, Builtin, ExprId, ExprKind, FloatTest, Order, Rmw};

impl Lower<'_> {
    pub(super) fn builtin(&mut self, kind: Kind, ty: rucc_types::TypeId, span: Span) -> Lowered<ExprId> {
        let ty = self.typed(ty, span)?;
        let (which, arguments): (Builtin, Box<[ExprId]>) = match kind {
            Kind::Abs { operand } => (Builtin::Abs, [self.expression(operand)?].into()),
            Kind::ByteSwap { operand } => (Builtin::ByteSwap, [self.expression(operand)?].into()),
            Kind::BitCount { operand, count } => {
                (Builtin::CountBits(bit_count(count)), [self.expression(operand)?].into())
            }
            Kind::Overflow { op, at, args, stores } => {
                let op = match op {
                    OverflowOp::Add => Arithmetic::Add,
                    OverflowOp::Sub => Arithmetic::Subtract,
                    OverflowOp::Mul => Arithmetic::Multiply,
                };
                let at = self.typed(at, span)?;
                (Builtin::Overflow { op, at, stores }, self.expressions(args)?)
            }
            Kind::Classify { op, lhs, rhs } => {
                let mut arguments = vec![self.expression(lhs)?];
                if let Some(rhs) = rhs {
                    arguments.push(self.expression(rhs)?);
                }
                (Builtin::FloatTest(float_test(op)), arguments.into())
            }
            Kind::Sign { op: Sign::Clear, lhs, rhs: None } => {
                (Builtin::FloatAbs, [self.expression(lhs)?].into())
            }
            Kind::Sign { op: Sign::Of, lhs, rhs: Some(rhs) } => {
                (Builtin::CopySign, [self.expression(lhs)?, self.expression(rhs)?].into())
            }
            Kind::Alloca { size } => (Builtin::Alloca, [self.expression(size)?].into()),
            Kind::Unreachable => (Builtin::Unreachable, [].into()),
            Kind::Trap => (Builtin::Trap, [].into()),
            Kind::Atomic { op, order, args, .. } => {
                let which = Builtin::Atomic { op: atomic(op), order: ordering(order) };
                (which, self.expressions(args)?)
            }
            // A hint: the address is computed, and that is all.
            Kind::Prefetch { address, .. } => {
                let operand = self.expression(address)?;
                return Ok(self.program.add_expr(ExprKind::Convert { operand, explicit: true }, ty, span));
            }
            // Its operand is not evaluated, and what is not known to be constant is not.
            Kind::ConstantP { .. } => return Ok(self.program.add_expr(ExprKind::Int(0), ty, span)),
            // Nothing is known of the object: the largest size, or the smallest, as gcc says then.
            Kind::ObjectSize { kind, .. } => {
                let unknown = if kind & 2 == 0 { -1 } else { 0 };
                let unknown = self.program.types.int(ty).map_or(0, |int| int.wrap(unknown));
                return Ok(self.program.add_expr(ExprKind::Int(unknown), ty, span));
            }
            kind => return Err(self.unsupported(name_of(kind), span)),
        };
        Ok(self.program.add_expr(ExprKind::Builtin { which, arguments }, ty, span))
    }
}

/// What to call a node that is refused.
fn name_of(kind: Kind) -> &'static str {
    match kind {
        Kind::FpClassify { .. } => "`__builtin_fpclassify`",
        Kind::ConvertVector { .. }
        | Kind::Elementwise { .. }
        | Kind::Shuffle { .. }
        | Kind::ShuffleVector { .. } => "a vector type",
        Kind::Complex { .. } => "a complex number",
        Kind::FrameAddress { .. } | Kind::SpEntry => "an address in the stack",
        Kind::ThreadPointer => "`__builtin_thread_pointer`",
        Kind::TimeStamp { .. } | Kind::Eflags { .. } | Kind::XState { .. } | Kind::CpuModel { .. } => {
            "a question to the processor"
        }
        Kind::Apply { .. } | Kind::ApplyArgs => "`__builtin_apply`",
        _ => "an expression of this kind",
    }
}

fn bit_count(count: TheirCount) -> BitCount {
    match count {
        TheirCount::Leading => BitCount::LeadingZeros,
        TheirCount::Trailing => BitCount::TrailingZeros,
        TheirCount::Ones => BitCount::Ones,
        TheirCount::Parity => BitCount::Parity,
        TheirCount::FirstSet => BitCount::FirstSet,
        TheirCount::RedundantSign => BitCount::RedundantSign,
    }
}

fn float_test(op: Classify) -> FloatTest {
    match op {
        Classify::Unordered => FloatTest::Unordered,
        Classify::LessGreater => FloatTest::LessOrGreater,
        Classify::Nan => FloatTest::NotANumber,
        Classify::Infinite => FloatTest::Infinite,
        Classify::Finite => FloatTest::Finite,
        Classify::Normal => FloatTest::Normal,
        Classify::SignBit => FloatTest::SignBit,
        Classify::InfiniteSign => FloatTest::InfiniteSign,
    }
}

fn atomic(op: TheirAtomic) -> AtomicOp {
    match op {
        TheirAtomic::Load => AtomicOp::Load,
        TheirAtomic::LoadInto => AtomicOp::LoadInto,
        TheirAtomic::Store => AtomicOp::Store,
        TheirAtomic::Fence => AtomicOp::Fence,
        TheirAtomic::SignalFence => AtomicOp::SignalFence,
        TheirAtomic::CompareExchange => AtomicOp::CompareExchange,
        TheirAtomic::SwapBool => AtomicOp::SwapBool,
        TheirAtomic::SwapValue => AtomicOp::SwapValue,
        TheirAtomic::Exchange => AtomicOp::Exchange,
        TheirAtomic::ExchangeInto => AtomicOp::ExchangeInto,
        TheirAtomic::TestAndSet => AtomicOp::TestAndSet,
        TheirAtomic::Fetch(op) => AtomicOp::Fetch(rmw(op)),
        TheirAtomic::Update(op) => AtomicOp::Update(rmw(op)),
    }
}

fn rmw(op: TheirRmw) -> Rmw {
    match op {
        TheirRmw::Add => Rmw::Add,
        TheirRmw::Sub => Rmw::Subtract,
        TheirRmw::And => Rmw::And,
        TheirRmw::Nand => Rmw::Nand,
        TheirRmw::Or => Rmw::Or,
        TheirRmw::Xor => Rmw::Xor,
    }
}

fn ordering(order: Ordering) -> Order {
    match order {
        Ordering::Relaxed => Order::Relaxed,
        Ordering::Acquire => Order::Acquire,
        Ordering::Release => Order::Release,
        Ordering::AcqRel => Order::AcquireRelease,
        Ordering::SeqCst | Ordering::Full => Order::Sequential,
    }
}
