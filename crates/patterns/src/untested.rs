//! A missing case in sequential code: one of several functions that use a table does not make the test that all others
//! make before they use it.
//!
//! It applies to an index that is out of bounds, or a bad pointer, where the failing step reads a variable that at least
//! two other functions test that write or read the same table, and its own function never tests. It is refuted if a
//! violation is left when that statement is not executed, or if nothing passes then.

use std::collections::BTreeSet;

use findings::BugPattern;
use graph::FaultKind;

use crate::World;
use crate::lens::Facts;
use crate::names::base;
use crate::scene::Scene;

/// How many other functions have to make the test.
const FEWEST: usize = 2;

pub(crate) fn candidate(world: &impl World, scene: &Scene, facts: &Facts) -> Option<BugPattern> {
    let failing = scene.steps.last().filter(|_| scene.end.fault == Some(FaultKind::BadIndex))?;
    let own = failing.function.as_ref()?;
    let story = world.story();
    let function = |label: usize| world.event(label as u32).and_then(|event| story.function(event));
    let steers = |label: usize| world.event(label as u32).is_some_and(|event| story.steers(event));
    let labels = || 0..facts.samples.len();
    for variable in &failing.footprint.reads {
        let tests = |label: &usize| steers(*label) && facts.samples[*label].reads.contains(variable);
        let testing: BTreeSet<&str> = labels().filter(tests).filter_map(function).collect();
        if testing.contains(own.as_str()) {
            continue;
        }
        // The table has elements; whoever touches one by this variable is meant.
        let is_element = |name: &String| name.contains('[');
        let uses = |label: &usize| {
            let sample = &facts.samples[*label];
            !steers(*label)
                && sample.reads.contains(variable)
                && sample.reads.iter().chain(&sample.writes).any(is_element)
        };
        let tables = |label: usize| {
            let sample = &facts.samples[label];
            let names = sample.reads.iter().chain(&sample.writes).filter(|name| is_element(name));
            names.map(|name| base(name)).collect::<BTreeSet<String>>()
        };
        let users: BTreeSet<&str> =
            labels().filter(uses).filter_map(function).filter(|name| name != own).collect();
        let shared: Vec<BTreeSet<String>> = labels()
            .filter(uses)
            .filter(|label| function(*label).is_some_and(|name| name != own))
            .map(tables)
            .collect();
        let same = shared.windows(2).all(|pair| !pair[0].is_disjoint(&pair[1]));
        if same && users.len() >= FEWEST && users.iter().all(|user| testing.contains(user)) {
            return Some(BugPattern::Untested {
                variable: variable.clone(),
                function: own.clone(),
                others: users.into_iter().map(str::to_owned).collect(),
                at: failing.moment(),
            });
        }
    }
    None
}
