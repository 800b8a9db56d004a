//! Check, then explain: the stages in their order, each allowed to run into a limit.
//!
//! Whatever a stage found before a limit stopped it is told; what it could not find is said to be
//! missing. So a report always comes out, and never claims more than was computed.

use explain::neighbourhoods::Neighbourhoods;
use explain::{Counterexample, Matched};
use graph::{
    Chances, Exploration, Fairness, Fates, Followed, Interrupt, Product, Story, System, Trace, Transitions,
    Watch, Wrong, calmest_shortest, follow,
};
use report::{Outcome, Report, Verdict};
use search::Explored;
use thiserror::Error;

use crate::anomalies::{AnomalyRequest, anomalies};
use crate::budget::Budget;
use crate::causes::causes;
use crate::combine::blocked_in_turn;
use crate::correct_transitions;
use crate::diagnosis::DiagnosisRequest;
use crate::model_system::{Class, Classes, ModelSystem};
use crate::naming::Naming;
use crate::others::other_failures;
use crate::surroundings::surroundings;
use crate::telling;
use crate::trust::Trust;
use crate::variations::{self, VariationRequest, variations};

/// What surrounds an analysis: limits and signals, the clock, the memory meter.
pub trait Host: Watch {
    /// Seconds since the command started.
    fn seconds(&self) -> f64;
    fn peak_bytes(&self) -> Option<u64>;
    /// The verdict and the counterexample of a report are known and stay as they are, while what explains them is still
    /// looked for.
    fn known(&self, _report: &Report) {}
}

/// What is asked.
#[derive(Debug)]
pub struct Request {
    pub input: report::Input,
    pub property: report::Property,
    pub max_states: u64,
    /// Whether the steps of the system are taken by processes.
    pub has_processes: bool,
    pub fairness: Fairness,
    /// Explain this trace instead of a shortest one.
    pub trace: Option<Trace>,
    /// Whether the violation is reached only past others.
    pub past_others: bool,
    /// Whether to run the method.
    pub neighbourhoods: bool,
    /// Whether and how to look for anomalies.
    pub anomalies: Option<AnomalyRequest>,
    /// Whether to compare with correct transitions, and what is never blamed then.
    pub correct_transitions: Option<Trust>,
    /// Whether and how to look for variations of the counterexample.
    pub variations: Option<VariationRequest>,
    /// Whether and how to look for statements that may be wrong; done by whoever knows the program's text.
    pub diagnosis: Option<DiagnosisRequest>,
    /// Whether to say of the other violations whether they have the same cause.
    pub others: bool,
    /// Whether to list every coloured edge.
    pub edges: bool,
    /// How many neighbourhoods to list.
    pub most_listed: usize,
    /// Whether to list the states around the counterexample, for a picture.
    pub picture: bool,
}

/// Which violations of a model are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    All,
    /// All of one kind: `deadlock`, `assertion` or `fault`.
    Kind(String),
    /// All of which the text begins and ends so.
    Text {
        start: &'static str,
        end: &'static str,
    },
    /// The class of which the text is this.
    Exactly(String),
    /// All in one line.
    Line(u64),
}

impl Asked {
    pub(crate) fn includes(&self, class: &Class) -> bool {
        self.covers(&class.wrong)
    }

    /// Whether this is what is asked for.
    pub fn covers(&self, wrong: &Wrong) -> bool {
        match self {
            Self::All => true,
            Self::Kind(kind) => wrong.kind == kind,
            Self::Text { start, end } => wrong.text.starts_with(start) && wrong.text.ends_with(end),
            Self::Exactly(text) => wrong.text == *text,
            Self::Line(line) => wrong.location.as_ref().is_some_and(|at| at.line == *line),
        }
    }
}

/// What is asked of a model besides.
#[derive(Clone, Debug)]
pub struct ModelRequest {
    pub asked: Asked,
    /// Which of the violations to explain, by its number in the report; the nearest one if none is named.
    pub violation: Option<u64>,
    pub unreached: bool,
    /// Explain the trace with these events, which ends in a violation.
    pub trace: Option<Vec<u64>>,
}

