//! Bounded search: is there a run on which something is wrong, within a bound that grows?
//!
//! One solver for all bounds. A yes is a run, told by its inputs; a no is a proof if no run can leave what was
//! unwound (the unwinding assertions of bounded model checkers), and otherwise says nothing beyond the bound.

use crate::circuit::Circuit;
use crate::solver::{Literal, Solver, Stop, Verdict};
use crate::unwind::{At, Check, Cut, Duty, Guide, Unwinder, Unwinding};

/// A run on which something is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundRun {
    /// The inputs in the order in which the program takes them.
    pub inputs: Vec<i64>,
    /// Where it is wrong, and what.
    pub at: At,
    pub duty: Duty,
}

#[derive(Debug)]
pub enum Answer {
    Violated(FoundRun),
    /// No run is wrong, however long.
    Holds,
    /// No run within the bound is wrong, but some leave it, here for example.
    Within(Cut),
    /// There was no time to find out; nothing is wrong within the bound before.
    Stopped(Stop),
}

/// What a bounded search found.
#[derive(Debug)]
pub struct Outcome {
    pub answer: Answer,
    /// The bound up to which the answer is known.
    pub bound: u32,
    /// The unwinding that was asked last, if there is one: the solver holds a model of it if something is wrong.
    pub unwinding: Option<Unwinding>,
}

/// Looks for runs on which one of the duties that are asked for is neglected, with bounds 1, 2, 4 and so on up
/// to `most`. A bound that is hard to decide is left for the next one, which covers it, as long as there is one that
/// runs can reach.
pub fn search(unwinder: &mut Unwinder<'_, '_>, most: u32, asked: impl Fn(At, Duty) -> bool) -> Outcome {
    let (mut bound, mut known) = (1.min(most), 0);
    let mut last = None;
    loop {
        let unwinding = match unwinder.unwind(bound) {
            Ok(unwinding) => unwinding,
            Err(stop) => return Outcome { answer: Answer::Stopped(stop), bound: known, unwinding: last },
        };
        match ask(&mut unwinder.circuit, &unwinding, bound < most, &asked) {
            Err(stop) => return Outcome { answer: Answer::Stopped(stop), bound: known, unwinding: last },
            Ok(Asked::Answered(Answer::Within(cut))) if cut.why.is_bound() && bound < most => known = bound,
            Ok(Asked::Answered(answer)) => return Outcome { answer, bound, unwinding: Some(unwinding) },
            Ok(Asked::TooHard) => {}
        }
        bound = bound.saturating_mul(2).min(most);
        last = Some(unwinding);
    }
}

/// How far runs follow a counterexample from elsewhere.
#[derive(Debug)]
pub enum Followed {
    /// A run meets all waypoints and then neglects what is asked for.
    Violating(FoundRun),
    /// Runs within the bound meet that many of the waypoints, but no more, or nothing is wrong after them; the inputs
    /// of one that does.
    Parts {
        met: usize,
        inputs: Vec<i64>,
    },
    Stopped(Stop),
}

/// Looks for a run that meets all waypoints in their order and then neglects one of the duties that are asked for,
/// with growing bounds. Returns the bound of the answer, too.
pub fn follow(
    unwinder: &mut Unwinder<'_, '_>,
    most: u32,
    guide: &Guide,
    asked: impl Fn(At, Duty) -> bool,
) -> (Followed, u32) {
    let mut bound = 1.min(most);
    loop {
        let answer = unwinder
            .unwind_guided(bound, guide)
            .and_then(|unwinding| {
                let more = unwinding.cuts.iter().any(|cut| cut.why.is_bound());
                Ok((follow_within(&mut unwinder.circuit, &unwinding, &asked)?, more))
            })
            .unwrap_or_else(|stop| (Followed::Stopped(stop), false));
        match answer {
            (Followed::Parts { .. }, true) if bound < most => bound = bound.saturating_mul(2).min(most),
            (followed, _) => return (followed, bound),
        }
    }
}

fn follow_within(
    circuit: &mut Circuit<'_>,
    unwinding: &Unwinding,
    asked: &impl Fn(At, Duty) -> bool,
) -> Result<Followed, Stop> {
    let wanted: Vec<&Check> = unwinding.checks.iter().filter(|check| asked(check.at, check.duty)).collect();
    let wrong: Vec<Literal> = wanted
        .iter()
        .map(|check| {
            let wrong = neglected(circuit, check);
            circuit.and(wrong, check.guided)
        })
        .collect();
    let any = circuit.any(wrong.iter().copied());
    if any != Literal::FALSE && circuit.solver.solve(&[any])? == Verdict::Satisfiable {
        let first = wrong.iter().position(|wrong| circuit.solver.is_true(*wrong)).unwrap_or_default();
        let inputs = unwinding.taken_inputs(&circuit.solver);
        let Check { at, duty, .. } = *wanted[first];
        return Ok(Followed::Violating(FoundRun { inputs, at, duty }));
    }
    // How many are met grows one by one, so the first that cannot be met is looked for by halves.
    let (mut met, mut unmet) = (0, unwinding.met.len() + 1);
    let mut inputs = Vec::new();
    while met + 1 < unmet {
        let middle = (met + unmet) / 2;
        let some = circuit.any(unwinding.met[middle - 1].iter().copied());
        let can = some != Literal::FALSE && circuit.solver.solve(&[some])? == Verdict::Satisfiable;
        if can {
            inputs = unwinding.taken_inputs(&circuit.solver);
        }
        *(if can { &mut met } else { &mut unmet }) = middle;
    }
    Ok(Followed::Parts { met, inputs })
}

