//! Runs near the counterexample: its inputs with some of them changed, by chance but the same every time.
//!
//! Some of them fail and some pass. They are found by running the program, so they cost next to nothing compared with
//! those that a solver finds, and they tell changes apart that only suit the counterexample.

use model::{Command, Expr, Program, Run, RunEnding, Runner, StatementKind};

/// How many runs are tried, and how many of each kind are kept.
const TRIED: usize = 1_200;
const MOST_FAILING: usize = 32;
const MOST_PASSING: usize = 48;
/// How many inputs are made up for a run that asks for more.
const MOST_MORE: usize = 40;
/// How many further inputs a failing run is given, for what passes instead.
const AFTER: usize = 6;
/// How many runs that look alike are kept.
const ALIKE: usize = 8;
/// How many steps a run may take.
pub(crate) const MOST_STEPS: u32 = 20_000;

/// A run of the program as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sample {
    pub(crate) inputs: Vec<i64>,
    /// How many of the inputs it took, and the statements at which it did.
    pub(crate) taken: usize,
    pub(crate) sites: Vec<u32>,
    pub(crate) fails: bool,
    /// An assertion that it fails at, or that it passes while the counterexample fails at it.
    pub(crate) check: Option<u32>,
    /// The assertions it came to, by bits; and those that others come to which pass by the one that it fails at.
    pub(crate) met: u64,
    pub(crate) steps: u32,
}

/// Runs with different inputs, the counterexample first, then others that fail, then those that pass.
pub(crate) fn samples(rehearsal: &dyn Runner, program: &Program, known: &[Vec<i64>]) -> Vec<Sample> {
    let mut found = FoundSamples {
        rehearsal,
        program,
        random: Random(0x2545_f491_4f6c_dd1d),
        values: values(program, known),
        taken: known.iter().flatten().copied().chain([0, 1, 2]).collect(),
        check: None,
        failing: Vec::new(),
        passing: Vec::new(),
    };
    for inputs in known {
        found.add(inputs.clone(), true);
    }
    for _ in 0..TRIED {
        if found.failing.len() >= MOST_FAILING && found.passing.len() >= MOST_PASSING {
            break;
        }
        let Some(inputs) = found.near() else { break };
        found.add(inputs, false);
    }
    found.reach_beyond();
    found.failing.into_iter().chain(found.passing).collect()
}

/// Values that inputs may have: those of known runs, constants of the program, and their neighbours.
fn values(program: &Program, known: &[Vec<i64>]) -> Vec<i64> {
    let mut values = vec![-1, 0, 1, 2, 3];
    let commands =
        program.functions.iter().flat_map(|function| &function.edges).flat_map(|edge| &edge.commands);
    for command in commands {
        if let Command::Set(_, value) | Command::Assume(value) | Command::Assert(value) = command {
            constants(value, &mut values);
        }
    }
    values.extend(known.iter().flatten());
    values.sort_unstable();
    values.dedup();
    values
}

fn constants(expr: &Expr, values: &mut Vec<i64>) {
    match expr {
        Expr::Constant(value) => {
            values.extend([value.saturating_sub(1), *value, value.saturating_add(1)]);
        }
        Expr::Unary(_, one) | Expr::Wrap(_, one) => constants(one, values),
        Expr::Binary(_, one, other) | Expr::AndAlso(one, other) | Expr::OrElse(one, other) => {
            constants(one, values);
            constants(other, values);
        }
        Expr::Choose(one, two, three) => [one, two, three].into_iter().for_each(|one| constants(one, values)),
        Expr::Load(_) | Expr::Ask(..) | Expr::Deref(..) | Expr::Apply(..) => {}
    }
}

struct FoundSamples<'a> {
    rehearsal: &'a dyn Runner,
    program: &'a Program,
    random: Random,
    values: Vec<i64>,
    /// Values that inputs had in known runs, as often as they had them, and the smallest numbers.
    taken: Vec<i64>,
    /// The assertion at which the counterexample fails.
    check: Option<u32>,
    failing: Vec<Sample>,
    passing: Vec<Sample>,
}

