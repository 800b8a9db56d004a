//! Short ways for the tests to read a text and to say what was read.

use graph::{StateGraph, Unwatched};

use crate::{Format, ReadError, Reading};

/// Reads what has to be readable.
pub(crate) fn read(format: Format, contents: impl AsRef<[u8]>) -> Reading {
    crate::read(format, contents.as_ref(), &Unwatched).unwrap()
}

/// Where and why reading fails, as `line:column: message`.
pub(crate) fn error(format: Format, contents: impl AsRef<[u8]>) -> String {
    match crate::read(format, contents.as_ref(), &Unwatched) {
        Err(error @ ReadError::Malformed { .. }) => error.to_string(),
        other => panic!("expected an error, got {other:?}"),
    }
}

/// The transitions, by the names of their states, as `source label target`.
pub(crate) fn edges(graph: &StateGraph) -> Vec<String> {
    let mut edges = Vec::new();
    for source in 0..graph.state_count() as u32 {
        for edge in graph.edges(source) {
            let (from, to) = (graph.names.name(source), graph.names.name(edge.state));
            edges.push(format!("{from} {} {to}", graph.labels.get(edge.label)));
        }
    }
    edges
}

/// The initial states by their names.
pub(crate) fn initial(graph: &StateGraph) -> Vec<String> {
    graph.initial().iter().map(|state| graph.names.name(*state).to_string()).collect()
}

/// The values of a state as `name=value`.
pub(crate) fn values(graph: &StateGraph, state: u32) -> Vec<String> {
    let variables = graph.variables.as_ref().unwrap();
    let value = |(variable, name): (usize, &String)| {
        variables.get(state, variable).map(|value| format!("{name}={value}"))
    };
    variables.names().iter().enumerate().filter_map(value).collect()
}

/// The warnings as `line:column: message`.
pub(crate) fn warnings(reading: &Reading) -> Vec<String> {
    let show = |warning: &crate::Warning| match warning.position {
        Some(position) => format!("{position}: {}", warning.message),
        None => warning.message.clone(),
    };
    reading.warnings.iter().map(show).collect()
}

/// What `graph` looks like in a file.
pub(crate) fn written(format: Format, graph: &StateGraph) -> String {
    let mut file = Vec::new();
    crate::write(format, graph, &mut file).unwrap();
    String::from_utf8(file).unwrap()
}
