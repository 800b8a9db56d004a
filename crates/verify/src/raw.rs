//! All states of a system and all its steps, found in the plainest way: a queue, and a hash map from the bytes of a state
//! to its number. Nothing is packed, reduced or left out; a limit of states ends the attempt.

use std::collections::HashMap;

use graph::{End, Interrupt, PULSE, Progress, System, Watch, Worker};

/// A step of the system.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawStep {
    pub(crate) event: u64,
    pub(crate) to: usize,
    /// What is wrong with it, as the system numbers it.
    pub(crate) wrong: Option<u32>,
}

#[derive(Debug, Default)]
pub(crate) struct Raw {
    pub(crate) states: Vec<Vec<u8>>,
    pub(crate) steps: Vec<Vec<RawStep>>,
    /// What it means that a state has no steps; none of states that have some.
    pub(crate) ends: Vec<Option<End>>,
    /// Whether a state lies inside a sequence that nothing interrupts.
    pub(crate) uninterrupted: Vec<bool>,
    /// How many steps a shortest trace to the state has.
    pub(crate) depth: Vec<u64>,
    pub(crate) initial: Vec<usize>,
}

/// Why not all states were found.
#[derive(Debug)]
pub(crate) enum TooLarge {
    States(u64),
    Interrupted(Interrupt),
}

pub(crate) fn explore<S: System>(system: &S, most: u64, watch: &dyn Watch) -> Result<Raw, TooLarge> {
    let mut worker = system.worker();
    let mut raw = Raw::default();
    let mut numbers: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut first = Vec::new();
    worker.initial(|state| first.push(state.to_vec()));
    for state in first {
        let number = number_of(&mut raw, &mut numbers, state, 0);
        if !raw.initial.contains(&number) {
            raw.initial.push(number);
        }
    }
    let (mut at, mut edges) = (0, 0u64);
    while at < raw.states.len() {
        if raw.states.len() as u64 > most {
            return Err(TooLarge::States(most));
        }
        let mut found = Vec::new();
        worker.steps(&raw.states[at].clone(), |step| {
            found.push((step.event, step.state.to_vec(), step.violation));
        });
        let before = edges / PULSE;
        edges += found.len() as u64;
        if edges / PULSE > before {
            let states = raw.states.len() as u64;
            let progress = Progress { phase: "exploring", states, edges, ..Progress::default() };
            watch.pulse(progress).map_err(TooLarge::Interrupted)?;
        }
        raw.uninterrupted[at] = worker.is_passing(&raw.states[at]);
        if found.is_empty() {
            raw.ends[at] = Some(worker.end(&raw.states[at]));
        }
        let depth = raw.depth[at] + 1;
        for (event, state, wrong) in found {
            let to = number_of(&mut raw, &mut numbers, state, depth);
            raw.steps[at].push(RawStep { event, to, wrong });
        }
        at += 1;
    }
    Ok(raw)
}

fn number_of(raw: &mut Raw, numbers: &mut HashMap<Vec<u8>, usize>, state: Vec<u8>, depth: u64) -> usize {
    *numbers.entry(state).or_insert_with_key(|state| {
        raw.states.push(state.clone());
        raw.steps.push(Vec::new());
        raw.ends.push(None);
        raw.uninterrupted.push(false);
        raw.depth.push(depth);
        raw.states.len() - 1
    })
}
