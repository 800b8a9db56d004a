//! Which diagnosis is the likeliest.
//!
//! One that a smaller change mends comes before one that takes a larger one, and of two that take as much, what is in
//! the function that takes the inputs and checks what comes of them is the less likely one: more often the fault is in
//! what it drives. One that explains all failing runs comes before one that explains fewer. Then fewer statements are
//! likelier than more, and those that compute than those that only hand something on or choose what is checked. Among
//! these, one that the counterexample's own way shows and that is not redundant comes before one that is redundant, or
//! that needs another way, and late ones come before early ones: what is computed late is wrong for fewer reasons. Where
//! the author of the program says what should hold on the way, it is the way that is asked about, and what needs
//! another one comes last.

use encode::unwind::At;
use findings::{Scope, SmallChange, TextChange};
use model::{Argument, Command, Expr, Program};

use crate::change::Change;
use crate::guards::guards_checks;
use crate::suspects::{drives, edge, roles};

#[derive(Clone, Debug)]
pub(crate) struct Suspicion {
    /// In order.
    pub(crate) statements: Vec<u32>,
    pub(crate) scope: Scope,
    pub(crate) redundant: bool,
    /// For each failing run, whether it passes if these statements are wrong.
    pub(crate) explains: Vec<bool>,
    /// A small change with which no known run fails, if there is one.
    pub(crate) small_change: Option<Change>,
    /// What stands there instead, where it can be written in the names of the program.
    pub(crate) instead: Option<TextChange>,
    pub(crate) transitive: Vec<u32>,
    pub(crate) values: Vec<findings::RightValue>,
    pub(crate) suggestion: Option<findings::RightMade>,
    /// The statement that the suggestion comes to.
    pub(crate) change: Option<String>,
}

impl Suspicion {
    pub(crate) fn new(statements: Vec<u32>, scope: Scope) -> Self {
        Self {
            statements,
            scope,
            redundant: false,
            explains: Vec::new(),
            small_change: None,
            instead: None,
            transitive: Vec::new(),
            values: Vec::new(),
            suggestion: None,
            change: None,
        }
    }

    /// The small change as it is told.
    pub(crate) fn told_change(&self) -> Option<SmallChange> {
        Some(self.small_change?.told(self.instead.clone()))
    }

    pub(crate) fn explained(&self) -> usize {
        self.explains.iter().filter(|explained| **explained).count()
    }
}

pub(crate) fn rank(program: &Program, path: &[At], given: bool, suspicions: &mut [Suspicion]) {
    let last = |statement: &u32| path.iter().rposition(|at| edge(program, *at).statement == *statement);
    let roles = roles(program);
    let is_idle =
        |statement: u32| hands_on(program, path, statement) || guards_checks(program, &roles, statement);
    let entry = program.entry.0;
    let has_driver = drives(program, &roles, entry);
    let is_driving =
        |statement: &u32| has_driver && program.statements[*statement as usize].function.0 == entry;
    suspicions.sort_by_cached_key(|one| {
        let idle = one.statements.iter().filter(|statement| is_idle(**statement)).count();
        let latest: Vec<usize> = one.statements.iter().filter_map(last).collect();
        let total: usize = latest.iter().map(|step| path.len() - step).sum();
        (
            one.small_change.is_none(),
            one.small_change.map(Change::distance),
            one.small_change.is_some() && one.statements.iter().any(is_driving),
            one.small_change.map(|change| (change.avoids, change.kind)),
            std::cmp::Reverse(one.explained()),
            given && one.scope != Scope::Trace,
            one.statements.len(),
            idle,
            one.redundant || one.scope != Scope::Trace,
            total,
            one.statements.clone(),
        )
    });
}

/// Of each suspicion, whether nothing speaks for others rather than for it: a small change mends it, and none that is
/// much smaller mends another; or no such change is known at all, it explains as many failing runs as any other, and it
/// is not redundant while others are not.
pub(crate) fn likely(suspicions: &[Suspicion]) -> Vec<bool> {
    let distance = |one: &Suspicion| one.small_change.map(Change::distance);
    let nearest = suspicions.iter().filter_map(distance).min();
    let most = suspicions.iter().map(Suspicion::explained).max().unwrap_or(0);
    let explains = |one: &Suspicion| one.explained() == most;
    let all_redundant = suspicions.iter().filter(|one| explains(one)).all(|one| one.redundant);
    let is_likely = |one: &Suspicion| match nearest {
        Some(nearest) => distance(one).is_some_and(|distance| distance <= nearest + 1),
        None => explains(one) && (all_redundant || !one.redundant),
    };
    suspicions.iter().map(is_likely).collect()
}

/// Whether a statement only calls, or hands back what others computed.
fn hands_on(program: &Program, path: &[At], statement: u32) -> bool {
    let edges = path.iter().map(|at| edge(program, *at)).filter(|edge| edge.statement == statement);
    let plain = |value: &Expr| match value {
        Expr::Load(_) => true,
        Expr::Wrap(_, inner) => matches!(**inner, Expr::Load(_)),
        _ => false,
    };
    let idle = |command: &Command| match command {
        Command::Return(Some(Argument::Value(value))) | Command::Set(_, value) => plain(value),
        Command::Return(_) | Command::Call { .. } | Command::CallPointer { .. } => true,
        _ => false,
    };
    let hands = |command: &Command| matches!(command, Command::Return(_) | Command::Call { .. });
    let commands: Vec<&Command> = edges.flat_map(|edge| &edge.commands).collect();
    commands.iter().any(|command| hands(command)) && commands.into_iter().all(idle)
}
