//! Labelled transition systems in files: [`read`] and [`write`], one format a file; and making them
//! smaller: [`reduce`].
//!
//! The readers take bytes, so that whoever has a file maps it into memory, and know no files
//! themselves. Any bytes give a graph or an error with line and column. The graph may come with
//! warnings: real files have wrong counts in their headers, and an explanation of them is still an
//! explanation.

mod adjacency;
mod aut;
mod branching;
mod colour;
mod constellations;
mod counters;
mod csv;
mod dot;
mod format;
mod fsm;
mod halves;
mod json;
mod label_sort;
mod naming;
mod numbering;
mod outcome;
mod partition;
mod pulse;
mod quotient;
mod reduce;
mod scan;
mod silent_cycles;
mod simulation;
mod slices;
mod strong;
mod tau;
#[cfg(test)]
mod testing;
mod variables;
mod writing;

pub use format::{Format, UnknownFormat};
pub use outcome::{ReadError, Reading, Warning, WriteError};
pub use reduce::{Equivalence, Reduction, reduce};
pub use simulation::{Mismatch, Simulation, simulate};
pub use tau::Tau;

use std::io;

use graph::{StateGraph, Watch};

/// Reads a graph from the contents of a file.
pub fn read(format: Format, contents: &[u8], watch: &dyn Watch) -> Result<Reading, ReadError> {
    // A byte order mark means nothing in UTF-8.
    let input = contents.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(contents);
    let mut notes = outcome::Notes::default();
    let graph = match format {
        Format::Aut => aut::read(input, watch, &mut notes),
        Format::TlcDot => dot::read(input, watch, &mut notes),
        Format::Csv => csv::read(input, watch, &mut notes),
        Format::Fsm => fsm::read(input, watch, &mut notes),
        Format::Json => json::read(input, watch),
    };
    match graph {
        Ok(graph) => Ok(Reading { graph, warnings: notes.locate(input) }),
        Err(stop) => Err(stop.locate(input)),
    }
}

/// Writes a graph to `out`, which should be buffered.
pub fn write(format: Format, graph: &StateGraph, out: &mut dyn io::Write) -> Result<(), WriteError> {
    match format {
        Format::Aut => aut::write(graph, out),
        Format::TlcDot => dot::write(graph, out),
        Format::Csv => csv::write(graph, out),
        Format::Fsm => fsm::write(graph, out),
        Format::Json => json::write(graph, out),
    }
}
