//! `search::check`, which keeps no steps, against `search::explore`, which keeps everything, on all models
//! that are small enough: the same counts, classes and lengths for any number of threads.

#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;

use graph::Unwatched;
use promela::machine::Machine;
use search::{Class, Ending, Explored, Limits, Plan, Violation, Wrong, check, explore, replay};

use crate::support;

const MOST_STATES: u64 = 20_000;

/// Count and shortest length of every class.
type Classes = BTreeMap<Wrong, (u64, u32)>;

fn classes(found: &Explored) -> Classes {
    let mut classes = Classes::new();
    for violation in &found.violations {
        let (wrong, length) = match violation {
            Violation::Deadlock { state } => (Wrong::Deadlock, found.depth(*state)),
            Violation::Step { state, edge, what } => {
                let event = found.events[edge.label as usize];
                (Wrong::Step { event, what: *what }, found.depth(*state) + 1)
            }
        };
        let (count, shortest) = classes.entry(wrong).or_insert((0, u32::MAX));
        *count += 1;
        *shortest = length.min(*shortest);
    }
    classes
}

fn agrees(path: &Path, machine: &Machine, kept: &Explored) {
    let expected = classes(kept);
    let mut shown = Vec::new();
    for threads in [1, 2, 4] {
        let threads = NonZeroUsize::new(threads).expect("not 0");
        let found = check(machine, Plan { threads, ..Plan::default() }, &Unwatched);
        assert_eq!(
            (found.states, found.transitions, found.errors, found.max_depth),
            (kept.counted_states, kept.transitions, kept.errors, kept.max_depth()),
            "{}",
            path.display()
        );
        let classes: Classes =
            found.violations.iter().map(|class| (class.wrong, (class.count, class.shortest))).collect();
        assert_eq!(classes, expected, "{}", path.display());
        let nearest: Vec<&Class> = found.violations.iter().take(1).collect();
        let traces = found.traces(machine, &nearest, &Unwatched).expect("nobody ends it");
        if let Some((class, trace)) = nearest.first().zip(traces.first()) {
            assert_eq!(trace.events.len(), class.shortest as usize, "{}", path.display());
            let again = replay(machine, trace.events.len(), |n, event| event == trace.events[n]);
            assert!(matches!(again.ending, Ending::Deadlock | Ending::Wrong(_)), "{}", path.display());
        }
        shown.push(traces);
    }
    assert!(shown.iter().all(|traces| *traces == shown[0]), "{}", path.display());
}

#[test]
fn models_are_checked_as_they_are_explored() {
    let (mut compared, mut violated) = (0, 0);
    for (path, text) in support::models() {
        let Some(program) = promela::resolve::read(&text).0 else { continue };
        let Ok(machine) = Machine::new(&program) else { continue };
        let limits = Limits { max_states: MOST_STATES, ..Limits::default() };
        let kept = explore(&machine, limits, &Unwatched).expect("few edges");
        if kept.interrupt.is_none() {
            agrees(&path, &machine, &kept);
            compared += 1;
            violated += usize::from(!kept.violations.is_empty());
        }
    }
    println!("{compared} models, {violated} of them with violations");
    // The small models of the semantics are always there.
    assert!(compared > 20 && violated > 5, "{compared} models, {violated} with violations");
}
