//! BatSat behind the seam: a MiniSat in Rust, the default because it builds with cargo alone.

use batsat::{Callbacks, ClauseKind, Lit, SolverInterface, SolverOpts, Var, lbool};

use super::meter::Meter;
use super::{Engine, Literal, Stop, Verdict};

struct Hooks<'w>(Meter<'w>);

impl Callbacks for Hooks<'_> {
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        if matches!(kind, ClauseKind::Learnt) {
            self.0.conflict();
        }
    }

    fn stop(&self) -> bool {
        self.0.must_stop()
    }
}

pub(super) struct Bat<'w> {
    solver: batsat::Solver<Hooks<'w>>,
    /// The clause or the assumptions on their way in, kept for its room.
    room: Vec<Lit>,
}

impl<'w> Bat<'w> {
    pub(super) fn new(meter: Meter<'w>) -> Self {
        Self { solver: batsat::Solver::new(SolverOpts::default(), Hooks(meter)), room: Vec::new() }
    }

    fn take_in(&mut self, literals: &[Literal]) {
        self.room.clear();
        for literal in literals {
            let variable: Var = self.solver.var_of_int(literal.variable());
            self.room.push(Lit::new(variable, !literal.is_negative()));
        }
    }
}

impl Engine for Bat<'_> {
    fn clause(&mut self, literals: &[Literal]) {
        self.take_in(literals);
        // False means that the clauses contradict each other, which the next question will tell.
        self.solver.add_clause_reuse(&mut self.room);
    }

    fn solve(&mut self, assumptions: &[Literal], conflicts: Option<u64>) -> Result<Verdict, Stop> {
        self.take_in(assumptions);
        self.solver.cb().0.start(conflicts);
        let room = std::mem::take(&mut self.room);
        let answer = self.solver.solve_limited(&room);
        self.room = room;
        if answer == lbool::TRUE {
            Ok(Verdict::Satisfiable)
        } else if answer == lbool::FALSE {
            Ok(Verdict::Unsatisfiable)
        } else {
            Err(self.solver.cb().0.stopped().unwrap_or(Stop::GaveUp))
        }
    }

    fn model(&self, model: &mut Vec<bool>) {
        model.extend(self.solver.get_model().iter().map(|value| *value == lbool::TRUE));
    }

    fn core(&self, _: &[Literal], core: &mut Vec<Literal>) {
        // What BatSat keeps is the clause it derived: the negations of the assumptions.
        core.extend(
            self.solver
                .unsat_core()
                .iter()
                .map(|literal| Literal::positive(literal.var().idx()).flipped(literal.sign())),
        );
    }
}
