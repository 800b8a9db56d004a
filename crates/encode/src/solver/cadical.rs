//! CaDiCaL behind the seam: faster on hard questions, but written in C++, so it comes in only with the feature
//! `cadical`.

use super::meter::Meter;
use super::{Engine, Literal, Stop, Verdict};

struct Hooks<'w>(Meter<'w>);

impl cadical::Callbacks for Hooks<'_> {
    fn terminate(&mut self) -> bool {
        self.0.must_stop()
    }
}

pub(super) struct Cadical<'w> {
    solver: cadical::Solver<Hooks<'w>>,
}

impl<'w> Cadical<'w> {
    pub(super) fn new(meter: Meter<'w>) -> Self {
        let mut solver = cadical::Solver::new();
        solver.set_callbacks(Some(Hooks(meter)));
        Self { solver }
    }
}

/// As in DIMACS files, where variables count from 1.
fn number(literal: Literal) -> i32 {
    let number = literal.variable() as i32 + 1;
    if literal.is_negative() { -number } else { number }
}

impl Engine for Cadical<'_> {
    fn clause(&mut self, literals: &[Literal]) {
        self.solver.add_clause(literals.iter().map(|literal| number(*literal)));
    }

    fn solve(&mut self, assumptions: &[Literal], conflicts: Option<u64>) -> Result<Verdict, Stop> {
        if let Some(hooks) = self.solver.get_callbacks() {
            hooks.0.start(None);
        }
        if let Some(limit) = conflicts {
            // The name is one that CaDiCaL documents, so setting it cannot fail.
            let _ = self.solver.set_limit("conflicts", i32::try_from(limit).unwrap_or(i32::MAX));
        }
        match self.solver.solve_with(assumptions.iter().map(|literal| number(*literal))) {
            Some(true) => Ok(Verdict::Satisfiable),
            Some(false) => Ok(Verdict::Unsatisfiable),
            None => {
                let stopped = self.solver.get_callbacks().and_then(|hooks| hooks.0.stopped());
                Err(stopped.or(conflicts.map(Stop::Conflicts)).unwrap_or(Stop::GaveUp))
            }
        }
    }

    fn model(&self, model: &mut Vec<bool>) {
        let variables = self.solver.max_variable();
        model.extend((1..=variables).map(|variable| self.solver.value(variable) == Some(true)));
    }

    fn core(&self, assumptions: &[Literal], core: &mut Vec<Literal>) {
        core.extend(assumptions.iter().copied().filter(|literal| self.solver.failed(number(*literal))));
    }
}
