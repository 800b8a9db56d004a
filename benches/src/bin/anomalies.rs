//! What comparing all failing with all passing traces costs, beside what merely exploring costs.
//!
//!     cargo run --release --manifest-path benches/Cargo.toml --bin anomalies
//!
//! Graphs of a million states and three million edges with 300 events. In the first, edges are random and
//! states without edges are deadlocks. In the second, every fiftieth state has an edge into a region from
//! which all leads to a deadlock, so that there are thousands of anomalies to be found and ranked. Printed
//! are the seconds to explore the graph, to find the fates, the pairs of events that only failing traces
//! have with where each occurs first, and points of no return by event, and the ratio of the pairs to the
//! exploration.
//!
//! The third is the graph of a model with a deadlock, a telephone exchange with three users: a million
//! states, three million edges. There exploring means running the model.

use std::path::Path;
use std::time::Instant;

use explain::anomalies::crossings::crossings;
use explain::anomalies::{Ground, substrings};
use graph::{Checked, Exploration, Fairness, Fates, GraphBuilder, Marks, StateGraph, Unwatched};
use search::Limits;
use wherefore_benches::cost::Laps;
use wherefore_benches::{Random, models};

const STATES: u32 = 1_000_000;
const EDGES: u32 = 3_000_000;
const LABELS: u32 = 300;

fn main() {
    println!("structure   explore   fates   pairs  points  anomalies  pairs/explore");
    measure("random", random(STATES), LABELS as usize, None);
    measure("doomed", random(STATES - STATES / 10), LABELS as usize, None);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/promela/telephone.pml");
    let model = models::read(&path, &["-DN=3"]);
    let start = Instant::now();
    let found = search::explore(&model, Limits::default(), &Unwatched).expect("few enough edges");
    let seconds = start.elapsed().as_secs_f64();
    measure("telephone", found.graph, found.events.len(), Some(seconds));
}

/// States without edges are deadlocks. If the graph had to be made first, that took `making` seconds.
fn measure(name: &str, graph: StateGraph, labels: usize, making: Option<f64>) {
    let states = graph.state_count() as u32;
    let deadlocks = (0..states).filter(|state| graph.edges(*state).is_empty()).collect();
    let system = Checked::new(graph, Marks { deadlocks, ..Marks::default() });
    let mut laps = Laps::begin();
    let explored = Exploration::new(&system, u64::MAX, &Unwatched);
    let explore = laps.lap() + making.unwrap_or(0.0);
    let fates = Fates::new(&system, &explored, Fairness::Weak, &Unwatched).expect("nobody interrupts");
    let weigh = laps.lap();
    let ground = Ground { system: &system, labels, explored: &explored, fates: &fates, watch: &Unwatched };
    let pairs = substrings(&ground, 2).expect("pairs are short enough");
    let compare = laps.lap();
    let points = crossings(&ground).expect("nobody interrupts");
    let points = (laps.lap(), points.len()).0;
    println!(
        "{name:<11} {explore:>7.3} {weigh:>7.3} {compare:>7.3} {points:>7.3} {:>10} {:>14.2}",
        pairs.len(),
        compare / explore
    );
}

/// A tree over all states and edges by chance among the first `healthy` ones; the others form a tree of
/// their own below them, with the last tenth of the labels, in which every way ends.
fn random(healthy: u32) -> StateGraph {
    let mut random = Random(5);
    let mut builder = GraphBuilder::new();
    for label in 0..LABELS {
        builder.labels.intern(&format!("a{label}"));
    }
    let common = LABELS - LABELS / 10;
    for state in 1..STATES {
        if state < healthy {
            builder.edge(random.below(state), random.below(common), state);
        } else {
            let parent = if state % 5 == 0 {
                random.below(healthy)
            } else {
                random.below(state - healthy + 1) + healthy
            };
            builder.edge(parent.min(state - 1), common + random.below(LABELS - common), state);
        }
    }
    for _ in STATES..EDGES {
        builder.edge(random.below(healthy), random.below(common), random.below(healthy));
    }
    builder.finish(STATES as usize, vec![0]).expect("few enough edges")
}
