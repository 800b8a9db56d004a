//! Changes that switch off a choice of the environment: an option of a Promela model that is always possible, such as the
//! one that loses a message, one of several options with the same guard, or a value that a C program is given from
//! outside and the branch that it decides. Without such a choice the violation may be gone, but the model is another one.

use crate::Language;
use crate::names::Name;
use crate::outline::Outline;
use crate::patch::{Edit, Patch};

/// Whether a patch takes away a choice that is nobody's decision in the text.
pub(crate) fn is_of_environment(outline: &Outline<'_>, patch: &Patch) -> bool {
    patch.edits().iter().any(|edit| match outline.language {
        Language::Promela => {
            disables_option(outline, edit)
                || changes_twin(outline, edit)
                || changes_budget(outline, edit)
                || changes_range(outline, edit)
                || chooses(outline, edit)
        }
        Language::C => {
            fixes_input(outline, edit) || decides_input(outline, edit) || ignores_input(outline, edit)
        }
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

/// Whether an edit adds what is one of several options that nobody's decision in the text leads to.
fn chooses(outline: &Outline<'_>, edit: &Edit) -> bool {
    let added = edit.text.trim().trim_end_matches(';').trim_start_matches(';').trim();
    let is_free = |(first, last): &(usize, usize)| {
        let end = guard_end(outline, *first, *last);
        let sends = (*first + 1..=end).any(|at| matches!(outline.word(at), "!" | "!!"));
        sends || matches!(outline.word(*first), "true" | "skip" | "1")
    };
    let is_insertion = edit.span.start == edit.span.end && !added.is_empty();
    is_insertion
        && (0..outline.len()).filter(|at| matches!(outline.word(*at), "if" | "do")).any(|open| {
            let all = options(outline, open);
            let is_option = |(first, last): &(usize, usize)| {
                outline.slice(*first, guard_end(outline, *first, *last)) == added
            };
            all.len() > 1 && all.iter().all(is_free) && all.iter().any(is_option)
        })
}

/// Whether an edit changes the values that `select` chooses from, or how many processes there are from the start.
fn changes_range(outline: &Outline<'_>, edit: &Edit) -> bool {
    let closed_by = |at: usize| match (outline.word(at), outline.word(at + 1)) {
        ("select", "(") => Some(")"),
        ("active", "[") => Some("]"),
        _ => None,
    };
    (0..outline.len()).any(|at| {
        let Some(sign) = closed_by(at) else { return false };
        let close = (at..outline.len()).find(|at| outline.word(*at) == sign).unwrap_or(at);
        let range = outline.span(at, close);
        range.start < edit.span.end && edit.span.start < range.end
    })
}

/// Whether the choice that an option belongs to has another one.
fn has_siblings(outline: &Outline<'_>, option: usize) -> bool {
    let encloses = |open: &usize| {
        matches!(outline.word(*open), "if" | "do")
            && outline.closing(*open).is_some_and(|close| close > option)
    };
    (0..option).rev().find(encloses).is_some_and(|open| options(outline, open).len() > 1)
}

/// The tokens at which the choices begin that an edit stands in.
fn choices_around(outline: &Outline<'_>, edit: &Edit) -> impl Iterator<Item = usize> {
    let at = outline.tokens.code.partition_point(|token| token.span.end <= edit.span.start);
    (0..=at.min(outline.len().saturating_sub(1))).filter(move |open| {
        matches!(outline.word(*open), "if" | "do") && outline.closing(*open).is_some_and(|close| close >= at)
    })
}

/// Whether an edit changes something in these tokens, or at one of their ends.
fn is_touched(outline: &Outline<'_>, edit: &Edit, (first, last): (usize, usize)) -> bool {
    let own = outline.span(first, last);
    edit.span.start <= own.end && own.start <= edit.span.end
}

/// Whether an edit changes the guard of an option that another one of the same choice has as well, or the option itself
/// if it does nothing more: which of them is taken is nobody's decision in the text.
fn changes_twin(outline: &Outline<'_>, edit: &Edit) -> bool {
    choices_around(outline, edit).any(|open| {
        let options = options(outline, open);
        let touched = |option| is_touched(outline, edit, option);
        let guard = |(first, last): (usize, usize)| (first, guard_end(outline, first, last));
        let word = |(first, last): (usize, usize)| outline.slice(first, last);
        options.iter().enumerate().any(|(number, own)| {
            let is_idle = is_idle(outline, guard(*own).1, own.1);
            let touches = if is_idle { touched(*own) } else { touched(guard(*own)) };
            let mut others = options.iter().enumerate().filter(|(other, _)| *other != number);
            touches && others.any(|(_, other)| word(guard(*other)) == word(guard(*own)))
        })
    })
}

/// Whether an edit changes an option that may be taken so many times and only counts how often, such as
/// `:: lost < 2 -> lost++` beside `:: link!m`: how often a link loses a message is what it is.
fn changes_budget(outline: &Outline<'_>, edit: &Edit) -> bool {
    choices_around(outline, edit).any(|open| {
        let options = options(outline, open);
        let is_free = |(first, last): (usize, usize)| {
            let guard = (first, guard_end(outline, first, last));
            let is_message =
                (guard.0..=guard.1).any(|at| matches!(outline.word(at), "!" | "?") && at > guard.0);
            is_message || matches!(outline.word(first), "true" | "skip" | "1")
        };
        options.iter().enumerate().any(|(number, own)| {
            let others = || options.iter().enumerate().filter(|(other, _)| *other != number);
            let beside_free = others().next().is_some() && others().all(|(_, other)| is_free(*other));
            is_touched(outline, edit, *own) && beside_free && only_counts_itself(outline, *own)
        })
    })
}

/// Whether all that an option does is to count or set the variable that its guard asks for, and to send.
fn only_counts_itself(outline: &Outline<'_>, (first, last): (usize, usize)) -> bool {
    let guard = guard_end(outline, first, last);
    let mut body = guard + 1..=last;
    let Some(start) = body.find(|at| !matches!(outline.word(*at), "->" | ";")) else { return false };
    let is_asked = (first..=guard).any(|at| outline.word(at) == outline.word(start));
    // What is sent then is what is sent in place of the message of another option.
    let rest = (start..=last).find(|at| outline.word(*at) == ";").map_or(last + 1, |at| at + 1);
    let only_sends =
        (rest..=last).all(|at| !matches!(outline.word(at), "->" | ";" | "?" | "=" | "++" | "--"));
    let is_one = !(start..rest).any(|at| matches!(outline.word(at), "->" | "!" | "?")) && only_sends;
    let sets = matches!(outline.word(start + 1), "++" | "--" | "=");
    let is_asking = !(first..=guard).any(|at| matches!(outline.word(at), "!" | "?") && at > first);
    is_asked && is_one && sets && is_asking && outline.word(first) != "else"
}

/// The options of the choice that begins at a token, without their `::`.
fn options(outline: &Outline<'_>, open: usize) -> Vec<(usize, usize)> {
    let Some(close) = outline.closing(open) else { return Vec::new() };
    let mut starts = Vec::new();
    let mut at = open + 1;
    while at < close {
        if outline.word(at) == "::" {
            starts.push(at);
        }
        let inner = outline.closing(at).filter(|_| matches!(outline.word(at), "if" | "do" | "{" | "("));
        at = inner.unwrap_or(at) + 1;
    }
    let ends = starts.iter().skip(1).copied().chain([close]);
    let ranges = starts.iter().zip(ends).map(|(start, end)| (start + 1, end.saturating_sub(1)));
    ranges.filter(|(first, last)| first <= last).collect()
}

/// The last token of the first statement of an option.
fn guard_end(outline: &Outline<'_>, first: usize, last: usize) -> usize {
    let ends = |at: &usize| {
        matches!(outline.word(*at), "->" | ";")
            || *at > first && outline.line(*at) != outline.line(*at - 1) && outline.word(*at) != "&&"
    };
    (first + 1..=last).find(ends).map_or(last, |end| end - 1)
}

/// Whether nothing is done behind a guard.
fn is_idle(outline: &Outline<'_>, guard: usize, last: usize) -> bool {
    (guard + 1..=last).all(|at| matches!(outline.word(at), "->" | ";" | "skip" | "true"))
}

/// Whether an edit is inside of a condition that asks the environment: what else is asked there would decide for it.
fn decides_input(outline: &Outline<'_>, edit: &Edit) -> bool {
    let conditions = outline.tree.nodes.iter().filter_map(|node| node.condition);
    conditions.into_iter().any(|(first, last)| {
        let own = outline.span(first, last);
        let is_inside = edit.span.start >= own.start && edit.span.end <= own.end;
        is_inside && (first..=last).any(|at| outline.word(at).contains("nondet"))
    })
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

/// Whether an edit takes away the only place where the program uses an input, besides asking whether it is one that
/// counts, or gives an input another value.
fn ignores_input(outline: &Outline<'_>, edit: &Edit) -> bool {
    let at = outline.tokens.code.partition_point(|token| token.span.start < edit.span.start);
    let is_input = |name: &str| {
        (0..outline.len()).any(|at| {
            outline.word(at) == name && outline.word(at + 1) == "=" && outline.word(at + 2).contains("nondet")
        })
    };
    let target = match edit.text.split_once('=') {
        Some((target, _)) => target.trim(),
        None if matches!(outline.word(at + 1), "=" | "+=" | "-=" | "++" | "--") => edit.text.as_str(),
        None => "",
    };
    if is_input(target) && outline.word(at) != target {
        return true;
    }
    inputs(outline).into_iter().any(|name| takes_all_uses(outline, edit, name))
}

/// The variables that get a value from outside.
fn inputs<'o, 'a>(outline: &'o Outline<'a>) -> Vec<&'o Name<'a>> {
    let given = (0..outline.len()).filter(|at| is_given(outline, *at));
    let mut names: Vec<&Name<'a>> = given.filter_map(|at| outline.meaning(at)).collect();
    names.sort_by_key(|name| name.at);
    names.dedup_by_key(|name| name.at);
    names
}

fn is_given(outline: &Outline<'_>, at: usize) -> bool {
    outline.word(at + 1) == "=" && outline.word(at + 2).contains("nondet")
}

/// Whether nothing but leaving the function or the program depends on the condition that ends at a token.
fn leaves_behind(outline: &Outline<'_>, last: usize) -> bool {
    let body = last + 2 + usize::from(outline.word(last + 2) == "{");
    matches!(outline.word(body), "return" | "exit" | "abort")
}

/// Whether an edit replaces all places where the program uses a variable, besides conditions under which it leaves at once.
fn takes_all_uses(outline: &Outline<'_>, edit: &Edit, name: &Name<'_>) -> bool {
    let is_asked = |at: usize| {
        outline.tree.holding(at).any(|node| {
            let condition = outline.tree.nodes[node].condition;
            condition
                .is_some_and(|(first, last)| (first..=last).contains(&at) && leaves_behind(outline, last))
        })
    };
    let is_use = |at: &usize| {
        outline.word(*at) == name.text
            && *at != name.at
            && outline.meaning(*at).is_some_and(|meant| meant.at == name.at)
            && !is_given(outline, *at)
            && !is_asked(*at)
    };
    let is_taken = |at: usize| {
        outline
            .token(at)
            .is_some_and(|token| edit.span.start <= token.span.start && token.span.end <= edit.span.end)
    };
    let mut uses = (0..outline.len()).filter(is_use).peekable();
    let stays = edit.text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name.text);
    uses.peek().is_some() && !stays && uses.all(is_taken)
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
    fn one_of_two_options_with_the_same_guard_is_chosen_by_nobody() {
        let text = "active proctype Link() { do :: in?m -> out!m :: in?m -> skip /* lost */ :: x > 1 -> y = 2 od }\n";
        let off = |old: &str, new: &str| switches_off(Language::Promela, text, old, new);
        assert!(off("in?m -> skip", "x > 1 -> skip"));
        assert!(off("skip", "out!m"), "nothing is lost any more");
        assert!(!off("out!m", "out!0"));
        assert!(!off("x > 1", "x > 2") && !off("y = 2", "y = 3"));
    }

    #[test]
    fn how_often_something_is_lost_stays() {
        let text = "active proctype Link() { do :: in?m -> if :: out!m :: lost < 2 -> lost++ fi od }\n";
        let off = |old: &str, new: &str| switches_off(Language::Promela, text, old, new);
        assert!(off("lost < 2", "lost < 1") && off("lost++", "out!m"));
        assert!(!off("out!m", "out!0"));
        let text = "active proctype P() { do :: i < 2 -> i++ :: else -> break od }\n";
        assert!(!switches_off(Language::Promela, text, "i < 2", "i <= 2"), "a loop");
    }

    #[test]
    fn what_the_environment_chooses_is_not_added_to_what_it_does() {
        let text =
            "active proctype User() { if :: c!start,0 :: d!start,0 :: skip fi; if :: e!1 :: skip fi }\n";
        let outline = Outline::new(text, Language::Promela);
        let added = |statement: &str| {
            let at = text.rfind("if").expect("the second choice");
            let patch =
                Patch::replace(text, source::Span::at(at), format!("{statement}; ")).expect("a patch");
            is_of_environment(&outline, &patch)
        };
        assert!(added("d!start,0") && added("e!1"));
        assert!(!added("x = 1"));
        let text = "active proctype P() { if :: c!good :: noise < 2 -> noise++; c!bad fi }\n";
        assert!(switches_off(Language::Promela, text, "< 2", "< 1"));
    }

    #[test]
    fn what_is_chosen_from_and_how_many_there_are_stays() {
        let text = "active [2] proctype P() { byte i; select (i : 8..21); x = 8 }\n";
        let off = |old: &str, new: &str| switches_off(Language::Promela, text, old, new);
        assert!(off("21", "20") && off("2]", "1]"));
        assert!(!off("x = 8", "x = 9"));
    }

    #[test]
    fn inputs_stay_inputs() {
        let text = "int main(void) { int x = __VERIFIER_nondet_int(); if (x) f(x); return 0; }\n";
        assert!(switches_off(Language::C, text, "__VERIFIER_nondet_int()", "0"));
        assert!(!switches_off(Language::C, text, "__VERIFIER_nondet_int()", "__VERIFIER_nondet_int() + 1"));
        assert!(!switches_off(Language::C, text, "f(x)", "f(0)"));
        let text = "int main(void) { int in, own = 1; in = __VERIFIER_nondet_int(); if (in < 3) return 0; f(in); g(own); }\n";
        let last_replaced = |old: &str, new: &str| {
            let start = text.rfind(old).expect("a part of the text");
            let patch = Patch::replace(text, source::Span::new(start, start + old.len()), new);
            is_of_environment(&Outline::new(text, Language::C), &patch.expect("a patch"))
        };
        assert!(last_replaced("in", "own"), "the input is asked for, and not used");
        assert!(last_replaced("f(in);", ";"));
        assert!(!last_replaced("own", "in"));
        assert!(last_replaced("f(in)", "in = 4; f(in)"), "the input is another one");
        let text = "int main(void) { if (__VERIFIER_nondet_bool()) lost(); if (x) f(x); return 0; }\n";
        assert!(switches_off(Language::C, text, "nondet_bool()", "nondet_bool() && x"));
        assert!(!switches_off(Language::C, text, "(x)", "(!x)"));
    }
}
