//! Changes of whole statements: left out, in another order, put where one is missing.

use findings::TextChange;

use source::Span;

use crate::Language;
use crate::again::adapted;
use crate::candidate::{CandidateList, Operator, blank, one_line};
use crate::expressions::{Places, conditions, is_condition, negated, parts};
use crate::outline::Outline;
use crate::specification::checks_alone;
use crate::token::TokenKind;
use crate::tree::{Form, Node};

/// What a simple statement does, without its semicolon.
pub(crate) fn bare<'a>(outline: &Outline<'a>, node: &Node) -> &'a str {
    let last = if outline.word(node.last) == ";" { node.last.saturating_sub(1) } else { node.last };
    outline.slice(node.first, last.max(node.first))
}

pub(crate) fn is_sacred(outline: &Outline<'_>, node: &Node) -> bool {
    (node.first..=node.last).any(|at| outline.is_sacred(at))
}

/// Whether a statement of Promela sends.
fn sends(outline: &Outline<'_>, node: &Node) -> bool {
    let is_send = |at: usize| {
        outline.word(at) == "!!"
            || outline.word(at) == "!"
                && (outline.kind(at - 1) == Some(TokenKind::Word) || outline.word(at - 1) == "]")
    };
    outline.language == Language::Promela && (node.first + 1..=node.last).any(is_send)
}

/// Whether a statement of Promela does something that others can wait for, or just waits.
pub(crate) fn is_inert(outline: &Outline<'_>, node: &Node) -> bool {
    matches!(outline.word(node.first), "skip" | "else" | "printf" | "printm" | "select" | "true" | "")
        || outline.word(node.first) == "(" && outline.word(node.first + 1) == "void"
}

/// Simple statements that stand where they are looked for.
fn simple<'o>(outline: &'o Outline<'_>, places: Places<'o>) -> impl Iterator<Item = usize> + 'o {
    let nodes = outline.tree.nodes.iter().enumerate();
    nodes
        .filter(move |(_, node)| {
            node.form == Form::Simple
                && outline.token(node.first).is_some_and(places)
                && !is_sacred(outline, node)
                && !is_inert(outline, node)
        })
        .map(|(number, _)| number)
}

/// Statements left out.
pub(crate) fn dropped(found: &mut CandidateList<'_, '_>, places: Places<'_>) {
    let outline = found.outline;
    let numbers: Vec<usize> = simple(outline, places).collect();
    for number in numbers {
        let node = &outline.tree.nodes[number];
        let old = outline.slice(node.first, node.last);
        let operator = if sends(outline, node) { Operator::LostMessage } else { Operator::Dropped };
        let new = match outline.language {
            Language::C => format!(";{}", blank(old)),
            Language::Promela if is_condition(outline, node.first, node.last) => {
                format!("true{}", blank(old))
            }
            Language::Promela => format!("skip{}", blank(old)),
        };
        let span = outline.span(node.first, node.last);
        let sequence = &outline.tree.sequences[node.sequence];
        let beside = |at: usize| sequence.items.get(at).map(|item| outline.tree.nodes[*item]);
        let line = outline.line(node.first);
        // What comes before the first statement of a branch or body is its condition.
        let before = match node.index.checked_sub(1) {
            Some(before) => beside(before).map(|before| outline.line(before.last)),
            None => sequence.owner.map(|owner| outline.line(outline.tree.nodes[owner].first)),
        };
        let behind = beside(node.index + 1).map(|behind| outline.line(behind.first));
        let region = (before.unwrap_or(line), behind.unwrap_or(line));
        let change = TextChange::Without { part: one_line(bare(outline, node)) };
        found.add_in(operator, region, line, vec![(span, new)], change);
    }
}

/// Whether a block is one step in a line or two, such as `atomic { !lock -> lock = true }`.
fn is_short_step(outline: &Outline<'_>, node: &Node) -> bool {
    matches!(outline.word(node.first), "atomic" | "d_step")
        && outline.line(node.last) <= outline.line(node.first) + 1
}

