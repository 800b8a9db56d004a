//! Diagnoses by brute force: small programs of 4-bit values, with every value that a wrong statement could make tried
//! in turn, as the definitions say.
//!
//! A program takes two inputs from 0 to 3, and then assigns and branches, without loops; what it reads of a variable are
//! the lowest 4 bits, so 16 values are all there are. Each statement has a line of its own.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::random::Random;

const VARIABLES: [&str; 4] = ["a", "b", "c", "d"];

#[derive(Clone, Debug)]
enum Term {
    Number(u8),
    Variable(usize),
    Sum(Box<Term>, Box<Term>),
    Difference(Box<Term>, Box<Term>),
    And(Box<Term>, Box<Term>),
}

/// A comparison of two terms: how it is written, and what it means.
#[derive(Clone, Debug)]
struct Condition {
    operator: usize,
    left: Term,
    right: Term,
}

type Comparison = (&'static str, fn(u8, u8) -> bool);

const OPERATORS: [Comparison; 6] = [
    ("<", |one, other| one < other),
    ("<=", |one, other| one <= other),
    ("==", |one, other| one == other),
    ("!=", |one, other| one != other),
    (">", |one, other| one > other),
    (">=", |one, other| one >= other),
];

#[derive(Clone, Debug)]
enum Statement {
    Assign { line: u64, variable: usize, value: Term },
    If { line: u64, condition: Condition, yes: Vec<Statement>, no: Vec<Statement> },
}

/// A program, and what should hold at its end.
#[derive(Clone, Debug)]
pub struct SmallProgram {
    statements: Vec<Statement>,
    assertion: Condition,
    pub text: String,
}

/// A step of a trace.
#[derive(Clone, Debug)]
enum Step {
    Assigned { line: u64, variable: usize, value: Term },
    Went { line: u64, condition: Condition, yes: bool },
}

impl Step {
    fn line(&self) -> u64 {
        match self {
            Self::Assigned { line, .. } | Self::Went { line, .. } => *line,
        }
    }
}

fn term(random: &mut Random, depth: u32) -> Term {
    let part = |random: &mut Random| Box::new(term(random, depth - 1));
    match random.below(if depth == 0 { 4 } else { 7 }) {
        0 => Term::Number(random.below(16) as u8),
        1..=3 => Term::Variable(random.below(4) as usize),
        4 => Term::Sum(part(random), part(random)),
        5 => Term::Difference(part(random), part(random)),
        _ => Term::And(part(random), part(random)),
    }
}

fn condition(random: &mut Random) -> Condition {
    Condition { operator: random.below(6) as usize, left: term(random, 1), right: term(random, 1) }
}

fn value(term: &Term, variables: [u8; 4]) -> u8 {
    let number = match term {
        Term::Number(number) => *number,
        Term::Variable(variable) => variables[*variable],
        Term::Sum(one, other) => value(one, variables).wrapping_add(value(other, variables)),
        Term::Difference(one, other) => value(one, variables).wrapping_sub(value(other, variables)),
        Term::And(one, other) => value(one, variables) & value(other, variables),
    };
    number & 15
}

fn holds(condition: &Condition, variables: [u8; 4]) -> bool {
    OPERATORS[condition.operator].1(value(&condition.left, variables), value(&condition.right, variables))
}

fn written(term: &Term) -> String {
    match term {
        Term::Number(number) => format!("{number}u"),
        Term::Variable(variable) => format!("({} & 15u)", VARIABLES[*variable]),
        Term::Sum(one, other) => format!("(({} + {}) & 15u)", written(one), written(other)),
        Term::Difference(one, other) => format!("(({} - {}) & 15u)", written(one), written(other)),
        Term::And(one, other) => format!("({} & {})", written(one), written(other)),
    }
}

fn asked(condition: &Condition) -> String {
    let operator = OPERATORS[condition.operator].0;
    format!("{} {operator} {}", written(&condition.left), written(&condition.right))
}

/// Writes a program line by line.
struct Writer<'r> {
    random: &'r mut Random,
    text: String,
    line: u64,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) -> u64 {
        self.line += 1;
        let _ = writeln!(self.text, "{text}");
        self.line
    }

    fn block(&mut self, count: u32, depth: u32) -> Vec<Statement> {
        let mut statements = Vec::new();
        for _ in 0..count {
            if depth > 0 && self.random.below(3) == 0 {
                let condition = condition(self.random);
                let line = self.line(&format!("if ({}) {{", asked(&condition)));
                let inside = 1 + self.random.below(2);
                let yes = self.block(inside, depth - 1);
                self.line("} else {");
                let inside = self.random.below(2);
                let no = self.block(inside, depth - 1);
                self.line("}");
                statements.push(Statement::If { line, condition, yes, no });
            } else {
                let (variable, value) = (self.random.below(4) as usize, term(self.random, 2));
                let line = self.line(&format!("{} = {};", VARIABLES[variable], written(&value)));
                statements.push(Statement::Assign { line, variable, value });
            }
        }
        statements
    }
}

