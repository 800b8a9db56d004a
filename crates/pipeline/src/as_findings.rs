//! Names for what was found: from numbers of states and labels to findings.

use std::collections::BTreeMap;
use std::sync::Arc;

use explain::neighbourhoods::{Colour, Kind, Neighbourhoods, Size};
use explain::{Counterexample, StepNote, Untouched};
use findings::{
    Blocked, Chosen, Engine, Exactness, Explanation, Methods, Need, NeighbourhoodKind, Passing, Reason,
    Reduction, Statistics, Verdict, What, Why,
};
use graph::{
    ConditionPart, Deed, Exploration, Fate, FateCounts, Fates, Footprint, Interrupt, Sort, Story, Told,
    Trace, Transitions, ViolationKind, Waiting, Worth, Wrong,
};
use search::{Checked, Ending, Explored, Replayed, Summaries};

use crate::model_system::{Class, Classes};
use crate::naming::{self, Naming};
use crate::request::{Host, Request};

/// An explanation that knows what was asked and nothing yet of the answer.
pub(crate) fn blank(request: &Request) -> Explanation {
    Explanation {
        input: request.input.clone(),
        property: request.property.clone(),
        properties: request.properties.clone(),
        engine: Engine::Explicit,
        bound: None,
        verdict: Verdict::Unknown,
        reason: Why::Nothing.into(),
        passing: passing(request),
        statistics: Statistics {
            states: 0,
            transitions: 0,
            violations: 0,
            max_depth: 0,
            state_bytes: None,
            seconds: 0.0,
            search_seconds: None,
            peak_bytes: None,
            complete: false,
            reduction: Reduction::None,
        },
        violations: Vec::new(),
        explained: None,
        fates: None,
        counterexample: None,
        evaluation: None,
        doom: Vec::new(),
        doom_soon: Vec::new(),
        findings: Vec::new(),
        causes: Vec::new(),
        without: Vec::new(),
        others: Vec::new(),
        only_unfair: false,
        repairs: Vec::new(),
        repair_search: None,
        methods: Methods::default(),
        unreached: None,
        surroundings: None,
        tests: None,
    }
}

/// What everything took up to now. Whoever is the last to work on an answer says it again.
pub(crate) fn cost(told: &mut Explanation, host: &dyn Host) {
    told.statistics.seconds = host.seconds();
    told.statistics.peak_bytes = host.peak_bytes();
}

fn passing(request: &Request) -> Passing {
    match (request.has_processes, request.is_deadlock()) {
        (true, _) => Passing::Processes(request.fairness),
        (false, true) => Passing::NoDeadlock,
        (false, false) => Passing::NoForbiddenSequence,
    }
}

/// The verdict and the figures of an exploration.
pub(crate) fn exploration(told: &mut Explanation, request: &Request, explored: &Exploration) {
    let violating = explored.violating();
    let shortest = explored.shortest().map(u64::from);
    let deadlock = request.is_deadlock();
    let what = if deadlock { What::NoWayOn } else { What::ForbiddenSequence };
    let (verdict, why) = match (shortest, explored.interrupt()) {
        (Some(_), _) => (Verdict::Violated, Why::Wrong { what: what.clone(), location: None }),
        (None, None) => (Verdict::Holds, Why::NoneReachable { is_deadlock: deadlock }),
        (None, Some(interrupt)) => (Verdict::Unknown, Why::NothingBefore(Some(interrupt))),
    };
    (told.verdict, told.reason) = (verdict, why.into());
    told.statistics.states = explored.live().len() as u64;
    told.statistics.transitions = explored.live_edges();
    told.statistics.violations = violating.len() as u64;
    told.statistics.max_depth = u64::from(explored.depth());
    told.statistics.complete = explored.is_complete();
    told.violations.extend(shortest.map(|shortest| findings::Violation {
        id: 1,
        kind: request.property.kind,
        what,
        can_hold: true,
        location: None,
        count: violating.len() as u64,
        shortest,
    }));
}

