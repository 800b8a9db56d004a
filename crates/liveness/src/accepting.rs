//! Whether a trace can go round in a component for ever and be accepted.
//!
//! Going round all of a component visits every node and takes every edge, so no other trace in it does
//! better: it is accepted if any is, and treats every process as well as any does. A process is treated
//! fairly if it moves again and again, or again and again cannot. Inside a sequence that nothing
//! interrupts nobody else can move, but not because they could not: such states excuse nothing.

use graph::{Components, Fairness, Processes, Transitions};

use crate::processes::able;
use crate::product::Product;

/// Whether going round all of the component is accepted, and fair if that is asked for.
pub(crate) fn is_accepted<T: Transitions>(
    product: &Product<'_, T>,
    components: &Components,
    members: &[u32],
    fairness: Fairness,
) -> bool {
    if !members.iter().any(|member| product.is_accepting(*member)) {
        return false;
    }
    let system = product.system();
    let (mut moving, mut always_able) = (Processes::NONE, Processes::ALL);
    let (mut goes_round, mut interruptible) = (false, false);
    for member in members {
        product.successors(*member, |label, target| {
            if components.are_together(*member, target) {
                goes_round = true;
                moving.add_all(system.actors(label));
            }
        });
        let state = product.state(*member);
        if fairness == Fairness::Weak && !system.is_uninterrupted(state) {
            interruptible = true;
            always_able = always_able.and(able(system, state));
        }
    }
    goes_round && (!interruptible || always_able.without(moving).is_empty())
}
