//! Changes of what can happen between the steps of a process: atomic sequences, locks, channels, waiting.

use findings::TextChange;

use crate::Language;
use crate::candidate::{CandidateList, Operator, one_line};
use crate::expressions::Places;
use crate::outline::Outline;
use crate::statements::bare;
use crate::tree::{Form, Node};

/// How many statements a protected sequence gets at most.
const LONGEST: usize = 5;

/// Whether a call takes a lock, by its name.
fn locks(word: &str) -> bool {
    word.ends_with("_lock") || word == "lock" || word == "mtx_lock" || word == "enter" || word == "acquire"
}

/// The opposite of a call that takes a lock.
fn unlock_of(word: &str) -> Option<&'static str> {
    Some(match word {
        "pthread_mutex_lock" => "pthread_mutex_unlock",
        "pthread_spin_lock" => "pthread_spin_unlock",
        "mtx_lock" => "mtx_unlock",
        "lock" => "unlock",
        "enter" => "leave",
        "acquire" => "release",
        _ => return None,
    })
}

/// Atomic sequences and locked regions that are so no longer.
pub(crate) fn unprotected(found: &mut CandidateList<'_, '_>, places: Places<'_>) {
    let outline = found.outline;
    for node in &outline.tree.nodes {
        if outline.token(node.first).is_none_or(|token| !places(token)) {
            continue;
        }
        let word = outline.word(node.first);
        if node.form == Form::Block && matches!(word, "atomic" | "d_step") {
            let mut span = outline.span(node.first, node.first);
            // With the blanks behind it, unless they end a line.
            let rest = &outline.text[span.end..];
            span.end += rest.len() - rest.trim_start_matches([' ', '\t']).len();
            let line = outline.line(node.first);
            let region = (line, outline.line(node.last));
            let edits = vec![(span, String::new())];
            let change = TextChange::Without { part: word.to_owned() };
            found.add_in(Operator::Unprotected, region, line, edits, change);
        }
        if node.form == Form::Simple
            && locks(word)
            && let Some(other) = release_of(outline, node)
        {
            let edits =
                [node, other].map(|node| (outline.span(node.first, node.last), empty(outline).to_owned()));
            let change = TextChange::Without { part: one_line(bare(outline, node)) };
            let line = outline.line(node.first);
            let region = (line, outline.line(other.last));
            found.add_in(Operator::Unprotected, region, line, edits.to_vec(), change);
        }
    }
}

/// The statement that does nothing.
fn empty(outline: &Outline<'_>) -> &'static str {
    match outline.language {
        Language::C => ";",
        Language::Promela => "skip",
    }
}

/// The statement behind a lock that gives it back, in the same sequence.
fn release_of<'o>(outline: &'o Outline<'_>, node: &Node) -> Option<&'o Node> {
    let release = unlock_of(outline.word(node.first))?;
    let arguments = |node: &Node| bare(outline, node).split_once('(').map(|(_, rest)| rest);
    let items = &outline.tree.sequences[node.sequence].items;
    let behind = items.iter().skip(node.index + 1).map(|item| &outline.tree.nodes[*item]);
    behind
        .filter(|other| outline.word(other.first) == release)
        .find(|other| arguments(other) == arguments(node))
}

/// Neighbours that become one atomic sequence, or one region under a lock that the program has.
pub(crate) fn protected(found: &mut CandidateList<'_, '_>, places: Places<'_>) {
    let outline = found.outline;
    let mutexes = mutexes(outline);
    for (number, node) in outline.tree.nodes.iter().enumerate() {
        let mut is_near = false;
        for distance in 0..LONGEST {
            let Some(last) = outline.tree.neighbour(number, distance).map(|last| &outline.tree.nodes[last])
            else {
                break;
            };
            // A loop that nobody can come into keeps everybody else out for as long as it runs.
            let ends = match outline.language {
                Language::Promela => matches!(last.form, Form::Jump | Form::Declaration | Form::Loop),
                Language::C => last.form == Form::Jump,
            };
            if ends {
                break;
            }
            is_near |= outline.token(last.first).is_some_and(places);
            if !is_near || inside_atomic(outline, node) || is_only_check(outline, node, last) {
                continue;
            }
            let line = outline.line(node.first);
            match outline.language {
                Language::Promela => {
                    if distance > 0 {
                        let edits = vec![
                            (
                                source::Span::at(outline.span(node.first, node.first).start),
                                "atomic { ".to_owned(),
                            ),
                            (source::Span::at(outline.span(last.last, last.last).end), " }".to_owned()),
                        ];
                        let (first, last) = (short(outline, node), short(outline, last));
                        found.add(Operator::Protected, line, edits, TextChange::MadeAtomic { first, last });
                    }
                }
                Language::C => {
                    for mutex in &mutexes {
                        protect(found, node, last, mutex);
                    }
                }
            }
        }
    }
}

/// Whether a sequence is an assertion and what keeps the books for it, such as `n++; assert(n == 1); n--`: nothing but the
/// check would be protected.
fn is_only_check(outline: &Outline<'_>, first: &Node, last: &Node) -> bool {
    let tokens = || first.first..=last.last;
    let names = |at: usize| outline.meaning(at).filter(|name| !name.is_constant).map(|name| name.at);
    let checked: Vec<usize> = tokens().filter(|at| outline.is_sacred(*at)).filter_map(names).collect();
    let is_counted = |at: usize| {
        matches!(outline.word(at + 1), "++" | "--") && names(at).is_some_and(|name| checked.contains(&name))
    };
    // Whoever keeps others out between a count and the check of it hides what is checked.
    let has_count = tokens().any(is_counted);
    !checked.is_empty() && (has_count || tokens().filter_map(names).all(|name| checked.contains(&name)))
}

fn short(outline: &Outline<'_>, node: &Node) -> String {
    let is_whole = matches!(node.form, Form::Simple | Form::Declaration | Form::Jump);
    one_line(if is_whole { bare(outline, node) } else { outline.word(node.first) })
}

/// A region of C under a lock.
fn protect(found: &mut CandidateList<'_, '_>, first: &Node, last: &Node, mutex: &str) {
    let outline = found.outline;
    let whole = outline.slice(first.first, last.last);
    if !outline.tree.sequences[first.sequence].has_room
        || whole.contains("_lock(")
        || whole.contains("_unlock(")
    {
        return;
    }
    let start = source::Span::at(outline.span(first.first, first.first).start);
    let end = source::Span::at(outline.span(last.last, last.last).end);
    let edits = vec![
        (start, format!("pthread_mutex_lock(&{mutex}); ")),
        (end, format!(" pthread_mutex_unlock(&{mutex});")),
    ];
    let change = TextChange::Under {
        first: short(outline, first),
        last: (first.first != last.first).then(|| short(outline, last)),
        what: mutex.to_owned(),
    };
    found.add(Operator::Protected, outline.line(first.first), edits, change);
}

fn inside_atomic(outline: &Outline<'_>, node: &Node) -> bool {
    let holding = outline.tree.holding(node.first);
    holding.map(|holder| &outline.tree.nodes[holder]).any(|holder| {
        holder.first != node.first
            && holder.form == Form::Block
            && matches!(outline.word(holder.first), "atomic" | "d_step")
    })
}

/// The mutexes that every function can use.
fn mutexes<'a>(outline: &Outline<'a>) -> Vec<&'a str> {
    let all = outline.names.iter().filter(|name| name.unit.is_none() && name.kind == "pthread_mutex_t ");
    all.map(|name| name.text).collect()
}

