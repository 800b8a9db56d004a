//! How fast the readers are: makes a graph, writes it in every format and reads it back.
//!
//! `cargo run --release -p wherefore-lts --example read_rate -- [transitions] [formats...]`

use std::time::Instant;

use graph::{GraphBuilder, StateGraph, Unwatched};
use lts::Format;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let transitions: usize = arguments.next().map_or(Ok(1_000_000), |count| count.parse())?;
    let formats: Vec<Format> = arguments.map(|name| name.parse()).collect::<Result<_, _>>()?;
    let formats = if formats.is_empty() { Format::ALL.to_vec() } else { formats };
    let graph = ring(transitions)?;
    let mut report = String::new();
    for format in formats {
        let start = Instant::now();
        let mut file = Vec::new();
        lts::write(format, &graph, &mut file)?;
        let wrote = start.elapsed();
        let start = Instant::now();
        let reading = lts::read(format, &file, &Unwatched)?;
        let read = start.elapsed();
        let rate = reading.graph.edge_count() as f64 / read.as_secs_f64() / 1e6;
        report += &format!(
            "{format:5} {:6.1} MB  written in {:.2} s  read in {:.2} s  {rate:.1} M transitions/s\n",
            file.len() as f64 / 1e6,
            wrote.as_secs_f64(),
            read.as_secs_f64(),
        );
    }
    std::io::Write::write_all(&mut std::io::stdout(), report.as_bytes())?;
    Ok(())
}

/// Five steps from every state, to neighbours near and far, with a hundred labels.
fn ring(transitions: usize) -> Result<StateGraph, graph::TooManyEdges> {
    let states = (transitions / 5).max(1) as u32;
    let mut builder = GraphBuilder::new();
    for label in 0..100 {
        builder.labels.intern(&format!("ACTION_{label} !{}", label % 7));
    }
    for source in 0..states {
        for step in 0..5 {
            let target = (u64::from(source) * 7 + u64::from(step) * 1_000_003) % u64::from(states);
            let label = (source / 3 + step * 17) % 100;
            builder.edge(source, label, target as u32);
        }
    }
    builder.finish(states as usize, vec![0])
}
