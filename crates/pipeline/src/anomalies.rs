//! Anomalies, from the question to what is told.

mod fatal_when;
mod occurrences;
mod outlook;
mod statements;

use std::collections::BTreeMap;

use explain::Counterexample;
use explain::anomalies::crossings::crossings;
use explain::anomalies::skipping::{Tracks, skipping};
use explain::anomalies::{
    Anomaly, KnownFates, OrderCore, Patterns, Ranked, Sampled, Sequence, Thresholds, TooLong, TouchedStep,
    TraceSet, deferred, order_core, patterns, ranked, sampled, sequence, substrings,
};
use explain::recheck::RecheckLimits;
use findings::{
    Claim, CrossesWhen, Crossing, Event, Exactness, Finding, How, LinkReason, Location, Method as Name,
    Methods, NoOrderCore, NoPatterns, Order, Outcome, RecheckResult, Skip, Worded,
};
use graph::{Actors, Exploration, Fate, Fates, Footprint, Interrupt, Transitions};

use self::occurrences::{Occurrences, Start};
use self::outlook::Outlook;
use crate::as_findings;
use crate::causes::RECHECK_STATES;
use crate::method::{Answer, Answered, GraphCase, Method};
use crate::naming::Naming;
use crate::request::{AnomalyRequest, Host, Mode, Request};

/// How many anomalies are listed at most.
const MOST_LISTED: usize = 1_000;
/// How many points of no return are listed, by statement.
const MOST_CROSSINGS: usize = 100;
/// How many edges the search for an order core may look at.
const CORE_EDGES: u64 = 20_000_000;
/// How many patterns are listed.
const MOST_PATTERNS: usize = 100;

/// Everything the method found.
struct FoundAnomalies {
    told: findings::Anomalies,
    findings: Vec<Finding>,
}

/// Sequences of events that only failing traces have.
pub(crate) struct Anomalies;

impl Method for Anomalies {
    type Result = findings::Anomalies;
    const NAME: Name = Name::Anomalies;

    fn slot(methods: &mut Methods) -> &mut Option<Outcome<Self::Result>> {
        &mut methods.anomalies
    }

    fn on_graph<T: Transitions + Naming>(case: &GraphCase<'_, T>) -> Answered<Self::Result> {
        let started = case.host.seconds();
        let GraphCase { system, explored, fates, counterexample, request, .. } = case;
        let wanted = &request.anomalies;
        match anomalies(*system, explored, fates, counterexample, request, wanted, &case.budget()) {
            Err(TooLong::Interrupted(interrupt)) => Err(Skip::Interrupted(interrupt)),
            Err(TooLong::Labels { labels, longest }) => Err(Skip::SequencesTooLong { labels, longest }),
            Ok(FoundAnomalies { told, findings }) => {
                let seconds = case.host.seconds() - started;
                Ok(Answer { result: findings::Anomalies { seconds, ..told }, findings })
            }
        }
    }
}

