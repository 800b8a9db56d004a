//! States, transitions, deadlocks and other errors, compared with SPIN: on the small models that show one
//! rule of the language each, and on the models of Debian's `spin` package.

#![allow(clippy::print_stdout)]

mod support;

use support::found::{Found, ours};
use testkit::spin::{Options, Spin};

/// Where we differ, and why.
const KNOWN: [(&str, &str); 5] = [
    ("index_write_bad", "SPIN looks at the index twice, and counts twice"),
    ("priority_set", "who may move after `set_priority` is not understood yet"),
    ("trace_fails", "trace assertions are not checked yet"),
    ("unless_from_outside", "SPIN warns of `unless` on a guard and tells to rewrite it"),
    ("unless_several_guards", "SPIN warns of `unless` on a guard and tells to rewrite it"),
];

/// Larger models are left to a longer run.
const MOST_STATES: u64 = 300_000;

fn is_known(name: &str) -> bool {
    KNOWN.iter().any(|(known, _)| *known == name)
}

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
        if (ours != Ok(theirs)) != is_known(&case.name) {
            different.push(format!("{}: {ours:?} instead of {theirs:?}", case.name));
        }
    }
    println!("{}", different.join("\n"));
    assert!(different.is_empty(), "{} of {count} differ", different.len());
}

/// The models of Debian's `spin` package that SPIN finishes quickly. Prints a table.
#[test]
fn models_that_come_with_spin() {
    let Some(spin) = Spin::find() else { return };
    let mut different = Vec::new();
    let mut compared = 0;
    for model in testkit::packaged_models::packaged_models().into_iter().filter(|model| !model.is_slow()) {
        let source = model.source();
        let Ok(verdict) = spin.verify(&source, &Options::exact()) else { continue };
        if !verdict.completed() || verdict.states > MOST_STATES {
            continue;
        }
        compared += 1;
        let theirs = Found::from(&verdict);
        let ours = ours(&source, 1_000_000);
        println!("{:<28} {theirs}", model.name);
        if (ours != Ok(theirs)) != is_known(&model.name) {
            different.push(format!("{}: {ours:?} instead of {theirs:?}", model.name));
        }
    }
    println!("{}", different.join("\n"));
    assert!(different.is_empty(), "{} of {compared} differ", different.len());
}