/// Whether a check is neglected.
pub fn neglected(circuit: &mut Circuit<'_>, check: &Check) -> Literal {
    circuit.and(check.reached, !check.holds)
}

/// What was said of one bound.
enum Asked {
    Answered(Answer),
    /// It would take long to find out, and runs go beyond the bound.
    TooHard,
}

fn ask(
    circuit: &mut Circuit<'_>,
    unwinding: &Unwinding,
    may_go_on: bool,
    asked: &impl Fn(At, Duty) -> bool,
) -> Result<Asked, Stop> {
    let wanted: Vec<&Check> = unwinding.checks.iter().filter(|check| asked(check.at, check.duty)).collect();
    let wrong: Vec<Literal> = wanted.iter().map(|check| neglected(circuit, check)).collect();
    let mut is_wrong = some_is_true(circuit, &wrong, may_go_on.then_some(PATIENCE))?;
    let mut beyond = None;
    if is_wrong != Some(true) {
        beyond = beyond_bound(circuit, unwinding, true)?;
        if is_wrong.is_none() && beyond.is_some() {
            return Ok(Asked::TooHard);
        }
    }
    if is_wrong.is_none() {
        is_wrong = some_is_true(circuit, &wrong, None)?;
    }
    if is_wrong == Some(true) {
        let first = wrong.iter().position(|wrong| circuit.solver.is_true(*wrong)).unwrap_or_default();
        let inputs = unwinding.taken_inputs(&circuit.solver);
        let Check { at, duty, .. } = *wanted[first];
        return Ok(Asked::Answered(Answer::Violated(FoundRun { inputs, at, duty })));
    }
    // Nothing but a larger bound can tell more of what it cut off; the rest stays unknown for good.
    let left = match beyond {
        None => beyond_bound(circuit, unwinding, false)?,
        some => some,
    };
    Ok(Asked::Answered(left.map_or(Answer::Holds, Answer::Within)))
}

/// Where runs leave the unwinding, because of its bound or for another reason.
fn beyond_bound(
    circuit: &mut Circuit<'_>,
    unwinding: &Unwinding,
    of_bound: bool,
) -> Result<Option<Cut>, Stop> {
    let cuts: Vec<&Cut> = unwinding.cuts.iter().filter(|cut| cut.why.is_bound() == of_bound).collect();
    let when: Vec<Literal> = cuts.iter().map(|cut| cut.when).collect();
    let is_left = some_is_true(circuit, &when, None)?;
    let left = cuts.into_iter().filter(|_| is_left == Some(true));
    Ok(left.copied().find(|cut| circuit.solver.is_true(cut.when)))
}

/// How many conflicts may be spent on a bound in vain.
const PATIENCE: u64 = 20_000;

/// How many conflicts are spent on all questions together before they are asked one by one.
const TOGETHER: u64 = 1_000;

/// How many conflicts the first round of single questions spends on each, and how many times more the next one.
const ALONE: u64 = 200;
const MORE: u64 = 4;

/// Whether one of the literals is true in some model, which the solver then holds; nothing if that is not known after
/// so many conflicts. All together is one question, and most often an easy one. Where it is not, each is asked alone,
/// with little effort at first: what cannot be true is known from then on and helps with the others, and one that can
/// be may be much easier than all.
fn some_is_true(
    circuit: &mut Circuit<'_>,
    literals: &[Literal],
    patience: Option<u64>,
) -> Result<Option<bool>, Stop> {
    let any = circuit.any(literals.iter().copied());
    if any == Literal::FALSE {
        return Ok(Some(false));
    }
    let solver = &mut circuit.solver;
    let most = solver.conflict_limit();
    if let Some(verdict) = with_limit(solver, TOGETHER, any)? {
        return Ok(Some(verdict == Verdict::Satisfiable));
    }
    let mut open: Vec<Literal> = literals.iter().copied().filter(|one| *one != Literal::FALSE).collect();
    open.sort_unstable();
    open.dedup();
    let (mut effort, mut spent) = (ALONE, TOGETHER);
    while !open.is_empty() {
        let mut undecided = Vec::new();
        for one in open {
            match with_limit(solver, effort, one)? {
                Some(Verdict::Satisfiable) => return Ok(Some(true)),
                Some(Verdict::Unsatisfiable) => solver.clause(&[!one]),
                None => {
                    spent += effort;
                    undecided.push(one);
                }
            }
            if patience.is_some_and(|patience| spent > patience) {
                return Ok(None);
            }
        }
        if let Some(most) = most.filter(|most| effort >= *most && !undecided.is_empty()) {
            return Err(Stop::Conflicts(most));
        }
        open = undecided;
        effort = effort.saturating_mul(MORE);
    }
    Ok(Some(false))
}

/// Asks with that many conflicts to spend, or as many as a question may cost at all; nothing if they were not enough.
fn with_limit(solver: &mut Solver<'_>, effort: u64, question: Literal) -> Result<Option<Verdict>, Stop> {
    let most = solver.conflict_limit();
    solver.limit_conflicts(Some(most.map_or(effort, |most| most.min(effort))));
    let answer = solver.solve(&[question]);
    solver.limit_conflicts(most);
    match answer {
        Ok(verdict) => Ok(Some(verdict)),
        Err(Stop::Conflicts(_)) => Ok(None),
        Err(stop) => Err(stop),
    }
}
