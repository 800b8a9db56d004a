//! Running programs to their end.

use cfront::{Model, Narrator, Options};
use graph::{End, Story, System, Unwatched, Worker};
use preprocess::NoFiles;
use search::{Limits, Violation};
use std::path::Path;

/// What became of a program.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// `line: what is wrong`, each once, in the order of their lines.
    pub(crate) violations: Vec<String>,
    /// Why it could not be explored to its end.
    pub(crate) obstacles: Vec<String>,
    pub(crate) states: usize,
    /// The values of the variables in all states in which it ends and nothing is wrong.
    pub(crate) ends: Vec<Vec<(String, String)>>,
}

pub(crate) fn model(text: &str, options: &Options, inputs: Option<Vec<i64>>) -> Model {
    let reading = Model::read(&NoFiles, Path::new("t.c"), text, options, inputs);
    let told: String = reading.diagnostics.iter().map(|found| format!("{found}\n")).collect();
    reading.model.unwrap_or_else(|| panic!("refused:\n{told}\n{text}"))
}

/// Explores all of a program.
pub(crate) fn run(text: &str) -> Outcome {
    explored(&model(text, &Options::default(), None))
}

pub(crate) fn explored(model: &Model) -> Outcome {
    let limits = Limits { max_states: 200_000, ..Limits::default() };
    let found = search::explore(model, limits, &Unwatched).expect("room for the graph");
    assert_eq!(found.interrupt, None, "too many states");
    let story = Narrator::new(model);
    let mut outcome = Outcome { states: found.store.len(), ..Outcome::default() };
    for violation in &found.violations {
        let told = match violation {
            Violation::Deadlock { .. } => "deadlock".to_owned(),
            Violation::Step { edge, what, .. } => {
                let wrong = story.wrong(found.events[edge.label as usize], *what);
                let line = wrong.location.map_or(0, |location| location.line);
                format!("{line}: {}", wrong.text)
            }
        };
        if !outcome.violations.contains(&told) {
            outcome.violations.push(told);
        }
    }
    outcome.violations.sort();
    let mut worker = model.worker();
    let wrong: Vec<u32> = found
        .violations
        .iter()
        .filter_map(|violation| match violation {
            Violation::Step { edge, .. } => Some(edge.state),
            Violation::Deadlock { .. } => None,
        })
        .collect();
    for state in (0..found.store.len() as u32).filter(|state| !wrong.contains(state)) {
        let bytes = found.store.get(state);
        let mut goes_on = false;
        worker.steps(bytes, |_| goes_on = true);
        if !goes_on {
            match model.obstacle(bytes) {
                Some(obstacle) => outcome.obstacles.push(obstacle.reason.to_owned()),
                None if worker.end(bytes) == End::Deadlock => {}
                None => outcome.ends.push(story.values(bytes)),
            }
        }
    }
    outcome
}