impl SmallProgram {
    pub fn random(random: &mut Random) -> Self {
        let mut writer = Writer { random, text: String::new(), line: 0 };
        writer.line("#include <assert.h>");
        writer.line("extern unsigned char __VERIFIER_nondet_uchar(void);");
        writer.line("extern void __VERIFIER_assume(int condition);");
        writer.line("unsigned char a, b, c, d;");
        writer.line("int main(void) {");
        for name in ["a", "b"] {
            writer.line(&format!("{name} = __VERIFIER_nondet_uchar();"));
            writer.line(&format!("__VERIFIER_assume({name} <= 3);"));
        }
        let count = 2 + writer.random.below(4);
        let statements = writer.block(count, 2);
        let assertion = condition(writer.random);
        writer.line(&format!("assert({});", asked(&assertion)));
        writer.line("return 0;");
        writer.line("}");
        Self { statements, assertion, text: writer.text }
    }

    fn inputs() -> impl Iterator<Item = [u8; 2]> {
        (0..16).map(|number| [number & 3, number >> 2])
    }

    fn start(inputs: [u8; 2]) -> [u8; 4] {
        [inputs[0], inputs[1], 0, 0]
    }

    /// The way that these inputs lead, and whether it fails.
    fn trace(&self, inputs: [u8; 2]) -> (Vec<Step>, bool) {
        let mut steps = Vec::new();
        let end = follow(&self.statements, Self::start(inputs), &mut steps);
        (steps, !holds(&self.assertion, end))
    }

    /// Whether some inputs fail.
    pub fn can_fail(&self) -> bool {
        Self::inputs().any(|inputs| self.trace(inputs).1)
    }

    /// Whether the assertion can hold on the way of these inputs, for any inputs, if just these lines are wrong.
    pub fn is_consistent(&self, inputs: [u8; 2], wrong: &BTreeSet<u64>) -> bool {
        let (steps, _) = self.trace(inputs);
        Self::inputs().any(|other| self.along(&steps, Self::start(other), wrong))
    }

    fn along(&self, steps: &[Step], variables: [u8; 4], wrong: &BTreeSet<u64>) -> bool {
        let Some((step, rest)) = steps.split_first() else { return holds(&self.assertion, variables) };
        let is_wrong = wrong.contains(&step.line());
        match step {
            Step::Assigned { variable, value: term, .. } => {
                let written = |number: u8| {
                    let mut variables = variables;
                    variables[*variable] = number;
                    variables
                };
                if is_wrong {
                    (0..16).any(|number| self.along(rest, written(number), wrong))
                } else {
                    self.along(rest, written(value(term, variables)), wrong)
                }
            }
            Step::Went { condition, yes, .. } => {
                (is_wrong || holds(condition, variables) == *yes) && self.along(rest, variables, wrong)
            }
        }
    }

    /// The lines on the way of these inputs.
    pub fn lines(&self, inputs: [u8; 2]) -> BTreeSet<u64> {
        self.trace(inputs).0.iter().map(Step::line).collect()
    }

    /// The smallest sets of at most so many lines that are diagnoses.
    pub fn diagnoses(&self, inputs: [u8; 2], most: usize) -> BTreeSet<Vec<u64>> {
        let lines: Vec<u64> = self.lines(inputs).into_iter().collect();
        let mut sets: Vec<BTreeSet<u64>> = (0..1u32 << lines.len())
            .map(|set| (0..lines.len()).filter(|at| set >> at & 1 == 1).map(|at| lines[at]).collect())
            .filter(|set: &BTreeSet<u64>| set.len() <= most)
            .collect();
        sets.sort_by_key(BTreeSet::len);
        let mut found: Vec<BTreeSet<u64>> = Vec::new();
        for set in sets {
            if !found.iter().any(|known| known.is_subset(&set)) && self.is_consistent(inputs, &set) {
                found.push(set);
            }
        }
        found.into_iter().map(|set| set.into_iter().collect()).collect()
    }

