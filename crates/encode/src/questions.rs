//! What the methods ask of an unwound program besides whether something is wrong: small traces, near ones, all on
//! one path, and those through one edge.
//!
//! Distances are counted by a totalizer over the inputs that changed and the branches that went otherwise, as in
//! Groce's explanations by minimal distance (2004).

use crate::bounded::neglected;
use crate::circuit::Circuit;
use crate::expr::Value;
use crate::solver::{Fewest, Literal, Solver, Stop, Totalizer, Verdict, fewest_up_to};
use crate::unwind::{At, Duty, Unwinder, Unwinding};

/// A run within the bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The inputs in the order in which the program takes them.
    pub inputs: Vec<i64>,
    /// For each passage of the unwinding, whether it was taken.
    pub taken: Vec<bool>,
    /// For each input of the unwinding, its value if it was taken.
    pub given: Vec<Option<i64>>,
}

impl Run {
    fn in_model(unwinding: &Unwinding, solver: &Solver<'_>) -> Self {
        Self {
            inputs: unwinding.taken_inputs(solver),
            taken: unwinding.passages.iter().map(|passage| solver.is_true(passage.taken)).collect(),
            given: unwinding
                .inputs
                .iter()
                .map(|input| {
                    solver.is_true(input.taken).then(|| input.scalar.wrap(input.value.number(solver)))
                })
                .collect(),
        }
    }

    /// How many inputs that both take differ from another run's, and how many branches of the other are not gone.
    pub fn changes_from(&self, other: &Self, unwinding: &Unwinding) -> (usize, usize) {
        let given = self.given.iter().zip(&other.given);
        let inputs = given.filter(|(own, other)| own.is_some() && other.is_some() && own != other).count();
        let ways = unwinding.passages.iter().zip(self.taken.iter().zip(&other.taken));
        let branches = ways.filter(|(passage, (own, other))| passage.is_branch && **other && !**own).count();
        (inputs, branches)
    }

    /// The edges it takes, in order.
    pub fn path(&self, unwinding: &Unwinding) -> Vec<At> {
        let taken = unwinding.passages.iter().zip(&self.taken).filter(|(_, taken)| **taken);
        taken.map(|(passage, _)| passage.at).collect()
    }
}

/// A run and how many inputs and branches it counts, or differs in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    pub run: Run,
    pub count: usize,
    /// Whether no such run counts fewer.
    pub is_fewest: bool,
}

/// How far runs are from one run.
#[derive(Debug)]
pub struct Distance {
    /// The inputs that are changed and the branches that go otherwise.
    counted: Vec<Literal>,
    counter: Totalizer,
    /// How many of them are so in every run.
    always: usize,
}

/// The nearest run is looked for up to this many changes; one that is farther is any of its kind.
const FAR: usize = 64;

/// Runs that take the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnPath {
    /// The inputs of each.
    pub inputs: Vec<Vec<i64>>,
    /// Whether these are all.
    pub complete: bool,
}

/// Which runs are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Those that fail.
    Failing,
    /// Those that end properly.
    Passing,
    /// Those that come to the place of some edge, end properly and never fail.
    PassingBy(At),
    /// Those that come there and do not fail within the bound, whether they end or not.
    UnharmedAt(At),
}

impl Distance {
    fn new(counted: &[Literal]) -> Self {
        // Constants count whatever happens.
        let always = counted.iter().filter(|literal| **literal == Literal::TRUE).count();
        let counted: Vec<Literal> =
            counted.iter().copied().filter(|literal| literal.known().is_none()).collect();
        Self { counter: Totalizer::new(&counted), counted, always }
    }
}

/// Questions about one unwinding.
#[derive(Debug)]
pub struct Questions<'q, 'p, 'w> {
    unwinder: &'q mut Unwinder<'p, 'w>,
    unwinding: &'q Unwinding,
    fails: Literal,
}

