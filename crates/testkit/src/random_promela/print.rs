//! A random model as Promela, one statement a line.

use std::fmt::{self, Display, Formatter, Write};

use super::{Choice, Process, RandomModel, Statement, StatementKind};

impl Display for RandomModel {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        for (_, declaration) in &self.declarations {
            writeln!(to, "{declaration};")?;
        }
        for process in &self.processes {
            print_process(to, process)?;
        }
        if !self.init.is_empty() {
            writeln!(to, "\ninit\n{{")?;
            sequence(to, &self.init, 1)?;
            writeln!(to, "}}")?;
        }
        Ok(())
    }
}

fn print_process(to: &mut Formatter<'_>, process: &Process) -> fmt::Result {
    writeln!(to)?;
    match process.active {
        0 => {}
        1 => write!(to, "active ")?,
        count => write!(to, "active [{count}] ")?,
    }
    write!(to, "proctype {}({})", process.name, process.parameters.join("; "))?;
    process.clauses.iter().try_for_each(|clause| write!(to, " {clause}"))?;
    writeln!(to, "\n{{")?;
    for (_, declaration) in &process.locals {
        writeln!(to, "\t{declaration};")?;
    }
    sequence(to, &process.body, 1)?;
    writeln!(to, "}}")
}

/// Statements, each on lines of its own; `skip` where there are none.
fn sequence(to: &mut Formatter<'_>, statements: &[Statement], depth: usize) -> fmt::Result {
    if statements.is_empty() {
        indent(to, depth)?;
        return to.write_str("skip\n");
    }
    for (index, each) in statements.iter().enumerate() {
        indent(to, depth)?;
        statement(to, each, depth)?;
        to.write_str(if index + 1 < statements.len() { ";\n" } else { "\n" })?;
    }
    Ok(())
}

fn indent(to: &mut Formatter<'_>, depth: usize) -> fmt::Result {
    (0..depth).try_for_each(|_| to.write_char('\t'))
}

fn statement(to: &mut Formatter<'_>, statement: &Statement, depth: usize) -> fmt::Result {
    if let Some(label) = &statement.label {
        write!(to, "{label}: ")?;
    }
    match &statement.kind {
        StatementKind::Plain(text) => to.write_str(text),
        StatementKind::Choice(parts) => choice(to, parts, depth),
        StatementKind::Atomic(body) => block(to, "atomic ", body, depth),
        StatementKind::DStep(body) => block(to, "d_step ", body, depth),
        StatementKind::Unless(body, escape) => {
            block(to, "", body, depth)?;
            block(to, " unless ", escape, depth)
        }
    }
}

fn block(to: &mut Formatter<'_>, head: &str, body: &[Statement], depth: usize) -> fmt::Result {
    writeln!(to, "{head}{{")?;
    sequence(to, body, depth + 1)?;
    indent(to, depth)?;
    to.write_char('}')
}

fn choice(to: &mut Formatter<'_>, choice: &Choice, depth: usize) -> fmt::Result {
    let (open, close) = if choice.repeated { ("do", "od") } else { ("if", "fi") };
    writeln!(to, "{open}")?;
    for option in &choice.options {
        indent(to, depth)?;
        to.write_str("::\n")?;
        sequence(to, option, depth + 1)?;
    }
    if let Some(otherwise) = &choice.otherwise {
        indent(to, depth)?;
        to.write_str(":: else ->\n")?;
        sequence(to, otherwise, depth + 1)?;
    }
    indent(to, depth)?;
    to.write_str(close)
}
