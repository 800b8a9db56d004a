//! Random C programs with threads, and what can become of them.
//!
//! A program is two threads and `main`, a few globals and two locks. It is made twice from the same random
//! numbers: as a text, and as instructions that load or store one global each. [`Threaded::outcomes`] runs the
//! instructions in all orders, one at a time, and leaves nothing out; so it is a naive twin of whatever explores
//! the text with larger steps and fewer orders.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::random::Random;

pub const GLOBALS: usize = 3;
const LOCKS: usize = 2;
const THREADS: usize = 3;

/// Registers of a thread: its variable `t`, two for values on their way, and the counter of a loop.
const T: usize = 0;
const FIRST: usize = 1;
const SECOND: usize = 2;
const COUNTER: usize = 3;

#[derive(Clone, Copy, Debug)]
enum Instruction {
    Load {
        to: usize,
        global: usize,
    },
    /// The sum of two registers and a number.
    Store {
        global: usize,
        of: [usize; 2],
        plus: i32,
    },
    Set {
        register: usize,
        value: i32,
    },
    Add {
        register: usize,
        value: i32,
    },
    /// Goes on at `to` unless the register holds the value.
    Unless {
        register: usize,
        value: i32,
        to: usize,
    },
    Jump(usize),
    /// Fails if the register holds the value.
    Refuse {
        register: usize,
        value: i32,
    },
    Lock(usize),
    Unlock(usize),
    Start(usize),
    Join(usize),
}

/// A program as text and as instructions, each with its line in the text.
#[derive(Clone, Debug)]
pub struct Threaded {
    pub text: String,
    code: [Vec<(Instruction, u32)>; THREADS],
}

/// What can become of a program. Lines count from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// The values of the globals when `main` ends.
    pub ends: BTreeSet<[i32; GLOBALS]>,
    /// The lines of assertions that fail.
    pub failures: BTreeSet<u32>,
    pub deadlock: bool,
    /// The lines of accesses that can happen at the same time as one of another thread to the same global, where
    /// one of the two writes. A trace ends there, if races are looked for.
    pub races: BTreeSet<u32>,
}

pub fn random_threaded(random: &mut Random, with_assertions: bool) -> Threaded {
    let mut writer = Writer { random, text: String::new(), line: 1, code: Vec::new(), with_assertions };
    writer.line("#include <assert.h>");
    writer.line("#include <pthread.h>");
    writer.line("int g0, g1, g2;");
    writer.line("pthread_mutex_t m0, m1;");
    let mut code: [Vec<(Instruction, u32)>; THREADS] = Default::default();
    for (name, code) in ["one", "two"].into_iter().zip(&mut code[1..]) {
        writer.line(&format!("void *{name}(void *unused) {{"));
        writer.line("int t = 0;");
        let count = writer.random.between(1, 3);
        writer.statements(count, 1);
        writer.line("return 0;");
        writer.line("}");
        *code = std::mem::take(&mut writer.code);
    }
    writer.line("int main(void) {");
    writer.line("pthread_t a, b;");
    writer.line("int t = 0;");
    writer.does("pthread_create(&a, 0, one, 0);", &[Instruction::Start(1)]);
    writer.does("pthread_create(&b, 0, two, 0);", &[Instruction::Start(2)]);
    let count = writer.random.below(3);
    writer.statements(count, 0);
    writer.does("pthread_join(a, 0);", &[Instruction::Join(1)]);
    writer.does("pthread_join(b, 0);", &[Instruction::Join(2)]);
    writer.line("return 0;");
    writer.line("}");
    code[0] = std::mem::take(&mut writer.code);
    Threaded { text: writer.text, code }
}