impl ModelRequest {
    /// Which of the classes that were asked for the report is about; nothing if there are none.
    pub(crate) fn target(&self, asked: &[usize]) -> Result<Option<usize>, ModelError> {
        let Some(id) = self.violation else { return Ok(asked.first().copied()) };
        let known = usize::try_from(id).ok().and_then(|id| asked.get(id.checked_sub(1)?));
        Ok(Some(*known.ok_or(ModelError::NoSuchViolation { id, known: asked.len() })?))
    }
}

impl Request {
    /// How many methods are asked for.
    pub(crate) fn methods(&self) -> usize {
        let asked = [
            self.neighbourhoods,
            self.anomalies.is_some(),
            self.correct_transitions.is_some(),
            self.variations.is_some(),
            self.diagnosis.is_some(),
        ];
        asked.into_iter().filter(|asked| *asked).count()
    }

    /// Whether anything is to be explained, or only checked.
    fn explains(&self) -> bool {
        self.methods() > 0
    }

    pub(crate) fn is_deadlock(&self) -> bool {
        self.property.kind == "deadlock"
    }
}

pub fn analyse<T: Transitions + Naming>(system: &T, request: Request, host: &dyn Host) -> Report {
    analyse_with(system, None, request, host)
}

/// Analyses a counterexample LTS from elsewhere: `product` is that of the model with it as the property
/// and tells what can become of traces; `matched` has its neighbourhoods.
pub fn analyse_matched(
    product: &Product<'_>,
    matched: &Matched<'_>,
    request: Request,
    host: &dyn Host,
) -> Report {
    analyse_with(product, Some(matched), request, host)
}

/// Reports on a model that was searched.
pub fn analyse_model(
    system: &impl System,
    found: Explored,
    story: &impl Story,
    wanted: &ModelRequest,
    mut request: Request,
    host: &dyn Host,
) -> Result<Report, ModelError> {
    let searched = host.seconds();
    let classes = Classes::new(&found, story);
    let asked = classes.asked(&wanted.asked);
    let mut report = telling::blank(&request);
    telling::search(&mut report, &found, &classes, &asked);
    report.statistics.search_seconds = Some(searched);
    if wanted.unreached && found.interrupt.is_none() {
        report.unreached = Some(story.unreached(&found.events).into_iter().map(telling::deed).collect());
    }
    let Some(mut target) = wanted.target(&asked)? else {
        skip_methods(&mut report, &request, NOTHING_TO_EXPLAIN);
        telling::cost(&mut report, host);
        return Ok(report);
    };
    telling::explained(&mut report, &asked, &classes, target);
    // A failed assertion that nobody asked about is a step like any other; a fault leaves nothing to go
    // on with, and where a model must not stop, no trace passes.
    let matters = |class: usize| asked.contains(&class) || classes.list[class].wrong.kind != "assertion";
    let mut model = ModelSystem::new(system, found, story, &classes, matters);
    match &wanted.trace {
        None => model.aim(target),
        Some(events) => {
            let trace = model.follow(events).ok_or(ModelError::TrailNotExplored)?;
            target = model.class(trace.last()).unwrap_or(target);
            telling::explained(&mut report, &asked, &classes, target);
            model.aim(target);
            request.trace = Some(trace);
        }
    }
    let exploring = host.seconds();
    let mut explored = Exploration::new(&model, u64::MAX, host);
    let exploring = host.seconds() - exploring;
    if explored.violating().is_empty() && explored.is_complete() {
        request.past_others = true;
        model.go_past_all_but(target);
        explored = Exploration::new(&model, u64::MAX, host);
    }
    let mut explained = None;
    let edges = model.graph().edge_count() as u64;
    if request.explains() {
        explained = explain(&model, None, &mut explored, &request, &mut report, host);
    } else {
        report.counterexample = unexplained(&model, &explored, &request);
        skip_methods(&mut report, &request, NOT_ASKED);
    }
    if let Some(trust) = &request.correct_transitions {
        // What is shared with other methods is counted as well.
        let is_deadlock = classes.list[target].wrong.location.is_none();
        let weighing = explained.as_ref().filter(|_| is_deadlock).map_or(0.0, |(_, known)| known.seconds);
        let (first, fates) = explained.map(|(trace, known)| (trace, known.fates)).unzip();
        let queries = correct_transitions::Queries { classes: &classes, asked: &asked, target, first };
        let started = host.seconds();
        let within = Budget::new(host, &request, edges);
        let fairness = request.fairness;
        let answers =
            correct_transitions::of_model(&mut model, &explored, fates, &queries, (fairness, trust), &within);
        let seconds = exploring + weighing + host.seconds() - started;
        let complete = explored.is_complete();
        correct_transitions::tell(&mut report, answers, complete, !request.past_others, seconds);
    }
    if request.others && wanted.violation.is_none() && wanted.trace.is_none() && !request.past_others {
        let within = Budget::new(host, &request, edges);
        report.others = other_failures(&mut model, &asked, target, &request, &report, &within);
    }
    telling::cost(&mut report, host);
    Ok(report)
}

