//! What states and events can hold, and the error for models that need more.
//!
//! States are packed: the kind of a process or channel is seven bits, a location sixteen, the length of
//! a channel eight. What does not fit is refused when the model is compiled, with its place, so that
//! nothing is ever cut off while it runs.

use model::{ChannelType, TooDeep};
use source::Span;
use thiserror::Error;

use super::event::MOST_STATEMENTS;
use super::vector::CHANNEL_TAG;
use crate::resolve::Program;
use crate::syntax::ProcessKind;

/// Bytes of the globals with their channels, and of a process with its own. With 255 processes an address
/// still fits into 32 bits.
pub(super) const LARGEST_FRAME: u64 = 1 << 20;
pub(super) const MOST_KINDS: usize = CHANNEL_TAG as usize;
/// The last number is kept for traces that have given up.
pub(super) const MOST_LOCATIONS: usize = u16::MAX as usize;
const LARGEST_CAPACITY: u32 = u8::MAX as u32;

/// Why a model cannot be run, and where it says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct NotRunnable {
    pub reason: Reason,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Reason {
    #[error("the expression is nested too deeply")]
    TooDeep,
    #[error("there are more than {MOST_KINDS} proctypes")]
    Processes,
    #[error("there are more than {MOST_KINDS} kinds of channels")]
    ChannelKinds,
    #[error("a channel holds at most {LARGEST_CAPACITY} messages")]
    Capacity,
    #[error("the process has more than {MOST_LOCATIONS} places where it can stand")]
    Locations,
    #[error("the model has more than {MOST_STATEMENTS} statements")]
    Statements,
    #[error("the global variables and channels need more than {LARGEST_FRAME} bytes")]
    Globals,
    #[error("the variables and channels of the process need more than {LARGEST_FRAME} bytes")]
    Locals,
    #[error("a trace assertion has no variables of its own")]
    TraceVariables,
}

impl NotRunnable {
    pub(crate) fn new(reason: Reason, span: Span) -> Self {
        Self { reason, span }
    }

    /// Says where it is, unless that is known better already.
    pub(crate) fn or_at(self, span: Span) -> Self {
        if self.span == Span::default() { Self { span, ..self } } else { self }
    }
}

impl From<TooDeep> for NotRunnable {
    fn from(_: TooDeep) -> Self {
        Self::new(Reason::TooDeep, Span::default())
    }
}

/// Refuses what cannot even be laid out.
pub(crate) fn check_program(program: &Program) -> Result<(), NotRunnable> {
    if let Some(process) = program.processes.get(MOST_KINDS) {
        return Err(NotRunnable::new(Reason::Processes, process.span));
    }
    for process in &program.processes {
        let is_trace = matches!(process.kind, ProcessKind::Trace | ProcessKind::NoTrace);
        if is_trace && !process.locals.is_empty() {
            return Err(NotRunnable::new(Reason::TraceVariables, process.span));
        }
    }
    Ok(())
}

/// Refuses a channel that holds too many messages, or of too large ones.
pub(crate) fn check_channel(channel: &ChannelType, span: Span) -> Result<(), NotRunnable> {
    if channel.capacity > LARGEST_CAPACITY {
        return Err(NotRunnable::new(Reason::Capacity, span));
    }
    if u64::from(channel.size()) > LARGEST_FRAME {
        return Err(NotRunnable::new(Reason::Globals, span));
    }
    Ok(())
}
