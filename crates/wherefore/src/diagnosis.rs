//! Diagnosis of a program's counterexample: which statements, assumed wrong, would explain it.
//!
//! The counterexample is a list of inputs; with them the program takes one way, and this way is made a formula in
//! which inputs are any values and statements may be wrong ([`explain::diagnosis`] asks it). What is found is then held
//! against the whole program: does it pass on the inputs of this and of other failing runs if these statements, and
//! no others, do something else? This is a question of its own, to another formula, and so the recheck as well.

mod absence;
mod across;
mod case;
mod course;
mod dependence;
mod formula;
mod guards;
mod pairs;
mod patience;
mod ranking;
mod refinement;
mod repaired;
mod runs;
mod samples;
mod suggestion;
mod suspects;
mod telling;
mod trials;
mod variants;
mod whole;

use explain::diagnosis::{Ending, Limits, diagnoses};
use findings::{Explanation, Outcome, Scope, Skip, Verdict};
use graph::Watch;
use model::{Place, Program};

use case::Case;
use formula::{Question, TraceFormula};
use patience::Patience;
use pipeline::budget::Budget;
use pipeline::request::{DiagnosisRequest, Host};
use pipeline::skipped;
use ranking::Suspicion;
use runs::Runs;

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

const LIMITS: Limits = Limits { size: 3, count: 30, questions: 400 };
/// How many other failing runs are looked at.
const MOST_RUNS: usize = 4;
/// How much work each part of the diagnosis may be, in pulses of a [`graph::Watch`]: alone, and where small changes tell who
/// is likely already.
const MOST_WORK: u64 = 400;
const MOST_WORK_MORE: u64 = 40;
/// The same where sets of statements are asked of the whole program.
const MOST_WORK_ON_SETS: u64 = 200;

/// What is asked for, where there is something to diagnose; otherwise the report says why there is no diagnosis.
fn wanted<'r>(
    explanation: &mut Explanation,
    request: Option<&'r DiagnosisRequest>,
) -> Option<&'r DiagnosisRequest> {
    let why = match request {
        None => Skip::NotAsked,
        Some(_) if explanation.verdict != Verdict::Violated || explanation.counterexample.is_none() => {
            Skip::NothingToExplain
        }
        Some(request) => return Some(request),
    };
    explanation.methods.diagnosis = skipped(why);
    None
}

