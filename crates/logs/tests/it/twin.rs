//! Counting against a naive twin that writes every window down, on random traces in random files.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

use graph::Unwatched;
use logs::{Contrast, Fields, Options, Order, Source, contrast, patterns};
use testkit::naive_contrast::{self, Trace};
use testkit::random::{Random, for_random_inputs};

/// Few events, so that substrings come again.
fn random_traces(random: &mut Random, events: u32) -> Vec<Trace> {
    let traces = random.between(1, 6);
    let length = random.between(1, 12);
    (0..traces)
        .map(|_| {
            let own = random.between(1, length);
            (0..own).map(|_| format!("event {}", char::from(b'g' + random.below(events) as u8))).collect()
        })
        .collect()
}

fn options(random: &mut Random, length: usize) -> Options {
    let threads = NonZeroUsize::new(random.between(1, 3) as usize).unwrap();
    let start = Some(START.to_owned());
    Options { length: Some(length), threads, pattern_length: 0, start, ..Options::default() }
}

/// The event from which anomalies are scored.
const START: &str = "event h";

/// Every trace a file of its own, one event a line.
fn as_files(traces: &[Trace]) -> Vec<Source> {
    let text = |trace: &Trace| trace.iter().map(|event| format!("{event}\n")).collect::<String>();
    let named = traces.iter().enumerate();
    named.map(|(at, trace)| Source::of_bytes(&format!("{at}.log"), text(trace).into_bytes())).collect()
}

/// All traces shuffled into one another, spread over some files.
fn as_records(random: &mut Random, traces: &[Trace]) -> Vec<Source> {
    let mut at = vec![0; traces.len()];
    let mut files = vec![String::new()];
    loop {
        let open: Vec<usize> = (0..traces.len()).filter(|trace| at[*trace] < traces[*trace].len()).collect();
        if open.is_empty() {
            break;
        }
        let trace = open[random.below(open.len() as u32) as usize];
        let line = format!("{{\"id\":{trace},\"event\":{:?}}}\n", traces[trace][at[trace]]);
        files.last_mut().unwrap().push_str(&line);
        at[trace] += 1;
        if random.percent(10) {
            files.push(String::new());
        }
    }
    files.retain(|file| !file.is_empty());
    let named = files.into_iter().enumerate();
    named.map(|(at, text)| Source::of_bytes(&format!("{at}.jsonl"), text.into_bytes())).collect()
}

fn assert_as_naive(found: &Contrast, failing: &[Trace], passing: &[Trace], length: usize) {
    let mut expected = naive_contrast::substrings(failing, passing, length);
    expected.retain(|_, found| found.passing == 0);
    assert_eq!(found.count, expected.len() as u64);
    assert_eq!(found.anomalies.len(), expected.len());
    let heard: BTreeSet<&String> = passing.iter().flatten().collect();
    let mut groups: BTreeMap<usize, BTreeSet<BTreeSet<usize>>> = BTreeMap::new();
    let mut last = 0;
    for anomaly in &found.anomalies {
        let events: Trace = anomaly.events.iter().map(|event| event.action.clone()).collect();
        let twin = &expected[&events];
        assert_eq!((anomaly.failing as usize, anomaly.passing), (twin.failing, 0), "{events:?}");
        assert_eq!(anomaly.position as usize, twin.position, "{events:?}");
        assert!(anomaly.position >= last, "ranked by position");
        last = anomaly.position;
        let unheard: Vec<bool> = events.iter().map(|event| !heard.contains(event)).collect();
        assert_eq!(anomaly.unheard, unheard);
        groups.entry(anomaly.group).or_default().insert(twin.traces.clone());
    }
    // One group, one set of traces; and the other way round.
    assert!(groups.values().all(|sets| sets.len() == 1));
    let different: BTreeSet<&BTreeSet<usize>> = expected.values().map(|found| &found.traces).collect();
    assert_eq!(found.groups.len(), different.len());
    assert_eq!(found.failing.traces as usize, failing.len());
    assert_eq!(found.passing.events as usize, passing.iter().map(Vec::len).sum::<usize>());
    // What is told of whole traces is what they contain.
    for (index, told) in found.counterexamples.iter().enumerate() {
        let number: usize = told.name.trim_end_matches(".log").parse().unwrap();
        let trace = &failing[number];
        assert_eq!(told.length as usize, trace.len());
        let expected: Vec<u64> = found
            .anomalies
            .iter()
            .filter(|anomaly| {
                let events: Trace = anomaly.events.iter().map(|event| event.action.clone()).collect();
                trace.windows(length).any(|window| window == &events[..])
            })
            .map(|anomaly| anomaly.rank)
            .collect();
        assert_eq!(told.anomalies, expected);
        for anomaly in found.anomalies.iter().filter(|anomaly| anomaly.counterexample == Some(index)) {
            let at = anomaly.position as usize - 1;
            let events: Trace = anomaly.events.iter().map(|event| event.action.clone()).collect();
            assert_eq!(trace[at..at + length], events[..]);
            let start = trace[..=at].iter().rposition(|event| event == START);
            let score = start.map(|start| 1.0 - (at - start) as f64 / trace.len() as f64);
            assert_eq!(anomaly.score, score);
        }
    }
}

#[test]
fn anomalies_of_files_are_those_of_the_definition() {
    for_random_inputs(300, |random| {
        let (failing, passing) = (random_traces(random, 4), random_traces(random, 4));
        let length = random.between(1, 4) as usize;
        let options = options(random, length);
        let found = contrast(&as_files(&passing), &as_files(&failing), &options, &Unwatched).unwrap();
        assert_as_naive(&found, &failing, &passing, length);
        // Where a file is a trace, the place that is told can be looked up.
        for anomaly in &found.anomalies {
            assert_eq!(anomaly.line, anomaly.position);
        }
    });
}

