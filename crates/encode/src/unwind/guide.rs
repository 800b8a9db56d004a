//! Runs that meet given waypoints in a given order.
//!
//! How many of the waypoints a run has met is part of what is known where a walk is, like memory: a literal for each
//! of them, which becomes true when the one before is and the waypoint is met, and is chosen by the branch's condition
//! where ways meet again. So a counterexample that names only some of what happens guides the solver to those runs
//! on which the rest happens as well.

use model::Expr;

use super::execute::{Executor, Frame};
use super::log::At;
use super::state::State;
use crate::expr::Value;
use crate::solver::Literal;

/// Something that a run does.
#[derive(Clone, Debug, PartialEq)]
pub struct Waypoint {
    /// The edges at which it can happen, in order.
    pub edges: Vec<At>,
    pub what: Event,
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

impl Executor<'_, '_, '_> {
    /// An edge is about to be taken.
    pub(super) fn pass(&mut self, state: &mut State, frame: &Frame, at: At) {
        for number in (0..self.guide.len()).rev() {
            let waypoint = &self.guide[number];
            if !waypoint.is_at(at) {
                continue;
            }
            let met = match &waypoint.what {
                Event::Input(_) => continue,
                Event::Taken => Literal::TRUE,
                Event::Holds(condition) => {
                    // What cannot be evaluated here says nothing.
                    let mut aside = state.clone();
                    let checks = self.log.checks.len();
                    let cuts = self.log.cuts.len();
                    let value = self.value(&mut aside, frame, at, condition);
                    self.log.checks.truncate(checks);
                    self.log.cuts.truncate(cuts);
                    value.map_or(Literal::TRUE, |value| value.is_true(self.circuit))
                }
            };
            self.meet(state, number, met);
        }
    }

    /// An input was taken.
    pub(super) fn take_note(&mut self, state: &mut State, at: At, value: &Value) {
        for number in (0..self.guide.len()).rev() {
            let waypoint = &self.guide[number];
            let Event::Input(wanted) = waypoint.what else { continue };
            if waypoint.is_at(at) {
                let met = match wanted {
                    None => Literal::TRUE,
                    Some(wanted) => self.circuit.same_value(value, &Value::constant(wanted)),
                };
                self.meet(state, number, met);
            }
        }
    }

    /// A waypoint is met if `met` holds and the one before was met.
    fn meet(&mut self, state: &mut State, number: usize, met: Literal) {
        let before = number.checked_sub(1).map_or(Literal::TRUE, |before| state.met[before]);
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
