//! Why an endless trace violates its property: the step after which the property could not be met any
//! more, and what keeps it unmet in each turn of the loop.
//!
//! A formula is evaluated once more on the trace by its definition; that the step decided is found again
//! by a search that needs no components.

use explain::StepNote;
use findings::{
    BugPattern, Claim, Decision, EndlessProperty, Finding, ForbiddenLoop, How, Location, Moment,
    PatternMatch, RecheckResult, Role, Standstill, Unmet, ViolationKind, Waiting,
};
use graph::{Deed, Fairness, Processes, Story, Transitions, Watch};
use liveness::{Counterexample, Ending, Product, is_accepted_from, pass_over};
use patterns::{Loop, starved};

use crate::model_system::ModelSystem;
use crate::naming::Naming;
use crate::obligation::Obligation;

/// How many nodes a recheck may look at before it gives up.
const RECHECK_NODES: usize = 200_000;

/// A process that does not move in a loop and could.
struct Able {
    process: u8,
    /// The first state in which it could, in how many it could, and what it would have done.
    state: u32,
    count: usize,
    label: u32,
}

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
    pub(crate) watch: &'a dyn Watch,
}

/// The point of no return first, if there is one, and then what the rest of the trace does.
pub(crate) fn causes<'a, S: Story>(
    cause: &Cause<'a, S>,
    fulfilling: Option<&Product<'a, ModelSystem<'a, S>>>,
) -> Vec<Finding> {
    let mut causes = Vec::new();
    if let (Some((at, note)), Some(fulfilling)) = (&cause.decisive, fulfilling) {
        causes.push(cause.point_of_no_return(*at, note, fulfilling));
    }
    if cause.found.ending != Ending::Decided {
        causes.push(cause.unmet());
        causes.extend(cause.starved().or_else(|| cause.never_served()));
    }
    causes
}

