//! Counterexamples of other tools, as sequences of labels.
//!
//! A trace of a transition system is known by its labels: the numbers other tools give its states
//! are their own. So every format comes down to a list of labels, which is then followed in the
//! system (see [`graph::follow`]).

use anyhow::{Context, Result, bail};
use graph::{StateGraph, Unwatched};
use lts::Format;
use serde::Deserialize;

/// The labels of a trail in any of the formats we read.
pub(crate) fn labels(bytes: &[u8]) -> Result<Vec<String>> {
    let start = bytes.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(bytes.len());
    match &bytes[start..] {
        [] => bail!("the trail is empty"),
        [b'{' | b'[', ..] => from_json(bytes),
        rest if rest.starts_with(b"des") => from_aut(bytes),
        _ => from_list(bytes),
    }
}

/// A report of ours, or a trace that TLC wrote with `-dumpTrace json`.
#[derive(Deserialize)]
struct JsonTrail {
    counterexample: Option<JsonTrace>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum JsonTrace {
    Ours { steps: Vec<OurStep> },
    Tlc { action: Vec<(serde_json::Value, TlcAction, serde_json::Value)> },
}

#[derive(Deserialize)]
struct OurStep {
    action: String,
}

#[derive(Deserialize)]
struct TlcAction {
    name: String,
}

fn from_json(bytes: &[u8]) -> Result<Vec<String>> {
    let trail: JsonTrail = serde_json::from_slice(bytes).context(
        "the trail is JSON, but neither a report of ours nor a trace of TLC that names its actions",
    )?;
    match trail.counterexample {
        None => bail!("the report has no counterexample"),
        Some(JsonTrace::Ours { steps }) => Ok(steps.into_iter().map(|step| step.action).collect()),
        Some(JsonTrace::Tlc { action }) => {
            // A lasso closes with an action back to an earlier state; the stem is what comes before.
            let number = |state: &serde_json::Value| state.get(0).and_then(serde_json::Value::as_u64);
            let stem = action.into_iter().take_while(|(from, _, to)| number(from) < number(to));
            Ok(stem.map(|(_, action, _)| action.name).collect())
        }
    }
}

/// A chain of transitions.
fn from_aut(bytes: &[u8]) -> Result<Vec<String>> {
    let graph = lts::read(Format::Aut, bytes, &Unwatched)?.graph;
    let mut labels = Vec::new();
    let mut at = graph.initial()[0];
    while let Some(edge) = only_edge(&graph, at)? {
        labels.push(graph.labels.get(edge.label).to_owned());
        if labels.len() > graph.edge_count() {
            bail!("the trail goes round in a circle");
        }
        at = edge.state;
    }
    Ok(labels)
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

/// One label a line, quoted or not, as in CADP's `.seq` files.
fn from_list(bytes: &[u8]) -> Result<Vec<String>> {
    let text = std::str::from_utf8(bytes).context("the trail is not UTF-8 text")?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    Ok(lines.map(|line| unquoted(line).to_owned()).collect())
}

fn unquoted(line: &str) -> &str {
    line.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ok(text: &str) -> Vec<String> {
        labels(text.as_bytes()).unwrap()
    }

    #[test]
    fn a_chain_whose_numbers_exceed_its_header() {
        assert_eq!(ok("des (0, 2, 3)\n(0, \"WAIT\", 3)\n(3, \"LOSS\", 8)\n"), ["WAIT", "LOSS"]);
    }

    #[test]
    fn a_branching_or_circular_chain_is_refused() {
        assert!(labels(b"des (0, 2, 3)\n(0, a, 1)\n(0, b, 2)\n").is_err());
        assert!(labels(b"des (0, 2, 2)\n(0, a, 1)\n(1, b, 0)\n").is_err());
    }

    #[test]
    fn lists_reports_and_tlc_traces() {
        assert_eq!(ok("\"PUT !1\"\nGET\n\n"), ["PUT !1", "GET"]);
        assert_eq!(ok(r#"{"counterexample":{"steps":[{"n":1,"action":"a"}]}}"#), ["a"]);
        let tlc = r#"{"counterexample":{"state":[],"action":[
            [[1,{}],{"name":"Init"},[2,{}]],[[2,{}],{"name":"Next"},[3,{}]],[[3,{}],{"name":"Back"},[2,{}]]]}}"#;
        assert_eq!(ok(tlc), ["Init", "Next"]);
    }

    #[test]
    fn other_json_says_what_was_expected() {
        let error = labels(b"[{\"x\":1}]").unwrap_err();
        assert!(format!("{error:#}").contains("names its actions"), "{error:#}");
        assert!(labels(b"  ").is_err());
    }
}
