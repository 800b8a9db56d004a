//! Whole programs with each of the solvers: the search with growing bounds, and the nearest passing run of what it finds.
//!
//!     cargo run --release --manifest-path benches/Cargo.toml --bin solving_programs --features cadical
//!
//! The programs of `models/` that are made for the SAT engine, and some of `examples/c`. The same questions are asked of
//! both solvers, each with a limit of conflicts, so that no machine's speed decides where they end. Seconds of the
//! processor.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cfront::{Model, Options};
use encode::bounded::{Answer, search};
use encode::questions::Questions;
use encode::solver::{Backend, Solver};
use encode::unwind::Unwinder;
use graph::Unwatched;
use preprocess::{Files, Unread};
use wherefore_benches::cost;

const CONFLICTS: u64 = 20_000;
const BOUND: u32 = 8;
const MODELS: [&str; 3] = ["branching", "ten_loops", "factors"];
const EXAMPLES: [&str; 14] = [
    "average",
    "bank_account",
    "binary_heap",
    "deadline",
    "euclid",
    "fraction",
    "hash_table",
    "insertion_sort",
    "leap_year",
    "midpoint",
    "packed_date",
    "saturate",
    "sort_network",
    "triangle",
];

/// Headers from where programs say they are.
struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> Result<Arc<str>, Unread> {
        std::fs::read_to_string(path).map(Arc::from).map_err(|_| Unread::Missing)
    }
}

fn main() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let models = MODELS.iter().map(|name| here.join(format!("models/{name}.c")));
    let examples = EXAMPLES.iter().map(|name| here.join(format!("../examples/c/{name}.c")));
    let programs: Vec<PathBuf> = models.chain(examples).collect();
    println!("{:<22} {:>9} {:>9} |{}", "program", "variables", "clauses", heading());
    let mut sums = vec![[0.0; 2]; Backend::ALL.len()];
    for path in &programs {
        let text = std::fs::read_to_string(path).expect("it can be read");
        let Some(model) = Model::read(&Disk, path, &text, &Options::default(), None).model else { continue };
        if model.program().threads {
            continue;
        }
        let mut row = String::new();
        let mut size = (0, 0);
        for (backend, sums) in Backend::ALL.iter().zip(&mut sums) {
            let mut solver = Solver::with_backend(*backend, &Unwatched);
            solver.limit_conflicts(Some(CONFLICTS));
            let mut unwinder = Unwinder::new(model.program(), solver);
            let (outcome, searched) = cost::of(|| search(&mut unwinder, BOUND, |_, _| true));
            let verdict = match &outcome.answer {
                Answer::Violated(_) => "violated",
                Answer::Holds => "holds",
                Answer::Within(_) => "within",
                Answer::Stopped(_) => "stopped",
            };
            let mut nearest = None;
            if let (Answer::Violated(found), Some(unwinding)) = (&outcome.answer, &outcome.unwinding) {
                let place = (found.at, found.duty);
                let (_, spent) = cost::of(|| {
                    let mut questions =
                        Questions::new(&mut unwinder, unwinding, |at, duty| (at, duty) == place);
                    let from = questions.run_with(&found.inputs).ok().flatten()?;
                    questions.nearest_passing(&from).ok().flatten()
                });
                nearest = Some(spent.processor);
            }
            size = (unwinder.circuit.solver.variables(), unwinder.circuit.solver.clauses());
            sums[0] += searched.processor;
            sums[1] += nearest.unwrap_or_default();
            let nearest = nearest.map_or_else(String::new, |seconds| format!("{seconds:.2}"));
            row += &format!(" {verdict:>9} {:>8.2} {nearest:>8}", searched.processor);
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        println!("{name:<22} {:>9} {:>9} |{row}", size.0, size.1);
    }
    let sums: String =
        sums.iter().map(|[search, near]| format!(" {:>9} {search:>8.2} {near:>8.2}", "")).collect();
    println!("{:<22} {:>9} {:>9} |{sums}", "together", "", "");
}

fn heading() -> String {
    let column =
        |backend: &Backend| format!(" {:>9} {:>8} {:>8}", format!("{backend:?}"), "search", "nearest");
    Backend::ALL.iter().map(column).collect()
}
