//! Reading what a verifier prints: counts, errors, and how the search ended.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::command::Exit;

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    Completed,
    /// All was searched down to the given depth, but not below.
    DepthTooSmall,
    OutOfMemory,
    /// The verifier gave up by itself, for instance because of a d_step that blocks.
    GaveUp,
    TimedOut,
    TooMuchOutput,
    /// The verifier died, for instance of a division by zero.
    Died(String),
}

/// What SPIN says about a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    pub ending: Ending,
    /// States stored.
    pub states: u64,
    /// States stored or found again.
    pub transitions: u64,
    /// Steps inside atomic sequences.
    pub atomic_steps: u64,
    /// Length of the longest trace searched.
    pub depth: u64,
    /// Errors as SPIN counts them.
    pub errors: u64,
    /// Errors by their text, such as `invalid end state` or `assertion violated (x==1)`.
    pub by_text: BTreeMap<String, u64>,
    /// Bytes of a state.
    pub vector: u64,
    /// How many bytes a state would need, if that was too many for the verifier.
    pub vector_needed: Option<u64>,
    /// What the search took, without translation and compilation.
    pub milliseconds: u64,
    /// Other things said on the way: by SPIN about the model, by the verifier about the search.
    pub messages: Vec<String>,
    pub remarks: Vec<String>,
}

impl Verdict {
    pub fn completed(&self) -> bool {
        self.ending == Ending::Completed
    }

    /// Number of invalid end states.
    pub fn deadlocks(&self) -> u64 {
        self.by_text.get("invalid end state").copied().unwrap_or(0)
    }

    /// Number of failed assertions, bad indices not among them.
    pub fn failed_assertions(&self) -> u64 {
        let is_assertion =
            |text: &str| text.starts_with("assertion violated ") && !text.ends_with("- invalid array index");
        self.by_text.iter().filter(|(text, _)| is_assertion(text)).map(|(_, count)| count).sum()
    }

    /// Number of uses of an array with an index it does not have.
    pub fn bad_indices(&self) -> u64 {
        self.by_text.get("assertion violated - invalid array index").copied().unwrap_or(0)
    }
}

/// Whether a line belongs to the log of a search (`-DCHECK`) and not to its result.
fn is_log(line: &str) -> bool {
    line.starts_with('\t') && line.contains(" state ")
        || line.trim_start().split_once(": ").is_some_and(|(depth, rest)| {
            depth.bytes().all(|byte| byte.is_ascii_digit())
                && (rest.starts_with("proc ") || rest.starts_with("Down - ") || rest.starts_with("Up - "))
        })
}

/// The message and depth in `pan:12: message (at depth 34)`; the depth of the first state is -1.
pub(crate) fn error_line(line: &str) -> Option<(&str, i64)> {
    let (number, rest) = line.strip_prefix("pan:")?.split_once(": ")?;
    number.parse::<u64>().ok()?;
    let (text, depth) = rest.strip_suffix(')')?.rsplit_once(" (at depth ")?;
    Some((text, depth.parse().ok()?))
}

/// The number that a line of the summary begins with, if it goes on like that.
fn count(line: &str, rest: &str) -> Option<u64> {
    let (number, tail) = line.trim_start().split_once(' ')?;
    // Large numbers are printed as 1.2345e+08.
    tail.starts_with(rest).then(|| number.parse::<f64>().ok()).flatten().map(|number| number as u64)
}

pub(super) fn read(path: &Path, exit: &Exit) -> io::Result<Verdict> {
    let mut verdict = Verdict {
        ending: Ending::Completed,
        states: 0,
        transitions: 0,
        atomic_steps: 0,
        depth: 0,
        errors: 0,
        by_text: BTreeMap::new(),
        vector: 0,
        vector_needed: None,
        milliseconds: 0,
        messages: Vec::new(),
        remarks: Vec::new(),
    };
    let mut incomplete = false;
    let mut too_deep = false;
    let mut out_of_memory = false;
    let mut summary = false;
    let mut stuck = false;
    let mut lines = BufReader::new(File::open(path)?);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if lines.read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        let line = String::from_utf8_lossy(&bytes);
        let line = line.trim_end();
        if line.is_empty() || is_log(line) {
        } else if let Some((text, _)) = error_line(line) {
            *verdict.by_text.entry(text.to_owned()).or_insert(0) += 1;
            stuck |= text.starts_with("VECTORSZ is too small");
        } else if line.starts_with("error: max search depth too small") {
            too_deep = true;
        } else if line.starts_with("Warning: Search not completed") {
            incomplete = true;
        } else if line.contains("-DMEMLIM bound") || line.contains("out of memory") {
            out_of_memory = true;
        } else if let Some((_, needed)) = line.split_once("VECTORSZ=N with N>") {
            verdict.vector_needed = needed.trim_start_matches('=').trim().parse().ok();
        } else if let Some(rest) = line.strip_prefix("State-vector ") {
            summary = true;
            let mut numbers = rest.split(|letter: char| !letter.is_ascii_digit()).filter(|n| !n.is_empty());
            let mut next = || numbers.next().and_then(|number| number.parse().ok()).unwrap_or(0);
            (verdict.vector, verdict.depth, verdict.errors) = (next(), next(), next());
        } else if let Some(states) = count(line, "states, stored") {
            verdict.states = states;
        } else if let Some(transitions) = count(line, "transitions (=") {
            verdict.transitions = transitions;
        } else if let Some(steps) = count(line, "atomic steps") {
            verdict.atomic_steps = steps;
        } else if !summary && ["pan:", "warning", "error:"].iter().any(|start| line.starts_with(start)) {
            verdict.remarks.push(line.to_owned());
        }
    }
    if stuck && verdict.vector_needed.is_none() {
        verdict.vector_needed = Some(verdict.vector);
    }
    verdict.ending = match exit {
        Exit::TimedOut => Ending::TimedOut,
        Exit::TooMuchOutput => Ending::TooMuchOutput,
        Exit::Killed(how) => Ending::Died(how.clone()),
        Exit::Code(_) if out_of_memory => Ending::OutOfMemory,
        Exit::Code(_) if too_deep => Ending::DepthTooSmall,
        Exit::Code(_) if incomplete || !summary => Ending::GaveUp,
        Exit::Code(_) => Ending::Completed,
    };
    Ok(verdict)
}
