//! Reading failing traces once more, to tell all that is odd about each.
//!
//! The paper's result is a list of tuples: a counterexample and all the anomalies that occur in it
//! (Section 4.2, step 3). While logs stream by nobody knows yet what will be an anomaly, so the few
//! traces that are to be told are read again.

use std::collections::{HashMap, VecDeque};

use graph::{Interrupt, Watch};
use rustc_hash::FxBuildHasher;

use crate::error::Error;
use crate::events::Interner;
use crate::options::Options;
use crate::parser::splits_traces;
use crate::pipeline::{Go, Reading, read};
use crate::source::Source;
use crate::windows::{EventPlace, Sink, Substrings, Trace, Tracker};

/// A failing trace in which an anomaly occurs earlier than in any other.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The name of the trace: that of its log where every log is one trace.
    pub name: String,
    /// The log in which it begins.
    pub log: String,
    pub length: u64,
    /// Ranks of the listed anomalies that occur in it, ascending.
    pub anomalies: Vec<u64>,
    /// By their ranks, how far behind the start of what explains the failure anomalies occur first, if they
    /// do.
    pub(crate) distances: Vec<(u64, u64)>,
}

/// What is to be told.
pub(crate) struct Wanted<'a> {
    /// Traces by their keys, in the order in which to tell them.
    pub(crate) traces: &'a [u64],
    /// Ranks of substrings.
    pub(crate) ranks: &'a HashMap<u32, u64, FxBuildHasher>,
    /// By number, which events are a start of what explains the failure.
    pub(crate) starts: &'a [bool],
}

struct Told<'a> {
    wanted: &'a Wanted<'a>,
    traces: HashMap<u64, Heard, FxBuildHasher>,
}

/// What was heard of one trace.
#[derive(Clone, Default)]
struct Heard {
    ranks: Vec<u64>,
    distances: Vec<(u64, u64)>,
    /// Where the last starts are, the last one first; those that can lie inside a substring and one more.
    starts: VecDeque<u64>,
}

impl Sink for Told<'_> {
    fn event(&mut self, trace: &Trace, event: u32) {
        if self.wanted.starts.get(event as usize) == Some(&true)
            && let Some(heard) = self.traces.get_mut(&trace.key)
        {
            heard.starts.push_front(trace.events);
            heard.starts.truncate(Options::LONGEST + 1);
        }
    }

    fn window(&mut self, trace: &Trace, substring: u32, place: EventPlace) {
        if let Some(heard) = self.traces.get_mut(&trace.key)
            && let Some(rank) = self.wanted.ranks.get(&substring)
            && !heard.ranks.contains(rank)
        {
            heard.ranks.push(*rank);
            let distance = heard.starts.iter().find_map(|start| place.position.checked_sub(*start));
            heard.distances.extend(distance.map(|distance| (*rank, distance)));
        }
    }

    fn end(&mut self, _: &Trace) {}
}

/// Tells the wanted traces; `first` followed them when they were read before.
pub(crate) fn retell(
    wanted: &Wanted<'_>,
    first: &Tracker,
    sources: &[Source],
    options: &Options,
    events: &mut Interner,
    substrings: &mut Substrings,
    watch: &dyn Watch,
) -> Result<(Vec<Counterexample>, Option<Interrupt>), Error> {
    let splits = splits_traces(options);
    let range = |key: &u64| match first.find(*key) {
        Some(trace) => trace.first_source..=trace.last_source,
        None => *key as u32..=*key as u32,
    };
    let mut chosen: Vec<u32> = wanted.traces.iter().flat_map(range).collect();
    chosen.sort_unstable();
    chosen.dedup();
    let mut asked: Vec<u64> = if splits { wanted.traces.to_vec() } else { Vec::new() };
    asked.sort_unstable();
    let length = substrings.length();
    let mut tracker = Tracker::new(length, splits, options.order);
    let mut told = Told { wanted, traces: HashMap::default() };
    told.traces.extend(wanted.traces.iter().map(|key| (*key, Heard::default())));
    let mut names: HashMap<u64, String, FxBuildHasher> = HashMap::default();
    let mut lengths: HashMap<u64, u64, FxBuildHasher> = HashMap::default();
    let phase = "reading failing traces again";
    let reading = Reading { sources, chosen: &chosen, options, asked: &asked, phase };
    let (_, interrupt) = read(&reading, events, watch, |batch| {
        if !splits {
            *lengths.entry(u64::from(batch.source)).or_default() += batch.parsed.events.len() as u64;
        }
        for (key, name) in &batch.parsed.trace_names {
            names.entry(*key).or_insert_with(|| name.clone());
        }
        tracker.feed(batch, substrings, &mut told)?;
        // Whoever is followed to the end need not be looked for any longer.
        let is_over = |key: &u64| {
            tracker.find(*key).zip(first.find(*key)).is_some_and(|(now, then)| now.events >= then.events)
        };
        Ok(if splits && wanted.traces.iter().all(is_over) { Go::Stop } else { Go::On })
    })?;
    let tell = |key: &u64| {
        let source = first.find(*key).map_or(*key as u32, |trace| trace.first_source);
        let log = sources.get(source as usize).map(|source| source.name.clone()).unwrap_or_default();
        let Heard { ranks: mut anomalies, distances, .. } = told.traces.get(key).cloned().unwrap_or_default();
        anomalies.sort_unstable();
        let length = match first.find(*key) {
            Some(trace) => trace.events,
            None => lengths.get(key).copied().unwrap_or_default(),
        };
        let name = names.get(key).unwrap_or(&log).clone();
        Counterexample { name, log, length, anomalies, distances }
    };
    Ok((wanted.traces.iter().map(tell).collect(), interrupt))
}
