//! Recorded traces: what failing runs of a system did and passing runs never did.
//!
//! For systems without a model there are still their logs. Leue and Befrouei, *Counterexample
//! Explanation by Anomaly Detection* (SPIN 2012), compare the substrings of events of failing and of
//! passing traces; what they do on the traces of a model checker is done here on files of events.
//!
//! A log goes one way: [`compression`] and [`blocks`] cut it into blocks of whole lines, [`layout`] and
//! [`record`] find the trace, the process and the event of a line, [`mask`] makes `conn 4711` and
//! `conn 4712` one event, [`windows`] turns events into substrings, [`count`] counts in how many traces
//! each occurs. Blocks are read by several threads and counted in their order ([`pipeline`]), so the
//! answer is the same for every number of threads. No log is ever held in memory.
//!
//! [`contrast`] is the whole of it.

pub(crate) mod blocks;
pub(crate) mod compression;
mod contrast;
pub(crate) mod count;
pub(crate) mod csv;
mod error;
mod events;
pub(crate) mod json;
pub(crate) mod layout;
mod mask;
mod options;
mod parser;
pub mod patterns;
pub(crate) mod pipeline;
pub(crate) mod record;
mod retelling;
mod sample;
mod seen;
mod source;
mod timestamp;
pub(crate) mod windows;

pub use contrast::{Anomaly, Contrast, Group, SetSummary, contrast};
pub use error::Error;
pub use events::Event;
pub use mask::Masker;
pub use options::{Fields, Kind, Options, Order};
pub use pipeline::{Broken, Quality};
pub use retelling::Counterexample;
pub use source::{Side, Source};
