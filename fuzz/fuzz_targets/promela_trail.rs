//! Any text as a trail of SPIN, followed through a small model with all that trails are about: merged statements,
//! a rendezvous, a `d_step`, a process that is created and ends, a loop.

#![no_main]

use std::path::Path;
use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use preprocess::{Files, Options, Unread};
use promela::trail::{Guide, Reading, read};
use promela::{Model, Narrator};

const TEXT: &str = "chan c = [0] of { byte }; byte x;
active proctype A() { byte y; y = 1; y = 2; run B(1); do :: c!y :: x > 2 -> break od; d_step { x = 0; y = 0 } }
proctype B(byte p) { byte z; do :: c?z -> z = z + p; x = x + 1 :: x > 3 -> goto done od; done: assert(z < 9) }";

struct Nothing;

impl Files for Nothing {
    fn read(&self, _: &Path) -> Result<Arc<str>, Unread> {
        Err(Unread::Missing)
    }
}

static MODEL: LazyLock<Model> = LazyLock::new(|| {
    Model::read(&Nothing, Path::new("model.pml"), TEXT, &Options::default()).model.expect("a model")
});

fuzz_target!(|text: &str| {
    let Some(Ok(trail)) = read(text) else { return };
    let narrator = Narrator::new(&MODEL);
    let mut guide = Guide::new(&MODEL, &narrator, &trail);
    for reading in [Reading::Text, Reading::Number, Reading::TextAnywhere] {
        guide.reading = reading;
        let found = search::follow(&*MODEL, guide.length(), trail.cycle, |at, event| guide.covers(at, event));
        assert_eq!(found.trace.states.len(), found.trace.events.len() + 1);
        let at = found.entries.last().copied().unwrap_or_default();
        guide.wanted(at);
        guide.why_not(found.trace.states.last().expect("a state"), at);
    }
});
