//! The causes that fates alone show: the step that decided, or that nothing was left to decide.

use explain::recheck::{self, Look, Recheck};
use explain::{Counterexample, StepNote, Untouched};
use findings::Method;
use graph::{Fairness, Transitions, Watch};
use report::wording::instead_of;
use report::{CauseKind, RecheckResult};

use crate::naming::Naming;

/// How many alternatives to a step a claim names.
const MOST_ALTERNATIVES: usize = 4;
/// How many states a recheck may look at before it gives up.
pub(crate) const RECHECK_STATES: usize = 5_000_000;

pub(crate) fn causes<T: Transitions + Naming>(
    system: &T,
    found: &Counterexample,
    fairness: Fairness,
    watch: &dyn Watch,
) -> Vec<report::Cause> {
    let look = Look { fairness, max_states: RECHECK_STATES, watch };
    let states: Vec<u32> = found.trace.states().collect();
    let decisive = found.notes.iter().position(StepNote::is_point_of_no_return);
    let (kind, summary, claim, how, steps, result) = if let Some(at) = decisive {
        let action = system.label(found.trace.steps[at].label);
        let n = at as u64 + 1;
        let is_last = at + 1 == found.notes.len();
        let before = if at == 0 { "at the start".to_owned() } else { format!("after step {at}") };
        let note = &found.notes[at];
        let instead = |labels: &[u32]| instead_of(&action, &system.label_list(labels), MOST_ALTERNATIVES);
        let escape = if !note.escapes.is_empty() {
            format!("; {} in its place would have escaped", instead(&note.escapes))
        } else if !note.still_free.is_empty() {
            format!("; {} in its place would have left a way to pass", instead(&note.still_free))
        } else {
            String::new()
        };
        let (summary, claim) = if is_last {
            (
                format!("only the violation itself decides: step {n}, `{action}`"),
                format!(
                    "nothing was decided before the violation itself: {before} the run could still pass; step {n}, \
                     `{action}`, violates the property{escape}"
                ),
            )
        } else {
            (
                format!("step {n}, `{action}`, is the point of no return"),
                format!(
                    "{before} the run could still pass; step {n}, `{action}`, was the point of no return: every \
                     trace that goes on from there fails{escape}"
                ),
            )
        };
        (
            if is_last { CauseKind::OnlyTheViolation } else { CauseKind::PointOfNoReturn },
            summary,
            claim,
            format!("a forward search for a passing trace, before step {n} and after it"),
            vec![n],
            recheck::point_of_no_return(system, states[at], states[at + 1], &look),
        )
    } else if found.untouched == Some(Untouched::DoomedFromTheStart) || found.notes.is_empty() {
        let passes = recheck::can_pass(system, found.trace.start, &look);
        (
            CauseKind::Doomed,
            "every trace fails".to_owned(),
            "no trace from this initial state passes: the run was doomed before its first step".to_owned(),
            "a forward search for a passing trace from the initial state".to_owned(),
            vec![],
            match passes {
                Some(false) => Recheck::Confirmed,
                Some(true) => Recheck::Refuted,
                None => Recheck::NotRun,
            },
        )
    } else {
        return Vec::new();
    };
    vec![report::Cause {
        rank: 1,
        score: 1.0,
        kind,
        summary,
        claim,
        locations: locations(system, found, &steps),
        steps,
        methods: vec![Method::Neighbourhoods],
        group: 1,
        recheck: report::Recheck { how, result: told_recheck(result) },
        repair: None,
        evidence: Vec::new(),
    }]
}

pub(crate) fn told_recheck(result: Recheck) -> RecheckResult {
    match result {
        Recheck::Confirmed => RecheckResult::Confirmed,
        Recheck::Refuted => RecheckResult::Refuted,
        Recheck::NotRun => RecheckResult::NotRun,
    }
}

/// Where the statements of these steps stand.
pub(crate) fn locations<T: Naming>(
    system: &T,
    found: &Counterexample,
    steps: &[u64],
) -> Vec<report::Location> {
    let labels = steps.iter().map(|n| found.trace.steps[*n as usize - 1].label);
    let told = labels.filter_map(|label| system.told(label));
    told.flat_map(|told| std::iter::once(told.deed).chain(told.partner))
        .filter_map(|deed| deed.location)
        .collect()
}
