//! One ranked list of causes out of what all methods found.
//!
//! Every finding is about places in the text; [`explain::combine`] ranks the places. A cause is then one place: what is
//! said most strongly of it is its main finding, all else that speaks for it is its evidence.

mod place;
mod remarks;
mod without;

use std::collections::BTreeSet;

use explain::combine::{Finding as Weighed, Suspect, combine};
use findings::{Cause, CauseKind, Claim, Condition, Explanation, Finding, Method, Outcome};

use self::place::BlamedPlace;
use self::remarks::Remark;
pub(crate) use self::without::blocked_in_turn;
use crate::essential::essential;

/// How many causes are told, and how much less likely than the first one a cause may be.
const MOST_CAUSES: usize = 10;
const FAINTEST: f64 = 0.15;
/// How many reasons of one kind are told of a cause.
const MOST_OF_A_KIND: usize = 2;
/// How far the place is to blame where a program takes a value from outside.
const FROM_OUTSIDE: f64 = 0.15;
/// How far the check itself is to blame: that it failed is no explanation.
const CHECK_ITSELF: f64 = 0.35;
/// How far a statement is to blame that no violating state needs.
const NOT_NEEDED: f64 = 0.6;

/// Ranks the causes anew from all findings, and marks the steps of the counterexample that matter. The last word has
/// [`crate::conclude`]; before that it is for whoever has to know where to look first.
pub(crate) fn rank(explanation: &mut Explanation) {
    let remarks = remarks::all(explanation);
    explanation.causes = ranked(explanation, &remarks);
    if !remarks.is_empty() {
        keep(explanation);
    }
}

fn ranked(explanation: &Explanation, remarks: &[Remark]) -> Vec<Cause> {
    let weighed: Vec<Weighed<BlamedPlace>> = remarks
        .iter()
        .map(|remark| Weighed { kind: remark.finding.claim.kind(), places: remark.places.clone() })
        .collect();
    let mut ranked = combine(&weighed, |place| credit(explanation, place));
    put_named_first(&mut ranked, remarks);
    let strongest = ranked.first().map_or(0.0, |first| first.score);
    let likely = ranked.iter().take_while(|suspect| suspect.score >= strongest * FAINTEST);
    // Places about which the same is said are one cause.
    let mut claimed: Vec<usize> = Vec::new();
    let mut causes: Vec<Cause> = Vec::new();
    // Places about which nothing is known but that a change there helps, before the first cause.
    let mut waiting: Vec<&Suspect<BlamedPlace>> = Vec::new();
    for suspect in likely {
        let Some(main) = main_remark(remarks, suspect, &claimed) else {
            match causes.last_mut() {
                Some(cause) => attach(cause, remarks, suspect),
                None => waiting.push(suspect),
            }
            continue;
        };
        // A place in an inline or a macro is drawn with the one that uses it.
        let is_drawn = causes.iter().any(|known| is_used_there(&suspect.place, known));
        if causes.len() < MOST_CAUSES && !claimed.contains(&main) && !is_drawn {
            claimed.push(main);
            causes.push(cause(explanation, remarks, suspect, main));
        }
    }
    if let Some(first) = causes.first_mut() {
        waiting.into_iter().for_each(|suspect| attach(first, remarks, suspect));
    }
    // What is about no place, or was refuted, is told as it is.
    let placeless = explanation.findings.iter().filter(|finding| {
        remarks::stands_alone(finding)
            && (finding.locations.is_empty() && finding.steps.is_empty() || finding.is_refuted())
    });
    causes.extend(placeless.map(alone));
    causes
}

/// Whether a remark says what to change: that is no cause, but belongs to one.
fn is_change(remark: &Remark) -> bool {
    matches!(remark.finding.claim.kind(), CauseKind::Repair | CauseKind::Insertion)
}

/// Puts changes at a place of their own to a cause, as evidence for that place as well.
fn attach(cause: &mut Cause, remarks: &[Remark], suspect: &Suspect<BlamedPlace>) {
    for finding in suspect.findings.iter().map(|at| &remarks[*at].finding) {
        let new = finding.locations.iter().filter(|at| !cause.locations.contains(at)).cloned();
        let new: Vec<_> = new.collect();
        cause.locations.extend(new);
        if cause.repair.is_none() {
            cause.repair.clone_from(&finding.repair);
        }
        if !cause.evidence.contains(finding) {
            cause.evidence.push(finding.clone());
        }
    }
}

