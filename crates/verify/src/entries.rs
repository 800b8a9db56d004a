//! All claims of a report, one by one, in its order.

use serde_json::Value;

use crate::report::{
    Cause, CheckedProperty, Counterexample, Evaluation, FateCounts, Other, Patch, Report, Violation, Without,
};
use crate::says::Says;

/// A claim, and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Entry<'a> {
    pub(crate) at: String,
    pub(crate) kind: String,
    /// The sentence that the report makes of it.
    pub(crate) sentence: Option<&'a str>,
    pub(crate) what: What<'a>,
    /// The other violation that it is about, by its place in the list; none for the one that is explained.
    pub(crate) other: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum What<'a> {
    Verdict,
    /// The verdict on another property than the one that the report is about.
    OtherProperty(&'a CheckedProperty),
    Statistics,
    Violation(&'a Violation),
    AllViolations,
    Fates(&'a FateCounts),
    Steps,
    Ending(&'a Counterexample),
    Claim {
        says: Option<&'a Says>,
        steps: &'a [u64],
        repair: Option<&'a Patch>,
    },
    Without(&'a Without),
    SameCause(&'a Other),
    Repair(&'a Patch),
    /// How far the whole system agrees with a pattern.
    Coverage(&'a Says),
    OnlyUnfair,
    Evaluation(&'a Evaluation),
    Method {
        name: &'a str,
        result: &'a Value,
    },
}

pub(crate) fn entries(report: &Report) -> Vec<Entry<'_>> {
    let mut list = List(Vec::new());
    list.add("/verdict", "verdict", What::Verdict, None);
    let others = report.properties.iter().enumerate().filter(|(_, one)| one.text != report.property.text);
    for (at, other) in others {
        list.add(&format!("/properties/{at}"), "property", What::OtherProperty(other), None);
    }
    list.add("/statistics", "statistics", What::Statistics, None);
    for (at, violation) in report.violations.iter().enumerate() {
        list.add(&format!("/violations/{at}"), "violation", What::Violation(violation), None);
    }
    list.add("/violations", "violations", What::AllViolations, None);
    if let Some(fates) = &report.fates {
        list.add("/fates", "fates", What::Fates(fates), None);
    }
    list.counterexample("/counterexample", report.counterexample.as_ref(), None);
    if let Some(evaluation) = &report.evaluation {
        list.add("/evaluation", "evaluation", What::Evaluation(evaluation), None);
    }
    list.causes("/causes", &report.causes, None);
    for (at, without) in report.without.iter().enumerate() {
        list.add(&format!("/without/{at}"), "without", What::Without(without), None);
    }
    for (at, other) in report.others.iter().enumerate() {
        list.add(&format!("/others/{at}/same_cause"), "same-cause", What::SameCause(other), Some(at));
        list.counterexample(&format!("/others/{at}/counterexample"), other.counterexample.as_ref(), Some(at));
        list.causes(&format!("/others/{at}/causes"), &other.causes, Some(at));
    }
    if report.only_unfair {
        list.add("/only_unfair", "only-unfair", What::OnlyUnfair, None);
    }
    for (at, repair) in report.repairs.iter().enumerate().filter(|(_, repair)| repair.repair.verified) {
        list.add(&format!("/repairs/{at}"), "repair", What::Repair(&repair.repair), None);
        list.says(&repair.summary);
    }
    for (name, result) in &report.methods {
        if result.get("skipped").is_none() {
            list.add(&format!("/methods/{name}"), "method", What::Method { name, result }, None);
        }
    }
    list.0
}

struct List<'a>(Vec<Entry<'a>>);

impl<'a> List<'a> {
    fn add(&mut self, at: &str, kind: &str, what: What<'a>, other: Option<usize>) {
        self.0.push(Entry { at: at.to_owned(), kind: kind.to_owned(), sentence: None, what, other });
    }

    /// Gives the last claim its sentence.
    fn says(&mut self, sentence: &'a str) {
        if let Some(last) = self.0.last_mut() {
            last.sentence = Some(sentence);
        }
    }

    fn counterexample(&mut self, at: &str, told: Option<&'a Counterexample>, other: Option<usize>) {
        let Some(told) = told else { return };
        self.add(&format!("{at}/steps"), "counterexample", What::Steps, other);
        self.add(at, "end-of-counterexample", What::Ending(told), other);
    }

    /// How far the system agrees with a pattern, where a claim says that.
    fn coverage(&mut self, at: &str, says: Option<&'a Says>, other: Option<usize>) {
        if let Some(says) = says.filter(|says| says.has_coverage()) {
            self.add(&format!("{at}/says/coverage"), "coverage-of-pattern", What::Coverage(says), other);
        }
    }

    fn causes(&mut self, at: &str, causes: &'a [Cause], other: Option<usize>) {
        for (rank, cause) in causes.iter().enumerate() {
            let kind = cause.says.as_ref().map_or(cause.kind.as_str(), |says| says.kind.as_str());
            let repair = cause.repair.as_ref();
            let claim = What::Claim { says: cause.says.as_ref(), steps: &cause.steps, repair };
            self.add(&format!("{at}/{rank}"), kind, claim, other);
            self.says(&cause.claim);
            self.coverage(&format!("{at}/{rank}"), cause.says.as_ref(), other);
            for (number, evidence) in cause.evidence.iter().enumerate() {
                let kind = evidence.says.as_ref().map_or("evidence", |says| says.kind.as_str());
                let repair = cause.repair.as_ref();
                let claim = What::Claim { says: evidence.says.as_ref(), steps: &evidence.steps, repair };
                let pointer = format!("{at}/{rank}/evidence/{number}");
                self.add(&pointer, kind, claim, other);
                self.coverage(&pointer, evidence.says.as_ref(), other);
                self.says(&evidence.claim);
            }
        }
    }
}
