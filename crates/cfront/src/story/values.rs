//! What the variables of a state hold, in the words of their types.
//!
//! Globals go by their names, variables of a call by `function.name`; a function that is called inside
//! itself is counted, `function#2.name`, and where there are threads, variables belong to one. Objects on
//! the heap are `heap` and their number, and have the type of whatever points to them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use graph::{Held, Outline, Slot, computed_name};
use model::{Primitive, Scalar};

use super::pointers::Objects;
use crate::lower::Home;
use crate::machine::{Bytes, Scene, TAKEN_AGAIN, frames, laid_out_by};
use crate::model::Model;
use crate::tree::{BitRange, Float, FunctionId, ObjectId, Type, TypeId};

/// How many elements of an array are told.
const MOST_ELEMENTS: u64 = 256;
/// The bytes of a value that a call computes on the way.
const TEMPORARY: usize = 8;
/// The structures of locks that one thread holds at a time, in the headers.
const LOCKS: [&str; 3] = ["__WHEREFORE_mutex", "__WHEREFORE_mtx", "__WHEREFORE_spinlock"];

/// A variable, or a part of one that is no longer cut up.
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) value: String,
    /// Where it lies in the state.
    pub(super) at: Range<usize>,
    kind: CountedBytes,
}

/// What counts of the bytes of a variable.
enum CountedBytes {
    All,
    /// All up to a zero.
    Text,
    Bits(BitRange),
    /// What it points to, by its name, and that depends on more than its bytes.
    Pointer,
}

pub(super) fn variables(model: &Model, state: &[u8]) -> Vec<Variable> {
    let mut scene = Scene::default();
    scene.find(&model.machine, state);
    let mut teller = Teller::new(model, state, &scene);
    teller.name_objects();
    teller.globals();
    teller.frames();
    teller.on_heap();
    teller.found
}

/// Where the variables lie in a state, and in all others with the same threads, calls, objects and pointers.
pub(super) fn outline(model: &Model, state: &[u8]) -> Outline {
    let mut scene = Scene::default();
    scene.find(&model.machine, state);
    let mut places = laid_out_by(&model.machine, state, &scene);
    let mut slots = Vec::new();
    for Variable { name, value, at, kind } in variables(model, state) {
        let held = match kind {
            CountedBytes::All => Held::Bytes(at),
            CountedBytes::Text => Held::Text(at),
            CountedBytes::Bits(bits) => Held::Bits { at, first: bits.start.into(), count: bits.width.into() },
            CountedBytes::Pointer => {
                places.push(at);
                Held::Always(value)
            }
        };
        slots.push(Slot { name, held });
    }
    Outline::new(state, places, slots)
}

/// What calls compute on the way, such as what a function hands back: no variables, but steps leave them to
/// each other.
pub(super) fn computed(model: &Model, state: &[u8]) -> Vec<Variable> {
    let mut scene = Scene::default();
    scene.find(&model.machine, state);
    let mut told = Vec::new();
    for (call, function, frame) in Teller::new(model, state, &scene).calls() {
        let frame_of = &model.machine.functions[function];
        let places = (frame + frame_of.temporaries..frame + frame_of.size).step_by(TEMPORARY);
        told.extend(places.enumerate().map(|(number, start)| Variable {
            name: computed_name(&call, number),
            value: String::new(),
            at: start..start + TEMPORARY,
            kind: CountedBytes::All,
        }));
    }
    told
}

/// The objects of a state by their names.
pub(super) struct Named<'a> {
    model: &'a Model,
    scene: Scene,
    objects: Objects,
    variables: Vec<Variable>,
}

impl<'a> Named<'a> {
    pub(super) fn new(model: &'a Model, state: &[u8]) -> Self {
        let mut scene = Scene::default();
        scene.find(&model.machine, state);
        let mut teller = Teller::new(model, state, &scene);
        teller.name_objects();
        let objects = teller.objects;
        Self { model, scene, objects, variables: variables(model, state) }
    }

    /// The variable that a pointer points to.
    pub(super) fn variable(&self, pointer: i64) -> String {
        let at = self.scene.resolve(self.model.program(), pointer, 1, false);
        let Ok(Bytes::State(start)) = at else { return self.spell(pointer) };
        let variable = self.variables.iter().find(|variable| variable.at.start == start);
        variable.map_or_else(|| self.spell(pointer), |variable| variable.name.clone())
    }

    /// What a pointer points to.
    pub(super) fn spell(&self, pointer: i64) -> String {
        let spelled = self.objects.spell(self.model, &self.scene, pointer);
        spelled.strip_prefix('&').map_or(spelled.clone(), str::to_owned)
    }
}

struct Teller<'a> {
    model: &'a Model,
    state: &'a [u8],
    scene: &'a Scene,
    objects: Objects,
    found: Vec<Variable>,
    /// Objects on the heap that something points to, with the type it points to.
    heap: BTreeMap<u32, TypeId>,
}

