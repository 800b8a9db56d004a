//! Diagnoses of traces of small Promela models by brute force, as the definitions say: every set of lines, and for a
//! wrong line every value of everything it makes.
//!
//! The models have two processes without loops, variables of two bits, a channel that holds three messages of two bits,
//! and one for rendezvous. Every statement stands in a line of its own, so a trace is a sequence of lines.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::random::Random;

const VARIABLES: usize = 3;
/// The lines before the first process.
const HEADER: &str = "chan c = [3] of { bit, bit };\nchan r = [0] of { bit, bit };\n";

/// A term: a constant, a variable, or two of them.
#[derive(Clone, Copy, Debug)]
enum Term {
    Constant(u8),
    Variable(usize),
    Sum(usize, u8),
    Less(usize, usize),
    Equal(usize, u8),
}

impl Term {
    fn random(random: &mut Random) -> Self {
        let variable = random.below(VARIABLES as u32) as usize;
        let constant = random.below(4) as u8;
        match random.below(5) {
            0 => Self::Constant(constant),
            1 => Self::Variable(variable),
            2 => Self::Sum(variable, constant),
            3 => Self::Less(variable, random.below(VARIABLES as u32) as usize),
            _ => Self::Equal(variable, constant),
        }
    }

    fn text(self) -> String {
        let name = |variable: usize| ['x', 'y', 'z'][variable];
        match self {
            Self::Constant(value) => value.to_string(),
            Self::Variable(variable) => name(variable).to_string(),
            Self::Sum(variable, value) => format!("{} + {value}", name(variable)),
            Self::Less(one, other) => format!("{} < {}", name(one), name(other)),
            Self::Equal(variable, value) => format!("{} == {value}", name(variable)),
        }
    }

    fn value(self, variables: [u8; VARIABLES]) -> u8 {
        match self {
            Self::Constant(value) => value,
            Self::Variable(variable) => variables[variable],
            Self::Sum(variable, value) => variables[variable] + value,
            Self::Less(one, other) => u8::from(variables[one] < variables[other]),
            Self::Equal(variable, value) => u8::from(variables[variable] == value),
        }
    }
}

/// What a receive does with a part of a message.
#[derive(Clone, Copy, Debug)]
enum Pattern {
    Store(usize),
    Match(u8),
}

#[derive(Clone, Copy, Debug)]
enum Action {
    /// `x = 1` before the first process.
    Declare(usize, u8),
    Assign(usize, Term),
    Guard(Term),
    Send {
        meets: bool,
        sorted: bool,
        parts: [Term; 2],
    },
    Receive {
        meets: bool,
        random: bool,
        parts: [Pattern; 2],
    },
    /// The guard in that line does not hold.
    Else(usize),
    Assert(Term),
}

/// A model, and what stands in which line.
#[derive(Clone, Debug)]
pub struct SmallModel {
    pub text: String,
    /// By line, counted from 1.
    actions: Vec<Option<Action>>,
}

/// A channel's messages and the variables.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    variables: [u8; VARIABLES],
    queue: Vec<[u8; 2]>,
    /// What a rendezvous hands over.
    met: [u8; 2],
}

impl SmallModel {
    pub fn random(random: &mut Random) -> Self {
        let mut model = Self { text: String::new(), actions: vec![None] };
        for line in HEADER.lines() {
            model.line(line, None);
        }
        for (variable, name) in ["x", "y", "z"].into_iter().enumerate() {
            if random.percent(50) {
                let value = random.below(4) as u8;
                let action = Action::Declare(variable, value);
                model.line(&format!("unsigned {name} : 2 = {value};"), Some(action));
            } else {
                model.line(&format!("unsigned {name} : 2;"), None);
            }
        }
        for process in ["P", "Q"] {
            model.line(&format!("active proctype {process}() {{"), None);
            for _ in 0..random.between(2, 5) {
                model.statement(random, process == "P");
            }
            if process == "P" {
                let term = Term::random(random);
                model.line(&format!("assert({})", term.text()), Some(Action::Assert(term)));
            } else {
                model.line("skip", None);
            }
            model.line("}", None);
        }
        model
    }

    fn line(&mut self, text: &str, action: Option<Action>) {
        let _ = writeln!(self.text, "{text}");
        self.actions.push(action);
    }