/// Why a model cannot be reported on as asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ModelError {
    #[error("there is no violation {id}: the report lists {known}")]
    NoSuchViolation { id: u64, known: usize },
    #[error("the trail leads to where the search did not come within its limits")]
    TrailNotExplored,
}

/// Why systems that are no texts have no diagnosis.
pub(crate) const NO_STATEMENTS: &str = "only statements of programs and models can be assumed wrong";
pub(crate) const NOT_ASKED: &str = "not asked for";
pub(crate) const NOTHING_TO_EXPLAIN: &str = "there is no counterexample to explain";

fn analyse_with<T: Transitions + Naming>(
    system: &T,
    matched: Option<&Matched<'_>>,
    request: Request,
    host: &dyn Host,
) -> Report {
    let mut explored = Exploration::new(system, request.max_states, host);
    let mut report = telling::blank(&request);
    telling::exploration(&mut report, &request, &explored);
    match (report.verdict, request.explains()) {
        (Verdict::Violated, true) => {
            let explained = explain(system, matched, &mut explored, &request, &mut report, host);
            if request.correct_transitions.is_some() && matched.is_some() {
                report.methods.correct_transitions =
                    skipped("traces of a given counterexample LTS have no correct transitions");
            } else if let Some(trust) = &request.correct_transitions {
                let weighing = explained.as_ref().map_or(0.0, |(_, known)| known.seconds);
                let (first, fates) = explained.map(|(trace, known)| (trace, known.fates)).unzip();
                let started = host.seconds();
                let query = report::Query { location: None, check: report.property.text.clone() };
                let fates = fates.map_or_else(|| Fates::new(system, &explored, request.fairness, host), Ok);
                let found = fates.and_then(|fates| {
                    let ends = correct_transitions::passing(system, &explored, &fates);
                    let first = first.as_ref();
                    let fairness = request.fairness;
                    let (ends, checks) = (&ends, None);
                    let asked = correct_transitions::Asked { query, ends, checks, first, fairness, trust };
                    correct_transitions::explicit(system, &explored, &asked, host)
                });
                let seconds = weighing + host.seconds() - started;
                correct_transitions::tell(&mut report, vec![found], explored.is_complete(), true, seconds);
            }
        }
        (Verdict::Violated, false) => {
            report.counterexample = unexplained(system, &explored, &request);
            skip_methods(&mut report, &request, NOT_ASKED);
        }
        _ => skip_methods(&mut report, &request, NOTHING_TO_EXPLAIN),
    }
    telling::cost(&mut report, host);
    report
}

pub(crate) fn skipped<M>(why: impl Into<String>) -> Option<Outcome<M>> {
    Some(Outcome::Skipped { skipped: why.into() })
}

/// Says of every method why it was not run.
pub(crate) fn skip_methods(report: &mut Report, request: &Request, why: &str) {
    let reason = |asked: bool| if asked { why } else { NOT_ASKED };
    report.methods.neighbourhoods = skipped(reason(request.neighbourhoods));
    report.methods.anomalies = skipped(reason(request.anomalies.is_some()));
    report.methods.correct_transitions = skipped(reason(request.correct_transitions.is_some()));
    report.methods.variations = skipped(reason(request.variations.is_some()));
    report.methods.diagnosis = skipped(reason(request.diagnosis.is_some()));
}

/// Fates that were worked out, and how long that took.
pub(crate) struct Known {
    fates: Fates,
    seconds: f64,
}

/// What the methods compute on a system.
struct Weighed<'a, T> {
    system: &'a T,
    explored: &'a Exploration,
    fates: Fates,
    /// How long it took to find them.
    seconds: f64,
    found: Neighbourhoods,
}

