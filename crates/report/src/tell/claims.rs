//! What a claim says: in one sentence for a headline, and with its reasons.

use findings::{
    Between, Choice, Choices, Claim, Compared, Condition, Correct, Crossing, Decision, ForbiddenLoop,
    LinkReason, Made, RightMade, Role, SuspectEvidence, Suspects, Unmet, What,
};

use super::conditions::{condition, link_effect};
use super::{changes, patterns, repairs, what};
use crate::wording::{count, grouped, in_a_row, instead_of};

/// How many alternatives to a step a claim names.
const MOST_ALTERNATIVES: usize = 4;
/// Conditions that are longer than this, or have more parts, are told below the headline only.
const LONGEST_CONDITION: usize = 150;
const MOST_FACTS: usize = 3;
/// How many conditions that never change in a loop a headline names.
const MOST_CONSTANT: usize = 3;
/// How many steps of a change a claim names.
const MOST_NAMED: usize = 3;
/// How many reasons for a step are told.
const MOST_REASONS: usize = 2;

/// The headline of a claim; of a point of no return also when its statement is one.
pub(super) fn summary(claim: &Claim, exactly_when: Option<&Condition>, everybody: &[Role]) -> String {
    let own = headline(claim, everybody);
    let when = exactly_when.and_then(short_condition);
    match when {
        Some(when) if matches!(claim, Claim::PointOfNoReturn(_)) => {
            format!("{own}; the statement is fatal exactly when {when}")
        }
        _ => own,
    }
}

/// A condition that is short enough for a headline.
fn short_condition(when: &Condition) -> Option<String> {
    let facts: usize = when.any_of.iter().map(Vec::len).sum();
    let told = condition(when);
    (facts <= MOST_FACTS && told.len() <= LONGEST_CONDITION).then_some(told)
}

fn headline(claim: &Claim, everybody: &[Role]) -> String {
    match claim {
        Claim::PointOfNoReturn(Decision { step, event, .. }) => {
            format!("step {step}, `{event}`, is the point of no return")
        }
        Claim::OnlyTheViolation(Decision { step, event, .. }) => {
            format!("the run could pass until its last step: step {step}, `{event}`")
        }
        Claim::Doomed => "every trace fails".to_owned(),
        Claim::Unmet(unmet) => unmet_headline(unmet).to_owned(),
        Claim::Crossing(crossing) => crossing_headline(crossing),
        Claim::Anomaly { events, .. } => format!("{}: only failing traces do this", in_order(events)),
        Claim::Deferred { event, before, .. } => {
            format!("`{event}` runs too late: it was enabled right after `{before}`")
        }
        Claim::Needed { step, event, because, .. } => needed(*step, event, because, 1),
        Claim::ErrorEdge { events, correct, .. } => error_edge_headline(events, *correct),
        Claim::Values { event, held, .. } => with_values(event, held),
        Claim::Suggested { line, is_missing: true, .. } => {
            format!("a statement is missing at line {line}")
        }
        Claim::Suggested { line, is_missing: false, .. } => {
            format!("changing line {line} removes the violation")
        }
        Claim::SeparatesVariations { step, more, .. } => separates(step, *more),
        Claim::OnlyFailing { step, traces, .. } => only_failing(step, traces),
        Claim::Replaced { choices, after, .. } => replaced(*choices, *after),
        Claim::Diagnosis(suspects) => suspects_headline(suspects),
        Claim::Pattern(found) => patterns::summary(found, everybody),
        Claim::MayBeWrong(found) => repairs::suspicion(found),
        Claim::Repair(found) => {
            format!(
                "line {}: {} removes the violation",
                found.repair.location.line,
                changes::change(&found.change)
            )
        }
    }
}

