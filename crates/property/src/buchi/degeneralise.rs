//! One acceptance condition, on states, instead of several on edges.
//!
//! The states are copied once per level. On level n a run waits for promise n to be kept, moves up when
//! it is, several levels at once if it can, and starts again from the bottom after the top, whose copies
//! accept. Each component has levels only for the promises that are pending inside it (Babiak et al. 2013):
//! none where no accepted run stays, one accepting copy where all promises are kept all the time.

use std::collections::HashMap;

use super::generalised::{Arrow, Generalised, change_guards};
use super::guard;
use super::{Limits, TranslationError};

/// What is pending on all edges of states that do not accept.
pub(super) const WAITING: u128 = 1;

/// How levels are used; which way is better depends on the formula.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// Components are entered at the top instead of the bottom.
    pub(super) enter_at_top: bool,
    /// Promises are waited for in descending order.
    pub(super) descending: bool,
}

impl Way {
    pub(super) const ALL: [Self; 4] = [
        Self { enter_at_top: true, descending: false },
        Self { enter_at_top: false, descending: false },
        Self { enter_at_top: true, descending: true },
        Self { enter_at_top: false, descending: true },
    ];
}

pub(super) fn degeneralise(
    automaton: &Generalised,
    way: Way,
    limits: Limits,
) -> Result<Generalised, TranslationError> {
    let components = automaton.components();
    let never = automaton.never_kept(&components);
    let mut promises: Vec<Vec<u128>> = vec![Vec::new(); components.count];
    for (state, arrows) in automaton.states.iter().enumerate() {
        let component = components.of_state[state];
        for arrow in arrows.iter().filter(|arrow| components.of_state[arrow.to as usize] == component) {
            if never[component as usize] == 0 {
                let bits = (0..128).map(|bit| 1 << bit).filter(|bit| arrow.pending & bit != 0);
                promises[component as usize].extend(bits);
            }
        }
    }
    for promises in &mut promises {
        promises.sort_unstable();
        promises.dedup();
        if way.descending {
            promises.reverse();
        }
    }
    let entrance = |component: u32| if way.enter_at_top { promises[component as usize].len() } else { 0 };

    let start = (automaton.initial, entrance(components.of_state[automaton.initial as usize]));
    let mut numbers = HashMap::from([(start, 0)]);
    let mut copies = vec![start];
    let mut states: Vec<Vec<Arrow>> = Vec::new();
    let mut edges = 0;
    while let Some(&(state, level)) = copies.get(states.len()) {
        let component = components.of_state[state as usize];
        let levels = &promises[component as usize];
        let top = level == levels.len();
        let accepting = top && never[component as usize] == 0;
        let mut arrows = Vec::new();
        for arrow in &automaton.states[state as usize] {
            let to_component = components.of_state[arrow.to as usize];
            let to_level = if to_component == component {
                let from = if top { 0 } else { level };
                from + levels[from..].iter().take_while(|promise| arrow.pending & **promise == 0).count()
            } else {
                entrance(to_component)
            };
            let copy = (arrow.to, to_level);
            let fresh = copies.len() as u32;
            let to = *numbers.entry(copy).or_insert_with(|| {
                copies.push(copy);
                fresh
            });
            arrows.push(Arrow { to, guard: arrow.guard, pending: if accepting { 0 } else { WAITING } });
        }
        // Without their promises, many edges ask for more than others.
        change_guards(&mut arrows, guard::absorb);
        edges += arrows.len();
        states.push(arrows);
        if copies.len() > limits.states || edges > limits.edges {
            return Err(TranslationError::TooLarge);
        }
    }
    Ok(Generalised { initial: 0, states })
}
