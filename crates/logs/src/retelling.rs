//! Reading failing traces once more, to tell all that is odd about each.
//!
//! The paper's result is a list of tuples: a counterexample and all the anomalies that occur in it
//! (Section 4.2, step 3). While logs stream by nobody knows yet what will be an anomaly, so the few
//! traces that are to be told are read again.

use std::collections::HashMap;

use graph::{Interrupt, Watch};
use rustc_hash::FxBuildHasher;

use crate::error::Error;
use crate::events::Interner;
use crate::options::Options;
use crate::parser::splits_traces;
use crate::pipeline::{Go, Reading, read};
use crate::source::Source;
use crate::windows::{Place, Sink, Substrings, Trace, Tracker};

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
}

/// What is to be told.
pub(crate) struct Wanted<'a> {
    /// Traces by their keys, in the order in which to tell them.
    pub(crate) traces: &'a [u64],
    /// Ranks of substrings.
    pub(crate) ranks: &'a HashMap<u32, u64, FxBuildHasher>,
}

struct Told<'a> {
    ranks: &'a HashMap<u32, u64, FxBuildHasher>,
    traces: HashMap<u64, Vec<u64>, FxBuildHasher>,
}

impl Sink for Told<'_> {
    fn event(&mut self, _: &Trace, _: u32) {}

    fn window(&mut self, trace: &Trace, substring: u32, _: Place) {
        if let Some(ranks) = self.traces.get_mut(&trace.key)
            && let Some(rank) = self.ranks.get(&substring)
            && !ranks.contains(rank)
        {
            ranks.push(*rank);
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
    let mut told = Told { ranks: wanted.ranks, traces: HashMap::default() };
    told.traces.extend(wanted.traces.iter().map(|key| (*key, Vec::new())));
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
        let mut anomalies = told.traces.get(key).cloned().unwrap_or_default();
        anomalies.sort_unstable();
        let length = match first.find(*key) {
            Some(trace) => trace.events,
            None => lengths.get(key).copied().unwrap_or_default(),
        };
        Counterexample { name: names.get(key).unwrap_or(&log).clone(), log, length, anomalies }
    };
    Ok((wanted.traces.iter().map(tell).collect(), interrupt))
}