/// The whole claim, with its reasons.
pub(super) fn claim(claim: &Claim) -> String {
    match claim {
        Claim::PointOfNoReturn(decision) => point_of_no_return(decision),
        Claim::OnlyTheViolation(decision) => only_the_violation(decision),
        Claim::Doomed => {
            "no trace from the initial state passes: the failure was inevitable before the first step"
                .to_owned()
        }
        Claim::Unmet(unmet) => unmet_claim(unmet),
        Claim::Crossing(crossing) => crossing_claim(crossing),
        Claim::Anomaly { events, steps, between } => anomaly(events, steps, *between),
        Claim::Deferred { event, before, since, executed } => {
            let when = match executed {
                Some(step) => format!("ran only at step {step}"),
                None => "did not run before the violation".to_owned(),
            };
            format!(
                "`{event}` was enabled right after step {since}, `{before}`, but {when}; if no other step could run \
                 between the two, no trace would fail"
            )
        }
        Claim::Needed { step, event, because, .. } => needed(*step, event, because, MOST_REASONS),
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
            format!("with the change below no trace fails{within}")
        }
        Claim::SeparatesVariations { step, more, failing, passing } => format!(
            "{}: {} and {} were compared",
            separates(step, *more),
            count(*failing, "failing variation"),
            count(*passing, "passing one")
        ),
        Claim::OnlyFailing { step, traces, .. } => only_failing(step, traces),
        Claim::Replaced { choices, after, failing, passing } => {
            format!("{}: {}", replaced(*choices, *after), exchanged(failing, passing))
        }
        Claim::Diagnosis(suspects) => suspects_claim(suspects),
        Claim::Repair(found) => repairs::summary(found),
        Claim::MayBeWrong(found) => repairs::reason(found),
        Claim::Pattern(found) => patterns::claim(found),
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
            "{before} the property could still be satisfied; after step {step}, `{event}`, no continuation satisfies \
             it{escape}"
        );
    }
    format!(
        "{before} the run could still pass; after step {step}, `{event}`, every continuation fails{escape}"
    )
}

fn only_the_violation(decision: &Decision) -> String {
    let Decision { step, event, .. } = decision;
    format!(
        "{} the run could still pass; step {step}, `{event}`, violates the property{}",
        before(*step),
        escape(decision)
    )
}

/// What could have been done instead.
fn escape(decision: &Decision) -> String {
    let Decision { event, escapes, still_free, is_endless, .. } = decision;
    let instead = |labels: &[String]| instead_of(event, labels, MOST_ALTERNATIVES);
    match (escapes.is_empty(), still_free.is_empty(), is_endless) {
        (false, _, false) => format!("; {} instead would have avoided the failure", instead(escapes)),
        (true, false, false) => {
            format!("; after {} instead, the run could still have passed", instead(still_free))
        }
        (false, _, true) => {
            format!("; after {} instead, the property would have been satisfied", instead(escapes))
        }
        (true, false, true) => {
            format!("; after {} instead, it could still have been satisfied", instead(still_free))
        }
        (true, true, _) => String::new(),
    }
}

fn unmet_headline(unmet: &Unmet) -> String {
    let constant = unmet.atoms.iter().map(|(atom, holds)| format!("`{atom}` stays {holds}"));
    match &unmet.forbidden {
        Some(ForbiddenLoop::Accepts { steps }) if !steps.is_empty() => {
            format!("the loop passes a label `accept` in {}", steps_in_a_row(steps))
        }
        Some(ForbiddenLoop::NoProgress) => "the loop passes no label `progress`".to_owned(),
        _ if !unmet.is_loop => "the trace ends before the property is satisfied".to_owned(),
        _ if (1..=MOST_CONSTANT).contains(&unmet.atoms.len()) => {
            format!("in the loop {}", in_a_row(&constant.collect::<Vec<_>>()))
        }
        _ => "the property is false of the loop".to_owned(),
    }
}

fn steps_in_a_row(steps: &[u64]) -> String {
    let word = if steps.len() == 1 { "step" } else { "steps" };
    let numbers: Vec<String> = steps.iter().map(u64::to_string).collect();
    format!("{word} {}", in_a_row(&numbers))
}

fn unmet_claim(unmet: &Unmet) -> String {
    let mut parts: Vec<String> = Vec::new();
    // The headline may have said so.
    if unmet.forbidden.is_none() && (!unmet.is_loop || unmet.atoms.len() > MOST_CONSTANT) {
        parts.extend(unmet.atoms.iter().map(|(atom, holds)| format!("`{atom}` stays {holds}")));
    }
    parts.extend(unmet.passed_over.iter().map(|(event, always)| {
        let how = if *always { "always" } else { "repeatedly" };
        format!("`{event}` is {how} enabled but never executed")
    }));
    parts.extend(
        unmet
            .waiting
            .iter()
            .map(|one| format!("{} is blocked at `{}`: {}", one.process, one.action, one.reason)),
    );
    let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join("; ")) };
    let fair = if unmet.holds_if_fair { "; no weakly fair trace does this (--fairness weak)" } else { "" };
    format!("{}{parts}{fair}", unmet_headline(unmet))
}

