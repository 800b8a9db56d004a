//! Whether a violation needs that somebody is passed over: every accepted trace goes round for ever without a step of one of
//! some processes.
//!
//! Going round all of a component takes all its edges. So if no component that can be accepted has steps of all these
//! processes, every accepted trace that goes on for ever leaves one of them out from some point on.

use graph::{Components, Fairness, Interrupt, Processes, Transitions, Watch};

use crate::accepting::is_accepted;
use crate::product::Product;

/// Nothing if not all is known, or if accepted traces may end or are decided before they go round.
pub fn pass_over<T: Transitions>(
    product: &Product<'_, T>,
    processes: Processes,
    watch: &dyn Watch,
) -> Result<Option<bool>, Interrupt> {
    let system = product.system();
    let mut components = Components::new(product.bound(), "rechecking");
    let (mut all_known, mut needed) = (true, true);
    for node in product.initial() {
        let targets_of = |node: u32, targets: &mut Vec<u32>| {
            product.successors(node, |_, target| targets.push(target));
        };
        components.from(node, targets_of, watch, |components, members| {
            all_known &= !members.iter().any(|member| product.is_open(*member) || product.decides(*member));
            if !is_accepted(product, components, members, Fairness::None) {
                return;
            }
            let mut moving = Processes::NONE;
            for member in members {
                product.successors(*member, |label, target| {
                    if components.are_together(*member, target) {
                        moving.add_all(system.actors(label));
                    }
                });
            }
            needed &= !processes.without(moving).is_empty();
        })?;
    }
    Ok(all_known.then_some(needed))
}
