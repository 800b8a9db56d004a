//! What lies where in a frame, by the names people know: `x`, `a[2]`, `node[1].state`.
//!
//! Only variables are tabled. The names of their parts are spelt when they are asked for, because an
//! array can have more elements than anybody wants names.

use model::Scalar;
use rustc_hash::FxHashMap;

use super::super::compiled::{Start, StartValue};
use super::super::frames::{Frames, element_scalar, scalar};
use crate::resolve::{ChannelInit, Initial, Owner, Program, Type, VarId, Variable};
use crate::syntax::Visibility;

/// The counter that `for (m in channel)` brings along.
const LOOP_COUNTER: &str = "_f0r_t3mp";

/// The variables of one frame.
#[derive(Debug)]
pub(super) struct Table<'p> {
    /// In the order of their offsets.
    variables: Vec<Entry<'p>>,
    /// The offsets of the variables for which channels are made, in the order in which they are made.
    pub(super) channels: Vec<u32>,
}

#[derive(Debug)]
struct Entry<'p> {
    variable: &'p Variable,
    name: String,
    offset: u32,
    size: u32,
    shown: bool,
}

/// One scalar of a frame.
#[derive(Debug)]
pub(super) struct Part<'p> {
    pub(super) name: String,
    /// From the start of the frame.
    pub(super) offset: u32,
    pub(super) scalar: Scalar,
    pub(super) kind: Type,
    /// The channel that is made for it.
    pub(super) channel: Option<&'p ChannelInit>,
    /// Whether people want to see it.
    pub(super) shown: bool,
}

/// Something inside a variable: a variable itself, an element, a field.
#[derive(Clone, Copy)]
struct Inside<'p> {
    kind: Type,
    length: Option<u32>,
    initial: &'p Initial,
    offset: u32,
}

impl<'p> Table<'p> {
    pub(super) fn new<'v>(
        program: &'p Program,
        frames: &Frames,
        variables: impl Iterator<Item = &'v VarId>,
        starts: &[Start],
    ) -> Self {
        let mut table = Self { variables: Vec::new(), channels: Vec::new() };
        let mut uses: FxHashMap<&str, u32> = FxHashMap::default();
        for id in variables {
            let variable = program.variable(*id);
            let (offset, size) = (frames.offset(*id), frames.size(variable.ty));
            // Blocks side by side may use a name twice.
            let uses = uses.entry(&variable.name).or_default();
            *uses += 1;
            let name = if *uses == 1 { variable.name.clone() } else { format!("{}#{uses}", variable.name) };
            table.variables.push(Entry {
                variable,
                name,
                offset,
                size: size.saturating_mul(variable.length.unwrap_or(1)),
                shown: is_shown(variable),
            });
        }
        table.variables.sort_by_key(|entry| entry.offset);
        let made = starts.iter().filter(|start| matches!(start.value, StartValue::Channel(_)));
        table.channels = made.map(|start| start.offset).collect();
        table
    }

    /// The scalar that the byte at `offset` belongs to.
    pub(super) fn find(&self, program: &'p Program, frames: &Frames, offset: u32) -> Option<Part<'p>> {
        let behind = self.variables.partition_point(|entry| entry.offset <= offset);
        let entry = self.variables.get(behind.checked_sub(1)?)?;
        if offset >= entry.offset + entry.size {
            return None;
        }
        let mut name = entry.name.clone();
        let mut inside = entry.inside();
        loop {
            if let Some(length) = inside.length.take() {
                let size = frames.size(inside.kind);
                let element = (offset - inside.offset).checked_div(size)?.min(length.saturating_sub(1));
                name.push_str(&format!("[{element}]"));
                inside.offset += element * size;
                if !matches!(inside.kind, Type::Record(_)) {
                    return Some(part(name, inside, true, entry.shown));
                }
            }
            let Type::Record(record) = inside.kind else {
                return Some(part(name, inside, false, entry.shown));
            };
            let fields = &frames.record(record.0).fields;
            let number =
                fields.partition_point(|field| inside.offset + field.offset <= offset).checked_sub(1)?;
            let field = program.record(record).fields.get(number)?;
            name.push('.');
            name.push_str(&field.name);
            let offset = inside.offset + fields[number].offset;
            inside = Inside { kind: field.ty, length: field.length, initial: &field.initial, offset };
        }
    }

    /// All scalars, in the order of their offsets; only those of variables that `wanted` wants.
    pub(super) fn each(
        &self,
        program: &'p Program,
        frames: &Frames,
        wanted: impl Fn(&Variable) -> bool,
        mut visit: impl FnMut(Part<'p>),
    ) {
        for entry in self.variables.iter().filter(|entry| wanted(entry.variable)) {
            let mut offset = entry.offset;
            while offset < entry.offset + entry.size {
                let Some(part) = self.find(program, frames, offset) else { break };
                offset = part.offset + part.scalar.bytes();
                visit(part);
            }
        }
    }
}

impl<'p> Entry<'p> {
    fn inside(&self) -> Inside<'p> {
        let Variable { ty, length, initial, .. } = self.variable;
        Inside { kind: *ty, length: *length, initial, offset: self.offset }
    }
}

fn part(name: String, inside: Inside<'_>, is_element: bool, shown: bool) -> Part<'_> {
    let channel = match inside.initial {
        Initial::Channel(channel) => Some(channel),
        _ => None,
    };
    let scalar = if is_element { element_scalar(inside.kind) } else { scalar(inside.kind) };
    Part { name, offset: inside.offset, scalar, kind: inside.kind, channel, shown }
}

/// Hidden variables are no part of the state, and nobody named the counters of loops.
fn is_shown(variable: &Variable) -> bool {
    let is_counter = variable.name == LOOP_COUNTER && matches!(variable.owner, Owner::Local(_));
    variable.visibility != Some(Visibility::Hidden) && !is_counter
}
