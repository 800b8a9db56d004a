//! A counterexample that is to be diagnosed: its way through the program, and who can be blamed for it.

use encode::solver::{Solver, Stop};
use encode::unwind::{At, Unwinder};
use explain::dependence::Dependence;
use findings::{Explanation, Skip, Undiagnosed, ViolationKind};
use graph::Watch;
use model::{Program, StatementKind};

use crate::accesses::of_path;
use crate::formula::Refused;
use crate::limits::MOST_RUNS;
use crate::runs::Runs;
use crate::suspects::{always_fails, deciding, edge, suspects};
use crate::text::Text;
use pipeline::request::Request;
use pipeline::unsolved;

/// How far loops are unwound at most where statements may be wrong.
const MOST_ROUNDS: u32 = 12;

/// A counterexample of a program.
pub(crate) struct Case<'a> {
    pub(crate) text: &'a dyn Text,
    pub(crate) program: &'a Program,
    pub(crate) request: &'a Request,
    pub(crate) inputs: Vec<i64>,
    pub(crate) path: Vec<At>,
    pub(crate) suspected: Suspected,
    /// How far loops are unwound where statements may be wrong.
    pub(crate) bound: u32,
    /// An edge that leaves the place of the assertion that fails, if it is one.
    assertion: Option<At>,
}

impl<'a> Case<'a> {
    pub(crate) fn new(
        explanation: &Explanation,
        text: &'a dyn Text,
        program: &'a Program,
        request: &'a Request,
        watch: &dyn Watch,
    ) -> Result<Self, Skip> {
        if program.threads {
            return Err(Undiagnosed::StartsThreads.into());
        }
        let Some(counterexample) = &explanation.counterexample else {
            return Err(Skip::NothingToExplain);
        };
        if !matches!(counterexample.kind, ViolationKind::Assertion | ViolationKind::Fault) {
            return Err(Undiagnosed::NoCheck(counterexample.kind).into());
        }
        let inputs: Vec<i64> =
            counterexample.steps.iter().flat_map(|step| step.inputs.iter().copied()).collect();
        let mut unwinder = Unwinder::new(program, Solver::new(watch));
        let path = unwinder.path(&inputs).map_err(unsolved)?;
        let Some(last) = path.last().copied() else { return Err(Undiagnosed::NoSteps.into()) };
        let line = |statement: u32| text.location(statement).map(|at| at.line);
        let ends = counterexample.steps.last().and_then(|step| step.location.as_ref()).map(|at| at.line);
        if ends.is_some() && ends != line(edge(program, last).statement) {
            return Err(Undiagnosed::PastAnother.into());
        }
        let suspected =
            suspected(program, &path, &|one| is_trusted(text, program, request, one)).map_err(skip)?;
        let bound = request.diagnosis.unwind.min(rounds(&path));
        let assertion = (counterexample.kind == ViolationKind::Assertion).then_some(path[suspected.goal]);
        Ok(Self { text, program, request, inputs, path, suspected, bound, assertion })
    }

    /// Whether all runs are known that anything is asked of: inputs are given, and others that pass.
    pub(crate) fn knows_runs(&self) -> bool {
        self.request.diagnosis.fixed && !self.request.diagnosis.passing.is_empty()
    }

    pub(crate) fn trusts(&self, statement: u32) -> bool {
        is_trusted(self.text, self.program, self.request, statement)
    }

    /// The statements that may be wrong on the way of another run.
    pub(crate) fn suspects_of(&self, inputs: &[i64], watch: &dyn Watch) -> Vec<u32> {
        let path = Unwinder::new(self.program, Solver::new(watch)).path(inputs);
        path.map_or_else(|_| Vec::new(), |path| suspects(self.program, &path, |one| self.trusts(one)))
    }

    /// The edge at which the counterexample ends.
    pub(crate) fn last(&self) -> At {
        self.path[self.path.len() - 1]
    }

    /// The statement that says what should hold.
    pub(crate) fn goal_statement(&self) -> u32 {
        edge(self.program, self.path[self.suspected.goal]).statement
    }

