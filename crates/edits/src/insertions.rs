//! A given statement put into the branch that is taken somewhere, or beside what is done there.

use findings::TextChange;
use source::Span;

use crate::Language;
use crate::candidate::{Candidate, CandidateList, Operator};
use crate::mutations::LONGEST_TEXT;
use crate::outline::Outline;
use crate::tree::{Form, Node};

/// How many ways there can be.
const MOST: usize = 4;

/// The ways to put a statement of C, with its semicolon, to where the statement at `offset` stands: into the branch
/// that is taken if its condition is as `outcome` says, before it, or behind it.
pub fn insertions(text: &str, offset: usize, outcome: Option<bool>, statement: &str) -> Vec<Candidate> {
    if text.len() > LONGEST_TEXT {
        return Vec::new();
    }
    let outline = Outline::new(text, Language::C);
    let mut found = CandidateList::new(&outline, MOST);
    let Ok(token) = outline.tokens.code.binary_search_by_key(&offset, |token| token.span.start) else {
        return Vec::new();
    };
    let starting = outline.tree.holding(token).filter(|node| outline.tree.nodes[*node].first == token);
    let Some(node) = starting.last().map(|node| &outline.tree.nodes[node]) else { return Vec::new() };
    match (node.form, outcome) {
        (Form::If | Form::Loop, Some(outcome)) => into_branch(&mut found, node, outcome, statement),
        (Form::Simple | Form::Jump | Form::Declaration, _) => {
            around(&mut found, node.first, node.last, &format!("{{ {statement} "), " }");
            around(&mut found, node.first, node.last, "{ ", &format!(" {statement} }}"));
        }
        _ => {}
    }
    found.candidates
}

fn into_branch(found: &mut CandidateList<'_, '_>, node: &Node, outcome: bool, statement: &str) {
    let outline = found.outline;
    let Some(then) = node.condition.map(|(_, last)| last + 2) else { return };
    if outcome {
        return into(found, then, node.last, statement);
    }
    if node.form != Form::If {
        return;
    }
    // An `else` inside of the first branch belongs to another `if`.
    let branches = outline.tree.nodes.iter().filter(|inner| inner.first == then);
    let end = match outline.closing(then) {
        Some(close) if outline.word(then) == "{" => Some(close),
        _ => branches.map(|inner| inner.last).max(),
    };
    match end {
        Some(end) if outline.word(end + 1) == "else" => into(found, end + 2, node.last, statement),
        Some(end) => put(
            found,
            end,
            Span::at(outline.span(end, end).end),
            format!(" else {{ {statement} }}"),
            statement,
        ),
        None => {}
    }
}

/// Puts a statement into the one that begins at a token and ends before or at `last`.
fn into(found: &mut CandidateList<'_, '_>, first: usize, last: usize, statement: &str) {
    let outline = found.outline;
    if outline.word(first) == "{" {
        return put(
            found,
            first,
            Span::at(outline.span(first, first).end),
            format!(" {statement}"),
            statement,
        );
    }
    let whole = outline.tree.nodes.iter().filter(|node| node.first == first && node.last <= last);
    if let Some(end) = whole.map(|node| node.last).max() {
        around(found, first, end, &format!("{{ {statement} "), " }");
    }
}

fn put(found: &mut CandidateList<'_, '_>, at: usize, span: Span, text: String, statement: &str) {
    let line = found.outline.line(at);
    found.add(
        Operator::Inserted,
        line,
        vec![(span, text)],
        TextChange::Added { statement: Some(statement.to_owned()) },
    );
}

/// Puts something before tokens and behind them.
fn around(found: &mut CandidateList<'_, '_>, first: usize, last: usize, before: &str, behind: &str) {
    let outline = found.outline;
    let span = outline.span(first, last);
    let edits = vec![(Span::at(span.start), before.to_owned()), (Span::at(span.end), behind.to_owned())];
    let line = outline.line(if before.len() > behind.len() { first } else { last });
    found.add(Operator::Inserted, line, edits, TextChange::Added { statement: None });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(body: &str, at: &str, outcome: Option<bool>) -> Vec<String> {
        let text = format!("void g(void) {{\n{body}\n}}\n");
        let found = insertions(&text, text.find(at).unwrap_or(0), outcome, "f();");
        let changed = found.iter().map(|candidate| candidate.patch.apply(&text));
        changed.map(|text| text["void g(void) {\n".len()..text.len() - 3].to_owned()).collect()
    }

    #[test]
    fn a_statement_goes_into_the_branch_that_is_taken() {
        let text = "if (a)\n  b;\nelse\n  c;\nd;";
        assert_eq!(edited(text, "if", Some(true)), ["if (a)\n  { f(); b; }\nelse\n  c;\nd;"]);
        assert_eq!(edited(text, "if", Some(false)), ["if (a)\n  b;\nelse\n  { f(); c; }\nd;"]);
        assert_eq!(edited("if (a) { b; } d;", "if", Some(false)), ["if (a) { b; } else { f(); } d;"]);
        assert_eq!(edited("if (a) { b; } d;", "if", Some(true)), ["if (a) { f(); b; } d;"]);
        assert_eq!(edited("while (a) { b; } d;", "while", Some(true)), ["while (a) { f(); b; } d;"]);
        assert_eq!(edited("while (a) b;", "while", Some(false)), Vec::<String>::new());
        assert_eq!(
            edited("if (a) if (b) c; else e; d;", "if", Some(false)),
            ["if (a) if (b) c; else e; else { f(); } d;"]
        );
        assert_eq!(
            edited(text, "d;", None),
            ["if (a)\n  b;\nelse\n  c;\n{ f(); d; }", "if (a)\n  b;\nelse\n  c;\n{ d; f(); }"]
        );
    }
}
