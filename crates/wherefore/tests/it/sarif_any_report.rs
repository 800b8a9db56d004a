//! SARIF of reports that nobody would make: whatever their texts are, the log is valid, its URIs are encoded, and a
//! fix does what its patch does.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use proptest::prelude::*;
use report::{
    Blocked, Cause, CauseKind, CheckedProperty, Counterexample, Deed, Engine, Evidence, Fate, Input,
    Location, Method, Methods, Property, Recheck, RecheckResult, Reduction, Repair, Report, StateId,
    Statistics, Step, Verdict, Violation, ViolationKind,
};
use serde_json::Value;
use source::{Diff, DiffLine, Hunk, LineChange};

use crate::support::{assert_valid_sarif, list};

/// Texts with all that is special somewhere.
fn odd() -> impl Strategy<Value = String> {
    let special = "[a-z\\[\\](){}0-9\"\\\\/%#?:. \u{0}-\u{1f}\u{7f}äπ\u{202e}\u{feff}\u{1f600}]{0,12}";
    prop_oneof![special, any::<String>(), Just(String::new())]
}

fn place() -> impl Strategy<Value = Option<Location>> {
    let location = (odd(), 0..4_u64, 0..4_u64, odd());
    let location = location.prop_map(|(file, line, column, text)| Location {
        file,
        line,
        column,
        text,
        calls: Vec::new(),
    });
    proptest::option::of(location)
}

fn step() -> impl Strategy<Value = Step> {
    let deed = (proptest::option::of(odd()), any::<Option<u64>>(), odd(), place(), any::<bool>());
    let more = (odd(), proptest::option::of(odd()), any::<bool>(), any::<Vec<i64>>());
    (deed, more).prop_map(|((process, pid, action, location, kept), (name, value, meets, inputs))| Step {
        n: 0,
        partner: meets.then(|| Deed {
            process: name.clone(),
            pid,
            action: name.clone(),
            location: location.clone(),
        }),
        event: action.clone(),
        stays: BTreeMap::new(),
        changes: BTreeMap::from([(name, [None, value])]),
        depth: kept.then_some(3),
        fate: Fate::Unknown,
        state: StateId::Number(0),
        escapes: Vec::new(),
        still_free: Vec::new(),
        point_of_no_return: kept,
        process,
        pid,
        action,
        location,
        inputs,
        kept,
    })
}

fn cause() -> impl Strategy<Value = Cause> {
    let texts = (odd(), odd(), odd(), place(), proptest::option::of(odd()));
    let numbers = (any::<f64>(), any::<Vec<u64>>(), 0..4_usize);
    (texts, numbers).prop_map(|((summary, claim, how, place, patch), (score, steps, methods))| {
        let recheck = Recheck { how, result: RecheckResult::NotRun };
        Cause {
            score,
            locations: place.into_iter().collect(),
            methods: [Method::Neighbourhoods, Method::Anomalies, Method::Diagnosis, Method::Repair]
                [..methods]
                .to_vec(),
            evidence: vec![Evidence {
                method: Method::Variations,
                claim: claim.clone(),
                says: None,
                steps: steps.clone(),
                recheck: Some(recheck.clone()),
            }],
            summary,
            claim,
            steps,
            recheck,
            ..cause_with(patch.map(one_line))
        }
    })
}

/// A change of one line into a text, in a file that is called so as well.
fn one_line(text: String) -> Diff {
    let line = |change: LineChange| DiffLine { change, text: text.clone(), is_unended: false };
    let lines = vec![line(LineChange::Removed), line(LineChange::Added)];
    Diff { file: text.clone(), hunks: vec![Hunk { old_start: 1, new_start: 1, lines }] }
}

/// A cause that says nothing, and a repair.
fn cause_with(patch: Option<Diff>) -> Cause {
    Cause {
        rank: 1,
        score: 1.0,
        kind: CauseKind::Anomaly,
        pattern: None,
        summary: String::new(),
        claim: String::new(),
        says: None,
        locations: Vec::new(),
        steps: Vec::new(),
        methods: Vec::new(),
        group: 1,
        recheck: Recheck { how: String::new(), result: RecheckResult::Confirmed },
        repair: patch.map(|patch| Repair { patch, verified: true, bound: None, leaves: None }),
        evidence: Vec::new(),
    }
}

fn any_report() -> impl Strategy<Value = Report> {
    let lists = (proptest::collection::vec(step(), 0..5), proptest::collection::vec(cause(), 0..4), place());
    let verdict = prop_oneof![Just(Verdict::Holds), Just(Verdict::Violated), Just(Verdict::Unknown)];
    (lists, [odd(), odd(), odd()], verdict, any::<Option<u64>>()).prop_map(
        |((mut steps, causes, location), [path, kind, text], verdict, loop_start)| {
            for (n, step) in (1..).zip(&mut steps) {
                step.n = n;
            }
            let mut report = report_with(verdict, [path, kind, text], causes);
            report.violations.iter_mut().for_each(|violation| violation.location.clone_from(&location));
            if let Some(trace) = &mut report.counterexample {
                trace.blocked[0].location = location;
                trace.length = steps.len() as u64;
                trace.loop_start = loop_start;
                trace.steps = steps;
            }
            report
        },
    )
}

