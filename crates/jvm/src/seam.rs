//! The one place that knows the library that parses class files.
//!
//! What it gives is owned and small: names, flags, tables, and the code of every method as operations of our own
//! ([`crate::code`]), with branches as numbers of operations. A class file is input like any other, so whatever is
//! wrong with it is an error that names the class. The library adds offsets without checking for overflow, which
//! panics in some builds; that is caught here.

mod code;

use std::panic::{AssertUnwindSafe, catch_unwind};

use cafebabe::attributes::{AttributeData, AttributeInfo, BootstrapMethodEntry};
use cafebabe::constant_pool::{BootstrapArgument, LiteralConstant, MethodHandle, ReferenceKind};
use thiserror::Error;

use crate::code::{Code, Constant, Handle, HandleKind, Member};

/// What is wrong with a class file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{class}: not a class file that can be read: {reason}")]
pub struct BadClass {
    pub class: String,
    pub reason: String,
}

#[derive(Debug)]
pub(crate) struct ClassFile {
    pub(crate) name: String,
    pub(crate) super_name: Option<String>,
    pub(crate) interfaces: Vec<String>,
    pub(crate) flags: u16,
    pub(crate) source: Option<String>,
    pub(crate) fields: Vec<FieldFile>,
    pub(crate) methods: Vec<MethodFile>,
    pub(crate) bootstraps: Vec<Bootstrap>,
    /// The class it is declared in, and its own name there, where there is one.
    pub(crate) simple_name: Option<String>,
}

#[derive(Debug)]
pub(crate) struct FieldFile {
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) flags: u16,
    pub(crate) constant: Option<Constant>,
}

#[derive(Debug)]
pub(crate) struct MethodFile {
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) flags: u16,
    pub(crate) code: Option<Code>,
}

/// How a call site is linked.
#[derive(Clone, Debug)]
pub(crate) struct Bootstrap {
    pub(crate) method: Handle,
    pub(crate) arguments: Vec<Constant>,
}

/// Parses the bytes of one class.
pub(crate) fn parse(name: &str, bytes: &[u8]) -> Result<ClassFile, BadClass> {
    let bad = |reason: String| BadClass { class: name.to_owned(), reason };
    let parsed = catch_unwind(AssertUnwindSafe(|| {
        let class = cafebabe::parse_class(bytes).map_err(|error| error.to_string())?;
        convert(&class)
    }));
    match parsed {
        Ok(parsed) => parsed.map_err(bad),
        Err(_) => Err(bad("an offset lies outside of the file".to_owned())),
    }
}

/// The name of the class that some bytes define, as Java's text spells it.
///
/// # Errors
/// If they are no class file.
pub fn class_name(bytes: &[u8]) -> Result<String, BadClass> {
    parse("the file", bytes).map(|file| file.name.replace('/', "."))
}

fn convert(class: &cafebabe::ClassFile<'_>) -> Result<ClassFile, String> {
    let name = class.this_class.to_string();
    let mut file = ClassFile {
        super_name: class.super_class.as_ref().map(ToString::to_string),
        interfaces: class.interfaces.iter().map(ToString::to_string).collect(),
        flags: class.access_flags.bits(),
        source: None,
        fields: Vec::new(),
        methods: Vec::new(),
        bootstraps: Vec::new(),
        simple_name: None,
        name,
    };
    for attribute in &class.attributes {
        match &attribute.data {
            AttributeData::SourceFile(source) => file.source = Some(source.to_string()),
            AttributeData::BootstrapMethods(methods) => {
                file.bootstraps = methods.iter().map(bootstrap).collect();
            }
            AttributeData::InnerClasses(inner) => {
                let own = inner.iter().find(|inner| inner.inner_class_info == file.name);
                if let Some(own) = own {
                    file.simple_name = Some(own.inner_name.as_deref().unwrap_or_default().to_owned());
                }
            }
            _ => {}
        }
    }
    for field in &class.fields {
        let constant = field.attributes.iter().find_map(|attribute| match &attribute.data {
            AttributeData::ConstantValue(value) => Some(literal(value)),
            _ => None,
        });
        file.fields.push(FieldFile {
            name: field.name.to_string(),
            descriptor: field.descriptor.to_string(),
            flags: field.access_flags.bits(),
            constant,
        });
    }
    for method in &class.methods {
        let code = method.attributes.iter().find_map(code_of);
        let code =
            code.map(code::convert).transpose().map_err(|reason| format!("{}: {reason}", method.name))?;
        file.methods.push(MethodFile {
            name: method.name.to_string(),
            descriptor: method.descriptor.to_string(),
            flags: method.access_flags.bits(),
            code,
        });
    }
    Ok(file)
}

