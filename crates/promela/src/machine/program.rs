//! A Promela model ready to run: every process as locations with compiled steps.

mod compiler;

use model::{ChannelType, Code, Layout, Scalar, compile};
use source::Span;

use self::compiler::Compiler;
pub(super) use self::compiler::compiled_patterns;
use super::flow::Flow;
use super::frames::Frames;
use super::hidden::HiddenVariables;
use super::independence::Independence;
use super::limits::{self, NotRunnable};
use super::lower::{Lowering, Question};
use super::temporal::Temporal;
use super::trace::{AwaitedEvent, Trace};
use crate::resolve::{self, Program, Stmt};
use crate::syntax::ProcessKind;

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
    /// Its number in [`Machine::statements`].
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

/// A statement as people know it.
#[derive(Clone, Debug)]
pub struct Statement {
    pub process: String,
    pub text: String,
    pub span: Span,
    /// SPIN's number for it, by which trails name it.
    pub element: u32,
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
pub(crate) struct Kind {
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

/// A model ready to run.
#[derive(Debug)]
pub struct Machine {
    pub(crate) kinds: Vec<Kind>,
    pub(crate) channels: Vec<ChannelType>,
    pub(crate) globals: usize,
    pub(crate) starts: Vec<Start>,
    /// The kinds of the processes that exist at first, by pid.
    pub(crate) active: Vec<usize>,
    pub(crate) polls: Vec<CompiledPoll>,
    pub(crate) trace: Option<Trace>,
    pub(crate) hidden: HiddenVariables,
    pub(crate) has_timeout: bool,
    pub(crate) has_last: bool,
    pub(crate) has_priorities: bool,
    /// Where processes go unnoticed; nothing where they never do.
    pub(crate) independence: Option<Independence>,
    /// The `ltl` blocks, in order.
    pub(crate) formulas: Vec<Temporal>,
    /// All statements that are steps.
    pub statements: Vec<Statement>,
    /// The layout of the globals and of each kind of process, to show values by.
    pub global_layout: Layout,
    pub local_layouts: Vec<Layout>,
}

/// Where the parts of a machine come from in its program.
#[derive(Debug, Default)]
pub(crate) struct Origins<'p> {
    /// What was compiled to each of [`Machine::statements`]; nothing for the end of a process.
    pub(crate) statements: Vec<Option<&'p Stmt>>,
    /// The locations that labels name: by process, by label.
    pub(crate) label_locations: Vec<Vec<Option<u32>>>,
}

impl Machine {
    /// Compiles a resolved program.
    pub fn new(program: &Program) -> Result<Self, NotRunnable> {
        Self::with_origins(program).map(|(machine, _)| machine)
    }

    /// Whether some steps can go unnoticed by other processes, so that a search may leave out orders of steps.
    pub fn can_be_reduced(&self) -> bool {
        self.independence.is_some()
    }

    /// Compiles a resolved program and tells what became of it.
    pub(crate) fn with_origins(program: &Program) -> Result<(Self, Origins<'_>), NotRunnable> {
        limits::check_program(program)?;
        let frames = Frames::new(program);
        let flows: Vec<Flow<'_>> = program.processes.iter().map(Flow::of_process).collect();
        let label_locations: Vec<Vec<Option<u32>>> = program
            .processes
            .iter()
            .zip(&flows)
            .map(|(process, flow)| {
                let labels = 0..process.labels.len() as u32;
                labels.map(|label| flow.label_location(resolve::LabelId(label))).collect()
            })
            .collect();
        let mut compiler = Compiler {
            lowering: Lowering {
                program,
                frames: &frames,
                label_locations: &label_locations,
                polls: Vec::new(),
                asked: [false; Question::ALL.len()],
            },
            channels: Vec::new(),
            statements: Vec::new(),
            origins: Vec::new(),
            labels: 0,
            has_priorities: false,
        };
        let mut kinds = Vec::new();
        for (number, (process, flow)) in program.processes.iter().zip(&flows).enumerate() {
            kinds.push(compiler.kind(number, process, flow)?);
        }
        let mut starts = Vec::new();
        for variable in &program.globals {
            compiler.starts_of(*variable, &mut starts)?;
        }
        let runs = |process: &&resolve::Process| {
            !matches!(process.kind, ProcessKind::Never | ProcessKind::Trace | ProcessKind::NoTrace)
        };
        let active = program.processes.iter().enumerate().filter(|(_, process)| runs(process));
        let active = active.flat_map(|(kind, process)| std::iter::repeat_n(kind, process.active as usize));
        let formulas = program.formulas.iter().map(|property| compiler.temporal(property));
        let formulas = formulas.collect::<Result<_, _>>()?;
        let polls = std::mem::take(&mut compiler.lowering.polls);
        let polls = polls.iter().map(|poll| compiler.poll(poll)).collect::<Result<_, _>>()?;
        let asked = |question: Question| compiler.lowering.asked[question as usize];
        let has_priorities = compiler.has_priorities
            || asked(Question::Priority)
            || asked(Question::PriorityOf)
            || program.processes.iter().any(|process| process.priority != 1);
        let (has_timeout, has_last) = (asked(Question::Timeout), asked(Question::Last));
        let trace = program.processes.iter().enumerate().find_map(|(kind, process)| match process.kind {
            ProcessKind::Trace => Some(Trace { negated: false, kind }),
            ProcessKind::NoTrace => Some(Trace { negated: true, kind }),
            _ => None,
        });
        let statements = std::mem::take(&mut compiler.origins);
        let has_rendezvous = compiler.channels.iter().any(|channel| channel.capacity == 0);
        let channel_code = |place: &resolve::Place| compile(&compiler.lowering.channel(place));
        let independence = Independence::new(program, &flows, has_rendezvous, channel_code)?;
        let machine = Self {
            kinds,
            channels: compiler.channels,
            globals: frames.globals.size as usize,
            starts,
            active: active.collect(),
            polls,
            trace,
            hidden: HiddenVariables::new(program, &frames, &flows),
            has_timeout,
            has_last,
            has_priorities,
            independence: independence.filter(|_| !has_priorities),
            formulas,
            statements: compiler.statements,
            global_layout: frames.globals.clone(),
            local_layouts: frames.locals.clone(),
        };
        machine.check(program)?;
        Ok((machine, Origins { statements, label_locations }))
    }
}
