//! What static objects and literals hold before the program runs.

use model::{Expr, StaticObject, StaticPlace};

use super::types::ScalarKind;
use super::{GLOBALS, Home, Lowered, Lowering};
use crate::tree::{Base, BitRange, ExprId, ExprKind, InitEntry, InitValue, Initializer, StringId, TypeId};

impl Lowering<'_> {
    /// Fills in the bytes of all static objects.
    pub(super) fn initialise(&mut self) {
        let tree = self.tree;
        for index in 0..tree.strings.len() {
            let bytes = self.string_bytes(index);
            let place = self.globals.objects[self.strings[index] as usize - 1].place;
            self.write(place, 0, &bytes);
        }
        for id in tree.object_ids() {
            let place = match self.homes[id.index()] {
                Home::Global { offset, .. } => StaticPlace::Global(offset),
                Home::Constant { number } => self.globals.objects[number as usize - 1].place,
                Home::Local { .. } | Home::Nowhere => continue,
            };
            if let Some(file) = self.stream(&tree[id]) {
                let size = self.pointers.scalar.bytes() as usize;
                self.write(place, 0, &file.to_le_bytes()[..size]);
            }
            if let Some(init) = &tree[id].init
                && let Err(refusal) = self.initialise_object(place, init)
            {
                self.refusals.push(refusal);
            }
        }
    }

    fn initialise_object(&mut self, place: StaticPlace, init: &Initializer) -> Lowered<()> {
        for entry in &init.entries {
            match entry.value {
                InitValue::String(string) => {
                    let mut bytes = self.string_bytes(string.index());
                    bytes.truncate(self.string_room(entry, string));
                    self.write(place, entry.offset, &bytes);
                }
                InitValue::Expr(expr) => {
                    let span = self.tree[expr].span;
                    let value = self.constant(expr)?;
                    let kind = self.kind(entry.ty, span)?;
                    let value = match kind {
                        ScalarKind::Single => constant_value(&self.convert(
                            Expr::Apply(model::Primitive::ToSingleBits, vec![Expr::Constant(value)]),
                            ScalarKind::Int(kind.scalar()),
                            ScalarKind::Int(kind.scalar()),
                        ))
                        .unwrap_or_default(),
                        _ => value,
                    };
                    let size = kind.scalar().bytes() as usize;
                    match entry.bits {
                        None => self.write(place, entry.offset, &value.to_le_bytes()[..size]),
                        Some(bits) => self.write_bits(place, entry.offset, bits, value),
                    }
                }
            }
        }
        Ok(())
    }

    /// How many bytes of a literal fit where it is put.
    pub(super) fn string_room(&self, entry: &InitEntry, string: StringId) -> usize {
        let own = self.tree.types.size(self.tree[string].ty).unwrap_or(0);
        let room = self.tree.types.size(entry.ty).unwrap_or(own);
        own.min(room) as usize
    }

    fn string_bytes(&self, index: usize) -> Vec<u8> {
        let string = &self.tree.strings[index];
        let element: Option<TypeId> = self.tree.types.element(string.ty);
        let size = element.and_then(|element| self.tree.types.size(element)).unwrap_or(1) as usize;
        string.elements.iter().flat_map(|element| element.to_le_bytes().into_iter().take(size)).collect()
    }

    fn bytes(&mut self, place: StaticPlace) -> &mut [u8] {
        match place {
            StaticPlace::Global(offset) => &mut self.globals.initial[(offset - GLOBALS) as usize..],
            StaticPlace::Constant(offset) => &mut self.globals.constants[offset as usize..],
            StaticPlace::Function(_) => &mut [],
        }
    }

    fn write(&mut self, place: StaticPlace, offset: u64, bytes: &[u8]) {
        if let Some(room) = self.bytes(place).get_mut(offset as usize..offset as usize + bytes.len()) {
            room.copy_from_slice(bytes);
        }
    }

    fn write_bits(&mut self, place: StaticPlace, offset: u64, bits: BitRange, value: i64) {
        let bytes = self.bytes(place);
        for bit in 0..u64::from(bits.width) {
            let at = offset * 8 + u64::from(bits.start) + bit;
            if let Some(byte) = bytes.get_mut((at / 8) as usize) {
                let mask = 1 << (at % 8);
                *byte = if value >> bit & 1 == 1 { *byte | mask } else { *byte & !mask };
            }
        }
    }

    /// The value of a constant of static storage.
    pub(super) fn constant(&self, expr: ExprId) -> Lowered<i64> {
        let node = &self.tree[expr];
        let value = match node.kind {
            ExprKind::Int(value) => Some(value as i64),
            ExprKind::Float(value) => Some(value.to_bits() as i64),
            ExprKind::Function(function) => Some(self.function_pointer(function)),
            ExprKind::Address { base, offset } => self.static_address(base, offset),
            ExprKind::Convert { operand, .. } => {
                let value = self.constant(operand)?;
                let from = self.kind(self.tree[operand].ty, node.span)?;
                let to = self.kind(node.ty, node.span)?;
                constant_value(&self.convert(Expr::Constant(value), from, to))
            }
            _ => None,
        };
        match value {
            Some(value) => Ok(value),
            None => self.refuse(node.span, "the value of this constant is not known"),
        }
    }

    pub(super) fn function_pointer(&self, function: crate::tree::FunctionId) -> i64 {
        self.pointers.pointer(self.function_objects[function.index()], 0)
    }

    pub(super) fn static_address(&self, base: Base, offset: i64) -> Option<i64> {
        let number = match base {
            Base::Object(object) => match self.homes[object.index()] {
                Home::Global { number, .. } => number?,
                Home::Constant { number } => number,
                Home::Local { .. } | Home::Nowhere => return None,
            },
            Base::Function(function) => self.function_objects[function.index()],
            Base::String(string) => self.strings[string.index()],
        };
        Some(self.pointers.pointer(number, offset))
    }
}

/// The value of an expression without variables.
pub(super) fn constant_value(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Constant(value) => Some(*value),
        Expr::Wrap(scalar, inner) => Some(scalar.wrap(constant_value(inner)?)),
        Expr::Apply(primitive, arguments) => {
            let mut values = arguments.iter().map(constant_value);
            let first = values.next()??;
            primitive.apply(first, values.next().unwrap_or(Some(0))?).ok()
        }
        Expr::Unary(model::Unary::Not, inner) => Some(i64::from(constant_value(inner)? == 0)),
        Expr::Binary(model::Binary::NotEqual, left, right) => {
            Some(i64::from(constant_value(left)? != constant_value(right)?))
        }
        _ => None,
    }
}

impl Lowering<'_> {
    /// A pointer to the name a program is started by.
    pub(super) fn program_name(&mut self) -> i64 {
        let start = self.globals.constants.len().next_multiple_of(8);
        let name = b"program\0";
        self.globals.constants.resize(start, 0);
        self.globals.constants.extend_from_slice(name);
        let place = StaticPlace::Constant(start as u32);
        let text = self.add_object(StaticObject { name: String::new(), place, size: name.len() as u32 });
        self.pointers.pointer(text, 0)
    }
}