/// The verdict and the figures of a search; `asked` are the classes of violations that matter.
pub(crate) fn search(told: &mut Explanation, found: &Explored, classes: &Classes, asked: &[usize]) {
    verdict(told, found.interrupt, classes, asked);
    told.statistics = findings::Statistics {
        states: found.counted_states,
        transitions: transitions(found.transitions, found.graph.edge_count() as u64),
        max_depth: u64::from(found.max_depth()),
        state_bytes: Some((found.store.memory() / found.store.len().max(1)) as u64),
        ..told.statistics
    };
}

/// The same for a search that kept no steps.
pub(crate) fn check(told: &mut Explanation, found: &Checked, classes: &Classes, asked: &[usize]) {
    verdict(told, found.interrupt, classes, asked);
    told.statistics = findings::Statistics {
        states: found.states,
        transitions: transitions(found.transitions, found.steps),
        max_depth: u64::from(found.max_depth),
        state_bytes: Some(found.memory as u64 / found.all_states.max(1)),
        reduction: if found.is_reduced() { Reduction::Por } else { Reduction::None },
        ..told.statistics
    };
}

/// The same for a search by summaries.
pub(crate) fn summaries(
    told: &mut Explanation,
    found: &Summaries,
    interrupt: Option<Interrupt>,
    max_depth: u32,
    classes: &Classes,
    asked: &[usize],
) {
    told.engine = Engine::Summary;
    verdict(told, interrupt, classes, asked);
    if told.verdict == Verdict::Holds {
        told.reason = Why::EveryCall.into();
    }
    told.statistics = findings::Statistics {
        states: found.graph.node_count() as u64,
        transitions: found.graph.edge_count() as u64,
        max_depth: u64::from(max_depth),
        state_bytes: Some((found.store.memory() / found.store.len().max(1)) as u64),
        ..told.statistics
    };
}

/// Ways through a loop inside an atomic sequence are without number; then steps are counted.
fn transitions(ways: u64, steps: u64) -> u64 {
    if ways == u64::MAX { steps } else { ways }
}

fn verdict(told: &mut Explanation, interrupt: Option<Interrupt>, classes: &Classes, asked: &[usize]) {
    let judged = judged(interrupt, classes, asked);
    told.statistics.violations = judged.violations.iter().map(|violation| violation.count).sum();
    told.statistics.complete = interrupt.is_none();
    (told.verdict, told.reason, told.violations) = (judged.verdict, judged.reason, judged.violations);
}

/// What a search says of what is wrong at the end of traces, and nothing that explains it.
#[derive(Debug)]
pub struct Judged {
    pub verdict: Verdict,
    pub reason: Reason,
    pub violations: Vec<findings::Violation>,
}

pub(crate) fn judged(interrupt: Option<Interrupt>, classes: &Classes, asked: &[usize]) -> Judged {
    let list: Vec<&Class> = asked.iter().map(|class| &classes.list[*class]).collect();
    let (verdict, why) = match (list.first(), interrupt) {
        (Some(nearest), _) => (Verdict::Violated, reason(nearest)),
        (None, None) => match faults_besides(classes, asked) {
            none if none.is_empty() => (Verdict::Holds, Why::AllStates),
            faults => (Verdict::Unknown, Why::FaultsBefore(faults)),
        },
        (None, Some(interrupt)) => (Verdict::Unknown, Why::NothingBefore(Some(interrupt))),
    };
    let violations = list.into_iter().zip(1..).map(|(class, id)| findings::Violation {
        id,
        kind: class.wrong.kind,
        what: what(&class.wrong),
        can_hold: class.wrong.can_hold,
        location: class.wrong.location.clone(),
        count: class.count,
        shortest: u64::from(class.shortest),
    });
    Judged { verdict, reason: why.into(), violations: violations.collect() }
}

/// The faults that nobody asked about. What a run would have done without one is not known.
fn faults_besides(classes: &Classes, asked: &[usize]) -> Vec<(What, Option<findings::Location>)> {
    let besides = classes.list.iter().enumerate().filter(|(class, _)| !asked.contains(class));
    let faults = besides.filter(|(_, class)| class.wrong.kind == ViolationKind::Fault);
    faults.map(|(_, class)| (what(&class.wrong), class.wrong.location.clone())).collect()
}

