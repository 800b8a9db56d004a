//! Changes that could take a fault back, the likeliest first.
//!
//! Small changes of what is suspected most come first: the cost of a candidate is that of its operator, how often
//! people make such a mistake, and how far down the list of suspects its line is.

use std::collections::BTreeSet;

use crate::candidate::{Candidate, CandidateList, Operator};
use crate::environment::is_of_environment;
use crate::memory::{hides_use, may_dangle, withholds};
use crate::mutations::LONGEST_TEXT;
use crate::observers::Flags;
use crate::outline::Outline;
use crate::pointless::is_pointless;
use crate::specification::{checks_alone, is_checked, specification};
use crate::token::{Token, TokenKind};
use crate::tree::Form;
use crate::{
    Language, again, calls, concurrency, expressions, forgotten, memory, missing, moves, siblings,
    statements, terms, together, values,
};

/// How many others are tried for one constant, name, condition or statement.
const OTHERS: usize = 6;
/// How many candidates are made before the likeliest are chosen.
const MADE: usize = 20_000;

/// How much less likely a change is of what only assertions use.
const CHECKED: usize = 12;
/// How much less likely it is that another constant was meant for a variable that is checked.
const ASKED_FOR: usize = 6;
/// How much less likely it is that memory or a lock should not have been given back.
const KEPT: usize = 6;
/// How much less likely it is that a condition was turned into its opposite: people miss a bound by one, or a part of it.
const OPPOSITE: usize = 3;
/// What a change costs that is neither a known mistake nor usual.
const UNUSUAL: usize = 9;
/// Costs are counted in parts of this size.
pub const COST: usize = 8;

/// A statement that was proposed for a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Counted from 1.
    pub line: u64,
    /// For example `m = x`.
    pub statement: String,
    /// Whether it is missing beside what stands there, rather than wrong.
    pub is_missing: bool,
    /// What the statement is put in the place of, if it is only a part of one.
    pub instead_of: Option<String>,
}

/// What is to be repaired.
#[derive(Clone, Debug, Default)]
pub struct Wish<'w> {
    /// Lines, the most suspect first.
    pub lines: &'w [u64],
    pub hints: &'w [Hint],
    /// Before this line something seems to be missing.
    pub missing: Option<u64>,
    /// Whether steps of several processes have to do with it.
    pub is_concurrent: bool,
    /// How many candidates are wanted.
    pub most: usize,
}

/// How unlikely a change is: as unlikely as the mistake, unless texts know better.
fn cost(operator: Operator, is_concurrent: bool) -> usize {
    use Operator as O;
    match operator {
        O::Suggested | O::Rechecked | O::Widened => 0,
        O::Protected | O::Swapped if is_concurrent => 2,
        O::Forgotten => 1,
        O::Reset => 3,
        O::Connective => 2,
        O::Function => 3,
        O::Sign | O::Swapped => 4,
        O::Moved => 6,
        O::Guarded => 8,
        O::Again => 9,
        _ => operator.mistake().map_or(UNUSUAL, |mistake| mistake.cost() as usize),
    }
}

