//! Strongly connected components (Tarjan 1972), without recursion.

/// Which component each state is in.
#[derive(Debug)]
pub(super) struct Components {
    pub(super) of_state: Vec<u32>,
    /// Components are numbered such that edges between them lead to lower numbers.
    pub(super) count: usize,
}

const UNSEEN: u32 = u32::MAX;

impl Components {
    pub(super) fn of<I: Iterator<Item = usize>>(states: usize, successors: impl Fn(usize) -> I) -> Self {
        let mut of_state = vec![UNSEEN; states];
        let mut count = 0;
        let mut found = vec![UNSEEN; states];
        let mut lowest = vec![UNSEEN; states];
        let mut clock = 0;
        let mut open = Vec::new();
        let mut path: Vec<(usize, I)> = Vec::new();
        for root in 0..states {
            if found[root] != UNSEEN {
                continue;
            }
            let mut entering = Some(root);
            loop {
                if let Some(state) = entering.take() {
                    (found[state], lowest[state]) = (clock, clock);
                    clock += 1;
                    open.push(state);
                    path.push((state, successors(state)));
                }
                let Some((state, rest)) = path.last_mut() else { break };
                let state = *state;
                if let Some(next) = rest.next() {
                    if found[next] == UNSEEN {
                        entering = Some(next);
                    } else if of_state[next] == UNSEEN {
                        lowest[state] = lowest[state].min(found[next]);
                    }
                    continue;
                }
                path.pop();
                if let Some((before, _)) = path.last() {
                    lowest[*before] = lowest[*before].min(lowest[state]);
                }
                if lowest[state] == found[state] {
                    while let Some(member) = open.pop() {
                        of_state[member] = count;
                        if member == state {
                            break;
                        }
                    }
                    count += 1;
                }
            }
        }
        Self { of_state, count: count as usize }
    }

    /// Which components have edges inside, and so cycles.
    pub(super) fn with_cycles<I: Iterator<Item = usize>>(
        &self,
        successors: impl Fn(usize) -> I,
    ) -> Vec<bool> {
        let mut cycles = vec![false; self.count];
        for (state, component) in self.of_state.iter().enumerate() {
            cycles[*component as usize] |= successors(state).any(|to| self.of_state[to] == *component);
        }
        cycles
    }

    /// The states, component by component, targets of edges first.
    pub(super) fn by_component(&self) -> Vec<usize> {
        let mut states: Vec<usize> = (0..self.of_state.len()).collect();
        states.sort_by_key(|state| self.of_state[*state]);
        states
    }
}