    /// The smallest sets of at most so many lines that explain each of these runs on its own way, with its own inputs.
    pub fn joint_diagnoses(&self, runs: &[[u8; 2]], most: usize) -> BTreeSet<Vec<u64>> {
        let ways: Vec<(Vec<Step>, [u8; 4])> =
            runs.iter().map(|run| (self.trace(*run).0, Self::start(*run))).collect();
        let lines: BTreeSet<u64> = ways.iter().flat_map(|(steps, _)| steps.iter().map(Step::line)).collect();
        let mut sets: Vec<BTreeSet<u64>> = vec![BTreeSet::new()];
        let mut found: Vec<BTreeSet<u64>> = Vec::new();
        for _ in 0..=most {
            let mut larger = Vec::new();
            for set in sets {
                if found.iter().any(|known| known.is_subset(&set)) {
                    continue;
                }
                if ways.iter().all(|(steps, start)| self.along(steps, *start, &set)) {
                    found.push(set);
                    continue;
                }
                let last = set.last().copied().unwrap_or(0);
                larger.extend(lines.iter().filter(|line| **line > last).map(|line| {
                    let mut more = set.clone();
                    more.insert(*line);
                    more
                }));
            }
            sets = larger;
        }
        found.into_iter().map(|set| set.into_iter().collect()).collect()
    }

    /// Whether these lines cannot all be right, while any of them can be wrong alone.
    pub fn is_smallest_conflict(&self, inputs: [u8; 2], conflict: &BTreeSet<u64>) -> bool {
        let lines = self.lines(inputs);
        let others = |right: &BTreeSet<u64>| lines.difference(right).copied().collect::<BTreeSet<u64>>();
        let contradicts = |right: &BTreeSet<u64>| !self.is_consistent(inputs, &others(right));
        let without = |line: &u64| conflict.iter().copied().filter(|other| other != line).collect();
        contradicts(conflict) && conflict.iter().all(|line| !contradicts(&without(line)))
    }

    /// Whether the whole program can pass on these inputs if just these lines are wrong, and go either way if they are
    /// branches.
    pub fn can_pass(&self, inputs: [u8; 2], wrong: &BTreeSet<u64>) -> bool {
        let mut open: Vec<&Statement> = self.statements.iter().rev().collect();
        self.passes(&mut open, Self::start(inputs), wrong)
    }

    fn passes<'s>(
        &'s self,
        open: &mut Vec<&'s Statement>,
        mut variables: [u8; 4],
        wrong: &BTreeSet<u64>,
    ) -> bool {
        let Some(statement) = open.pop() else { return holds(&self.assertion, variables) };
        match statement {
            Statement::Assign { line, variable, value: term } => {
                let is_wrong = wrong.contains(line);
                let numbers = if is_wrong { (0..16).collect() } else { vec![value(term, variables)] };
                numbers.into_iter().any(|number| {
                    variables[*variable] = number;
                    self.passes(&mut open.clone(), variables, wrong)
                })
            }
            Statement::If { line, condition, yes, no } => {
                let goes = holds(condition, variables);
                [true, false].into_iter().any(|way| {
                    if way != goes && !wrong.contains(line) {
                        return false;
                    }
                    let mut open = open.clone();
                    open.extend(if way { yes } else { no }.iter().rev());
                    self.passes(&mut open, variables, wrong)
                })
            }
        }
    }

    /// The lines of branches with another comparison in which no inputs fail any more.
    pub fn mended_by_comparison(&self) -> BTreeSet<u64> {
        let mut lines = BTreeSet::new();
        branches(&self.statements, &mut lines);
        let mends = |line: &u64| {
            (0..OPERATORS.len()).any(|operator| {
                let statements = compared(&self.statements, *line, operator);
                !Self { statements, ..self.clone() }.can_fail()
            })
        };
        lines.into_iter().filter(mends).collect()
    }
}

/// The lines of all branches.
fn branches(statements: &[Statement], lines: &mut BTreeSet<u64>) {
    for statement in statements {
        if let Statement::If { line, yes, no, .. } = statement {
            lines.insert(*line);
            branches(yes, lines);
            branches(no, lines);
        }
    }
}

/// The same statements with another comparison in one line.
fn compared(statements: &[Statement], at: u64, new: usize) -> Vec<Statement> {
    let changed = statements.iter().map(|statement| match statement {
        Statement::Assign { .. } => statement.clone(),
        Statement::If { line, condition, yes, no } => {
            let operator = if *line == at { new } else { condition.operator };
            Statement::If {
                line: *line,
                condition: Condition { operator, ..condition.clone() },
                yes: compared(yes, at, new),
                no: compared(no, at, new),
            }
        }
    });
    changed.collect()
}

fn follow(statements: &[Statement], mut variables: [u8; 4], steps: &mut Vec<Step>) -> [u8; 4] {
    for statement in statements {
        match statement {
            Statement::Assign { line, variable, value: term } => {
                steps.push(Step::Assigned { line: *line, variable: *variable, value: term.clone() });
                variables[*variable] = value(term, variables);
            }
            Statement::If { line, condition, yes, no } => {
                let goes = holds(condition, variables);
                steps.push(Step::Went { line: *line, condition: condition.clone(), yes: goes });
                variables = follow(if goes { yes } else { no }, variables, steps);
            }
        }
    }
    variables
}
