//! Statements of the program once more, in a place where they are missing: whole branches as well as single statements,
//! as they stand or with variables put in place of others, the same everywhere in the statement.
//!
//! Code that is missing mostly resembles code that is there: the comparison of a pair that was forgotten, the check that
//! all other functions make. So copies are made of what stands near, of what other units do (with variables of this
//! one in place of theirs), and of what stands near with other variables of the same kind.

use crate::Language;
use crate::candidate::{CandidateList, Operator};
use crate::expressions::{Places, is_condition};
use crate::names::Name;
use crate::outline::Outline;
use crate::statements::{ENDS, insert_as, is_inert, is_sacred};
use crate::token::TokenKind;
use crate::tree::{Form, Node};

/// How many tokens a statement may have that is written once more.
const LONGEST: usize = 48;

/// How many of the nearest statements are looked at.
const NEAREST: usize = 60;

/// How many variables are put in place of one.
const OTHERS: usize = 3;

/// Puts copies beside the statements that are looked at: so many of each kind beside each.
pub(crate) fn again(found: &mut CandidateList<'_, '_>, places: Places<'_>, most: usize) {
    let outline = found.outline;
    let models: Vec<&Node> =
        outline.tree.nodes.iter().filter(|node| is_worth_copying(outline, node)).collect();
    for node in &outline.tree.nodes {
        if outline.token(node.first).is_none_or(|token| !places(token)) || node.form == Form::Declaration {
            continue;
        }
        for statement in copies(outline, &models, node, most) {
            insert_as(found, Operator::Again, node, &statement);
        }
    }
}

fn is_worth_copying(outline: &Outline<'_>, node: &Node) -> bool {
    let is_form = matches!(node.form, Form::Simple | Form::If | Form::Loop | Form::Block);
    is_form
        && node.last.saturating_sub(node.first) < LONGEST
        && outline.word(node.first) != ";"
        && !is_sacred(outline, node)
        && !is_inert(outline, node)
        && !(node.first..=node.last).any(|at| outline.word(at) == "goto" || ENDS.contains(&outline.word(at)))
        && (outline.language == Language::C || !is_condition(outline, node.first, node.last))
}

/// What could be missing beside a statement, the likeliest first.
fn copies(outline: &Outline<'_>, models: &[&Node], beside: &Node, most: usize) -> Vec<String> {
    let unit = outline.unit_of(beside.first);
    let mut near: Vec<&Node> = models.to_vec();
    near.sort_by_key(|node| outline.line(node.first).abs_diff(outline.line(beside.first)));
    near.truncate(NEAREST);
    let mut same: Vec<String> = Vec::new();
    let mut foreign: Vec<String> = Vec::new();
    let (mut renamed, mut small): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for model in near {
        let is_here = outline.unit_of(model.first) == unit;
        let Some(fitted) = fitted(outline, model.first, model.last, beside.first) else { continue };
        let kept = if is_here { &mut same } else { &mut foreign };
        let statement = written(outline, model, &fitted);
        // Single statements of the same unit are repeated elsewhere.
        let mut made: Vec<String> =
            other_way(&statement).filter(|_| model.form == Form::Simple).into_iter().collect();
        if !(is_here && model.form == Form::Simple) {
            made.insert(0, statement);
        }
        for statement in made {
            if kept.len() < most && !kept.contains(&statement) {
                kept.push(statement);
            }
        }
        if is_here {
            let kept = if model.form == Form::Simple { &mut small } else { &mut renamed };
            for mapping in renamings(outline, &fitted, beside) {
                let statement = written(outline, model, &mapping);
                let other = other_way(&statement).filter(|_| model.form == Form::Simple);
                for statement in std::iter::once(statement).chain(other) {
                    if kept.len() < 2 * most && !kept.contains(&statement) {
                        kept.push(statement);
                    }
                }
            }
        }
    }
    let mut all = same;
    all.extend(foreign);
    all.extend(renamed);
    all.extend(small);
    all
}

