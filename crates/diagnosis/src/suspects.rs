//! Which statements of a trace may be wrong, and what should hold at its end.
//!
//! Assumptions, assertions, constraints and inputs are never wrong, nor is what only serves to say them: a function
//! that does nothing but fail where a condition does not hold, and one that does nothing but take an input.

use encode::unwind::At;
use model::{Argument, Command, Edge, Expr, Function, Program, StatementKind, Unary};

/// The statements on a trace that may be wrong, in order.
pub(crate) fn suspects(program: &Program, path: &[At], trusted: impl Fn(u32) -> bool) -> Vec<u32> {
    let roles = roles(program);
    let mut statements: Vec<u32> = path.iter().map(|at| edge(program, *at).statement).collect();
    statements.sort_unstable();
    statements.dedup();
    let exempt = exempt(program, &roles, path);
    statements.retain(|statement| {
        let told = &program.statements[*statement as usize];
        let may_be = !matches!(
            told.kind,
            StatementKind::Assertion
                | StatementKind::Assumption
                | StatementKind::Constraint
                | StatementKind::Jump
        );
        may_be
            && roles[told.function.0 as usize] == Role::Works
            && !exempt.contains(statement)
            && !trusted(*statement)
    });
    statements
}

/// The same program, in which a call inside of a larger statement belongs to that statement.
pub(crate) fn whole_statements(program: &Program) -> Program {
    let statements = &program.statements;
    let mut order: Vec<usize> = (0..statements.len()).collect();
    // Outer ones come before inner ones.
    order.sort_by_key(|number| {
        let statement = &statements[*number];
        (statement.function, statement.span.start, std::cmp::Reverse(statement.span.end))
    });
    let mut owners: Vec<u32> = (0..statements.len() as u32).collect();
    let mut around: Vec<usize> = Vec::new();
    for number in order {
        let inner = &statements[number];
        let holds = |outer: &usize| {
            let outer = &statements[*outer];
            outer.function == inner.function && inner.span.end <= outer.span.end
        };
        while around.last().is_some_and(|outer| !holds(outer)) {
            around.pop();
        }
        if let Some(outer) = around.last()
            && inner.kind == StatementKind::Call
        {
            owners[number] = owners[*outer];
        }
        around.push(number);
    }
    let mut program = program.clone();
    for edge in program.functions.iter_mut().flat_map(|function| &mut function.edges) {
        edge.statement = owners[edge.statement as usize];
    }
    program
}

/// How many statements a program has.
pub(crate) fn statements(program: &Program) -> usize {
    let edges = program.functions.iter().flat_map(|function| &function.edges);
    edges.map(|edge| edge.statement).collect::<std::collections::BTreeSet<u32>>().len()
}

pub(crate) fn edge(program: &Program, at: At) -> &Edge {
    &program.functions[at.function as usize].edges[at.edge as usize]
}

/// Whether an edge fails whenever it is taken.
pub(crate) fn always_fails(program: &Program, at: At) -> bool {
    edge(program, at).commands.iter().any(|command| matches!(command, Command::Fail(_)))
}

/// What a function is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Works,
    /// Only fails where something does not hold.
    Checks,
    /// Only takes an input.
    Takes,
}

/// What each function is for.
pub(crate) fn roles(program: &Program) -> Vec<Role> {
    let mut roles: Vec<Role> = program.functions.iter().map(role).collect();
    roles[program.entry.0 as usize] = Role::Works;
    roles
}

/// Whether a function drives others: it begins the program, takes its inputs and checks what comes of them.
pub(crate) fn drives(program: &Program, roles: &[Role], function: u32) -> bool {
    let commands = || program.functions[function as usize].edges.iter().flat_map(|edge| &edge.commands);
    let takes = |command: &Command| match command {
        Command::Nondet { .. } => true,
        Command::Call { function, .. } => roles[function.0 as usize] == Role::Takes,
        _ => false,
    };
    program.entry.0 == function && commands().any(takes) && commands().any(|command| checks(roles, command))
}

/// Whether a command checks something.
pub(crate) fn checks(roles: &[Role], command: &Command) -> bool {
    match command {
        Command::Assert(_) | Command::Fail(_) => true,
        Command::Call { function, .. } => roles[function.0 as usize] == Role::Checks,
        _ => false,
    }
}

/// Whether a command of a function leaves everything as it is, but for what it needs itself.
pub(crate) fn leaves_all(function: &Function, command: &Command) -> bool {
    match command {
        Command::Assume(_)
        | Command::Assert(_)
        | Command::Fail(_)
        | Command::Exit
        | Command::Clear { .. }
        | Command::Touch { .. } => true,
        Command::Set(place, _) => function.is_temporary(place),
        _ => false,
    }
}

