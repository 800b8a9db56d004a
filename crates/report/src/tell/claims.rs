//! What a claim says: in one sentence for a headline, and with its reasons.

use findings::{
    Between, Choice, Choices, Claim, Compared, Condition, Correct, Crossing, Decision, LinkReason, Made,
    RightMade, SuspectEvidence, Suspects, Unmet, What,
};

use super::conditions::{condition, link_reason};
use super::{repairs, what};
use crate::wording::{count, instead_of};

/// How many alternatives to a step a claim names.
const MOST_ALTERNATIVES: usize = 4;
/// Conditions longer than this are told below the headline only.
const LONGEST_CONDITION: usize = 150;
/// How many steps of a change a claim names.
const MOST_NAMED: usize = 3;
/// How many reasons for a step are told.
const MOST_REASONS: usize = 2;

/// The headline of a claim; of a point of no return also when its statement is one.
pub(super) fn summary(claim: &Claim, exactly_when: Option<&Condition>) -> String {
    let own = headline(claim);
    let when = exactly_when.map(condition).filter(|when| when.len() <= LONGEST_CONDITION);
    match when {
        Some(when) if matches!(claim, Claim::PointOfNoReturn(_)) => {
            format!("{own}; it is one exactly when {when}")
        }
        _ => own,
    }
}

fn headline(claim: &Claim) -> String {
    match claim {
        Claim::PointOfNoReturn(Decision { step, event, .. }) => {
            format!("step {step}, `{event}`, is the point of no return")
        }
        Claim::OnlyTheViolation(Decision { step, event, .. }) => {
            format!("only the violation itself decides: step {step}, `{event}`")
        }
        Claim::Doomed => "every trace fails".to_owned(),
        Claim::Unmet(unmet) => unmet_headline(unmet).to_owned(),
        Claim::Crossing(crossing) => crossing_headline(crossing),
        Claim::Anomaly { events, .. } => format!("{}: only failing traces do this", in_order(events)),
        Claim::Deferred { event, before, .. } => format!("`{event}` comes too late after `{before}`"),
        Claim::Needed { step, event, .. } => needed(*step, event, &[]),
        Claim::ErrorEdge { events, correct, .. } => error_edge_headline(events, *correct),
        Claim::Values { event, held, .. } => with_values(event, held),
        Claim::Suggested { line, is_missing: true, .. } => {
            format!("something is missing at line {line}")
        }
        Claim::Suggested { line, is_missing: false, .. } => {
            format!("line {line} can be changed so that nothing fails")
        }
        Claim::SeparatesVariations { step, more, .. } => separates(step, *more),
        Claim::OnlyFailing { step, traces, .. } => only_failing(step, *traces),
        Claim::Replaced { choices, after, .. } => replaced(*choices, *after),
        Claim::Diagnosis(suspects) => suspects_headline(suspects),
        Claim::Repair(found) => format!("{} in line {} mends it", found.change, found.repair.location.line),
    }
}

/// The whole claim, with its reasons.
pub(super) fn claim(claim: &Claim) -> String {
    match claim {
        Claim::PointOfNoReturn(decision) => point_of_no_return(decision),
        Claim::OnlyTheViolation(decision) => only_the_violation(decision),
        Claim::Doomed => {
            "no trace from this initial state passes: the run was doomed before its first step".to_owned()
        }
        Claim::Unmet(unmet) => unmet_claim(unmet),
        Claim::Crossing(crossing) => crossing_claim(crossing),
        Claim::Anomaly { events, steps, between } => anomaly(events, steps, *between),
        Claim::Deferred { event, before, since, executed } => {
            let when = match executed {
                Some(step) => format!("executed only at step {step}"),
                None => "not executed before the violation".to_owned(),
            };
            format!(
                "`{event}` could be executed right after step {since}, `{before}`, and was {when}; if nothing could come \
                 between the two, no trace would fail"
            )
        }
        Claim::Needed { step, event, because, .. } => needed(*step, event, because),
        Claim::ErrorEdge { events, correct, check, line } => error_edge(events, *correct, check, *line),
        Claim::Values { event, held, instead, correct } => {
            let others = match (instead, held.first()) {
                (Some(instead), Some((variable, _))) => {
                    format!(": there {variable} is {}", instead.join(" or "))
                }
                _ => String::new(),
            };
            format!("no correct trace takes {}{}{others}", with_values(event, held), before_check(*correct))
        }
        Claim::Suggested { bound, .. } => {
            let within = bound.map_or_else(String::new, |bound| format!(" up to bound {bound}"));
            format!("with the change below nothing fails{within}")
        }
        Claim::SeparatesVariations { step, more, failing, passing } => format!(
            "{}: {} and {} near the counterexample were compared",
            separates(step, *more),
            count(*failing, "failing trace"),
            count(*passing, "passing one")
        ),
        Claim::OnlyFailing { step, traces, .. } => only_failing(step, *traces),
        Claim::Replaced { choices, after, failing, passing } => {
            format!("{}: {} in place of {}", replaced(*choices, *after), named(failing), named(passing))
        }
        Claim::Diagnosis(suspects) => suspects_claim(suspects),
        Claim::Repair(found) => repairs::summary(found),
    }
}

