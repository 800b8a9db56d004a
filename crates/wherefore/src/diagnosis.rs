//! Diagnosis of a program's counterexample: which statements, assumed wrong, would explain it.
//!
//! The counterexample is a list of inputs; with them the program takes one way, and this way is made a formula in
//! which inputs are any values and statements may be wrong ([`explain::diagnosis`] asks it). What is found is then held
//! against the whole program: does it pass on the inputs of this and of other failing runs if these statements, and
//! no others, do something else? This is a question of its own, to another formula, and so the recheck as well.

mod absence;
mod across;
mod course;
mod dependence;
mod formula;
mod ranking;
mod refinement;
mod repaired;
mod runs;
mod suggestion;
mod suspects;
mod telling;
mod whole;

use encode::solver::Solver;
use encode::unwind::{At, Unwinder};
use explain::diagnosis::{Ending, Limits, diagnoses};
use graph::Watch;
use model::{Place, Program, StatementKind};
use report::{Outcome, Report, Verdict};

use crate::analysis::{Host, NOT_ASKED, NOTHING_TO_EXPLAIN, skipped};
use crate::budget::Budget;
use crate::trust::Trust;
use dependence::Dependence;
use formula::{Question, Refused, TraceFormula};
use ranking::Suspicion;
use runs::Runs;
use suspects::{always_fails, deciding, edge, suspects};
use whole::Failing;

pub use course::{Course, Words, diagnose_course};
pub use repaired::{changes, tells_of_absence, with_repairs};

/// A program with its text.
pub trait Text {
    fn program(&self) -> &Program;
    /// Where a statement stands.
    fn location(&self, statement: u32) -> Option<source::Location>;
    /// The integer variables that a statement can name.
    fn in_scope(&self, statement: u32) -> Vec<(String, Place)>;
}

/// What is asked.
#[derive(Clone, Debug)]
pub struct DiagnosisRequest {
    /// What is never blamed.
    pub trust: Trust,
    /// Whether the inputs are those of the counterexample, and no others.
    pub fixed: bool,
    /// How far loops are unwound where the whole program is looked at.
    pub unwind: u32,
    /// The inputs of further runs that fail; without any, some are looked for.
    pub failing: Vec<Vec<i64>>,
    /// How long it may take, in seconds.
    pub seconds: f64,
}

const LIMITS: Limits = Limits { size: 3, count: 30, questions: 400 };
/// How many other failing runs are looked at.
const MOST_RUNS: usize = 4;
/// How far loops are unwound at most where statements may be wrong.
const MOST_ROUNDS: u32 = 12;

/// What is asked for, where there is something to diagnose; otherwise the report says why there is no diagnosis.
fn wanted<'r>(report: &mut Report, request: Option<&'r DiagnosisRequest>) -> Option<&'r DiagnosisRequest> {
    let why = match request {
        None => NOT_ASKED,
        Some(_) if report.verdict != Verdict::Violated || report.counterexample.is_none() => {
            NOTHING_TO_EXPLAIN
        }
        Some(request) => return Some(request),
    };
    report.methods.diagnosis = skipped(why);
    None
}

/// Puts the diagnosis of a report's counterexample into it; without a request, that nobody asked.
pub fn diagnose(report: &mut Report, text: &dyn Text, request: Option<&DiagnosisRequest>, host: &dyn Host) {
    let Some(request) = wanted(report, request) else { return };
    let started = host.seconds();
    let budget = Budget::lasting(host, request.seconds);
    report.methods.diagnosis = match found(report, text, request, &budget) {
        Err(why) => skipped(why),
        Ok(found) => {
            let told = telling::told(text, &found, host.seconds() - started);
            let causes = telling::causes(report, text, &found);
            for cause in causes {
                let rank = report.causes.len() as u64 + 1;
                report.causes.push(report::Cause { rank, ..cause });
            }
            Some(Outcome::Found(Box::new(told)))
        }
    };
}

/// All that was found.
struct Found {
    /// What should hold: the statements that say so.
    constraints: Vec<u32>,
    fixed: bool,
    suspects: usize,
    statements: usize,
    suspicions: Vec<Suspicion>,
    conflicts: Vec<Vec<u32>>,
    absence: Option<absence::Absence>,
    across: Option<across::Across>,
    runs: usize,
    complete: bool,
}

