//! Changes of the text that were tried.

use serde::Serialize;

#[derive(Clone, Debug, Serialize)]
pub struct Repair {
    pub patch: String,
    pub verified: bool,
    pub bound: Option<u64>,
    /// What else was wrong and still is, in words that stand behind "but".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaves: Option<String>,
}
