//! Correct runs through an edge: runs that come to a place and get through it, within the bound.
//!
//! Runs pass an unwound program in the order in which it is written down. So a step of it lies on a correct run
//! exactly if a run takes it and gets through one of the places behind it, which is one literal for every step,
//! made of that of the next one. Where nothing gets through the place, correct runs are those that pass: they end
//! properly, or leave what was unwound without having failed, because nobody knows of those that they fail. Several
//! edges may make one step; its last edge is the one it is known by.

use model::Command;

use crate::bounded::neglected;
use crate::expr::Value;
use crate::solver::{Literal, Stop, Verdict};
use crate::unwind::{At, Duty, Unwinder, Unwinding};

/// A step of the unwound program.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// Its last passage.
    passage: u32,
    label: u32,
    taken: Literal,
    through: Literal,
    /// Whether correct runs end before it.
    is_goal: bool,
    /// Whether a run gets through a goal behind it, or passes.
    leads_on: Literal,
}

/// A run that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailingRun {
    /// Its steps, as numbers of those of the unwound program; the last one may be missing, because it was not
    /// finished.
    steps: Vec<u32>,
    /// For each input of the unwinding, its value if it was taken.
    given: Vec<Option<i64>>,
    /// The labels of its steps, that of the wrong one at the end.
    pub labels: Vec<u32>,
    /// The inputs in the order in which the program takes them.
    pub inputs: Vec<i64>,
}

/// How the steps of a program are known, and which of them count.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a, F> {
    /// The label of each edge of each function.
    pub labels: &'a [Vec<u32>],
    /// Whether correct runs end before steps with a label; nothing if correct runs are those that pass.
    pub goals: Option<&'a [bool]>,
    /// Which checks make a run fail that neglects them.
    pub failures: F,
}

/// Questions about the runs to one place.
#[derive(Debug)]
pub struct Arrivals<'q, 'p, 'w> {
    unwinder: &'q mut Unwinder<'p, 'w>,
    unwinding: &'q Unwinding,
    steps: Vec<Step>,
    /// Whether a run gets through a goal at all, or passes if that is what makes it correct.
    arrives: Literal,
    /// Whether it ends properly, if correct runs are those that pass.
    ends: Option<Literal>,
    /// The checks that are asked for: the label, and whether it is neglected.
    wrong: Vec<(u32, Literal)>,
    fails: Literal,
    /// Whether another check is neglected.
    others: Literal,
    /// The labels that are known to be on correct runs.
    correct: Vec<bool>,
}

impl<'q, 'p, 'w> Arrivals<'q, 'p, 'w> {
    pub fn new<F: Fn(At, Duty) -> bool>(
        unwinder: &'q mut Unwinder<'p, 'w>,
        unwinding: &'q Unwinding,
        asked: &Asked<'_, F>,
    ) -> Self {
        let program = unwinder.program();
        let label = |at: At| asked.labels[at.function as usize][at.edge as usize];
        let ends_step = |at: At| {
            let function = &program.functions[at.function as usize];
            let edge = &function.edges[at.edge as usize];
            function.locations[edge.to as usize].boundary || edge.commands.last().is_some_and(Command::leaves)
        };
        let passages = unwinding.passages.iter().zip(0..).filter(|(passage, _)| ends_step(passage.at));
        let mut steps: Vec<Step> = passages
            .map(|(passage, number)| Step {
                passage: number,
                label: label(passage.at),
                taken: passage.taken,
                through: passage.through,
                is_goal: asked.goals.is_some_and(|goals| goals[label(passage.at) as usize]),
                leads_on: Literal::FALSE,
            })
            .collect();
        let circuit = &mut unwinder.circuit;
        let ends = asked.goals.is_none().then(|| circuit.any(unwinding.ends.iter().copied()));
        let mut arrives = match ends {
            None => Literal::FALSE,
            Some(ends) => {
                let beyond = circuit.any(unwinding.cuts.iter().map(|cut| cut.when));
                circuit.or(ends, beyond)
            }
        };
        for step in steps.iter_mut().rev() {
            step.leads_on = arrives;
            if step.is_goal {
                arrives = circuit.or(arrives, step.through);
            }
        }
        let mut wrong: Vec<(u32, Literal)> = Vec::new();
        let mut others: Vec<Literal> = Vec::new();
        for check in &unwinding.checks {
            let neglected = neglected(circuit, check);
            if (asked.failures)(check.at, check.duty) {
                wrong.push((label(check.at), neglected));
            } else {
                others.push(neglected);
            }
        }
        let fails = circuit.any(wrong.iter().map(|(_, wrong)| *wrong));
        let others = circuit.any(others);
        let count = asked.labels.iter().flatten().max().map_or(0, |last| *last as usize + 1);
        let correct = vec![false; count];
        Self { unwinder, unwinding, steps, arrives, ends, wrong, fails, others, correct }
    }

