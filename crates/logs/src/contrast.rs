//! What failing traces have and passing traces do not, from logs alone.
//!
//! After Leue and Befrouei, Section 4: the substrings of failing traces minus those of passing traces,
//! each with the failing trace in which it occurs earliest, ranked by how early that is. Two events
//! first; three only where two find nothing. Beyond the paper: in how many traces a substring occurs, and
//! which substrings occur in the same failing traces, since several causes show as several groups.
//!
//! Passing traces are read first. That gives every event of a passing trace a lower number than all that
//! only failing traces have.

use std::cmp::Reverse;
use std::collections::HashMap;

use graph::{Interrupt, Watch};
use rustc_hash::FxBuildHasher;

use crate::count::Counts;
use crate::error::Error;
use crate::events::{Event, Interner};
use crate::options::Options;
use crate::parser::splits_traces;
use crate::patterns::{self, Pattern, Patterns};
use crate::pipeline::{Go, Quality, Reading, read};
use crate::retelling::{Counterexample, Wanted, retell};
use crate::source::{Side, Source};
use crate::windows::{Substrings, Tracker};

/// The lengths that are tried where none is asked for.
const LENGTHS: [usize; 2] = [2, 3];
/// How many failing traces are told with all their anomalies.
const MOST_COUNTEREXAMPLES: usize = 20;

/// One set of traces.
#[derive(Clone, Debug, Default)]
pub struct SetSummary {
    pub traces: u64,
    pub events: u64,
    pub longest: u64,
    pub quality: Quality,
}

/// A substring that failing traces have and passing traces do not.
#[derive(Clone, Debug)]
pub struct Anomaly {
    /// From 1: the earlier in a failing trace, the lower.
    pub rank: u64,
    pub events: Vec<Event>,
    /// Of each event: whether no passing trace has it at all.
    pub unheard: Vec<bool>,
    /// Where it occurs earliest: the number of its first event in the trace, from 1.
    pub position: u64,
    pub log: String,
    pub line: u64,
    /// Which of the counterexamples that is; none where not all are told.
    pub counterexample: Option<usize>,
    /// Equation (6): one minus the distance from the start of what explains the failure, by the length of that
    /// trace. None where no start was named, or none comes before it there.
    pub score: Option<f64>,
    /// In how many traces it occurs.
    pub failing: u64,
    pub passing: u64,
    /// Which of the groups it belongs to.
    pub group: usize,
}

/// Anomalies that occur in exactly the same failing traces.
#[derive(Clone, Debug)]
pub struct Group {
    /// How many traces.
    pub traces: u64,
    /// How many anomalies, listed or not.
    pub count: u64,
    /// Ranks of those that are listed, ascending.
    pub anomalies: Vec<u64>,
}

#[derive(Clone, Debug)]
pub struct Contrast {
    pub length: usize,
    pub passing: SetSummary,
    pub failing: SetSummary,
    /// How many anomalies there are.
    pub count: u64,
    /// The first of them, by rank.
    pub anomalies: Vec<Anomaly>,
    /// Those that most failing traces share first.
    pub groups: Vec<Group>,
    pub counterexamples: Vec<Counterexample>,
    /// Sequential patterns; none where nobody asked.
    pub patterns: Option<Patterns<Event>>,
    pub distinct_events: u64,
    pub distinct_substrings: u64,
    /// Traces that lasted so long that their support may count twice.
    pub recounted: u64,
    /// Why not everything was read.
    pub interrupt: Option<Interrupt>,
}

/// Compares two sets of logs.
///
/// # Errors
/// If a log cannot be read at all, or a set has no events. Lines that cannot be read are counted.
pub fn contrast(
    passing: &[Source],
    failing: &[Source],
    options: &Options,
    watch: &dyn Watch,
) -> Result<Contrast, Error> {
    let asked = options.length.map(|length| [length.clamp(1, Options::LONGEST)]);
    let lengths = asked.as_ref().map_or(&LENGTHS[..], |asked| &asked[..]);
    let mut found = None;
    for length in lengths {
        let contrast = of_length(*length, passing, failing, options, watch)?;
        let enough = contrast.count > 0 || contrast.interrupt.is_some();
        found = Some(contrast);
        if enough {
            break;
        }
    }
    found.ok_or(Error::Broken)
}

/// Everything that is read, and what was read of each set.
struct Data {
    events: Interner,
    substrings: Substrings,
    counts: Counts,
    interrupt: Option<Interrupt>,
}

