//! What we find in a model, and what SPIN finds, in the same terms.

use std::fmt::{self, Display};
use std::path::Path;
use std::sync::Arc;

use graph::Unwatched;
use promela::machine::Machine;
use search::{Limits, Violation, explore};
use testkit::spin::{Source, Verdict};

/// Counts that must be equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    pub(crate) deadlocks: u64,
    /// Failed assertions, faults, and events that a trace assertion does not expect.
    pub(crate) others: u64,
}

impl Display for Found {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { states, transitions, deadlocks, others } = self;
        write!(to, "{states} states, {transitions} transitions, {deadlocks} deadlocks, {others} others")
    }
}

impl From<&Verdict> for Found {
    fn from(verdict: &Verdict) -> Self {
        Self {
            states: verdict.states,
            transitions: verdict.transitions,
            deadlocks: verdict.deadlocks(),
            others: verdict.errors - verdict.deadlocks(),
        }
    }
}

/// The machine of a model, or why there is none.
pub(crate) fn machine(source: &Source) -> Result<Machine, String> {
    let files = Included(source);
    let path = Path::new(source.name());
    let made = preprocess::preprocess(&files, path, source.main_text(), &preprocess::Options::default());
    if made.has_errors() {
        return Err(format!("preprocessing: {:?}", made.diagnostics));
    }
    let (program, diagnostics) = promela::resolve::read(&made.text);
    let program = program.ok_or_else(|| format!("{:?}", diagnostics.first()))?;
    Machine::new(&program).map_err(|error| error.to_string())
}

/// What we find in a model, or why it is not run.
pub(crate) fn ours(source: &Source, max_states: u64) -> Result<Found, String> {
    let machine = machine(source)?;
    let found = explore(&machine, Limits { max_states, ..Limits::default() }, &Unwatched)
        .map_err(|error| error.to_string())?;
    if let Some(limit) = found.interrupt {
        return Err(limit.to_string());
    }
    let deadlocks =
        found.violations.iter().filter(|violation| matches!(violation, Violation::Deadlock { .. })).count();
    Ok(Found {
        states: found.counted_states,
        transitions: found.transitions,
        deadlocks: deadlocks as u64,
        others: found.errors - deadlocks as u64,
    })
}

struct Included<'a>(&'a Source);

impl preprocess::Files for Included<'_> {
    fn read(&self, path: &Path) -> Result<Arc<str>, preprocess::Unread> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let found = self.0.files().find(|(file, _)| *file == name);
        let text = found.map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned());
        text.map(Arc::from).ok_or(preprocess::Unread::Missing)
    }
}
