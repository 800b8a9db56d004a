//! Our own format, the one that holds everything a graph has.
//!
//! ```text
//! {"format": "wherefore-lts/1", "initial": [0], "states": 2,
//!  "transitions": [[0, "send", 1], [1, "tau", 0]],
//!  "names": [17, -4],
//!  "variables": {"names": ["x"], "values": [["0"], [null]]}}
//! ```
//!
//! `names` (numbers or texts) and `variables` may be left out, as may `states`, which is then the
//! highest number mentioned; other fields are ignored. The file is read as a stream, one transition
//! after the other, and never stands in memory as a tree.

mod tables;

use std::cell::Cell;
use std::fmt;
use std::io::Write;

use graph::{GraphBuilder, Interrupt, Labels, PULSE, Progress, StateGraph, StateName, StateNames, Watch};
use serde::Deserialize;
use serde::de::{
    DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor,
};

use self::tables::{Names, Variables};
use crate::numbering::believable;
use crate::outcome::{Stop, WriteError};
use crate::scan::shortened;

const FORMAT: &str = "wherefore-lts/1";

pub(crate) fn read(input: &[u8], watch: &dyn Watch) -> Result<StateGraph, Stop> {
    let interrupted = Cell::new(None);
    let document = Document { watch, interrupted: &interrupted, length: input.len() };
    let mut json = serde_json::Deserializer::from_slice(input);
    let graph = json.deserialize_map(document).and_then(|graph| json.end().map(|()| graph));
    graph.map_err(|error| match interrupted.get() {
        Some(interrupt) => Stop::Interrupted(interrupt),
        None => locate(input, &error),
    })
}

/// The fault that serde_json reports, at its offset: it counts lines from 1 and bytes, not
/// characters, in them.
fn locate(input: &[u8], error: &serde_json::Error) -> Stop {
    let skipped = memchr::memchr_iter(b'\n', input).take(error.line().saturating_sub(1)).last();
    let start = skipped.map_or(0, |newline| newline + 1);
    let at = (start + error.column().saturating_sub(1)).min(input.len());
    let message = error.to_string();
    // The place is told apart from the message.
    let message = message.rfind(" at line ").map_or(message.as_str(), |end| &message[..end]);
    Stop::fault(at, shortened(message, 160))
}

/// The whole file.
struct Document<'a> {
    watch: &'a dyn Watch,
    interrupted: &'a Cell<Option<Interrupt>>,
    length: usize,
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Field {
    Format,
    Initial,
    States,
    Transitions,
    Names,
    Variables,
    #[serde(other)]
    Other,
}

impl<'de> Visitor<'de> for Document<'_> {
    type Value = StateGraph;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with \"format\": \"{FORMAT}\"")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<StateGraph, A::Error> {
        let mut format = false;
        let mut initial: Option<Vec<u32>> = None;
        let mut states: Option<u64> = None;
        let mut transitions: Option<Transitions<'_>> = None;
        let mut names: Option<Names> = None;
        let mut variables: Option<Variables> = None;
        while let Some(field) = map.next_key()? {
            let twice = match field {
                Field::Format => std::mem::replace(&mut format, true).then_some("format"),
                Field::Initial => initial.is_some().then_some("initial"),
                Field::States => states.is_some().then_some("states"),
                Field::Transitions => transitions.is_some().then_some("transitions"),
                Field::Names => names.is_some().then_some("names"),
                Field::Variables => variables.is_some().then_some("variables"),
                Field::Other => None,
            };
            if let Some(field) = twice {
                return Err(Error::duplicate_field(field));
            }
            match field {
                Field::Format => {
                    let found: String = map.next_value()?;
                    if found != FORMAT {
                        return Err(Error::invalid_value(
                            Unexpected::Str(&found),
                            &"the format wherefore-lts/1",
                        ));
                    }
                }
                Field::Initial => initial = Some(map.next_value()?),
                Field::States => states = Some(map.next_value()?),
                Field::Transitions => {
                    let mut list = Transitions {
                        watch: self.watch,
                        interrupted: self.interrupted,
                        builder: GraphBuilder::new(),
                        count: 0,
                    };
                    map.next_value_seed(&mut list)?;
                    transitions = Some(list);
                }
                Field::Names => {
                    let mut list = Names::default();
                    map.next_value_seed(&mut list)?;
                    names = Some(list);
                }
                Field::Variables => {
                    let mut table = Variables::default();
                    map.next_value_seed(&mut table)?;
                    variables = Some(table);
                }
                Field::Other => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        if !format {
            return Err(Error::missing_field("format"));
        }
        let initial = initial.ok_or_else(|| Error::missing_field("initial"))?;
        let transitions = transitions.ok_or_else(|| Error::missing_field("transitions"))?;
        let Some(highest) = initial.iter().max() else {
            return Err(Error::custom("no initial state"));
        };
        let mentioned = transitions.count.max(u64::from(*highest) + 1);
        let states = states.unwrap_or(mentioned);
        if mentioned > states {
            return Err(Error::custom(format!("state {} in a system of {states} states", mentioned - 1)));
        }
        if states > believable(self.length) {
            return Err(Error::custom(format!("{states} states in a file too short for so many")));
        }
        let states = states as usize;
        let mut graph = transitions.builder.finish(states, initial).map_err(Error::custom)?;
        if let Some(names) = names {
            graph.names = names.finish(states).map_err(Error::custom)?;
        }
        if let Some(variables) = variables {
            graph.variables = Some(variables.finish(states).map_err(Error::custom)?);
        }
        Ok(graph)
    }
}

/// `[[source, "label", target], ...]`.
struct Transitions<'a> {
    watch: &'a dyn Watch,
    interrupted: &'a Cell<Option<Interrupt>>,
    builder: GraphBuilder,
    /// One more than the highest state.
    count: u64,
}