    pub fn label_count(&self) -> usize {
        self.correct.len()
    }

    /// Every question from now on may cost that many conflicts.
    pub fn limit_conflicts(&mut self, limit: Option<u64>) {
        self.unwinder.circuit.solver.limit_conflicts(limit);
    }

    /// Whether a run within the bound neglects a check that is not asked for.
    pub fn fails_otherwise(&mut self) -> Result<bool, Stop> {
        let others = self.others;
        self.holds(&[others])
    }

    /// Whether no run leaves what was unwound, so that answers are about all runs.
    pub fn is_whole(&mut self) -> Result<bool, Stop> {
        let beyond = self.unwinder.circuit.any(self.unwinding.cuts.iter().map(|cut| cut.when));
        Ok(beyond == Literal::FALSE || !self.holds(&[beyond])?)
    }

    /// Whether there is a correct run at all.
    pub fn is_any_correct(&mut self) -> Result<bool, Stop> {
        let arrives = self.arrives;
        self.holds(&[arrives])
    }

    fn holds(&mut self, assumptions: &[Literal]) -> Result<bool, Stop> {
        if assumptions.contains(&Literal::FALSE) {
            return Ok(false);
        }
        Ok(self.unwinder.circuit.solver.solve(assumptions)? == Verdict::Satisfiable)
    }

    /// A failing run that takes no step of which the label is halted.
    pub fn failing(&mut self, halted: impl Fn(u32) -> bool) -> Result<Option<FailingRun>, Stop> {
        let mut assumptions = vec![self.fails];
        assumptions.extend(self.steps.iter().filter(|step| halted(step.label)).map(|step| !step.taken));
        let found = self.holds(&assumptions)?;
        Ok(found.then(|| self.in_model()))
    }

    /// The failing run with these inputs.
    pub fn failing_with(&mut self, inputs: &[i64]) -> Result<Option<FailingRun>, Stop> {
        // Which inputs are taken is decided by those before, so they are fixed one after the other.
        let mut assumptions = vec![self.fails];
        let mut rest = inputs.iter();
        for input in &self.unwinding.inputs {
            if !self.holds(&assumptions)? {
                return Ok(None);
            }
            if self.unwinder.circuit.solver.is_true(input.taken)
                && let Some(value) = rest.next()
            {
                assumptions.push(input.taken);
                assumptions.push(self.unwinder.circuit.same_value(&input.value, &Value::constant(*value)));
            }
        }
        let found = self.holds(&assumptions)?;
        Ok(found.then(|| self.in_model()))
    }

    fn in_model(&self) -> FailingRun {
        let solver = &self.unwinder.circuit.solver;
        let taken = self.steps.iter().zip(0..).filter(|(step, _)| solver.is_true(step.taken));
        let (mut labels, mut steps): (Vec<u32>, Vec<u32>) =
            taken.map(|(step, number)| (step.label, number)).unzip();
        let wrong = self.wrong.iter().find(|(_, wrong)| solver.is_true(*wrong)).map(|(label, _)| *label);
        let last = steps.last().map(|last| &self.steps[*last as usize]);
        match last {
            // The last step was begun, and is the wrong one.
            Some(last) if !solver.is_true(last.through) => _ = steps.pop(),
            _ => labels.extend(wrong),
        }
        let given =
            self.unwinding.inputs.iter().map(|input| {
                solver.is_true(input.taken).then(|| input.scalar.wrap(input.value.number(solver)))
            });
        FailingRun { steps, given: given.collect(), labels, inputs: self.unwinding.taken_inputs(solver) }
    }