impl FoundSamples<'_> {
    /// Whoever passes by an assertion comes to those behind it.
    fn reach_beyond(&mut self) {
        for sample in self.failing.iter_mut().filter(|sample| sample.check.is_some()) {
            let passing = self.passing.iter().filter(|passing| passing.check == sample.check);
            sample.met |= passing.fold(0, |met, passing| met | passing.met);
        }
    }

    /// A value that an input may have: mostly one that inputs had.
    fn any_value(&mut self) -> i64 {
        if self.random.below(4) > 0 && !self.taken.is_empty() {
            return self.taken[self.random.below(self.taken.len())];
        }
        self.values[self.random.below(self.values.len())]
    }

    /// Inputs of a known run with one to three of them changed.
    fn near(&mut self) -> Option<Vec<i64>> {
        let count = self.failing.len() + self.passing.len();
        if count == 0 {
            return None;
        }
        // Half of them are near a run that fails.
        let at = if self.random.below(2) == 0 && !self.failing.is_empty() {
            self.random.below(self.failing.len())
        } else {
            self.random.below(count)
        };
        let base = self.failing.iter().chain(&self.passing).nth(at)?;
        let mut inputs = base.inputs[..base.taken].to_vec();
        if inputs.is_empty() {
            return None;
        }
        for _ in 0..=self.random.below(3) {
            let at = self.random.below(inputs.len());
            inputs[at] = match self.random.below(5) {
                0 => inputs[at].saturating_add(1),
                1 => inputs[at].saturating_sub(1),
                2 => inputs[self.random.below(inputs.len())],
                _ => self.any_value(),
            };
        }
        Some(inputs)
    }

    /// Runs the program, and keeps the run if it is not like others.
    fn add(&mut self, mut inputs: Vec<i64>, known: bool) {
        let mut run = self.rehearsal.run(&inputs, self.check.unwrap_or(u32::MAX), MOST_STEPS);
        let mut more = 0;
        while run.ending == RunEnding::NoMoreInputs && more < MOST_MORE {
            let value = self.any_value();
            inputs.push(value);
            run = self.rehearsal.run(&inputs, self.check.unwrap_or(u32::MAX), MOST_STEPS);
            more += 1;
            if run.ending == RunEnding::Blocked {
                inputs.pop();
                run.ending = RunEnding::NoMoreInputs;
            }
        }
        let fails = match run.ending {
            RunEnding::Ended => false,
            RunEnding::Wrong => true,
            RunEnding::Blocked | RunEnding::NoMoreInputs | RunEnding::Unknown => return,
        };
        let is_check = self.program.statements[run.last as usize].kind == StatementKind::Assertion;
        let taken = run.sites.len().min(inputs.len());
        if fails {
            // What passes instead has to take further inputs.
            inputs.truncate(taken);
            for _ in 0..AFTER {
                let value = self.any_value();
                inputs.push(value);
            }
        }
        let check = match fails {
            true => is_check.then_some(run.last),
            false => self.check.filter(|_| run.passed > 0),
        };
        if fails && self.failing.is_empty() {
            self.check = check;
        }
        let Run { met, steps, sites, .. } = run;
        let sample = Sample { inputs, taken, sites, fails, check, met, steps };
        let (list, most) = match fails {
            true => (&mut self.failing, MOST_FAILING),
            false => (&mut self.passing, MOST_PASSING),
        };
        let same = |other: &&Sample| other.inputs[..other.taken] == sample.inputs[..sample.taken];
        let alike = |other: &&Sample| (other.steps, other.check) == (sample.steps, sample.check);
        let is_new = !list.iter().any(|other| same(&other)) && list.iter().filter(alike).count() < ALIKE;
        if known || list.len() < most && is_new {
            list.push(sample);
        }
    }
}

/// Numbers by chance, the same every time (Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * bound as u64) >> 32) as usize
    }
}
