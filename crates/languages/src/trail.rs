//! Counterexamples of other tools.
//!
//! A trace of a transition system is known by its labels: the numbers other tools give its states
//! are their own. So every format comes down to a list of labels, which is then followed in the
//! system (see [`graph::follow`]). Reports on models say more of each step, and trails of SPIN are in words of
//! their own.

use anyhow::{Context, Result, anyhow, bail};
use graph::{Deed, StateGraph, Told, Unwatched};
use lts::Format;
use serde::Deserialize;
use witness::Witness;

use crate::labels::label_and_inputs;
use crate::tlc_trail::{self, StateWords, TlcTrace};

/// A trail in any of the formats we read.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    pub(crate) labels: Vec<String>,
    /// The same by who did what, if the trail says so.
    pub(crate) deeds: Option<Vec<TrailStep>>,
    /// What the states look like, one more than there are labels; empty if the trail does not say.
    pub(crate) looks: Vec<StateWords>,
    /// How many steps lie before the loop, if there is one.
    pub(crate) loop_start: Option<usize>,
    /// The label of the step that closes the loop, if it is none of `labels`.
    closing: Option<String>,
    /// Whether its labels are all that it has and mean steps, also those of a model.
    is_chain: bool,
    /// A counterexample of another verifier of C programs.
    pub(crate) witness: Option<Witness>,
    /// A trail of SPIN, which has no labels.
    pub(crate) spin: Option<promela::trail::Trail>,
    /// What the report it comes from was about.
    pub(crate) property: Option<TrailProperty>,
}

/// The property of a report.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct TrailProperty {
    pub(crate) kind: Option<String>,
    pub(crate) text: String,
    pub(crate) spelling: Option<String>,
}

impl Trail {
    /// Reads a trail, whatever its format.
    ///
    /// # Errors
    /// If it is in none of them.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        read(bytes)
    }
}

fn read(bytes: &[u8]) -> Result<Trail> {
    let start = bytes.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(bytes.len());
    if let Some(witness) = std::str::from_utf8(bytes).ok().and_then(witness::read) {
        return Ok(Trail { witness: Some(witness?), ..Trail::default() });
    }
    let labels = match &bytes[start..] {
        [] => bail!("the trail is empty"),
        [b'{' | b'[', ..] => return from_json(bytes),
        rest if rest.starts_with(b"des") => return from_aut(bytes),
        _ => match promela::trail::read(&String::from_utf8_lossy(bytes)) {
            Some(trail) => {
                return Ok(Trail { spin: Some(trail?), ..Trail::default() });
            }
            None => from_list(bytes)?,
        },
    };
    Ok(Trail { labels, ..Trail::default() })
}

/// How reports say that they are ours, and of this generation.
const SCHEMA: &str = "wherefore/1";

/// A report of ours.
#[derive(Deserialize)]
struct JsonTrail {
    schema: Option<String>,
    property: Option<TrailProperty>,
    counterexample: Option<JsonTrace>,
}

#[derive(Deserialize)]
struct JsonTrace {
    /// The number of the step that begins the loop.
    loop_start: Option<u64>,
    steps: Vec<JsonStep>,
}

#[derive(Deserialize)]
struct JsonStep {
    event: Option<String>,
    #[serde(flatten)]
    step: TrailStep,
}

impl Trail {
    /// The inputs of all steps, in order.
    pub(crate) fn inputs(&self) -> Vec<i64> {
        match (&self.deeds, self.chain()) {
            (None, Some(chain)) => chain.into_iter().flat_map(|label| label_and_inputs(label).1).collect(),
            (deeds, _) => deeds.iter().flatten().flat_map(|step| step.inputs.iter().copied()).collect(),
        }
    }

    /// The labels of its steps, if they are all that it has.
    pub(crate) fn chain(&self) -> Option<Vec<&str>> {
        self.is_chain.then(|| self.labels.iter().chain(&self.closing).map(String::as_str).collect())
    }
}

/// What one process does, and with whom.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct TrailStep {
    process: Option<String>,
    pid: Option<u8>,
    action: String,
    location: Option<TrailPlace>,
    partner: Option<Box<TrailStep>>,
    /// What the step was given from outside.
    #[serde(default)]
    inputs: Vec<i64>,
}

/// Where a statement stood when the trail was made.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
struct TrailPlace {
    line: u64,
    column: u64,
}

/// What an event must share with a step of a trail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// Words and place: statements with the same words are told apart.
    Exact,
    /// Words only: lines may have moved since the trail was made.
    Words,
}

impl TrailStep {
    /// Whether an event is this step. Blanks may have changed since the trail was made.
    pub(crate) fn fits(&self, told: &Told, fit: Fit) -> bool {
        let is_deed = |step: &TrailStep, deed: &Deed| {
            let squeezed = |text: &str| text.split_whitespace().collect::<String>();
            let place = deed.location.as_ref().map(|at| TrailPlace { line: at.line, column: at.column });
            step.process.as_deref() == Some(&deed.actor.name)
                && step.pid == Some(deed.actor.number)
                && squeezed(&step.action) == squeezed(&deed.action)
                && (fit == Fit::Words || step.location == place)
        };
        let with = match (&self.partner, &told.partner) {
            (None, None) => true,
            (Some(step), Some(deed)) => is_deed(step, deed),
            _ => false,
        };
        with && is_deed(self, &told.deed)
    }
}

