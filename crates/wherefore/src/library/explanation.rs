//! The answer: what was found, for programs to read and for people to look at.

use std::{fmt, io};

use findings::ViolationKind;
use pipeline::Concluded;
use report::contrast::ContrastReport;
use report::text::Telling;
use report::{Report, Surroundings};
use serde::Serialize;

use super::{Cause, Counterexample, Error, Method};
use crate::leftovers::{daikon_files, failing_variations};

/// Whether a property holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything was looked at, and nothing is wrong; of recorded traces, failing ones do nothing that passing ones
    /// do not.
    Holds,
    /// Something is wrong.
    Violated,
    /// A limit came first.
    Unknown,
}

impl Verdict {
    fn of(verdict: report::Verdict) -> Self {
        match verdict {
            report::Verdict::Holds => Self::Holds,
            report::Verdict::Violated => Self::Violated,
            report::Verdict::Unknown => Self::Unknown,
        }
    }
}

/// How much a text tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Detail {
    /// The verdict only.
    Quiet,
    /// What most people want to know.
    #[default]
    Normal,
    /// Every step, and the results of every method.
    Verbose,
}

/// How many states have which fate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fates {
    /// From here no trace fails.
    pub safe: u64,
    /// From here every trace fails.
    pub doomed: u64,
    /// From here both is possible.
    pub free: u64,
    /// From here every trace fails, but not all in the way that is explained.
    pub elsewhere: u64,
    /// Too little was explored to tell.
    pub unknown: u64,
    /// Steps from free to doomed.
    pub points_of_no_return: u64,
    /// Steps from free to safe.
    pub escapes: u64,
}

/// How much was looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Statistics {
    /// States; of recorded traces: traces.
    pub states: u64,
    /// Transitions; of recorded traces: events.
    pub transitions: u64,
    /// Seconds from question to answer.
    pub seconds: f64,
}

/// A class of violations.
#[derive(Clone, Copy, Debug)]
pub struct FoundViolation<'a>(&'a report::Violation);

impl<'a> FoundViolation<'a> {
    /// What is wrong.
    pub fn text(&self) -> &'a str {
        &self.0.text
    }

    /// What sort of violation.
    pub fn kind(&self) -> ViolationKind {
        self.0.kind
    }

    /// How often it was found.
    pub fn count(&self) -> u64 {
        self.0.count
    }

    /// How many steps a shortest trace to it has.
    pub fn shortest(&self) -> u64 {
        self.0.shortest
    }
}

/// A property that was to be checked, and what came of it.
#[derive(Clone, Copy, Debug)]
pub struct CheckedProperty<'a>(&'a report::CheckedProperty);

impl<'a> CheckedProperty<'a> {
    /// What must hold.
    pub fn text(&self) -> &'a str {
        &self.0.text
    }

    /// What [`Explainer::property`](crate::Explainer::property) says to ask for it alone, where there is something to say.
    pub fn ask(&self) -> Option<&'a str> {
        self.0.ask.as_deref()
    }

    /// Whether it holds.
    pub fn verdict(&self) -> Verdict {
        Verdict::of(self.0.verdict)
    }

    /// Why the verdict is what it is, in a sentence.
    pub fn reason(&self) -> &'a str {
        &self.0.reason
    }

    /// The numbers of its violations, for [`Explainer::violation_number`](crate::Explainer::violation_number).
    pub fn violations(&self) -> &'a [u64] {
        &self.0.violations
    }
}

/// What became of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MethodResult {
    /// Why it was not run, or found nothing.
    Skipped(String),
    /// What it found, as the JSON that reports have under its name; `docs/` describes the members.
    Found(String),
}

/// What is wrong and why.
///
/// Everything that is told is in [`to_json`](Explanation::to_json), whose shape is described by
/// `schema/report.schema.json` (of recorded traces: `schema/contrast.schema.json`) and only ever grows. The methods
/// here are for what programs ask most.
#[derive(Clone, Debug)]
pub struct Explanation {
    told: Told,
    notices: Vec<String>,
    emitted: Option<String>,
}

#[derive(Clone, Debug)]
enum Told {
    System { report: Box<Report>, surroundings: Option<Surroundings> },
    Traces(Box<ContrastReport>),
}

