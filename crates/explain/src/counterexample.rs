//! The counterexample with what is known at each of its states.

use graph::{BitSet, Exploration, Fate, Fates, OUTSIDE, Trace, Transitions};

use crate::neighbourhoods::{Abstraction, Neighbourhoods, Untouched};

/// What is known of the state a step starts from, and of the step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepNote {
    /// The fate before the step.
    pub before: Fate,
    /// The fate after it.
    pub after: Fate,
    /// Labels that lead from the same state to a state that cannot fail.
    pub escapes: Vec<u32>,
    /// Labels of the other edges after which passing is still possible; without `escapes`.
    pub still_free: Vec<u32>,
}

impl StepNote {
    /// Whether the step decided that the trace fails.
    pub fn is_point_of_no_return(&self) -> bool {
        self.before == Fate::Free && self.after == Fate::Doomed
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    pub trace: Trace,
    pub notes: Vec<StepNote>,
    pub abstraction: Abstraction,
    /// Why the abstraction keeps everything, if no state on the trace has a neighbourhood.
    pub untouched: Option<Untouched>,
}

impl Counterexample {
    pub fn new<T: Transitions>(
        system: &T,
        explored: &Exploration,
        fates: &Fates,
        neighbourhoods: &Neighbourhoods,
        trace: Trace,
    ) -> Self {
        let notes = notes(system, explored, fates, &trace);
        let abstraction = neighbourhoods.abstraction(&trace);
        let untouched = (abstraction.touched == 0)
            .then(|| reason(system, explored, fates, neighbourhoods, &notes, trace.start));
        Self { trace, notes, abstraction, untouched }
    }
}

fn notes<T: Transitions>(system: &T, explored: &Exploration, fates: &Fates, trace: &Trace) -> Vec<StepNote> {
    let known = |state| state == OUTSIDE || explored.is_reached(state);
    let fate = |state| if known(state) { fates.of(state) } else { Fate::Unknown };
    let mut at = trace.start;
    let mut notes = Vec::with_capacity(trace.steps.len());
    for step in &trace.steps {
        let (mut escapes, mut still_free) = (Vec::new(), Vec::new());
        system.successors(at, |label, target| match fate(target) {
            Fate::Safe => escapes.push(label),
            Fate::Free if (label, target) != (step.label, step.state) => still_free.push(label),
            _ => {}
        });
        escapes.sort_unstable();
        escapes.dedup();
        still_free.sort_unstable();
        still_free.dedup();
        still_free.retain(|label| !escapes.contains(label));
        notes.push(StepNote { before: fate(at), after: fate(step.state), escapes, still_free });
        at = step.state;
    }
    notes
}

fn reason<T: Transitions>(
    system: &T,
    explored: &Exploration,
    fates: &Fates,
    neighbourhoods: &Neighbourhoods,
    notes: &[StepNote],
    start: u32,
) -> Untouched {
    if fates.of(start) == Fate::Doomed {
        Untouched::DoomedFromTheStart
    } else if !explored.is_complete() {
        Untouched::NotExplored
    } else if neighbourhoods.nears_frontier(start) && can_escape(system, fates, start) {
        let last_free = notes.iter().rposition(|note| note.before == Fate::Free).unwrap_or(0);
        Untouched::PartedEarlier { last_free }
    } else {
        Untouched::OnlyByCircling
    }
}

/// Whether some trace from a free state comes to where it cannot fail any more.
fn can_escape<T: Transitions>(system: &T, fates: &Fates, start: u32) -> bool {
    let mut seen = BitSet::new(system.bound());
    seen.insert(start);
    let mut waiting = vec![start];
    let mut escaped = false;
    while let Some(state) = waiting.pop() {
        system.successors(state, |_, target| match fates.of(target) {
            Fate::Safe => escaped = true,
            Fate::Free if seen.insert(target) => waiting.push(target),
            _ => {}
        });
        if escaped {
            return true;
        }
    }
    false
}
