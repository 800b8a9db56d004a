//! Where logs come from. This crate opens no files: it is given names and ways to open them.

use std::fmt;
use std::io::{self, Read};

/// Which set of traces something belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Passing,
    Failing,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Passing => "passing",
            Self::Failing => "failing",
        })
    }
}

type Open = dyn Fn() -> io::Result<Box<dyn Read + Send>> + Send + Sync;

/// One log. It may be opened several times.
pub struct Source {
    pub name: String,
    /// How large it is where it is stored, for the progress line; 0 where nobody knows.
    pub bytes: u64,
    open: Box<Open>,
}

impl Source {
    pub fn new(
        name: String,
        bytes: u64,
        open: impl Fn() -> io::Result<Box<dyn Read + Send>> + Send + Sync + 'static,
    ) -> Self {
        Self { name, bytes, open: Box::new(open) }
    }

    /// A log in memory.
    pub fn of_bytes(name: &str, bytes: Vec<u8>) -> Self {
        let size = bytes.len() as u64;
        let bytes: std::sync::Arc<[u8]> = bytes.into();
        Self::new(name.to_owned(), size, move || Ok(Box::new(io::Cursor::new(bytes.clone()))))
    }

    pub(crate) fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        (self.open)()
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("name", &self.name).field("bytes", &self.bytes).finish_non_exhaustive()
    }
}
