//! Substrings of a fixed length, numbered, while events of many traces come in.
//!
//! Sliding a window over a trace (Definition 3 of Leue and Befrouei) gives its substrings. A substring is
//! known by a number: that of its front part and its last event, looked up in a table, and the front part
//! in turn by another table. So keys are always two numbers, whatever the length, and a trace needs to
//! remember only the numbers of the substrings that end at its last event.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use crate::error::Error;
use crate::options::Order;
use crate::pipeline::Batch;

/// Numbers for substrings.
#[derive(Debug)]
pub(crate) struct Substrings {
    length: usize,
    /// For two events, three, and so on.
    tables: Vec<Table>,
}

#[derive(Debug, Default)]
struct Table {
    numbers: HashMap<u64, u32, FxBuildHasher>,
    keys: Vec<u64>,
}

impl Table {
    #[inline]
    fn number(&mut self, front: u32, event: u32) -> Result<u32, Error> {
        let key = u64::from(front) << 32 | u64::from(event);
        if let Some(number) = self.numbers.get(&key) {
            return Ok(*number);
        }
        let number = u32::try_from(self.keys.len()).ok().filter(|number| *number < NONE);
        let number = number.ok_or(Error::TooMany("substrings"))?;
        self.numbers.insert(key, number);
        self.keys.push(key);
        Ok(number)
    }
}

impl Substrings {
    pub(crate) fn new(length: usize) -> Self {
        Self { length, tables: (1..length).map(|_| Table::default()).collect() }
    }

    /// How many events a substring has.
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// How many different ones there are of full length, where that is more than one event.
    pub(crate) fn len(&self) -> Option<usize> {
        self.tables.last().map(|table| table.keys.len())
    }

    /// The events of a substring.
    pub(crate) fn events(&self, number: u32) -> Vec<u32> {
        let mut events = Vec::with_capacity(self.length);
        let mut number = number;
        for table in self.tables.iter().rev() {
            let key = table.keys[number as usize];
            events.push(key as u32);
            number = (key >> 32) as u32;
        }
        events.push(number);
        events.reverse();
        events
    }
}

/// Stands for no substring.
const NONE: u32 = u32::MAX;

/// Where something occurs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EventPlace {
    /// The number of the event in its trace, counted from 1.
    pub(crate) position: u64,
    pub(crate) source: u32,
    pub(crate) line: u64,
}

/// A substring that ends at the last event of a sequence, and where it begins.
#[derive(Clone, Copy, Debug)]
struct Slot {
    number: u32,
    place: EventPlace,
}

impl Slot {
    const EMPTY: Self = Self { number: NONE, place: EventPlace { position: 0, source: 0, line: 0 } };
}

/// A trace that events come in for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trace {
    /// Different for different traces: the fingerprint of its name, or the number of its log.
    pub(crate) key: u64,
    /// From 0, in the order in which the traces begin.
    pub(crate) number: u32,
    pub(crate) events: u64,
    pub(crate) first_source: u32,
    pub(crate) last_source: u32,
    /// How many events of any trace came before its first.
    pub(crate) born: u64,
}

/// Who wants to know.
pub(crate) trait Sink {
    fn event(&mut self, trace: &Trace, event: u32);
    fn window(&mut self, trace: &Trace, substring: u32, place: EventPlace);
    /// No more events of this trace will come; only told of traces that are logs.
    fn end(&mut self, trace: &Trace);
}

/// Follows traces as their events come in.
#[derive(Debug)]
pub(crate) struct Tracker {
    /// Whether a log can hold several traces.
    splits: bool,
    order: Order,
    length: usize,
    numbers: HashMap<u64, u32, FxBuildHasher>,
    /// All traces if they may come back, or else the current one.
    traces: Vec<Trace>,
    lanes: HashMap<(u32, u64), u32, FxBuildHasher>,
    /// Of each sequence in which windows slide: one less than the length.
    slots: Vec<Slot>,
    /// How many events came in, of how many traces, and the most of one.
    pub(crate) events: u64,
    pub(crate) trace_count: u64,
    pub(crate) longest: u64,
}