/// The changes worth trying.
pub fn repairs(text: &str, language: Language, wish: &Wish<'_>) -> Vec<Candidate> {
    if text.len() > LONGEST_TEXT {
        return Vec::new();
    }
    let outline = Outline::new(text, language);
    let rank = |line: u64| wish.lines.iter().position(|suspect| *suspect == line);
    let mut lines: Vec<u64> = wish.lines.to_vec();
    lines.sort_unstable();
    let places = |token: &Token| lines.binary_search(&token.line).is_ok();
    let mut found = CandidateList::new(&outline, MADE);
    suggested(&mut found, wish.hints);
    forgotten::forgotten(&mut found);
    together::set_together(&mut found);
    memory::forgotten_pointers(&mut found);
    expressions::signs_and_constants(&mut found, &places, OTHERS);
    expressions::names(&mut found, &places, OTHERS);
    expressions::turned_conditions(&mut found, &places);
    values::turned_parts(&mut found, &places);
    values::signs(&mut found, &places);
    values::off_by_one(&mut found, &places);
    terms::dropped_terms(&mut found, &places);
    terms::turned_assignments(&mut found, &places);
    calls::swapped_arguments(&mut found, &places);
    calls::swapped_indices(&mut found, &places);
    siblings::as_the_other_side(&mut found, &places);
    calls::other_functions(&mut found, &places, OTHERS);
    concurrency::rechecked(&mut found, &places);
    concurrency::widened(&mut found, &|token| places(token) || wish.is_concurrent);
    concurrency::protected(&mut found, &places);
    statements::swapped(&mut found, &places);
    moves::moved(&mut found, &places);
    statements::dropped(&mut found, &places);
    expressions::other_constants(&mut found, &places, OTHERS);
    values::characters(&mut found, &places, OTHERS);
    terms::other_assignments(&mut found, &places);
    statements::stronger_conditions(&mut found, &places, OTHERS);
    statements::repeated(&mut found, &places, OTHERS);
    missing::missing(&mut found, &places, OTHERS);
    memory::asked_pointers(&mut found, &places);
    statements::guarded(&mut found, &places, OTHERS);
    terms::added_terms(&mut found, &places);
    again::again(&mut found, &places, OTHERS);
    let checked = specification(&outline);
    let sacred = (0..outline.len()).filter(|at| outline.is_sacred(*at));
    let check_lines: BTreeSet<u64> = sacred.map(|at| outline.line(at)).collect();
    let is_specification = |line: u64| checked.iter().any(|(first, last)| (*first..=*last).contains(&line));
    // To leave before the assertion is asked is not what is missing.
    let leaves = |part: &str| ["return", "break", "continue"].iter().any(|jump| part.contains(jump));
    let is_missing = |candidate: &Candidate| {
        let leaves = candidate.change.parts().into_iter().any(leaves);
        candidate.operator.adds() && wish.missing == Some(candidate.line) && !leaves
    };
    let mut ranked = found.candidates;
    let checks = checks_alone(&outline);
    let is_check_alone = |line: u64| checks.iter().any(|(first, last)| (*first..=*last).contains(&line));
    let flags = Flags::new(&outline);
    let frees = may_dangle(&outline);
    ranked.retain(|candidate| {
        // To keep others out changes nothing of what is set.
        let is_protected = candidate.operator == Operator::Protected;
        !is_pointless(&outline, &candidate.patch)
            && !is_of_environment(&outline, &candidate.patch)
            && (is_protected || !flags.are_changed(&candidate.patch))
            && (is_protected || candidate.operator.adds() || !is_check_alone(candidate.line))
            && !(frees && hides_use(&outline, candidate))
            && !compares_order(&outline, candidate)
            && !is_of_specification(&outline, candidate)
            && !makes_wait(candidate)
            && !joins_again(text, candidate)
    });
    for candidate in &mut ranked {
        if withholds(&outline, candidate) {
            candidate.operator = Operator::Withheld;
        }
        let rank = match candidate.operator {
            // There are few of them, and what they are made for they mend.
            Operator::Suggested | Operator::Rechecked | Operator::Widened | Operator::Forgotten => 0,
            _ if is_missing(candidate) => 0,
            _ => rank(candidate.line).unwrap_or(wish.lines.len().min(8)),
        };
        // Every method errs about the order of its suspects, so that twice as far down the list is only one step.
        let rank = ((rank as f64 + 1.0).log2() * COST as f64) as usize;
        // What is set right before it is checked is only made to pass.
        let is_set_right = candidate.operator.adds()
            && check_lines.contains(&candidate.line)
            && candidate.change.parts().first().is_some_and(|added| sets(added));
        let is_doubted =
            (is_specification(candidate.line) || is_set_right) && candidate.operator != Operator::Suggested;
        let doubt = if is_doubted { CHECKED } else { 0 }
            + if sets_what_is_asked_for(&outline, candidate) { ASKED_FOR } else { 0 }
            + if candidate.operator == Operator::Withheld { KEPT } else { 0 }
            + if is_opposite(&outline, candidate) { OPPOSITE } else { 0 };
        let usual = match is_missing(candidate) {
            // What is done only if something is not as it should be changes nothing where all is well.
            true if candidate.change.parts().first().is_some_and(|added| added.starts_with("if")) => 0,
            true => 3,
            false => cost(candidate.operator, wish.is_concurrent),
        };
        candidate.cost = (usual + doubt) * COST + rank;
    }
    ranked.sort_by_key(|candidate| candidate.cost);
    let mut chosen: Vec<Candidate> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for candidate in ranked {
        if chosen.len() < wish.most && seen.insert(candidate.patch.clone()) {
            chosen.push(candidate);
        }
    }
    chosen
}

/// Whether a change gives a named constant another value that assertions and formulas use: that changes what is asked for.
fn is_of_specification(outline: &Outline<'_>, candidate: &Candidate) -> bool {
    let defined = candidate.patch.lines(outline.text);
    let constants = outline.tokens.constants.iter().filter(|token| defined.contains(&token.line));
    let mut names = constants.map(|token| token.span.text(outline.text));
    names.any(|name| is_checked(outline, name))
}

/// Whether a change only gives a variable that assertions or formulas read another constant: what is asked for then holds
/// because it is written down.
fn sets_what_is_asked_for(outline: &Outline<'_>, candidate: &Candidate) -> bool {
    let [edit] = candidate.patch.edits() else { return false };
    let at = outline.tokens.code.partition_point(|token| token.span.start < edit.span.start);
    let is_constant = |at: usize| {
        outline.kind(at) == Some(TokenKind::Number)
            || matches!(outline.word(at), "true" | "false")
            || outline.meaning(at).is_some_and(|meant| meant.is_constant)
    };
    let is_value = at >= 2
        && outline.word(at - 1) == "="
        && is_constant(at)
        && outline.token(at).is_some_and(|token| token.span == edit.span);
    let target = match outline.word(at.wrapping_sub(2)) {
        "]" => outline.partner.get(at - 2).copied().and_then(|open| open.checked_sub(1)),
        _ => at.checked_sub(2),
    };
    is_value && target.is_some_and(|target| is_checked(outline, outline.word(target)))
}

