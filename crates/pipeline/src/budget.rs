//! Work for each method: one that does too much must not keep the others from being told.
//!
//! A method runs under the watch of its budget, which ends it as a time limit would. What it found by then is told
//! where that makes sense, and otherwise why it found nothing. Work is counted as the pulses of its loops tell it, and
//! never by the clock, so that a report is the same on every machine.

use std::cell::Cell;
use std::fmt;

use graph::{Interrupt, PULSE, Progress, Watch};

use crate::request::{Host, Request, Stage};

/// A method may do so much: a few seconds at most.
const LEAST: u64 = 1_000 * PULSE;
/// Where much was searched, it may do so much for each edge: about as long as the search takes.
const FOR_AN_EDGE: u64 = 25;

/// A host that gives up when the work of one method is done.
pub struct Budget<'a, W: ?Sized = dyn Host + 'a> {
    watch: &'a W,
    left: Cell<u64>,
}

impl<W: ?Sized> fmt::Debug for Budget<'_, W> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Budget").field("left", &self.left).finish_non_exhaustive()
    }
}

impl<'a> Budget<'a> {
    /// Work for one method on a graph of so many edges: without end if it is the only one that was asked for.
    pub(crate) fn new(host: &'a dyn Host, request: &Request, edges: u64) -> Self {
        let only = request.methods.len() == 1;
        Self::of(host, if only { u64::MAX } else { edges.saturating_mul(FOR_AN_EDGE).max(LEAST) })
    }
}

impl<'a, W: Watch + ?Sized> Budget<'a, W> {
    /// So many units of work.
    pub fn of(watch: &'a W, work: u64) -> Self {
        Self { watch, left: Cell::new(work) }
    }

    /// There is work without end from now on.
    pub fn lift(&self) {
        self.left.set(u64::MAX);
    }

    /// How much is left.
    pub fn left(&self) -> u64 {
        self.left.get()
    }
}

impl<W: Watch + ?Sized> Watch for Budget<'_, W> {
    fn pulse(&self, progress: Progress) -> Result<(), Interrupt> {
        self.watch.pulse(progress)?;
        self.left.set(self.left.get().saturating_sub(progress.work));
        if self.left.get() == 0 { Err(Interrupt::Work) } else { Ok(()) }
    }
}

impl<W: Host + ?Sized> Host for Budget<'_, W> {
    fn stage(&self, stage: Stage) {
        self.watch.stage(stage);
    }

    fn seconds(&self) -> f64 {
        self.watch.seconds()
    }

    fn peak_bytes(&self) -> Option<u64> {
        self.watch.peak_bytes()
    }
}
