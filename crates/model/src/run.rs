//! Runs of a program on inputs that are given: how they end, and who can run it with functions exchanged.

use crate::Function;

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnding {
    /// Properly.
    Ended,
    /// Something is wrong.
    Wrong,
    /// An assumption does not hold.
    Blocked,
    /// The program asks for more inputs than there are.
    NoMoreInputs,
    /// It takes too long, or more than the machine has.
    Unknown,
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub ending: RunEnding,
    /// The statement at which it ended.
    pub last: u32,
    /// How often the statement that was asked for was passed, with nothing wrong.
    pub passed: u32,
    /// The assertions it came to, by bits, in the order of their statements; all from the 64th on share one.
    pub met: u64,
    pub steps: u32,
    /// The statements at which it took inputs, in order.
    pub sites: Vec<u32>,
}

/// A program of one thread that can be run, and whose functions can be exchanged for others.
pub trait Runner {
    /// Exchanges a function for one with the same frame; whether it can be run.
    fn exchange(&mut self, number: u32, function: &Function) -> bool;
    /// The run with these inputs, of so many steps at most; it counts how often a statement is passed.
    fn run(&self, inputs: &[i64], statement: u32, most: u32) -> Run;
}
