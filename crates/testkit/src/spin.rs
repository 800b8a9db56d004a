//! SPIN as an oracle: translates a model, compiles the verifier SPIN writes for it, runs it and reads what
//! it says. The run to agree with is [`Options::exact`]: no dataflow, dead-variable or merging
//! optimisation, no partial-order reduction, no claim, all errors.
//!
//! SPIN prints an error only if its text differs from that of the error before it, and only counts it
//! otherwise. The verifier is changed in this one place before it is compiled, so that every error is
//! printed and errors can be counted by kind.

mod cache;
mod command;
mod output;
mod source;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

pub use self::command::Limits;
use self::command::{Exit, run};
pub(crate) use self::output::error_line;
pub use self::output::{Ending, Verdict};
pub use self::source::Source;

/// A verifier is compiled for states of up to 1024 bytes. If that is not enough it says so, and is compiled
/// again for longer ones, up to this length.
const MOST_BYTES_OF_A_STATE: u64 = 1 << 16;

/// How a model is translated, compiled and searched.
#[derive(Clone, Debug, Hash)]
pub struct Options {
    pub spin: Vec<String>,
    pub compiler: Vec<String>,
    pub verifier: Vec<String>,
    pub limits: Limits,
    /// Whether a verdict is kept for later runs of the tests.
    pub cached: bool,
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

impl Options {
    /// The run whose states, transitions and errors a checker without reductions must meet.
    pub fn exact() -> Self {
        Self {
            spin: words("-o1 -o2 -o3"),
            compiler: words("-O1 -DSAFETY -DNOREDUCE -DNOCLAIM"),
            verifier: words("-c0 -m1000000 -n"),
            limits: Limits::default(),
            cached: true,
        }
    }

    /// The same for small models: the verifier is compiled four times as fast and runs a little slower, but
    /// starts at once, because its tables are small.
    pub fn quick() -> Self {
        Self {
            compiler: words("-O0 -DSAFETY -DNOREDUCE -DNOCLAIM"),
            verifier: words("-c0 -m200000 -w16 -n"),
            ..Self::exact()
        }
    }

    /// What SPIN does to a model unless told otherwise, all but the reduction.
    pub fn optimised() -> Self {
        Self { spin: Vec::new(), ..Self::exact() }
    }

    /// With SPIN's partial-order reduction as well.
    pub fn reduced() -> Self {
        Self { spin: Vec::new(), compiler: words("-O1 -DSAFETY -DNOCLAIM"), ..Self::exact() }
    }

    /// A search for acceptance cycles, of the claim in the model if it has one.
    pub fn liveness() -> Self {
        Self { compiler: words("-O1 -DNOREDUCE"), verifier: words("-c0 -a -m1000000 -n"), ..Self::exact() }
    }

    #[must_use]
    pub fn within(self, time: Duration) -> Self {
        Self { limits: Limits { time, ..self.limits }, ..self }
    }

    #[must_use]
    pub fn uncached(self) -> Self {
        Self { cached: false, ..self }
    }

    /// Adds options of the compiler.
    #[must_use]
    pub fn compiled_with(mut self, options: &str) -> Self {
        self.compiler.extend(words(options));
        self
    }
}

/// Why there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Refusal {
    /// SPIN did not translate the model.
    Spin(String),
    /// The verifier SPIN wrote did not compile.
    Compiler(String),
    /// Translation or compilation did not end in time.
    TimedOut,
}

/// An error trail, as written by the verifier and as replayed by SPIN.
#[derive(Clone, Debug)]
pub struct Trail {
    /// The number of the error, from 1.
    pub number: usize,
    /// What the verifier says is wrong.
    pub error: String,
    /// The text of the `.trail` file.
    pub steps: String,
    /// What `spin -t -p -g -l` prints.
    pub replay: String,
}

/// The SPIN that is installed.
#[derive(Clone, Debug)]
pub struct Spin {
    version: String,
}

