//! What comparing logs costs.
//!
//!     cargo run --release --manifest-path benches/Cargo.toml --bin contrast -- [SIZE] [THREADS]
//!
//! SIZE is what each of the runs below reads in all, in megabytes (default 1000), half of it passing and
//! half failing; THREADS how many threads parse (default: one for each processor). The logs are generated
//! while they are read, by repeating a prepared stretch of a megabyte with other numbers in it, so
//! that no disk is needed and none is measured.
//!
//! Every line is a process of its own, so that its peak of memory is its own. Printed: megabytes (unpacked)
//! and events a second, seconds, seconds of processor time, the peak of memory, and how many different
//! events and substrings there were; *generate* makes the same bytes and drops them.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::process::Command;
use std::sync::Mutex;
use std::time::Instant;

use graph::Unwatched;
use logs::{Fields, Options, Source};
use wherefore_benches::Random;

/// The size of the stretch that is repeated.
const STRETCH: usize = 1 << 20;
/// How many different stretches a set has.
const LIKE: u64 = 4;
/// How many runs each set has where every file is one.
const FILES: u64 = 50;

const KINDS: [&str; 6] = ["generate", "text", "text.gz", "jsonl", "jsonl traces", "csv traces"];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |at: usize, default: u64| arguments.get(at).map_or(default, |text| text.parse().expect("a number"));
    let megabytes = number(0, 1000);
    let threads = number(1, std::thread::available_parallelism().map_or(1, |n| n.get() as u64));
    if let Some(kind) = arguments.get(2) {
        return measure(kind, megabytes << 20, threads as usize);
    }
    println!(
        "{:<13} {:>7} {:>7} {:>9} {:>7} {:>7} {:>8} {:>9} {:>10}",
        "kind", "MB", "MB/s", "events/s", "s", "CPU s", "peak MB", "events", "substrings"
    );
    let own = std::env::current_exe().expect("a program knows where it is");
    for kind in KINDS {
        let run =
            Command::new(&own).args([megabytes.to_string(), threads.to_string(), kind.to_owned()]).status();
        assert!(run.expect("it runs").success());
    }
}

fn measure(kind: &str, bytes: u64, threads: usize) {
    let (good, bad) = (sources(kind, "good", bytes / 2), sources(kind, "bad", bytes / 2));
    let clock = Instant::now();
    if kind == "generate" {
        let mut read = 0;
        let mut buffer = vec![0; 1 << 20];
        for side in ["good", "bad"] {
            for at in 0..FILES {
                let mut log = Generated::new("text", side, at, bytes / 2 / FILES);
                while let Ok(n @ 1..) = log.read(&mut buffer) {
                    read += n as u64;
                }
            }
        }
        return line(kind, read, None, clock);
    }
    let traces = kind.ends_with("traces").then(|| "request".to_owned());
    let fields = Fields { trace: traces, ..Fields::default() };
    let threads = NonZeroUsize::new(threads).expect("at least one thread");
    let options = Options { fields, threads, ..Options::default() };
    let found = logs::contrast(&good, &bad, &options, &Unwatched).expect("the logs are well formed");
    assert!(found.count > 0 && found.failing.quality.broken == 0);
    assert_eq!(found.length, 2);
    let read = found.passing.quality.bytes + found.failing.quality.bytes;
    let events = found.passing.events + found.failing.events;
    line(kind, read, Some((events, found.distinct_events, found.distinct_substrings)), clock);
}

fn line(kind: &str, bytes: u64, found: Option<(u64, u64, u64)>, clock: Instant) {
    let seconds = clock.elapsed().as_secs_f64();
    let (events, distinct, substrings) = found.unwrap_or_default();
    println!(
        "{kind:<13} {:>7} {:>7.0} {:>9.0} {seconds:>7.2} {:>7.2} {:>8} {distinct:>9} {substrings:>10}",
        bytes >> 20,
        bytes as f64 / seconds / f64::from(1 << 20),
        events as f64 / seconds,
        processor_seconds(),
        peak_megabytes(),
    );
}

/// The logs of one side: one run a file, or one file with all of them shuffled into one another.
fn sources(kind: &str, side: &'static str, bytes: u64) -> Vec<Source> {
    let files = if kind.ends_with("traces") { 1 } else { FILES };
    let extension = match kind {
        "text.gz" => "log.gz",
        "jsonl" | "jsonl traces" => "jsonl",
        "csv traces" => "csv",
        _ => "log",
    };
    let source = |at| {
        let kind = kind.to_owned();
        let name = format!("{side}{at}.{extension}");
        let open = move || -> io::Result<Box<dyn Read + Send>> {
            Ok(match kind.strip_suffix(".gz") {
                Some(kind) => Box::new(packed(kind, side, at, bytes / files)),
                None => Box::new(Generated::new(&kind, side, at, bytes / files)),
            })
        };
        Source::new(name, bytes / files, open)
    };
    (0..files).map(source).collect()
}

/// An archive of equal members, each a packed stretch: packing anew would measure the packer.
fn packed(kind: &str, side: &'static str, seed: u64, bytes: u64) -> Repeated {
    static MADE: Mutex<BTreeMap<(&str, u64), Vec<u8>>> = Mutex::new(BTreeMap::new());
    let seed = seed % LIKE;
    let mut made = MADE.lock().expect("nobody panics");
    let member = made.entry((side, seed)).or_insert_with(|| {
        let (lines, _) = stretch(kind, side, seed);
        let mut packer = flate2::read::GzEncoder::new(&lines[..], flate2::Compression::new(6));
        let mut member = Vec::new();
        packer.read_to_end(&mut member).expect("it is in memory");
        member
    });
    Repeated { member: member.clone(), at: 0, members: bytes.div_ceil(STRETCH as u64) }
}

