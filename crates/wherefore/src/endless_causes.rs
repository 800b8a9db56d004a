//! Why an endless trace violates its property: the step after which the property could not be met any
//! more, and what keeps it unmet in each turn of the loop.
//!
//! A formula is evaluated once more on the trace by its definition; that the step decided is found again
//! by a search that needs no components.

use explain::StepNote;
use findings::Method;
use graph::{Fairness, Story, Transitions};
use liveness::{Counterexample, Ending, Product, is_accepted_from};
use report::wording::instead_of;
use report::{CauseKind, RecheckResult};

use crate::endless::Obligation;
use crate::model_system::ModelSystem;
use crate::naming::Naming;

/// How many alternatives to a step a claim names.
const MOST_ALTERNATIVES: usize = 4;
/// How many nodes a recheck may look at before it gives up.
const RECHECK_NODES: usize = 200_000;

/// What is known of a counterexample.
pub(crate) struct Cause<'a, S> {
    pub(crate) model: &'a ModelSystem<'a, S>,
    pub(crate) obligation: &'a Obligation,
    pub(crate) fairness: Fairness,
    pub(crate) found: &'a Counterexample,
    /// The point of no return.
    pub(crate) decisive: Option<(usize, StepNote)>,
    /// Whether no weakly fair trace violates the property.
    pub(crate) holds_if_fair: bool,
}

/// The point of no return first, if there is one, and then what the rest of the trace does.
pub(crate) fn causes<'a, S: Story>(
    cause: &Cause<'a, S>,
    fulfilling: Option<&Product<'a, ModelSystem<'a, S>>>,
) -> Vec<report::Cause> {
    let mut causes = Vec::new();
    if let (Some((at, note)), Some(fulfilling)) = (&cause.decisive, fulfilling) {
        causes.push(cause.point_of_no_return(*at, note, fulfilling));
    }
    if cause.found.ending != Ending::Decided {
        causes.push(cause.unmet());
    }
    for (rank, cause) in (1..).zip(&mut causes) {
        cause.rank = rank;
        cause.score = 1.0 / rank as f64;
    }
    causes
}

