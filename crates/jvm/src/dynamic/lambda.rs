//! Lambdas and references to methods: a class with the captured values as fields, and a method that passes them on.

use super::{Assembler, CallSite, synthetic};
use crate::code::{Code, Constant, Dispatch, Handle, HandleKind, Kind, Op};
use crate::descriptor::{class_name, parts};
use crate::seam::FieldFile;
use crate::value::MethodId;
use crate::world::{FINAL, Need, Origin, Status, World};

/// What `altMetafactory` adds.
const MARKERS: i32 = 2;
const BRIDGES: i32 = 4;

impl World {
    pub(super) fn make_lambda(&mut self, call: &CallSite) -> Result<MethodId, Need> {
        let arguments = &call.bootstrap.arguments;
        let [Constant::MethodType(erased), Constant::Handle(target), Constant::MethodType(exact), rest @ ..] =
            &arguments[..]
        else {
            return Err(self.need("a lambda whose call site is well formed"));
        };
        let malformed = |world: &mut Self| world.need("a lambda whose call site is well formed");
        let Some((captured, interface)) = parts(&call.descriptor) else { return Err(malformed(self)) };
        let Some(interface) = class_name(interface) else { return Err(malformed(self)) };
        let (markers, bridges) = extras(rest);
        let mut interfaces = vec![interface.to_owned()];
        interfaces.extend(markers);
        let holder = self.class(call.holder).name.to_string();
        let name = format!("{holder}$$Lambda${}", call.number);
        let mut file = synthetic(&name, interfaces);
        for (at, descriptor) in captured.iter().enumerate() {
            file.fields.push(FieldFile {
                name: format!("arg${}", at + 1),
                descriptor: (*descriptor).to_owned(),
                flags: FINAL,
                constant: None,
            });
        }
        let class = self.define(file, Origin::Uninterrupted, 0)?;
        self.classes[class.0 as usize].status = Status::Done;
        self.by_name.insert(name.as_str().into(), Ok(class));
        for descriptor in std::iter::once(erased).chain(&bridges) {
            let Some(code) = body(&name, &captured, target, descriptor, exact) else {
                return Err(malformed(self));
            };
            self.define_method(class, &call.name, descriptor, 0, Some(code))?;
        }
        self.make_table(class);
        self.glue(call, maker(&name, &captured))
    }
}

/// Interfaces and other descriptors that `altMetafactory` is told.
fn extras(arguments: &[Constant]) -> (Vec<String>, Vec<String>) {
    let (mut markers, mut bridges) = (Vec::new(), Vec::new());
    let mut rest = arguments.iter();
    let int = |rest: &mut std::slice::Iter<'_, Constant>| match rest.next() {
        Some(Constant::Int(value)) => *value,
        _ => 0,
    };
    let flags = int(&mut rest);
    if flags & MARKERS != 0 {
        for _ in 0..int(&mut rest) {
            if let Some(Constant::Class(name)) = rest.next() {
                markers.push(name.clone());
            }
        }
    }
    if flags & BRIDGES != 0 {
        for _ in 0..int(&mut rest) {
            if let Some(Constant::MethodType(descriptor)) = rest.next() {
                bridges.push(descriptor.clone());
            }
        }
    }
    (markers, bridges)
}

/// Makes the object with the captured values.
fn maker(name: &str, captured: &[&str]) -> Assembler {
    let slots: u16 = captured.iter().map(|descriptor| 1 + u16::from(Kind::of(descriptor).is_wide())).sum();
    let mut code = Assembler::new(slots);
    let class = code.class(name);
    code.op(Op::New(class));
    let mut slot = 0;
    for (at, descriptor) in captured.iter().enumerate() {
        code.op(Op::Dup);
        code.op(Op::Load(slot));
        slot += 1 + u16::from(Kind::of(descriptor).is_wide());
        let field = code.member(name, &format!("arg${}", at + 1), descriptor);
        code.op(Op::PutField(field));
    }
    code.op(Op::Return(true));
    code
}

/// The method of the interface: calls the target with the captured values and its own parameters.
fn body(name: &str, captured: &[&str], target: &Handle, erased: &str, exact: &str) -> Option<Code> {
    let ((given, result), (known, known_result)) = (parts(erased)?, parts(exact)?);
    let (parameters, returned) = parts(&target.member.descriptor)?;
    let class = &target.member.class;
    let own = if class.starts_with('[') { class.clone() } else { format!("L{class};") };
    let mut expected: Vec<&str> = Vec::new();
    if matches!(target.kind, HandleKind::Virtual | HandleKind::Special | HandleKind::Interface) {
        expected.push(&own);
    }
    expected.extend(parameters);
    let slots: u16 = given.iter().map(|descriptor| 1 + u16::from(Kind::of(descriptor).is_wide())).sum();
    let mut code = Assembler::new(slots + 1);
    if target.kind == HandleKind::New {
        let site = code.class(class);
        code.op(Op::New(site));
        code.op(Op::Dup);
    }
    for (at, descriptor) in captured.iter().enumerate() {
        code.op(Op::Load(0));
        let field = code.member(name, &format!("arg${}", at + 1), descriptor);
        code.op(Op::GetField(field));
    }
    let mut slot = 1;
    for (at, descriptor) in given.iter().enumerate() {
        code.op(Op::Load(slot));
        slot += 1 + u16::from(Kind::of(descriptor).is_wide());
        code.adapt(descriptor, known.get(at)?, expected.get(captured.len() + at)?);
    }
    let dispatch = match target.kind {
        HandleKind::Static => Dispatch::Static,
        HandleKind::Special | HandleKind::New => Dispatch::Special,
        HandleKind::Virtual | HandleKind::Interface => Dispatch::Virtual,
        _ => return None,
    };
    code.call(dispatch, class, &target.member.name, &target.member.descriptor);
    let returned = if target.kind == HandleKind::New { own.as_str() } else { returned };
    if result == "V" {
        // A value takes one place on our stack, whatever it is.
        if returned != "V" {
            code.op(Op::Pop);
        }
        code.op(Op::Return(false));
    } else {
        let hint = if Kind::of(returned) == Kind::Ref && class_name(known_result).is_none() {
            returned
        } else {
            known_result
        };
        let to = if Kind::of(result) == Kind::Ref && Kind::of(returned) != Kind::Ref {
            known_result
        } else {
            result
        };
        if Kind::of(result) == Kind::Ref && Kind::of(returned) == Kind::Ref {
            // Whoever uses the result casts it.
        } else {
            code.adapt(returned, hint, to);
        }
        code.op(Op::Return(true));
    }
    Some(code.finish())
}
