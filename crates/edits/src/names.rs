//! What names a text declares, of which kind, and where they can be used.
//!
//! Two names are of one kind if they were declared with the same words and are as much pointer and array as each
//! other; members of one structure are of one kind with each other only.

use crate::Language;
use crate::outline::Outline;
use crate::token::TokenKind;
use crate::tree::Form;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name<'a> {
    pub(crate) text: &'a str,
    /// What it was declared as.
    pub(crate) kind: String,
    /// The unit it belongs to; none where it can be used everywhere.
    pub(crate) unit: Option<usize>,
    /// The token that declares it.
    pub(crate) at: usize,
    /// The last token of what it is declared to be at first: it has no value before.
    pub(crate) until: usize,
    pub(crate) is_member: bool,
    pub(crate) is_constant: bool,
}

/// Words that say how something is kept, and not what it is.
pub(crate) const STORAGE: [&str; 11] = [
    "static", "extern", "const", "volatile", "register", "hidden", "show", "local", "inline", "typedef",
    "_Atomic",
];

pub(crate) fn names<'a>(outline: &Outline<'a>) -> Vec<Name<'a>> {
    let mut found = Vec::new();
    for (number, unit) in outline.units.iter().enumerate() {
        if let Some((open, close)) = unit.parameters {
            for (first, last) in parts(outline, open + 1, close, &[",", ";"]) {
                declared(outline, first, last, Some(number), false, &mut found);
            }
        }
    }
    for node in outline.tree.nodes.iter().filter(|node| node.form == Form::Declaration) {
        declared(outline, node.first, node.last, outline.unit_of(node.first), false, &mut found);
    }
    outside(outline, &mut found);
    found.sort_by_key(|name| name.at);
    found
}

/// Declarations outside of all units: variables, structures, constants.
fn outside<'a>(outline: &Outline<'a>, found: &mut Vec<Name<'a>>) {
    let mut start = 0;
    let mut at = 0;
    while at < outline.len() {
        match outline.word(at) {
            "{" if outline.unit_of(at).is_some() || outline.is_sacred(at) => {
                at = outline.closing(at).unwrap_or(at);
                start = at + 1;
            }
            "{" if is_listing(outline, start, at) => {
                let close = outline.closing(at).unwrap_or(at);
                let kind = outline.slice(start, at.saturating_sub(1)).to_owned();
                for (first, _) in parts(outline, at + 1, close, &[","]) {
                    let text = outline.word(first);
                    let name = Name {
                        text,
                        kind: kind.clone(),
                        unit: None,
                        at: first,
                        until: first,
                        is_member: false,
                        is_constant: true,
                    };
                    found.extend((outline.kind(first) == Some(TokenKind::Word)).then_some(name));
                }
                at = close;
            }
            "{" if matches!(outline.word(start), "struct" | "typedef" | "union")
                || outline.word(start) == "static" && outline.word(start + 1) == "struct" =>
            {
                let close = outline.closing(at).unwrap_or(at);
                let before = found.len();
                for (first, last) in parts(outline, at + 1, close, &[";"]) {
                    declared(outline, first, last, None, true, found);
                }
                // Members of different structures are of different kinds.
                for name in &mut found[before..] {
                    name.kind = format!("{} of {}", name.kind, outline.line(at));
                }
                at = close;
            }
            "(" | "[" | "{" => at = outline.closing(at).unwrap_or(at),
            ";" => {
                declared(outline, start, at, None, false, found);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
}

/// Whether the brace lists constants: of an enumeration, or of `mtype`.
fn is_listing(outline: &Outline<'_>, start: usize, brace: usize) -> bool {
    (start..brace).any(|at| matches!(outline.word(at), "enum" | "mtype"))
        && (start..brace)
            .all(|at| outline.kind(at) == Some(TokenKind::Word) || matches!(outline.word(at), "=" | ":"))
}

/// Pieces between separators outside of brackets, each without the separator.
pub(crate) fn parts(
    outline: &Outline<'_>,
    first: usize,
    end: usize,
    separators: &[&str],
) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let (mut start, mut at) = (first, first);
    while at < end {
        if separators.contains(&outline.word(at)) {
            if start < at {
                found.push((start, at - 1));
            }
            start = at + 1;
        }
        at = outline.closing(at).unwrap_or(at) + 1;
    }
    if start < end {
        found.push((start, end - 1));
    }
    found
}

/// The names that one declaration declares; nothing if it is none.
fn declared<'a>(
    outline: &Outline<'a>,
    first: usize,
    last: usize,
    unit: Option<usize>,
    is_member: bool,
    found: &mut Vec<Name<'a>>,
) {
    let mut kind = String::new();
    for (number, (start, end)) in parts(outline, first, last + 1, &[","]).into_iter().enumerate() {
        let is_word = |at: usize| outline.kind(at) == Some(TokenKind::Word);
        let mut at = start;
        if number == 0 {
            // All words but the last one before another sign are the type.
            while at < end && is_word(at) && (is_word(at + 1) || outline.word(at + 1) == "*") {
                let word = outline.word(at);
                if !STORAGE.contains(&word) {
                    kind.push_str(word);
                    kind.push(' ');
                }
                at += 1;
            }
            if kind.is_empty() {
                return;
            }
        }
        let stars = (at..=end).take_while(|at| outline.word(*at) == "*").count();
        let name = at + stars;
        if !is_word(name) || outline.word(name + 1) == "(" {
            return;
        }
        let brackets = if outline.word(name + 1) == "[" { "[]" } else { "" };
        let kind = format!("{kind}{}{brackets}", "*".repeat(stars));
        let text = outline.word(name);
        found.push(Name { text, kind, unit, at: name, until: end, is_member, is_constant: false });
    }
}

impl<'a> Outline<'a> {
    /// What the name at a token means; nothing for calls, labels and what is not declared here.
    pub(crate) fn meaning(&self, at: usize) -> Option<&Name<'a>> {
        if self.kind(at) != Some(TokenKind::Word) || self.word(at + 1) == "(" {
            return None;
        }
        let is_member = self.is_member(at);
        let (text, unit) = (self.word(at), self.unit_of(at));
        let fits = |name: &&Name<'a>| {
            name.text == text && name.is_member == is_member && (name.unit.is_none() || name.unit == unit)
        };
        // What is declared inside hides what is declared outside.
        let mut all = self.names.iter().filter(fits);
        let first = all.next()?;
        Some(all.find(|name| name.unit.is_some()).filter(|_| first.unit.is_none()).unwrap_or(first))
    }

    fn is_member(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map_or("", |before| self.word(before));
        before == "." || before == "->" && self.language == Language::C
    }

    /// Other names of the same kind that can be used where a name is, the nearest first.
    pub(crate) fn alternatives(&self, at: usize) -> Vec<&'a str> {
        let Some(meant) = self.meaning(at).filter(|meant| meant.at != at) else { return Vec::new() };
        let unit = self.unit_of(at);
        let mut found: Vec<&Name<'a>> = self
            .names
            .iter()
            .filter(|name| {
                name.kind == meant.kind
                    && name.text != meant.text
                    && name.is_member == meant.is_member
                    && name.is_constant == meant.is_constant
                    && (name.unit.is_none() || name.unit == unit)
                    && (name.until < at || name.is_constant || name.is_member)
            })
            .collect();
        found.sort_by_key(|name| (name.unit != meant.unit, name.at.abs_diff(meant.at)));
        let mut words: Vec<&str> = Vec::new();
        for name in found {
            if !words.contains(&name.text) {
                words.push(name.text);
            }
        }
        words
    }
}
