//! Effects as a formula that can be asked for diagnoses.

use encode::Circuit;
use encode::solver::{Literal, Solver, Stop, Verdict};
use encode::ssa::{Duty, Happening, Relaxation, Start, Store, TraceFormula};
use explain::diagnosis::{Answer, Formula};
use findings::{Skip, Undiagnosed};
use graph::Watch;

use super::EffectTrace;
use crate::formula::{MOST_CONFLICTS, conflict};

/// How many values of one diagnosis are brought near to those of the trace.
const MOST_NEAR: usize = 40;

pub(super) struct EffectFormula<'w> {
    circuit: Circuit<'w>,
    formula: TraceFormula,
    relaxation: Relaxation,
    /// What should hold, and at which step.
    pub(super) constraints: Vec<(Literal, usize)>,
    /// The statement of each effect.
    statements: Vec<u32>,
}

/// What happens at each effect, with its step.
pub(super) type Happenings = Vec<(usize, Happening)>;

impl<'w> EffectFormula<'w> {
    pub(super) fn new(
        course: &impl EffectTrace,
        suspects: &[u32],
        watch: &'w dyn Watch,
    ) -> Result<Self, Skip> {
        let mut circuit = Circuit::new(Solver::new(watch));
        circuit.solver.limit_conflicts(Some(MOST_CONFLICTS));
        let relaxation = Relaxation::of(&mut circuit, suspects.iter().copied());
        let frames = course.frames();
        let start = Start {
            store: Store::new(frames.iter().map(Vec::as_slice)),
            global: 0,
            processes: (0..frames.len() as u32).map(|frame| (i64::from(frame), frame)).collect(),
        };
        let steps = course.steps();
        let formula = TraceFormula::new(&mut circuit, start, steps, &relaxation)
            .map_err(|_| Undiagnosed::UnknownValue)?;
        let is_constraint = |step: usize, duty: Duty| match duty {
            Duty::Check => true,
            Duty::Need(_) => course.is_last(step),
            Duty::Guard | Duty::Assume => false,
        };
        let constraints = formula.obligations.iter().filter(|one| is_constraint(one.step, one.duty));
        let constraints = constraints.map(|one| (one.holds, one.step)).collect();
        formula.assert(&mut circuit, |one| !is_constraint(one.step, one.duty));
        let own = |step: &model::TraceStep| std::iter::repeat_n(step.statement, step.effects.len());
        let statements = steps.iter().flat_map(own).collect();
        Ok(Self { circuit, formula, relaxation, constraints, statements })
    }

    fn demands(&self) -> Vec<Literal> {
        self.constraints.iter().map(|(holds, _)| *holds).collect()
    }

    fn can(&mut self, abnormal: &[u32], also: &[Literal]) -> Result<bool, Stop> {
        let mut question = self.relaxation.exactly(abnormal);
        question.extend_from_slice(also);
        Ok(self.circuit.solver.solve(&question)? == Verdict::Satisfiable)
    }

    fn happenings(&self) -> Happenings {
        self.formula.happenings(&self.circuit.solver).collect()
    }

    /// What happens on the trace as it is.
    pub(super) fn failing(&mut self) -> Result<Happenings, Stop> {
        Ok(if self.can(&[], &[])? { self.happenings() } else { Vec::new() })
    }

    /// What happens where these statements are wrong and all is well, with as many values as on the trace as one
    /// after the other can be kept.
    pub(super) fn nearest(
        &mut self,
        abnormal: &[u32],
        failing: &[(usize, Happening)],
    ) -> Result<Option<Happenings>, Stop> {
        let mut kept = self.demands();
        if !self.can(abnormal, &kept)? {
            return Ok(None);
        }
        let mut found = self.happenings();
        let own = |effect: &usize| abnormal.binary_search(&self.statements[*effect]).is_ok();
        let own: Vec<usize> = (0..failing.len()).filter(own).take(MOST_NEAR).collect();
        for effect in own {
            let same = self.formula.same(effect, failing[effect].1);
            let before = kept.len();
            kept.extend(same);
            if self.can(abnormal, &kept)? {
                found = self.happenings();
            } else {
                kept.truncate(before);
            }
        }
        Ok(Some(found))
    }
}

impl Formula for EffectFormula<'_> {
    type Model = Happenings;
    type Stop = Stop;

    fn ask(&mut self, abnormal: &[u32]) -> Result<Answer<Happenings>, Stop> {
        let demands = self.demands();
        if self.can(abnormal, &demands)? {
            return Ok(Answer::Consistent(self.happenings()));
        }
        conflict(&mut self.circuit.solver, &self.relaxation, &demands, abnormal).map(Answer::Conflict)
    }
}