impl Explanation {
    pub(super) fn told(explanation: &Concluded) -> Self {
        let mut report = report::tell(explanation);
        // Only pictures need them.
        let surroundings = report.surroundings.take();
        let told = Told::System { report: Box::new(report), surroundings };
        Self { told, notices: Vec::new(), emitted: None }
    }

    /// The answer about a file or a text, with what has to be said beside it.
    pub(super) fn answered(answer: languages::Answer, notices: Vec<String>) -> Self {
        let languages::Answer { explanation, emitted, .. } = answer;
        Self { notices, emitted, ..Self::told(&explanation) }
    }

    pub(super) fn of_contrast(report: ContrastReport) -> Self {
        Self { told: Told::Traces(Box::new(report)), notices: Vec::new(), emitted: None }
    }

    fn report(&self) -> Option<&Report> {
        match &self.told {
            Told::System { report, .. } => Some(report),
            Told::Traces(_) => None,
        }
    }

    /// Whether something is wrong.
    pub fn verdict(&self) -> Verdict {
        Verdict::of(match &self.told {
            Told::System { report, .. } => report.verdict,
            Told::Traces(report) => report.verdict,
        })
    }

    /// Why the verdict is what it is, in a sentence.
    pub fn reason(&self) -> &str {
        match &self.told {
            Told::System { report, .. } => &report.reason,
            Told::Traces(report) => &report.reason,
        }
    }

    /// What counted as a passing trace.
    pub fn passing_definition(&self) -> &str {
        match &self.told {
            Told::System { report, .. } => &report.passing_definition,
            Told::Traces(report) => &report.passing_definition,
        }
    }

    /// Whether everything was looked at; otherwise a limit came first, and what is told is true of what was seen.
    pub fn is_complete(&self) -> bool {
        match &self.told {
            Told::System { report, .. } => report.statistics.complete,
            Told::Traces(report) => report.statistics.complete,
        }
    }

    /// How much was looked at.
    pub fn statistics(&self) -> Statistics {
        match &self.told {
            Told::System { report, .. } => Statistics {
                states: report.statistics.states,
                transitions: report.statistics.transitions,
                seconds: report.statistics.seconds,
            },
            Told::Traces(report) => {
                let found = &report.methods.anomalies;
                let statistics = &report.statistics;
                Statistics {
                    states: found.good.traces + found.bad.traces,
                    transitions: statistics.good.events + statistics.bad.events,
                    seconds: statistics.seconds,
                }
            }
        }
    }

