//! Pointers as people write them.

use std::collections::BTreeMap;

use crate::lower::Home;
use crate::machine::Scene;
use crate::model::Model;
use crate::tree::{Type, TypeId};

/// The names of the objects of a state, by their numbers, and their types.
pub(super) struct Objects {
    pub(super) names: BTreeMap<u32, String>,
    pub(super) types: BTreeMap<u32, TypeId>,
}

impl Objects {
    pub(super) fn new(model: &Model) -> Self {
        let mut names = BTreeMap::new();
        for (object, number) in model.program().globals.objects.iter().zip(1..) {
            names.insert(number, object.name.clone());
        }
        let numbered = model.tree.object_ids().filter_map(|id| match model.homes[id.index()] {
            Home::Global { number: Some(number), .. } | Home::Constant { number } => {
                Some((number, model.tree[id].ty))
            }
            _ => None,
        });
        Self { names, types: numbered.collect() }
    }

    /// The way to what lies `offset` bytes into something: `.lock`, `[2].next`; none if nothing begins
    /// there. What begins at the start of something else is not entered.
    fn path(model: &Model, ty: TypeId, offset: u64) -> Option<String> {
        if offset == 0 {
            return Some(String::new());
        }
        let types = &model.tree.types;
        match types.get(ty) {
            Type::Array { element, length: Some(length) } => {
                let size = types.size(element).filter(|size| *size > 0)?;
                let index = offset / size;
                let rest = Self::path(model, element, offset % size)?;
                // The end of an array is a place to point to.
                (index < length || index == length && rest.is_empty()).then(|| format!("[{index}]{rest}"))
            }
            Type::Record(id) => {
                let fields = types.record(id).fields.iter().filter(|field| field.bits.is_none());
                let around = fields.into_iter().find(|field| {
                    let end = field.offset + types.size(field.ty).unwrap_or(0);
                    (field.offset..end).contains(&offset)
                })?;
                let rest = Self::path(model, around.ty, offset - around.offset)?;
                Some(around.name.as_ref().map_or(rest.clone(), |name| format!(".{name}{rest}")))
            }
            _ => None,
        }
    }

    /// What a pointer is: `NULL`, `&x`, `&x.next`, `&x+3`, `heap3`, a function, or where nothing is any more.
    pub(super) fn spell(&self, model: &Model, scene: &Scene, pointer: i64) -> String {
        let program = model.program();
        let (number, offset) = program.pointers.split(pointer);
        let moved = |name: String| match self.inside(model, number, offset) {
            Some(path) => format!("{name}{path}"),
            None if offset > 0 => format!("{name}+{offset}"),
            None if offset < 0 => format!("{name}{offset}"),
            None => name,
        };
        if number == 0 {
            return if offset == 0 { "NULL".to_owned() } else { offset.to_string() };
        }
        if let Some(object) = program.globals.objects.get(number as usize - 1) {
            return match (object.place, object.name.as_str()) {
                (model::StaticPlace::Function(_), name) => name.to_owned(),
                (_, "") => moved(self.literal(model, number)),
                (_, name) => moved(format!("&{name}")),
            };
        }
        match (self.names.get(&number), scene.object(number)) {
            (Some(name), Some(_)) => moved(format!("&{name}")),
            (None, Some(object)) if object.on_heap => moved(format!("heap{number}")),
            (None, Some(_)) => moved(format!("object{number}")),
            (_, None) => "dangling".to_owned(),
        }
    }

    fn inside(&self, model: &Model, number: u32, offset: i64) -> Option<String> {
        Self::path(model, *self.types.get(&number)?, u64::try_from(offset).ok()?)
    }

    /// The text of a literal.
    fn literal(&self, model: &Model, number: u32) -> String {
        let globals = &model.program().globals;
        let object = &globals.objects[number as usize - 1];
        let model::StaticPlace::Constant(start) = object.place else { return "literal".to_owned() };
        let bytes = &globals.constants[start as usize..(start + object.size) as usize];
        let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
        format!("{:?}", String::from_utf8_lossy(text))
    }
}
