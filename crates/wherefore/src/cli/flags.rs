//! Every flag, once.

use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, CommandFactory, Parser, Subcommand};
use findings::Method;
use graph::Fairness;
use languages::{DataModel, Emit, Engine, Language, SearchOrder, Spelling};
use lts::Equivalence;
use pipeline::request::RepairEffort;

use super::choices::{choice, method_parser};
use super::exit;
pub(crate) use super::flag_values::{Colour, Format, Mode, Order, Reduction, parse_duration, parse_size};
use super::messages::drawn;

const EXAMPLES: &str = "\
Examples:
  wherefore model.pml                                 what is wrong with this Promela model, and why?
  wherefore model.aut                                 is there a deadlock, and what led into it?
  wherefore model.aut -p '[ true* . \"FAIL\" ] false'   why can FAIL happen?
  wherefore model.aut --property-file safe.mcf        a formula as mCRL2 spells it
  wherefore states.dot                                a state graph dumped by TLC
  wherefore check model.pml -DN=4 -f json             the verdict only, for scripts
  wherefore convert model.pml model.aut               a model as a transition system
  wherefore contrast --good pass/ --bad fail/         no model, only logs of runs
  wherefore reduce model.aut small.aut --equivalence branching
  wherefore explain --help                            every option

Exit status: 0 holds (or the command did its job), 1 violated, 2 bad usage or input,
3 undecided within the limits.";

/// Why did my model checker find a counterexample?
///
/// Reads a system, looks for a violation of a property, and names what failing traces have that
/// passing traces do not: at which step there still was a choice, which step took the run to the
/// point of no return, and what would have escaped.
#[derive(Debug, Parser)]
#[command(
    name = "wherefore",
    version,
    after_help = EXAMPLES,
    override_usage = "wherefore FILE [OPTIONS]\n       wherefore COMMAND ...",
    arg_required_else_help = true,
    disable_help_subcommand = true,
    max_term_width = 100
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// Parses the arguments; `wherefore FILE` is `wherefore explain FILE`.
    pub(crate) fn of(arguments: impl IntoIterator<Item = OsString>) -> Self {
        let mut arguments: Vec<OsString> = arguments.into_iter().collect();
        let known = |word: &str| {
            let command = Self::command();
            matches!(word, "-h" | "--help" | "-V" | "--version")
                || command.get_subcommands().any(|command| command.get_name() == word)
        };
        // A bare word before a file is a command that is misspelt: clap says which one is near.
        let is_bare = |first: &OsString| {
            first.to_str().is_some_and(|word| word.chars().all(char::is_alphabetic))
                && !Path::new(first).exists()
        };
        let has_file = arguments.get(2).is_some_and(|next| Path::new(next).exists());
        let is_misspelt = has_file && arguments.get(1).is_some_and(is_bare);
        if !is_misspelt && arguments.get(1).is_some_and(|first| !first.to_str().is_some_and(known)) {
            arguments.insert(1, "explain".into());
        }
        Self::try_parse_from(arguments).unwrap_or_else(|error| refuse(&error))
    }
}

