//! Names, types and checks: from the tree of a text to a [`Program`].
//!
//! One pass in textual order, because SPIN knows a name only from its declaration on; formulas come
//! last, as in SPIN, and processes may be run before they are declared. A name means the same thing in
//! a whole process and everything declared outside of it: SPIN refuses a local variable with the name
//! of another one that is visible there. What is wrong is reported and passed over, so that one run
//! shows several mistakes; if any of them is an error, the program is not to be used.
//!
//! The checks are SPIN's. Where SPIN says "Error" and still makes a verifier with a clear meaning, this
//! is a warning here.

mod constants;
mod declarations;
mod expressions;
mod formulas;
mod labels;
mod leaves;
mod loops;
mod messages;
mod names;
mod places;
mod processes;
mod program;
mod statements;
#[cfg(test)]
mod tests;
mod text;

use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Severity, Span};

use crate::syntax::{self, Module, Unit};
use labels::ProcessLabels;
use names::{Global, Local};
use processes::PendingRun;
pub use program::*;
pub(crate) use text::sign;

/// A text with so many errors is not examined further.
const ERROR_LIMIT: usize = 100;

/// Reads preprocessed text. The program is there if nothing but warnings was found, or errors in `ltl` blocks alone, which
/// it keeps with its formulas.
pub fn read(text: &str) -> (Option<Program>, Vec<Diagnostic>) {
    let (module, mut diagnostics) = syntax::parse(text);
    let is_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
    if diagnostics.iter().any(is_error) {
        let formulas = module.units.iter().filter_map(|unit| match unit {
            Unit::Ltl(ltl) => ltl.formula.as_ref().err(),
            _ => None,
        });
        diagnostics.extend(formulas.flatten().cloned());
        return (None, diagnostics);
    }
    let (program, found) = resolve(&module);
    diagnostics.extend(found);
    if diagnostics.iter().any(is_error) {
        diagnostics.extend(program.formulas.into_iter().flat_map(|formula| formula.problems));
        return (None, diagnostics);
    }
    (Some(program), diagnostics)
}

/// Binds the names of a tree. With an error among the diagnostics, the program is incomplete.
pub fn resolve(module: &Module) -> (Program, Vec<Diagnostic>) {
    let mut resolver = Resolver {
        program: Program { expansions: module.expansions.clone(), ..Program::default() },
        diagnostics: Vec::new(),
        errors: 0,
        globals: FxHashMap::default(),
        mtype_kinds: FxHashMap::default(),
        process_ids: FxHashMap::default(),
        labels: Vec::new(),
        local: None,
        runs: Vec::new(),
        remote_labels: FxHashSet::default(),
        allowed_runs: 0,
        exclusive: false,
        scratch: None,
        elements: 0,
    };
    resolver.announce_processes(module);
    let mut processes = (0..).map(ProcessId);
    for unit in &module.units {
        match unit {
            Unit::Process(process) => {
                if let Some(id) = processes.next() {
                    resolver.process(id, process);
                }
            }
            Unit::Typedef(typedef) => resolver.typedef(typedef),
            Unit::Mtype(mtype) => resolver.mtype_constants(mtype),
            Unit::Declaration(declaration) => resolver.global_declaration(declaration),
            Unit::Ltl(_) => {}
        }
        if resolver.errors >= ERROR_LIMIT {
            break;
        }
    }
    if resolver.errors < ERROR_LIMIT {
        for unit in &module.units {
            if let Unit::Ltl(ltl) = unit {
                resolver.property(ltl);
            }
        }
        resolver.check_runs();
        resolver.check_start();
        resolver.separate_remote_labels();
    }
    (resolver.program, resolver.diagnostics)
}

/// What is known so far.
struct Resolver<'m> {
    program: Program,
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    globals: FxHashMap<&'m str, Global>,
    mtype_kinds: FxHashMap<Option<&'m str>, MtypeId>,
    /// All proctypes, also those still to come.
    process_ids: FxHashMap<&'m str, ProcessId>,
    /// The labels of each process, by [`ProcessId`].
    labels: Vec<ProcessLabels>,
    /// The process whose body is being resolved.
    local: Option<Local<'m>>,
    /// Uses of `run`, to be checked when all parameters are known.
    runs: Vec<PendingRun>,
    /// Labels that other processes refer to.
    remote_labels: FxHashSet<(ProcessId, LabelId)>,
    /// How many `run`s may still occur in the expression at hand.
    allowed_runs: u32,
    /// There was an `xr` or `xs`.
    exclusive: bool,
    /// The variable behind `_` as the target of an assignment.
    scratch: Option<VarId>,
    /// How many numbers SPIN would have given so far.
    elements: u32,
}

impl Resolver<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        if diagnostic.severity == Severity::Error {
            self.errors += 1;
        }
        if self.errors <= ERROR_LIMIT {
            self.diagnostics.push(diagnostic);
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(span, message));
    }

    fn error_help(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.report(Diagnostic::error(span, message).help(help));
    }

    fn warning(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::warning(span, message));
    }

    fn warning_help(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.report(Diagnostic::warning(span, message).help(help));
    }
}
