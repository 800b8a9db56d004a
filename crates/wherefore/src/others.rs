//! The other violations of a model: of the same cause as the first one, or with causes of their own.
//!
//! What was found to be the cause of one violation is blocked, and the others are looked for again. Those that are
//! gone, while traces still pass, have the same cause; each of the rest is explained by itself.

use std::collections::BTreeSet;

use explain::without::without;
use graph::{Exploration, Story};
use report::{OtherFailure, Report};

use crate::analysis::{Host, Request, explain};
use crate::combine::{Place, combine_causes};
use crate::model_system::ModelSystem;
use crate::naming::Naming;
use crate::telling;

/// How many violations are explained besides the first one, and how many edges may be looked at for each.
const MOST_EXPLAINED: usize = 10;
const MOST_EDGES: u64 = 3_000_000;

/// Tells of the classes in `asked` other than `target`, which `report` is about.
pub(crate) fn other_failures<S: Story>(
    model: &mut ModelSystem<'_, S>,
    asked: &[usize],
    target: usize,
    request: &Request,
    report: &Report,
    host: &dyn Host,
) -> Vec<OtherFailure> {
    if asked.len() < 2 || model.graph().edge_count() as u64 > MOST_EDGES {
        return Vec::new();
    }
    let first = blamed(model, report);
    let mut told = Vec::new();
    for (class, id) in asked.iter().zip(1..).filter(|(class, _)| **class != target).take(MOST_EXPLAINED) {
        model.aim(*class);
        let mut explored = Exploration::new(model, u64::MAX, host);
        // What comes only after another violation has no traces of its own.
        if explored.violating().is_empty() {
            continue;
        }
        if let Some((place, labels)) = &first
            && let Ok(left) = without(model, |_, label, _| labels.contains(&label), request.fairness, host)
            && left.confirms()
        {
            let how = format!("without {place} it does not occur any more, and traces still pass");
            told.push(OtherFailure {
                violation: id,
                same_cause: true,
                how,
                causes: vec![],
                counterexample: None,
            });
            continue;
        }
        let mut own = telling::blank(request);
        own.violations.clone_from(&report.violations);
        own.explained = Some(id);
        if explain(model, None, &mut explored, request, &mut own, host).is_none() {
            break;
        }
        // Correct transitions were told of all violations at once.
        let correct = report.causes.iter().filter(|cause| cause.methods.contains(&"correct-transitions"));
        own.causes.extend(correct.cloned());
        own.methods.correct_transitions.clone_from(&report.methods.correct_transitions);
        combine_causes(&mut own);
        told.push(OtherFailure {
            violation: id,
            same_cause: false,
            how: match &first {
                Some((place, _)) => format!("without {place} it still occurs, or nothing passes"),
                None => "nothing was found that both need".to_owned(),
            },
            causes: own.causes,
            counterexample: own.counterexample,
        });
    }
    model.aim(target);
    told
}

/// The place that is blamed most, if blocking it removes the violation that is explained: its name, and the labels of
/// its steps.
fn blamed<S: Story>(model: &ModelSystem<'_, S>, report: &Report) -> Option<(String, BTreeSet<u32>)> {
    let mut combined = report.clone();
    combine_causes(&mut combined);
    let at = combined.causes.first()?.locations.first()?;
    let place = Place::of(Some(at), "");
    let removes = |without: &report::Without| without.still_violating == 0 && without.passes;
    combined.without.iter().find(|without| place.is_at(without.location.as_ref()) && removes(without))?;
    let labels = 0..model.labels().len() as u32;
    let is_there = |label: &u32| {
        let told = telling::event(model, *label);
        let partner = told.partner.and_then(|with| with.location);
        place.is_at(told.location.as_ref()) || place.is_at(partner.as_ref())
    };
    Some((format!("line {}", at.line), labels.filter(is_there).collect()))
}