/// Says what is wrong with the arguments, or shows the help that was asked for, and ends the program.
fn refuse(error: &clap::Error) -> ! {
    if !error.use_stderr() {
        error.exit();
    }
    // Plain, because it quotes arguments, whose escape characters could not be told from those of colours.
    drawn(source::visible_lines(&error.render().to_string()).trim_end());
    std::process::exit(i32::from(exit::BAD_INPUT))
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check, then explain the counterexample: the main job, and the default
    Explain(Box<ExplainArgs>),
    /// Verdict, statistics and counterexample only
    Check(CheckArgs),
    /// Replay counterexamples and tell whether each still fails
    Replay(ReplayArgs),
    /// Test every claim of a JSON report again with independent code
    Verify(VerifyArgs),
    /// Explain from logs alone: what failing runs did and passing runs never did
    Contrast(super::contrast_flags::ContrastArgs),
    /// Convert between formats (aut, dot, csv, fsm, json), or a model to its transition system
    Convert(ConvertArgs),
    /// Minimise a transition system
    Reduce(ReduceArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell to complete for
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write one page per command into a folder
    Man {
        /// Folder to write the pages to
        folder: Option<PathBuf>,
    },
}

impl Command {
    /// Whether messages on standard error are coloured.
    pub(crate) fn colours_messages(&self) -> bool {
        match self {
            Self::Explain(args) => args.output.colours_messages(),
            Self::Check(args) => args.output.colours_messages(),
            Self::Replay(args) => args.output.colours_messages(),
            Self::Verify(args) => args.output.colours_messages(),
            Self::Contrast(args) => args.output.colours_messages(),
            _ => std::io::stderr().is_terminal(),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) property: PropertyArgs,

    /// Methods to run, separated by commas; default: all that apply
    #[arg(short, long, value_name = "LIST", value_delimiter = ',', value_parser = method_parser())]
    pub(crate) method: Vec<Method>,

    /// Explain this counterexample instead of a shortest one
    ///
    /// The JSON report of an earlier run, which also brings its property; for Promela models also SPIN's
    /// .trail or what `spin -t -p` printed; for C programs a violation witness of SV-COMP or a trace of
    /// CBMC (`--trace --json-ui`); for transition systems a trace as an .aut file (a chain of
    /// transitions), a list with one label a line (CADP's .seq), or what TLC wrote with `-dumpTrace json`.
    #[arg(long, value_name = "FILE", conflicts_with = "violation")]
    pub(crate) trail: Option<PathBuf>,

    /// Look longer for small changes that repair the model or program; each is checked from scratch
    #[arg(long)]
    pub(crate) repair: bool,

    /// A counterexample LTS made elsewhere: all failing traces of FILE in a file of their own
    ///
    /// Its states are matched to those of the input by the largest simulation. A trace ends where an
    /// edge with the end label leaves, or without an end label where no edge leaves.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["property", "property_file"])]
    pub(crate) counterexample_lts: Option<PathBuf>,

    /// List every edge of the counterexample LTS with its colour (JSON)
    #[arg(long)]
    pub(crate) edges: bool,

    /// The JSON report of an earlier run: tell which of its violations are gone, left or new
    #[arg(long, value_name = "FILE")]
    pub(crate) since: Option<PathBuf>,

    /// Never blame functions, processes, files or labels of these names, separated by commas; `*` stands
    /// for anything
    #[arg(long, value_name = "PATTERN", value_delimiter = ',', help_heading = "Correct transitions")]
    pub(crate) trust: Vec<String>,

    /// The inputs of another failing run of a C program, separated by commas, which a diagnosis must also
    /// explain and a repair must mend; may be given several times
    #[arg(long, value_name = "VALUES", value_parser = known_run, allow_hyphen_values = true, help_heading = "C programs")]
    pub(crate) failing: Vec<KnownRun>,

    /// The inputs of a passing run of a C program, separated by commas, which must pass after any change that
    /// is proposed; may be given several times
    #[arg(long, value_name = "VALUES", value_parser = known_run, allow_hyphen_values = true, help_heading = "C programs")]
    pub(crate) passing: Vec<KnownRun>,

    #[command(flatten)]
    pub(crate) anomalies: AnomalyArgs,
    #[command(flatten)]
    pub(crate) variations: super::variation_flags::VariationArgs,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// The inputs of a run whose outcome is known.
#[derive(Clone, Debug)]
pub(crate) struct KnownRun(pub(crate) Vec<i64>);

fn known_run(text: &str) -> Result<KnownRun, String> {
    let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
    let number = |word: &str| {
        let value = word.parse::<i64>().or_else(|_| word.parse::<u64>().map(|value| value as i64));
        value.map_err(|_| format!("`{word}` is not a number"))
    };
    words.map(number).collect::<Result<_, _>>().map(KnownRun)
}

impl ExplainArgs {
    /// How far repairs are looked for: as long as it takes if they are asked for, and a little if nothing in particular
    /// is.
    pub(crate) fn repair_effort(&self) -> Option<RepairEffort> {
        if self.repair {
            Some(RepairEffort::Thorough)
        } else {
            self.method.is_empty().then_some(RepairEffort::Brief)
        }
    }

    /// Refuses options of methods that are not run, and such that the report has no room for.
    pub(crate) fn refuse_unused(&self) -> anyhow::Result<()> {
        let AnomalyArgs { length, mode, order, start } = &self.anomalies;
        let anomalies = [
            (length.is_some(), "--length"),
            (*mode != Mode::Exact, "--mode"),
            (*order != Order::Trace, "--order"),
            (start.is_some(), "--start"),
        ];
        let given = |options: &[(bool, &'static str)]| {
            options.iter().find(|(given, _)| *given).map(|(_, name)| *name)
        };
        for (method, option) in [
            (Method::Anomalies, given(&anomalies)),
            (Method::Variations, given(&self.variations.given())),
            (
                Method::Diagnosis,
                given(&[(!self.failing.is_empty(), "--failing"), (!self.passing.is_empty(), "--passing")]),
            ),
        ] {
            if let Some(option) = option.filter(|_| !self.runs(method)) {
                anyhow::bail!("{option} is for the method {method}, which -m leaves out");
            }
        }
        if self.edges && self.output.format() != Format::Json {
            anyhow::bail!("--edges lists edges in the JSON report: say -f json");
        }
        Ok(())
    }

    pub(crate) fn runs(&self, method: Method) -> bool {
        self.method.is_empty() || self.method.contains(&method)
    }
}

#[derive(Debug, Args)]
pub(crate) struct AnomalyArgs {
    /// How many events make a sequence; default: 2 and, where there are no such anomalies, 3
    #[arg(long, value_name = "L", value_parser = clap::value_parser!(u8).range(1..), help_heading = "Anomalies")]
    pub(crate) length: Option<u8>,
    /// Compare all traces, or a sample of them
    #[arg(long, value_enum, default_value_t = Mode::Exact, help_heading = "Anomalies")]
    pub(crate) mode: Mode,
    /// Which events follow each other
    #[arg(long, value_enum, default_value_t = Order::Trace, help_heading = "Anomalies")]
    pub(crate) order: Order,
    /// Score anomalies by their distance from the last event before them whose name contains this
    #[arg(long, value_name = "EVENT", help_heading = "Anomalies")]
    pub(crate) start: Option<String>,
}

impl AnomalyArgs {
    pub(crate) fn request(&self) -> pipeline::request::AnomalyRequest {
        pipeline::request::AnomalyRequest {
            length: self.length.map(usize::from),
            mode: match self.mode {
                Mode::Exact => pipeline::request::Mode::Exact,
                Mode::Sampled => pipeline::request::Mode::Sampled,
            },
            order: match self.order {
                Order::Trace => findings::Order::Trace,
                Order::Process => findings::Order::Process,
                Order::Dependent => findings::Order::Dependent,
            },
            start: self.start.clone(),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) property: PropertyArgs,
    /// The JSON report of an earlier run: tell which of its violations are gone, left or new
    #[arg(long, value_name = "FILE")]
    pub(crate) since: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) property: PropertyArgs,

    /// Counterexamples to replay; a folder means all files in it
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub(crate) trail: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) text: TextArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// The report, as `-f json` wrote it
    #[arg(value_name = "REPORT.json")]
    pub(crate) report: PathBuf,
    /// The input that it is about; default: the one that it names
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// File to read; `-` is standard input
    #[arg(value_name = "IN")]
    pub(crate) from: PathBuf,
    /// File to write; `-` is standard output (then say --to)
    #[arg(value_name = "OUT")]
    pub(crate) to: PathBuf,
    /// Format of IN; default: from its name and content
    #[arg(long, value_name = "KIND", value_parser = choice::<Language>())]
    pub(crate) lang: Option<Language>,
    /// Format of OUT; default: from its name
    #[arg(long = "to", value_name = "KIND", value_parser = choice::<Language>())]
    pub(crate) to_kind: Option<Language>,
    #[command(flatten)]
    pub(crate) text: TextArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ReduceArgs {
    #[command(flatten)]
    pub(crate) convert: ConvertArgs,
    /// What must stay the same
    #[arg(long, value_parser = choice::<Equivalence>(), default_value = "strong")]
    pub(crate) equivalence: Equivalence,
    /// The label of invisible steps, for branching; default: both `i` and `tau`
    #[arg(long, value_name = "LABEL")]
    pub(crate) tau: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// File to read; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Kind of FILE; default: from its name and content
    #[arg(long, value_name = "KIND", value_parser = choice::<Language>())]
    pub(crate) lang: Option<Language>,
}

/// How the text of a model is read.
#[derive(Debug, Default, Args)]
pub(crate) struct TextArgs {
    /// Define a macro of the preprocessor (NAME or NAME=VALUE)
    #[arg(short = 'D', long = "define", value_name = "NAME", help_heading = "Models")]
    pub(crate) define: Vec<String>,
    /// Look for included files here as well
    #[arg(short = 'I', long = "include", value_name = "FOLDER", help_heading = "Models")]
    pub(crate) include: Vec<PathBuf>,
    /// The function a C program starts with; default: main
    #[arg(long, value_name = "FUNCTION", help_heading = "C programs")]
    pub(crate) entry: Option<String>,
    /// How wide the integers of a C program are
    #[arg(long, value_parser = choice::<DataModel>(), value_name = "MODEL", help_heading = "C programs")]
    pub(crate) data_model: Option<DataModel>,
    /// The values of a C program's inputs in the order in which it asks for them, separated by commas, or
    /// a file with one a line; default: all values are tried
    #[arg(long, value_name = "VALUES|FILE", allow_hyphen_values = true, help_heading = "C programs")]
    pub(crate) inputs: Option<String>,
    /// Try all values of inputs of at most so many bits (8: char, 16: short), where the program assumes
    /// nothing of them; default: only truth values
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u8).range(1..=16), help_heading = "C programs")]
    pub(crate) input_bits: Option<u8>,
    /// A folder with tests of a C program, such as `1.in` with what it reads and `1.out` with what it should print
    /// (`1.args` with its arguments); a test that fails is a violation, and nothing else has to be asserted
    #[arg(long, value_name = "FOLDER", help_heading = "C programs")]
    pub(crate) tests: Option<PathBuf>,
    /// Another file of a C program; all files are read one after another as if they were one
    #[arg(long, value_name = "FILE", help_heading = "C programs")]
    pub(crate) with: Vec<PathBuf>,
    /// Preprocess a C program with the system's compiler and its headers (`cc -E`)
    #[arg(long, help_heading = "C programs")]
    pub(crate) cc: bool,
    /// Look for classes of a Java program in these folders and archives as well
    #[arg(long, value_name = "PATH", value_delimiter = ':', help_heading = "Java programs")]
    pub(crate) classpath: Vec<PathBuf>,
    /// The class a Java program starts with; default: the one its file is called after
    #[arg(long, value_name = "CLASS", help_heading = "Java programs")]
    pub(crate) main: Option<String>,
    /// What a Java program is started with
    #[arg(last = true, value_name = "ARGUMENTS", help_heading = "Java programs")]
    pub(crate) arguments: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ModelArgs {
    #[command(flatten)]
    pub(crate) text: TextArgs,
    /// The number of the violation to explain, as the report lists them; default: the nearest
    #[arg(long, value_name = "ID", help_heading = "Models", value_parser = number)]
    pub(crate) violation: Option<u64>,
    /// List the statements that no trace executes
    #[arg(long, help_heading = "Models")]
    pub(crate) unreached: bool,
    /// Write the counterexample in this form instead of the report, to standard output or to --output
    #[arg(long, value_parser = choice::<Emit>(), value_name = "FORM", help_heading = "Output")]
    pub(crate) emit: Option<Emit>,
    /// The order in which states are explored; the counterexample is a shortest one among them
    #[arg(long, value_parser = choice::<SearchOrder>(), default_value = "bfs", help_heading = "Models")]
    pub(crate) search: SearchOrder,
    /// How a C program is searched
    #[arg(long, value_parser = choice::<Engine>(), default_value = "auto", help_heading = "C programs")]
    pub(crate) engine: Engine,
    /// `check`: which orders of independent steps to leave out. What is left has the same violations, but
    /// fewer states and perhaps longer traces; explanations need all and leave out none
    #[arg(long, value_enum, default_value_t = Reduction::Por, help_heading = "Models")]
    pub(crate) reduction: Reduction,
    /// How often the SAT engine unwinds a loop or a recursive call at most; default: 32
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(0..=1_000_000), help_heading = "C programs")]
    pub(crate) unwind: Option<u32>,
    /// How many conflicts a question may cost the SAT engine: a limit that is the same on every machine; default: none
    #[arg(long, value_name = "N", help_heading = "C programs")]
    pub(crate) max_conflicts: Option<u64>,
}

