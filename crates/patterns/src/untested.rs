//! A missing case in sequential code: one of several functions that use a table does not make the test that all others
//! make before they use it.
//!
//! It applies to an index that is out of bounds, or a bad pointer, where the failing step reads a variable that at least
//! two other functions test that write or read the same table, and its own function never tests. It is refuted if a
//! violation is left when that statement is not executed, or if nothing passes then. That alone would be true of nearly
//! every statement that fails, so the tests of the others must be what is missing: one of them must have been asked with
//! every value with which the statement fails anywhere, and that function must have used the table with none of them.

use std::collections::{BTreeMap, BTreeSet};

use findings::BugPattern;
use graph::{FaultKind, OUTSIDE};

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
        let are_tested = same && users.len() >= FEWEST && users.iter().all(|user| testing.contains(user));
        if !are_tested {
            continue;
        }
        let statement = facts.statement(failing.told.deed.location.as_ref(), &failing.told.deed.action);
        let role = |label: usize| match function(label) {
            _ if Some(facts.statements[label]) == statement => Role::Fails,
            Some(user) if users.contains(user) && tests(&label) => Role::Tests(user),
            Some(user) if users.contains(user) && uses(&label) => Role::Uses(user),
            _ => Role::None,
        };
        let roles: Vec<Role<'_>> = labels().map(role).collect();
        if Asked::of(world, variable, &roles).is_refused() {
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

/// What a step has to do with a test that may be missing.
#[derive(Clone, Copy)]
enum Role<'a> {
    None,
    /// It is the statement that fails.
    Fails,
    /// It is a test in another function.
    Tests(&'a str),
    /// It uses the table in another function.
    Uses(&'a str),
}

/// The values of a variable, in the whole system.
#[derive(Default)]
struct Asked<'a> {
    /// With which the statement fails.
    failing: BTreeSet<String>,
    tested: BTreeMap<&'a str, BTreeSet<String>>,
    used: BTreeMap<&'a str, BTreeSet<String>>,
}

impl<'a> Asked<'a> {
    fn of(world: &impl World, variable: &str, roles: &[Role<'a>]) -> Self {
        let mut asked = Self::default();
        for state in 0..world.bound() as u32 {
            let Some(bytes) = world.bytes(state) else { continue };
            let mut here: Vec<(Role<'a>, bool)> = Vec::new();
            world.successors(state, |label, target| {
                let is_wrong = target != OUTSIDE && world.is_violating(target);
                match roles[label as usize] {
                    Role::None => {}
                    role => here.push((role, is_wrong)),
                }
            });
            if here.is_empty() {
                continue;
            }
            let values = world.story().values(bytes);
            let Some((_, value)) = values.into_iter().find(|(name, _)| name == variable) else { continue };
            for (role, is_wrong) in here {
                let known = match role {
                    Role::Fails if is_wrong => &mut asked.failing,
                    Role::Tests(user) => asked.tested.entry(user).or_default(),
                    Role::Uses(user) => asked.used.entry(user).or_default(),
                    Role::Fails | Role::None => continue,
                };
                known.insert(value.clone());
            }
        }
        asked
    }

    /// Whether one of the others was asked with all values with which the statement fails, and went on with none.
    fn is_refused(&self) -> bool {
        let none = BTreeSet::new();
        !self.failing.is_empty()
            && self.tested.iter().any(|(user, tested)| {
                let used = self.used.get(user).unwrap_or(&none);
                self.failing.is_subset(tested) && self.failing.is_disjoint(used)
            })
    }
}
