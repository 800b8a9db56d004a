//! Slips: a wrong operator, constant or variable, a missing statement, an early exit that skips the bookkeeping, and the
//! last word on whether a bound is off by one.
//!
//! They are read off what was tried: a change of the text that was verified, so that with it every property of the file
//! holds. The names are the least specific of the catalogue, and changes that help are often not what was meant. So a slip
//! gets a name only if everything points at one place: the likeliest repair and the likeliest diagnosis make the same change
//! of the same line, and no other repair or diagnosis is nearly as likely. Anything else that helps equally refutes it.

use findings::{
    BugPattern, Claim, Diagnosis, Exactness, Explanation, Finding, FoundRepair, How, Outcome, PatternMatch,
    PatternName, RecheckResult, Suspicion,
};

/// How likely another repair may be, compared with the first.
const RIVAL: f64 = 0.6;

/// Names the bug from changes that were tried, or takes back a name that no change speaks for.
pub fn settle(explanation: &mut Explanation) {
    let is_bound = |finding: &Finding| is_named(finding, PatternName::OffByOne);
    let verified = |found: &&FoundRepair| found.repair.verified && found.repair.leaves.is_none();
    let repairs: Vec<FoundRepair> = explanation.repairs.iter().filter(verified).cloned().collect();
    explanation.findings.retain(|finding| {
        !is_bound(finding) || repairs.iter().any(|found| moves_bound(found) && is_at(finding, found))
    });
    let has_name = explanation.findings.iter().any(|finding| matches!(finding.claim, Claim::Pattern(_)));
    if !has_name && let Some(slip) = slip(explanation, &repairs) {
        explanation.findings.push(slip);
    }
}

fn is_named(finding: &Finding, name: PatternName) -> bool {
    matches!(&finding.claim, Claim::Pattern(found) if found.pattern.name() == name)
}

fn is_at(finding: &Finding, found: &FoundRepair) -> bool {
    let line = |at: &source::Location| (at.file.clone(), at.line);
    finding.locations.first().is_some_and(|at| line(at) == line(&found.repair.location))
}

/// Whether a change makes a comparison count equality the other way.
fn moves_bound(found: &FoundRepair) -> bool {
    const PAIRS: [(&str, &str); 4] = [("<", "<="), ("<=", "<"), (">", ">="), (">=", ">")];
    exchange(&found.change).is_some_and(|exchange| PAIRS.contains(&exchange))
}

/// What stands there instead of what, in a change of this form.
fn exchange(change: &str) -> Option<(&str, &str)> {
    let rest = change.strip_prefix('`')?;
    let (new, rest) = rest.split_once("` instead of `")?;
    Some((new, rest.strip_suffix('`')?))
}

fn slip(explanation: &Explanation, repairs: &[FoundRepair]) -> Option<Finding> {
    let first = repairs.first()?;
    let rivals = repairs[1..].iter().filter(|other| other.likelihood >= RIVAL * first.likelihood);
    if rivals.count() > 0 || explanation.repairs.iter().any(|found| !found.repair.verified && found.likelihood > first.likelihood) {
        return None;
    }
    let diagnosed = explanation.methods.diagnosis.as_ref().and_then(Outcome::found)?;
    let name = agreed(diagnosed, first)?;
    let place = first.repair.location.clone();
    let pattern = BugPattern::Slip { name, change: first.change.clone(), place: place.clone() };
    let claim = Claim::Pattern(Box::new(PatternMatch { pattern, coverage: None }));
    let finding = Finding::new(claim, vec![place], Vec::new());
    let finding = finding.rechecked(How::CheckedFromScratch, RecheckResult::Confirmed);
    Some(Finding { repair: Some(first.repair.clone()), ..finding })
}

/// The name of a change that the likeliest diagnosis makes as well.
fn agreed(diagnosed: &Diagnosis, found: &FoundRepair) -> Option<PatternName> {
    if !matches!(diagnosed.exactness, Exactness::Exact | Exactness::Bounded) {
        return None;
    }
    let first = diagnosed.diagnoses.first()?;
    let line = found.repair.location.line;
    let is_there = |suspicion: &Suspicion| suspicion.lines == [line];
    // Several lines that explain as much leave open which one is meant.
    let likely = diagnosed.diagnoses.iter().filter(|other| other.likely && !is_there(other)).count();
    if !is_there(first) || likely > 1 {
        return None;
    }
    let (new, old) = exchange(&found.change)?;
    let tried = first.small_change.as_deref()?;
    let is_same = exchange(tried.split_once(": ").map_or(tried, |(_, change)| change)) == Some((new, old));
    match (kind(new), kind(old)) {
        (Token::Operator, Token::Operator) if is_same => Some(if moves_bound(found) {
            PatternName::OffByOne
        } else {
            PatternName::WrongOperator
        }),
        (Token::Name, Token::Name) if is_same && tried.starts_with("another variable") => {
            Some(PatternName::WrongVariable)
        }
        (Token::Number, Token::Number) if tried.contains("constant") && is_elsewhere(found, new) => {
            Some(PatternName::WrongConstant)
        }
        _ => None,
    }
}

/// Whether a number stands elsewhere in the patch, that is, near the changed line in the same program.
fn is_elsewhere(found: &FoundRepair, number: &str) -> bool {
    let lines = found.repair.patch.hunks.iter().flat_map(|hunk| &hunk.lines);
    lines.filter(|line| line.change == source::LineChange::Kept).any(|line| {
        line.to_string().split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == number)
    })
}

#[derive(PartialEq, Eq)]
enum Token {
    Operator,
    Number,
    Name,
    Other,
}

fn kind(token: &str) -> Token {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match token.chars().next() {
        Some(first) if first.is_ascii_digit() && token.chars().all(is_word) => Token::Number,
        Some(first) if is_word(first) && token.chars().all(is_word) => Token::Name,
        Some(first) if !is_word(first) && token.len() <= 3 && !token.contains(is_word) => Token::Operator,
        _ => Token::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_taken_apart() {
        assert_eq!(exchange("`<=` instead of `<`"), Some(("<=", "<")));
        assert_eq!(exchange("no `f()`"), None);
        assert!(kind("<=") == Token::Operator && kind("12") == Token::Number && kind("x_1") == Token::Name);
        assert!(kind("a + b") == Token::Other && kind("") == Token::Other);
    }
}