impl<S: Story> Cause<'_, S> {
    fn finding(&self, claim: Claim, steps: Vec<u64>) -> Finding {
        let labels = steps.iter().map(|n| self.found.trace.steps[*n as usize - 1].label);
        let deeds = labels.filter_map(|label| self.model.told(label));
        let deeds = deeds.flat_map(|told| std::iter::once(told.deed).chain(told.partner));
        let mut locations: Vec<Location> = Vec::new();
        for location in deeds.filter_map(|deed| deed.location) {
            if !locations.iter().any(|known| (known.line, known.column) == (location.line, location.column)) {
                locations.push(location);
            }
        }
        Finding::new(claim, locations, steps)
    }

    fn point_of_no_return(
        &self,
        at: usize,
        note: &StepNote,
        fulfilling: &Product<'_, ModelSystem<'_, S>>,
    ) -> Finding {
        let step = at as u64 + 1;
        let decision = Decision {
            step,
            event: self.model.label(self.found.trace.steps[at].label),
            escapes: self.model.label_list(&note.escapes),
            still_free: self.model.label_list(&note.still_free),
            is_endless: true,
        };
        let accepted = |steps: usize| {
            let starts = fulfilling.nodes_after(&self.found.trace, steps);
            is_accepted_from(fulfilling, &starts, self.fairness, RECHECK_NODES)
        };
        let result = match (accepted(at), accepted(at + 1)) {
            (Some(true), Some(false)) => RecheckResult::Confirmed,
            (None, _) | (_, None) => RecheckResult::NotRun,
            _ => RecheckResult::Refuted,
        };
        let finding = self.finding(Claim::PointOfNoReturn(decision), vec![step]);
        finding.rechecked(How::FixedPointsAround(step), result)
    }

    /// What keeps the property unmet for ever.
    fn unmet(&self) -> Finding {
        let trace = &self.found.trace;
        let states: Vec<u32> = trace.states().collect();
        let (is_loop, first) = match self.found.ending {
            Ending::Loop(start) => (true, start),
            _ => (false, trace.steps.len()),
        };
        let turn = &states[first..];
        let (passed_over, waiting) =
            if is_loop { self.passed_over(turn, first) } else { (Vec::new(), Vec::new()) };
        let holds_if_fair = self.holds_if_fair;
        let forbidden = self.forbidden(turn, first).filter(|_| is_loop);
        // Where a label forbids the loop, the steps at that label are what is wrong.
        let steps = match &forbidden {
            Some(ForbiddenLoop::Accepts { steps }) if !steps.is_empty() => steps.clone(),
            _ => (first as u64 + 1..=trace.steps.len() as u64).collect(),
        };
        let atoms = self.atoms(turn);
        let unmet = Unmet { is_loop, forbidden, atoms, passed_over, waiting, holds_if_fair };
        let (how, result) = self.evaluated();
        self.finding(Claim::Unmet(unmet), steps).rechecked(how, result)
    }

    /// What labels forbid of the states of a loop.
    fn forbidden(&self, turn: &[u32], first: usize) -> Option<ForbiddenLoop> {
        match self.obligation.forbids.as_ref()? {
            EndlessProperty::NoNonProgressCycle => Some(ForbiddenLoop::NoProgress),
            EndlessProperty::NoAcceptanceCycle => {
                let marked = |state: &u32| self.obligation.reading.marked.contains(*state);
                let starts = turn.iter().zip(first as u64 + 1..).take(turn.len() - 1);
                let steps = starts.filter(|(state, _)| marked(state)).map(|(_, step)| step);
                Some(ForbiddenLoop::Accepts { steps: steps.collect() })
            }
            EndlessProperty::Stated(_) => None,
        }
    }

    /// Who is passed over in the loop, if that has a name. What only an unfair scheduler does is no fault of the model.
    fn starved(&self) -> Option<Finding> {
        let Ending::Loop(first) = self.found.ending else { return None };
        if self.holds_if_fair || !self.model.has_processes() {
            return None;
        }
        let states: Vec<u32> = self.found.trace.states().collect();
        let taken = self.found.trace.steps[first..].iter().zip(first as u64 + 1..);
        let steps =
            taken.filter_map(|(step, n)| Some(moment(self.model.told(step.label)?.deed, n))).collect();
        let (able, waiting) = self.resting(&states[first..], first);
        // Who could move all the time is passed over by an unfair scheduler, and not by the others.
        let is_seen = |state: &&u32| !self.model.is_uninterrupted(**state);
        let turn = states[first + 1..].iter().filter(is_seen).count();
        let has_at_times = able.iter().any(|able| able.count < turn);
        let able = able.iter().filter(|able| !has_at_times || able.count < turn);
        let able = able.filter_map(|able| {
            let deed = self.model.told(able.label)?.deed;
            let at = states[first..].iter().position(|known| *known == able.state)?;
            let role = Role { name: deed.actor.name.clone(), pid: u64::from(deed.actor.number) };
            Some((role, Some(moment(deed, (first + at) as u64 + 1))))
        });
        let waiting = waiting.iter().map(|waiting| {
            let graph::Actor { name, number } = &waiting.actor;
            (Role { name: name.clone(), pid: u64::from(*number) }, None)
        });
        let found = Loop {
            steps,
            idle: able.chain(waiting).collect(),
            asks_progress: self.obligation.kind == ViolationKind::NonProgress,
        };
        let (how, result) = self.evaluated();
        starved(&found, how, result)
    }

    /// Who waits in all of the loop for what others of its kind get there, if no violating loop serves it. Whoever is never
    /// served at all waits for something else.
    fn never_served(&self) -> Option<Finding> {
        let Ending::Loop(first) = self.found.ending else { return None };
        if self.holds_if_fair || !self.model.has_processes() {
            return None;
        }
        let states: Vec<u32> = self.found.trace.states().collect();
        let (able, waiting) = self.resting(&states[first..], first);
        if !able.is_empty() {
            return None;
        }
        let product = Product::new(self.model, &self.obligation.violations, &self.obligation.reading).ok()?;
        let mut served = None;
        let mut passed_over = Vec::new();
        for one in &waiting {
            let [need] = &one.needs[..] else { continue };
            let is_it = |deed: &Deed| {
                deed.actor.name == one.actor.name
                    && deed.action == need.action
                    && deed.location == need.location
            };
            let deeds = |label: u32| {
                let told = self.model.told(label);
                told.into_iter().flat_map(|told| std::iter::once(told.deed).chain(told.partner))
            };
            let taken = self.found.trace.steps[first..].iter().zip(first as u64 + 1..);
            let here = taken
                .filter_map(|(step, n)| Some(moment(deeds(step.label).find(|deed| is_it(deed))?, n)))
                .next();
            let labels = 0..self.model.labels().len() as u32;
            let is_ever_served =
                labels.flat_map(deeds).any(|deed| is_it(&deed) && deed.actor.number == one.actor.number);
            let mut alone = Processes::NONE;
            alone.add(one.actor.number);
            if let (Some(here), true) = (here, is_ever_served)
                && pass_over(&product, alone, self.watch).ok()? == Some(true)
            {
                let graph::Actor { name, number } = one.actor.clone();
                let who = Role { name, pid: u64::from(number) };
                let (action, location) = (need.action.clone(), need.location.clone());
                passed_over.push(Standstill { who, action, location });
                served.get_or_insert(here);
            }
        }
        let pattern = BugPattern::NeverServed { waits: passed_over, served: served? };
        let (locations, steps) = (pattern.locations(), pattern.steps());
        let claim = Claim::Pattern(Box::new(PatternMatch { pattern, coverage: None }));
        let finding = Finding::new(claim, locations, steps);
        Some(finding.rechecked(How::PatternInEveryLoop, RecheckResult::Confirmed))
    }

    /// What came of evaluating the formula on the trace.
    fn evaluated(&self) -> (How, RecheckResult) {
        match self.holds_on_trace() {
            Some(true) => (How::FormulaOnTrace, RecheckResult::Refuted),
            Some(false) => (How::FormulaOnTrace, RecheckResult::Confirmed),
            None => (How::NoFormula, RecheckResult::NotRun),
        }
    }

    /// The atoms that never change in these states.
    fn atoms(&self, turn: &[u32]) -> Vec<(String, bool)> {
        let letters = || {
            let seen = turn.iter().filter(|state| !self.model.is_uninterrupted(**state));
            seen.map(|state| self.obligation.reading.letters[*state as usize])
        };
        let (always, ever) = letters().fold((u64::MAX, 0), |(all, any), letter| (all & letter, any | letter));
        let atoms = self.obligation.atoms.iter().enumerate();
        let constant = atoms.filter_map(|(number, text)| match (always >> number & 1, ever >> number & 1) {
            (1, _) => Some((text.clone(), true)),
            (_, 0) => Some((text.clone(), false)),
            _ => None,
        });
        constant.collect()
    }

    /// The processes that do not move in the loop: what they could do somewhere, and what they wait for.
    fn passed_over(&self, turn: &[u32], first: usize) -> (Vec<(String, bool)>, Vec<Waiting>) {
        let (able, waiting) = self.resting(turn, first);
        let open = turn[1..].iter().filter(|state| !self.model.is_uninterrupted(**state)).count();
        let passed_over =
            able.iter().map(|able| (self.model.label(able.label), able.count == open)).collect();
        let waiting = waiting.into_iter().filter_map(|waiting| {
            let need = waiting.needs.first()?;
            let process = waiting.actor.to_string();
            Some(Waiting { process, action: need.action.clone(), reason: need.reason.clone() })
        });
        (passed_over, waiting.collect())
    }

    /// The processes that do not move in the loop: those that could in some state, and those that wait all the time.
    fn resting(&self, turn: &[u32], first: usize) -> (Vec<Able>, Vec<graph::Waiting>) {
        let mut moving: Vec<u8> = Vec::new();
        for step in &self.found.trace.steps[first..] {
            moving.extend(self.model.actors(step.label).iter());
        }
        let mut able: Vec<Able> = Vec::new();
        for state in turn[1..].iter().filter(|state| !self.model.is_uninterrupted(**state)) {
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
                match able.iter_mut().find(|known| known.process == process) {
                    Some(known) => known.count += 1,
                    None => able.push(Able { process, state: *state, count: 1, label }),
                }
            });
        }
        able.sort_unstable_by_key(|able| able.process);
        let mut waiting = self.model.waiting(turn[0]);
        waiting.retain(|waiting| {
            let number = waiting.actor.number;
            !waiting.may_end && !moving.contains(&number) && able.iter().all(|able| able.process != number)
        });
        (able, waiting)
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

fn moment(deed: Deed, step: u64) -> Moment {
    let who = Role { name: deed.actor.name, pid: u64::from(deed.actor.number) };
    Moment { who, step, action: deed.action, location: deed.location }
}
