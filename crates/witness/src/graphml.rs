//! SV-COMP's older violation witnesses: an automaton in GraphML 1.0, of which a shortest way from its entry to its
//! violation is taken, with the assumptions and branches on it.

use std::collections::{BTreeMap, VecDeque};

use crate::{Waypoint, What, Witness, WitnessError, integer, result_value};

#[derive(Debug, Default)]
struct Edge {
    source: String,
    target: String,
    /// Its line in the witness.
    written: u64,
    data: BTreeMap<String, String>,
}

#[derive(Debug, Default)]
struct Automaton {
    entry: Option<String>,
    violations: Vec<String>,
    edges: Vec<Edge>,
}

pub(crate) fn read(text: &str) -> Result<Witness, WitnessError> {
    let automaton = automaton(text)?;
    let nowhere = |message: &str| WitnessError::new(1, 1, message);
    let entry = automaton.entry.as_deref().ok_or_else(|| nowhere("no node of the automaton is its entry"))?;
    let way =
        shortest(&automaton, entry).ok_or_else(|| nowhere("no way leads from the entry to a violation"))?;
    let mut witness = Witness::default();
    for edge in way {
        let Some(line) = edge.data.get("startline").and_then(|line| line.trim().parse().ok()) else {
            continue;
        };
        let written = Some(edge.written);
        let mut say = |what| witness.waypoints.push(Waypoint { written, ..Waypoint::new(line, what) });
        match edge.data.get("control").map(String::as_str) {
            Some("condition-true") => say(What::Branch(true)),
            Some("condition-false") => say(What::Branch(false)),
            _ => {}
        }
        if let Some(assumption) = edge.data.get("assumption") {
            say(assumed(assumption, edge.data.contains_key("assumption.resultfunction")));
        }
    }
    Ok(witness)
}

/// What an assumption behind a statement says: of what a function returned, or of variables.
fn assumed(text: &str, of_result: bool) -> What {
    let text = text.trim().trim_end_matches(';').trim();
    if of_result || text.contains("\\result") {
        return What::Returns(result_value(text));
    }
    // `x == 5` behind the statement that gave x its value.
    match text.split_once("==").map(|(name, value)| (name.trim(), integer(value))) {
        Some((name, Some(value))) if name.chars().all(|c| c.is_alphanumeric() || c == '_') => {
            What::Returns(Some(value))
        }
        _ => What::Holds(text.to_owned()),
    }
}

fn shortest<'a>(automaton: &'a Automaton, entry: &'a str) -> Option<Vec<&'a Edge>> {
    let mut by: BTreeMap<&str, Option<&Edge>> = BTreeMap::from([(entry, None)]);
    let mut leaving: BTreeMap<&str, Vec<&Edge>> = BTreeMap::new();
    automaton.edges.iter().for_each(|edge| leaving.entry(&edge.source).or_default().push(edge));
    let mut next = VecDeque::from([entry]);
    while let Some(node) = next.pop_front() {
        if automaton.violations.iter().any(|violation| violation == node) {
            let mut way = Vec::new();
            let mut at = node;
            while let Some(Some(edge)) = by.get(at) {
                way.push(*edge);
                at = &edge.source;
            }
            way.reverse();
            return Some(way);
        }
        for edge in leaving.get(node).into_iter().flatten() {
            if !by.contains_key(edge.target.as_str()) {
                by.insert(&edge.target, Some(edge));
                next.push_back(&edge.target);
            }
        }
    }
    None
}

