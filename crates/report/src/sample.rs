//! A counterexample to try renderers on.

use std::collections::BTreeMap;

use crate::{Counterexample, Deed, Fate, StateId, Step, ViolationKind};

/// A step of process `p` number `pid`, perhaps with another one.
pub(crate) fn step(n: u64, pid: u64, partner: Option<u64>) -> Step {
    let deed =
        |pid| Deed { process: "p".to_owned(), pid: Some(pid), action: "c?x".to_owned(), location: None };
    Step {
        n,
        process: Some("p".to_owned()),
        pid: Some(pid),
        action: "c!1".to_owned(),
        location: None,
        partner: partner.map(deed),
        event: String::new(),
        changes: BTreeMap::new(),
        stays: BTreeMap::new(),
        inputs: Vec::new(),
        depth: None,
        fate: Fate::Unknown,
        kept: false,
        state: StateId::Number(0),
        escapes: Vec::new(),
        still_free: Vec::new(),
        point_of_no_return: false,
    }
}

/// A deadlock after these steps.
pub(crate) fn counterexample(steps: Vec<Step>) -> Counterexample {
    Counterexample {
        kind: ViolationKind::Deadlock,
        text: None,
        length: steps.len() as u64,
        loop_start: None,
        chosen: String::new(),
        choice: "given",
        past_others: false,
        initial: BTreeMap::new(),
        steps,
        blocked: Vec::new(),
        condition: Vec::new(),
    }
}
