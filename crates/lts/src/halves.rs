//! Which states of a block can reach a goal by inert steps, for the price of the smaller half.
//!
//! Two searches go backwards along inert steps, turn by turn, a unit of work at a time. One starts from
//! the goal and collects the states that reach it. The other starts from bottom states off the goal and
//! collects the states that avoid it: those all of whose inert steps lead to states that do. A search
//! that has collected more than half of the block is stopped, and the first to finish has the smaller
//! half (Groote and Vaandrager 1990; in this form Jansen, Groote, Keiren and Wijs 2020).

use crate::partition::Partition;

/// The block that is searched, and the silent steps into every state.
pub(crate) struct SearchedBlock<'a> {
    pub(crate) blocks: &'a Partition,
    pub(crate) block: u32,
    pub(crate) silent_sources: &'a [u32],
    pub(crate) silent_offsets: &'a [u32],
    /// Per state the number of its inert steps.
    pub(crate) inert: &'a [u32],
}

/// Which half is the smaller one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    Reaching,
    Avoiding,
}

pub(crate) struct Searches {
    reaching: Search,
    avoiding: Search,
    seen: Vec<Option<Half>>,
    /// Per state how many of its inert steps are not known to avoid the goal; 0 if none is known to.
    open: Vec<u32>,
    opened: Vec<u32>,
}

#[derive(Default)]
struct Search {
    found: Vec<u32>,
    /// How many of the found states have been taken up.
    taken: usize,
    /// Which silent steps into the state taken up last are still to be followed.
    next: u32,
    end: u32,
    work: usize,
}

enum Unit {
    /// A start, or a state with a silent step to one that was found.
    Candidate {
        state: u32,
        is_start: bool,
    },
    Nothing,
    Finished,
}

impl Search {
    fn unit(&mut self, searched: &SearchedBlock<'_>, starts: &mut impl Iterator<Item = u32>) -> Unit {
        self.work += 1;
        if self.next < self.end {
            let state = searched.silent_sources[self.next as usize];
            self.next += 1;
            if searched.blocks.block_of(state) == searched.block {
                Unit::Candidate { state, is_start: false }
            } else {
                Unit::Nothing
            }
        } else if let Some(state) = self.found.get(self.taken) {
            self.taken += 1;
            self.next = searched.silent_offsets[*state as usize];
            self.end = searched.silent_offsets[*state as usize + 1];
            Unit::Nothing
        } else if let Some(state) = starts.next() {
            Unit::Candidate { state, is_start: true }
        } else {
            Unit::Finished
        }
    }

    fn clear(&mut self) {
        self.found.clear();
        (self.taken, self.next, self.end, self.work) = (0, 0, 0, 0);
    }
}

impl Searches {
    pub(crate) fn new(states: usize) -> Self {
        Self {
            reaching: Search::default(),
            avoiding: Search::default(),
            seen: vec![None; states],
            open: vec![0; states],
            opened: Vec::new(),
        }
    }

    /// Finds the smaller half. The goal is `goal` and the states off the bottom for which `is_goal`, which
    /// also tells its cost; `off_goal` are the bottom states that are not in it.
    pub(crate) fn divide(
        &mut self,
        searched: &SearchedBlock<'_>,
        mut goal: impl Iterator<Item = u32>,
        mut off_goal: impl Iterator<Item = u32>,
        is_goal: impl Fn(u32) -> (bool, usize),
    ) -> Half {
        let Self { reaching, avoiding, seen, open, opened } = self;
        reaching.clear();
        avoiding.clear();
        let most = searched.blocks.size(searched.block) as usize / 2;
        let result = loop {
            let may_reach = reaching.found.len() <= most;
            let may_avoid = avoiding.found.len() <= most;
            if may_reach && (reaching.work <= avoiding.work || !may_avoid) {
                match reaching.unit(searched, &mut goal) {
                    Unit::Candidate { state, .. } if seen[state as usize].is_none() => {
                        seen[state as usize] = Some(Half::Reaching);
                        reaching.found.push(state);
                    }
                    Unit::Finished => break Half::Reaching,
                    _ => {}
                }
            } else {
                let state = match avoiding.unit(searched, &mut off_goal) {
                    Unit::Candidate { state, .. } if seen[state as usize].is_some() => continue,
                    Unit::Candidate { state, is_start: true } => state,
                    Unit::Candidate { state, is_start: false } => {
                        let left = &mut open[state as usize];
                        if *left == 0 {
                            *left = searched.inert[state as usize];
                            opened.push(state);
                        }
                        *left -= 1;
                        if *left > 0 {
                            continue;
                        }
                        let (found_goal, cost) = is_goal(state);
                        avoiding.work += cost;
                        if found_goal {
                            continue;
                        }
                        state
                    }
                    Unit::Finished => break Half::Avoiding,
                    Unit::Nothing => continue,
                };
                seen[state as usize] = Some(Half::Avoiding);
                avoiding.found.push(state);
            }
        };
        for state in reaching.found.iter().chain(&avoiding.found) {
            seen[*state as usize] = None;
        }
        for state in opened.drain(..) {
            open[state as usize] = 0;
        }
        result
    }

    /// The states of the half that [`divide`](Self::divide) found.
    pub(crate) fn found(&self, half: Half) -> &[u32] {
        match half {
            Half::Reaching => &self.reaching.found,
            Half::Avoiding => &self.avoiding.found,
        }
    }

    /// How much work the last division took.
    pub(crate) fn work(&self) -> usize {
        self.reaching.work + self.avoiding.work
    }
}
