//! A trace as what its statements do, one after the other, in the language that formulas are made of.
//!
//! Statements of all processes come in the order of the trace. A condition is a guard, and so is what a receive
//! matches; an `else` is a guard for each condition that did not hold in its place, and belongs to that condition.
//! Sending and receiving are assignments between variables and slots of the channel: how many messages a channel
//! holds at a step is the same on every run along the trace, so only what they say is a matter of values. Each
//! process and each channel has a frame of its own, for as long as it lives; one more frame holds messages of
//! rendezvous and which message is taken out of order.
//!
//! Which process or channel an expression means is as it was on the trace, and taken for granted. What the
//! scheduler knows (`timeout`, `enabled`, where a process stands, how long a channel is) is as it was, too.

mod messages;
mod process_frame;

use std::collections::BTreeMap;

use graph::System;
use model::{Base, Context, Effect, Expr, Place, Scalar, TraceStep};
use property::ltl::{Connective, Here};
use source::Span;

use self::process_frame::ProcessFrame;
use super::event::Event;
use super::frames::{FRAME_HEADER, Frames, STATE_HEADER, TRACE_BYTES, element_scalar, scalar};
use super::lower::Lowering;
use super::program::{Machine, Origins};
use super::scheduler::Deed;
use super::temporal::abstracted;
use super::vector::{CHANNEL_TAG, FrameStarts};
use super::view::{Room, View};
use crate::model::Model;
use crate::resolve::{ExprKind, Initial, Process, Stmt, StmtKind, Type, VarId};

/// The statement of what is never wrong.
pub const NOBODYS: u32 = u32::MAX;

const GLOBALS: u32 = 0;
const SCRATCH: u32 = 1;
/// In the scratch frame, truths come first, and then the parts of a message.
const MOST_TRUTHS: u32 = 1024;

/// A trace as effects.
#[derive(Clone, Debug)]
pub struct Account {
    /// What the frames hold at first: that of the globals, the scratch frame, and those of processes and channels.
    pub frames: Vec<Vec<u8>>,
    pub steps: Vec<AccountStep>,
    /// The frames of the globals, the processes and the channels that live at the end, each with what the machine
    /// says it holds then, from the offset on where variables start.
    pub end: Vec<(u32, u32, Vec<u8>)>,
}

#[derive(Clone, Debug)]
pub struct AccountStep {
    pub step: TraceStep,
    /// The event it belongs to; none for what is so before the first one.
    pub event: Option<usize>,
    /// What each of its effects makes.
    pub made: Vec<Made>,
}

/// What an effect makes, in the words of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    pub what: String,
    pub ty: Option<Type>,
    /// Whether the effect is that the condition does not hold.
    pub negated: bool,
}

/// What should hold at the end of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// What the last statement says.
    Stated,
    /// Somebody can go on.
    Movement,
    /// What the formula with this number asks of every state.
    Invariant(usize),
}

/// Tells a trace as effects: its states, one more than events. Nothing if it is none of the model's, or too long.
pub(crate) fn account(model: &Model, states: &[Vec<u8>], events: &[u64], goal: Goal) -> Option<Account> {
    let mut writer = AccountWriter::new(model, states.first()?)?;
    let mut worker = model.machine.worker();
    for (number, (state, event)) in states.iter().zip(events).enumerate() {
        writer.event = Some(number);
        for deed in worker.deeds(state, Event::unpack(*event))? {
            writer.deed(&deed)?;
        }
    }
    let last = states.get(events.len())?;
    if goal != Goal::Stated {
        writer.event = Some(events.len());
    }
    match goal {
        Goal::Stated => {}
        Goal::Movement => writer.somebody_can(last)?,
        Goal::Invariant(formula) => writer.holds_here(last, formula)?,
    }
    let end = writer.end(last);
    Some(Account { frames: writer.bytes, steps: writer.steps, end })
}

/// The number that a variable's declaration has as a statement.
pub(crate) fn declaration(machine: &Machine, variable: VarId) -> u32 {
    machine.statements.len() as u32 + variable.0
}

struct AccountWriter<'m> {
    model: &'m Model,
    origins: Origins<'m>,
    frames: Frames,
    /// For each statement the first one that is the same piece of text, since an inline stands only once.
    same: Vec<u32>,
    bytes: Vec<Vec<u8>>,
    /// The frames of those who live.
    processes: Vec<u32>,
    channels: Vec<u32>,
    steps: Vec<AccountStep>,
    event: Option<usize>,
}