/// A variable of a statement, and what stands in its place.
type Put<'o, 'a> = (&'o Name<'a>, &'a str);

/// A statement that counts or adds, the other way.
fn other_way(statement: &str) -> Option<String> {
    let signs =
        [("++", "--"), ("--", "++"), (" += ", " -= "), (" -= ", " += "), (" + ", " - "), (" - ", " + ")];
    let (old, new) = signs.into_iter().find(|(old, _)| statement.contains(old))?;
    (statement.matches(old).count() == 1).then(|| statement.replace(old, new))
}

/// The text of tokens with names that mean something at another token: their own, where they do, and otherwise others
/// of the same kind.
pub(crate) fn adapted(outline: &Outline<'_>, first: usize, last: usize, at: usize) -> Option<String> {
    let mapping = fitted(outline, first, last, at)?;
    Some(in_one_line(outline, first, last, &|token| put(outline, token, &mapping)))
}

/// The names among tokens, each with itself if it can be used at another token, and otherwise with what can be used
/// there and is of its kind.
fn fitted<'o, 'a>(
    outline: &'o Outline<'a>,
    first: usize,
    last: usize,
    there: usize,
) -> Option<Vec<Put<'o, 'a>>> {
    let mut found: Vec<Put<'o, 'a>> = Vec::new();
    for at in first..=last {
        let Some(name) = outline.meaning(at).filter(|name| !name.is_member) else { continue };
        // What is declared among them comes with them.
        let is_own = (first..=last).contains(&name.at);
        if is_own || found.iter().any(|(known, _)| known.at == name.at) {
            continue;
        }
        let usable = usable(outline, name, there);
        let itself = usable.clone().find(|other| other.text == name.text);
        // What belongs to one unit stands for what belongs to another.
        let (like, others): (Vec<_>, Vec<_>) =
            usable.partition(|other| other.unit.is_some() == name.unit.is_some());
        let mut usable = like.into_iter().chain(others);
        let taken = |other: &&'o Name<'a>| found.iter().all(|(_, put)| *put != other.text);
        let put = itself.or_else(|| usable.find(taken))?;
        found.push((name, put.text));
    }
    Some(found)
}

/// Names of the kind of another that can be used at a token.
fn usable<'o, 'a>(
    outline: &'o Outline<'a>,
    name: &'o Name<'a>,
    there: usize,
) -> impl Iterator<Item = &'o Name<'a>> + Clone + use<'o, 'a> {
    let unit = outline.unit_of(there);
    outline.names.iter().filter(move |other| {
        other.kind == name.kind
            && other.is_member == name.is_member
            && other.is_constant == name.is_constant
            && (other.unit.is_none() || other.unit == unit)
            && (other.at < there || other.is_constant)
    })
}

/// Other variables in place of those of a statement: one of them another one (which gets its place, if it is in the
/// statement, too), or all of them the next ones in the order in which they are declared.
fn renamings<'o, 'a>(
    outline: &'o Outline<'a>,
    fitted: &[Put<'o, 'a>],
    beside: &Node,
) -> Vec<Vec<Put<'o, 'a>>> {
    let mut all = Vec::new();
    let shifted = |up: bool| {
        let next = |name: &'o Name<'a>, put: &'a str| {
            let kin: Vec<&str> = usable(outline, name, beside.first).map(|other| other.text).collect();
            let here = kin.iter().position(|other| *other == put)?;
            let there = if up { here.checked_add(1) } else { here.checked_sub(1) };
            kin.get(there?).copied()
        };
        // What has no next one, such as a temporary variable that is declared last, stays as it is.
        let moved: Vec<Put<'o, 'a>> =
            fitted.iter().map(|(name, put)| (*name, next(name, put).unwrap_or(put))).collect();
        let distinct =
            moved.iter().enumerate().all(|(at, (_, put))| moved[..at].iter().all(|(_, other)| other != put));
        (distinct && moved.as_slice() != fitted).then_some(moved)
    };
    all.extend(shifted(true));
    all.extend(shifted(false));
    for (at, (name, old)) in fitted.iter().enumerate() {
        let others = usable(outline, name, beside.first).filter(|other| other.text != *old);
        for other in others.take(OTHERS) {
            let mut mapping = fitted.to_vec();
            mapping.iter_mut().filter(|(_, put)| *put == other.text).for_each(|(_, put)| *put = old);
            mapping[at].1 = other.text;
            all.push(mapping);
        }
    }
    all
}

