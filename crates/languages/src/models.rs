//! What is the same for every language of models and programs.
//!
//! Each reads a text for a question, goes trails again in what it read, and has the claims of a report tested on it. A
//! language says how it reads, what its trails are and what explains its violations; the verbs of a [`FrontEnd`] are made
//! of that here.

use anyhow::{Result, bail};
use findings::{Property, Replay, Verification};
use graph::{Interrupt, StateGraph};
use pipeline::request::Host;

use crate::answer::{Answer, NamedTrail, Replays};
use crate::emit;
use crate::front_end::FrontEnd;
use crate::language::Language;
use crate::question::{Engine, Question};
use crate::safety::refuse_others;
use crate::searched::{Searched, transition_system};

/// What a language of models or programs says of its own.
pub(crate) trait ModelLanguage {
    type Model: Searched;

    /// Whether one search decides about several properties. Otherwise each has one of its own.
    const DECIDES_AT_ONCE: bool;

    /// Checks the input, and explains what is wrong.
    fn explained(&self, question: &Question<'_>, host: &dyn Host) -> Result<Answer>;

    /// Goes trails again in the model, and says what property they are replayed for.
    fn replayed(
        &self,
        question: &Question<'_>,
        trails: Vec<NamedTrail>,
        host: &dyn Host,
    ) -> Result<(Property, Vec<Replay>)>;

    /// Tests what a report says.
    fn verified(
        &self,
        question: &Question<'_>,
        report: &verify::Report,
        host: &dyn Host,
    ) -> Result<Verification>;

    /// The model by itself, with no property.
    fn whole(&self, question: &Question<'_>, host: &dyn Host) -> Result<Self::Model>;
}

impl<L: ModelLanguage> FrontEnd for L {
    fn decides_at_once(&self) -> bool {
        L::DECIDES_AT_ONCE
    }

    fn explain_asked(&self, question: &Question<'_>, host: &dyn Host) -> Result<Answer> {
        self.explained(question, host)
    }

    fn replay(
        &self,
        question: &Question<'_>,
        trails: Vec<NamedTrail>,
        host: &dyn Host,
    ) -> Result<Result<Replays, Interrupt>> {
        let (property, replays) = self.replayed(question, trails, host)?;
        let input = question.told_input(L::Model::KIND, None);
        Ok(Ok(Replays { input, property, replays }))
    }

    fn verify(
        &self,
        question: &Question<'_>,
        report: &verify::Report,
        host: &dyn Host,
    ) -> Result<Verification> {
        self.verified(question, report, host)
    }

    fn transition_system(
        &self,
        question: &Question<'_>,
        host: &dyn Host,
    ) -> Result<Result<StateGraph, Interrupt>> {
        transition_system(&self.whole(question, host)?, question.request.max_states, host)
    }
}

/// How a language is called in messages.
pub(crate) struct Called {
    pub(crate) language: Language,
    /// As opposed to transition systems.
    pub(crate) kind: &'static str,
    /// Where it is searched state by state only.
    pub(crate) by_states: Option<&'static str>,
}

/// Refuses what a model or program has no use for.
pub(crate) fn refuse(question: &Question<'_>, called: &Called) -> Result<()> {
    refuse_others(&question.property)?;
    emit::refuse(question.emit, called.language)?;
    if let Some(name) = called.by_states
        && !matches!(question.search.engine, Engine::Auto | Engine::Explicit)
    {
        bail!("--engine: {name} are searched state by state; other engines are for C programs");
    }
    if question.counterexample_lts.is_some() {
        bail!("--counterexample-lts is for transition systems, not for {}", called.kind);
    }
    Ok(())
}

/// Refuses options of C programs for inputs that are called something else.
pub(crate) fn refuse_options_of_c(question: &Question<'_>, name: &str) -> Result<()> {
    let known = question.request.diagnosis.given();
    match question.reading.given_for_c().chain(known).next() {
        Some(option) => bail!("{option} is for C programs, not for {name}"),
        None => Ok(()),
    }
}
