//! Transition systems, as CADP, mCRL2, TLC and others write them.

mod matched;
mod property;
pub(crate) mod replay;

use anyhow::{Context, Result, anyhow, bail};
use findings::{Replay, ReplayResult, Verification};
use graph::{Interrupt, StateGraph, Trace};
use lts::{Format, ReadError};
use pipeline::analysis;
use pipeline::plain_steps;
use pipeline::request::{Host, Notice, Request};

use self::property::{Choice, Compiled, divergence};
use self::replay::{Replayed, replayed};
use crate::answer::{Answer, NamedTrail, Replays};
use crate::emit::{self, answer};
use crate::front_end::FrontEnd;
use crate::language::Language;
use crate::question::{PropertyOptions, Question};
use crate::trail::TrailProperty;
use crate::verified;

/// The front-end for one format.
pub(crate) struct TransitionSystem(pub(crate) Format);

impl FrontEnd for TransitionSystem {
    fn explain_asked(&self, question: &Question<'_>, host: &dyn Host) -> Result<Answer> {
        emit::refuse(question.emit, Language::Graph(self.0))?;
        if question.near.is_some() {
            bail!("--near is for models and programs: a transition system is there as a whole");
        }
        if let Some((path, bytes)) = &question.counterexample_lts {
            return matched::explain(self, question, path, bytes, host);
        }
        let trail = question.trail.as_ref();
        let about = trail.and_then(|(_, trail)| trail.property.as_ref());
        let choice = Choice::read(&question.property)?.or_of_report(&question.property, about)?;
        let graph = match self.read(question, question.given_for_models(), host)? {
            Ok(graph) => graph,
            Err(limit) => return self.unread(question, choice.told(), limit, host),
        };
        let compiled = choice.compile(&graph, &question.property, host)?;
        let product = compiled.product(&graph)?;
        let trace = trail.map(|(path, trail)| {
            let trace = compiled.follow(&graph, &product, trail);
            trace.with_context(|| path.display().to_string())
        });
        let request = self.request(question, Some(&graph), choice.told(), trace.transpose()?);
        let explanation = choice.evaluated(analysis::analyse(&product, request, host));
        shown(question, host, explanation)
    }

    fn replay(
        &self,
        question: &Question<'_>,
        trails: Vec<NamedTrail>,
        host: &dyn Host,
    ) -> Result<Result<Replays, Interrupt>> {
        let about: Vec<&TrailProperty> =
            trails.iter().filter_map(|(_, trail)| trail.as_ref().ok()?.property.as_ref()).collect();
        if let [first, rest @ ..] = &about[..]
            && rest.iter().any(|other| other.text != first.text)
            && !question.property.is_given()
        {
            bail!("the reports are about different properties: choose one with -p");
        }
        let first = about.first().copied();
        let choice = Choice::read(&question.property)?.or_of_report(&question.property, first)?;
        let graph = match self.read(question, question.reading.given(), host)? {
            Ok(graph) => graph,
            Err(limit) => return Ok(Err(limit)),
        };
        // After a repair a trail may have labels that do not occur any more.
        let options = PropertyOptions { allow_unknown: true, ..question.property.clone() };
        let compiled = choice.compile(&graph, &options, host)?;
        let replays = trails.into_iter().map(|trail| replay_one(&graph, &compiled, trail));
        let replays = replays.collect::<Result<Vec<_>>>()?;
        let input = self.input(question, Some(&graph));
        Ok(Ok(Replays { input, property: choice.told(), replays }))
    }

    fn verify(
        &self,
        question: &Question<'_>,
        report: &verify::Report,
        host: &dyn Host,
    ) -> Result<Verification> {
        let choice = Choice::read(&question.property)?;
        let graph = match self.read(question, Vec::new(), host)? {
            Ok(graph) => graph,
            Err(limit) => return Ok(verified::interrupted(report, limit)),
        };
        let compiled = choice.compile(&graph, &question.property, host)?;
        let limits = verified::limits(question, host);
        Ok(verify::transition_system(report, &graph, compiled.automaton(), limits))
    }

