//! Running another program within limits of time and output.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a run of SPIN, of the compiler or of the verifier may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    pub time: Duration,
    /// Memory of the verifier in MiB.
    pub memory_mib: u32,
    /// Bytes that may be printed.
    pub output: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(60), memory_mib: 2048, output: 1 << 30 }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    Code(i32),
    /// Ended by itself, but not by an exit: by a division by zero, for instance.
    Killed(String),
    TimedOut,
    /// Stopped because it printed too much.
    TooMuchOutput,
}

/// Runs the program with both its output streams in the file.
pub(super) fn run(mut command: Command, output: &Path, limits: Limits) -> Exit {
    let file = File::create(output).expect("a file for output");
    let copy = file.try_clone().expect("a second handle");
    command.stdin(Stdio::null()).stdout(file).stderr(copy);
    let mut child = command.spawn().unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"));
    let start = Instant::now();
    let mut pause = Duration::from_micros(500);
    loop {
        if let Some(status) = child.try_wait().expect("the state of a child process") {
            return status.code().map_or_else(|| Exit::Killed(status.to_string()), Exit::Code);
        }
        let too_long = start.elapsed() > limits.time;
        let too_much = fs::metadata(output).is_ok_and(|file| file.len() > limits.output);
        if too_long || too_much {
            // It may have ended in the meantime, which is as good.
            let _ = child.kill();
            let _ = child.wait();
            return if too_long { Exit::TimedOut } else { Exit::TooMuchOutput };
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}
