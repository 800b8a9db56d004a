//! Strongly connected components, by Tarjan's algorithm (1972) without recursion.
//!
//! Whoever asks says what the targets of a state are, so the same search serves a graph, a part of it, and
//! a product. A component is shown when all that can be reached from it is known, so whoever is shown one may
//! already know everything about what lies behind it.

use crate::{Interrupt, PULSE, Progress, Watch};

const UNSEEN: u32 = 0;
const DONE: u32 = u32::MAX;

#[derive(Debug)]
pub struct Components {
    /// In which order states were found; [`DONE`] once their component is known.
    number: Vec<u32>,
    /// The least number that can be reached; once done, the number of the component.
    low: Vec<u32>,
    found: u32,
    components: u32,
    /// States whose component is not known yet.
    pending: Vec<u32>,
    /// The states on the way, each with where its targets start in `targets`.
    way: Vec<(u32, usize)>,
    targets: Vec<u32>,
    edges: u64,
    next_pulse: u64,
    /// What to call this work.
    phase: &'static str,
}

impl Components {
    /// All states are below `bound`.
    pub fn new(bound: usize, phase: &'static str) -> Self {
        Self {
            number: vec![UNSEEN; bound],
            low: vec![0; bound],
            found: 0,
            components: 0,
            pending: Vec::new(),
            way: Vec::new(),
            targets: Vec::new(),
            edges: 0,
            next_pulse: PULSE,
            phase,
        }
    }

    /// Whether both states are known to lie in one component.
    #[inline]
    pub fn are_together(&self, one: u32, other: u32) -> bool {
        let (one, other) = (one as usize, other as usize);
        self.number[one] == DONE && self.number[other] == DONE && self.low[one] == self.low[other]
    }

    /// Whether the state's component is known.
    #[inline]
    pub fn was_reached(&self, state: u32) -> bool {
        self.number[state as usize] == DONE
    }

    /// Shows the components of all states that can be reached from `start` and were not seen before;
    /// `targets_of` adds the targets of a state to a list.
    pub fn from(
        &mut self,
        start: u32,
        mut targets_of: impl FnMut(u32, &mut Vec<u32>),
        watch: &dyn Watch,
        mut show: impl FnMut(&Self, &[u32]),
    ) -> Result<(), Interrupt> {
        if self.number[start as usize] == UNSEEN {
            self.enter(start, &mut targets_of);
        }
        while let Some((state, first)) = self.way.last().copied() {
            if self.edges >= self.next_pulse {
                self.next_pulse = self.edges + PULSE;
                let states = u64::from(self.found);
                watch.pulse(Progress {
                    phase: self.phase,
                    states,
                    edges: self.edges,
                    ..Progress::default()
                })?;
            }
            if self.targets.len() > first {
                let target = self.targets.pop().unwrap_or_default();
                match self.number[target as usize] {
                    UNSEEN => self.enter(target, &mut targets_of),
                    DONE => {}
                    seen => self.lower(state, seen),
                }
                continue;
            }
            self.way.pop();
            let low = self.low[state as usize];
            if let Some((before, _)) = self.way.last().copied() {
                self.lower(before, low);
            }
            if low == self.number[state as usize] {
                let first = self.pending.iter().rposition(|pending| *pending == state).unwrap_or(0);
                self.components += 1;
                for member in &self.pending[first..] {
                    self.number[*member as usize] = DONE;
                    self.low[*member as usize] = self.components;
                }
                let pending = std::mem::take(&mut self.pending);
                show(self, &pending[first..]);
                self.pending = pending;
                self.pending.truncate(first);
            }
        }
        Ok(())
    }

    fn lower(&mut self, state: u32, to: u32) {
        let low = &mut self.low[state as usize];
        *low = (*low).min(to);
    }

    fn enter(&mut self, state: u32, targets_of: &mut impl FnMut(u32, &mut Vec<u32>)) {
        self.found += 1;
        self.number[state as usize] = self.found;
        self.low[state as usize] = self.found;
        self.pending.push(state);
        let first = self.targets.len();
        self.way.push((state, first));
        targets_of(state, &mut self.targets);
        self.edges += (self.targets.len() - first) as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unwatched;

    #[test]
    fn what_lies_behind_is_shown_first() {
        // 0 and 1 go round, and lead to 2, which goes round alone, and to 3.
        let targets = [vec![1], vec![0, 2], vec![2, 3], vec![]];
        let mut components = Components::new(5, "testing");
        let mut shown = Vec::new();
        let targets_of = |state: u32, list: &mut Vec<u32>| list.extend(&targets[state as usize]);
        let show = |_: &Components, members: &[u32]| shown.push(members.to_vec());
        components.from(0, targets_of, &Unwatched, show).unwrap();
        assert_eq!(shown, [vec![3], vec![2], vec![0, 1]]);
        assert!(components.are_together(0, 1) && !components.are_together(1, 2));
        assert!(components.was_reached(3) && !components.was_reached(4));
    }
}
