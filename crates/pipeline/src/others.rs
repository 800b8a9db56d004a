//! The other violations of a model: of the same cause as the first one, or with causes of their own.
//!
//! The first violation is decided at its points of no return. All of them are blocked, and the other violations are
//! looked for again: those that are gone, while traces still pass, are decided at the same points and have the same
//! cause; each of the rest is explained by itself.

use explain::without::without;
use findings::Method;
use findings::{Explanation, OtherFailure};
use graph::{Exploration, Fate, Fates, Story, Transitions};

use crate::as_findings;
use crate::combine::rank;
use crate::model_system::ModelSystem;
use crate::naming::Naming;
use crate::registry::Standard;
use crate::request::{Host, Request};
use crate::stages::explain;

/// How many violations are explained besides the first one, and how many edges may be looked at for each.
const MOST_EXPLAINED: usize = 10;
const MOST_EDGES: u64 = 3_000_000;

/// Tells of the classes in `asked` other than `target`, which `report` is about.
pub(crate) fn other_failures<S: Story>(
    model: &mut ModelSystem<'_, S>,
    asked: &[usize],
    target: usize,
    request: &Request,
    explanation: &Explanation,
    host: &dyn Host,
) -> Vec<OtherFailure> {
    if asked.len() < 2 || model.graph().edge_count() as u64 > MOST_EDGES {
        return Vec::new();
    }
    model.aim(target);
    let Some(decisive) = points_of_no_return(model, request, host) else { return Vec::new() };
    let mut told = Vec::new();
    for (class, id) in asked.iter().zip(1..).filter(|(class, _)| **class != target).take(MOST_EXPLAINED) {
        model.aim(*class);
        let mut explored = Exploration::new(model, u64::MAX, host);
        // What comes only after another violation has no traces of its own.
        if explored.violating().is_empty() {
            continue;
        }
        if prevents(model, &decisive, request, host) && is_mutual(model, target, *class, request, host) {
            told.push(OtherFailure {
                violation: id,
                same_cause: true,
                causes: Vec::new(),
                counterexample: None,
            });
            continue;
        }
        let mut own = as_findings::blank(request);
        own.violations.clone_from(&explanation.violations);
        own.explained = Some(id);
        if explain::<Standard, _>(model, None, true, &mut explored, request, &mut own, host).is_none() {
            break;
        }
        // Correct transitions were told of all violations at once.
        let correct =
            explanation.findings.iter().filter(|one| one.claim.method() == Method::CorrectTransitions);
        own.findings.extend(correct.cloned());
        own.methods.correct_transitions.clone_from(&explanation.methods.correct_transitions);
        rank(&mut own);
        told.push(OtherFailure {
            violation: id,
            same_cause: false,
            causes: own.causes,
            counterexample: own.counterexample,
        });
    }
    model.aim(target);
    told
}

/// Whether the violation that is aimed at does not occur without these steps, and traces still pass.
fn prevents<S: Story>(
    model: &ModelSystem<'_, S>,
    decisive: &[(u32, u32, u32)],
    request: &Request,
    host: &dyn Host,
) -> bool {
    let is_decisive = |from, label, to| decisive.binary_search(&(from, label, to)).is_ok();
    without(model, is_decisive, request.fairness, host).is_ok_and(|left| left.confirms())
}

/// Whether the first violation does not occur either without the steps that decide the other one. One direction alone
/// says little: whoever keeps traces away from one violation often keeps them away from another that only comes later.
fn is_mutual<S: Story>(
    model: &mut ModelSystem<'_, S>,
    first: usize,
    other: usize,
    request: &Request,
    host: &dyn Host,
) -> bool {
    let Some(decisive) = points_of_no_return(model, request, host) else { return false };
    model.aim(first);
    let is_prevented = prevents(model, &decisive, request, host);
    model.aim(other);
    is_prevented
}

/// The steps that decide the violation that is aimed at, ascending; nothing where a limit came first.
fn points_of_no_return<S: Story>(
    model: &ModelSystem<'_, S>,
    request: &Request,
    host: &dyn Host,
) -> Option<Vec<(u32, u32, u32)>> {
    let explored = Exploration::new(model, u64::MAX, host);
    let fates =
        Fates::new(model, &explored, request.fairness, host).ok().filter(|_| explored.is_complete())?;
    let mut steps = Vec::new();
    for from in explored.live().iter().filter(|from| fates.of(**from) == Fate::Free) {
        model.successors(*from, |label, to| {
            if to != graph::OUTSIDE && fates.of(to) == Fate::Doomed {
                steps.push((*from, label, to));
            }
        });
    }
    steps.sort_unstable();
    Some(steps)
}
