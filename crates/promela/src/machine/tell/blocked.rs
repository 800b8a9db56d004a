//! Why processes cannot go on: of every step that the scheduler does not take, what it needs.

use super::super::compiled::{Act, CompiledStep};
use super::super::vector::{self, CONTROL, NOBODY};
use super::scene::Scene;
use super::{StateParts, Teller};
use crate::resolve::StmtKind;

/// Where a process stands and what it waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    pub process: String,
    pub pid: u8,
    /// It stands at its end, or at an end label.
    pub may_end: bool,
    /// The steps it cannot take; empty if it can take all.
    pub waits: Vec<Wait>,
}

/// A statement that cannot be executed now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// A number into [`Machine::statements`](super::Machine::statements).
    pub statement: u32,
    /// What it needs, in words: "`turn == 1` is false: turn is 0".
    pub reason: String,
}

impl Teller<'_> {
    /// Why each living process cannot take the steps it cannot take. A process that may not move at all,
    /// whatever stands there, has one wait that says so.
    pub fn blocked(&self, state: &[u8]) -> Vec<Blocked> {
        let scene = Scene::new(self, state);
        (0..scene.look.frames.processes.len()).map(|process| scene.blocked(process)).collect()
    }

    /// The processes of a state: kind, number, and the first statement that could come next, if any could.
    pub fn standing(&self, state: &[u8]) -> Vec<(&str, u8, Option<u32>)> {
        let look = StateParts::new(self, state);
        let told = (0..).zip(&look.frames.processes).map(|(number, frame)| {
            let frame = *frame as usize;
            let location =
                &self.machine.kinds[usize::from(state[frame])].locations[vector::location(state, frame)];
            (
                self.kind_name(state, frame),
                number,
                location.steps.first().map(|step| first_guard(step).statement),
            )
        });
        told.collect()
    }
}

impl<'m> Scene<'_, 'm> {
    fn blocked(&self, process: usize) -> Blocked {
        let frame = self.look.frames.processes[process] as usize;
        let steps = self.steps(process);
        let moves = steps.iter().any(|step| self.is_taken(process, step.statement));
        let held = if moves { None } else { self.held_back(process) };
        let waits = match (held, steps.first()) {
            (Some(reason), Some(first)) => vec![Wait { statement: first_guard(first).statement, reason }],
            _ => self.waits(process, steps),
        };
        let kind = &self.teller.machine.kinds[usize::from(self.state[frame])];
        Blocked {
            process: self.teller.kind_name(self.state, frame).to_owned(),
            pid: process as u8,
            may_end: kind.locations[vector::location(self.state, frame)].valid_end,
            waits,
        }
    }

    fn waits(&self, process: usize, steps: &'m [CompiledStep]) -> Vec<Wait> {
        let mut waits: Vec<Wait> = Vec::new();
        for step in steps.iter().filter(|step| !self.is_taken(process, step.statement)) {
            let guards = match &step.act {
                Act::Indivisible(locations) => locations[0].steps.iter().collect(),
                _ => vec![step],
            };
            let mut reasons: Vec<(u32, String)> = Vec::new();
            for guard in guards {
                let reason = self.reason(process, guard).or_else(|| self.fault(process, step));
                reasons.extend(reason.map(|reason| (guard.statement, reason)));
            }
            if reasons.is_empty() {
                reasons.push((step.statement, self.passed_over(process, step)));
            }
            for (statement, reason) in reasons {
                let known =
                    waits.iter().any(|wait| wait.reason == reason && self.same(wait.statement, statement));
                if !known {
                    waits.push(Wait { statement, reason });
                }
            }
        }
        waits
    }

    /// Whether two steps are of the same statement.
    fn same(&self, one: u32, other: u32) -> bool {
        let origin =
            |statement: u32| self.teller.origins.statements.get(statement as usize).copied().flatten();
        match (origin(one), origin(other)) {
            (Some(one), Some(other)) => std::ptr::eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        }
    }

    /// Why the process may not move, whatever it stands at.
    fn held_back(&self, process: usize) -> Option<String> {
        let control = self.state[CONTROL];
        if control != NOBODY && usize::from(control) != process {
            let holder = self.name(usize::from(control));
            return Some(format!("`{holder}` is inside an `atomic` sequence and goes first"));
        }
        let frame = self.look.frames.processes[process] as usize;
        let number = usize::from(self.state[frame]);
        if let Some(provided) = &self.teller.machine.kinds[number].provided
            && self.run(process, provided) == Ok(0)
            && let Some(expr) = &self.teller.program.processes[number].provided
        {
            return Some(format!("its `provided` clause does not hold: {}", self.why_false(process, expr)));
        }
        if !self.teller.machine.has_priorities {
            return None;
        }
        let priority =
            |process: usize| vector::priority(self.state, self.look.frames.processes[process] as usize);
        let others = (0..self.look.frames.processes.len()).filter(|other| *other != process);
        let mut higher = others.filter(|other| priority(*other) > priority(process));
        let first =
            higher.find(|other| self.with_view(|view| view.can_step(self.state, *other)).unwrap_or(true))?;
        Some(format!(
            "`{}` can move and has priority {}, above {}",
            self.name(first),
            priority(first),
            priority(process)
        ))
    }

    /// Why a step cannot be taken by itself; nothing if it could be.
    fn reason(&self, process: usize, step: &CompiledStep) -> Option<String> {
        let origin = self.origin(step);
        match (&step.act, origin.map(|origin| &origin.kind)) {
            (Act::Wait(code), Some(StmtKind::Condition(expr))) => match self.run(process, code) {
                Ok(0) => Some(self.why_false(process, expr)),
                _ => None,
            },
            (Act::Send { values, .. }, Some(StmtKind::Send { channel, values: exprs, .. })) => {
                self.why_not_sent(process, channel, exprs, values)
            }
            (Act::Receive(reception), Some(StmtKind::Receive { channel, patterns, .. })) => {
                self.why_not_received(process, channel, reception, patterns)
            }
            (Act::End, _) => self.why_not_ended(process),
            _ => None,
        }
    }

    /// Why a step is not taken that could be, if it stood alone.
    fn passed_over(&self, process: usize, step: &CompiledStep) -> String {
        let escapes = self.steps(process).iter().any(|other| {
            other.escape != step.escape && other.escape > 0 && self.is_taken(process, other.statement)
        });
        if escapes {
            "the escape of its `unless` can be taken instead".to_owned()
        } else if let Some(reason) = self.held_back(process) {
            // It only moves along with somebody else, in a rendezvous.
            reason
        } else if matches!(step.act, Act::Else) {
            "another option can be taken".to_owned()
        } else {
            "it has to wait for others".to_owned()
        }
    }

    fn why_not_ended(&self, process: usize) -> Option<String> {
        let younger: Vec<String> = (process + 1..self.look.frames.processes.len())
            .map(|younger| format!("`{}`", self.name(younger)))
            .collect();
        match &younger[..] {
            [] => None,
            [one] => Some(format!("{one} was started later and has not ended")),
            [one, other] => Some(format!("{one} and {other} were started later and have not ended")),
            [one, others @ ..] => {
                Some(format!("{one} and {} others were started later and have not ended", others.len()))
            }
        }
    }
}

/// The first statement of a `d_step`, or the step itself.
fn first_guard(step: &CompiledStep) -> &CompiledStep {
    match &step.act {
        Act::Indivisible(locations) => locations[0].steps.first().unwrap_or(step),
        _ => step,
    }
}
