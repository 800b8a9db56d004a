//! Counterexamples of other verifiers, followed in a C program: lines become edges, what is left open is for the
//! solver.

use std::path::Path;

use anyhow::{Result, bail};
use cfront::{Model, Narrator};
use encode::bounded::{Followed, follow};
use encode::solver::Solver;
use encode::unwind::{At, Duty, Event, Unwinder, Waypoint};
use graph::Watch;
use model::{Base, Binary, Command, Expr, Outcome, Place, Type};
use report::replay::Divergence;
use wherefore::analysis::Asked;
use wherefore::witness::{Task, What, Witness, integer, write};

use super::bounded;

/// The inputs of a run that meets a witness and goes wrong, or where all runs part from it.
pub(crate) fn inputs(
    model: &Model,
    witness: &Witness,
    asked: &Asked,
    most: u32,
    watch: &dyn Watch,
) -> Result<Result<Vec<i64>, Divergence>> {
    if let Some(why) = bounded::obstacle(model) {
        bail!("a witness cannot be followed: {why}");
    }
    let lines = Lines::new(model);
    let mut told = Vec::new();
    let mut guide = Vec::new();
    for waypoint in &witness.waypoints {
        if let Some(found) = lines.waypoint(model, waypoint) {
            guide.push(found);
            told.push(waypoint);
        }
    }
    let last = witness.waypoints.iter().rfind(|waypoint| waypoint.what == What::Target);
    let target = last.map(|waypoint| waypoint.line).filter(|line| !lines.at(*line).is_empty());
    let narrator = Narrator::new(model);
    let is_asked = |at: At, duty: Duty| {
        let wrong = bounded::wrong(model, &narrator, at, duty);
        wrong.is_some_and(|wrong| {
            let here = wrong.location.as_ref().map(|location| location.line);
            asked.covers(&wrong) && target.is_none_or(|line| here == Some(line))
        })
    };
    let mut unwinder = Unwinder::new(model.program(), Solver::new(watch));
    let (followed, bound) = follow(&mut unwinder, most, &guide, is_asked);
    match followed {
        Followed::Violating(found) => Ok(Ok(found.inputs)),
        Followed::Stopped(stop) => bail!("the witness was not followed to its end: {stop}"),
        Followed::Parts { met } => {
            let wanted = match told.get(met) {
                Some(waypoint) => format!("line {}, {}", waypoint.line, said(&waypoint.what)),
                None => match target {
                    Some(line) => format!("a violation in line {line}"),
                    None => "a violation".to_owned(),
                },
            };
            let reason =
                Some(format!("no run with loops unwound up to {bound} does this after what comes before"));
            Ok(Err(Divergence { n: met as u64 + 1, wanted, possible: Vec::new(), line: None, reason }))
        }
    }
}

fn said(what: &What) -> String {
    match what {
        What::Holds(text) => format!("where {text}"),
        What::Branch(way) => format!("where the branch is {way}"),
        What::Returns(Some(value)) => format!("where the input is {value}"),
        What::Returns(None) => "where an input is taken".to_owned(),
        What::Target => "the violation".to_owned(),
    }
}

/// The edges of a program by their lines.
struct Lines {
    /// In the order of the lines, then of the edges.
    edges: Vec<(u64, At)>,
}

impl Lines {
    fn new(model: &Model) -> Self {
        let program = model.program();
        let mut edges = Vec::new();
        for (number, function) in (0..).zip(&program.functions) {
            for (at, edge) in (0..).zip(&function.edges) {
                let span = program.statements[edge.statement as usize].span;
                if let Some(location) = model.location(span) {
                    edges.push((location.line, At { function: number, edge: at }));
                }
            }
        }
        edges.sort_unstable();
        Self { edges }
    }

    fn at(&self, line: u64) -> &[(u64, At)] {
        let start = self.edges.partition_point(|(known, _)| *known < line);
        let end = self.edges.partition_point(|(known, _)| *known <= line);
        &self.edges[start..end]
    }