fn crossing_headline(crossing: &Crossing) -> String {
    let event = &crossing.event;
    match crossing.when.as_ref().and_then(|when| Some((short_condition(&when.condition)?, when.is_exact))) {
        Some((rules, true)) => format!("`{event}` is fatal exactly when {rules}"),
        Some((rules, false)) => format!("`{event}` is fatal whenever {rules}"),
        None if crossing.harmless == 0 => format!("`{event}` is always fatal"),
        None => format!("`{event}` is fatal in {}", cases(crossing)),
    }
}

fn crossing_claim(crossing: &Crossing) -> String {
    let Crossing { event, crosses, all, .. } = crossing;
    let when = match &crossing.when {
        None => String::new(),
        Some(when) if when.is_exact => format!(", exactly when {}", condition(&when.condition)),
        Some(when) => format!(
            ", among them the {} where {}",
            cases_of(when.covered, when.fatal),
            condition(&when.condition),
        ),
    };
    let share = format!("{} of {} are this statement", grouped(*crosses), points(*all));
    format!("`{event}` is fatal in {}{when}; {share}", cases(crossing))
}

/// How often a statement is fatal, out of all times it is executed where the run can still pass.
fn cases(crossing: &Crossing) -> String {
    cases_of(crossing.crosses, crossing.crosses + crossing.harmless)
}

fn cases_of(some: u64, all: u64) -> String {
    let all = if all == 1 { "1 case".to_owned() } else { format!("{} cases", grouped(all)) };
    format!("{} of {all}", grouped(some))
}

fn points(all: u64) -> String {
    if all == 1 { "1 point of no return".to_owned() } else { format!("{} points of no return", grouped(all)) }
}

fn in_order(events: &[String]) -> String {
    events.iter().map(|event| format!("`{event}`")).collect::<Vec<_>>().join(", then ")
}

fn anomaly(events: &[String], steps: &[u64], between: Between) -> String {
    let between = match between {
        Between::Nothing => "",
        Between::OtherProcesses { .. } => ", with any steps of other processes in between",
        Between::Uncounted => ", with any uncounted steps in between",
    };
    let steps = steps.iter().map(u64::to_string).collect::<Vec<_>>().join(" and ");
    format!("steps {steps}, {}: no passing trace does this{between}", in_order(events))
}

/// What a step did for later ones, as many as are told.
fn needed(step: u64, event: &str, because: &[LinkReason], most: usize) -> String {
    let mut effects: Vec<String> = Vec::new();
    for told in because.iter().map(link_effect) {
        if effects.len() < most && !effects.contains(&told) {
            effects.push(told);
        }
    }
    format!("step {step}, `{event}`, {}", effects.join("; it also "))
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
        several => format!(" and {}", count(several as u64 - 1, "more step")),
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
    format!("{}; whenever {it} is taken{then} {check}{place}", error_edge_headline(events, correct))
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
    let more = if more == 0 { String::new() } else { format!(" and {}", count(more, "more step")) };
    format!("every failing variation takes `{}`{more}, no passing one does", chosen(step))
}

fn only_failing(step: &Choice, traces: &Compared) -> String {
    let step = chosen(step);
    match traces {
        Compared::Reaching(last) => {
            format!(
                "some traces that fail at `{last}` take `{step}`; no trace that passes there and stays safe does"
            )
        }
        Compared::Near => format!("near the counterexample, only failing variations take `{step}`"),
    }
}

fn replaced(choices: Option<Choices>, after: u64) -> String {
    let what = match choices {
        Some(Choices::Schedule) => "differ only in the schedule",
        Some(Choices::Input) => "differ only in what is chosen",
        Some(Choices::Both) => "differ in the schedule and in what is chosen",
        None => "differ in few steps",
    };
    let since = if after == 0 { "from the start".to_owned() } else { format!("after step {after}") };
    format!("a passing variation and a failing one {what} {since}")
}

