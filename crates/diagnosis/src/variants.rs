//! Small changes of one statement, made in the program itself: another operator, constant or variable, an operand left
//! out, the opposite condition, one condition more, no such statement, an assignment next to it.
//!
//! They stand for what a person would have written instead. A statement that one of them mends is a likelier suspect
//! than one of which only is known that some values would have been better (Papadakis and Le Traon: Metallaxis,
//! 2015, who localise faults by mutants; Chandra, Torlak, Barman and Bodik: Angelic Debugging, 2011, who ask whether a
//! statement could be an expression of what it sees).

mod instead;
mod pool;
mod replacement;
mod walk;

use std::ops::ControlFlow;

use model::mistakes::Mistake;
use model::{Command, Edge, Expr, Function, Program, Scalar, StatementKind, Unary};

pub(crate) use instead::instead;
pub(crate) use pool::Pool;
use replacement::{conditions, replacements};
use walk::{nodes, nth, slots};

/// Goes through the changes of one kind of a statement, each as the whole function with it. The function is left as it was.
pub(crate) fn variants(
    program: &Program,
    statement: u32,
    kind: Mistake,
    pool: &Pool,
    visit: &mut dyn FnMut(&Function) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let number = program.statements[statement as usize].function.0 as usize;
    let mut function = program.functions[number].clone();
    let own: Vec<usize> =
        (0..function.edges.len()).filter(|edge| function.edges[*edge].statement == statement).collect();
    match kind {
        Mistake::Target => targets(&mut function, &own, pool, visit),
        Mistake::Removal => removal(program, statement, &mut function, &own, visit),
        Mistake::Insertion => insertions(&mut function, &own, pool, visit),
        Mistake::Negation | Mistake::Guard => ways(&mut function, &own, kind, pool, visit),
        _ => values(&mut function, &own, kind, pool, visit),
    }
}

/// The other edge of a branch whose first edge this is.
fn opposite(function: &Function, edge: usize) -> Option<usize> {
    let one = &function.edges[edge];
    let two = function.edges.get(edge + 1)?;
    let is_two = function.edges_of(one.from).len() == 2 && two.from == one.from;
    match (one.commands.first()?, two.commands.first()?) {
        (Command::Assume(condition), Command::Assume(Expr::Unary(Unary::Not, inner)))
            if is_two && **inner == *condition =>
        {
            Some(edge + 1)
        }
        _ => None,
    }
}

/// Whether an edge begins with the condition of a branch.
fn is_way(function: &Function, edge: &Edge) -> bool {
    matches!(edge.commands.first(), Some(Command::Assume(_))) && function.edges_of(edge.from).len() > 1
}

/// Writes the condition of a branch to both of its edges.
fn decide(function: &mut Function, edge: usize, condition: &Expr) {
    function.edges[edge].commands[0] = Command::Assume(condition.clone());
    function.edges[edge + 1].commands[0] = Command::Assume(Expr::negation(condition.clone()));
}

fn values(
    function: &mut Function,
    own: &[usize],
    kind: Mistake,
    pool: &Pool,
    visit: &mut dyn FnMut(&Function) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for edge in own.iter().copied() {
        let branches = is_way(function, &function.edges[edge]);
        for command in 0..function.edges[edge].commands.len() {
            let is_condition = branches && command == 0;
            if is_condition && opposite(function, edge).is_none() {
                continue;
            }
            let count = slots(&mut function.edges[edge].commands[command]).len();
            for slot in 0..count {
                let Some(first) = slots(&mut function.edges[edge].commands[command]).into_iter().nth(slot)
                else {
                    continue;
                };
                let (at, whole) = (SlotAt { edge, command, slot }, first.clone());
                for node in 0..nodes(&whole) {
                    let mut changed = whole.clone();
                    let Some(inner) = nth(&mut changed, node) else { continue };
                    for new in replacements(inner, kind, pool, node == 0 && !is_condition) {
                        let mut changed = whole.clone();
                        if let Some(inner) = nth(&mut changed, node) {
                            *inner = new;
                        }
                        put(function, at, is_condition, changed);
                        visit(function)?;
                    }
                }
                put(function, at, is_condition, whole);
            }
        }
    }
    ControlFlow::Continue(())
}

/// Where in a function an expression is: one of the slots of a command of an edge.
#[derive(Clone, Copy)]
struct SlotAt {
    edge: usize,
    command: usize,
    slot: usize,
}

