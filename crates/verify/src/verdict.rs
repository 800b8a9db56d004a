//! The verdict, and what it rests on: how many states there are, and all violations with how often they occur and how
//! near the nearest one is.

use findings::{TestResult, Witness};

use crate::Properties;
use crate::case::{Tested, result, same, unknown};
use crate::model::Class;
use crate::repair::WrongAt;
use crate::replay::place;
use crate::report::{CheckedProperty, Report, Violation};

/// A class of violations as this checker found it.
#[derive(Clone, Debug)]
pub(crate) struct ViolationClass {
    pub(crate) kind: String,
    /// What is wrong, where the front-end says it; a report has words of its own for the rest.
    pub(crate) text: Option<String>,
    pub(crate) location: Option<crate::report::ReportedPlace>,
    pub(crate) count: u64,
    pub(crate) shortest: u64,
    /// Its number among all classes.
    pub(crate) class: usize,
}

impl ViolationClass {
    pub(crate) fn of(class: &Class, number: usize) -> Self {
        Self {
            kind: class.kind.to_string(),
            text: class.wrong.as_ref().map(|wrong| wrong.text.clone()),
            location: class.wrong.as_ref().and_then(|wrong| wrong.location.clone()).map(place),
            count: class.count,
            shortest: class.shortest,
            class: number,
        }
    }

    fn is(&self, told: &Violation) -> bool {
        self.kind == told.kind
            && self.location == told.location
            && self.text.as_ref().is_none_or(|text| *text == told.text)
    }
}

/// Holds if something that is asked about is wrong, and only then.
pub(crate) fn verdict(report: &Report, found: &[ViolationClass]) -> TestResult {
    of(report, !found.is_empty())
}

fn word(is_violated: bool) -> &'static str {
    if is_violated { "violated" } else { "holds" }
}

/// The verdict on another property than the one that the report is about.
pub(crate) fn of_other(told: &CheckedProperty, properties: Properties<'_>) -> TestResult {
    match (told.verdict.as_str(), properties(&told.text)) {
        ("unknown", _) => TestResult::Holds,
        (_, None) => TestResult::NotTested,
        (_, Some(Err(why))) => TestResult::TooLarge(why),
        (verdict, Some(Ok(wrong))) => result(same("verdict", &verdict, &word(!wrong.is_empty()))),
    }
}

/// What is wrong with the other properties, as far as that can be told.
pub(crate) fn wrong_elsewhere(report: &Report, properties: Properties<'_>) -> Vec<WrongAt> {
    let others = report.properties.iter().filter(|one| one.text != report.property.text);
    let wrong = others.filter_map(|one| properties(&one.text)?.ok());
    wrong.flatten().collect()
}

pub(crate) fn of(report: &Report, is_violated: bool) -> TestResult {
    let verdict = word(is_violated);
    if !report.is_summed_up {
        return TestResult::Refuted(unknown("a verdict that sums up those on all properties"));
    }
    result(match report.verdict.as_str() {
        // Not to know claims nothing.
        "unknown" => Ok(()),
        told => same("verdict", &told, &verdict),
    })
}

/// A violation that is told is there, as often and as near as it is told. Which one it is, if so.
pub(crate) fn violation<'a>(
    told: &Violation,
    found: &'a [ViolationClass],
) -> Result<&'a ViolationClass, Witness> {
    let what = || format!("violation {}: {}, {}", told.id, told.kind, told.text);
    found.iter().find(|found| found.is(told)).ok_or_else(|| unknown(&what()))
}

pub(crate) fn numbers(told: &Violation, found: &ViolationClass) -> Tested {
    same("count", &told.count, &found.count)?;
    same("shortest", &told.shortest, &found.shortest)
}

/// Every violation is told, once, and each has a number of its own.
pub(crate) fn all_told(report: &Report, found: &[ViolationClass]) -> Tested {
    for one in found {
        let told = report.violations.iter().filter(|told| one.is(told)).count();
        let place = one.location.as_ref().map_or_else(String::new, |at| format!(" in line {}", at.line));
        same(&format!("number of entries for the {}{place}", one.kind), &told, &1)?;
    }
    let mut ids: Vec<u64> = report.violations.iter().chain(&report.elsewhere).map(|told| told.id).collect();
    ids.sort_unstable();
    same("ids", &ids, &(1..=ids.len() as u64).collect())?;
    let elsewhere: u64 = report.elsewhere.iter().map(|told| told.count).sum();
    let own: u64 = found.iter().map(|one| one.count).sum();
    same("statistics.violations", &report.statistics.violations, &(own + elsewhere))
}
