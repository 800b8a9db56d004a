//! What front-ends answer.

use std::path::PathBuf;

use anyhow::Result;
use pipeline::Concluded;

use crate::trail::Trail;

/// The answer to a question.
#[derive(Debug)]
pub struct Answer {
    pub explanation: Concluded,
    /// The counterexample in the form that was asked for, if there is a counterexample.
    pub emitted: Option<String>,
    /// The texts that were read, as reports name them.
    pub sources: Vec<PathBuf>,
}

/// A trail with the name of its file, or why it could not be read.
pub type NamedTrail = (PathBuf, Result<Trail>);

/// What was replayed, about what, and what came out.
#[derive(Debug)]
pub struct Replays {
    pub input: findings::Input,
    pub property: findings::Property,
    pub replays: Vec<findings::Replay>,
}
