//! Names for what comes to life while a program is unwound.
//!
//! Every call, input and object of an unwinding is known by where it happens: the call around it, the edge, and
//! how often each loop around it has gone round. A larger bound finds the same names again, so that the formula
//! it makes of the same part of the program is the same, and the solver need not learn about it twice.

use model::{Program, StaticPlace};
use rustc_hash::FxHashMap;

use crate::expr::Value;

/// The blocks that are there from the start.
pub(super) const GLOBALS: u32 = 0;
pub(super) const CONSTANTS: u32 = 1;

/// Where something happens: the call around it, the edge, its command, and the rounds of the loops.
pub(super) type Site = (u32, u32, u32, Vec<u32>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Global,
    Constant,
    Function(u32),
    Frame,
    Heap,
}

/// What a pointer can point into.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) block: u32,
    /// Where in the block it begins.
    pub(super) start: u32,
    pub(super) size: Value,
    pub(super) kind: Kind,
}

#[derive(Debug)]
pub(super) struct Names {
    /// By their numbers; number 0 is nothing.
    pub(super) objects: Vec<Object>,
    blocks: u32,
    /// How many objects are there from the start.
    statics: usize,
    calls: FxHashMap<Site, u32>,
    /// The block and the first object of what came to life at a site.
    births: FxHashMap<Site, (u32, u32)>,
    inputs: FxHashMap<Site, Value>,
}

impl Names {
    pub(super) fn new(program: &Program) -> Self {
        let nothing =
            Object { block: GLOBALS, start: 0, size: Value::constant(0), kind: Kind::Function(u32::MAX) };
        let statics = program.globals.objects.iter().map(|object| {
            let (block, start, kind) = match object.place {
                StaticPlace::Global(start) => (GLOBALS, start, Kind::Global),
                StaticPlace::Constant(start) => (CONSTANTS, start, Kind::Constant),
                StaticPlace::Function(function) => (CONSTANTS, 0, Kind::Function(function.0)),
            };
            Object { block, start, size: Value::constant(i64::from(object.size)), kind }
        });
        Self {
            statics: program.globals.objects.len() + 1,
            objects: std::iter::once(nothing).chain(statics).collect(),
            blocks: CONSTANTS + 1,
            calls: FxHashMap::default(),
            births: FxHashMap::default(),
            inputs: FxHashMap::default(),
        }
    }

    /// The number of the call that is made there.
    pub(super) fn call(&mut self, site: Site) -> u32 {
        let next = self.calls.len() as u32 + 1;
        *self.calls.entry(site).or_insert(next)
    }

    /// A block with objects (start and size of each) that come to life there: its number, and that of the first
    /// object.
    pub(super) fn birth(&mut self, site: Site, kind: Kind, objects: &[(u32, Value)]) -> (u32, u32) {
        if let Some(known) = self.births.get(&site) {
            return *known;
        }
        let (block, first) = (self.blocks, self.objects.len() as u32);
        self.blocks += 1;
        self.objects.extend(objects.iter().map(|(start, size)| Object {
            block,
            start: *start,
            size: size.clone(),
            kind,
        }));
        self.births.insert(site, (block, first));
        (block, first)
    }

    /// Forgets all objects that came to life: another walk may make them otherwise.
    pub(super) fn forget_births(&mut self) {
        self.births.clear();
        self.objects.truncate(self.statics);
    }

    /// The value of the input that is taken there.
    pub(super) fn input(&mut self, site: Site, make: impl FnOnce() -> Value) -> Value {
        self.inputs.entry(site).or_insert_with(make).clone()
    }
}
