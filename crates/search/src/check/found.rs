//! What is wrong, class by class, the same whoever finds it first.
//!
//! Of the violations of a class that lie nearest, the one whose state has the smallest bytes stands for
//! it. That does not depend on the order in which threads come to states.

use rustc_hash::FxHashMap;

/// What is wrong: violations of the same kind are one class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Wrong {
    /// A state has no steps and is no valid end.
    Deadlock,
    /// A step with this event is violating; `what` is the system's number for what is wrong.
    Step { event: u64, what: u32 },
}

/// All violations of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    pub wrong: Wrong,
    pub count: u64,
    /// How many steps the shortest traces to one have; if the check was reduced, no more than that.
    pub shortest: u32,
    /// On which level of the search the state lies.
    pub(super) depth: u32,
    /// The state of the deadlock, or before the violating step.
    pub(super) state: Vec<u8>,
}

#[derive(Debug, Default)]
pub(super) struct Found(FxHashMap<Wrong, Class>);

impl Found {
    /// Notes that something is wrong in `state`, at the end of a trace of `length` steps.
    pub(super) fn add(&mut self, wrong: Wrong, length: u32, state: &[u8]) {
        if let Some(class) = self.0.get_mut(&wrong) {
            class.count += 1;
            if (length, state) < (class.shortest, &class.state[..]) {
                (class.shortest, class.depth) = (length, depth(wrong, length));
                class.state.clear();
                class.state.extend_from_slice(state);
            }
        } else {
            let depth = depth(wrong, length);
            self.0.insert(wrong, Class { wrong, count: 1, shortest: length, depth, state: state.to_vec() });
        }
    }

    /// All classes that several have found, nearest first.
    pub(super) fn together(all: impl IntoIterator<Item = Found>) -> Vec<Class> {
        let mut parts: Vec<Class> = all.into_iter().flat_map(|found| found.0.into_values()).collect();
        parts.sort_unstable_by(|one, other| {
            (one.wrong, one.shortest, &one.state).cmp(&(other.wrong, other.shortest, &other.state))
        });
        let mut classes: Vec<Class> = Vec::new();
        for part in parts {
            match classes.last_mut() {
                Some(class) if class.wrong == part.wrong => class.count += part.count,
                _ => classes.push(part),
            }
        }
        classes.sort_by_key(|class| class.shortest);
        classes
    }
}

/// How many steps lead to the state that something is wrong with.
fn depth(wrong: Wrong, length: u32) -> u32 {
    match wrong {
        Wrong::Deadlock => length,
        Wrong::Step { .. } => length - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_and_smallest_stands_for_its_class() {
        let step = Wrong::Step { event: 7, what: 1 };
        let (mut one, mut other) = (Found::default(), Found::default());
        one.add(step, 5, b"b");
        one.add(Wrong::Deadlock, 4, b"z");
        other.add(step, 3, b"c");
        other.add(step, 3, b"bb");
        other.add(step, 4, b"a");
        let classes = Found::together([one, other]);
        assert_eq!(
            classes,
            [
                Class { wrong: step, count: 4, shortest: 3, depth: 2, state: b"bb".to_vec() },
                Class { wrong: Wrong::Deadlock, count: 1, shortest: 4, depth: 4, state: b"z".to_vec() },
            ]
        );
    }
}
