//! Calls and returns.

use super::{Flow, Halt, Machine, Run};
use crate::code::Dispatch;
use crate::scene::Frame;
use crate::value::{ClassId, MethodId, Ref, Value};
use crate::world::{ABSTRACT, NATIVE, Origin, SYNCHRONIZED, Site};

/// Deeper calls end in a `StackOverflowError`.
const MOST_CALLS: usize = 2048;

impl Machine<'_> {
    pub(super) fn invoke(&mut self, dispatch: Dispatch, site: u32) -> Run<Flow> {
        let Site::Method { method, selector, arguments, direct } = self.world.method_at(site, dispatch)?
        else {
            return Err(self.bad());
        };
        let arguments = arguments as usize;
        let target = if dispatch == Dispatch::Static {
            let class = self.world.method(method).class;
            self.initialise(class)?;
            method
        } else {
            let receiver = self.peek_ref(arguments - 1)?;
            self.not_null(receiver)?;
            if direct { method } else { self.selected(receiver, method, selector)? }
        };
        self.call(target, arguments)
    }

    /// The method that a call of a selector leads to for this object.
    pub(crate) fn selected(&mut self, receiver: Ref, method: MethodId, selector: u32) -> Run<MethodId> {
        let class = self.class_of(receiver)?;
        Ok(self.world.class(class).table.get(&selector).copied().unwrap_or(method))
    }

    /// Calls a method with the operands on top of the stack.
    pub(crate) fn call(&mut self, target: MethodId, arguments: usize) -> Run<Flow> {
        if self.world.forbidden.is_some() {
            self.check_forbidden(target)?;
        }
        if let Some(native) = self.world.method(target).native {
            let length = self.calls.stack.len();
            let Some(first) = length.checked_sub(arguments) else { return Err(self.bad()) };
            let operands = self.calls.stack[first..].to_vec();
            match crate::natives::function(native)(self, &operands) {
                Err(Halt::Bytecode) => {}
                Err(halt) => return Err(halt),
                Ok(result) => {
                    self.drop(arguments);
                    if let Some(value) = result {
                        self.push(value);
                    }
                    return Ok(Flow::Next);
                }
            }
        }
        let method = self.world.method(target);
        if method.code.is_none() {
            let name = format!("{}.{}", self.world.class(method.class).name.replace('/', "."), method.name);
            let what = if method.flags & NATIVE != 0 {
                format!("native method {name}{}", method.descriptor)
            } else if method.flags & ABSTRACT != 0 {
                return Err(self.throw("java/lang/AbstractMethodError", Some(&name)));
            } else {
                format!("the code of {name}")
            };
            return Err(self.needs(&what));
        }
        if self.calls.frames.len() >= MOST_CALLS {
            return Err(self.throw("java/lang/StackOverflowError", None));
        }
        let lock = self.lock_of(target, arguments)?;
        self.enter_call(target, arguments, lock)?;
        Ok(Flow::Call)
    }

    /// Takes the monitor of a synchronized method.
    fn lock_of(&mut self, target: MethodId, arguments: usize) -> Run<Ref> {
        let method = self.world.method(target);
        if method.flags & SYNCHRONIZED == 0 {
            return Ok(Ref::NULL);
        }
        let lock = if method.is_static() {
            self.world.class(method.class).mirror
        } else {
            self.peek_ref(arguments - 1)?
        };
        self.enter(lock)?;
        Ok(lock)
    }

    /// Makes the operands on top the variables of a new call.
    fn enter_call(&mut self, target: MethodId, arguments: usize, lock: Ref) -> Run<()> {
        let before = self.calls.frames.last().map(|frame| frame.method);
        let method = self.world.method(target);
        let Some(linked) = method.code.clone() else { return Err(self.bad()) };
        let has_wide = method.parameters.iter().any(|kind| kind.is_wide());
        let Some(base) = self.calls.stack.len().checked_sub(arguments) else { return Err(self.bad()) };
        if has_wide {
            let operands: Vec<Value> = self.calls.stack.drain(base..).collect();
            for value in operands {
                self.calls.stack.push(value);
                if value.is_wide() {
                    self.calls.stack.push(Value::Nothing);
                }
            }
        }
        let operands = base + usize::from(linked.code.max_locals);
        if self.calls.stack.len() > operands {
            return Err(self.bad());
        }
        self.calls.stack.resize(operands, Value::Nothing);
        self.calls.frames.push(Frame {
            method: target,
            op: 0,
            base: base as u32,
            operands: operands as u32,
            lock,
            initialises: None,
        });
        let into = linked.origin == Origin::Uninterrupted;
        let from = before.is_some_and(|before| self.origin_of(before) == Origin::Uninterrupted);
        if into && !from {
            self.conduct.next_stretch();
        }
        Ok(())
    }

    fn origin_of(&self, method: MethodId) -> Origin {
        self.world.class(self.world.method(method).class).origin
    }

    /// Begins a call that is not an operation's: the first of a thread, or an initialiser.
    pub(crate) fn begin(
        &mut self,
        target: MethodId,
        arguments: &[Value],
        initialises: Option<ClassId>,
    ) -> Run<()> {
        self.calls.stack.extend_from_slice(arguments);
        self.enter_call(target, arguments.len(), Ref::NULL)?;
        if let Some(frame) = self.calls.frames.last_mut() {
            frame.initialises = initialises;
        }
        Ok(())
    }

    /// Returns from the call on top.
    pub(super) fn leave(&mut self, value: Option<Value>) -> Run<()> {
        let Some(frame) = self.calls.frames.last().copied() else { return Err(self.bad()) };
        if !frame.lock.is_null() {
            self.exit(frame.lock)?;
        }
        self.calls.frames.pop();
        self.calls.stack.truncate(frame.base as usize);
        self.back_to_uninterrupted(frame.method);
        if let Some(class) = frame.initialises {
            // The operation that needed the class is executed again.
            self.initialised(class);
            return Ok(());
        }
        if let Some(caller) = self.calls.frames.last_mut() {
            caller.op += 1;
            if let Some(value) = value {
                let kind = self.world.method(frame.method).result;
                let value = kind.map_or(value, |kind| value.narrowed(kind));
                self.push(value);
            }
        }
        Ok(())
    }

    /// Uninterrupted code that goes on after a call of other code is an action of its own.
    pub(super) fn back_to_uninterrupted(&mut self, left: MethodId) {
        let was = self.origin_of(left) == Origin::Uninterrupted;
        if !was && self.origin() == Origin::Uninterrupted {
            self.conduct.next_stretch();
        }
    }

    fn check_forbidden(&mut self, target: MethodId) -> Run<()> {
        let method = self.world.method(target);
        let class = self.world.class(method.class);
        if class.origin != Origin::User {
            return Ok(());
        }
        let name = format!("{}.{}", class.name.replace('/', "."), method.name);
        let asked = self.world.forbidden.as_deref().unwrap_or_default();
        if asked != &*method.name && asked != name {
            return Ok(());
        }
        self.visible()?;
        if let Some(place) = self.place() {
            self.conduct.violation = Some(self.world.wrong(crate::world::Wrongness::Forbidden { place }));
        }
        self.scene.exited = true;
        self.conduct.dirty = true;
        Err(Halt::Forbidden)
    }
}
