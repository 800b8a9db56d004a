//! Rules: one for each kind of violation, with a help text for people who meet it in a list of alerts and have never heard
//! of model checking.

use super::log::{Configuration, Message, Rule, Tags};
use super::message::message_text;
use crate::ViolationKind;

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
    /// The rule for a kind of violation.
    pub(super) fn of(&mut self, kind: ViolationKind) -> RuleReference {
        let id = kind.to_string();
        let known = self.used.iter().position(|rule| rule.id == id);
        let index = known.unwrap_or_else(|| {
            self.used.push(rule(id.clone(), kind));
            self.used.len() - 1
        });
        RuleReference { id, index }
    }
}

fn rule(id: String, kind: ViolationKind) -> Rule {
    let (what, meaning) = violation(kind);
    let message = |text: String| Message { text: message_text(&text) };
    let help = format!(
        "{meaning} The message names the likeliest cause, which is where the result points; related locations are the \
         other causes and what speaks for them. The first code flow is the counterexample, in the order in which the \
         processes moved; steps of importance `essential` are those that matter."
    );
    let words = id.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.map(|word| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    });
    Rule {
        name: name.collect(),
        short_description: message(format!("{what} is possible")),
        full_description: message(meaning.to_owned()),
        help: message(help),
        default_configuration: Configuration { level: "error" },
        properties: Tags { tags: vec!["model-checking".to_owned(), id.clone()] },
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_listed_once() {
        let mut rules = Rules::default();
        let reference = |id: &str, index| RuleReference { id: id.to_owned(), index };
        assert_eq!(rules.of(ViolationKind::Deadlock), reference("deadlock", 0));
        assert_eq!(rules.of(ViolationKind::NonProgress), reference("non-progress", 1));
        assert_eq!(rules.of(ViolationKind::Deadlock).index, 0);
        let names: Vec<&str> = rules.used.iter().map(|rule| &*rule.name).collect();
        assert_eq!(names, ["Deadlock", "NonProgress"]);
    }
}
