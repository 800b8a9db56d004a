//! The clock, the memory meter, Ctrl-C and the progress line.
//!
//! Loops pulse often; the clock is asked at every pulse, the memory every [`REFRESH`], and the
//! progress line appears only when something takes longer than a second and a person is watching.

use std::cell::{Cell, RefCell};
use std::io::{IsTerminal, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use findings::Explanation;
use graph::{Interrupt, Progress, Watch};
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use pipeline::request::{Host, Notice, Stage};
use report::text::Telling;

use super::flags::LimitArgs;

const PATIENCE: Duration = Duration::from_secs(1);
const REFRESH: Duration = Duration::from_millis(100);

static CANCELLED: AtomicBool = AtomicBool::new(false);

#[derive(Debug)]
pub(crate) struct Terminal {
    started: Instant,
    timeout: Option<Duration>,
    max_memory: Option<u64>,
    /// How much of the memory the current phase may take.
    share: Cell<f64>,
    quiet: bool,
    /// Whether messages are coloured.
    colour: bool,
    /// Whether a person is looking at standard error.
    person: bool,
    refreshed: Cell<Option<Instant>>,
    phase: Cell<(&'static str, Instant)>,
    /// What the phase belongs to.
    stage: Cell<Stage>,
    line: RefCell<Option<ProgressBar>>,
    /// How the verdict is told as soon as it is known, if it is.
    early: Cell<Option<Telling>>,
    /// What was told so far of the report.
    told: RefCell<String>,
}

impl Terminal {
    pub(crate) fn new(limits: &LimitArgs, quiet: bool, colour: bool) -> Self {
        let now = Instant::now();
        Self {
            started: now,
            timeout: limits.timeout,
            max_memory: limits.max_memory.or_else(|| Some(free_bytes()? / 10 * 9)),
            share: Cell::new(1.0),
            quiet,
            colour,
            person: std::io::stderr().is_terminal(),
            refreshed: Cell::new(None),
            phase: Cell::new(("", now)),
            stage: Cell::new(Stage::Whole),
            line: RefCell::new(None),
            early: Cell::new(None),
            told: RefCell::new(String::new()),
        }
    }

    /// Tells the verdict of the first report on standard output as soon as it is known.
    pub(crate) fn tell_early(&self, telling: Telling) {
        self.early.set(Some(telling));
    }

    /// What was told so far of the report.
    pub(crate) fn told(&self) -> String {
        self.told.borrow().clone()
    }

    /// Makes Ctrl-C end the running loop with what is known so far; a second one ends the program.
    pub(crate) fn listen() {
        // Without a handler Ctrl-C simply ends the program, which is no reason to refuse to run.
        let _ = ctrlc::set_handler(|| {
            if CANCELLED.swap(true, Ordering::SeqCst) {
                std::process::exit(i32::from(super::exit::UNDECIDED));
            }
            message("interrupted: finishing with what is known; interrupt again to stop at once");
        });
    }

    /// Takes the progress line away, before anything else is printed.
    pub(crate) fn clear(&self) {
        if let Some(line) = self.line.take() {
            line.finish_and_clear();
        }
    }

    /// A warning, unless the user wants none.
    pub(crate) fn warn(&self, text: &str) {
        self.show(&format!("warning: {text}\n"));
    }

    /// Messages that end their own lines, unless the user wants none.
    fn show(&self, messages: &str) {
        if !self.quiet {
            self.clear();
            // Where nobody reads, nothing needs to be said.
            let _ = write!(std::io::stderr(), "{messages}");
        }
    }

    fn draw(&self, progress: Progress, now: Instant, memory: Option<u64>) {
        let (phase, since) = self.phase.get();
        if phase != progress.phase {
            self.phase.set((progress.phase, now));
        }
        if self.quiet || !self.person || now - self.started < PATIENCE {
            return;
        }
        let mut line = self.line.borrow_mut();
        let line = line.get_or_insert_with(|| {
            let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            line.set_style(
                ProgressStyle::with_template("{spinner} {msg}").unwrap_or(ProgressStyle::default_spinner()),
            );
            line
        });
        let seconds = (now - since).as_secs_f64();
        let rate = if seconds > 0.2 { (progress.edges as f64 / seconds) as u64 } else { 0 };
        let mut text = match self.stage.get() {
            Stage::Whole => progress.phase.to_owned(),
            Stage::Property { number, of } => format!("property {number} of {of}: {}", progress.phase),
            Stage::Method(method) => format!("{method}: {}", progress.phase),
            Stage::Repair { number, of } => format!("trying repair {number} of {of}"),
        };
        if let Some(permille) = progress.permille {
            text.push_str(&format!(" {}%", permille / 10));
        }
        if progress.states > 0 {
            text.push_str(&format!("  {} states", HumanCount(progress.states)));
        }
        if progress.edges > 0 {
            text.push_str(&format!("  {} transitions", HumanCount(progress.edges)));
        }
        if rate > 0 {
            text.push_str(&format!("  {}/s", HumanCount(rate)));
        }
        if let Some(bytes) = memory {
            text.push_str(&format!("  {}", HumanBytes(bytes)));
        }
        line.set_message(text);
        line.tick();
    }
}

impl Watch for Terminal {
    fn pulse(&self, progress: Progress) -> Result<(), Interrupt> {
        if CANCELLED.load(Ordering::Relaxed) {
            return Err(Interrupt::Cancelled);
        }
        let now = Instant::now();
        if self.timeout.is_some_and(|timeout| now - self.started > timeout) {
            return Err(Interrupt::Timeout);
        }
        if self.refreshed.get().is_none_or(|last| now - last >= REFRESH) {
            self.refreshed.set(Some(now));
            let memory = resident_bytes("VmRSS:");
            let most = self.max_memory.map(|most| (most as f64 * self.share.get()) as u64);
            if memory.zip(most).is_some_and(|(used, most)| used > most) {
                return Err(Interrupt::Memory);
            }
            self.draw(progress, now, memory);
        }
        Ok(())
    }
}

impl Host for Terminal {
    fn seconds(&self) -> f64 {
        // Microseconds are enough, and a report with fewer digits is easier to read.
        (self.started.elapsed().as_secs_f64() * 1e6).round() / 1e6
    }

    fn peak_bytes(&self) -> Option<u64> {
        resident_bytes("VmHWM:")
    }

    fn share_memory(&self, share: f64) {
        self.share.set(share);
    }

    fn notice(&self, notice: Notice) {
        match notice {
            Notice::Warning(text) => self.warn(&text),
            Notice::Note(text) => self.show(&format!("note: {text}\n")),
            Notice::Messages(messages) => self.show(&report::messages::draw(&messages, self.colour)),
        }
    }

    fn stage(&self, stage: Stage) {
        self.stage.set(stage);
    }

    fn known(&self, explanation: &Explanation) {
        let Some(telling) = self.early.take() else { return };
        self.clear();
        let head = report::text::head(&report::tell(explanation), telling);
        let mut out = std::io::stdout().lock();
        // Where it cannot be written, the whole report cannot either, and then this is said.
        if out.write_all(head.as_bytes()).and_then(|()| out.flush()).is_ok() {
            *self.told.borrow_mut() = head;
        }
    }
}

/// A line of `/proc/self/status`, in bytes; none on systems that have no such file.
fn resident_bytes(field: &str) -> Option<u64> {
    bytes_in("/proc/self/status", field)
}

/// The memory that programs can have without driving others out.
fn free_bytes() -> Option<u64> {
    bytes_in("/proc/meminfo", "MemAvailable:")
}

fn bytes_in(file: &str, field: &str) -> Option<u64> {
    let status = std::fs::read_to_string(file).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// A line on standard error.
pub(crate) fn message(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
