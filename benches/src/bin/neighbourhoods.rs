//! What explaining a graph costs, beside what merely reading it costs.
//!
//!     cargo run --release --manifest-path benches/Cargo.toml --bin neighbourhoods
//!
//! Graphs of 100 thousand to 10 million transitions, of interleaving structure (five counters going
//! round independently) and random, with the property `[ true* . "A" . true* . "B" . true* ] false`.
//! Every line is a process of its own, so that its peak of memory is its own. Printed: the seconds to
//! scan the bytes of the file once, to read it into a graph, and to explain, reading included; the
//! nanoseconds an explanation takes for each transition; its stages; the peak of memory.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use explain::{Counterexample, Neighbourhoods};
use graph::{Exploration, Fairness, Fates, Product, Unwatched, calmest_shortest};
use wherefore_benches::Random;

const FORMULA: &str = r#"[ true* . "A" . true* . "B" . true* ] false"#;
const SIZES: [u64; 3] = [100_000, 1_000_000, 10_000_000];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match &arguments[1..] {
        [structure, path] => measure(structure, Path::new(path)),
        _ => each_in_its_own_process(),
    }
}

fn each_in_its_own_process() {
    println!(
        "{:<13} {:>11} {:>9} | {:>6} {:>6} {:>8} | {:>8} | {:>7} {:>7} {:>7} {:>7} {:>7} | {:>7}",
        "structure",
        "transitions",
        "states",
        "scan",
        "read",
        "explain",
        "ns/trans",
        "product",
        "explore",
        "fates",
        "colour",
        "trace",
        "peak MB"
    );
    let own = std::env::current_exe().expect("a program knows where it is");
    for structure in ["interleaving", "random"] {
        for transitions in SIZES {
            let path = std::env::temp_dir().join(format!("wherefore-bench-{}.aut", std::process::id()));
            let text = if structure == "random" { random(transitions) } else { interleaving(transitions) };
            std::fs::write(&path, text).expect("the temporary folder takes a file");
            let run = Command::new(&own).arg(structure).arg(&path).status();
            let _ = std::fs::remove_file(&path);
            assert!(run.expect("it runs").success());
        }
    }
}

fn measure(structure: &str, path: &Path) {
    let file = std::fs::File::open(path).expect("it was just written");
    // SAFETY: nobody else knows the file.
    let bytes = unsafe { memmap2::Mmap::map(&file) }.expect("a file can be mapped");
    let clock = Instant::now();
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count();
    let scan = clock.elapsed();
    assert!(lines > 1);

    let clock = Instant::now();
    let graph = lts::read(lts::Format::Aut, &bytes, &Unwatched).expect("it is well formed").graph;
    let read = clock.elapsed();
    drop(bytes);
    let formula = property::parse(FORMULA, property::Spelling::Mcl).expect("it is well formed");
    let compiled = formula.automaton(&graph.labels, None, property::MAX_STATES).expect("it is small");
    let mut stages = String::new();
    let mut lap = Instant::now();
    let mut stage = || {
        let _ = write!(stages, " {:>7.2}", lap.elapsed().as_secs_f64());
        lap = Instant::now();
    };
    let product =
        Product::new(&graph, &compiled.classes, &compiled.dfa, compiled.violated_when).expect("it fits");
    stage();
    let mut explored = Exploration::new(&product, u64::MAX, &Unwatched);
    explored.go_beyond(&product, u64::MAX, &Unwatched);
    stage();
    let fates = Fates::new(&product, &explored, Fairness::Weak, &Unwatched).expect("nobody interrupts");
    let counts = fates.count(&product, &explored);
    stage();
    let found = Neighbourhoods::new(&product, graph.labels.len(), &explored, &fates, &Unwatched);
    let found = found.expect("nobody interrupts");
    stage();
    let trace =
        calmest_shortest(&product, &explored, |state| found.is_frontier(state)).expect("it is violated");
    let told = Counterexample::new(&product, &explored, &fates, &found, trace);
    stage();
    assert!(counts.free > 0 && !told.notes.is_empty());
    let explain = clock.elapsed();
    println!(
        "{structure:<13} {:>11} {:>9} | {:>6.2} {:>6.2} {:>8.2} | {:>8.0} |{stages} | {:>7}",
        graph.edge_count(),
        graph.state_count(),
        scan.as_secs_f64(),
        read.as_secs_f64(),
        explain.as_secs_f64(),
        explain.as_secs_f64() * 1e9 / graph.edge_count() as f64,
        peak_megabytes(),
    );
}

/// Five independent counters; leaving the last value but one of the first is `A`, of the second `B`.
fn interleaving(transitions: u64) -> String {
    const COUNTERS: u64 = 5;
    let mut size = 2u64;
    while COUNTERS * (size + 1).pow(COUNTERS as u32) <= transitions {
        size += 1;
    }
    let states = size.pow(COUNTERS as u32);
    let mut text = format!("des (0, {}, {states})\n", states * COUNTERS);
    for state in 0..states {
        let mut place = 1;
        for counter in 0..COUNTERS {
            let value = state / place % size;
            let target = if value + 1 == size { state - value * place } else { state + place };
            let _ = match (counter, value + 2 == size) {
                (0, true) => writeln!(text, "({state}, \"A\", {target})"),
                (1, true) => writeln!(text, "({state}, \"B\", {target})"),
                _ => writeln!(text, "({state}, \"P{counter} !{value}\", {target})"),
            };
            place *= size;
        }
    }
    text
}

/// Five edges a state, one of them to the next state; of a thousand edges one is `A` and one `B`.
fn random(transitions: u64) -> String {
    const DEGREE: u32 = 5;
    let states = transitions as u32 / DEGREE;
    let mut chance = Random(7);
    let mut text = format!("des (0, {}, {states})\n", states * DEGREE);
    for state in 0..states {
        for edge in 0..DEGREE {
            let target = if edge == 0 { (state + 1) % states } else { chance.below(states) };
            let _ = match chance.below(1000) {
                0 => writeln!(text, "({state}, \"A\", {target})"),
                1 => writeln!(text, "({state}, \"B\", {target})"),
                label => writeln!(text, "({state}, \"ACT !{label}\", {target})"),
            };
        }
    }
    text
}

/// The most memory this process ever held, where the system tells.
fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches("kB").trim().parse::<u64>().unwrap_or(0) / 1024
}
