//! Small changes of a text, and what they put where.

use model::mistakes::Mistake;
use serde::Serialize;

/// A change of a text: what stands where afterwards. Statements and expressions are as they are written, in one line each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum TextChange {
    /// One thing in place of another.
    Instead { new: String, old: String },
    /// Something is gone.
    Without { part: String },
    /// An operand has no sign any more.
    WithoutSign { operand: String },
    /// One thing stands before another now.
    Before { first: String, second: String },
    /// A new statement stands behind another one.
    After { statement: String, other: String },
    /// Two statements that are not neighbours changed places.
    Exchanged { first: String, second: String },
    /// A statement was put to another place: before or behind another one.
    Moved { statement: String, is_before: bool, other: String },
    /// A statement, or those up to a last one, run only under a condition or a lock.
    Under { first: String, last: Option<String>, what: String },
    /// A statement waits for a condition.
    WaitingFor { statement: String, condition: String },
    /// The statements from one to another are made atomic.
    MadeAtomic { first: String, last: String },
    /// There is a statement more; which one is not said where it stands around others.
    Added { statement: Option<String> },
    /// A channel has room for another number of messages.
    Room { new: String, old: String },
}

impl TextChange {
    /// The parts of the text that it is about, what is new first.
    pub fn parts(&self) -> Vec<&str> {
        match self {
            Self::Instead { new, old } | Self::Room { new, old } => vec![new, old],
            Self::Without { part } | Self::WithoutSign { operand: part } => vec![part],
            Self::Before { first, second } | Self::Exchanged { first, second } => vec![first, second],
            Self::After { statement, other } | Self::Moved { statement, other, .. } => vec![statement, other],
            Self::Under { first, last, what } => {
                std::iter::once(first).chain(last).chain([what]).map(String::as_str).collect()
            }
            Self::WaitingFor { statement, condition } => vec![statement, condition],
            Self::MadeAtomic { first, last } => vec![first, last],
            Self::Added { statement } => statement.iter().map(String::as_str).collect(),
        }
    }
}

/// A small mistake, or one in each of two statements, with which a program was tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SmallChange {
    pub mistake: Mistake,
    /// The one of the first statement, where there are two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub also: Option<Mistake>,
    /// What stands there instead, where it can be written in the names of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead: Option<TextChange>,
}

impl SmallChange {
    /// The mistake of each statement.
    pub fn mistakes(&self) -> impl Iterator<Item = Mistake> {
        self.also.into_iter().chain([self.mistake])
    }
}
