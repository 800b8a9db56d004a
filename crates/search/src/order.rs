//! In which order states are looked at, and how far they lie.

use graph::StateGraph;

/// In which order states are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    #[default]
    BreadthFirst,
    DepthFirst,
}

/// The states that are still to be looked at.
pub(crate) enum Waiting {
    /// All from `next` on. The states of the current level end before `level_end`.
    Queue { next: u32, level_end: u32, starts: Vec<u32> },
    /// Those on the stack. The last ones, from `fresh` on, were found by the state that is looked at.
    Stack { stack: Vec<u32>, fresh: usize },
}

impl Waiting {
    pub(crate) fn new(order: Order) -> Self {
        match order {
            Order::BreadthFirst => Self::Queue { next: 0, level_end: 0, starts: Vec::new() },
            Order::DepthFirst => Self::Stack { stack: Vec::new(), fresh: 0 },
        }
    }

    pub(crate) fn push(&mut self, state: u32) {
        if let Self::Stack { stack, .. } = self {
            stack.push(state);
        }
    }

    /// The state to look at next, if `states` states are known.
    pub(crate) fn first(&self, states: usize) -> Option<u32> {
        match self {
            Self::Queue { next, .. } => ((*next as usize) < states).then_some(*next),
            Self::Stack { stack, .. } => stack.last().copied(),
        }
    }

    /// Takes out the first one, when `states` states are known.
    pub(crate) fn take(&mut self, states: usize) {
        match self {
            Self::Queue { next, level_end, starts } => {
                if next == level_end {
                    starts.push(*next);
                    *level_end = states as u32;
                }
                *next += 1;
            }
            Self::Stack { stack, fresh } => {
                stack.pop();
                *fresh = stack.len();
            }
        }
    }

    /// How many levels lie before that of the state to look at next; in a search that is not breadth-first, none.
    pub(crate) fn levels_before(&self) -> usize {
        match self {
            Self::Queue { next, level_end, starts } => starts.len() - usize::from(next != level_end),
            Self::Stack { .. } => 0,
        }
    }

    /// All steps of the state that was taken are known: the first is to be looked at first.
    pub(crate) fn end_of_steps(&mut self) {
        if let Self::Stack { stack, fresh } = self {
            stack[*fresh..].reverse();
        }
    }

    /// `is_whole` says that the search began with the initial states and no others.
    pub(crate) fn finish(self, graph: &StateGraph, is_whole: bool) -> (Levels, Vec<u32>) {
        let states = graph.state_count() as u32;
        match self {
            Self::Queue { next, .. } if !is_whole => (Levels::Each(levels(graph)), (next..states).collect()),
            Self::Queue { next, level_end, mut starts } => {
                if level_end < states {
                    starts.push(level_end);
                }
                (Levels::Starts(starts), (next..states).collect())
            }
            Self::Stack { stack, .. } => {
                let mut open = stack;
                open.sort_unstable();
                (Levels::Each(levels(graph)), open)
            }
        }
    }
}

/// The length of a shortest trace to each state.
fn levels(graph: &StateGraph) -> Vec<u32> {
    let mut levels = vec![u32::MAX; graph.state_count()];
    let mut order = graph.initial().to_vec();
    order.iter().for_each(|state| levels[*state as usize] = 0);
    let mut next = 0;
    while let Some(state) = order.get(next).copied() {
        let behind = levels[state as usize] + 1;
        for edge in graph.edges(state) {
            let level = &mut levels[edge.state as usize];
            if *level == u32::MAX {
                order.push(edge.state);
                *level = behind;
            }
        }
        next += 1;
    }
    levels
}

/// How far states lie.
#[derive(Debug)]
pub(crate) enum Levels {
    /// States are numbered level by level; the first state of each.
    Starts(Vec<u32>),
    /// The level of each state.
    Each(Vec<u32>),
}

impl Levels {
    /// Those of a graph.
    pub(crate) fn of_graph(graph: &StateGraph) -> Self {
        Self::Each(levels(graph))
    }

    /// How many steps a shortest trace to the state has.
    pub(crate) fn of(&self, state: u32) -> u32 {
        match self {
            Self::Starts(starts) => starts.partition_point(|first| *first <= state) as u32 - 1,
            Self::Each(levels) => levels[state as usize],
        }
    }

    /// The level of the farthest state.
    pub(crate) fn last(&self) -> u32 {
        match self {
            Self::Starts(starts) => starts.len() as u32 - 1,
            // What no trace leads to has no level.
            Self::Each(levels) => {
                levels.iter().copied().filter(|level| *level != u32::MAX).max().unwrap_or_default()
            }
        }
    }
}
