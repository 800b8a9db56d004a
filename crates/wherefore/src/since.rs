//! Before and after: what became of the violations of an earlier report.
//!
//! Leue and Tabaei Befrouei use their method in a loop: mend one thing, check again, look at what is left
//! (from 660 counterexamples to 182 in one of their models). Lines move when something is mended, so
//! violations are known again by their kind, their text and the text of their line, and anomalies by who
//! does what.

use std::collections::{BTreeMap, BTreeSet};

use report::since::{AnomaliesSince, Change, Pair, Since, ViolationSince};
use report::{Location, Outcome, Report, Verdict};
use serde::Deserialize;

/// What is read of an earlier report.
#[derive(Clone, Debug, Deserialize)]
pub struct Earlier {
    verdict: EarlierVerdict,
    property: EarlierProperty,
    /// Older reports are about one.
    #[serde(default)]
    properties: Vec<EarlierProperty>,
    statistics: EarlierStatistics,
    violations: Vec<EarlierViolation>,
    counterexample: Option<EarlierCounterexample>,
    methods: EarlierMethods,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum EarlierVerdict {
    Holds,
    Violated,
    Unknown,
}

#[derive(Clone, Debug, Deserialize)]
struct EarlierProperty {
    text: String,
}

#[derive(Clone, Debug, Deserialize)]
struct EarlierStatistics {
    states: u64,
    violations: u64,
    complete: bool,
}

#[derive(Clone, Debug, Deserialize)]
struct EarlierViolation {
    kind: String,
    text: String,
    location: Option<EarlierLocation>,
    count: u64,
}

#[derive(Clone, Debug, Deserialize)]
struct EarlierLocation {
    file: String,
    line: u64,
    column: u64,
    text: String,
}

#[derive(Clone, Debug, Deserialize)]
struct EarlierCounterexample {
    length: u64,
}

#[derive(Clone, Debug, Deserialize)]
struct EarlierMethods {
    anomalies: Option<EarlierAnomalies>,
}

/// Everything is missing where the method was skipped.
#[derive(Clone, Debug, Deserialize)]
struct EarlierAnomalies {
    count: Option<u64>,
    length: Option<u64>,
    order: Option<String>,
    #[serde(default)]
    anomalies: Vec<EarlierAnomaly>,
}

#[derive(Clone, Debug, Deserialize)]
struct EarlierAnomaly {
    events: Vec<EarlierEvent>,
}

#[derive(Clone, Debug, Deserialize)]
struct EarlierEvent {
    process: Option<String>,
    pid: Option<u64>,
    action: String,
}

/// Why a file is no earlier report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotEarlier {
    #[error("not a JSON report of wherefore: {0}")]
    Unreadable(String),
    #[error("a report of kind `{found}`, not of `{expected}`", expected = Report::SCHEMA)]
    OtherSchema { found: String },
}

/// An event by who does what.
type Event = (Option<String>, Option<u64>, String);
/// A violation by its kind, its text and its line.
type Name = (String, String, Option<String>);

impl Earlier {
    pub fn read(bytes: &[u8]) -> Result<Self, NotEarlier> {
        #[derive(Deserialize)]
        struct Marked {
            schema: Option<String>,
        }
        let unreadable = |error: serde_json::Error| NotEarlier::Unreadable(error.to_string());
        let marked: Marked = serde_json::from_slice(bytes).map_err(unreadable)?;
        match marked.schema {
            Some(found) if found == Report::SCHEMA => serde_json::from_slice(bytes).map_err(unreadable),
            found => Err(NotEarlier::OtherSchema { found: found.unwrap_or_default() }),
        }
    }

