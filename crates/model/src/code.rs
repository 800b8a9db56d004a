//! Expressions as flat code, and the machine that runs it.
//!
//! A postfix program on a small stack of 64-bit values. Nothing is allocated while it runs; how deep
//! the stack gets is known beforehand.

use crate::{Binary, Fault, Primitive, Scalar, Unary};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Op {
    Push(i64),
    LoadGlobal(u32, Scalar),
    LoadLocal(u32, Scalar),
    /// Pushes an address.
    AddressGlobal(u32),
    AddressLocal(u32),
    /// Takes what names a process, pushes the address `offset` bytes into its frame.
    AddressOf(u32),
    /// Takes an index and an address, pushes the address of the element.
    Index {
        stride: u32,
        length: u32,
    },
    /// Takes an address, pushes what lies there.
    LoadAt(Scalar),
    Unary(Unary),
    Binary(Binary),
    Wrap(Scalar),
    /// Takes a value; if it is 0, pushes 0 and jumps, else goes on.
    ZeroAndJump(u32),
    /// Takes a value; if it is not 0, pushes 1 and jumps, else goes on.
    OneAndJump(u32),
    /// Takes a value and jumps if it is 0.
    JumpIfZero(u32),
    Jump(u32),
    /// 0 stays 0, everything else becomes 1.
    Truth,
    Ask(u32, u8),
    /// Takes a pointer, pushes what lies there.
    Deref(Scalar),
    Apply(Primitive),
}

/// A compiled expression.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Code {
    pub(crate) ops: Vec<Op>,
    /// How many values are on the stack at most.
    pub(crate) depth: usize,
}

/// The stack a program may need; deeper expressions are refused by the compiler.
pub(crate) const STACK: usize = 64;
/// Most programs need no more than this, and a small stack is made sooner.
const SMALL_STACK: usize = 8;

/// What the evaluator does not know: the processes of a state.
pub trait Host {
    /// Whether [`Self::reads`] wants to hear of everything.
    const LISTENS: bool = false;

    /// Something is read that lies in the state.
    fn reads(&self, _at: usize, _scalar: Scalar) {}

    /// The answer to a question of the front-end's own.
    fn ask(&self, question: u32, arguments: &[i64], context: &Context<'_>) -> Result<i64, Fault>;

    /// Where the frame of the process that `value` names starts.
    fn frame_of(&self, value: i64, context: &Context<'_>) -> Result<usize, Fault>;

    /// What lies where a pointer points to.
    fn deref(&self, _pointer: i64, _scalar: Scalar, _context: &Context<'_>) -> Result<i64, Fault> {
        Err(Fault::NullPointer)
    }

    /// Which element to go on with after an index outside its array; a host that takes note of the
    /// fault itself may go on with one.
    fn outside(&self, index: i64, length: u32) -> Result<i64, Fault> {
        Err(Fault::Index { index, length })
    }
}

/// A state, and who executes in it.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    pub bytes: &'a [u8],
    /// Where the frame of whoever executes starts.
    pub local: usize,
    /// Who executes, for the host.
    pub process: u32,
}

impl Code {
    pub fn constant(value: i64) -> Self {
        Self { ops: vec![Op::Push(value)], depth: 1 }
    }

    /// The value of the expression; of a compiled place, its address.
    #[inline]
    pub fn run<H: Host>(&self, context: &Context<'_>, host: &H) -> Result<i64, Fault> {
        // The commonest expressions need no stack: a value, or two values and an operator.
        match self.ops[..] {
            _ if H::LISTENS => {}
            [value] => {
                if let Some(value) = value.alone(context) {
                    return Ok(value);
                }
            }
            [left, right, Op::Binary(operator)] => {
                if let (Some(left), Some(right)) = (left.alone(context), right.alone(context)) {
                    return binary(operator, left, right);
                }
            }
            [left, right, Op::Binary(operator), Op::Wrap(scalar)] => {
                if let (Some(left), Some(right)) = (left.alone(context), right.alone(context)) {
                    return Ok(scalar.wrap(binary(operator, left, right)?));
                }
            }
            _ => {}
        }
        if self.depth <= SMALL_STACK {
            self.run_on_stack::<H, SMALL_STACK>(context, host)
        } else {
            self.run_on_stack::<H, STACK>(context, host)
        }
    }

