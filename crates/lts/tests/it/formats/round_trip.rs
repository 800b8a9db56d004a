//! Writing and reading back keeps everything the format can hold.

use std::collections::{BTreeMap, BTreeSet};

use graph::{StateGraph, Unwatched};
use lts::{Format, WriteError};
use proptest::prelude::*;

use super::random::{any_graph, runner};

/// A graph as plain data. States are called as the format calls them.
#[derive(Debug, PartialEq, Eq)]
struct Content {
    states: BTreeMap<String, BTreeMap<String, String>>,
    initial: BTreeSet<String>,
    edges: BTreeSet<(String, String, String)>,
}

/// What should be left of `graph` in a file of this format.
fn content(graph: &StateGraph, format: Format) -> Content {
    let name = |state: u32| match format {
        Format::Aut | Format::Fsm => state.to_string(),
        Format::TlcDot | Format::Csv | Format::Json => graph.names.name(state).to_string(),
    };
    let label = |label: u32| match (format, graph.labels.get(label)) {
        (Format::TlcDot, "") => "step".to_owned(),
        (_, text) => text.to_owned(),
    };
    let values = |state: u32| {
        let mut values = BTreeMap::new();
        let variables = graph.variables.as_ref().filter(|_| !matches!(format, Format::Aut | Format::Csv));
        for (variable, name) in variables.iter().flat_map(|table| table.names().iter().enumerate()) {
            let value = variables.and_then(|table| table.get(state, variable));
            // A state that lacks a variable has an empty value in an FSM file.
            let value = if format == Format::Fsm { value.or(Some("")) } else { value };
            values.extend(value.map(|value| (name.clone(), value.to_owned())));
        }
        values
    };
    let states = 0..graph.state_count() as u32;
    let edges = states.clone().flat_map(|source| graph.edges(source).iter().map(move |edge| (source, edge)));
    Content {
        initial: graph.initial().iter().map(|state| name(*state)).collect(),
        edges: edges.map(|(source, edge)| (name(source), label(edge.label), name(edge.state))).collect(),
        states: states.map(|state| (name(state), values(state))).collect(),
    }
}

/// Through a file and back; nothing if the format cannot hold the graph.
fn through(format: Format, graph: &StateGraph) -> Result<Option<StateGraph>, TestCaseError> {
    let mut file = Vec::new();
    match lts::write(format, graph, &mut file) {
        Ok(()) => {}
        Err(WriteError::SeveralInitialStates { .. } | WriteError::Text { .. }) => return Ok(None),
        Err(error) => return Err(TestCaseError::fail(error.to_string())),
    }
    let shown = String::from_utf8_lossy(&file);
    let reading = lts::read(format, &file, &Unwatched)
        .map_err(|error| TestCaseError::fail(format!("{format}:{error}\n{shown}")))?;
    prop_assert_eq!(content(&reading.graph, format), content(graph, format), "{}:\n{}", format, shown);
    let unexpected = reading.warnings.iter().find(|warning| {
        // A label or a state can be odd, but we write no odd file.
        format != Format::TlcDot || !warning.message.contains("without a name")
    });
    prop_assert_eq!(unexpected, None, "{}:\n{}", format, shown);
    Ok(Some(reading.graph))
}

#[test]
fn every_pair_of_formats_keeps_what_both_hold() {
    runner(400)
        .run(&any_graph(), |graph| {
            for first in Format::ALL {
                let Some(between) = through(first, &graph)? else { continue };
                for second in Format::ALL {
                    through(second, &between)?;
                }
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn json_keeps_every_graph_with_its_order() {
    runner(400)
        .run(&any_graph(), |graph| {
            let again = through(Format::Json, &graph)?.expect("JSON holds every graph");
            for state in 0..graph.state_count() as u32 {
                prop_assert_eq!(graph.names.name(state).to_string(), again.names.name(state).to_string());
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_file_says_its_format() {
    runner(200)
        .run(&any_graph(), |graph| {
            for format in Format::ALL {
                let mut file = Vec::new();
                if lts::write(format, &graph, &mut file).is_ok() {
                    prop_assert_eq!(
                        Format::detect(&file),
                        Some(format),
                        "{}",
                        String::from_utf8_lossy(&file)
                    );
                }
            }
            Ok(())
        })
        .unwrap();
}
