//! Changes of what is taken and given back: those that hide that freed memory is used, those that give nothing back, and two
//! that people make, a pointer that is set to nothing once it is freed, and a pointer that is asked for before it is followed.

use std::collections::BTreeSet;

use findings::TextChange;

use crate::Language;
use crate::candidate::{Candidate, CandidateList, Operator, one_line};
use crate::expressions::Places;
use crate::outline::Outline;
use crate::patch::{Edit, Patch};
use crate::statements::{bare, insert_as, is_sacred};
use crate::token::{Token, TokenKind, scan};
use crate::tree::Form;

/// Whether a text frees memory at all.
pub(crate) fn may_dangle(outline: &Outline<'_>) -> bool {
    outline.tokens.code.iter().any(|token| token.span.text(outline.text) == "free")
}

/// Whether a change of a text that frees memory only hides that it is used afterwards: new memory is taken, something else
/// is put to where a pointer was, or nothing is freed any more.
pub(crate) fn hides_use(outline: &Outline<'_>, candidate: &Candidate) -> bool {
    adds_memory(candidate)
        || replaces_freed(outline, candidate)
        || frees_nothing(outline.text, &candidate.patch)
}

/// Whether a change takes new memory somewhere.
fn adds_memory(candidate: &Candidate) -> bool {
    let mut added = candidate.patch.edits().iter().map(|edit| edit.text.as_str());
    candidate.operator.adds() && added.any(|text| text.contains("alloc(") || text.contains("strdup("))
}

/// Whether a change lets a pointer point elsewhere that the text frees, unless to nothing.
fn replaces_freed(outline: &Outline<'_>, candidate: &Candidate) -> bool {
    let parts = candidate.change.parts();
    let Some((target, value)) = parts.first().and_then(|added| added.split_once('=')) else { return false };
    let (target, value) = (target.trim(), value.trim());
    let freed =
        || freed_paths(&outline.tokens.code, outline.text).into_iter().any(|(_, path)| path == target);
    candidate.operator.adds()
        && !is_nothing(value.trim_end_matches(';'))
        && !value.starts_with('=')
        && freed()
}

fn is_nothing(value: &str) -> bool {
    matches!(value, "0" | "NULL")
}

/// What `free` is called with, where that is a path such as `p` or `p->next`, with the token of the call.
fn freed_paths<'a>(code: &[Token], text: &'a str) -> Vec<(usize, &'a str)> {
    let word = |at: usize| code.get(at).map_or("", |token| token.span.text(text));
    let calls = (0..code.len()).filter(|at| word(*at) == "free" && word(at + 1) == "(");
    let argument = |at: usize| {
        let close = (at + 2..code.len()).find(|at| !is_path_part(word(*at)))?;
        let span = source::Span::new(code[at + 2].span.start, code[close - 1].span.end);
        (word(close) == ")" && close > at + 2).then(|| (at, span.text(text)))
    };
    calls.filter_map(argument).collect()
}

