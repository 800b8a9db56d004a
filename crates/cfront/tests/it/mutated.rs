//! Programs with parts missing, doubled or swapped: an error or an answer, never a panic.

use std::path::Path;

use cfront::{Model, Options};
use graph::Unwatched;
use preprocess::NoFiles;
use search::Limits;
use testkit::random::{Random, for_random_inputs};
use testkit::random_c::random_program;

/// The text with a few of its words taken out, doubled or swapped.
fn mutated(random: &mut Random, text: &str) -> String {
    let mut words: Vec<&str> = text.split_inclusive([' ', '(', ')', ';', '\n']).collect();
    for _ in 0..random.between(1, 4) {
        let at = random.below(words.len() as u32) as usize;
        let other = random.below(words.len() as u32) as usize;
        match random.below(3) {
            0 => _ = words.remove(at),
            1 => words.insert(at, words[other]),
            _ => words.swap(at, other),
        }
    }
    words.concat()
}

#[test]
fn mutated_programs_are_refused_or_run() {
    let (mut refused, mut run) = (0, 0);
    for_random_inputs(150, |random| {
        let text = random_program(random);
        let text = mutated(random, &text);
        let reading = Model::read(&NoFiles, Path::new("t.c"), &text, &Options::default(), None);
        let Some(model) = reading.model else {
            refused += 1;
            let told: String = reading.diagnostics.iter().map(|found| format!("{found}\n")).collect();
            assert!(!told.is_empty() && !told.contains("not enough memory"), "{told}\n{text}");
            return;
        };
        run += 1;
        let limits = Limits { max_states: 2000, ..Limits::default() };
        let found = search::explore(&model, limits, &Unwatched).expect("room for the graph");
        assert!(!found.store.is_empty());
    });
    assert!(refused > 0 && run > 0, "{refused} refused, {run} run");
}
