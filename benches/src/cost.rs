//! What programs cost: time as it passes, time of the processor, and memory, as Linux tells them.
//!
//! Time of the processor says more than time that passes where other programs run beside the one that is
//! measured. It is counted in hundredths of a second.

use std::process::{Command, Output};
use std::time::Instant;

const TICKS_A_SECOND: f64 = 100.0;

/// What something took, in seconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    pub wall: f64,
    pub processor: f64,
}

impl std::ops::Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { wall: self.wall + other.wall, processor: self.processor + other.processor }
    }
}

/// A clock that says how long each part took.
#[derive(Debug)]
pub struct Laps(Instant);

impl Laps {
    pub fn begin() -> Self {
        Self(Instant::now())
    }

    /// The seconds since the last part ended.
    pub fn lap(&mut self) -> f64 {
        std::mem::replace(&mut self.0, Instant::now()).elapsed().as_secs_f64()
    }
}

/// Runs a program to its end.
pub fn run(command: &mut Command) -> std::io::Result<(Output, Cost)> {
    let (clock, before) = (Instant::now(), ticks(15));
    let output = command.output()?;
    Ok((output, Cost { wall: clock.elapsed().as_secs_f64(), processor: ticks(15) - before }))
}

/// What is done here and now, by all threads of this process.
pub fn of<T>(work: impl FnOnce() -> T) -> (T, Cost) {
    let (clock, before) = (Instant::now(), ticks(13));
    let done = work();
    (done, Cost { wall: clock.elapsed().as_secs_f64(), processor: ticks(13) - before })
}

/// The sum of a field of the kernel's line about this process and of the field after it: 13 for its own
/// time, 15 for that of the processes it waited for. Counted from 0.
fn ticks(field: usize) -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The second field is a name in parentheses, which may hold spaces.
    let rest = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
    let numbers = rest.split(' ').skip(field - 2).take(2);
    numbers.filter_map(|number| number.parse::<f64>().ok()).sum::<f64>() / TICKS_A_SECOND
}

/// The most memory this process ever held.
pub fn peak_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches("kB").trim().parse::<f64>().unwrap_or(0.0) / 1024.0
}
