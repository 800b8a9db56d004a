//! Looking for changes of a model or a program after which nothing is wrong.

use std::collections::BTreeSet;

use edits::Hint;
use findings::{Engine, Explanation, RepairSearch};
use graph::{Interrupt, Progress};
use pipeline::budget::Budget;
use pipeline::repairs::{
    Allowance, Faulty, Limits, Trial, awaited, find, is_concurrent, suspects, target, trusted_lines,
};
use pipeline::request::{Host, RepairEffort, Stage};
use pipeline::watches::Sharing;
use search::{Explored, Order};

use crate::question::Question;
use crate::searched::{Searched, mark_obstacles};

/// A text that is to be repaired.
pub(crate) struct Text<'a> {
    pub(crate) question: &'a Question<'a>,
    pub(crate) text: &'a str,
    pub(crate) language: edits::Language,
}

impl Text<'_> {
    /// A trial, with no more states than the user says.
    pub(crate) fn at_most(&self, allowance: Allowance) -> Allowance {
        Allowance { states: allowance.states.min(self.question.request.max_states), ..allowance }
    }
}

/// Looks for repairs, if they are asked for, and puts them into the explanation. `try_out` tells what the checker says of
/// a text, and `before` what it said of the one that is to be repaired, if that is known.
pub(crate) fn repair(
    explanation: &mut Explanation,
    about: &Text<'_>,
    host: &dyn Host,
    before: Option<Trial>,
    mut try_out: impl FnMut(&str, Allowance) -> Result<Option<Trial>, Interrupt>,
) {
    let Some(effort) = about.question.request.repairs else { return };
    let Some(target) = target(explanation) else { return };
    let mut try_out = |text: &str, allowance: Allowance| {
        if allowance.of > 0 {
            host.stage(Stage::Repair { number: allowance.number, of: allowance.of });
        }
        host.pulse(Progress { phase: "repairing", work: 0, ..Progress::default() })?;
        try_out(text, allowance)
    };
    let before = match before {
        Some(before) => before,
        None => match try_out(about.text, Allowance::WHOLE) {
            Ok(Some(before)) => before,
            _ => return,
        },
    };
    // What the program does besides failing is known to no solver, and not to a search that was given up.
    if explanation.engine != Engine::Sat && !before.complete {
        return;
    }
    let file = about.question.input.path.display().to_string();
    let trusted = trusted_lines(about.text, about.language, &about.question.request.trust);
    let lines = suspects(explanation, &file, about.text, about.language, &trusted);
    let hint = |is_missing| move |(line, statement)| Hint { line, statement, is_missing, instead_of: None };
    let replaced = diagnosis::replacements(explanation).into_iter().map(|(line, statement, old)| Hint {
        line,
        statement,
        is_missing: false,
        instead_of: Some(old),
    });
    let missing = pipeline::proposals(explanation).into_iter().map(hint(true));
    let hints: Vec<Hint> =
        missing.chain(diagnosis::changes(explanation).into_iter().map(hint(false))).chain(replaced).collect();
    let is_missing = diagnosis::tells_of_absence(explanation);
    let missing = target.place.as_ref().filter(|_| is_missing).map(|(_, line)| *line);
    let faulty = Faulty {
        text: about.text,
        file: &file,
        language: about.language,
        trial: &before,
        target: &target,
        suspects: &lines,
        hints: &hints,
        missing,
        trusted: &trusted,
        is_concurrent: is_concurrent(explanation),
        awaited: &awaited(explanation),
    };
    let limits = Limits { has_states: explanation.engine != Engine::Sat, ..Limits::of(effort) };
    let found = find(&faulty, limits, &mut try_out);
    host.stage(Stage::Whole);
    explanation.repairs = found.verified;
    explanation.repair_search = Some(RepairSearch {
        tried: found.tried,
        is_thorough: effort == RepairEffort::Thorough,
        cut_short: found.stopped,
        properties: Vec::new(),
    });
    diagnosis::with_repairs(explanation);
}

/// What a search of a changed model finds within its limits; nothing if it cannot be searched.
pub(crate) fn explored(
    model: &impl Searched,
    allowance: Allowance,
    host: &dyn Host,
) -> Result<Option<Explored>, Interrupt> {
    // A change that does not help shows it soon, deep down.
    let order = if allowance.of > 0 { Order::DepthFirst } else { Order::BreadthFirst };
    let limits = search::Limits { max_states: allowance.states, order };
    let share = Sharing::new(host, 0.5);
    let found = search::explore(model, limits, &Budget::of(&share, allowance.work));
    let Ok(mut found) = found else { return Ok(None) };
    interrupted(found.interrupt)?;
    mark_obstacles(model, &mut found);
    Ok(Some(found))
}

/// Whoever interrupts a trial ends the search; a limit of states or work ends only the trial.
pub(crate) fn interrupted(interrupt: Option<Interrupt>) -> Result<(), Interrupt> {
    match interrupt {
        Some(limit @ (Interrupt::Cancelled | Interrupt::Timeout | Interrupt::Memory)) => Err(limit),
        _ => Ok(()),
    }
}

/// The lines in which two texts differ.
pub(crate) fn changed_lines(one: &str, other: &str) -> BTreeSet<u64> {
    let lines = one.lines().zip(other.lines()).zip(1..);
    lines.filter(|((one, other), _)| one != other).map(|(_, number)| number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches_move_no_line() {
        assert_eq!(changed_lines("a\nb\nc", "a\nB\nc"), BTreeSet::from([2]));
    }
}
