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
use source::visible_lines;

use super::flags::LimitArgs;
use super::memory::{self, Most, Used};
use super::messages::message;
use super::{ending, exit, watchdog};

const PATIENCE: Duration = Duration::from_secs(1);
const REFRESH: Duration = Duration::from_millis(100);

static CANCELLED: AtomicBool = AtomicBool::new(false);

#[derive(Debug)]
pub(crate) struct Terminal {
    started: Instant,
    timeout: Option<Duration>,
    most: Option<Most>,
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
        let most = Most::new(limits.max_memory);
        watchdog::start(now, limits.timeout, most);
        Self {
            started: now,
            timeout: limits.timeout,
            most,
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
            CANCELLED.store(true, Ordering::SeqCst);
            if !watchdog::signalled() {
                ending::end("stopped: interrupted twice");
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
        self.show(&format!("warning: {}\n", visible_lines(text)));
    }

    /// Messages that end their own lines and are fit for a terminal, unless the user wants none.
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
            let used = memory::used();
            let is_full = |(most, used): (Most, Used)| most.is_reached(used, self.share.get());
            if self.most.zip(used).is_some_and(is_full) {
                return Err(Interrupt::Memory);
            }
            self.draw(progress, now, used.map(|used| used.resident));
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
        Some(memory::used()?.peak)
    }

    fn share_memory(&self, share: f64) {
        self.share.set(share);
    }

    fn notice(&self, notice: Notice) {
        match notice {
            Notice::Warning(text) => self.warn(&text),
            Notice::Note(text) => self.show(&format!("note: {}\n", visible_lines(&text))),
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
            ending::told(exit::of(explanation.verdict));
            *self.told.borrow_mut() = head;
        }
    }
}
