//! What is told of programs that run on tests: which test it is, and what is wrong with its output.

use super::Narrator;
use crate::machine::{ASSERTION, Given};
use crate::tests::{Difference, Shown};

impl Narrator<'_> {
    /// The name of the test that a step chooses, if it does.
    pub(super) fn test_chosen(&self, statement: u32, given: Given) -> Option<&str> {
        let tests = self.model.tests.as_ref().filter(|tests| tests.choice == statement)?;
        match given {
            Given::One(test) => Some(tests.names.get(usize::try_from(test).ok()?)?),
            _ => None,
        }
    }

    /// What is wrong where a statement prints something else than it should, or ends the program too early.
    pub(super) fn wrong_output(&self, statement: u32, what: u32) -> Option<&'static str> {
        let is_check = self.model.checks_output(statement);
        (what == ASSERTION && is_check).then(|| match statement {
            _ if self.model.is_round(statement) => "no end within the limits",
            _ if self.model.ends_program(statement) => "output ends too early",
            _ => "wrong output",
        })
    }

    /// What exactly is wrong with the output of the test that a state belongs to.
    pub(super) fn told_output(&self, state: &[u8], statement: u32) -> Option<String> {
        let test = self.model.test_of(state)?;
        let name = self.model.tests.as_ref()?.names.get(test)?;
        if self.model.is_round(statement) {
            return Some(format!("the program goes on and on in test {name}"));
        }
        let difference = self.model.differences.get(test)?.as_ref()?;
        Some(format!("{} (output line {} of test {name})", told(difference), difference.line))
    }

    /// The test that a state belongs to, by its name.
    pub(super) fn test_named(&self, state: &[u8]) -> Option<&str> {
        let test = self.model.test_of(state)?;
        Some(self.model.tests.as_ref()?.names.get(test)?)
    }
}

/// A difference in a few words.
fn told(difference: &Difference) -> String {
    let expected = match &difference.expected {
        Shown::Word(word) => format!("should print `{word}`"),
        Shown::EndOfLine => "should print the end of the line".to_owned(),
        Shown::End => "should print nothing more".to_owned(),
    };
    match &difference.printed {
        Shown::Word(word) => format!("prints `{word}`, {expected}"),
        Shown::EndOfLine => format!("prints the end of the line, {expected}"),
        Shown::End => format!("prints nothing more, {expected}"),
    }
}
