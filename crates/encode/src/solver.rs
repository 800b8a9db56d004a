//! The one seam to satisfiability solvers.
//!
//! Everything that asks a solver asks a [`Solver`]: clauses are only ever added, questions come with
//! assumptions, a yes leaves a model and a no a core of assumptions that cannot all hold. Which library
//! answers is decided when the solver is made. Libraries are used directly and not through a collection of
//! solver interfaces, because the seam is thin and their callbacks, which interrupts need, differ.
//!
//! A formula that grows too large, or a watch that says stop while it is being built, makes the solver refuse
//! further clauses and every question: so what builds formulas need not look for it at every gate.

use std::fmt;

use graph::{Interrupt, PULSE, Progress, Watch};
use thiserror::Error;

mod bat;
#[cfg(feature = "cadical")]
mod cadical;
mod core;
mod fewest;
mod literal;
mod meter;
mod totalizer;

pub use self::core::{Core, minimise_core};
pub use fewest::{Fewest, fewest, fewest_up_to};
pub use literal::Literal;
pub use totalizer::Totalizer;

use meter::Meter;

/// The answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Satisfiable,
    Unsatisfiable,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Stop {
    #[error(transparent)]
    Interrupted(#[from] Interrupt),
    #[error("the limit of {0} conflicts was reached")]
    Conflicts(u64),
    #[error("the formula is too large")]
    TooLarge,
    #[error("the solver gave up")]
    GaveUp,
}

/// The library that answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    #[default]
    Batsat,
    #[cfg(feature = "cadical")]
    Cadical,
}

impl Backend {
    /// All that were compiled in.
    pub const ALL: &'static [Self] = &[
        Self::Batsat,
        #[cfg(feature = "cadical")]
        Self::Cadical,
    ];
}

/// What a library must be able to do.
trait Engine {
    fn clause(&mut self, literals: &[Literal]);
    fn solve(&mut self, assumptions: &[Literal], conflicts: Option<u64>) -> Result<Verdict, Stop>;
    /// Appends the values of the variables in the last model; those it leaves out do not matter.
    fn model(&self, model: &mut Vec<bool>);
    /// Appends assumptions that contradicted each other in the last question.
    fn core(&self, assumptions: &[Literal], core: &mut Vec<Literal>);
}

/// Literals in all clauses together: more than any question we ask needs. The libraries address theirs
/// by 32 bits and need room for what they learn.
const MOST_LITERALS: u64 = 1 << 27;

/// An incremental solver.
pub struct Solver<'w> {
    engine: Box<dyn Engine + 'w>,
    watch: &'w dyn Watch,
    variables: u32,
    clauses: u64,
    /// In all clauses, counted again for each.
    literals: u64,
    conflict_limit: Option<u64>,
    refused: Option<Stop>,
    model: Vec<bool>,
    core: Vec<Literal>,
    room: Vec<Literal>,
}

impl<'w> Solver<'w> {
    pub fn new(watch: &'w dyn Watch) -> Self {
        Self::with_backend(Backend::default(), watch)
    }

    pub fn with_backend(backend: Backend, watch: &'w dyn Watch) -> Self {
        let meter = Meter::new(watch);
        let mut engine: Box<dyn Engine + 'w> = match backend {
            Backend::Batsat => Box::new(bat::Bat::new(meter)),
            #[cfg(feature = "cadical")]
            Backend::Cadical => Box::new(cadical::Cadical::new(meter)),
        };
        engine.clause(&[Literal::TRUE]);
        Self {
            engine,
            watch,
            variables: 1,
            clauses: 0,
            literals: 0,
            conflict_limit: None,
            refused: None,
            model: Vec::new(),
            core: Vec::new(),
            room: Vec::new(),
        }
    }

    /// A new variable. A solver that refuses gives out a constant, so that what is still being built folds away.
    pub fn fresh(&mut self) -> Literal {
        if u64::from(self.variables) >= MOST_LITERALS {
            self.refused.get_or_insert(Stop::TooLarge);
        }
        if self.refused.is_some() {
            return Literal::FALSE;
        }
        self.variables += 1;
        Literal::positive(self.variables - 1)
    }

    /// At least one of these is true in every model.
    pub fn clause(&mut self, literals: &[Literal]) {
        if self.refused.is_some() || literals.contains(&Literal::TRUE) {
            return;
        }
        self.room.clear();
        self.room.extend(literals.iter().copied().filter(|literal| *literal != Literal::FALSE));
        let before = self.literals;
        // An empty clause counts too: it is what makes the formula false.
        self.literals += self.room.len().max(1) as u64;
        self.clauses += 1;
        if self.literals > MOST_LITERALS {
            self.refused = Some(Stop::TooLarge);
            return;
        }
        if before / PULSE != self.literals / PULSE
            && let Err(interrupt) = self.watch.pulse(Progress { phase: "encoding", ..Progress::default() })
        {
            self.refused = Some(Stop::Interrupted(interrupt));
            return;
        }
        if self.room.is_empty() {
            self.room.push(Literal::FALSE);
        }
        self.engine.clause(&self.room);
    }

    /// Whether the clauses have a model in which all assumptions are true.
    pub fn solve(&mut self, assumptions: &[Literal]) -> Result<Verdict, Stop> {
        self.core.clear();
        self.model.clear();
        if let Some(stop) = self.refused {
            return Err(stop);
        }
        // What comes before the first decision, and after the last one, grows with the formula.
        let work = u64::from(self.variables) / 16;
        self.watch.pulse(Progress { phase: "solving", work, ..Progress::default() })?;
        let verdict = self.engine.solve(assumptions, self.conflict_limit)?;
        match verdict {
            Verdict::Satisfiable => self.engine.model(&mut self.model),
            Verdict::Unsatisfiable => {
                self.engine.core(assumptions, &mut self.core);
                self.core.sort_unstable();
                self.core.dedup();
            }
        }
        Ok(verdict)
    }

    /// The value in the model the last question left; of variables made since, and of all if the answer was
    /// not yes, false.
    pub fn is_true(&self, literal: Literal) -> bool {
        match literal.known() {
            Some(value) => value,
            None => {
                self.model.get(literal.variable() as usize).copied().unwrap_or(false) != literal.is_negative()
            }
        }
    }

    /// Assumptions of the last question that cannot all be true, in order; empty if the clauses alone
    /// contradict each other, or if the answer was not no.
    pub fn core(&self) -> &[Literal] {
        &self.core
    }

    /// Whether whoever watches lets a long construction go on; once it does not, the solver refuses.
    pub fn pulse(&mut self) -> Result<(), Stop> {
        if self.refused.is_none()
            && let Err(interrupt) = self.watch.pulse(Progress { phase: "encoding", ..Progress::default() })
        {
            self.refused = Some(Stop::Interrupted(interrupt));
        }
        self.refused.map_or(Ok(()), Err)
    }

    /// From now on a question may cost that many conflicts.
    pub fn limit_conflicts(&mut self, limit: Option<u64>) {
        self.conflict_limit = limit;
    }

    /// How many conflicts a question may cost.
    pub fn conflict_limit(&self) -> Option<u64> {
        self.conflict_limit
    }

    pub fn variables(&self) -> u32 {
        self.variables
    }

    pub fn clauses(&self) -> u64 {
        self.clauses
    }
}

impl fmt::Debug for Solver<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Solver")
            .field("variables", &self.variables)
            .field("clauses", &self.clauses)
            .field("refused", &self.refused)
            .finish_non_exhaustive()
    }
}
