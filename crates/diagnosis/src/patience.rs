//! A part of a diagnosis that is worth only so much work.
//!
//! Work is counted in pulses, which come every so many literals, locations and decisions, while the work of the whole
//! diagnosis is watched besides. Questions that a solver answers without
//! a conflict are free, unless there are too many of them.

use std::cell::Cell;

use graph::{Interrupt, Progress, Watch};

pub(crate) struct Patience<'a> {
    watch: &'a dyn Watch,
    left: Cell<u64>,
    /// Whether easy questions are free.
    is_kind: bool,
}

impl<'a> Patience<'a> {
    pub(crate) fn new(watch: &'a dyn Watch, pulses: u64) -> Self {
        Self { watch, left: Cell::new(pulses), is_kind: true }
    }

    /// Counts easy questions as well: there may be many of them, on a large formula.
    pub(crate) fn strict(watch: &'a dyn Watch, pulses: u64) -> Self {
        Self { is_kind: false, ..Self::new(watch, pulses) }
    }
}

impl Watch for Patience<'_> {
    fn pulse(&self, progress: Progress) -> Result<(), Interrupt> {
        self.watch.pulse(progress)?;
        let is_free = self.is_kind && progress.phase == "solving" && progress.edges == 0;
        match self.left.get().checked_sub(1) {
            Some(_) if is_free => Ok(()),
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(Interrupt::Work),
        }
    }
}