/// Says which class the report is about.
pub(crate) fn explained(told: &mut Explanation, asked: &[usize], classes: &Classes, target: usize) {
    told.explained = asked.iter().position(|class| *class == target).map(|at| at as u64 + 1);
    told.reason = reason(&classes.list[target]).into();
}

fn reason(nearest: &Class) -> Why {
    Why::Wrong { what: what(&nearest.wrong), location: nearest.wrong.location.clone() }
}

/// What is wrong.
pub fn what(wrong: &Wrong) -> What {
    match wrong.kind {
        ViolationKind::Deadlock => What::Deadlock,
        _ => What::Quoted(wrong.text.clone()),
    }
}

pub(crate) fn deed(deed: Deed) -> findings::Deed {
    findings::Deed {
        process: deed.actor.name,
        pid: Some(u64::from(deed.actor.number)),
        action: deed.action,
        location: deed.location,
    }
}

fn blocked(waiting: Waiting) -> Blocked {
    let needs = waiting.needs.into_iter().map(|need| Need {
        action: need.action,
        location: need.location,
        reason: need.reason,
    });
    let needs: Vec<Need> = needs.collect();
    Blocked {
        process: Some(waiting.actor.name),
        pid: Some(u64::from(waiting.actor.number)),
        location: needs.first().and_then(|need| need.location.clone()),
        may_end: waiting.may_end,
        needs,
    }
}

/// What keeps each process in a state from which nothing goes on.
pub(crate) fn all_blocked<T: Naming>(system: &T, state: u32) -> Vec<findings::Blocked> {
    system.waiting(state).into_iter().map(blocked).collect()
}

/// The steps of a trace of which nothing else is known.
pub fn plain_steps<T: Naming>(system: &T, trace: &Trace) -> Vec<findings::Step> {
    let unknown =
        StepNote { before: Fate::Unknown, after: Fate::Unknown, escapes: vec![], still_free: vec![] };
    let count = trace.steps.len();
    steps(system, trace, &vec![unknown; count], &vec![false; count])
}

/// The steps of a trace that was gone again in a model.
pub fn model_steps(story: &impl Story, replayed: &Replayed) -> Vec<findings::Step> {
    let rows = replayed.events.iter().zip(replayed.states.windows(2)).zip(1..);
    rows.map(|((event, states), n)| {
        let told = story.event(*event);
        let own = deed(told.deed);
        let changes = story.changes(&states[0], &states[1]).into_iter();
        let changes = changes.map(|change| (change.name, [change.old, change.new])).collect();
        let values = || story.values(&states[1]).into_iter().collect();
        findings::Step {
            n,
            process: Some(own.process),
            pid: own.pid,
            action: own.action,
            location: own.location,
            partner: told.partner.map(deed),
            event: story.label(*event),
            stays: staying(&story.footprint(&states[0], *event), &changes, values),
            changes,
            inputs: story.inputs(&states[0], Some(&states[1]), *event),
            depth: None,
            fate: Fate::Unknown,
            kept: false,
            state: findings::StateId::Number(n as i64),
            escapes: Vec::new(),
            still_free: Vec::new(),
            point_of_no_return: false,
        }
    })
    .collect()
}

/// What is written and stays what it was. All values of a state are asked for only where something is.
fn staying(
    touched: &Footprint,
    changes: &BTreeMap<String, [Option<String>; 2]>,
    values: impl FnOnce() -> BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let mut written = touched.writes.iter().filter(|name| !changes.contains_key(*name)).peekable();
    if written.peek().is_none() {
        return BTreeMap::new();
    }
    let mut values = values();
    written.filter_map(|name| values.remove_entry(name)).collect()
}

/// An event, with who takes part in it.
pub(crate) fn event<T: Naming>(system: &T, label: u32) -> findings::Event {
    told_event(system.label(label), system.told(label))
}

