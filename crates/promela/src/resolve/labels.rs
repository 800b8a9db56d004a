//! Labels and jumps, found before the statements are resolved, since a jump may go forward and other
//! processes may refer to a place by its label.
//!
//! SPIN treats labels as names with a scope, so that an inline with a label can be called twice. A jump
//! goes to the label that is the same symbol; failing that, to one in a scope around the jump; failing
//! that, to the last one of that name anywhere in the process. A symbol belongs to the scope where its
//! name occurs first, in a label or in a jump.

use super::{Label, LabelId, Resolver};
use crate::syntax::{Choice, Ident, Sequence, Stmt, StmtKind};
use rustc_hash::FxHashMap;

/// The labels of a process and where its jumps go.
#[derive(Debug, Default)]
pub(super) struct ProcessLabels {
    pub(super) labels: Vec<Label>,
    /// For each `goto` in textual order, its label; `None` if there is no such label.
    pub(super) targets: Vec<Option<LabelId>>,
}

impl ProcessLabels {
    /// The label that other processes mean by a name: the first one.
    pub(super) fn find(&self, name: &str) -> Option<LabelId> {
        let at = self.labels.iter().position(|label| label.name == name)?;
        Some(LabelId(at as u32))
    }
}

/// Walks the statements of a process in textual order.
struct Scan<'r, 'm, 'p> {
    resolver: &'r mut Resolver<'m>,
    found: Vec<FoundLabel<'p>>,
    jumps: Vec<Jump<'p>>,
    /// For each scope, the one around it and whether it is still open.
    scopes: Vec<(Option<usize>, bool)>,
    scope: usize,
    /// For each name the scopes of its symbols, the newest last.
    symbols: FxHashMap<&'p str, Vec<usize>>,
    /// The outermost `d_step` around, by number.
    d_step: Option<usize>,
    d_steps: usize,
}

struct FoundLabel<'p> {
    ident: &'p Ident,
    scope: usize,
    d_step: Option<usize>,
}

struct Jump<'p> {
    ident: &'p Ident,
    scope: usize,
    d_step: Option<usize>,
}

/// Finds the labels of a body and the targets of its jumps.
pub(super) fn scan(resolver: &mut Resolver<'_>, body: &Sequence) -> ProcessLabels {
    let mut scan = Scan {
        resolver,
        found: Vec::new(),
        jumps: Vec::new(),
        scopes: vec![(None, true)],
        scope: 0,
        symbols: FxHashMap::default(),
        d_step: None,
        d_steps: 0,
    };
    scan.sequence(body);
    scan.finish()
}

impl<'p> Scan<'_, '_, 'p> {
    fn sequence(&mut self, statements: &'p [Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &'p Stmt) {
        for ident in &statement.labels {
            let scope = self.symbol(&ident.name);
            self.found.push(FoundLabel { ident, scope, d_step: self.d_step });
        }
        match &statement.kind {
            StmtKind::Goto(ident) => {
                let scope = self.symbol(&ident.name);
                self.jumps.push(Jump { ident, scope, d_step: self.d_step });
            }
            StmtKind::If(choices) | StmtKind::Do(choices) => self.choices(choices),
            StmtKind::Atomic(body) => self.block(body, "atomic"),
            StmtKind::Block(body) => self.block(body, "a block"),
            StmtKind::DStep(body) => {
                let outer = self.d_step;
                if outer.is_none() {
                    self.d_steps += 1;
                    self.d_step = Some(self.d_steps);
                }
                self.block(body, "d_step");
                self.d_step = outer;
            }
            StmtKind::Unless { main, escape } => {
                let lifts =
                    matches!(main.kind, StmtKind::Atomic(_) | StmtKind::DStep(_) | StmtKind::Block(_));
                if let Some(label) = element_label(main)
                    && !lifts
                {
                    self.misplaced(
                        label,
                        "before a statement with `unless`",
                        "write `label: { ... unless ... }`",
                    );
                }
                if let Some(label) = element_label(escape) {
                    self.misplaced(label, "after `unless`", "there is no single place to jump to");
                }
                self.statement(main);
                self.statement(escape);
            }
            StmtKind::ForRange { body, .. } | StmtKind::ForIn { body, .. } => self.scoped(body),
            _ => {}
        }
    }

    fn choices(&mut self, choices: &'p [Choice]) {
        for choice in choices {
            if let Some(label) = first_label(&choice.body) {
                let message = format!("the label `{}` stands at the start of a choice", label.name);
                let help = "it is reached by jumps only; put it before the `if` or `do`";
                self.resolver.warning_help(label.span, message, help);
            }
            self.sequence(&choice.body);
        }
    }