impl<'m> AccountWriter<'m> {
    fn new(model: &'m Model, state: &[u8]) -> Option<Self> {
        let (_, origins) = Machine::with_origins(&model.program).ok()?;
        let mut known: BTreeMap<(usize, usize, &str), u32> = BTreeMap::new();
        let same = |(statement, number): (&'m super::Statement, u32)| {
            let Span { start, end } = statement.span;
            *known.entry((start, end, &statement.text)).or_insert(number)
        };
        let same = model.machine.statements.iter().zip(0..).map(same).collect();
        let fields = model.machine.channels.iter().map(|kind| kind.fields.len()).max().unwrap_or(0);
        let scratch = vec![0; MOST_TRUTHS as usize + 8 * fields];
        let mut writer = Self {
            model,
            origins,
            frames: Frames::new(&model.program),
            same,
            bytes: vec![state.get(..model.machine.globals)?.to_vec(), scratch],
            processes: Vec::new(),
            channels: Vec::new(),
            steps: Vec::new(),
            event: None,
        };
        let found = writer.follow(state);
        let context = Context { bytes: state, local: 0, process: 0 };
        let globals = &model.program.globals;
        writer.declared(&found, &context, GLOBALS, globals)?;
        for (pid, kind) in model.machine.active.iter().enumerate() {
            writer.born(&found, state, pid, *kind)?;
        }
        Some(writer)
    }

    fn found(&self, state: &[u8]) -> FrameStarts {
        let machine = &self.model.machine;
        let mut found = FrameStarts::default();
        found.find(state, machine.globals, &machine.kinds, &machine.channels);
        found
    }

    /// Gives frames to those who have come to life, and takes those of the dead.
    fn follow(&mut self, state: &[u8]) -> FrameStarts {
        let found = self.found(state);
        self.processes.truncate(found.processes.len());
        self.channels.truncate(found.channels.len());
        for at in &found.processes[self.processes.len()..] {
            let at = *at as usize;
            let size = self.model.machine.kinds[usize::from(state[at])].size.max(FRAME_HEADER as usize);
            self.processes.push(self.bytes.len() as u32);
            self.bytes.push(state[at..at + size].to_vec());
        }
        for at in &found.channels[self.channels.len()..] {
            let at = *at as usize;
            let kind = &self.model.machine.channels[usize::from(state[at] - CHANNEL_TAG)];
            self.channels.push(self.bytes.len() as u32);
            self.bytes.push(state[at + 1..at + 1 + kind.size() as usize].to_vec());
        }
        found
    }

    /// What the machine says the living hold.
    fn end(&self, state: &[u8]) -> Vec<(u32, u32, Vec<u8>)> {
        let found = self.found(state);
        let machine = &self.model.machine;
        let held = |number: u32, skip: u32, at: usize| {
            let size = self.bytes[number as usize].len();
            (number, skip, state[at + skip as usize..at + size].to_vec())
        };
        let header = STATE_HEADER + if machine.trace.is_some() { TRACE_BYTES } else { 0 };
        let mut all = vec![held(GLOBALS, header, 0)];
        let processes = self.processes.iter().zip(&found.processes);
        all.extend(processes.map(|(number, at)| held(*number, FRAME_HEADER, *at as usize)));
        let channels = self.channels.iter().zip(&found.channels);
        all.extend(channels.map(|(number, at)| held(*number, 0, *at as usize + 1)));
        all
    }

