//! The variables that a statement can name.

use ::model::{Place, Scalar};

use crate::lower::Home;
use crate::model::Model;
use crate::tree::{ObjectId, Type};

impl Model {
    /// The integer variables that the source names where a statement stands: those of its function that are declared
    /// before it in blocks that are still open, innermost first, and globals.
    pub fn variables_at(&self, statement: u32) -> Vec<(String, Place)> {
        let Some(statement) = self.program().statements.get(statement as usize) else { return Vec::new() };
        let function = self.origins.get(statement.function.0 as usize).copied();
        let text = &self.tree.source;
        let mut found: Vec<(String, Place)> = Vec::new();
        let ids: Vec<ObjectId> = self.tree.object_ids().collect();
        for local in [true, false] {
            for id in ids.iter().rev() {
                let object = &self.tree[*id];
                let Some(name) = &object.name else { continue };
                let Some(scalar) = self.integer(*id) else { continue };
                let place = match self.homes[id.index()] {
                    Home::Local { offset, .. } if local && object.function == function => {
                        let between = text.get(object.span.end..statement.span.start);
                        if !between.is_some_and(stays_open) {
                            continue;
                        }
                        Place::local(offset, scalar)
                    }
                    Home::Global { offset, .. }
                        if !local && object.function.is_none_or(|owner| Some(owner) == function) =>
                    {
                        Place::global(offset, scalar)
                    }
                    _ => continue,
                };
                if !found.iter().any(|(known, _)| **known == **name) {
                    found.push((name.to_string(), place));
                }
            }
        }
        found
    }

    fn integer(&self, id: ObjectId) -> Option<Scalar> {
        let ty = self.tree[id].ty;
        match self.tree.types.get(ty) {
            Type::Bool | Type::Int(_) | Type::Enum(_) => {
                let int = self.tree.types.int(ty).filter(|int| int.bits <= 64)?;
                Some(Scalar { bits: int.bits, signed: int.signed })
            }
            _ => None,
        }
    }
}

/// Whether a block that is open where a text begins is open where it ends.
fn stays_open(text: &str) -> bool {
    let mut depth = 0i32;
    let mut parameters = text.starts_with([',', ')']) || text.trim_start().starts_with([',', ')']);
    for byte in text.bytes() {
        match byte {
            // The body of a function belongs to its parameters.
            b'{' => {
                depth += i32::from(!parameters);
                parameters = false;
            }
            b'}' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::stays_open;

    #[test]
    fn a_block_that_ends_takes_its_variables_along() {
        assert!(stays_open(" = 1; if (a) { b(); } "));
        assert!(!stays_open(" = 1; } if (a) { b(); "));
        assert!(stays_open(", int b) { if (a) { b(); } "));
    }
}