impl Tracker {
    pub(crate) fn new(length: usize, splits: bool, order: Order) -> Self {
        Self {
            splits,
            order,
            length,
            numbers: HashMap::default(),
            traces: Vec::new(),
            lanes: HashMap::default(),
            slots: Vec::new(),
            events: 0,
            trace_count: 0,
            longest: 0,
        }
    }

    /// A trace that was followed, by its key; only where logs are split into traces.
    pub(crate) fn find(&self, key: u64) -> Option<&Trace> {
        self.traces.get(*self.numbers.get(&key)? as usize)
    }

    /// Goes on by the events of a block.
    pub(crate) fn feed(
        &mut self,
        batch: &Batch<'_>,
        substrings: &mut Substrings,
        sink: &mut impl Sink,
    ) -> Result<(), Error> {
        let parsed = batch.parsed;
        let mut current = None;
        for (at, event) in parsed.events.iter().enumerate() {
            let event = batch.numbers[*event as usize];
            let key = if self.splits { parsed.traces[at] } else { u64::from(batch.source) };
            let index = match current {
                Some((known, index)) if known == key => index,
                _ => self.trace(key, batch.source)?,
            };
            current = Some((key, index));
            let process = if self.order == Order::Process { parsed.processes[at] } else { 0 };
            let lane = self.lane(index, process)?;
            self.events += 1;
            let trace = &mut self.traces[index];
            trace.events += 1;
            trace.last_source = batch.source;
            self.longest = self.longest.max(trace.events);
            let trace = *trace;
            let line = batch.first_line + u64::from(parsed.lines[at]);
            let place = EventPlace { position: trace.events, source: batch.source, line };
            sink.event(&trace, event);
            let slots = &mut self.slots[lane * (self.length - 1)..(lane + 1) * (self.length - 1)];
            slide(slots, event, place, substrings, |number, place| sink.window(&trace, number, place))?;
        }
        if batch.last && !self.splits {
            if let Some(trace) = self.traces.pop() {
                sink.end(&trace);
            }
            self.lanes.clear();
            self.slots.clear();
        }
        Ok(())
    }

    /// The place of a trace among those followed.
    fn trace(&mut self, key: u64, source: u32) -> Result<usize, Error> {
        if !self.splits && !self.traces.is_empty() {
            return Ok(0);
        }
        if self.splits
            && let Some(index) = self.numbers.get(&key)
        {
            return Ok(*index as usize);
        }
        let number = u32::try_from(self.trace_count).ok().filter(|number| *number < NONE);
        let number = number.ok_or(Error::TooMany("traces"))?;
        let born = self.events;
        self.trace_count += 1;
        self.traces.push(Trace { key, number, events: 0, first_source: source, last_source: source, born });
        if self.splits {
            self.numbers.insert(key, number);
        }
        Ok(self.traces.len() - 1)
    }

    /// The sequence in which a trace's window slides.
    #[inline]
    fn lane(&mut self, trace: usize, process: u64) -> Result<usize, Error> {
        let width = self.length - 1;
        let lane = match self.order {
            Order::Trace => trace,
            Order::Process => {
                let fresh = u32::try_from(self.lanes.len()).map_err(|_| Error::TooMany("processes"))?;
                *self.lanes.entry((trace as u32, process)).or_insert(fresh) as usize
            }
        };
        if self.slots.len() < (lane + 1) * width {
            self.slots.resize((lane + 1) * width, Slot::EMPTY);
        }
        Ok(lane)
    }
}

/// Moves a window on by one event.
#[inline]
fn slide(
    slots: &mut [Slot],
    event: u32,
    place: EventPlace,
    substrings: &mut Substrings,
    found: impl FnOnce(u32, EventPlace),
) -> Result<(), Error> {
    let Some(longest) = slots.len().checked_sub(1) else {
        found(event, place);
        return Ok(());
    };
    // From the longest down: each grows out of the next shorter one as it was before.
    let front = slots[longest];
    if front.number != NONE {
        found(substrings.tables[longest].number(front.number, event)?, front.place);
    }
    for shorter in (0..longest).rev() {
        let front = slots[shorter];
        if front.number != NONE {
            let number = substrings.tables[shorter].number(front.number, event)?;
            slots[shorter + 1] = Slot { number, place: front.place };
        }
    }
    slots[0] = Slot { number: event, place };
    Ok(())
}
