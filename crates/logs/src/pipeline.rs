//! Reading logs with several threads and taking what they find in the order of the logs.
//!
//! One thread cuts the logs into blocks, several find the events of blocks, and the calling thread takes
//! the results one after the other, in the order of the blocks, so that nothing depends on who was
//! faster. The memory for blocks goes round: who wants to read on has to wait for a block that was taken,
//! so only a few are under way at any time.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::Builder;
use std::time::Duration;

use graph::{Interrupt, Progress, Watch};

use crate::blocks::{Block, Blocks};
use crate::error::Error;
use crate::events::Interner;
use crate::options::{Kind, Options};
use crate::parser::{Parsed, Parser};
use crate::source::Source;

/// How many broken lines are kept as examples.
const MOST_EXAMPLES: usize = 5;
/// How often the watch is asked while there is nothing to take.
const PATIENCE: Duration = Duration::from_millis(50);

/// What there was to read, and what could not be read.
#[derive(Clone, Debug, Default)]
pub struct Quality {
    pub logs: u64,
    /// Unpacked.
    pub bytes: u64,
    pub lines: u64,
    /// Lines that are no records; they are left out.
    pub broken: u64,
    /// The first of them.
    pub examples: Vec<Broken>,
    /// Lines that were read as Latin-1.
    pub not_utf8: u64,
    /// Logs without any event; they count as no trace.
    pub empty: Vec<String>,
    /// Compressed logs that end in the middle, and why; what came before is used.
    pub damaged: Vec<(String, String)>,
    /// How the lines of each log are written.
    pub kinds: Vec<Kind>,
}

/// A line that is no record.
#[derive(Clone, Debug)]
pub struct Broken {
    pub log: String,
    pub line: u64,
    pub reason: String,
    pub text: String,
}

/// The events of a block, by the numbers of the [`Interner`] given to [`read`].
pub(crate) struct Batch<'a> {
    /// Which of the logs.
    pub(crate) source: u32,
    pub(crate) parsed: &'a Parsed,
    pub(crate) numbers: &'a [u32],
    /// The number of the first line of the block, counted from 1.
    pub(crate) first_line: u64,
    /// No more of this log follows.
    pub(crate) last: bool,
}

/// What to read and what to call it meanwhile.
pub(crate) struct Reading<'a> {
    pub(crate) sources: &'a [Source],
    /// Which of them, ascending.
    pub(crate) chosen: &'a [u32],
    pub(crate) options: &'a Options,
    /// Traces whose names are asked for, sorted.
    pub(crate) asked: &'a [u64],
    pub(crate) phase: &'static str,
}

/// A block on its way.
struct Job {
    number: u64,
    source: u32,
    block: Block,
}

struct Done {
    source: u32,
    parser: usize,
    block: Block,
    parsed: Parsed,
}

/// Whether to read on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Go {
    On,
    Stop,
}

/// Reads the chosen logs. What was read until an interrupt has been taken.
pub(crate) fn read(
    reading: &Reading<'_>,
    events: &mut Interner,
    watch: &dyn Watch,
    mut take: impl FnMut(&Batch<'_>) -> Result<Go, Error>,
) -> Result<(Quality, Option<Interrupt>), Error> {
    let threads = reading.options.threads.get().min(64);
    let (buffers_in, buffers) = channel::<Vec<u8>>();
    for _ in 0..2 * threads + 2 {
        let _ = buffers_in.send(Vec::new());
    }
    let (jobs_in, jobs) = channel::<Job>();
    let (done_in, done) = channel::<(u64, Result<Done, Error>)>();
    let jobs = &Mutex::new(jobs);
    let spare = &Mutex::new(Vec::<Parsed>::new());
    std::thread::scope(|scope| {
        let failed = done_in.clone();
        let cutter = move || cut(reading, &buffers, &jobs_in, &failed);
        Builder::new().spawn_scoped(scope, cutter).map_err(Error::Thread)?;
        for parser in 0..threads {
            let done_in = done_in.clone();
            let work = move || parse(parser, reading, jobs, spare, &done_in);
            match Builder::new().spawn_scoped(scope, work) {
                Ok(_) => {}
                // One is enough.
                Err(_) if parser > 0 => break,
                Err(error) => {
                    drop((done, buffers_in));
                    return Err(Error::Thread(error));
                }
            }
        }
        drop(done_in);
        let mut taker = Taker::new(reading, threads);
        let taken = taker.take_all(&done, &buffers_in, spare, events, watch, &mut take);
        // Whoever still waits for blocks or hands them on learns that nobody wants them.
        drop((done, buffers_in));
        taken.map(|interrupt| (taker.quality, interrupt))
    })
}

/// The thread that reads.
fn cut(
    reading: &Reading<'_>,
    buffers: &Receiver<Vec<u8>>,
    jobs: &Sender<Job>,
    failed: &Sender<(u64, Result<Done, Error>)>,
) {
    let mut number = 0;
    for source in reading.chosen {
        let mut cut_one = || -> Result<bool, Error> {
            let log = reading.sources.get(*source as usize).ok_or(Error::Broken)?;
            let mut blocks = Blocks::open(log, reading.options)?;
            loop {
                let Ok(buffer) = buffers.recv() else { return Ok(false) };
                let Some(block) = blocks.next(buffer)? else { return Ok(true) };
                let last = block.last;
                if jobs.send(Job { number, source: *source, block }).is_err() {
                    return Ok(false);
                }
                number += 1;
                if last {
                    return Ok(true);
                }
            }
        };
        match cut_one() {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                let _ = failed.send((number, Err(error)));
                return;
            }
        }
    }
}

