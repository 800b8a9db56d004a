//! Random properties: small automata, partial, accepting now and again, in either reading.

use graph::{Dfa, LabelClasses, ViolatedWhen};

use crate::random::Random;

#[derive(Clone, Debug)]
pub struct RandomProperty {
    pub classes: LabelClasses,
    pub dfa: Dfa,
    pub violated_when: ViolatedWhen,
}

/// A property of graphs with so many labels. Acceptance need not last: a trace can be forbidden and a
/// longer one not.
pub fn random_property(random: &mut Random, labels: usize) -> RandomProperty {
    let letters = random.between(1, 3);
    let classes = LabelClasses::by_key((0..labels).map(|_| random.below(letters)));
    let states = [1, 2, 3, 3, 4, 4][random.below(6) as usize];
    let violated_when =
        if random.percent(70) { ViolatedWhen::Accepted } else { ViolatedWhen::AcceptedAndStuck };
    let often = match violated_when {
        ViolatedWhen::Accepted => [0, 10, 40][random.below(3) as usize],
        ViolatedWhen::AcceptedAndStuck => [50, 100][random.below(2) as usize],
    };
    let mut accepting: Vec<bool> = (0..states).map(|_| random.percent(often)).collect();
    if random.percent(90) && states > 1 && violated_when == ViolatedWhen::Accepted {
        // Most properties do not forbid the empty trace, but do forbid something.
        accepting[0] = false;
        accepting[states as usize - 1] = true;
    }
    let partial = [0, 10, 25][random.below(3) as usize];
    let mut table = Vec::new();
    for state in 0..states {
        // Once accepted, always accepted: so it is for most formulas, and for some automata here.
        let lasting = accepting[state as usize] && random.percent(40);
        // To wait for something is what most formulas do.
        let waiting = if accepting[state as usize] { 0 } else { 40 };
        table.extend((0..classes.count()).map(|_| {
            if lasting || random.percent(waiting) {
                state
            } else if random.percent(partial) {
                Dfa::DEAD
            } else {
                random.below(states)
            }
        }));
    }
    let dfa = Dfa::new(0, accepting, classes.count(), table);
    RandomProperty { classes, dfa, violated_when }
}
