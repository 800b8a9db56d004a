//! Branches that do nothing but choose what is checked.
//!
//! `if (is_sorted) assert(low <= high);` says what should hold as much as the assertion does: it is the same as
//! `assert(!is_sorted || low <= high);`. That such a condition is wrong is possible, but then the program is right, and
//! so it is the last thing to suspect.

use model::{Command, Edge, Function, Program, StatementKind};

use crate::suspects::{Role, checks, leaves_all};

/// How far the ways of a branch are followed.
const FARTHEST: usize = 200;

/// Whether all ways of a branch come together again with nothing but checks in between.
pub(crate) fn guards_checks(program: &Program, roles: &[Role], statement: u32) -> bool {
    let told = &program.statements[statement as usize];
    if told.kind != StatementKind::Branch {
        return false;
    }
    let function = &program.functions[told.function.0 as usize];
    let is_own = |edge: &&Edge| edge.statement == statement;
    let own: Vec<u32> = function.edges.iter().filter(is_own).map(|edge| edge.from).collect();
    let mut ways: Vec<u32> = function.edges.iter().filter(is_own).map(|edge| edge.to).collect();
    ways.retain(|to| !own.contains(to));
    ways.sort_unstable();
    ways.dedup();
    // Where the ways may meet: whatever one of them comes to without doing anything. One that fails comes to nothing, so
    // the others are asked as well.
    let mut ends = ways.clone();
    let mut at = 0;
    while at < ends.len() && ends.len() < FARTHEST {
        let quiet = function.edges_of(ends[at]).iter().filter(|edge| is_quiet(function, roles, edge));
        let next: Vec<u32> = quiet.map(|edge| edge.to).filter(|to| !ends.contains(to)).collect();
        ends.extend(next);
        at += 1;
    }
    ends.into_iter().any(|end| lead_through_checks(function, roles, &ways, end))
}

/// Whether an edge only checks something, or goes on.
fn is_quiet(function: &Function, roles: &[Role], edge: &Edge) -> bool {
    edge.commands.iter().all(|command| checks(roles, command) || leaves_all(function, command))
}

/// Whether all ways lead to a location, or fail, with checks and nothing else before it.
fn lead_through_checks(function: &Function, roles: &[Role], ways: &[u32], end: u32) -> bool {
    let mut open = ways.to_vec();
    let mut seen = vec![end];
    let mut has_checks = false;
    while let Some(location) = open.pop() {
        if seen.contains(&location) {
            continue;
        }
        seen.push(location);
        let edges = function.edges_of(location);
        if edges.is_empty() || !edges.iter().all(|edge| is_quiet(function, roles, edge)) {
            return false;
        }
        for edge in edges {
            has_checks |= edge.commands.iter().any(|command| checks(roles, command));
            let fails =
                edge.commands.iter().any(|command| matches!(command, Command::Fail(_) | Command::Exit));
            if !fails {
                open.push(edge.to);
            }
        }
    }
    has_checks
}