    fn statement(&mut self, random: &mut Random, receives: bool) {
        let variable = random.below(VARIABLES as u32) as usize;
        let name = ["x", "y", "z"][variable];
        match random.below(10) {
            0 => {
                let term = Term::random(random);
                self.line(&format!("({});", term.text()), Some(Action::Guard(term)));
            }
            1 => {
                let term = Term::random(random);
                self.line("if", None);
                let guard = self.actions.len();
                self.line(&format!(":: {} ->", term.text()), Some(Action::Guard(term)));
                self.assignment(random, variable);
                self.line(":: else ->", Some(Action::Else(guard)));
                self.assignment(random, variable);
                self.line("fi;", None);
            }
            2..=4 => {
                let meets = random.percent(30);
                let channel = if meets { "r" } else { "c" };
                if receives {
                    let random_receive = !meets && random.percent(40);
                    // Two parts of a message may not go to one variable.
                    let parts = [variable, (variable + 1) % VARIABLES].map(|into| match random.percent(60) {
                        true => Pattern::Store(into),
                        false => Pattern::Match(random.below(2) as u8),
                    });
                    let texts = parts.map(|part| match part {
                        Pattern::Store(variable) => ["x", "y", "z"][variable].to_owned(),
                        Pattern::Match(value) => value.to_string(),
                    });
                    let mark = if random_receive { "??" } else { "?" };
                    let action = Action::Receive { meets, random: random_receive, parts };
                    self.line(&format!("{channel}{mark}{};", texts.join(",")), Some(action));
                } else {
                    let sorted = !meets && random.percent(30);
                    let parts = [0, 1].map(|_| Term::random(random));
                    let texts = parts.map(Term::text);
                    let mark = if sorted { "!!" } else { "!" };
                    let action = Action::Send { meets, sorted, parts };
                    self.line(&format!("{channel}{mark}{};", texts.join(",")), Some(action));
                }
            }
            _ => {
                let term = Term::random(random);
                self.line(&format!("{name} = {};", term.text()), Some(Action::Assign(variable, term)));
            }
        }
    }

    fn assignment(&mut self, random: &mut Random, variable: usize) {
        let term = Term::random(random);
        let name = ["x", "y", "z"][variable];
        self.line(&format!("{name} = {}", term.text()), Some(Action::Assign(variable, term)));
    }

    /// The lines of a trace, with those of the declarations before it and without those that do nothing.
    fn whole(&self, trace: &[usize]) -> Vec<usize> {
        let declares = |line: &usize| matches!(self.actions[*line], Some(Action::Declare(..)));
        let mut whole: Vec<usize> = (0..self.actions.len()).filter(declares).collect();
        whole.extend(trace.iter().filter(|line| self.actions[**line].is_some()));
        whole
    }

    /// The smallest sets of at most `size` lines that explain a trace, given as its lines.
    pub fn diagnoses(&self, trace: &[usize], size: usize) -> BTreeSet<Vec<u64>> {
        let whole = self.whole(trace);
        let mut may: Vec<usize> = whole
            .iter()
            .map(|line| match self.actions[*line] {
                Some(Action::Else(guard)) => guard,
                _ => *line,
            })
            .filter(|line| !matches!(self.actions[*line], Some(Action::Assert(_))))
            .collect();
        may.sort_unstable();
        may.dedup();
        let mut found: BTreeSet<Vec<u64>> = BTreeSet::new();
        let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in 0..=size {
            for set in &sets {
                let told: Vec<u64> = set.iter().map(|line| *line as u64).collect();
                let is_larger = found.iter().any(|known| known.iter().all(|line| told.contains(line)));
                if !is_larger && self.can_pass(&whole, set) {
                    found.insert(told);
                }
            }
            let larger = sets.iter().flat_map(|set| {
                let next = may.iter().filter(|line| set.last().is_none_or(|last| *last < **line));
                next.map(|line| [&set[..], &[*line]].concat())
            });
            sets = larger.collect();
        }
        found
    }

    fn can_pass(&self, trace: &[usize], wrong: &[usize]) -> bool {
        let state = State { variables: [0; VARIABLES], queue: Vec::new(), met: [0; 2] };
        self.goes_on(trace, wrong, state)
    }

