//! What threads are called: by the function they were started with, where the text says which one that is.
//!
//! An event says which thread executes which statement, and nothing of how the thread began. So the functions that a
//! thread can start with are read off the program, and a statement belongs to the one from which it can be reached. Where
//! several can reach it, or a function is chosen at run time, a thread is just a thread. Where all threads start with one
//! function, that is the name of all.

use std::collections::BTreeSet;

use model::{Builtin, Command, Expr, FunctionId, Program, StaticPlace};

/// A thread of which more is not known.
const UNKNOWN: &str = "thread";

#[derive(Debug)]
pub(super) struct ThreadNames {
    /// By the functions of the program: what a thread other than the first is called there.
    of_function: Vec<String>,
    /// What it is called elsewhere.
    otherwise: String,
}

impl ThreadNames {
    pub(super) fn new(program: &Program) -> Self {
        let starts = starts(program);
        let only = starts.as_ref().filter(|starts| starts.len() == 1).and_then(BTreeSet::first);
        let otherwise = only.map_or(UNKNOWN, |start| &program.functions[start.0 as usize].name).to_owned();
        let mut of_function = vec![otherwise.clone(); program.functions.len()];
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
        Self { of_function, otherwise }
    }

    /// What a thread is called that executes a statement of this function.
    pub(super) fn name(&self, function: usize) -> &str {
        self.of_function.get(function).unwrap_or(&self.otherwise)
    }
}

/// The functions that threads are started with; none if one is not known before the program runs.
fn starts(program: &Program) -> Option<BTreeSet<FunctionId>> {
    let edges = program.functions.iter().flat_map(|function| &function.edges);
    let mut starts = BTreeSet::new();
    for command in edges.flat_map(|edge| &edge.commands) {
        if let Command::Builtin { which: Builtin::StartThread, arguments, .. } = command {
            let Some(Expr::Constant(pointer)) = arguments.first() else { return None };
            let (number, _) = program.pointers.split(*pointer);
            let object = program.globals.objects.get((number as usize).checked_sub(1)?)?;
            let StaticPlace::Function(function) = object.place else { return None };
            starts.insert(function);
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