    /// This report and `after`, side by side; `path` is where this one was read.
    pub fn compared(&self, path: String, after: &Report) -> Since {
        let now = after.counterexample.as_ref().map(|counterexample| counterexample.length);
        Since {
            path,
            verdict: match self.verdict {
                EarlierVerdict::Holds => Verdict::Holds,
                EarlierVerdict::Violated => Verdict::Violated,
                EarlierVerdict::Unknown => Verdict::Unknown,
            },
            same_property: self.texts() == texts(after),
            complete: self.statistics.complete && after.statistics.complete,
            states: Pair { before: self.statistics.states, after: after.statistics.states },
            counterexamples: Pair { before: self.statistics.violations, after: after.statistics.violations },
            length: Pair { before: self.counterexample.as_ref().map(|one| one.length), after: now },
            violations: self.violations_since(after),
            anomalies: self.anomalies_since(after),
        }
    }

    /// The properties that it was about.
    fn texts(&self) -> BTreeSet<&str> {
        match &self.properties[..] {
            [] => BTreeSet::from([self.property.text.as_str()]),
            all => all.iter().map(|property| property.text.as_str()).collect(),
        }
    }

    /// What is new first, then what is left, then what is gone.
    fn violations_since(&self, after: &Report) -> Vec<ViolationSince> {
        let mut classes: BTreeMap<Name, (Pair<u64>, Option<Location>)> = BTreeMap::new();
        for violation in &self.violations {
            let line = violation.location.as_ref().map(|at| at.text.trim().to_owned());
            let name = (violation.kind.to_string(), violation.text.clone(), line);
            let location = violation.location.as_ref().map(EarlierLocation::told);
            let class = classes.entry(name).or_insert((Pair { before: 0, after: 0 }, location));
            class.0.before += violation.count;
        }
        for violation in &after.violations {
            let line = violation.location.as_ref().map(|at| at.text.trim().to_owned());
            let name = (violation.kind.to_string(), violation.text.clone(), line);
            let class = classes.entry(name).or_insert((Pair { before: 0, after: 0 }, None));
            class.0.after += violation.count;
            class.1.clone_from(&violation.location);
        }
        let told = classes.into_iter().map(|((kind, text, _), (count, location))| {
            let state = match count {
                Pair { before: 0, .. } => Change::New,
                Pair { after: 0, .. } => Change::Gone,
                _ => Change::Left,
            };
            ViolationSince { kind, text, location, count, state }
        });
        let mut told: Vec<ViolationSince> = told.collect();
        told.sort_by_key(|violation| violation.state);
        told
    }

    fn anomalies_since(&self, after: &Report) -> Option<AnomaliesSince> {
        let before = self.methods.anomalies.as_ref()?;
        let Some(Outcome::Found(now)) = &after.methods.anomalies else { return None };
        let is_whole = |count: u64, listed: usize| count == listed as u64;
        let comparable = is_whole(before.count?, before.anomalies.len())
            && is_whole(now.count, now.anomalies.len())
            && before.length == Some(now.length)
            && before.order == Some(now.order.to_string());
        if !comparable {
            return None;
        }
        let old = before.anomalies.iter().map(|one| one.events.iter().map(EarlierEvent::name).collect());
        let old: BTreeSet<Vec<Event>> = old.collect();
        let name = |event: &report::Event| (event.process.clone(), event.pid, event.action.clone());
        let new = now.anomalies.iter().map(|one| one.events.iter().map(name).collect());
        let new: BTreeSet<Vec<Event>> = new.collect();
        let left = old.intersection(&new).count() as u64;
        Some(AnomaliesSince { new: new.len() as u64 - left, left, gone: old.len() as u64 - left })
    }
}

fn texts(report: &Report) -> BTreeSet<&str> {
    report.properties.iter().map(|property| property.text.as_str()).collect()
}

impl EarlierEvent {
    fn name(&self) -> Event {
        (self.process.clone(), self.pid, self.action.clone())
    }
}

impl EarlierLocation {
    fn told(&self) -> Location {
        Location {
            file: self.file.clone(),
            line: self.line,
            column: self.column,
            text: self.text.clone(),
            calls: Vec::new(),
        }
    }
}
