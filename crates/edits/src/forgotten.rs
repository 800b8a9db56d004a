//! What the text itself shows to be forgotten.
//!
//! Most statements that are missing have left a trace in what is there: a variable that is read and that nothing ever
//! sets; one that changes, is asked for, and never gets back the value it started with; something that another branch of the
//! choice does, or that comes before another way out of the function; a `break` where a case goes on into the next.
//! These are few, and where one of them helps it is more likely than any other insertion.

use std::collections::BTreeSet;

use findings::TextChange;

use crate::Language;
use crate::candidate::{CandidateList, Operator};
use crate::expressions::is_condition;
use crate::names::Name;
use crate::outline::Outline;
use crate::specification::is_checked;
use crate::statements::{bare, head, insert_as, is_inert};
use crate::token::TokenKind;
use crate::tree::{Form, Node};

/// How many places are tried for one variable.
const PLACES: usize = 40;
/// How many values are tried for a variable that nothing sets.
const VALUES: usize = 4;
/// How many lines a choice may have whose branches are compared.
const LONGEST: u64 = 80;

/// Puts such statements to where they may be missing.
pub(crate) fn forgotten(found: &mut CandidateList<'_, '_>) {
    never_set(found);
    never_reset(found);
    done_by_siblings(found);
    before_other_exits(found);
    missing_breaks(found);
}

/// How a variable is used in the text.
#[derive(Default)]
struct Uses {
    /// Tokens at which the program reads it, outside of what it is checked for.
    read: Vec<usize>,
    /// Tokens at which it is given a value.
    set: Vec<usize>,
    /// Tokens at which it is counted up or down.
    counted: Vec<usize>,
    /// Whether something else may set it: its address is taken, or a message is received into it.
    is_lent: bool,
}

fn uses(outline: &Outline<'_>, name: &Name<'_>) -> Uses {
    let mut uses = Uses::default();
    for at in 0..outline.len() {
        let is_use = at != name.at
            && outline.kind(at) == Some(TokenKind::Word)
            && outline.word(at) == name.text
            && outline.meaning(at).is_some_and(|meant| meant.at == name.at);
        if !is_use {
            continue;
        }
        let behind = match outline.word(at + 1) {
            "[" => outline.closing(at + 1).unwrap_or(at) + 1,
            _ => at + 1,
        };
        let before = at.checked_sub(1).map_or("", |before| outline.word(before));
        match outline.word(behind) {
            "=" => uses.set.push(at),
            "++" | "--" | "+=" | "-=" => uses.counted.push(at),
            _ if matches!(before, "++" | "--") => uses.counted.push(at),
            _ if before == "&" => uses.is_lent = true,
            _ if outline.language == Language::Promela && is_received(outline, at) => uses.is_lent = true,
            _ if !outline.is_sacred(at) => uses.read.push(at),
            _ => {}
        }
    }
    uses
}

/// Whether a message may be received into the variable at a token, or `select` sets it.
fn is_received(outline: &Outline<'_>, at: usize) -> bool {
    let start = (0..at).rev().find(|before| matches!(outline.word(*before), ";" | "->" | "::" | "{" | "}"));
    let mut before = start.map_or(0, |start| start + 1)..at;
    before.any(|before| matches!(outline.word(before), "?" | "??" | "select"))
}

/// The variables of the program that hold one value and belong to no parameter list.
fn variables<'o, 'a>(outline: &'o Outline<'a>) -> impl Iterator<Item = &'o Name<'a>> {
    outline.names.iter().filter(|name| {
        let is_parameter = name.unit.is_some_and(|unit| {
            outline.units[unit].parameters.is_some_and(|(open, close)| (open..close).contains(&name.at))
        });
        let is_plain = !name.kind.contains('*') && !name.kind.contains('[') && !name.kind.contains("chan");
        !name.is_member && !name.is_constant && !is_parameter && is_plain
    })
}

/// Statements beside which another one can be put.
fn statements<'o>(outline: &'o Outline<'_>) -> impl Iterator<Item = &'o Node> {
    outline.tree.nodes.iter().filter(|node| node.form == Form::Simple)
}

fn mentions(outline: &Outline<'_>, node: &Node, names: &[&str]) -> bool {
    (node.first..=node.last).any(|at| names.contains(&outline.word(at)))
}