/// A thread that parses.
fn parse(
    number: usize,
    reading: &Reading<'_>,
    jobs: &Mutex<Receiver<Job>>,
    spare: &Mutex<Vec<Parsed>>,
    done: &Sender<(u64, Result<Done, Error>)>,
) {
    let mut parser = Parser::new(reading.options, reading.asked);
    loop {
        let Some(job) = jobs.lock().ok().and_then(|jobs| jobs.recv().ok()) else { return };
        let mut parsed = spare.lock().ok().and_then(|mut spare| spare.pop()).unwrap_or_default();
        let result = parser.parse(&job.block, &mut parsed);
        let result = result.map(|()| Done { source: job.source, parser: number, block: job.block, parsed });
        if done.send((job.number, result)).is_err() {
            return;
        }
    }
}

/// What the calling thread does.
struct Taker<'a> {
    reading: &'a Reading<'a>,
    quality: Quality,
    /// Of each parser: what its numbers mean.
    numbers: Vec<Vec<u32>>,
    /// The number of the next line.
    line: u64,
    /// Events of the current log.
    events: u64,
    stored_total: u64,
    stored_done: u64,
    stored_current: u64,
}

impl<'a> Taker<'a> {
    fn new(reading: &'a Reading<'a>, threads: usize) -> Self {
        let stored = |source: &u32| reading.sources.get(*source as usize).map_or(0, |source| source.bytes);
        Self {
            reading,
            quality: Quality::default(),
            numbers: vec![Vec::new(); threads],
            line: 1,
            events: 0,
            stored_total: reading.chosen.iter().map(stored).sum(),
            stored_done: 0,
            stored_current: 0,
        }
    }

    fn take_all(
        &mut self,
        done: &Receiver<(u64, Result<Done, Error>)>,
        buffers: &Sender<Vec<u8>>,
        spare: &Mutex<Vec<Parsed>>,
        events: &mut Interner,
        watch: &dyn Watch,
        take: &mut impl FnMut(&Batch<'_>) -> Result<Go, Error>,
    ) -> Result<Option<Interrupt>, Error> {
        let mut early = BTreeMap::new();
        let mut next = 0;
        loop {
            if let Err(interrupt) = watch.pulse(self.progress()) {
                return Ok(Some(interrupt));
            }
            match done.recv_timeout(PATIENCE) {
                Ok((number, result)) => _ = early.insert(number, result),
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
            while let Some(result) = early.remove(&next) {
                next += 1;
                let done = result?;
                let go = self.take(&done, events, take)?;
                if go == Go::Stop {
                    return Ok(None);
                }
                // Nobody may want them any more.
                let _ = buffers.send(done.block.bytes);
                if let Ok(mut spare) = spare.lock() {
                    spare.push(done.parsed);
                }
                if let Err(interrupt) = watch.pulse(self.progress()) {
                    return Ok(Some(interrupt));
                }
            }
        }
    }

    fn take(
        &mut self,
        done: &Done,
        events: &mut Interner,
        take: &mut impl FnMut(&Batch<'_>) -> Result<Go, Error>,
    ) -> Result<Go, Error> {
        let Done { source, parser, block, parsed } = done;
        let numbers = &mut self.numbers[*parser];
        let mut start = 0;
        for end in &parsed.name_ends {
            numbers.push(events.number(&parsed.names[start..*end])?);
            start = *end;
        }
        let first_line = self.line;
        let batch = Batch { source: *source, parsed, numbers, first_line, last: block.last };
        let go = take(&batch)?;
        self.note(*source, block, parsed);
        Ok(go)
    }

    /// Keeps the books.
    fn note(&mut self, source: u32, block: &Block, parsed: &Parsed) {
        let log = self.reading.sources.get(source as usize);
        let name = || log.map(|log| log.name.clone()).unwrap_or_default();
        let quality = &mut self.quality;
        quality.bytes += block.size;
        quality.lines += parsed.line_count;
        quality.broken += parsed.broken;
        quality.not_utf8 += parsed.not_utf8;
        let room = MOST_EXAMPLES.saturating_sub(quality.examples.len());
        quality.examples.extend(parsed.examples.iter().take(room).map(|example| Broken {
            log: name(),
            line: self.line + example.line,
            reason: example.reason.clone(),
            text: example.text.clone(),
        }));
        if let Some(damage) = &block.damage {
            quality.damaged.push((name(), damage.clone()));
        }
        self.line += parsed.line_count;
        self.events += parsed.events.len() as u64;
        self.stored_current += block.size;
        if block.last {
            quality.logs += 1;
            quality.kinds.push(block.layout.kind());
            if self.events == 0 {
                quality.empty.push(name());
            }
            self.stored_done += log.map_or(0, |log| log.bytes);
            (self.line, self.events, self.stored_current) = (1, 0, 0);
        }
    }

    fn progress(&self) -> Progress {
        let within = self.stored_done + self.stored_current;
        let permille = (within.min(self.stored_total) * 1000).checked_div(self.stored_total);
        Progress {
            phase: self.reading.phase,
            permille: permille.and_then(|permille| u16::try_from(permille).ok()),
            ..Progress::default()
        }
    }
}
