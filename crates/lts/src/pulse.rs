//! Counting work between two pulses of a [`Watch`].

use graph::{Interrupt, PULSE, Progress, Watch};

/// Adds up units of work and calls the watch whenever [`PULSE`] of them have gathered.
pub(crate) struct Pulse<'a> {
    watch: &'a dyn Watch,
    phase: &'static str,
    done: u64,
    due: u64,
}

impl<'a> Pulse<'a> {
    pub(crate) fn new(watch: &'a dyn Watch, phase: &'static str) -> Self {
        Self { watch, phase, done: 0, due: PULSE }
    }

    /// Notes `edges` more units of work; `states` is how many states (blocks, pairs) there are so far.
    #[inline]
    pub(crate) fn work(&mut self, edges: usize, states: usize) -> Result<(), Interrupt> {
        self.done += edges as u64;
        if self.done >= self.due { self.report(states) } else { Ok(()) }
    }

    #[cold]
    fn report(&mut self, states: usize) -> Result<(), Interrupt> {
        self.due = self.done + PULSE;
        self.watch.pulse(Progress {
            phase: self.phase,
            states: states as u64,
            edges: self.done,
            ..Progress::default()
        })
    }
}
