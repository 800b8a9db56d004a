//! All tests of this crate from outside, in one program: linking one is much faster than linking many.

mod account;
mod checking;
mod conformance;
mod exploring;
mod faults;
mod limits;
mod packaged;
mod random_models;
mod reduction;
mod robustness;
mod support;
mod telling;
mod texts;
mod trails;
mod unreached;
mod verdicts;