/// A variable that is read and that nothing sets is given what another one of its kind holds.
fn never_set(found: &mut CandidateList<'_, '_>) {
    let outline = found.outline;
    for name in variables(outline) {
        let own = uses(outline, name);
        if own.read.is_empty() || !own.set.is_empty() || !own.counted.is_empty() || own.is_lent {
            continue;
        }
        let Some(unit) = outline.unit_of(own.read[0]) else { continue };
        let others = outline.names.iter().filter(|other| {
            other.kind == name.kind
                && other.at != name.at
                && !other.is_member
                && !other.is_constant
                && (other.unit.is_none() || other.unit == Some(unit))
        });
        for other in others.take(VALUES) {
            let statement = format!("{} = {}", name.text, other.text);
            let near = statements(outline).filter(|node| {
                outline.unit_of(node.first) == Some(unit)
                    && mentions(outline, node, &[other.text])
                    && !is_condition(outline, node.first, node.last)
            });
            for node in near.take(PLACES) {
                insert_as(found, Operator::Forgotten, node, &statement);
            }
        }
    }
}

/// A variable that is changed and asked for, and that nothing resets, is given its first value again.
fn never_reset(found: &mut CandidateList<'_, '_>) {
    let outline = found.outline;
    for name in variables(outline) {
        let own = uses(outline, name);
        let is_initial =
            |at: &usize| initial(outline, name).is_some_and(|value| assigned(outline, *at) == value);
        let decides = !own.read.is_empty();
        let changes = !own.counted.is_empty() || !own.set.is_empty();
        if !decides || !changes || own.set.iter().any(is_initial) {
            continue;
        }
        let Some(value) = initial(outline, name) else { continue };
        let units: BTreeSet<Option<usize>> =
            own.counted.iter().chain(&own.set).map(|at| outline.unit_of(*at)).collect();
        let statement = format!("{} = {value}", name.text);
        // Where others get their first values again, this one may have been left out.
        let near = statements(outline).filter(|node| {
            (units.contains(&outline.unit_of(node.first)) || name.unit.is_none() && is_reset(outline, node))
                && !is_where_it_counts(outline, node, name.text)
                && !is_condition(outline, node.first, node.last)
                && !(node.first..=node.last).any(|at| outline.is_sacred(at))
        });
        for node in near.take(PLACES) {
            let operator = if is_among_resets(outline, node) { Operator::Forgotten } else { Operator::Reset };
            insert_as(found, operator, node, &statement);
        }
    }
}

/// Whether a statement gives a variable of the whole text the value again that it has from the start.
fn is_reset(outline: &Outline<'_>, node: &Node) -> bool {
    let target = outline.meaning(node.first).filter(|meant| meant.unit.is_none() && !meant.is_member);
    let value = assigned(outline, node.first);
    target.is_some_and(|target| !value.is_empty() && initial(outline, target) == Some(value))
}

/// Whether a statement is one of several that reset something.
fn is_among_resets(outline: &Outline<'_>, node: &Node) -> bool {
    let sequence = &outline.tree.sequences[node.sequence];
    let beside = sequence.items.iter().map(|item| &outline.tree.nodes[*item]);
    is_reset(outline, node) && beside.filter(|other| is_reset(outline, other)).count() > 1
}

/// Whether the option or statement around a statement uses a variable: to set it there again and again undoes what it
/// is for.
fn is_where_it_counts(outline: &Outline<'_>, node: &Node, name: &str) -> bool {
    let sequence = &outline.tree.sequences[node.sequence];
    let beside = sequence.items.iter().map(|item| &outline.tree.nodes[*item]);
    mentions(outline, node, &[name])
        || sequence.is_option && beside.into_iter().any(|other| mentions(outline, other, &[name]))
}

/// The value that a variable is declared with; 0 where the language says so.
fn initial<'a>(outline: &Outline<'a>, name: &Name<'a>) -> Option<&'a str> {
    if outline.word(name.at + 1) == "=" {
        let value = outline.word(name.at + 2);
        let ends = matches!(outline.word(name.at + 3), ";" | "," | "}" | "");
        let is_value =
            outline.kind(name.at + 2) == Some(TokenKind::Number) || matches!(value, "true" | "false");
        let is_line =
            outline.language == Language::Promela && outline.line(name.at + 3) != outline.line(name.at + 2);
        return (is_value && (ends || is_line)).then_some(value);
    }
    let is_zero = outline.language == Language::Promela || name.unit.is_none();
    (is_zero && !name.kind.contains("mtype")).then_some(if name.kind == "bool" { "false" } else { "0" })
}

/// What is assigned to the variable at a token, as far as it is one word.
fn assigned<'a>(outline: &Outline<'a>, at: usize) -> &'a str {
    let sign = match outline.word(at + 1) {
        "[" => outline.closing(at + 1).unwrap_or(at) + 1,
        _ => at + 1,
    };
    if outline.word(sign) == "=" { outline.word(sign + 1) } else { "" }
}

