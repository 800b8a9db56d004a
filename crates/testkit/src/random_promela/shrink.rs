//! Makes a model smaller while it keeps a property, such as that two checkers differ on it: greedily drops
//! processes, statements, options, declarations, and replaces compound statements by their parts, the
//! largest pieces first, until nothing more can go (delta debugging after Zeller and Hildebrandt, on the
//! tree).

use super::{Choice, RandomModel, Statement, StatementKind};

/// The smallest model found that still has the property. `holds` must be false for models SPIN refuses:
/// a goto may lose its label on the way, a break its loop.
pub fn shrink(model: RandomModel, mut holds: impl FnMut(&RandomModel) -> bool) -> RandomModel {
    let mut smallest = model;
    loop {
        let before = smallest.clone();
        let mut number = 0;
        while let Some(smaller) = reduction(&smallest, number) {
            if smaller != smallest && holds(&smaller) {
                // What now has this number has not been tried yet.
                smallest = smaller;
            } else {
                number += 1;
            }
        }
        if smallest == before {
            return smallest;
        }
    }
}

/// The reduction of that number, if there are so many.
fn reduction(model: &RandomModel, mut number: usize) -> Option<RandomModel> {
    let mut smaller = model.clone();
    if number < model.processes.len() {
        let gone = smaller.processes.remove(number);
        let started = format!("run {}(", gone.name);
        let starts = |statement: &Statement| matches!(&statement.kind, StatementKind::Plain(text) if text.contains(&started));
        smaller.init.retain(|statement| !starts(statement));
        return Some(smaller);
    }
    number -= model.processes.len();
    let init = std::iter::once(&mut smaller.init);
    for body in smaller.processes.iter_mut().map(|process| &mut process.body).chain(init) {
        if reduce_sequence(body, &mut number) {
            return Some(smaller);
        }
    }
    for process in &mut smaller.processes {
        if number < process.clauses.len() {
            process.clauses.remove(number);
            return Some(smaller);
        }
        number -= process.clauses.len();
        if number < process.locals.len() {
            process.locals.remove(number);
            return Some(smaller);
        }
        number -= process.locals.len();
        if process.active > 1 {
            if number == 0 {
                process.active -= 1;
                return Some(smaller);
            }
            number -= 1;
        }
    }
    (number < smaller.declarations.len()).then(|| {
        smaller.declarations.remove(number);
        smaller
    })
}

/// Carries out the reduction of that number, if it lies in this sequence; otherwise counts on.
fn reduce_sequence(body: &mut Vec<Statement>, number: &mut usize) -> bool {
    for index in 0..body.len() {
        let parts = parts(&body[index]);
        if *number <= parts {
            let replaced = if *number == 0 { Vec::new() } else { take_part(&body[index], *number - 1) };
            body.splice(index..=index, replaced);
            return true;
        }
        *number -= parts + 1;
        if reduce_statement(&mut body[index], number) {
            return true;
        }
    }
    false
}

/// How many sequences a statement is made of.
fn parts(statement: &Statement) -> usize {
    match &statement.kind {
        StatementKind::Plain(_) => 0,
        StatementKind::Atomic(_) | StatementKind::DStep(_) => 1,
        StatementKind::Unless(..) => 2,
        StatementKind::Choice(choice) => choice.options.len() + usize::from(choice.otherwise.is_some()),
    }
}

/// The sequence of that number in place of the statement; it inherits the label.
fn take_part(statement: &Statement, part: usize) -> Vec<Statement> {
    let mut sequence = match &statement.kind {
        StatementKind::Plain(_) => Vec::new(),
        StatementKind::Atomic(body) | StatementKind::DStep(body) => body.clone(),
        StatementKind::Unless(body, escape) => [body, escape][part].clone(),
        StatementKind::Choice(Choice { options, otherwise, .. }) => {
            options.get(part).or(otherwise.as_ref()).cloned().unwrap_or_default()
        }
    };
    if let Some(first) = sequence.first_mut() {
        first.label = first.label.take().or_else(|| statement.label.clone());
    }
    sequence
}

/// Reductions inside a statement: an option or the label goes, or something in one of its sequences.
fn reduce_statement(statement: &mut Statement, number: &mut usize) -> bool {
    if statement.label.is_some() {
        if *number == 0 {
            statement.label = None;
            return true;
        }
        *number -= 1;
    }
    match &mut statement.kind {
        StatementKind::Plain(_) => false,
        StatementKind::Atomic(body) | StatementKind::DStep(body) => reduce_sequence(body, number),
        StatementKind::Unless(body, escape) => {
            reduce_sequence(body, number) || reduce_sequence(escape, number)
        }
        StatementKind::Choice(choice) => {
            // The last option stays; the whole choice can go instead.
            if choice.options.len() > 1 {
                if *number < choice.options.len() {
                    choice.options.remove(*number);
                    return true;
                }
                *number -= choice.options.len();
            }
            if choice.otherwise.is_some() {
                if *number == 0 {
                    choice.otherwise = None;
                    return true;
                }
                *number -= 1;
            }
            choice
                .options
                .iter_mut()
                .chain(&mut choice.otherwise)
                .any(|option| reduce_sequence(option, number))
        }
    }
}
