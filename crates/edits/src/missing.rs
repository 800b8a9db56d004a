//! Statements that stand nowhere near, but could be what is missing: a call of a function that takes nothing, a
//! counter counted the other way, a variable set to a value that the text knows it by.

use crate::Language;
use crate::candidate::CandidateList;
use crate::expressions::Places;
use crate::outline::Outline;
use crate::specification::is_checked;
use crate::statements::insert_beside;
use crate::token::TokenKind;
use crate::tree::Form;

/// Puts such statements beside those that are looked at, so many of them at each.
pub(crate) fn missing(found: &mut CandidateList<'_, '_>, places: Places<'_>, most: usize) {
    let outline = found.outline;
    let all = known(outline);
    for node in &outline.tree.nodes {
        if outline.token(node.first).is_none_or(|token| !places(token)) || node.form == Form::Declaration {
            continue;
        }
        let unit = outline.unit_of(node.first);
        let fits = |made: &&Made| match made.unit {
            Scope::Everywhere => true,
            Scope::In(own) => Some(own) == unit,
            Scope::NotIn(own) => Some(own) != unit,
        };
        for made in all.iter().filter(fits).take(most) {
            insert_beside(found, node, &made.statement);
        }
    }
}

/// Where a statement means something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    Everywhere,
    In(usize),
    NotIn(usize),
}

#[derive(Debug, PartialEq, Eq)]
struct Made {
    statement: String,
    unit: Scope,
}

fn known(outline: &Outline<'_>) -> Vec<Made> {
    let mut all = Vec::new();
    for at in (1..outline.len()).filter(|at| outline.word(*at) == "!") {
        flag(outline, at, &mut all);
    }
    calls(outline, &mut all);
    for at in 1..outline.len() {
        match outline.word(at) {
            "++" => variable_before(outline, at, "--", &mut all),
            "--" => variable_before(outline, at, "++", &mut all),
            "=" | "==" | "!=" => value(outline, at, &mut all),
            _ => {}
        }
    }
    all
}

fn add(all: &mut Vec<Made>, made: Made) {
    if !all.contains(&made) {
        all.push(made);
    }
}

/// Functions of the program that take nothing.
fn calls(outline: &Outline<'_>, all: &mut Vec<Made>) {
    if outline.language != Language::C {
        return;
    }
    for (number, unit) in outline.units.iter().enumerate() {
        let Some((open, close)) = unit.parameters else { continue };
        let takes_nothing = close == open + 1 || close == open + 2 && outline.word(open + 1) == "void";
        let name = open.checked_sub(1).map_or("", |at| outline.word(at));
        if takes_nothing && name != "main" && !name.is_empty() {
            let unit = Scope::NotIn(number);
            add(all, Made { statement: format!("{name}()"), unit });
        }
    }
}

/// A variable that ends before a sign: its path, such as `c->state`, from its first token on.
fn path<'a>(outline: &Outline<'a>, end: usize) -> Option<(usize, &'a str)> {
    let is_word = |at: usize| outline.kind(at) == Some(TokenKind::Word);
    let mut first = end.checked_sub(1).filter(|at| is_word(*at))?;
    while first >= 2 && matches!(outline.word(first - 1), "." | "->") && is_word(first - 2) {
        // In Promela an arrow ends a statement.
        if outline.word(first - 1) == "->" && outline.language == Language::Promela {
            break;
        }
        first -= 2;
    }
    Some((first, outline.slice(first, end - 1)))
}

/// Where the variable can be used whose path begins at a token; nothing if it is none.
fn scope(outline: &Outline<'_>, first: usize) -> Option<Scope> {
    let meant = outline.meaning(first).filter(|meant| !meant.is_constant && !meant.is_member)?;
    // To set what is checked to what it should be is no repair.
    if is_checked(outline, meant.text) {
        return None;
    }
    Some(meant.unit.map_or(Scope::Everywhere, Scope::In))
}

