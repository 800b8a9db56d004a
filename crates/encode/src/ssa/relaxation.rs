//! Which statements may be assumed wrong.

use std::collections::BTreeMap;

use crate::circuit::Circuit;
use crate::solver::{Literal, Solver};

/// A literal AB(c) for every statement that may be abnormal; all its instances share it, on all traces that are
/// encoded with it.
#[derive(Clone, Debug, Default)]
pub struct Relaxation {
    literals: BTreeMap<u32, Literal>,
}

impl Relaxation {
    /// No statement may be abnormal.
    pub fn none() -> Self {
        Self::default()
    }

    pub fn of(circuit: &mut Circuit<'_>, statements: impl IntoIterator<Item = u32>) -> Self {
        let mut relaxation = Self::default();
        for statement in statements {
            relaxation.literals.entry(statement).or_insert_with(|| circuit.solver.fresh());
        }
        relaxation
    }

    /// True if the statement is abnormal; never, of those that may not be.
    pub fn literal(&self, statement: u32) -> Literal {
        self.literals.get(&statement).copied().unwrap_or(Literal::FALSE)
    }

    /// The statements that may be abnormal, in order, with their literals.
    pub fn literals(&self) -> impl Iterator<Item = (u32, Literal)> {
        self.literals.iter().map(|(statement, literal)| (*statement, *literal))
    }

    /// Assumptions under which exactly these statements are abnormal.
    pub fn exactly(&self, abnormal: &[u32]) -> Vec<Literal> {
        self.literals().map(|(statement, literal)| literal.flipped(!abnormal.contains(&statement))).collect()
    }

    /// The statements that are abnormal in the solver's model, in order.
    pub fn abnormal(&self, solver: &Solver<'_>) -> Vec<u32> {
        self.literals()
            .filter(|(_, literal)| solver.is_true(*literal))
            .map(|(statement, _)| statement)
            .collect()
    }
}
