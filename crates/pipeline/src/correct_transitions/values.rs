//! What variables hold at one place, compared with what they hold at others.
//!
//! There are as many other places as correct traces take a step, and people are told of few. So values are
//! compared as the bytes that they are in states (see [`graph::Outline`]), and only what is told is spelled.

use std::cell::RefCell;
use std::collections::BTreeMap;

use graph::{Held, Key, Outline, Slot};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Names;

/// How many values of correct traces are listed for a variable.
const MOST_VALUES: usize = 8;
/// Of how many values those are the smallest.
const MOST_SPELLED: usize = 32;
/// How many variables are told whose values never meet, and among how many visits that is looked for.
const MOST_TOGETHER: usize = 4;
const MOST_VISITS_TOGETHER: usize = 20_000;
/// How many layouts of states are remembered.
const MOST_OUTLINES: usize = 32;

/// One place, to be compared with others.
pub(super) struct Compared<'a, N> {
    names: &'a N,
    place: u32,
    own: Outline,
    /// Layouts of other places, and which of their slots is the variable of each slot here; the last one used first.
    known: RefCell<Vec<Known>>,
}

struct Known {
    outline: Outline,
    slots: Vec<Option<u32>>,
}

/// How a variable compares with what it holds elsewhere.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    Same,
    Other,
    /// There is no such variable there.
    Absent,
}

impl<'a, N: Names> Compared<'a, N> {
    pub(super) fn new(names: &'a N, place: u32) -> Self {
        Self { names, place, own: outline_of(names, place), known: RefCell::default() }
    }

    /// The variables that hold something else at all the others, with what they hold there.
    pub(super) fn differing(&self, others: &[u32]) -> Vec<findings::Value> {
        let mut left: Vec<usize> = (0..self.own.slots.len()).collect();
        let mut seen = vec![false; left.len()];
        for other in others {
            // Most variables hold the same somewhere soon; then the rest need not be looked at.
            if left.is_empty() {
                break;
            }
            self.with(*other, |compare| {
                left.retain(|slot| {
                    let beside = compare(*slot);
                    seen[*slot] |= beside == Beside::Other;
                    beside != Beside::Same
                });
            });
        }
        left.retain(|slot| seen[*slot]);
        self.told(&left, others)
    }

    /// A few variables of which no other place has all the values that this one has, those that tell most apart
    /// first.
    pub(super) fn never_together(&self, others: &[u32]) -> Vec<findings::Value> {
        if others.len() > MOST_VISITS_TOGETHER {
            return Vec::new();
        }
        let mut alike = others.to_vec();
        let mut told: Vec<findings::Value> = Vec::new();
        while !alike.is_empty() && told.len() < MOST_TOGETHER {
            let mut apart = vec![0usize; self.own.slots.len()];
            for other in &alike {
                self.with(*other, |compare| {
                    for (slot, count) in apart.iter_mut().enumerate() {
                        *count += usize::from(compare(slot) == Beside::Other);
                    }
                });
            }
            // Of equals the first by name.
            let name = |slot: usize| &self.own.slots[slot].name;
            let best = (0..apart.len())
                .max_by(|one, two| apart[*one].cmp(&apart[*two]).then_with(|| name(*two).cmp(name(*one))));
            let Some(best) = best.filter(|best| apart[*best] > 0) else { return Vec::new() };
            told.extend(self.told(&[best], &alike));
            alike.retain(|other| self.with(*other, |compare| compare(best) != Beside::Other));
        }
        if alike.is_empty() { told } else { Vec::new() }
    }

    /// Whether these variables hold at a place what they hold here.
    pub(super) fn is_alike(&self, variables: &[usize], other: u32) -> bool {
        self.with(other, |compare| variables.iter().all(|slot| compare(*slot) == Beside::Same))
    }

    /// The number of a variable here.
    pub(super) fn variable(&self, name: &str) -> Option<usize> {
        self.own.slots.iter().position(|slot| slot.name == name)
    }

