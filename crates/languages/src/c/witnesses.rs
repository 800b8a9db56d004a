//! Counterexamples of other verifiers, followed in a C program: lines become edges, what is left open is for the
//! solver.

use std::path::Path;
use std::time::SystemTime;

use anyhow::{Result, bail};
use cfront::{Model, Narrator};
use encode::bounded::{Followed, follow};
use encode::unwind::{At, Duty, Event, Guide, Waypoint};
use findings::Divergence;
use graph::{Sort, Story, Unwatched, Watch};
use model::{Base, Binary, Command, Expr, Outcome, Place, Type};
use pipeline::request::Asked;
use pipeline::sat_answers::LONGEST_RUN;
use witness::{Position, Step, Task, What, Witness, integer, write};

use super::bounded::{self, Effort, Solved};

/// A run that meets a witness and goes wrong, in the formula of the program, or where all runs part from it.
pub(super) fn followed<'m, 'w>(
    model: &'m Model,
    witness: &Witness,
    asked: &Asked,
    effort: Effort,
    watch: &'w dyn Watch,
) -> Result<Result<Solved<'m, 'w>, Divergence>> {
    if let Some(why) = bounded::obstacle(model) {
        bail!("a witness cannot be followed: {why}");
    }
    let lines = Lines::new(model);
    let mut told = Vec::new();
    let mut guide = Guide::default();
    for waypoint in &witness.waypoints {
        let avoided = || waypoint.avoid.iter().filter_map(|avoid| lines.waypoint(model, avoid)).collect();
        if waypoint.what == What::Target {
            guide.avoided.push(avoided());
            break;
        }
        if let Some(found) = lines.waypoint(model, waypoint) {
            guide.avoided.push(avoided());
            guide.steps.push(found);
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
    let mut unwinder = effort.unwinder(model, watch);
    let (followed, bound) = follow(&mut unwinder, effort.unwind, &guide, is_asked);
    match followed {
        Followed::Violating(found) => {
            let unwinding = unwinder.unwind(bound)?;
            Ok(Ok(Solved { unwinder, unwinding, found, conflicts: effort.conflicts }))
        }
        Followed::Stopped(stop) => bail!("the witness was not followed to its end: {stop}"),
        Followed::Parts { met, inputs } => {
            let wanted = match told.get(met) {
                Some(waypoint) => format!("line {}, {}", waypoint.line, said(&waypoint.what)),
                None => match target {
                    Some(line) => format!("a violation in line {line}"),
                    None => "a violation".to_owned(),
                },
            };
            let line = told.get(met).or(last.as_ref()).and_then(|waypoint| waypoint.written);
            let reason =
                parting(model, bound, met.checked_sub(1).and_then(|before| told.get(before)), inputs);
            Ok(Err(Divergence {
                n: met as u64 + 1,
                wanted,
                possible: Vec::new(),
                line,
                reason: Some(reason),
            }))
        }
    }
}

/// Why a witness cannot be followed: the last waypoint that a run meets, and how that run goes on.
fn parting(model: &Model, bound: u32, before: Option<&&witness::Waypoint>, inputs: Vec<i64>) -> String {
    let Some(before) = before else { return format!("no run with loops unwound up to {bound} does this") };
    let after = format!("no run with loops unwound up to {bound} does this after line {}", before.line);
    // Where a run ends that gets so far says more than that none goes on.
    let given: Vec<String> = inputs.iter().map(i64::to_string).collect();
    let given =
        if given.is_empty() { String::new() } else { format!(" with the inputs {}", given.join(", ")) };
    let ran = pipeline::bounded::run_for(&model.fed(inputs), LONGEST_RUN, &Unwatched);
    let last = ran.ok().and_then(|run| run.events.last().copied());
    match last.and_then(|event| Narrator::new(model).event(event).deed.location) {
        Some(end) => format!("{after}; the run{given}, which gets there, comes to line {} last", end.line),
        None => after,
    }
}

fn said(what: &What) -> String {
    match what {
        What::Holds(text) => format!("where {text}"),
        What::Branch(way) => format!("where the branch is {way}"),
        What::Case(Some(case)) => format!("where the switch goes to case {case}"),
        What::Case(None) => "where the switch goes to its default".to_owned(),
        What::Enters => "where a function is called".to_owned(),
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
    fn waypoint(&self, model: &Model, waypoint: &witness::Waypoint) -> Option<Waypoint> {
        let program = model.program();
        let edge = |at: At| &program.functions[at.function as usize].edges[at.edge as usize];
        let here = self.at(waypoint.line).iter().map(|(_, at)| *at);
        let (edges, what): (Vec<At>, Event) = match &waypoint.what {
            What::Target => return None,
            What::Branch(way) => {
                let wanted = if *way { Outcome::True } else { Outcome::False };
                (here.filter(|at| edge(*at).outcome.as_ref() == Some(&wanted)).collect(), Event::Taken)
            }
            What::Case(case) => {
                let wanted = |at: &At| match (&edge(*at).outcome, case) {
                    (Some(Outcome::Case(text)), Some(case)) => covers(text, *case),
                    (Some(Outcome::Case(text)), None) => text == "default",
                    _ => false,
                };
                (here.filter(wanted).collect(), Event::Taken)
            }
            What::Enters => {
                let calls = |at: &At| {
                    let is_call = |command: &Command| {
                        matches!(command, Command::Call { .. } | Command::CallPointer { .. })
                    };
                    edge(*at).commands.iter().any(is_call)
                };
                (here.filter(calls).collect(), Event::Taken)
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

/// Whether a case of a switch, in the words of its edge, is for a value.
fn covers(text: &str, value: i64) -> bool {
    let Some(range) = text.strip_prefix("case ") else { return false };
    let (low, high) = range.split_once(" ... ").unwrap_or((range, range));
    let number = |text: &str| text.parse::<i64>().ok();
    number(low).zip(number(high)).is_some_and(|(low, high)| (low..=high).contains(&value))
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
pub(super) fn written(
    path: &Path,
    program: &[u8],
    data_model: &str,
    counterexample: &findings::Counterexample,
) -> Result<String> {
    let place = |step: &findings::Step| {
        step.location.as_ref().map(|location| Position { line: location.line, column: location.column })
    };
    let step = |step: &findings::Step| {
        place(step).map(|place| Step { line: place.line, inputs: step.inputs.clone() })
    };
    let steps: Vec<Step> = counterexample.steps.iter().filter_map(step).collect();
    let Some(violation) = counterexample.steps.last().and_then(place) else {
        bail!("the counterexample has no last step with a line");
    };
    let file = path.display().to_string();
    let specification = specification(counterexample);
    let (version, created) = (env!("CARGO_PKG_VERSION"), now());
    let task = Task { file: &file, program, data_model, specification, version, created };
    Ok(write(&task, &steps, violation))
}

/// Seconds since 1970. What is written can be made again byte by byte with `SOURCE_DATE_EPOCH`, as other tools that
/// put the time into files do.
fn now() -> u64 {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    fixed.unwrap_or_else(|| {
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
    })
}

/// What a counterexample violates, in the words of SV-COMP.
fn specification(counterexample: &findings::Counterexample) -> &'static str {
    match counterexample.sort {
        Sort::SignedOverflow => "G ! overflow",
        Sort::BadFree => "G valid-free",
        Sort::BadAccess => "G valid-deref",
        Sort::ErrorCall | Sort::DataRace | Sort::Output | Sort::Other => "G ! call(reach_error())",
    }
}