struct Writer<'r> {
    random: &'r mut Random,
    text: String,
    /// The next line.
    line: u32,
    code: Vec<(Instruction, u32)>,
    with_assertions: bool,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        writeln!(self.text, "{text}").expect("a string takes what is written");
        self.line += 1;
    }

    fn does(&mut self, text: &str, instructions: &[Instruction]) {
        self.code.extend(instructions.iter().map(|instruction| (*instruction, self.line)));
        self.line(text);
    }

    fn global(&mut self) -> usize {
        self.random.below(GLOBALS as u32) as usize
    }

    fn statements(&mut self, count: u32, depth: u32) {
        for _ in 0..count {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        use Instruction as I;
        let (a, b, c) = (self.global(), self.global(), self.global());
        let k = self.random.below(3) as i32;
        let load = |to, global| I::Load { to, global };
        let none = SECOND;
        match self.random.below(if depth > 0 { 12 } else { 8 }) {
            0 => {
                let clear = [I::Set { register: FIRST, value: 0 }, I::Set { register: none, value: 0 }];
                let store = I::Store { global: a, of: [FIRST, none], plus: k };
                self.does(&format!("g{a} = {k};"), &[clear[0], clear[1], store]);
            }
            1 => self.does(&format!("t = g{a};"), &[load(T, a)]),
            2 => {
                let clear = I::Set { register: none, value: 0 };
                let store = I::Store { global: a, of: [T, none], plus: k };
                self.does(&format!("g{a} = t + {k};"), &[clear, store]);
            }
            3 => {
                let clear = I::Set { register: none, value: 0 };
                let store = I::Store { global: a, of: [FIRST, none], plus: 1 };
                self.does(&format!("g{a}++;"), &[load(FIRST, a), clear, store]);
            }
            4 | 5 => {
                let store = I::Store { global: a, of: [FIRST, SECOND], plus: k };
                self.does(&format!("g{a} = g{b} + g{c} + {k};"), &[load(FIRST, b), load(SECOND, c), store]);
            }
            6 if self.with_assertions => {
                let refuse = I::Refuse { register: FIRST, value: k + 1 };
                self.does(&format!("assert(g{a} != {});", k + 1), &[load(FIRST, a), refuse]);
            }
            6 | 7 => self.does("t++;", &[I::Add { register: T, value: 1 }]),
            8 | 9 => {
                // Two locks in any order, and sometimes the same one twice, make deadlocks.
                let locks: Vec<u32> =
                    (0..self.random.between(1, 2)).map(|_| self.random.below(LOCKS as u32)).collect();
                for lock in &locks {
                    self.does(&format!("pthread_mutex_lock(&m{lock});"), &[I::Lock(*lock as usize)]);
                }
                self.statement(0);
                for lock in locks.iter().rev() {
                    self.does(&format!("pthread_mutex_unlock(&m{lock});"), &[I::Unlock(*lock as usize)]);
                }
            }
            10 => {
                let (text, register) = if self.random.percent(70) {
                    self.code.push((load(FIRST, a), self.line));
                    (format!("if (g{a} == {k}) {{"), FIRST)
                } else {
                    (format!("if (t == {k}) {{"), T)
                };
                let question = self.code.len();
                self.does(&text, &[I::Jump(0)]);
                let count = self.random.between(1, 2);
                self.statements(count, depth - 1);
                self.line("}");
                self.code[question].0 = I::Unless { register, value: k, to: self.code.len() };
            }
            _ => {
                // Twice, once the counter is 0 and once it is 1.
                self.does("for (int i = 0; i < 2; i++) {", &[I::Set { register: COUNTER, value: 0 }]);
                let start = self.code.len();
                self.statement(0);
                let line = self.line;
                self.line("}");
                let step = I::Add { register: COUNTER, value: 1 };
                let end = self.code.len() + 3;
                let again = I::Unless { register: COUNTER, value: 1, to: end };
                self.code.extend([(step, line), (again, line), (I::Jump(start), line)]);
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    globals: [i32; GLOBALS],
    /// Who holds each lock, plus 1.
    holders: [u8; LOCKS],
    started: [bool; THREADS],
    at: [usize; THREADS],
    registers: [[i32; 4]; THREADS],
}

impl Threaded {
    /// All that can happen, by trying all orders of all instructions.
    pub fn outcomes(&self, with_races: bool) -> Outcomes {
        let first = State {
            globals: [0; GLOBALS],
            holders: [0; LOCKS],
            started: [true, false, false],
            at: [0; THREADS],
            registers: [[0; 4]; THREADS],
        };
        let mut outcomes = Outcomes::default();
        let mut seen = BTreeSet::from([first.clone()]);
        let mut waiting = vec![first];
        while let Some(state) = waiting.pop() {
            if state.at[0] == self.code[0].len() {
                outcomes.ends.insert(state.globals);
                continue;
            }
            let mut moves = false;
            for thread in 0..THREADS {
                if with_races && self.races(&state, thread) {
                    outcomes.races.insert(self.code[thread][state.at[thread]].1);
                    moves = true;
                    continue;
                }
                match self.step(&state, thread) {
                    Step::None => {}
                    Step::Fails(line) => {
                        outcomes.failures.insert(line);
                        moves = true;
                    }
                    Step::To(next) => {
                        moves = true;
                        if seen.insert(next.clone()) {
                            waiting.push(next);
                        }
                    }
                }
            }
            outcomes.deadlock |= !moves;
        }
        outcomes
    }

    fn next(&self, state: &State, thread: usize) -> Option<(Instruction, u32)> {
        self.code[thread].get(state.at[thread]).copied().filter(|_| state.started[thread])
    }

    /// Whether the next instructions of a thread and of another one access the same global, and one writes.
    fn races(&self, state: &State, thread: usize) -> bool {
        let access = |thread| match self.next(state, thread)?.0 {
            Instruction::Load { global, .. } => Some((global, false)),
            Instruction::Store { global, .. } => Some((global, true)),
            _ => None,
        };
        let Some((global, writes)) = access(thread) else { return false };
        let others = (0..THREADS).filter(|other| *other != thread).filter_map(access);
        others.into_iter().any(|(with, also_writes)| global == with && (writes || also_writes))
    }

    fn step(&self, state: &State, thread: usize) -> Step {
        use Instruction as I;
        let Some((instruction, line)) = self.next(state, thread) else { return Step::None };
        let mut next = state.clone();
        next.at[thread] += 1;
        let own = &mut next.registers[thread];
        match instruction {
            I::Load { to, global } => own[to] = state.globals[global],
            I::Store { global, of, plus } => next.globals[global] = own[of[0]] + own[of[1]] + plus,
            I::Set { register, value } => own[register] = value,
            I::Add { register, value } => own[register] += value,
            I::Unless { register, value, to } => {
                if own[register] != value {
                    next.at[thread] = to;
                }
            }
            I::Jump(to) => next.at[thread] = to,
            I::Refuse { register, value } if own[register] == value => return Step::Fails(line),
            I::Refuse { .. } => {}
            I::Lock(lock) if state.holders[lock] != 0 => return Step::None,
            I::Lock(lock) => next.holders[lock] = thread as u8 + 1,
            I::Unlock(lock) => next.holders[lock] = 0,
            I::Start(other) => next.started[other] = true,
            I::Join(other) if state.at[other] < self.code[other].len() => return Step::None,
            I::Join(_) => {}
        }
        Step::To(next)
    }
}

enum Step {
    None,
    Fails(u32),
    To(State),
}
