//! Checking with partial-order reduction against exploring everything: the same events, and the same
//! violations, by fewer states, whatever the number of threads.

#![allow(clippy::print_stdout)]

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use graph::Unwatched;
use promela::machine::Machine;
use search::{Checked, Class, Ending, Explored, Limits, Plan, Violation, Wrong, check, explore, replay};
use testkit::random::{Random, for_random_inputs};
use testkit::random_promela::{Knobs, RandomModel, shrink};

use crate::support;

const MOST_STATES: u64 = 20_000;

fn reduced(machine: &Machine, threads: usize) -> Checked {
    let threads = NonZeroUsize::new(threads).expect("not 0");
    check(machine, Plan { threads, reduce: true, ..Plan::default() }, &Unwatched)
}

fn classes(found: &Explored) -> BTreeSet<Wrong> {
    let wrong = |violation: &Violation| match violation {
        Violation::Deadlock { .. } => Wrong::Deadlock,
        Violation::Step { edge, what, .. } => {
            Wrong::Step { event: found.events[edge.label as usize], what: *what }
        }
    };
    found.violations.iter().map(wrong).collect()
}

/// What differs between all and what is left of it, if anything does; and how many states both have.
fn difference(text: &str) -> Option<Result<(u64, u64), String>> {
    let machine = Machine::new(&promela::resolve::read(text).0?).ok()?;
    let limits = Limits { max_states: MOST_STATES, ..Limits::default() };
    let all = explore(&machine, limits, &Unwatched).ok().filter(|all| all.interrupt.is_none())?;
    let mut events = all.events.clone();
    events.sort_unstable();
    let mut first = None;
    for threads in [1, 3] {
        let found = reduced(&machine, threads);
        let wrong: BTreeSet<Wrong> = found.violations.iter().map(|class| class.wrong).collect();
        if wrong != classes(&all) {
            return Some(Err(format!("violations {wrong:?} instead of {:?}", classes(&all))));
        }
        if found.events != events {
            return Some(Err(format!("events {:?} instead of {events:?}", found.events)));
        }
        if found.states > all.counted_states {
            return Some(Err(format!("{} states of {}", found.states, all.counted_states)));
        }
        let wanted: Vec<&Class> = found.violations.iter().collect();
        let traces = found.traces(&machine, &wanted, &Unwatched).expect("nobody ends it");
        for (class, trace) in wanted.iter().zip(&traces) {
            let again = replay(&machine, trace.events.len(), |n, event| event == trace.events[n]);
            let ends = match class.wrong {
                // The last step before a deadlock may itself be wrong.
                Wrong::Deadlock => matches!(again.ending, Ending::Deadlock | Ending::Wrong(_)),
                Wrong::Step { what, .. } => again.ending == Ending::Wrong(what),
            };
            if !ends || again.states != trace.states {
                return Some(Err(format!("{:?} is no trace to {:?}", trace.events, class.wrong)));
            }
        }
        let told = (found.states, found.transitions, traces);
        if *first.get_or_insert_with(|| told.clone()) != told {
            return Some(Err(format!("{told:?} with {threads} threads")));
        }
    }
    first.map(|(states, ..)| Ok((states, all.counted_states)))
}

#[test]
fn models_keep_their_violations() {
    let (mut compared, mut smaller) = (0, 0);
    for (path, text) in support::models() {
        match difference(&text) {
            None => {}
            Some(Err(difference)) => panic!("{}: {difference}", path.display()),
            Some(Ok((left, all))) => {
                compared += 1;
                smaller += u32::from(left < all);
            }
        }
    }
    println!("{compared} models, {smaller} of them smaller");
    assert!(compared > 20 && smaller > 5, "{compared} models, {smaller} smaller");
}

/// As many models as `WHEREFORE_RANDOM_MODELS` says, or some hundreds; `WHEREFORE_SEED` replays one.
#[test]
fn random_models_keep_their_violations() {
    compare_random(Knobs::varied);
}

/// The same with `xr` and `xs`, many of which are broken.
#[test]
fn promises_that_are_broken_lose_nothing() {
    compare_random(|random| {
        let knobs = Knobs::varied(random);
        let rendezvous = if random.percent(70) { 0 } else { knobs.rendezvous };
        let message = knobs.message.max(20);
        // SPIN and we refuse an `else` beside messages together with promises.
        Knobs {
            promises: 35,
            otherwise_with_messages: 0,
            provided: 0,
            priorities: 0,
            rendezvous,
            message,
            ..knobs
        }
    });
}

fn compare_random(knobs: impl Fn(&mut Random) -> Knobs) {
    let count = std::env::var("WHEREFORE_RANDOM_MODELS").ok().and_then(|count| count.parse().ok());
    let (mut compared, mut smaller) = (0, 0);
    for_random_inputs(count.unwrap_or(300), |random| {
        let knobs = knobs(random);
        let model = RandomModel::random(random, &knobs);
        match difference(&model.to_string()) {
            None => {}
            Some(Ok((left, all))) => {
                compared += 1;
                smaller += u32::from(left < all);
            }
            Some(Err(_)) => {
                let small = shrink(model, |model| matches!(difference(&model.to_string()), Some(Err(_))));
                panic!("{:?}:\n{small}", difference(&small.to_string()));
            }
        }
    });
    println!("{compared} models, {smaller} of them smaller");
    assert!(compared > 0);
}