impl<'a> Teller<'a> {
    fn new(model: &'a Model, state: &'a [u8], scene: &'a Scene) -> Self {
        let objects = Objects::new(model);
        Self { model, state, scene, objects, found: Vec::new(), heap: BTreeMap::new() }
    }

    fn globals(&mut self) {
        let tree = &self.model.tree;
        for id in tree.object_ids() {
            if let Home::Global { offset, .. } = self.model.homes[id.index()] {
                let name = self.global_name(id);
                let bytes = &self.state[offset as usize..];
                self.tell(&name, tree[id].ty, bytes);
            }
        }
    }

    fn global_name(&self, id: ObjectId) -> String {
        let object = &self.model.tree[id];
        let name = object.name.as_deref().unwrap_or("(...)");
        match object.function {
            None => name.to_owned(),
            Some(function) => format!("{}.{name}", self.model.tree[function].name),
        }
    }

    /// The frames of all threads: how the call is named, its function, where it is.
    fn calls(&self) -> Vec<(String, usize, usize)> {
        let mut calls = Vec::new();
        let threads = frames(&self.model.machine, self.state, self.scene);
        for (thread, frames) in threads.iter().enumerate() {
            let mut depth: BTreeMap<usize, u32> = BTreeMap::new();
            for (function, frame) in frames {
                let count = depth.entry(*function).or_insert(0);
                *count += 1;
                let name = &self.model.program().functions[*function].name;
                let name = if *count > 1 { format!("{name}#{count}") } else { name.clone() };
                // The first thread keeps its names when others come and go.
                let name = if thread > 0 { format!("{thread}:{name}") } else { name };
                calls.push((name, *function, *frame));
            }
        }
        calls
    }

    fn name_objects(&mut self) {
        let tree = &self.model.tree;
        for (call, function, frame) in self.calls() {
            for object in &self.model.program().functions[function].objects {
                let at = frame + object.number as usize;
                let number = Scalar::unsigned(32).load(&self.state[at..]) as u32;
                self.objects.names.insert(number, format!("{call}.{}", object.name));
            }
            let origin = self.model.origins[function];
            for id in tree.object_ids().filter(|id| tree[*id].function == Some(origin)) {
                if let Home::Local { number: Some(number), .. } = self.model.homes[id.index()] {
                    let number = Scalar::unsigned(32).load(&self.state[frame + number as usize..]) as u32;
                    self.objects.types.insert(number, tree[id].ty);
                }
            }
        }
    }

    fn frames(&mut self) {
        let tree = &self.model.tree;
        let shared = self.shared_names();
        for (call, function, frame) in self.calls() {
            let origin = self.model.origins[function];
            for id in tree.object_ids() {
                let object = &tree[id];
                if let (Home::Local { offset, .. }, Some(name)) = (self.model.homes[id.index()], &object.name)
                    && object.function == Some(origin)
                {
                    let bytes = &self.state[frame + offset as usize..];
                    let line =
                        self.model.location(object.span).filter(|_| shared.contains(&(origin, &**name)));
                    let line = line.map_or_else(String::new, |at| format!(" (line {})", at.line));
                    self.tell(&format!("{call}.{name}{line}"), object.ty, bytes);
                }
            }
        }
    }

    /// Names that several variables of a function have, in blocks of their own: their lines tell them apart.
    fn shared_names(&self) -> BTreeSet<(FunctionId, &'a str)> {
        let tree = &self.model.tree;
        let mut known = BTreeSet::new();
        let named = tree.object_ids().filter_map(|id| Some((tree[id].function?, tree[id].name.as_deref()?)));
        named.filter(|one| !known.insert(*one)).collect()
    }

    /// Objects on the heap, as far as pointers lead to them.
    fn on_heap(&mut self) {
        let mut told = BTreeSet::new();
        while let Some((number, ty)) = self.heap.pop_first() {
            if !told.insert(number) {
                continue;
            }
            let Some(object) = self.scene.object(number).copied() else { continue };
            let Some(size) = self.model.tree.types.size(ty).filter(|size| *size > 0) else { continue };
            let count = u64::from(object.size) / size;
            for index in 0..count.min(MOST_ELEMENTS) {
                let bytes = &self.state[object.start + (index * size) as usize..];
                let name =
                    if count == 1 { format!("heap{number}") } else { format!("heap{number}[{index}]") };
                self.tell(&name, ty, bytes);
            }
        }
    }

