//! The causes that fates alone show: the step that decided, or that nothing was left to decide.

use explain::recheck::{self, Recheck, RecheckLimits};
use explain::{Counterexample, StepNote, Untouched};
use findings::{Claim, Decision, Finding, How, Location, RecheckResult};
use graph::{Fairness, Transitions, Watch};

use crate::naming::Naming;

/// How many states a recheck may look at before it gives up.
pub(crate) const RECHECK_STATES: usize = 5_000_000;

pub(crate) fn causes<T: Transitions + Naming>(
    system: &T,
    found: &Counterexample,
    fairness: Fairness,
    watch: &dyn Watch,
) -> Vec<Finding> {
    let look = RecheckLimits { fairness, max_states: RECHECK_STATES, watch };
    let decisive = found.notes.iter().position(StepNote::is_point_of_no_return);
    if let Some(at) = decisive {
        let states: Vec<u32> = found.trace.states().collect();
        let step = at as u64 + 1;
        let note = &found.notes[at];
        let decision = Decision {
            step,
            event: system.label(found.trace.steps[at].label),
            escapes: system.label_list(&note.escapes),
            still_free: system.label_list(&note.still_free),
            is_endless: false,
        };
        let is_last = at + 1 == found.notes.len();
        let claim =
            if is_last { Claim::OnlyTheViolation(decision) } else { Claim::PointOfNoReturn(decision) };
        let result = recheck::point_of_no_return(system, states[at], states[at + 1], &look);
        let finding = Finding::new(claim, locations(system, found, &[step]), vec![step]);
        vec![finding.rechecked(How::ForwardAround(step), result_of(result))]
    } else if found.untouched == Some(Untouched::DoomedFromTheStart) || found.notes.is_empty() {
        let result = match recheck::can_pass(system, found.trace.start, &look) {
            Some(false) => RecheckResult::Confirmed,
            Some(true) => RecheckResult::Refuted,
            None => RecheckResult::NotRun,
        };
        let finding = Finding::new(Claim::Doomed, Vec::new(), Vec::new());
        vec![finding.rechecked(How::ForwardFromStart, result)]
    } else {
        Vec::new()
    }
}

pub(crate) fn result_of(result: Recheck) -> RecheckResult {
    match result {
        Recheck::Confirmed => RecheckResult::Confirmed,
        Recheck::Refuted => RecheckResult::Refuted,
        Recheck::NotRun => RecheckResult::NotRun,
    }
}

/// Where the statements of these steps stand.
pub(crate) fn locations<T: Naming>(system: &T, found: &Counterexample, steps: &[u64]) -> Vec<Location> {
    let labels = steps.iter().map(|n| found.trace.steps[*n as usize - 1].label);
    let told = labels.filter_map(|label| system.told(label));
    told.flat_map(|told| std::iter::once(told.deed).chain(told.partner))
        .filter_map(|deed| deed.location)
        .collect()
}
