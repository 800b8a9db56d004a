//! Diagnosis of the counterexample of a program.

use encode::solver::Stop;
use explain::diagnosis::{Ending, diagnoses};
use findings::{Explanation, Outcome, Scope, Skip, Undiagnosed};
use graph::Watch;
use model::StatementKind;
use pipeline::budget::Budget;
use pipeline::request::{Host, Request};
use pipeline::{skipped, unsolved};

use crate::case::{self, Case};
use crate::formula::{Question, TraceFormula};
use crate::limits::{LIMITS, MOST_WORK, MOST_WORK_MORE, MOST_WORK_ON_SETS, is_wanted, unique};
use crate::patience::Patience;
use crate::ranking::{self, Suspicion};
use crate::runs::Runs;
use crate::text::Text;
use crate::trials::{self, Trials};
use crate::{absence, across, refinement, result, suggestion, suspects, whole};

/// Puts the diagnosis of a counterexample into its explanation, or why there is none.
pub fn diagnose(explanation: &mut Explanation, text: &dyn Text, request: &Request, host: &dyn Host) {
    if !is_wanted(explanation, request) {
        return;
    }
    let started = host.seconds();
    let budget = Budget::of(host, request.diagnosis.work);
    explanation.methods.diagnosis = match found(explanation, text, request, &budget) {
        Err(why) => skipped(why),
        Ok(found) => {
            let told = result::told(text, &found, host.seconds() - started);
            let findings = result::findings(explanation, text, &found);
            explanation.findings.extend(findings);
            Some(Outcome::Found(Box::new(told)))
        }
    };
}

/// All that was found.
pub(crate) struct ProgramDiagnosis {
    /// What should hold: the statements that say so.
    pub(crate) constraints: Vec<u32>,
    pub(crate) fixed: bool,
    pub(crate) suspects: usize,
    pub(crate) statements: usize,
    pub(crate) suspicions: Vec<Suspicion>,
    pub(crate) conflicts: Vec<Vec<u32>>,
    pub(crate) absence: Option<absence::Absence>,
    pub(crate) across: Option<across::Across>,
    pub(crate) runs: usize,
    /// How many runs small changes were tried on.
    pub(crate) tried_on: usize,
    /// How many of them fail.
    pub(crate) tried_failing: usize,
    pub(crate) complete: bool,
}

