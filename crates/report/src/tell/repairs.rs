//! Repairs: what was changed, and what came of it.

use findings::{EndlessProperty, ViolationKind, What, Wrongdoing};

use super::changes::change;
use crate::{FoundRepair, Repair};

pub(super) fn repair(repair: &findings::Repair) -> Repair {
    Repair {
        patch: repair.patch.clone(),
        verified: repair.verified,
        bound: repair.bound,
        leaves: repair.leaves.as_ref().map(remains),
    }
}

pub(super) fn found(found: &findings::FoundRepair) -> FoundRepair {
    FoundRepair {
        summary: summary(found),
        change: change(&found.change),
        likelihood: found.likelihood,
        adds: found.adds,
        location: found.repair.location.clone(),
        repair: repair(&found.repair),
    }
}

/// The change and what came of it, in a sentence.
pub(super) fn summary(found: &findings::FoundRepair) -> String {
    let what = match (found.target.kind, &found.target.place) {
        (ViolationKind::Deadlock, _) => "there is no deadlock".to_owned(),
        (ViolationKind::Assertion, Some((_, line))) => format!("the assertion in line {line} holds"),
        (ViolationKind::Fault, Some((_, line))) => format!("no fault occurs in line {line}"),
        _ => "the property holds".to_owned(),
    };
    let within = found.repair.bound.map_or_else(String::new, |bound| format!(", K = {bound}"));
    let rest = found.repair.leaves.as_ref().map_or_else(String::new, |left| format!("; {}", remains(left)));
    let line = found.repair.location.line;
    format!("with {} in line {line}, {what} (verified{within}{rest})", change(&found.change))
}

/// That a violation is still there.
fn remains(wrong: &Wrongdoing) -> String {
    if let What::Endless { property, .. } = &wrong.what {
        return match property {
            EndlessProperty::Stated(text) => format!("`{text}` is still violated"),
            EndlessProperty::NoAcceptanceCycle => "there is still an acceptance cycle".to_owned(),
            EndlessProperty::NoNonProgressCycle => "there is still a non-progress cycle".to_owned(),
        };
    }
    match (wrong.kind, &wrong.place) {
        (ViolationKind::Deadlock, _) => "there is still a deadlock".to_owned(),
        (ViolationKind::Assertion, Some((_, line))) => format!("the assertion in line {line} still fails"),
        (_, Some((_, line))) => format!("a fault still occurs in line {line}"),
        (kind, None) => format!("there is still another violation ({kind})"),
    }
}
