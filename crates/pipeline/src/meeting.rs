//! What is known of the traces that meet a property of endless traces.

use std::collections::BTreeSet;

/// What the traces do that meet a property: their events, and the states in which they end.
#[derive(Clone, Debug, Default)]
pub struct MeetingTraces {
    pub events: BTreeSet<u64>,
    pub ends: BTreeSet<u32>,
}