    fn transition_system(
        &self,
        question: &Question<'_>,
        host: &dyn Host,
    ) -> Result<Result<StateGraph, Interrupt>> {
        self.read(question, question.reading.given(), host)
    }
}

impl TransitionSystem {
    /// Reads the system, for which some options that were given are of no use; or the limit that was reached before.
    fn read(
        &self,
        question: &Question<'_>,
        unused: Vec<&str>,
        host: &dyn Host,
    ) -> Result<Result<StateGraph, Interrupt>> {
        let known = question.request.diagnosis.given();
        if let Some(option) = unused.into_iter().chain(known).next() {
            bail!("{option} is for models and programs, not for transition systems");
        }
        read(self.0, &question.input.path.display().to_string(), question.input.bytes, host)
    }

    fn input(&self, question: &Question<'_>, graph: Option<&StateGraph>) -> findings::Input {
        let size = graph.map(|graph| findings::GraphSize {
            states: graph.state_count() as u64,
            transitions: graph.edge_count() as u64,
            labels: graph.labels.len() as u64,
        });
        question.told_input(self.0.name(), size)
    }

    fn request(
        &self,
        question: &Question<'_>,
        graph: Option<&StateGraph>,
        property: findings::Property,
        trace: Option<Trace>,
    ) -> Request {
        let request = question.request.about(self.input(question, graph), property);
        Request { has_processes: false, trace, ..request }
    }

    /// The answer where a limit came before there was anything to analyse.
    fn unread(
        &self,
        question: &Question<'_>,
        property: findings::Property,
        limit: Interrupt,
        host: &dyn Host,
    ) -> Result<Answer> {
        let request = Request::check(self.input(question, None), property);
        let request = Request { has_processes: false, ..request };
        shown(question, host, analysis::unread(&request, limit, host))
    }
}

/// Reads a transition system that is called so.
fn read(format: Format, name: &str, bytes: &[u8], host: &dyn Host) -> Result<Result<StateGraph, Interrupt>> {
    match lts::read(format, bytes, host) {
        Ok(reading) => {
            for warning in reading.warnings {
                let place = warning.position.map_or(" ".to_owned(), |position| format!("{position}: "));
                host.notice(Notice::Warning(format!("{name}:{place}{}", warning.message)));
            }
            Ok(Ok(reading.graph))
        }
        Err(ReadError::Interrupted(interrupt)) => Ok(Err(interrupt)),
        Err(error) => Err(anyhow!("{name}:{error}")),
    }
}

/// The answer, with its counterexample in the form that is asked for.
fn shown(question: &Question<'_>, host: &dyn Host, explanation: findings::Explanation) -> Result<Answer> {
    answer(question.emit, host, explanation, |_, _| bail!("not of transition systems"))
}

fn replay_one(graph: &StateGraph, compiled: &Compiled, (path, trail): NamedTrail) -> Result<Replay> {
    let path = path.display().to_string();
    let trail = match trail {
        Ok(trail) => trail,
        Err(error) => return Ok(Replay::unreadable(path, format!("{error:#}"))),
    };
    let product = compiled.product(graph)?;
    let gone = match replayed(&trail, graph, &product) {
        Ok(gone) => gone,
        Err(error) => return Ok(Replay::unreadable(path.clone(), format!("{path}: {error:#}"))),
    };
    let (result, steps, divergence) = match gone {
        Replayed::Fails(trace) => (ReplayResult::Fails, plain_steps(&product, &trace), None),
        Replayed::Passes(trace) => (ReplayResult::Passes, plain_steps(graph, &trace), None),
        Replayed::Diverges { trace, wanted, possible } => {
            let steps = plain_steps(graph, &trace);
            (ReplayResult::Diverges, steps, Some(divergence(&trace, wanted, possible)))
        }
    };
    Ok(Replay { path, result, steps, violation: None, divergence, problem: None })
}
