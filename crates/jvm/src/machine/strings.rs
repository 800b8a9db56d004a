//! Strings: read, made, and put together.

use super::{Machine, Run};
use crate::value::{Body, Ref, Value};
use crate::world::SwitchLabel;

impl Machine<'_> {
    /// The UTF-16 units of a string.
    pub(crate) fn units(&mut self, string: Ref) -> Run<Vec<u16>> {
        let (Value::Ref(bytes), Value::Int(coder)) =
            (self.named(string, "value")?, self.named(string, "coder")?)
        else {
            return Err(self.bad());
        };
        let bytes = self.bytes(bytes)?;
        Ok(if coder == 0 {
            bytes.into_iter().map(|byte| u16::from(byte as u8)).collect()
        } else {
            bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0] as u8, pair[1] as u8])).collect()
        })
    }

    pub(crate) fn read_string(&mut self, string: Ref) -> Run<String> {
        Ok(String::from_utf16_lossy(&self.units(string)?))
    }

    pub(crate) fn string(&mut self, text: &str) -> Run<Ref> {
        let units: Vec<u16> = text.encode_utf16().collect();
        self.string_of(&units)
    }

    /// A new string.
    pub(crate) fn string_of(&mut self, units: &[u16]) -> Run<Ref> {
        let latin = units.iter().all(|unit| *unit < 256);
        let bytes: Vec<i8> = if latin {
            units.iter().map(|unit| *unit as u8 as i8).collect()
        } else {
            units.iter().flat_map(|unit| unit.to_le_bytes()).map(|byte| byte as i8).collect()
        };
        let array = self.allocate(self.world.common.bytes, Body::Bytes(bytes));
        let string = self.new_instance(self.world.common.string);
        self.set_named(string, "value", Value::Ref(array))?;
        self.set_named(string, "coder", Value::Int(i32::from(!latin)))?;
        Ok(string)
    }

    /// Puts a string together. Objects were made strings by code that was run before.
    pub(super) fn concat(&mut self, number: u32) -> Run<()> {
        let Some(recipe) = self.world.recipes.get(number as usize).cloned() else { return Err(self.bad()) };
        let count = recipe.kinds.len();
        let mut units: Vec<u16> = Vec::new();
        for at in 0..count {
            units.extend_from_slice(&recipe.pieces[at]);
            let text = match (self.peek(count - 1 - at)?, recipe.kinds[at]) {
                (Value::Int(value), crate::code::Kind::Boolean) => (value != 0).to_string(),
                (Value::Int(value), crate::code::Kind::Char) => {
                    units.push(value as u16);
                    continue;
                }
                (Value::Int(value), _) => value.to_string(),
                (Value::Long(value), _) => value.to_string(),
                (Value::Ref(value), _) if value.is_null() => "null".to_owned(),
                (Value::Ref(value), _) => {
                    let of = self.units(value)?;
                    units.extend_from_slice(&of);
                    continue;
                }
                _ => return Err(self.bad()),
            };
            units.extend(text.encode_utf16());
        }
        units.extend_from_slice(&recipe.pieces[count]);
        let made = self.string_of(&units)?;
        self.drop(count);
        self.push(Value::Ref(made));
        Ok(())
    }

    /// Which label of a `switch` a value fits, from a number on; their count if none does, -1 for null.
    pub(super) fn type_switch(&mut self, number: u32) -> Run<()> {
        let Some(labels) = self.world.labels.get(number as usize).cloned() else { return Err(self.bad()) };
        let (from, value) = (self.peek_int(0)?, self.peek_ref(1)?);
        let mut found = labels.len() as i32;
        if value.is_null() {
            found = -1;
        } else {
            let class = self.class_of(value)?;
            let name = self.world.class(class).name.clone();
            for (at, label) in labels.iter().enumerate().skip(usize::try_from(from).unwrap_or(0)) {
                let fits = match label {
                    SwitchLabel::Class(of) => self.world.is_a(class, *of),
                    SwitchLabel::Text(text) => &*name == "java/lang/String" && self.units(value)? == *text,
                    SwitchLabel::Int(number) => match &*name {
                        "java/lang/Integer"
                        | "java/lang/Character"
                        | "java/lang/Short"
                        | "java/lang/Byte" => {
                            matches!(self.named(value, "value")?, Value::Int(value) if value == *number)
                        }
                        _ => false,
                    },
                    SwitchLabel::Constant(constant) => match self.named(value, "name")? {
                        Value::Ref(text) => self.read_string(text)? == **constant,
                        _ => false,
                    },
                };
                if fits {
                    found = at as i32;
                    break;
                }
            }
        }
        self.drop(2);
        self.push(Value::Int(found));
        Ok(())
    }
}