/// Puts an expression into a slot of a command.
fn put(function: &mut Function, at: SlotAt, is_condition: bool, expr: Expr) {
    let SlotAt { edge, command, slot } = at;
    if is_condition {
        decide(function, edge, &expr);
    } else if let Some(place) = slots(&mut function.edges[edge].commands[command]).into_iter().nth(slot) {
        *place = expr;
    }
}

/// Changes of whole conditions, and of values that are conditions.
fn ways(
    function: &mut Function,
    own: &[usize],
    kind: Mistake,
    pool: &Pool,
    visit: &mut dyn FnMut(&Function) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for edge in own.iter().copied() {
        for command in 0..function.edges[edge].commands.len() {
            let is_condition = command == 0 && is_way(function, &function.edges[edge]);
            if is_condition && opposite(function, edge).is_none() {
                continue;
            }
            let before = function.edges[edge].commands[command].clone();
            // The value comes last; what comes before says where it goes.
            let slot = slots(&mut function.edges[edge].commands[command]).len().saturating_sub(1);
            let Some(whole) = slots(&mut before.clone()).into_iter().nth(slot).cloned() else { continue };
            if !is_condition && !replacement::is_truth(&whole) {
                continue;
            }
            let at = SlotAt { edge, command, slot };
            for new in conditions(&whole, kind, pool) {
                put(function, at, is_condition, new);
                visit(function)?;
            }
            put(function, at, is_condition, whole);
        }
    }
    ControlFlow::Continue(())
}

fn targets(
    function: &mut Function,
    own: &[usize],
    pool: &Pool,
    visit: &mut dyn FnMut(&Function) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for edge in own.iter().copied() {
        for command in 0..function.edges[edge].commands.len() {
            let before = function.edges[edge].commands[command].clone();
            let (scalar, value) = match &before {
                Command::Set(place, value) if !pool.is_temporary(place) => (place.scalar, value),
                Command::Store { scalar, value, .. } => (*scalar, value),
                _ => continue,
            };
            for target in pool.targets.iter().filter(|target| pool::scalar_of(target) == Some(scalar)) {
                function.edges[edge].commands[command] = assignment(target, value.clone(), scalar);
                if function.edges[edge].commands[command] != before {
                    visit(function)?;
                }
            }
            function.edges[edge].commands[command] = before;
        }
    }
    ControlFlow::Continue(())
}

/// An assignment to what an expression reads.
fn assignment(target: &Expr, value: Expr, scalar: Scalar) -> Command {
    match target {
        Expr::Load(place) => Command::Set(place.clone(), value),
        Expr::Deref(_, address) => Command::Store { address: (**address).clone(), scalar, value },
        _ => Command::Assume(Expr::Constant(1)),
    }
}

fn removal(
    program: &Program,
    statement: u32,
    function: &mut Function,
    own: &[usize],
    visit: &mut dyn FnMut(&Function) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let kind = program.statements[statement as usize].kind;
    if matches!(kind, StatementKind::Branch | StatementKind::Return) {
        return ControlFlow::Continue(());
    }
    let before: Vec<Vec<Command>> = own.iter().map(|edge| function.edges[*edge].commands.clone()).collect();
    let returns =
        before.iter().flatten().any(|command| matches!(command, Command::Return(_) | Command::Exit));
    if returns {
        return ControlFlow::Continue(());
    }
    for edge in own {
        function.edges[*edge]
            .commands
            .retain(|command| matches!(command, Command::Assume(_) | Command::Clear { .. }));
    }
    let flow = visit(function);
    for (edge, commands) in own.iter().zip(before) {
        function.edges[*edge].commands = commands;
    }
    flow
}

/// Assignments before the statement, or behind it.
fn insertions(
    function: &mut Function,
    own: &[usize],
    pool: &Pool,
    visit: &mut dyn FnMut(&Function) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut places: Vec<(usize, usize)> = Vec::new();
    for edge in own.iter().copied() {
        let of = &function.edges[edge];
        let starts = function.locations[of.from as usize].boundary;
        let ends = function.locations[of.to as usize].boundary;
        let leaves = of.commands.last().is_some_and(Command::leaves);
        let first = usize::from(is_way(function, of));
        if starts || first == 1 {
            places.push((edge, first));
        }
        if ends && !leaves && of.commands.len() > first {
            places.push((edge, of.commands.len()));
        }
    }
    for (edge, at) in places {
        for target in &pool.targets {
            let Some(scalar) = pool::scalar_of(target) else { continue };
            for value in pool.inserted(target) {
                function.edges[edge].commands.insert(at, assignment(target, value, scalar));
                let flow = visit(function);
                function.edges[edge].commands.remove(at);
                flow?;
            }
        }
    }
    ControlFlow::Continue(())
}
