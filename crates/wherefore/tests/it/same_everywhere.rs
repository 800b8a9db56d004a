//! A report is the same on every machine, at any load and with any number of threads: only `--timeout` and Ctrl-C look at
//! the clock. Times and memory are told, and differ; the latter also as `state_bytes` of a check, because each of its
//! threads sets room aside.

#![allow(clippy::unwrap_used)]

use std::process::Output;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::{json, run, stderr, stdout, workspace};
use serde_json::Value;

/// Inputs of every kind and for every engine, some of which come to a limit of work.
const INPUTS: [&[&str]; 14] = [
    &["examples/promela/allocator.pml"],
    &["examples/promela/counter.pml"],
    &["examples/promela/msi.pml"],
    &["examples/promela/telephone.pml"],
    &["examples/promela/philosophers.pml", "-m", "anomalies"],
    &["check", "examples/promela/leader.pml"],
    &["examples/c/calculator.c"],
    &["examples/c/lock_loop.c"],
    &["examples/c/lock_loop.c", "--engine", "summary"],
    &["examples/c/deadline.c"],
    &["examples/c/average.c", "--engine", "sat"],
    &["examples/c/picture_rotate.c"],
    &["examples/diagnosis/lock.c"],
    &["examples/lts/web_shop.aut", "--property-file", "examples/lts/web_shop.mcl"],
];

fn told(arguments: &[&str], threads: &str) -> Value {
    let mut arguments = arguments.to_vec();
    arguments.extend(["-f", "json", "--threads", threads]);
    let output = run(&workspace(), &arguments);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments:?}: {}", stderr(&output));
    let mut report = json(&output);
    forget(&mut report);
    if arguments.contains(&"check") {
        report["statistics"]["state_bytes"] = Value::Null;
    }
    report
}

/// Takes out what is measured.
fn forget(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !matches!(name.as_str(), "seconds" | "search_seconds" | "peak_bytes"));
            fields.values_mut().for_each(forget);
        }
        Value::Array(values) => values.iter_mut().for_each(forget),
        _ => {}
    }
}

/// Does something while other threads keep all processors busy.
fn beside_others<T>(action: impl FnOnce() -> T) -> T {
    let is_over = AtomicBool::new(false);
    let busy = std::thread::available_parallelism().map_or(2, usize::from).max(2);
    std::thread::scope(|scope| {
        for _ in 0..busy {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(action));
        is_over.store(true, Ordering::Relaxed);
        done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[test]
fn a_report_does_not_depend_on_the_machine() {
    let alone: Vec<Value> = INPUTS.iter().map(|arguments| told(arguments, "1")).collect();
    let busy: Vec<Value> =
        beside_others(|| INPUTS.iter().map(|arguments| told(arguments, "2")).collect::<Vec<Value>>());
    for ((arguments, alone), busy) in INPUTS.iter().zip(alone).zip(busy) {
        assert!(alone == busy, "{arguments:?}: {}", difference(&alone, &busy, "report"));
    }
}

/// Where two reports differ first.
fn difference(one: &Value, other: &Value, path: &str) -> String {
    match (one, other) {
        (Value::Object(left), Value::Object(right)) => {
            let names = left.keys().chain(right.keys());
            let mut differing = names.filter(|name| left.get(*name) != right.get(*name));
            let Some(name) = differing.next() else { return String::new() };
            let null = &Value::Null;
            difference(
                left.get(name).unwrap_or(null),
                right.get(name).unwrap_or(null),
                &format!("{path}.{name}"),
            )
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            let at = left.iter().zip(right).position(|(left, right)| left != right).unwrap_or_default();
            difference(&left[at], &right[at], &format!("{path}[{at}]"))
        }
        _ => format!("{path}: {one} and {other}"),
    }
}

/// Whatever is told early is part of the report, and told once.
#[test]
fn the_verdict_comes_first_and_once() {
    let text = |arguments: &[&str]| -> Output { run(&workspace(), arguments) };
    for arguments in [&["examples/promela/philosophers.pml"][..], &["examples/c/average.c"]] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("report.txt");
        let piped = stdout(&text(arguments));
        let mut to_file = arguments.to_vec();
        to_file.extend(["-o", file.to_str().unwrap()]);
        text(&to_file);
        assert_eq!(piped, std::fs::read_to_string(&file).unwrap(), "{arguments:?}");
        assert!(piped.starts_with("violated: "), "{piped}");
        assert_eq!(piped.matches("violated: ").count(), 1, "{piped}");
        let mut quiet = arguments.to_vec();
        quiet.push("-q");
        assert!(piped.starts_with(&stdout(&text(&quiet))), "{piped}");
    }
}
