//! Hidden variables: remembered only while somebody may still read them.
//!
//! SPIN keeps hidden variables (and `_`) outside of its states, so two states that differ only in them
//! are one state for it, and which values it goes on with depends on the order of its search. Here no
//! value is lost that can matter: a hidden variable keeps its value as long as a process stands where
//! it may read it before it writes it, and is 0 otherwise. That is a live-variable analysis for each
//! process (Kennedy, 1971); what one process may read, another process's write does not save, so
//! the variable is dead only if it is dead for all. To be read only for its own next value, as a count of
//! something is, keeps no variable alive. Where SPIN's answer does not depend on the order of
//! its search, the states are as many as SPIN's.

use super::flow::{Flow, FlowStep, What};
use super::frames::Frames;
use super::temporal::abstracted;
use super::vector::{self, FrameStarts};
use crate::resolve::{Expr, ExprKind, Initial, Pattern, Place, Program, Stmt, StmtKind, VarId};
use crate::syntax::{BinaryOp, ProcessKind, Visibility};

/// Variables as bits. Those beyond the last bit are never forgotten.
type Set = u64;

#[derive(Debug, Default)]
pub(crate) struct HiddenVariables {
    /// Offset and size.
    variables: Vec<(u32, u32)>,
    /// Never forgotten, because not only statements read them.
    always: Set,
    /// By kind of process and location: what may be read from there before it is written.
    live: Vec<Vec<Set>>,
}

impl HiddenVariables {
    pub(crate) fn new(program: &Program, frames: &Frames, flows: &[Flow<'_>]) -> Self {
        let is_hidden = |id: &VarId| program.variable(*id).visibility == Some(Visibility::Hidden);
        let hidden: Vec<VarId> =
            program.globals.iter().copied().filter(is_hidden).take(Set::BITS as usize).collect();
        if hidden.is_empty() {
            return Self::default();
        }
        let mut reader = Reader { hidden: &hidden, started: vec![false; flows.len()] };
        let mut always = 0;
        for variable in &program.variables {
            if let Initial::Value(expr) = &variable.initial {
                always |= reader.expr(expr);
            }
        }
        for process in &program.processes {
            always |= process.provided.as_ref().map_or(0, |expr| reader.expr(expr));
            // Claims and traces are no processes that stand somewhere.
            if !matches!(process.kind, ProcessKind::Proctype | ProcessKind::Init) {
                always |= reader.reads_within(&process.body);
            }
        }
        for property in &program.formulas {
            let atoms = abstracted(program, &property.formula).1;
            always |= atoms.iter().fold(0, |set, atom| set | reader.expr(atom));
        }
        let live: Vec<Vec<Set>> = flows.iter().map(|flow| reader.live(flow)).collect();
        let started = reader.started.iter().zip(&live).filter(|(started, _)| **started);
        always |= started.fold(0, |set, (_, live)| set | live.first().copied().unwrap_or(0));
        let place = |id: &VarId| {
            let variable = program.variable(*id);
            let size = frames.size(variable.ty).saturating_mul(variable.length.unwrap_or(1));
            (frames.offset(*id), size)
        };
        Self { variables: hidden.iter().map(place).collect(), always, live }
    }

    /// Sets to 0 what nobody can read any more.
    pub(super) fn forget(&self, state: &mut [u8], frames: &FrameStarts) {
        if self.variables.is_empty() {
            return;
        }
        let mut live = self.always;
        for frame in &frames.processes {
            let frame = *frame as usize;
            live |= self.live[usize::from(state[frame])][vector::location(state, frame)];
        }
        for (number, (offset, size)) in self.variables.iter().enumerate() {
            if live >> number & 1 == 0 {
                state[*offset as usize..(*offset + *size) as usize].fill(0);
            }
        }
    }
}

/// What a statement reads before it writes it, and what it certainly writes.
#[derive(Clone, Copy, Default)]
struct Effect {
    reads: Set,
    writes: Set,
    /// What is read besides if something that is written is read later.
    reads_for_writes: Set,
}

struct Reader<'p> {
    hidden: &'p [VarId],
    /// The processes that `run` may start.
    started: Vec<bool>,
}