/// Whether a change asks which of two pointers is the smaller one: C leaves that open, unless they point into one array.
fn compares_order(outline: &Outline<'_>, candidate: &Candidate) -> bool {
    let [edit] = candidate.patch.edits() else { return false };
    let at = outline.tokens.code.partition_point(|token| token.span.start < edit.span.start);
    let is_pointer = |at: usize| outline.meaning(at).is_some_and(|meant| meant.kind.ends_with('*'));
    let was_equality = matches!(outline.word(at), "==" | "!=");
    candidate.operator == Operator::Comparison
        && was_equality
        && matches!(edit.text.as_str(), "<" | "<=" | ">" | ">=")
        && (at.checked_sub(1).is_some_and(is_pointer) || is_pointer(at + 1) || outline.word(at + 1) == "NULL")
}

/// Whether a change turns a condition into its opposite.
fn is_opposite(outline: &Outline<'_>, candidate: &Candidate) -> bool {
    let [edit] = candidate.patch.edits() else { return false };
    let at = outline.tokens.code.partition_point(|token| token.span.start < edit.span.start);
    let turned = matches!((outline.word(at), edit.text.as_str()), ("==", "!=") | ("!=", "=="));
    candidate.operator == Operator::Negation || candidate.operator == Operator::Comparison && turned
}

/// Whether a change only lets threads run one after the other: one is waited for before another one is started.
fn makes_wait(candidate: &Candidate) -> bool {
    let moves = matches!(candidate.operator, Operator::Swapped | Operator::Moved);
    let edits = candidate.patch.edits();
    let names = |part: &str| edits.iter().any(|edit| edit.text.contains(part));
    moves && (names("_create(") || names("_create (")) && (names("_join(") || names("_join ("))
}

/// Whether a change waits once more for a thread that is waited for elsewhere: POSIX leaves open what comes of that.
fn joins_again(text: &str, candidate: &Candidate) -> bool {
    let call = |part: &str| {
        let start = part.find("pthread_join")?;
        let end = start + part[start..].find(';')?;
        Some(part[start..end].to_owned())
    };
    let mut added = candidate.patch.edits().iter().filter_map(|edit| call(&edit.text));
    candidate.operator.adds() && added.any(|call| text.contains(&call))
}

/// Whether a statement by itself sets a variable.
fn sets(statement: &str) -> bool {
    let is_plain = !statement.starts_with("if") && !statement.contains('{');
    is_plain && ["++", "--", " = ", "+= ", "-= "].iter().any(|sign| statement.contains(sign))
}

/// A part of a line with something else in its place, however both are spaced: as likely as another function, because
/// what is forgotten comes first.
fn replaced(found: &mut CandidateList<'_, '_>, hint: &Hint, old: &str) {
    let outline = found.outline;
    let wanted: String = old.split_whitespace().collect();
    let inside = (0..outline.len()).filter(|at| outline.line(*at) == hint.line && !outline.is_sacred(*at));
    for first in inside {
        let mut text = String::new();
        for last in first..outline.len() {
            text.push_str(outline.word(last));
            if text.len() >= wanted.len() {
                if text == wanted {
                    let span = outline.span(first, last);
                    found.replace(Operator::Function, hint.line, span, hint.statement.clone());
                }
                break;
            }
        }
    }
}

/// Statements that were proposed, in place of an assignment to the same variable or beside what stands there.
fn suggested(found: &mut CandidateList<'_, '_>, hints: &[Hint]) {
    let outline = found.outline;
    for hint in hints {
        if let Some(old) = &hint.instead_of {
            replaced(found, hint, old);
            continue;
        }
        let proposed = hint.statement.trim().trim_end_matches(';');
        let target = |text: &str| text.split('=').next().map(|target| target.trim().to_owned());
        let nodes = outline.tree.nodes.iter().filter(|node| outline.line(node.first) == hint.line);
        for node in nodes {
            if hint.is_missing {
                if node.form == Form::Simple {
                    statements::insert_as(found, Operator::Suggested, node, proposed);
                }
                continue;
            }
            let old = statements::bare(outline, node);
            let is_assignment = (node.first..node.last).any(|at| outline.word(at) == "=");
            if node.form == Form::Declaration && is_assignment {
                let name = target(old).unwrap_or_default();
                if let Some((variable, value)) = proposed.split_once('=')
                    && name.ends_with(variable.trim())
                {
                    let new = format!(
                        "{name} = {}{}",
                        value.trim(),
                        if outline.language == Language::C { ";" } else { "" }
                    );
                    found.replace(Operator::Suggested, hint.line, outline.span(node.first, node.last), new);
                }
                continue;
            }
            let end = if outline.word(node.last) == ";" { ";" } else { "" };
            if node.form == Form::Simple && is_assignment && target(old) == target(proposed) {
                found.replace(
                    Operator::Suggested,
                    hint.line,
                    outline.span(node.first, node.last),
                    format!("{proposed}{end}"),
                );
            } else if node.form != Form::Declaration {
                statements::insert_beside(found, node, proposed);
            }
        }
    }
}
