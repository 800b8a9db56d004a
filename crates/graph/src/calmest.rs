//! The calmest counterexample: of all traces of a kind, the one that passes the fewest marked states
//! and, among those, has the fewest steps next to one.
//!
//! Marked states are those with something to decide (neighbourhoods), so a calm trace shows a reader
//! the fewest places to look at. Both counts add up along a trace, so the best continuation of every
//! state is found from the end backwards, as in any layered shortest-path problem, exactly.
//! Ties go to the smaller label number, then the smaller state, so the answer is always the same.

use crate::{Edge, Exploration, OUTSIDE, Trace, Transitions};

/// Marked states in the upper half, steps next to one in the lower: compared as one number.
pub(crate) type Cost = u64;

const NO_TRACE: Cost = Cost::MAX;

pub(crate) fn of_state(marked: bool) -> Cost {
    Cost::from(marked) << 32
}

pub(crate) fn of_step(either_end_marked: bool) -> Cost {
    Cost::from(either_end_marked)
}

/// The calmest of all shortest traces to a violating state; none if there is no violating state.
pub fn calmest_shortest<T: Transitions>(
    system: &T,
    explored: &Exploration,
    marked: impl Fn(u32) -> bool,
) -> Option<Trace> {
    let length = explored.shortest()?;
    let level = explored.levels_up_to(length);
    let level = |state: u32| level[state as usize];
    let mut cost = vec![NO_TRACE; system.bound()];
    let mut layer: Vec<u32> =
        explored.violating().iter().copied().take_while(|state| level(*state) == length).collect();
    for state in &layer {
        cost[*state as usize] = of_state(marked(*state));
    }
    let mut before = Vec::new();
    for before_it in (0..length).rev() {
        for state in layer.drain(..) {
            let (onward, here) = (cost[state as usize], marked(state));
            system.predecessors(state, |_, source| {
                if level(source) != before_it {
                    return;
                }
                if cost[source as usize] == NO_TRACE {
                    before.push(source);
                }
                let marked_source = marked(source);
                let through = onward + of_state(marked_source) + of_step(here || marked_source);
                cost[source as usize] = cost[source as usize].min(through);
            });
        }
        std::mem::swap(&mut layer, &mut before);
    }
    let start = *layer.iter().min_by_key(|state| (cost[**state as usize], **state))?;
    let mut trace = Trace::new(start);
    while trace.steps.len() < length as usize {
        let at = trace.last();
        let here = marked(at);
        let onward = cost[at as usize] - of_state(here);
        let mut next = None;
        system.successors(at, |label, state| {
            let follows = state != OUTSIDE
                && cost[state as usize] != NO_TRACE
                && level(state) == level(at) + 1
                && cost[state as usize] + of_step(here || marked(state)) == onward;
            let edge = Edge { label, state };
            if follows && next.is_none_or(|best| edge < best) {
                next = Some(edge);
            }
        });
        // The cost of `at` came from one of its successors.
        trace.steps.push(next?);
    }
    Some(trace)
}