    /// The slots with what they hold here and at the others.
    fn told(&self, slots: &[usize], others: &[u32]) -> Vec<findings::Value> {
        if slots.is_empty() {
            return Vec::new();
        }
        let own = self.names.values(self.place);
        let mut spelled: FxHashMap<u32, BTreeMap<String, String>> = FxHashMap::default();
        let mut values = Vec::new();
        for slot in slots {
            let name = &self.own.slots[*slot].name;
            let Some(failing) = own.get(name) else { continue };
            let (places, count) = self.distinct(*slot, others);
            let mut correct: Vec<String> = Vec::new();
            for place in places {
                let held = spelled.entry(place).or_insert_with(|| self.names.values(place));
                correct.extend(held.get(name).cloned());
            }
            correct.sort_by(|one, two| in_order(one).cmp(&in_order(two)));
            correct.dedup();
            correct.truncate(MOST_VALUES);
            let others = count.saturating_sub(correct.len()) as u64;
            values.push(findings::Value { var: name.clone(), failing: failing.clone(), correct, others });
        }
        values.sort_by(|one, two| one.var.cmp(&two.var));
        values
    }

    /// Places at which a variable holds different values, the first of them, and how many values it has.
    fn distinct(&self, slot: usize, others: &[u32]) -> (Vec<u32>, usize) {
        let mut seen: FxHashSet<Vec<u8>> = FxHashSet::default();
        let mut key = Vec::new();
        let mut places = Vec::new();
        for other in others {
            let is_there = self.known(*other, |known, state| {
                let Some(at) = known.slots[slot] else { return false };
                key.clear();
                match known.outline.slots[at as usize].key(state) {
                    Key::Bytes(bytes) => key.extend_from_slice(bytes),
                    Key::Number(number) => key.extend_from_slice(&number.to_le_bytes()),
                    Key::Word(word) => key.extend_from_slice(word.as_bytes()),
                }
                true
            });
            if is_there && !seen.contains(&key) {
                seen.insert(key.clone());
                if places.len() < MOST_SPELLED {
                    places.push(*other);
                }
            }
        }
        (places, seen.len())
    }

    /// Calls `look` with what compares the variables of this place with what they hold at another.
    fn with<R>(&self, other: u32, look: impl FnOnce(&dyn Fn(usize) -> Beside) -> R) -> R {
        let own = self.names.bytes(self.place).unwrap_or_default();
        self.known(other, |known, state| {
            look(&|slot| {
                let Some(at) = known.slots[slot] else { return Beside::Absent };
                let is_same = self.own.slots[slot].key(own) == known.outline.slots[at as usize].key(state);
                if is_same { Beside::Same } else { Beside::Other }
            })
        })
    }

    /// Calls `look` with the layout of a place and its bytes.
    fn known<R>(&self, place: u32, look: impl FnOnce(&Known, &[u8]) -> R) -> R {
        let Some(state) = self.names.bytes(place) else {
            // Where states have no bytes, every one has a layout of its own.
            return look(&self.matched(outline_of(self.names, place)), &[]);
        };
        let mut known = self.known.borrow_mut();
        match known.iter().position(|known| known.outline.fits(state)) {
            Some(0) => {}
            Some(at) => known[..=at].rotate_right(1),
            None => {
                known.truncate(MOST_OUTLINES - 1);
                known.insert(0, self.matched(outline_of(self.names, place)));
            }
        }
        look(&known[0], state)
    }

    fn matched(&self, outline: Outline) -> Known {
        let numbers: FxHashMap<&str, u32> =
            outline.slots.iter().zip(0..).map(|(slot, number)| (slot.name.as_str(), number)).collect();
        let slots = self.own.slots.iter().map(|slot| numbers.get(slot.name.as_str()).copied()).collect();
        Known { outline, slots }
    }
}

/// Of variables with one name, which blocks side by side may have, the last one counts, as it does among values.
fn outline_of(names: &impl Names, place: u32) -> Outline {
    let Some(state) = names.bytes(place) else {
        let values = names.values(place).into_iter();
        let slots = values.map(|(name, value)| Slot { name, held: Held::Always(value) });
        return Outline::new(&[], Vec::new(), slots.collect());
    };
    let mut outline = names.outline(state);
    let last: FxHashMap<String, usize> =
        outline.slots.iter().enumerate().map(|(number, slot)| (slot.name.clone(), number)).collect();
    if last.len() < outline.slots.len() {
        let mut number = 0..;
        outline.slots.retain(|slot| number.next() == last.get(&slot.name).copied());
    }
    outline
}

/// Numbers by their size, before all else.
fn in_order(text: &str) -> (bool, i64, &str) {
    let number = text.parse::<i64>();
    (number.is_err(), number.unwrap_or_default(), text)
}
