//! Processes: headers, instances, and what can only be checked when all of them are known.

use source::Span;

use super::declarations::Site;
use super::names::{Global, Local};
use super::{Expr, ExprKind, LabelId, Owner, Place, Process, ProcessId, Resolver, Stmt, StmtKind, labels};
use crate::syntax::{self, Active, Module, ProcessKind, Unit};

/// SPIN's limit on the number of processes.
const PROCESS_LIMIT: i32 = 255;

/// A use of `run` whose arguments are still to be counted.
#[derive(Debug)]
pub(super) struct PendingRun {
    pub(super) process: ProcessId,
    pub(super) arguments: usize,
    pub(super) span: Span,
}

impl<'m> Resolver<'m> {
    /// Numbers and names the processes and finds their labels, so that others can refer to them.
    pub(super) fn announce_processes(&mut self, module: &'m Module) {
        for unit in &module.units {
            let Unit::Process(process) = unit else { continue };
            let id = ProcessId(self.labels.len() as u32);
            if let Some(name) = &process.name
                && matches!(process.kind, ProcessKind::Proctype | ProcessKind::DProctype)
            {
                // The second of two is reported when it is declared.
                self.process_ids.entry(&name.name).or_insert(id);
            }
            let found = labels::scan(self, &process.body);
            self.program.processes.push(Process {
                kind: process.kind,
                name: self.process_name(process),
                active: 0,
                parameters: Vec::new(),
                locals: Vec::new(),
                priority: process.priority.and_then(|given| u32::try_from(given.value).ok()).unwrap_or(1),
                provided: None,
                promises: Vec::new(),
                body: Vec::new(),
                labels: found.labels.clone(),
                elements: (0, 0),
                span: process.span,
            });
            self.labels.push(found);
        }
    }

    fn process_name(&self, process: &syntax::Process) -> String {
        match (&process.name, process.kind) {
            (Some(name), _) => name.name.clone(),
            (None, ProcessKind::Init) => ":init:".to_owned(),
            (None, ProcessKind::Trace) => ":trace:".to_owned(),
            (None, ProcessKind::NoTrace) => ":notrace:".to_owned(),
            (None, _) => {
                let claims = self.program.processes.iter().filter(|other| other.kind == ProcessKind::Never);
                format!("never_{}", claims.count())
            }
        }
    }

    /// Resolves the process with this number.
    pub(super) fn process(&mut self, id: ProcessId, process: &'m syntax::Process) {
        if let Some(ident) = &process.name {
            self.declare_global(ident, Global::Process);
        }
        self.program.processes[id.0 as usize].active = self.instances(process);
        self.local = Some(Local::new(id, process.kind));
        self.parameters(process, id);
        if let Some(condition) = &process.provided {
            let condition = self.provided(condition);
            self.program.processes[id.0 as usize].provided = Some(condition);
        }
        self.here().open_scope();
        let first = self.elements;
        let body = self.sequence(&process.body);
        self.local = None;
        self.program.processes[id.0 as usize].elements = (first, self.numbered(1));
        self.program.processes[id.0 as usize].body = body;
    }

    fn instances(&mut self, process: &'m syntax::Process) -> u32 {
        let count = match &process.active {
            None => return u32::from(process.kind == ProcessKind::Init),
            Some(Active::One) => return 1,
            Some(Active::Many(count)) => count,
        };
        let value = match self.initial_value(count) {
            Some(initial) => initial,
            None => self.constant(count, "the number of instances"),
        };
        match value {
            Some(value @ 0..=PROCESS_LIMIT) => value as u32,
            Some(_) => {
                self.error(count.span, format!("there can be 0 to {PROCESS_LIMIT} instances of a proctype"));
                0
            }
            None => 0,
        }
    }

    fn parameters(&mut self, process: &'m syntax::Process, id: ProcessId) {
        for declaration in &process.parameters {
            for declarator in &declaration.variables {
                let position = self.program.process(id).parameters.len() as u32;
                let owner = Owner::Parameter(id, position);
                let Some(variable) = self.variable(declaration, declarator, Site::Parameter(position), owner)
                else {
                    continue;
                };
                self.program.processes[id.0 as usize].parameters.push(variable);
                if self.program.contains_array(self.program.variable(variable).ty) {
                    let help = "pass a channel that holds such records";
                    self.error_help(declarator.span, "a parameter cannot have an array in it", help);
                }
            }
        }
    }

    /// `provided (e)`: SPIN evaluates it outside of the process, so it can only use what is global.
    fn provided(&mut self, condition: &'m syntax::Expr) -> Expr {
        let resolved = self.expr(condition);
        if let Some(span) = self.improper(&resolved) {
            let help = "it may use global variables, channels, `_pid` and `_priority`";
            self.error_help(span, "this cannot stand in `provided`", help);
        }
        resolved
    }

