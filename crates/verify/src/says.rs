//! Claims as reports carry them in `says`.
//!
//! A claim is kept as the JSON that it is; whoever tests a kind reads the members that the kind has. So a claim of a kind
//! that nobody here knows is still a claim, and is told as not tested.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

#[derive(Clone, Debug, Deserialize)]
pub struct Says {
    pub kind: String,
    #[serde(flatten)]
    rest: serde_json::Map<String, Value>,
}

impl Says {
    /// Whether it is a pattern of which the whole system was asked.
    pub(crate) fn has_coverage(&self) -> bool {
        self.kind == "pattern" && self.rest.get("coverage").is_some_and(|coverage| !coverage.is_null())
    }

    /// The members of the claim, if they are what its kind has.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_value(Value::Object(self.rest.clone()))
    }
}

/// The step that decided.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Decision {
    pub(crate) step: u64,
    pub(crate) event: String,
    pub(crate) escapes: Vec<String>,
    pub(crate) still_free: Vec<String>,
    pub(crate) is_endless: bool,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Crossing {
    pub(crate) event: String,
    pub(crate) events: Vec<String>,
    pub(crate) crosses: u64,
    pub(crate) all: u64,
    pub(crate) harmless: u64,
    pub(crate) when: Option<CrossesWhen>,
    pub(crate) is_violation: bool,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct CrossesWhen {
    pub(crate) condition: Condition,
    pub(crate) is_exact: bool,
    pub(crate) covered: u64,
    pub(crate) fatal: u64,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Condition {
    pub(crate) any_of: Vec<Vec<Fact>>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Fact {
    pub(crate) subject: Subject,
    pub(crate) predicate: Predicate,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Subject {
    Variable(String),
    Own(String),
    Others { kind: String, line: u64 },
    Stands(String),
    OfAnother(String),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Predicate {
    Is(String),
    IsNot(String),
    AtLeast(i64),
    AtMost(i64),
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Anomaly {
    pub(crate) events: Vec<String>,
    pub(crate) steps: Vec<u64>,
    pub(crate) between: Between,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Between {
    Nothing,
    OtherProcesses { than: u64 },
    Uncounted,
}