fn before(step: u64) -> String {
    if step == 1 { "at the start".to_owned() } else { format!("after step {}", step - 1) }
}

fn point_of_no_return(decision: &Decision) -> String {
    let Decision { step, event, is_endless, .. } = decision;
    let before = before(*step);
    let escape = escape(decision);
    if *is_endless {
        return format!(
            "{before} the property could still be met; step {step}, `{event}`, was the point of no return: no trace \
             that goes on from there meets it{escape}"
        );
    }
    format!(
        "{before} the run could still pass; step {step}, `{event}`, was the point of no return: every trace that goes on \
         from there fails{escape}"
    )
}

fn only_the_violation(decision: &Decision) -> String {
    let Decision { step, event, .. } = decision;
    format!(
        "nothing was decided before the violation itself: {} the run could still pass; step {step}, `{event}`, violates \
         the property{}",
        before(*step),
        escape(decision)
    )
}

/// What could have been done instead.
fn escape(decision: &Decision) -> String {
    let Decision { event, escapes, still_free, is_endless, .. } = decision;
    let instead = |labels: &[String]| instead_of(event, labels, MOST_ALTERNATIVES);
    match (escapes.is_empty(), still_free.is_empty(), is_endless) {
        (false, _, false) => format!("; {} in its place would have escaped", instead(escapes)),
        (true, false, false) => {
            format!("; {} in its place would have left a way to pass", instead(still_free))
        }
        (false, _, true) => format!("; after {} in its place it would have been met", instead(escapes)),
        (true, false, true) => {
            format!("; after {} in its place it could still have been", instead(still_free))
        }
        (true, true, _) => String::new(),
    }
}

fn unmet_headline(unmet: &Unmet) -> &'static str {
    if unmet.is_loop {
        "each turn of the loop leaves the property unmet"
    } else {
        "the trace ends with the property unmet"
    }
}

fn unmet_claim(unmet: &Unmet) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(unmet.atoms.iter().map(|(atom, holds)| format!("`{atom}` stays {holds}")));
    parts.extend(unmet.passed_over.iter().map(|(event, always)| {
        let how = if *always { "all the time" } else { "now and then" };
        format!("`{event}` is possible {how} and passed over")
    }));
    parts.extend(
        unmet.waiting.iter().map(|one| format!("{} waits at `{}`: {}", one.process, one.action, one.reason)),
    );
    let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join("; ")) };
    let fair = if unmet.holds_if_fair { "; no weakly fair trace does this (--fairness weak)" } else { "" };
    format!("{}{parts}{fair}", unmet_headline(unmet))
}

fn crossing_headline(crossing: &Crossing) -> String {
    let event = &crossing.event;
    let when = crossing.when.as_ref().map(|when| (condition(&when.condition), when.is_exact));
    match when.filter(|(rules, _)| rules.len() <= LONGEST_CONDITION) {
        Some((rules, true)) => format!("`{event}` decides that the run fails, exactly when {rules}"),
        Some((rules, false)) => format!("`{event}` decides that the run fails whenever {rules}"),
        None => format!("`{event}` decides that the run fails"),
    }
}

fn crossing_claim(crossing: &Crossing) -> String {
    let Crossing { event, crosses, all, .. } = crossing;
    let when = match &crossing.when {
        None => String::new(),
        Some(when) if when.is_exact => format!(", exactly when {}", condition(&when.condition)),
        Some(when) => format!(
            " whenever {}, which is so {} of the {} times it does",
            condition(&when.condition),
            when.covered,
            when.fatal
        ),
    };
    let harmless = match crossing.harmless {
        0 => "it is never harmless".to_owned(),
        1 => "it is harmless once".to_owned(),
        many => format!("it is harmless {many} times"),
    };
    format!(
        "`{event}` decides that the run fails{when}: {crosses} of {all} transitions behind which every trace fails are \
         this one; {harmless}"
    )
}

