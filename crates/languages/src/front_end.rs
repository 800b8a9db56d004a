//! What a language must offer.

use std::path::PathBuf;

use anyhow::Result;
use findings::Explanation;
use graph::{Interrupt, StateGraph};
use pipeline::request::Host;

use crate::c::C;
use crate::language::Language;
use crate::promela::Promela;
use crate::question::Question;
use crate::trail::Trail;
use crate::transition_system::TransitionSystem;

/// A language, and what it can do with an input. Errors are for people: the input, the property or a trail cannot be
/// read, or something is asked that the language does not have. Limits are no errors of an explanation.
pub trait FrontEnd {
    /// Checks the input, and explains what is wrong as far as that is asked for.
    fn explain(&self, question: &Question<'_>, host: &dyn Host) -> Result<Answer>;

    /// Goes trails again, without looking for anything; or the limit that was reached before.
    fn replay(
        &self,
        question: &Question<'_>,
        trails: Vec<NamedTrail>,
        host: &dyn Host,
    ) -> Result<Result<Replays, Interrupt>>;

    /// All states and steps of the input; or the limit that was reached before.
    fn transition_system(
        &self,
        question: &Question<'_>,
        host: &dyn Host,
    ) -> Result<Result<StateGraph, Interrupt>>;
}

/// The answer to a question.
#[derive(Debug)]
pub struct Answer {
    pub explanation: Explanation,
    /// The counterexample in the form that was asked for, if there is a counterexample.
    pub emitted: Option<String>,
}

/// A trail with the name of its file, or why it could not be read.
pub type NamedTrail = (PathBuf, Result<Trail>);

/// What was replayed, about what, and what came out.
#[derive(Debug)]
pub struct Replays {
    pub input: findings::Input,
    pub property: findings::Property,
    pub replays: Vec<findings::Replay>,
}

/// Whoever reads a language.
pub fn front_end(language: Language) -> Box<dyn FrontEnd> {
    match language {
        Language::Promela => Box::new(Promela),
        Language::C => Box::new(C),
        Language::Graph(format) => Box::new(TransitionSystem(format)),
    }
}