/// Neighbours in the other order.
pub(crate) fn swapped(found: &mut CandidateList<'_, '_>, places: Places<'_>) {
    let outline = found.outline;
    for (number, node) in outline.tree.nodes.iter().enumerate() {
        for distance in 1..=2 {
            let Some(other) =
                outline.tree.neighbour(number, distance).map(|other| &outline.tree.nodes[other])
            else {
                break;
            };
            let fits = |node: &Node| {
                let is_step = node.form == Form::Block && is_short_step(outline, node);
                (node.form == Form::Simple || is_step)
                    && !is_sacred(outline, node)
                    && !is_inert(outline, node)
            };
            let is_asked = |node: &Node| outline.token(node.first).is_some_and(places);
            if !fits(node) || !fits(other) || !(is_asked(node) || is_asked(other)) {
                continue;
            }
            let (one, two) = (bare(outline, node), bare(outline, other));
            // To unlock before the lock turns a critical section inside out.
            let as_lock = |text: &str| text.replace("unlock", "lock");
            if one != two && as_lock(one) == as_lock(two) {
                continue;
            }
            let last = |node: &Node| if outline.word(node.last) == ";" { node.last - 1 } else { node.last };
            let edits = vec![
                (outline.span(node.first, last(node)), two.to_owned()),
                (outline.span(other.first, last(other)), one.to_owned()),
            ];
            let change = match distance {
                1 => TextChange::Before { first: one_line(two), second: one_line(one) },
                _ => TextChange::Exchanged { first: one_line(one), second: one_line(two) },
            };
            found.add(Operator::Swapped, outline.line(node.first), edits, change);
        }
    }
}

/// Conditions with one part more, taken from other conditions of the same unit.
pub(crate) fn stronger_conditions(found: &mut CandidateList<'_, '_>, places: Places<'_>, most: usize) {
    let outline = found.outline;
    let all = conditions(outline);
    // What is asked for in the end is no condition to turn inputs away by.
    let checks = checks_alone(outline);
    let is_check = |line: u64| checks.iter().any(|(first, last)| (*first..=*last).contains(&line));
    let asked = all.iter().filter(|(first, _)| is_check(outline.line(*first)));
    let asked: Vec<&str> =
        asked.map(|(first, last)| outline.span(*first, *last).text(outline.text)).collect();
    for (first, last) in all.iter().copied().chain(answers(outline)) {
        if outline.token(first).is_none_or(|token| !places(token)) {
            continue;
        }
        let span = outline.span(first, last);
        let old = span.text(outline.text);
        let own = known_conditions(outline, first).into_iter().take(most);
        let foreign = foreign_conditions(outline, &all, first).into_iter().take(most);
        let is_other = |part: &String| part != old && !asked.contains(&part.as_str());
        for part in own.chain(foreign).filter(is_other) {
            for (connective, kept) in [("&&", "||"), ("||", "&&")] {
                let wrap = |text: &str| {
                    if text.contains(kept) || text.contains("->") {
                        format!("({text})")
                    } else {
                        text.to_owned()
                    }
                };
                let new = format!("{} {connective} {}", wrap(old), wrap(&part));
                found.replace(Operator::Condition, outline.line(first), span, new);
            }
        }
    }
}

/// How many conditions of other units are looked at.
const NEAREST: usize = 20;

/// What functions of C return that is true or false.
fn answers(outline: &Outline<'_>) -> Vec<(usize, usize)> {
    let returned = outline.tree.nodes.iter().filter(|node| outline.word(node.first) == "return");
    let ranges = returned.map(|node| (node.first + 1, node.last.saturating_sub(1)));
    let is_answer = |(first, last): &(usize, usize)| {
        (*first..=*last)
            .any(|at| matches!(outline.word(at), "&&" | "||" | "==" | "!=" | "<" | ">" | "<=" | ">="))
            && !(*first..=*last).any(|at| matches!(outline.word(at), "?" | "=") || outline.is_sacred(at))
    };
    ranges.filter(|range| outline.language == Language::C && is_answer(range)).collect()
}