impl<S: Story> Cause<'_, S> {
    fn told(
        &self,
        kind: CauseKind,
        summary: String,
        claim: String,
        steps: Vec<u64>,
        recheck: report::Recheck,
    ) -> report::Cause {
        let labels = steps.iter().map(|n| self.found.trace.steps[*n as usize - 1].label);
        let deeds = labels.filter_map(|label| self.model.told(label));
        let deeds = deeds.flat_map(|told| std::iter::once(told.deed).chain(told.partner));
        let mut locations: Vec<report::Location> = Vec::new();
        for location in deeds.filter_map(|deed| deed.location) {
            if !locations.iter().any(|known| (known.line, known.column) == (location.line, location.column)) {
                locations.push(location);
            }
        }
        let (rank, score, methods) = (0, 0.0, vec![Method::Neighbourhoods]);
        report::Cause {
            rank,
            score,
            kind,
            summary,
            claim,
            locations,
            steps,
            methods,
            group: 1,
            recheck,
            repair: None,
            evidence: Vec::new(),
        }
    }

    fn point_of_no_return(
        &self,
        at: usize,
        note: &StepNote,
        fulfilling: &Product<'_, ModelSystem<'_, S>>,
    ) -> report::Cause {
        let n = at as u64 + 1;
        let action = self.model.label(self.found.trace.steps[at].label);
        let before = if at == 0 { "at the start".to_owned() } else { format!("after step {at}") };
        let instead = |labels: &[u32]| instead_of(&action, &self.model.label_list(labels), MOST_ALTERNATIVES);
        let escape = if !note.escapes.is_empty() {
            format!("; after {} in its place it would have been met", instead(&note.escapes))
        } else if !note.still_free.is_empty() {
            format!("; after {} in its place it could still have been", instead(&note.still_free))
        } else {
            String::new()
        };
        let claim = format!(
            "{before} the property could still be met; step {n}, `{action}`, was the point of no return: no trace \
             that goes on from there meets it{escape}"
        );
        let accepted = |steps: usize| {
            let starts = fulfilling.nodes_after(&self.found.trace, steps);
            is_accepted_from(fulfilling, &starts, self.fairness, RECHECK_NODES)
        };
        let result = match (accepted(at), accepted(at + 1)) {
            (Some(true), Some(false)) => RecheckResult::Confirmed,
            (None, _) | (_, None) => RecheckResult::NotRun,
            _ => RecheckResult::Refuted,
        };
        let how = format!("a search by fixed points for a trace that meets it, before step {n} and after it");
        let summary = format!("step {n}, `{action}`, is the point of no return");
        self.told(CauseKind::PointOfNoReturn, summary, claim, vec![n], report::Recheck { how, result })
    }

    /// What keeps the property unmet for ever.
    fn unmet(&self) -> report::Cause {
        let trace = &self.found.trace;
        let states: Vec<u32> = trace.states().collect();
        let (summary, first) = match self.found.ending {
            Ending::Loop(start) => ("each turn of the loop leaves the property unmet", start),
            _ => ("the trace ends with the property unmet", trace.steps.len()),
        };
        let turn = &states[first..];
        let mut parts = self.atoms(turn);
        if matches!(self.found.ending, Ending::Loop(_)) {
            parts.extend(self.passed_over(turn, first));
        }
        let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join("; ")) };
        let fair = if self.holds_if_fair { "; no weakly fair trace does this (--fairness weak)" } else { "" };
        let steps = (first as u64 + 1..=trace.steps.len() as u64).collect();
        let (how, result) = match self.holds_on_trace() {
            Some(holds) => {
                let result = if holds { RecheckResult::Refuted } else { RecheckResult::Confirmed };
                ("the formula evaluated on this trace by its definition", result)
            }
            None => ("there is no formula to evaluate on this trace", RecheckResult::NotRun),
        };
        let recheck = report::Recheck { how: how.to_owned(), result };
        let claim = format!("{summary}{parts}{fair}");
        self.told(CauseKind::Unmet, summary.to_owned(), claim, steps, recheck)
    }

    /// The atoms that never change in these states.
    fn atoms(&self, turn: &[u32]) -> Vec<String> {
        let letters = || {
            let seen = turn.iter().filter(|state| !self.model.is_uninterrupted(**state));
            seen.map(|state| self.obligation.reading.letters[*state as usize])
        };
        let (always, ever) = letters().fold((u64::MAX, 0), |(all, any), letter| (all & letter, any | letter));
        let atoms = self.obligation.atoms.iter().enumerate();
        let constant = atoms.filter_map(|(number, text)| match (always >> number & 1, ever >> number & 1) {
            (1, _) => Some(format!("`{text}` stays true")),
            (_, 0) => Some(format!("`{text}` stays false")),
            _ => None,
        });
        constant.collect()
    }

    /// The processes that do not move in the loop although they could somewhere.
    fn passed_over(&self, turn: &[u32], first: usize) -> Vec<String> {
        let mut moving: Vec<u8> = Vec::new();
        for step in &self.found.trace.steps[first..] {
            moving.extend(self.model.actors(step.label).iter());
        }
        // Who could move in how many of the states, and what it would have done first.
        let mut able: Vec<(u8, usize, u32)> = Vec::new();
        let open: Vec<u32> =
            turn[1..].iter().copied().filter(|state| !self.model.is_uninterrupted(*state)).collect();
        for state in &open {
            let mut here: Vec<u8> = Vec::new();
            self.model.successors(*state, |label, _| {
                let Some(process) = self.model.actors(label).iter().next() else { return };
                // To end is nothing that anybody waits for.
                if self.model.told(label).is_some_and(|told| told.deed.action == "-end-") {
                    return;
                }
                if moving.contains(&process) || here.contains(&process) {
                    return;
                }
                here.push(process);
                match able.iter_mut().find(|(known, _, _)| *known == process) {
                    Some((_, count, _)) => *count += 1,
                    None => able.push((process, 1, label)),
                }
            });
        }
        able.sort_unstable();
        let told = able.iter().map(|(_, count, label)| {
            let action = self.model.label(*label);
            if *count == open.len() {
                format!("`{action}` is possible all the time and passed over")
            } else {
                format!("`{action}` is possible now and then and passed over")
            }
        });
        let waiting = self.model.waiting(turn[0]).into_iter().filter(|waiting| {
            let number = waiting.actor.number;
            !waiting.may_end
                && !moving.contains(&number)
                && able.iter().all(|(process, _, _)| *process != number)
        });
        let waiting = waiting.filter_map(|waiting| {
            let need = waiting.needs.first()?;
            Some(format!("{} waits at `{}`: {}", waiting.actor, need.action, need.reason))
        });
        told.chain(waiting).collect()
    }

    /// Whether the formula holds of the trace after all.
    fn holds_on_trace(&self) -> Option<bool> {
        let formula = self.obligation.formula.as_ref()?;
        let states: Vec<u32> = self.found.trace.states().collect();
        let seen = |state: &u32| !self.model.is_uninterrupted(*state);
        let letter = |state: &u32| self.obligation.reading.letters[*state as usize];
        let (last, loop_start) = match self.found.ending {
            // The last state of the loop is its first one again.
            Ending::Loop(start) => {
                (states.len() - 1, states[..start].iter().filter(|state| seen(state)).count())
            }
            Ending::Stops => (states.len(), states.iter().filter(|state| seen(state)).count() - 1),
            Ending::Decided => return None,
        };
        let word: Vec<u64> = states[..last].iter().filter(|state| seen(state)).map(letter).collect();
        if loop_start >= word.len() {
            return None;
        }
        Some(formula.holds_on(word.len(), loop_start, |atom, at| word[at] >> atom & 1 != 0))
    }
}
