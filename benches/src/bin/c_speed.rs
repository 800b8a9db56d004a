//! Checking C programs and Promela models that do the same, one after the other in the same run.
//!
//!     cargo run --release --manifest-path benches/Cargo.toml --bin c_speed
//!
//! The two do not meet the same states: a declaration is a step in C, an option that is chosen is one in
//! Promela, and C leaves out orders of steps that concern nobody else. So what is compared is the time for
//! a transition.

use std::num::NonZeroUsize;
use std::path::Path;

use graph::{System, Unwatched};
use preprocess::{NoFiles, Options};
use wherefore_benches::cost::{self, Cost};

const PAIRS: [&str; 3] = ["walk", "sort", "workers"];
/// Each is searched so often, and the best counts.
const ROUNDS: usize = 3;

struct Searched {
    states: u64,
    transitions: u64,
    bytes: f64,
    cost: Cost,
}

impl Searched {
    fn nanoseconds(&self) -> f64 {
        self.cost.processor.max(0.01) * 1e9 / self.transitions as f64
    }
}

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    println!(
        "{:<10} {:>9} {:>9} {:>6} | {:>9} {:>9} {:>6} | {:>6} {:>6} {:>6}",
        "program", "P states", "P trans", "P B", "C states", "C trans", "C B", "P ns", "C ns", "ratio"
    );
    for name in PAIRS {
        let path = |extension: &str| folder.join(format!("{name}.{extension}"));
        let read = |path: &Path| std::fs::read_to_string(path).expect("the model is there");
        let text = read(&path("pml"));
        let promela = promela::Model::read(&NoFiles, &path("pml"), &*text, &Options::default());
        let promela = searched(&promela.model.expect("the model is sound"));
        let options = cfront::Options::default();
        let c = cfront::Model::read(&NoFiles, &path("c"), &read(&path("c")), &options, None);
        let c = searched(&c.model.expect("the program is sound"));
        println!(
            "{name:<10} {:>9} {:>9} {:>6.0} | {:>9} {:>9} {:>6.0} | {:>6.0} {:>6.0} {:>6.2}",
            promela.states,
            promela.transitions,
            promela.bytes,
            c.states,
            c.transitions,
            c.bytes,
            promela.nanoseconds(),
            c.nanoseconds(),
            c.nanoseconds() / promela.nanoseconds()
        );
    }
}

fn searched(system: &(impl System + Sync)) -> Searched {
    let mut best: Option<Searched> = None;
    for _ in 0..ROUNDS {
        let (found, cost) = cost::of(|| search::check(system, u64::MAX, NonZeroUsize::MIN, &Unwatched));
        assert!(found.interrupt.is_none() && found.violations.is_empty(), "all of it holds");
        let bytes = found.memory as f64 / found.states as f64;
        if best.as_ref().is_none_or(|best| cost.processor < best.cost.processor) {
            best = Some(Searched { states: found.states, transitions: found.transitions, bytes, cost });
        }
    }
    best.expect("there are rounds")
}
