//! What labels and places are called where correct transitions are looked for.

use std::collections::BTreeMap;

use graph::Outline;

use crate::as_findings;
use crate::naming::Naming;

/// The names that error traces are told with.
///
/// What has a graph of states is named by its [`Naming`], from which everything here follows. A search call by call and a
/// solver have no such graph: their places are entries of calls or steps of runs. So they name only what is asked here,
/// straight from the [`graph::Story`] of the program.
pub(crate) trait Names {
    fn event(&self, label: u32) -> findings::Event;

    /// Whether a step does nothing but decide where to go on.
    fn steers(&self, label: u32) -> bool;

    /// The values of all variables at a place.
    fn values(&self, place: u32) -> BTreeMap<String, String>;

    /// The state at a place, if it is bytes that are laid out somehow.
    fn bytes(&self, place: u32) -> Option<&[u8]>;

    /// Where the variables lie in such a state.
    fn outline(&self, state: &[u8]) -> Outline;
}

impl<T: Naming> Names for T {
    fn event(&self, label: u32) -> findings::Event {
        as_findings::event(self, label)
    }

    fn steers(&self, label: u32) -> bool {
        Naming::steers(self, label)
    }

    fn values(&self, place: u32) -> BTreeMap<String, String> {
        Naming::values(self, place)
    }

    fn bytes(&self, place: u32) -> Option<&[u8]> {
        Naming::bytes(self, place)
    }

    fn outline(&self, state: &[u8]) -> Outline {
        Naming::outline(self, state)
    }
}
