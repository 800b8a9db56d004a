//! One given trace: is it accepted?
//!
//! A trace from elsewhere is a system of its own, whose states are the places along the trace and in which
//! there is never a choice. Its product with the automaton is asked as that of any system.

use graph::{Fairness, Transitions, Unwatched};
use property::buchi::Automaton;

use crate::continuations::{Answer, Continuations};
use crate::lasso::Ending;
use crate::product::{Product, Reading, TooLarge};

/// The places along a trace.
struct Along<'a> {
    ending: Ending,
    /// Where the automaton does not look.
    uninterrupted: &'a [bool],
}

impl Along<'_> {
    fn next(&self, place: u32) -> Option<u32> {
        let after = place as usize + 1;
        match self.ending {
            // The last place is where the loop began.
            Ending::Loop(start) if after + 1 == self.uninterrupted.len() => Some(start as u32),
            _ => (after < self.uninterrupted.len()).then_some(after as u32),
        }
    }
}

impl Transitions for Along<'_> {
    fn bound(&self) -> usize {
        self.uninterrupted.len()
    }

    fn initial(&self) -> Vec<u32> {
        vec![0]
    }

    fn is_violating(&self, _state: u32) -> bool {
        false
    }

    fn is_open(&self, state: u32) -> bool {
        self.ending == Ending::Decided && state as usize + 1 == self.uninterrupted.len()
    }

    fn is_uninterrupted(&self, state: u32) -> bool {
        self.uninterrupted[state as usize]
    }

    fn successors(&self, state: u32, mut visit: impl FnMut(u32, u32)) {
        if let Some(next) = self.next(state) {
            visit(0, next);
        }
    }

    fn predecessors(&self, state: u32, mut visit: impl FnMut(u32, u32)) {
        let before = (0..self.uninterrupted.len() as u32).filter(|place| self.next(*place) == Some(state));
        before.for_each(|place| visit(0, place));
    }

    fn degree(&self, state: u32) -> u32 {
        u32::from(self.next(state).is_some())
    }
}

/// Whether an automaton accepts a trace, of which the reading and `uninterrupted` know every state in turn, the
/// last one included: with a loop that is the one in which the loop began. Fairness is left aside.
pub fn accepts(
    automaton: &Automaton,
    reading: &Reading,
    uninterrupted: &[bool],
    ending: Ending,
) -> Result<bool, TooLarge> {
    let is_loop = matches!(ending, Ending::Loop(start) if start + 1 < uninterrupted.len());
    if uninterrupted.is_empty() || (matches!(ending, Ending::Loop(_)) && !is_loop) {
        return Ok(false);
    }
    let along = Along { ending, uninterrupted };
    let product = Product::new(&along, automaton, reading)?;
    let continuations = Continuations::new(&product, Fairness::None, &Unwatched);
    Ok(continuations.is_ok_and(|continuations| continuations.answer(&product) == Answer::Yes))
}

#[cfg(test)]
mod tests {
    use property::buchi::{Limits, translate};
    use property::ltl::{Formula, Unary};

    use super::*;

    /// Whether `<>[] p` is true of a trace that reads these letters.
    fn stays(letters: &[u64], ending: Ending) -> bool {
        let always = Formula::unary(Unary::Always, Formula::atom(0));
        let formula = Formula::unary(Unary::Eventually, always);
        let translation = translate(&formula, Limits::default()).unwrap();
        let reading = Reading::new(letters.to_vec());
        accepts(&translation.automaton, &reading, &vec![false; letters.len()], ending).unwrap()
    }

    #[test]
    fn loops_and_ends_are_read() {
        assert!(stays(&[0, 1, 1, 1], Ending::Loop(1)));
        assert!(!stays(&[0, 1, 0, 1], Ending::Loop(1)));
        assert!(!stays(&[0, 1, 1, 0], Ending::Loop(0)));
        assert!(stays(&[0, 0, 1], Ending::Stops));
        assert!(!stays(&[1, 1, 0], Ending::Stops));
        assert!(!stays(&[1, 1, 1], Ending::Decided), "nobody knows what comes");
        assert!(!stays(&[1], Ending::Loop(0)), "no step, no loop");
        assert!(!stays(&[], Ending::Stops));
    }

    #[test]
    fn what_is_not_seen_is_not_read() {
        let always = Formula::unary(Unary::Always, Formula::atom(0));
        let automaton = translate(&always, Limits::default()).unwrap().automaton;
        let reading = Reading::new(vec![1, 0, 1, 1]);
        let seen = |hidden: [bool; 4]| accepts(&automaton, &reading, &hidden, Ending::Loop(2)).unwrap();
        assert!(seen([false, true, false, false]));
        assert!(!seen([false; 4]));
    }
}
