//! All tests of this crate from outside, in one program: linking one is much faster than linking many.

mod gcc;
mod messages;
mod places;