/// What other units ask, in names of the unit of a token, the nearest first.
fn foreign_conditions(outline: &Outline<'_>, all: &[(usize, usize)], at: usize) -> Vec<String> {
    let unit = outline.unit_of(at);
    let mut near: Vec<(usize, usize)> = all.to_vec();
    near.retain(|(first, _)| outline.unit_of(*first) != unit);
    near.sort_by_key(|(first, _)| outline.line(*first).abs_diff(outline.line(at)));
    near.truncate(NEAREST);
    let mut found: Vec<String> = Vec::new();
    for (first, last) in near {
        let divided = parts(outline, first, last).map_or_else(|| vec![(first, last)], |(_, parts)| parts);
        for text in divided.into_iter().filter_map(|(first, last)| adapted(outline, first, last, at)) {
            let is_one_name = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '>'));
            let opposite = if is_one_name { format!("!{text}") } else { format!("!({text})") };
            for text in [text, opposite] {
                if !found.contains(&text) {
                    found.push(text);
                }
            }
        }
    }
    found
}

/// What the unit of a token asks elsewhere, and the opposite of that, the nearest first.
fn known_conditions(outline: &Outline<'_>, at: usize) -> Vec<String> {
    let unit = outline.unit_of(at);
    let around: Vec<usize> = outline.tree.holding(at).collect();
    let is_known_here = |first: usize| {
        around.iter().any(|node| outline.tree.nodes[*node].condition.is_some_and(|(known, _)| known == first))
    };
    let mut near = conditions(outline);
    near.retain(|(first, _)| outline.unit_of(*first) == unit && *first != at && !is_known_here(*first));
    near.sort_by_key(|(first, _)| outline.line(*first).abs_diff(outline.line(at)));
    let mut found: Vec<String> = Vec::new();
    for (first, last) in near {
        let divided = parts(outline, first, last).map_or_else(Vec::new, |(_, parts)| parts);
        for (first, last) in std::iter::once((first, last)).chain(divided) {
            for text in [outline.slice(first, last).to_owned(), negated(outline, first, last)] {
                if !text.contains('\n') && !found.contains(&text) {
                    found.push(text);
                }
            }
        }
    }
    found
}

/// Statements put under a condition that the unit asks elsewhere.
pub(crate) fn guarded(found: &mut CandidateList<'_, '_>, places: Places<'_>, most: usize) {
    let outline = found.outline;
    let numbers: Vec<usize> = simple(outline, places).collect();
    for number in numbers {
        let node = &outline.tree.nodes[number];
        let statement = bare(outline, node);
        if outline.language == Language::Promela && is_condition(outline, node.first, node.last) {
            continue;
        }
        for condition in known_conditions(outline, node.first).into_iter().take(most) {
            let line = outline.line(node.first);
            let under = TextChange::Under { first: one_line(statement), last: None, what: condition.clone() };
            let span = outline.span(node.first, node.last);
            match outline.language {
                Language::C => {
                    found.add(
                        Operator::Guarded,
                        line,
                        vec![(span, format!("if ({condition}) {statement};"))],
                        under,
                    );
                }
                Language::Promela => {
                    let choice = format!("if :: {condition} -> {statement} :: else fi");
                    found.add(Operator::Guarded, line, vec![(span, choice)], under);
                    let waiting = format!("atomic {{ {condition} -> {statement} }}");
                    let change = TextChange::WaitingFor { statement: one_line(statement), condition };
                    found.add(Operator::Guarded, line, vec![(span, waiting)], change);
                }
            }
        }
    }
}

/// Statements of the same unit in places where they are missing.
pub(crate) fn repeated(found: &mut CandidateList<'_, '_>, places: Places<'_>, most: usize) {
    let outline = found.outline;
    for node in &outline.tree.nodes {
        if outline.token(node.first).is_none_or(|token| !places(token)) || node.form == Form::Declaration {
            continue;
        }
        for statement in known_statements(outline, node).into_iter().take(most) {
            insert_beside(found, node, &statement);
        }
    }
}

