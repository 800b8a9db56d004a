//! Which property is checked: a formula, `deadlock`, or an automaton in a file.

use anyhow::{Context, Result, anyhow, bail};
use findings::{Divergence, ViolationKind};
use graph::{Product, StateGraph, Trace, Unwatched};
use pipeline::evaluation::{of_formula, told_formula};
use pipeline::request::{Host, Notice};
use property::{CompiledProperty, Formula, MAX_STATES, Spelling};
use source::{Diagnostic, Message, Severity};

use super::replay::{Replayed, replayed};
use crate::guess::instead_of;
use crate::messages::Unreadable;
use crate::question::{PropertyFile, PropertyOptions};
use crate::trail::{Trail, TrailProperty};

/// A property as the user gave it, not yet compiled for the labels of a system.
#[derive(Debug)]
pub(crate) enum Choice {
    Deadlock,
    Formula { formula: Box<Formula>, name: String },
    Automaton { automaton: Box<StateGraph>, name: String, end_label: String },
}

impl Choice {
    /// Reads the property; a formula with errors ends here, with all of them.
    pub(crate) fn read(options: &PropertyOptions) -> Result<Self> {
        let spelling = options.spelling.map(|spelling| match spelling {
            findings::Spelling::Mcl => Spelling::Mcl,
            findings::Spelling::Mcf => Spelling::Mcf,
        });
        match (options.text(), &options.file) {
            (None, None) => Ok(Self::Deadlock),
            (Some(text), _) => Self::formula(text, "the property", spelling),
            (None, Some(file)) => Self::file(file, options, spelling),
        }
    }

    fn file(file: &PropertyFile, options: &PropertyOptions, spelling: Option<Spelling>) -> Result<Self> {
        let extension = file.path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let name = file.path.display().to_string();
        if extension.eq_ignore_ascii_case("aut") {
            let reading = lts::read(lts::Format::Aut, &file.bytes, &Unwatched)
                .map_err(|error| anyhow!("{name}:{error}"))?;
            let Some(end_label) = options.end_label.clone() else {
                bail!("{name} is an automaton: name the label that ends its traces with --end-label");
            };
            return Ok(Self::Automaton { automaton: Box::new(reading.graph), name, end_label });
        }
        let text = std::str::from_utf8(&file.bytes).with_context(|| format!("{name} is not UTF-8 text"))?;
        Self::formula(text, &name, spelling.or(Spelling::from_extension(extension)))
    }

    fn formula(text: &str, name: &str, spelling: Option<Spelling>) -> Result<Self> {
        if text.trim() == "deadlock" {
            return Ok(Self::Deadlock);
        }
        match property::parse(text, spelling.unwrap_or(Spelling::Mcl)) {
            Ok(formula) => Ok(Self::Formula { formula: Box::new(formula), name: name.to_owned() }),
            Err(errors) => Err(Unreadable::property(name, text, errors).into()),
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
    pub(crate) fn or_of_report(self, options: &PropertyOptions, of: Option<&TrailProperty>) -> Result<Self> {
        let Some(of) = of.filter(|_| !options.is_given()) else {
            return Ok(self);
        };
        let spelling = match of.spelling.as_deref() {
            Some("mcl") => Some(Spelling::Mcl),
            Some("mcf") => Some(Spelling::Mcf),
            _ if of.text == "deadlock" => None,
            _ => bail!("the report is about another file's traces ({}): give the property again", of.text),
        };
        Self::formula(&of.text, "the property of the report", spelling)
    }

    /// The automaton over the labels of `graph`.
    pub(crate) fn compile(
        &self,
        graph: &StateGraph,
        options: &PropertyOptions,
        host: &dyn Host,
    ) -> Result<Compiled> {
        let warn = |text: String| host.notice(Notice::Warning(text));
        let final_label = options.final_label.as_deref();
        if let Some(label) = final_label
            && graph.labels.find(label).is_none()
        {
            warn(format!("no transition has the final label `{label}`"));
        }
        let about_ends = self.told().kind == ViolationKind::Deadlock;
        if final_label.is_some() && !about_ends {
            warn("--final-label is for deadlocks; this property does not look at it".to_owned());
        }
        if options.end_label.is_some() && !matches!(self, Self::Automaton { .. }) {
            warn("--end-label is for automata and counterexample LTSs; this property has none".to_owned());
        }
        let property = match self {
            Self::Deadlock => property::deadlock(&graph.labels, final_label),
            Self::Formula { formula, name } => {
                let compiled = formula.automaton(&graph.labels, final_label, MAX_STATES)?;
                if !compiled.unknown.is_empty() && !options.allow_unknown {
                    return Err(unknown_labels(name, &formula.text, &compiled.unknown, graph));
                }
                let warnings = compiled.warnings.iter().cloned();
                let messages = warnings.map(|one| Message::new(one, name.as_str(), formula.text.as_str()));
                host.notice(Notice::Messages(messages.collect()));
                compiled
            }
            Self::Automaton { automaton, name, end_label } => {
                let found = property::from_graph(automaton, Some(end_label), &graph.labels)
                    .with_context(|| name.clone())?;
                if let (Some(unknown), false) = (found.unknown.first(), options.allow_unknown) {
                    let known = instead_of(&unknown.label, "labels", graph.labels.iter(), &[]);
                    bail!("{name}: the system has no label `{}`: {known} {ALLOWED}", unknown.label);
                }
                for unknown in &found.unknown {
                    let closest = unknown.closest.as_ref().map(|label| format!("; did you mean `{label}`?"));
                    let closest = closest.unwrap_or_default();
                    warn(format!("{name}: the system has no label `{}`{closest}", unknown.label));
                }
                found.compiled
            }
        };
        Ok(Compiled { property })
    }
}

/// How a property is checked that names what does not occur.
const ALLOWED: &str = "(--allow-unknown checks it all the same)";

/// A formula that no label can satisfy holds of every system, which is seldom what is meant.
fn unknown_labels(name: &str, text: &str, unknown: &[Diagnostic], graph: &StateGraph) -> anyhow::Error {
    let messages = unknown.iter().map(|one| {
        let error = Diagnostic { severity: Severity::Error, ..one.clone() };
        Message::new(error, name, text)
    });
    let labels = instead_of("", "labels", graph.labels.iter(), &[]);
    Unreadable { messages: messages.collect(), summary: Some(format!("{labels} {ALLOWED}")) }.into()
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

    /// The same for who writes the product out.
    pub(crate) fn automaton(&self) -> verify::Automaton<'_> {
        let CompiledProperty { dfa, classes, violated_when, .. } = &self.property;
        verify::Automaton { dfa, classes, violated_when: *violated_when }
    }

    /// The violating trace with the given labels; an error says where they part from the system or
    /// that nothing is violated.
    pub(crate) fn follow(&self, graph: &StateGraph, product: &Product<'_>, trail: &Trail) -> Result<Trace> {
        match replayed(trail, graph, product)? {
            Replayed::Fails(trace) => Ok(trace),
            Replayed::Passes(_) => {
                bail!("the trail is a trace of the system, but it does not violate the property")
            }
            Replayed::Diverges { trace, wanted, possible } => {
                bail!("{}", divergence(&trace, wanted, possible))
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
