//! From a text to a program that runs, with everything that is wrong with the text.

use std::path::Path;

use ::model::{Command, Expr, Failure, Fault};
use graph::{Procedures, System};
use preprocess::Files;
use source::{Location, Severity, Span};

use crate::lower::{self, Home, Made, MadeTests, Refusal};
use crate::machine::{self, CCaller, CWorker, Machine};
use crate::scope::scope_ends;
use crate::tests::Difference;
use crate::tree::{self, FunctionId};
use crate::{Diagnostic, Options, large_stack, read};

/// How many values an input may have for all of them to be tried without being told to.
const MOST_NARROW: u64 = (1 << 10) + 1;
/// How many combinations of values of all inputs, each taken once, may be tried without being told to.
const MOST_COMBINATIONS: u64 = 1 << 24;

/// A program that runs, and the way from its statements to the user's text.
#[derive(Debug)]
pub struct Model {
    pub tree: tree::Program,
    pub(crate) machine: Machine,
    pub(crate) homes: Vec<Home>,
    /// The function of the tree that each function of the program was made of.
    pub(crate) origins: Vec<FunctionId>,
    /// Where the scope of every object ends in the preprocessed text.
    pub(crate) scope_ends: Vec<usize>,
    sources: Vec<Box<str>>,
    /// Of a program that runs on tests.
    pub(crate) tests: Option<MadeTests>,
    /// By test, what is wrong with its output, as far as that is known.
    pub(crate) differences: Vec<Option<Difference>>,
}

/// What became of a text: a model if nothing but warnings was found.
#[derive(Debug)]
pub struct Reading {
    pub model: Option<Model>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Why a state has no steps although the program could go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    pub reason: &'static str,
    /// Whether calls are nested too deeply.
    pub is_depth: bool,
    pub location: Option<Location>,
}

impl Model {
    /// Reads `text`, the content of `path`. With `inputs`, these are the values of the program's inputs in
    /// the order in which it asks for them; otherwise all values are tried.
    pub fn read(
        files: &dyn Files,
        path: &Path,
        text: &str,
        options: &Options,
        inputs: Option<Vec<i64>>,
    ) -> Reading {
        let (program, mut diagnostics) = read(files, path, text, options);
        let Some(tree) = program else { return Reading { model: None, diagnostics } };
        let made = large_stack::run(|| {
            let Made { program, homes, origins, sources, tests } = lower::lower(&tree, options)?;
            let machine = Machine::new(program, inputs, options.races).map_err(|refusal| vec![refusal])?;
            Ok((machine, homes, origins, sources, tests))
        });
        let refusals = match made {
            Some(Ok((machine, homes, origins, sources, tests))) => {
                let scope_ends = scope_ends(&tree);
                let differences = Vec::new();
                let model = Self { tree, machine, homes, origins, scope_ends, sources, tests, differences };
                return Reading { model: Some(model), diagnostics };
            }
            Some(Err(refusals)) => refusals,
            None => {
                let message = "there is not enough memory to lower this program".to_owned();
                vec![Refusal { span: Span::default(), message }]
            }
        };
        diagnostics.extend(
            refusals
                .into_iter()
                .map(|refusal| Diagnostic::about(&tree.map, Severity::Error, refusal.span, refusal.message)),
        );
        Reading { model: None, diagnostics }
    }

    /// The program in the language under all front-ends.
    pub fn program(&self) -> &::model::Program {
        &self.machine.program
    }

    /// Why the program cannot be searched one call at a time; nothing if it can.
    pub fn without_procedures(&self) -> Option<&'static str> {
        machine::obstacle(self.program())
    }

    /// Whether a function can come to call itself, as far as the text shows.
    pub fn calls_itself(&self) -> bool {
        machine::calls_itself(self.program())
    }

    /// Fixes the values of the inputs, in the order in which the program asks for them, or lets all be tried.
    pub fn give(&mut self, inputs: Option<Vec<i64>>) {
        self.machine.inputs = inputs;
    }

    /// The program with these inputs, which leave the model's own as they are.
    pub fn fed(&self, inputs: Vec<i64>) -> Fed<'_> {
        Fed { model: self, inputs }
    }

    /// Whether an input has more values than are worth trying one by one, as far as the text shows.
    pub fn has_wide_inputs(&self) -> bool {
        self.input_widths().any(|width| width > MOST_NARROW)
    }

    /// Whether all inputs together have more values than are worth trying one by one, each taken once.
    pub fn has_many_inputs(&self) -> bool {
        let combinations = self.input_widths().fold(1u64, |all, width| all.saturating_mul(width));
        self.has_wide_inputs() || combinations > MOST_COMBINATIONS
    }

    /// How many values each input has, as far as the text shows.
    fn input_widths(&self) -> impl Iterator<Item = u64> {
        let edges = self.program().functions.iter().flat_map(|function| &function.edges);
        edges.flat_map(|edge| &edge.commands).filter_map(|command| match command {
            Command::Nondet { range: None, .. } => Some(u64::MAX),
            Command::Nondet { range: Some((Expr::Constant(low), Expr::Constant(high))), .. } => {
                (low <= high).then(|| high.abs_diff(*low).saturating_add(1))
            }
            _ => None,
        })
    }

    /// The functions of the library that the program takes inputs from.
    pub fn library_inputs(&self) -> impl Iterator<Item = &str> {
        self.sources.iter().map(|name| &**name)
    }

    /// The event of the first thread taking an edge of a function.
    pub fn event_at(&self, function: u32, edge: u32) -> Option<u64> {
        let edge = self.machine.functions.get(function as usize)?.edges.get(edge as usize)?;
        Some(machine::event(0, edge.label, &[]))
    }

    /// The number of what is wrong when a program fails by its own words.
    pub fn violation_of(failure: Failure) -> u32 {
        match failure {
            Failure::Assertion => machine::ASSERTION,
            Failure::Error => machine::ERROR,
            Failure::Unreachable => Fault::Unreachable.kind(),
        }
    }

    /// Where a piece of the preprocessed text stands in the user's file.
    pub fn location(&self, span: Span) -> Option<Location> {
        Some(self.tree.map.told(span))
    }

    /// What keeps a state without steps from having any; nothing if the program just ends there.
    pub fn obstacle(&self, state: &[u8]) -> Option<Obstacle> {
        let (stuck, label) = self.machine.worker().stuck(state)?;
        let statement = self.machine.labels[label as usize].statement;
        let span = self.machine.program.statements[statement as usize].span;
        let is_depth = stuck == machine::Stuck::Calls;
        Some(Obstacle { reason: stuck.reason(), is_depth, location: self.location(span) })
    }
}

impl System for Model {
    type Worker<'a> = CWorker<'a>;

    fn worker(&self) -> CWorker<'_> {
        self.machine.worker()
    }
}

/// A program whose inputs are known.
#[derive(Debug)]
pub struct Fed<'m> {
    model: &'m Model,
    inputs: Vec<i64>,
}

impl System for Fed<'_> {
    type Worker<'a>
        = CWorker<'a>
    where
        Self: 'a;

    fn worker(&self) -> CWorker<'_> {
        self.model.machine.worker_with(Some(&self.inputs))
    }
}

impl Procedures for Model {
    type Caller<'a> = CCaller<'a>;

    fn caller(&self) -> CCaller<'_> {
        self.machine.caller()
    }
}
