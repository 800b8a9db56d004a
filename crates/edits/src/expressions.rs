//! Changes inside of expressions: other operators, constants, names, and conditions turned round.

use model::Binary;
use model::mistakes::mistaken;

use crate::Language;
use crate::candidate::{CandidateList, Operator};
use crate::outline::Outline;
use crate::token::{Token, TokenKind};
use crate::tree::Form;
use crate::values::nearest;

/// What can stand in place of a sign, the likeliest first, and what kind of change that is.
fn other_signs(sign: &str) -> (Operator, Vec<&'static str>) {
    use Operator::{Arithmetic, Comparison, Connective};
    if let Some(operator) = Binary::of_sign(sign) {
        let kind = if operator.is_comparison() { Comparison } else { Arithmetic };
        return (kind, mistaken(operator).iter().map(|other| other.sign()).collect());
    }
    // These are no operators of the model.
    match sign {
        "&&" => (Connective, vec!["||"]),
        "||" => (Connective, vec!["&&"]),
        "++" => (Arithmetic, vec!["--"]),
        "--" => (Arithmetic, vec!["++"]),
        "+=" => (Arithmetic, vec!["-=", "="]),
        "-=" => (Arithmetic, vec!["+=", "="]),
        _ => (Arithmetic, Vec::new()),
    }
}

/// Which tokens of the text are looked at.
pub(crate) type Places<'p> = &'p dyn Fn(&Token) -> bool;

/// Other operators and constants; `most` says how many others of one.
pub(crate) fn signs_and_constants(found: &mut CandidateList<'_, '_>, places: Places<'_>, most: usize) {
    let outline = found.outline;
    for at in 0..outline.len() {
        if outline.is_sacred(at)
            || outline.token(at).is_none_or(|token| !places(token))
            || is_bracket_of_receive(outline, at)
        {
            continue;
        }
        let before = at.checked_sub(1).and_then(|before| outline.token(before));
        token(found, &outline.tokens.code[at], before, most);
    }
    for body in &outline.tokens.macros {
        for (at, here) in body.iter().enumerate().filter(|(_, token)| places(token)) {
            token(found, here, at.checked_sub(1).map(|before| &body[before]), most);
        }
    }
}

fn token(found: &mut CandidateList<'_, '_>, token: &Token, before: Option<&Token>, most: usize) {
    let text = found.outline.text;
    let here = token.span.text(text);
    match token.kind {
        TokenKind::Sign => {
            let is_operand = before.is_some_and(|before| {
                before.kind != TokenKind::Sign || matches!(before.span.text(text), ")" | "]")
            });
            let is_unary = matches!(here, "-" | "*" | "&" | "+") && !is_operand;
            let (operator, others) = other_signs(here);
            for other in others.into_iter().take(if is_unary { 0 } else { most }) {
                found.replace(operator, token.line, token.span, other);
            }
        }
        TokenKind::Number => {
            let Ok(value) = here.parse::<u64>() else { return };
            let less = value.checked_sub(1).map(|less| less.to_string());
            let more = value.checked_add(1).map(|more| more.to_string());
            for other in more.into_iter().chain(less) {
                found.replace(Operator::Constant, token.line, token.span, other);
            }
        }
        TokenKind::Word => match here {
            "true" => found.replace(Operator::Constant, token.line, token.span, "false"),
            "false" => found.replace(Operator::Constant, token.line, token.span, "true"),
            _ => {}
        },
        TokenKind::Quoted => {}
    }
}

/// Whether a token is one of the pointed brackets of Promela's `c?<x>`.
fn is_bracket_of_receive(outline: &Outline<'_>, at: usize) -> bool {
    let is_receive =
        |at: usize| at.checked_sub(1).is_some_and(|before| matches!(outline.word(before), "?" | "??"));
    match outline.word(at) {
        "<" => is_receive(at),
        ">" => {
            let statement =
                (0..at).rev().take_while(|at| !matches!(outline.word(*at), ";" | "->" | "::" | "{"));
            statement.into_iter().any(|at| outline.word(at) == "<" && is_receive(at))
        }
        _ => false,
    }
}

/// Constants of the program in place of others, the nearest first.
pub(crate) fn other_constants(found: &mut CandidateList<'_, '_>, places: Places<'_>, most: usize) {
    let outline = found.outline;
    let is_number = |at: &usize| outline.kind(*at) == Some(TokenKind::Number);
    let numbers: Vec<usize> = (0..outline.len()).filter(is_number).collect();
    let named: Vec<&str> =
        outline.tokens.constants.iter().map(|token| token.span.text(outline.text)).collect();
    for (at, token) in outline.tokens.code.iter().enumerate() {
        let here = token.span.text(outline.text);
        if !places(token) || outline.is_sacred(at) {
            continue;
        }
        let is_named = named.contains(&here);
        if is_named {
            for change in [" + 1", " - 1"] {
                found.replace(Operator::OtherConstant, token.line, token.span, format!("({here}{change})"));
            }
        }
        if token.kind == TokenKind::Number || is_named {
            let named = named.iter().take(most).filter(|other| **other != here).copied();
            for other in named.chain(nearest(outline, at, &numbers).into_iter().take(most)) {
                found.replace(Operator::OtherConstant, token.line, token.span, other);
            }
        }
    }
}

