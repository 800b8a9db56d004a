//! Checking Promela models, by SPIN and by us, one after the other on the same models in the same run.
//!
//!     cargo run --release --manifest-path benches/Cargo.toml --bin promela_speed [part of a name]...
//!
//! First both search everything, without optimisation or reduction, so that both meet the same states; where
//! that is too much for SPIN's memory limit, we stop at as many states as it had stored, though not at the
//! same ones, since SPIN goes depth-first. Then both do what they do when a user asks for nothing special, from
//! the file to the verdict. Every search is a process of its own. Of our searches with one thread and with two the
//! quickest of three counts.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Command;

use graph::{Interrupt, Unwatched};
use search::{Class, Plan};
use wherefore_benches::cost::{self, Cost};
use wherefore_benches::models;
use wherefore_benches::pan::{self, Pan};

const PACKAGED: &str = "/usr/share/doc/spin/examples/Examples";
/// What SPIN's verifier may take, in MiB.
const MEMORY: u32 = 1024;
/// How deep it may go; the second only where the first is too little, since making a stack takes time.
const DEPTHS: [u32; 2] = [1_000_000, 10_000_000];

/// A model, and the definitions that give it its size.
type Case = (&'static str, &'static [&'static str]);

const THEIRS: &[Case] = &[
    ("Exercises/ex_6", &[]),
    ("LTL/leader", &[]),
    ("cambridge", &[]),
    ("dtp", &[]),
    ("sort", &[]),
    ("LTL/mobile1", &[]),
    ("LTL/train", &[]),
    ("snoopy", &[]),
];

const OURS: &[Case] = &[
    ("two_phase_commit", &["-DPARTICIPANTS=3"]),
    ("telephone", &["-DN=3"]),
    ("printer_pool", &["-DCLIENTS=3"]),
    ("trylock", &["-DWORKERS=4"]),
    ("elevator", &["-DFLOORS=6"]),
    ("msi", &["-DCPUS=3"]),
];

const HEADER: [&str; 18] = [
    "model", "states", "SPIN s", "our s", "SPINk/s", "ourk/s", "ratio", "2 thr", "work", "SPIN B", "our B",
    "SPIN st", "our st", "ratio", "gcc", "SPIN", "ours", "ratio",
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [first, path, max_states, threads, reduce, definitions @ ..] = &arguments[..]
        && first == "--search"
    {
        let plan = Plan {
            max_states: max_states.parse().expect("a number of states"),
            threads: threads.parse().expect("a number of threads"),
            reduce: reduce == "por",
        };
        return search(Path::new(path), plan, definitions);
    }
    let wanted = |case: &&Case| arguments.is_empty() || arguments.iter().any(|part| case.0.contains(part));
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/promela");
    print_row(HEADER);
    for (folder, cases) in [(Path::new(PACKAGED), THEIRS), (&examples, OURS)] {
        for case in cases.iter().filter(wanted) {
            if let Err(error) = compare(folder, case) {
                println!("{:<33} {error}", case.0);
            }
        }
    }
}

fn compare(folder: &Path, case: &Case) -> Result<(), String> {
    let (name, definitions) = *case;
    let path = folder.join(format!("{name}.pml"));
    let scratch = Scratch::new(&path)?;
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let check = |asked, depth| pan::check(&scratch.0, &file, definitions, asked, MEMORY, depth);
    let mut theirs = check(pan::EVERYTHING, DEPTHS[0])?;
    if theirs.too_deep {
        theirs = check(pan::EVERYTHING, DEPTHS[1])?;
    }
    let cap = if theirs.complete { u64::MAX } else { theirs.states };
    let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    print(
        case,
        &Measured {
            left: check(pan::REDUCED, DEPTHS[0])?,
            as_used: check(pan::AS_USED, DEPTHS[0])?,
            ours: best_of_three(&path, cap, 1, definitions)?,
            shared: best_of_three(&path, cap, 2, definitions)?,
            our_left: searched(&path, u64::MAX, threads, "por", definitions)?,
            theirs,
        },
    );
    Ok(())
}

/// All that was measured of one model.
struct Measured {
    theirs: Pan,
    left: Pan,
    as_used: Pan,
    ours: Ours,
    shared: Ours,
    our_left: Ours,
}

fn print((name, definitions): &Case, measured: &Measured) {
    let Measured { theirs, left, as_used, ours, shared, our_left } = measured;
    let mut name = format!("{} {}", name, definitions.join(" "));
    if !theirs.complete {
        name.push_str("(part)");
    }
    let rate = |states: u64, cost: Cost| states as f64 / cost.processor.max(0.01) / 1e3;
    let (their_rate, our_rate) = (rate(theirs.states, theirs.search), rate(ours.states, ours.search));
    let seconds = |seconds: f64| format!("{seconds:.2}");
    let whole = |number: f64| format!("{number:.0}");
    let at_most = |pan: &Pan| format!("{}{}", if pan.complete { "" } else { ">" }, pan.states);
    print_row([
        &name,
        &theirs.states.to_string(),
        &seconds(theirs.search.processor),
        &seconds(ours.search.processor),
        &whole(their_rate),
        &whole(our_rate),
        &seconds(our_rate / their_rate),
        &seconds(ours.search.wall / shared.search.wall),
        &seconds(shared.search.processor / ours.search.processor.max(0.01)),
        &whole(theirs.state_megabytes * f64::from(1 << 20) / theirs.states as f64),
        &whole(ours.memory as f64 / ours.states as f64),
        &at_most(left),
        &our_left.states.to_string(),
        &seconds(our_left.states as f64 / left.states as f64),
        &seconds(as_used.compilation.wall),
        &seconds(as_used.whole().wall),
        &seconds(our_left.whole.wall),
        &seconds(our_left.whole.wall / as_used.whole().wall),
    ]);
    let counts =
        [("states", theirs.states, ours.states), ("transitions", theirs.transitions, ours.transitions)];
    for (what, theirs, ours) in counts.into_iter().filter(|_| theirs.complete) {
        // SPIN prints eight digits.
        if theirs.abs_diff(ours) > theirs / 1_000_000 {
            println!("  differs: {theirs} {what} by SPIN, {ours} by us");
        }
    }
    if left.promise_broken {
        println!("  SPIN: xr or xs does not hold here, so its reduction is invalid");
    } else if (left.errors > 0) != (our_left.violations > 0) && left.complete {
        println!("  differs: {} errors by SPIN, {} kinds of them by us", left.errors, our_left.violations);
    }
}

/// One line: the name, then columns in groups.
fn print_row(columns: [&str; 18]) {
    const BARS: [usize; 5] = [2, 7, 9, 11, 14];
    print!("{:<33}", columns[0]);
    for (at, column) in columns.iter().enumerate().skip(1) {
        print!("{}{column:>6}", if BARS.contains(&at) { " |" } else { " " });
    }
    println!();
}

/// A folder with the files around the model, taken away at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(model: &Path) -> Result<Self, String> {
        let folder = std::env::temp_dir().join(format!("wherefore-bench-{}", std::process::id()));
        let made = Self(folder);
        let copy = || -> std::io::Result<()> {
            std::fs::create_dir_all(&made.0)?;
            for entry in std::fs::read_dir(model.parent().unwrap_or(Path::new(".")))? {
                let entry = entry?;
                if entry.file_type()?.is_file() {
                    std::fs::copy(entry.path(), made.0.join(entry.file_name()))?;
                }
            }
            Ok(())
        };
        copy().map_err(|error| format!("{}: {error}", model.display()))?;
        Ok(made)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What our search came to.
#[derive(Default)]
struct Ours {
    states: u64,
    transitions: u64,
    /// What the states take, with all that finds them.
    memory: u64,
    /// How many classes of violations there are.
    violations: u64,
    search: Cost,
    whole: Cost,
}

/// The quickest of three searches for everything: short ones differ by more than what is to be compared.
fn best_of_three(path: &Path, max_states: u64, threads: usize, definitions: &[&str]) -> Result<Ours, String> {
    let mut best: Option<Ours> = None;
    for _ in 0..3 {
        let own = searched(path, max_states, threads, "none", definitions)?;
        if best.as_ref().is_none_or(|best| own.search.wall < best.search.wall) {
            best = Some(own);
        }
    }
    best.ok_or_else(|| "nothing was searched".to_owned())
}

/// Searches in a process of its own.
fn searched(
    path: &Path,
    max_states: u64,
    threads: usize,
    reduction: &str,
    definitions: &[&str],
) -> Result<Ours, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(own);
    command.arg("--search").arg(path).args([&max_states.to_string(), &threads.to_string(), reduction]);
    command.args(definitions);
    let (output, whole) = cost::run(&mut command).map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [states, transitions, memory, violations, wall, processor] = numbers[..] else {
        return Err(format!("{text}{}", String::from_utf8_lossy(&output.stderr)));
    };
    let search = Cost { wall, processor };
    let [states, transitions, memory, violations] =
        [states, transitions, memory, violations].map(|number| number as u64);
    Ok(Ours { states, transitions, memory, violations, search, whole })
}

fn search(path: &Path, plan: Plan, definitions: &[String]) {
    let model = models::read(path, definitions);
    let (found, cost) = cost::of(|| search::check(&model, plan, &Unwatched));
    assert!(matches!(found.interrupt, None | Some(Interrupt::States(_))));
    if plan.reduce {
        // A verdict comes with counterexamples.
        let classes: Vec<&Class> = found.violations.iter().collect();
        let traces = found.traces(&model, &classes, &Unwatched).unwrap_or_default();
        let mut budget = 1 << 20;
        for trace in traces {
            let _ = search::shorten(&model, trace, &mut budget, &Unwatched);
        }
    }
    println!(
        "{} {} {} {} {} {}",
        found.states,
        found.transitions,
        found.memory,
        found.violations.len(),
        cost.wall,
        cost.processor,
    );
}
