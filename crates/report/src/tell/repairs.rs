//! Repairs: what was changed, and what came of it.

use findings::{EndlessProperty, TextChange, ViolationKind, What, Wrongdoing};

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
        shown_by_text: found.is_shown,
        kept: found.kept,
        doubt: found.doubt(),
        location: found.repair.location.clone(),
        repair: repair(&found.repair),
    }
}

/// The change and what came of it, in a sentence.
pub(super) fn summary(found: &findings::FoundRepair) -> String {
    let what = match (found.target.kind, &found.target.place) {
        (ViolationKind::Deadlock, _) => "there is no deadlock".to_owned(),
        (ViolationKind::Assertion, Some((_, line))) if found.target.is_output => {
            format!("the output of line {line} is right")
        }
        (ViolationKind::Assertion, Some((_, line))) => format!("the assertion in line {line} holds"),
        (ViolationKind::Fault, Some((_, line))) => format!("no fault occurs in line {line}"),
        _ => "the property holds".to_owned(),
    };
    let within = found.repair.bound.map_or_else(String::new, |bound| format!(", K = {bound}"));
    let rest = found.repair.leaves.as_ref().map_or_else(String::new, |left| format!("; {}", remains(left)));
    let line = found.repair.location.line;
    format!("with {} in line {line}, {what} (verified{within}{rest})", change(&found.change))
}

/// What a change that helps says about the place where it is made.
pub(super) fn suspicion(found: &findings::FoundRepair) -> String {
    let at = &found.repair.location;
    let line = at.line;
    let statement = at.text.trim().trim_end_matches(';');
    match &found.change {
        TextChange::Before { first, second } if found.adds => {
            format!("`{first}` may be missing before `{second}` in line {line}")
        }
        TextChange::After { statement, other } => {
            format!("`{statement}` may be missing after `{other}` in line {line}")
        }
        TextChange::Before { first: second, second: first } | TextChange::Exchanged { first, second } => {
            format!("`{first}` and `{second}` may be in the wrong order, from line {line} on")
        }
        TextChange::Moved { statement, .. } => {
            format!("`{statement}` in line {line} may stand in the wrong place")
        }
        TextChange::Under { first, what, .. } => {
            format!("`{first}` in line {line} may lack the condition `{what}`")
        }
        TextChange::WaitingFor { statement, condition } => {
            format!("`{statement}` in line {line} may have to wait for `{condition}`")
        }
        TextChange::MadeAtomic { first, last } => {
            format!("`{first}` to `{last}` may have to be atomic, from line {line} on")
        }
        TextChange::Added { .. } => format!("a statement may be missing in line {line}"),
        TextChange::Room { .. } => format!("the channel in line {line} may be too small: `{statement}`"),
        TextChange::Without { part } => format!("`{part}` in line {line} may be one statement too many"),
        TextChange::Instead { new, old } if old == "if" && matches!(new.as_str(), "while" | "do") => {
            format!("what line {line} tests may have to be tested again after waiting")
        }
        TextChange::Instead { .. } | TextChange::WithoutSign { .. } => {
            format!("`{statement}` in line {line} may be wrong")
        }
    }
}

/// What speaks for it.
pub(super) fn reason(found: &findings::FoundRepair) -> String {
    let kept = match found.kept {
        Some(1.0) => "and every outcome of passing traces is still reached".to_owned(),
        Some(kept) if kept >= 0.5 => {
            format!("and {:.0} % of the outcomes of passing traces are still reached", 100.0 * kept)
        }
        _ => "and something passes".to_owned(),
    };
    let within = found.repair.bound.map_or_else(String::new, |bound| format!(" up to bound {bound}"));
    format!("with {} nothing fails{within}, {kept}", change(&found.change))
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
        (ViolationKind::Assertion, Some((_, line))) if wrong.is_output => {
            format!("the output of line {line} is still wrong")
        }
        (ViolationKind::Assertion, Some((_, line))) => format!("the assertion in line {line} still fails"),
        (_, Some((_, line))) => format!("a fault still occurs in line {line}"),
        (kind, None) => format!("there is still another violation ({kind})"),
    }
}
