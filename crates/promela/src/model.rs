//! From a text to a model that runs, with everything that is wrong with the text.

use std::path::Path;
use std::sync::Arc;

use graph::System;
use preprocess::{FileId, Files, Options, SourceMap};
use source::{Diagnostic, Location, Severity, Span};

use crate::machine::{Machine, Scheduler};
use crate::resolve::{self, ExprKind, Initial, Program};

/// A model that runs, and the way from its statements to the user's text.
#[derive(Debug)]
pub struct Model {
    pub program: Program,
    pub machine: Machine,
    pub map: SourceMap,
    /// What is wrong with formulas, by their numbers; they cannot be checked, but everything else can.
    pub problems: Vec<(usize, Message)>,
}

/// A message about one of the files of a map. What it adds about macros and included files is found
/// through the place in the preprocessed text, if it is about that.
#[derive(Debug)]
pub struct Message {
    pub file: FileId,
    pub diagnostic: Diagnostic,
    pub preprocessed: Option<usize>,
}

/// What became of a text.
#[derive(Debug)]
pub struct Reading {
    pub model: Result<Model, SourceMap>,
    pub messages: Vec<Message>,
}

impl Reading {
    /// Leads messages to their files.
    pub fn map(&self) -> &SourceMap {
        match &self.model {
            Ok(model) => &model.map,
            Err(map) => map,
        }
    }
}

impl Model {
    /// Reads `text`, which is the content of `path`.
    pub fn read(files: &dyn Files, path: &Path, text: impl Into<Arc<str>>, options: &Options) -> Reading {
        let made = preprocess::preprocess(files, path, text, options);
        let failed = made.has_errors();
        let own = made.diagnostics.into_iter();
        let mut messages: Vec<Message> =
            own.map(|(file, diagnostic)| Message { file, diagnostic, preprocessed: None }).collect();
        if failed {
            return Reading { model: Err(made.map), messages };
        }
        let (program, diagnostics) = resolve::read(&made.text);
        let located = |diagnostic: Diagnostic| {
            let preprocessed = Some(diagnostic.span.start);
            let (file, diagnostic) = made.map.diagnostic(diagnostic);
            Message { file, diagnostic, preprocessed }
        };
        messages.extend(diagnostics.into_iter().map(located));
        let Some(program) = program else { return Reading { model: Err(made.map), messages } };
        match Machine::new(&program) {
            Ok(machine) => {
                if let Some(fault) = machine.worker().fault_at_start() {
                    let text = format!("the model cannot begin: {fault}");
                    messages.push(located(Diagnostic::error(first_computed(&program), text)));
                    return Reading { model: Err(made.map), messages };
                }
                let formulas = program.formulas.iter().enumerate();
                let problems = formulas
                    .flat_map(|(number, formula)| formula.problems.iter().map(move |one| (number, one)))
                    .map(|(number, problem)| (number, located(problem.clone())))
                    .collect();
                Reading { model: Ok(Self { program, machine, map: made.map, problems }), messages }
            }
            Err(error) => {
                let diagnostic = Diagnostic::error(error.span, error.to_string());
                let (file, diagnostic) = made.map.diagnostic(diagnostic);
                messages.push(Message { file, diagnostic, preprocessed: Some(error.span.start) });
                Reading { model: Err(made.map), messages }
            }
        }
    }

    /// What the user wrote to get a piece of the preprocessed text.
    pub fn source(&self, span: Span) -> &str {
        let place = self.map.place(span);
        place.span.text(self.map.text(place.file))
    }

    /// Whether a piece of the preprocessed text comes out of one use of a macro, so that it stands nowhere as
    /// it is.
    pub(crate) fn is_from_macro(&self, span: Span) -> bool {
        let outermost = |offset: usize| self.map.expansions(offset).last().map(|step| step.invocation);
        let (first, last) = (outermost(span.start), outermost(span.end.max(span.start + 1) - 1));
        first.is_some() && first == last
    }

    /// Where a piece of the preprocessed text stands in the user's file.
    pub fn location(&self, span: Span) -> Option<Location> {
        (span != Span::default()).then(|| self.map.told(span))
    }
}

impl System for Model {
    type Worker<'a> = Scheduler<'a>;

    fn worker(&self) -> Scheduler<'_> {
        self.machine.worker()
    }
}

impl Message {
    pub fn is_error(&self) -> bool {
        self.diagnostic.severity == Severity::Error
    }
}

/// The first value of a variable at the start that is more than a number.
fn first_computed(program: &Program) -> Span {
    let values = program.variables.iter().filter_map(|variable| match &variable.initial {
        Initial::Value(value) if !matches!(value.kind, ExprKind::Number(_)) => Some(value.span),
        _ => None,
    });
    values.into_iter().next().unwrap_or_default()
}
