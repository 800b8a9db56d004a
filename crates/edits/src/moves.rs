//! Statements that are in the wrong place: put to the other side of the branch or loop beside them, or out of the one
//! that they begin or end.

use findings::TextChange;
use source::Span;

use crate::Language;
use crate::again::in_one_line;
use crate::candidate::{CandidateList, Operator, blank};
use crate::expressions::Places;
use crate::outline::Outline;
use crate::statements::{head, is_inert, is_sacred};
use crate::tree::{Form, Node};

/// Where a statement goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Before,
    Behind,
}

pub(crate) fn moved(found: &mut CandidateList<'_, '_>, places: Places<'_>) {
    let outline = found.outline;
    let tree = &outline.tree;
    for node in tree.nodes.iter().filter(|node| node.form == Form::Simple) {
        if is_sacred(outline, node) || is_inert(outline, node) || outline.word(node.first) == ";" {
            continue;
        }
        let sequence = &tree.sequences[node.sequence];
        // What comes first in an option is what it waits for.
        if sequence.is_option && node.index == 0 {
            continue;
        }
        let beside =
            |at: Option<usize>| at.and_then(|at| sequence.items.get(at)).map(|item| &tree.nodes[*item]);
        let owner = sequence.owner.map(|owner| &tree.nodes[owner]);
        let is_last = node.index + 1 == sequence.items.len();
        let is_first = node.index == usize::from(sequence.is_option);
        let ways = [
            (beside(node.index.checked_add(1)), Side::Behind),
            (beside(node.index.checked_sub(1)), Side::Before),
            (owner.filter(|_| is_last), Side::Behind),
            (owner.filter(|_| is_first), Side::Before),
        ];
        for (other, side) in ways {
            let Some(other) = other.filter(|other| is_compound(other)) else { continue };
            let is_asked = |at: usize| outline.token(at).is_some_and(places);
            if [node.first, other.first, other.last].into_iter().any(is_asked) {
                move_past(found, node, other, side);
            }
        }
    }
}

fn is_compound(node: &Node) -> bool {
    matches!(node.form, Form::If | Form::Loop | Form::Switch | Form::Block)
}

fn move_past(found: &mut CandidateList<'_, '_>, node: &Node, other: &Node, side: Side) {
    let outline = found.outline;
    let goal = &outline.tree.sequences[other.sequence];
    let becomes_guard = goal.is_option && other.index == 0 && side == Side::Before;
    if !goal.has_room || becomes_guard {
        return;
    }
    let last = if outline.word(node.last) == ";" { node.last.saturating_sub(1) } else { node.last };
    let statement = in_one_line(outline, node.first, last, &|_| None);
    let place = match side {
        Side::Before => Span::at(outline.span(other.first, other.first).start),
        Side::Behind => Span::at(outline.span(other.last, other.last).end),
    };
    let goes_on = !matches!(outline.word(other.last + 1), ";" | "->" | "}" | "::" | "fi" | "od" | "unless");
    let new = match (outline.language, side) {
        (_, Side::Before) => format!("{statement}; "),
        (Language::C, Side::Behind) => format!(" {statement};"),
        (Language::Promela, Side::Behind) => format!("; {statement}{}", if goes_on { ";" } else { "" }),
    };
    let (span, rest) = without(outline, node);
    let is_before = side == Side::Before;
    let change = TextChange::Moved { statement, is_before, other: head(outline, other) };
    let line = outline.line(node.first);
    let ends = [line, outline.line(other.first), outline.line(other.last)];
    let region = (ends.into_iter().min().unwrap_or(line), ends.into_iter().max().unwrap_or(line));
    found.add_in(Operator::Moved, region, line, vec![(span, rest), (place, new)], change);
}

/// What is to be replaced by what, so that a statement is gone.
fn without(outline: &Outline<'_>, node: &Node) -> (Span, String) {
    let sequence = &outline.tree.sequences[node.sequence];
    let separates = |at: usize| matches!(outline.word(at), ";" | "->");
    let (first, last) = (node.first, node.last);
    let (span, skip) = match outline.language {
        Language::C => (outline.span(first, last), if sequence.has_room { "" } else { ";" }),
        Language::Promela if sequence.items.len() == 1 => (outline.span(first, last), "skip"),
        Language::Promela if separates(last + 1) => (outline.span(first, last + 1), ""),
        Language::Promela if first > 0 && separates(first - 1) => (outline.span(first - 1, last), ""),
        Language::Promela => (outline.span(first, last), "skip"),
    };
    (span, format!("{skip}{}", blank(span.text(outline.text))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(text: &str, language: Language) -> Vec<String> {
        let outline = Outline::new(text, language);
        let mut found = CandidateList::new(&outline, 100);
        moved(&mut found, &|_| true);
        found.candidates.iter().map(|candidate| candidate.patch.apply(text)).collect()
    }

    #[test]
    fn statements_of_a_program_go_past_branches_and_out_of_them() {
        assert_eq!(
            edited("void f(void) {\n a = 1;\n if (b) {\n  c();\n }\n}\n", Language::C),
            [
                "void f(void) {\n \n if (b) {\n  c();\n } a = 1;\n}\n",
                "void f(void) {\n a = 1;\n if (b) {\n  \n } c();\n}\n",
                "void f(void) {\n a = 1;\n c(); if (b) {\n  \n }\n}\n",
            ]
        );
        assert_eq!(
            edited("void f(void) { while (a) b(); c(); }\n", Language::C),
            [
                "void f(void) { while (a) ; b(); c(); }\n",
                "void f(void) { b(); while (a) ; c(); }\n",
                "void f(void) { c(); while (a) b();  }\n",
            ]
        );
    }

    #[test]
    fn a_count_goes_before_the_choice_that_asks_for_it() {
        let text =
            "proctype P() {\n take(m);\n if\n :: n == 0 -> give(r)\n :: else\n fi;\n n--;\n give(m)\n}\n";
        let moved = text.replace(" n--;\n", " \n").replace(" if\n", " n--; if\n");
        let all = edited(text, Language::Promela);
        assert!(all.contains(&moved), "{all:#?}");
    }

    #[test]
    fn statements_of_a_model_keep_their_separators() {
        let text = "active proctype P() {\n x = 1;\n do\n :: a -> b = 1; c = 1\n :: else -> break\n od;\n y = 1\n}\n";
        assert_eq!(
            edited(text, Language::Promela),
            [
                text.replace(" x = 1;\n", " \n").replace("od;", "od; x = 1;"),
                text.replace(" b = 1;", " ").replace(" do\n", " b = 1; do\n"),
                text.replace("; c = 1", "").replace("od;", "od; c = 1;"),
                text.replace("od;\n y = 1", "od\n").replace(" do\n", " y = 1; do\n"),
            ]
        );
    }
}
