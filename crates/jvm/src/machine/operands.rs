//! The operands of the call on top. A class file that takes more than it put there ends in an error.

use super::{Halt, Machine, Run};
use crate::value::{Ref, Value};

impl Machine<'_> {
    #[inline]
    pub(crate) fn push(&mut self, value: Value) {
        self.calls.stack.push(value);
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Run<Value> {
        let bottom = self.calls.frames.last().map_or(0, |frame| frame.operands as usize);
        if self.calls.stack.len() <= bottom {
            return Err(self.bad());
        }
        self.calls.stack.pop().ok_or(Halt::Stop)
    }

    /// The operand that lies under so many others.
    #[inline]
    pub(crate) fn peek(&mut self, under: usize) -> Run<Value> {
        let bottom = self.calls.frames.last().map_or(0, |frame| frame.operands as usize);
        let at = self.calls.stack.len().checked_sub(under + 1).filter(|at| *at >= bottom);
        match at {
            Some(at) => Ok(self.calls.stack[at]),
            None => Err(self.bad()),
        }
    }

    /// Takes so many operands away.
    pub(crate) fn drop(&mut self, count: usize) {
        let length = self.calls.stack.len().saturating_sub(count);
        self.calls.stack.truncate(length);
    }

    /// The class file uses a value as what it is not.
    pub(crate) fn bad(&mut self) -> Halt {
        let name = self.calls.frames.last().map(|frame| {
            let method = self.world.method(frame.method);
            format!("{}.{}", self.world.class(method.class).name.replace('/', "."), method.name)
        });
        let name = name.unwrap_or_default();
        self.needs(&format!("a class file that is well formed (in {name})"))
    }

    #[inline]
    pub(crate) fn pop_int(&mut self) -> Run<i32> {
        match self.pop()? {
            Value::Int(value) => Ok(value),
            _ => Err(self.bad()),
        }
    }

    #[inline]
    pub(crate) fn pop_ref(&mut self) -> Run<Ref> {
        match self.pop()? {
            Value::Ref(value) => Ok(value),
            _ => Err(self.bad()),
        }
    }

    #[inline]
    pub(crate) fn peek_ref(&mut self, under: usize) -> Run<Ref> {
        match self.peek(under)? {
            Value::Ref(value) => Ok(value),
            _ => Err(self.bad()),
        }
    }

    #[inline]
    pub(crate) fn peek_int(&mut self, under: usize) -> Run<i32> {
        match self.peek(under)? {
            Value::Int(value) => Ok(value),
            _ => Err(self.bad()),
        }
    }

    /// Puts copies of the top operands below others, as the `dup` family does.
    pub(crate) fn duplicate(&mut self, count: usize, below: usize) -> Run<()> {
        self.peek(count + below - 1)?;
        let length = self.calls.stack.len();
        let top: Vec<Value> = self.calls.stack[length - count..].to_vec();
        let at = length - count - below;
        self.calls.stack.splice(at..at, top);
        Ok(())
    }

    /// How many entries the two slots of the top operands take: one if the top is wide.
    pub(crate) fn pair(&mut self, under: usize) -> Run<usize> {
        Ok(if self.peek(under)?.is_wide() { 1 } else { 2 })
    }

    pub(crate) fn local(&mut self, slot: u16) -> Run<Value> {
        let (base, operands) = self.calls.frames.last().map_or((0, 0), |frame| (frame.base, frame.operands));
        let at = base as usize + usize::from(slot);
        if at >= operands as usize {
            return Err(self.bad());
        }
        Ok(self.calls.stack[at])
    }

    pub(crate) fn set_local(&mut self, slot: u16, value: Value) -> Run<()> {
        let (base, operands) = self.calls.frames.last().map_or((0, 0), |frame| (frame.base, frame.operands));
        let at = base as usize + usize::from(slot);
        if at >= operands as usize {
            return Err(self.bad());
        }
        self.calls.stack[at] = value;
        Ok(())
    }
}
