//! The headers of the standard functions that are modelled: declarations of ours, embedded in the crate.
//!
//! They are looked for after the user's own folders and before the system's, as files of a folder that
//! does not exist. They say no more than programs need, so that reading a program takes no time and depends
//! on no machine.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use preprocess::{Files, Unread};

/// The folder they seem to lie in.
pub(crate) const FOLDER: &str = "<wherefore>";

macro_rules! headers {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../headers/", $name)))),*]
    };
}

/// By name, in alphabetical order.
const HEADERS: &[(&str, &str)] = headers! {
    "alloca.h" "assert.h" "ctype.h" "errno.h" "fcntl.h" "float.h" "inttypes.h" "iso646.h" "limits.h"
    "locale.h" "malloc.h" "math.h" "memory.h" "pthread.h" "sched.h" "semaphore.h" "setjmp.h" "signal.h"
    "stdalign.h" "stdarg.h" "stdatomic.h" "stdbool.h" "stddef.h" "stdint.h" "stdio.h" "stdlib.h"
    "stdnoreturn.h" "string.h" "strings.h" "sys/select.h" "sys/stat.h" "sys/time.h" "sys/types.h" "sys/wait.h" "threads.h"
    "time.h" "unistd.h" "wchar.h"
};

/// The caller's files, and ours.
pub(crate) struct WithHeaders<'a> {
    files: &'a dyn Files,
}

impl<'a> WithHeaders<'a> {
    pub(crate) fn new(files: &'a dyn Files) -> Self {
        Self { files }
    }
}

impl Files for WithHeaders<'_> {
    fn read(&self, path: &Path) -> Result<Arc<str>, Unread> {
        let Ok(name) = path.strip_prefix(FOLDER) else { return self.files.read(path) };
        // Ours include each other relative to the folder, also those in a folder of their own.
        let name = name.to_str().unwrap_or_default();
        match HEADERS.binary_search_by_key(&name, |(name, _)| name) {
            Ok(index) => Ok(Arc::from(HEADERS[index].1)),
            Err(_) => Err(Unread::Missing),
        }
    }
}

pub(crate) fn folder() -> PathBuf {
    PathBuf::from(FOLDER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        assert!(HEADERS.is_sorted_by_key(|(name, _)| name));
    }
}
