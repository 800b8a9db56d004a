//! The whole answer to one question, before it is put into words.

use graph::Fairness;

use crate::{
    CheckedProperty, Counterexample, Deed, Engine, Evaluation, Fates, Finding, FoundRepair, Input, Location,
    Method, Methods, Property, Reason, RepairSearch, Statistics, Surroundings, TestRuns, Verdict, Violation,
    Without,
};

#[derive(Clone, Debug)]
pub struct Explanation {
    pub input: Input,
    /// What the rest is about: of several properties the first one that is violated, or else undecided.
    pub property: Property,
    /// All properties that were to be checked, each with its verdict; empty where there was one.
    pub properties: Vec<CheckedProperty>,
    pub engine: Engine,
    /// How far loops were unwound; none where nothing was bounded.
    pub bound: Option<u64>,
    pub verdict: Verdict,
    /// Why the verdict is what it is.
    pub reason: Reason,
    /// What counted as a passing trace.
    pub passing: Passing,
    pub statistics: Statistics,
    pub violations: Vec<Violation>,
    /// The `id` of the violation that the rest is about, where there is a choice.
    pub explained: Option<u64>,
    pub fates: Option<Fates>,
    pub counterexample: Option<Counterexample>,
    /// What of the property was true when, where it is a formula.
    pub evaluation: Option<Evaluation>,
    /// The chance to fail, if every possible step is as likely as the others: at the start of the counterexample, and
    /// after each of its steps. None where it could not be told.
    pub doom: Vec<Option<f64>>,
    /// The same for failing within as many steps as the counterexample has.
    pub doom_soon: Vec<f64>,
    /// What the methods claim, in the order in which they ran.
    pub findings: Vec<Finding>,
    /// The same as one ranked list; empty before it was made.
    pub causes: Vec<Cause>,
    /// What the statements of the counterexample are needed for.
    pub without: Vec<Without>,
    /// The other violations: whether they have the same cause, and if not what theirs is.
    pub others: Vec<OtherFailure>,
    /// Whether no trace that is weakly fair violates the property, which was asked of all traces.
    pub only_unfair: bool,
    /// Changes that were tried and help, the likeliest first.
    pub repairs: Vec<FoundRepair>,
    /// How far repairs were looked for; none where nobody asked.
    pub repair_search: Option<RepairSearch>,
    pub methods: Methods,
    /// Statements that no trace executes; none where nobody asked or not everything was explored.
    pub unreached: Option<Vec<Deed>>,
    /// The states around the counterexample, for renderers that draw.
    pub surroundings: Option<Surroundings>,
    /// What came of the tests of a program, where it ran on tests.
    pub tests: Option<TestRuns>,
}

impl Explanation {
    /// The violation that this is about, where there is a choice.
    pub fn explained_violation(&self) -> Option<&Violation> {
        self.violations.iter().find(|violation| Some(violation.id) == self.explained)
    }
}

/// What counts as passing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// Ending where every process may stop, or going on forever without violation.
    Processes(Fairness),
    /// Ending where it may, or going on forever without violation, in a system that names no processes.
    NoProcesses,
    /// Ending properly, or going on forever.
    NoDeadlock,
    /// Not having shown a forbidden sequence.
    NoForbiddenSequence,
    /// Meeting a property of endless traces.
    MeetsProperty(Fairness),
}

/// A place that is suspected, and all that speaks for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Cause {
    /// Between 0 and 1.
    pub score: f64,
    /// What is said most strongly of it.
    pub main: Finding,
    /// When exactly the point of no return is one, where another finding tells.
    pub exactly_when: Option<crate::Condition>,
    pub locations: Vec<Location>,
    pub methods: Vec<Method>,
    pub group: u64,
    pub repair: Option<crate::Repair>,
    /// What else speaks for it, each with its own recheck.
    pub evidence: Vec<Finding>,
}

/// A violation besides the one that is explained.
#[derive(Clone, Debug)]
pub struct OtherFailure {
    /// Its `id` in the list of violations.
    pub violation: u64,
    /// Whether without the points of no return of either of the two violations the other one does not occur, and traces
    /// still pass.
    pub same_cause: bool,
    /// Its own causes, where it has others.
    pub causes: Vec<Cause>,
    pub counterexample: Option<Counterexample>,
}