impl<'q, 'p, 'w> Questions<'q, 'p, 'w> {
    /// `asked` says which checks make a run fail that neglects them.
    pub fn new(
        unwinder: &'q mut Unwinder<'p, 'w>,
        unwinding: &'q Unwinding,
        asked: impl Fn(At, Duty) -> bool,
    ) -> Self {
        let circuit = &mut unwinder.circuit;
        let checks = unwinding.checks.iter().filter(|check| asked(check.at, check.duty));
        let wrong: Vec<Literal> = checks.map(|check| neglected(circuit, check)).collect();
        let fails = circuit.any(wrong);
        Self { unwinder, unwinding, fails }
    }

    fn circuit(&mut self) -> &mut Circuit<'w> {
        &mut self.unwinder.circuit
    }

    /// Whether a run ends properly.
    fn passes(&mut self) -> Literal {
        let ends = self.unwinding.ends.clone();
        self.circuit().any(ends)
    }

    fn ask(&mut self, assumptions: &[Literal]) -> Result<Option<Run>, Stop> {
        let unwinding = self.unwinding;
        let solver = &mut self.circuit().solver;
        Ok((solver.solve(assumptions)? == Verdict::Satisfiable).then(|| Run::in_model(unwinding, solver)))
    }

    /// Every question from now on may cost that many conflicts.
    pub fn limit_conflicts(&mut self, limit: Option<u64>) {
        self.circuit().solver.limit_conflicts(limit);
    }

    /// Whether no run leaves what was unwound, so that answers are about all runs.
    pub fn is_whole(&mut self) -> Result<bool, Stop> {
        let beyond: Vec<Literal> = self.unwinding.cuts.iter().map(|cut| cut.when).collect();
        let beyond = self.circuit().any(beyond);
        Ok(beyond == Literal::FALSE || self.ask(&[beyond])?.is_none())
    }

    /// A failing run.
    pub fn failing(&mut self) -> Result<Option<Run>, Stop> {
        let fails = self.fails;
        self.ask(&[fails])
    }

    /// The failing run that takes the fewest branches.
    pub fn failing_with_fewest_branches(&mut self) -> Result<Option<Counted>, Stop> {
        let branches = self.unwinding.passages.iter().filter(|passage| passage.is_branch);
        let branches: Vec<Literal> = branches.map(|passage| passage.taken).collect();
        let fails = self.fails;
        self.smallest(fails, &mut Distance::new(&branches), usize::MAX)
    }

    /// The passing run that differs from a run in the fewest inputs and branches.
    pub fn nearest_passing(&mut self, from: &Run) -> Result<Option<Counted>, Stop> {
        let mut distance = self.distance_from(from);
        self.nearest(&mut distance, Which::Passing, &[])
    }

    /// The distance from a run, to be asked about as often as one likes.
    pub fn distance_from(&mut self, from: &Run) -> Distance {
        let unwinding = self.unwinding;
        let mut changes = Vec::new();
        for (input, given) in unwinding.inputs.iter().zip(&from.given) {
            if let Some(given) = given {
                changes.push(!self.circuit().same_value(&input.value, &Value::constant(*given)));
            }
        }
        for (passage, taken) in unwinding.passages.iter().zip(&from.taken) {
            if passage.is_branch {
                changes.push(passage.taken.flipped(*taken));
            }
        }
        Distance::new(&changes)
    }

    /// The run of some kind that is nearest and goes another way than all `others`.
    pub fn nearest(
        &mut self,
        distance: &mut Distance,
        which: Which,
        others: &[Run],
    ) -> Result<Option<Counted>, Stop> {
        let unwinding = self.unwinding;
        let mut wanted = self.literal(which);
        for other in others {
            let branches =
                unwinding.passages.iter().zip(&other.taken).filter(|(passage, _)| passage.is_branch);
            let otherwise: Vec<Literal> =
                branches.map(|(passage, taken)| passage.taken.flipped(*taken)).collect();
            let otherwise = self.circuit().any(otherwise);
            wanted = self.circuit().and(wanted, otherwise);
        }
        self.smallest(wanted, distance, FAR)
    }

    /// The run with these inputs, if it lies within the bound.
    pub fn run_with(&mut self, inputs: &[i64]) -> Result<Option<Run>, Stop> {
        // Whether an input is taken is decided by those before it, so they are fixed one after the other.
        let unwinding = self.unwinding;
        let mut assumptions = Vec::new();
        let mut rest = inputs.iter();
        for input in &unwinding.inputs {
            let is_taken = match input.taken.known() {
                Some(known) => known,
                None => match self.circuit().solver.solve(&assumptions)? {
                    Verdict::Satisfiable => self.circuit().solver.is_true(input.taken),
                    Verdict::Unsatisfiable => return Ok(None),
                },
            };
            if is_taken {
                let Some(value) = rest.next() else { return Ok(None) };
                assumptions.push(self.circuit().same_value(&input.value, &Value::constant(*value)));
            }
        }
        self.ask(&assumptions)
    }

    /// True of the runs that are looked for.
    fn literal(&mut self, which: Which) -> Literal {
        let (at, ends) = match which {
            Which::Failing => return self.fails,
            Which::Passing => return self.passes(),
            Which::PassingBy(at) => (at, true),
            Which::UnharmedAt(at) => (at, false),
        };
        // The passing outcome of a check may be an edge of its own.
        let program = self.unwinder.program();
        let place = |at: At| {
            let function = program.functions.get(at.function as usize)?;
            Some((at.function, function.edges.get(at.edge as usize)?.from))
        };
        let passages = self.unwinding.passages.iter().filter(|passage| place(passage.at) == place(at));
        let by: Vec<Literal> = passages.map(|passage| passage.taken).collect();
        let by = self.circuit().any(by);
        let passes = if ends { self.passes() } else { !self.fails };
        self.circuit().and(by, passes)
    }

    fn smallest(
        &mut self,
        wanted: Literal,
        distance: &mut Distance,
        most: usize,
    ) -> Result<Option<Counted>, Stop> {
        let unwinding = self.unwinding;
        let solver = &mut self.circuit().solver;
        let count = match fewest_up_to(solver, &[wanted], &mut distance.counter, 0, most)? {
            Some(Fewest::Never) => return Ok(None),
            Some(Fewest::Exactly(count)) => Some(count),
            None if solver.solve(&[wanted])? == Verdict::Unsatisfiable => return Ok(None),
            None => None,
        };
        let counted = || distance.counted.iter().filter(|literal| solver.is_true(**literal)).count();
        let is_fewest = count.is_some();
        let count = distance.always + count.unwrap_or_else(counted);
        Ok(Some(Counted { run: Run::in_model(unwinding, solver), count, is_fewest }))
    }

    /// The inputs of failing runs that take the same way as one, at most so many.
    pub fn failing_on_path(&mut self, of: &Run, most: usize) -> Result<OnPath, Stop> {
        let unwinding = self.unwinding;
        let mut assumptions = vec![self.fails];
        let branches = unwinding.passages.iter().zip(&of.taken).filter(|(passage, _)| passage.is_branch);
        assumptions.extend(branches.map(|(passage, taken)| passage.taken.flipped(!*taken)));
        // What rules out those that were found belongs to this question only.
        let only_here = self.circuit().solver.fresh();
        assumptions.push(only_here);
        let mut inputs = Vec::new();
        while inputs.len() < most {
            let Some(run) = self.ask(&assumptions)? else { return Ok(OnPath { inputs, complete: true }) };
            let mut others = vec![!only_here];
            for (input, given) in unwinding.inputs.iter().zip(&run.given) {
                if let Some(given) = given {
                    others.push(!self.circuit().same_value(&input.value, &Value::constant(*given)));
                }
            }
            self.circuit().solver.clause(&others);
            inputs.push(run.inputs);
        }
        let complete = self.ask(&assumptions)?.is_none();
        Ok(OnPath { inputs, complete })
    }

    /// A passing run through an edge.
    pub fn passing_through(&mut self, at: At) -> Result<Option<Run>, Stop> {
        let passages = self.unwinding.passages.iter().filter(|passage| passage.at == at);
        let taken: Vec<Literal> = passages.map(|passage| passage.taken).collect();
        let through = self.circuit().any(taken);
        let passes = self.passes();
        self.ask(&[through, passes])
    }
}
