//! Names for statements that tell them apart.
//!
//! A statement is known by its text. Where a process has the same text twice, the line is added; on one
//! line, the column; in the body of an inline that is used more than once, the lines of the calls; where one
//! statement of the text stands for several, such as `select`, what each of them does; and if nothing helps, a number.

use std::collections::{BTreeMap, BTreeSet};

use source::Location;

use crate::machine::{Statement, Teller};
use crate::model::Model;

pub(crate) fn distinct_names(model: &Model, teller: &Teller<'_>, texts: &[String]) -> Vec<String> {
    let statements = &model.machine.statements;
    let mut groups: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (number, (statement, text)) in statements.iter().zip(texts).enumerate() {
        groups.entry((&statement.process, text)).or_default().push(number);
    }
    let mut names = texts.to_vec();
    for group in groups.into_values().filter(|group| group.len() > 1) {
        let spellings: [&dyn Fn(usize) -> String; 4] = [
            &|number| line(model, &statements[number]),
            &|number| column(model, &statements[number]),
            &|number| calls(model, teller, number),
            &|number| format!("{}: {}", line(model, &statements[number]), statements[number].text),
        ];
        let distinguishes = |spelling: &&&dyn Fn(usize) -> String| {
            let found: BTreeSet<String> = group.iter().map(|number| spelling(*number)).collect();
            found.len() == group.len()
        };
        let spelling = spellings.iter().find(distinguishes);
        for (at, number) in group.iter().enumerate() {
            let suffix = match spelling {
                Some(spelling) => spelling(*number),
                None => format!("{}, copy {} of {}", line(model, &statements[*number]), at + 1, group.len()),
            };
            names[*number].push_str(&format!(" ({suffix})"));
        }
    }
    names
}

fn line(model: &Model, statement: &Statement) -> String {
    model.location(statement.span).map_or_else(|| "at its end".to_owned(), |at| format!("line {}", at.line))
}

fn column(model: &Model, statement: &Statement) -> String {
    let at = model.location(statement.span);
    at.map_or_else(|| "at its end".to_owned(), |at| format!("line {}:{}", at.line, at.column))
}

fn calls(model: &Model, teller: &Teller<'_>, number: usize) -> String {
    let mut text = line(model, &model.machine.statements[number]);
    for location in inline_calls(model, teller, number) {
        text.push_str(&format!(" from {}:{}", location.line, location.column));
    }
    text
}

/// The calls of inlines through which a statement came, innermost first.
pub(crate) fn inline_calls(model: &Model, teller: &Teller<'_>, number: usize) -> Vec<Location> {
    let mut calls = Vec::new();
    let mut at = teller.expansion(number);
    while let Some(expansion) = at.and_then(|id| model.program.expansions.get(id.0 as usize)) {
        calls.extend(model.location(expansion.call));
        at = expansion.parent;
    }
    calls
}
