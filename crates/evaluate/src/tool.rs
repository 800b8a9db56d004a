//! Running the tool that is measured, as a program of its own: what it does to itself, it does not do to the rest.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
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
}

/// What the tool is given after its time is over before it is ended.
const GRACE: Duration = Duration::from_secs(10);

impl Tool {
    /// The tool at `given`, or the one beside this program after building it.
    pub(crate) fn new(given: Option<&Path>, root: &Path) -> Result<Self> {
        if let Some(path) = given {
            return Ok(Self { path: path.to_owned() });
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
        let started = Instant::now();
        let mut child = Command::new(&self.path)
            .arg(command)
            .arg(file)
            .args(["-f", "json", "-q", "--threads", "1", "--timeout", &format!("{limit}s")])
            .args(options)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{} cannot be run", self.path.display()))?;
        let mut pipe = child.stdout.take().context("no output")?;
        let reader = std::thread::spawn(move || {
            let mut text = Vec::new();
            // What was read before an error is looked at as well, and then is no report.
            let _ = pipe.read_to_end(&mut text);
            text
        });
        let last = Duration::from_secs(limit) + GRACE;
        while child.try_wait()?.is_none() {
            if started.elapsed() > last {
                child.kill()?;
                child.wait()?;
                break;
            }
            std::thread::sleep(Duration::from_millis(3));
        }
        let seconds = started.elapsed().as_secs_f64();
        let text = reader.join().unwrap_or_default();
        Ok(Run { report: serde_json::from_slice(&text).ok(), seconds })
    }
}