#[test]
fn interleaved_traces_are_told_apart() {
    for_random_inputs(300, |random| {
        let (failing, passing) = (random_traces(random, 4), random_traces(random, 4));
        let length = random.between(1, 4) as usize;
        let fields = Fields { trace: Some("id".to_owned()), ..Fields::default() };
        let options = Options { fields, ..options(random, length) };
        let (good, bad) = (as_records(random, &passing), as_records(random, &failing));
        let found = contrast(&good, &bad, &options, &Unwatched).unwrap();
        assert_as_naive(&found, &failing, &passing, length);
    });
}

#[test]
fn the_sequences_of_processes_are_traces_of_their_own() {
    for_random_inputs(150, |random| {
        let mut sets = [(); 2].map(|()| (Vec::new(), Vec::new()));
        for (sources, lanes) in &mut sets {
            let count = random.between(1, 4);
            for number in 0..count {
                let mut own = [Vec::new(), Vec::new()];
                let mut text = String::from("who;event\n");
                for _ in 0..random.between(2, 12) {
                    let (process, event) = (random.below(2) as usize, random.below(3));
                    text.push_str(&format!("p{process};e{event}\n"));
                    own[process].push(format!("p{process} e{event}"));
                }
                sources.push(Source::of_bytes(&format!("{number}.csv"), text.into_bytes()));
                lanes.push(own);
            }
        }
        let [(good, good_lanes), (bad, bad_lanes)] = sets;
        let fields = Fields { process: Some("who".to_owned()), ..Fields::default() };
        let options = Options { fields, order: Order::Process, ..options(random, 2) };
        let found = contrast(&good, &bad, &options, &Unwatched).unwrap();
        let pairs = |lanes: &[[Trace; 2]]| -> Vec<BTreeSet<Trace>> {
            let of =
                |own: &[Trace; 2]| own.iter().flat_map(|lane| lane.windows(2).map(<[_]>::to_vec)).collect();
            lanes.iter().map(of).collect()
        };
        let (good, bad) = (pairs(&good_lanes), pairs(&bad_lanes));
        let heard: BTreeSet<&Trace> = good.iter().flatten().collect();
        let mut expected: BTreeMap<Trace, u64> = BTreeMap::new();
        for pair in bad.iter().flatten().filter(|pair| !heard.contains(pair)) {
            *expected.entry(pair.clone()).or_default() += 1;
        }
        let name = |event: &logs::Event| format!("{} {}", event.process.as_deref().unwrap(), event.action);
        let told: BTreeMap<Trace, u64> = found
            .anomalies
            .iter()
            .map(|anomaly| (anomaly.events.iter().map(name).collect(), anomaly.failing))
            .collect();
        assert_eq!(told, expected);
    });
}

#[test]
fn patterns_are_those_of_the_definition() {
    for_random_inputs(300, |random| {
        let mut set = || -> Vec<Vec<u32>> {
            let traces = random.between(1, 5);
            (0..traces).map(|_| (0..random.between(0, 8)).map(|_| random.below(3)).collect()).collect()
        };
        let (failing, passing) = (set(), set());
        let length = random.between(2, 4) as usize;
        let wanted = patterns::Wanted { length, support: f64::from(random.between(1, 10)) / 10.0 };
        let (found, _) = patterns::find(&failing, &passing, wanted, &Unwatched);
        assert!(found.complete);
        let (frequent, unusual) = (found.frequent_failing as usize, found.frequent_passing as usize);
        assert_eq!(frequent, ((failing.len() as f64 * wanted.support).ceil() as usize).max(1));
        let expected = naive_contrast::patterns(&failing, &passing, length, frequent, unusual);
        let told: BTreeMap<Vec<u32>, (usize, usize)> = found
            .patterns
            .into_iter()
            .map(|pattern| (pattern.events, (pattern.failing as usize, pattern.passing as usize)))
            .collect();
        assert_eq!(told, expected, "{failing:?} {passing:?} {wanted:?}");
    });
}

/// Blocks are parsed by whoever is free; the answer must not show it.
#[test]
fn the_number_of_threads_does_not_matter() {
    let text = |seed: u64, odd: bool| {
        let mut random = Random::new(seed);
        let mut text = String::new();
        for n in 0..120_000u32 {
            let (trace, event) = (random.below(500), random.below(40));
            text.push_str(&format!("{n} t={trace} worker step {}\n", char::from(b'A' + event as u8)));
            if odd && n % 10_007 == 0 {
                text.push_str(&format!("{n} t={trace} crash {}\n", char::from(b'a' + (n % 20) as u8)));
            }
        }
        text
    };
    let told = |threads: usize| {
        let line = regex::Regex::new(r"^\d+ t=(?<trace>\d+) (?<event>.*)").unwrap();
        let threads = NonZeroUsize::new(threads).unwrap();
        let options = Options { line: Some(line), threads, length: Some(2), ..Options::default() };
        let good = [Source::of_bytes("good", text(1, false).into_bytes())];
        let bad = [Source::of_bytes("bad", text(2, true).into_bytes())];
        let found = contrast(&good, &bad, &options, &Unwatched).unwrap();
        assert!(found.count > 10, "{}", found.count);
        format!("{found:?}")
    };
    let one = told(1);
    assert!(told(2) == one && told(5) == one);
}