#[derive(Debug, Default, Args)]
pub(crate) struct PropertyArgs {
    /// What to check. Transition systems: a formula `[R] false`, or `deadlock` (the default).
    /// Models: `deadlock`, `assertion` or `fault`, an LTL formula that must hold, the name of an `ltl` block or never claim, `np`
    /// (non-progress cycles), `acceptance`, or a line (default: the first three and all blocks, claims and accept
    /// labels of the model). C programs: `deadlock`,
    /// `assertion`, `fault` (default: all three), `overflow`, `race`, a line, or a function that must not be called.
    /// May be given several times. Default: everything that the file states
    #[arg(short, long, value_name = "TEXT", conflicts_with = "property_file")]
    pub(crate) property: Vec<String>,
    /// The same from a file: .mcl, .mcf, or an automaton as .aut whose failing traces end before an
    /// edge with the end label
    #[arg(long, value_name = "FILE")]
    pub(crate) property_file: Option<PathBuf>,
    /// How the formula is spelled; default: from the file's ending, else mcl
    #[arg(long, value_parser = choice::<Spelling>())]
    pub(crate) formula: Option<Spelling>,
    /// The label that ends the traces of an automaton or of a counterexample LTS
    #[arg(long, value_name = "LABEL")]
    pub(crate) end_label: Option<String>,
    /// The label of a last step that ends a trace properly, so that it is not a deadlock
    #[arg(long, value_name = "LABEL")]
    pub(crate) final_label: Option<String>,
    /// Which endless traces count as passing: weakly fair ones (no process stays enabled forever without
    /// moving), or all; the same for a transition system, which has no processes
    ///
    /// Default: weak. For properties of endless traces (LTL, np, acceptance) it says which traces must meet
    /// them, and the default is none, as in SPIN.
    #[arg(long, value_parser = choice::<Fairness>())]
    pub(crate) fairness: Option<Fairness>,
    /// Check a property of a transition system although it names labels that do not occur
    #[arg(long)]
    pub(crate) allow_unknown: bool,
}

