//! How one step is conducted: which visible action it begins with, what is chosen in it, and what is noted about it.

use super::{Halt, Machine, Run};
use crate::value::{MethodId, Ref, Value};
use crate::world::Origin;

/// No step executes more operations; a loop that nobody notices ends there for once.
const MOST_OPERATIONS: u64 = 1 << 21;

/// What was chosen, of how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) taken: u32,
    pub(crate) of: u32,
}

/// A variable that a step touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touched {
    /// A field or an element of an object.
    Slot(Ref, u32),
    Static(u32),
}

/// What a step did that others can notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Note {
    Read(Touched),
    Write(Touched),
    Acquire(Ref),
    Release(Ref),
    Sleep(Ref),
    Wake(Ref),
    Signal(Ref, bool),
    Unpark(usize),
}

#[derive(Debug, Default)]
pub(crate) struct Conduct {
    pub(crate) alone: bool,
    /// Whether a step ends with a line of the user where there is only one thread.
    pub(crate) by_lines: bool,
    /// The stretch of uninterrupted code that the step's action belongs to; 0 for an action outside of such code.
    used: Option<u64>,
    stretch: u64,
    pub(crate) choices: Vec<Choice>,
    next_choice: usize,
    /// Values from outside, and other choices.
    pub(crate) given: Vec<i64>,
    pub(crate) begin: Option<(MethodId, u32)>,
    /// Where the visible action is.
    pub(crate) place: Option<(MethodId, u32)>,
    pub(crate) violation: Option<u32>,
    /// Whether the scene is not any more what it was decoded to.
    pub(crate) dirty: bool,
    left: u64,
    pub(crate) notes: Option<Vec<Note>>,
    /// What the program printed.
    pub(crate) output: Option<Vec<u8>>,
    /// Whether the operation that runs began the step's action.
    pub(crate) fresh: bool,
    /// The plain access to a shared variable that the step begins with, and whether it writes.
    pub(crate) plain: Option<(Touched, bool)>,
    /// The message of the exception that nobody caught.
    pub(crate) said: Option<String>,
}

impl Conduct {
    /// Prepares another step; the choices stay.
    pub(crate) fn reset(&mut self) {
        self.used = None;
        self.stretch = 1;
        self.next_choice = 0;
        self.given.clear();
        self.begin = None;
        self.place = None;
        self.violation = None;
        self.said = None;
        self.plain = None;
        self.fresh = false;
        self.dirty = false;
        self.left = MOST_OPERATIONS;
        if let Some(notes) = &mut self.notes {
            notes.clear();
        }
    }

    pub(crate) fn unlimited(&mut self) {
        self.left = MOST_OPERATIONS * 64;
    }

    /// Goes on to the next combination of choices, if there is one.
    pub(crate) fn next_choices(&mut self) -> bool {
        self.choices.truncate(self.next_choice);
        while let Some(last) = self.choices.last_mut() {
            if last.taken + 1 < last.of {
                last.taken += 1;
                return true;
            }
            self.choices.pop();
        }
        false
    }

    /// Whether the step did what it may do.
    pub(crate) fn is_used(&self) -> bool {
        self.used.is_some()
    }

    /// The step has had its action.
    pub(crate) fn use_up(&mut self) {
        self.used = Some(u64::MAX);
    }

    pub(super) fn spend(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }

    pub(super) fn next_stretch(&mut self) {
        self.stretch += 1;
    }
}

impl Machine<'_> {
    /// An action comes that others can notice: goes on, or ends the step before it.
    pub(crate) fn visible(&mut self) -> Run<()> {
        if self.in_base {
            return Ok(());
        }
        if self.conduct.alone {
            return Ok(());
        }
        let uninterrupted = self.origin() == Origin::Uninterrupted;
        match self.conduct.used {
            None => {
                self.conduct.used = Some(if uninterrupted { self.conduct.stretch } else { 0 });
                self.conduct.fresh = !uninterrupted;
                self.conduct.place = self.place();
                Ok(())
            }
            Some(used) if uninterrupted && used == self.conduct.stretch => Ok(()),
            Some(_) => Err(Halt::Stop),
        }
    }

    /// Who wrote the code that runs.
    pub(crate) fn origin(&self) -> Origin {
        let frame = self.calls.frames.last();
        frame.map_or(Origin::Uninterrupted, |frame| {
            self.world.class(self.world.method(frame.method).class).origin
        })
    }

    /// Chooses one of several ways to go on; all of them are tried.
    pub(crate) fn choose(&mut self, of: usize) -> Run<usize> {
        if self.in_base {
            return Err(self.needs("a choice while a JDK class is initialised"));
        }
        if of <= 1 {
            return Ok(0);
        }
        let at = self.conduct.next_choice;
        self.conduct.next_choice += 1;
        if at == self.conduct.choices.len() {
            self.conduct.choices.push(Choice { taken: 0, of: of as u32 });
        }
        Ok(self.conduct.choices.get(at).map_or(0, |choice| choice.taken as usize))
    }

    /// An input of so many values. Where there is only one thread, it is a step of its own all the same.
    pub(crate) fn input(&mut self, of: usize) -> Run<usize> {
        if self.conduct.alone && !self.in_base {
            if self.conduct.used.is_some() {
                return Err(Halt::Stop);
            }
            self.conduct.used = Some(0);
            self.conduct.place = self.place();
        } else {
            self.visible()?;
        }
        self.choose(of)
    }

    /// A variable was accessed. If that is the step's action and nothing orders it, it can be part of a race.
    pub(crate) fn plain(&mut self, touched: Touched, writes: bool, volatile: bool) {
        // The action was just begun by this access, and by no other operation before it.
        if std::mem::take(&mut self.conduct.fresh) && !volatile {
            self.conduct.plain = Some((touched, writes));
        }
    }

    pub(crate) fn note(&mut self, note: Note) {
        if let Some(notes) = &mut self.conduct.notes {
            notes.push(note);
        }
    }

    /// A value that tells this step from others at the same place.
    pub(crate) fn give(&mut self, value: i64) {
        self.conduct.given.push(value);
    }

    /// Prints.
    pub(crate) fn print(&mut self, bytes: &[u8]) {
        if !self.in_base
            && let Some(output) = &mut self.conduct.output
        {
            output.extend_from_slice(bytes);
        }
    }

    pub(crate) fn flag(value: bool) -> Option<Value> {
        Some(Value::Int(i32::from(value)))
    }
}
