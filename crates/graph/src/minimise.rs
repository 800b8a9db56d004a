//! The smallest deterministic automaton, in time O(k n log n) (Hopcroft 1971).
//!
//! First every state from which nothing is accepted any more is merged into [`Dfa::DEAD`], so that
//! "this trace can no longer violate the property" is one comparison. Then the remaining states are
//! told apart: start with accepting against not accepting, and split every block by which of its
//! states lead into some other block on some letter. When a block is split, only the smaller half
//! has to be used as a splitter again, which is what makes it fast.
//!
//! The states of the result are numbered in breadth-first order from the initial state, letters
//! ascending. So the result depends on the language alone: equal languages give equal automata.

use crate::Dfa;

impl Dfa {
    /// The smallest automaton for the same language. The empty language gives one state that does
    /// not accept and has no moves.
    #[must_use]
    pub fn trim_and_minimise(self) -> Dfa {
        let trimmed = Trimmed::new(&self);
        let classes = self.class_count();
        if trimmed.states.is_empty() {
            return Dfa::new(0, vec![false], classes, vec![Dfa::DEAD; classes as usize]);
        }
        let mut partition = Partition::of(&trimmed);
        partition.refine(&Inverse::of(&trimmed));
        quotient(&trimmed, &partition)
    }
}

/// The useful part of an automaton, completed: state `states.len()` is the sink that [`Dfa::DEAD`]
/// stands for.
struct Trimmed {
    /// The useful states by their old numbers; the initial state comes first.
    states: Vec<u32>,
    accepting: Vec<bool>,
    classes: usize,
    table: Vec<u32>,
}

impl Trimmed {
    fn new(dfa: &Dfa) -> Self {
        let classes = dfa.class_count();
        let useful = co_reachable(dfa);
        let mut number = vec![u32::MAX; dfa.state_count()];
        let mut states = Vec::new();
        let mut visit = |state: u32, states: &mut Vec<u32>| {
            if state != Dfa::DEAD && useful[state as usize] && number[state as usize] == u32::MAX {
                number[state as usize] = states.len() as u32;
                states.push(state);
            }
        };
        visit(dfa.initial(), &mut states);
        let mut done = 0;
        while done < states.len() {
            let state = states[done];
            (0..classes).for_each(|class| visit(dfa.next(state, class), &mut states));
            done += 1;
        }

        let sink = states.len() as u32;
        let mut table = Vec::with_capacity((states.len() + 1) * classes as usize);
        for state in &states {
            table.extend((0..classes).map(|class| match dfa.next(*state, class) {
                Dfa::DEAD => sink,
                target if useful[target as usize] => number[target as usize],
                _ => sink,
            }));
        }
        table.extend((0..classes).map(|_| sink));
        let mut accepting: Vec<bool> = states.iter().map(|state| dfa.accepts(*state)).collect();
        accepting.push(false);
        Self { states, accepting, classes: classes as usize, table }
    }

    /// How many states there are, the sink included.
    fn len(&self) -> usize {
        self.accepting.len()
    }
}

/// Which states can still reach acceptance.
fn co_reachable(dfa: &Dfa) -> Vec<bool> {
    let states = dfa.state_count();
    let successors = |state: u32| {
        (0..dfa.class_count()).map(move |class| dfa.next(state, class)).filter(|t| *t != Dfa::DEAD)
    };
    let mut ends = vec![0usize; states + 1];
    for state in 0..states as u32 {
        successors(state).for_each(|target| ends[target as usize + 1] += 1);
    }
    for state in 0..states {
        ends[state + 1] += ends[state];
    }
    let mut next = ends.clone();
    let mut sources = vec![0u32; ends[states]];
    for state in 0..states as u32 {
        for target in successors(state) {
            sources[next[target as usize]] = state;
            next[target as usize] += 1;
        }
    }

    let mut useful = vec![false; states];
    let mut pending: Vec<u32> = (0..states as u32).filter(|state| dfa.accepts(*state)).collect();
    pending.iter().for_each(|state| useful[*state as usize] = true);
    while let Some(state) = pending.pop() {
        for source in &sources[ends[state as usize]..ends[state as usize + 1]] {
            if !std::mem::replace(&mut useful[*source as usize], true) {
                pending.push(*source);
            }
        }
    }
    useful
}

/// The moves of a complete automaton backwards: for every letter, the sources by target.
struct Inverse {
    states: usize,
    classes: usize,
    /// One more than there are states, a letter after the other.
    starts: Vec<u32>,
    sources: Vec<u32>,
}

impl Inverse {
    fn of(dfa: &Trimmed) -> Self {
        let (states, classes) = (dfa.len(), dfa.classes);
        let mut starts = vec![0u32; (states + 1) * classes];
        let mut sources = vec![0u32; states * classes];
        let mut next = vec![0u32; states];
        for class in 0..classes {
            let starts = &mut starts[class * (states + 1)..][..states + 1];
            let sources = &mut sources[class * states..][..states];
            for state in 0..states {
                starts[dfa.table[state * classes + class] as usize + 1] += 1;
            }
            for state in 0..states {
                starts[state + 1] += starts[state];
            }
            next.copy_from_slice(&starts[..states]);
            for state in 0..states {
                let slot = &mut next[dfa.table[state * classes + class] as usize];
                sources[*slot as usize] = state as u32;
                *slot += 1;
            }
        }
        Self { states, classes, starts, sources }
    }

