//! `java.lang.Object`, `String`, `Throwable`, arrays.

use super::{Native, nothing};
use crate::machine::{Machine, Run};
use crate::value::{Body, Value};

pub(super) const TABLE: &[(&str, Native)] = &[
    ("java/lang/Object.<init>()V", nothing),
    ("java/lang/Object.hashCode()I", hash_code),
    ("java/lang/System.identityHashCode(Ljava/lang/Object;)I", hash_code),
    ("java/lang/Object.getClass()Ljava/lang/Class;", get_class),
    ("java/lang/Object.clone()Ljava/lang/Object;", clone),
    ("java/lang/Object.notify()V", notify),
    ("java/lang/Object.notifyAll()V", notify_all),
    ("java/lang/Object.wait()V", wait),
    ("java/lang/Object.wait(J)V", wait_timed),
    ("java/lang/Object.wait(JI)V", wait_timed),
    ("java/lang/System.arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V", array_copy),
    ("java/lang/String.intern()Ljava/lang/String;", intern),
    ("java/lang/Throwable.fillInStackTrace(I)Ljava/lang/Throwable;", fill_in),
    ("java/lang/Throwable.printStackTrace()V", nothing),
    ("java/lang/Throwable.getStackTrace()[Ljava/lang/StackTraceElement;", stack_trace),
    ("java/lang/ref/Reference.refersTo0(Ljava/lang/Object;)Z", refers_to),
    ("java/lang/ref/Reference.clear0()V", clear),
    ("java/lang/reflect/Array.newArray(Ljava/lang/Class;I)Ljava/lang/Object;", new_array),
    ("java/lang/reflect/Array.getLength(Ljava/lang/Object;)I", get_length),
];

fn hash_code(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let object = machine.ref_at(operands, 0)?;
    Ok(Some(Value::Int(machine.identity(object)?)))
}

fn get_class(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let object = machine.ref_at(operands, 0)?;
    let class = machine.class_of(object)?;
    Ok(Some(Value::Ref(machine.world.class(class).mirror)))
}

fn clone(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let object = machine.ref_at(operands, 0)?;
    let class = machine.class_of(object)?;
    let cloneable = machine.world.load("java/lang/Cloneable")?;
    if !machine.world.is_a(class, cloneable) {
        let name = machine.world.class(class).name.replace('/', ".");
        return Err(machine.throw("java/lang/CloneNotSupportedException", Some(&name)));
    }
    machine.touch(object, 0, false)?;
    let body = machine.scene.object(machine.world, object).map(|object| object.body.clone());
    let Some(body) = body else { return Err(machine.bad()) };
    Ok(Some(Value::Ref(machine.allocate(class, body))))
}

fn notify(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let object = machine.ref_at(operands, 0)?;
    machine.notify(object, false)?;
    Ok(None)
}

fn notify_all(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let object = machine.ref_at(operands, 0)?;
    machine.notify(object, true)?;
    Ok(None)
}

fn wait(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let object = machine.ref_at(operands, 0)?;
    machine.wait(object, false)?;
    Ok(None)
}

fn wait_timed(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let (object, time) = (machine.ref_at(operands, 0)?, machine.long_at(operands, 1)?);
    if time < 0 {
        return Err(machine.throw("java/lang/IllegalArgumentException", Some("timeout value is negative")));
    }
    machine.wait(object, time > 0)?;
    Ok(None)
}

fn array_copy(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let (from, to) = (machine.ref_at(operands, 0)?, machine.ref_at(operands, 2)?);
    machine.not_null(from)?;
    machine.not_null(to)?;
    let (from_at, to_at, count) =
        (machine.int_at(operands, 1)?, machine.int_at(operands, 3)?, machine.int_at(operands, 4)?);
    machine.copy_elements(from, from_at, to, to_at, count)?;
    Ok(None)
}

fn intern(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let text = machine.ref_at(operands, 0)?;
    let units = machine.units(text)?;
    Ok(Some(Value::Ref(machine.world.text(&units))))
}

fn fill_in(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let exception = machine.ref_at(operands, 0)?;
    machine.fill_trace(exception)?;
    Ok(Some(Value::Ref(exception)))
}

/// The calls of an exception as objects.
fn stack_trace(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let exception = machine.ref_at(operands, 0)?;
    let trace = machine.trace_of(exception)?;
    let element = machine.world.load("java/lang/StackTraceElement")?;
    machine.initialise(element)?;
    let array = machine.new_array(crate::code::Kind::Ref, Some(element), trace.len())?;
    for (at, (method, op)) in trace.into_iter().enumerate() {
        let made = machine.new_instance(element);
        let line = machine.line(method, op) as i32;
        let (class, name) = (machine.world.method(method).class, machine.world.method(method).name.clone());
        let file = machine.world.class(class).source.clone();
        let class = machine.world.class(class).name.replace('/', ".");
        let texts = [("declaringClass", class), ("methodName", name.to_string())];
        for (field, text) in texts {
            let text = machine.world.text_of(&text);
            machine.set_named(made, field, Value::Ref(text))?;
        }
        if let Some(file) = file {
            let file = machine.world.text_of(&file);
            machine.set_named(made, "fileName", Value::Ref(file))?;
        }
        machine.set_named(made, "lineNumber", Value::Int(line))?;
        machine.store(array, at, Value::Ref(made))?;
    }
    Ok(Some(Value::Ref(array)))
}

/// Nothing is ever collected while somebody could notice, so references of all strengths are alike.
fn refers_to(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let (reference, object) = (machine.ref_at(operands, 0)?, machine.ref_at(operands, 1)?);
    Ok(Machine::flag(machine.named(reference, "referent")?.same(Value::Ref(object))))
}

fn clear(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let reference = machine.ref_at(operands, 0)?;
    machine.set_named(reference, "referent", Value::NULL)?;
    Ok(None)
}

fn new_array(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let (mirror, length) = (machine.ref_at(operands, 0)?, machine.int_at(operands, 1)?);
    machine.not_null(mirror)?;
    let Some(class) = machine.world.mirrored(mirror) else { return Err(machine.bad()) };
    let Ok(length) = usize::try_from(length) else {
        return Err(machine.throw("java/lang/NegativeArraySizeException", Some(&length.to_string())));
    };
    let (kind, of) = match super::classes::primitive(&machine.world.class(class).name) {
        Some(kind) => (kind, None),
        None => (crate::code::Kind::Ref, Some(class)),
    };
    Ok(Some(Value::Ref(machine.new_array(kind, of, length)?)))
}

fn get_length(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    let array = machine.ref_at(operands, 0)?;
    machine.not_null(array)?;
    if matches!(machine.scene.object(machine.world, array).map(|object| &object.body), Some(Body::Fields(_)))
    {
        return Err(machine.throw("java/lang/IllegalArgumentException", Some("Argument is not an array")));
    }
    Ok(Some(Value::Int(machine.array_length(array)? as i32)))
}