impl Data {
    fn read(
        &mut self,
        side: Side,
        sources: &[Source],
        options: &Options,
        watch: &dyn Watch,
    ) -> Result<(Tracker, SetSummary), Error> {
        let phase = match side {
            Side::Passing => "reading passing traces",
            Side::Failing => "reading failing traces",
        };
        let chosen: Vec<u32> = (0..sources.len()).filter_map(|at| u32::try_from(at).ok()).collect();
        let mut tracker = Tracker::new(self.substrings.length(), splits_traces(options), options.order);
        let reading = Reading { sources, chosen: &chosen, options, asked: &[], phase };
        let (quality, interrupt) = read(&reading, &mut self.events, watch, |batch| {
            tracker.feed(batch, &mut self.substrings, &mut self.counts)?;
            Ok(Go::On)
        })?;
        self.interrupt = interrupt;
        if tracker.events == 0 && interrupt.is_none() {
            return Err(Error::NoEvents { side, why: why_empty(&quality) });
        }
        let Tracker { trace_count: traces, events, longest, .. } = tracker;
        Ok((tracker, SetSummary { traces, events, longest, quality }))
    }

    fn event(&self, number: u32) -> Event {
        Event::of_key(self.events.get(number))
    }
}

/// What was wrong with logs that have no events.
fn why_empty(quality: &Quality) -> String {
    if let Some((log, damage)) = quality.damaged.first() {
        return format!(": {log}: {damage}");
    }
    match quality.examples.first() {
        Some(broken) => format!(
            ": of {} lines {} are not records; {}:{}: {}",
            quality.lines, quality.broken, broken.log, broken.line, broken.reason
        ),
        None => String::new(),
    }
}

fn of_length(
    length: usize,
    passing: &[Source],
    failing: &[Source],
    options: &Options,
    watch: &dyn Watch,
) -> Result<Contrast, Error> {
    let mut data = Data {
        events: Interner::default(),
        substrings: Substrings::new(length),
        counts: Counts::new(splits_traces(options)),
        interrupt: None,
    };
    let (_, passing_set) = data.read(Side::Passing, passing, options, watch)?;
    let heard = data.events.len();
    let mut contrast = Contrast {
        length,
        passing: passing_set,
        failing: SetSummary::default(),
        count: 0,
        anomalies: Vec::new(),
        groups: Vec::new(),
        counterexamples: Vec::new(),
        patterns: None,
        distinct_events: 0,
        distinct_substrings: 0,
        recounted: 0,
        interrupt: data.interrupt,
    };
    // What some passing traces lack, others that were not read may have.
    if data.interrupt.is_none() {
        data.counts.turn(contrast.passing.traces);
        let (tracker, failing_set) = data.read(Side::Failing, failing, options, watch)?;
        contrast.failing = failing_set;
        contrast.interrupt = data.interrupt;
        let numbers = ranked(&data.counts, options, contrast.passing.traces);
        list(&mut contrast, &numbers, &data, failing, heard, options.most_anomalies);
        if contrast.interrupt.is_none() {
            tell(&mut contrast, &numbers, &tracker, &mut data, failing, options, watch)?;
        }
        if contrast.interrupt.is_none() {
            mine(&mut contrast, &mut data, options, watch);
        }
    }
    contrast.distinct_events = data.events.len() as u64;
    contrast.distinct_substrings = data.substrings.len().unwrap_or(data.events.len()) as u64;
    contrast.recounted = data.counts.recounted.len() as u64;
    Ok(contrast)
}

/// The anomalies by rank: those first that occur early, and of these those that many traces have.
fn ranked(counts: &Counts, options: &Options, passing_traces: u64) -> Vec<u32> {
    let tolerated = (passing_traces as f64 * options.tolerance / 100.0).floor() as u64;
    let is_anomaly = |number: &u32| u64::from(counts.passing(*number)) <= tolerated;
    let mut numbers: Vec<u32> = counts.all_failing().filter(is_anomaly).collect();
    numbers.sort_unstable_by_key(|number| {
        let failing = counts.failing(*number);
        let place = failing.place;
        (place.position, Reverse(failing.support), place.source, place.line, *number)
    });
    numbers
}

