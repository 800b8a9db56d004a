//! Where every object lives.
//!
//! What exists from the start lies in the frame of globals, or among the constants if nothing can write
//! it; other variables lie in the frame of their function. A variable whose address is used is an object
//! with a number besides, so that pointers can point to it.

use model::{Field, Layout, StaticObject, StaticPlace};

use super::{GLOBALS, Lowering, Refusal};
use crate::tree::{Base, ExprKind, ObjectId, PlaceId, PlaceKind, Program, Storage, Type};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// In the frame of globals, from the start of a state.
    Global { offset: u32, number: Option<u32> },
    /// The object with this number, which nothing writes.
    Constant { number: u32 },
    /// In the frame of its function; `number` is where its number is kept, `mark` where it is noted that it was
    /// written.
    Local { offset: u32, number: Option<u32>, mark: Option<u32> },
    /// Nowhere, because it was refused.
    Nowhere,
}

/// What is done with an object, wherever in the program.
#[derive(Clone, Copy, Default)]
struct Uses {
    address: bool,
    written: bool,
}

/// Externals of the standard library that programs only pass on.
const KNOWN_EXTERNALS: [&str; 4] = ["stdin", "stdout", "stderr", "errno"];

impl Lowering<'_> {
    /// Gives homes to all objects, and numbers to those that exist from the start.
    pub(super) fn settle_objects(&mut self) {
        let tree = self.tree;
        let uses = uses(tree);
        let pointer = i64::from(self.pointers.scalar.bytes());
        debug_assert!(pointer > 0);
        let mut layout = Layout { fields: Vec::new(), size: GLOBALS };
        let mut constants = 0u32;
        for id in tree.object_ids() {
            let object = &tree[id];
            let uses = uses[id.index()];
            let home = match object.storage {
                Storage::Local | Storage::Parameter => Home::Nowhere,
                Storage::Extern if !self.is_known_external(id) => match self.external(object) {
                    Some(_) => {
                        let uses = Uses { written: true, ..uses };
                        self.settle_static(id, uses, false, &mut layout, &mut constants)
                    }
                    None => {
                        self.refuse_external(id);
                        Home::Nowhere
                    }
                },
                Storage::Thread if self.threads => {
                    let message = "variables of their own for every thread are not supported".to_owned();
                    self.refusals.push(Refusal { span: object.span, message });
                    Home::Nowhere
                }
                Storage::Static | Storage::Thread | Storage::Extern => {
                    self.settle_static(id, uses, object.constant, &mut layout, &mut constants)
                }
            };
            self.homes.push(home);
        }
        match self.tests {
            Some(_) => self.settle_tests(&mut layout.size),
            None => self.settle_words(&mut layout, &mut constants),
        }
        self.settle_files(&mut layout.size);
        let size = self.pointers.scalar.bytes();
        self.token_state = self.calls("strtok").then(|| aligned(&mut layout.size, size, size));
        for string in &tree.strings {
            let size = tree.types.size(string.ty).unwrap_or(0) as u32;
            let place = StaticPlace::Constant(aligned(&mut constants, size, 8));
            let number = self.add_object(StaticObject { name: String::new(), place, size });
            self.strings.push(number);
        }
        for (function, id) in tree.functions.iter().zip(&self.functions.clone()) {
            let number = match id {
                Some(id) => {
                    let place = StaticPlace::Function(*id);
                    self.add_object(StaticObject { name: function.name.to_string(), place, size: 0 })
                }
                None => 0,
            };
            self.function_objects.push(number);
        }
        layout.size = layout.size.next_multiple_of(8);
        self.globals.initial = vec![0; (layout.size - GLOBALS) as usize];
        self.globals.constants = vec![0; constants as usize];
        self.globals.layout = layout;
    }

    pub(super) fn is_known_external(&self, id: ObjectId) -> bool {
        self.tree[id].name.as_deref().is_some_and(|name| KNOWN_EXTERNALS.contains(&name))
    }

    fn settle_static(
        &mut self,
        id: ObjectId,
        uses: Uses,
        constant: bool,
        layout: &mut Layout,
        constants: &mut u32,
    ) -> Home {
        let object = &self.tree[id];
        let name = object.name.as_deref().unwrap_or("(...)").to_owned();
        let size = match object.size {
            Some(size) if size <= self.pointers.largest_object() => size as u32,
            size => {
                let what = size.map_or("unknown size".to_owned(), |size| format!("{size} bytes"));
                let message = format!("`{name}` is an object of {what}, which is not supported");
                self.refusals.push(Refusal { span: object.span, message });
                return Home::Nowhere;
            }
        };
        let align = self.tree.types.layout(object.ty).map_or(8, |layout| layout.align).clamp(1, 16) as u32;
        if constant || !uses.written && !uses.address {
            let place = StaticPlace::Constant(aligned(constants, size, align));
            return Home::Constant { number: self.add_object(StaticObject { name, place, size }) };
        }
        let offset = aligned(&mut layout.size, size, align);
        layout.fields.push(Field { name: name.clone(), kind: self.model_type(object.ty), offset });
        let place = StaticPlace::Global(offset);
        let number = uses.address.then(|| self.add_object(StaticObject { name, place, size }));
        Home::Global { offset, number }
    }

    pub(super) fn add_object(&mut self, object: StaticObject) -> u32 {
        self.globals.objects.push(object);
        self.globals.objects.len() as u32
    }
}

/// Takes room at the next good place.
pub(super) fn aligned(end: &mut u32, size: u32, align: u32) -> u32 {
    let start = end.next_multiple_of(align.max(1));
    *end = start.saturating_add(size);
    start
}

/// The variable a place is part of.
pub(super) fn root(tree: &Program, place: PlaceId) -> Option<ObjectId> {
    let mut place = place;
    loop {
        place = match tree[place].kind {
            PlaceKind::Variable(object) | PlaceKind::CompoundLiteral(object) => return Some(object),
            PlaceKind::Index { array, .. } => array,
            PlaceKind::Member { record, .. } => record,
            PlaceKind::Deref(_)
            | PlaceKind::Element { .. }
            | PlaceKind::String(_)
            | PlaceKind::Temporary(_) => return None,
        };
    }
}

/// The objects of one function whose address is used are found by asking for all of them once.
fn uses(tree: &Program) -> Vec<Uses> {
    let mut uses = vec![Uses::default(); tree.objects.len()];
    for expr in &tree.exprs {
        match &expr.kind {
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => {
                if let Some(object) = root(tree, *place) {
                    uses[object.index()].address = true;
                }
            }
            ExprKind::Address { base: Base::Object(object), .. } => uses[object.index()].address = true,
            ExprKind::Assign { place, .. }
            | ExprKind::Compound { place, .. }
            | ExprKind::Increment { place, .. } => {
                if let Some(object) = root(tree, *place) {
                    uses[object.index()].written = true;
                }
            }
            _ => {}
        }
    }
    // An open array has no bounds to check but those of its object.
    for place in &tree.places {
        if let PlaceKind::Index { array, .. } = place.kind
            && let Type::Array { length: None, .. } = tree.types.get(tree[array].ty)
            && let Some(object) = root(tree, array)
        {
            uses[object.index()].address = true;
        }
    }
    uses
}

/// Whether pointers to the object are made.
pub(super) fn has_address(tree: &Program) -> Vec<bool> {
    uses(tree).into_iter().map(|uses| uses.address).collect()
}
