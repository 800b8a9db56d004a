//! Starvation and livelock: the others go on forever, and somebody who could move at times never does; or all move, and
//! nothing that counts as progress comes of it.
//!
//! It applies to endless counterexamples. Of starvation: there are processes that take no step in the loop, and each of them
//! could have moved in one of its states. Of livelock: everybody who is not at an end moves in the loop, at least two of
//! them, and the loop has no progress. Both are facts about the loop. It is refuted, and nobody is named, where a process
//! waits in vain in all states of the loop: it is blocked, and nobody passes it over.

use findings::{BugPattern, Claim, Finding, How, Moment, PatternMatch, RecheckResult, Role};

/// A loop as data.
#[derive(Debug)]
pub struct Loop {
    /// Its steps.
    pub steps: Vec<Moment>,
    /// Processes that take no step in it and may not stop: who, and a step that it could take in the loop, if any.
    pub idle: Vec<(Role, Option<Moment>)>,
    /// Whether the property asks for progress and nothing else.
    pub asks_progress: bool,
}

/// How many steps of the others are told.
const MOST_TOLD: usize = 4;

/// The name of an endless counterexample, with what came of evaluating the property on it.
pub fn starved(found: &Loop, how: How, result: RecheckResult) -> Option<Finding> {
    let mut movers: Vec<&Role> = found.steps.iter().map(|step| &step.who).collect();
    movers.sort_unstable();
    movers.dedup();
    let others: Vec<Moment> = found.steps.iter().take(MOST_TOLD).cloned().collect();
    let could: Option<Vec<&Moment>> = found.idle.iter().map(|(_, could)| could.as_ref()).collect();
    let pattern = match &could?[..] {
        [first, also @ ..] if !movers.is_empty() => BugPattern::Starvation {
            who: Some(first.who.clone()),
            could: Some((*first).clone()),
            also: also.iter().map(|step| (*step).clone()).collect(),
            others,
        },
        [] if found.asks_progress && movers.len() > 1 => {
            BugPattern::Starvation { who: None, could: None, also: Vec::new(), others }
        }
        _ => return None,
    };
    let steps = found.steps.iter().map(|step| step.step).collect();
    let locations = pattern.locations();
    if result == RecheckResult::Refuted {
        return None;
    }
    let claim = Claim::Pattern(Box::new(PatternMatch { pattern, coverage: None }));
    Some(Finding::new(claim, locations, steps).rechecked(how, result))
}
