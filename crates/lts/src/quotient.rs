//! The graph whose states are classes, and the part of a graph that matters.

use std::borrow::Cow;

use graph::{Edge, Interrupt, StateGraph};

use crate::pulse::Pulse;

/// In maps from states to states: there is none.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// States divided into classes.
pub(crate) struct Classes {
    /// Per state.
    pub(crate) of: Vec<u32>,
    /// Per class, a member that has all the edges of the class.
    pub(crate) representative: Vec<u32>,
}

impl Classes {
    /// Classes whose members are all alike: the first one represents each.
    pub(crate) fn of_alike(of: Vec<u32>, count: usize) -> Self {
        let mut representative = vec![NOWHERE; count];
        for (state, class) in of.iter().enumerate().rev() {
            representative[*class as usize] = state as u32;
        }
        Self { of, representative }
    }
}

/// The graph of the classes reachable from the initial ones, numbered breadth-first, and the number of
/// every class in it.
pub(crate) fn quotient(
    graph: &StateGraph,
    classes: &Classes,
    pulse: &mut Pulse<'_>,
) -> Result<(StateGraph, Vec<u32>), Interrupt> {
    let mut number_of = vec![NOWHERE; classes.representative.len()];
    let mut order = Vec::with_capacity(classes.representative.len());
    let mut visit = |state: u32, order: &mut Vec<u32>| {
        let class = classes.of[state as usize];
        let number = &mut number_of[class as usize];
        if *number == NOWHERE {
            *number = order.len() as u32;
            order.push(class);
        }
        *number
    };
    let initial = graph.initial().iter().map(|state| visit(*state, &mut order)).collect();
    let mut next = 0;
    while let Some(class) = order.get(next).copied() {
        let edges = graph.edges(classes.representative[class as usize]);
        for edge in edges {
            visit(edge.state, &mut order);
        }
        pulse.work(edges.len() + 1, order.len())?;
        next += 1;
    }
    let number = |state: u32| number_of[classes.of[state as usize] as usize];
    let quotient = graph.image(
        order.len(),
        initial,
        |state| {
            let represents = classes.representative[classes.of[state as usize] as usize] == state;
            Some(number(state)).filter(|number| represents && *number != NOWHERE)
        },
        |_, edge| Some(Edge { state: number(edge.state), ..edge }),
    );
    Ok((quotient, number_of))
}

/// The part of a graph that can be reached from its initial states, and the number of every state in
/// it; the graph itself, and no numbers, if that is all of it.
pub(crate) fn reachable<'a>(
    graph: &'a StateGraph,
    pulse: &mut Pulse<'_>,
) -> Result<(Cow<'a, StateGraph>, Option<Vec<u32>>), Interrupt> {
    let mut number_of = vec![NOWHERE; graph.state_count()];
    let mut waiting = graph.initial().to_vec();
    for state in &waiting {
        number_of[*state as usize] = 0;
    }
    let mut found = waiting.len();
    while let Some(state) = waiting.pop() {
        for edge in graph.edges(state) {
            let number = &mut number_of[edge.state as usize];
            if *number == NOWHERE {
                *number = 0;
                found += 1;
                waiting.push(edge.state);
            }
        }
        pulse.work(graph.edges(state).len() + 1, found)?;
    }
    if found == graph.state_count() {
        return Ok((Cow::Borrowed(graph), None));
    }
    let numbered = number_of.iter_mut().filter(|number| **number != NOWHERE);
    for (next, number) in numbered.enumerate() {
        *number = next as u32;
    }
    let number = |state: u32| number_of[state as usize];
    let initial = graph.initial().iter().map(|state| number(*state)).collect();
    let part = graph.image(
        found,
        initial,
        |state| Some(number(state)).filter(|number| *number != NOWHERE),
        |_, edge| Some(Edge { state: number(edge.state), ..edge }),
    );
    Ok((Cow::Owned(part), Some(number_of)))
}
