//! Compiling processes: their locations, their statements, and how their variables start.

use model::{ChannelType, Code, Scalar, TooDeep, compile, compile_place};
use source::Span;

use super::super::compiled::{
    Act, AwaitedEvent, CompiledLocation, CompiledPattern, CompiledPoll, CompiledProcess, CompiledStep,
    Reception, Spot, Start, StartValue,
};
use super::super::flow::{Flow, FlowLocation, What};
use super::super::frames::{element_scalar, scalar};
use super::super::limits::{self, NotRunnable};
use super::super::lower::{Lowering, Poll, Question};
use super::super::temporal::{Fine, Temporal, abstracted, finely};
use super::Statement;
use crate::resolve::{self, ExprKind, Initial, Stmt, StmtKind, VarId};

pub(super) struct Compiler<'p, 'l> {
    pub(super) lowering: Lowering<'l>,
    pub(super) channels: Vec<ChannelType>,
    pub(super) statements: Vec<Statement>,
    pub(super) origins: Vec<Option<&'p Stmt>>,
    /// How many labels the current process has.
    pub(super) labels: usize,
    /// Whether a priority is given anywhere.
    pub(super) has_priorities: bool,
}

impl<'p> Compiler<'p, '_> {
    pub(super) fn kind(
        &mut self,
        number: usize,
        process: &resolve::Process,
        flow: &Flow<'p>,
    ) -> Result<CompiledProcess, NotRunnable> {
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
        Ok(CompiledProcess {
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

    pub(super) fn starts_of(&mut self, variable: VarId, starts: &mut Vec<Start>) -> Result<(), NotRunnable> {
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
                let element = step.element;
                self.statements.push(Statement { process: process.to_owned(), text, span, element });
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
    pub(super) fn temporal(&mut self, property: &resolve::Property) -> Result<Temporal, NotRunnable> {
        let (formula, atoms) = abstracted(self.lowering.program, &property.formula);
        self.lowering.in_formula = true;
        let before = std::mem::take(&mut self.lowering.asked[Question::Timeout as usize]);
        let codes = self.exprs(&atoms).map_err(|error| NotRunnable::from(error).or_at(property.span))?;
        let asks_timeout = self.lowering.asked[Question::Timeout as usize];
        let (fine, parts) = finely(self.lowering.program, &property.formula);
        let parts = self.exprs(&parts).map_err(|error| NotRunnable::from(error).or_at(property.span))?;
        self.lowering.asked[Question::Timeout as usize] |= before;
        self.lowering.in_formula = false;
        Ok(Temporal { formula, atoms: codes, asks_timeout, fine: Fine { formula: fine, atoms: parts } })
    }

    pub(super) fn poll(&mut self, poll: &Poll) -> Result<CompiledPoll, TooDeep> {
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

pub(in super::super) fn compiled_patterns(
    patterns: &[model::Pattern],
) -> Result<Vec<CompiledPattern>, TooDeep> {
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
