//! What a program is compiled to: kinds of processes, as locations with steps.

use model::{Code, Scalar};

/// A compiled place: where it is and how wide.
#[derive(Debug)]
pub(crate) struct Spot {
    pub(crate) address: Code,
    pub(crate) scalar: Scalar,
}

#[derive(Debug)]
pub(crate) enum CompiledPattern {
    Store(Spot),
    Match(Code),
    Any,
}

/// What a step does.
#[derive(Debug)]
pub(crate) enum Act {
    Skip,
    Wait(Code),
    Assign(Spot, Code),
    Assert(Code),
    Send {
        channel: Code,
        values: Vec<Code>,
        sorted: bool,
    },
    Receive(Reception),
    Print(Vec<Code>),
    Run {
        kind: usize,
        arguments: Vec<Code>,
        priority: Option<u32>,
        result: Option<Spot>,
    },
    SetPriority {
        process: Code,
        priority: Code,
    },
    Else,
    /// The process dies.
    End,
    /// What a trace assertion waits for.
    Event(AwaitedEvent),
    /// `d_step`: locations of its own, of which the last one reached is an end.
    Indivisible(Vec<CompiledLocation>),
}

impl Act {
    /// Whether it can be executed wherever control comes to it.
    pub(crate) fn cannot_block(&self) -> bool {
        matches!(
            self,
            Self::Skip
                | Self::Assign(..)
                | Self::Assert(_)
                | Self::Print(_)
                | Self::Run { result: Some(_), .. }
        )
    }
}

/// A message that a trace waits for.
#[derive(Debug)]
pub(crate) struct AwaitedEvent {
    pub(crate) channel: Code,
    pub(crate) sent: bool,
    pub(crate) patterns: Vec<CompiledPattern>,
}

#[derive(Debug)]
pub(crate) struct Reception {
    pub(crate) channel: Code,
    pub(crate) patterns: Vec<CompiledPattern>,
    pub(crate) random: bool,
    pub(crate) keep: bool,
}

#[derive(Debug)]
pub(crate) struct CompiledStep {
    pub(crate) act: Act,
    pub(crate) target: u32,
    pub(crate) keeps_control: bool,
    pub(crate) escape: u32,
    /// Its number in [`Machine::statements`](super::Machine::statements).
    pub(crate) statement: u32,
}

#[derive(Debug, Default)]
pub(crate) struct CompiledLocation {
    pub(crate) steps: Vec<CompiledStep>,
    pub(crate) valid_end: bool,
    pub(crate) progress: bool,
    pub(crate) accept: bool,
}

impl CompiledLocation {
    /// Whether control can only end here.
    pub(crate) fn is_end(&self) -> bool {
        matches!(self.steps[..], [CompiledStep { act: Act::End, .. }])
    }
}

/// How one scalar, or a row of them, starts.
#[derive(Debug)]
pub(crate) struct Start {
    pub(crate) offset: u32,
    pub(crate) scalar: Scalar,
    pub(crate) value: StartValue,
}

#[derive(Debug)]
pub(crate) enum StartValue {
    Value(Code),
    /// A new channel of this kind.
    Channel(usize),
}

/// A kind of process.
#[derive(Debug)]
pub(crate) struct CompiledProcess {
    pub(crate) locations: Vec<CompiledLocation>,
    pub(crate) parameters: Vec<(u32, Scalar)>,
    pub(crate) starts: Vec<Start>,
    pub(crate) size: usize,
    pub(crate) priority: u32,
    pub(crate) provided: Option<Code>,
}

#[derive(Debug)]
pub(crate) struct CompiledPoll {
    pub(crate) channel: Code,
    pub(crate) patterns: Vec<CompiledPattern>,
    pub(crate) random: bool,
}

/// A trace assertion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trace {
    pub(crate) negated: bool,
    /// Its number among the kinds of processes.
    pub(crate) kind: usize,
}
