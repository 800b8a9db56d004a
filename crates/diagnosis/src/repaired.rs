//! Diagnoses and repairs: what a diagnosis proposes is tried first, and a diagnosis with a repair that was verified comes
//! before all others.

use findings::{Explanation, Outcome, TextChange};
use source::Diff;

/// The statements that diagnoses propose, each with its line, the likeliest first.
pub fn changes(explanation: &Explanation) -> Vec<(u64, String)> {
    let Some(Outcome::Found(found)) = &explanation.methods.diagnosis else { return Vec::new() };
    let proposed = found.diagnoses.iter().filter_map(|one| Some((*one.lines.first()?, one.change.clone()?)));
    proposed.collect()
}

/// What small changes put in the place of what stands in a line: the line, what is new, and what is old.
pub fn replacements(explanation: &Explanation) -> Vec<(u64, String, String)> {
    let Some(Outcome::Found(found)) = &explanation.methods.diagnosis else { return Vec::new() };
    let of = |one: &findings::Suspicion| match one.small_change.as_ref()?.data.instead.as_ref()? {
        TextChange::Instead { new, old } => Some((*one.lines.first()?, new.clone(), old.clone())),
        _ => None,
    };
    found.diagnoses.iter().filter_map(of).collect()
}

/// Whether something seems to be missing rather than wrong.
pub fn tells_of_absence(explanation: &Explanation) -> bool {
    matches!(&explanation.methods.diagnosis, Some(Outcome::Found(found)) if found.absence_of_function.is_some())
}

/// Gives each diagnosis the first repair of the report that changes one of its lines. A repair that replaces something
/// shows that it is wrong rather than missing, unless one that adds something is likelier.
pub fn with_repairs(explanation: &mut Explanation) {
    let Some(Outcome::Found(found)) = &mut explanation.methods.diagnosis else { return };
    for diagnosis in &mut found.diagnoses {
        let is_here =
            |repair: &&findings::FoundRepair| diagnosis.lines.contains(&repair.repair.location.line);
        diagnosis.repair = explanation.repairs.iter().find(is_here).map(|found| found.repair.clone().into());
    }
    let is_verified =
        |one: &findings::Suspicion| one.repair.as_ref().is_some_and(|repair| repair.data.verified);
    found.diagnoses.sort_by_key(|one| !is_verified(one));
    for (diagnosis, rank) in found.diagnoses.iter_mut().zip(1..) {
        diagnosis.rank = rank;
    }
    let replaces =
        |patch: &Diff| explanation.repairs.iter().any(|found| found.repair.patch == *patch && !found.adds);
    let is_wrong = |one: &findings::Suspicion| {
        is_verified(one) && one.repair.as_ref().is_some_and(|repair| replaces(&repair.data.patch))
    };
    let is_added = explanation.repairs.first().is_some_and(|first| first.adds);
    if !is_added && found.diagnoses.iter().any(is_wrong) {
        found.absence_of_function = None;
    }
}