fn in_order(events: &[String]) -> String {
    events.iter().map(|event| format!("`{event}`")).collect::<Vec<_>>().join(", then ")
}

fn anomaly(events: &[String], steps: &[u64], between: Between) -> String {
    let between = match between {
        Between::Nothing => "",
        Between::OtherProcesses => ", whatever others do in between",
        Between::Uncounted => ", whatever comes between that does not count in this order",
    };
    let steps = steps.iter().map(u64::to_string).collect::<Vec<_>>().join(" and ");
    format!("steps {steps}, {}: no passing trace ever does this{between}", in_order(events))
}

fn needed(step: u64, event: &str, because: &[LinkReason]) -> String {
    let reasons: Vec<String> = because.iter().take(MOST_REASONS).map(link_reason).collect();
    let because = if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) };
    format!("step {step}, `{event}`, is part of how it came about{because}")
}

/// A trace that meets the check may well take the same step later.
fn before_check(correct: Correct) -> &'static str {
    match correct {
        Correct::MeetsCheck => " before the check",
        Correct::Passes => "",
    }
}

fn error_edge_headline(events: &[String], correct: Correct) -> String {
    let first = events.first().map_or("", String::as_str);
    let more = match events.len() {
        0 | 1 => String::new(),
        several => format!(" and {} more", count(several as u64 - 1, "step")),
    };
    format!("no correct trace takes `{first}`{more}{}", before_check(correct))
}

fn error_edge(events: &[String], correct: Correct, check: &What, line: Option<u64>) -> String {
    let check = what(check);
    let it = if events.len() <= 1 { "it" } else { "one of them" };
    let place = line.map_or_else(String::new, |line| format!(" in line {line}"));
    let then = match correct {
        Correct::MeetsCheck => " and the check is reached after it,",
        // Something else may go wrong as well.
        Correct::Passes => ", no trace passes:",
    };
    format!("{}; where {it} is taken{then} {check}{place}", error_edge_headline(events, correct))
}

fn with_values(event: &str, held: &[(String, String)]) -> String {
    let all: Vec<String> = held.iter().map(|(variable, value)| format!("{variable} = {value}")).collect();
    format!("`{event}` with {}", all.join(" and "))
}

fn chosen(step: &Choice) -> String {
    let given = step.given.as_ref().map_or_else(String::new, |given| format!(" gave {given}"));
    format!("{}{given}", step.statement)
}

fn separates(step: &Choice, more: u64) -> String {
    let more = if more == 0 { String::new() } else { format!(" and {} more", count(more, "step")) };
    format!("every failing variation takes `{}`{more}, no passing one does", chosen(step))
}

fn only_failing(step: &Choice, traces: Compared) -> String {
    let traces = match traces {
        Compared::All => "failing traces",
        Compared::Near => "failing traces near the counterexample",
    };
    format!("only {traces} take `{}`", chosen(step))
}

fn replaced(choices: Option<Choices>, after: u64) -> String {
    let what = match choices {
        Some(Choices::Schedule) => "another schedule alone",
        Some(Choices::Input) => "another choice alone",
        Some(Choices::Both) => "another choice and another schedule",
        None => "a change",
    };
    format!("{what} makes a passing trace fail, after step {after}")
}