fn report_with(verdict: Verdict, [path, kind, text]: [String; 3], causes: Vec<Cause>) -> Report {
    let blocked = Blocked {
        process: Some(text.clone()),
        pid: None,
        location: None,
        waits_for: text.clone(),
        may_end: false,
        needs: Vec::new(),
    };
    let violation = |id| Violation {
        id,
        kind: ViolationKind::Fault,
        text: text.clone(),
        location: None,
        count: 1,
        shortest: 1,
    };
    Report {
        schema: Report::SCHEMA,
        version: "0.1.0",
        input: Input { path, kind: kind.clone(), size: None, options: findings::Options::default() },
        property: Property { kind: ViolationKind::Safety, text: text.clone(), spelling: None },
        properties: vec![CheckedProperty {
            kind: ViolationKind::Safety,
            text: text.clone(),
            ask: Some(text.clone()),
            verdict,
            reason: text.clone(),
            violations: vec![1, 2],
        }],
        engine: Engine::Explicit,
        bound: Some(7),
        verdict,
        reason: text.clone(),
        passing_definition: text.clone(),
        statistics: Statistics {
            states: 1,
            transitions: 1,
            violations: 1,
            max_depth: 1,
            seconds: 0.0,
            search_seconds: None,
            state_bytes: None,
            peak_bytes: None,
            complete: true,
            reduction: Reduction::None,
        },
        violations: vec![violation(1), violation(2)],
        explained: Some(1),
        fates: None,
        counterexample: Some(Counterexample {
            kind: ViolationKind::Fault,
            text: Some(text.clone()),
            length: 0,
            loop_start: None,
            chosen: String::new(),
            choice: "given",
            past_others: false,
            initial: BTreeMap::from([(text.clone(), kind)]),
            steps: Vec::new(),
            blocked: vec![blocked],
            condition: Vec::new(),
        }),
        evaluation: None,
        doom: Vec::new(),
        doom_soon: Vec::new(),
        causes,
        without: Vec::new(),
        others: Vec::new(),
        only_unfair: false,
        repairs: Vec::new(),
        repairs_tried: None,
        repairs_checked: vec![text.clone()],
        repairs_cut_short: false,
        repairs_thorough: false,
        surroundings: None,
        tests: None,
        methods: Methods::default(),
        unreached: None,
        since: None,
    }
}

fn rendered(report: &Report) -> Value {
    let mut out = Vec::new();
    report::sarif::render(report, Some("/w"), 1, &mut out).unwrap();
    serde_json::from_slice(&out).unwrap()
}

/// All URIs of files in a log.
fn uris<'l>(value: &'l Value, found: &mut Vec<&'l str>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| uris(item, found)),
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::String(uri) if name == "uri" => found.push(uri),
                    // The names of variables may be anything.
                    _ if name == "state" || name == "initialState" => {}
                    _ => uris(value, found),
                }
            }
        }
        _ => {}
    }
}

fn assert_encoded(uri: &str) {
    let path = uri.strip_prefix("file:///").unwrap_or(uri);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/%".contains(&byte);
    assert!(path.bytes().all(is_plain), "{uri}");
    for rest in path.split('%').skip(1) {
        assert!(rest.len() >= 2 && rest.bytes().take(2).all(|byte| byte.is_ascii_hexdigit()), "{uri}");
    }
}

/// A text after replacements, which are told in its own lines and columns.
fn replaced(text: &str, replacements: &[Value]) -> String {
    let offset = |line: &Value, column: &Value| {
        let (line, column) = (line.as_u64().unwrap() as usize, column.as_u64().unwrap() as usize);
        let before: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
        let mut ends = text[before..].char_indices().map(|(at, _)| at).chain([text.len() - before]);
        before + ends.nth(column - 1).unwrap()
    };
    let mut out = String::new();
    let mut done = 0;
    for replacement in replacements {
        let region = &replacement["deletedRegion"];
        out += &text[done..offset(&region["startLine"], &region["startColumn"])];
        out += replacement["insertedContent"]["text"].as_str().unwrap_or_default();
        done = offset(&region["endLine"], &region["endColumn"]);
    }
    out + &text[done..]
}

proptest! {
    #[test]
    fn any_report_is_a_valid_log(report in any_report()) {
        let log = rendered(&report);
        assert_valid_sarif(&log, "a report");
        let violated = report.verdict == Verdict::Violated;
        let results = if violated { report.violations.len() } else { 0 };
        prop_assert_eq!(list(&log["runs"][0]["results"]).len(), results);
        let mut found = Vec::new();
        uris(&log, &mut found);
        prop_assert!(!found.is_empty());
        found.into_iter().for_each(assert_encoded);
    }

    /// Lines of a text: kept or deleted, with or without another put before them.
    #[test]
    fn fixes_do_what_their_patch_does(lines in proptest::collection::vec(("[-+ @a-cä\r]{0,4}", 0..4_u8), 1..9)) {
        let (mut old, mut new, mut hunk) = (String::new(), String::new(), Vec::new());
        let mut push = |change: LineChange, text: String| {
            hunk.push(DiffLine { change, text, is_unended: false });
        };
        for (line, what) in &lines {
            if *what >= 2 {
                new += &format!("{line}!\n");
                push(LineChange::Added, format!("{line}!"));
            }
            old += &format!("{line}\n");
            if what % 2 == 0 {
                new += &format!("{line}\n");
                push(LineChange::Kept, line.clone());
            } else {
                push(LineChange::Removed, line.clone());
            }
        }
        let patch = Diff {
            file: "x.c".to_owned(),
            hunks: vec![Hunk { old_start: 1, new_start: 1, lines: hunk }],
        };
        let texts = ["x.c", "c", ""].map(str::to_owned);
        let log = rendered(&report_with(Verdict::Violated, texts, vec![cause_with(Some(patch))]));
        assert_valid_sarif(&log, "a fix");
        let fixes = &log["runs"][0]["results"][0]["fixes"];
        if lines.iter().all(|(_, what)| *what == 0) {
            prop_assert!(fixes.is_null());
        } else {
            prop_assert_eq!(replaced(&old, list(&fixes[0]["artifactChanges"][0]["replacements"])), new);
        }
    }
}
