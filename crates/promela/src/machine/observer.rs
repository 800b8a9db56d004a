//! Looking at states from outside: what a formula or a claim sees of them.
//!
//! What SPIN does in each case was found by experiment; `docs/liveness.md` has the table.
//!
//! An observer is no process: it has no variables and no number. As in SPIN, `timeout` holds for it where
//! only a step that waits for `timeout` can be taken. A process that does not exist stands nowhere, and its
//! variables are 0.

use model::{Code, Context, Fault};
use property::buchi::Automaton;
use property::ltl::Formula;

use super::claim::{Claim, UnreadableClaim};
use super::program::Machine;
use super::vector::FrameStarts;
use super::view::{Room, View};
use crate::resolve::Program;
use crate::syntax::ProcessKind;

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observed {
    /// The atoms of the `ltl` block with this number.
    Formula(usize),
    /// The smallest conditions in the `ltl` block with this number.
    Parts(usize),
    /// The conditions of the claim that is the process with this number.
    Claim(usize),
    /// One atom: no process stands at a label that begins with `progress`.
    NonProgress,
    /// Nothing.
    Nothing,
}

/// Tells what holds in states.
#[derive(Debug)]
pub struct Observer<'m> {
    machine: &'m Machine,
    atoms: Vec<&'m Code>,
    non_progress: bool,
    asks_timeout: bool,
    frames: FrameStarts,
    room: Room,
    /// A state with zeros behind it.
    padded: Vec<u8>,
}

impl Machine {
    /// The formula of an `ltl` block over the numbers of its atoms.
    pub fn formula(&self, number: usize) -> Option<&Formula<u32>> {
        self.formulas.get(number).map(|temporal| &temporal.formula)
    }

    /// The same over the numbers of its smallest conditions.
    pub fn fine_formula(&self, number: usize) -> Option<&Formula<u32>> {
        self.formulas.get(number).map(|temporal| &temporal.fine.formula)
    }

    /// The never claims of a program, as numbers of processes.
    pub fn claims(program: &Program) -> impl Iterator<Item = usize> {
        let processes = program.processes.iter().enumerate();
        processes.filter(|(_, process)| process.kind == ProcessKind::Never).map(|(number, _)| number)
    }

    /// The automaton of a never claim.
    pub fn claim(&self, process: usize) -> Result<Automaton, UnreadableClaim> {
        Claim::new(self, process).map(|claim| claim.automaton)
    }

    pub fn observer(&self, observed: Observed) -> Result<Observer<'_>, UnreadableClaim> {
        let (atoms, asks_timeout) = match observed {
            Observed::Formula(number) => {
                let formula = self.formulas.get(number);
                let atoms = formula.map(|formula| formula.atoms.iter().collect());
                (atoms.unwrap_or_default(), formula.is_some_and(|formula| formula.asks_timeout))
            }
            Observed::Parts(number) => {
                let formula = self.formulas.get(number);
                let atoms = formula.map(|formula| formula.fine.atoms.iter().collect());
                (atoms.unwrap_or_default(), formula.is_some_and(|formula| formula.asks_timeout))
            }
            Observed::Claim(process) => (Claim::new(self, process)?.atoms, self.has_timeout),
            Observed::NonProgress | Observed::Nothing => (Vec::new(), false),
        };
        Ok(Observer {
            machine: self,
            atoms,
            non_progress: observed == Observed::NonProgress,
            asks_timeout,
            frames: FrameStarts::default(),
            room: Room::default(),
            padded: Vec::new(),
        })
    }
}

impl Observer<'_> {
    /// Which atoms hold in a state, one bit for each.
    pub fn letter(&mut self, state: &[u8]) -> Result<u64, Fault> {
        let machine = self.machine;
        self.frames.find(state, machine.globals, &machine.kinds, &machine.channels);
        let view = View { machine, frames: &self.frames, timeout: false, room: &self.room };
        if self.non_progress {
            let at_progress = |process| view.location(state, process).progress;
            return Ok(u64::from(!(0..self.frames.processes.len()).any(at_progress)));
        }
        let timeout = self.asks_timeout && {
            let waits = !can_move(&view, state)?;
            waits && can_move(&View { timeout: true, ..view }, state)?
        };
        let view = View { machine, frames: &self.frames, timeout, room: &self.room };
        // Nobody's number: whoever asks is no process.
        let context = Context { bytes: state, local: 0, process: u32::MAX };
        let mut letter = 0;
        for (number, atom) in self.atoms.iter().enumerate() {
            self.room.noted.take();
            let value = match atom.run(&context, &view) {
                Err(Fault::NoProcess(_)) => {
                    let largest = machine.kinds.iter().map(|kind| kind.size).max().unwrap_or(0);
                    self.padded.clear();
                    self.padded.extend_from_slice(state);
                    self.padded.resize(state.len() + largest, 0);
                    self.room.absent.set(Some(state.len()));
                    let value = atom.run(&Context { bytes: &self.padded, ..context }, &view);
                    self.room.absent.set(None);
                    value?
                }
                value => value?,
            };
            if let Some(fault) = self.room.noted.take() {
                return Err(fault);
            }
            letter |= u64::from(value != 0) << number;
        }
        Ok(letter)
    }

    /// Whether some process stands at a label that begins with `accept`.
    pub fn is_at_accept_label(&mut self, state: &[u8]) -> bool {
        let machine = self.machine;
        self.frames.find(state, machine.globals, &machine.kinds, &machine.channels);
        let view = View { machine, frames: &self.frames, timeout: false, room: &self.room };
        (0..self.frames.processes.len()).any(|process| view.location(state, process).accept)
    }
}

fn can_move(view: &View<'_>, state: &[u8]) -> Result<bool, Fault> {
    for process in 0..view.frames.processes.len() {
        if view.may_move(state, process)? && view.can_step(state, process)? {
            return Ok(true);
        }
    }
    Ok(false)
}
