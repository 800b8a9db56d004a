//! Slips: a wrong operator, constant or variable, a missing statement, an early exit that skips the bookkeeping, and the
//! last word on whether a bound is off by one.
//!
//! They are read off what was tried: a change of the text that was verified, so that with it every property of the file
//! holds. The names are the least specific of the catalogue, and changes that help are often not what was meant. So a slip
//! gets a name only if everything points at one place: the likeliest repair and the likeliest diagnosis make the same change
//! of the same line, and no other repair or diagnosis is nearly as likely. Anything else that helps equally refutes it.

use findings::{
    BugPattern, Claim, Diagnosis, Exactness, Explanation, Finding, FoundRepair, How, Mistake, Outcome,
    PatternMatch, PatternName, RecheckResult, Suspicion, TextChange,
};

use crate::proposals::proposal;

/// How likely another repair may be, compared with the first.
const RIVAL: f64 = 0.6;

/// Names the bug from changes that were tried, or takes back a name that no change speaks for.
pub fn settle(explanation: &mut Explanation) {
    let is_bound = |finding: &Finding| is_named(finding, PatternName::OffByOne);
    let verified = |found: &&FoundRepair| found.repair.verified && found.repair.leaves.is_none();
    let repairs: Vec<FoundRepair> = explanation.repairs.iter().filter(verified).cloned().collect();
    explanation.findings.retain_mut(|finding| {
        if let Some(statement) = missing(finding) {
            return confirm(finding, &statement, &repairs);
        }
        if !is_bound(finding) {
            return true;
        }
        let best = repairs.first().map_or(0.0, |first| first.likelihood);
        let is_likely = |found: &FoundRepair| found.likelihood >= RIVAL * best;
        let moved =
            repairs.iter().find(|found| moves_bound(found) && is_at(finding, found) && is_likely(found));
        if let (Some(found), Claim::Pattern(own)) = (moved, &mut finding.claim)
            && let BugPattern::OffByOne { change, .. } = &mut own.pattern
        {
            *change = Some(found.change.clone());
        }
        moved.is_some()
    });
    let has_name = explanation.findings.iter().any(|finding| matches!(finding.claim, Claim::Pattern(_)));
    if !has_name && let Some(slip) = forgotten(explanation, &repairs).or_else(|| slip(explanation, &repairs))
    {
        explanation.findings.push(slip);
    }
}

/// The statement that a name stands or falls with, where no search of all states could confirm it.
fn missing(finding: &Finding) -> Option<String> {
    let Claim::Pattern(own) = &finding.claim else { return None };
    proposal(&own.pattern).filter(|_| !finding.is_confirmed())
}

/// Confirms a name by a verified repair that inserts the statement; whether there is one.
fn confirm(finding: &mut Finding, statement: &str, repairs: &[FoundRepair]) -> bool {
    let inserts = |found: &&FoundRepair| inserted(found) == Some(statement);
    let Some(found) = repairs.iter().find(inserts) else { return false };
    let confirmed = finding.clone().rechecked(How::CheckedFromScratch, RecheckResult::Confirmed);
    *finding = Finding { repair: Some(found.repair.clone()), ..confirmed };
    true
}

/// A count that only goes one way, and the statement that takes it back: missing where its insertion was verified, nothing
/// else helps nearly as well, and the failed condition asks for that count.
fn forgotten(explanation: &Explanation, repairs: &[FoundRepair]) -> Option<Finding> {
    let first = repairs.first()?;
    let is_rival = |other: &FoundRepair| {
        other.likelihood >= RIVAL * first.likelihood && inserted(other) != inserted(first)
    };
    if repairs[1..].iter().any(is_rival) {
        return None;
    }
    let statement = inserted(first)?;
    let (variable, sign) = [("++", 1), ("--", -1)]
        .into_iter()
        .find_map(|(operator, sign)| Some((statement.strip_suffix(operator)?, sign)))?;
    let trace = explanation.counterexample.as_ref()?;
    let is_asked = trace.condition.iter().any(|part| part.text == variable);
    let number = |text: &Option<String>| text.as_deref()?.parse::<i64>().ok();
    let is_own = |name: &str| name == variable || name.rsplit('.').next() == Some(variable);
    let changes = trace.steps.iter().flat_map(|step| &step.changes).filter(|(name, _)| is_own(name));
    let ways: Option<Vec<i64>> =
        changes.map(|(_, [old, new])| Some((number(new)? - number(old)?).signum())).collect();
    let ways = ways?;
    let is_one_way = !ways.is_empty() && ways.iter().all(|way| *way == -sign);
    (is_asked && is_one_way).then(|| told(PatternName::MissingStatement, first))
}

