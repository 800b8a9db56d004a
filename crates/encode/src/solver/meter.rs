//! When a solver has to stop.
//!
//! A solver may run for hours, and its callbacks are the only way in. They ask the [`Meter`] at every decision;
//! it passes the question on to the watch every now and then, and counts conflicts, which measure work
//! the same way on every machine.

use std::cell::Cell;
use std::fmt;

use graph::{Progress, Watch};

use super::Stop;

/// How many decisions lie between two pulses: a few milliseconds of propagation on large formulas.
const DECISIONS: u32 = 1 << 8;

pub(super) struct Meter<'w> {
    watch: &'w dyn Watch,
    decisions: Cell<u32>,
    conflicts: Cell<u64>,
    limit: Cell<Option<u64>>,
    stopped: Cell<Option<Stop>>,
}

impl<'w> Meter<'w> {
    pub(super) fn new(watch: &'w dyn Watch) -> Self {
        Self {
            watch,
            decisions: Cell::new(0),
            conflicts: Cell::new(0),
            limit: Cell::new(None),
            stopped: Cell::new(None),
        }
    }

    /// A new question begins, with that many conflicts to spend.
    pub(super) fn start(&self, limit: Option<u64>) {
        self.conflicts.set(0);
        self.limit.set(limit);
        self.stopped.set(None);
    }

    pub(super) fn conflict(&self) {
        self.conflicts.set(self.conflicts.get() + 1);
    }

    /// Whether to stop; once said it stays so until the next question.
    pub(super) fn must_stop(&self) -> bool {
        if self.stopped.get().is_some() {
            return true;
        }
        if let Some(limit) = self.limit.get()
            && self.conflicts.get() > limit
        {
            self.stopped.set(Some(Stop::Conflicts(limit)));
            return true;
        }
        let decisions = self.decisions.get().wrapping_add(1);
        self.decisions.set(decisions);
        if decisions.is_multiple_of(DECISIONS)
            && let Err(interrupt) = self.watch.pulse(Progress {
                phase: "solving",
                edges: self.conflicts.get(),
                ..Progress::default()
            })
        {
            self.stopped.set(Some(Stop::Interrupted(interrupt)));
            return true;
        }
        false
    }

    pub(super) fn stopped(&self) -> Option<Stop> {
        self.stopped.get()
    }
}

impl fmt::Debug for Meter<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Meter").field("conflicts", &self.conflicts).finish_non_exhaustive()
    }
}
