//! `wherefore verify` on names of bugs: what they say of their own steps holds, and a false variable, lock or channel that is
//! planted into them is refuted.

use serde_json::{Value, json};
use tempfile::TempDir;

use super::support::{run, stdout};

/// The report on a model, in a folder of its own.
fn report(folder: &TempDir, text: &str) -> Value {
    std::fs::write(folder.path().join("model.pml"), text).expect("written");
    let output = run(folder.path(), &["model.pml", "-p", "safety", "-f", "json"]);
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The lines that refute something.
fn refuted(folder: &TempDir, report: &Value) -> Vec<String> {
    std::fs::write(folder.path().join("report.json"), report.to_string()).expect("written");
    let text = stdout(&run(folder.path(), &["verify", "report.json"]));
    text.lines().filter(|line| line.trim_start().starts_with("refuted:")).map(str::to_owned).collect()
}

/// The cast of a pattern in a report, wherever it lies.
fn cast<'r>(part: &'r mut Value, name: &str) -> Option<&'r mut Value> {
    if part.get(name).is_some_and(Value::is_object) {
        return part.get_mut(name);
    }
    match part {
        Value::Object(parts) => parts.values_mut().find_map(|part| cast(part, name)),
        Value::Array(parts) => parts.iter_mut().find_map(|part| cast(part, name)),
        _ => None,
    }
}

#[track_caller]
fn holds_and_is_refuted(text: &str, pattern: &str, field: &str, planted: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut report = report(&folder, text);
    let found = refuted(&folder, &report);
    assert!(found.is_empty(), "{found:?}");
    let cast = cast(&mut report["causes"], pattern).unwrap_or_else(|| panic!("no {pattern}: {text}"));
    cast[field] = json!(planted);
    assert!(!refuted(&folder, &report).is_empty(), "{field} is {planted} in {pattern}");
}

#[test]
fn skipped_bookkeeping() {
    let garage = "byte places = 2; byte cars;
        proctype Car() {
            atomic { places > 0 -> places-- };
            if :: goto out :: skip fi;
            places++;
        out: skip }
        init { atomic { run Car(); run Car() }; (_nr_pr == 1); assert(places == 2) }";
    holds_and_is_refuted(garage, "skipped-bookkeeping", "variable", "cars");
}

#[test]
fn foreign_releases() {
    let bus = "bool bus; byte on;
        active [3] proctype Driver() {
            bool got;
            atomic { if :: !bus -> bus = true; got = true :: else fi };
            if :: got -> on++; assert(on == 1); on-- :: else fi;
            bus = false }";
    holds_and_is_refuted(bus, "foreign-release", "lock", "on");
}

#[test]
fn dropped_messages() {
    let link = "chan air = [1] of { byte }; chan near = [1] of { byte }; chan back = [1] of { bit };
        active proctype Sensor() { air!7; back?1 }
        active proctype Radio() { byte v; end: do :: air?v -> if :: near!v :: skip fi od }
        active proctype Station() { byte v; end: do :: near?v -> back!1 od }";
    holds_and_is_refuted(link, "message-dropped", "channel", "near");
}

#[test]
fn updates_over_messages() {
    let counter = std::fs::read_to_string(super::support::workspace().join("examples/promela/counter.pml"));
    holds_and_is_refuted(&counter.expect("read"), "served-update", "variable", "Server:0.who");
}
