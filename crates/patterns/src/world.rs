//! What the patterns ask of a system that was searched.

use graph::{Story, Transitions};

/// A graph whose states and labels a story can tell.
pub trait World: Transitions {
    fn story(&self) -> &dyn Story;

    /// The bytes of a state; nothing for what a wrong step leads to.
    fn bytes(&self, state: u32) -> Option<&[u8]>;

    fn event(&self, label: u32) -> Option<u64>;

    /// Labels are below this number.
    fn label_count(&self) -> u32;
}