fn code_of<'c, 'a>(attribute: &'c AttributeInfo<'a>) -> Option<&'c cafebabe::attributes::CodeData<'a>> {
    match &attribute.data {
        AttributeData::Code(code) => Some(code),
        _ => None,
    }
}

fn bootstrap(entry: &BootstrapMethodEntry<'_>) -> Bootstrap {
    let arguments = entry.arguments.iter().map(|argument| match argument {
        BootstrapArgument::LiteralConstant(value) => literal(value),
        BootstrapArgument::ClassInfo(name) => Constant::Class(name.to_string()),
        BootstrapArgument::MethodHandle(found) => Constant::Handle(handle(found)),
        BootstrapArgument::MethodType(text) => Constant::MethodType(text.to_string()),
    });
    Bootstrap { method: handle(&entry.method), arguments: arguments.collect() }
}

fn handle(handle: &MethodHandle<'_>) -> Handle {
    let kind = match handle.kind {
        ReferenceKind::GetField => HandleKind::GetField,
        ReferenceKind::GetStatic => HandleKind::GetStatic,
        ReferenceKind::PutField => HandleKind::PutField,
        ReferenceKind::PutStatic => HandleKind::PutStatic,
        ReferenceKind::InvokeVirtual => HandleKind::Virtual,
        ReferenceKind::InvokeStatic => HandleKind::Static,
        ReferenceKind::InvokeSpecial => HandleKind::Special,
        ReferenceKind::NewInvokeSpecial => HandleKind::New,
        ReferenceKind::InvokeInterface => HandleKind::Interface,
    };
    let member = Member {
        class: handle.class_name.to_string(),
        name: handle.member_ref.name.to_string(),
        descriptor: handle.member_ref.descriptor.to_string(),
    };
    Handle { kind, member }
}

/// A literal. Strings whose text is no Unicode are kept in the encoding of class files.
fn literal(value: &LiteralConstant<'_>) -> Constant {
    match value {
        LiteralConstant::Integer(value) => Constant::Int(*value),
        LiteralConstant::Float(value) => Constant::Float(*value),
        LiteralConstant::Long(value) => Constant::Long(*value),
        LiteralConstant::Double(value) => Constant::Double(*value),
        LiteralConstant::String(text) => Constant::Text(text.encode_utf16().collect()),
        LiteralConstant::StringBytes(bytes) => Constant::Text(units(bytes)),
    }
}

/// The UTF-16 units of a text in the modified UTF-8 of class files, surrogates one by one.
fn units(bytes: &[u8]) -> Vec<u16> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut at = 0;
    let next = |at: usize| u16::from(bytes.get(at).copied().unwrap_or(0) & 0x3f);
    while let Some(byte) = bytes.get(at).copied() {
        let (unit, length) = match byte {
            0..=0x7f => (u16::from(byte), 1),
            0x80..=0xdf => (u16::from(byte & 0x1f) << 6 | next(at + 1), 2),
            _ => (u16::from(byte & 0x0f) << 12 | next(at + 1) << 6 | next(at + 2), 3),
        };
        units.push(unit);
        at += length;
    }
    units
}
