//! Telling what was found: from numbers to the plain data of a report.

use std::collections::BTreeMap;

use explain::neighbourhoods::{Colour, Kind, Neighbourhoods, Size};
use explain::{Counterexample, StepNote, Untouched};
use graph::{
    ConditionPart, Deed, Exploration, Fairness, Fate, FateCounts, Fates, Interrupt, Story, Told, Trace,
    Transitions, ViolationKind, Waiting, Worth,
};
use report::{Engine, Exactness, NeighbourhoodKind, Reduction, Report, Verdict};
use search::{Checked, Ending, Explored, Replayed, Summaries};

use crate::analysis::{Host, Request};
use crate::model_system::{Class, Classes};
use crate::naming::{self, Naming};

/// A report that knows what was asked and nothing yet of the answer.
pub(crate) fn blank(request: &Request) -> Report {
    Report {
        schema: Report::SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        input: request.input.clone(),
        property: request.property.clone(),
        engine: report::Engine::Explicit,
        bound: None,
        verdict: Verdict::Unknown,
        reason: String::new(),
        passing_definition: passing_definition(request),
        statistics: report::Statistics {
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
        fates: None,
        counterexample: None,
        evaluation: None,
        doom: Vec::new(),
        doom_soon: Vec::new(),
        causes: Vec::new(),
        without: Vec::new(),
        others: Vec::new(),
        only_unfair: false,
        repairs: Vec::new(),
        repairs_tried: None,
        repairs_cut_short: false,
        methods: report::Methods::default(),
        explained: None,
        unreached: None,
        since: None,
        surroundings: None,
    }
}

/// What the analysis took.
pub(crate) fn cost(report: &mut Report, host: &dyn Host) {
    report.statistics.seconds = host.seconds();
    report.statistics.peak_bytes = host.peak_bytes();
}

fn passing_definition(request: &Request) -> String {
    if request.has_processes {
        let fair = match request.fairness {
            Fairness::Weak => {
                " in which every process moves again and again or again and again cannot (weak fairness)"
            }
            Fairness::None => ", whoever is passed over",
        };
        return format!(
            "a trace passes when it ends where every process may stop, or goes on for ever without violation{fair}"
        );
    }
    let how = if request.is_deadlock() {
        "ends properly (see --final-label) or goes on for ever"
    } else {
        "ends or goes on for ever without having shown a forbidden sequence"
    };
    format!(
        "a trace passes when it {how}; a transition system names no processes, so fairness asks nothing of it"
    )
}

/// The verdict and the figures of an exploration.
pub(crate) fn exploration(report: &mut Report, request: &Request, explored: &Exploration) {
    let violating = explored.violating();
    let shortest = explored.shortest().map(u64::from);
    let deadlock = request.is_deadlock();
    (report.verdict, report.reason) = match (shortest, explored.interrupt()) {
        (Some(_), _) if deadlock => (Verdict::Violated, "a state without a way on can be reached".into()),
        (Some(_), _) => (Verdict::Violated, "a forbidden sequence of actions is possible".into()),
        (None, None) if deadlock => (Verdict::Holds, "no deadlock can be reached".into()),
        (None, None) => (Verdict::Holds, "no forbidden sequence of actions is possible".into()),
        (None, Some(interrupt)) => {
            (Verdict::Unknown, format!("nothing was found before {}", ending(interrupt)))
        }
    };
    report.statistics.states = explored.live().len() as u64;
    report.statistics.transitions = explored.live_edges();
    report.statistics.violations = violating.len() as u64;
    report.statistics.max_depth = u64::from(explored.depth());
    report.statistics.complete = explored.is_complete();
    report.violations.extend(shortest.map(|shortest| report::Violation {
        id: 1,
        kind: request.property.kind,
        text: report.reason.clone(),
        location: None,
        count: violating.len() as u64,
        shortest,
    }));
}

/// The verdict and the figures of a search; `asked` are the classes of violations that matter.
pub(crate) fn search(report: &mut Report, found: &Explored, classes: &Classes, asked: &[usize]) {
    verdict(report, found.interrupt, classes, asked);
    report.statistics = report::Statistics {
        states: found.counted_states,
        transitions: transitions(found.transitions, found.graph.edge_count() as u64),
        max_depth: u64::from(found.max_depth()),
        state_bytes: Some((found.store.memory() / found.store.len().max(1)) as u64),
        ..report.statistics
    };
}

/// The same for a search that kept no steps.
pub(crate) fn check(report: &mut Report, found: &Checked, classes: &Classes, asked: &[usize]) {
    verdict(report, found.interrupt, classes, asked);
    report.statistics = report::Statistics {
        states: found.states,
        transitions: transitions(found.transitions, found.steps),
        max_depth: u64::from(found.max_depth),
        state_bytes: Some(found.memory as u64 / found.all_states.max(1)),
        reduction: if found.is_reduced() { Reduction::Por } else { Reduction::None },
        ..report.statistics
    };
}

/// The same for a search by summaries.
pub(crate) fn summaries(
    report: &mut Report,
    found: &Summaries,
    interrupt: Option<Interrupt>,
    max_depth: u32,
    (classes, asked): (&Classes, &[usize]),
) {
    report.engine = Engine::Summary;
    verdict(report, interrupt, classes, asked);
    if report.verdict == Verdict::Holds {
        "every call was looked at from every state it can begin with".clone_into(&mut report.reason);
    }
    report.statistics = report::Statistics {
        states: found.graph.node_count() as u64,
        transitions: found.graph.edge_count() as u64,
        max_depth: u64::from(max_depth),
        state_bytes: Some((found.store.memory() / found.store.len().max(1)) as u64),
        ..report.statistics
    };
}

/// Ways through a loop inside an atomic sequence are without number; then steps are counted.
fn transitions(ways: u64, steps: u64) -> u64 {
    if ways == u64::MAX { steps } else { ways }
}

fn verdict(report: &mut Report, interrupt: Option<Interrupt>, classes: &Classes, asked: &[usize]) {
    let list: Vec<&Class> = asked.iter().map(|class| &classes.list[*class]).collect();
    let total: u64 = list.iter().map(|class| class.count).sum();
    (report.verdict, report.reason) = match (list.first(), interrupt) {
        (Some(nearest), _) => (Verdict::Violated, reason(nearest)),
        (None, None) => (Verdict::Holds, "all reachable states were looked at".to_owned()),
        (None, Some(interrupt)) => {
            (Verdict::Unknown, format!("nothing was found before {}", ending(interrupt)))
        }
    };
    report.statistics.violations = total;
    report.statistics.complete = interrupt.is_none();
    report.violations = list
        .into_iter()
        .zip(1..)
        .map(|(class, id)| report::Violation {
            id,
            kind: class.wrong.kind,
            text: class.wrong.text.clone(),
            location: class.wrong.location.clone(),
            count: class.count,
            shortest: u64::from(class.shortest),
        })
        .collect();
}

/// Says which class the report is about.
pub(crate) fn explained(report: &mut Report, asked: &[usize], classes: &Classes, target: usize) {
    report.explained = asked.iter().position(|class| *class == target).map(|at| at as u64 + 1);
    report.reason = reason(&classes.list[target]);
}

fn reason(nearest: &Class) -> String {
    match &nearest.wrong.location {
        None => nearest.wrong.text.clone(),
        Some(location) => format!("{}:{}: {}", location.file, location.line, nearest.wrong.text),
    }
}

pub(crate) fn deed(deed: Deed) -> report::Deed {
    report::Deed {
        process: deed.actor.name,
        pid: Some(u64::from(deed.actor.number)),
        action: deed.action,
        location: deed.location,
    }
}

fn blocked(waiting: Waiting) -> report::Blocked {
    let reasons: Vec<&str> = waiting.needs.iter().map(|need| need.reason.as_str()).collect();
    let waits_for = if waiting.may_end && reasons.is_empty() {
        "nothing: it may end here".to_owned()
    } else {
        reasons.join("; ")
    };
    let needs = waiting.needs.into_iter().map(|need| report::Need {
        action: need.action,
        location: need.location,
        reason: need.reason,
    });
    let needs: Vec<report::Need> = needs.collect();
    report::Blocked {
        process: Some(waiting.actor.name),
        pid: Some(u64::from(waiting.actor.number)),
        location: needs.first().and_then(|need| need.location.clone()),
        waits_for,
        may_end: waiting.may_end,
        needs,
    }
}

/// What keeps each process in a state from which nothing goes on.
pub(crate) fn all_blocked<T: Naming>(system: &T, state: u32) -> Vec<report::Blocked> {
    system.waiting(state).into_iter().map(blocked).collect()
}

/// The steps of a trace of which nothing else is known.
pub fn plain_steps<T: Naming>(system: &T, trace: &Trace) -> Vec<report::Step> {
    let unknown =
        StepNote { before: Fate::Unknown, after: Fate::Unknown, escapes: vec![], still_free: vec![] };
    let count = trace.steps.len();
    steps(system, trace, &vec![unknown; count], &vec![false; count])
}

/// The steps of a trace that was gone again in a model.
pub fn model_steps(story: &impl Story, replayed: &Replayed) -> Vec<report::Step> {
    let rows = replayed.events.iter().zip(replayed.states.windows(2)).zip(1..);
    rows.map(|((event, states), n)| {
        let told = story.event(*event);
        let own = deed(told.deed);
        let changes = story.changes(&states[0], &states[1]).into_iter();
        report::Step {
            n,
            process: Some(own.process),
            pid: own.pid,
            action: own.action,
            location: own.location,
            partner: told.partner.map(deed),
            event: story.label(*event),
            changes: changes.map(|change| (change.name, [change.old, change.new])).collect(),
            inputs: story.inputs(&states[0], Some(&states[1]), *event),
            depth: None,
            fate: Fate::Unknown,
            kept: false,
            state: report::StateId::Number(n as i64),
            escapes: Vec::new(),
            still_free: Vec::new(),
            point_of_no_return: false,
        }
    })
    .collect()
}

/// An event, with who takes part in it.
pub(crate) fn event<T: Naming>(system: &T, label: u32) -> report::Event {
    told_event(system.label(label), system.told(label))
}

/// An event with its name, and what is told of it.
pub(crate) fn told_event(name: String, told: Option<Told>) -> report::Event {
    let (own, partner) = told.map_or((None, None), |told| (Some(deed(told.deed)), told.partner.map(deed)));
    report::Event {
        process: own.as_ref().map(|own| own.process.clone()),
        pid: own.as_ref().and_then(|own| own.pid),
        action: own.as_ref().map_or_else(|| name.clone(), |own| own.action.clone()),
        location: own.and_then(|own| own.location),
        partner,
        event: name,
    }
}

/// What ended an analysis early, as something that "came".
pub(crate) fn ending(interrupt: Interrupt) -> String {
    match interrupt {
        Interrupt::Cancelled => "the run was interrupted".to_owned(),
        limit => limit.to_string(),
    }
}

pub(crate) fn fates(counts: FateCounts) -> report::Fates {
    report::Fates {
        safe: counts.safe,
        doomed: counts.doomed,
        free: counts.free,
        elsewhere: counts.elsewhere,
        unknown: counts.unknown,
        points_of_no_return: counts.points_of_no_return,
        escapes: counts.escapes,
    }
}

/// How a trace is chosen that was not given.
#[derive(Clone, Copy)]
pub(crate) enum Choice {
    /// By its neighbourhoods.
    Calmest,
    Shortest,
    /// Where not all traces were looked at.
    Short,
    /// The first that a solver found.
    Solved,
    /// By a counterexample from elsewhere.
    Given,
}

fn chosen(request: &Request, choice: Choice) -> String {
    let how = match (&request.trace, choice) {
        (Some(_), _) | (None, Choice::Given) => "the one given",
        (None, Choice::Calmest) => "the calmest of the shortest",
        (None, Choice::Shortest) => "a shortest one",
        (None, Choice::Short) => "a short one",
        (None, Choice::Solved) => "the first that was found",
    };
    let past = if request.past_others { ", past other violations" } else { "" };
    format!("{how}{past}")
}

/// A counterexample that was found again step by step; `kind` and `text` say what is wrong at its end.
pub(crate) fn replayed_counterexample(
    story: &impl Story,
    request: &Request,
    (kind, text): (ViolationKind, String),
    trace: &Replayed,
    choice: Choice,
) -> report::Counterexample {
    let values = |state: &Vec<u8>| story.values(state).into_iter().collect();
    let last = trace.states.last().filter(|_| trace.ending == Ending::Deadlock);
    let waiting = last.map_or_else(Vec::new, |state| story.waiting(state));
    report::Counterexample {
        kind,
        text: Some(text),
        length: trace.events.len() as u64,
        loop_start: None,
        chosen: chosen(request, choice),
        initial: trace.states.first().map_or_else(BTreeMap::new, values),
        steps: model_steps(story, trace),
        blocked: waiting.into_iter().map(blocked).collect(),
        condition: asserted(story, trace).into_iter().map(condition_part).collect(),
    }
}

/// The condition of the assertion that fails at the end of a trace.
fn asserted(story: &impl Story, trace: &Replayed) -> Vec<ConditionPart> {
    let last = trace.events.last().zip(trace.states.iter().rev().nth(1));
    let last = last.filter(|_| matches!(trace.ending, Ending::Wrong(_)));
    last.map_or_else(Vec::new, |(event, state)| story.condition(state, *event))
}

fn condition_part(part: ConditionPart) -> report::ConditionPart {
    let value = match part.worth {
        Worth::Truth(truth) => report::PartValue::Truth(truth),
        Worth::Value(value) => report::PartValue::Value(value),
        Worth::Unasked => report::PartValue::Unasked,
    };
    report::ConditionPart { text: part.text, parent: part.parent.map(|at| at as u64), value }
}

/// A counterexample of which only the steps are known.
pub(crate) fn bare_counterexample<T: Naming>(
    system: &T,
    request: &Request,
    trace: &Trace,
) -> report::Counterexample {
    counterexample_with(system, request, trace, plain_steps(system, trace), Choice::Shortest)
}

pub(crate) fn counterexample<T: Naming>(
    system: &T,
    request: &Request,
    found: &Counterexample,
) -> report::Counterexample {
    let everything = vec![true; found.trace.steps.len()];
    let kept = if found.untouched.is_some() { &everything } else { &found.abstraction.kept };
    let steps = steps(system, &found.trace, &found.notes, kept);
    counterexample_with(system, request, &found.trace, steps, Choice::Calmest)
}

fn counterexample_with<T: Naming>(
    system: &T,
    request: &Request,
    trace: &Trace,
    steps: Vec<report::Step>,
    choice: Choice,
) -> report::Counterexample {
    let wrong = system.violation(trace);
    let is_deadlock = wrong.as_ref().is_some_and(|wrong| wrong.kind == ViolationKind::Deadlock);
    report::Counterexample {
        kind: wrong.as_ref().map_or(request.property.kind, |wrong| wrong.kind),
        text: wrong.map(|wrong| wrong.text),
        length: trace.steps.len() as u64,
        loop_start: None,
        chosen: chosen(request, choice),
        initial: system.values(trace.start),
        steps,
        blocked: if is_deadlock { all_blocked(system, trace.last()) } else { Vec::new() },
        condition: system.condition(trace).into_iter().map(condition_part).collect(),
    }
}

fn steps<T: Naming>(system: &T, trace: &Trace, notes: &[StepNote], kept: &[bool]) -> Vec<report::Step> {
    let rows = trace.steps.iter().zip(trace.states()).zip(notes.iter().zip(kept)).zip(1..);
    rows.map(|(((step, from), (note, kept)), n)| {
        let event = system.label(step.label);
        let (own, partner) = system
            .told(step.label)
            .map_or((None, None), |told| (Some(deed(told.deed)), told.partner.map(deed)));
        report::Step {
            n,
            process: own.as_ref().map(|own| own.process.clone()),
            pid: own.as_ref().and_then(|own| own.pid),
            action: own.as_ref().map_or_else(|| event.clone(), |own| own.action.clone()),
            location: own.and_then(|own| own.location),
            partner,
            event,
            changes: system.changes(from, step.state),
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
) -> report::Neighbourhoods {
    // Those of kind R are neighbourhoods only in name; they come last.
    let of =
        |real: bool| found.list(system, explored, fates).filter(move |hood| (hood.kind != Kind::R) == real);
    let listed: Vec<report::Neighbourhood> = of(true)
        .chain(of(false))
        .take(request.most_listed)
        .map(|hood| {
            let stands_for = system.stands_for(hood.state);
            let ids = stands_for.iter().map(|state| naming::id(system.graph(), *state));
            report::Neighbourhood {
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
    report::Neighbourhoods {
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
            .map(|run: std::ops::Range<usize>| report::Abstracted {
                first: run.start as u64 + 1,
                last: run.end as u64,
                labels: trace.steps[run].iter().map(|step| system.label(step.label)).collect(),
            })
            .collect(),
        untouched: counterexample.untouched.map(|reason| untouched(system, reason, trace)),
    }
}

fn size(size: Size) -> report::GraphSize {
    report::GraphSize { states: size.states, transitions: size.transitions, labels: size.labels }
}

fn told_kind(kind: Kind) -> NeighbourhoodKind {
    match kind {
        Kind::G => NeighbourhoodKind::G,
        Kind::Gr => NeighbourhoodKind::Gr,
        Kind::Grb => NeighbourhoodKind::Grb,
        Kind::R => NeighbourhoodKind::R,
    }
}

fn told_colour(colour: Colour) -> report::Colour {
    match colour {
        Colour::Green => report::Colour::Green,
        Colour::Black => report::Colour::Black,
        Colour::Red => report::Colour::Red,
    }
}

fn untouched<T: Naming>(system: &T, reason: Untouched, trace: &Trace) -> String {
    match reason {
        Untouched::DoomedFromTheStart => "every step was doomed from the start, no trace passes".to_owned(),
        Untouched::PartedEarlier { last_free: 0 } => {
            "no passing trace shares a prefix with it: those that pass begin with another step, after which \
             failing is still possible"
                .to_owned()
        }
        Untouched::PartedEarlier { last_free } => format!(
            "passing traces part from it at step {} (`{}`) at the latest, but by steps after which failing is \
             still possible, so no state on it has a correct transition",
            last_free + 1,
            trace.steps.get(last_free).map_or_else(String::new, |step| system.label(step.label)),
        ),
        Untouched::OnlyByCircling => {
            "along it the only way to pass is to go round in circles for ever, so no state on it has a correct \
             transition"
                .to_owned()
        }
        Untouched::NotExplored => {
            "too little was explored to tell where passing traces part from it".to_owned()
        }
    }
}

fn edges<T: Transitions + Naming>(
    system: &T,
    explored: &Exploration,
    fates: &Fates,
    found: &Neighbourhoods,
) -> Vec<report::ColouredEdge> {
    let kept = explored.reached().filter(|state| fates.can_fail(*state));
    let numbers: BTreeMap<u32, u64> = kept.zip(0..).collect();
    let mut edges = Vec::new();
    found.each_edge(system, explored, fates, |from, label, to, colour| {
        edges.push(report::ColouredEdge {
            from: numbers[&from],
            label: system.label(label),
            to: if colour == Colour::Green { None } else { numbers.get(&to).copied() },
            colour: told_colour(colour),
        });
    });
    edges
}