/// An event with its name, and what is told of it.
pub(crate) fn told_event(name: String, told: Option<Told>) -> findings::Event {
    let (own, partner) = told.map_or((None, None), |told| (Some(deed(told.deed)), told.partner.map(deed)));
    findings::Event {
        process: own.as_ref().map(|own| own.process.clone()),
        pid: own.as_ref().and_then(|own| own.pid),
        action: own.as_ref().map_or_else(|| name.clone(), |own| own.action.clone()),
        location: own.and_then(|own| own.location),
        partner,
        event: name,
    }
}

pub(crate) fn fates(counts: FateCounts) -> findings::Fates {
    findings::Fates {
        safe: counts.safe,
        doomed: counts.doomed,
        free: counts.free,
        elsewhere: counts.elsewhere,
        unknown: counts.unknown,
        points_of_no_return: counts.points_of_no_return,
        escapes: counts.escapes,
    }
}

/// A counterexample that was found again step by step.
pub(crate) fn replayed_counterexample(
    story: &impl Story,
    request: &Request,
    wrong: &Wrong,
    trace: &Replayed,
    chosen: Chosen,
) -> findings::Counterexample {
    let values = |state: &Vec<u8>| story.values(state).into_iter().collect();
    let last = trace.states.last().filter(|_| trace.ending == Ending::Deadlock);
    let waiting = last.map_or_else(Vec::new, |state| story.waiting(state));
    findings::Counterexample {
        kind: wrong.kind,
        what: Some(what(wrong)),
        sort: wrong.sort,
        length: trace.events.len() as u64,
        loop_start: None,
        chosen: if request.trace.is_some() { Chosen::Given } else { chosen },
        past_others: request.past_others,
        initial: trace.states.first().map_or_else(BTreeMap::new, values),
        steps: model_steps(story, trace),
        blocked: waiting.into_iter().map(blocked).collect(),
        condition: asserted(story, trace).into_iter().map(condition_part).collect(),
        run: Arc::new(replayed_run(story, trace)),
    }
}

/// The condition of the assertion that fails at the end of a trace.
fn asserted(story: &impl Story, trace: &Replayed) -> Vec<ConditionPart> {
    let last = trace.events.last().zip(trace.states.iter().rev().nth(1));
    let last = last.filter(|_| matches!(trace.ending, Ending::Wrong(_)));
    last.map_or_else(Vec::new, |(event, state)| story.condition(state, *event))
}

fn condition_part(part: ConditionPart) -> findings::ConditionPart {
    let value = match part.worth {
        Worth::Truth(truth) => findings::PartValue::Truth(truth),
        Worth::Value(value) => findings::PartValue::Value(value),
        Worth::Unasked => findings::PartValue::Unasked,
    };
    findings::ConditionPart { text: part.text, parent: part.parent.map(|at| at as u64), value }
}

/// A counterexample of which only the steps are known.
pub(crate) fn bare_counterexample<T: Naming>(
    system: &T,
    request: &Request,
    trace: &Trace,
) -> findings::Counterexample {
    counterexample_with(system, request, trace, plain_steps(system, trace), Chosen::Shortest)
}

pub(crate) fn counterexample<T: Naming>(
    system: &T,
    request: &Request,
    found: &Counterexample,
) -> findings::Counterexample {
    let everything = vec![true; found.trace.steps.len()];
    let kept = if found.untouched.is_some() { &everything } else { &found.abstraction.kept };
    let steps = steps(system, &found.trace, &found.notes, kept);
    counterexample_with(system, request, &found.trace, steps, Chosen::CalmestShortest)
}

