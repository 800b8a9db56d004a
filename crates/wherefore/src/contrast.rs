//! From what the logs showed to what is told of it.

use findings::{Method, ViolationKind};
use logs::{Anomaly, Contrast, Event, Options, Order, SetSummary};
use report::contrast::{
    BrokenLine, ContrastMethods, ContrastReport, LogAnomalies, LogAnomaly, LogEvent, LogGroup, LogPattern,
    LogPatterns, LogSet, LogStatistics, LogTrace, Support, TraceSet,
};
use report::{Cause, CauseKind, Input, Location, Property, Recheck, RecheckResult, Verdict};

use pipeline::request::Host;

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// How many groups of anomalies are told as causes, and how many patterns are listed.
const MOST_CAUSES: usize = 50;
const MOST_PATTERNS: usize = 100;

/// The report on a comparison; `paths` names the failing logs.
pub fn tell(contrast: &Contrast, options: &Options, paths: &str, host: &dyn Host) -> ContrastReport {
    let verdict = match (contrast.count, contrast.interrupt) {
        (1.., _) => Verdict::Violated,
        (0, None) => Verdict::Holds,
        (0, Some(_)) => Verdict::Unknown,
    };
    let seconds = host.seconds();
    let text = format!("failing traces have no {} that passing traces do not have", kind(contrast.length, 2));
    ContrastReport {
        schema: ContrastReport::SCHEMA,
        version: VERSION,
        input: Input {
            path: paths.to_owned(),
            kind: "logs".to_owned(),
            size: None,
            options: Default::default(),
        },
        property: Property { kind: ViolationKind::Contrast, text, spelling: None },
        engine: report::Engine::Logs,
        bound: None,
        verdict,
        reason: reason(contrast, options),
        passing_definition: "a trace passes if it was given as good, and fails if it was given as bad"
            .to_owned(),
        statistics: LogStatistics {
            good: set(&contrast.passing),
            bad: set(&contrast.failing),
            distinct_events: contrast.distinct_events,
            distinct_substrings: contrast.distinct_substrings,
            seconds,
            peak_bytes: host.peak_bytes(),
            complete: contrast.interrupt.is_none(),
        },
        causes: causes(contrast),
        methods: ContrastMethods { anomalies: anomalies(contrast, options, seconds) },
        notes: notes(contrast, options),
    }
}

fn kind(length: usize, count: u64) -> String {
    let one = match length {
        1 => "event".to_owned(),
        2 => "pair of events".to_owned(),
        length => format!("sequence of {length} events"),
    };
    match (count, length) {
        (1, _) => one,
        (_, 1) => "events".to_owned(),
        (_, 2) => "pairs of events".to_owned(),
        (_, length) => format!("sequences of {length} events"),
    }
}

fn reason(contrast: &Contrast, options: &Options) -> String {
    let Contrast { count, length, interrupt, .. } = contrast;
    let of = match options.order {
        Order::Trace => "",
        Order::Process => " of one process",
    };
    let passing = if options.tolerance > 0.0 {
        format!("at most {} % of the passing ones", options.tolerance)
    } else {
        "no passing one".to_owned()
    };
    let found = match count {
        0 if options.length.is_none() && *length == 3 => format!(
            "failing traces have no {} and no {}{of} that passing traces lack",
            kind(2, 1),
            kind(3, 1)
        ),
        0 => format!("failing traces have no {}{of} that passing traces lack", kind(*length, 1)),
        1 => format!("1 {}{of} occurs in failing traces and in {passing}", kind(*length, 1)),
        count => format!("{count} {}{of} occur in failing traces and in {passing}", kind(*length, 2)),
    };
    match (interrupt, count) {
        (None, _) => found,
        (Some(why), 0) => format!("{why} before everything was read"),
        (Some(why), _) => format!("{found}; {why} before everything was read"),
    }
}

fn set(summary: &SetSummary) -> LogSet {
    let quality = &summary.quality;
    let broken = quality.examples.iter().map(|broken| BrokenLine {
        file: broken.log.clone(),
        line: broken.line,
        reason: broken.reason.clone(),
        text: broken.text.clone(),
    });
    LogSet {
        files: quality.logs,
        bytes: quality.bytes,
        lines: quality.lines,
        events: summary.events,
        broken_lines: quality.broken,
        broken: broken.collect(),
        not_utf8_lines: quality.not_utf8,
    }
}