fn anomalies<T: Transitions + Naming>(
    system: &T,
    explored: &Exploration,
    fates: &Fates,
    counterexample: &Counterexample,
    request: &Request,
    wanted: &AnomalyRequest,
    host: &dyn Host,
) -> Result<FoundAnomalies, TooLong> {
    let known_fates = KnownFates { system, labels: system.labels().len(), explored, fates, watch: host };
    let order = if system.has_processes() { wanted.order } else { Order::Trace };
    let tracks = match order {
        Order::Trace => None,
        Order::Process => Some(Tracks::by_process(system, known_fates.labels)),
        Order::Dependent => Some(dependence(&known_fates)),
    };
    let compared = compare(&known_fates, wanted, tracks.as_ref())?;
    let mined = compared.sample.as_ref().map(|sample| mine(sample, host)).transpose()?;
    let list = compared.list;
    let ranked =
        ranked(&known_fates, list, tracks.as_ref(), |anomaly| depends(system, anomaly), MOST_LISTED)?;
    let trace = &counterexample.trace;
    let labels: Vec<u32> = trace.steps.iter().map(|step| step.label).collect();
    let hopeless = fates.of(trace.start) == Fate::Doomed;
    let core =
        if hopeless { OrderCore::Found(Vec::new()) } else { order_core(&known_fates, &labels, CORE_EDGES)? };
    let mut steps = TouchedStep::of(system, trace, |state, label| touch(system, state, label));
    let late = deferred(system, trace, &steps, |state, label| touch(system, state, label));
    // What nobody got at the end is asked for by one step more, which nobody takes.
    let wants = system.wants(trace.last());
    let is_stuck = wants.is_some();
    let footprint = wants.unwrap_or_default();
    steps.push(TouchedStep { label: u32::MAX, actors: Actors::NONE, footprint, is_inside: false });
    let tracks = tracks.as_ref();
    let story = Occurrences {
        known_fates: &known_fates,
        counterexample,
        labels: &labels,
        ranked: &ranked,
        late: &late,
        tracks,
    };
    let seeds = story.seeds(&core, is_stuck);
    let mut sequence =
        if system.has_processes() { sequence(&steps, &late, &seeds) } else { Sequence::default() };
    sequence.steps.retain(|at| *at < labels.len());
    let cures = story.cures(&sequence, request, host)?;
    let mut outlook = Outlook::new(system);
    let points = crossings(&known_fates, outlook.statements())?;
    let look = RecheckLimits { fairness: request.fairness, max_states: RECHECK_STATES, watch: host };
    let all_crossings = points.iter().map(|point| point.crosses).sum();
    let mut fatal = fatal_when::fatal_when(&known_fates, &mut outlook, &points, &look)?;
    let start = wanted.start.as_deref().map(Start::Named);
    let start = start.or_else(|| sequence.steps.first().map(|first| Start::Step(*first)));
    let anomalies = story.anomalies(start);
    let told = findings::Anomalies {
        seconds: 0.0,
        exactness: match (&compared.sample, explored.is_complete()) {
            (Some(_), _) => Exactness::Sampled,
            (None, true) => Exactness::Exact,
            (None, false) => Exactness::Bounded,
        },
        order,
        length: compared.length as u64,
        good: compared.sample.as_ref().map(|sample| trace_set(&sample.passing)),
        bad: compared.sample.as_ref().map(|sample| trace_set(&sample.failing)),
        count: ranked.count as u64,
        decisive: ranked.decisive as u64,
        counterexamples: ranked.counterexamples.iter().map(|trace| named(system, trace)).collect(),
        groups: groups(&ranked),
        last_steps: tracks.is_none().then_some(ranked.last_steps),
        explanatory_sequence: sequence.steps.iter().map(|at| *at as u64 + 1).collect(),
        links: story.links(&sequence.links),
        deferred: story.deferred(&cures),
        order_core: match &core {
            OrderCore::Found(core) => core.iter().map(|at| *at as u64 + 1).collect(),
            _ => Vec::new(),
        },
        no_order_core: match core {
            OrderCore::Found(_) if hopeless => Some(NoOrderCore::NothingPasses),
            OrderCore::Found(_) => None,
            OrderCore::None => Some(NoOrderCore::InPassingTraces),
            OrderCore::TooLarge => Some(NoOrderCore::TooLarge),
        }
        .map(Worded::from),
        no_patterns: match &mined {
            None => Some(NoPatterns::NotSampled),
            Some(mined) if mined.complete => None,
            Some(_) => Some(NoPatterns::Limit),
        }
        .map(Worded::from),
        patterns: mined
            .unwrap_or_default()
            .list
            .into_iter()
            .take(MOST_PATTERNS)
            .map(|pattern| findings::Pattern {
                events: system.label_list(&pattern.events),
                failing: pattern.failing,
                passing: pattern.passing,
            })
            .collect(),
        points_of_no_return: points
            .into_iter()
            .take(MOST_CROSSINGS)
            .map(|point| findings::PointOfNoReturn {
                event: outlook.event(point.statement),
                events: system.label_list(&outlook.labels_of(point.statement)),
                crosses: point.crosses,
                harmless: point.harmless,
                fatal_when: fatal.remove(&point.statement),
            })
            .collect(),
        anomalies,
    };
    let mut findings = story.causes(&cures, request, host);
    findings.extend(crossing_findings(&told, all_crossings, &labels, system));
    findings.extend(needed_findings(&told, &labels, system));
    Ok(FoundAnomalies { told, findings })
}

