//! Puts operations together.

use crate::code::{Code, Dispatch, Into, Kind, Member, Mention, Op};

#[derive(Debug, Default)]
pub(super) struct Assembler {
    code: Code,
}

impl Assembler {
    pub(super) fn new(locals: u16) -> Self {
        Self { code: Code { max_locals: locals, ..Code::default() } }
    }

    pub(super) fn op(&mut self, op: Op) {
        self.code.ops.push(op);
    }

    /// The number of the next operation.
    pub(super) fn here(&self) -> u32 {
        self.code.ops.len() as u32
    }

    /// An operation whose target is set later.
    pub(super) fn later(&mut self, op: Op) -> usize {
        self.op(op);
        self.code.ops.len() - 1
    }

    pub(super) fn set(&mut self, at: usize, op: Op) {
        self.code.ops[at] = op;
    }

    pub(super) fn mention(&mut self, mention: Mention) -> u32 {
        self.code.mentions.push(mention);
        self.code.mentions.len() as u32 - 1
    }

    pub(super) fn class(&mut self, name: &str) -> u32 {
        self.mention(Mention::Class(name.to_owned()))
    }

    pub(super) fn member(&mut self, class: &str, name: &str, descriptor: &str) -> u32 {
        self.mention(Mention::Member(Member {
            class: class.to_owned(),
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
        }))
    }

    pub(super) fn call(&mut self, dispatch: Dispatch, class: &str, name: &str, descriptor: &str) {
        let site = self.member(class, name, descriptor);
        self.op(Op::Invoke(dispatch, site));
    }

    /// Converts the operand on top from what one descriptor says to what another says; `known` is what is known of a
    /// reference.
    pub(super) fn adapt(&mut self, from: &str, known: &str, to: &str) {
        let (source, target) = (Kind::of(from), Kind::of(to));
        match (source == Kind::Ref, target == Kind::Ref) {
            (true, true) => {
                if let Some(name) = crate::descriptor::class_name(to).filter(|_| from != to && known != to) {
                    let site = self.class(name);
                    self.op(Op::CheckCast(site));
                }
            }
            (true, false) => {
                let boxed = boxed_kind(known).unwrap_or(target);
                let class = box_of(boxed);
                let site = self.class(class);
                self.op(Op::CheckCast(site));
                let name = format!("{}Value", spelled(boxed));
                self.call(Dispatch::Virtual, class, &name, &format!("(){}", boxed.letter()));
                self.widen(boxed, target);
            }
            (false, true) => {
                let boxed = boxed_kind(to).unwrap_or(source);
                self.widen(source, boxed);
                let class = box_of(boxed);
                self.call(Dispatch::Static, class, "valueOf", &format!("({})L{class};", boxed.letter()));
            }
            (false, false) => self.widen(source, target),
        }
    }

    fn widen(&mut self, from: Kind, to: Kind) {
        let into = match to {
            _ if from == to => return,
            Kind::Long if from != Kind::Long => Into::Long,
            Kind::Float if from != Kind::Float => Into::Float,
            Kind::Double => Into::Double,
            _ => return,
        };
        self.op(Op::Convert(into));
    }

    pub(super) fn finish(self) -> Code {
        self.code
    }
}

/// The class of objects that hold numbers of a kind.
pub(super) fn box_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Boolean => "java/lang/Boolean",
        Kind::Byte => "java/lang/Byte",
        Kind::Char => "java/lang/Character",
        Kind::Short => "java/lang/Short",
        Kind::Int => "java/lang/Integer",
        Kind::Long => "java/lang/Long",
        Kind::Float => "java/lang/Float",
        Kind::Double => "java/lang/Double",
        Kind::Ref => "java/lang/Object",
    }
}

fn boxed_kind(descriptor: &str) -> Option<Kind> {
    let kinds = [
        Kind::Boolean,
        Kind::Byte,
        Kind::Char,
        Kind::Short,
        Kind::Int,
        Kind::Long,
        Kind::Float,
        Kind::Double,
    ];
    let name = crate::descriptor::class_name(descriptor)?;
    kinds.into_iter().find(|kind| box_of(*kind) == name)
}

fn spelled(kind: Kind) -> &'static str {
    match kind {
        Kind::Boolean => "boolean",
        Kind::Byte => "byte",
        Kind::Char => "char",
        Kind::Short => "short",
        Kind::Int => "int",
        Kind::Long => "long",
        Kind::Float => "float",
        Kind::Double => "double",
        Kind::Ref => "",
    }
}
