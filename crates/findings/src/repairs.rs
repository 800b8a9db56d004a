//! Changes of the text that were tried.

use serde::Serialize;
use source::{Diff, Location};

use crate::{TextChange, ViolationKind, What};

/// A change of the text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Repair {
    /// As a unified diff.
    pub patch: Diff,
    /// The first line it changes, as it was.
    pub location: Location,
    pub verified: bool,
    pub bound: Option<u64>,
    /// What else was wrong and still is.
    pub leaves: Option<Wrongdoing>,
}

/// A change of the text as reports show it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShownRepair {
    pub patch: Diff,
    pub verified: bool,
    pub bound: Option<u64>,
    /// What else was wrong and still is, in words that stand behind "but".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaves: Option<String>,
}

/// A violation as repairs compare them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Wrongdoing {
    pub kind: ViolationKind,
    pub what: What,
    /// The file and the line.
    pub place: Option<(String, u64)>,
    /// Whether the statement there is right if it is executed and nothing goes wrong; calling the error function
    /// never is, and `assert(false)` neither.
    pub is_check: bool,
    /// Whether a test expects another output.
    pub is_output: bool,
}

/// A repair, and what it does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FoundRepair {
    pub repair: Repair,
    /// What was changed.
    pub change: TextChange,
    /// What is gone with it.
    pub target: Wrongdoing,
    /// How likely it is that this was meant, compared with the first one, as far as such changes and the suspicion of
    /// their lines go.
    pub likelihood: f64,
    /// Whether it adds a statement, and changes none.
    pub adds: bool,
    /// Whether the text itself shows it: something that is done everywhere else, or that is read and never set.
    pub is_shown: bool,
    /// Whether it only keeps others out, so that nothing is done that was not done before.
    pub protects: bool,
    /// Whether something is not given back or waited for any more.
    pub withholds: bool,
    /// The part of what passing traces do that is as it was; nothing where no passing traces are known.
    pub kept: Option<f64>,
}

/// How much of what passing traces do has to stay as it was.
const MOST_OF_IT: f64 = 0.75;

/// Why a repair with which nothing is wrong convinces nobody yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doubt {
    /// No trace passes that could tell it from others.
    NothingPasses,
    /// Passing traces lose much of what they do.
    LosesPassing,
    /// Something is not given back or waited for any more.
    Withholds,
}

impl FoundRepair {
    /// What speaks against it, where nothing besides the violation that is gone speaks for it: neither the text itself, nor
    /// passing traces that do what they did. Where nothing passes, many changes help, and most of them are wrong.
    pub fn doubt(&self) -> Option<Doubt> {
        match self.kept {
            _ if self.withholds => Some(Doubt::Withholds),
            _ if self.is_shown || self.keeps_most() => None,
            Some(_) if self.protects => None,
            Some(_) => Some(Doubt::LosesPassing),
            None => Some(Doubt::NothingPasses),
        }
    }

    /// Whether most of what passing traces do is as it was.
    pub fn keeps_most(&self) -> bool {
        self.kept.is_some_and(|kept| kept >= MOST_OF_IT)
    }
}

/// How far the search for repairs came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepairSearch {
    /// How many changes were tried.
    pub tried: u64,
    /// Whether as many were tried as make sense.
    pub is_thorough: bool,
    /// Whether others were left untried, or undecided.
    pub cut_short: bool,
    /// The properties that every change was tried on.
    pub properties: Vec<String>,
}