/// Reads tags one after the other; what they mean beyond nodes, edges and their data does not matter here.
fn automaton(text: &str) -> Result<Automaton, WitnessError> {
    let mut automaton = Automaton::default();
    let mut node: Option<String> = None;
    let mut edge: Option<Edge> = None;
    let mut rest = text;
    let (mut written, mut counted) = (1, 0);
    while let Some(start) = rest.find('<') {
        let at = text.len() - rest.len() + start;
        written += text[counted..at].matches('\n').count() as u64;
        counted = at;
        let tail = &rest[start..];
        if let Some(after) = tail.strip_prefix("<!--") {
            let Some(end) = after.find("-->") else {
                return Err(error_at(text, at, "the comment does not end"));
            };
            rest = &after[end + 3..];
            continue;
        }
        let Some(end) = tail.find('>') else { return Err(error_at(text, at, "the tag does not end")) };
        let tag = &tail[1..end];
        rest = &tail[end + 1..];
        let closed = tag.ends_with('/');
        let body = tag.trim_end_matches('/');
        let name = body.split_whitespace().next().unwrap_or_default();
        match name {
            "node" => {
                node = Some(attribute(body, "id").ok_or_else(|| error_at(text, at, "the node has no `id`"))?);
                if closed {
                    node = None;
                }
            }
            "/node" => node = None,
            "edge" => {
                let of = |name| {
                    attribute(body, name)
                        .ok_or_else(|| error_at(text, at, &format!("the edge has no `{name}`")))
                };
                let (source, target) = (of("source")?, of("target")?);
                let found = Edge { source, target, written, data: BTreeMap::new() };
                if closed {
                    automaton.edges.push(found);
                } else {
                    edge = Some(found);
                }
            }
            "/edge" => automaton.edges.extend(edge.take()),
            "data" if !closed => {
                let key =
                    attribute(body, "key").ok_or_else(|| error_at(text, at, "the data has no `key`"))?;
                let Some(end) = rest.find('<') else {
                    return Err(error_at(text, at, "the data does not end"));
                };
                let value = unescaped(&rest[..end]);
                match (&node, &mut edge) {
                    (_, Some(edge)) => _ = edge.data.insert(key, value),
                    (Some(node), None) if value.trim() == "true" => match key.as_str() {
                        "entry" => automaton.entry = Some(node.clone()),
                        "violation" => automaton.violations.push(node.clone()),
                        _ => {}
                    },
                    _ => {}
                }
            }
            _ => {}
        }
    }
    Ok(automaton)
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    tag.match_indices(name).find_map(|(at, _)| {
        let before = tag[..at].chars().last()?;
        let value = tag[at + name.len()..].trim_start().strip_prefix('=')?.trim_start();
        let quote = value.chars().next().filter(|c| *c == '"' || *c == '\'')?;
        let end = value[1..].find(quote)?;
        before.is_whitespace().then(|| unescaped(&value[1..=end]))
    })
}

fn unescaped(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'");
    text.replace("&amp;", "&")
}

fn error_at(text: &str, at: usize, message: &str) -> WitnessError {
    let before = &text[..at];
    let line = before.matches('\n').count() as u64 + 1;
    let column = before.rsplit('\n').next().map_or(0, |last| last.chars().count()) as u64 + 1;
    WitnessError::new(line, column, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = r#"<?xml version="1.0"?>
<graphml><graph edgedefault="directed">
 <node id="a"><data key="entry">true</data></node>
 <node id="b"/> <node id="sink"><data key="sink">true</data></node>
 <node id="v"><data key="violation">true</data></node>
 <edge source="a" target="b"><data key="startline">4</data>
   <data key="assumption">\result == 7;</data><data key="assumption.resultfunction">__VERIFIER_nondet_int</data></edge>
 <edge source="b" target="sink"><data key="startline">5</data><data key="control">condition-false</data></edge>
 <edge source="b" target="v"><data key="startline">5</data><data key="control">condition-true</data>
   <data key="assumption">x &lt; 9;</data></edge>
</graph></graphml>"#;

    #[test]
    fn the_way_to_the_violation_is_taken() {
        let expected = [
            (4, What::Returns(Some(7)), Some(6)),
            (5, What::Branch(true), Some(9)),
            (5, What::Holds("x < 9".to_owned()), Some(9)),
        ];
        let read = read(SAMPLE).unwrap().waypoints.into_iter();
        let said: Vec<_> = read.map(|waypoint| (waypoint.line, waypoint.what, waypoint.written)).collect();
        assert_eq!(said, expected);
    }

    #[test]
    fn what_is_broken_is_told_with_its_place() {
        let error = read(&SAMPLE.replace("source=\"b\" target=\"v\"", "target=\"v\"")).unwrap_err();
        assert_eq!((error.line, error.column), (9, 2), "{error}");
        assert!(read("<graphml><node").is_err());
        assert!(read("<graphml></graphml>").is_err());
    }
}
