//! The same host to those who may take less, or longer.

use std::cell::Cell;
use std::fmt;

use graph::{Interrupt, Progress, Watch};

use crate::request::Host;

/// A host with less memory, as long as this lives.
pub struct Sharing<'a>(&'a dyn Host);

impl<'a> Sharing<'a> {
    pub fn new(host: &'a dyn Host, share: f64) -> Self {
        host.share_memory(share);
        Self(host)
    }
}

impl fmt::Debug for Sharing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sharing").finish_non_exhaustive()
    }
}

impl Watch for Sharing<'_> {
    fn pulse(&self, progress: Progress) -> Result<(), Interrupt> {
        self.0.pulse(progress)
    }
}

impl Drop for Sharing<'_> {
    fn drop(&mut self) {
        self.0.share_memory(1.0);
    }
}

/// How many seconds an answer may take at least to be finished: a little less than users are promised.
const PATIENCE: f64 = 0.35;

/// A host that lets the answer be finished: when a limit has been reached, a fiftieth of the time that has
/// passed, or a third of a second, is left.
pub struct Patient<'a> {
    host: &'a dyn Host,
    until: Cell<Option<f64>>,
}

impl<'a> Patient<'a> {
    pub fn new(host: &'a dyn Host) -> Self {
        Self { host, until: Cell::new(None) }
    }
}

impl fmt::Debug for Patient<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Patient").field("until", &self.until).finish_non_exhaustive()
    }
}

impl Watch for Patient<'_> {
    fn pulse(&self, progress: Progress) -> Result<(), Interrupt> {
        match self.host.pulse(progress) {
            // What is left to do needs no more memory.
            Ok(()) | Err(Interrupt::Memory) => Ok(()),
            Err(limit) => {
                let now = self.host.seconds();
                let until = self.until.get().unwrap_or(now + (now / 50.0).max(PATIENCE));
                self.until.set(Some(until));
                if now < until { Ok(()) } else { Err(limit) }
            }
        }
    }
}
