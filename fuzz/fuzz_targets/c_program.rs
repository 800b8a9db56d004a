//! Any text as a C program: parsed, typed, lowered, and explored for a few hundred states.
//!
//! Besides panics this looks for steps without end, for allocations out of proportion, and for events and
//! states of which nothing can be told.

#![no_main]

use std::path::Path;

use cfront::{Model, Narrator, Options};
use graph::{Story, Unwatched};
use libfuzzer_sys::fuzz_target;
use preprocess::NoFiles;
use search::{Limits, explore};

fuzz_target!(|text: &str| {
    let options = Options { overflow: text.len() % 2 == 0, races: text.len() % 3 == 0, ..Options::default() };
    let Some(model) = Model::read(&NoFiles, Path::new("t.c"), text, &options, None).model else { return };
    let limits = Limits { max_states: 200, ..Limits::default() };
    let Ok(found) = explore(&model, limits, &Unwatched) else { return };
    let story = Narrator::new(&model);
    found.events.iter().for_each(|event| drop((story.event(*event), story.label(*event))));
    let last = found.store.get(found.store.len() as u32 - 1);
    drop((story.values(last), story.waiting(last), model.obstacle(last)));
});
