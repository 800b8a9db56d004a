//! Minimisation, ours and MERC's, on the same graphs in the same run.
//!
//! Each tool reads the same text, then reduces; only the reduction is timed, three times in turn, and
//! the best time counts. Memory is what the reduction needs beyond the graph it was given (Linux only).
//!
//! `cargo run --release --manifest-path benches/Cargo.toml --bin reduce [part of a name]`

use std::fs;
use std::time::{Duration, Instant};

use graph::Unwatched;
use lts::{Format, Tau};
use merc_lts::LTS;
use merc_utilities::Timing;
use wherefore_benches::{Input, broken_ring, interleaving, random, ring};

const ROUNDS: usize = 3;

type Case = (&'static str, fn() -> Input);

const STRONG: &[Case] = &[
    ("ring", || ring(1_000_000, 5)),
    ("broken ring", || broken_ring(1_000_000)),
    ("random", || random(1_000_000, 5, 10, 0, true, 7)),
    ("interleaving", || interleaving(6, 10, false)),
];

const BRANCHING: &[Case] = &[
    ("ring", || ring(1_000_000, 5)),
    ("broken ring", || broken_ring(1_000_000)),
    ("random", || random(1_000_000, 5, 10, 0, true, 7)),
    ("random silent", || random(1_000_000, 5, 10, 10, true, 7)),
    ("random acyclic", || random(1_000_000, 5, 10, 30, false, 7)),
    ("interleaving", || interleaving(6, 10, false)),
    ("interleaving silent", || interleaving(6, 10, true)),
];

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let tables = [
        ("strong bisimulation", STRONG, lts::Equivalence::Strong, merc_reduction::Equivalence::StrongBisim),
        (
            "branching bisimulation",
            BRANCHING,
            lts::Equivalence::Branching,
            merc_reduction::Equivalence::BranchingBisim,
        ),
    ];
    for (title, cases, ours, theirs) in tables {
        println!(
            "\n{title:44} {:>9} {:>9} {:>9} {:>6} {:>8} {:>8}",
            "classes", "ours", "MERC", "ratio", "ours", "MERC"
        );
        for (name, input) in cases {
            if format!("{title}: {name}").contains(&wanted) {
                compare(&input(), ours, theirs);
            }
        }
    }
}

/// The best of several runs.
struct Best {
    time: Duration,
    memory: u64,
    sizes: (usize, usize),
}

impl Best {
    const NONE: Self = Self { time: Duration::MAX, memory: 0, sizes: (0, 0) };

    fn run(&mut self, reduce: impl FnOnce() -> (usize, usize)) {
        let before = reset_peak_memory();
        let start = Instant::now();
        self.sizes = reduce();
        self.time = self.time.min(start.elapsed());
        self.memory = self.memory.max(peak_memory().saturating_sub(before));
    }
}

fn compare(input: &Input, our_choice: lts::Equivalence, their_choice: merc_reduction::Equivalence) {
    let (mut ours, mut theirs) = (Best::NONE, Best::NONE);
    for _ in 0..ROUNDS {
        let graph = lts::read(Format::Aut, input.aut.as_bytes(), &Unwatched).expect("well-formed").graph;
        ours.run(|| {
            let reduced = lts::reduce(&graph, our_choice, &Tau::default(), &Unwatched);
            let reduced = reduced.expect("nobody interrupts").graph;
            (reduced.state_count(), reduced.edge_count())
        });
        drop(graph);
        let graph = merc_lts::read_aut(input.aut.as_bytes()).expect("well-formed");
        theirs.run(|| {
            let reduced = merc_reduction::reduce_lts(graph, their_choice, false, &Timing::new());
            (reduced.num_of_states(), reduced.num_of_transitions())
        });
    }
    println!(
        "{:44} {:>9} {:>7.3} s {:>7.3} s {:>6.2} {:>5} MB {:>5} MB{}",
        input.name,
        ours.sizes.0,
        ours.time.as_secs_f64(),
        theirs.time.as_secs_f64(),
        ours.time.as_secs_f64() / theirs.time.as_secs_f64(),
        ours.memory >> 10,
        theirs.memory >> 10,
        if ours.sizes == theirs.sizes { String::new() } else { format!("  MERC: {:?}", theirs.sizes) },
    );
}

/// Forgets the peak and returns the memory in use, in kilobytes.
fn reset_peak_memory() -> u64 {
    // Without the right to do so the peak of an earlier run stays; times are not affected.
    let _ = fs::write("/proc/self/clear_refs", "5");
    status("VmRSS:")
}

fn peak_memory() -> u64 {
    status("VmHWM:")
}

fn status(field: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok()).unwrap_or(0)
}