    /// The edges of a line that a waypoint can mean; nothing if there are none, or nothing can be looked for.
    fn waypoint(&self, model: &Model, waypoint: &wherefore::witness::Waypoint) -> Option<Waypoint> {
        let program = model.program();
        let edge = |at: At| &program.functions[at.function as usize].edges[at.edge as usize];
        let here = self.at(waypoint.line).iter().map(|(_, at)| *at);
        let (edges, what): (Vec<At>, Event) = match &waypoint.what {
            What::Target => return None,
            What::Branch(way) => {
                let wanted = if *way { Outcome::True } else { Outcome::False };
                (here.filter(|at| edge(*at).outcome.as_ref() == Some(&wanted)).collect(), Event::Taken)
            }
            What::Returns(value) => {
                let takes = |at: &At| {
                    edge(*at).commands.iter().any(|command| matches!(command, Command::Nondet { .. }))
                };
                (here.filter(takes).collect(), Event::Input(*value))
            }
            What::Holds(text) => {
                let edges: Vec<At> = here.collect();
                let function = edges.first()?.function;
                let condition = condition(model, function, text)?;
                // Names belong to one function.
                (edges.into_iter().filter(|at| at.function == function).collect(), Event::Holds(condition))
            }
        };
        (!edges.is_empty()).then_some(Waypoint { edges, what })
    }
}

/// A conjunction of comparisons between variables and numbers.
fn condition(model: &Model, function: u32, text: &str) -> Option<Expr> {
    let mut whole: Option<Expr> = None;
    for part in text.split("&&") {
        let part = comparison(model, function, part.trim().trim_matches(['(', ')']).trim())?;
        whole = Some(match whole {
            None => part,
            Some(before) => Expr::AndAlso(Box::new(before), Box::new(part)),
        });
    }
    whole
}

fn comparison(model: &Model, function: u32, text: &str) -> Option<Expr> {
    const OPERATORS: [(&str, Binary); 6] = [
        ("==", Binary::Equal),
        ("!=", Binary::NotEqual),
        ("<=", Binary::LessEqual),
        (">=", Binary::GreaterEqual),
        ("<", Binary::Less),
        (">", Binary::Greater),
    ];
    let (left, operator, right) = OPERATORS
        .iter()
        .find_map(|(sign, operator)| text.split_once(sign).map(|(left, right)| (left, *operator, right)))?;
    Some(Expr::binary(operator, operand(model, function, left)?, operand(model, function, right)?))
}

fn operand(model: &Model, function: u32, text: &str) -> Option<Expr> {
    let text = text.trim().trim_matches(['(', ')']).trim();
    if let Some(number) = integer(text) {
        return Some(Expr::Constant(number));
    }
    let program = model.program();
    let named = |fields: &[model::Field]| {
        // A name that two variables share says nothing.
        let mut found = fields.iter().filter(|field| field.name == text);
        let field = found.next().filter(|_| found.next().is_none())?.clone();
        match field.kind {
            Type::Scalar(scalar) => Some((field.offset, scalar)),
            _ => None,
        }
    };
    let local = named(&program.functions[function as usize].frame.fields).map(|found| (Base::Local, found));
    let (base, (offset, scalar)) =
        local.or_else(|| named(&program.globals.layout.fields).map(|found| (Base::Global, found)))?;
    Some(Expr::Load(Place { base, offset, indices: Vec::new(), scalar }))
}

/// The counterexample of a report as a witness.
pub(crate) fn written(
    path: &Path,
    data_model: &str,
    counterexample: &report::Counterexample,
) -> Result<String> {
    let place = |step: &report::Step| step.location.as_ref().map(|location| (location.line, location.column));
    let mut inputs = Vec::new();
    for step in &counterexample.steps {
        if let Some((line, _)) = place(step) {
            inputs.extend(step.inputs.iter().map(|value| (line, *value)));
        }
    }
    let Some(target) = counterexample.steps.last().and_then(place) else {
        bail!("--emit witness: the counterexample has no last step with a line");
    };
    let file = path.display().to_string();
    let task = Task { file: &file, data_model, version: env!("CARGO_PKG_VERSION") };
    Ok(write(&task, &inputs, target))
}