/// What is counted up somewhere may have to be counted down here.
fn variable_before(outline: &Outline<'_>, at: usize, sign: &str, all: &mut Vec<Made>) {
    if let Some((first, variable)) = path(outline, at)
        && let Some(unit) = scope(outline, first)
    {
        add(all, Made { statement: format!("{variable}{sign}"), unit });
    }
}

/// What is set to a constant or compared with one may have to be set to it.
fn value(outline: &Outline<'_>, at: usize, all: &mut Vec<Made>) {
    let Some((first, variable)) = path(outline, at) else { return };
    let Some(unit) = scope(outline, first) else { return };
    let word = outline.word(at + 1);
    let ends = !matches!(outline.word(at + 2), "." | "->" | "[" | "(" | "+" | "-" | "*" | "/" | "%");
    let is_constant = outline.kind(at + 1) == Some(TokenKind::Number)
        || matches!(word, "true" | "false" | "NULL")
        || outline.meaning(at + 1).is_some_and(|meant| meant.is_constant);
    if is_constant && (ends || outline.language == Language::Promela && outline.word(at + 2) == "->") {
        add(all, Made { statement: format!("{variable} = {word}"), unit });
    }
}

/// What is asked to be false may have to become true, and the other way round.
fn flag(outline: &Outline<'_>, at: usize, all: &mut Vec<Made>) {
    let is_whole = matches!(outline.word(at + 2), ")" | "&&" | "||");
    let is_number = outline.meaning(at + 1).is_some_and(|meant| !meant.kind.contains(['*', '[']));
    if outline.language != Language::C || !is_whole || !is_number {
        return;
    }
    let Some(unit) = scope(outline, at + 1) else { return };
    let name = outline.word(at + 1);
    let is_set = |value: &str| {
        (0..outline.len()).any(|at| {
            outline.word(at) == name && outline.word(at + 1) == "=" && outline.word(at + 2) == value
        })
    };
    for value in ["1", "0"].into_iter().filter(|value| !is_set(value)) {
        add(all, Made { statement: format!("{name} = {value}"), unit });
    }
}

#[cfg(test)]
mod tests {
    use findings::TextChange;

    use super::*;

    fn statements(text: &str, language: Language) -> Vec<String> {
        known(&Outline::new(text, language)).into_iter().map(|made| made.statement).collect()
    }

    #[test]
    fn what_is_known_of_variables_and_functions_is_proposed() {
        let text = "int lock, n; struct s { int state; } s;\nvoid take(void) { lock = 1; }\n\
                    int main(void) { take(); n++; if (s.state == 3) assert(n == 0); return n - lock; }\n";
        assert_eq!(
            statements(text, Language::C),
            ["take()", "lock = 1", "s.state = 3"],
            "what is checked is not"
        );
        let text =
            "mtype = { on, off };\nmtype m = off;\nactive proctype P() { byte i; do :: m == on -> i++ od }\n";
        assert_eq!(statements(text, Language::Promela), ["m = off", "m = on", "i--"]);
    }

    #[test]
    fn flags_are_set_and_taken_back() {
        let text = "int main(void) { int inside = 0, *p; if (!inside && !p) f(); return 0; }\n";
        assert_eq!(statements(text, Language::C), ["inside = 1", "inside = 0"]);
    }

    #[test]
    fn variables_of_another_function_are_not() {
        let text = "void f(void) {\n int x = 0;\n x++;\n}\nint main(void) {\n f();\n return 0;\n}\n";
        let outline = Outline::new(text, Language::C);
        let mut found = CandidateList::new(&outline, 100);
        missing(&mut found, &|token| token.line == 6, 10);
        let changes: Vec<TextChange> =
            found.candidates.into_iter().map(|candidate| candidate.change).collect();
        let call = || "f()".to_owned();
        let before = TextChange::Before { first: call(), second: call() };
        assert_eq!(changes, [before, TextChange::After { statement: call(), other: call() }]);
    }
}