/// What a failing trace does that a passing one does not do there.
fn exchanged(failing: &[String], passing: &[String]) -> String {
    match (failing.is_empty(), passing.is_empty()) {
        (false, false) => format!("{} instead of {}", named(failing), named(passing)),
        (false, true) => format!("it adds {}", named(failing)),
        (true, false) => format!("it leaves out {}", named(passing)),
        (true, true) => "both take the same steps".to_owned(),
    }
}

fn named(events: &[String]) -> String {
    let mut names: Vec<String> = events.iter().take(MOST_NAMED).map(|event| format!("`{event}`")).collect();
    if events.len() > MOST_NAMED {
        names.push(count((events.len() - MOST_NAMED) as u64, "more step"));
    }
    names.join(", ")
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
            let change = changes::small_change(change, &suspects.statements);
            if *tried == 1 {
                return format!("with a small change of {statements} ({change}) the failing run passes");
            }
            return format!(
                "with a small change of {statements} ({change}) all {tried} runs that were tried pass; without it \
                 {failing} of them {}",
                if *failing == 1 { "fails" } else { "fail" }
            );
        }
    };
    format!("{passes} if {statements} computes something else and nothing else changes")
}

/// What a statement should have made.
pub(super) fn right_made(right: &RightMade) -> String {
    format!("{} should be `{}` in line {}", made(&right.made), right.right, right.line)
}

/// What a statement makes.
pub(super) fn made(made: &Made) -> String {
    match made {
        Made::Written(text) => format!("`{text}`"),
        Made::Returned(statement) => format!("the value returned by `{statement}`"),
        Made::By(statement) => format!("the result of `{statement}`"),
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
        assert!(told.starts_with("after step 2 the run could still pass; after step 3, `take`"), "{told}");
        assert!(told.ends_with("; `drop` instead would have avoided the failure"), "{told}");
        let told = claim(&Claim::PointOfNoReturn(decision(1, &[], &["wait"])));
        assert!(told.starts_with("at the start"), "{told}");
        assert!(told.ends_with("after `wait` instead, the run could still have passed"), "{told}");
    }

    #[test]
    fn only_a_point_of_no_return_says_when_it_is_one_and_not_at_length() {
        let when = condition_on("round");
        let point = Claim::PointOfNoReturn(decision(3, &[], &[]));
        assert!(
            summary(&point, Some(&when), &[])
                .ends_with("; the statement is fatal exactly when its `round` is at least 2")
        );
        let last = Claim::OnlyTheViolation(decision(3, &[], &[]));
        assert!(!summary(&last, Some(&when), &[]).contains("exactly"));
        let long = condition_on(&"r".repeat(LONGEST_CONDITION));
        assert!(!summary(&point, Some(&long), &[]).contains("exactly"));
    }

    #[test]
    fn what_is_true_near_the_counterexample_is_not_told_of_all_traces() {
        let told = |traces| {
            let step = Choice { statement: "send".to_owned(), given: Some("3".to_owned()) };
            claim(&Claim::OnlyFailing { step, traces, among: 1 })
        };
        assert_eq!(
            told(Compared::Reaching("stop".to_owned())),
            "some traces that fail at `stop` take `send gave 3`; no trace that passes there and stays safe does"
        );
        assert_eq!(
            told(Compared::Near),
            "near the counterexample, only failing variations take `send gave 3`"
        );
    }

    #[test]
    fn a_crossing_tells_how_often_it_decides_and_how_often_not() {
        let crossing = |when, harmless| {
            let event = "take".to_owned();
            claim(&Claim::Crossing(Crossing {
                event,
                events: Vec::new(),
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
        assert!(
            told.contains("fatal in 3 of 8 cases, among them the 2 of 3 cases where its `round`"),
            "{told}"
        );
        assert!(told.ends_with("; 3 of 4 points of no return are this statement"), "{told}");
        assert!(crossing(None, 0).contains("fatal in 3 of 3 cases;"));
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
        assert!(told.ends_with("it adds `a`, `b`, `c`, 2 more steps"), "{told}");
    }
}