/// What one branch does and another one of the same choice does not, such as an answer or a release.
fn done_by_siblings(found: &mut CandidateList<'_, '_>) {
    let outline = found.outline;
    let branches = |owner: usize| {
        let sequences = outline.tree.sequences.iter();
        sequences.filter(move |sequence| sequence.owner == Some(owner) && !sequence.items.is_empty())
    };
    for (owner, node) in outline.tree.nodes.iter().enumerate() {
        // The options of a loop mostly do different things.
        let is_short = outline.line(node.last) <= outline.line(node.first) + LONGEST;
        if node.form != Form::If || !is_short || branches(owner).count() < 2 {
            continue;
        }
        for lacking in branches(owner) {
            let own: Vec<&str> = simple(outline, &lacking.items).map(|node| bare(outline, node)).collect();
            let mut made: Vec<&str> = Vec::new();
            for other in branches(owner).filter(|other| !std::ptr::eq(*other, lacking)) {
                // What an option begins with is what was chosen.
                let is_behind = |node: &&Node| node.index > 0 || outline.language == Language::C;
                let effects =
                    simple(outline, &other.items).filter(is_behind).filter(|node| acts(outline, node));
                let effects = effects.filter(|node| !sets_what_is_checked(outline, node));
                for statement in effects.map(|node| bare(outline, node)) {
                    // Who sends something else there, or sets it otherwise, has forgotten nothing.
                    let does_otherwise = own.iter().any(|own| target(own) == target(statement));
                    if !statement.contains('\n') && !does_otherwise && !made.contains(&statement) {
                        made.push(statement);
                    }
                }
            }
            for statement in made {
                for at in ends(&lacking.items) {
                    let node = &outline.tree.nodes[at];
                    match outline.word(node.first) {
                        "skip" => {
                            let span = outline.span(node.first, node.last);
                            found.replace(Operator::Forgotten, outline.line(node.first), span, statement);
                        }
                        _ => insert_as(found, Operator::Forgotten, node, statement),
                    }
                }
            }
        }
    }
}

/// Where a statement sends to or what it sets: what stands before its sign.
fn target(statement: &str) -> &str {
    let end = statement.find(['!', '=']).filter(|end| *end > 0);
    end.map_or(statement, |end| statement[..end].trim_end())
}

/// The first and the last statement of a branch.
fn ends(items: &[usize]) -> impl Iterator<Item = usize> + use<> {
    let (first, last) = (items.first().copied(), items.last().copied());
    first.into_iter().chain(last.filter(|last| Some(*last) != first))
}

fn simple<'o>(outline: &'o Outline<'_>, items: &'o [usize]) -> impl Iterator<Item = &'o Node> {
    items.iter().map(|item| &outline.tree.nodes[*item]).filter(|node| node.form == Form::Simple)
}

/// Whether a statement does something that others notice.
fn acts(outline: &Outline<'_>, node: &Node) -> bool {
    let only_asks = match outline.language {
        Language::C => false,
        Language::Promela => is_condition(outline, node.first, node.last),
    };
    let is_checked = || (node.first..=node.last).any(|at| outline.is_sacred(at));
    if only_asks || is_inert(outline, node) || is_checked() {
        return false;
    }
    let does = |at: usize| matches!(outline.word(at), "!" | "!!" | "=" | "++" | "--" | "+=" | "-=");
    outline.word(node.first + 1) == "(" || (node.first + 1..=node.last).any(does)
}

/// Whether a statement sets a variable that the program is checked for: to set it in another branch as well makes what is
/// asked for true by itself.
fn sets_what_is_checked(outline: &Outline<'_>, node: &Node) -> bool {
    let sets = |at: &usize| matches!(outline.word(*at), "=" | "++" | "--" | "+=" | "-=");
    (node.first..=node.last).any(|at| sets(&at)) && is_checked(outline, outline.word(node.first))
}

/// What is done right before one way out of a function, and not before another one: a lock that is given back, a count.
fn before_other_exits(found: &mut CandidateList<'_, '_>) {
    let outline = found.outline;
    if outline.language != Language::C {
        return;
    }
    let exits: Vec<&Node> = outline
        .tree
        .nodes
        .iter()
        .filter(|node| node.form == Form::Jump && outline.word(node.first) == "return")
        .collect();
    for exit in &exits {
        let unit = outline.unit_of(exit.first);
        let mut made: Vec<&str> = Vec::new();
        for other in
            exits.iter().filter(|other| other.first != exit.first && outline.unit_of(other.first) == unit)
        {
            let before = &outline.tree.sequences[other.sequence].items[..other.index];
            let acting = simple(outline, before).filter(|node| acts(outline, node));
            for statement in acting.map(|node| bare(outline, node)) {
                if !statement.contains('\n') && !made.contains(&statement) {
                    made.push(statement);
                }
            }
        }
        let own: Vec<&str> = simple(outline, &outline.tree.sequences[exit.sequence].items[..exit.index])
            .map(|node| bare(outline, node))
            .collect();
        for statement in made.into_iter().rev().filter(|statement| !own.contains(statement)) {
            insert_as(found, Operator::Forgotten, exit, statement);
        }
    }
}