    fn run_on_stack<H: Host, const SIZE: usize>(
        &self,
        context: &Context<'_>,
        host: &H,
    ) -> Result<i64, Fault> {
        let mut stack = [0i64; SIZE];
        let mut top = 0;
        let mut at = 0;
        macro_rules! push {
            ($value:expr) => {{
                let value = $value;
                stack[top] = value;
                top += 1;
            }};
        }
        macro_rules! pop {
            () => {{
                top -= 1;
                stack[top]
            }};
        }
        while let Some(op) = self.ops.get(at) {
            at += 1;
            match *op {
                Op::Push(value) => push!(value),
                Op::LoadGlobal(offset, scalar) => {
                    host.reads(offset as usize, scalar);
                    push!(scalar.load(&context.bytes[offset as usize..]));
                }
                Op::LoadLocal(offset, scalar) => {
                    host.reads(context.local + offset as usize, scalar);
                    push!(scalar.load(&context.bytes[context.local + offset as usize..]));
                }
                Op::AddressGlobal(offset) => push!(i64::from(offset)),
                Op::AddressLocal(offset) => push!(context.local as i64 + i64::from(offset)),
                Op::AddressOf(offset) => {
                    let frame = host.frame_of(pop!(), context)?;
                    push!(frame as i64 + i64::from(offset));
                }
                Op::Index { stride, length } => {
                    let index = pop!();
                    let address = pop!();
                    let index = if (0..i64::from(length)).contains(&index) {
                        index
                    } else {
                        host.outside(index, length)?
                    };
                    push!(address + index * i64::from(stride));
                }
                Op::LoadAt(scalar) => {
                    let address = pop!();
                    host.reads(address as usize, scalar);
                    push!(scalar.load(&context.bytes[address as usize..]));
                }
                Op::Unary(operator) => {
                    let value = pop!();
                    push!(unary(operator, value));
                }
                Op::Binary(operator) => {
                    let right = pop!();
                    let left = pop!();
                    push!(binary(operator, left, right)?);
                }
                Op::Wrap(scalar) => {
                    let value = pop!();
                    push!(scalar.wrap(value));
                }
                Op::ZeroAndJump(target) => {
                    if pop!() == 0 {
                        push!(0);
                        at = target as usize;
                    }
                }
                Op::OneAndJump(target) => {
                    if pop!() != 0 {
                        push!(1);
                        at = target as usize;
                    }
                }
                Op::JumpIfZero(target) => {
                    if pop!() == 0 {
                        at = target as usize;
                    }
                }
                Op::Jump(target) => at = target as usize,
                Op::Truth => {
                    let value = pop!();
                    push!(i64::from(value != 0));
                }
                Op::Ask(question, count) => {
                    top -= count as usize;
                    push!(host.ask(question, &stack[top..top + count as usize], context)?);
                }
                Op::Deref(scalar) => {
                    let pointer = pop!();
                    push!(host.deref(pointer, scalar, context)?);
                }
                Op::Apply(primitive) => {
                    let second = if primitive.arity() == 2 { pop!() } else { 0 };
                    let first = pop!();
                    push!(primitive.apply(first, second)?);
                }
            }
        }
        Ok(stack[0])
    }
}

impl Op {
    /// The value of what needs nothing before it.
    #[inline]
    fn alone(self, context: &Context<'_>) -> Option<i64> {
        Some(match self {
            Self::Push(value) => value,
            Self::LoadGlobal(offset, scalar) => scalar.load(&context.bytes[offset as usize..]),
            Self::LoadLocal(offset, scalar) => scalar.load(&context.bytes[context.local + offset as usize..]),
            Self::AddressGlobal(offset) => i64::from(offset),
            Self::AddressLocal(offset) => context.local as i64 + i64::from(offset),
            _ => return None,
        })
    }
}

fn unary(operator: Unary, value: i64) -> i64 {
    match operator {
        Unary::Negate => value.wrapping_neg(),
        Unary::Not => i64::from(value == 0),
        Unary::Complement => !value,
    }
}

#[inline]
fn binary(operator: Binary, left: i64, right: i64) -> Result<i64, Fault> {
    let shift = |amount: i64| u32::try_from(amount).ok().filter(|amount| *amount < 64);
    Ok(match operator {
        Binary::Add => left.wrapping_add(right),
        Binary::Subtract => left.wrapping_sub(right),
        Binary::Multiply => left.wrapping_mul(right),
        Binary::Divide if right == 0 => return Err(Fault::DivisionByZero),
        Binary::Divide => left.wrapping_div(right),
        Binary::Remainder if right == 0 => return Err(Fault::DivisionByZero),
        Binary::Remainder => left.wrapping_rem(right),
        Binary::And => left & right,
        Binary::Or => left | right,
        Binary::Xor => left ^ right,
        Binary::ShiftLeft => shift(right).map_or(0, |amount| left << amount),
        Binary::ShiftRight => left >> shift(right).unwrap_or(63),
        Binary::Equal => i64::from(left == right),
        Binary::NotEqual => i64::from(left != right),
        Binary::Less => i64::from(left < right),
        Binary::LessEqual => i64::from(left <= right),
        Binary::Greater => i64::from(left > right),
        Binary::GreaterEqual => i64::from(left >= right),
    })
}