struct Repeated {
    member: Vec<u8>,
    at: usize,
    members: u64,
}

impl Read for Repeated {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.at == self.member.len() {
            (self.at, self.members) = (0, self.members.saturating_sub(1));
        }
        if self.members == 0 {
            return Ok(0);
        }
        let length = into.len().min(self.member.len() - self.at);
        into[..length].copy_from_slice(&self.member[self.at..self.at + length]);
        self.at += length;
        Ok(length)
    }
}

/// A log that is made as it is read: the same stretch again and again, with a counter in every round.
struct Generated {
    stretch: Vec<u8>,
    /// Where digits of the round are put.
    marks: Vec<usize>,
    at: usize,
    round: u64,
    left: u64,
}

impl Generated {
    fn new(kind: &str, side: &str, seed: u64, bytes: u64) -> Self {
        // Some logs of a set are alike: making them must not take longer than reading them.
        static MADE: Mutex<BTreeMap<(String, String, u64), Stretch>> = Mutex::new(BTreeMap::new());
        let seed = seed % LIKE;
        let mut made = MADE.lock().expect("nobody panics");
        let key = (kind.to_owned(), side.to_owned(), seed);
        let (stretch, marks) = made.entry(key).or_insert_with(|| stretch(kind, side, seed)).clone();
        Self { stretch, marks, at: 0, round: 0, left: bytes }
    }

    fn next_round(&mut self) {
        self.round += 1;
        self.at = if self.stretch.starts_with(b"time,") { "time,request,process,event\n".len() } else { 0 };
        let digits = format!("{:08}", self.round % 100_000_000);
        for mark in &self.marks {
            self.stretch[*mark..*mark + 8].copy_from_slice(digits.as_bytes());
        }
    }
}

/// Lines, and where digits of the round are put.
type Stretch = (Vec<u8>, Vec<usize>);

fn stretch(kind: &str, side: &str, seed: u64) -> Stretch {
    let mut random = Random(seed + if side == "bad" { 1 << 32 } else { 0 });
    let mut text = String::with_capacity(STRETCH + 256);
    let mut marks = Vec::new();
    if kind.starts_with("csv") {
        text.push_str("time,request,process,event\n");
    }
    let header = text.len();
    let mut state = 0;
    while text.len() < STRETCH {
        // A walk among a few hundred events; failing runs take a turn that passing ones never take.
        state = (state * 7 + 1 + random.below(6)) % 300;
        let odd = side == "bad" && random.below(1000) == 0;
        let (first, second) = (random.below(1 << 16), random.below(1 << 24));
        let second = format!("{:02}:{:02}.{:06}", second % 60, second / 60 % 60, second % 1_000_000);
        let event = match state % 4 {
            _ if odd => format!("retry of request {first} after timeout"),
            0 => format!("conn {first} from 10.0.{}.{}:4{first:04} step S{state}", first % 256, first / 256),
            1 => format!("write block 0x{first:08x} of {first} bytes in state {}", name(state)),
            2 => format!(
                "reply to {first:08x}-0000-4000-8000-{first:012x} took {}ms {}",
                first % 97,
                name(state)
            ),
            _ => format!("lock table {} waiting for worker", name(state)),
        };
        // The round is part of the request's name, so that every round has new ones.
        match kind {
            "jsonl" | "jsonl traces" => {
                text.push_str(&format!(
                    "{{\"time\":\"2024-05-01T10:{second}Z\",\"level\":\"info\",\"request\":\"r"
                ));
                marks.push(text.len());
                text.push_str(&format!("00000000-{}\",\"event\":\"{event}\"}}\n", first % 512));
            }
            "csv traces" => {
                text.push_str(&format!("2024-05-01T10:{second}Z,r"));
                marks.push(text.len());
                text.push_str(&format!("00000000-{},main,{event}\n", first % 512));
            }
            _ => text.push_str(&format!("2024-05-01 10:{second} [worker-{}] {event}\n", first % 8)),
        }
    }
    let mut stretch = text.into_bytes();
    if header > 0 {
        // Only the first round has the header; later ones have a row in its place.
        let row = "2024-05-01T10:00:00.0Z,r0-0,main,x\n";
        assert!(row.len() >= header);
        stretch.splice(header..header, row.bytes());
        marks.iter_mut().for_each(|mark| *mark += row.len());
    }
    (stretch, marks)
}

/// Letters for a number, so that masking leaves it.
fn name(number: u32) -> String {
    let letter = |n: u32| char::from(b'g' + (n % 18) as u8);
    [letter(number), letter(number / 18)].iter().collect()
}

impl Read for Generated {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Ok(0);
        }
        if self.at == self.stretch.len() {
            self.next_round();
        }
        let mut length = into.len().min(self.stretch.len() - self.at);
        let rest = &self.stretch[self.at..];
        if self.left <= length as u64 {
            // Whole lines to the end.
            let end = rest[self.left as usize - 1..].iter().position(|byte| *byte == b'\n');
            length = (self.left as usize + end.unwrap_or(0)).min(into.len());
            self.left = self.left.saturating_sub(length as u64);
        } else {
            self.left -= length as u64;
        }
        into[..length].copy_from_slice(&rest[..length]);
        self.at += length;
        Ok(length)
    }
}

fn status(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

fn peak_megabytes() -> u64 {
    status("VmHWM:").unwrap_or_default() / 1024
}

/// Of all threads, those that ended included.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|text| text.parse::<f64>().ok()).unwrap_or_default();
    // Fields 14 and 15 of the line; a tick is a hundredth of a second.
    (ticks(11) + ticks(12)) / 100.0
}
