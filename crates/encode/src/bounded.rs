//! Bounded search: is there a run on which something is wrong, within a bound that grows?
//!
//! One solver for all bounds. A yes is a run, told by its inputs; a no is a proof if no run can leave what was
//! unwound (the unwinding assertions of bounded model checkers), and otherwise says nothing beyond the bound.

use crate::circuit::Circuit;
use crate::solver::{Literal, Stop, Verdict};
use crate::unwind::{At, Check, Cut, Duty, Guide, Unwinder, Unwinding};

/// A run on which something is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The inputs in the order in which the program takes them.
    pub inputs: Vec<i64>,
    /// Where it is wrong, and what.
    pub at: At,
    pub duty: Duty,
}

#[derive(Debug)]
pub enum Answer {
    Violated(Found),
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
/// to `most`.
pub fn search(unwinder: &mut Unwinder<'_, '_>, most: u32, asked: impl Fn(At, Duty) -> bool) -> Outcome {
    let (mut bound, mut known) = (1.min(most), 0);
    let mut last = None;
    loop {
        let unwinding = match unwinder.unwind(bound) {
            Ok(unwinding) => unwinding,
            Err(stop) => return Outcome { answer: Answer::Stopped(stop), bound: known, unwinding: last },
        };
        match ask(&mut unwinder.circuit, &unwinding, &asked) {
            Err(stop) => return Outcome { answer: Answer::Stopped(stop), bound: known, unwinding: last },
            Ok(Answer::Within(cut)) if cut.why.is_bound() && bound < most => {
                known = bound;
                bound = bound.saturating_mul(2).min(most);
            }
            Ok(answer) => return Outcome { answer, bound, unwinding: Some(unwinding) },
        }
        last = Some(unwinding);
    }
}

/// How far runs follow a counterexample from elsewhere.
#[derive(Debug)]
pub enum Followed {
    /// A run meets all waypoints and then neglects what is asked for.
    Violating(Found),
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
        return Ok(Followed::Violating(Found { inputs, at, duty }));
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

fn ask(
    circuit: &mut Circuit<'_>,
    unwinding: &Unwinding,
    asked: &impl Fn(At, Duty) -> bool,
) -> Result<Answer, Stop> {
    let wanted: Vec<&Check> = unwinding.checks.iter().filter(|check| asked(check.at, check.duty)).collect();
    let wrong: Vec<Literal> = wanted.iter().map(|check| neglected(circuit, check)).collect();
    let any = circuit.any(wrong.iter().copied());
    if any != Literal::FALSE && circuit.solver.solve(&[any])? == Verdict::Satisfiable {
        let first = wrong.iter().position(|wrong| circuit.solver.is_true(*wrong)).unwrap_or_default();
        let inputs = unwinding.taken_inputs(&circuit.solver);
        let Check { at, duty, .. } = *wanted[first];
        return Ok(Answer::Violated(Found { inputs, at, duty }));
    }
    // Nothing but a larger bound can tell more of what it cut off; the rest stays unknown for good.
    for bounded in [true, false] {
        let cuts: Vec<&Cut> = unwinding.cuts.iter().filter(|cut| cut.why.is_bound() == bounded).collect();
        let beyond = circuit.any(cuts.iter().map(|cut| cut.when));
        if beyond != Literal::FALSE && circuit.solver.solve(&[beyond])? == Verdict::Satisfiable {
            let cut = cuts.into_iter().find(|cut| circuit.solver.is_true(cut.when));
            if let Some(cut) = cut {
                return Ok(Answer::Within(*cut));
            }
        }
    }
    Ok(Answer::Holds)
}