fn found(
    report: &Report,
    text: &dyn Text,
    request: &DiagnosisRequest,
    watch: &dyn Watch,
) -> Result<Found, String> {
    let program = &suspects::whole_statements(text.program());
    if program.threads {
        return Err("the program starts threads".to_owned());
    }
    let Some(counterexample) = &report.counterexample else { return Err(NOTHING_TO_EXPLAIN.to_owned()) };
    if !matches!(counterexample.kind.as_str(), "assertion" | "fault") {
        return Err(format!("a {} has no check that should hold", counterexample.kind));
    }
    let inputs: Vec<i64> = counterexample.steps.iter().flat_map(|step| step.inputs.iter().copied()).collect();
    let mut unwinder = Unwinder::new(program, Solver::new(watch));
    let path = unwinder.path(&inputs).map_err(|stop| stop.to_string())?;
    let Some(last) = path.last().copied() else { return Err("the trace has no steps".to_owned()) };
    let line = |statement: u32| text.location(statement).map(|at| at.line);
    let ends = counterexample.steps.last().and_then(|step| step.location.as_ref()).map(|at| at.line);
    if ends.is_some() && ends != line(edge(program, last).statement) {
        return Err("the counterexample goes past another violation".to_owned());
    }
    let trusts = |statement: u32| {
        let function = program.statements[statement as usize].function;
        request.trust.includes(&program.functions[function.0 as usize].name)
            || text.location(statement).is_some_and(|at| request.trust.includes(&at.file))
    };
    let Suspected { all, sliced, goal, given, dependence } =
        suspected(program, &path, &trusts).map_err(told)?;
    let conditions = refinement::conditions(program, &path, goal);
    let question = Question { program, path: &path, suspects: &sliced, probes: &conditions };
    let mut formula = TraceFormula::new(&question, watch).map_err(told)?;
    let constraints: Vec<u32> = formula.constraints.iter().map(|(_, at)| formula.statement(*at)).collect();
    let constraints = unique(constraints);
    if request.fixed {
        formula.fix(&inputs);
    }
    let answer = diagnoses(&mut formula, LIMITS);
    if let (Ending::Stopped(stop), true) = (answer.ending, answer.diagnoses.is_empty()) {
        return Err(stop.to_string());
    }
    let mut complete = answer.ending == Ending::Complete;
    let nothing_wrong = answer.diagnoses.iter().any(|found| found.statements.is_empty());
    let mut suspicions: Vec<Suspicion> = Vec::new();
    let wrong = formula.failing_writes(&inputs).unwrap_or_default();
    for found in answer.diagnoses.into_iter().filter(|found| !found.statements.is_empty()) {
        // Other values say more if the inputs are the same.
        let same = formula.inputs_are(&inputs);
        let nearer = match formula.can_rightly(&found.statements, &same) {
            Ok(true) => Some(formula.writes_of(&found.statements)),
            _ => None,
        };
        let right = nearer.unwrap_or(found.model);
        let mut suspicion = Suspicion::new(found.statements, "trace");
        suspicion.values = telling::values(text, &formula, &wrong, &right);
        suspicions.push(suspicion);
    }
    let absence = match nothing_wrong {
        true => absence::absence(program, &path, goal, &inputs, watch).map_err(|stop| stop.to_string())?,
        false => None,
    };
    let bound = request.unwind.min(rounds(&path));
    let assertion = (counterexample.kind == "assertion").then_some(path[goal]);
    let run = |inputs: Vec<i64>| Failing { inputs, assertion };
    let mut failing = vec![run(inputs.clone())];
    let mut runs = Runs::new(program, last, (path[goal], &conditions), bound, watch);
    for inputs in &request.failing {
        if whole::passes(program, &run(inputs.clone()), &[], bound, watch) == Ok(true) {
            let told: Vec<String> = inputs.iter().map(i64::to_string).collect();
            return Err(format!("the run with the inputs {} does not fail", told.join(", ")));
        }
    }
    let found = match &request.failing[..] {
        [] => runs.as_mut().map_err(|stop| *stop).and_then(|runs| runs.failing(&inputs, MOST_RUNS)),
        given => Ok(given.to_vec()),
    };
    match found {
        Ok(more) => failing.extend(more.into_iter().map(run)),
        Err(_) => complete = false,
    }
    let all_runs: Vec<Vec<i64>> = failing.iter().map(|run| run.inputs.clone()).collect();
    let across = across::across(program, &all_runs, &trusts, watch).unwrap_or(None);
    let alone = |one: &Suspicion| <[u32; 1]>::try_from(&one.statements[..]).ok();
    let alone: Vec<u32> = suspicions.iter().filter_map(alone).map(|[one]| one).collect();
    suspicions.extend(
        all.iter().filter(|one| !alone.contains(one)).map(|one| Suspicion::new(vec![*one], "program")),
    );
    complete &= explain_runs(program, &mut suspicions, &failing, bound, watch);
    if !suspicions.iter().any(|one| one.explains[0]) {
        // Where nothing else helps, it was wrong to come to the assertion at all.
        failing.iter_mut().for_each(|run| run.assertion = None);
        complete &= explain_runs(program, &mut suspicions, &failing, bound, watch);
    }
    suspicions.retain(|one| one.scope == "trace" || one.explains[0]);
    if let Ok(runs) = &mut runs {
        for suspicion in suspicions.iter_mut().filter(|one| one.scope == "trace") {
            let redundant = refinement::is_redundant(&mut formula, runs, &suspicion.statements);
            suspicion.redundant = redundant == Ok(true);
            complete &= redundant.is_ok();
        }
    }
    for suspicion in &mut suspicions {
        suspicion.transitive = dependence.transitive(program, &suspicion.statements).into_iter().collect();
    }
    ranking::rank(program, &path, given, &mut suspicions);
    for suspicion in suspicions.iter_mut().filter(|one| one.scope == "trace").take(5) {
        if let [statement] = suspicion.statements[..]
            && let Ok(Some(right)) = suggestion::equal(text, program, &path, statement, watch)
        {
            suspicion.suggestion = Some(telling::suggestion(text, statement, &right));
            suspicion.change = telling::change(text, statement, &right);
        }
    }
    Ok(Found {
        constraints,
        fixed: request.fixed,
        suspects: sliced.len(),
        statements: suspects::statements(program),
        suspicions,
        conflicts: answer.conflicts,
        absence,
        across,
        runs: failing.len(),
        complete,
    })
}

