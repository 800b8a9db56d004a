//! Switches over patterns and constants of enums.

use super::{Assembler, CallSite};
use crate::code::{Constant, Op};
use crate::value::MethodId;
use crate::world::{Need, SwitchLabel, World};

impl World {
    pub(super) fn make_switch(&mut self, call: &CallSite) -> Result<MethodId, Need> {
        let over_enum = call.bootstrap.method.member.name == "enumSwitch";
        let mut labels = Vec::with_capacity(call.bootstrap.arguments.len());
        for argument in &call.bootstrap.arguments {
            labels.push(match argument {
                Constant::Class(name) => SwitchLabel::Class(self.load(name)?),
                Constant::Text(text) if over_enum => {
                    SwitchLabel::Constant(String::from_utf16_lossy(text).as_str().into())
                }
                Constant::Text(text) => SwitchLabel::Text(text.clone()),
                Constant::Int(value) => SwitchLabel::Int(*value),
                _ => {
                    return Err(
                        self.need("a label of a switch that is a class, a text, a number or a constant")
                    );
                }
            });
        }
        self.labels.push(labels.into());
        let mut code = Assembler::new(2);
        code.op(Op::Load(0));
        code.op(Op::Load(1));
        code.op(Op::TypeSwitch(self.labels.len() as u32 - 1));
        code.op(Op::Return(true));
        self.glue(call, code)
    }
}
