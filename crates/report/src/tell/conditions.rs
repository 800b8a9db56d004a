//! Conditions, and why one step needed another.

use findings::{Condition, Fact, LinkReason, LinkWhy, Predicate, Subject};

/// A condition as one clause: rules joined by "or", facts by "and".
pub(super) fn condition(condition: &Condition) -> String {
    rules(condition).iter().map(|rule| rule.join(" and ")).collect::<Vec<_>>().join(", or ")
}

/// The facts of each rule.
pub(super) fn rules(condition: &Condition) -> Vec<Vec<String>> {
    condition.any_of.iter().map(|rule| rule.iter().map(fact).collect()).collect()
}

fn fact(fact: &Fact) -> String {
    let Fact { subject, predicate } = fact;
    match subject {
        Subject::Variable(name) | Subject::OfAnother(name) => compared(&format!("`{name}`"), predicate),
        Subject::Own(name) => compared(&format!("its `{name}`"), predicate),
        Subject::Stands(actor) => match predicate {
            Predicate::IsNot(line) => format!("{actor} is not at {line}"),
            Predicate::Is(line) => format!("{actor} is at {line}"),
            Predicate::AtLeast(_) | Predicate::AtMost(_) => compared(actor, predicate),
        },
        Subject::Others { kind, line, of, is_own_kind } => {
            others(&Crowd { kind, line: *line, of: *of, is_own_kind: *is_own_kind }, predicate)
        }
    }
}

/// Processes of a kind that are counted.
struct Crowd<'a> {
    kind: &'a str,
    line: u64,
    of: usize,
    is_own_kind: bool,
}

fn others(crowd: &Crowd<'_>, predicate: &Predicate) -> String {
    let Crowd { kind, line, of, is_own_kind } = crowd;
    let (one, other) = if *is_own_kind { ("another", "other ") } else { ("a", "") };
    let several = |how: &str, count: &str| {
        let how_many = match count.parse() {
            Ok(2) if *of == 2 => "both".to_owned(),
            Ok(number) if number == *of => format!("all {count}"),
            _ => format!("{how}{count}"),
        };
        format!("{how_many} {other}`{kind}` processes are at line {line}")
    };
    let none = format!("no {other}{kind} is at line {line}");
    let some = format!("{one} {kind} is at line {line}");
    match predicate {
        Predicate::Is(count) if count == "0" => none,
        Predicate::AtMost(0) => none,
        Predicate::Is(count) if count == "1" && *of == 1 => some,
        Predicate::Is(count) if count == "1" => format!("exactly one {other}{kind} is at line {line}"),
        Predicate::IsNot(count) if count == "0" => some,
        Predicate::AtLeast(1) => some,
        Predicate::Is(count) => several("", count),
        Predicate::IsNot(count) => format!("not {}", several("", count)),
        Predicate::AtLeast(count) => several("at least ", &count.to_string()),
        Predicate::AtMost(count) => {
            format!("at most {count} {other}`{kind}` processes are at line {line}")
        }
    }
}

fn compared(what: &str, predicate: &Predicate) -> String {
    match predicate {
        Predicate::Is(value) => format!("{what} is {value}"),
        Predicate::IsNot(value) => format!("{what} is not {value}"),
        Predicate::AtLeast(value) => format!("{what} is at least {value}"),
        Predicate::AtMost(value) => format!("{what} is at most {value}"),
    }
}

/// Why a step needed an earlier one, with the later one as the subject.
pub(super) fn link_reason(reason: &LinkReason) -> String {
    let since = reason.since;
    match &reason.why {
        LinkWhy::Wrote { variable, value: Some(value) } => {
            format!("`{variable}` is {value} since step {since}")
        }
        LinkWhy::Wrote { variable, value: None } => format!("`{variable}` was last changed at step {since}"),
        LinkWhy::Sent { channel } => {
            format!("its message was sent at step {since} through `{channel}`")
        }
        LinkWhy::Inside => format!("it runs atomically with step {since}"),
        LinkWhy::Computed => format!("it uses the value that step {since} computed"),
        LinkWhy::Guarded => format!("its process passed a condition at step {since} and came here"),
        LinkWhy::Stale { variable, value, event } => {
            let value =
                value.as_ref().map_or_else(|| "the same".to_owned(), |value| format!("still {value}"));
            format!("`{variable}` is {value}: `{event}`, enabled since step {since}, had not run yet")
        }
        LinkWhy::Before => format!("step {since} of the same process leads to it"),
    }
}

/// What a step did for a later one, with the earlier one as the subject.
pub(super) fn link_effect(reason: &LinkReason) -> String {
    let later = reason.by.map(|by| format!("step {by}"));
    let reads = match &later {
        Some(later) => format!("which {later} reads"),
        None => "which decides that processes are blocked at the end".to_owned(),
    };
    let later = later.unwrap_or_else(|| "the end".to_owned());
    match &reason.why {
        LinkWhy::Wrote { variable, value: Some(value) } => {
            format!("leaves `{variable}` at {value}, {reads}")
        }
        LinkWhy::Wrote { variable, value: None } => format!("changes `{variable}`, {reads}"),
        LinkWhy::Computed => format!("computes the value that {later} uses"),
        LinkWhy::Sent { channel } => format!("sends the message that {later} receives from `{channel}`"),
        LinkWhy::Inside => format!("runs atomically with {later}"),
        LinkWhy::Guarded => format!("is a condition that its process passes on the way to {later}"),
        LinkWhy::Stale { variable, event, .. } => {
            format!("enables `{event}`, which has not run when {later} reads `{variable}`")
        }
        LinkWhy::Before => format!("leads to {later} in the same process"),
    }
}
