//! Who can move in a state.

use graph::{Processes, Transitions};

/// Those who can move in a state, as SPIN sees it: in a rendezvous the one who sends, for a receiver
/// alone has nothing to execute.
pub(crate) fn able<T: Transitions>(system: &T, state: u32) -> Processes {
    let mut able = Processes::NONE;
    system.successors(state, |label, _| {
        if let Some(first) = system.actors(label).iter().next() {
            able.add(first);
        }
    });
    able
}