/// What ends a program from anywhere.
pub(crate) const ENDS: [&str; 5] = ["exit", "_Exit", "quick_exit", "abort", "pthread_exit"];

/// What the unit of a statement does elsewhere, the nearest first.
fn known_statements(outline: &Outline<'_>, at: &Node) -> Vec<String> {
    let unit = outline.unit_of(at.first);
    let mut near: Vec<&Node> = outline
        .tree
        .nodes
        .iter()
        .filter(|node| node.form == Form::Simple && outline.unit_of(node.first) == unit)
        .filter(|node| !is_sacred(outline, node) && !is_inert(outline, node))
        // To give up early mends everything and nothing.
        .filter(|node| !ENDS.contains(&outline.word(node.first)))
        .filter(|node| outline.language == Language::C || !is_condition(outline, node.first, node.last))
        .collect();
    near.sort_by_key(|node| outline.line(node.first).abs_diff(outline.line(at.first)));
    let mut found: Vec<String> = Vec::new();
    for node in near {
        let text = bare(outline, node).to_owned();
        if !text.contains('\n') && !found.contains(&text) {
            found.push(text);
        }
    }
    found
}

/// Puts a statement before another one and behind it.
pub(crate) fn insert_beside(found: &mut CandidateList<'_, '_>, node: &Node, statement: &str) {
    insert_as(found, Operator::Inserted, node, statement);
}

/// The same as a change of another kind.
pub(crate) fn insert_as(found: &mut CandidateList<'_, '_>, operator: Operator, node: &Node, statement: &str) {
    let outline = found.outline;
    // A statement in braces ends by itself.
    let ends = if outline.language == Language::C && statement.ends_with('}') { "" } else { ";" };
    let sequence = &outline.tree.sequences[node.sequence];
    let span = outline.span(node.first, node.last);
    let old = span.text(outline.text);
    let needs_braces = outline.language == Language::C && !sequence.has_room;
    let separator = if outline.language == Language::C || old.ends_with(';') { "" } else { ";" };
    let line = outline.line(node.first);
    // What comes before the first statement of an option would be its guard.
    let opens_option = sequence.is_option && node.index == 0;
    if !opens_option {
        let edit = match needs_braces {
            true => (span, format!("{{ {statement}{ends} {old} }}")),
            false => (Span::at(span.start), format!("{statement}{ends} ")),
        };
        found.add(
            operator,
            line,
            vec![edit],
            TextChange::Before { first: statement.to_owned(), second: head(outline, node) },
        );
    }
    if node.form != Form::Jump {
        let is_separated =
            matches!(outline.word(node.last + 1), ";" | "->" | "}" | "::" | "fi" | "od" | "unless");
        let end = if outline.language == Language::Promela && is_separated { "" } else { ends };
        let arrow = node.last + 1;
        let opens_branch = outline.language == Language::Promela && outline.word(arrow) == "->";
        let edit = match needs_braces {
            true => (span, format!("{{ {old} {statement}{ends} }}")),
            // What is chosen by a condition stands behind its arrow.
            false if opens_branch => (outline.span(arrow, arrow), format!("-> {statement};")),
            false => (Span::at(span.end), format!("{separator} {statement}{end}")),
        };
        let last = outline.line(node.last);
        found.add(
            operator,
            last,
            vec![edit],
            TextChange::After { statement: statement.to_owned(), other: head(outline, node) },
        );
    }
}

/// The beginning of a statement, to speak of it.
pub(crate) fn head(outline: &Outline<'_>, node: &Node) -> String {
    let text = match node.condition {
        Some((_, last)) if node.form != Form::Simple => outline.slice(node.first, last + 1),
        _ if node.form == Form::Simple || node.form == Form::Jump => bare(outline, node),
        _ => outline.word(node.first),
    };
    one_line(text)
}