/// Lists the first anomalies and groups all of them.
fn list(
    contrast: &mut Contrast,
    numbers: &[u32],
    data: &Data,
    sources: &[Source],
    heard: usize,
    most: usize,
) {
    contrast.count = numbers.len() as u64;
    let mut groups: HashMap<(u32, u64), usize, FxBuildHasher> = HashMap::default();
    for (at, number) in numbers.iter().enumerate() {
        let failing = data.counts.failing(*number);
        let fresh = groups.len();
        let group = *groups.entry((failing.support, failing.signature)).or_insert(fresh);
        if group == fresh {
            let traces = u64::from(failing.support);
            contrast.groups.push(Group { traces, count: 0, anomalies: Vec::new() });
        }
        contrast.groups[group].count += 1;
        if at >= most {
            continue;
        }
        let rank = at as u64 + 1;
        contrast.groups[group].anomalies.push(rank);
        let events = data.substrings.events(*number);
        let log = sources.get(failing.place.source as usize).map(|source| source.name.clone());
        contrast.anomalies.push(Anomaly {
            rank,
            unheard: events.iter().map(|event| *event as usize >= heard).collect(),
            events: events.iter().map(|event| data.event(*event)).collect(),
            position: failing.place.position,
            log: log.unwrap_or_default(),
            line: failing.place.line,
            counterexample: None,
            score: None,
            failing: u64::from(failing.support),
            passing: u64::from(data.counts.passing(*number)),
            group,
        });
    }
    // Groups are numbered as they were met; the stable sort leaves those of equal size in that order.
    let mut order: Vec<usize> = (0..contrast.groups.len()).collect();
    order.sort_by_key(|group| Reverse(contrast.groups[*group].traces));
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(to, from)| place[*from] = to);
    contrast.anomalies.iter_mut().for_each(|anomaly| anomaly.group = place[anomaly.group]);
    contrast.groups.sort_by_key(|group| Reverse(group.traces));
}

/// Reads the traces of the foremost anomalies again.
fn tell(
    contrast: &mut Contrast,
    numbers: &[u32],
    tracker: &Tracker,
    data: &mut Data,
    sources: &[Source],
    options: &Options,
    watch: &dyn Watch,
) -> Result<(), Error> {
    let listed = &numbers[..contrast.anomalies.len()];
    let trace_of = |number: u32, counts: &Counts| counts.failing(number).trace;
    // The best of every group comes before more of the first.
    let best = contrast.groups.iter().filter_map(|group| group.anomalies.first());
    let best = best.filter_map(|rank| listed.get(*rank as usize - 1)).take(MOST_COUNTEREXAMPLES / 2);
    let mut traces: Vec<u64> = Vec::new();
    for number in best.chain(listed) {
        let trace = trace_of(*number, &data.counts);
        if !traces.contains(&trace) && traces.len() < MOST_COUNTEREXAMPLES {
            traces.push(trace);
        }
    }
    if traces.is_empty() {
        return Ok(());
    }
    let ranks: HashMap<u32, u64, FxBuildHasher> = listed.iter().copied().zip(1..).collect();
    let is_start = |number: u32| {
        options.start.as_ref().is_some_and(|start| {
            let Event { process, action } = data.event(number);
            action.contains(start) || process.is_some_and(|process| process.contains(start))
        })
    };
    let starts: Vec<bool> = match options.start {
        Some(_) => (0..data.events.len() as u32).map(is_start).collect(),
        None => Vec::new(),
    };
    let wanted = Wanted { traces: &traces, ranks: &ranks, starts: &starts };
    let Data { events, substrings, .. } = data;
    let (told, interrupt) = retell(&wanted, tracker, sources, options, events, substrings, watch)?;
    for (anomaly, number) in contrast.anomalies.iter_mut().zip(listed) {
        let trace = trace_of(*number, &data.counts);
        anomaly.counterexample = traces.iter().position(|told| *told == trace);
        anomaly.score = anomaly.counterexample.and_then(|at| {
            let Counterexample { length, distances, .. } = told.get(at)?;
            let (_, distance) = distances.iter().find(|(rank, _)| *rank == anomaly.rank)?;
            Some(1.0 - *distance as f64 / *length as f64)
        });
    }
    contrast.counterexamples = told;
    contrast.interrupt = interrupt;
    Ok(())
}

/// Looks for sequential patterns in some of the traces.
fn mine(contrast: &mut Contrast, data: &mut Data, options: &Options, watch: &dyn Watch) {
    if options.pattern_length < 2 {
        return;
    }
    let samples = std::mem::replace(&mut data.counts.samples, [(); 2].map(|()| crate::sample::Sample::new()));
    let [passing, failing] = samples.map(crate::sample::Sample::into_traces);
    let wanted =
        patterns::Wanted { length: options.pattern_length, support: options.pattern_support / 100.0 };
    let (mut found, interrupt) = patterns::find(&failing, &passing, wanted, watch);
    found.patterns.sort_by(|one, other| {
        let by_text = |pattern: &Pattern<u32>| {
            pattern.events.iter().map(|event| data.events.get(*event).to_vec()).collect::<Vec<_>>()
        };
        patterns::by_contrast(one, other).then_with(|| by_text(one).cmp(&by_text(other)))
    });
    contrast.patterns = Some(found.map(|event| data.event(event)));
    contrast.interrupt = interrupt;
}
