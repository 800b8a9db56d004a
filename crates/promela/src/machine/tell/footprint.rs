//! What a step reads, writes, sends and receives, by the names of the state it starts from.
//!
//! Indices are evaluated, so `a[1]` and `a[2]` are two things. Of a condition only those parts count that
//! make it what it is: of a true disjunction the true ones, of a conditional expression the branch that
//! is chosen. What `else` reads is what the other choices ask. For a `d_step` everything in it counts,
//! whether it is passed or not.

use graph::{Footprint, Passage};

use super::super::compiled::Act;
use super::Teller;
use super::condition::parts;
use super::scene::Scene;
use crate::resolve::{Expr, ExprKind, FieldStep, Owner, Pattern, Place, Stmt, StmtKind, Type};
use crate::syntax::BinaryOp;

impl Teller<'_> {
    /// The footprint of a step from `state`; `partner` is who receives in a rendezvous, and how.
    pub fn footprint(
        &self,
        state: &[u8],
        process: u8,
        statement: u32,
        partner: Option<(u8, u32)>,
    ) -> Footprint {
        let scene = Scene::new(self, state);
        let mut found = Collector { scene: &scene, footprint: Footprint::default() };
        found.step(usize::from(process), statement);
        if let Some((process, statement)) = partner {
            found.step(usize::from(process), statement);
        }
        found.finish()
    }

    /// What decides whether a process can execute a statement it stands before.
    pub fn asked_by(&self, state: &[u8], process: u8, statement: u32) -> Footprint {
        let scene = Scene::new(self, state);
        let mut found = Collector { scene: &scene, footprint: Footprint::default() };
        if let Some(origin) = self.origin(statement as usize) {
            found.asked(usize::from(process), origin);
        }
        found.finish()
    }

    /// The channel that a process would send to or receive from in a statement, and whether it would send.
    pub fn channel_of(&self, state: &[u8], process: u8, statement: u32) -> Option<(String, bool)> {
        let (channel, sends) = match &self.origin(statement as usize)?.kind {
            StmtKind::Send { channel, .. } => (channel, true),
            StmtKind::Receive { channel, .. } => (channel, false),
            _ => return None,
        };
        let scene = Scene::new(self, state);
        let number = scene.channel(usize::from(process), channel)?;
        Some((self.channel_name(&scene.look, state, number, None), sends))
    }

    /// What the processes ask that may not end where they stand.
    pub fn wants(&self, state: &[u8]) -> Footprint {
        let scene = Scene::new(self, state);
        let mut found = Collector { scene: &scene, footprint: Footprint::default() };
        for process in 0..scene.look.frames.processes.len() {
            let may_end = scene.with_view(|view| view.location(state, process).valid_end);
            for step in scene.steps(process) {
                // Who may end where it stands waits for messages only; what else it asks, it wants.
                let wants = |origin: &&Stmt| !may_end || matches!(origin.kind, StmtKind::Condition(_));
                if let Some(origin) = scene.origin(step).filter(wants) {
                    found.asked(process, origin);
                }
            }
        }
        found.finish()
    }
}

struct Collector<'s, 'a, 'm> {
    scene: &'s Scene<'a, 'm>,
    footprint: Footprint,
}

