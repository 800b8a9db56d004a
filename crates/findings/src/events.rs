//! Events with the names they have in the input: who does what, where.

use serde::Serialize;
use source::Location;

/// What one process does.
#[derive(Clone, Debug, Serialize)]
pub struct Deed {
    pub process: String,
    pub pid: Option<u64>,
    pub action: String,
    pub location: Option<Location>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Need {
    pub action: String,
    pub location: Option<Location>,
    pub reason: String,
}

#[derive(Clone, Debug)]
pub struct Blocked {
    pub process: Option<String>,
    pub pid: Option<u64>,
    pub location: Option<Location>,
    /// Whether the process may end where it stands.
    pub may_end: bool,
    /// The statements it stands before, each with what it needs.
    pub needs: Vec<Need>,
}

/// A state as the input calls it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum StateId {
    Number(i64),
    Text(String),
}

/// An event: who does what, without data.
#[derive(Clone, Debug, Serialize)]
pub struct Event {
    pub process: Option<String>,
    pub pid: Option<u64>,
    pub action: String,
    pub location: Option<Location>,
    /// The receiving side of a rendezvous.
    pub partner: Option<Deed>,
    /// A name of the event that no other event of the system has.
    pub event: String,
}
