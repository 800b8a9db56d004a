//! Cutting a stream into blocks of whole lines.
//!
//! Blocks are what threads pass on to each other. A line longer than a block is not read, so memory does
//! not depend on what the input looks like. Lines of CSV may go on behind a line break within quotes;
//! such a block is cut before the field that is still open.

use std::io::{self, Cursor, ErrorKind, Read};
use std::sync::Arc;

use crate::compression::{Compression, MAGIC};
use crate::error::Error;
use crate::layout::Layout;
use crate::options::Options;
use crate::source::Source;

/// The size of a block, and so of the longest line.
pub(crate) const BLOCK: usize = 1 << 20;

/// How much of a log is looked at to find its layout.
const START: usize = 1 << 14;

/// What is read of a log at a time: lines, or what is to be said instead of them.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) bytes: Vec<u8>,
    /// The lines begin here.
    pub(crate) start: usize,
    pub(crate) layout: Arc<Layout>,
    /// How many lines lie before the first of this block, in the same log, as far as the block knows: a
    /// header.
    pub(crate) skipped_lines: u64,
    /// The block is the start of one line that is too long.
    pub(crate) overlong: bool,
    /// Why the log ends here although there should be more.
    pub(crate) damage: Option<String>,
    /// No block of the same log follows.
    pub(crate) last: bool,
    /// How many bytes of the unpacked log this block stands for.
    pub(crate) size: u64,
}

/// Cuts one log.
pub(crate) struct Blocks {
    stream: Box<dyn Read + Send>,
    compression: Compression,
    name: String,
    layout: Arc<Layout>,
    /// What was read already and belongs to the next block.
    carried: Vec<u8>,
    /// The rest of a line that is too long is still to come.
    within_overlong: bool,
    header: Option<(usize, u64)>,
    ended: bool,
    damage: Option<String>,
}

impl Blocks {
    pub(crate) fn open(source: &Source, options: &Options) -> Result<Self, Error> {
        let name = source.name.clone();
        let opened = source.open();
        let mut packed = opened.map_err(|source| Error::Open { name: name.clone(), source })?;
        let mut magic = Vec::with_capacity(MAGIC);
        fill(&mut packed, &mut magic, MAGIC).map_err(|source| Error::Read { name: name.clone(), source })?;
        let compression = Compression::detect(&magic);
        let stream = compression.unpack(Cursor::new(magic).chain(packed));
        let stream = match (compression, stream) {
            (_, Some(stream)) => stream,
            (Compression::Other(kind, remedy), None) => {
                return Err(Error::Compression { name, kind, remedy });
            }
            (_, None) => return Err(Error::Broken),
        };
        let mut blocks = Self {
            stream,
            compression,
            name,
            layout: Arc::new(Layout::Text),
            carried: Vec::new(),
            within_overlong: false,
            header: None,
            ended: false,
            damage: None,
        };
        let mut start = Vec::with_capacity(START);
        blocks.fill(&mut start, START)?;
        let content = |what: String| Error::Content { name: blocks.name.clone(), what };
        if let Some(what) = unreadable(&start) {
            return Err(content(what));
        }
        let bom = if start.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let text = String::from_utf8_lossy(&start[bom..]);
        blocks.layout = Layout::detect(&blocks.name, &text, options).map_err(content)?;
        let mut skipped = (bom, 0);
        if let Layout::Csv(columns) = &*blocks.layout
            && columns.header
        {
            skipped = header(&start, bom, columns.delimiter);
        }
        blocks.header = Some(skipped);
        blocks.carried = start;
        Ok(blocks)
    }

    /// The next block, in the memory of `bytes`; `None` at the end.
    pub(crate) fn next(&mut self, mut bytes: Vec<u8>) -> Result<Option<Block>, Error> {
        bytes.clear();
        if self.ended && self.carried.is_empty() && self.header.is_none() {
            return Ok(None);
        }
        let (start, skipped_lines) = self.header.take().unwrap_or_default();
        bytes.append(&mut self.carried);
        if self.within_overlong {
            self.skip_line(&mut bytes)?;
        }
        self.fill(&mut bytes, BLOCK)?;
        let mut overlong = false;
        if !self.ended {
            match self.cut(&bytes, start) {
                Some(cut) => self.carried.extend_from_slice(&bytes[cut..]),
                None => (overlong, self.within_overlong) = (true, true),
            }
            bytes.truncate(bytes.len() - self.carried.len());
        }
        let size = bytes.len() as u64;
        let last = self.ended && self.carried.is_empty();
        let damage = if last { self.damage.take() } else { None };
        let layout = self.layout.clone();
        Ok(Some(Block { bytes, start, layout, skipped_lines, overlong, damage, last, size }))
    }

    /// Where the last whole line of a full block ends.
    fn cut(&self, bytes: &[u8], start: usize) -> Option<usize> {
        let end = memchr::memrchr(b'\n', bytes).filter(|end| *end >= start)? + 1;
        if let Layout::Csv(_) = &*self.layout {
            let quotes = memchr::memchr_iter(b'"', &bytes[start..end]).count();
            if quotes % 2 == 1 {
                let open = memchr::memrchr(b'"', &bytes[..end])?;
                // A quote too many somewhere must not keep us from going on.
                let before = memchr::memrchr(b'\n', &bytes[..open]).filter(|before| *before >= start);
                return Some(before.map_or(end, |before| before + 1));
            }
        }
        Some(end)
    }

