//! Traces as effects: executed one after the other by the evaluator, they must lead where the machine leads, and
//! every guard on the way must hold. On random walks through all models of the tests and examples, and through
//! random models.

#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};

use graph::{System, Worker};
use model::{Context, Effect, Expr, Fault, Host, Place, compile, compile_place};
use preprocess::{Files, Options, Unread};
use promela::machine::{Account, Goal};
use promela::{Model, Narrator};
use testkit::random::{Random, for_random_inputs};
use testkit::random_promela::{Knobs, RandomModel};

/// Frames in one row of bytes.
struct Rows {
    starts: Vec<usize>,
    bytes: Vec<u8>,
}

impl Host for Rows {
    fn ask(&self, question: u32, _: &[i64], _: &Context<'_>) -> Result<i64, Fault> {
        panic!("question {question} is not settled")
    }

    fn frame_of(&self, value: i64, _: &Context<'_>) -> Result<usize, Fault> {
        Ok(self.starts[value as usize])
    }
}

impl Rows {
    fn new(account: &Account) -> Self {
        let (mut starts, mut bytes) = (Vec::new(), Vec::new());
        for frame in &account.frames {
            starts.push(bytes.len());
            bytes.extend_from_slice(frame);
        }
        Self { starts, bytes }
    }

    fn context(&self) -> Context<'_> {
        Context { bytes: &self.bytes, local: 0, process: 0 }
    }

    fn value(&self, expr: &Expr) -> Result<i64, Fault> {
        compile(expr).expect("not deep").run(&self.context(), self)
    }

    fn store(&mut self, place: &Place, value: i64) -> Result<(), Fault> {
        let at = compile_place(place).expect("not deep").run(&self.context(), self)?;
        place.scalar.store(&mut self.bytes[at as usize..], value);
        Ok(())
    }

    /// Executes an effect; whether what it says holds.
    fn execute(&mut self, effect: &Effect) -> Result<bool, Fault> {
        match effect {
            Effect::Assign { place, value } => {
                let value = self.value(value)?;
                self.store(place, value).map(|()| true)
            }
            Effect::Guard(expr) | Effect::Assume(expr) | Effect::Check(expr) => Ok(self.value(expr)? != 0),
            Effect::Input { .. } => Ok(true),
        }
    }
}

struct NoFiles;

impl Files for NoFiles {
    fn read(&self, path: &Path) -> Result<std::sync::Arc<str>, Unread> {
        std::fs::read_to_string(path).map(Into::into).map_err(|_| Unread::Missing)
    }
}

fn read(path: &Path, text: &str) -> Option<Model> {
    Model::read(&NoFiles, path, text, &Options::default()).model.ok()
}

/// Goes at random until something is wrong, or nothing goes on; what the effects of the walk do wrong.
fn walk(model: &Model, random: &mut Random) -> Result<usize, String> {
    let narrator = Narrator::new(model);
    let mut worker = model.worker();
    let mut states = Vec::new();
    worker.initial(|state| states.push(state.to_vec()));
    let mut events = Vec::new();
    let mut wrong = false;
    while events.len() < 60 && !wrong {
        let mut steps = Vec::new();
        worker.steps(&states[events.len()].clone(), |step| {
            steps.push((step.event, step.state.to_vec(), step.violation.is_some()));
        });
        if steps.is_empty() {
            break;
        }
        let (event, state, violates) = steps.swap_remove(random.below(steps.len() as u32) as usize);
        // Of two steps with the same event, the first is meant.
        if steps.iter().any(|(other, ..)| *other == event) {
            break;
        }
        events.push(event);
        states.push(state);
        wrong = violates;
    }
    let Some(account) = narrator.account(&states, &events, Goal::Stated) else { return Ok(0) };
    let mut rows = Rows::new(&account);
    for (number, step) in account.steps.iter().enumerate() {
        let is_last = step.event.is_some_and(|event| event + 1 == events.len());
        for effect in &step.step.effects {
            match rows.execute(effect) {
                Ok(true) => {}
                // What is wrong at the end is wrong here.
                _ if wrong && is_last => return Ok(events.len()),
                other => return Err(format!("step {number} of {events:?}: {effect:?} is {other:?}")),
            }
        }
    }
    let hides = model.program.variables.iter().any(|variable| variable.visibility.is_some());
    if wrong || hides {
        return Ok(events.len());
    }
    for (frame, skip, held) in &account.end {
        let start = rows.starts[*frame as usize] + *skip as usize;
        let found = &rows.bytes[start..start + held.len()];
        if found != held {
            return Err(format!("frame {frame} holds {found:?} and not {held:?} after {events:?}"));
        }
    }
    Ok(events.len())
}

fn models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in ["tests/semantics", "../../examples/promela"] {
        for entry in std::fs::read_dir(root.join(folder)).expect("the folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "pml") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn effects_of_walks_through_our_models_lead_where_the_machine_leads() {
    let mut gone = 0;
    for_random_inputs(3, |random| {
        for path in models() {
            let text = std::fs::read_to_string(&path).expect("a text");
            let Some(model) = read(&path, &text) else { continue };
            match walk(&model, random) {
                Ok(steps) => gone += steps,
                Err(why) => panic!("{}: {why}", path.display()),
            }
        }
    });
    println!("{gone} steps");
    assert!(gone > 5_000, "{gone}");
}

#[test]
fn effects_of_walks_through_random_models_lead_where_the_machine_leads() {
    let mut gone = 0;
    for_random_inputs(400, |random| {
        let knobs = Knobs::varied(random);
        let text = RandomModel::random(random, &knobs).to_string();
        let Some(model) = read(Path::new("random.pml"), &text) else { return };
        match walk(&model, random) {
            Ok(steps) => gone += steps,
            Err(why) => panic!("{text}\n{why}"),
        }
    });
    println!("{gone} steps");
    assert!(gone > 2_000, "{gone}");
}