fn role(function: &Function) -> Role {
    let commands = || function.edges.iter().flat_map(|edge| &edge.commands);
    let fails = commands().any(|command| matches!(command, Command::Fail(_) | Command::Assert(_)));
    let takes = commands().any(|command| matches!(command, Command::Nondet { .. }));
    let idle = |command: &Command| matches!(command, Command::Return(None)) || leaves_all(function, command);
    if fails && !function.parameters.is_empty() && commands().all(idle) {
        return Role::Checks;
    }
    let moves = |command: &Command| match command {
        Command::Nondet { .. } => true,
        Command::Set(_, value) | Command::Return(Some(Argument::Value(value))) => is_plain(value),
        command => idle(command),
    };
    let straight = (0..function.locations.len() as u32).all(|location| function.edges_of(location).len() < 2);
    if takes && straight && commands().all(moves) { Role::Takes } else { Role::Works }
}

/// Whether a value is only moved.
fn is_plain(value: &Expr) -> bool {
    match value {
        Expr::Constant(_) => true,
        Expr::Load(place) => place.indices.is_empty(),
        Expr::Wrap(_, inner) | Expr::Unary(Unary::Not, inner) => is_plain(inner),
        Expr::Binary(model::Binary::NotEqual | model::Binary::Equal, one, other) => {
            is_plain(one) && matches!(**other, Expr::Constant(0))
        }
        _ => false,
    }
}

/// Statements that do no more than take inputs, or call what checks.
fn exempt(program: &Program, roles: &[Role], path: &[At]) -> std::collections::BTreeSet<u32> {
    let mut takes = std::collections::BTreeSet::new();
    let mut checks = std::collections::BTreeSet::new();
    let mut computes = std::collections::BTreeSet::new();
    for at in path {
        let edge = edge(program, *at);
        for command in &edge.commands {
            match command {
                Command::Nondet { .. } => _ = takes.insert(edge.statement),
                Command::Call { function, .. } => match roles[function.0 as usize] {
                    Role::Takes => _ = takes.insert(edge.statement),
                    Role::Checks => _ = checks.insert(edge.statement),
                    Role::Works => _ = computes.insert(edge.statement),
                },
                Command::Set(_, value) | Command::Assume(value) if is_plain(value) => {}
                _ => _ = computes.insert(edge.statement),
            }
        }
    }
    checks.into_iter().chain(takes.difference(&computes).copied()).collect()
}

/// The edge of a trace that decided, by taking one way and not another, that its last edge was reached.
pub(crate) fn deciding(program: &Program, path: &[At]) -> Option<usize> {
    // The call whose edge has to be avoided; calls that have returned in between decide nothing.
    let mut goal = *path.last()?;
    let mut depth = 0u32;
    for (number, at) in path.iter().copied().enumerate().rev().skip(1) {
        let edge = edge(program, at);
        match edge.commands.last() {
            Some(Command::Return(_)) => depth += 1,
            Some(Command::Call { .. } | Command::CallPointer { .. }) if depth > 0 => depth -= 1,
            Some(Command::Call { .. } | Command::CallPointer { .. }) => goal = at,
            _ if depth == 0 && at.function == goal.function && decides(program, at, goal) => {
                return Some(number);
            }
            _ => {}
        }
    }
    None
}

/// Whether a branch may lead past an edge of the same function if it goes another way.
fn decides(program: &Program, branch: At, goal: At) -> bool {
    let function = &program.functions[branch.function as usize];
    let from = function.edges[branch.edge as usize].from;
    let ways = function.edges_of(from);
    if ways.len() < 2 {
        return false;
    }
    let barred = function.edges[goal.edge as usize].from;
    let first = function.edges.partition_point(|edge| edge.from < from) as u32;
    let others = (first..).zip(ways).filter(|(number, _)| *number != branch.edge);
    let mut seen = vec![false; function.locations.len()];
    let mut open: Vec<u32> = others.map(|(_, way)| way.to).collect();
    while let Some(location) = open.pop() {
        if location == barred || std::mem::replace(&mut seen[location as usize], true) {
            continue;
        }
        let edges = function.edges_of(location);
        if edges.is_empty()
            || edges.iter().any(|edge| matches!(edge.commands.last(), Some(Command::Return(_))))
        {
            return true;
        }
        open.extend(edges.iter().map(|edge| edge.to));
    }
    false
}