fn from_json(bytes: &[u8]) -> Result<Trail> {
    if let Some(TlcTrace { labels, looks, back }) = tlc_trail::read(bytes) {
        let (closing, loop_start) = back.unzip();
        return Ok(Trail { labels, looks, closing, loop_start, is_chain: true, ..Trail::default() });
    }
    let trail: JsonTrail = serde_json::from_slice(bytes).map_err(|_| {
        anyhow!("the trail is JSON, but neither a wherefore report with a counterexample nor a trace of TLC")
    })?;
    if let Some(other) = trail.schema.filter(|schema| schema != SCHEMA) {
        bail!("the trail is a report of `{other}`, and what is read is `{SCHEMA}`");
    }
    let Some(trace) = trail.counterexample else { bail!("the report has no counterexample") };
    let labels = trace.steps.iter().map(|step| step.event.as_ref().unwrap_or(&step.step.action).clone());
    let labels = labels.collect();
    let by_process = trace.steps.iter().all(|step| step.step.process.is_some());
    let deeds = by_process.then(|| trace.steps.into_iter().map(|step| step.step).collect());
    let before_loop = |start: u64| usize::try_from(start).unwrap_or(usize::MAX).saturating_sub(1);
    let loop_start = trace.loop_start.map(before_loop);
    Ok(Trail { labels, deeds, loop_start, property: trail.property, ..Trail::default() })
}

/// A chain of transitions, or one that comes back to itself. In a transition system a loop is left open: what is
/// violated there is violated on the way.
fn from_aut(bytes: &[u8]) -> Result<Trail> {
    let graph = lts::read(Format::Aut, bytes, &Unwatched)?.graph;
    let mut labels = Vec::new();
    let mut visited = vec![None; graph.state_count()];
    let mut at = graph.initial()[0];
    while visited[at as usize].is_none()
        && let Some(edge) = only_edge(&graph, at)?
    {
        visited[at as usize] = Some(labels.len());
        labels.push(graph.labels.get(edge.label).to_owned());
        at = edge.state;
    }
    let loop_start = visited[at as usize];
    let closing = loop_start.and_then(|_| labels.pop());
    Ok(Trail { labels, closing, loop_start, is_chain: true, ..Trail::default() })
}

fn only_edge(graph: &StateGraph, state: u32) -> Result<Option<graph::Edge>> {
    match graph.edges(state) {
        [] => Ok(None),
        [edge] => Ok(Some(*edge)),
        more => bail!(
            "the trail is not a single trace: {} transitions leave its state {}",
            more.len(),
            graph.names.name(state)
        ),
    }
}

/// One label a line, quoted or not. In CADP's `.seq` files a line such as `<deadlock>` is a remark, and
/// `[]` begins another sequence.
fn from_list(bytes: &[u8]) -> Result<Vec<String>> {
    let text = std::str::from_utf8(bytes).context("the trail is not UTF-8 text")?;
    let is_remark = |line: &str| line.starts_with('<') && line.ends_with('>');
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !is_remark(line));
    let labels: Vec<String> = lines.map(|line| unquoted(line).to_owned()).collect();
    if labels.iter().any(|label| label == "[]") {
        bail!("the file has several sequences (`[]`): keep one");
    }
    Ok(labels)
}

fn unquoted(line: &str) -> &str {
    line.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ok(text: &str) -> Vec<String> {
        read(text.as_bytes()).unwrap().labels
    }

    #[test]
    fn a_chain_whose_numbers_exceed_its_header() {
        assert_eq!(ok("des (0, 2, 3)\n(0, \"WAIT\", 3)\n(3, \"LOSS\", 8)\n"), ["WAIT", "LOSS"]);
    }

    #[test]
    fn a_branching_chain_is_refused_and_a_circular_one_left_open() {
        assert!(read(b"des (0, 2, 3)\n(0, a, 1)\n(0, b, 2)\n").is_err());
        let trail = read(b"des (0, 3, 3)\n(0, a, 1)\n(1, b, 2)\n(2, c, 1)\n").unwrap();
        assert_eq!((trail.labels.len(), trail.loop_start), (2, Some(1)));
        assert_eq!(trail.chain().unwrap(), ["a", "b", "c"]);
    }

    #[test]
    fn lists_and_reports() {
        assert_eq!(ok("\"PUT !1\"\nGET\n\n<deadlock>\n"), ["PUT !1", "GET"]);
        assert!(read(b"a\n[]\nb\n").is_err());
        let report = br#"{"property":{"kind":"safety","text":"[true] false","spelling":"mcl"},
            "counterexample":{"steps":[{"n":1,"action":"a"}]}}"#;
        let trail = read(report).unwrap();
        assert_eq!(trail.labels, ["a"]);
        assert_eq!(trail.property.unwrap().text, "[true] false");
    }

    #[test]
    fn other_json_says_what_was_expected() {
        let error = read(b"[{\"x\":1}]").unwrap_err();
        assert!(format!("{error:#}").contains("neither a wherefore report"), "{error:#}");
        assert!(read(b"  ").is_err());
    }
}