/// How many findings of one kind are taken from a list, best first.
const MOST_OF_A_KIND: usize = 12;

/// Where an event stands: its own line, and that of who receives.
fn lines_of(event: &Event) -> Vec<Location> {
    let partner = event.partner.as_ref().and_then(|with| with.location.as_ref());
    event.location.iter().chain(partner).cloned().collect()
}

/// Which statements take traces past the point of no return, over the whole graph.
fn crossing_findings<T: Naming>(
    found: &findings::Anomalies,
    all: u64,
    labels: &[u32],
    system: &T,
) -> Vec<Finding> {
    let names: Vec<String> = labels.iter().map(|label| system.label(*label)).collect();
    let point_finding = |point: &findings::PointOfNoReturn| {
        // A condition that is true of something harmless says little.
        let sure = point
            .fatal_when
            .as_ref()
            .filter(|when| when.harmless_covered == 0 && !when.condition.data.any_of.is_empty());
        let recheck = sure.and_then(|when| {
            let how = How::WhereTrue { cures: when.still_violating == Some(0) };
            Some(findings::Recheck { how, result: when.recheck? })
        });
        let is_confirmed = recheck.as_ref().is_some_and(|one| one.result == RecheckResult::Confirmed);
        let is_last = names.last().is_some_and(|last| point.events.contains(last));
        let crossing = Crossing {
            event: point.event.event.clone(),
            events: point.events.clone(),
            crosses: point.crosses,
            all,
            harmless: point.harmless,
            when: sure.map(|when| CrossesWhen {
                condition: when.condition.data.clone(),
                is_exact: when.is_exact,
                covered: when.fatal_covered,
                fatal: when.fatal,
                is_confirmed,
            }),
            is_violation: point.harmless == 0 && is_last,
        };
        let steps = (1..).zip(&names).filter(|(_, name)| point.events.contains(name)).map(|(n, _)| n);
        let claim = Claim::Crossing(crossing);
        Finding { recheck, ..Finding::new(claim, lines_of(&point.event), steps.collect()) }
    };
    found.points_of_no_return.iter().take(MOST_OF_A_KIND).map(point_finding).collect()
}

/// The steps that later ones needed, down to the violation.
fn needed_findings<T: Naming>(found: &findings::Anomalies, labels: &[u32], system: &T) -> Vec<Finding> {
    let of = found.explanatory_sequence.len();
    let step_finding = |(at, step): (usize, &u64)| {
        let label = *labels.get(*step as usize - 1)?;
        let event = as_findings::event(system, label);
        let because = found.links.iter().filter(|link| link.from == *step);
        let because: Vec<LinkReason> = because.map(|link| link.reason.data.clone()).collect();
        if because.is_empty() {
            return None;
        }
        let claim = Claim::Needed {
            step: *step,
            event: event.event.clone(),
            because,
            place: findings::Place { at, of },
        };
        Some(Finding::new(claim, lines_of(&event), vec![*step]))
    };
    found.explanatory_sequence.iter().enumerate().filter_map(step_finding).collect()
}

/// What was compared, and what came out.
struct Compared {
    list: Vec<Anomaly>,
    length: usize,
    sample: Option<Sampled>,
}

