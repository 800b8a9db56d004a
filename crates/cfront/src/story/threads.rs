//! What threads are called: by the function they were started with, where the text says which one that is.
//!
//! An event says which thread executes which statement, and nothing of how the thread began. So the functions that a
//! thread can start with are read off the program. Threads are numbered in the order of their starts: where only the entry
//! function starts threads and always the same number before, the number says the function. Otherwise a statement belongs
//! to the function from which it can be reached. Where several can reach it, or a function is chosen at run time, a thread
//! is just a thread. Where all threads start with one function, that is the name of all.

use std::collections::BTreeSet;

use model::{Builtin, Command, Expr, FunctionId, Program, StaticPlace};

/// A thread of which more is not known.
const UNKNOWN: &str = "thread";

/// How many starts of threads are told apart.
const MOST_COUNTED: usize = 64;

#[derive(Debug)]
pub(super) struct ThreadNames {
    /// By the functions of the program: what a thread other than the first is called there.
    of_function: Vec<String>,
    /// What it is called elsewhere.
    otherwise: String,
    /// By the number of the thread, from 1, where that says the function.
    of_number: Vec<Option<String>>,
}

impl ThreadNames {
    pub(super) fn new(program: &Program) -> Self {
        let starts = starts(program);
        let only = starts.as_ref().filter(|starts| starts.len() == 1).and_then(BTreeSet::first);
        let otherwise = only.map_or(UNKNOWN, |start| &program.functions[start.0 as usize].name).to_owned();
        let mut of_function = vec![otherwise.clone(); program.functions.len()];
        let name = |start: &FunctionId| program.functions[start.0 as usize].name.clone();
        let of_number = in_order(program).iter().map(|start| start.as_ref().map(name)).collect();
        if let Some(starts) = starts {
            let reached: Vec<(FunctionId, BTreeSet<u32>)> =
                starts.into_iter().map(|start| (start, reachable(program, start))).collect();
            for (function, name) in (0..).zip(&mut of_function) {
                let mut able = reached.iter().filter(|(_, reached)| reached.contains(&function));
                if let (Some((start, _)), None) = (able.next(), able.next()) {
                    name.clone_from(&program.functions[start.0 as usize].name);
                }
            }
        }
        Self { of_function, otherwise, of_number }
    }

    /// What a thread other than the first is called that executes a statement of this function.
    pub(super) fn name(&self, thread: u8, function: usize) -> &str {
        let by_number = usize::from(thread).checked_sub(1).and_then(|at| self.of_number.get(at)?.as_ref());
        by_number.or_else(|| self.of_function.get(function)).unwrap_or(&self.otherwise)
    }
}

/// The function that each thread starts with, as far as its number says it.
fn in_order(program: &Program) -> Vec<Option<FunctionId>> {
    let entry = program.entry.0 as usize;
    let is_start =
        |command: &Command| matches!(command, Command::Builtin { which: Builtin::StartThread, .. });
    let elsewhere = program.functions.iter().enumerate().filter(|(function, _)| *function != entry);
    if elsewhere.flat_map(|(_, function)| &function.edges).flat_map(|edge| &edge.commands).any(is_start) {
        return Vec::new();
    }
    let function = &program.functions[entry];
    let mut found: Vec<BTreeSet<Option<FunctionId>>> = Vec::new();
    // How many threads have been started when control is at a location; several numbers if ways differ.
    let mut reached = vec![BTreeSet::new(); function.locations.len()];
    let mut waiting = vec![(function.entry, 0)];
    while let Some((at, mut count)) = waiting.pop() {
        if !reached[at as usize].insert(count) {
            continue;
        }
        for edge in function.edges_of(at) {
            let before = count;
            for command in &edge.commands {
                if let Command::Builtin { which: Builtin::StartThread, arguments, .. } = command {
                    // A loop may start more than anybody can count.
                    if count == MOST_COUNTED {
                        return Vec::new();
                    }
                    found.resize_with(found.len().max(count + 1), BTreeSet::new);
                    found[count].insert(started_by(program, arguments));
                    count += 1;
                }
            }
            waiting.push((edge.to, count));
            count = before;
        }
    }
    let only = |starts: BTreeSet<Option<FunctionId>>| {
        let mut starts = starts.into_iter();
        starts.next().flatten().filter(|_| starts.next().is_none())
    };
    found.into_iter().map(only).collect()
}

/// The function that a thread is started with, if it is known before the program runs.
fn started_by(program: &Program, arguments: &[Expr]) -> Option<FunctionId> {
    let Some(Expr::Constant(pointer)) = arguments.first() else { return None };
    let (number, _) = program.pointers.split(*pointer);
    let object = program.globals.objects.get((number as usize).checked_sub(1)?)?;
    let StaticPlace::Function(function) = object.place else { return None };
    Some(function)
}

/// The functions that threads are started with; none if one is not known before the program runs.
fn starts(program: &Program) -> Option<BTreeSet<FunctionId>> {
    let edges = program.functions.iter().flat_map(|function| &function.edges);
    let mut starts = BTreeSet::new();
    for command in edges.flat_map(|edge| &edge.commands) {
        if let Command::Builtin { which: Builtin::StartThread, arguments, .. } = command {
            starts.insert(started_by(program, arguments)?);
        }
    }
    Some(starts)
}

/// The functions that a function can call, itself among them. Who calls through a pointer may call anything.
fn reachable(program: &Program, from: FunctionId) -> BTreeSet<u32> {
    let mut reached = BTreeSet::from([from.0]);
    let mut waiting = vec![from.0];
    while let Some(function) = waiting.pop() {
        let edges = &program.functions[function as usize].edges;
        for command in edges.iter().flat_map(|edge| &edge.commands) {
            match command {
                Command::Call { function, .. } if reached.insert(function.0) => waiting.push(function.0),
                Command::CallPointer { .. } => return (0..program.functions.len() as u32).collect(),
                _ => {}
            }
        }
    }
    reached
}
