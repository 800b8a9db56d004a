//! Small changes of programs in C and models in Promela, as patches of their text.
//!
//! Both languages are read by one scanner ([`token`]) and split into statements ([`tree`]), which is far less than
//! a front-end does and enough to make edits that are likely to be programs again. Whatever is none is thrown away
//! by the caller, who reads the changed text anyway.
//!
//! One set of operators makes two catalogues: [`mutations`] plant the faults that people make, for measuring
//! explanations, and [`repairs`] take them back, for suggesting what to do. A [`Patch`] never moves a line, so that
//! places in the text before and after it can be compared by their lines.

mod again;
mod calls;
mod candidate;
mod concurrency;
mod environment;
mod expressions;
mod forgotten;
mod insertions;
mod memory;
mod missing;
mod moves;
mod mutations;
mod names;
mod observers;
mod outline;
mod patch;
mod pointless;
mod repairs;
mod siblings;
mod specification;
mod statements;
mod terms;
mod together;
mod token;
mod tree;
mod values;

pub use candidate::{Candidate, Operator};
pub use insertions::insertions;
pub use mutations::mutations;
pub use patch::{Edit, Patch};
pub use repairs::{COST, Hint, Wish, repairs};

/// The lines in which statements stand, in ascending order.
pub fn statement_lines(text: &str, language: Language) -> Vec<u64> {
    let outline = outline::Outline::new(text, language);
    let nodes = outline.tree.nodes.iter().filter(|node| node.form != tree::Form::Block);
    let mut lines: Vec<u64> = nodes.map(|node| outline.line(node.first)).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// The lines of functions, processes and inlines of certain names, from their names on, in ascending order.
pub fn lines_of_units(text: &str, language: Language, is_named: impl Fn(&str) -> bool) -> Vec<u64> {
    let named = units(text, language).into_iter().filter(|unit| is_named(&unit.name));
    named.flat_map(|unit| unit.first..=unit.last).collect()
}

/// A function, a process or an inline, with its first and its last line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitLines {
    pub name: String,
    pub first: u64,
    pub last: u64,
}

/// All functions, processes and inlines, in the order of the text.
pub fn units(text: &str, language: Language) -> Vec<UnitLines> {
    let outline = outline::Outline::new(text, language);
    let lines = |unit: &outline::Unit| {
        let name = unit.parameters.map_or(unit.body.0, |(open, _)| open).checked_sub(1)?;
        let (first, last) = (outline.line(name), outline.line(unit.body.1));
        Some(UnitLines { name: outline.word(name).to_owned(), first, last })
    };
    outline.units.iter().filter_map(lines).collect()
}

/// The variables that these lines declare.
pub fn declared_in(text: &str, language: Language, lines: &[u64]) -> Vec<String> {
    let outline = outline::Outline::new(text, language);
    let names = outline.names.iter().filter(|name| !name.is_constant && !name.is_member);
    names.filter(|name| lines.contains(&outline.line(name.at))).map(|name| name.text.to_owned()).collect()
}

/// The lines in which there is code of any kind, in ascending order.
pub fn code_lines(text: &str) -> Vec<u64> {
    let mut lines: Vec<u64> = token::scan(text).code.iter().map(|token| token.line).collect();
    lines.dedup();
    lines
}

/// How a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Promela,
}
