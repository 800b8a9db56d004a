//! What the JDK does in native code, and some of what it does in Java, in Rust.
//!
//! One table: class, method and descriptor to a function, asked before the code of a method. An entry without a
//! descriptor is for all methods of that name. What is not in the table and has no code ends the search as something
//! that is needed, never as an exception of the program.

mod classes;
mod handles;
mod inputs;
mod numbers;
mod objects;
mod printing;
mod system;
mod threads;
mod unsafe_access;

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::machine::{Machine, Run};
use crate::value::{Ref, Value};

pub(crate) type Native = fn(&mut Machine<'_>, &[Value]) -> Run<Option<Value>>;

type Table = &'static [(&'static str, Native)];

const TABLES: [Table; 9] = [
    objects::TABLE,
    classes::TABLE,
    system::TABLE,
    threads::TABLE,
    numbers::TABLE,
    printing::TABLE,
    inputs::TABLE,
    unsafe_access::TABLE,
    handles::TABLE,
];

fn table() -> &'static FxHashMap<&'static str, Native> {
    static TABLE: OnceLock<FxHashMap<&'static str, Native>> = OnceLock::new();
    TABLE.get_or_init(|| TABLES.iter().flat_map(|table| table.iter().copied()).collect())
}

/// The function for a method, if there is one.
pub(crate) fn find(class: &str, name: &str, descriptor: &str) -> Option<Native> {
    if matches!(name, "registerNatives" | "initIDs" | "initNative") && descriptor == "()V" {
        return Some(nothing);
    }
    let table = table();
    let whole = format!("{class}.{name}{descriptor}");
    let found =
        table.get(whole.as_str()).or_else(|| table.get(&whole[..whole.len() - descriptor.len()])).copied();
    found.or_else(|| match class {
        "jdk/internal/misc/Unsafe" => unsafe_access::by_name(name),
        _ => None,
    })
}

/// Classes whose initialisers start threads or ask the system, which nobody needs here.
pub(crate) fn skips_initialiser(class: &str) -> bool {
    matches!(
        class,
        "java/lang/ref/Reference"
            | "java/lang/ref/Finalizer"
            | "jdk/internal/ref/CleanerFactory"
            | "java/lang/invoke/MethodHandles"
            | "java/lang/invoke/VarHandle"
            | "java/lang/invoke/MethodHandleStatics"
    )
}

fn nothing(_: &mut Machine<'_>, _: &[Value]) -> Run<Option<Value>> {
    Ok(None)
}

fn null(_: &mut Machine<'_>, _: &[Value]) -> Run<Option<Value>> {
    Ok(Some(Value::NULL))
}

fn no(_: &mut Machine<'_>, _: &[Value]) -> Run<Option<Value>> {
    Ok(Some(Value::Int(0)))
}

fn yes(_: &mut Machine<'_>, _: &[Value]) -> Run<Option<Value>> {
    Ok(Some(Value::Int(1)))
}

impl Machine<'_> {
    pub(crate) fn ref_at(&mut self, operands: &[Value], at: usize) -> Run<Ref> {
        match operands.get(at) {
            Some(Value::Ref(value)) => Ok(*value),
            _ => Err(self.bad()),
        }
    }

    pub(crate) fn int_at(&mut self, operands: &[Value], at: usize) -> Run<i32> {
        match operands.get(at) {
            Some(Value::Int(value)) => Ok(*value),
            _ => Err(self.bad()),
        }
    }

    pub(crate) fn long_at(&mut self, operands: &[Value], at: usize) -> Run<i64> {
        match operands.get(at) {
            Some(Value::Long(value)) => Ok(*value),
            _ => Err(self.bad()),
        }
    }

    pub(crate) fn text_at(&mut self, operands: &[Value], at: usize) -> Run<String> {
        let text = self.ref_at(operands, at)?;
        self.not_null(text)?;
        self.read_string(text)
    }
}