    /// Whether a correct run takes a step with this label.
    pub fn takes(&mut self, label: u32) -> Result<bool, Stop> {
        if self.correct[label as usize] {
            return Ok(true);
        }
        let mut ways = Vec::new();
        for step in self.steps.iter().filter(|step| step.label == label) {
            ways.push(self.unwinder.circuit.and(step.taken, step.leads_on));
        }
        let through = self.unwinder.circuit.any(ways);
        let found = self.holds(&[through])?;
        if found {
            // A correct run tells of all the steps on it.
            let solver = &self.unwinder.circuit.solver;
            for step in &self.steps {
                if solver.is_true(step.taken) && solver.is_true(step.leads_on) {
                    self.correct[step.label as usize] = true;
                }
            }
        }
        Ok(found)
    }

    /// Whether any run takes a step with one of these labels.
    pub fn can_take(&mut self, is_such: impl Fn(u32) -> bool) -> Result<bool, Stop> {
        let such = self.steps.iter().filter(|step| is_such(step.label)).map(|step| step.taken);
        let taken = self.unwinder.circuit.any(such);
        self.holds(&[taken])
    }

    /// The greatest number of steps of a run that are the beginning of a correct run; nothing if not even its start
    /// is.
    pub fn led_on(&mut self, run: &FailingRun) -> Result<Option<usize>, Stop> {
        // Once no correct run can come of it, none can ever after.
        let (mut low, mut high) = (0, run.steps.len() + 1);
        while low < high {
            let middle = usize::midpoint(low, high);
            let mut assumptions = self.beginning(run, middle);
            assumptions.push(self.leads_on(run, middle));
            if self.holds(&assumptions)? { low = middle + 1 } else { high = middle }
        }
        Ok(low.checked_sub(1))
    }

    /// The labels of a correct run that begins with so many steps of a failing one, from there to where it arrives,
    /// without steps that have a certain label. A run that leaves what was unwound is no correct run to be shown, but
    /// it does show that a correct one may be without such steps.
    pub fn way_on(
        &mut self,
        run: &FailingRun,
        after: usize,
        without: Option<u32>,
    ) -> Result<Option<Vec<u32>>, Stop> {
        let first = after.checked_sub(1).map_or(0, |last| run.steps[last] as usize + 1);
        let mut goal = Literal::FALSE;
        let mut clean = Literal::TRUE;
        let circuit = &mut self.unwinder.circuit;
        for step in &self.steps[first..] {
            if step.is_goal {
                let arrives = circuit.and(step.through, clean);
                goal = circuit.or(goal, arrives);
            }
            if Some(step.label) == without {
                clean = circuit.and(clean, !step.taken);
            }
        }
        if let Some(ends) = self.ends {
            let passes = if without.is_none() { ends } else { self.arrives };
            goal = circuit.and(passes, clean);
        }
        let mut assumptions = self.beginning(run, after);
        assumptions.push(goal);
        if !self.holds(&assumptions)? {
            return Ok(None);
        }
        let solver = &self.unwinder.circuit.solver;
        let taken = self.steps[first..].iter().filter(|step| solver.is_true(step.taken));
        let before = taken.take_while(|step| !(step.is_goal && solver.is_true(step.through)));
        Ok(Some(before.map(|step| step.label).collect()))
    }

    /// Whether a run that is where a run is after so many steps gets through a goal, or passes.
    fn leads_on(&self, run: &FailingRun, after: usize) -> Literal {
        after.checked_sub(1).map_or(self.arrives, |last| self.steps[run.steps[last] as usize].leads_on)
    }

    /// True of the runs that begin with so many steps of a run, and with its inputs.
    fn beginning(&mut self, run: &FailingRun, after: usize) -> Vec<Literal> {
        let mut literals = Vec::new();
        let Some(last) = after.checked_sub(1) else { return literals };
        let end = self.steps[run.steps[last] as usize].passage;
        for (input, given) in self.unwinding.inputs.iter().zip(&run.given) {
            if let Some(given) = given.filter(|_| input.passage <= end) {
                literals.push(self.unwinder.circuit.same_value(&input.value, &Value::constant(given)));
            }
        }
        literals.extend(run.steps[..after].iter().map(|step| self.steps[*step as usize].taken));
        literals
    }
}
