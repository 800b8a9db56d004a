//! The heartbeat of a long loop: counts work and reports to the watch now and then.

use graph::{Interrupt, PULSE, Progress, Watch};

impl std::fmt::Debug for Pulse<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pulse")
            .field("phase", &self.phase)
            .field("edges", &self.edges)
            .finish_non_exhaustive()
    }
}

pub(crate) struct Pulse<'a> {
    watch: &'a dyn Watch,
    phase: &'static str,
    edges: u64,
    next: u64,
}

impl<'a> Pulse<'a> {
    pub(crate) fn new(phase: &'static str, watch: &'a dyn Watch) -> Self {
        Self { watch, phase, edges: 0, next: PULSE }
    }

    /// Says that so many edges more were looked at.
    #[inline]
    pub(crate) fn beat(&mut self, edges: u32) -> Result<(), Interrupt> {
        self.edges += u64::from(edges);
        if self.edges >= self.next {
            self.next = self.edges + PULSE;
            self.watch.pulse(Progress { phase: self.phase, edges: self.edges, ..Progress::default() })?;
        }
        Ok(())
    }
}
