//! One ranking out of what several methods say.
//!
//! Every method points at statements, each in its own way and with its own certainty. A [`Finding`] is one such
//! remark: what kind of remark it is, and the statements it is about. How much a statement is suspected for is
//! worked out as if the methods were witnesses that err independently of each other: of each method the strongest
//! remark counts, and the suspicion is one minus the product of what is left of the doubt ("noisy or", Pearl 1988).
//! So agreement of methods counts for more than repetition within one.
//!
//! How much a kind of remark is worth is an estimate, set by hand: the table [`weight`] is all there is to tune,
//! and `docs/evaluation.md` says how to measure what becomes of it on faults whose place is known.

use std::collections::BTreeMap;

use findings::{CauseKind, Method};

/// Which method a kind of remark counts for: what is missing is suggested by correct transitions, whoever verified it.
fn witness(kind: CauseKind) -> Method {
    match kind {
        CauseKind::PointOfNoReturn | CauseKind::OnlyTheViolation | CauseKind::Doomed | CauseKind::Unmet => {
            Method::Neighbourhoods
        }
        CauseKind::Crossing | CauseKind::Anomaly | CauseKind::Deferred | CauseKind::Needed => {
            Method::Anomalies
        }
        CauseKind::ErrorEdge | CauseKind::Values | CauseKind::Insertion => Method::CorrectTransitions,
        CauseKind::SeparatesVariations | CauseKind::OnlyFailing | CauseKind::Replaced => Method::Variations,
        CauseKind::Diagnosis => Method::Diagnosis,
        CauseKind::Repair | CauseKind::MayBeWrong => Method::Repair,
        CauseKind::Pattern => Method::Patterns,
    }
}

/// How much a remark of a kind is worth by itself.
pub fn weight(kind: CauseKind) -> f64 {
    match kind {
        CauseKind::PointOfNoReturn => 0.5,
        CauseKind::OnlyTheViolation | CauseKind::Doomed => 0.1,
        CauseKind::Unmet => 0.3,
        CauseKind::Crossing => 0.4,
        CauseKind::Anomaly => 0.35,
        CauseKind::Deferred => 0.7,
        CauseKind::Needed => 0.3,
        CauseKind::ErrorEdge => 0.5,
        CauseKind::Values => 0.45,
        CauseKind::Insertion => 0.8,
        CauseKind::SeparatesVariations => 0.4,
        CauseKind::OnlyFailing => 0.25,
        CauseKind::Replaced => 0.35,
        CauseKind::Diagnosis => 0.7,
        CauseKind::Repair => 0.9,
        CauseKind::MayBeWrong => 0.95,
        CauseKind::Pattern => 0.95,
    }
}

/// What a method says about some statements.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding<P> {
    pub kind: CauseKind,
    /// The statements, and how much of the remark is about each: 1 if all of it.
    pub places: Vec<(P, f64)>,
}

/// A statement that is suspected.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspect<P> {
    pub place: P,
    /// Between 0 and 1.
    pub score: f64,
    /// What speaks against it, as indices of the findings, the strongest first.
    pub findings: Vec<usize>,
}

/// Ranks the statements, the most suspicious first. `credit` says how far a statement can be to blame at all: what
/// is trusted 0, what only takes something from outside little, what the program decides 1.
pub fn combine<P: Ord + Clone>(findings: &[Finding<P>], credit: impl Fn(&P) -> f64) -> Vec<Suspect<P>> {
    let mut by_place: BTreeMap<&P, Vec<(f64, usize)>> = BTreeMap::new();
    for (at, finding) in findings.iter().enumerate() {
        for (place, share) in &finding.places {
            by_place.entry(place).or_default().push((share * weight(finding.kind), at));
        }
    }
    let mut suspects: Vec<Suspect<P>> = by_place
        .into_iter()
        .filter_map(|(place, mut said)| {
            said.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
            let mut strongest: BTreeMap<Method, f64> = BTreeMap::new();
            for (strength, at) in &said {
                strongest.entry(witness(findings[*at].kind)).or_insert(*strength);
            }
            let doubt: f64 = strongest.values().map(|strength| 1.0 - strength.clamp(0.0, 1.0)).product();
            let score = (1.0 - doubt) * credit(place).clamp(0.0, 1.0);
            let findings = said.into_iter().map(|(_, at)| at).collect();
            (score > 0.0).then(|| Suspect { place: place.clone(), score, findings })
        })
        .collect();
    suspects
        .sort_by(|one, other| other.score.total_cmp(&one.score).then_with(|| one.place.cmp(&other.place)));
    suspects
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(kind: CauseKind, places: &[(&'static str, f64)]) -> Finding<&'static str> {
        Finding { kind, places: places.to_vec() }
    }

    #[test]
    fn agreement_of_methods_counts_for_more_than_repetition() {
        let repeated = [
            finding(CauseKind::Crossing, &[("repeated", 1.0)]),
            finding(CauseKind::Anomaly, &[("repeated", 1.0)]),
            finding(CauseKind::Crossing, &[("agreed", 1.0)]),
            finding(CauseKind::Replaced, &[("agreed", 1.0)]),
        ];
        let ranked = combine(&repeated, |_| 1.0);
        assert_eq!(ranked[0].place, "agreed");
        assert_eq!(ranked[0].findings, [2, 3], "the strongest first");
        assert!((ranked[1].score - weight(CauseKind::Crossing)).abs() < 1e-12);
    }

    #[test]
    fn what_is_trusted_is_not_suspected_and_what_comes_from_outside_less() {
        let said = [finding(CauseKind::PointOfNoReturn, &[("input", 1.0), ("trusted", 1.0), ("own", 0.9)])];
        let credit = |place: &&str| match *place {
            "trusted" => 0.0,
            "input" => 0.2,
            _ => 1.0,
        };
        let places: Vec<&str> = combine(&said, credit).into_iter().map(|suspect| suspect.place).collect();
        assert_eq!(places, ["own", "input"]);
    }

    #[test]
    fn scores_stay_between_nothing_and_certainty() {
        let all: Vec<Finding<u8>> =
            [CauseKind::Repair, CauseKind::Diagnosis, CauseKind::Insertion, CauseKind::Deferred]
                .map(|kind| Finding { kind, places: vec![(0, 1.0), (1, 0.0)] })
                .to_vec();
        let ranked = combine(&all, |_| 1.0);
        assert_eq!(ranked.len(), 1, "a share of nothing is nothing said");
        assert!(ranked[0].score > weight(CauseKind::Repair) && ranked[0].score < 1.0);
    }
}