fn named(events: &[String]) -> String {
    let mut names: Vec<String> = events.iter().take(MOST_NAMED).map(|event| format!("`{event}`")).collect();
    if events.len() > MOST_NAMED {
        names.push(format!("{} more", count((events.len() - MOST_NAMED) as u64, "step")));
    }
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

fn quoted(statements: &[String]) -> String {
    statements.iter().map(|statement| format!("`{statement}`")).collect::<Vec<_>>().join(" and ")
}

fn suspects_headline(suspects: &Suspects) -> String {
    if let Some(right) = &suspects.suggestion {
        return right_made(right);
    }
    let lines: Vec<String> = suspects.lines.iter().map(u64::to_string).collect();
    let place = if lines.len() == 1 { "line" } else { "lines" };
    format!("{} in {place} {} may be wrong", quoted(&suspects.statements), lines.join(", "))
}

fn suspects_claim(suspects: &Suspects) -> String {
    let statements = quoted(&suspects.statements);
    let passes = match &suspects.evidence {
        SuspectEvidence::Trace => "the trace does not fail".to_owned(),
        SuspectEvidence::Runs(1) => "the failing run passes".to_owned(),
        SuspectEvidence::Runs(runs) => format!("all of {runs} failing runs pass"),
        SuspectEvidence::SmallChange { change, tried, failing } => {
            return format!(
                "with a small change of {statements} ({change}) none of {tried} runs fails, {failing} of which fail now"
            );
        }
    };
    format!("{passes} if {statements} does something else, and nothing else changes")
}

/// What a statement should have made.
pub(super) fn right_made(right: &RightMade) -> String {
    format!("{} should be `{}` in line {}", made(&right.made), right.right, right.line)
}

/// What a statement makes.
pub(super) fn made(made: &Made) -> String {
    match made {
        Made::Written(text) => format!("`{text}`"),
        Made::Returned(statement) => format!("what `{statement}` hands back"),
        Made::By(statement) => format!("what `{statement}` makes"),
        Made::Named(name) => name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use findings::{CrossesWhen, Fact, Predicate, Subject};

    use super::*;

    fn decision(step: u64, escapes: &[&str], still_free: &[&str]) -> Decision {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Decision {
            step,
            event: "take".to_owned(),
            escapes: owned(escapes),
            still_free: owned(still_free),
            is_endless: false,
        }
    }

    fn condition_on(name: &str) -> Condition {
        let fact = Fact { subject: Subject::Own(name.to_owned()), predicate: Predicate::AtLeast(2) };
        Condition { any_of: vec![vec![fact]] }
    }

    #[test]
    fn a_point_of_no_return_says_what_would_have_escaped() {
        let told = claim(&Claim::PointOfNoReturn(decision(3, &["drop"], &["wait"])));
        assert!(told.starts_with("after step 2 the run could still pass; step 3, `take`"), "{told}");
        assert!(told.ends_with("; `drop` in its place would have escaped"), "{told}");
        let told = claim(&Claim::PointOfNoReturn(decision(1, &[], &["wait"])));
        assert!(told.starts_with("at the start"), "{told}");
        assert!(told.ends_with("would have left a way to pass"), "{told}");
    }

    #[test]
    fn only_a_point_of_no_return_says_when_it_is_one_and_not_at_length() {
        let when = condition_on("round");
        let point = Claim::PointOfNoReturn(decision(3, &[], &[]));
        assert!(summary(&point, Some(&when)).ends_with("; it is one exactly when its `round` is at least 2"));
        let last = Claim::OnlyTheViolation(decision(3, &[], &[]));
        assert!(!summary(&last, Some(&when)).contains("exactly"));
        let long = condition_on(&"r".repeat(LONGEST_CONDITION));
        assert!(!summary(&point, Some(&long)).contains("exactly"));
    }

    #[test]
    fn what_is_true_near_the_counterexample_is_not_told_of_all_traces() {
        let told = |traces| {
            let step = Choice { statement: "send".to_owned(), given: Some("3".to_owned()) };
            claim(&Claim::OnlyFailing { step, traces, among: 1 })
        };
        assert_eq!(told(Compared::All), "only failing traces take `send gave 3`");
        assert_eq!(told(Compared::Near), "only failing traces near the counterexample take `send gave 3`");
    }

    #[test]
    fn a_crossing_tells_how_often_it_decides_and_how_often_not() {
        let crossing = |when, harmless| {
            let event = "take".to_owned();
            claim(&Claim::Crossing(Crossing {
                event,
                crosses: 3,
                all: 4,
                harmless,
                when,
                is_violation: false,
            }))
        };
        let partly = CrossesWhen {
            condition: condition_on("round"),
            is_exact: false,
            covered: 2,
            fatal: 3,
            is_confirmed: true,
        };
        let told = crossing(Some(partly.clone()), 5);
        assert!(told.contains("whenever its `round` is at least 2, which is so 2 of the 3 times"), "{told}");
        assert!(told.ends_with(
            "3 of 4 transitions behind which every trace fails are this one; it is harmless 5 times"
        ));
        assert!(crossing(None, 0).ends_with("it is never harmless"));
        assert_eq!(partly.exactly(), None, "what is not exact is not told as exact");
    }

    #[test]
    fn long_changes_are_cut_and_empty_ones_are_named() {
        let events: Vec<String> = ["a", "b", "c", "d", "e"].map(String::from).to_vec();
        let told = claim(&Claim::Replaced {
            choices: Some(Choices::Schedule),
            after: 2,
            failing: events,
            passing: Vec::new(),
        });
        assert!(told.ends_with("`a`, `b`, `c`, 2 steps more in place of nothing"), "{told}");
    }
}