/// Other names of the same kind.
pub(crate) fn names(found: &mut CandidateList<'_, '_>, places: Places<'_>, most: usize) {
    let outline = found.outline;
    for (at, token) in outline.tokens.code.iter().enumerate() {
        if token.kind != TokenKind::Word || outline.is_sacred(at) || !places(token) {
            continue;
        }
        let is_channel = outline.meaning(at).is_some_and(|name| name.kind.starts_with("chan"));
        let operator = if is_channel { Operator::WrongChannel } else { Operator::Variable };
        for other in outline.alternatives(at).into_iter().take(most) {
            found.replace(operator, token.line, token.span, other);
        }
    }
}

/// The tokens of all conditions: of branches and loops in C, of statements that only wait in Promela.
pub(crate) fn conditions(outline: &Outline<'_>) -> Vec<(usize, usize)> {
    let tree = &outline.tree;
    let of = |node: &crate::tree::Node| match outline.language {
        Language::C => node.condition.filter(|_| node.form != Form::Switch),
        Language::Promela => is_condition(outline, node.first, node.last).then_some((node.first, node.last)),
    };
    let mut found: Vec<(usize, usize)> = tree.nodes.iter().filter_map(of).collect();
    found.retain(|(first, last)| (*first..=*last).all(|at| !outline.is_sacred(at)));
    found
}

/// Whether a statement of Promela is an expression.
pub(crate) fn is_condition(outline: &Outline<'_>, first: usize, last: usize) -> bool {
    let holds_effect = (first..=last).any(|at| match outline.word(at) {
        "=" | "++" | "--" | "?" | "??" | "!!" | "{" => true,
        // A send stands behind a channel, a negation does not.
        "!" => at > first && (outline.kind(at - 1) == Some(TokenKind::Word) || outline.word(at - 1) == "]"),
        _ => false,
    });
    let word = outline.word(first);
    let is_call = outline.word(first + 1) == "("
        && outline.closing(first + 1) == Some(last)
        && !matches!(word, "len" | "empty" | "full" | "nempty" | "nfull" | "enabled");
    let is_other = matches!(
        word,
        "else"
            | "skip"
            | "printf"
            | "printm"
            | "run"
            | "assert"
            | "goto"
            | "break"
            | "if"
            | "do"
            | "atomic"
            | "d_step"
            | "for"
            | "select"
            | "timeout"
    );
    let is_declaration = outline.kind(first) == Some(TokenKind::Word)
        && outline.kind(first + 1) == Some(TokenKind::Word)
        && first < last;
    let is_path = outline.kind(first) == Some(TokenKind::Word) && is_call;
    !(holds_effect || is_path || is_other || is_declaration)
}

/// The parts of a condition between the connectives `&&` or `||`, outside of brackets, and the connective.
pub(crate) fn parts<'a>(
    outline: &Outline<'a>,
    first: usize,
    last: usize,
) -> Option<(&'a str, Vec<(usize, usize)>)> {
    let mut ends = Vec::new();
    let mut at = first;
    while at <= last {
        if matches!(outline.word(at), "&&" | "||") {
            ends.push(at);
        }
        at = outline.closing(at).unwrap_or(at) + 1;
    }
    // The looser connective divides first.
    let loose = if ends.iter().any(|at| outline.word(*at) == "||") { "||" } else { "&&" };
    ends.retain(|at| outline.word(*at) == loose);
    if ends.is_empty() || ends.contains(&first) || ends.contains(&last) {
        return None;
    }
    let starts = std::iter::once(first).chain(ends.iter().map(|at| at + 1));
    let stops = ends.iter().map(|at| at - 1).chain(std::iter::once(last));
    Some((loose, starts.zip(stops).filter(|(start, stop)| start <= stop).collect()))
}

/// Conditions turned round, and without one of their parts.
pub(crate) fn turned_conditions(found: &mut CandidateList<'_, '_>, places: Places<'_>) {
    let outline = found.outline;
    for (first, last) in conditions(outline) {
        if outline.token(first).is_none_or(|token| !places(token)) {
            continue;
        }
        let span = outline.span(first, last);
        let line = outline.line(first);
        found.replace(Operator::Negation, line, span, negated(outline, first, last));
        let Some((loose, parts)) = parts(outline, first, last) else { continue };
        for left_out in 0..parts.len() {
            let rest = parts.iter().enumerate().filter(|(part, _)| *part != left_out);
            let rest: Vec<&str> = rest.map(|(_, (start, stop))| outline.slice(*start, *stop)).collect();
            let joined = rest.join(&format!(" {loose} "));
            let missing = span.text(outline.text).matches('\n').count() - joined.matches('\n').count();
            found.replace(Operator::Condition, line, span, joined + &"\n".repeat(missing));
        }
    }
}

/// The opposite of a condition.
pub(crate) fn negated(outline: &Outline<'_>, first: usize, last: usize) -> String {
    let whole = |open: usize| outline.word(open) == "(" && outline.closing(open) == Some(last);
    if outline.word(first) == "!" && (first + 1 == last || whole(first + 1)) {
        return outline.slice(first + 1, last).to_owned();
    }
    if first == last || whole(first) {
        return format!("!{}", outline.slice(first, last));
    }
    format!("!({})", outline.slice(first, last))
}
