//! Changes of what only a property observes: a flag that an `ltl` formula, an assertion or a claim reads and nothing
//! else does, and that is set to constants or counted. To set such a flag somewhere else makes the property hold, and
//! leaves the program as it is. What is worked out (`largest = a`) is a result, and may be wrong.
//!
//! A property may stand on the command line, so a flag that nobody in the text reads is one as well.

use std::collections::BTreeSet;

use source::Span;

use crate::Language;
use crate::outline::Outline;
use crate::patch::Patch;
use crate::token::{TokenKind, scan};

/// The flags of a text, and where it sets them.
#[derive(Debug, Default)]
pub(crate) struct Flags<'a> {
    names: BTreeSet<&'a str>,
    writes: Vec<Span>,
}

impl<'a> Flags<'a> {
    pub(crate) fn new(outline: &Outline<'a>) -> Self {
        let mut flags = Self::default();
        for name in outline.names.iter().filter(|name| !name.is_member && !name.is_constant) {
            // What is handed over is the caller's, and other files may read what C declares outside of functions.
            let is_handed_over = name.unit.is_some_and(|unit| {
                outline.units[unit].parameters.is_some_and(|(open, close)| (open..close).contains(&name.at))
            });
            let in_scope = |at: &usize| name.unit.is_none() || outline.unit_of(*at) == name.unit;
            let is_use = |at: &usize| {
                *at != name.at && outline.kind(*at) == Some(TokenKind::Word) && outline.word(*at) == name.text
            };
            let uses: Vec<usize> = (0..outline.len()).filter(is_use).filter(in_scope).collect();
            let (checks, others): (Vec<usize>, Vec<usize>) =
                uses.into_iter().partition(|at| outline.is_sacred(*at));
            let is_model = outline.language == Language::Promela;
            let may_be_observed = !checks.is_empty() || is_model;
            // What a program counts is a result; a model counts by itself.
            let write = |at: &usize| counted(outline, *at).filter(|_| is_model).or_else(|| set(outline, *at));
            let writes: Option<Vec<Span>> = others.iter().map(write).collect();
            if let Some(writes) =
                writes.filter(|writes| !writes.is_empty() && may_be_observed && !is_handed_over)
            {
                flags.names.insert(name.text);
                flags.writes.extend(writes);
                let declared = outline.span(name.at, name.until);
                flags.writes.extend(name.unit.map(|_| declared));
            }
        }
        flags
    }

    /// Whether a patch changes where or to what a flag is set.
    pub(crate) fn are_changed(&self, patch: &Patch) -> bool {
        patch.edits().iter().any(|edit| {
            let touches = |write: &Span| edit.span.start < write.end && write.start < edit.span.end;
            let words = scan(&edit.text);
            let mut new = words.code.iter().filter(|token| token.kind == TokenKind::Word);
            self.writes.iter().any(touches)
                || new.any(|token| self.names.contains(token.span.text(&edit.text)))
        })
    }
}

/// The first token behind a variable and its index.
fn behind(outline: &Outline<'_>, at: usize) -> usize {
    match outline.word(at + 1) {
        "[" => outline.closing(at + 1).unwrap_or(at) + 1,
        _ => at + 1,
    }
}

/// Where the variable at a token is counted up or down; nothing for any other use.
fn counted(outline: &Outline<'_>, at: usize) -> Option<Span> {
    let is_count = |at: usize| matches!(outline.word(at), "++" | "--");
    let end = behind(outline, at);
    if is_count(end) {
        return Some(outline.span(at, end));
    }
    (at > 0 && is_count(at - 1)).then(|| outline.span(at - 1, at))
}

/// Where the variable at a token is set to a constant; nothing for any other use.
fn set(outline: &Outline<'_>, at: usize) -> Option<Span> {
    let sign = behind(outline, at);
    let value = sign + 1;
    let is_constant = outline.kind(value) == Some(TokenKind::Number)
        || matches!(outline.word(value), "true" | "false")
        || outline.names.iter().any(|name| name.is_constant && name.text == outline.word(value));
    let ends = matches!(outline.word(value + 1), ";" | "," | "}" | "->" | "::" | "fi" | "od" | "");
    let is_whole = ends || outline.line(value + 1) != outline.line(value);
    (outline.word(sign) == "=" && is_constant && is_whole).then(|| outline.span(at, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(language: Language, text: &str, old: &str, new: &str) -> bool {
        let outline = Outline::new(text, language);
        let start = text.find(old).expect("a part of the text");
        let patch = Patch::replace(text, Span::new(start, start + old.len()), new).expect("a patch");
        Flags::new(&outline).are_changed(&patch)
    }

    #[test]
    fn what_only_a_formula_reads_is_not_to_be_set_elsewhere() {
        let text = "bool served, asked; byte n;\nactive proctype P() {\n asked = true; n > 0; served = true; n = 1\n}\n\
                    ltl p { [] (asked -> <> served) }\n";
        let is = |old: &str, new: &str| changed(Language::Promela, text, old, new);
        assert!(is("n > 0;", "served = true; n > 0;"));
        assert!(is("served = true", "skip"));
        assert!(is("asked = true", "asked = false"));
        assert!(!is("n > 0", "n >= 0"), "the model reads it");
        assert!(!is("n = 1", "n = 2"));
    }

    #[test]
    fn what_nobody_reads_is_there_for_a_property_on_the_command_line() {
        let text = "bool seen;\nactive proctype P() {\n seen = true\n}\n";
        assert!(changed(Language::Promela, text, "seen = true", "seen = false"));
    }

    #[test]
    fn results_may_be_wrong() {
        let text = "int main(void) {\n int most = a;\n most = b;\n assert(most >= a);\n return 0;\n}\n";
        assert!(!changed(Language::C, text, "most = b", "most = a"));
        let text = "int ok;\nint main(void) {\n ok = 0;\n if (a) ok = 1;\n assert(ok);\n return 0;\n}\n";
        assert!(changed(Language::C, text, "ok = 0", "ok = 1"));
        assert!(!changed(Language::C, text, "if (a)", "if (!a)"));
    }
}