fn traces(summary: &SetSummary) -> TraceSet {
    let average = if summary.traces == 0 { 0.0 } else { summary.events as f64 / summary.traces as f64 };
    TraceSet {
        traces: summary.traces,
        average_length: (average * 100.0).round() / 100.0,
        max_length: summary.longest,
    }
}

fn event(event: &Event, only_failing: Option<bool>) -> LogEvent {
    LogEvent { process: event.process.clone(), pid: None, action: event.action.clone(), only_failing }
}

fn anomalies(contrast: &Contrast, options: &Options, seconds: f64) -> LogAnomalies {
    let anomaly = |anomaly: &Anomaly| LogAnomaly {
        rank: anomaly.rank,
        events: anomaly
            .events
            .iter()
            .zip(&anomaly.unheard)
            .map(|(one, only)| event(one, Some(*only)))
            .collect(),
        position: anomaly.position,
        file: anomaly.log.clone(),
        line: anomaly.line,
        counterexample: anomaly.counterexample.map(|index| index as u64),
        score: anomaly.score,
        support: Support { failing: anomaly.failing, passing: anomaly.passing },
        group: anomaly.group as u64,
    };
    let counterexamples = contrast.counterexamples.iter().map(|told| LogTrace {
        trace: told.name.clone(),
        file: told.log.clone(),
        length: told.length,
        anomalies: told.anomalies.clone(),
    });
    let groups = contrast.groups.iter().filter(|group| !group.anomalies.is_empty());
    LogAnomalies {
        seconds,
        exactness: report::Exactness::Sampled,
        length: contrast.length as u64,
        order: match options.order {
            Order::Trace => report::Order::Trace,
            Order::Process => report::Order::Process,
        },
        good: traces(&contrast.passing),
        bad: traces(&contrast.failing),
        count: contrast.count,
        listed: contrast.anomalies.len() as u64,
        anomalies: contrast.anomalies.iter().map(anomaly).collect(),
        counterexamples: counterexamples.collect(),
        explanatory_sequence: None,
        deferred: None,
        order_core: None,
        patterns: contrast.patterns.as_ref().map(patterns),
        groups: groups
            .map(|group| LogGroup {
                traces: group.traces,
                count: group.count,
                anomalies: group.anomalies.clone(),
            })
            .collect(),
    }
}

fn patterns(found: &logs::patterns::Patterns<Event>) -> LogPatterns {
    LogPatterns {
        complete: found.complete,
        sample: Support { failing: found.failing, passing: found.passing },
        frequent: Support { failing: found.frequent_failing, passing: found.frequent_passing },
        count: found.patterns.len() as u64,
        patterns: found
            .patterns
            .iter()
            .take(MOST_PATTERNS)
            .map(|pattern| LogPattern {
                events: pattern.events.iter().map(|one| event(one, None)).collect(),
                support: Support { failing: pattern.failing, passing: pattern.passing },
            })
            .collect(),
    }
}

