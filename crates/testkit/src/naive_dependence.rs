//! What depends on what in a trace, value by value: each one is followed from the step that writes it to those that read
//! it.

use std::collections::BTreeSet;

use crate::random::Random;

/// Where pointers may point to: nothing that is written there is all that is there.
pub const POINTED: u32 = 3;
/// What calls hand back: as many values as another room has bytes.
pub const HANDED_BACK: u32 = 2;
const BYTES: u32 = 6;
const STATEMENTS: u32 = 6;

/// Some bytes of a room of memory; `end` is outside.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub room: u32,
    pub start: u32,
    pub end: u32,
}

impl Span {
    fn random(random: &mut Random) -> Self {
        let room = random.below(4);
        let start = if room == POINTED { 0 } else { random.below(BYTES) };
        let end = if room < HANDED_BACK { random.between(start + 1, BYTES) } else { start + 1 };
        Self { room, start, end }
    }

    fn bytes(self) -> BTreeSet<(u32, u32)> {
        (self.start..self.end).map(|byte| (self.room, byte)).collect()
    }

    fn meets(self, other: Self) -> bool {
        !self.bytes().is_disjoint(&other.bytes())
    }
}

#[derive(Clone, Debug)]
pub struct Step {
    pub statement: u32,
    pub reads: Vec<Span>,
    pub writes: Vec<Span>,
    pub overwrites: bool,
    pub demands: bool,
    pub decides: bool,
}

impl Step {
    fn random(random: &mut Random) -> Self {
        let mut spans = |most: u32| (0..random.below(most + 1)).map(|_| Span::random(random)).collect();
        let (reads, writes) = (spans(3), spans(2));
        let statement = random.below(STATEMENTS);
        Self {
            statement,
            reads,
            writes,
            overwrites: random.percent(60),
            demands: random.percent(15),
            // One of the statements is a branch.
            decides: statement == 0,
        }
    }

    /// Whether nothing of what was there is left.
    fn replaces(&self, span: Span) -> bool {
        let whole = |write: &Span| write.room != POINTED && write.bytes().is_superset(&span.bytes());
        self.overwrites && self.writes.iter().any(whole)
    }
}

pub fn random_trace(random: &mut Random) -> Vec<Step> {
    (0..random.below(14)).map(|_| Step::random(random)).collect()
}

/// Some of the statements, in order.
pub fn random_statements(random: &mut Random) -> Vec<u32> {
    (0..STATEMENTS).filter(|_| random.percent(30)).collect()
}

/// The statements that what is asked of the trace can depend on.
pub fn slice(trace: &[Step]) -> BTreeSet<u32> {
    let is_read = |writer: usize, reader: usize| {
        trace[reader].reads.iter().any(|read| {
            let still_there = !trace[writer + 1..reader].iter().any(|between| between.replaces(*read));
            still_there && trace[writer].writes.iter().any(|write| write.meets(*read))
        })
    };
    let mut matters: BTreeSet<usize> = (0..trace.len()).filter(|step| trace[*step].demands).collect();
    loop {
        let before = matters.len();
        for writer in 0..trace.len() {
            if (writer + 1..trace.len()).any(|reader| matters.contains(&reader) && is_read(writer, reader)) {
                matters.insert(writer);
            }
        }
        if matters.len() == before {
            return matters.into_iter().map(|step| trace[step].statement).collect();
        }
    }
}

/// The statements that make something of what these make.
pub fn transitive(trace: &[Step], statements: &[u32]) -> BTreeSet<u32> {
    let is_one = |step: usize| statements.contains(&trace[step].statement);
    let mut wrong: Vec<bool> = Vec::new();
    for reader in 0..trace.len() {
        let is_right = |step: usize| !wrong[step] && !is_one(step);
        let arrives = |writer: usize, write: Span| {
            let is_lost = (writer + 1..reader).any(|step| is_right(step) && trace[step].replaces(write));
            !is_lost && trace[reader].reads.iter().any(|read| read.meets(write))
        };
        let uses = (0..reader)
            .any(|writer| wrong[writer] && trace[writer].writes.iter().any(|write| arrives(writer, *write)));
        wrong.push(if is_one(reader) { !trace[reader].decides } else { uses });
    }
    let told = (0..trace.len()).filter(|step| wrong[*step] && !is_one(*step));
    told.filter(|step| !trace[*step].writes.is_empty()).map(|step| trace[step].statement).collect()
}
