//! The property along a counterexample, told: which of its parts held when, and what made it false.

use std::fmt;

use findings::{Evaluation, FailingPart, FailingWhat, PropertyPart, ViolationKind};
use graph::{Story, Transitions, ViolatedWhen};
use liveness::{Counterexample, Ending};
use property::Spelling;
use property::ltl::Word;

use crate::model_system::ModelSystem;
use crate::obligation::Obligation;

/// What a report calls a formula.
pub fn told_formula(formula: &property::Formula) -> findings::Property {
    let kind = match formula.violated_when {
        ViolatedWhen::Accepted => ViolationKind::Safety,
        ViolatedWhen::AcceptedAndStuck => ViolationKind::Deadlock,
    };
    let spelling = match formula.spelling {
        Spelling::Mcl => findings::Spelling::Mcl,
        Spelling::Mcf => findings::Spelling::Mcf,
    };
    findings::Property { kind, text: formula.line.clone(), spelling: Some(spelling) }
}

/// How the steps of a counterexample match what a formula forbids; nothing if they do not, or nobody can tell.
pub fn of_formula(
    formula: &property::Formula,
    counterexample: &findings::Counterexample,
) -> Option<Evaluation> {
    let labels: Vec<&str> = counterexample.steps.iter().map(|step| step.event.as_str()).collect();
    let found = formula.matching(&labels)?;
    let parts = found.tests.iter().zip(&found.passes).map(|(text, passes)| PropertyPart {
        text: text.clone(),
        parent: None,
        values: std::iter::once('-').chain(passes.iter().map(|passes| letter(Some(*passes)))).collect(),
    });
    let mut failing: Vec<FailingPart> = Vec::new();
    for (test, n) in found.taken.iter().copied().zip(1..) {
        if found.is_trivial[test] {
            continue;
        }
        match failing.last_mut() {
            Some(before) if before.part == test as u64 && before.last + 1 == n => before.last = n,
            _ => failing.push(FailingPart {
                part: test as u64,
                step: n,
                last: n,
                holds: true,
                what: FailingWhat::Matches { event: labels[n as usize - 1].to_owned(), completes: false },
            }),
        }
    }
    if let Some(FailingPart { what: FailingWhat::Matches { completes, .. }, .. }) = failing.last_mut() {
        *completes = true;
    }
    let matched = found.taken.iter().map(|test| *test as u64).collect();
    Some(Evaluation { parts: parts.collect(), matched, failing })
}

/// An atom of a temporal formula by its number and its text.
#[derive(Clone)]
struct Atom<'a>(u32, &'a str);

impl fmt::Display for Atom<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_simple =
            !self.1.contains(char::is_whitespace) || self.1.starts_with('(') && self.1.ends_with(')');
        if is_simple { f.write_str(self.1) } else { write!(f, "({})", self.1) }
    }
}

/// What of a temporal formula held when along an endless trace; nothing where there is no formula.
pub(crate) fn of_obligation<S: Story>(
    obligation: &Obligation,
    model: &ModelSystem<'_, S>,
    found: &Counterexample,
) -> Option<Evaluation> {
    let formula = obligation.formula.as_ref()?;
    let formula = formula
        .map_atoms(|atom| Atom(*atom, obligation.atoms.get(*atom as usize).map_or("?", String::as_str)));
    let states: Vec<u32> = found.trace.states().collect();
    // Where nothing interrupts nobody looks; the last state of a loop is its first one again.
    let end = if matches!(found.ending, Ending::Loop(_)) { states.len() - 1 } else { states.len() };
    let seen: Vec<usize> = (0..end).filter(|at| !model.is_uninterrupted(states[*at])).collect();
    let loop_start = match found.ending {
        Ending::Loop(start) => Some(seen.partition_point(|at| *at < start)),
        Ending::Stops => seen.len().checked_sub(1),
        Ending::Decided => None,
    };
    let letters = &obligation.reading.letters;
    let word = Word { length: seen.len(), loop_start };
    let blame = formula.blame(word, |atom, at| letters[states[seen[at]] as usize] >> atom.0 & 1 != 0)?;
    let parts = blame.parts.iter().map(|part| {
        let mut values = vec!['-'; states.len()];
        for (at, value) in seen.iter().zip(&part.values) {
            values[*at] = letter(*value);
        }
        if let Ending::Loop(start) = found.ending {
            values[states.len() - 1] = values[start];
        }
        PropertyPart {
            text: part.text.clone(),
            parent: part.parent.map(|parent| parent as u64),
            values: values.into_iter().collect(),
        }
    });
    let failing = blame.reasons.iter().map(|reason| {
        let step = seen[reason.at] as u64;
        let what = FailingWhat::Evaluates { from_there_on: reason.from_there_on };
        FailingPart { part: reason.part as u64, step, last: step, holds: reason.holds, what }
    });
    Some(Evaluation { parts: parts.collect(), matched: Vec::new(), failing: failing.collect() })
}

fn letter(value: Option<bool>) -> char {
    match value {
        Some(true) => 'T',
        Some(false) => 'F',
        None => '-',
    }
}