/// One cause for each group: the anomaly of it that occurs earliest.
fn causes(contrast: &Contrast) -> Vec<Cause> {
    let mut causes = Vec::new();
    for (index, group) in contrast.groups.iter().enumerate() {
        let first = group.anomalies.first().and_then(|rank| contrast.anomalies.get(*rank as usize - 1));
        let Some(first) = first else { continue };
        if causes.len() == MOST_CAUSES {
            break;
        }
        let all = contrast.failing.traces;
        let named = |one: &Event| match &one.process {
            Some(process) => format!("`{process}: {}`", one.action),
            None => format!("`{}`", one.action),
        };
        let events: Vec<String> = first.events.iter().map(named).collect();
        let of = match group.traces {
            1 if all == 1 => "the only failing trace".to_owned(),
            traces if traces == all => format!("all {all} failing traces"),
            traces => format!("{traces} of {all} failing traces"),
        };
        let passing = match first.passing {
            0 => "no passing one".to_owned(),
            some => format!("{some} of {} passing ones", contrast.passing.traces),
        };
        let unheard: Vec<String> = first
            .events
            .iter()
            .zip(&first.unheard)
            .filter(|(_, only)| **only)
            .map(|(one, _)| named(one))
            .collect();
        let novelty = match (unheard.len(), first.events.len()) {
            (0, 1) => String::new(),
            (0, _) => "; passing traces have each of these events, but not in this order".to_owned(),
            (1, 1) => String::new(),
            (1, _) => format!("; {} occurs in no passing trace at all", unheard[0]),
            (_, _) => "; these events occur in no passing trace at all".to_owned(),
        };
        let others = match group.count {
            1 => String::new(),
            2 => "; 1 other anomaly occurs in the same traces".to_owned(),
            more => format!("; {} other anomalies occur in the same traces", more - 1),
        };
        causes.push(Cause {
            rank: causes.len() as u64 + 1,
            kind: CauseKind::Anomaly,
            pattern: None,
            score: if all == 0 { 0.0 } else { group.traces as f64 / all as f64 },
            summary: format!("{} in {of} and in {passing}", events.join(" and at once ")),
            claim: format!(
                "earliest as event {} of its trace, {}:{}{novelty}{others}",
                first.position, first.log, first.line
            ),
            says: None,
            locations: vec![Location {
                file: first.log.clone(),
                line: first.line,
                column: 1,
                text: first.events.first().map(|one| one.action.clone()).unwrap_or_default(),
                calls: Vec::new(),
            }],
            steps: Vec::new(),
            methods: vec![Method::Anomalies],
            group: index as u64,
            recheck: Recheck {
                how: "recorded traces cannot be run again".to_owned(),
                result: RecheckResult::NotRun,
            },
            repair: None,
            evidence: Vec::new(),
        });
    }
    causes
}

/// What a careful reader would ask.
fn notes(contrast: &Contrast, options: &Options) -> Vec<String> {
    let mut notes = Vec::new();
    let sets = [("failing", &contrast.failing), ("passing", &contrast.passing)];
    for (name, set) in sets {
        if set.traces == 1 {
            notes.push(
                match name {
                    "failing" => {
                        "there is only one failing trace: what it alone does need not be why it fails"
                    }
                    _ => "there is only one passing trace: what it lacks, other passing traces may have",
                }
                .to_owned(),
            );
        }
    }
    if contrast.length == 3 && options.length.is_none() && contrast.count > 0 {
        notes.push(
            "no pair of events sets failing traces apart, so sequences of three were compared".to_owned(),
        );
    }
    for (name, set) in sets {
        let quality = &set.quality;
        if quality.broken > 0 {
            notes.push(format!(
                "{} of {} lines of the {name} logs are no records and were left out",
                quality.broken, quality.lines
            ));
        }
        if quality.not_utf8 > 0 {
            notes.push(format!(
                "{} of {} lines of the {name} logs are not UTF-8 and were read as Latin-1",
                quality.not_utf8, quality.lines
            ));
        }
        if let [first, rest @ ..] = &quality.empty[..] {
            let others = if rest.is_empty() { String::new() } else { format!(" and {} others", rest.len()) };
            notes.push(format!("{first}{others}: no events; counted as no trace"));
        }
        notes.extend(
            quality.damaged.iter().map(|(log, why)| format!("{log}: {why}; what came before is used")),
        );
    }
    if contrast.recounted > 0 {
        notes.push(format!(
            "{} traces lasted so long that their support may have been counted more than once",
            contrast.recounted
        ));
    }
    let single = contrast.anomalies.iter().filter(|anomaly| anomaly.failing == 1).count();
    if contrast.failing.traces >= 3
        && contrast.anomalies.len() >= 50
        && single * 10 >= contrast.anomalies.len() * 9
    {
        notes.push(format!(
            "{single} of the {} anomalies listed occur in one failing trace only: perhaps names or ids tell \
             apart what is one event; --mask makes them one",
            contrast.anomalies.len()
        ));
    }
    if contrast.patterns.as_ref().is_some_and(|patterns| !patterns.complete) {
        notes.push("not all patterns were looked for: there are too many".to_owned());
    }
    notes
}
