//! Why a formula is no automaton.

use graph::TooManyAutomatonStates;
use thiserror::Error;

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CompileError {
    #[error(transparent)]
    TooManyStates(#[from] TooManyAutomatonStates),
    #[error("the formula is too large: it has more than {tests} different tests for {labels} labels")]
    TooManyTests { tests: usize, labels: usize },
    #[error("the formula is too large for {classes} kinds of labels")]
    TooManyMoves { classes: u32 },
}