/// Where the bug has a name, its place comes first.
fn put_named_first(ranked: &mut [Suspect<BlamedPlace>], remarks: &[Remark]) {
    let named = remarks.iter().position(|remark| remark.finding.claim.kind() == CauseKind::Pattern);
    let Some((place, _)) = named.and_then(|at| remarks[at].places.first()) else { return };
    let best = ranked.first().map_or(0.0, |first| first.score);
    if let Some(at) = ranked.iter().position(|suspect| suspect.place == *place) {
        ranked[at].score = ranked[at].score.max(best);
        ranked[..=at].rotate_right(1);
    }
}

/// A finding as a cause by itself.
fn alone(finding: &Finding) -> Cause {
    Cause {
        score: 0.0,
        main: finding.clone(),
        exactly_when: None,
        locations: finding.locations.clone(),
        methods: vec![finding.claim.method()],
        group: finding.group,
        repair: finding.repair.clone(),
        evidence: Vec::new(),
    }
}

/// Whether a cause is about a use of what stands at the place, and tells the place as well.
fn is_used_there(place: &BlamedPlace, cause: &Cause) -> bool {
    let Some(first) = cause.locations.first() else { return false };
    let own = BlamedPlace::of(Some(first), "");
    let uses = |inner: &findings::Location| inner.calls.iter().any(|call| own.is_at(Some(call)));
    cause.locations.iter().any(|at| place.is_at(Some(at)) && uses(at))
}

/// How many steps are kept besides the violation where nobody knows what steps touch: so many, or one in so many of a
/// long trace.
const FEW_KEPT: usize = 2;
const ONE_IN: usize = 30;

/// Marks the steps without which the story cannot be told. In a transition system those that neighbourhoods keep stay as
/// they are.
fn keep(explanation: &mut Explanation) {
    let Explanation { causes, counterexample: Some(counterexample), .. } = explanation else { return };
    if counterexample.steps.iter().all(|step| step.location.is_none()) {
        return;
    }
    let mut kept: BTreeSet<u64> =
        essential(counterexample, causes.first()).into_iter().map(|at| at as u64 + 1).collect();
    if kept.is_empty() {
        kept = of_causes(causes, &counterexample.steps);
    }
    for step in &mut counterexample.steps {
        step.kept = kept.contains(&step.n);
    }
}

/// The last step of each of the likeliest causes, and the violation.
fn of_causes(causes: &[Cause], steps: &[findings::Step]) -> BTreeSet<u64> {
    let most = FEW_KEPT.max(steps.len() / ONE_IN);
    let mut kept: BTreeSet<u64> = steps.last().map(|last| last.n).into_iter().collect();
    for cause in causes.iter().filter(|cause| cause.score > 0.0) {
        if kept.len() > most {
            break;
        }
        // The last step that is meant, or else the last time that the statement was executed or was the other side of
        // a rendezvous.
        let place = cause.locations.first().map(|at| BlamedPlace::of(Some(at), ""));
        let is_there = |step: &&findings::Step| {
            let partner = step.partner.as_ref().and_then(|with| with.location.as_ref());
            let locations = step.location.iter().chain(partner);
            let mut with_calls = locations.flat_map(|at| std::iter::once(at).chain(&at.calls));
            place.as_ref().is_some_and(|place| with_calls.any(|at| place.is_at(Some(at))))
        };
        let there = || steps.iter().filter(is_there).map(|step| step.n);
        let meant = there().rfind(|n| cause.main.steps.contains(n));
        kept.extend(meant.or_else(|| there().next_back()));
    }
    kept
}

/// How far what stands at a place can be to blame at all.
fn credit(explanation: &Explanation, place: &BlamedPlace) -> f64 {
    let steps = explanation.counterexample.iter().flat_map(|counterexample| &counterexample.steps);
    let from_outside =
        steps.clone().any(|step| !step.inputs.is_empty() && place.is_at(step.location.as_ref()));
    let violation = explanation.explained_violation().and_then(|violation| violation.location.as_ref());
    let mut credit = 1.0;
    if from_outside {
        credit *= FROM_OUTSIDE;
    } else if violation.is_some() && place.is_at(violation) && !is_missing_before(explanation, place) {
        credit *= CHECK_ITSELF;
    }
    if let Some(without) =
        explanation.without.iter().find(|without| place.is(without.location.as_ref(), &without.event))
    {
        let needed = 1.0 - without.still_violating as f64 / without.violating.max(1) as f64;
        credit *= NOT_NEEDED + (1.0 - NOT_NEEDED) * needed;
    }
    credit
}

