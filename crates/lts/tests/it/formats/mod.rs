//! The readers and writers against random graphs, damaged files and files of other tools.

// Clippy takes only functions marked as tests for tests.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod damaged;
mod random;
mod real_files;
mod round_trip;