fn counterexample_with<T: Naming>(
    system: &T,
    request: &Request,
    trace: &Trace,
    steps: Vec<findings::Step>,
    chosen: Chosen,
) -> findings::Counterexample {
    let wrong = system.violation(trace);
    let is_deadlock = wrong.as_ref().is_some_and(|wrong| wrong.kind == ViolationKind::Deadlock);
    let mut run = run(system, trace);
    let mut condition = system.condition(trace);
    let mut told = wrong.as_ref().map(what);
    if let Some((property, parts)) = system.broken(trace) {
        let values = parts.iter().filter(|part| matches!(part.worth, Worth::Value(_)));
        run.wants.reads = values.map(|part| part.text.clone()).collect();
        let because = graph::condition::because(&parts);
        told = Some(What::Broken { property, step: trace.steps.len() as u64, because });
        condition = parts;
    }
    findings::Counterexample {
        kind: wrong.as_ref().map_or(request.property.kind, |wrong| wrong.kind),
        what: told,
        sort: wrong.as_ref().map_or(Sort::Other, |wrong| wrong.sort),
        length: trace.steps.len() as u64,
        loop_start: None,
        chosen: if request.trace.is_some() { Chosen::Given } else { chosen },
        past_others: request.past_others,
        initial: system.values(trace.start),
        steps,
        blocked: if is_deadlock { all_blocked(system, trace.last()) } else { Vec::new() },
        condition: condition.into_iter().map(condition_part).collect(),
        run: Arc::new(run),
    }
}

fn run<T: Naming>(system: &T, trace: &Trace) -> findings::Run {
    let steps = trace.states().zip(&trace.steps);
    findings::Run {
        states: trace.states().map_while(|state| system.bytes(state).map(<[u8]>::to_vec)).collect(),
        events: trace.steps.iter().map_while(|step| system.event(step.label)).collect(),
        footprints: steps.map_while(|(state, step)| system.footprint(state, step.label)).collect(),
        wants: system.wants(trace.last()).unwrap_or_default(),
    }
}

fn replayed_run(story: &impl Story, trace: &Replayed) -> findings::Run {
    let steps = trace.states.iter().zip(&trace.events);
    findings::Run {
        states: trace.states.clone(),
        events: trace.events.clone(),
        footprints: steps.map(|(state, event)| story.footprint(state, *event)).collect(),
        wants: trace.states.last().map_or_else(Footprint::default, |state| story.wants(state)),
    }
}

fn steps<T: Naming>(system: &T, trace: &Trace, notes: &[StepNote], kept: &[bool]) -> Vec<findings::Step> {
    let rows = trace.steps.iter().zip(trace.states()).zip(notes.iter().zip(kept)).zip(1..);
    rows.map(|(((step, from), (note, kept)), n)| {
        let event = system.label(step.label);
        let (own, partner) = system
            .told(step.label)
            .map_or((None, None), |told| (Some(deed(told.deed)), told.partner.map(deed)));
        let changes = system.changes(from, step.state);
        let touched = system.footprint(from, step.label).unwrap_or_default();
        findings::Step {
            n,
            process: own.as_ref().map(|own| own.process.clone()),
            pid: own.as_ref().and_then(|own| own.pid),
            action: own.as_ref().map_or_else(|| event.clone(), |own| own.action.clone()),
            location: own.and_then(|own| own.location),
            partner,
            event,
            stays: staying(&touched, &changes, || system.values(step.state)),
            changes,
            inputs: system.inputs(from, step.state, step.label),
            depth: None,
            fate: note.after,
            kept: *kept,
            state: system.state_id(step.state),
            escapes: system.label_list(&note.escapes),
            still_free: system.label_list(&note.still_free),
            point_of_no_return: note.is_point_of_no_return(),
        }
    })
    .collect()
}