impl Spin {
    /// Looks for SPIN and a C compiler. Where they are missing, says that the test is skipped, or fails if
    /// `WHEREFORE_REQUIRE_TOOLS` is set to 1.
    #[allow(clippy::print_stderr)]
    pub fn find() -> Option<Self> {
        let compiler = Command::new("gcc").arg("--version").output().is_ok();
        let version = Command::new("spin").arg("-V").output().ok();
        if let (true, Some(version)) = (compiler, version) {
            let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
            return Some(Self { version });
        }
        let required = std::env::var("WHEREFORE_REQUIRE_TOOLS").is_ok_and(|value| value == "1");
        assert!(!required, "spin and gcc are required and missing");
        eprintln!("skipped: spin or gcc is not installed");
        None
    }

    pub fn version(&self) -> &str {
        &self.version
    }

    /// What SPIN says about a model.
    pub fn verify(&self, source: &Source, options: &Options) -> Result<Verdict, Refusal> {
        if !options.cached {
            return self.verify_now(source, options);
        }
        let key = cache::key(&self.version, source, options);
        if let Some(known) = cache::read(&key) {
            return known;
        }
        let verdict = self.verify_now(source, options);
        cache::write(&key, &verdict);
        verdict
    }

    fn verify_now(&self, source: &Source, options: &Options) -> Result<Verdict, Refusal> {
        self.search(source, options).map(|(verdict, _)| verdict)
    }

    /// Runs the verifier and also hands over everything it printed, which with `-DCHECK` is its whole
    /// search.
    pub fn verify_with_log(
        &self,
        source: &Source,
        options: &Options,
    ) -> Result<(Verdict, PrintedLog), Refusal> {
        self.search(source, options)
    }

    fn search(&self, source: &Source, options: &Options) -> Result<(Verdict, PrintedLog), Refusal> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let messages = self.translate(source, options, folder.path())?;
        let mut vector: Option<u64> = None;
        loop {
            compile(options, vector, folder.path())?;
            let path = folder.path().join("pan.out");
            let mut verifier = Command::new("./pan");
            verifier.args(&options.verifier).current_dir(folder.path());
            let start = Instant::now();
            let exit = run(verifier, &path, options.limits);
            let time = start.elapsed();
            let mut verdict = output::read(&path, &exit).expect("output of the verifier");
            if let Some(needed) = verdict.vector_needed
                && vector.is_none_or(|now| now < MOST_BYTES_OF_A_STATE)
            {
                vector = Some((2 * needed).clamp(2048, MOST_BYTES_OF_A_STATE));
                continue;
            }
            verdict.messages = messages;
            verdict.milliseconds = time.as_millis() as u64;
            return Ok((verdict, PrintedLog { path, _folder: folder }));
        }
    }

    /// Writes the trails of the first `count` errors and replays them.
    pub fn trails(&self, source: &Source, options: &Options, count: usize) -> Result<Vec<Trail>, Refusal> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        self.translate(source, options, folder.path())?;
        compile(options, None, folder.path())?;
        let mut trails = Vec::new();
        for number in 1..=count {
            // The search stops at the error of that number and writes only its trail.
            let mut verifier = Command::new("./pan");
            verifier.args(options.verifier.iter().filter(|option| *option != "-c0"));
            verifier.arg(format!("-c{number}")).current_dir(folder.path());
            let printed = folder.path().join("pan.out");
            run(verifier, &printed, options.limits);
            let printed = read_lossy(&printed);
            let mut errors = printed.lines().rev().filter_map(|line| error_line(line).map(|(text, _)| text));
            let error = errors.next().unwrap_or_default().to_owned();
            let name = format!("{}.trail", source.name());
            let Ok(steps) = fs::read_to_string(folder.path().join(&name)) else { break };
            let mut replay = Command::new("spin");
            replay.args(&options.spin).args(["-t", "-p", "-g", "-l", source.name()]);
            replay.current_dir(folder.path());
            let path = folder.path().join("replay.out");
            run(replay, &path, options.limits);
            let replay = read_lossy(&path);
            trails.push(Trail { number, error, steps, replay });
            let _ = fs::remove_file(folder.path().join(&name));
        }
        Ok(trails)
    }

    /// What `spin -t -p` prints of a trail in the folder of a model.
    pub fn replayed(&self, folder: &Path, model: &str, trail: &str) -> String {
        let mut replay = Command::new("spin");
        replay.args(["-t", "-p", "-k", trail, model]).current_dir(folder);
        let path = folder.join("replay.out");
        run(replay, &path, Limits::default());
        read_lossy(&path)
    }

    /// What the verifier (`pan -r`), made without merging of statements and without claims, prints of a trail.
    pub fn replayed_by_verifier(&self, source: &Source, trail: &str) -> Result<String, Refusal> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let options = Options { compiler: words("-O0 -DNOREDUCE -DNOCLAIM"), ..Options::exact() };
        self.translate(source, &options, folder.path())?;
        compile(&options, None, folder.path())?;
        fs::write(folder.path().join(format!("{}.trail", source.name())), trail).expect("the trail");
        let mut verifier = Command::new("./pan");
        verifier.arg("-r").current_dir(folder.path());
        let path = folder.path().join("replay.out");
        run(verifier, &path, options.limits);
        Ok(read_lossy(&path))
    }

    /// Writes the model and the verifier of it into the folder; what SPIN said about the model.
    fn translate(&self, source: &Source, options: &Options, folder: &Path) -> Result<Vec<String>, Refusal> {
        source.write_to(folder).expect("files of the model");
        let mut spin = Command::new("spin");
        spin.args(&options.spin).arg("-a").arg(source.name()).current_dir(folder);
        let path = folder.join("spin.out");
        let exit = run(spin, &path, options.limits);
        let text = read_lossy(&path);
        if exit == Exit::TimedOut {
            return Err(Refusal::TimedOut);
        }
        // The exit code says little: SPIN can complain and still write a verifier that works.
        let main = folder.join("pan.c");
        let Ok(verifier) = fs::read(&main) else { return Err(Refusal::Spin(text)) };
        let verifier = String::from_utf8_lossy(&verifier);
        let repeated = "if (strncmp(str, laststr, 254))";
        assert_eq!(verifier.matches(repeated).count(), 1, "the verifier of {} is another one", self.version);
        fs::write(&main, verifier.replace(repeated, "if (1)")).expect("the verifier");
        Ok(text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect())
    }
}