    /// Whether the rest of the trace can be gone from a state.
    fn goes_on(&self, trace: &[usize], wrong: &[usize], state: State) -> bool {
        let Some((line, rest)) = trace.split_first() else { return true };
        let Some(action) = self.actions[*line] else { return self.goes_on(rest, wrong, state) };
        let is_wrong = wrong.contains(line);
        let mut next: Vec<State> = Vec::new();
        match action {
            Action::Declare(variable, value) => next = assigned(&state, variable, value, is_wrong),
            Action::Assign(variable, term) => {
                next = assigned(&state, variable, term.value(state.variables), is_wrong);
            }
            Action::Guard(term) => {
                if is_wrong || term.value(state.variables) != 0 {
                    next.push(state);
                }
            }
            Action::Else(guard) => {
                let Some(Action::Guard(term)) = self.actions[guard] else { return false };
                if wrong.contains(&guard) || term.value(state.variables) == 0 {
                    next.push(state);
                }
            }
            Action::Assert(term) => {
                if term.value(state.variables) != 0 {
                    next.push(state);
                }
            }
            Action::Send { meets, sorted, parts } => {
                let sent = parts.map(|part| i64::from(part.value(state.variables)));
                // A sorted message is compared before it is cut to bits, and a wrong one may be any number: what
                // matters is where it goes and what is left of it.
                let messages: Vec<(Option<usize>, [u8; 2])> = match (is_wrong, sorted) {
                    (false, true) => vec![(Some(place(&state.queue, sent)), sent.map(cut))],
                    (false, false) => vec![(None, sent.map(cut))],
                    (true, false) => bits().into_iter().map(|message| (None, message)).collect(),
                    (true, true) => {
                        let range = -2..=3i64;
                        let any = range.clone().flat_map(|one| range.clone().map(move |other| [one, other]));
                        any.map(|sent| (Some(place(&state.queue, sent)), sent.map(cut))).collect()
                    }
                };
                for (at, message) in messages {
                    let mut after = state.clone();
                    match (meets, at) {
                        (true, _) => after.met = message,
                        (false, at) => after.queue.insert(at.unwrap_or(after.queue.len()), message),
                    }
                    next.push(after);
                }
            }
            Action::Receive { meets, random, parts } => {
                next = received(&state, meets, random, parts, is_wrong);
            }
        }
        let distinct = next.iter().enumerate().filter(|(at, state)| !next[..*at].contains(state));
        let distinct: Vec<State> = distinct.map(|(_, state)| state.clone()).collect();
        distinct.into_iter().any(|state| self.goes_on(rest, wrong, state))
    }
}

fn cut(value: i64) -> u8 {
    (value & 1) as u8
}

fn bits() -> Vec<[u8; 2]> {
    vec![[0, 0], [0, 1], [1, 0], [1, 1]]
}

/// Where a message belongs in a channel that is in order.
fn place(queue: &[[u8; 2]], sent: [i64; 2]) -> usize {
    let greater = |message: &[u8; 2]| message.map(i64::from) > sent;
    queue.iter().position(greater).unwrap_or(queue.len())
}

/// A variable gets a value, or any if the statement is wrong.
fn assigned(state: &State, variable: usize, value: u8, is_wrong: bool) -> Vec<State> {
    let values = if is_wrong { vec![0, 1, 2, 3] } else { vec![value & 3] };
    let with = |value: u8| {
        let mut after = state.clone();
        after.variables[variable] = value;
        after
    };
    values.into_iter().map(with).collect()
}

fn received(state: &State, meets: bool, random: bool, parts: [Pattern; 2], is_wrong: bool) -> Vec<State> {
    let fits = |message: &[u8; 2]| {
        parts.iter().zip(message).all(|(part, value)| match part {
            Pattern::Match(wanted) => wanted == value,
            Pattern::Store(_) => true,
        })
    };
    let slots: Vec<usize> = match (meets, random, is_wrong) {
        (true, ..) => vec![usize::MAX],
        (false, true, true) => (0..state.queue.len()).collect(),
        (false, true, false) => state.queue.iter().position(fits).into_iter().collect(),
        (false, false, _) => vec![0],
    };
    let mut found = Vec::new();
    for slot in slots {
        let mut after = state.clone();
        let message = if meets { state.met } else { after.queue.remove(slot) };
        if !is_wrong && !fits(&message) {
            continue;
        }
        let mut all = vec![after];
        for (part, value) in parts.iter().zip(message) {
            if let Pattern::Store(variable) = part {
                all = all.iter().flat_map(|state| assigned(state, *variable, value, is_wrong)).collect();
            }
        }
        found.extend(all);
    }
    found
}
