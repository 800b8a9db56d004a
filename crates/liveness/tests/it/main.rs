//! All tests of this crate from outside, in one program: linking one is much faster than linking many.

mod twins;