/// A `break` at the end of a case that goes on into the next one.
fn missing_breaks(found: &mut CandidateList<'_, '_>) {
    let outline = found.outline;
    if outline.language != Language::C {
        return;
    }
    for at in 1..outline.len() {
        let is_case = matches!(outline.word(at), "case" | "default");
        let before = at - 1;
        let falls_through =
            is_case && matches!(outline.word(before), ";" | "}") && !ends_by_jump(outline, before);
        if !falls_through || outline.is_sacred(before) {
            continue;
        }
        let line = outline.line(before);
        let last = outline.tree.nodes.iter().filter(|node| node.last == before).max_by_key(|node| node.first);
        let Some(last) = last else { continue };
        let change = TextChange::After { statement: "break".to_owned(), other: head(outline, last) };
        let end = source::Span::at(outline.span(before, before).end);
        found.add(Operator::Forgotten, line, vec![(end, " break;".to_owned())], change);
    }
}

/// Whether what ends at a token leaves the `switch`.
fn ends_by_jump(outline: &Outline<'_>, last: usize) -> bool {
    let mut nodes = outline.tree.nodes.iter().filter(|node| node.last == last || node.last + 1 == last);
    nodes.any(|node| node.form == Form::Jump)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(text: &str, language: Language) -> Vec<String> {
        let outline = Outline::new(text, language);
        let mut found = CandidateList::new(&outline, 1_000);
        forgotten(&mut found);
        found.candidates.into_iter().map(|candidate| report::tell::change(&candidate.change)).collect()
    }

    #[test]
    fn a_variable_that_nothing_sets_is_set() {
        let text = "active proctype P() {\n byte last = 0;\n byte pick;\n do\n :: pick = (last + 1) % 3;\n go!pick\n od\n}\n";
        assert!(made(text, Language::Promela).contains(&"`last = pick` after `go!pick`".to_owned()));
    }

    #[test]
    fn a_count_gets_its_first_value_again() {
        let text = "byte tries = 0;\nactive proctype P() {\n do\n :: tries < 3 -> tries++\n :: else -> back!done; m++\n od\n}\n";
        assert!(made(text, Language::Promela).contains(&"`tries = 0` after `back!done`".to_owned()));
        let reset = text.replace("m++", "tries = 0");
        assert!(!made(&reset, Language::Promela).iter().any(|change| change.contains("tries = 0")));
    }

    #[test]
    fn what_one_branch_does_may_be_missing_in_another() {
        let text = "active proctype P() {\n byte id, newest;\n if\n :: id > newest -> answer!id\n :: id == newest -> skip\n fi\n}\n";
        let lossy = "active proctype Link() {\n if\n :: out!m\n :: true -> lost++\n fi\n}\n";
        assert!(
            !made(lossy, Language::Promela).iter().any(|change| change.starts_with("`out!m")),
            "a choice"
        );
        let leaks = "active proctype P() {\n bool mapped;\n if\n :: !mapped ->\n  fails++;\n  used--\n :: else ->\n  used--;\n  pool!FREE,me\n fi;\n job++\n}\n";
        let leaks = made(leaks, Language::Promela);
        assert!(leaks.contains(&"`pool!FREE,me` after `used--`".to_owned()), "{leaks:#?}");
        assert!(leaks.contains(&"`pool!FREE,me` after `!mapped`".to_owned()), "a condition is a statement");
        let made = made(text, Language::Promela);
        assert!(made.contains(&"`answer!id` instead of `skip`".to_owned()), "{made:#?}");
    }

    #[test]
    fn what_comes_before_one_exit_may_be_missing_before_another() {
        let text =
            "int f(int x) {\n lock();\n if (x < 0) {\n  x++;\n  return -1;\n }\n unlock();\n return 0;\n}\n";
        let made = made(text, Language::C);
        assert!(made.contains(&"`unlock()` before `return -1`".to_owned()), "{made:#?}");
    }

    #[test]
    fn a_case_without_a_break_gets_one() {
        let text = "int f(int x) {\n int k = 0;\n switch (x) {\n case 1:\n  k = 1;\n case 2:\n  k = 2;\n  break;\n default:\n  k = 3;\n }\n return k;\n}\n";
        let made = made(text, Language::C);
        assert!(made.contains(&"`break` after `k = 1`".to_owned()), "{made:#?}");
        assert_eq!(made.iter().filter(|change| change.starts_with("`break`")).count(), 1);
    }
}
