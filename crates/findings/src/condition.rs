//! Conditions on what a process sees when it executes a statement.

use serde::Serialize;

/// True if one of the rules is: each is several facts that are all true.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Condition {
    pub any_of: Vec<Vec<Fact>>,
}

/// Something simple about one subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fact {
    pub subject: Subject,
    pub predicate: Predicate,
}

/// Something that has a value when a statement is executed. What comes first is easier to understand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    Variable(String),
    /// A variable of the process itself, where several processes execute the statement.
    Own(String),
    /// How many processes of a kind stand in a line, the process itself not counted, of how many.
    Others {
        kind: String,
        line: u64,
        of: usize,
        is_own_kind: bool,
    },
    /// Where a process stands.
    Stands(String),
    /// A variable of one process of a kind of which there are several, whoever moves.
    OfAnother(String),
}

/// What is said of a subject.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Predicate {
    Is(String),
    IsNot(String),
    AtLeast(i64),
    AtMost(i64),
}

impl Predicate {
    /// Whether it is true of a value.
    pub fn holds(&self, value: &str) -> bool {
        let number = || value.parse::<i64>().ok();
        match self {
            Self::Is(other) => value == other,
            Self::IsNot(other) => value != other,
            Self::AtLeast(bound) => number().is_some_and(|number| number >= *bound),
            Self::AtMost(bound) => number().is_some_and(|number| number <= *bound),
        }
    }
}