impl Reader<'_> {
    /// The live variables of every location: the least solution, found by going round until nothing
    /// changes.
    fn live(&mut self, flow: &Flow<'_>) -> Vec<Set> {
        let mut effect_of = |step: &FlowStep<'_>| match step.what {
            What::Statement(statement) => (self.effect(statement), step.target),
            What::Hop(_) | What::End => (Effect::default(), step.target),
        };
        let mut effects: Vec<Vec<(Effect, Option<u32>)>> = Vec::with_capacity(flow.locations.len());
        for location in &flow.locations {
            effects.push(location.steps.iter().map(&mut effect_of).collect());
        }
        let mut live = vec![0; effects.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for at in (0..effects.len()).rev() {
                let before = live[at];
                for (effect, target) in &effects[at] {
                    let after = target.map_or(0, |target| live[target as usize]);
                    let for_writes = if after & effect.writes != 0 { effect.reads_for_writes } else { 0 };
                    live[at] |= effect.reads | for_writes | after & !effect.writes;
                }
                changed |= live[at] != before;
            }
        }
        live
    }

    fn bit(&self, variable: VarId) -> Set {
        self.hidden.iter().position(|hidden| *hidden == variable).map_or(0, |number| 1 << number)
    }

    fn effect(&mut self, statement: &Stmt) -> Effect {
        let StmtKind::DStep(body) = &statement.kind else { return self.plain_effect(statement) };
        // Without jumps a statement at the top of a d_step comes after those before it.
        if body.iter().any(has_goto) {
            return Effect { reads: self.reads_within(body), ..Effect::default() };
        }
        let mut all = Effect::default();
        for statement in body {
            let effect = self.effect(statement);
            all.reads |= (effect.reads | effect.reads_for_writes) & !all.writes;
            all.writes |= effect.writes;
        }
        all
    }

    fn plain_effect(&mut self, statement: &Stmt) -> Effect {
        let mut effect = Effect::default();
        for body in bodies(statement) {
            effect.reads |= self.reads_within(body);
        }
        match &statement.kind {
            StmtKind::Condition(expr) | StmtKind::Assert(expr) | StmtKind::Printm(expr) => {
                effect.reads |= self.expr(expr);
            }
            StmtKind::Assign { target, value } => {
                effect.writes |= self.written(target);
                let of_value = self.expr(value);
                if effect.writes != 0 && cannot_fault(value) {
                    effect.reads_for_writes |= of_value;
                } else {
                    effect.reads |= of_value;
                }
                effect.reads |= self.indices(target);
            }
            StmtKind::Send { channel, values, .. } => {
                effect.reads |= self.place(channel) | self.exprs(values);
            }
            StmtKind::Receive { channel, patterns, .. } | StmtKind::Event { channel, patterns, .. } => {
                effect.reads |= self.place(channel);
                for pattern in patterns {
                    match pattern {
                        Pattern::Store(place) => {
                            effect.reads |= self.indices(place);
                            effect.writes |= self.written(place);
                        }
                        Pattern::Match(expr) => effect.reads |= self.expr(expr),
                        Pattern::Ignore(_) => {}
                    }
                }
            }
            StmtKind::Printf { values, .. } => effect.reads |= self.exprs(values),
            StmtKind::SetPriority { process, priority } => {
                effect.reads |= self.expr(process) | self.expr(priority);
            }
            _ => {}
        }
        effect
    }

    /// All that statements and what is inside them read.
    fn reads_within(&mut self, body: &[Stmt]) -> Set {
        body.iter().fold(0, |set, statement| {
            let effect = self.plain_effect(statement);
            set | effect.reads | effect.reads_for_writes
        })
    }

    fn written(&self, place: &Place) -> Set {
        if place.index.is_none() && place.fields.is_empty() { self.bit(place.variable) } else { 0 }
    }

    fn place(&mut self, place: &Place) -> Set {
        self.bit(place.variable) | self.indices(place)
    }

    fn indices(&mut self, place: &Place) -> Set {
        let fields = place.fields.iter().filter_map(|step| step.index.as_deref());
        place.index.as_deref().into_iter().chain(fields).fold(0, |set, index| set | self.expr(index))
    }

    fn exprs(&mut self, exprs: &[Expr]) -> Set {
        exprs.iter().fold(0, |set, expr| set | self.expr(expr))
    }

    fn expr(&mut self, expr: &Expr) -> Set {
        match &expr.kind {
            ExprKind::Load(place) | ExprKind::Len(place) | ExprKind::Probe { channel: place, .. } => {
                self.place(place)
            }
            ExprKind::Unary { operand: inner, .. }
            | ExprKind::Enabled(inner)
            | ExprKind::PcValue(inner)
            | ExprKind::GetPriority(inner) => self.expr(inner),
            ExprKind::Binary { left, right, .. } => self.expr(left) | self.expr(right),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.expr(condition) | self.expr(then) | self.expr(otherwise)
            }
            ExprKind::Run { process, arguments, .. } => {
                self.started[process.0 as usize] = true;
                self.exprs(arguments)
            }
            ExprKind::Poll { channel, patterns, .. } => {
                let mut set = self.place(channel);
                for pattern in patterns {
                    if let Pattern::Match(expr) = pattern {
                        set |= self.expr(expr);
                    }
                }
                set
            }
            ExprKind::RemoteLabel { instance, .. } => instance.as_ref().map_or(0, |expr| self.expr(expr)),
            ExprKind::RemoteVariable { instance, variable, .. } => {
                instance.as_ref().map_or(0, |expr| self.expr(expr)) | self.indices(variable)
            }
            ExprKind::Number(_)
            | ExprKind::MtypeConstant(..)
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::Pid
            | ExprKind::Last
            | ExprKind::ProcessCount
            | ExprKind::Priority => 0,
        }
    }
}

/// The sequences that a structure is made of.
fn bodies(statement: &Stmt) -> Vec<&[Stmt]> {
    match &statement.kind {
        StmtKind::If(choices) | StmtKind::Do(choices) => {
            choices.iter().map(|choice| &choice.body[..]).collect()
        }
        StmtKind::Atomic(body) | StmtKind::DStep(body) | StmtKind::Block(body) => vec![body],
        StmtKind::Unless { main, escape } => vec![main, escape],
        _ => Vec::new(),
    }
}

fn has_goto(statement: &Stmt) -> bool {
    matches!(statement.kind, StmtKind::Goto(_)) || bodies(statement).into_iter().flatten().any(has_goto)
}

/// Whether an expression has a value whatever the variables hold.
fn cannot_fault(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Number(_) | ExprKind::MtypeConstant(..) => true,
        ExprKind::Load(place) => {
            place.index.is_none() && place.fields.iter().all(|step| step.index.is_none())
        }
        ExprKind::Unary { operand, .. } => cannot_fault(operand),
        ExprKind::Binary { op, left, right } => {
            !matches!(op, BinaryOp::Divide | BinaryOp::Remainder) && cannot_fault(left) && cannot_fault(right)
        }
        _ => false,
    }
}