impl<'a, T: Transitions + Naming> Weighed<'a, T> {
    fn new(
        system: &'a T,
        explored: &'a Exploration,
        fairness: Fairness,
        host: &dyn Host,
    ) -> Result<Self, Interrupt> {
        let started = host.seconds();
        let fates = Fates::new(system, explored, fairness, host)?;
        let seconds = host.seconds() - started;
        let found = Neighbourhoods::new(system, system.labels().len(), explored, &fates, host)?;
        Ok(Self { system, explored, fates, seconds, found })
    }

    fn calmest(&self) -> Option<Trace> {
        calmest_shortest(self.system, self.explored, |state| self.found.is_frontier(state))
    }

    fn counterexample(&self, trace: Trace) -> Counterexample {
        Counterexample::new(self.system, self.explored, &self.fates, &self.found, trace)
    }

    fn told(&self, request: &Request, counterexample: &Counterexample) -> report::Neighbourhoods {
        telling::neighbourhoods(self.system, self.explored, request, &self.fates, &self.found, counterexample)
    }
}

pub(crate) fn explain<T: Transitions + Naming>(
    system: &T,
    matched: Option<&Matched<'_>>,
    explored: &mut Exploration,
    request: &Request,
    report: &mut Report,
    host: &dyn Host,
) -> Option<(Trace, Known)> {
    let started = host.seconds();
    explored.go_beyond(system, request.max_states, host);
    let weighed = match Weighed::new(system, explored, request.fairness, host) {
        Ok(weighed) => weighed,
        Err(interrupt) => {
            report.counterexample = unexplained(system, explored, request);
            skip_methods(report, request, &interrupt.to_string());
            return None;
        }
    };
    report.statistics.complete = weighed.explored.is_complete();
    report.fates = Some(telling::fates(weighed.fates.count(system, weighed.explored)));
    let (counterexample, told) = match matched {
        None => {
            let trace = request.trace.clone().or_else(|| weighed.calmest())?;
            let counterexample = weighed.counterexample(trace);
            let told = weighed.told(request, &counterexample);
            (counterexample, told)
        }
        Some(matched) => {
            let mut of_matched = Exploration::new(matched, request.max_states, host);
            of_matched.go_beyond(matched, request.max_states, host);
            let by_matching = match Weighed::new(matched, &of_matched, request.fairness, host) {
                Ok(by_matching) => by_matching,
                Err(interrupt) => {
                    report.counterexample = unexplained(system, explored, request);
                    skip_methods(report, request, &interrupt.to_string());
                    return None;
                }
            };
            let counterexample = matched_counterexample(&weighed, &by_matching)?;
            let told = by_matching.told(request, &counterexample);
            (counterexample, told)
        }
    };
    report.causes = causes(system, &counterexample, request.fairness, host);
    report.counterexample = Some(telling::counterexample(system, request, &counterexample));
    // Where not all was searched, it may be searched again.
    if report.statistics.complete {
        host.known(report);
    }
    doom(system, weighed.explored, &counterexample.trace, report, host);
    if request.picture {
        let known = (weighed.explored, &weighed.fates);
        report.surroundings = Some(surroundings(system, known, &counterexample));
    }
    let told = report::Neighbourhoods { seconds: host.seconds() - started, ..told };
    report.methods.neighbourhoods =
        if request.neighbourhoods { Some(Outcome::Found(Box::new(told))) } else { skipped(NOT_ASKED) };
    let edges = weighed.explored.live_edges();
    let within = || Budget::new(host, request, edges);
    explain_anomalies(&weighed, &counterexample, request, report, &within());
    report.methods.correct_transitions = skipped(NOT_ASKED);
    report.methods.diagnosis = skipped(if request.diagnosis.is_some() { NO_STATEMENTS } else { NOT_ASKED });
    explain_variations(&weighed, matched.is_some(), &counterexample, request, report, &within());
    report.without =
        blocked_in_turn(system, weighed.explored, &counterexample.trace, request.fairness, &within());
    Some((counterexample.trace, Known { fates: weighed.fates, seconds: weighed.seconds }))
}

