//! Never claims as automata.
//!
//! A claim is a process that takes a step before every step of the others and only looks. Its locations
//! are the states of an automaton; the conditions of its statements are the atoms. What is special:
//!
//! - Who comes to the end of the text, or to a label that begins with `end`, has shown a violation.
//! - `else` is the opposite of all that stands beside it.
//! - A sequence in `atomic` or `d_step` is one move; where it blocks in the middle there is no such move.
//! - A failed `assert` is a violation, too: SPIN writes claims of safety properties that way.
//! - Labels that begin with `accept` make accepting states.

use model::Code;
use property::buchi::{Automaton, Edge, Guard, MAX_ATOMS};
use source::Span;
use thiserror::Error;

use super::compiled::{Act, CompiledLocation, CompiledStep};
use super::program::Machine;

/// A claim: what the numbers in guards stand for, and the automaton of what is forbidden.
#[derive(Debug)]
pub struct Claim<'m> {
    pub(super) atoms: Vec<&'m Code>,
    pub automaton: Automaton,
}

/// Why a claim cannot be checked, and where it says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct UnreadableClaim {
    pub reason: Reason,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Reason {
    #[error("a never claim that changes something cannot be checked: it may only look")]
    Changes,
    #[error("`unless` in a never claim cannot be checked")]
    Escapes,
    #[error("the never claim has more than {MAX_ATOMS} different conditions")]
    TooManyConditions,
    #[error("the never claim has too many ways through its atomic sequences")]
    TooManyWays,
}

/// How many moves all locations together may have.
const MOST_MOVES: usize = 100_000;

impl<'m> Claim<'m> {
    /// The claim that was compiled as the given kind of process.
    pub(crate) fn new(machine: &'m Machine, kind: usize) -> Result<Self, UnreadableClaim> {
        let locations = &machine.kinds[kind].locations;
        let mut reader =
            Reader { machine, texts: Vec::new(), atoms: Vec::new(), edges: Vec::new(), from: 0, deep: 0 };
        let violated = locations.len() as u32;
        for (number, location) in locations.iter().enumerate() {
            reader.from = number as u32;
            if !is_over(location) {
                reader.moves(locations, location, Guard::TRUE, violated)?;
            }
        }
        reader.edges.push(Edge { from: violated, to: violated, guard: Guard::TRUE });
        let mut accepting: Vec<bool> = locations.iter().map(|location| location.accept).collect();
        accepting.push(true);
        let initial = if locations.first().is_none_or(is_over) { violated } else { 0 };
        let unreadable = UnreadableClaim { reason: Reason::TooManyWays, span: Span::default() };
        let automaton = Automaton::new(initial, accepting, reader.edges).ok_or(unreadable)?;
        Ok(Self { atoms: reader.atoms, automaton })
    }
}

/// Whether who stands here has shown a violation.
fn is_over(location: &CompiledLocation) -> bool {
    location.valid_end || location.is_end()
}

struct Reader<'m> {
    machine: &'m Machine,
    /// The texts of the conditions, which tell them apart.
    texts: Vec<&'m str>,
    atoms: Vec<&'m Code>,
    edges: Vec<Edge>,
    /// The location whose moves are being read.
    from: u32,
    /// How many steps of an atomic sequence have been taken.
    deep: usize,
}

impl<'m> Reader<'m> {
    fn moves(
        &mut self,
        locations: &'m [CompiledLocation],
        location: &'m CompiledLocation,
        guard: Guard,
        violated: u32,
    ) -> Result<(), UnreadableClaim> {
        let mut others = Guard::TRUE;
        let mut others_possible = true;
        for step in &location.steps {
            let at = self.machine.statements[step.statement as usize].span;
            let refuse = |reason| Err(UnreadableClaim { reason, span: at });
            if step.escape > 0 {
                return refuse(Reason::Escapes);
            }
            match &step.act {
                Act::Skip | Act::Print(_) => {
                    others_possible = false;
                    self.arrive(locations, step, Some(guard), violated)?;
                }
                Act::Wait(code) => {
                    let atom = self.atom(step, code)?;
                    others.negative |= atom;
                    self.arrive(locations, step, with(guard, atom, 0), violated)?;
                }
                Act::Else => {
                    let rest = with(guard, 0, others.negative).filter(|_| others_possible);
                    self.arrive(locations, step, rest, violated)?;
                }
                Act::Assert(code) => {
                    let atom = self.atom(step, code)?;
                    others_possible = false;
                    self.arrive(locations, step, with(guard, atom, 0), violated)?;
                    self.push(with(guard, 0, atom), violated, at)?;
                }
                Act::Indivisible(inside) => {
                    others_possible = false;
                    self.indivisible(inside, 0, guard, (locations, step), violated)?;
                }
                Act::End => self.push(Some(guard), violated, at)?,
                _ => return refuse(Reason::Changes),
            }
        }
        Ok(())
    }