    /// All properties that were to be checked, each with its verdict; of recorded traces none.
    pub fn properties(&self) -> impl ExactSizeIterator<Item = CheckedProperty<'_>> {
        self.report().map_or(&[][..], |report| &report.properties).iter().map(CheckedProperty)
    }

    /// All that is wrong, the nearest first; of recorded traces nothing, since nobody said how they failed.
    pub fn violations(&self) -> impl ExactSizeIterator<Item = FoundViolation<'_>> {
        self.report().map_or(&[][..], |report| &report.violations).iter().map(FoundViolation)
    }

    /// A shortest trace to what is wrong; none of recorded traces.
    pub fn counterexample(&self) -> Option<Counterexample<'_>> {
        self.report()?.counterexample.as_ref().map(Counterexample)
    }

    /// What went wrong, the likeliest first.
    pub fn causes(&self) -> impl ExactSizeIterator<Item = Cause<'_>> {
        let causes = match &self.told {
            Told::System { report, .. } => &report.causes,
            Told::Traces(report) => &report.causes,
        };
        causes.iter().map(Cause)
    }

    /// What can become of states; none where nothing was explained.
    pub fn fates(&self) -> Option<Fates> {
        let fates = self.report()?.fates?;
        Some(Fates {
            safe: fates.safe,
            doomed: fates.doomed,
            free: fates.free,
            elsewhere: fates.elsewhere,
            unknown: fates.unknown,
            points_of_no_return: fates.points_of_no_return,
            escapes: fates.escapes,
        })
    }

    /// What one of the methods found. Recorded traces are compared by their anomalies alone.
    pub fn method(&self, method: Method) -> MethodResult {
        let report = match &self.told {
            Told::System { report, .. } => report,
            Told::Traces(report) if method == Method::Anomalies => {
                return MethodResult::Found(json(&report.methods.anomalies));
            }
            Told::Traces(_) => return MethodResult::Skipped(NOT_OF_TRACES.to_owned()),
        };
        // What is plain data has no way not to be JSON.
        let methods = serde_json::to_value(&report.methods).unwrap_or_default();
        match methods.get(method.member()) {
            None => MethodResult::Skipped("not asked for".to_owned()),
            Some(found) => match found.get("skipped").and_then(serde_json::Value::as_str) {
                Some(why) => MethodResult::Skipped(why.to_owned()),
                None => MethodResult::Found(json(found)),
            },
        }
    }

    /// What was odd about a file or a text and what was asked of it, as the command line says it on standard error.
    pub fn notices(&self) -> impl ExactSizeIterator<Item = &str> {
        self.notices.iter().map(String::as_str)
    }

    /// The counterexample in the form that [`Explainer::emit`](crate::Explainer::emit) asked for, if there is one.
    pub fn emitted(&self) -> Option<&str> {
        self.emitted.as_deref()
    }

    /// The files for Daikon that [`Explainer::daikon`](crate::Explainer::daikon) asked for: their names and texts.
    pub fn daikon_files(&self) -> Vec<(&str, &str)> {
        self.report().map_or_else(Vec::new, daikon_files)
    }

    /// The failing variations that were kept, each as a JSON report that `replay --trail` reads.
    pub fn failing_variations(&self) -> Vec<String> {
        let kept = self.report().map_or_else(Vec::new, failing_variations);
        kept.iter().map(|report| written(|out| report::json::render(report, out))).collect()
    }

    /// The explanation as text for people at a terminal, without colours.
    pub fn to_text(&self, detail: Detail) -> String {
        self.to_text_within(detail, report::text::WIDTH)
    }

    /// The same for a terminal with so many columns, between 60 and 200.
    pub fn to_text_within(&self, detail: Detail, columns: usize) -> String {
        let detail = match detail {
            Detail::Quiet => report::text::Detail::Quiet,
            Detail::Normal => report::text::Detail::Normal,
            Detail::Verbose => report::text::Detail::Verbose,
        };
        written(|out| match &self.told {
            Told::System { report, .. } => report::text::render(
                report,
                Telling { detail, colour: false, by_method: false, options: false, width: columns },
                out,
            ),
            Told::Traces(report) => report::contrast_text::render(report, detail, false, out),
        })
    }

    /// The explanation as JSON.
    pub fn to_json(&self) -> String {
        written(|out| match &self.told {
            Told::System { report, .. } => report::json::render(report, out),
            Told::Traces(report) => report::contrast::render_json(report, out),
        })
    }

    /// The explanation as SARIF 2.1.0, for code scanning.
    ///
    /// # Errors
    /// [`Error::NotOfTraces`]: SARIF is about causes in a source, of which recorded traces know nothing.
    pub fn to_sarif(&self) -> Result<String, Error> {
        let report = self.report().ok_or(Error::NotOfTraces("SARIF"))?;
        let status = match report.verdict {
            report::Verdict::Holds => 0,
            report::Verdict::Violated => 1,
            report::Verdict::Unknown => 3,
        };
        Ok(written(|out| report::sarif::render(report, None, status, out)))
    }

    /// The explanation as a page for a browser: one file that needs nothing else and lets nothing run but its own
    /// script. `source` is asked for the texts that locations point into, by the names of their files.
    ///
    /// # Errors
    /// [`Error::NotOfTraces`]: there are no pages about recorded traces.
    pub fn to_html(&self, source: impl FnMut(&str) -> Option<String>) -> Result<String, Error> {
        let Told::System { report, surroundings } = &self.told else {
            return Err(Error::NotOfTraces("HTML"));
        };
        let report = Report { surroundings: surroundings.clone(), ..Report::clone(report) };
        let sources = report::html::sources(&report, source);
        Ok(written(|out| report::html::render(&report, &sources, out)))
    }
}

/// The text for people, as much as most want to know.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text(Detail::Normal))
    }
}

const NOT_OF_TRACES: &str = "recorded traces cannot be run again";

/// What is plain data has no way not to be JSON.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// What is written into memory, which takes everything.
fn written(write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    let done = write(&mut bytes);
    debug_assert!(done.is_ok(), "{done:?}");
    String::from_utf8_lossy(&bytes).into_owned()
}
