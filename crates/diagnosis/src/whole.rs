//! The whole program with statements that may be wrong, on given inputs.
//!
//! On the trace alone a branch that is wrong leads nowhere else. Here it goes on on its own other side, as far as a
//! bound of loops reaches, while the inputs stay those of a failing run (as in Jose and Majumdar: Cause Clue Clauses,
//! 2011, but with branches). If then the program can come to its end with nothing wrong, or go on for ever if it has no
//! end, these statements explain the failing run. An assertion has to be met on the way, because to avoid it is no repair,
//! unless it should not have been met at all.

use encode::solver::{Literal, Solver, Stop, Verdict};
use encode::ssa::Relaxation;
use encode::unwind::{At, Unwinder};
use explain::diagnosis::{Answer, Ending, Formula, Limits, diagnoses};
use graph::{Progress, Watch};
use model::{Command, Expr, Function, Program, Unary};

use crate::case::{Case, Failing};
use crate::formula::conflict;
use crate::ranking::Suspicion;

/// How many conflicts the solver may meet in one question.
const MOST_CONFLICTS: u64 = 20_000;

/// Whether the program passes on the inputs of a failing run if these statements are wrong.
pub(crate) fn passes(
    program: &Program,
    run: &Failing,
    statements: &[u32],
    bound: u32,
    watch: &dyn Watch,
) -> Result<bool, Stop> {
    let mut whole = Whole::new(program, run, statements, bound, watch)?;
    Ok(whole.unwinder.circuit.solver.solve(&whole.passes)? == Verdict::Satisfiable)
}

/// The whole program on the inputs of a failing run, with statements that may be wrong.
struct Whole<'p, 'w> {
    unwinder: Unwinder<'p, 'w>,
    relaxation: Relaxation,
    /// All true where it passes.
    passes: Vec<Literal>,
}

impl<'p, 'w> Whole<'p, 'w> {
    fn new(
        program: &'p Program,
        run: &Failing,
        statements: &[u32],
        bound: u32,
        watch: &'w dyn Watch,
    ) -> Result<Self, Stop> {
        // Nothing is encoded that nobody will wait for.
        watch.pulse(Progress { phase: "solving", work: 0, ..Progress::default() })?;
        let mut unwinder = Unwinder::new(program, Solver::new(watch));
        let (_, taken) = unwinder.run(&run.inputs)?;
        let relaxation = Relaxation::of(&mut unwinder.circuit, statements.iter().copied());
        let unwinding = unwinder.unwind_abnormal(bound, &relaxation, taken)?;
        let circuit = &mut unwinder.circuit;
        circuit.solver.limit_conflicts(Some(MOST_CONFLICTS));
        // A program that never ends goes on instead, beyond what is unwound.
        let ends: Vec<Literal> = match has_end(program) {
            true => unwinding.ends.clone(),
            false => {
                let beyond = unwinding.cuts.iter().filter(|cut| cut.why.is_bound());
                beyond.map(|cut| cut.when).collect()
            }
        };
        let mut passes = vec![circuit.any(ends)];
        if let Some(assertion) = run.assertion {
            let location = |at: At| (at.function, crate::suspects::edge(program, at).from);
            let passages =
                unwinding.passages.iter().filter(|passage| location(passage.at) == location(assertion));
            let met: Vec<Literal> = passages.map(|passage| passage.taken).collect();
            passes.push(circuit.any(met));
        }
        Ok(Self { unwinder, relaxation, passes })
    }
}

/// Whether a program can come to its end, as far as its text tells.
fn has_end(program: &Program) -> bool {
    let is_exit = |command: &Command| matches!(command, Command::Exit);
    let commands = |function: &Function| function.edges.iter().flat_map(|edge| &edge.commands).any(is_exit);
    if program.functions.iter().any(commands) {
        return true;
    }
    let entry = &program.functions[program.entry.0 as usize];
    let mut seen = vec![false; entry.locations.len()];
    let mut open = vec![entry.entry];
    while let Some(location) = open.pop() {
        if std::mem::replace(&mut seen[location as usize], true) {
            continue;
        }
        for edge in entry.edges_of(location) {
            if matches!(edge.commands.last(), Some(Command::Return(_))) {
                return true;
            }
            // `while (1)` has a way out that nobody takes.
            if !matches!(edge.commands.first(), Some(Command::Assume(condition)) if is_never(condition)) {
                open.push(edge.to);
            }
        }
    }
    false
}

/// Whether a condition is the constant 0, or the opposite of another one.
fn is_never(condition: &Expr) -> bool {
    match condition {
        Expr::Constant(value) => *value == 0,
        Expr::Unary(Unary::Not, inner) => matches!(**inner, Expr::Constant(value) if value != 0),
        _ => false,
    }
}

impl Formula for Whole<'_, '_> {
    type Model = ();
    type Stop = Stop;

    fn ask(&mut self, abnormal: &[u32]) -> Result<Answer<()>, Stop> {
        let solver = &mut self.unwinder.circuit.solver;
        let mut assumptions = self.passes.clone();
        assumptions.extend(self.relaxation.exactly(abnormal));
        if solver.solve(&assumptions)? == Verdict::Satisfiable {
            return Ok(Answer::Consistent(()));
        }
        conflict(solver, &self.relaxation, &self.passes, abnormal).map(Answer::Conflict)
    }
}

/// How many sets of statements are looked for, and how large they may be.
const SETS: Limits = Limits { size: 2, count: 6, questions: 120 };

/// The smallest sets of these statements that explain a failing run together; whether there are no others.
pub(crate) fn sets(
    case: &Case<'_>,
    run: &Failing,
    statements: &[u32],
    watch: &dyn Watch,
) -> (Vec<Vec<u32>>, bool) {
    let Ok(mut whole) = Whole::new(case.program, run, statements, case.bound, watch) else {
        return (Vec::new(), false);
    };
    let found = diagnoses(&mut whole, SETS);
    let sets = found.diagnoses.into_iter().map(|one| one.statements).filter(|set| !set.is_empty());
    (sets.collect(), found.ending == Ending::Complete)
}

/// Asks of each suspicion which failing runs it explains; whether all questions were answered.
pub(crate) fn explain(
    case: &Case<'_>,
    suspicions: &mut [Suspicion],
    mut failing: Vec<Failing>,
    watch: &dyn Watch,
) -> bool {
    let mut complete = explain_runs(case, suspicions, &failing, watch);
    if !suspicions.iter().any(|one| one.explains[0]) {
        // Where nothing else helps, it was wrong to come to the assertion at all.
        failing.iter_mut().for_each(|run| run.assertion = None);
        complete &= explain_runs(case, suspicions, &failing, watch);
    }
    complete
}

fn explain_runs(
    case: &Case<'_>,
    suspicions: &mut [Suspicion],
    failing: &[Failing],
    watch: &dyn Watch,
) -> bool {
    let mut complete = true;
    for suspicion in suspicions {
        // A change that makes all runs pass by other values is the answer already.
        if suspicion.small_change.is_some_and(|change| change.is_of_values() && !change.avoids) {
            suspicion.explains = vec![true; failing.len()];
            continue;
        }
        let mut passes =
            |run: &Failing| match passes(case.program, run, &suspicion.statements, case.bound, watch) {
                Ok(passes) => passes,
                Err(_) => {
                    complete = false;
                    false
                }
            };
        // What does not even explain the counterexample is not asked about other runs.
        let first = passes(&failing[0]);
        suspicion.explains = failing.iter().skip(1).map(|run| first && passes(run)).collect();
        suspicion.explains.insert(0, first);
    }
    complete
}
