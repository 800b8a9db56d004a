//! Recorded traces as a user has them in memory.

use std::num::NonZeroUsize;

use logs::{Fields, Kind, Masker, Options, Source};
use serde_json::json;

use super::clock::Clock;
use super::{Error, Explanation};

/// Traces that somebody recorded, some of which failed.
///
/// For systems without a model: what failing runs did that passing runs never do.
///
/// ```
/// use wherefore::{Explainer, Traces, Verdict};
///
/// let mut traces = Traces::new();
/// traces.passing(["connect", "login", "query", "close"]);
/// traces.passing(["connect", "login", "close"]);
/// traces.failing(["connect", "query", "close"]);
/// let explanation = Explainer::new().contrast(&traces)?;
/// assert_eq!(explanation.verdict(), Verdict::Violated);
/// assert!(explanation.causes().next().unwrap().summary().contains("`connect` and at once `query`"));
/// # Ok::<(), wherefore::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Traces {
    passing: Vec<Vec<u8>>,
    failing: Vec<Vec<u8>>,
    names_processes: bool,
    masks: bool,
}

/// The members of the records that events are kept as.
const EVENT: &str = "event";
const PROCESS: &str = "process";

impl Traces {
    /// No traces yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A trace that passed, by the names of its events.
    pub fn passing<E: AsRef<str>>(&mut self, events: impl IntoIterator<Item = E>) -> &mut Self {
        self.passing.push(plain(events));
        self
    }

    /// A trace that failed, by the names of its events.
    pub fn failing<E: AsRef<str>>(&mut self, events: impl IntoIterator<Item = E>) -> &mut Self {
        self.failing.push(plain(events));
        self
    }

    /// A trace that passed, by processes and the names of what they did.
    pub fn passing_by<P: AsRef<str>, E: AsRef<str>>(
        &mut self,
        events: impl IntoIterator<Item = (P, E)>,
    ) -> &mut Self {
        self.names_processes = true;
        self.passing.push(by_process(events));
        self
    }

    /// A trace that failed, by processes and the names of what they did.
    pub fn failing_by<P: AsRef<str>, E: AsRef<str>>(
        &mut self,
        events: impl IntoIterator<Item = (P, E)>,
    ) -> &mut Self {
        self.names_processes = true;
        self.failing.push(by_process(events));
        self
    }

    /// Takes numbers, addresses, times and the like out of events, so that `conn 4711` and `conn 4712` are one.
    pub fn mask_values(&mut self) -> &mut Self {
        self.masks = true;
        self
    }

    pub(super) fn compare(&self, threads: NonZeroUsize, clock: &Clock) -> Result<Explanation, Error> {
        let named = |side: &str, traces: &[Vec<u8>]| -> Vec<Source> {
            let numbered = (1..).zip(traces);
            numbered
                .map(|(number, trace)| Source::of_bytes(&format!("{side} trace {number}"), trace.clone()))
                .collect()
        };
        let masker = Masker::new(self.masks, &[]).map_err(|error| Error::Internal(error.to_string()))?;
        let process = self.names_processes.then(|| PROCESS.to_owned());
        let options = Options {
            kind: Some(Kind::JsonLines),
            fields: Fields { trace: None, process, event: Some(EVENT.to_owned()) },
            masker,
            threads,
            ..Options::default()
        };
        let (passing, failing) = (named("passing", &self.passing), named("failing", &self.failing));
        let found = logs::contrast(&passing, &failing, &options, clock)
            .map_err(|error| Error::Traces(error.to_string()))?;
        Ok(Explanation::of_contrast(crate::contrast::tell(&found, &options, "recorded traces", clock)))
    }
}

fn plain<E: AsRef<str>>(events: impl IntoIterator<Item = E>) -> Vec<u8> {
    recorded(events.into_iter().map(|event| json!({ EVENT: event.as_ref() })))
}

fn by_process<P: AsRef<str>, E: AsRef<str>>(events: impl IntoIterator<Item = (P, E)>) -> Vec<u8> {
    let records = events.into_iter();
    recorded(records.map(|(process, event)| json!({ PROCESS: process.as_ref(), EVENT: event.as_ref() })))
}

fn recorded(records: impl Iterator<Item = serde_json::Value>) -> Vec<u8> {
    records.map(|record| record.to_string() + "\n").collect::<String>().into_bytes()
}