    /// The failing runs that are to be explained, the counterexample first: those that were given, those that are known, or
    /// those that a solver finds.
    pub(crate) fn failing(
        &self,
        known: Vec<Vec<i64>>,
        runs: &mut Result<Runs<'_, '_>, Stop>,
        complete: &mut bool,
    ) -> Result<Vec<Failing>, Skip> {
        let mut all = known;
        let is_known = self.knows_runs() || !self.request.diagnosis.failing.is_empty();
        if !is_known && all.len() <= MOST_RUNS {
            match runs.as_mut().map_err(|stop| *stop).and_then(|runs| runs.failing(&self.inputs, MOST_RUNS)) {
                Ok(more) => {
                    for inputs in more {
                        if all.len() <= MOST_RUNS && !all.contains(&inputs) {
                            all.push(inputs);
                        }
                    }
                }
                Err(_) => *complete = false,
            }
        }
        Ok(all.into_iter().map(|inputs| self.run(inputs)).collect())
    }

    /// A failing run.
    pub(crate) fn run(&self, inputs: Vec<i64>) -> Failing {
        Failing { inputs, assertion: self.assertion }
    }
}

/// A failing run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failing {
    pub(crate) inputs: Vec<i64>,
    /// An edge that leaves the place of the assertion, which has to be met, if it is one.
    pub(crate) assertion: Option<At>,
}

fn is_trusted(text: &dyn Text, program: &Program, request: &Request, statement: u32) -> bool {
    let function = program.statements[statement as usize].function;
    request.trust.includes(&program.functions[function.0 as usize].name)
        || text.location(statement).is_some_and(|at| request.trust.includes(&at.file))
}

/// The statements of a trace that may be wrong, and where what should hold is asked for.
pub(crate) struct Suspected {
    pub(crate) all: Vec<u32>,
    /// Those that the branches and the constraint depend on.
    pub(crate) sliced: Vec<u32>,
    pub(crate) goal: usize,
    /// Whether the author of the program says what should hold.
    pub(crate) given: bool,
    pub(crate) dependence: Dependence,
}

pub(crate) fn suspected(
    program: &Program,
    path: &[At],
    trusts: &dyn Fn(u32) -> bool,
) -> Result<Suspected, Refused> {
    let all = suspects(program, path, trusts);
    let dependence = Dependence::new(of_path(program, path));
    let slice = dependence.slice();
    let (goal, given) = constraint_step(program, path).ok_or(Refused::Inevitable)?;
    // The check itself is not to blame, whatever it is made of.
    let of_check = edge(program, path[goal]).statement;
    let is_check = given || path.len() != goal + 1;
    let all: Vec<u32> = all.into_iter().filter(|one| !is_check || *one != of_check).collect();
    let sliced = all.iter().copied().filter(|one| slice.contains(one)).collect();
    Ok(Suspected { all, sliced, goal, given, dependence })
}

/// How far loops are unwound where statements may be wrong: a little further than the counterexample goes round, because
/// a wrong statement can make every loop endless.
fn rounds(path: &[At]) -> u32 {
    let mut edges = path.to_vec();
    edges.sort_unstable();
    let most = edges.chunk_by(|one, other| one == other).map(<[At]>::len).max().unwrap_or(0);
    (most as u32).saturating_add(1).clamp(2, MOST_ROUNDS)
}

/// The step at which what should hold is asked for, and whether the author of the program says so there.
fn constraint_step(program: &Program, path: &[At]) -> Option<(usize, bool)> {
    let kind = |at: &At| program.statements[edge(program, *at).statement as usize].kind;
    if let Some(step) = path.iter().rposition(|at| kind(at) == StatementKind::Constraint) {
        return Some((step, true));
    }
    let last = path.len().checked_sub(1)?;
    if always_fails(program, path[last]) {
        return deciding(program, path).map(|step| (step, false));
    }
    Some((last, false))
}

/// Why there is no diagnosis where a trace is no formula.
pub(crate) fn skip(refused: Refused) -> Skip {
    match refused {
        Refused::Stopped(stop) => unsolved(stop),
        Refused::EndsEarly => Undiagnosed::UnknownValue.into(),
        Refused::Inevitable => Undiagnosed::NothingDecides.into(),
    }
}
