//! What looking for variations of a counterexample costs, beside what exploring costs.
//!
//!     cargo run --release --manifest-path benches/Cargo.toml --bin variations
//!
//! A telephone exchange with three users, which can deadlock: a million states, three million edges. Printed are
//! the seconds to run the model into a graph, to go through that graph once more, to look for variations at most 30
//! steps away from a shortest counterexample, for the sets of Table 1 over all traces, and for transformations; how
//! many variations there are; and the ratio of the search near the counterexample to running the model.

use std::path::Path;
use std::time::Instant;

use explain::variations::exact::Compared;
use explain::variations::{Order, Plan, exact, generate, transformations};
use graph::{Checked, Exploration, Marks, Unwatched, calmest_shortest};
use search::{Limits, Violation};
use wherefore_benches::cost::Laps;
use wherefore_benches::models;

const DEPTH: u32 = 30;

fn main() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/promela/telephone.pml");
    let model = models::read(&path, &["-DN=3"]);
    let start = Instant::now();
    let found = search::explore(&model, Limits::default(), &Unwatched).expect("few enough edges");
    let run = start.elapsed().as_secs_f64();
    let labels = found.events.len();
    let deadlocks = found.violations.iter().filter_map(|violation| match violation {
        Violation::Deadlock { state } => Some(*state),
        Violation::Step { .. } => None,
    });
    let marks = Marks { deadlocks: deadlocks.collect(), ..Marks::default() };
    let (states, edges) = (found.store.len(), found.graph.edge_count());
    let system = Checked::new(found.graph, marks);
    println!("{states} states, {edges} edges");
    println!("walk            run  through    near     all  changes  negatives  positives  near/run");
    for (name, order) in
        [("bfs", Order::BreadthFirst), ("dfs", Order::DepthFirst), ("heuristic", Order::Heuristic)]
    {
        let mut laps = Laps::begin();
        let explored = Exploration::new(&system, u64::MAX, &Unwatched);
        let through = laps.lap();
        let counterexample = calmest_shortest(&system, &explored, |_| false).expect("it deadlocks");
        let keys: Vec<u32> = (0..labels as u32).collect();
        laps.lap();
        let plan =
            Plan { counterexample: &counterexample, keys: &keys, depth: DEPTH, order, max_traces: 20_000 };
        let near = generate(&system, &plan, &Unwatched).expect("nobody interrupts");
        let generating = laps.lap();
        let failing = counterexample.steps.last().map_or(0, |step| step.label);
        let compared = Compared { keys: &keys, failing, shown: &keys, shown_count: labels };
        let all = exact(&system, &explored, &compared, &Unwatched).expect("nobody interrupts");
        let all = (laps.lap(), all.table.positive.is_some()).0;
        let changed =
            transformations(&system, &near, &keys, (&keys, labels), &Unwatched).expect("nobody interrupts");
        let changing = (laps.lap(), changed.list.len()).0;
        println!(
            "{name:<11} {run:>7.3} {through:>8.3} {generating:>7.3} {all:>7.3} {changing:>8.3} {:>10} {:>10} {:>9.3}",
            near.negatives.len(),
            near.positives.len(),
            generating / run
        );
    }
}