    fn block(&mut self, body: &'p [Stmt], what: &str) {
        if let Some(label) = first_label(body) {
            let place = format!("at the start of {what}");
            self.misplaced(label, &place, "put the label before the opening, or a `skip` before the label");
        }
        self.scoped(body);
    }

    fn scoped(&mut self, body: &'p [Stmt]) {
        let outer = self.scope;
        self.scope = self.scopes.len();
        self.scopes.push((Some(outer), true));
        self.sequence(body);
        self.scopes[self.scope].1 = false;
        self.scope = outer;
    }

    fn misplaced(&mut self, label: &Ident, place: &str, help: &str) {
        let message = format!("the label `{}` cannot stand {place}", label.name);
        self.resolver.error_help(label.span, message, help);
    }

    /// The scope of the symbol a label's name stands for here.
    fn symbol(&mut self, name: &'p str) -> usize {
        let symbols = self.symbols.entry(name).or_default();
        while let Some(&newest) = symbols.last() {
            if self.scopes[newest].1 {
                return newest;
            }
            symbols.pop();
        }
        symbols.push(self.scope);
        self.scope
    }

    fn finish(self) -> ProcessLabels {
        let mut exact: FxHashMap<(&str, usize), usize> = FxHashMap::default();
        let mut last: FxHashMap<&str, usize> = FxHashMap::default();
        for (at, found) in self.found.iter().enumerate() {
            let name = found.ident.name.as_str();
            if exact.insert((name, found.scope), at).is_some() {
                self.resolver.error(found.ident.span, format!("the label `{name}` is declared twice"));
            }
            last.insert(name, at);
        }
        let mut targets = Vec::with_capacity(self.jumps.len());
        for jump in &self.jumps {
            let name = jump.ident.name.as_str();
            let around = std::iter::successors(Some(jump.scope), |scope| self.scopes[*scope].0);
            let target = exact
                .get(&(name, jump.scope))
                .copied()
                .or_else(|| around.filter_map(|scope| exact.get(&(name, scope)).copied()).min())
                .or_else(|| last.get(name).copied());
            match target {
                None => {
                    let message = format!("there is no label `{name}` in this process");
                    self.resolver.error(jump.ident.span, message);
                }
                Some(at) if self.found[at].d_step != jump.d_step => {
                    let (message, help) = if jump.d_step.is_some() {
                        ("this jump leaves a d_step", "a d_step must be left at its end; use atomic")
                    } else {
                        ("this jump goes into a d_step", "a d_step must be entered at its start; use atomic")
                    };
                    self.resolver.error_help(jump.ident.span, message, help);
                }
                Some(_) => {}
            }
            targets.push(target.map(|at| LabelId(at as u32)));
        }
        let labels = self
            .found
            .iter()
            .map(|found| Label { name: found.ident.name.clone(), span: found.ident.span })
            .collect();
        ProcessLabels { labels, targets }
    }
}

/// The label on the first element of a sequence.
fn first_label(body: &[Stmt]) -> Option<&Ident> {
    let first = body.iter().find(|statement| !matches!(statement.kind, StmtKind::Exclusive { .. }))?;
    match &first.kind {
        // The label of what `unless` guards is lifted out of it.
        StmtKind::Unless { main, .. } => element_label(main),
        _ => element_label(first),
    }
}

/// The label on the first element a statement consists of. A loop has an element before the one that
/// is labelled: the place where its turns come together, or the assignment of a first value.
fn element_label(statement: &Stmt) -> Option<&Ident> {
    match statement.kind {
        StmtKind::Do(_)
        | StmtKind::ForRange { .. }
        | StmtKind::ForIn { .. }
        | StmtKind::Select { literal: false, .. } => None,
        _ => statement.labels.first(),
    }
}

impl Resolver<'_> {
    /// Where a jump goes that was scanned before.
    pub(super) fn jump_target(&mut self) -> Option<LabelId> {
        let local = self.here();
        let (process, at) = (local.process, local.next_goto);
        local.next_goto += 1;
        self.labels.get(process.0 as usize)?.targets.get(at).copied().flatten()
    }

    /// The numbers of the labels on the statement at hand.
    pub(super) fn take_labels(&mut self, idents: &[Ident]) -> Vec<LabelId> {
        for ident in idents {
            if self.find_variable(&ident.name).is_some() || self.find_constant(&ident.name).is_some() {
                self.error(ident.span, format!("`{}` is not only a label; rename one", ident.name));
            }
        }
        let local = self.here();
        let first = local.next_label;
        local.next_label += idents.len();
        (first..first + idents.len()).map(|at| LabelId(at as u32)).collect()
    }
}
