//! Trails that we write are read again, merged or not, as numbers or as a listing; broken ones are refused, or
//! part from the model, or lead somewhere, but nothing panics.

#![allow(clippy::unwrap_used)]

use std::fmt::Write;
use std::path::Path;

use graph::{System, Worker};
use preprocess::{Files, Options, Unread};
use promela::machine::Event;
use promela::trail::{self, Guide, Reading};
use promela::{Model, Narrator};
use search::{Ending, Followed};
use testkit::random::{Random, for_random_inputs};
use testkit::random_promela::{Knobs, RandomModel};

/// No other files.
struct Nothing;

impl Files for Nothing {
    fn read(&self, _: &Path) -> Result<std::sync::Arc<str>, Unread> {
        Err(Unread::Missing)
    }
}

fn model(text: &str) -> Option<Model> {
    Model::read(&Nothing, Path::new("model.pml"), text, &Options::default()).model.ok()
}

/// A random trace: its states and events, which end with the first violation.
fn walk(model: &Model, random: &mut Random, length: usize) -> (Vec<Vec<u8>>, Vec<u64>) {
    let mut worker = model.worker();
    let (mut states, mut events) = (Vec::new(), Vec::new());
    worker.initial(|state| states.push(state.to_vec()));
    for _ in 0..length {
        let mut steps = Vec::new();
        worker.steps(states.last().unwrap(), |step| {
            steps.push((step.event, step.state.to_vec(), step.violation));
        });
        if steps.is_empty() {
            break;
        }
        let (event, state, violation) = steps.swap_remove(random.below(steps.len() as u32) as usize);
        events.push(event);
        states.push(state);
        if violation.is_some() {
            break;
        }
    }
    (states, events)
}

fn follow(model: &Model, text: &str, reading: Reading) -> Option<Followed> {
    let trail = trail::read(text)?.ok()?;
    let narrator = Narrator::new(model);
    let mut guide = Guide::new(model, &narrator, &trail);
    guide.reading = reading;
    let found = search::follow(model, guide.length(), trail.cycle, |at, event| guide.covers(at, event));
    if matches!(found.trace.ending, Ending::Diverges { .. }) {
        let at = found.entries.last().copied().unwrap();
        assert!(!guide.wanted(at).is_empty());
        guide.why_not(found.trace.states.last().unwrap(), at);
    }
    Some(found)
}

/// The listing that SPIN would print of a trace, as far as it can be told from outside.
fn listing(model: &Model, events: &[u64]) -> String {
    let mut text = String::new();
    for (depth, event) in events.iter().enumerate() {
        let event = Event::unpack(*event);
        for (process, number) in std::iter::once((event.process, event.statement)).chain(event.partner) {
            let statement = &model.machine.statements[number as usize];
            if statement.text == "-end-" {
                writeln!(text, "{depth}: proc {process} terminates").unwrap();
                continue;
            }
            let line = model.location(statement.span).map_or(0, |location| location.line);
            let (name, what) = (&statement.process, &statement.text);
            writeln!(text, "{depth}:\tproc  {process} ({name}:1) model.pml:{line} (state 0)\t[{what}]")
                .unwrap();
        }
    }
    text
}

fn round_trip(random: &mut Random, compared: &mut usize) {
    let knobs = Knobs::varied(random);
    let text = RandomModel::random(random, &knobs).to_string();
    let Some(model) = model(&text) else { return };
    let (states, events) = walk(&model, random, 60);
    let written = trail::write(&model.machine, &events, None);
    let expected = states.last();
    if !events.is_empty() {
        let found = follow(&model, &written, Reading::Text).unwrap();
        assert!(!matches!(found.trace.ending, Ending::Diverges { .. }), "{text}\n{written}");
        let ours = events.iter().map(|event| Event::unpack(*event).process);
        let again = found.trace.events.iter().map(|event| Event::unpack(*event).process);
        assert!(ours.eq(again), "{text}\n{written}");
        // Statements of a process have different numbers, and a message received at random is the first that fits.
        assert_eq!(found.trace.states.last(), expected, "{text}\n{written}");
        let listed = listing(&model, &events);
        for reading in [Reading::Text, Reading::TextAnywhere] {
            let found = follow(&model, &listed, reading).unwrap();
            assert!(!matches!(found.trace.ending, Ending::Diverges { .. }), "{text}\n{listed}");
        }
        *compared += 1;
    }
    for text in [written, listing(&model, &events)] {
        for _ in 0..8 {
            let broken = broken(random, &text);
            for reading in [Reading::Text, Reading::Number, Reading::TextAnywhere] {
                follow(&model, &broken, reading);
            }
        }
    }
}