/// Compiles a verifier. Without optimisation TCC does that twenty times as fast as GCC, where it is installed.
fn compile(options: &Options, vector: Option<u64>, folder: &Path) -> Result<(), Refusal> {
    static TCC: LazyLock<bool> = LazyLock::new(|| Command::new("tcc").arg("-v").output().is_ok());
    let is_plain = options.compiler.iter().any(|option| option == "-O0");
    if is_plain && *TCC && compile_by("tcc", options, vector, folder).is_ok() {
        return Ok(());
    }
    compile_by("gcc", options, vector, folder)
}

fn compile_by(name: &str, options: &Options, vector: Option<u64>, folder: &Path) -> Result<(), Refusal> {
    let mut compiler = Command::new(name);
    compiler.args(&options.compiler).arg("-w").arg(format!("-DMEMLIM={}", options.limits.memory_mib));
    compiler.args(vector.map(|bytes| format!("-DVECTORSZ={bytes}")));
    compiler.args(["-o", "pan", "pan.c"]).current_dir(folder);
    let path = folder.join("gcc.out");
    match run(compiler, &path, options.limits) {
        Exit::Code(0) => Ok(()),
        Exit::TimedOut => Err(Refusal::TimedOut),
        _ => Err(Refusal::Compiler(read_lossy(&path))),
    }
}

fn read_lossy(path: &Path) -> String {
    fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// What the verifier printed, in a file that lives as long as this does.
#[derive(Debug)]
pub struct PrintedLog {
    path: PathBuf,
    _folder: tempfile::TempDir,
}

impl PrintedLog {
    pub fn open(&self) -> File {
        File::open(&self.path).expect("the log of the verifier")
    }
}