    fn lowering(&self) -> Lowering<'_> {
        Lowering {
            program: &self.model.program,
            frames: &self.frames,
            label_locations: &self.origins.label_locations,
            polls: Vec::new(),
            asked: [false; super::lower::Question::ALL.len()],
            in_formula: false,
        }
    }

    fn words(&self, span: Span) -> String {
        self.model.source(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Notes what is taken for granted, and then what a statement does.
    fn note(&mut self, statement: u32, assumed: Vec<Expr>, does: Vec<(Effect, Made)>) {
        let mut add = |statement: u32, effects: Vec<Effect>, made: Vec<Made>| {
            if !effects.is_empty() {
                let step = TraceStep { statement, frame: GLOBALS, effects };
                self.steps.push(AccountStep { step, event: self.event, made });
            }
        };
        let nothing = vec![Made::nothing(); assumed.len()];
        add(NOBODYS, assumed.into_iter().map(Effect::Assume).collect(), nothing);
        let (effects, made) = does.into_iter().unzip();
        add(statement, effects, made);
    }

    /// Notes what follows from what a statement does, and cannot be wrong by itself.
    fn note_rest(&mut self, assignments: Vec<(Place, Expr)>) {
        let effects = assignments.into_iter().map(|(place, value)| Effect::Assign { place, value });
        let does = effects.map(|effect| (effect, Made::nothing())).collect();
        self.note(NOBODYS, Vec::new(), does);
    }

    fn deed(&mut self, deed: &Deed) -> Option<()> {
        let found = self.found(&deed.before);
        let room = Room::default();
        let machine = &self.model.machine;
        let view = View { machine, frames: &found, timeout: deed.timeout, room: &room };
        let context = view.context(&deed.before, deed.process);
        let statement = self.same[deed.statement as usize];
        let Some(origin) = self.origins.statements[deed.statement as usize] else {
            self.follow(&deed.after);
            return Some(());
        };
        match &origin.kind {
            StmtKind::Condition(condition) => match &condition.kind {
                ExprKind::Run { .. } => self.run(statement, condition, None, deed)?,
                _ => {
                    let mut here = ProcessFrame::new(self, &view, context);
                    let guard = here.expr(condition)?;
                    let made = Made::condition(self.words(condition.span));
                    let assumed = here.assumed;
                    let says = !matches!(guard, Expr::Constant(_));
                    let does = if says { vec![(Effect::Guard(guard), made)] } else { Vec::new() };
                    self.note(statement, assumed, does);
                }
            },
            StmtKind::Assign { target, value } => match &value.kind {
                ExprKind::Run { .. } => self.run(statement, value, Some(target), deed)?,
                _ => {
                    let mut here = ProcessFrame::new(self, &view, context);
                    let assigned = Effect::Assign { place: here.place(target)?, value: here.expr(value)? };
                    let made = Made::value(self.words(target.span), Some(target.ty));
                    let assumed = here.assumed;
                    // What `select` chooses comes from outside.
                    let chosen = self.words(origin.span).starts_with("select");
                    self.note(if chosen { NOBODYS } else { statement }, assumed, vec![(assigned, made)]);
                }
            },
            StmtKind::Assert(condition) => {
                let mut here = ProcessFrame::new(self, &view, context);
                let check = here.expr(condition)?;
                let assumed = here.assumed;
                let made = Made::condition(self.words(condition.span));
                self.note(statement, assumed, vec![(Effect::Check(check), made)]);
            }
            StmtKind::Send { channel, sorted, values } => {
                let how = messages::Sending { meets: deed.meets, sorted: *sorted };
                self.send(statement, how, channel, values, &view, context)?;
            }
            StmtKind::Receive { channel, random, keep, patterns } => {
                let how = messages::Receiving { meets: deed.meets, random: *random, keep: *keep };
                self.receive(statement, how, channel, patterns, &view, context)?;
            }
            StmtKind::Else => {
                for other in &deed.before_it {
                    for (statement, condition, assumed, made) in self.openings(*other, &view, &context) {
                        let made = Made { negated: true, ..made };
                        let guard = Effect::Guard(Expr::negation(condition));
                        self.note(statement, assumed, vec![(guard, made)]);
                    }
                }
            }
            _ => {}
        }
        self.follow(&deed.after);
        Some(())
    }

    /// The conditions on values under which a statement can be executed, each with the statement that says so.
    fn openings(
        &self,
        statement: u32,
        view: &View<'_>,
        context: &Context<'_>,
    ) -> Vec<(u32, Expr, Vec<Expr>, Made)> {
        let Some(origin) = self.origins.statements[statement as usize] else { return Vec::new() };
        let mut first = Vec::new();
        first_statements(origin, &mut first);
        let opening = |stmt: &&Stmt| {
            let is_it = |known: &Option<&Stmt>| known.is_some_and(|known| std::ptr::eq(known, *stmt));
            // A flow inside of a `d_step` has statements of its own.
            let number = self.origins.statements.iter().position(is_it)? as u32;
            let mut here = ProcessFrame::new(self, view, *context);
            let condition = match &stmt.kind {
                StmtKind::Condition(condition) if !matches!(condition.kind, ExprKind::Run { .. }) => {
                    here.expr(condition)?
                }
                StmtKind::Receive { channel, random, patterns, .. } => {
                    here.matches(channel, *random, patterns)?
                }
                _ => return None,
            };
            let made = Made::condition(self.words(stmt.span));
            Some((self.same[number as usize], condition, here.assumed, made))
        };
        first.iter().filter_map(opening).collect()
    }

    /// At the end: a condition that somebody waits for should hold.
    fn somebody_can(&mut self, state: &[u8]) -> Option<()> {
        let found = self.found(state);
        let room = Room::default();
        let view = View { machine: &self.model.machine, frames: &found, timeout: false, room: &room };
        let mut truths = Vec::new();
        for process in 0..found.processes.len() {
            let location = view.location(state, process);
            if location.valid_end {
                continue;
            }
            let context = view.context(state, process);
            for step in &location.steps {
                for (statement, condition, assumed, made) in self.openings(step.statement, &view, &context) {
                    let place = truth(truths.len() as u32)?;
                    truths.push(Expr::Load(place.clone()));
                    let holds = Expr::Unary(model::Unary::Not, Box::new(Expr::negation(condition)));
                    self.note(statement, assumed, vec![(Effect::Assign { place, value: holds }, made)]);
                }
            }
        }
        let any = any_of(truths);
        self.note(NOBODYS, Vec::new(), vec![(Effect::Check(any), Made::nothing())]);
        Some(())
    }

    /// At the end: what a formula asks of every state should hold.
    fn holds_here(&mut self, state: &[u8], formula: usize) -> Option<()> {
        let program = &self.model.program;
        let (formula, atoms) = abstracted(program, &program.formulas.get(formula)?.formula);
        let found = self.found(state);
        let room = Room::default();
        let view = View { machine: &self.model.machine, frames: &found, timeout: false, room: &room };
        let mut here = ProcessFrame::new(self, &view, Context { bytes: state, local: 0, process: u32::MAX });
        let condition = formula.invariant()?.here(|part| match part {
            Here::Constant(value) => Some(Expr::Constant(i64::from(value))),
            Here::Atom(number) => here.expr(&atoms[*number as usize]),
            Here::Not(part) => Some(Expr::negation(part)),
            Here::Binary(Connective::And, left, right) => Some(all_of([left, right])),
            Here::Binary(Connective::Or, left, right) => Some(any_of([left, right])),
            Here::Binary(Connective::Implies, left, right) => Some(any_of([Expr::negation(left), right])),
            Here::Binary(Connective::Equivalent, left, right) => Some(any_of([
                all_of([left.clone(), right.clone()]),
                all_of([Expr::negation(left), Expr::negation(right)]),
            ])),
        })?;
        let assumed = here.assumed;
        self.note(NOBODYS, assumed, vec![(Effect::Check(condition), Made::nothing())]);
        Some(())
    }

    /// `run P(...)`, perhaps with its number kept.
    fn run(
        &mut self,
        statement: u32,
        run: &crate::resolve::Expr,
        target: Option<&crate::resolve::Place>,
        deed: &Deed,
    ) -> Option<()> {
        let ExprKind::Run { process, arguments, .. } = &run.kind else { return None };
        let kind = process.0 as usize;
        let model = self.model;
        let before = self.found(&deed.before);
        let room = Room::default();
        let view = View { machine: &model.machine, frames: &before, timeout: deed.timeout, room: &room };
        let mut here = ProcessFrame::new(self, &view, view.context(&deed.before, deed.process));
        let values: Option<Vec<Expr>> = arguments.iter().map(|argument| here.expr(argument)).collect();
        let place = target.map(|target| here.place(target));
        let (values, assumed) = (values?, here.assumed);
        let after = self.follow(&deed.after);
        if after.processes.len() <= before.processes.len() {
            return None;
        }
        let pid = after.processes.len() - 1;
        let frame = self.processes[pid];
        let words = self.words(run.span);
        let parameters = model.machine.kinds[kind].parameters.iter().zip(values);
        let does = parameters.map(|((offset, scalar), value)| {
            let place = place_in(frame, *offset, *scalar);
            (Effect::Assign { place, value }, Made::value(format!("an argument of {words}"), None))
        });
        let does = does.collect();
        self.note(statement, assumed, does);
        self.born(&after, &deed.after, pid, kind)?;
        if let Some(place) = place {
            self.note_rest(vec![(place?, Expr::Constant(pid as i64))]);
        }
        Some(())
    }

    /// A process starts, with what its variables are declared to be.
    fn born(&mut self, found: &FrameStarts, state: &[u8], pid: usize, kind: usize) -> Option<()> {
        let local = *found.processes.get(pid)? as usize;
        let context = Context { bytes: state, local, process: pid as u32 };
        let process: &Process = &self.model.program.processes[kind];
        self.declared(found, &context, self.processes[pid], &process.locals)
    }

    /// The first values of variables.
    fn declared(
        &mut self,
        found: &FrameStarts,
        context: &Context<'_>,
        frame: u32,
        variables: &[VarId],
    ) -> Option<()> {
        let model = self.model;
        let room = Room::default();
        let view = View { machine: &model.machine, frames: found, timeout: false, room: &room };
        for id in variables {
            let variable = model.program.variable(*id);
            if matches!(variable.ty, Type::Record(_)) {
                continue;
            }
            let mut here = ProcessFrame::new(self, &view, *context);
            let values: Vec<Expr> = match &variable.initial {
                Initial::Value(value) => vec![here.expr(value)?],
                Initial::List(values) => {
                    values.iter().map(|value| Expr::Constant(i64::from(*value))).collect()
                }
                Initial::Zero | Initial::Channel(_) => continue,
            };
            let assumed = here.assumed;
            let scalar = match variable.length {
                Some(_) => element_scalar(variable.ty),
                None => scalar(variable.ty),
            };
            let (start, size) = (self.frames.offset(*id), self.frames.size(variable.ty));
            let element = |number: u32| {
                let value = values.get(number as usize).or(values.last())?.clone();
                let place = place_in(frame, start + number * size, scalar);
                Some((Effect::Assign { place, value }, Made::value(variable.name.clone(), Some(variable.ty))))
            };
            let does = (0..variable.length.unwrap_or(1)).filter_map(element).collect();
            self.note(declaration(&model.machine, *id), assumed, does);
        }
        Some(())
    }
}

/// What is executed first in a statement.
fn first_statements<'s>(statement: &'s Stmt, first: &mut Vec<&'s Stmt>) {
    match &statement.kind {
        StmtKind::DStep(body) | StmtKind::Atomic(body) | StmtKind::Block(body) => {
            body.first().into_iter().for_each(|opening| first_statements(opening, first));
        }
        StmtKind::If(choices) | StmtKind::Do(choices) => {
            let openings = choices.iter().filter_map(|choice| choice.body.first());
            openings.for_each(|opening| first_statements(opening, first));
        }
        _ => first.push(statement),
    }
}