    /// Drops what is left of a line that is too long, but not its line break: the parser counts the line
    /// as the rest of the block that said so.
    fn skip_line(&mut self, bytes: &mut Vec<u8>) -> Result<(), Error> {
        loop {
            if let Some(end) = memchr::memchr(b'\n', bytes) {
                bytes.drain(..=end);
                break;
            }
            bytes.clear();
            if self.ended {
                break;
            }
            self.fill(bytes, BLOCK)?;
        }
        self.within_overlong = false;
        Ok(())
    }

    /// Reads until there are `size` bytes or no more.
    fn fill(&mut self, bytes: &mut Vec<u8>, size: usize) -> Result<(), Error> {
        if self.ended {
            return Ok(());
        }
        match fill(&mut self.stream, bytes, size) {
            Ok(ended) => self.ended = ended,
            // What came before the damage is as good as ever.
            Err(error) if self.compression != Compression::Plain => {
                let early = error.kind() == ErrorKind::UnexpectedEof;
                let why = if early { "it ends early".to_owned() } else { error.to_string() };
                self.damage = Some(format!("the compressed data is damaged: {why}"));
                self.ended = true;
            }
            Err(source) => return Err(Error::Read { name: self.name.clone(), source }),
        }
        Ok(())
    }
}

/// Reads until there are `size` bytes; whether the stream ended before. On an error what was read stays.
fn fill(stream: &mut (impl Read + ?Sized), bytes: &mut Vec<u8>, size: usize) -> io::Result<bool> {
    let mut at = bytes.len();
    bytes.resize(size.max(at), 0);
    let mut result = Ok(false);
    while at < size {
        match stream.read(&mut bytes[at..size]) {
            Ok(0) => {
                result = Ok(true);
                break;
            }
            Ok(read) => at += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => {
                result = Err(error);
                break;
            }
        }
    }
    bytes.truncate(at);
    result
}

/// Why these bytes are no text in an encoding that can be told line by line.
fn unreadable(start: &[u8]) -> Option<String> {
    let wide = matches!(start, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]);
    if wide {
        return Some("this is UTF-16; `iconv -f UTF-16 -t UTF-8` makes it readable".to_owned());
    }
    memchr::memchr(0, start).map(|_| "this is not text: it contains zero bytes".to_owned())
}

/// Where the header row ends, and how many lines it has.
fn header(bytes: &[u8], bom: usize, delimiter: u8) -> (usize, u64) {
    let text = String::from_utf8_lossy(&bytes[bom..]);
    let mut row = crate::csv::Row::default();
    let mut end = match (&text, row.read(&text, delimiter)) {
        (std::borrow::Cow::Borrowed(_), Some(taken)) => bom + taken,
        _ => bom + memchr::memchr(b'\n', &bytes[bom..]).unwrap_or(bytes.len() - bom),
    };
    let within = memchr::memchr_iter(b'\n', &bytes[bom..end]).count() as u64;
    if bytes.get(end) == Some(&b'\n') {
        end += 1;
    }
    (end, within + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(bytes: &[u8]) -> Vec<Block> {
        let source = Source::of_bytes("a.log", bytes.to_vec());
        let mut blocks = Blocks::open(&source, &Options::default()).unwrap();
        std::iter::from_fn(|| blocks.next(Vec::new()).unwrap()).collect()
    }

    #[test]
    fn blocks_hold_whole_lines_and_all_of_them() {
        let text: String = (0..300_000).map(|n| format!("line {n}\n")).collect();
        let found = blocks(text.as_bytes());
        assert!(found.len() > 2);
        assert!(found.iter().rev().skip(1).all(|block| block.bytes.ends_with(b"\n") && !block.last));
        let all: Vec<u8> = found.iter().flat_map(|block| block.bytes.clone()).collect();
        assert_eq!(all, text.as_bytes());
        assert!(found.last().unwrap().last);
    }

    #[test]
    fn an_empty_log_is_one_empty_block() {
        let found = blocks(b"");
        assert_eq!((found.len(), found[0].bytes.len(), found[0].last), (1, 0, true));
    }

    #[test]
    fn a_line_too_long_is_told_and_skipped() {
        let long = vec![b'x'; 3 * BLOCK + 17];
        let found = blocks(&[b"a\n", &long[..], b"\nb\n"].concat());
        let texts: Vec<&[u8]> =
            found.iter().filter(|block| !block.overlong).map(|block| &block.bytes[..]).collect();
        assert_eq!(texts.concat(), b"a\nb\n");
        assert_eq!(found.iter().filter(|block| block.overlong).count(), 1);
        // At the very end, without a line break.
        assert!(blocks(&long).iter().any(|block| block.overlong));
        assert!(blocks(&long).last().unwrap().last);
    }

    #[test]
    fn other_encodings_are_named() {
        for (bytes, why) in [(&b"\xff\xfea\0"[..], "UTF-16"), (b"a\0b", "zero bytes")] {
            let error = Blocks::open(&Source::of_bytes("x", bytes.to_vec()), &Options::default()).err();
            assert!(error.unwrap().to_string().contains(why));
        }
    }
}
