//! Rules: one for each kind of violation and method that points at its cause, with a help text for people who meet
//! it in a list of alerts and have never heard of model checking.

use super::log::{Configuration, Message, Rule, Tags};
use crate::{Method, ViolationKind};

/// The rules of a log, in the order in which they are first used.
#[derive(Debug, Default)]
pub(super) struct Rules {
    pub(super) used: Vec<Rule>,
}

/// How a result says which rule it is of.
#[derive(Debug, PartialEq)]
pub(super) struct RuleReference {
    pub(super) id: String,
    /// Its place in the list of the log.
    pub(super) index: usize,
}

impl Rules {
    /// The rule for a kind of violation, and for the method that found a cause of it.
    pub(super) fn of(&mut self, kind: ViolationKind, method: Option<Method>) -> RuleReference {
        let id = method.map_or_else(|| kind.to_string(), |method| format!("{kind}/{method}"));
        let known = self.used.iter().position(|rule| rule.id == id);
        let index = known.unwrap_or_else(|| {
            self.used.push(rule(id.clone(), kind, method));
            self.used.len() - 1
        });
        RuleReference { id, index }
    }
}

fn rule(id: String, kind: ViolationKind, method: Option<Method>) -> Rule {
    let (what, meaning) = violation(kind);
    let message = |text: String| Message { text: super::message_text(&text) };
    let (short, found) = match method {
        None => (format!("{what} is possible"), String::new()),
        Some(method) => {
            let (role, found) = finding(method);
            (format!("{what} is possible: {role}"), format!(" {found}"))
        }
    };
    let help = format!(
        "{meaning}{found} The code flow of the result is the counterexample, in the order in which the processes moved; \
         steps of importance `essential` are those that matter."
    );
    let words = id.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.map(|word| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    });
    let mut tags = vec!["model-checking".to_owned()];
    for tag in [kind.to_string()].into_iter().chain(method.map(|method| method.to_string())) {
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    Rule {
        name: name.collect(),
        short_description: message(short),
        full_description: message(format!("{meaning}{found}")),
        help: message(help),
        default_configuration: Configuration { level: "error" },
        properties: Tags { tags },
        id,
    }
}

/// What a kind of violation is called, and what it means.
fn violation(kind: ViolationKind) -> (&'static str, &'static str) {
    match kind {
        ViolationKind::Deadlock => (
            "a deadlock",
            "The system can reach a state in which no process can move and not all of them may stop.",
        ),
        ViolationKind::Assertion => {
            ("a failed assertion", "A run can come to an assertion whose condition is false there.")
        }
        ViolationKind::Fault => (
            "a fault",
            "A run can do what its language leaves undefined or forbids, such as a division by zero or an access \
             outside of an array.",
        ),
        ViolationKind::Safety => {
            ("a forbidden sequence of actions", "The system can do what the property forbids.")
        }
        ViolationKind::Ltl => {
            ("a violated formula", "A trace of the system violates a formula of linear temporal logic.")
        }
        ViolationKind::Acceptance => (
            "an acceptance cycle",
            "The system can pass a state that is marked as accepting infinitely often.",
        ),
        ViolationKind::NonProgress => {
            ("a cycle without progress", "The system can run forever without passing a progress label.")
        }
        ViolationKind::Contrast => ("a violation", "The system violates its property."),
    }
}

/// The part that a method says a statement plays, and how the method came to it.
fn finding(method: Method) -> (&'static str, &'static str) {
    match method {
        Method::Neighbourhoods => (
            "where it was decided",
            "All failing traces were compared with all passing ones: up to this statement both outcomes were \
             possible, after it they were not.",
        ),
        Method::Anomalies => (
            "what only failing traces do",
            "All failing traces were compared with all passing ones: no passing trace does this in this order.",
        ),
        Method::CorrectTransitions => (
            "what no correct trace does",
            "Of all statements on the way to the violation, these are not on any trace that comes to the same place \
             without violating anything.",
        ),
        Method::Variations => (
            "what separates it from passing runs like it",
            "Runs that differ little from the counterexample were compared: those that fail do this, those that pass \
             do not.",
        ),
        Method::Diagnosis => (
            "a statement that may be wrong",
            "If this statement did something else, the counterexample would not fail.",
        ),
        Method::Repair | Method::Patterns => {
            ("a possible cause", "Failing traces were compared with passing ones.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_listed_once() {
        let mut rules = Rules::default();
        assert_eq!(
            rules.of(ViolationKind::Deadlock, Some(Method::Anomalies)),
            RuleReference { id: "deadlock/anomalies".to_owned(), index: 0 }
        );
        assert_eq!(
            rules.of(ViolationKind::NonProgress, None),
            RuleReference { id: "non-progress".to_owned(), index: 1 }
        );
        assert_eq!(rules.of(ViolationKind::Deadlock, Some(Method::Anomalies)).index, 0);
        let names: Vec<&str> = rules.used.iter().map(|rule| &*rule.name).collect();
        assert_eq!(names, ["DeadlockAnomalies", "NonProgress"]);
    }
}