/// Asks of each suspicion which failing runs it explains; whether all questions were answered.
fn explain_runs(
    program: &Program,
    suspicions: &mut [Suspicion],
    failing: &[Failing],
    bound: u32,
    watch: &dyn Watch,
) -> bool {
    let mut complete = true;
    for suspicion in suspicions {
        let mut passes =
            |run: &Failing| match whole::passes(program, run, &suspicion.statements, bound, watch) {
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

/// The statements of a trace that may be wrong, and where what should hold is asked for.
struct Suspected {
    all: Vec<u32>,
    /// Those that the branches and the constraint depend on.
    sliced: Vec<u32>,
    goal: usize,
    /// Whether the author of the program says what should hold.
    given: bool,
    dependence: Dependence,
}

fn suspected(program: &Program, path: &[At], trusts: &dyn Fn(u32) -> bool) -> Result<Suspected, Refused> {
    let all = suspects(program, path, trusts);
    let dependence = Dependence::new(program, path);
    let slice = dependence.slice();
    let (goal, given) = constraint_step(program, path).ok_or(Refused::Inevitable)?;
    // The check itself is not to blame, whatever it is made of.
    let of_check = edge(program, path[goal]).statement;
    let is_check = given || path.len() != goal + 1;
    let all: Vec<u32> = all.into_iter().filter(|one| !is_check || *one != of_check).collect();
    let sliced = all.iter().copied().filter(|one| slice.contains(one)).collect();
    Ok(Suspected { all, sliced, goal, given, dependence })
}

fn unique(mut statements: Vec<u32>) -> Vec<u32> {
    statements.sort_unstable();
    statements.dedup();
    statements
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

/// Why a trace is no formula, in words.
fn told(refused: Refused) -> String {
    match refused {
        Refused::Stopped(stop) => stop.to_string(),
        Refused::EndsEarly => "a value on the trace is not known to the SAT engine".to_owned(),
        Refused::Inevitable => "nothing on the trace decides whether it fails".to_owned(),
    }
}
