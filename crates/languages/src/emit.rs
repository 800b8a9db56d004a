//! Counterexamples in the words of other tools, written in place of a report.
//!
//! What every kind of system has, a trace as a chain in an `.aut` file or as TLC tells it, is written from the
//! explanation. The rest belongs to one language and is made by whoever reads it. Steps are known by their labels; a step
//! of a C program that takes inputs has them behind its label, each after a question mark.

use anyhow::{Context, Result, bail};
use findings::{Counterexample, Explanation};
use graph::GraphBuilder;
use pipeline::conclude;
use pipeline::request::Host;

use crate::answer::Answer;
use crate::labels::{label, loop_start};
use crate::language::Language;
use crate::tlc_trail;

/// A form in which a counterexample is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emit {
    /// SPIN's, of a Promela model.
    Trail,
    /// SV-COMP's violation witness, of a C program.
    Witness,
    /// The inputs of a C program, one a line.
    Inputs,
    /// A C file that makes a C program fail in the same line when both are compiled.
    CTest,
    /// A chain of transitions as CADP and mCRL2 read it.
    Aut,
    /// States and actions as TLC writes them.
    Tlc,
}

impl Emit {
    /// As it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Trail => "trail",
            Self::Witness => "witness",
            Self::Inputs => "inputs",
            Self::CTest => "c-test",
            Self::Aut => "aut",
            Self::Tlc => "tlc",
        }
    }
}

/// Refuses what cannot be written of a system, before it is searched.
pub(crate) fn refuse(form: Option<Emit>, language: Language) -> Result<()> {
    let Some(form) = form else { return Ok(()) };
    let name = form.name();
    match (form, language) {
        (Emit::Aut | Emit::Tlc, _)
        | (Emit::Trail, Language::Promela)
        | (Emit::Witness | Emit::Inputs | Emit::CTest, Language::C) => Ok(()),
        (Emit::Trail, Language::C | Language::Java | Language::Graph(_)) => {
            bail!("--emit trail is for Promela models; try witness or c-test (C programs), aut or tlc")
        }
        (Emit::Witness | Emit::Inputs | Emit::CTest, _) => bail!("--emit {name} is for C programs"),
    }
}

/// The answer, concluded, with its counterexample in the form that is asked for. `special` writes the forms that only one
/// language has.
pub(crate) fn answer(
    form: Option<Emit>,
    host: &dyn Host,
    explanation: Explanation,
    special: impl FnOnce(Emit, &Counterexample) -> Result<String>,
) -> Result<Answer> {
    let explanation = conclude(explanation, host);
    let asked = form.zip(explanation.counterexample.as_ref());
    let written = asked.map(|(form, trace)| {
        let text = match form {
            Emit::Aut => chain(trace),
            Emit::Tlc => tlc_trail::write(trace),
            Emit::Trail | Emit::Witness | Emit::Inputs | Emit::CTest => special(form, trace),
        };
        text.with_context(|| format!("--emit {}", form.name()))
    });
    Ok(Answer { emitted: written.transpose()?, explanation, sources: Vec::new() })
}

/// The inputs of a run, one a line.
pub(crate) fn inputs(trace: &Counterexample) -> String {
    trace.steps.iter().flat_map(|step| &step.inputs).map(|value| format!("{value}\n")).collect()
}

/// A chain of transitions; if it goes on for ever, the last one leads back to where the loop begins.
fn chain(trace: &Counterexample) -> Result<String> {
    let mut builder = GraphBuilder::new();
    let length = u32::try_from(trace.steps.len()).context("the counterexample is too long")?;
    let back = loop_start(trace);
    for (at, step) in (0..length).zip(&trace.steps) {
        let label = builder.labels.intern(&label(step));
        builder.edge(at, label, back.filter(|_| at + 1 == length).unwrap_or(at + 1));
    }
    let states = if back.is_some() { length } else { length + 1 };
    let graph = builder.finish(states as usize, vec![0])?;
    let mut out = Vec::new();
    lts::write(lts::Format::Aut, &graph, &mut out)?;
    Ok(String::from_utf8(out)?)
}