fn found(
    explanation: &Explanation,
    text: &dyn Text,
    request: &Request,
    watch: &dyn Watch,
) -> Result<ProgramDiagnosis, Skip> {
    let program = &suspects::whole_statements(text.program());
    let case = Case::new(explanation, text, program, request, watch)?;
    let Case { path, suspected, .. } = &case;
    refuse_passing(&case, watch)?;
    let tried = trials::tried(&case, watch);
    // Where small changes tell who is likely, less is done to tell the others apart.
    let most = if tried.trials.mended.is_empty() { MOST_WORK } else { MOST_WORK_MORE };
    let patience = || Patience::new(watch, most);
    let (first, others, last) = (patience(), patience(), patience());
    let conditions = refinement::conditions(program, path, suspected.goal);
    let fixed = request.diagnosis.fixed.then_some(&case.inputs[..]);
    let suspects = &suspected.sliced;
    let question = Question { program, path, suspects, probes: &conditions, inputs: fixed };
    let mut traced = TraceFormula::new(&question, &first).map_err(case::skip);
    let mut told = match &mut traced {
        Ok(formula) => on_trace(&case, formula, watch),
        Err(why) => Err(why.clone()),
    }
    .or_else(|why| if tried.trials.mended.is_empty() { Err(why) } else { Ok(OnTrace::default()) })?;
    let mut runs = match case.knows_runs() {
        true => Err(Stop::GaveUp),
        false => Runs::new(program, case.last(), path[suspected.goal], &conditions, case.bound, &others),
    };
    let failing = case.failing(tried.failing, &mut runs, &mut told.complete)?;
    let inputs: Vec<Vec<i64>> = failing.iter().map(|run| run.inputs.clone()).collect();
    let across = across::across(program, &inputs, &|one| case.trusts(one), &others).unwrap_or(None);
    let mut suspicions = told.suspicions;
    add_single(&case, &mut suspicions, &tried.trials);
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
    let is_constraint = |one: u32| program.statements[one as usize].kind == StatementKind::Constraint;
    for suspicion in &mut suspicions {
        let used = suspected.dependence.transitive(&suspicion.statements).into_iter();
        suspicion.transitive = used.filter(|one| !is_constraint(*one)).collect();
    }
    ranking::rank(program, path, suspected.given, &mut suspicions);
    for suspicion in suspicions.iter_mut().filter(|one| one.scope == Scope::Trace).take(5) {
        if let [statement] = suspicion.statements[..]
            && let Ok(Some(right)) = suggestion::equal(text, program, path, statement, fixed, &last)
        {
            suspicion.suggestion = Some(result::suggestion(text, statement, &right));
            suspicion.change = result::change(text, statement, &right);
        }
    }
    Ok(ProgramDiagnosis {
        constraints: if told.constraints.is_empty() { vec![case.goal_statement()] } else { told.constraints },
        fixed: request.diagnosis.fixed,
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

/// Adds the single statements that are not among the suspicions, what small changes tell of all, and the pairs of
/// statements that small changes mend together.
fn add_single(case: &Case<'_>, suspicions: &mut Vec<Suspicion>, trials: &Trials) {
    let alone = |one: &Suspicion| <[u32; 1]>::try_from(&one.statements[..]).ok();
    let alone: Vec<u32> = suspicions.iter().filter_map(alone).map(|[one]| one).collect();
    let others = case.suspected.all.iter().filter(|one| !alone.contains(one));
    suspicions.extend(others.map(|one| Suspicion::new(vec![*one], Scope::Program)));
    for suspicion in suspicions.iter_mut() {
        if let [statement] = suspicion.statements[..] {
            suspicion.small_change = trials.mended.get(&statement).copied();
            suspicion.instead = trials.instead.get(&statement).cloned();
        }
    }
    for (both, change) in &trials.pairs {
        let known = suspicions.iter_mut().find(|one| one.statements[..] == both[..]);
        match known {
            Some(known) => known.small_change = Some(*change),
            None => {
                let mut suspicion = Suspicion::new(both.to_vec(), Scope::Program);
                suspicion.small_change = Some(*change);
                suspicions.push(suspicion);
            }
        }
    }
}

/// Refuses runs that are said to fail and do not.
fn refuse_passing(case: &Case<'_>, watch: &dyn Watch) -> Result<(), Skip> {
    for inputs in &case.request.diagnosis.failing {
        if whole::passes(case.program, &case.run(inputs.clone()), &[], case.bound, watch) == Ok(true) {
            return Err(Undiagnosed::RunPasses(inputs.clone()).into());
        }
    }
    Ok(())
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

fn on_trace(case: &Case<'_>, formula: &mut TraceFormula<'_, '_>, watch: &dyn Watch) -> Result<OnTrace, Skip> {
    let Case { text, program, request, inputs, path, suspected, .. } = case;
    let constraints: Vec<u32> = formula.constraints.iter().map(|(_, at)| formula.statement(*at)).collect();
    let constraints = unique(constraints);
    if request.diagnosis.fixed {
        formula.fix(inputs);
    }
    let answer = diagnoses(formula, LIMITS);
    if let (Ending::Stopped(stop), true) = (answer.ending, answer.diagnoses.is_empty()) {
        return Err(unsolved(stop));
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
        suspicion.values = result::values(*text, formula, &wrong, &right);
        suspicions.push(suspicion);
    }
    let absence = match nothing_wrong {
        true => absence::absence(program, path, suspected.goal, inputs, watch).map_err(unsolved)?,
        false => None,
    };
    let complete = answer.ending == Ending::Complete;
    Ok(OnTrace { constraints, suspicions, conflicts: answer.conflicts, absence, complete })
}
