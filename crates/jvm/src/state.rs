//! States as bytes: exact and canonical.
//!
//! Objects are numbered in the order in which threads, statics and then objects lead to them, so that states that differ
//! only in where objects lie are equal bytes, and what nobody reaches is left out. Of the base image, a state has only
//! what the program changed.

mod decode;
mod encode;
mod numbers;

pub(crate) use self::decode::decode;
pub(crate) use self::encode::Encoder;

/// What the first byte of a state says.
const RUNNING: u8 = 0;
const EXITED: u8 = 1;
const STUCK: u8 = 2;

/// What the flags of a thread say.
const ENDED: u8 = 1;
const DAEMON: u8 = 2;
const INTERRUPTED: u8 = 4;
const PERMIT: u8 = 8;
const LATE: u8 = 16;
const WAITING: u8 = 32;
const TIMED: u8 = 64;
const NOTIFIED: u8 = 128;

/// What the first byte of a value says; all others are small integers.
const NOTHING: u8 = 0;
const INT: u8 = 1;
const LONG: u8 = 2;
const FLOAT: u8 = 3;
const DOUBLE: u8 = 4;
const REF: u8 = 5;
const NULL: u8 = 6;
const SMALL: i32 = 24;
const FIRST_SMALL: u8 = 16;

/// Whether nothing comes after a state because something is needed that is not there.
pub(crate) fn is_stuck(state: &[u8]) -> bool {
    state.first() == Some(&STUCK)
}

/// Whether the program ended itself.
pub(crate) fn is_exited(state: &[u8]) -> bool {
    state.first() == Some(&EXITED)
}
