//! The step that decided: before it a trace could still pass, after it every trace fails. The claim names what could
//! have been done instead. Where the violating step itself is the first that decides, nothing was decided before it.
//! Where there is no such step, no trace from the start passes.

use findings::{Fate, Shows, Witness};

use crate::case::{Case, Tested, same, unknown};
use crate::says::Decision;

pub(crate) fn point_of_no_return(case: &Case<'_>, told: &Decision, is_last: bool) -> Tested {
    case.step_is(told.step, &told.event)?;
    let trace = case.trace()?;
    let at = usize::try_from(told.step).unwrap_or_default();
    same("whether it is the last step", &is_last, &(at == trace.events.len()))?;
    let (before, after) = (trace.nodes[at - 1], trace.nodes[at]);
    if case.fates.can_pass[after] {
        let events = case.net.names(&trace.events[..at]);
        return Err(Witness::Trace { shows: Shows::Passes, events });
    }
    same("fate before the step", &Fate::Free, &case.fate(before))?;
    same("fate after the step", &Fate::Doomed, &case.fate(after))?;
    let (escapes, still_free) = case.instead(before, (trace.events[at - 1], after));
    same("escapes", &told.escapes.iter().map(String::as_str).collect(), &escapes)?;
    same("still_free", &told.still_free.iter().map(String::as_str).collect(), &still_free)
}

/// No trace from the start of the counterexample passes.
pub(crate) fn doomed(case: &Case<'_>) -> Tested {
    let start = case.trace()?.nodes.first().copied().ok_or_else(|| unknown("the initial state"))?;
    if case.fates.can_pass[start] {
        return Err(Witness::Trace { shows: Shows::Passes, events: Vec::new() });
    }
    same("fate of the initial state", &Fate::Doomed, &case.fate(start))
}
