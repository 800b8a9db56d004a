//! Running the tool that is measured, as a program of its own: what it does to itself, it does not do to the rest.

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;

#[derive(Debug)]
pub(crate) struct Tool {
    path: PathBuf,
}

/// What a run of the tool left.
#[derive(Debug)]
pub(crate) struct Run {
    /// The report, if there is one.
    pub(crate) report: Option<Value>,
    pub(crate) seconds: f64,
    /// Time of the processor, all threads together, where the system tells it.
    pub(crate) worked: Option<f64>,
    /// The exit status; nothing if it was ended by a signal.
    pub(crate) status: Option<i32>,
    /// What it complained about.
    pub(crate) complaints: String,
}

impl Run {
    pub(crate) fn has_panicked(&self) -> bool {
        self.status == Some(101) || self.complaints.contains("panicked at")
    }
}

/// What the tool is given after its time is over before it is ended.
const GRACE: Duration = Duration::from_secs(10);

impl Tool {
    /// The tool at `given`, or the one beside this program after building it.
    pub(crate) fn new(given: Option<&Path>, root: &Path) -> Result<Self> {
        if let Some(path) = given {
            return Ok(Self { path: std::path::absolute(path)? });
        }
        let own = std::env::current_exe()?;
        let folder = own.parent().context("this program stands nowhere")?;
        let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        build.args(["build", "--quiet", "-p", "wherefore"]).current_dir(root);
        if folder.ends_with("release") {
            build.arg("--release");
        }
        if !build.status().context("cargo cannot be run")?.success() {
            bail!("the tool cannot be built");
        }
        Ok(Self { path: folder.join("wherefore") })
    }

    /// Its report on a file, ended after so many seconds.
    pub(crate) fn run(&self, command: &str, file: &Path, options: &[String], limit: u64) -> Result<Run> {
        let limits = ["--threads", "1", "--timeout", &format!("{limit}s")].map(OsString::from);
        let mut arguments = vec![command.into(), file.into()];
        arguments.extend(["-f", "json", "-q"].map(OsString::from));
        arguments.extend(limits);
        arguments.extend(options.iter().map(OsString::from));
        self.launch(Path::new("."), &arguments, Duration::from_secs(limit) + GRACE)
    }

    /// Runs it in a folder with these arguments, and ends it after that time.
    pub(crate) fn launch(&self, folder: &Path, arguments: &[OsString], last: Duration) -> Result<Run> {
        let started = Instant::now();
        let mut child = Command::new(&self.path)
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("{} cannot be run", self.path.display()))?;
        let output = read(child.stdout.take().context("no output")?);
        let complaints = read(child.stderr.take().context("no output")?);
        let mut worked = None;
        let status = loop {
            worked = processor_time(child.id()).or(worked);
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if started.elapsed() > last {
                child.kill()?;
                break child.wait()?;
            }
            std::thread::sleep(Duration::from_millis(3));
        };
        let seconds = started.elapsed().as_secs_f64();
        let output = output.join().unwrap_or_default();
        let complaints = String::from_utf8_lossy(&complaints.join().unwrap_or_default()).into_owned();
        Ok(Run {
            report: serde_json::from_slice(&output).ok(),
            seconds,
            worked,
            status: status.code(),
            complaints,
        })
    }
}

/// The seconds that a process has worked so far, as Linux tells it in hundredths.
fn processor_time(process: u32) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program stands in parentheses and may contain anything.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<u32>().ok();
    Some(f64::from(ticks(11)? + ticks(12)?) / 100.0)
}

/// All that comes out of a pipe, read beside what else is done.
fn read(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut text = Vec::new();
        // What was read before an error is looked at as well, and then is no report.
        let _ = pipe.read_to_end(&mut text);
        text
    })
}
