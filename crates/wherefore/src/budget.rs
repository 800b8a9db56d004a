//! Time for each method: one that takes too long must not keep the others from being told.
//!
//! A method runs under the watch of its budget, which ends it as a time limit would. What it found by then is told
//! where that makes sense, and otherwise why it found nothing.

use graph::{Interrupt, Progress, Watch};

use crate::analysis::{Host, Request};

/// A method may take as long as the search did, and at least so many seconds.
const LEAST: f64 = 5.0;

/// A host that gives up when the time for one method is over.
pub(crate) struct Budget<'a> {
    host: &'a dyn Host,
    until: f64,
}

impl<'a> Budget<'a> {
    /// Time for one method, from now on: without end if it is the only one that was asked for.
    pub(crate) fn new(host: &'a dyn Host, request: &Request, searched: f64) -> Self {
        let time = if request.methods() == 1 { f64::INFINITY } else { searched.max(LEAST) };
        Self::lasting(host, time)
    }

    /// So many seconds, from now on.
    pub(crate) fn lasting(host: &'a dyn Host, seconds: f64) -> Self {
        Self { host, until: host.seconds() + seconds }
    }
}

impl Watch for Budget<'_> {
    fn pulse(&self, progress: Progress) -> Result<(), Interrupt> {
        self.host.pulse(progress)?;
        if self.host.seconds() > self.until { Err(Interrupt::Timeout) } else { Ok(()) }
    }
}

impl Host for Budget<'_> {
    fn seconds(&self) -> f64 {
        self.host.seconds()
    }

    fn peak_bytes(&self) -> Option<u64> {
        self.host.peak_bytes()
    }
}
