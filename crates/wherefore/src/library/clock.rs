//! What surrounds an explanation that a program asks for: its clock, its limit of time, its way to say stop.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use graph::{Interrupt, Progress, Watch};

use pipeline::request::{Host, Notice};

#[derive(Debug)]
pub(super) struct Clock {
    started: Instant,
    timeout: Option<Duration>,
    cancel: Option<Arc<AtomicBool>>,
    /// What has to be said beside the answer.
    pub(super) notices: RefCell<Vec<Notice>>,
}

impl Clock {
    pub(super) fn new(timeout: Option<Duration>, cancel: Option<Arc<AtomicBool>>) -> Self {
        Self { started: Instant::now(), timeout, cancel, notices: RefCell::default() }
    }
}

impl Watch for Clock {
    fn pulse(&self, _: Progress) -> Result<(), Interrupt> {
        if self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Err(Interrupt::Cancelled);
        }
        match self.timeout {
            Some(timeout) if self.started.elapsed() >= timeout => Err(Interrupt::Timeout),
            _ => Ok(()),
        }
    }
}

impl Host for Clock {
    fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    fn peak_bytes(&self) -> Option<u64> {
        None
    }

    fn notice(&self, notice: Notice) {
        self.notices.borrow_mut().push(notice);
    }
}
