//! The loop over operations.

use std::sync::Arc;

use super::arithmetic::{self, No};
use super::{Ended, Flow, Halt, Machine, Run};
use crate::code::{Dispatch, Op};
use crate::value::{Ref, Value};
use crate::world::{Linked, Origin};

impl Machine<'_> {
    /// Runs until the step ends, or until no call is left.
    pub(crate) fn run(&mut self) -> Ended {
        let mut first = true;
        while let Some(frame) = self.calls.frames.last() {
            let Some(linked) = self.world.method(frame.method).code.clone() else {
                return Ended::Needs(self.world.need("the code of a method that has none"));
            };
            if let Some(ended) = self.run_call(&linked, &mut first) {
                return ended;
            }
        }
        Ended::Fine
    }

    /// Runs the call on top until another is, or the step ends.
    fn run_call(&mut self, linked: &Arc<Linked>, first: &mut bool) -> Option<Ended> {
        let depth = self.calls.frames.len();
        let mut at = self.calls.frames.last()?.op;
        loop {
            let Some(op) = linked.code.ops.get(at as usize).copied() else {
                return Some(Ended::Needs(self.world.need("a class file whose code ends with a return")));
            };
            if let Some(frame) = self.calls.frames.last_mut() {
                frame.op = at;
            }
            if !*first && self.ends_line(linked, at) {
                return Some(Ended::Fine);
            }
            if !self.conduct.spend() {
                return Some(if self.in_base {
                    Ended::Needs(self.world.need("an initialiser of a JDK class that ends"))
                } else {
                    Ended::Fine
                });
            }
            match self.execute(linked, op) {
                Ok(Flow::Next) => at += 1,
                Ok(Flow::Jump(to)) => at = to,
                Ok(Flow::Call) => {
                    *first = false;
                    self.conduct.dirty = true;
                    return None;
                }
                Err(Halt::Throw(exception)) => {
                    self.conduct.dirty = true;
                    *first = false;
                    if let Err(halt) = self.unwind(exception) {
                        return Some(self.halted(halt));
                    }
                    if self.calls.frames.len() != depth {
                        return None;
                    }
                    at = self.calls.frames.last()?.op;
                }
                Err(Halt::Again) => return None,
                Err(halt) => return Some(self.halted(halt)),
            }
            *first = false;
            self.conduct.fresh = false;
            self.conduct.dirty = true;
        }
    }

    /// Whether a step by lines ends before this operation.
    fn ends_line(&self, linked: &Linked, at: u32) -> bool {
        self.conduct.by_lines
            && self.conduct.alone
            && linked.origin == Origin::User
            && linked.starts.get(at as usize).copied().unwrap_or(false)
    }

    fn halted(&mut self, halt: Halt) -> Ended {
        match halt {
            Halt::Stop | Halt::Again | Halt::Bytecode | Halt::Throw(_) => Ended::Fine,
            Halt::Blocked(_) if self.conduct.dirty => Ended::Fine,
            Halt::Blocked(wait) => Ended::Blocked(wait),
            Halt::Needs(need) => Ended::Needs(need),
            Halt::Exit => {
                self.scene.exited = true;
                Ended::Fine
            }
            Halt::Forbidden => Ended::Fine,
        }
    }

    #[inline]
    fn execute(&mut self, linked: &Linked, op: Op) -> Run<Flow> {
        match op {
            Op::Nop => {}
            Op::Null => self.push(Value::NULL),
            Op::Int(value) => self.push(Value::Int(value)),
            Op::Long(value) => self.push(Value::Long(value)),
            Op::Float(value) => self.push(Value::Float(value)),
            Op::Double(value) => self.push(Value::Double(value)),
            Op::Constant(site) => {
                let value = self.world.constant_at(site)?;
                self.push(value);
            }
            Op::Load(slot) => {
                let value = self.local(slot)?;
                self.push(value);
            }
            Op::Store(slot) => {
                let value = self.pop()?;
                self.set_local(slot, value)?;
            }
            Op::Increment(slot, by) => match self.local(slot)? {
                Value::Int(value) => self.set_local(slot, Value::Int(value.wrapping_add(i32::from(by))))?,
                _ => return Err(self.bad()),
            },
            Op::ArrayLoad(_) => self.array_load()?,
            Op::ArrayStore(kind) => self.array_store(kind)?,
            Op::Pop => {
                self.pop()?;
            }
            Op::Pop2 => {
                if !self.pop()?.is_wide() {
                    self.pop()?;
                }
            }
            Op::Dup => self.duplicate(1, 0)?,
            Op::DupX1 => self.duplicate(1, 1)?,
            Op::DupX2 => {
                let below = self.pair(1)?;
                self.duplicate(1, below)?;
            }
            Op::Dup2 => {
                let count = self.pair(0)?;
                self.duplicate(count, 0)?;
            }
            Op::Dup2X1 => {
                let count = self.pair(0)?;
                self.duplicate(count, 1)?;
            }
            Op::Dup2X2 => {
                let count = self.pair(0)?;
                let below = self.pair(count)?;
                self.duplicate(count, below)?;
            }
            Op::Swap => {
                let (one, two) = (self.pop()?, self.pop()?);
                self.push(one);
                self.push(two);
            }
            Op::Binary(which) => {
                let (two, one) = (self.pop()?, self.pop()?);
                match arithmetic::binary(which, one, two) {
                    Ok(value) => self.push(value),
                    Err(No::DivisionByZero) => {
                        return Err(self.throw("java/lang/ArithmeticException", Some("/ by zero")));
                    }
                    Err(No::Sort) => return Err(self.bad()),
                }
            }
            Op::Negate => {
                let value = self.pop()?;
                let value = arithmetic::negate(value).ok_or_else(|| self.bad())?;
                self.push(value);
            }
            Op::Convert(into) => {
                let value = self.pop()?;
                let value = arithmetic::convert(into, value).ok_or_else(|| self.bad())?;
                self.push(value);
            }
            Op::CompareLong => match (self.pop()?, self.pop()?) {
                (Value::Long(two), Value::Long(one)) => self.push(Value::Int(one.cmp(&two) as i32)),
                _ => return Err(self.bad()),
            },
            Op::CompareFloat(unordered) => {
                let (two, one) = (self.pop()?, self.pop()?);
                let order = arithmetic::compare(one, two, unordered).ok_or_else(|| self.bad())?;
                self.push(Value::Int(order));
            }
            Op::If(condition, to) => {
                let value = self.pop_int()?;
                return Ok(jump(condition.holds(&value, &0), to));
            }
            Op::IfInts(condition, to) => {
                let (two, one) = (self.pop_int()?, self.pop_int()?);
                return Ok(jump(condition.holds(&one, &two), to));
            }
            Op::IfRefs(equal, to) => {
                let (two, one) = (self.pop_ref()?, self.pop_ref()?);
                return Ok(jump((one == two) == equal, to));
            }
            Op::IfNull(null, to) => {
                let value = self.pop_ref()?;
                return Ok(jump(value.is_null() == null, to));
            }
            Op::Goto(to) => return Ok(Flow::Jump(to)),
            Op::Switch(number) => {
                let value = self.pop_int()?;
                let Some(switch) = linked.code.switches.get(number as usize) else { return Err(self.bad()) };
                let found = switch.cases.binary_search_by_key(&value, |(case, _)| *case);
                return Ok(Flow::Jump(found.map_or(switch.default, |at| switch.cases[at].1)));
            }
            Op::Return(has_value) => {
                let value = if has_value { Some(self.pop()?) } else { None };
                self.leave(value)?;
                return Ok(Flow::Call);
            }
            Op::GetStatic(site) => self.get_static(site)?,
            Op::PutStatic(site) => self.put_static(site)?,
            Op::GetField(site) => self.get_field(site)?,
            Op::PutField(site) => self.put_field(site)?,
            Op::Invoke(dispatch, site) => return self.invoke(dispatch, site),
            Op::InvokeDynamic(site) => return self.invoke_dynamic(site),
            Op::New(site) => {
                let class = self.world.class_at(site)?;
                self.initialise(class)?;
                let made = self.new_instance(class);
                self.push(Value::Ref(made));
            }
            Op::NewArray(kind) => self.new_array_op(kind)?,
            Op::NewRefArray(site) => self.new_ref_array(site)?,
            Op::NewMultiArray(site, dimensions) => self.new_multi_array(site, usize::from(dimensions))?,
            Op::ArrayLength => {
                let array = self.peek_ref(0)?;
                let length = self.array_length(array)?;
                self.drop(1);
                self.push(Value::Int(length as i32));
            }
            Op::Throw => {
                let exception = self.pop_ref()?;
                if exception.is_null() {
                    return Err(self.throw("java/lang/NullPointerException", None));
                }
                return Err(Halt::Throw(exception));
            }
            Op::CheckCast(site) => {
                let object = self.peek_ref(0)?;
                if !object.is_null() {
                    let class = self.world.class_at(site)?;
                    if !self.is_instance(object, class)? {
                        return Err(self.bad_cast(object, class));
                    }
                }
            }
            Op::InstanceOf(site) => {
                let object = self.peek_ref(0)?;
                let fits = if object.is_null() {
                    false
                } else {
                    let class = self.world.class_at(site)?;
                    self.is_instance(object, class)?
                };
                self.drop(1);
                self.push(Value::Int(i32::from(fits)));
            }
            Op::MonitorEnter => {
                let object = self.peek_ref(0)?;
                self.not_null(object)?;
                self.enter(object)?;
                self.drop(1);
            }
            Op::MonitorExit => {
                let object = self.peek_ref(0)?;
                self.not_null(object)?;
                self.exit(object)?;
                self.drop(1);
            }
            Op::Concat(number) => self.concat(number)?,
            Op::TypeSwitch(number) => self.type_switch(number)?,
        }
        Ok(Flow::Next)
    }

    pub(crate) fn not_null(&mut self, object: Ref) -> Run<()> {
        if object.is_null() {
            return Err(self.throw("java/lang/NullPointerException", None));
        }
        Ok(())
    }

    pub(crate) fn is_instance(&mut self, object: Ref, class: crate::value::ClassId) -> Run<bool> {
        let of = self.class_of(object)?;
        Ok(self.world.is_a(of, class))
    }

    fn invoke_dynamic(&mut self, site: u32) -> Run<Flow> {
        let site = self.link_dynamic(site)?;
        self.invoke(Dispatch::Static, site)
    }
}

fn jump(taken: bool, to: u32) -> Flow {
    if taken { Flow::Jump(to) } else { Flow::Next }
}
