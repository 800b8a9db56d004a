//! Evaluating expressions in a state, and reading and writing its memory.

use model::{Code, Context, Fault, Host, Program, Scalar};

use super::compile::Area;
use super::scene::{Bytes, Scene};
use super::worker::{CWorker, Notes};

/// Answers for the pointers of a state.
pub(crate) struct View<'a> {
    pub(crate) program: &'a Program,
    pub(crate) scene: &'a Scene,
}

impl Host for View<'_> {
    fn ask(&self, _: u32, _: &[i64], _: &Context<'_>) -> Result<i64, Fault> {
        Ok(0)
    }

    fn frame_of(&self, value: i64, _: &Context<'_>) -> Result<usize, Fault> {
        Err(Fault::NoProcess(value))
    }

    #[inline]
    fn deref(&self, pointer: i64, scalar: Scalar, context: &Context<'_>) -> Result<i64, Fault> {
        Ok(match self.scene.resolve(self.program, pointer, scalar.bytes(), false)? {
            Bytes::State(at) => scalar.load(&context.bytes[at..]),
            Bytes::Constant(at) => scalar.load(&self.program.globals.constants[at..]),
        })
    }
}

/// The same, and notes what is read.
struct Listening<'a> {
    view: View<'a>,
    notes: &'a Notes,
}

impl Host for Listening<'_> {
    const LISTENS: bool = true;

    fn reads(&self, at: usize, scalar: Scalar) {
        self.notes.add(Bytes::State(at), scalar.bytes() as usize, false);
    }

    fn ask(&self, question: u32, arguments: &[i64], context: &Context<'_>) -> Result<i64, Fault> {
        self.view.ask(question, arguments, context)
    }

    fn frame_of(&self, value: i64, context: &Context<'_>) -> Result<usize, Fault> {
        self.view.frame_of(value, context)
    }

    fn deref(&self, pointer: i64, scalar: Scalar, context: &Context<'_>) -> Result<i64, Fault> {
        let View { program, scene } = self.view;
        self.notes.add(
            scene.resolve(program, pointer, scalar.bytes(), false)?,
            scalar.bytes() as usize,
            false,
        );
        self.view.deref(pointer, scalar, context)
    }
}

impl CWorker<'_> {
    #[inline]
    pub(super) fn value(&self, code: &Code) -> Result<i64, Fault> {
        let view = View { program: &self.machine.program, scene: &self.scene };
        let context = Context { bytes: &self.next, local: self.local, process: 0 };
        match &self.notes {
            None => code.run(&context, &view),
            Some(notes) => code.run(&context, &Listening { view, notes }),
        }
    }

    /// Writes a value to where it belongs in the state.
    #[inline]
    pub(super) fn put(&mut self, at: usize, scalar: Scalar, value: i64) {
        self.note(Bytes::State(at), scalar.bytes() as usize, true);
        scalar.store(&mut self.next[at..], value);
    }

    #[inline]
    pub(super) fn note(&self, at: Bytes, size: usize, writes: bool) {
        if let Some(notes) = &self.notes {
            notes.add(at, size, writes);
        }
    }

    pub(super) fn area(&self, area: &Area, size: u32, writes: bool) -> Result<Bytes, Fault> {
        match area {
            Area::Place(place) => Ok(Bytes::State(self.value(place)? as usize)),
            Area::Pointer(pointer) => {
                let pointer = self.value(pointer)?;
                self.scene.resolve(&self.machine.program, pointer, size, writes)
            }
        }
    }

    /// Bytes that are only read.
    pub(super) fn bytes(&self, at: Bytes, size: usize) -> &[u8] {
        self.note(at, size, false);
        match at {
            Bytes::State(at) => &self.next[at..at + size],
            Bytes::Constant(at) => &self.machine.program.globals.constants[at..at + size],
        }
    }

    pub(super) fn copy(&mut self, to: Bytes, from: Bytes, size: usize) -> Result<(), Fault> {
        self.note(from, size, false);
        self.note(to, size, true);
        let Bytes::State(to) = to else { return Err(Fault::ReadOnly) };
        match from {
            Bytes::State(from) => self.next.copy_within(from..from + size, to),
            Bytes::Constant(from) => {
                let constants = &self.machine.program.globals.constants;
                self.next[to..to + size].copy_from_slice(&constants[from..from + size]);
            }
        }
        Ok(())
    }

    pub(super) fn store(&mut self, pointer: i64, scalar: Scalar, value: i64) -> Result<(), Fault> {
        match self.scene.resolve(&self.machine.program, pointer, scalar.bytes(), true)? {
            Bytes::State(at) => {
                self.put(at, scalar, value);
                Ok(())
            }
            Bytes::Constant(_) => Err(Fault::ReadOnly),
        }
    }
}