    /// Adds all scalars of something that begins at the start of `bytes`.
    fn tell(&mut self, name: &str, ty: TypeId, bytes: &[u8]) {
        let types = &self.model.tree.types;
        match types.get(ty) {
            Type::Array { element, length: Some(length) } => {
                let Some(size) = types.size(element) else { return };
                if self.is_text(element) {
                    let text = &bytes[..length as usize];
                    let end = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
                    let text = String::from_utf8_lossy(&text[..end]);
                    self.add(
                        name.to_owned(),
                        format!("{text:?}"),
                        bytes,
                        length as usize,
                        CountedBytes::Text,
                    );
                    return;
                }
                for index in 0..length.min(MOST_ELEMENTS) {
                    self.tell(&format!("{name}[{index}]"), element, &bytes[(index * size) as usize..]);
                }
            }
            Type::Record(id) => {
                for field in &types.record(id).fields {
                    let bytes = &bytes[field.offset as usize..];
                    match (&field.name, field.bits) {
                        // Locks and the like are known by their own names.
                        (Some(field_name), None) if &**field_name == "__state" => {
                            if types.record(id).tag.as_deref().is_some_and(|tag| LOCKS.contains(&tag)) {
                                let held = Scalar::I32.load(bytes);
                                self.add(name.to_owned(), lock_value(held), bytes, 4, CountedBytes::All);
                            } else {
                                self.tell(name, field.ty, bytes);
                            }
                        }
                        (Some(field_name), None) => {
                            self.tell(&format!("{name}.{field_name}"), field.ty, bytes);
                        }
                        (Some(field_name), Some(bits)) => {
                            let signed = types.int(field.ty).is_some_and(|int| int.signed);
                            let value = bit_field(bytes, bits, signed);
                            let size = usize::from(bits.start + bits.width).div_ceil(8);
                            let name = format!("{name}.{field_name}");
                            self.add(name, value.to_string(), bytes, size, CountedBytes::Bits(bits));
                        }
                        (None, None) => self.tell(name, field.ty, bytes),
                        (None, Some(_)) => {}
                    }
                }
            }
            _ => {
                if let Some(value) = self.scalar(ty, bytes) {
                    let size = types.size(ty).unwrap_or(1) as usize;
                    let is_pointer = matches!(types.get(ty), Type::Pointer(_));
                    let kind = if is_pointer { CountedBytes::Pointer } else { CountedBytes::All };
                    self.add(name.to_owned(), value, bytes, size, kind);
                }
            }
        }
    }

    /// `bytes` are the rest of the state from where the variable begins.
    fn add(&mut self, name: String, value: String, bytes: &[u8], size: usize, kind: CountedBytes) {
        let start = self.state.len() - bytes.len();
        self.found.push(Variable { name, value, at: start..start + size, kind });
    }

    fn is_text(&self, element: TypeId) -> bool {
        let int = self.model.tree.types.int(element);
        matches!(self.model.tree.types.get(element), Type::Int(_))
            && int.is_some_and(|int| int.bits == 8 && int.signed)
    }

    fn scalar(&mut self, ty: TypeId, bytes: &[u8]) -> Option<String> {
        let types = &self.model.tree.types;
        Some(match types.get(ty) {
            Type::Float(Float::Single) => {
                let bits = Primitive::FromSingleBits.apply(Scalar::unsigned(32).load(bytes), 0).ok()?;
                f64::from_bits(bits as u64).to_string()
            }
            Type::Float(_) => f64::from_bits(Scalar::I64.load(bytes) as u64).to_string(),
            Type::Pointer(pointee) => {
                let pointers = self.model.program().pointers;
                let pointer = pointers.scalar.load(bytes);
                let (number, _) = pointers.split(pointer);
                let is_on_heap = self.scene.object(number).is_some_and(|object| object.on_heap);
                if is_on_heap && !matches!(types.get(pointee), Type::Void | Type::Function(_)) {
                    self.heap.insert(number, pointee);
                }
                self.objects.spell(self.model, self.scene, pointer)
            }
            Type::Enum(id) => {
                let int = types.int(ty)?;
                let value = i128::from(Scalar { bits: int.bits, signed: int.signed }.load(bytes));
                let constants = &types.enumeration(id).constants;
                let name = constants.iter().find(|(_, constant)| *constant == value);
                name.map_or_else(|| value.to_string(), |(name, _)| name.to_string())
            }
            _ => {
                let int = types.int(ty).filter(|int| int.bits <= 64)?;
                let value = Scalar { bits: int.bits, signed: int.signed }.load(bytes);
                if int.bits == 64 && !int.signed { (value as u64).to_string() } else { value.to_string() }
            }
        })
    }
}

/// What a lock holds: who has it, and how often where it can be taken several times.
fn lock_value(held: i64) -> String {
    let (owner, again) = (held % TAKEN_AGAIN, held / TAKEN_AGAIN);
    let Some(owner) = owner.checked_sub(1).and_then(|owner| u8::try_from(owner).ok()) else {
        return "free".to_owned();
    };
    let often = if again > 0 { format!(", {} times", again + 1) } else { String::new() };
    let owner = if owner == 0 { "main".to_owned() } else { format!("thread {owner}") };
    format!("held by {owner}{often}")
}

fn bit_field(bytes: &[u8], bits: BitRange, signed: bool) -> i64 {
    let mut value = 0u64;
    for bit in 0..u32::from(bits.width) {
        let at = u32::from(bits.start) + bit;
        let set = bytes.get((at / 8) as usize).is_some_and(|byte| byte >> (at % 8) & 1 == 1);
        value |= u64::from(set) << bit;
    }
    Scalar { bits: bits.width.clamp(1, 64), signed }.wrap(value as i64)
}