/// Puts the diagnosis of a report's counterexample into it; without a request, that nobody asked.
pub fn diagnose(
    explanation: &mut Explanation,
    text: &dyn Text,
    request: Option<&DiagnosisRequest>,
    host: &dyn Host,
) {
    let Some(request) = wanted(explanation, request) else { return };
    let started = host.seconds();
    let budget = Budget::of(host, request.work);
    explanation.methods.diagnosis = match found(explanation, text, request, &budget) {
        Err(why) => skipped(Skip::Told(why)),
        Ok(found) => {
            let told = telling::told(text, &found, host.seconds() - started);
            let findings = telling::findings(explanation, text, &found);
            explanation.findings.extend(findings);
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
    /// How many runs small changes were tried on.
    tried_on: usize,
    /// How many of them fail.
    tried_failing: usize,
    complete: bool,
}

fn found(
    explanation: &Explanation,
    text: &dyn Text,
    request: &DiagnosisRequest,
    watch: &dyn Watch,
) -> Result<Found, String> {
    let program = &suspects::whole_statements(text.program());
    let case = Case::new(explanation, text, program, request, watch)?;
    let Case { path, suspected, .. } = &case;
    case.refuse_passing(watch)?;
    let tried = trials::tried(&case, watch);
    // Where small changes tell who is likely, less is done to tell the others apart.
    let most = if tried.trials.mended.is_empty() { MOST_WORK } else { MOST_WORK_MORE };
    let patience = || Patience::new(watch, most);
    let (first, others, last) = (patience(), patience(), patience());
    let conditions = refinement::conditions(program, path, suspected.goal);
    let question = Question { program, path, suspects: &suspected.sliced, probes: &conditions };
    let mut traced = TraceFormula::new(&question, &first).map_err(case::told);
    let mut told = match &mut traced {
        Ok(formula) => on_trace(&case, formula, watch),
        Err(why) => Err(why.clone()),
    }
    .or_else(|why| if tried.trials.mended.is_empty() { Err(why) } else { Ok(OnTrace::default()) })?;
    let mut runs = Runs::new(program, case.last(), (path[suspected.goal], &conditions), case.bound, &others);
    let failing = case.failing(tried.failing, &mut runs, &mut told.complete)?;
    let inputs: Vec<Vec<i64>> = failing.iter().map(|run| run.inputs.clone()).collect();
    let across = across::across(program, &inputs, &|one| case.trusts(one), &others).unwrap_or(None);
    let mut suspicions = told.suspicions;
    case.add_single(&mut suspicions, &tried.trials);
    let mut complete = told.complete;
    complete &= whole::explain(&case, &mut suspicions, failing.clone(), &last);
    if !suspicions.iter().any(|one| one.explains[0] || one.small_change.is_some()) {
        let patience = Patience::strict(watch, MOST_WORK_ON_SETS);
        let (sets, are_all) = whole::sets(&case, &failing[0], &tried.suspects, &patience);
        let mut joint: Vec<Suspicion> =
            sets.into_iter().map(|statements| Suspicion::new(statements, Scope::Program)).collect();
        complete &= are_all & whole::explain(&case, &mut joint, failing, &patience);
        suspicions.extend(joint);
    }
    let mut likely = ranking::likely(&suspicions).into_iter();
    suspicions.retain(|one| {
        let likely = likely.next() == Some(true) && one.small_change.is_some();
        one.scope == Scope::Trace || one.explains[0] || likely
    });
    if let (Ok(runs), Ok(formula)) = (&mut runs, &mut traced) {
        for suspicion in suspicions.iter_mut().filter(|one| one.scope == Scope::Trace) {
            let redundant = refinement::is_redundant(formula, runs, &suspicion.statements);
            suspicion.redundant = redundant == Ok(true);
            complete &= redundant.is_ok();
        }
    }
    for suspicion in &mut suspicions {
        suspicion.transitive =
            suspected.dependence.transitive(program, &suspicion.statements).into_iter().collect();
    }
    ranking::rank(program, path, suspected.given, &mut suspicions);
    for suspicion in suspicions.iter_mut().filter(|one| one.scope == Scope::Trace).take(5) {
        if let [statement] = suspicion.statements[..]
            && let Ok(Some(right)) = suggestion::equal(text, program, path, statement, &last)
        {
            suspicion.suggestion = Some(telling::suggestion(text, statement, &right));
            suspicion.change = telling::change(text, statement, &right);
        }
    }
    Ok(Found {
        constraints: if told.constraints.is_empty() { vec![case.goal_statement()] } else { told.constraints },
        fixed: request.fixed,
        suspects: suspected.sliced.len(),
        statements: suspects::statements(program),
        suspicions,
        conflicts: told.conflicts,
        absence: told.absence,
        across,
        runs: inputs.len(),
        tried_on: tried.trials.runs,
        tried_failing: tried.trials.failing,
        complete,
    })
}

/// What is found on the way of the counterexample alone.
#[derive(Default)]
struct OnTrace {
    constraints: Vec<u32>,
    suspicions: Vec<Suspicion>,
    conflicts: Vec<Vec<u32>>,
    absence: Option<absence::Absence>,
    complete: bool,
}

fn on_trace(
    case: &Case<'_>,
    formula: &mut TraceFormula<'_, '_>,
    watch: &dyn Watch,
) -> Result<OnTrace, String> {
    let Case { text, program, request, inputs, path, suspected, .. } = case;
    let constraints: Vec<u32> = formula.constraints.iter().map(|(_, at)| formula.statement(*at)).collect();
    let constraints = unique(constraints);
    if request.fixed {
        formula.fix(inputs);
    }
    let answer = diagnoses(formula, LIMITS);
    if let (Ending::Stopped(stop), true) = (answer.ending, answer.diagnoses.is_empty()) {
        return Err(stop.to_string());
    }
    let nothing_wrong = answer.diagnoses.iter().any(|found| found.statements.is_empty());
    let mut suspicions: Vec<Suspicion> = Vec::new();
    let wrong = formula.failing_writes(inputs).unwrap_or_default();
    for found in answer.diagnoses.into_iter().filter(|found| !found.statements.is_empty()) {
        // Other values say more if the inputs are the same.
        let same = formula.inputs_are(inputs);
        let nearer = match formula.can_rightly(&found.statements, &same) {
            Ok(true) => Some(formula.writes_of(&found.statements)),
            _ => None,
        };
        let right = nearer.unwrap_or(found.model);
        let mut suspicion = Suspicion::new(found.statements, Scope::Trace);
        suspicion.values = telling::values(*text, formula, &wrong, &right);
        suspicions.push(suspicion);
    }
    let absence = match nothing_wrong {
        true => {
            absence::absence(program, path, suspected.goal, inputs, watch).map_err(|stop| stop.to_string())?
        }
        false => None,
    };
    let complete = answer.ending == Ending::Complete;
    Ok(OnTrace { constraints, suspicions, conflicts: answer.conflicts, absence, complete })
}

fn unique(mut statements: Vec<u32>) -> Vec<u32> {
    statements.sort_unstable();
    statements.dedup();
    statements
}