#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// How to show the report; default: text
    #[arg(short, long, value_enum, help_heading = "Output")]
    pub(crate) format: Option<Format>,
    /// Write the report to this file
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Show the HTML report in the browser; without -o it is written to a temporary file
    #[arg(long, help_heading = "Output")]
    pub(crate) open: bool,
    /// Colours in the text report
    #[arg(long, value_enum, default_value_t = Colour::Auto, help_heading = "Output")]
    pub(crate) color: Colour,
    /// Only the verdict; no progress, no warnings
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Output")]
    pub(crate) quiet: bool,
    /// Every step and every neighbourhood
    #[arg(short, long, help_heading = "Output")]
    pub(crate) verbose: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LimitArgs {
    /// Stop exploring after this many states
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) max_states: Option<u64>,
    /// Stop when this much memory is in use (512M, 8G); default: nine tenths of what is free, or less where the system allows less
    #[arg(long, value_name = "SIZE", value_parser = parse_size, help_heading = "Limits")]
    pub(crate) max_memory: Option<u64>,
    /// Stop after this time (30s, 5m, 1h)
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, help_heading = "Limits")]
    pub(crate) timeout: Option<Duration>,
    /// Use at most this many threads; graphs from files are analysed by one
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) threads: Option<std::num::NonZeroUsize>,
    /// Start no other program: neither `cc -E` nor `javac` nor a browser
    #[arg(long, help_heading = "Limits")]
    pub(crate) no_external: bool,
}

/// A number, or why it is none.
fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flags_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn explain_is_the_default() {
        let parsed = |arguments: &[&str]| Cli::of(arguments.iter().map(OsString::from)).command;
        let file = |command| match command {
            Command::Explain(args) => args.input.file,
            other => panic!("{other:?}"),
        };
        assert_eq!(file(parsed(&["wherefore", "a.aut"])), PathBuf::from("a.aut"));
        assert_eq!(file(parsed(&["wherefore", "-f", "json", "a.aut"])), PathBuf::from("a.aut"));
        assert_eq!(file(parsed(&["wherefore", "explain", "a.aut"])), PathBuf::from("a.aut"));
        assert!(matches!(parsed(&["wherefore", "check", "a.aut"]), Command::Check(_)));
    }
}