/// Channels with room for one message more.
pub(crate) fn widened(found: &mut CandidateList<'_, '_>, places: Places<'_>) {
    let outline = found.outline;
    if outline.language != Language::Promela {
        return;
    }
    for of in (0..outline.len()).filter(|at| outline.word(*at) == "of") {
        let Some(close) = of.checked_sub(1).filter(|close| outline.word(*close) == "]") else { continue };
        let open = outline.partner[close];
        if outline.token(of).is_none_or(|token| !places(token)) || open >= close.saturating_sub(1) {
            continue;
        }
        let span = outline.span(open + 1, close - 1);
        let old = span.text(outline.text);
        let new = match (old.parse::<u64>(), old.trim_end().strip_suffix("-1").or(old.strip_suffix("- 1"))) {
            (Ok(number), _) => number.saturating_add(1).to_string(),
            (_, Some(rest)) => rest.trim_end().to_owned(),
            _ => format!("{old} + 1"),
        };
        let change = TextChange::Room { new: new.clone(), old: old.to_owned() };
        found.add(Operator::Widened, outline.line(of), vec![(span, new)], change);
    }
}

/// Conditions that are asked again after waiting: `if` becomes `while`, or `do` in Promela.
pub(crate) fn rechecked(found: &mut CandidateList<'_, '_>, places: Places<'_>) {
    let outline = found.outline;
    for (number, node) in outline.tree.nodes.iter().enumerate() {
        if node.form != Form::If {
            continue;
        }
        let is_asked = |at: usize| outline.token(at).is_some_and(places);
        if !(node.first..=node.last).any(is_asked) {
            continue;
        }
        let waits = (node.first..node.last).any(|at| outline.word(at).contains("wait"));
        let line = outline.line(node.first);
        match outline.language {
            Language::C => {
                let has_else = (node.first..node.last).any(|at| outline.word(at) == "else");
                if waits && !has_else {
                    let span = outline.span(node.first, node.first);
                    found.add(
                        Operator::Rechecked,
                        line,
                        vec![(span, "while".to_owned())],
                        TextChange::Instead { new: "while".to_owned(), old: "if".to_owned() },
                    );
                }
            }
            Language::Promela => {
                let mut edits = vec![
                    (outline.span(node.first, node.first), "do".to_owned()),
                    (outline.span(node.last, node.last), "od".to_owned()),
                ];
                let options = outline.tree.sequences.iter().filter(|sequence| sequence.owner == Some(number));
                for option in options {
                    let ends = (option.items.first(), option.items.last());
                    let (Some(first), Some(last)) = ends else { continue };
                    let (first, last) = (&outline.tree.nodes[*first], &outline.tree.nodes[*last]);
                    let is_else = outline.word(first.first) == "else";
                    if is_else && last.form != Form::Jump {
                        edits.push((
                            source::Span::at(outline.span(last.last, last.last).end),
                            " -> break".to_owned(),
                        ));
                    }
                }
                if edits.len() > 2 {
                    let change = TextChange::Instead { new: "do".to_owned(), old: "if".to_owned() };
                    found.add(Operator::Rechecked, line, edits, change);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::told;

    #[test]
    fn a_check_and_its_books_are_not_what_is_to_be_protected() {
        let text = "byte n, y;\nactive proctype P() {\n y = 1;\n n++;\n assert(n == 1);\n n--\n}\n";
        let made = told(text, Language::Promela, |found| protected(found, &|_| true));
        assert_eq!(made, ["`y = 1` to `n++` made atomic"]);
    }
}