/// The statement that a change inserts.
fn inserted(found: &FoundRepair) -> Option<&str> {
    match &found.change {
        TextChange::Before { first: statement, .. } | TextChange::After { statement, .. } => Some(statement),
        _ => None,
    }
}

fn told(name: PatternName, found: &FoundRepair) -> Finding {
    let place = found.repair.location.clone();
    let pattern = BugPattern::Slip { name, change: found.change.clone(), place: place.clone() };
    let claim = Claim::Pattern(Box::new(PatternMatch { pattern, coverage: None }));
    let finding = Finding::new(claim, vec![place], Vec::new());
    let finding = finding.rechecked(How::CheckedFromScratch, RecheckResult::Confirmed);
    Finding { repair: Some(found.repair.clone()), ..finding }
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
    exchanged(&found.change).is_some_and(|exchanged| PAIRS.contains(&exchanged))
}

/// Whether a comparison is turned round. That often helps, because what it guards is then never done, and is hardly ever
/// what was meant.
fn turns(new: &str, old: &str) -> bool {
    let side = |operator: &str| operator.chars().next().filter(|first| matches!(first, '<' | '>'));
    matches!((side(new), side(old)), (Some(one), Some(other)) if one != other)
}

/// What stands there instead of what, in a change of this form.
fn exchanged(change: &TextChange) -> Option<(&str, &str)> {
    match change {
        TextChange::Instead { new, old } => Some((new, old)),
        _ => None,
    }
}

fn slip(explanation: &Explanation, repairs: &[FoundRepair]) -> Option<Finding> {
    let first = repairs.first()?;
    let rivals = repairs[1..].iter().filter(|other| other.likelihood >= RIVAL * first.likelihood);
    if rivals.count() > 0
        || explanation
            .repairs
            .iter()
            .any(|found| !found.repair.verified && found.likelihood > first.likelihood)
    {
        return None;
    }
    let diagnosed = explanation.methods.diagnosis.as_ref().and_then(Outcome::found)?;
    let steps = explanation.counterexample.iter().flat_map(|counterexample| &counterexample.steps);
    let is_elsewhere = |number: &str| {
        let is_there = |step: &findings::Step| {
            step.location.as_ref().is_some_and(|at| at.line != first.repair.location.line)
        };
        steps.clone().filter(|step| is_there(step)).any(|step| words(&step.action).any(|word| word == number))
    };
    let name = agreed(diagnosed, first, is_elsewhere)?;
    Some(told(name, first))
}

/// The name of a change that the likeliest diagnosis makes as well.
fn agreed(
    diagnosed: &Diagnosis,
    found: &FoundRepair,
    is_elsewhere: impl Fn(&str) -> bool,
) -> Option<PatternName> {
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
    let is_alone = likely == 0;
    let (new, old) = exchanged(&found.change)?;
    let tried = &first.small_change.as_ref()?.data;
    let is_same = tried.instead.as_ref() == Some(&found.change);
    let is_constant =
        |mistake: Mistake| matches!(mistake, Mistake::NearConstant | Mistake::Constant | Mistake::Fixed);
    match (kind(new), kind(old)) {
        (Token::Operator, Token::Operator) if is_same && is_alone && !turns(new, old) => {
            Some(if moves_bound(found) { PatternName::OffByOne } else { PatternName::WrongOperator })
        }
        (Token::Name, Token::Name) if is_same && tried.mistake == Mistake::Variable => {
            Some(PatternName::WrongVariable)
        }
        (Token::Number, Token::Number)
            if is_alone && tried.mistakes().any(is_constant) && is_elsewhere(new) =>
        {
            Some(PatternName::WrongConstant)
        }
        _ => None,
    }
}

/// The words and numbers of a statement. A constant that the program uses elsewhere in the same trace is a likely one.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
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
    fn tokens_are_told_apart() {
        assert!(kind("<=") == Token::Operator && kind("12") == Token::Number && kind("x_1") == Token::Name);
        assert!(kind("a + b") == Token::Other && kind("") == Token::Other);
        assert!(turns("<", ">=") && !turns("<", "<=") && !turns("==", "<"));
    }
}