/// Whether something that was added in front of a place helps: then not what stands there is to blame.
fn is_missing_before(explanation: &Explanation, place: &BlamedPlace) -> bool {
    let mut repairs = explanation.repairs.iter();
    repairs.any(|found| found.adds && found.repair.verified && place.is_at(Some(&found.repair.location)))
}

/// What is told first of a place: a claim that is about this place and was looked at again goes before a stronger one
/// that was not. Nothing where all that is known is that a change helps.
fn main_remark(remarks: &[Remark], suspect: &Suspect<BlamedPlace>, claimed: &[usize]) -> Option<usize> {
    let is_confirmed = |at: &&usize| {
        let remark = &remarks[**at];
        let is_meant = remark.places.iter().any(|(place, share)| *place == suspect.place && *share > 0.5);
        is_meant && remark.finding.is_confirmed() && !claimed.contains(*at)
    };
    let explains = |at: &&usize| remarks[**at].finding.locations.len() <= 1;
    let is_name = |at: &&usize| {
        let remark = &remarks[**at];
        remark.finding.claim.kind() == CauseKind::Pattern
            && remark.places.first().is_some_and(|(place, _)| *place == suspect.place)
    };
    if let Some(named) = suspect.findings.iter().find(is_name) {
        return Some(*named);
    }
    let causes = || suspect.findings.iter().filter(|at| !is_change(&remarks[**at]));
    let mut confirmed = causes().filter(is_confirmed);
    let explaining = confirmed.clone().find(explains);
    explaining.or(confirmed.next()).or(causes().next()).copied()
}

fn cause(
    explanation: &Explanation,
    remarks: &[Remark],
    suspect: &Suspect<BlamedPlace>,
    main: usize,
) -> Cause {
    let said = || suspect.findings.iter().map(|at| &remarks[*at].finding);
    let mut methods: Vec<Method> = Vec::new();
    for finding in said() {
        if !methods.contains(&finding.claim.method()) {
            methods.push(finding.claim.method());
        }
    }
    // Of each kind of finding two are enough.
    let own = &remarks[main].finding;
    let mut known = vec![own.claim.kind()];
    // The change that a place is suspected for is told with it.
    if own.claim.kind() == CauseKind::MayBeWrong {
        known.extend([CauseKind::Repair; MOST_OF_A_KIND]);
    }
    let mut evidence: Vec<Finding> = Vec::new();
    for at in suspect.findings.iter().filter(|at| **at != main) {
        let finding = &remarks[*at].finding;
        let kind = finding.claim.kind();
        if known.iter().filter(|known| **known == kind).count() < MOST_OF_A_KIND {
            known.push(kind);
            evidence.push(finding.clone());
        }
    }
    let told = said()
        .flat_map(|finding| &finding.locations)
        .chain(remarks.iter().flat_map(|remark| &remark.finding.locations));
    let place = told.clone().find(|location| suspect.place.is_at(Some(location))).cloned();
    let others = own.locations.iter().filter(|other| !suspect.place.is_at(Some(other))).cloned();
    Cause {
        score: suspect.score,
        main: own.clone(),
        exactly_when: exactly_when(remarks, own),
        locations: place.into_iter().chain(others).collect(),
        methods,
        group: group(explanation, &suspect.place),
        repair: said().find_map(|finding| finding.repair.clone()),
        evidence,
    }
}

/// When exactly a point of no return is one, as far as another finding about the same steps tells.
fn exactly_when(remarks: &[Remark], main: &Finding) -> Option<Condition> {
    if !matches!(main.claim, Claim::PointOfNoReturn(_)) {
        return None;
    }
    let is_same = |other: &&Remark| main.steps.iter().all(|step| other.finding.steps.contains(step));
    remarks.iter().filter(is_same).find_map(|other| match &other.finding.claim {
        Claim::Crossing(crossing) => crossing.when.as_ref()?.exactly().cloned(),
        _ => None,
    })
}

/// The number of the first error trace that the place is a cause of, where correct transitions tell several apart.
fn group(explanation: &Explanation, place: &BlamedPlace) -> u64 {
    let Some(Outcome::Found(found)) = &explanation.methods.correct_transitions else { return 1 };
    let has = |trace: &findings::ErrorTrace| {
        let edges = trace.causes.iter().chain(&trace.causes_by_transition);
        edges.clone().any(|edge| place.is(edge.from.as_ref(), &edge.event.event))
    };
    found.traces.iter().position(has).map_or(1, |at| at as u64 + 1)
}