fn is_path_part(word: &str) -> bool {
    matches!(word, "." | "->") || word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Whether with a patch something is set to nothing and freed then: nothing is freed any more.
fn frees_nothing(text: &str, patch: &Patch) -> bool {
    // Most patches are nowhere near such an assignment or call.
    let is_near = |edit: &Edit| {
        let behind = text.get(edit.span.end..).unwrap_or_default().chars().take(8);
        let before = text.get(..edit.span.start).unwrap_or_default().chars().rev().take(6);
        let near: String =
            before.collect::<Vec<_>>().into_iter().rev().chain(edit.text.chars()).chain(behind).collect();
        near.contains("free") || near.contains('=') && (near.contains('0') || near.contains("NULL"))
    };
    patch.edits().iter().any(is_near) && freed_after_nothing(&patch.apply(text)) > freed_after_nothing(text)
}

/// How often a path is freed that was set to nothing last, in the order of the text of one function.
fn freed_after_nothing(text: &str) -> usize {
    let code = scan(text).code;
    let word = |at: usize| code.get(at).map_or("", |token| token.span.text(text));
    let freed = freed_paths(&code, text);
    let mut nothing: BTreeSet<&str> = BTreeSet::new();
    let (mut found, mut depth) = (0, 0usize);
    for at in 0..code.len() {
        match word(at) {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            nothing.clear();
        }
        if word(at + 1) == "=" {
            let first = (0..=at).rev().take_while(|at| is_path_part(word(*at))).last().unwrap_or(at);
            let path = source::Span::new(code[first].span.start, code[at].span.end).text(text);
            let is_reset = is_nothing(word(at + 2)) && matches!(word(at + 3), ";" | ",");
            let _ = if is_reset { nothing.insert(path) } else { nothing.remove(path) };
        }
        found += freed.iter().filter(|(call, path)| *call == at && nothing.contains(path)).count();
    }
    found
}

/// Whether a change leaves out that something is given back or waited for. What is never freed is never used after it was
/// freed, and who never sleeps is never left asleep, but that is seldom what was meant.
pub(crate) fn withholds(outline: &Outline<'_>, candidate: &Candidate) -> bool {
    let Some(edit) = candidate.patch.edits().first() else { return false };
    let at = outline.tokens.code.partition_point(|token| token.span.start < edit.span.start);
    let word = outline.word(at);
    candidate.operator == Operator::Dropped
        && (matches!(word, "free" | "fclose" | "close" | "release" | "leave" | "pthread_join" | "sem_wait")
            || ["unlock", "cond_wait", "barrier_wait"].iter().any(|end| word.ends_with(end)))
}

/// A pointer that others can still follow is set to nothing right after it was freed.
pub(crate) fn forgotten_pointers(found: &mut CandidateList<'_, '_>) {
    let outline = found.outline;
    if outline.language != Language::C {
        return;
    }
    for (call, path) in freed_paths(&outline.tokens.code, outline.text) {
        let is_local =
            outline.meaning(call + 2).is_some_and(|meant| meant.unit.is_some() && meant.text == path);
        let node = outline.tree.nodes.iter().find(|node| node.form == Form::Simple && node.first == call);
        if let Some(node) = node.filter(|_| !is_local) {
            insert_as(found, Operator::Forgotten, node, &format!("{path} = NULL"));
        }
    }
}

/// A statement is executed only if the pointers are there that it follows.
pub(crate) fn asked_pointers(found: &mut CandidateList<'_, '_>, places: Places<'_>) {
    let outline = found.outline;
    if outline.language != Language::C {
        return;
    }
    for node in &outline.tree.nodes {
        let is_asked = outline.token(node.first).is_some_and(places);
        if node.form != Form::Simple || !is_asked || is_sacred(outline, node) {
            continue;
        }
        let mut asked: Vec<&str> = Vec::new();
        for at in (node.first..node.last).filter(|at| outline.word(*at) == "->") {
            let part = |at: &usize| {
                outline.kind(*at) == Some(TokenKind::Word) || matches!(outline.word(*at), "." | "->")
            };
            let first = (node.first..at).rev().take_while(part).last();
            asked.extend(first.map(|first| outline.slice(first, at - 1)));
        }
        asked.sort_unstable();
        asked.dedup();
        let (line, statement) = (outline.line(node.first), bare(outline, node));
        for pointer in asked {
            let condition = format!("{pointer} != NULL");
            let edit = (outline.span(node.first, node.last), format!("if ({condition}) {statement};"));
            let change = TextChange::Under { first: one_line(statement), last: None, what: condition };
            found.add(Operator::Guarded, line, vec![edit], change);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::told;

    #[test]
    fn what_is_set_to_nothing_is_not_freed() {
        let text = "void f(void) { struct box *b = shared; shared = 0; free(b); }\n";
        let patched = |old: &str, new: &str| {
            let start = text.find(old).expect("a part of the text");
            let span = source::Span::new(start, start + old.len());
            Patch::replace(text, span, new).is_some_and(|patch| frees_nothing(text, &patch))
        };
        assert!(patched("shared = 0", "b = 0") && patched("shared = 0", "b = NULL"));
        assert!(patched("free(b)", "free(shared)") && patched("(b)", "(shared)"));
        assert!(!patched("shared = 0", "shared = b"));
        let text = "void f(struct list *l) { free(l->data); l->size = 0; }\n";
        let before = |added: &str| {
            let at = text.find("free").expect("the call");
            let patch = Patch::replace(text, source::Span::at(at), added.to_owned()).expect("a patch");
            frees_nothing(text, &patch)
        };
        assert!(before("l->data = NULL; ") && !before("l->size = 0; "));
        let text = "void e(struct list *p) { p->data = NULL; }\nvoid f(struct list *p) {\n if (p->data != NULL)\n  free(p->data);\n p->data = NULL;\n}\nvoid g(struct list *p) { free(p->data); }\n";
        let start = text.find("free").expect("the call");
        let span = source::Span::new(start, start + "free(p->data);".len());
        let patch = Patch::replace(text, span, "{ p->data = NULL; free(p->data); }").expect("a patch");
        assert!(frees_nothing(text, &patch));
    }

    #[test]
    fn another_object_in_place_of_a_freed_one_hides_the_use() {
        let text = "void f(struct job *j) { use(j); free(j); }\n";
        let outline = Outline::new(text, Language::C);
        let hidden = |added: &str| {
            let mut found = CandidateList::new(&outline, 100);
            let node = outline.tree.nodes.iter().find(|node| outline.word(node.first) == "free");
            insert_as(&mut found, Operator::Inserted, node.expect("the call"), added);
            found.candidates.iter().map(|candidate| hides_use(&outline, candidate)).collect::<Vec<_>>()
        };
        assert_eq!(hidden("j = job_new(3)"), [true, true]);
        assert_eq!(hidden("count = 3"), [false, false]);
        assert_eq!(hidden("j = NULL"), [true, false], "before the call nothing is freed any more");
    }

    #[test]
    fn pointers_are_set_to_nothing_where_others_see_them() {
        let text = "struct list { int *data; };\nvoid f(struct list *l, int *own) {\n free(l->data);\n free(own);\n}\n";
        assert_eq!(
            told(text, Language::C, forgotten_pointers),
            ["`l->data = NULL` before `free(l->data)`", "`l->data = NULL` after `free(l->data)`"]
        );
    }

    #[test]
    fn pointers_are_asked_for_before_they_are_followed() {
        let text =
            "struct e { struct e *next, *prev; };\nvoid f(struct e *e) {\n e->next->prev = e->prev;\n}\n";
        assert_eq!(
            told(text, Language::C, |found| asked_pointers(found, &|_| true)),
            [
                "`e->next->prev = e->prev` under `e != NULL`",
                "`e->next->prev = e->prev` under `e->next != NULL`"
            ]
        );
    }
}
