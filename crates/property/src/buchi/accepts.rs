//! Whether an automaton accepts a word that ends in a loop, by looking at all its runs.
//!
//! A run on such a word is a walk through pairs of a state and a position. It is accepted if it comes
//! infinitely often to an accepting state, which, pairs being finitely many, means that one of them can be
//! reached from the beginning and from itself. Written for checking, not for speed.

use super::Automaton;

/// An infinite word of valuations: a stem, then a loop for ever.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lasso {
    /// Which atoms are true at each position, one bit an atom.
    pub letters: Vec<u64>,
    /// The position that follows the last one.
    pub loop_start: usize,
}

impl Automaton {
    /// Whether some run on the word is accepted. There is none on a word without a loop.
    pub fn accepts(&self, word: &Lasso) -> bool {
        if word.loop_start >= word.letters.len() {
            return false;
        }
        let reached = self.reachable(word, self.steps_on(word, self.initial, 0));
        let at_beginning = (self.initial, 0);
        reached
            .into_iter()
            .chain([at_beginning])
            .filter(|(state, _)| self.is_accepting(*state))
            .any(|(state, at)| self.reachable(word, self.steps_on(word, state, at)).contains(&(state, at)))
    }

    fn steps_on(&self, word: &Lasso, state: u32, at: usize) -> Vec<(u32, usize)> {
        let next = if at + 1 < word.letters.len() { at + 1 } else { word.loop_start };
        let edges = self.edges_from(state).iter().filter(|edge| edge.guard.holds(word.letters[at]));
        edges.map(|edge| (edge.to, next)).collect()
    }

    fn reachable(&self, word: &Lasso, mut open: Vec<(u32, usize)>) -> Vec<(u32, usize)> {
        let mut seen = vec![false; self.states() * word.letters.len()];
        let mut reached = Vec::new();
        while let Some((state, at)) = open.pop() {
            let number = state as usize * word.letters.len() + at;
            if !std::mem::replace(&mut seen[number], true) {
                reached.push((state, at));
                open.extend(self.steps_on(word, state, at));
            }
        }
        reached
    }
}
