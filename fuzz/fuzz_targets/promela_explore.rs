//! Any text as a Promela model, explored for a few hundred states: the evaluator and the scheduler.
//!
//! Besides panics this looks for steps without end and for states that a step changes but does not fit.

#![no_main]

use graph::Unwatched;
use libfuzzer_sys::fuzz_target;
use promela::machine::{Event, Machine};
use search::{Limits, explore};

fuzz_target!(|text: &str| {
    let Some(program) = promela::resolve::read(text).0 else { return };
    let Ok(machine) = Machine::new(&program) else { return };
    let limits = Limits { max_states: 300, ..Limits::default() };
    let Ok(found) = explore(&machine, limits, &Unwatched) else { return };
    for event in found.events {
        let event = Event::unpack(event);
        assert!((event.statement as usize) < machine.statements.len());
        assert!(event.partner.is_none_or(|(_, statement)| (statement as usize) < machine.statements.len()));
    }
});