    fn sources(&self, class: usize, target: u32) -> &[u32] {
        let starts = &self.starts[class * (self.states + 1)..];
        let sources = &self.sources[class * self.states..];
        &sources[starts[target as usize] as usize..starts[target as usize + 1] as usize]
    }
}

/// The states in blocks; the states of a block lie side by side in `states`.
struct Partition {
    states: Vec<u32>,
    /// Where a state is in `states`.
    place: Vec<u32>,
    block_of: Vec<u32>,
    start: Vec<u32>,
    end: Vec<u32>,
    /// How many states at the front of a block are marked.
    marked: Vec<u32>,
}

impl Partition {
    /// Accepting states against the others.
    fn of(dfa: &Trimmed) -> Self {
        let count = dfa.len() as u32;
        let mut partition = Self {
            states: (0..count).collect(),
            place: (0..count).collect(),
            block_of: vec![0; dfa.len()],
            start: vec![0],
            end: vec![count],
            marked: vec![0],
        };
        for state in 0..count {
            if dfa.accepting[state as usize] {
                partition.mark(state);
            }
        }
        partition.split(0);
        partition
    }

    /// Moves `state` to the front of its block. Returns the block if this is its first mark.
    fn mark(&mut self, state: u32) -> Option<u32> {
        let block = self.block_of[state as usize];
        let (at, front) =
            (self.place[state as usize], self.start[block as usize] + self.marked[block as usize]);
        if at < front {
            return None;
        }
        let other = self.states[front as usize];
        self.states.swap(at as usize, front as usize);
        self.place[state as usize] = front;
        self.place[other as usize] = at;
        self.marked[block as usize] += 1;
        (self.marked[block as usize] == 1).then_some(block)
    }

    /// Makes the marked states of `block`, unless that is all of them, a block of their own, which
    /// is returned.
    fn split(&mut self, block: u32) -> Option<u32> {
        let (start, end) = (self.start[block as usize], self.end[block as usize]);
        let middle = start + std::mem::take(&mut self.marked[block as usize]);
        if middle == start || middle == end {
            return None;
        }
        let new = self.start.len() as u32;
        self.start.push(start);
        self.end.push(middle);
        self.marked.push(0);
        self.start[block as usize] = middle;
        for state in &self.states[start as usize..middle as usize] {
            self.block_of[*state as usize] = new;
        }
        Some(new)
    }

    fn block(&self, block: u32) -> &[u32] {
        &self.states[self.start[block as usize] as usize..self.end[block as usize] as usize]
    }

    fn refine(&mut self, inverse: &Inverse) {
        let mut pending: Vec<u32> = (0..self.start.len() as u32).collect();
        let mut is_pending = vec![true; pending.len()];
        let mut splitter = Vec::new();
        let mut touched = Vec::new();
        while let Some(block) = pending.pop() {
            is_pending[block as usize] = false;
            // The block may be split while it is used. It is then still right to go on with all of
            // it: together with the smaller half, queued below, it accounts for the larger one.
            splitter.clear();
            splitter.extend_from_slice(self.block(block));
            for class in 0..inverse.classes {
                for target in &splitter {
                    for source in inverse.sources(class, *target) {
                        touched.extend(self.mark(*source));
                    }
                }
                for old in touched.drain(..) {
                    let Some(new) = self.split(old) else { continue };
                    is_pending.push(false);
                    let smaller = if self.block(new).len() <= self.block(old).len() { new } else { old };
                    let queued = if is_pending[old as usize] { new } else { smaller };
                    is_pending[queued as usize] = true;
                    pending.push(queued);
                }
            }
        }
    }
}

/// One state a block, numbered breadth first from the initial state.
fn quotient(dfa: &Trimmed, partition: &Partition) -> Dfa {
    let sink = partition.block_of[dfa.len() - 1];
    let mut number = vec![u32::MAX; partition.start.len()];
    let mut order = vec![partition.block_of[0]];
    number[order[0] as usize] = 0;
    let mut accepting = Vec::new();
    let mut table = Vec::new();
    let mut done = 0;
    while done < order.len() {
        let state = partition.block(order[done])[0] as usize;
        accepting.push(dfa.accepting[state]);
        for class in 0..dfa.classes {
            let block = partition.block_of[dfa.table[state * dfa.classes + class] as usize];
            if block == sink {
                table.push(Dfa::DEAD);
                continue;
            }
            if number[block as usize] == u32::MAX {
                number[block as usize] = order.len() as u32;
                order.push(block);
            }
            table.push(number[block as usize]);
        }
        done += 1;
    }
    Dfa::new(0, accepting, dfa.classes as u32, table)
}