impl<'de> DeserializeSeed<'de> for &mut Transitions<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for &mut Transitions<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of transitions [source, \"label\", target]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(Transition(self))?.is_some() {
            let edges = self.builder.edge_count() as u64;
            if edges.is_multiple_of(PULSE) {
                let progress =
                    Progress { phase: "reading", states: self.count, edges, ..Progress::default() };
                if let Err(interrupt) = self.watch.pulse(progress) {
                    self.interrupted.set(Some(interrupt));
                    return Err(Error::custom(interrupt));
                }
            }
        }
        Ok(())
    }
}

struct Transition<'a, 'b>(&'a mut Transitions<'b>);

impl<'de> DeserializeSeed<'de> for Transition<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Transition<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a transition [source, \"label\", target]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<(), A::Error> {
        let list = self.0;
        let wanted = &"a transition [source, \"label\", target]";
        let source: u32 = parts.next_element()?.ok_or_else(|| Error::invalid_length(0, wanted))?;
        let label = parts
            .next_element_seed(Text(&mut list.builder.labels))?
            .ok_or_else(|| Error::invalid_length(1, wanted))?;
        let target: u32 = parts.next_element()?.ok_or_else(|| Error::invalid_length(2, wanted))?;
        if parts.next_element::<IgnoredAny>()?.is_some() {
            return Err(Error::invalid_length(4, wanted));
        }
        list.count = list.count.max(u64::from(source.max(target)) + 1);
        list.builder.edge(source, label, target);
        Ok(())
    }
}

/// A text, interned without a copy of its own.
struct Text<'a>(&'a mut Labels);

impl<'de> DeserializeSeed<'de> for Text<'_> {
    type Value = u32;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u32, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Text<'_> {
    type Value = u32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<u32, E> {
        Ok(self.0.intern(text))
    }
}

pub(crate) fn write(graph: &StateGraph, out: &mut dyn Write) -> Result<(), WriteError> {
    if graph.initial().is_empty() {
        return Err(WriteError::NoInitialState);
    }
    write!(out, "{{\"format\": \"{FORMAT}\",\n\"initial\": {:?},\n", graph.initial())?;
    write!(out, "\"states\": {},\n\"transitions\": [", graph.state_count())?;
    let mut separator = "\n";
    for source in 0..graph.state_count() as u32 {
        for edge in graph.edges(source) {
            write!(out, "{separator}[{source}, ")?;
            write_text(out, graph.labels.get(edge.label))?;
            write!(out, ", {}]", edge.state)?;
            separator = ",\n";
        }
    }
    out.write_all(b"]")?;
    let states = 0..graph.state_count() as u32;
    if !matches!(graph.names, StateNames::Counted { first: 0 }) {
        out.write_all(b",\n\"names\": [")?;
        for state in states.clone() {
            out.write_all(if state > 0 { b", " } else { b"" })?;
            match graph.names.name(state) {
                StateName::Number(number) => write!(out, "{number}")?,
                StateName::Text(text) => write_text(out, text)?,
            }
        }
        out.write_all(b"]")?;
    }
    if let Some(variables) = &graph.variables {
        out.write_all(b",\n\"variables\": {\"names\": [")?;
        let mut separator = "";
        for name in variables.names() {
            out.write_all(separator.as_bytes())?;
            write_text(out, name)?;
            separator = ", ";
        }
        out.write_all(b"], \"values\": [")?;
        for state in states {
            out.write_all(if state > 0 { b",\n[" } else { b"\n[" })?;
            for variable in 0..variables.names().len() {
                out.write_all(if variable > 0 { b", " } else { b"" })?;
                match variables.get(state, variable) {
                    Some(value) => write_text(out, value)?,
                    None => out.write_all(b"null")?,
                }
            }
            out.write_all(b"]")?;
        }
        out.write_all(b"]}")?;
    }
    out.write_all(b"}\n")?;
    Ok(())
}

fn write_text(out: &mut dyn Write, text: &str) -> std::io::Result<()> {
    Ok(serde_json::to_writer(out, text)?)
}

#[cfg(test)]
mod tests;
