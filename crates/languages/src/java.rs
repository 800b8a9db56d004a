//! Java programs: compiled where they are text, and searched state by state.

mod compiled;
mod goal;

use anyhow::{Context, Result, bail};
use findings::{Explanation, Outcome, Skip, Verification};
use graph::{Interrupt, StateGraph};
use jvm::{Model, Narrator};
use pipeline::request::{Host, Notice, Request};

use self::compiled::Program;
use self::goal::{Goal, goal};
use crate::answer::{Answer, NamedTrail, Replays};
use crate::emit::{self, answer};
use crate::front_end::FrontEnd;
use crate::language::Language;
use crate::question::{Engine, Question};
use crate::retrace::{self, near_states};
use crate::safety::refuse_others;
use crate::searched::{self, Searched, Searching};
use crate::several::explain_each;
use crate::trail::Trail;
use crate::verified;

/// The front-end.
pub(crate) struct Java;

impl Searched for Model {
    const KIND: &'static str = "java";
    type Story<'a> = Narrator<'a>;

    fn story(&self) -> Narrator<'_> {
        Narrator::new(self)
    }

    fn obstacle(&self, state: &[u8]) -> Option<Interrupt> {
        let (what, line) = self.obstacle(state)?;
        Some(Interrupt::Needs(what, line))
    }
}

impl FrontEnd for Java {
    fn explain(&self, question: &Question<'_>, host: &dyn Host) -> Result<Answer> {
        if question.property.texts.len() > 1 {
            return explain_each(question, host, |question, host| self.explain(question, host));
        }
        refuse(question)?;
        let goal = goal(&question.property)?;
        let searching = Searching::new(question, host);
        // A verdict does not care where a thread that is alone stands.
        let model = read(question, &goal, !searching.is_check(), host)?;
        let narrator = Narrator::new(&model);
        let retraced = |trail: &Trail| retrace::by_deeds(&model, &narrator, trail);
        let events = question.trail.as_ref().map(|(path, trail)| {
            retraced(trail).with_context(|| path.display().to_string())?.violating(path)
        });
        let asked = (goal.asked.clone(), goal.told.clone());
        let request = Request { events: events.transpose()?, ..searching.request(Model::KIND, &asked) };
        let mut explanation = if searching.is_check() {
            searching.checked(&model, request, false)?
        } else {
            let found = searching.explored(&model, near_states(question.near.as_ref(), retraced)?)?;
            searching.explained(&model, found, request)?
        };
        host.known(&explanation);
        without_formulas(&mut explanation);
        answer(question.emit, host, explanation, |form, _| {
            bail!("--emit {}: not for Java programs; try aut or tlc", form.name())
        })
    }

    fn replay(
        &self,
        question: &Question<'_>,
        trails: Vec<NamedTrail>,
        host: &dyn Host,
    ) -> Result<Result<Replays, Interrupt>> {
        refuse(question)?;
        let goal = goal(&question.property)?;
        let model = read(question, &goal, true, host)?;
        let narrator = Narrator::new(&model);
        let replays = retrace::replay_all(
            &narrator,
            trails,
            |trail| retrace::by_deeds(&model, &narrator, trail),
            |_, retraced| Ok(retrace::at_its_end(&narrator, retraced)),
        );
        let input = question.told_input(Model::KIND, None);
        Ok(Ok(Replays { input, property: goal.told, replays }))
    }

    fn verify(
        &self,
        question: &Question<'_>,
        report: &verify::Report,
        host: &dyn Host,
    ) -> Result<Verification> {
        let goal = goal(&question.property)?;
        let model = read(question, &goal, true, host)?;
        // No text is changed, so none has to be read.
        Ok(verified::model(question, report, &model, &goal.asked, &|_| None, host))
    }

    fn transition_system(
        &self,
        question: &Question<'_>,
        host: &dyn Host,
    ) -> Result<Result<StateGraph, Interrupt>> {
        let goal = goal(&question.property)?;
        let model = read(question, &goal, true, host)?;
        searched::transition_system(&model, question.request.max_states, host)
    }
}

/// Refuses what Java programs have no use for.
fn refuse(question: &Question<'_>) -> Result<()> {
    refuse_others(&question.property)?;
    emit::refuse(question.emit, Language::Java)?;
    if !matches!(question.search.engine, Engine::Auto | Engine::Explicit) {
        bail!("--engine: Java programs are searched state by state; other engines are for C programs");
    }
    if question.counterexample_lts.is_some() {
        bail!("--counterexample-lts is for transition systems, not for programs");
    }
    Ok(())
}

/// Compiles and loads the program.
fn read(question: &Question<'_>, goal: &Goal, by_lines: bool, host: &dyn Host) -> Result<Model> {
    let failing = (!question.request.diagnosis.failing.is_empty()).then_some("--failing");
    if let Some(option) = question.reading.given_for_c().chain(failing).next() {
        bail!("{option} is for C programs, not for Java programs");
    }
    let Program { library, mut options, notes, .. } = Program::read(question)?;
    for note in notes {
        host.notice(Notice::Warning(note));
    }
    options.by_lines = by_lines;
    options.races = goal.races;
    options.forbidden.clone_from(&goal.forbidden);
    let name = question.input.path.display();
    Model::new(library, &options).with_context(|| name.to_string())
}

/// A trace of a Java program is no formula, so nothing is assumed wrong in it.
fn without_formulas(explanation: &mut Explanation) {
    if explanation.counterexample.is_some() && explanation.methods.diagnosis.is_some() {
        explanation.methods.diagnosis = Some(Outcome::Skipped(Skip::NoFormula));
    }
}
