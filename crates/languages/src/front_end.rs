//! What a language must offer.

use anyhow::Result;
use findings::Verification;
use graph::{Interrupt, StateGraph};
use pipeline::request::Host;

use crate::answer::{Answer, NamedTrail, Replays};
use crate::question::Question;
use crate::several::explain_each;

/// A language, and what it can do with an input. Errors are for people: the input, the property or a trail cannot be
/// read, or something is asked that the language does not have. Limits are no errors of an explanation.
pub trait FrontEnd {
    /// Checks the input, and explains what is wrong as far as that is asked for.
    fn explain(&self, question: &Question<'_>, host: &dyn Host) -> Result<Answer> {
        if question.property.texts.len() > 1 && !self.decides_at_once() {
            return explain_each(question, host, |question, host| self.explain_asked(question, host));
        }
        self.explain_asked(question, host)
    }

    /// Whether one search decides about several properties. Otherwise each has one of its own.
    fn decides_at_once(&self) -> bool {
        false
    }

    /// The same for one property, or for as many as one search decides about.
    fn explain_asked(&self, question: &Question<'_>, host: &dyn Host) -> Result<Answer>;

    /// Goes trails again, without looking for anything; or the limit that was reached before.
    fn replay(
        &self,
        question: &Question<'_>,
        trails: Vec<NamedTrail>,
        host: &dyn Host,
    ) -> Result<Result<Replays, Interrupt>>;

    /// Tests the claims of a report about the input again; `question` is what the report says it was asked.
    fn verify(
        &self,
        question: &Question<'_>,
        report: &verify::Report,
        host: &dyn Host,
    ) -> Result<Verification>;

    /// All states and steps of the input; or the limit that was reached before.
    fn transition_system(
        &self,
        question: &Question<'_>,
        host: &dyn Host,
    ) -> Result<Result<StateGraph, Interrupt>>;
}