impl Collector<'_, '_, '_> {
    fn finish(mut self) -> Footprint {
        let Footprint { reads, writes, .. } = &mut self.footprint;
        for names in [reads, writes] {
            names.sort_unstable();
            names.dedup();
        }
        self.footprint
    }

    fn step(&mut self, process: usize, statement: u32) {
        let scene = self.scene;
        let Some(step) = scene.steps(process).iter().find(|step| step.statement == statement) else { return };
        let Some(origin) = scene.origin(step) else { return };
        self.statement(process, origin);
        if let Act::Receive(reception) = &step.act {
            // Only the scheduler knows which message is taken.
            let slot = scene.with_view(|view| {
                let context = view.context(scene.state, process);
                view.matching_slot(reception.into(), &context).ok().flatten()
            });
            if let Some(last) = self.footprint.receives.last_mut() {
                last.slot = slot;
            }
        }
        if matches!(step.act, Act::Else) {
            let others = scene.steps(process).iter().filter(|other| other.statement != statement);
            for other in others.filter_map(|other| scene.origin(other)) {
                self.asked(process, other);
            }
        }
    }

    fn statement(&mut self, process: usize, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Condition(expr) | StmtKind::Assert(expr) | StmtKind::Printm(expr) => {
                self.reads(process, expr);
            }
            StmtKind::Assign { target, value } => {
                self.reads(process, value);
                self.writes(process, target);
            }
            StmtKind::Send { channel, sorted, values } => {
                values.iter().for_each(|value| self.reads(process, value));
                let Some(number) = self.channel_read(process, channel) else { return };
                let held = self.scene.teller.held(&self.scene.look, self.scene.state, number);
                let fields = self.scene.teller.channel_type(&self.scene.look, self.scene.state, number);
                let message: Option<Vec<i64>> =
                    values.iter().map(|value| self.scene.value(process, value)).collect();
                let slot = match message.filter(|message| message.len() == fields.fields.len()) {
                    Some(message) if *sorted => held.slot_for(&message),
                    _ => held.len(),
                };
                let slot = (fields.capacity > 0).then_some(slot);
                let channel = self.channel_name(number);
                self.footprint.sends.push(Passage { channel, slot, stays: false });
            }
            StmtKind::Receive { channel, keep, patterns, .. } => {
                self.patterns(process, patterns);
                for pattern in patterns {
                    if let Pattern::Store(place) = pattern {
                        self.writes(process, place);
                    }
                }
                let Some(number) = self.channel_read(process, channel) else { return };
                let channel = self.channel_name(number);
                self.footprint.receives.push(Passage { channel, slot: None, stays: *keep });
            }
            StmtKind::Printf { values, .. } => values.iter().for_each(|value| self.reads(process, value)),
            StmtKind::SetPriority { process: whose, priority } => {
                self.reads(process, whose);
                self.reads(process, priority);
            }
            StmtKind::If(choices) | StmtKind::Do(choices) => {
                choices
                    .iter()
                    .flat_map(|choice| &choice.body)
                    .for_each(|inner| self.statement(process, inner));
            }
            StmtKind::Atomic(body) | StmtKind::DStep(body) | StmtKind::Block(body) => {
                body.iter().for_each(|inner| self.statement(process, inner));
            }
            StmtKind::Unless { main, escape } => {
                main.iter().chain(escape).for_each(|inner| self.statement(process, inner));
            }
            StmtKind::Nothing
            | StmtKind::Event { .. }
            | StmtKind::Else
            | StmtKind::Goto(_)
            | StmtKind::Break => {}
        }
    }

    /// What decides whether a statement can be executed.
    fn asked(&mut self, process: usize, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Condition(expr) => self.reads(process, expr),
            StmtKind::Send { channel, .. } => self.filling(process, channel),
            StmtKind::Receive { channel, patterns, .. } => {
                self.patterns(process, patterns);
                self.filling(process, channel);
            }
            StmtKind::DStep(body) | StmtKind::Atomic(body) | StmtKind::Block(body) => {
                if let Some(first) = body.first() {
                    self.asked(process, first);
                }
            }
            _ => {}
        }
    }

    fn patterns(&mut self, process: usize, patterns: &[Pattern]) {
        for pattern in patterns {
            if let Pattern::Match(expr) = pattern {
                self.reads(process, expr);
            }
        }
    }

    fn reads(&mut self, process: usize, expr: &Expr) {
        let scene = self.scene;
        let holds = |expr: &Expr| scene.value(process, expr).map(|value| value != 0);
        let mut waiting = vec![expr];
        while let Some(expr) = waiting.pop() {
            match &expr.kind {
                ExprKind::Load(place) => self.read(process, place, own(scene, process, place)),
                ExprKind::Unary { operand, .. } => waiting.push(operand),
                ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), .. } => {
                    let parts = parts(*op, expr);
                    let decides = |part: &&Expr| holds(part) == Some(*op == BinaryOp::Or);
                    let deciding: Vec<&Expr> = parts.iter().copied().filter(decides).collect();
                    waiting.extend(if deciding.is_empty() { parts } else { deciding });
                }
                ExprKind::Binary { left, right, .. } => waiting.extend([&**left, &**right]),
                ExprKind::Conditional { condition, then, otherwise } => {
                    let chosen = if holds(condition) == Some(true) { then } else { otherwise };
                    waiting.extend([&**condition, &**chosen]);
                }
                ExprKind::Run { process: kind, arguments, .. } => {
                    waiting.extend(arguments);
                    self.parameters(kind.0 as usize);
                }
                ExprKind::Len(channel) | ExprKind::Probe { channel, .. } => self.filling(process, channel),
                ExprKind::Poll { channel, patterns, .. } => {
                    self.patterns(process, patterns);
                    self.filling(process, channel);
                }
                ExprKind::RemoteVariable { instance, variable, .. } => {
                    waiting.extend(instance.as_deref());
                    let pid = instance.as_deref().and_then(|instance| scene.value(process, instance));
                    let pid = pid.and_then(|pid| usize::try_from(pid).ok());
                    let owner = pid.filter(|pid| *pid < scene.look.frames.processes.len());
                    if owner.is_some() {
                        self.read(process, variable, owner);
                    }
                }
                ExprKind::Enabled(inner) | ExprKind::PcValue(inner) | ExprKind::GetPriority(inner) => {
                    waiting.push(inner);
                }
                ExprKind::RemoteLabel { instance, .. } => waiting.extend(instance.as_deref()),
                ExprKind::Number(_)
                | ExprKind::MtypeConstant(..)
                | ExprKind::Timeout
                | ExprKind::NonProgress
                | ExprKind::Pid
                | ExprKind::Last
                | ExprKind::ProcessCount
                | ExprKind::Priority => {}
            }
        }
    }

    /// A variable of `owner`, or a global one, that `process` reads.
    fn read(&mut self, process: usize, place: &Place, owner: Option<usize>) {
        self.indices(process, place);
        if let Some((name, _)) = self.named(process, place, owner) {
            self.footprint.reads.push(name);
        }
    }

    fn writes(&mut self, process: usize, place: &Place) {
        self.indices(process, place);
        if let Some((name, _)) = self.named(process, place, own(self.scene, process, place)) {
            self.footprint.writes.push(name);
        }
    }

    fn indices(&mut self, process: usize, place: &Place) {
        let inner = place.fields.iter().filter_map(|field| field.index.as_deref());
        for index in place.index.as_deref().into_iter().chain(inner) {
            self.reads(process, index);
        }
    }

    /// A channel whose filling is asked for.
    fn filling(&mut self, process: usize, channel: &Place) {
        if let Some(number) = self.channel_read(process, channel) {
            let name = self.channel_name(number);
            self.footprint.reads.push(name);
        }
    }

    /// The channel a place refers to. Its variable is read only if it is not the channel's own.
    fn channel_read(&mut self, process: usize, place: &Place) -> Option<usize> {
        self.indices(process, place);
        if let Some((name, false)) = self.named(process, place, own(self.scene, process, place)) {
            self.footprint.reads.push(name);
        }
        self.scene.channel(process, place)
    }

    fn channel_name(&self, number: usize) -> String {
        self.scene.teller.channel_name(&self.scene.look, self.scene.state, number, None)
    }

    /// A process comes to life with its parameters.
    fn parameters(&mut self, kind: usize) {
        let teller = self.scene.teller;
        let pid = self.scene.look.frames.processes.len();
        let name = teller.program.processes[kind].name.trim_matches(':');
        let is_parameter =
            |variable: &crate::resolve::Variable| matches!(variable.owner, Owner::Parameter(..));
        teller.locals[kind].each(teller.program, &teller.frames, is_parameter, |part| {
            self.footprint.begins.push(format!("{name}:{pid}.{}", part.name));
        });
    }

    /// The name of a scalar of `owner`, with indices as `process` sees them, and whether a channel was
    /// made for it.
    fn named(&self, process: usize, place: &Place, owner: Option<usize>) -> Option<(String, bool)> {
        let (scene, teller) = (self.scene, self.scene.teller);
        let variable = teller.program.variable(place.variable);
        let index = |index: Option<&Expr>, length: Option<u32>, kind: Type| {
            let value = index.map_or(Some(0), |index| scene.value(process, index))?;
            let value = u32::try_from(value).ok().filter(|value| *value < length.unwrap_or(1))?;
            value.checked_mul(teller.frames.size(kind))
        };
        let mut kind = variable.ty;
        let mut offset = teller.frames.offset(place.variable);
        offset += index(place.index.as_deref(), variable.length, kind)?;
        for FieldStep { field, index: inner } in &place.fields {
            let Type::Record(record) = kind else { return None };
            offset += teller.frames.record(record.0).fields.get(*field as usize)?.offset;
            let declared = teller.program.record(record).fields.get(*field as usize)?;
            kind = declared.ty;
            offset += index(inner.as_deref(), declared.length, kind)?;
        }
        let table = teller.table_of(&scene.look, scene.state, owner);
        let part = table.find(teller.program, &teller.frames, offset)?;
        let name = match owner {
            None => part.name,
            Some(owner) => format!("{}.{}", scene.name(owner), part.name),
        };
        Some((name, part.channel.is_some()))
    }
}

/// Whose a variable is that `process` names without saying.
fn own(scene: &Scene<'_, '_>, process: usize, place: &Place) -> Option<usize> {
    match scene.teller.program.variable(place.variable).owner {
        Owner::Global => None,
        Owner::Parameter(..) | Owner::Local(_) => Some(process),
    }
}
