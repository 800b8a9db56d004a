//! Standard output, which is collected and is no part of a state.

use super::{Native, nothing};
use crate::machine::{Machine, Run};
use crate::value::{Body, Value};

pub(super) const TABLE: &[(&str, Native)] = &[
    ("java/io/PrintStream.write(Ljava/lang/String;)V", text),
    ("java/io/PrintStream.implWrite(Ljava/lang/String;)V", text),
    ("java/io/PrintStream.print(Ljava/lang/String;)V", text),
    ("java/io/PrintStream.writeln(Ljava/lang/String;)V", line),
    ("java/io/PrintStream.implWriteln(Ljava/lang/String;)V", line),
    ("java/io/PrintStream.println(Ljava/lang/String;)V", line),
    ("java/io/PrintStream.println()V", line_end),
    ("java/io/PrintStream.newLine()V", line_end),
    ("java/io/PrintStream.write([C)V", chars),
    ("java/io/PrintStream.writeln([C)V", chars_line),
    ("java/io/PrintStream.println(I)V", number),
    ("java/io/PrintStream.println(J)V", number),
    ("java/io/PrintStream.print(I)V", number_only),
    ("java/io/PrintStream.print(J)V", number_only),
    ("java/io/PrintStream.flush()V", nothing),
    ("java/io/PrintStream.ensureOpen()V", nothing),
];

/// Whether this is the standard output, and no other stream.
fn is_output(machine: &mut Machine<'_>, operands: &[Value]) -> Run<bool> {
    let stream = machine.ref_at(operands, 0)?;
    if Some(stream) == machine.world.streams.map(|(out, _)| out) {
        return Ok(true);
    }
    if Some(stream) == machine.world.streams.map(|(_, err)| err) {
        return Ok(false);
    }
    Err(machine.unsupported("print streams other than System.out and System.err"))
}

fn put(machine: &mut Machine<'_>, operands: &[Value], end: &str) -> Run<Option<Value>> {
    if is_output(machine, operands)? {
        let text = machine.ref_at(operands, 1)?;
        let text = if text.is_null() { "null".to_owned() } else { machine.read_string(text)? };
        machine.print(text.as_bytes());
        machine.print(end.as_bytes());
    }
    Ok(None)
}

fn text(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    put(machine, operands, "")
}

fn line(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    put(machine, operands, "\n")
}

fn line_end(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    if is_output(machine, operands)? {
        machine.print(b"\n");
    }
    Ok(None)
}

fn put_chars(machine: &mut Machine<'_>, operands: &[Value], end: &str) -> Run<Option<Value>> {
    if is_output(machine, operands)? {
        let array = machine.ref_at(operands, 1)?;
        machine.not_null(array)?;
        let text = match machine.scene.object(machine.world, array).map(|object| &object.body) {
            Some(Body::Chars(chars)) => String::from_utf16_lossy(chars),
            _ => return Err(machine.bad()),
        };
        machine.print(text.as_bytes());
        machine.print(end.as_bytes());
    }
    Ok(None)
}

fn chars(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    put_chars(machine, operands, "")
}

fn chars_line(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    put_chars(machine, operands, "\n")
}

fn put_number(machine: &mut Machine<'_>, operands: &[Value], end: &str) -> Run<Option<Value>> {
    if is_output(machine, operands)? {
        let text = match operands.get(1) {
            Some(Value::Int(value)) => value.to_string(),
            Some(Value::Long(value)) => value.to_string(),
            _ => return Err(machine.bad()),
        };
        machine.print(text.as_bytes());
        machine.print(end.as_bytes());
    }
    Ok(None)
}

fn number(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    put_number(machine, operands, "\n")
}

fn number_only(machine: &mut Machine<'_>, operands: &[Value]) -> Run<Option<Value>> {
    put_number(machine, operands, "")
}
