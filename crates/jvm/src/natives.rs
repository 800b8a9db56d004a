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
use crate::world::NativeId;

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

/// Functions that are found by what a name says.
const BY_NAME: [Native; 7] = [
    nothing,
    unsafe_access::get,
    unsafe_access::put,
    unsafe_access::get_and_add,
    unsafe_access::get_and_set,
    unsafe_access::compare_and_set,
    unsafe_access::compare_and_exchange,
];

struct Functions {
    all: Vec<Native>,
    numbers: FxHashMap<&'static str, NativeId>,
}

fn functions() -> &'static Functions {
    static FUNCTIONS: OnceLock<Functions> = OnceLock::new();
    FUNCTIONS.get_or_init(|| {
        let mut functions = Functions { all: BY_NAME.to_vec(), numbers: FxHashMap::default() };
        for (name, function) in TABLES.iter().flat_map(|table| table.iter().copied()) {
            functions.numbers.insert(name, NativeId(functions.all.len() as u16));
            functions.all.push(function);
        }
        functions
    })
}

/// The function with a number.
pub(crate) fn function(number: NativeId) -> Native {
    functions().all.get(usize::from(number.0)).copied().unwrap_or(nothing)
}

/// The function for a method, if there is one.
pub(crate) fn find(class: &str, name: &str, descriptor: &str) -> Option<NativeId> {
    if matches!(name, "registerNatives" | "initIDs" | "initNative") && descriptor == "()V" {
        return Some(NativeId(0));
    }
    let numbers = &functions().numbers;
    let whole = format!("{class}.{name}{descriptor}");
    let found = numbers
        .get(whole.as_str())
        .or_else(|| numbers.get(&whole[..whole.len() - descriptor.len()]))
        .copied();
    found.or_else(|| match class {
        "jdk/internal/misc/Unsafe" => unsafe_access::by_name(name).map(NativeId),
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