    /// Goes on after a step: inside `atomic` at once, else with the next letter.
    fn arrive(
        &mut self,
        locations: &'m [CompiledLocation],
        step: &'m CompiledStep,
        guard: Option<Guard>,
        violated: u32,
    ) -> Result<(), UnreadableClaim> {
        let Some(guard) = guard else { return Ok(()) };
        let at = self.machine.statements[step.statement as usize].span;
        let target = &locations[step.target as usize];
        if is_over(target) {
            return self.push(Some(guard), violated, at);
        }
        if !step.keeps_control {
            return self.push(Some(guard), step.target, at);
        }
        // Nothing changes on the way, so who comes by a place twice goes round for ever.
        if self.deep > locations.len().min(100) {
            return Ok(());
        }
        self.deep += 1;
        let read = self.moves(locations, target, guard, violated);
        self.deep -= 1;
        read
    }

    /// Goes through a `d_step`: at each place the first step that can be taken.
    fn indivisible(
        &mut self,
        inside: &'m [CompiledLocation],
        at: usize,
        guard: Guard,
        behind: (&'m [CompiledLocation], &'m CompiledStep),
        violated: u32,
    ) -> Result<(), UnreadableClaim> {
        if inside[at].is_end() {
            return self.arrive(behind.0, behind.1, Some(guard), violated);
        }
        if self.deep > inside.len().min(100) {
            return Ok(());
        }
        let mut left = Some(guard);
        for step in &inside[at].steps {
            let Some(guard) = left else { break };
            let place = self.machine.statements[step.statement as usize].span;
            let taken = match &step.act {
                Act::Skip | Act::Print(_) | Act::Else => {
                    left = None;
                    Some(guard)
                }
                Act::Wait(code) => {
                    let atom = self.atom(step, code)?;
                    left = with(guard, 0, atom);
                    with(guard, atom, 0)
                }
                Act::Assert(code) => {
                    let atom = self.atom(step, code)?;
                    left = None;
                    self.push(with(guard, 0, atom), violated, place)?;
                    with(guard, atom, 0)
                }
                _ => return Err(UnreadableClaim { reason: Reason::Changes, span: place }),
            };
            if let Some(guard) = taken {
                self.deep += 1;
                let read = self.indivisible(inside, step.target as usize, guard, behind, violated);
                self.deep -= 1;
                read?;
            }
        }
        Ok(())
    }

    fn push(&mut self, guard: Option<Guard>, to: u32, span: Span) -> Result<(), UnreadableClaim> {
        if let Some(guard) = guard {
            self.edges.push(Edge { from: self.from, to, guard });
        }
        if self.edges.len() > MOST_MOVES {
            return Err(UnreadableClaim { reason: Reason::TooManyWays, span });
        }
        Ok(())
    }

    /// The bit of a condition.
    fn atom(&mut self, step: &'m CompiledStep, code: &'m Code) -> Result<u64, UnreadableClaim> {
        let statement = &self.machine.statements[step.statement as usize];
        let text = statement.text.strip_prefix("assert").unwrap_or(&statement.text);
        let known = self.texts.iter().position(|known| *known == text);
        let number = known.unwrap_or_else(|| {
            self.texts.push(text);
            self.atoms.push(code);
            self.atoms.len() - 1
        });
        if number >= MAX_ATOMS {
            return Err(UnreadableClaim { reason: Reason::TooManyConditions, span: statement.span });
        }
        Ok(1 << number)
    }
}

/// The guard with more literals, unless they contradict each other.
fn with(guard: Guard, positive: u64, negative: u64) -> Option<Guard> {
    let both = Guard { positive: guard.positive | positive, negative: guard.negative | negative };
    (both.positive & both.negative == 0).then_some(both)
}