/// A statement with other names, in one line and without the semicolon at its end.
fn written<'a>(outline: &Outline<'a>, node: &Node, mapping: &[Put<'_, 'a>]) -> String {
    let last = if outline.word(node.last) == ";" { node.last.saturating_sub(1) } else { node.last };
    in_one_line(outline, node.first, last.max(node.first), &|at| put(outline, at, mapping))
}

/// What stands in place of the name at a token.
fn put<'a>(outline: &Outline<'a>, at: usize, mapping: &[Put<'_, 'a>]) -> Option<&'a str> {
    let meant = outline.meaning(at).filter(|name| !name.is_member)?;
    mapping.iter().find(|(name, _)| name.at == meant.at).map(|(_, put)| *put)
}

/// Tokens in one line, without comments, and with other words in place of some.
pub(crate) fn in_one_line<'a>(
    outline: &Outline<'a>,
    first: usize,
    last: usize,
    other: &dyn Fn(usize) -> Option<&'a str>,
) -> String {
    let mut text = String::new();
    let mut end = None;
    for at in first..=last {
        let span = outline.span(at, at);
        if end.is_some_and(|end| end != span.start) {
            text.push(' ');
        }
        let word = if outline.kind(at) == Some(TokenKind::Word) { other(at) } else { None };
        text.push_str(word.unwrap_or_else(|| outline.word(at)));
        end = Some(span.end);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(text: &str, language: Language, line: u64) -> Vec<String> {
        let outline = Outline::new(text, language);
        let mut found = CandidateList::new(&outline, 1_000);
        again(&mut found, &|token| token.line == line, 6);
        found.candidates.into_iter().map(|candidate| report::tell::change(&candidate.change)).collect()
    }

    #[test]
    fn a_branch_is_written_once_more_with_other_variables() {
        let text = "int main(void) {\n int a = 1, b = 2, c = 3, t;\n if (a > b) { // in order\n  t = a;\n  a = b;\n  b = t;\n }\n \
                    assert(a <= b && b <= c);\n return 0;\n}\n";
        let made = made(text, Language::C, 8);
        assert_eq!(made[0], "`if (a > b) { t = a; a = b; b = t; }` before `assert(a <= b && b <= c)`");
        for wanted in [
            "if (b > c) { t = b; b = c; c = t; }",
            "if (a > c) { t = a; a = c; c = t; }",
            "if (b > a) { t = b; b = a; a = t; }",
        ] {
            assert!(made.iter().any(|what| what.starts_with(&format!("`{wanted}`"))), "{wanted}: {made:#?}");
        }
    }

    #[test]
    fn what_another_function_checks_is_checked_here_too() {
        let text = "int top, full;\nint add(int n) {\n if (n < 2) {\n  full = 1;\n  return 0;\n }\n return n;\n}\n\
                    int drop(int m) {\n top = m;\n return m;\n}\n";
        let made = made(text, Language::C, 10);
        assert!(
            made.contains(&"`if (m < 2) { full = 1; return 0; }` before `top = m`".to_owned()),
            "{made:#?}"
        );
        assert!(!made.iter().any(|what| what.contains('n') && what.contains("(n")), "{made:#?}");
    }

    #[test]
    fn what_is_taken_from_one_is_given_to_the_other() {
        let text = "enum who { ann, bob };\nint cash[2];\nvoid f(int from, int to, int n) {\n cash[from] = cash[from] - n;\n \
                    pay(ann);\n}\n";
        let made = made(text, Language::C, 5);
        for wanted in ["`cash[to] = cash[to] + n` before", "`pay(bob)` after"] {
            assert!(made.iter().any(|what| what.starts_with(wanted)), "{wanted}: {made:#?}");
        }
    }

    #[test]
    fn an_option_of_a_model_is_copied_whole() {
        let text = "byte x, y;\nactive proctype P() {\n if\n :: x > 0 -> x--\n :: else\n fi;\n y = 1\n}\n";
        let made = made(text, Language::Promela, 7);
        assert!(made.contains(&"`if :: x > 0 -> x-- :: else fi` before `y = 1`".to_owned()), "{made:#?}");
        assert!(made.contains(&"`if :: y > 0 -> y-- :: else fi` before `y = 1`".to_owned()), "{made:#?}");
    }
}
