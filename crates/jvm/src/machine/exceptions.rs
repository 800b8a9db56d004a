//! Exceptions: made by the machine, thrown, caught, or caught by nobody.

use super::{Halt, Machine, Run};
use crate::value::{Body, ClassId, MethodId, Ref, Value};
use crate::world::{Origin, Wrongness};

impl Machine<'_> {
    /// An exception of a class of the JDK.
    pub(crate) fn throw(&mut self, class: &str, message: Option<&str>) -> Halt {
        match self.exception(class, message) {
            Ok(exception) => Halt::Throw(exception),
            Err(halt) => halt,
        }
    }

    /// Makes an exception as its constructors do.
    fn exception(&mut self, class: &str, message: Option<&str>) -> Run<Ref> {
        let class = self.world.load(class)?;
        self.initialise_jdk(class)?;
        let exception = self.new_instance(class);
        let throwable = self.world.common.throwable;
        if let Some(message) = message {
            let text = self.string(message)?;
            self.set_named(exception, "detailMessage", Value::Ref(text))?;
        }
        self.set_named(exception, "cause", Value::Ref(exception))?;
        for (field, constant) in
            [("stackTrace", "UNASSIGNED_STACK"), ("suppressedExceptions", "SUPPRESSED_SENTINEL")]
        {
            if let Some(slot) = self.world.field(throwable, constant).map(|field| field.slot) {
                let value = self.static_value(throwable, slot);
                self.set_named(exception, field, value)?;
            }
        }
        self.fill_trace(exception)?;
        Ok(exception)
    }

    /// Notes where an exception was made: the calls that are open, but for its own constructors.
    pub(crate) fn fill_trace(&mut self, exception: Ref) -> Run<()> {
        if self.in_base {
            return Ok(());
        }
        let class = self.class_of(exception)?;
        let throwable = self.world.common.throwable;
        let mut frames = &self.calls.frames[..];
        while let [rest @ .., last] = frames {
            let method = self.world.method(last.method);
            let inside = (&*method.name == "<init>" && self.world.is_a(class, method.class))
                || (method.class == throwable && &*method.name == "fillInStackTrace");
            if !inside {
                break;
            }
            frames = rest;
        }
        let places: Vec<i64> =
            frames.iter().rev().map(|frame| i64::from(frame.method.0) << 32 | i64::from(frame.op)).collect();
        let class = self.world.load("[J")?;
        let depth = places.len() as i32;
        let array = self.allocate(class, Body::Longs(places));
        self.set_named(exception, "backtrace", Value::Ref(array))?;
        self.set_named(exception, "depth", Value::Int(depth))
    }

    /// Where an exception was made, the innermost call first.
    pub(crate) fn trace_of(&mut self, exception: Ref) -> Run<Vec<(MethodId, u32)>> {
        let Value::Ref(array) = self.named(exception, "backtrace")? else { return Err(self.bad()) };
        if array.is_null() {
            return Ok(Vec::new());
        }
        match self.scene.object(self.world, array).map(|object| &object.body) {
            Some(Body::Longs(places)) => {
                Ok(places.iter().map(|place| (MethodId((place >> 32) as u32), *place as u32)).collect())
            }
            _ => Err(self.bad()),
        }
    }

    /// Goes to the handler of an exception, or ends the thread.
    pub(super) fn unwind(&mut self, exception: Ref) -> Run<()> {
        let mut exception = exception;
        let mut class = self.class_of(exception)?;
        while let Some(frame) = self.calls.frames.last().copied() {
            if let Some(handler) = self.handler(frame.method, frame.op, class) {
                self.calls.stack.truncate(frame.operands as usize);
                self.push(Value::Ref(exception));
                if let Some(frame) = self.calls.frames.last_mut() {
                    frame.op = handler;
                }
                return Ok(());
            }
            if !frame.lock.is_null() {
                self.exit(frame.lock)?;
            }
            self.calls.frames.pop();
            self.calls.stack.truncate(frame.base as usize);
            self.back_to_uninterrupted(frame.method);
            if let Some(failed) = frame.initialises {
                self.not_initialised(failed, exception)?;
                exception = self.wrapped(exception, class)?;
                class = self.class_of(exception)?;
            }
        }
        self.uncaught(exception, class)
    }

    fn handler(&self, method: MethodId, op: u32, class: ClassId) -> Option<u32> {
        let linked = self.world.method(method).code.as_ref()?;
        let fits = |name: &Option<String>| match name {
            None => true,
            // A class that is not loaded is none of the exception's.
            Some(name) => match self.world.by_name.get(name.as_str()) {
                Some(Ok(caught)) => self.world.is_a(class, *caught),
                _ => false,
            },
        };
        let mut handlers = linked.code.handlers.iter();
        handlers
            .find(|handler| (handler.from..handler.to).contains(&op) && fits(&handler.class))
            .map(|found| found.at)
    }

    /// What the failure of an initialiser becomes for whoever needed the class.
    fn wrapped(&mut self, exception: Ref, class: ClassId) -> Run<Ref> {
        let error = self.world.load("java/lang/Error")?;
        if self.world.is_a(class, error) {
            return Ok(exception);
        }
        let made = self.exception("java/lang/ExceptionInInitializerError", None)?;
        self.set_named(made, "cause", Value::Ref(exception))?;
        Ok(made)
    }

    /// Nobody catches an exception: that is a violation, and the end of the thread.
    fn uncaught(&mut self, exception: Ref, class: ClassId) -> Run<()> {
        if self.in_base {
            let name = self.world.class(class).name.replace('/', ".");
            let message = self.message(exception);
            return Err(
                self.needs(&format!("the initialisation of a JDK class, which ends with {name}{message}"))
            );
        }
        let trace = self.trace_of(exception)?;
        let of_user = trace
            .iter()
            .copied()
            .find(|(method, _)| self.world.class(self.world.method(*method).class).origin == Origin::User);
        let place = of_user.or_else(|| trace.first().copied());
        self.conduct.violation = Some(self.world.wrong(Wrongness::Uncaught { class, place }));
        let message = self.message(exception);
        self.conduct.said = message.strip_prefix(": ").map(str::to_owned);
        Ok(())
    }

    /// The message of an exception, behind a colon.
    pub(crate) fn message(&mut self, exception: Ref) -> String {
        match self.named(exception, "detailMessage") {
            Ok(Value::Ref(text)) if !text.is_null() => {
                self.read_string(text).map_or_else(|_| String::new(), |text| format!(": {text}"))
            }
            _ => String::new(),
        }
    }

    pub(super) fn bad_cast(&mut self, object: Ref, class: ClassId) -> Halt {
        let from = match self.class_of(object) {
            Ok(from) => from,
            Err(halt) => return halt,
        };
        let text = format!(
            "class {} cannot be cast to class {}",
            self.world.class(from).name.replace('/', "."),
            self.world.class(class).name.replace('/', ".")
        );
        self.throw("java/lang/ClassCastException", Some(&text))
    }
}
