//! Java programs: compiled where they are text, and searched state by state.

mod compiled;
mod goal;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use findings::{Explanation, Outcome, Property, Replay, Skip, Verification};
use graph::Interrupt;
use jvm::{Model, Narrator};
use pipeline::request::{Host, Notice, Request};

use self::compiled::Program;
use self::goal::{Goal, goal};
use crate::answer::{Answer, NamedTrail};
use crate::emit::answer;
use crate::language::Language;
use crate::models::{self, Called, ModelLanguage, refuse_options_of_c};
use crate::question::Question;
use crate::retrace::{self, near_states};
use crate::searched::{Searched, Searching};
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

impl ModelLanguage for Java {
    type Model = Model;
    const DECIDES_AT_ONCE: bool = false;

    fn explained(&self, question: &Question<'_>, host: &dyn Host) -> Result<Answer> {
        models::refuse(question, &CALLED)?;
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
        let answer = answer(question.emit, host, explanation, |form, _| {
            bail!("--emit {}: not for Java programs; try aut or tlc", form.name())
        })?;
        Ok(Answer { sources: model.sources().map(PathBuf::from).collect(), ..answer })
    }

    fn replayed(
        &self,
        question: &Question<'_>,
        trails: Vec<NamedTrail>,
        host: &dyn Host,
    ) -> Result<(Property, Vec<Replay>)> {
        models::refuse(question, &CALLED)?;
        let goal = goal(&question.property)?;
        let model = read(question, &goal, true, host)?;
        let narrator = Narrator::new(&model);
        let replays = retrace::replay_all(
            &narrator,
            trails,
            |trail| retrace::by_deeds(&model, &narrator, trail),
            |_, retraced| Ok(retrace::at_its_end(&narrator, retraced)),
        );
        Ok((goal.told, replays))
    }

    fn verified(
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

    fn whole(&self, question: &Question<'_>, host: &dyn Host) -> Result<Model> {
        read(question, &goal(&question.property)?, true, host)
    }
}

const CALLED: Called =
    Called { language: Language::Java, kind: "programs", by_states: Some("Java programs") };

/// Compiles and loads the program.
fn read(question: &Question<'_>, goal: &Goal, by_lines: bool, host: &dyn Host) -> Result<Model> {
    refuse_options_of_c(question, "Java programs")?;
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
        explanation.methods.diagnosis = Some(Outcome::none(Skip::NoFormula));
    }
}
