//! States, transitions, deadlocks and other errors, compared with SPIN: on the small models that show one
//! rule of the language each, and on the models of Debian's `spin` package.

#![allow(clippy::print_stdout)]

use std::time::Duration;

use testkit::packaged_models::PackagedModel;
use testkit::spin::{Options, Source, Spin};

use crate::support::found::{Found, machine, ours};

/// Where we differ: what we find, and why SPIN finds something else.
const KNOWN: &[(&str, Found, &str)] = &[
    ("d_step_asserts", found(3, 3, 0, 1), "SPIN counts two errors in one step"),
    ("hidden_race", found(9, 9, 0, 0), "SPIN goes on with the value it came upon first"),
    ("index_rendezvous", found(6, 7, 0, 1), "SPIN looks at the index in both halves, and counts again"),
    ("index_write_bad", found(4, 4, 0, 1), "SPIN looks at the index twice, and counts twice"),
    ("trace_d_step_twice", found(2, 2, 1, 1), "SPIN counts two errors in one step"),
    ("trace_declared_first", found(5, 5, 0, 0), "SPIN takes process 0 for the trace if that comes first"),
    ("trace_random", found(5, 5, 0, 0), "SPIN looks at the oldest message, not at the one received"),
    ("trace_rendezvous_offer", found(16, 16, 4, 2), "SPIN also counts offers that nobody takes"),
    ("trace_sorted", found(3, 3, 0, 0), "SPIN looks at the last message, not at the one sent"),
];

const fn found(states: u64, transitions: u64, deadlocks: u64, others: u64) -> Found {
    Found { states, transitions, deadlocks, others }
}

/// What we must find in a model, given what SPIN finds.
fn expected(name: &str, theirs: Found) -> Found {
    match KNOWN.iter().find(|(known, ..)| *known == name) {
        Some((_, ours, why)) => {
            assert!(*ours != theirs, "{name} no longer differs: {why}");
            *ours
        }
        None => theirs,
    }
}

/// Larger models are left to a longer run.
const MOST_STATES: u64 = 300_000;

#[test]
fn every_rule_of_the_language() {
    let Some(spin) = Spin::find() else { return };
    let mut different = Vec::new();
    let cases = testkit::semantics::semantics_cases();
    let count = cases.len();
    for case in cases.into_iter().filter(|case| !case.is_fault()) {
        let theirs = match spin.verify(&case.source, &Options::quick()) {
            Ok(verdict) => Found::from(&verdict),
            Err(refusal) => panic!("{}: {refusal:?}", case.name),
        };
        let ours = ours(&case.source, 1_000_000);
        if ours != Ok(expected(&case.name, theirs)) {
            different.push(format!("{}: {ours:?} instead of {theirs:?}", case.name));
        }
    }
    println!("{}", different.join("\n"));
    assert!(different.is_empty(), "{} of {count} differ", different.len());
}

/// The models of Debian's `spin` package. Prints a table; the larger ones are left out of it unless
/// `WHEREFORE_SLOW=1`.
#[test]
fn models_that_come_with_spin() {
    let Some(spin) = Spin::find() else { return };
    let slow = std::env::var("WHEREFORE_SLOW").is_ok_and(|value| value == "1");
    let mut different = Vec::new();
    let mut compared = 0;
    for model in testkit::packaged_models::packaged_models() {
        let source = model.source();
        // Whatever SPIN says to it, we understand it.
        if let Err(error) = machine(&source) {
            different.push(format!("{}: {error}", model.name));
        }
        let theirs = match reference(&spin, &model, &source, slow) {
            Ok(theirs) => theirs,
            Err(left_out) => {
                println!("{:<28} left out: {left_out}", model.name);
                continue;
            }
        };
        compared += 1;
        let ours = ours(&source, 100_000_000);
        println!("{:<28} {theirs}", model.name);
        if ours != Ok(expected(&model.name, theirs)) {
            different.push(format!("{}: {ours:?} instead of {theirs:?}", model.name));
        }
    }
    println!("{compared} compared\n{}", different.join("\n"));
    assert!(different.is_empty(), "{} of {compared} differ", different.len());
}

/// What SPIN finds in a model, or why that is not compared.
fn reference(spin: &Spin, model: &PackagedModel, source: &Source, slow: bool) -> Result<Found, String> {
    if model.is_slow() && !slow {
        return Err("SPIN takes more than 20 seconds or 2 GB".to_owned());
    }
    let mut options = Options::exact();
    if model.is_slow() {
        options = options.within(Duration::from_secs(300));
        options.limits.memory_mib = 8192;
    }
    let verdict = match spin.verify(source, &options) {
        Ok(verdict) => verdict,
        Err(_) => return Err("SPIN refuses it".to_owned()),
    };
    if !verdict.completed() {
        let said: Vec<&str> = verdict.by_text.keys().map(String::as_str).take(1).collect();
        return Err(format!("SPIN does not finish it: {:?} {}", verdict.ending, said.join(" ")));
    }
    if verdict.states > MOST_STATES && !slow {
        return Err(format!("{} states", verdict.states));
    }
    Ok(Found::from(&verdict))
}
