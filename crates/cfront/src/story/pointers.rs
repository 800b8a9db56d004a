//! Pointers as people write them.

use std::collections::BTreeMap;

use crate::machine::Scene;
use crate::model::Model;

/// The names of the objects of a state, by their numbers.
pub(super) struct Objects {
    pub(super) names: BTreeMap<u32, String>,
}

impl Objects {
    pub(super) fn new(model: &Model) -> Self {
        let mut names = BTreeMap::new();
        for (object, number) in model.program().globals.objects.iter().zip(1..) {
            names.insert(number, object.name.clone());
        }
        Self { names }
    }

    /// What a pointer is: `NULL`, `&x`, `&x+8`, `heap3`, a function, or where nothing is any more.
    pub(super) fn spell(&self, model: &Model, scene: &Scene, pointer: i64) -> String {
        let program = model.program();
        let (number, offset) = program.pointers.split(pointer);
        let moved = |name: String| match offset {
            0 => name,
            _ if offset > 0 => format!("{name}+{offset}"),
            _ => format!("{name}{offset}"),
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
