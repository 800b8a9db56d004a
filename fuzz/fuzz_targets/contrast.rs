//! Any bytes as a log: of one kind or another, packed or not, with fields that may or may not be there.
//!
//! The first byte chooses how the rest is read, the rest is both the failing and, cut in half, the passing
//! log. Besides panics this looks for counts that do not add up.

#![no_main]

use std::io::{Cursor, Read};
use std::num::NonZeroUsize;

use graph::Unwatched;
use libfuzzer_sys::fuzz_target;
use logs::{Fields, Options, Source};

fuzz_target!(|contents: &[u8]| {
    let Some((choice, bytes)) = contents.split_first() else { return };
    let name = ["log", "jsonl", "csv", "log.gz", "jsonl.zst", "tsv"][usize::from(choice % 6)];
    let field = |bit: u8, name: &str| (choice >> bit & 1 != 0).then(|| name.to_owned());
    let source = |side: &str, bytes: &[u8]| {
        let bytes = bytes.to_vec();
        let size = bytes.len() as u64;
        let open =
            move || -> std::io::Result<Box<dyn Read + Send>> { Ok(Box::new(Cursor::new(bytes.clone()))) };
        Source::new(format!("{side}.{name}"), size, open)
    };
    let fields = Fields { trace: field(3, "t"), process: field(4, "p"), event: field(5, "e") };
    let options = Options { fields, threads: NonZeroUsize::MIN, ..Options::default() };
    let (good, bad) = (source("good", &bytes[..bytes.len() / 2]), source("bad", bytes));
    if let Ok(found) = logs::contrast(&[good], &[bad], &options, &Unwatched) {
        assert!(found.failing.quality.broken <= found.failing.quality.lines);
        assert!(found.count <= found.distinct_substrings);
    }
});
