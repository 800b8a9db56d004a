//! Real runs of a program: other ones that fail, and ones that meet conditions at a place.
//!
//! A statement that is to blame for one failing run is to blame for the others, too, unless there are several faults.
//! All questions go to one formula of the whole program, unwound as far as failing runs need it.

use encode::solver::{Literal, Solver, Stop, Verdict};
use encode::unwind::{At, Duty, Probe, Unwinder, Unwinding};
use graph::Watch;
use model::Program;

const MOST_CONFLICTS: u64 = 20_000;

/// The runs of a program, as far as a bound reaches.
pub(crate) struct Runs<'p, 'w> {
    unwinder: Unwinder<'p, 'w>,
    unwinding: Unwinding,
    fails: Literal,
}

impl<'p, 'w> Runs<'p, 'w> {
    /// Runs that fail neglect a check of the edge `wrong`. The conditions can be asked for whenever the edge `place`
    /// is about to be taken. Loops go round again so often that some run fails, and `most` times at most.
    pub(crate) fn new(
        program: &'p Program,
        wrong: At,
        place: At,
        conditions: &[Probe],
        most: u32,
        watch: &'w dyn Watch,
    ) -> Result<Self, Stop> {
        let mut unwinder = Unwinder::new(program, Solver::new(watch));
        unwinder.circuit.solver.limit_conflicts(Some(MOST_CONFLICTS));
        let mut bound = 1.min(most);
        loop {
            let watched = conditions.iter().map(|probe| probe.expr.clone()).collect();
            let unwinding = unwinder.unwind_watching(bound, place, watched)?;
            let circuit = &mut unwinder.circuit;
            let checks = unwinding.checks.iter().filter(|check| {
                check.at == wrong && matches!(check.duty, Duty::Failure(_) | Duty::Need(_) | Duty::Fault(_))
            });
            let neglected: Vec<Literal> =
                checks.map(|check| circuit.and(check.reached, !check.holds)).collect();
            let fails = circuit.any(neglected);
            let possible = fails != Literal::FALSE && circuit.solver.solve(&[fails])? == Verdict::Satisfiable;
            if possible || bound >= most {
                return Ok(Self { unwinder, unwinding, fails });
            }
            bound = (bound * 2).min(most);
        }
    }

    /// The inputs of failing runs, each on a way of its own as long as there are any, and none of them these; at most
    /// so many.
    pub(crate) fn failing(&mut self, known: &[i64], most: usize) -> Result<Vec<Vec<i64>>, Stop> {
        let Self { unwinder, unwinding, fails } = self;
        let circuit = &mut unwinder.circuit;
        let mut found: Vec<Vec<i64>> = Vec::new();
        if *fails == Literal::FALSE {
            return Ok(found);
        }
        // What rules out runs belongs to this question; ways that were gone are not gone again, until there is no other.
        let (only_here, other_way) = (circuit.solver.fresh(), circuit.solver.fresh());
        let mut question = vec![*fails, only_here, other_way];
        while found.len() < most {
            match circuit.solver.solve(&question) {
                Ok(Verdict::Satisfiable) => {}
                Ok(Verdict::Unsatisfiable) if question.len() == 3 => {
                    question.pop();
                    continue;
                }
                Ok(Verdict::Unsatisfiable) | Err(Stop::Conflicts(_)) => break,
                Err(stop) => return Err(stop),
            }
            let solver = &circuit.solver;
            let inputs = unwinding.taken_inputs(solver);
            let branches = unwinding.passages.iter().filter(|passage| passage.is_branch);
            let mut way = vec![!other_way];
            way.extend(branches.map(|passage| passage.taken.flipped(solver.is_true(passage.taken))));
            let mut values = vec![!only_here];
            for input in unwinding.inputs.iter().filter(|input| solver.is_true(input.taken)) {
                let bits = input.value.resize(usize::from(input.scalar.bits));
                values.extend(bits.literals().iter().map(|bit| bit.flipped(solver.is_true(*bit))));
            }
            circuit.solver.clause(&way);
            circuit.solver.clause(&values);
            if inputs != known {
                found.push(inputs);
            }
        }
        Ok(found)
    }

    /// Whether a run comes to the place while the conditions are as told; nothing is told of some.
    pub(crate) fn meets(&mut self, wanted: &[Option<bool>]) -> Result<bool, Stop> {
        let circuit = &mut self.unwinder.circuit;
        let mut ways = Vec::new();
        for sight in &self.unwinding.sights {
            let mut all = vec![sight.taken];
            for (value, wanted) in sight.values.iter().zip(wanted) {
                if let (Some(value), Some(wanted)) = (value, wanted) {
                    all.push(value.is_true(circuit).flipped(!wanted));
                }
            }
            ways.push(circuit.all(all));
        }
        let some = circuit.any(ways);
        Ok(some != Literal::FALSE && circuit.solver.solve(&[some])? == Verdict::Satisfiable)
    }
}
