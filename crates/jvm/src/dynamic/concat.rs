//! Concatenation of strings: objects are made strings by their own methods, the rest is one operation.

use super::{Assembler, CallSite};
use crate::code::{Constant, Dispatch, Kind, Op};
use crate::descriptor::parts;
use crate::value::MethodId;
use crate::world::{Need, Recipe, World};

/// Where a recipe has a value, and where a constant.
const VALUE: u16 = 1;
const CONSTANT: u16 = 2;

impl World {
    pub(super) fn make_concat(&mut self, call: &CallSite) -> Result<MethodId, Need> {
        let Some((parameters, _)) = parts(&call.descriptor) else {
            return Err(self.need("a concatenation whose call site is well formed"));
        };
        let mut arguments = call.bootstrap.arguments.iter();
        let recipe = if call.bootstrap.method.member.name == "makeConcat" {
            vec![VALUE; parameters.len()]
        } else {
            match arguments.next() {
                Some(Constant::Text(recipe)) => recipe.clone(),
                _ => return Err(self.need("a concatenation whose call site is well formed")),
            }
        };
        let mut pieces = vec![Vec::new()];
        for unit in recipe {
            match unit {
                VALUE => pieces.push(Vec::new()),
                CONSTANT => {
                    let text = match arguments.next() {
                        Some(Constant::Text(text)) => text.clone(),
                        Some(Constant::Int(value)) => value.to_string().encode_utf16().collect(),
                        Some(Constant::Long(value)) => value.to_string().encode_utf16().collect(),
                        _ => {
                            return Err(
                                self.need("a constant of a concatenation that is neither text nor whole")
                            );
                        }
                    };
                    if let Some(last) = pieces.last_mut() {
                        last.extend(text);
                    }
                }
                unit => {
                    if let Some(last) = pieces.last_mut() {
                        last.push(unit);
                    }
                }
            }
        }
        if pieces.len() != parameters.len() + 1 {
            return Err(self.need("a concatenation whose call site is well formed"));
        }
        let slots: u16 =
            parameters.iter().map(|descriptor| 1 + u16::from(Kind::of(descriptor).is_wide())).sum();
        let mut code = Assembler::new(slots);
        let mut slot = 0;
        let mut kinds = Vec::new();
        for descriptor in &parameters {
            code.op(Op::Load(slot));
            slot += 1 + u16::from(Kind::of(descriptor).is_wide());
            kinds.push(code.as_text(descriptor));
        }
        self.concat_op(&mut code, pieces, kinds);
        code.op(Op::Return(true));
        self.glue(call, code)
    }

    /// Puts values on the stack together.
    pub(super) fn concat_op(&mut self, code: &mut Assembler, pieces: Vec<Vec<u16>>, kinds: Vec<Kind>) {
        self.recipes.push(std::sync::Arc::new(Recipe { pieces, kinds }));
        code.op(Op::Concat(self.recipes.len() as u32 - 1));
    }
}

impl Assembler {
    /// Makes the operand on top something that is put into strings as it is.
    pub(super) fn as_text(&mut self, descriptor: &str) -> Kind {
        let kind = Kind::of(descriptor);
        match kind {
            Kind::Ref if descriptor == "Ljava/lang/String;" => kind,
            Kind::Ref | Kind::Float | Kind::Double => {
                let of = match kind {
                    Kind::Ref => "Ljava/lang/Object;",
                    Kind::Float => "F",
                    _ => "D",
                };
                self.call(
                    Dispatch::Static,
                    "java/lang/String",
                    "valueOf",
                    &format!("({of})Ljava/lang/String;"),
                );
                Kind::Ref
            }
            kind => kind,
        }
    }
}