/// Tells the chance to fail along a trace.
fn doom<T: Transitions>(
    system: &T,
    explored: &Exploration,
    trace: &Trace,
    report: &mut Report,
    host: &dyn Host,
) {
    /// How often chances are worked out, how many edges are looked at for those of failing soon, and how
    /// close bounds must be to be told.
    const WORK: u64 = 20_000_000;
    const EDGES: u64 = 200_000_000;
    const CLOSE: f64 = 1e-6;
    let Ok(chances) = Chances::new(system, explored, WORK, host) else { return };
    let told = trace.states().map(|state| {
        let [low, high] = if explored.is_live(state) { chances.of(state) } else { [0.0, 1.0] };
        (high - low <= CLOSE).then_some(low.midpoint(high))
    });
    report.doom = told.collect();
    let steps = trace.steps.len() as u64;
    if explored.is_complete() && explored.live_edges().saturating_mul(steps) <= EDGES {
        let soon = Chances::within(system, explored, steps, host).unwrap_or_default();
        report.doom_soon = trace.states().filter_map(|state| soon.get(state as usize).copied()).collect();
    }
}

fn explain_anomalies<T: Transitions + Naming>(
    weighed: &Weighed<'_, T>,
    counterexample: &Counterexample,
    request: &Request,
    report: &mut Report,
    host: &dyn Host,
) {
    let Some(wanted) = &request.anomalies else {
        report.methods.anomalies = skipped(NOT_ASKED);
        return;
    };
    let started = host.seconds();
    let Weighed { system, explored, fates, .. } = weighed;
    report.methods.anomalies =
        match anomalies(*system, explored, fates, counterexample, request, wanted, host) {
            Err(why) => skipped(why.to_string()),
            Ok(found) => {
                let ranks = report.causes.len() as u64 + 1..;
                let causes = found.causes.into_iter().zip(ranks);
                report.causes.extend(causes.map(|(cause, rank)| report::Cause { rank, ..cause }));
                let told = report::Anomalies { seconds: host.seconds() - started, ..found.told };
                Some(Outcome::Found(Box::new(told)))
            }
        };
}

fn explain_variations<T: Transitions + Naming>(
    weighed: &Weighed<'_, T>,
    is_matched: bool,
    counterexample: &Counterexample,
    request: &Request,
    report: &mut Report,
    host: &dyn Host,
) {
    let Some(wanted) = &request.variations else {
        report.methods.variations = skipped(NOT_ASKED);
        return;
    };
    if is_matched {
        report.methods.variations =
            skipped("a given counterexample LTS does not say which step of its traces fails");
        return;
    }
    let started = host.seconds();
    let Weighed { system, explored, fates, .. } = weighed;
    let found = variations(*system, (explored, fates), &counterexample.trace, wanted, request, host);
    variations::put(report, found, host.seconds() - started);
}

/// The calmest trace of a given counterexample LTS, with the fates of the model along it.
fn matched_counterexample<T: Transitions + Naming>(
    model: &Weighed<'_, T>,
    given: &Weighed<'_, Matched<'_>>,
) -> Option<Counterexample> {
    let trace = given.calmest()?;
    let labels: Vec<u32> = trace.steps.iter().map(|step| step.label).collect();
    // Of the ways the model can do it, the one along which most can still be decided.
    let settled = |state| !model.found.is_frontier(state);
    let Followed::Violating(in_model) = follow(model.system, &labels, settled) else { return None };
    let mut counterexample = model.counterexample(in_model);
    counterexample.abstraction = given.found.abstraction(&trace);
    if counterexample.abstraction.touched > 0 {
        counterexample.untouched = None;
    }
    Some(counterexample)
}

/// A counterexample of which only the steps are known.
fn unexplained<T: Transitions + Naming>(
    system: &T,
    explored: &Exploration,
    request: &Request,
) -> Option<report::Counterexample> {
    let trace = request.trace.clone().or_else(|| calmest_shortest(system, explored, |_| false))?;
    Some(telling::bare_counterexample(system, request, &trace))
}

/// The report on an input that was not even read to its end.
pub fn unread(request: &Request, interrupt: Interrupt, host: &dyn Host) -> Report {
    let mut report = telling::blank(request);
    report.reason = format!("the input was not read to its end: {interrupt}");
    telling::cost(&mut report, host);
    report
}
