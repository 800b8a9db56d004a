//! A system and an automaton side by side.
//!
//! A node is a state of the system and a state of the automaton, packed into one number; its edges are
//! looked up in both. The automaton is about to read the letter of the node's state. Two kinds of its
//! states need no nodes behind them: from a *dead* one nothing is accepted, from a *settled* one
//! everything is, so a node that can go to a settled one decides the matter.

use graph::{BitSet, OUTSIDE, Trace, Transitions};
use property::buchi::Automaton;
use thiserror::Error;

/// What an automaton reads of a system.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The letter of each state: one bit for each atom.
    pub letters: Vec<u64>,
    /// States at which every run is accepting, whatever the automaton says.
    pub marked: BitSet,
    /// Whether the last letter of a trace that ends is read for ever; if not, only endless traces count.
    pub repeats_last: bool,
}

impl Reading {
    pub fn new(letters: Vec<u64>) -> Self {
        let marked = BitSet::new(letters.len());
        Self { letters, marked, repeats_last: true }
    }
}

/// The product has more nodes than there are numbers for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the states of the model and those of the property make too many pairs")]
pub struct TooLarge;

/// The label of a step that is none: the trace has ended, and the automaton reads on.
pub(crate) const STAYS: u32 = u32::MAX;

#[derive(Debug)]
pub struct Product<'a, T> {
    system: &'a T,
    automaton: &'a Automaton,
    reading: &'a Reading,
    settled: Vec<bool>,
    dead: Vec<bool>,
    width: u32,
}

impl<'a, T: Transitions> Product<'a, T> {
    /// The product of the states that have letters; others are not entered.
    pub fn new(system: &'a T, automaton: &'a Automaton, reading: &'a Reading) -> Result<Self, TooLarge> {
        let width = automaton.states();
        let nodes = reading.letters.len().checked_mul(width).filter(|nodes| *nodes < u32::MAX as usize);
        nodes.ok_or(TooLarge)?;
        let settled = automaton.settled();
        // Where the system itself marks what is accepted, no state of the automaton is hopeless.
        let marked = reading.marked.iter().next().is_some();
        let dead = if marked { vec![false; width] } else { automaton.dead() };
        Ok(Self { system, automaton, reading, settled, dead, width: width as u32 })
    }

    pub fn system(&self) -> &'a T {
        self.system
    }

    /// All nodes are below this number.
    pub(crate) fn bound(&self) -> usize {
        self.reading.letters.len() * self.width as usize
    }

    pub fn node(&self, state: u32, place: u32) -> u32 {
        state * self.width + place
    }

    pub(crate) fn state(&self, node: u32) -> u32 {
        node / self.width
    }

    fn place(&self, node: u32) -> u32 {
        node % self.width
    }

    pub(crate) fn initial(&self) -> Vec<u32> {
        let states = self.system.initial().into_iter().filter(|state| self.has_letter(*state));
        states.map(|state| self.node(state, self.automaton.initial())).collect()
    }

    fn has_letter(&self, state: u32) -> bool {
        (state as usize) < self.reading.letters.len()
    }

    pub(crate) fn is_accepting(&self, node: u32) -> bool {
        self.automaton.is_accepting(self.place(node)) || self.reading.marked.contains(self.state(node))
    }

    /// Whether nobody knows how a node goes on.
    pub(crate) fn is_open(&self, node: u32) -> bool {
        self.system.is_open(self.state(node))
    }

    pub(crate) fn is_uninterrupted(&self, node: u32) -> bool {
        self.system.is_uninterrupted(self.state(node))
    }

    pub(crate) fn letter(&self, state: u32) -> u64 {
        self.reading.letters[state as usize]
    }

    pub(crate) fn start(&self) -> u32 {
        self.automaton.initial()
    }

    pub(crate) fn is_settled(&self, place: u32) -> bool {
        self.settled[place as usize]
    }

    /// All places where the automaton may be after a letter, ascending. A settled one makes all others
    /// superfluous.
    pub(crate) fn read(&self, places: &[u32], letter: u64) -> Vec<u32> {
        let edges = places.iter().flat_map(|place| self.automaton.edges_from(*place));
        let moves = edges.filter(|edge| edge.guard.holds(letter) && !self.dead[edge.to as usize]);
        let mut reached: Vec<u32> = moves.map(|edge| edge.to).collect();
        reached.sort_unstable();
        reached.dedup();
        match reached.iter().copied().find(|place| self.is_settled(*place)) {
            Some(settled) => vec![settled],
            None => reached,
        }
    }

    /// The nodes that the first steps of a trace lead to.
    pub fn nodes_after(&self, trace: &Trace, steps: usize) -> Vec<u32> {
        let mut places = vec![self.start()];
        for state in trace.states().take(steps).filter(|state| !self.system.is_uninterrupted(*state)) {
            places = self.read(&places, self.letter(state));
        }
        let state = trace.states().nth(steps).unwrap_or(trace.last());
        places.into_iter().map(|place| self.node(state, place)).collect()
    }

    /// Where the automaton may go from a node, settled and dead states included.
    fn moves(&self, node: u32) -> impl Iterator<Item = u32> {
        let letter = self.reading.letters[self.state(node) as usize];
        let edges = self.automaton.edges_from(self.place(node)).iter();
        edges.filter(move |edge| edge.guard.holds(letter)).map(|edge| edge.to)
    }

    /// Whether everything that follows a node is accepted.
    pub(crate) fn decides(&self, node: u32) -> bool {
        let settled = |place: u32| self.settled[place as usize];
        if self.is_uninterrupted(node) {
            return settled(self.place(node));
        }
        settled(self.place(node)) || self.moves(node).any(settled)
    }

    /// Calls `visit(label, node)` for every edge; the label is [`STAYS`] where the trace has ended.
    pub(crate) fn successors(&self, node: u32, mut visit: impl FnMut(u32, u32)) {
        let state = self.state(node);
        if self.system.is_open(state) {
            return;
        }
        let follow = |place: u32, visit: &mut dyn FnMut(u32, u32)| {
            self.system.successors(state, |label, target| {
                // A trace that goes wrong in another way ends there and is not read.
                if target != OUTSIDE && self.has_letter(target) && !self.system.is_violating(target) {
                    visit(label, self.node(target, place));
                }
            });
        };
        if self.is_uninterrupted(node) {
            return follow(self.place(node), &mut visit);
        }
        let ends = self.system.degree(state) == 0;
        for place in self.moves(node) {
            if self.dead[place as usize] || self.settled[place as usize] {
                continue;
            }
            follow(place, &mut visit);
            if ends && self.reading.repeats_last {
                visit(STAYS, self.node(state, place));
            }
        }
    }
}
