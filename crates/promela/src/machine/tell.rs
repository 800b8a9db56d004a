//! Showing states to people: what variables hold, what a step changed, where processes stand and why
//! they cannot go on.
//!
//! A state is bytes, and only the program knows what they mean. A [`Teller`] goes from bytes to names
//! and values. It computes nothing about the model that the scheduler does not say: which steps can be
//! taken is asked from the scheduler itself, and only what is wrong with the others is looked at here.

mod blocked;
mod bounds;
mod changes;
mod condition;
mod footprint;
mod messages;
mod outline;
mod parts;
mod places;
mod scene;
mod spelling;
mod state_parts;
mod statement;
#[cfg(test)]
mod tests;
mod unreached;
mod values;

pub use blocked::{Blocked, Wait};
pub use changes::Change;
pub use values::Value;

use super::frames::Frames;
use super::program::{Machine, Origins};
use super::vector;
use crate::resolve::{Program, Stmt, Type};
use crate::syntax::ExpansionId;
use parts::Table;
use state_parts::StateParts;

/// Tells about the states of a machine.
#[derive(Debug)]
pub struct Teller<'m> {
    program: &'m Program,
    machine: &'m Machine,
    origins: Origins<'m>,
    frames: Frames,
    globals: Table<'m>,
    /// By kind of process.
    locals: Vec<Table<'m>>,
}

impl<'m> Teller<'m> {
    /// `machine` must have been made of `program`.
    pub fn new(program: &'m Program, machine: &'m Machine) -> Self {
        // The program was compiled before, so it can be compiled.
        let origins = Machine::with_origins(program).map(|(_, origins)| origins).unwrap_or_default();
        let frames = Frames::new(program);
        let globals = Table::new(program, &frames, program.globals.iter(), &machine.starts);
        let locals = program.processes.iter().zip(&machine.kinds);
        let locals = locals
            .map(|(process, kind)| {
                let variables = process.parameters.iter().chain(&process.locals);
                Table::new(program, &frames, variables, &kind.starts)
            })
            .collect();
        Self { program, machine, origins, frames, globals, locals }
    }

    /// The living processes in the order of their numbers: name, number, and the statements that each
    /// would execute next, as numbers into [`Machine::statements`].
    pub fn processes(&self, state: &[u8]) -> Vec<(String, u8, Vec<u32>)> {
        let look = StateParts::new(self, state);
        let frames = look.frames.processes.iter().map(|frame| *frame as usize);
        let told = frames.enumerate().map(|(pid, frame)| {
            let kind = &self.machine.kinds[usize::from(state[frame])];
            let steps = &kind.locations[vector::location(state, frame)].steps;
            let statements = steps.iter().map(|step| step.statement).collect();
            (self.kind_name(state, frame).to_owned(), pid as u8, statements)
        });
        told.collect()
    }

    /// What a statement was compiled from; nothing for the end of a process.
    pub(crate) fn origin(&self, statement: usize) -> Option<&'m Stmt> {
        self.origins.statements.get(statement).copied().flatten()
    }

    /// The call of an inline that a statement came from.
    pub(crate) fn expansion(&self, statement: usize) -> Option<ExpansionId> {
        self.origin(statement)?.expansion
    }

    /// The name of the process whose frame starts at `frame`.
    fn kind_name(&self, state: &[u8], frame: usize) -> &'m str {
        &self.program.processes[usize::from(state[frame])].name
    }

    /// A value of a type that is neither `chan` nor a record.
    pub(crate) fn plain_text(&self, kind: Type, value: i64) -> String {
        match (kind, value) {
            (Type::Bool, 0) => "false".to_owned(),
            (Type::Bool, 1) => "true".to_owned(),
            (Type::Mtype(mtype), _) => {
                let name =
                    i32::try_from(value).ok().and_then(|value| self.program.mtype(mtype).constant(value));
                name.map_or_else(|| value.to_string(), str::to_owned)
            }
            _ => value.to_string(),
        }
    }
}
