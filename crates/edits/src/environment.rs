//! Changes that switch off a choice of the environment: an option of a Promela model that is always possible, such as the
//! one that loses a message, or a value that a C program is given from outside. Without such a choice the violation may
//! be gone, but the model is another one.

use crate::Language;
use crate::outline::Outline;
use crate::patch::{Edit, Patch};

/// Whether a patch takes away a choice that is nobody's decision in the text.
pub(crate) fn is_of_environment(outline: &Outline<'_>, patch: &Patch) -> bool {
    patch.edits().iter().any(|edit| match outline.language {
        Language::Promela => disables_option(outline, edit),
        Language::C => fixes_input(outline, edit),
    })
}

/// Whether an edit replaces the first statement of an option, which was always possible, or puts a condition before it.
fn disables_option(outline: &Outline<'_>, edit: &Edit) -> bool {
    let at = outline.tokens.code.partition_point(|token| token.span.end <= edit.span.start);
    // An edit between two tokens is before the second one.
    let first = at.saturating_sub(usize::from(outline.word(at) == "::" && edit.span.start == edit.span.end));
    let is_always = |at: usize| {
        at > 0 && outline.word(at - 1) == "::" && matches!(outline.word(at), "true" | "skip" | "1")
    };
    let touched = (first..outline.len())
        .take_while(|at| outline.token(*at).is_some_and(|token| token.span.start <= edit.span.end));
    let mut options = touched.filter(|at| is_always(*at) && has_siblings(outline, at - 1));
    let is_same = |text: &str| matches!(text.trim(), "true" | "skip" | "1");
    options.any(|at| {
        let own = outline.span(at, at);
        let is_before = edit.span.end <= own.start;
        match is_before {
            true => edit.text.contains("->"),
            false => edit.span.start < own.end && !is_same(&edit.text),
        }
    })
}

/// Whether the choice that an option belongs to has another one.
fn has_siblings(outline: &Outline<'_>, option: usize) -> bool {
    let encloses = |open: &usize| {
        matches!(outline.word(*open), "if" | "do")
            && outline.closing(*open).is_some_and(|close| close > option)
    };
    let Some(open) = (0..option).rev().find(encloses) else { return false };
    let Some(close) = outline.closing(open) else { return false };
    let mut at = open + 1;
    let mut options = 0;
    while at < close {
        options += usize::from(outline.word(at) == "::");
        let inner = outline.closing(at).filter(|_| matches!(outline.word(at), "if" | "do" | "{" | "("));
        at = inner.unwrap_or(at) + 1;
    }
    options > 1
}

/// Whether an edit takes a value from outside away.
fn fixes_input(outline: &Outline<'_>, edit: &Edit) -> bool {
    let inside = outline
        .tokens
        .code
        .iter()
        .enumerate()
        .filter(|(_, token)| token.span.start >= edit.span.start && token.span.end <= edit.span.end);
    let mut words = inside.map(|(at, _)| outline.word(at));
    words.any(|word| word.contains("nondet") && !edit.text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn switches_off(language: Language, text: &str, old: &str, new: &str) -> bool {
        let start = text.find(old).expect("a part of the text");
        let span = source::Span::new(start, start + old.len());
        let patch = Patch::replace(text, span, new).expect("a patch");
        is_of_environment(&Outline::new(text, language), &patch)
    }

    #[test]
    fn a_choice_that_is_always_possible_stays_so() {
        let text = "active proctype P() { do :: true -> lost++ :: c!1 -> x = 1 od; if :: skip fi }\n";
        let off = |old: &str, new: &str| switches_off(Language::Promela, text, old, new);
        assert!(off("true", "false"));
        assert!(off("true -> lost++", "x > 1 -> lost++"));
        assert!(!off("lost++", "skip"));
        assert!(!off("x = 1", "x = 2"));
        assert!(!off("skip", "x > 1"), "there is no other option");
    }

    #[test]
    fn inputs_stay_inputs() {
        let text = "int main(void) { int x = __VERIFIER_nondet_int(); if (x) f(x); return 0; }\n";
        assert!(switches_off(Language::C, text, "__VERIFIER_nondet_int()", "0"));
        assert!(!switches_off(Language::C, text, "__VERIFIER_nondet_int()", "__VERIFIER_nondet_int() + 1"));
        assert!(!switches_off(Language::C, text, "f(x)", "f(0)"));
    }
}
