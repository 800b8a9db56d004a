//! Changes that make something pointless: after them a variable is set to itself, or to nothing but what it has from the start, as if
//! it were a constant. They make violations go away by making less happen.

use crate::outline::Outline;
use crate::patch::{Edit, Patch};
use crate::token::TokenKind;
use crate::tree::Form;

/// Whether a patch sets a variable to itself, or replaces the constant of an assignment, or leaves an assignment out, so that all that are left to the
/// variable give it the value that it has from the start.
pub(crate) fn is_pointless(outline: &Outline<'_>, patch: &Patch) -> bool {
    if patch.edits().iter().any(sets_itself) || sets_itself_with(outline, patch) {
        return true;
    }
    let [edit] = patch.edits() else { return false };
    let start = outline.tokens.code.partition_point(|token| token.span.start < edit.span.start);
    if is_own_value(outline, start, edit) {
        return true;
    }
    let inside = (start..outline.len())
        .take_while(|at| outline.token(*at).is_some_and(|token| token.span.end <= edit.span.end));
    // A constant by itself, or a whole assignment.
    let mut values = inside.clone().filter_map(|at| Some((at, assigned(outline, at)?)));
    let Some((at, name)) = values.next() else { return false };
    let is_left_out = inside.count() > 1;
    if is_left_out && edit.text.contains('=') {
        return false;
    }
    let others = (0..outline.len()).filter(|other| *other != at && assigned(outline, *other) == Some(name));
    let mut values = others.map(|other| outline.slice(other, end(outline, other)));
    let Some(first) = values.next() else { return false };
    (is_left_out || first == edit.text)
        && values.all(|value| value == first)
        && is_initial(outline, name, first)
}

/// Whether a new statement sets something to itself, such as `x = x` or `*p = *p`.
fn sets_itself(edit: &Edit) -> bool {
    edit.text.split([';', '{', '}']).any(is_same_on_both_sides)
}

fn is_same_on_both_sides(statement: &str) -> bool {
    let mut sides = statement.split('=').map(str::trim);
    let (target, value, more) = (sides.next(), sides.next(), sides.next());
    more.is_none() && target == value && target.is_some_and(|target| !target.is_empty())
}

/// Whether the statement that is changed sets something to itself afterwards.
fn sets_itself_with(outline: &Outline<'_>, patch: &Patch) -> bool {
    let [edit] = patch.edits() else { return false };
    let at = outline.tokens.code.partition_point(|token| token.span.end <= edit.span.start);
    let node = outline.tree.holding(at).last().map(|node| &outline.tree.nodes[node]);
    let Some(node) = node.filter(|node| node.form == Form::Simple) else { return false };
    let span = outline.span(node.first, node.last);
    let (Some(before), Some(behind)) =
        (outline.text.get(span.start..edit.span.start), outline.text.get(edit.span.end..span.end))
    else {
        return false;
    };
    is_same_on_both_sides(format!("{before}{}{behind}", edit.text).trim_end_matches(';'))
}

/// Whether a name is replaced by another so that a variable is set to what it has already.
fn is_own_value(outline: &Outline<'_>, at: usize, edit: &Edit) -> bool {
    let is_whole = |first: usize| matches!(outline.word(first), ";" | "," | "}" | "->" | "::" | "fi" | "od");
    let is_name = outline.token(at).is_some_and(|token| token.span == edit.span);
    let as_target = outline.word(at + 1) == "=" && outline.word(at + 2) == edit.text && is_whole(at + 3);
    let as_value = at >= 2
        && outline.word(at - 1) == "="
        && outline.word(at - 2) == edit.text
        && is_whole(at + 1)
        && !matches!(outline.word(at.saturating_sub(3)), "." | "->");
    is_name && (as_target || as_value)
}

/// Whether a variable has a value from the start; what is declared without one has 0.
fn is_initial(outline: &Outline<'_>, name: &str, value: &str) -> bool {
    let plain = |value: &str| if value == "false" { "0".to_owned() } else { value.to_owned() };
    let declared = outline.names.iter().find(|known| known.text == name && !known.is_member);
    let sign = declared.map(|known| match outline.closing(known.at + 1) {
        Some(close) => close + 1,
        None => known.at + 1,
    });
    let initial = match sign {
        Some(sign) if outline.word(sign) == "=" => outline.slice(sign + 1, end(outline, sign + 1)),
        _ => "0",
    };
    plain(initial) == plain(value)
}

/// The name that is assigned to, if an assignment's value begins at a token.
fn assigned<'a>(outline: &Outline<'a>, at: usize) -> Option<&'a str> {
    let sign = at.checked_sub(1).filter(|sign| outline.word(*sign) == "=")?;
    let mut target = sign.checked_sub(1)?;
    // What is before an index is what counts.
    if outline.word(target) == "]" {
        target = outline.partner.get(target).copied()?.checked_sub(1)?;
    }
    (outline.kind(target) == Some(TokenKind::Word)).then(|| outline.word(target))
}

/// Where the value ends that begins at a token.
fn end(outline: &Outline<'_>, first: usize) -> usize {
    let ends =
        |at: &usize| matches!(outline.word(*at), ";" | "," | "}" | ")" | "->" | "::" | "fi" | "od" | "");
    (first + 1..).find(ends).map_or(first, |end| end - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    fn pointless(text: &str, old: &str, new: &str) -> bool {
        let outline = Outline::new(text, Language::Promela);
        let token = outline.tokens.code.iter().find(|token| token.span.text(text) == old);
        let patch = token.and_then(|token| Patch::replace(text, token.span, new));
        patch.is_some_and(|patch| is_pointless(&outline, &patch))
    }

    #[test]
    fn a_lock_that_is_never_taken_is_pointless() {
        let text = "inline take(f) { atomic { !f -> f = true } }\ninline drop(f) { f = false }\n";
        assert!(pointless(text, "true", "false"));
        assert!(!pointless(text, "false", "true"), "it is not taken at the start");
        let text = "byte l[3] = 1;\nactive proctype P() { l[0] = 1; l[1] = 2; m = 0 }\n";
        assert!(pointless(text, "2", "1"));
        assert!(!pointless(text, "2", "3"));
        let outline = Outline::new(text, Language::Promela);
        let left_out = |old: &str| {
            let start = text.find(old).unwrap_or(0);
            let span = source::Span::new(start, start + old.len());
            Patch::replace(text, span, "skip").is_some_and(|patch| is_pointless(&outline, &patch))
        };
        assert!(left_out("l[1] = 2"));
        assert!(!left_out("m = 0"));
        assert!(!pointless("active proctype P() { x = 4 }\n", "4", "5"), "nothing else is known of it");
    }

    #[test]
    fn to_set_a_variable_to_itself_is_pointless() {
        let text = "active proctype P() { b = a; c = a + 1; d = e }\n";
        assert!(pointless(text, "b", "a"));
        assert!(pointless(text, "e", "d"));
        assert!(!pointless(text, "c", "a"), "one more is something else");
        assert!(!pointless(text, "e", "a"));
        let text = "void swap(int *a, int *b) {\n int t = *a;\n *a = *b;\n *b = t;\n}\n";
        let outline = Outline::new(text, Language::C);
        let first_replaced = |part: &str, new: &str| {
            let start = text.find(part).expect("a part of the text");
            let span = source::Span::new(start, start + 1);
            Patch::replace(text, span, new).is_some_and(|patch| is_pointless(&outline, &patch))
        };
        assert!(first_replaced("a = *b", "b"));
        assert!(!first_replaced("b = t", "a"));
    }
}
