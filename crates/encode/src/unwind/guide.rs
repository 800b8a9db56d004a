//! Runs that meet given waypoints in a given order.
//!
//! How many of the waypoints a run has met is part of what is known where a walk is, like memory: a literal for each
//! of them, which becomes true when the one before is and the waypoint is met, and is chosen by the branch's condition
//! where ways meet again. So a counterexample that names only some of what happens guides the solver to those runs
//! on which the rest happens as well. What must not happen before the next waypoint is met makes a run lose its way,
//! and one that is lost meets nothing any more.

use model::Expr;

use super::execute::{Executor, Frame};
use super::log::{At, Sight};
use super::state::State;
use crate::circuit::Circuit;
use crate::expr::Value;
use crate::solver::Literal;

/// Something that a run does.
#[derive(Clone, Debug, PartialEq)]
pub struct Waypoint {
    /// The edges at which it can happen, in order.
    pub edges: Vec<At>,
    pub what: Event,
}

/// Waypoints in their order, each with what must not happen between the one before and it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Guide {
    pub steps: Vec<Waypoint>,
    /// One list more than there are waypoints: the last is for what comes behind them.
    pub avoided: Vec<Vec<Waypoint>>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// One of the edges is taken.
    Taken,
    /// It is taken, and this holds before.
    Holds(Expr),
    /// An input is taken there, with this value if one is named.
    Input(Option<i64>),
}

impl Waypoint {
    fn is_at(&self, at: At) -> bool {
        self.edges.binary_search(&at).is_ok()
    }
}

/// What must not happen, each with the number of the waypoint before which it must not.
fn avoided(guide: &Guide) -> impl Iterator<Item = (usize, &Waypoint)> {
    let lists = guide.avoided.iter().enumerate().take(guide.steps.len() + 1);
    lists.flat_map(|(number, list)| list.iter().map(move |waypoint| (number, waypoint)))
}

impl Executor<'_, '_, '_> {
    /// An edge is about to be taken.
    pub(super) fn pass(&mut self, state: &mut State, frame: &Frame, at: At) {
        if let Some((_, watched)) = self.log.watched.take_if(|(edge, _)| *edge == at) {
            let taken = state.reached(self.circuit);
            let values = watched.iter().map(|expr| self.glimpse(state, frame, at, expr)).collect();
            self.log.sights.push(Sight { taken, values });
            self.log.watched = Some((at, watched));
        }
        let guide = self.guide;
        for (number, waypoint) in avoided(guide).filter(|(_, waypoint)| waypoint.is_at(at)) {
            if let Some(happens) = self.happens(state, frame, at, waypoint, false) {
                self.lose(state, number, happens);
            }
        }
        for (number, waypoint) in guide.steps.iter().enumerate().rev() {
            if waypoint.is_at(at)
                && let Some(met) = self.happens(state, frame, at, waypoint, true)
            {
                self.meet(state, number, met);
            }
        }
    }

    /// When a waypoint at this edge happens; nothing if it is about inputs. `unknown` stands for what cannot be
    /// evaluated here.
    fn happens(
        &mut self,
        state: &State,
        frame: &Frame,
        at: At,
        waypoint: &Waypoint,
        unknown: bool,
    ) -> Option<Literal> {
        match &waypoint.what {
            Event::Input(_) => None,
            Event::Taken => Some(Literal::TRUE),
            Event::Holds(condition) => {
                let value = self.glimpse(state, frame, at, condition);
                let unknown = if unknown { Literal::TRUE } else { Literal::FALSE };
                Some(value.map_or(unknown, |value| value.is_true(self.circuit)))
            }
        }
    }

    /// What an expression is here, without any trace of having looked.
    pub(super) fn glimpse(&mut self, state: &State, frame: &Frame, at: At, expr: &Expr) -> Option<Value> {
        let mut aside = state.clone();
        let (checks, cuts) = (self.log.checks.len(), self.log.cuts.len());
        let value = self.value(&mut aside, frame, at, expr);
        self.log.checks.truncate(checks);
        self.log.cuts.truncate(cuts);
        value.ok()
    }

    /// An input was taken.
    pub(super) fn take_note(&mut self, state: &mut State, at: At, value: &Value) {
        let guide = self.guide;
        let taken = |circuit: &mut Circuit<'_>, waypoint: &Waypoint| match waypoint.what {
            Event::Input(None) => Some(Literal::TRUE),
            Event::Input(Some(wanted)) => Some(circuit.same_value(value, &Value::constant(wanted))),
            Event::Taken | Event::Holds(_) => None,
        };
        for (number, waypoint) in avoided(guide).filter(|(_, waypoint)| waypoint.is_at(at)) {
            if let Some(happens) = taken(self.circuit, waypoint) {
                self.lose(state, number, happens);
            }
        }
        for (number, waypoint) in guide.steps.iter().enumerate().rev() {
            if waypoint.is_at(at)
                && let Some(met) = taken(self.circuit, waypoint)
            {
                self.meet(state, number, met);
            }
        }
    }

    /// What must not happen before a waypoint is met happens.
    fn lose(&mut self, state: &mut State, number: usize, happens: Literal) {
        let before = number.checked_sub(1).map_or(Literal::TRUE, |before| state.met[before]);
        let own = state.met.get(number).copied().unwrap_or(Literal::FALSE);
        let between = self.circuit.and(before, !own);
        let lost = self.circuit.and(between, happens);
        state.lost = self.circuit.or(state.lost, lost);
    }

    /// Whether all waypoints were met, and nothing happened that must not.
    pub(super) fn is_guided(&mut self, state: &State) -> Literal {
        let last = state.met.last().copied().unwrap_or(Literal::TRUE);
        self.circuit.and(last, !state.lost)
    }

    /// A waypoint is met if `met` holds, the one before was met, and the run is not lost.
    fn meet(&mut self, state: &mut State, number: usize, met: Literal) {
        let before = number.checked_sub(1).map_or(Literal::TRUE, |before| state.met[before]);
        let before = self.circuit.and(before, !state.lost);
        let now = self.circuit.and(before, met);
        if now == Literal::FALSE {
            return;
        }
        let reached = state.reached(self.circuit);
        let happens = self.circuit.and(reached, now);
        self.log.met[number].push(happens);
        state.met[number] = self.circuit.or(state.met[number], now);
    }
}
