//! Telling what was found: from numbers to the plain data of a report.

use std::collections::BTreeMap;

use explain::neighbourhoods::{Colour, Kind, Neighbourhoods, Size};
use explain::{Counterexample, StepNote, Untouched};
use graph::{Exploration, Fate, FateCounts, Fates, Trace, Transitions};
use report::{Report, Verdict};

use crate::analysis::Request;
use crate::naming::{self, Naming};

/// A report that knows what was asked and nothing yet of the answer.
pub(crate) fn blank(request: &Request) -> Report {
    Report {
        schema: Report::SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        input: request.input.clone(),
        property: request.property.clone(),
        engine: "explicit",
        bound: None,
        verdict: Verdict::Unknown,
        reason: String::new(),
        passing_definition: passing_definition(request),
        statistics: report::Statistics {
            states: 0,
            transitions: 0,
            violations: 0,
            max_depth: 0,
            seconds: 0.0,
            peak_bytes: None,
            complete: false,
        },
        violations: Vec::new(),
        fates: None,
        counterexample: None,
        causes: Vec::new(),
        methods: report::Methods::default(),
    }
}

fn passing_definition(request: &Request) -> String {
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
        kind: request.property.kind.clone(),
        location: None,
        count: violating.len() as u64,
        shortest,
    }));
}

/// The steps of a trace of which nothing else is known.
pub fn plain_steps<T: Naming>(system: &T, trace: &Trace) -> Vec<report::Step> {
    let unknown =
        StepNote { before: Fate::Unknown, after: Fate::Unknown, escapes: vec![], still_free: vec![] };
    let count = trace.steps.len();
    steps(system, trace, &vec![unknown; count], &vec![false; count])
}

/// What ended an analysis early, as something that "came".
pub(crate) fn ending(interrupt: graph::Interrupt) -> String {
    match interrupt {
        graph::Interrupt::Cancelled => "the run was interrupted".to_owned(),
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

/// How the trace was chosen; `calm` if by its neighbourhoods.
fn chosen(request: &Request, calm: bool) -> String {
    match (&request.trace, calm) {
        (Some(_), _) => "the one given".to_owned(),
        (None, true) => "the calmest of the shortest".to_owned(),
        (None, false) => "a shortest one".to_owned(),
    }
}

/// A counterexample of which only the steps are known.
pub(crate) fn bare_counterexample<T: Naming>(
    system: &T,
    request: &Request,
    trace: &Trace,
) -> report::Counterexample {
    counterexample_with(system, request, trace, plain_steps(system, trace), false)
}

pub(crate) fn counterexample<T: Naming>(
    system: &T,
    request: &Request,
    found: &Counterexample,
) -> report::Counterexample {
    let everything = vec![true; found.trace.steps.len()];
    let kept = if found.untouched.is_some() { &everything } else { &found.abstraction.kept };
    let steps = steps(system, &found.trace, &found.notes, kept);
    counterexample_with(system, request, &found.trace, steps, true)
}

fn counterexample_with<T: Naming>(
    system: &T,
    request: &Request,
    trace: &Trace,
    steps: Vec<report::Step>,
    calm: bool,
) -> report::Counterexample {
    report::Counterexample {
        kind: request.property.kind.clone(),
        length: trace.steps.len() as u64,
        loop_start: None,
        chosen: chosen(request, calm),
        initial: system.values(trace.start),
        steps,
        blocked: Vec::new(),
    }
}

fn steps<T: Naming>(system: &T, trace: &Trace, notes: &[StepNote], kept: &[bool]) -> Vec<report::Step> {
    let rows = trace.steps.iter().zip(trace.states()).zip(notes.iter().zip(kept)).zip(1..);
    rows.map(|(((step, from), (note, kept)), n)| report::Step {
        n,
        process: None,
        pid: None,
        action: system.label(step.label),
        location: None,
        changes: system.changes(from, step.state),
        fate: fate_name(note.after),
        kept: *kept,
        state: system.state_id(step.state),
        escapes: system.label_list(&note.escapes),
        still_free: system.label_list(&note.still_free),
        point_of_no_return: note.is_point_of_no_return(),
    })
    .collect()
}

fn fate_name(fate: Fate) -> &'static str {
    match fate {
        Fate::Safe => "safe",
        Fate::Free => "free",
        Fate::Doomed => "doomed",
        Fate::Elsewhere => "elsewhere",
        Fate::Unknown => "unknown",
    }
}

pub(crate) fn neighbourhoods<T: Transitions + Naming>(
    system: &T,
    explored: &Exploration,
    request: &Request,
    fates: &Fates,
    found: &Neighbourhoods,
    counterexample: &Counterexample,
) -> report::Neighbourhoods {
    let listed: Vec<report::Neighbourhood> = found
        .list(system, explored, fates)
        .take(request.most_listed)
        .map(|hood| {
            let stands_for = system.stands_for(hood.state);
            let ids = stands_for.iter().map(|state| naming::id(system.graph(), *state));
            report::Neighbourhood {
                state: system.counterexample_state(hood.state, hood.number),
                full_state: system.state_id(hood.state),
                full_states: if stands_for.len() > 1 { ids.collect() } else { Vec::new() },
                kind: kind_name(hood.kind),
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
        exactness: if explored.is_complete() { "exact" } else { "bounded" },
        full_lts: request.input.size.unwrap_or_default(),
        counterexample_lts: size(found.size),
        edges: request.edges.then(|| edges(system, explored, fates, found)),
        listed: listed.len() as u64,
        neighbourhoods: listed,
        count: found.count(),
        kinds: Kind::ALL.iter().map(|kind| (kind_name(*kind), found.kinds[*kind as usize])).collect(),
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

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::G => "G",
        Kind::Gr => "GR",
        Kind::Grb => "GRB",
        Kind::R => "R",
    }
}

fn colour_name(colour: Colour) -> &'static str {
    match colour {
        Colour::Green => "green",
        Colour::Black => "black",
        Colour::Red => "red",
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
            colour: colour_name(colour),
        });
    });
    edges
}
