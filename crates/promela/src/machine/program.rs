//! A Promela model ready to run: every process as locations with compiled steps.

mod compiler;
mod size;

use model::{ChannelType, Layout, compile};
use source::Span;

use self::compiler::Compiler;
pub(super) use self::compiler::compiled_patterns;
use super::compiled::{CompiledPoll, CompiledProcess, Start, Trace};
use super::flow::Flow;
use super::frames::Frames;
use super::hidden::HiddenVariables;
use super::independence::Independence;
use super::limits::{self, NotRunnable};
use super::lower::{Lowering, Question};
use super::temporal::Temporal;
use crate::resolve::{self, Program, Stmt};
use crate::syntax::ProcessKind;

/// A statement as people know it.
#[derive(Clone, Debug)]
pub struct Statement {
    pub process: String,
    pub text: String,
    pub span: Span,
    /// SPIN's number for it, by which trails name it.
    pub element: u32,
}

/// A model ready to run.
#[derive(Debug)]
pub struct Machine {
    pub(crate) kinds: Vec<CompiledProcess>,
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
                in_formula: false,
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
        machine.check_size(program)?;
        Ok((machine, Origins { statements, label_locations }))
    }
}
