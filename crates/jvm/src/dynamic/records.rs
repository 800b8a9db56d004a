//! `equals`, `hashCode` and `toString` of records.

use super::assembler::box_of;
use super::{Assembler, CallSite};
use crate::code::{Binary, Condition, Constant, Dispatch, Handle, Kind, Op};
use crate::value::MethodId;
use crate::world::{Need, World};

impl World {
    pub(super) fn make_record_method(&mut self, call: &CallSite) -> Result<MethodId, Need> {
        let [Constant::Class(record), Constant::Text(_), getters @ ..] = &call.bootstrap.arguments[..] else {
            return Err(self.need("a record whose call site is well formed"));
        };
        let getters: Vec<&Handle> = getters
            .iter()
            .filter_map(|getter| match getter {
                Constant::Handle(handle) => Some(handle),
                _ => None,
            })
            .collect();
        let code = match call.name.as_str() {
            "hashCode" => hash_code(&getters),
            "equals" => equals(record, &getters),
            "toString" => {
                let class = self.load(record)?;
                let class = self.class(class);
                let simple = class
                    .simple_name
                    .as_deref()
                    .unwrap_or_else(|| record.rsplit('/').next().unwrap_or(record));
                let simple = simple.to_owned();
                self.record_text(&simple, &getters)
            }
            _ => return Err(self.need("a record whose call site is well formed")),
        };
        self.glue(call, code)
    }

    fn record_text(&mut self, simple: &str, getters: &[&Handle]) -> Assembler {
        let mut code = Assembler::new(1);
        let mut pieces: Vec<Vec<u16>> = Vec::new();
        let mut kinds = Vec::new();
        for (at, getter) in getters.iter().enumerate() {
            let before = if at == 0 { format!("{simple}[") } else { ", ".to_owned() };
            pieces.push(format!("{before}{}=", getter.member.name).encode_utf16().collect());
            code.get(0, getter);
            kinds.push(code.as_text(&getter.member.descriptor));
        }
        let end = if getters.is_empty() { format!("{simple}[]") } else { "]".to_owned() };
        pieces.push(end.encode_utf16().collect());
        self.concat_op(&mut code, pieces, kinds);
        code.op(Op::Return(true));
        code
    }
}

impl Assembler {
    fn get(&mut self, slot: u16, getter: &Handle) {
        self.op(Op::Load(slot));
        let field = self.member(&getter.member.class, &getter.member.name, &getter.member.descriptor);
        self.op(Op::GetField(field));
    }
}

fn hash_code(getters: &[&Handle]) -> Assembler {
    let mut code = Assembler::new(1);
    code.op(Op::Int(0));
    for getter in getters {
        code.op(Op::Int(31));
        code.op(Op::Binary(Binary::Mul));
        code.get(0, getter);
        match Kind::of(&getter.member.descriptor) {
            Kind::Ref => {
                code.call(Dispatch::Static, "java/util/Objects", "hashCode", "(Ljava/lang/Object;)I")
            }
            kind => code.call(Dispatch::Static, box_of(kind), "hashCode", &format!("({})I", kind.letter())),
        }
        code.op(Op::Binary(Binary::Add));
    }
    code.op(Op::Return(true));
    code
}

fn equals(record: &str, getters: &[&Handle]) -> Assembler {
    let mut code = Assembler::new(2);
    let mut unequal = Vec::new();
    code.op(Op::Load(1));
    let class = code.class(record);
    code.op(Op::InstanceOf(class));
    unequal.push((code.later(Op::Nop), Condition::Eq));
    for getter in getters {
        code.get(0, getter);
        code.get(1, getter);
        match Kind::of(&getter.member.descriptor) {
            Kind::Ref => {
                let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)Z";
                code.call(Dispatch::Static, "java/util/Objects", "equals", descriptor);
                unequal.push((code.later(Op::Nop), Condition::Eq));
            }
            kind => {
                let letter = kind.letter();
                code.call(Dispatch::Static, box_of(kind), "compare", &format!("({letter}{letter})I"));
                unequal.push((code.later(Op::Nop), Condition::Ne));
            }
        }
    }
    code.op(Op::Int(1));
    code.op(Op::Return(true));
    let end = code.here();
    code.op(Op::Int(0));
    code.op(Op::Return(true));
    for (at, condition) in unequal {
        code.set(at, Op::If(condition, end));
    }
    code
}