    /// The first part of an expression that `provided` cannot have.
    fn improper(&self, expr: &Expr) -> Option<Span> {
        let global = |place: &Place| self.program.variable(place.variable).owner == Owner::Global;
        match &expr.kind {
            ExprKind::Number(_)
            | ExprKind::MtypeConstant(..)
            | ExprKind::Timeout
            | ExprKind::Pid
            | ExprKind::Last
            | ExprKind::ProcessCount
            | ExprKind::Priority => None,
            ExprKind::Load(place) | ExprKind::Len(place) => (!global(place)).then_some(expr.span),
            ExprKind::Probe { channel, .. } | ExprKind::Poll { channel, .. } => {
                (!global(channel)).then_some(expr.span)
            }
            ExprKind::Unary { operand, .. } => self.improper(operand),
            ExprKind::Enabled(operand) | ExprKind::PcValue(operand) | ExprKind::GetPriority(operand) => {
                self.improper(operand)
            }
            ExprKind::Binary { left, right, .. } => self.improper(left).or_else(|| self.improper(right)),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.improper(condition).or_else(|| self.improper(then)).or_else(|| self.improper(otherwise))
            }
            ExprKind::NonProgress
            | ExprKind::Run { .. }
            | ExprKind::RemoteLabel { .. }
            | ExprKind::RemoteVariable { .. } => Some(expr.span),
        }
    }

    /// Every `run` has as many arguments as the proctype has parameters.
    pub(super) fn check_runs(&mut self) {
        let mut counts: Vec<Option<usize>> = vec![None; self.program.processes.len()];
        for run in std::mem::take(&mut self.runs) {
            let Some(count) = counts.get_mut(run.process.0 as usize) else { continue };
            let expected = *count.get_or_insert_with(|| self.program.parameter_places(run.process).len());
            let name = &self.program.process(run.process).name;
            let message = format!("`{name}` takes {expected} arguments, but {} are given", run.arguments);
            if run.arguments != expected {
                self.error(run.span, message);
            }
        }
    }

    /// Something must run.
    pub(super) fn check_start(&mut self) {
        if self.errors > 0 || self.program.processes.iter().any(|process| process.active > 0) {
            return;
        }
        let span = self.program.processes.first().map_or(Span::default(), |process| process.span);
        let help = "add `init { ... }` or put `active` before a proctype";
        self.error_help(span, "no process is running at the start", help);
    }

    /// A jump is no step of its own, so nobody would ever be seen at its label. Where another process
    /// looks for such a label, SPIN puts a `skip` on it when it reads that; here `process` was read before.
    pub(super) fn separate_remote_label(&mut self, process: ProcessId, label: LabelId) {
        let wanted = |stmt: &Stmt| stmt.labels.contains(&label);
        let body = &mut self.program.processes[process.0 as usize].body;
        separate(body, &wanted, &mut self.elements);
    }

    /// Does the same for labels that are read only after they were looked for.
    pub(super) fn separate_remote_labels(&mut self) {
        if self.remote_labels.is_empty() {
            return;
        }
        for (at, process) in self.program.processes.iter_mut().enumerate() {
            let id = ProcessId(at as u32);
            let wanted =
                |stmt: &Stmt| stmt.labels.iter().any(|label| self.remote_labels.contains(&(id, *label)));
            separate(&mut process.body, &wanted, &mut self.elements);
        }
    }
}

/// Puts a `skip` with the labels before each jump that is wanted. The `skip` takes over the number of the
/// jump, which gets the next one.
fn separate(body: &mut Vec<Stmt>, wanted: &impl Fn(&Stmt) -> bool, elements: &mut u32) {
    let mut at = 0;
    while at < body.len() {
        match &mut body[at].kind {
            StmtKind::If(choices) | StmtKind::Do(choices) => {
                for choice in choices {
                    separate(&mut choice.body, wanted, elements);
                }
            }
            StmtKind::Atomic(inner) | StmtKind::DStep(inner) | StmtKind::Block(inner) => {
                separate(inner, wanted, elements)
            }
            StmtKind::Unless { main, escape } => {
                separate(main, wanted, elements);
                separate(escape, wanted, elements);
            }
            _ => {}
        }
        if matches!(body[at].kind, StmtKind::Goto(_) | StmtKind::Break) && wanted(&body[at]) {
            let (labels, element) = (body[at].labels.len(), body[at].element);
            let skip = skip_before(&mut body[at], labels, element);
            body[at].element = *elements;
            *elements = elements.saturating_add(1);
            body.insert(at, skip);
            at += 1;
        }
        at += 1;
    }
}

/// A `skip` that takes over the first so many labels of a statement; its number is given.
pub(super) fn skip_before(statement: &mut Stmt, labels: usize, element: u32) -> Stmt {
    Stmt {
        kind: StmtKind::Condition(Expr { kind: ExprKind::Number(1), span: statement.span }),
        text: "(1)".to_owned(),
        labels: statement.labels.drain(..labels).collect(),
        span: statement.span,
        atomicity: statement.atomicity,
        expansion: statement.expansion,
        element,
    }
}
