//! Faults: where SPIN's verifier gives up or dies, or only says that something is wrong and goes on, we find
//! the fault and say which statement has it.

#![allow(clippy::print_stdout)]

use std::collections::BTreeSet;

use graph::Unwatched;
use model::Fault;
use promela::machine::{Breach, Event};
use search::{Limits, Violation, explore};
use testkit::spin::{Ending, Options, Spin, Verdict};

use crate::support::found::machine;

/// What SPIN does at a fault.
enum Theirs {
    /// Gives up with this text, or goes on.
    Says(&'static str),
    Dies,
    /// Nothing, although something is wrong.
    SaysNothing,
}
use Theirs::{Dies, Says, SaysNothing};

/// The cases of the folder that are faults: the kind of fault, the statement that has it, and SPIN's answer.
const FAULTS: &[(&str, &str, &str, Theirs)] = &[
    ("fault_channel_number", UNMADE, "d!1", SaysNothing),
    (
        "fault_d_step_blocks",
        "block inside a sequence that must not block",
        "D_STEP",
        Says("block in d_step seq"),
    ),
    ("fault_d_step_rendezvous", OFFERED, "D_STEP", Says("rv-attempt in d_step")),
    ("fault_d_step_rendezvous_later", OFFERED, "D_STEP", Says("rv-attempt in d_step")),
    ("fault_division_by_zero", "division by zero", "y = (5/x)", Dies),
    ("fault_division_in_d_step", "division by zero", "D_STEP", Dies),
    ("fault_division_in_guard", "division by zero", "(((4/x)==2))", Dies),
    ("fault_division_later", "division by zero", "y = (6/x)", Dies),
    (
        "fault_enabled_self",
        "enabled() that asks about itself",
        "(enabled(0))",
        Says("used: enabled(pid=thisproc)"),
    ),
    ("fault_full_unmade", UNMADE, "(full(c))", Says("ref to uninitialized chan name")),
    ("fault_len_unmade", UNMADE, "x = len(c)", Says("ref to uninitialized chan name")),
    ("fault_modulo_by_zero", "division by zero", "y = (5%x)", Dies),
    (
        "fault_poll_rendezvous",
        "poll of a rendezvous channel",
        "(c?[1])",
        Says("error to poll rendezvous channel"),
    ),
    ("fault_poll_unmade", UNMADE, "(c?[1])", Says("ref to uninitialized chan name")),
    (
        "fault_priority_range",
        "priority outside 1 to 255",
        "set_priority(0, (x+100))",
        Says("priority is out of range"),
    ),
    ("fault_processes_recursive", "too many processes", "(run p())", Says("too many processes")),
    ("fault_receive_unmade_choice", UNMADE, "c?x", Says("ref to uninitialized chan name")),
    ("fault_remote_variable", "reference to a process that does not exist", "x = q[5].z", SaysNothing),
    ("fault_too_many_channels", "too many channels", "(run p((n+1)))", Says("too many queues")),
    ("fault_too_many_processes", "too many processes", "(run p())", Says("too many processes")),
    (
        "fault_trace_ambiguous",
        "message with which the trace assertion can go on in two ways",
        "c!1",
        Says("non-determinism in event-trace"),
    ),
    ("fault_uninitialised_receive", UNMADE, "c?x", Says("ref to uninitialized chan name")),
    ("fault_uninitialised_send", UNMADE, "c!1", Says("ref to uninitialized chan name")),
];

const OFFERED: &str = "rendezvous inside a sequence that must not be interrupted";
const UNMADE: &str = "use of a channel that was never initialised";

/// The kinds of faults that we find, each with the statement that has it.
fn ours(source: &testkit::spin::Source) -> BTreeSet<(String, String)> {
    let machine = machine(source).expect("a model");
    let found = explore(&machine, Limits::default(), &Unwatched).expect("a small model");
    let mut faults = BTreeSet::new();
    for violation in &found.violations {
        if let Violation::Step { edge, what, .. } = violation {
            let event = Event::unpack(found.events[edge.label as usize]);
            let statement = machine.statements[event.statement as usize].text.clone();
            let kind = Fault::kind_name(Breach::unpack(*what).kind).unwrap_or("assertion");
            faults.insert((kind.to_owned(), statement));
        }
    }
    faults
}

fn agrees(theirs: &Theirs, verdict: &Verdict) -> bool {
    match theirs {
        Says(text) => verdict.by_text.keys().any(|said| said.starts_with(text)),
        Dies => matches!(verdict.ending, Ending::Died(_)),
        SaysNothing => verdict.completed() && verdict.errors == verdict.deadlocks(),
    }
}

#[test]
fn every_fault_is_found_where_spin_stops() {
    let cases = testkit::semantics::semantics_cases().into_iter().filter(|case| case.is_fault());
    let cases: Vec<_> = cases.collect();
    let spin = Spin::find();
    for case in &cases {
        let found = ours(&case.source);
        println!("{:<32} {found:?}", case.name);
        let (_, kind, statement, theirs) = FAULTS
            .iter()
            .find(|(name, ..)| *name == case.name)
            .unwrap_or_else(|| panic!("{} is not in the table", case.name));
        assert!(
            found.contains(&((*kind).to_owned(), (*statement).to_owned())),
            "{}: {found:?} instead of {kind} in {statement}",
            case.name
        );
        if let Some(spin) = &spin {
            let verdict = spin.verify(&case.source, &Options::quick());
            let verdict = verdict.unwrap_or_else(|refusal| panic!("{}: {refusal:?}", case.name));
            assert!(agrees(theirs, &verdict), "{}: {verdict:?}", case.name);
        }
    }
    assert_eq!(cases.len(), FAULTS.len(), "every line of the table has its case");
}
