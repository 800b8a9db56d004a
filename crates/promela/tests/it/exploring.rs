//! Whatever is accepted can be explored: no panic, and no step without end. Models are mutated token by token,
//! and what is still a model is run for some thousand states.

#![allow(clippy::print_stdout)]

use std::path::Path;
use std::time::{Duration, Instant};

use graph::Unwatched;
use model::Fault;
use promela::machine::{Breach, Machine};
use search::{Explored, Limits, Violation, explore};
use testkit::random::{Random, for_random_inputs};

use crate::support;

const MOST_STATES: u64 = 2_000;

/// The model explored as far as that, if the text is one.
fn explored(text: &str) -> Option<Explored> {
    let machine = Machine::new(&promela::resolve::read(text).0?).ok()?;
    let limits = Limits { max_states: MOST_STATES, ..Limits::default() };
    explore(&machine, limits, &Unwatched).ok()
}

/// The models of SPIN's package, our own examples and the small models of the folder `semantics`.
fn models() -> Vec<String> {
    let mut texts: Vec<String> = support::packaged_models().into_iter().map(|(_, text)| text).collect();
    for folder in ["tests/semantics", "../../examples/promela"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "pml"));
        texts.extend(paths.iter().filter_map(|path| {
            let text = std::fs::read_to_string(path).ok()?;
            let options = preprocess::Options::default();
            Some(preprocess::preprocess(&preprocess::NoFiles, path, text, &options).text)
        }));
    }
    texts
}

/// Words, numbers and single characters, with the blanks that follow them.
fn tokens(text: &str) -> Vec<&str> {
    text.split_inclusive(|letter: char| !letter.is_alphanumeric() && letter != '_').collect()
}

/// A text with a few tokens dropped, doubled, exchanged, or overwritten by others of the same text.
fn mutated(text: &str, random: &mut Random) -> String {
    let mut tokens = tokens(text);
    for _ in 0..random.between(1, 3) {
        if tokens.len() < 2 {
            break;
        }
        let at = random.below(tokens.len() as u32) as usize;
        let other = random.below(tokens.len() as u32) as usize;
        match random.below(4) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[at]),
            2 => tokens.swap(at, other),
            _ => tokens[at] = tokens[other],
        }
    }
    tokens.concat()
}

#[test]
fn mutated_models_are_explored_without_panic() {
    let models = models();
    let count = std::env::var("WHEREFORE_MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(3_000);
    let (mut run, mut states, mut slowest) = (0, 0, Duration::ZERO);
    for_random_inputs(count, |random| {
        let text = mutated(&models[random.below(models.len() as u32) as usize], random);
        let start = Instant::now();
        if let Some(found) = explored(&text) {
            run += 1;
            states += found.store.len();
        }
        slowest = slowest.max(start.elapsed());
    });
    println!("{run} of {count} mutants are models, {states} states, the slowest took {slowest:?}");
    assert!(run > count / 20, "too few mutants are models");
}

/// The kinds of faults in a model.
fn faults(text: &str) -> Vec<&'static str> {
    let found = explored(text).expect("a model");
    let steps = found.violations.iter().filter_map(|violation| match violation {
        Violation::Step { what, .. } => Fault::kind_name(Breach::unpack(*what).kind),
        Violation::Deadlock { .. } => None,
    });
    steps.collect()
}

#[test]
fn a_d_step_without_end_is_a_fault() {
    let endless = Fault::kind_name(Fault::EndlessStep.kind()).expect("a name");
    for text in [
        "byte x; init { d_step { do :: x = 1 - x od } }",
        "byte x; init { d_step { do :: x++ od } }",
        "int x; init { d_step { do :: x++ od } }",
        "byte x; init { d_step { x = 1; L: x = 2; goto L } }",
    ] {
        let start = Instant::now();
        assert_eq!(faults(text), [endless], "{text}");
        assert!(start.elapsed() < Duration::from_secs(5), "{text}");
    }
    // A long one is none.
    assert!(faults("int x; init { d_step { do :: x < 200000 -> x++ :: else -> break od } }").is_empty());
}

#[test]
fn an_atomic_sequence_without_end_is_a_circle_of_states() {
    let found = explored("byte x; init { atomic { do :: x = 1 - x od } } active proctype p() { x = 7 }");
    let found = found.expect("a model");
    assert!(found.interrupt.is_none() && found.violations.is_empty());
    assert_eq!(found.transitions, u64::MAX);
}
