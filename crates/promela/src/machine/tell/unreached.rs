//! Code that is never reached, in the sense of SPIN's list at the end of a search.
//!
//! A statement is reached when control stands where it could be executed next, whether or not it ever
//! can be. So a guard that is never true is reached, and what follows it is not.

use rustc_hash::FxHashSet;

use super::super::compiled::{Act, CompiledLocation, CompiledStep};
use super::Teller;
use crate::resolve::Stmt;
use crate::syntax::ProcessKind;

/// The end of a process comes last in its text.
const END: usize = usize::MAX;

impl Teller<'_> {
    /// The statements that are never reached if just these are executed, as numbers into
    /// [`Machine::statements`](super::Machine::statements): process by process, in the order of the text,
    /// the end of a process last. A statement that can be reached on several ways has several numbers; the
    /// first stands for all. A `d_step` counts as one.
    pub fn unreached(&self, executed: impl Iterator<Item = u32>) -> Vec<u32> {
        let executed: FxHashSet<u32> = executed.collect();
        let mut created: Vec<bool> = vec![false; self.machine.kinds.len()];
        for kind in &self.machine.active {
            created[*kind] = true;
        }
        for kind in &self.machine.kinds {
            runs(&kind.locations, &executed, &mut created);
        }
        let mut unreached = Vec::new();
        for (number, kind) in self.machine.kinds.iter().enumerate() {
            let process = self.program.processes[number].kind;
            if !matches!(process, ProcessKind::Never | ProcessKind::Trace | ProcessKind::NoTrace) {
                self.unreached_in(&kind.locations, created[number], &executed, &mut unreached);
            }
        }
        unreached
    }

    fn unreached_in(
        &self,
        locations: &[CompiledLocation],
        created: bool,
        executed: &FxHashSet<u32>,
        unreached: &mut Vec<u32>,
    ) {
        let mut stood = vec![false; locations.len()];
        if let Some(first) = stood.first_mut() {
            *first = created;
        }
        for step in locations.iter().flat_map(|location| &location.steps) {
            if executed.contains(&step.statement)
                && !matches!(step.act, Act::End)
                && let Some(target) = stood.get_mut(step.target as usize)
            {
                *target = true;
            }
        }
        // What a step is of; the end of the process is nobody's, and a mere hop is nothing to speak of.
        let origin =
            |step: &CompiledStep| match (&step.act, self.origins.statements.get(step.statement as usize)) {
                (Act::End, _) => Some((END, std::ptr::null())),
                (_, Some(Some(statement))) => Some((statement.span.start, std::ptr::from_ref(*statement))),
                _ => None,
            };
        let mut known: FxHashSet<*const Stmt> = FxHashSet::default();
        for (location, _) in locations.iter().zip(&stood).filter(|(_, stood)| **stood) {
            known.extend(location.steps.iter().filter_map(origin).map(|(_, statement)| statement));
        }
        let mut found: Vec<(usize, u32)> = Vec::new();
        for step in locations.iter().flat_map(|location| &location.steps) {
            if let Some((at, statement)) = origin(step)
                && known.insert(statement)
            {
                found.push((at, step.statement));
            }
        }
        found.sort_unstable();
        unreached.extend(found.into_iter().map(|(_, statement)| statement));
    }
}

/// Marks the kinds of processes that executed statements create.
fn runs(locations: &[CompiledLocation], executed: &FxHashSet<u32>, created: &mut [bool]) {
    for step in locations.iter().flat_map(|location| &location.steps) {
        if !executed.contains(&step.statement) {
            continue;
        }
        match &step.act {
            Act::Run { kind, .. } => created[*kind] = true,
            Act::Indivisible(inner) => {
                for step in inner.iter().flat_map(|location| &location.steps) {
                    if let Act::Run { kind, .. } = step.act {
                        created[kind] = true;
                    }
                }
            }
            _ => {}
        }
    }
}
