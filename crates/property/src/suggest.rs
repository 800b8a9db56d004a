//! Warnings about tests that no label satisfies, with a guess at what was meant.
//!
//! A misspelt label makes a property hold that should not, silently. So every such test is reported,
//! with the likeliest reason: the expression is an extended one, it matches only a part of a label,
//! or a label is spelt almost like it (Levenshtein 1965).

use graph::Labels;
use source::Diagnostic;

use crate::compile_error::CompileError;
use crate::evaluate::Evaluator;
use crate::{Atom, Formula, Test};

/// Guessing takes time for every label, so only the first warnings come with a guess.
const MAX_GUESSES: usize = 10;
const MAX_WARNINGS: usize = 50;
/// Longer texts are compared up to here.
const MAX_COMPARED: usize = 200;

pub(crate) fn unsatisfied<'a>(
    formula: &'a Formula,
    labels: &Labels,
    evaluator: &mut Evaluator<'a>,
) -> Result<Vec<Diagnostic>, CompileError> {
    let mut atoms: Vec<&Atom> = Vec::new();
    formula.regular.for_each_atom(&mut |predicate| predicate.for_each_atom(&mut |atom| atoms.push(atom)));
    // Each test once, where it comes first.
    atoms.sort_by(|one, two| one.test.cmp(&two.test).then(one.span.cmp(&two.span)));
    atoms.dedup_by(|later, first| later.test == first.test);
    atoms.sort_by_key(|atom| atom.span);

    let mut warnings = Vec::new();
    for atom in atoms {
        // A system without hidden steps is nothing to warn of.
        if atom.test == Test::Hidden || !evaluator.test(&atom.test)?.is_empty() {
            continue;
        }
        let text = atom.span.text(&formula.text);
        let warning = Diagnostic::warning(atom.span, format!("no label matches {}", quoted(text)));
        let guess = if warnings.len() < MAX_GUESSES { guess(&atom.test, labels) } else { None };
        warnings.push(match guess {
            Some(guess) => warning.help(guess),
            None => warning,
        });
        if warnings.len() == MAX_WARNINGS {
            break;
        }
    }
    Ok(warnings)
}

/// The text in backquotes, unless it has quotes already.
fn quoted(text: &str) -> String {
    if text.starts_with(['\'', '"']) { text.to_owned() } else { format!("`{text}`") }
}

fn guess(test: &Test, labels: &Labels) -> Option<String> {
    match test {
        Test::Hidden => None,
        Test::Literal(text) => begins(text, labels).or_else(|| did_you_mean(text, labels)),
        Test::Offers(pattern) => {
            let gate = pattern.gate();
            let at_gate = labels.iter().find(|label| {
                label.strip_prefix(gate).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '!']))
            });
            match at_gate {
                Some(label) => Some(format!("a label at this gate is `{label}`")),
                None => did_you_mean(gate, labels),
            }
        }
        Test::MultiAction(actions) => did_you_mean(&actions.join("|"), labels).or_else(|| {
            let name = actions.first()?.split('(').next()?;
            let label = labels.iter().find(|label| label.starts_with(&format!("{name}(")))?;
            Some(format!("a label with this action is `{label}`"))
        }),
        Test::Regex(regex) => {
            if let Some(extended) = regex.as_extended() {
                let whole = extended.whole()?;
                if let Some(label) = labels.iter().find(|label| whole.is_match(label)) {
                    return Some(format!(
                        "`( ) {{ }} | + ?` stand for themselves here, as in CADP; to match `{label}` write '{}'",
                        extended.source()
                    ));
                }
            }
            let part = regex.part()?;
            let nearly = || labels.iter().find(|label| !label.is_empty() && part.is_match(label));
            match regex.literal() {
                Some(text) => {
                    begins(text, labels).or_else(|| did_you_mean(text, labels)).or_else(|| part_of(nearly()?))
                }
                None => part_of(nearly()?),
            }
        }
    }
}

fn part_of(label: &str) -> Option<String> {
    Some(format!("it matches a part of `{label}`, but has to match the whole label; `.*` matches any rest"))
}

/// For a text that is the gate or the action of a label which has values behind it.
fn begins(text: &str, labels: &Labels) -> Option<String> {
    let label = labels
        .iter()
        .find(|label| label.strip_prefix(text).is_some_and(|rest| rest.starts_with([' ', '!', '('])))?;
    Some(format!("a label has to match as a whole; `{label}` would match '{text}.*'"))
}

fn did_you_mean(text: &str, labels: &Labels) -> Option<String> {
    closest(text, labels).map(|label| format!("did you mean `{label}`?"))
}

/// The label that `text` is most likely a misspelling of: at most a third of it may differ. Of
/// equally close labels it is the first.
pub fn closest<'a>(text: &str, labels: &'a Labels) -> Option<&'a str> {
    let text = folded(text);
    let mut least = text.len().div_ceil(3) + 1;
    let mut found = None;
    let mut row = Vec::new();
    for label in labels.iter() {
        let other = folded(label);
        if text.len().abs_diff(other.len()) >= least {
            continue;
        }
        let distance = distance(&text, &other, &mut row);
        if distance < least {
            (least, found) = (distance, Some(label));
        }
        if least == 0 {
            break;
        }
    }
    found
}

/// Case is the likeliest of all mistakes, so it counts for nothing.
fn folded(text: &str) -> Vec<char> {
    text.chars().take(MAX_COMPARED).flat_map(char::to_lowercase).collect()
}

/// How many characters have to be inserted, deleted or replaced.
fn distance(one: &[char], two: &[char], row: &mut Vec<usize>) -> usize {
    row.clear();
    row.extend(0..=two.len());
    for (at, char) in one.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, other) in two.iter().enumerate() {
            let above = row[column + 1];
            row[column + 1] = (diagonal + usize::from(char != other)).min(above + 1).min(row[column] + 1);
            diagonal = above;
        }
    }
    row[two.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(texts: &[&str]) -> Labels {
        let mut labels = Labels::new();
        texts.iter().for_each(|text| {
            labels.intern(text);
        });
        labels
    }

    #[test]
    fn the_distance_is_levenshtein_s() {
        let distance = |one, two| distance(&folded(one), &folded(two), &mut Vec::new());
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", ""), 3);
        assert_eq!(distance("Same", "sAME"), 0);
    }

    #[test]
    fn only_near_misses_are_suggested() {
        let labels = labels(&["SEND !1", "LOSS", "RECV", "loss2"]);
        assert_eq!(closest("LOS", &labels), Some("LOSS"));
        assert_eq!(closest("recv", &labels), Some("RECV"));
        assert_eq!(closest("QUIT", &labels), None);
        assert_eq!(closest("", &labels), None);
    }
}
