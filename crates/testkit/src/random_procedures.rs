//! Small random systems with procedures, and all their traces written out one by one with the whole stack.
//!
//! A procedure calls only those behind it, so stacks are short and the traces can be enumerated. A trace that passes
//! no state more than twice is long enough: one way to a step and one way on from it.

use std::collections::{BTreeMap, BTreeSet};

use graph::{Caller, End, LocalStep, Move, Procedures, Untold};

use crate::random::Random;

const GLOBALS: u32 = 2;
const PLACES: u32 = 3;
const LABELS: u32 = 7;
/// Systems with more steps in their traces are given up.
const MOST_STEPS: u32 = 60_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    Go { global: u8, place: u8 },
    Call { procedure: u8, back: u8 },
    Return { global: u8 },
    Wrong,
}

/// The value of the global, the procedure, and the place in it.
pub type Local = [u8; 3];

/// What can be done in every local state, each with its label.
#[derive(Clone, Debug)]
pub struct RandomProcedures {
    deeds: BTreeMap<Local, Vec<(u64, Deed)>>,
}

/// What traces show that are written out.
#[derive(Debug, Default)]
pub struct Traces {
    /// The labels on traces that come to an end.
    pub correct: BTreeSet<u64>,
    /// The length of a shortest trace that goes wrong.
    pub shortest: Option<u32>,
    /// All labels.
    pub labels: BTreeSet<u64>,
}

impl RandomProcedures {
    pub fn new(random: &mut Random) -> Self {
        let procedures = random.between(2, 3);
        let mut deeds = BTreeMap::new();
        for global in 0..GLOBALS {
            for procedure in 0..procedures {
                for place in 0..PLACES {
                    let count = [1, 1, 2][random.below(3) as usize];
                    let own = (0..count).map(|_| {
                        let label = u64::from(random.below(LABELS));
                        let deed = match random.below(10) {
                            0..=3 => Deed::Go {
                                global: random.below(GLOBALS) as u8,
                                place: random.below(PLACES) as u8,
                            },
                            4..=6 if procedure + 1 < procedures => Deed::Call {
                                procedure: random.between(procedure + 1, procedures - 1) as u8,
                                back: random.below(PLACES) as u8,
                            },
                            7 if random.percent(40) => Deed::Wrong,
                            _ => Deed::Return { global: random.below(GLOBALS) as u8 },
                        };
                        (label, deed)
                    });
                    deeds.insert([global as u8, procedure as u8, place as u8], own.collect());
                }
            }
        }
        Self { deeds }
    }

    /// All local states.
    pub fn locals(&self) -> impl Iterator<Item = Local> + '_ {
        self.deeds.keys().copied()
    }

    /// Writes out all traces; nothing if they are too many. `barred` labels are not taken.
    pub fn traces(&self, ends: &BTreeSet<Local>, barred: &BTreeSet<u64>) -> Option<Traces> {
        let mut writer = Writer { system: self, ends, barred, left: MOST_STEPS, found: Traces::default() };
        let start = Concrete { global: 0, stack: vec![(0, 0)] };
        let mut passed = BTreeMap::from([(start.clone(), 1)]);
        writer.go_on(&start, &mut passed, &mut Vec::new());
        (writer.left > 0).then_some(writer.found)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Concrete {
    global: u8,
    /// The procedures and places of all calls, the last one goes on.
    stack: Vec<(u8, u8)>,
}

struct Writer<'a> {
    system: &'a RandomProcedures,
    ends: &'a BTreeSet<Local>,
    barred: &'a BTreeSet<u64>,
    left: u32,
    found: Traces,
}

impl Writer<'_> {
    fn go_on(&mut self, at: &Concrete, passed: &mut BTreeMap<Concrete, u32>, trace: &mut Vec<u64>) {
        let Some((procedure, place)) = at.stack.last().copied() else { return };
        let local = [at.global, procedure, place];
        if self.ends.contains(&local) {
            self.found.correct.extend(trace.iter().copied());
        }
        for (label, deed) in &self.system.deeds[&local] {
            self.left = self.left.saturating_sub(1);
            if self.left == 0 || self.barred.contains(label) {
                continue;
            }
            self.found.labels.insert(*label);
            let mut next = at.clone();
            match *deed {
                Deed::Wrong => {
                    let length = trace.len() as u32 + 1;
                    let known = self.found.shortest.get_or_insert(length);
                    *known = length.min(*known);
                    continue;
                }
                Deed::Go { global, place } => {
                    next.global = global;
                    next.stack.pop();
                    next.stack.push((procedure, place));
                }
                Deed::Call { procedure: called, back } => {
                    next.stack.pop();
                    next.stack.extend([(procedure, back), (called, 0)]);
                }
                Deed::Return { global } => {
                    next.global = global;
                    next.stack.pop();
                }
            }
            if passed.get(&next) == Some(&2) {
                continue;
            }
            *passed.entry(next.clone()).or_default() += 1;
            trace.push(*label);
            self.go_on(&next, passed, trace);
            trace.pop();
            *passed.entry(next).or_default() -= 1;
        }
    }
}

/// Takes the steps in local states.
#[derive(Debug)]
pub struct RandomCaller<'s> {
    system: &'s RandomProcedures,
    made: Vec<u8>,
}

impl Procedures for RandomProcedures {
    type Caller<'a> = RandomCaller<'a>;

    fn caller(&self) -> RandomCaller<'_> {
        RandomCaller { system: self, made: Vec::new() }
    }
}

impl Caller for RandomCaller<'_> {
    fn initial(&mut self) -> &[u8] {
        &[0, 0, 0]
    }

    fn steps(&mut self, local: &[u8], mut visit: impl FnMut(LocalStep<'_>)) -> Option<Untold> {
        let [global, procedure, place] = local else { return None };
        for (event, deed) in &self.system.deeds[&[*global, *procedure, *place]] {
            let step = |to, violation| LocalStep { event: *event, to, violation };
            match *deed {
                Deed::Wrong => visit(step(Move::Onward(local), Some(0))),
                Deed::Go { global, place } => visit(step(Move::Onward(&[global, *procedure, place]), None)),
                Deed::Call { procedure: called, back } => {
                    let to = Move::Call { frame: &[*procedure, back], entry: &[*global, called, 0] };
                    visit(step(to, None));
                }
                Deed::Return { global } => visit(step(Move::Return { exit: &[global] }, None)),
            }
        }
        None
    }

    fn resume(&mut self, frame: &[u8], exit: &[u8]) -> &[u8] {
        self.made = [exit, frame].concat();
        &self.made
    }

    fn end(&mut self, _: &[u8]) -> End {
        End::Valid
    }
}