impl Made {
    fn nothing() -> Self {
        Self { what: String::new(), ty: None, negated: false }
    }

    fn condition(words: String) -> Self {
        Self { what: format!("`{words}`"), ..Self::nothing() }
    }

    fn value(words: String, ty: Option<Type>) -> Self {
        Self { what: format!("`{words}`"), ty, negated: false }
    }
}

fn place_in(frame: u32, offset: u32, scalar: Scalar) -> Place {
    let base =
        if frame == GLOBALS { Base::Global } else { Base::Of(Box::new(Expr::Constant(i64::from(frame)))) };
    Place { base, offset, indices: Vec::new(), scalar }
}

/// Where a truth is kept.
fn truth(number: u32) -> Option<Place> {
    (number < MOST_TRUTHS).then(|| place_in(SCRATCH, number, Scalar::BIT))
}

/// Where a part of a message is kept.
fn part(number: usize, scalar: Scalar) -> Place {
    place_in(SCRATCH, MOST_TRUTHS + 8 * number as u32, scalar)
}

fn any_of(truths: impl IntoIterator<Item = Expr>) -> Expr {
    let either = |one: Expr, other: Expr| Expr::OrElse(Box::new(one), Box::new(other));
    truths.into_iter().reduce(either).unwrap_or(Expr::Constant(0))
}

fn all_of(truths: impl IntoIterator<Item = Expr>) -> Expr {
    let both = |one: Expr, other: Expr| Expr::AndAlso(Box::new(one), Box::new(other));
    truths.into_iter().reduce(both).unwrap_or(Expr::Constant(1))
}