/// A text with something wrong in it.
fn broken(random: &mut Random, text: &str) -> String {
    const PIECES: [&str; 12] = [
        "-4:-4:-4\n",
        "-1:-1:-1\n",
        "-2:0:-2\n",
        "-7:0:0\n",
        "::",
        "99999999999999999999",
        "\u{e9}",
        "\n",
        "-",
        "1:\tproc 300 (",
        "<<<<<START OF CYCLE>>>>>\n",
        "0",
    ];
    let mut lines: Vec<String> = text.lines().map(|line| format!("{line}\n")).collect();
    for _ in 0..random.between(1, 3) {
        let at = random.below(lines.len() as u32 + 1) as usize;
        let piece = PIECES[random.below(PIECES.len() as u32) as usize];
        match random.below(4) {
            0 if at < lines.len() => drop(lines.remove(at)),
            1 if at < lines.len() => lines[at] = lines[at].replacen(':', piece, 1),
            2 if !lines.is_empty() => {
                let other = random.below(lines.len() as u32) as usize;
                lines.insert(at, lines[other].clone());
            }
            _ => lines.insert(at, piece.to_owned()),
        }
    }
    lines.concat()
}

#[test]
fn random_traces_are_found_again() {
    let mut compared = 0;
    for_random_inputs(150, |random| round_trip(random, &mut compared));
    assert!(compared > 50, "{compared}");
}

const MERGING: &str = "byte x;
active proctype A() { byte y; y = 1; y = 2; x == 0; y = 3; y = 4; assert(y == 3) }
active proctype B() { byte z; do :: z < 3 -> z = z + 1; z = z + 0 :: else -> break od; x = 1 }";

#[test]
fn what_was_merged_is_put_in_again() {
    let model = model(MERGING).unwrap();
    // Of A: y = 1 (with y = 2), x == 0 (with all that follows).
    let found = follow(&model, "-4:-4:-4\n1:0:0\n2:0:2\n", Reading::Text).unwrap();
    assert!(matches!(found.trace.ending, Ending::Wrong(_)), "{found:?}");
    assert_eq!((found.trace.events.len(), found.entries), (6, vec![0, 1, 1, 2, 2, 2, 2]));
    // Without the line that says so, nothing is put in.
    let found = follow(&model, "1:0:0\n2:0:2\n", Reading::Text).unwrap();
    assert!(matches!(found.trace.ending, Ending::Diverges { .. }), "{found:?}");
}

#[test]
fn a_trail_that_does_not_fit_says_why() {
    let model = model(MERGING).unwrap();
    let narrator = Narrator::new(&model);
    let why = |text: &str| {
        let trail = trail::read(text).unwrap().unwrap();
        let guide = Guide::new(&model, &narrator, &trail);
        let found = search::follow(&model, guide.length(), None, |at, event| guide.covers(at, event));
        let at = found.entries.last().copied().unwrap();
        (guide.wanted(at), guide.why_not(found.trace.states.last().unwrap(), at).unwrap_or_default())
    };
    assert_eq!(why("1:0:1\n"), ("A:0 y = 2".to_owned(), "A:0 stands before `y = 1` (line 2)".to_owned()));
    assert_eq!(why("1:0:99\n").1, "the model has no statement 99");
    assert_eq!(why("1:7:1\n").1, "there is no process 7 at that point");
    let (_, reason) = why("1:1:7\n2:1:8\n3:1:9\n4:1:7\n5:1:8\n6:1:9\n7:1:7\n8:1:8\n9:1:9\n10:1:7\n");
    assert!(reason.starts_with("B:1 stands there, but cannot execute it"), "{reason}");
}
