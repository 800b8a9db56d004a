//! Jars: zip archives, read by their table of contents.

use std::io::Read;

use flate2::read::DeflateDecoder;
use rustc_hash::FxHashMap;

/// No class file is larger.
const MOST_BYTES: u64 = 1 << 28;

/// An archive, and where its entries lie.
#[derive(Debug)]
pub struct Archive {
    bytes: Vec<u8>,
    entries: FxHashMap<String, Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    method: u16,
    packed: usize,
    header: usize,
}

impl Archive {
    /// # Errors
    /// If the bytes are no archive, with the reason.
    pub fn new(bytes: Vec<u8>) -> Result<Self, &'static str> {
        let entries = entries(&bytes).ok_or("not a jar that can be read")?;
        Ok(Self { bytes, entries })
    }

    /// The content of an entry.
    pub fn read(&self, name: &str) -> Option<Vec<u8>> {
        let entry = self.entries.get(name)?;
        let names = usize::from(half(&self.bytes, entry.header + 26)?);
        let extra = usize::from(half(&self.bytes, entry.header + 28)?);
        let start = entry.header.checked_add(30 + names + extra)?;
        let packed = self.bytes.get(start..start.checked_add(entry.packed)?)?;
        match entry.method {
            0 => Some(packed.to_vec()),
            8 => {
                let mut content = Vec::new();
                DeflateDecoder::new(packed).take(MOST_BYTES).read_to_end(&mut content).ok()?;
                Some(content)
            }
            _ => None,
        }
    }

    /// The class that the manifest says to start with.
    pub fn main_class(&self) -> Option<String> {
        let manifest = self.read("META-INF/MANIFEST.MF")?;
        let text = String::from_utf8_lossy(&manifest).replace("\r\n", "\n").replace("\n ", "");
        let line = text.lines().find_map(|line| line.strip_prefix("Main-Class:"))?;
        Some(line.trim().to_owned())
    }

    /// The names of all entries, sorted.
    pub fn names(&self) -> Vec<&str> {
        #[allow(clippy::iter_over_hash_type, reason = "the names are sorted")]
        let mut names: Vec<&str> = self.entries.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }
}

/// The table of contents lies at the end, before a comment of at most 64 KiB.
fn entries(bytes: &[u8]) -> Option<FxHashMap<String, Entry>> {
    let last = bytes.len().checked_sub(22)?;
    let first = last.saturating_sub(1 << 16);
    let end = (first..=last).rev().find(|at| word(bytes, *at) == Some(0x0605_4b50))?;
    let count = half(bytes, end + 10)?;
    let mut at = word(bytes, end + 16)? as usize;
    let mut entries = FxHashMap::default();
    for _ in 0..count {
        if word(bytes, at)? != 0x0201_4b50 {
            return None;
        }
        let lengths = [half(bytes, at + 28)?, half(bytes, at + 30)?, half(bytes, at + 32)?].map(usize::from);
        let name = bytes.get(at + 46..at + 46 + lengths[0])?;
        let entry = Entry {
            method: half(bytes, at + 10)?,
            packed: word(bytes, at + 20)? as usize,
            header: word(bytes, at + 42)? as usize,
        };
        entries.insert(String::from_utf8_lossy(name).into_owned(), entry);
        at += 46 + lengths.iter().sum::<usize>();
    }
    Some(entries)
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}
