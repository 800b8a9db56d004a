//! Programs with threads explored in steps of statements and with steps of nobody's concern first: nothing that
//! can happen in any order of single accesses is lost, and nothing else is found.

use std::collections::BTreeSet;

use cfront::Options;
use testkit::random::for_random_inputs;
use testkit::random_c_threads::{GLOBALS, Outcomes, random_threaded};

use crate::run;

fn explored(text: &str, races: bool) -> Outcomes {
    let options = Options { races, ..Options::default() };
    let found = run::explored(&run::model(text, &options, None));
    assert_eq!(found.obstacles, Vec::<String>::new(), "{text}");
    let mut outcomes = Outcomes::default();
    for violation in &found.violations {
        let Some((line, what)) = violation.split_once(": ") else {
            outcomes.deadlock = true;
            continue;
        };
        let line = line.parse().expect("a line");
        if what.starts_with("data race") { &mut outcomes.races } else { &mut outcomes.failures }.insert(line);
    }
    for end in &found.ends {
        // A global that nothing uses is not there, and 0.
        let value =
            |name: String| end.iter().find(|(known, _)| *known == name).map_or("0", |(_, value)| value);
        outcomes.ends.insert(std::array::from_fn::<i32, GLOBALS, _>(|n| {
            value(format!("g{n}")).parse().expect("a number")
        }));
    }
    outcomes
}

fn count() -> u64 {
    std::env::var("WHEREFORE_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(100)
}

#[test]
fn the_same_ends_failures_and_deadlocks_as_in_all_orders_of_accesses() {
    let mut met = BTreeSet::new();
    for_random_inputs(count(), |random| {
        let program = random_threaded(random, true);
        let expected = program.outcomes(false);
        assert_eq!(explored(&program.text, false), expected, "{}", program.text);
        met.extend([(expected.deadlock, !expected.failures.is_empty(), expected.ends.len() > 1)]);
    });
    assert!(met.len() > 4, "too much alike: {met:?}");
}

/// A trace ends with its first race, and a step may pass over accesses to what never changes; so races that
/// come after others may be hidden here, but never all of them.
#[test]
fn a_race_if_and_only_if_some_order_of_accesses_has_one() {
    let mut racy = 0;
    for_random_inputs(count(), |random| {
        let program = random_threaded(random, false);
        let expected = program.outcomes(true);
        let found = explored(&program.text, true);
        assert!(found.races.is_subset(&expected.races), "{found:?} {expected:?} {}", program.text);
        assert_eq!(found.races.is_empty(), expected.races.is_empty(), "{}", program.text);
        racy += u64::from(!expected.races.is_empty());
    });
    assert!(racy > count() / 4 && racy < count(), "{racy}");
}