fn compare<T: Transitions>(
    known_fates: &KnownFates<'_, T>,
    wanted: &AnomalyRequest,
    tracks: Option<&Tracks>,
) -> Result<Compared, TooLong> {
    if let Some(tracks) = tracks {
        return Ok(Compared { list: skipping(known_fates, tracks)?, length: 2, sample: None });
    }
    let of_length = |length: usize| -> Result<Compared, TooLong> {
        Ok(match wanted.mode {
            Mode::Exact => Compared { list: substrings(known_fates, length)?, length, sample: None },
            Mode::Sampled => {
                let mut sample = sampled(known_fates, length)?;
                Compared { list: std::mem::take(&mut sample.anomalies), length, sample: Some(sample) }
            }
        })
    };
    let compared = of_length(wanted.length.unwrap_or(2))?;
    if compared.list.is_empty() && wanted.length.is_none() { of_length(3) } else { Ok(compared) }
}

fn mine(sample: &Sampled, host: &dyn Host) -> Result<Patterns, Interrupt> {
    patterns(&sample.failing.first, &sample.passing.first, Thresholds::default(), host)
}

fn trace_set(set: &TraceSet) -> findings::TraceSet {
    findings::TraceSet {
        traces: set.traces,
        average_length: set.average_length(),
        max_length: set.max_length,
    }
}

fn touch<T: Naming>(system: &T, state: u32, label: u32) -> Footprint {
    system.footprint(state, label).unwrap_or_default()
}

fn named<T: Naming>(system: &T, trace: &graph::Trace) -> Vec<String> {
    trace.steps.iter().map(|step| system.label(step.label)).collect()
}

/// Whether each event of an anomaly depends on the one before it, where it first occurs. Where nobody
/// knows who acts, everything does.
fn depends<T: Transitions + Naming>(system: &T, anomaly: &Anomaly) -> bool {
    if !system.has_processes() {
        return true;
    }
    let mut before: Option<(u32, Footprint)> = None;
    let mut state = anomaly.start;
    let mut wanted = anomaly.events.iter().peekable();
    for step in &anomaly.steps {
        if wanted.next_if_eq(&&step.label).is_some() {
            let own = touch(system, state, step.label);
            if let Some((label, other)) = &before
                && !share_actor(system, *label, step.label)
                && !other.conflicts(&own)
            {
                return false;
            }
            before = Some((step.label, own));
        }
        state = step.state;
    }
    true
}

fn share_actor<T: Transitions>(system: &T, one: u32, other: u32) -> bool {
    system.actors(one).iter().any(|own| system.actors(other).iter().any(|other| own == other))
}

/// Which events depend on each other: those of one process, and those that touch the same variables or
/// channels. Elements of an array are one, since an index may be another one elsewhere.
fn dependence<T: Transitions + Naming>(known_fates: &KnownFates<'_, T>) -> Tracks {
    let system = known_fates.system;
    let mut touched: Vec<Option<Footprint>> = vec![None; known_fates.labels];
    for state in known_fates.explored.live().iter().filter(|state| !system.is_violating(**state)) {
        system.successors(*state, |label, _| {
            let known = &mut touched[label as usize];
            if known.is_none() {
                let mut footprint = touch(system, *state, label);
                for name in footprint.reads.iter_mut().chain(&mut footprint.writes) {
                    name.truncate(name.find('[').unwrap_or(name.len()));
                }
                *known = Some(footprint);
            }
        });
    }
    Tracks::by_dependence(known_fates.labels, |one, other| {
        let (Some(own), Some(others)) = (&touched[one as usize], &touched[other as usize]) else {
            return false;
        };
        share_actor(system, one, other) || own.conflicts(others)
    })
}

fn groups(ranked: &Ranked) -> Vec<findings::AnomalyGroup> {
    let mut groups: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    for (rank, one) in (1..).zip(&ranked.anomalies) {
        groups.entry(one.counterexample).or_default().push(rank);
    }
    let told = groups.into_iter();
    told.map(|(at, anomalies)| findings::AnomalyGroup { counterexample: at as u64 + 1, anomalies }).collect()
}
