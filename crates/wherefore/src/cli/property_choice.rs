//! Which property is checked: a formula, `deadlock`, or an automaton in a file.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use findings::ViolationKind;
use graph::{Product, StateGraph, Trace, Unwatched};
use pipeline::evaluation::{of_formula, told_formula};
use property::{CompiledProperty, Formula, MAX_STATES, Spelling};
use report::replay::Divergence;
use source::Diagnostic;
use wherefore::replay::Replayed;

use super::trail::{Trail, TrailProperty};

use super::flags::{self, PropertyArgs};
use super::session::Session;
use super::{diagnostics, input};

/// A property as the user gave it, not yet compiled for the labels of a system.
#[derive(Debug)]
pub(crate) enum Choice {
    Deadlock,
    Formula { formula: Box<Formula>, name: String },
    Automaton { automaton: Box<StateGraph>, name: String, end_label: String },
}

impl Choice {
    /// Reads the property; a formula with errors ends here, with all of them shown.
    pub(crate) fn read(args: &PropertyArgs, colour: bool) -> Result<Self> {
        let spelling = args.formula.map(|spelling| match spelling {
            flags::Spelling::Mcl => Spelling::Mcl,
            flags::Spelling::Mcf => Spelling::Mcf,
        });
        match (&args.property, &args.property_file) {
            (None, None) => Ok(Self::Deadlock),
            (Some(text), _) => Self::formula(text, "the property", spelling, colour),
            (None, Some(path)) => Self::file(path, args, spelling, colour),
        }
    }

    fn file(path: &Path, args: &PropertyArgs, spelling: Option<Spelling>, colour: bool) -> Result<Self> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let name = path.display().to_string();
        if extension.eq_ignore_ascii_case("aut") {
            let bytes = input::open(path)?;
            let reading =
                lts::read(lts::Format::Aut, &bytes, &Unwatched).map_err(|error| anyhow!("{name}:{error}"))?;
            let Some(end_label) = args.end_label.clone() else {
                bail!("{name} is an automaton: say with --end-label which label ends its traces");
            };
            return Ok(Self::Automaton { automaton: Box::new(reading.graph), name, end_label });
        }
        let text = input::open_text(path)?;
        Self::formula(&text, &name, spelling.or(Spelling::from_extension(extension)), colour)
    }

    fn formula(text: &str, name: &str, spelling: Option<Spelling>, colour: bool) -> Result<Self> {
        if text.trim() == "deadlock" {
            return Ok(Self::Deadlock);
        }
        match property::parse(text, spelling.unwrap_or(Spelling::Mcl)) {
            Ok(formula) => Ok(Self::Formula { formula: Box::new(formula), name: name.to_owned() }),
            Err(errors) => Err(diagnostics::Drawn(diagnostics::draw(&errors, name, text, colour)).into()),
        }
    }

    /// What the report calls the property.
    pub(crate) fn told(&self) -> findings::Property {
        match self {
            Self::Deadlock => told(ViolationKind::Deadlock, "deadlock"),
            Self::Formula { formula, .. } => told_formula(formula),
            Self::Automaton { name, .. } => {
                told(ViolationKind::Safety, &format!("the traces of {name} do not occur"))
            }
        }
    }

    /// A report with what of the property was true when, where it is a formula.
    pub(crate) fn evaluated(&self, report: findings::Explanation) -> findings::Explanation {
        let Self::Formula { formula, .. } = self else { return report };
        let evaluation = report.counterexample.as_ref().and_then(|trace| of_formula(formula, trace));
        findings::Explanation { evaluation, ..report }
    }

    /// The property that a report was about, if none is asked for; an error if it cannot be had again.
    pub(crate) fn or_of_report(
        self,
        args: &PropertyArgs,
        of: Option<&TrailProperty>,
        colour: bool,
    ) -> Result<Self> {
        let Some(of) = of.filter(|_| args.property.is_none() && args.property_file.is_none()) else {
            return Ok(self);
        };
        let spelling = match of.spelling.as_deref() {
            Some("mcl") => Some(Spelling::Mcl),
            Some("mcf") => Some(Spelling::Mcf),
            _ if of.text == "deadlock" => None,
            _ => bail!("the report is about another file's traces ({}): say the property again", of.text),
        };
        Self::formula(&of.text, "the property of the report", spelling, colour)
    }

    /// The automaton over the labels of `graph`; warnings go to standard error.
    pub(crate) fn compile(
        &self,
        graph: &StateGraph,
        args: &PropertyArgs,
        session: &Session<'_>,
    ) -> Result<Compiled> {
        let final_label = args.final_label.as_deref();
        if let Some(label) = final_label
            && graph.labels.find(label).is_none()
        {
            session.host.warn(&format!("no transition has the final label `{label}`"));
        }
        let about_ends = self.told().kind == ViolationKind::Deadlock;
        if final_label.is_some() && !about_ends {
            session.host.warn("--final-label is for deadlocks; this property does not look at it");
        }
        if args.end_label.is_some() && !matches!(self, Self::Automaton { .. }) {
            session.host.warn("--end-label is for automata and counterexample LTSs; this property has none");
        }
        let property = match self {
            Self::Deadlock => property::deadlock(&graph.labels, final_label),
            Self::Formula { formula, name } => {
                let compiled = formula.automaton(&graph.labels, final_label, MAX_STATES)?;
                let warnings: Vec<Diagnostic> =
                    formula.warnings.iter().chain(&compiled.warnings).cloned().collect();
                session.host.show(&diagnostics::draw(
                    &warnings,
                    name,
                    &formula.text,
                    session.colours_messages(),
                ));
                compiled
            }
            Self::Automaton { automaton, name, end_label } => {
                let found = property::from_graph(automaton, Some(end_label), &graph.labels)
                    .with_context(|| name.clone())?;
                for unknown in &found.unknown {
                    let closest = unknown.closest.as_ref().map(|label| format!("; did you mean `{label}`?"));
                    session.host.warn(&format!(
                        "{name}: the system has no label `{}`{}",
                        unknown.label,
                        closest.unwrap_or_default()
                    ));
                }
                found.compiled
            }
        };
        Ok(Compiled { property })
    }
}

/// A property compiled for the labels of a system.
#[derive(Debug)]
pub(crate) struct Compiled {
    property: CompiledProperty,
}

impl Compiled {
    pub(crate) fn product<'a>(&'a self, graph: &'a StateGraph) -> Result<Product<'a>> {
        Ok(Product::new(graph, &self.property.classes, &self.property.dfa, self.property.violated_when)?)
    }

    /// The violating trace with the given labels; an error says where they part from the system or
    /// that nothing is violated.
    pub(crate) fn follow(&self, graph: &StateGraph, product: &Product<'_>, trail: &Trail) -> Result<Trace> {
        match trail.replayed(graph, product)? {
            Replayed::Fails(trace) => Ok(trace),
            Replayed::Passes(_) => {
                bail!("the trail is a trace of the system, but it does not violate the property")
            }
            Replayed::Diverges { trace, wanted, possible } => {
                bail!("{}", divergence(&trace, wanted, possible).sentence())
            }
        }
    }
}

/// A property that is no formula.
pub(crate) fn told(kind: ViolationKind, text: &str) -> findings::Property {
    findings::Property { kind, text: text.to_owned(), spelling: None }
}

pub(crate) fn divergence(trace: &Trace, wanted: String, possible: Vec<String>) -> Divergence {
    Divergence { n: trace.steps.len() as u64 + 1, wanted, possible, line: None, reason: None }
}