pub(crate) fn neighbourhoods<T: Transitions + Naming>(
    system: &T,
    explored: &Exploration,
    request: &Request,
    fates: &Fates,
    found: &Neighbourhoods,
    counterexample: &Counterexample,
) -> findings::Neighbourhoods {
    // Those of kind R are neighbourhoods only in name; they come last.
    let of =
        |real: bool| found.list(system, explored, fates).filter(move |hood| (hood.kind != Kind::R) == real);
    let listed: Vec<findings::Neighbourhood> = of(true)
        .chain(of(false))
        .take(request.most_listed)
        .map(|hood| {
            let stands_for = system.stands_for(hood.state);
            let ids = stands_for.iter().map(|state| naming::id(system.graph(), *state));
            findings::Neighbourhood {
                state: system.counterexample_state(hood.state, hood.number),
                full_state: system.state_id(hood.state),
                full_states: if stands_for.len() > 1 { ids.collect() } else { Vec::new() },
                kind: told_kind(hood.kind),
                incoming: system.label_list(&hood.incoming),
                failing: system.label_list(&hood.failing),
                correct: system.label_list(&hood.correct),
            }
        })
        .collect();
    let trace = &counterexample.trace;
    let runs = if counterexample.untouched.is_some() {
        std::iter::once(0..trace.steps.len()).filter(|run| !run.is_empty()).collect()
    } else {
        counterexample.abstraction.runs()
    };
    findings::Neighbourhoods {
        seconds: 0.0,
        exactness: Exactness::of(explored.is_complete()),
        full_lts: request.input.size.unwrap_or_default(),
        counterexample_lts: size(found.size),
        edges: request.edges.then(|| edges(system, explored, fates, found)),
        listed: listed.len() as u64,
        neighbourhoods: listed,
        count: found.count(),
        kinds: Kind::ALL.iter().map(|kind| (told_kind(*kind), found.kinds[*kind as usize])).collect(),
        touched: counterexample.abstraction.touched,
        counterexample_length: trace.steps.len() as u64,
        abstracted_length: counterexample.abstraction.len() as u64,
        abstracted: runs
            .into_iter()
            .map(|run: std::ops::Range<usize>| findings::Abstracted {
                first: run.start as u64 + 1,
                last: run.end as u64,
                labels: trace.steps[run].iter().map(|step| system.label(step.label)).collect(),
            })
            .collect(),
        untouched: counterexample.untouched.map(|reason| untouched(system, reason, trace).into()),
    }
}

fn size(size: Size) -> findings::GraphSize {
    findings::GraphSize { states: size.states, transitions: size.transitions, labels: size.labels }
}

fn told_kind(kind: Kind) -> NeighbourhoodKind {
    match kind {
        Kind::G => NeighbourhoodKind::G,
        Kind::Gr => NeighbourhoodKind::Gr,
        Kind::Grb => NeighbourhoodKind::Grb,
        Kind::R => NeighbourhoodKind::R,
    }
}

fn told_colour(colour: Colour) -> findings::Colour {
    match colour {
        Colour::Green => findings::Colour::Green,
        Colour::Black => findings::Colour::Black,
        Colour::Red => findings::Colour::Red,
    }
}

fn untouched<T: Naming>(system: &T, reason: Untouched, trace: &Trace) -> findings::Untouched {
    match reason {
        Untouched::DoomedFromTheStart => findings::Untouched::DoomedFromTheStart,
        Untouched::PartedEarlier { last_free: 0 } => findings::Untouched::PartedAtTheStart,
        Untouched::PartedEarlier { last_free } => findings::Untouched::PartedEarlier {
            step: last_free as u64 + 1,
            event: trace.steps.get(last_free).map_or_else(String::new, |step| system.label(step.label)),
        },
        Untouched::OnlyByCircling => findings::Untouched::OnlyByCircling,
        Untouched::NotExplored => findings::Untouched::NotExplored,
    }
}

fn edges<T: Transitions + Naming>(
    system: &T,
    explored: &Exploration,
    fates: &Fates,
    found: &Neighbourhoods,
) -> Vec<findings::ColouredEdge> {
    let kept = explored.reached().filter(|state| fates.can_fail(*state));
    let numbers: BTreeMap<u32, u64> = kept.zip(0..).collect();
    let mut edges = Vec::new();
    found.each_edge(system, explored, fates, |from, label, to, colour| {
        edges.push(findings::ColouredEdge {
            from: numbers[&from],
            label: system.label(label),
            to: if colour == Colour::Green { None } else { numbers.get(&to).copied() },
            colour: told_colour(colour),
        });
    });
    edges
}
