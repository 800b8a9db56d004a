//! A Promela model ready to run: every process as locations with compiled steps.

use model::{ChannelType, Code, Layout, Scalar, TooDeep, compile, compile_place};
use source::Span;

use super::flow::{Flow, FlowLocation, What};
use super::frames::{Frames, element_scalar, scalar};
use super::hidden::HiddenVariables;
use super::independence::Independence;
use super::limits::{self, NotRunnable};
use super::lower::{Lowering, Poll, Question};
use super::temporal::{Temporal, abstracted};
use super::trace::{AwaitedEvent, Trace};
use crate::resolve::{self, ExprKind, Initial, Program, Stmt, StmtKind, VarId};
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

struct Compiler<'p, 'l> {
    lowering: Lowering<'l>,
    channels: Vec<ChannelType>,
    statements: Vec<Statement>,
    origins: Vec<Option<&'p Stmt>>,
    /// How many labels the current process has.
    labels: usize,
    /// Whether a priority is given anywhere.
    has_priorities: bool,
}

impl<'p> Compiler<'p, '_> {
    fn kind(
        &mut self,
        number: usize,
        process: &resolve::Process,
        flow: &Flow<'p>,
    ) -> Result<Kind, NotRunnable> {
        self.labels = process.labels.len();
        let mut locations = self.locations(&process.name, &flow.locations)?;
        for (label, location) in process.labels.iter().zip(&self.lowering.label_locations[number]) {
            if let Some(location) = location {
                locations[*location as usize].valid_end |= label.is_end();
                locations[*location as usize].progress |= label.is_progress();
                locations[*location as usize].accept |= label.is_accept();
            }
        }
        let parameters = process.parameters.iter().flat_map(|variable| self.parameter(*variable)).collect();
        let mut starts = Vec::new();
        for variable in &process.locals {
            self.starts_of(*variable, &mut starts)?;
        }
        let provided = process.provided.as_ref().map(|expr| self.expr(expr)).transpose();
        let provided = provided.map_err(|error| NotRunnable::from(error).or_at(process.span))?;
        Ok(Kind {
            locations,
            parameters,
            starts,
            size: self.lowering.frames.locals[number].size as usize,
            priority: process.priority,
            provided,
        })
    }

    /// The scalars of a formal parameter: one, or all fields of a record.
    fn parameter(&self, variable: VarId) -> Vec<(u32, Scalar)> {
        let declared = self.lowering.program.variable(variable);
        let mut scalars = Vec::new();
        self.scalars(self.lowering.frames.offset(variable), declared.ty, declared.length, &mut scalars);
        scalars
    }

    fn scalars(&self, offset: u32, kind: resolve::Type, length: Option<u32>, out: &mut Vec<(u32, Scalar)>) {
        let size = self.lowering.frames.size(kind);
        for element in 0..length.unwrap_or(1) {
            let offset = offset + element * size;
            match kind {
                resolve::Type::Record(record) => {
                    let fields = &self.lowering.program.record(record).fields;
                    for (number, field) in fields.iter().enumerate() {
                        let inside = self.lowering.frames.record(record.0).fields[number].offset;
                        self.scalars(offset + inside, field.ty, field.length, out);
                    }
                }
                plain => out.push((offset, scalar(plain))),
            }
        }
    }

    fn starts_of(&mut self, variable: VarId, starts: &mut Vec<Start>) -> Result<(), NotRunnable> {
        let declared = self.lowering.program.variable(variable);
        let offset = self.lowering.frames.offset(variable);
        let made = self.starts(offset, declared.ty, declared.length, &declared.initial, starts);
        made.map_err(|error| error.or_at(declared.span))
    }

    fn starts(
        &mut self,
        offset: u32,
        kind: resolve::Type,
        length: Option<u32>,
        initial: &Initial,
        starts: &mut Vec<Start>,
    ) -> Result<(), NotRunnable> {
        let size = self.lowering.frames.size(kind);
        for element in 0..length.unwrap_or(1) {
            let offset = offset + element * size;
            if let resolve::Type::Record(record) = kind {
                let program = self.lowering.program;
                for (number, field) in program.record(record).fields.iter().enumerate() {
                    let inside = self.lowering.frames.record(record.0).fields[number].offset;
                    self.starts(offset + inside, field.ty, field.length, &field.initial, starts)?;
                }
                continue;
            }
            let value = match initial {
                Initial::Zero => continue,
                Initial::Value(expr) => StartValue::Value(self.expr(expr)?),
                Initial::List(values) => {
                    let value = values.get(element as usize).or(values.last()).copied().unwrap_or(0);
                    StartValue::Value(Code::constant(i64::from(value)))
                }
                Initial::Channel(channel) => {
                    // SPIN gives a bit that is a message of its own a byte, and so does not cut it.
                    let part = if channel.fields.len() == 1 { element_scalar } else { scalar };
                    let fields = channel.fields.iter().map(|field| part(*field)).collect();
                    let made = ChannelType::new(channel.capacity, fields);
                    limits::check_channel(&made, channel.span)?;
                    StartValue::Channel(self.channel_type(made))
                }
            };
            let scalar = if length.is_some() { element_scalar(kind) } else { scalar(kind) };
            starts.push(Start { offset, scalar, value });
        }
        Ok(())
    }

    fn channel_type(&mut self, wanted: ChannelType) -> usize {
        self.channels.iter().position(|known| *known == wanted).unwrap_or_else(|| {
            self.channels.push(wanted);
            self.channels.len() - 1
        })
    }

    fn locations(
        &mut self,
        process: &str,
        locations: &[FlowLocation<'p>],
    ) -> Result<Vec<CompiledLocation>, NotRunnable> {
        let mut compiled = Vec::with_capacity(locations.len());
        for location in locations {
            let mut steps = Vec::with_capacity(location.steps.len());
            for step in &location.steps {
                let (act, text, span, origin) = match step.what {
                    What::Statement(statement) => (
                        self.act(process, statement).map_err(|error| error.or_at(statement.span))?,
                        statement.text.clone(),
                        statement.span,
                        Some(statement),
                    ),
                    What::Hop(statement) => {
                        let text = statement.map_or(".(goto)".to_owned(), |statement| statement.text.clone());
                        let span = statement.or(location.statement).map_or(Span::default(), |at| at.span);
                        (Act::Skip, text, span, statement)
                    }
                    What::End => (Act::End, "-end-".to_owned(), Span::default(), None),
                };
                self.origins.push(origin);
                self.statements.push(Statement { process: process.to_owned(), text, span });
                steps.push(CompiledStep {
                    act,
                    target: step.target.unwrap_or(0),
                    keeps_control: step.keeps_control,
                    escape: step.escape,
                    statement: self.statements.len() as u32 - 1,
                });
            }
            let mut made = CompiledLocation { steps, ..CompiledLocation::default() };
            made.valid_end = made.is_end();
            compiled.push(made);
        }
        Ok(compiled)
    }

    fn act(&mut self, process: &str, statement: &'p Stmt) -> Result<Act, NotRunnable> {
        Ok(match &statement.kind {
            StmtKind::Condition(expr) => match &expr.kind {
                ExprKind::Run { process, arguments, priority } => {
                    self.run(*process, arguments, *priority, None)?
                }
                _ => Act::Wait(self.expr(expr)?),
            },
            StmtKind::Assign { target, value } => {
                let target = self.spot(target)?;
                match &value.kind {
                    ExprKind::Run { process, arguments, priority } => {
                        self.run(*process, arguments, *priority, Some(target))?
                    }
                    _ => Act::Assign(target, self.expr(value)?),
                }
            }
            StmtKind::Nothing => Act::Skip,
            StmtKind::Send { channel, sorted, values } => {
                let channel = self.lowering.channel(channel);
                Act::Send { channel: compile(&channel)?, values: self.exprs(values)?, sorted: *sorted }
            }
            StmtKind::Receive { channel, random, keep, patterns } => {
                let channel = self.lowering.channel(channel);
                let patterns: Vec<_> =
                    patterns.iter().map(|pattern| self.lowering.pattern(pattern)).collect();
                Act::Receive(Reception {
                    channel: compile(&channel)?,
                    patterns: compiled_patterns(&patterns)?,
                    random: *random,
                    keep: *keep,
                })
            }
            StmtKind::Event { channel, sent, patterns } => {
                let channel = self.lowering.channel(channel);
                let patterns: Vec<_> = patterns.iter().map(|pattern| self.awaited(*sent, pattern)).collect();
                Act::Event(AwaitedEvent {
                    channel: compile(&channel)?,
                    sent: *sent,
                    patterns: compiled_patterns(&patterns)?,
                })
            }
            StmtKind::Printf { values, .. } => Act::Print(self.exprs(values)?),
            StmtKind::Printm(value) => Act::Print(vec![self.expr(value)?]),
            StmtKind::Assert(expr) => Act::Assert(self.expr(expr)?),
            StmtKind::SetPriority { process, priority } => {
                self.has_priorities = true;
                Act::SetPriority { process: self.expr(process)?, priority: self.expr(priority)? }
            }
            StmtKind::Else => Act::Else,
            StmtKind::DStep(body) => {
                let flow = Flow::of_step(body, self.labels);
                Act::Indivisible(self.locations(process, &flow.locations)?)
            }
            // Structures and jumps are no statements of their own in a flow.
            _ => Act::Skip,
        })
    }

    /// What a trace looks at in one part of a message: a variable stands for anything, and so does what
    /// is computed for a send.
    fn awaited(&mut self, sent: bool, pattern: &resolve::Pattern) -> model::Pattern {
        match pattern {
            resolve::Pattern::Match(expr) if sent && !is_constant(expr) => model::Pattern::Any,
            resolve::Pattern::Match(expr) => model::Pattern::Match(self.lowering.expr(expr)),
            resolve::Pattern::Store(_) | resolve::Pattern::Ignore(_) => model::Pattern::Any,
        }
    }

    fn run(
        &mut self,
        process: resolve::ProcessId,
        arguments: &[resolve::Expr],
        priority: Option<u32>,
        result: Option<Spot>,
    ) -> Result<Act, TooDeep> {
        self.has_priorities |= priority.is_some();
        Ok(Act::Run { kind: process.0 as usize, arguments: self.exprs(arguments)?, priority, result })
    }

    /// A formula with its atoms compiled.
    fn temporal(&mut self, property: &resolve::Property) -> Result<Temporal, NotRunnable> {
        let (formula, atoms) = abstracted(self.lowering.program, &property.formula);
        let before = std::mem::take(&mut self.lowering.asked[Question::Timeout as usize]);
        let codes = self.exprs(&atoms).map_err(|error| NotRunnable::from(error).or_at(property.span))?;
        let asks_timeout = self.lowering.asked[Question::Timeout as usize];
        self.lowering.asked[Question::Timeout as usize] |= before;
        Ok(Temporal { formula, atoms: codes, asks_timeout })
    }

    fn poll(&mut self, poll: &Poll) -> Result<CompiledPoll, TooDeep> {
        Ok(CompiledPoll {
            channel: compile(&poll.channel)?,
            patterns: compiled_patterns(&poll.patterns)?,
            random: poll.random,
        })
    }

    fn spot(&mut self, place: &resolve::Place) -> Result<Spot, TooDeep> {
        let place = self.lowering.place(place);
        Ok(Spot { address: compile_place(&place)?, scalar: place.scalar })
    }

    fn expr(&mut self, expr: &resolve::Expr) -> Result<Code, TooDeep> {
        compile(&self.lowering.expr(expr))
    }

    fn exprs(&mut self, exprs: &[resolve::Expr]) -> Result<Vec<Code>, TooDeep> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }
}

fn is_constant(expr: &resolve::Expr) -> bool {
    matches!(expr.kind, ExprKind::Number(_) | ExprKind::MtypeConstant(..))
}

pub(super) fn compiled_patterns(patterns: &[model::Pattern]) -> Result<Vec<CompiledPattern>, TooDeep> {
    let compiled = patterns.iter().map(|pattern| {
        Ok(match pattern {
            model::Pattern::Store(place) => {
                CompiledPattern::Store(Spot { address: compile_place(place)?, scalar: place.scalar })
            }
            model::Pattern::Match(expr) => CompiledPattern::Match(compile(expr)?),
            model::Pattern::Any => CompiledPattern::Any,
        })
    });
    compiled.collect()
}
