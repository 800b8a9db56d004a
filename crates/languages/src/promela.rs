//! Promela: models for SPIN.

mod effect_trace;
mod lassos;
mod obligations;
mod repair;
mod spin_trails;

use std::path::Path;

use anyhow::{Context, Result, bail};
use findings::{Explanation, Replay, Verification};
use graph::{Fairness, Interrupt, StateGraph};
use pipeline::endless::analyse_endless;
use pipeline::request::{Host, Notice, Request};
use preprocess::Options;
use promela::machine::Machine;
use promela::{Model, Narrator, Reading};
use search::Limits;
use source::Message;

use self::obligations::{Endless, with_formula};
use crate::answer::{Answer, NamedTrail, Replays};
use crate::disk::{Disk, text_of};
use crate::emit::{self, answer};
use crate::front_end::FrontEnd;
use crate::labels::loop_start;
use crate::language::Language;
use crate::messages::Unreadable;
use crate::question::{Engine, Question, ReadingOptions};
use crate::retrace::{self, near_states};
use crate::safety;
use crate::searched::{self, Goal, Searched, Searching, explore};
use crate::trail::Trail;
use crate::verified;

/// The front-end.
pub(crate) struct Promela;

impl Searched for Model {
    const KIND: &'static str = "promela";
    type Story<'a> = Narrator<'a>;

    fn story(&self) -> Narrator<'_> {
        Narrator::new(self)
    }
}

impl FrontEnd for Promela {
    fn explain(&self, question: &Question<'_>, host: &dyn Host) -> Result<Answer> {
        refuse(question)?;
        let model = read(question, host)?;
        let trail = question.trail.as_ref();
        let given = question.property.text.clone();
        let given = given.or_else(|| endless_property(&model, &trail?.1));
        match safety::asked_for(&question.property, given.as_deref())? {
            Some(goal) => explain_safety(question, host, &model, &goal),
            None => explain_endless(question, host, model, given.unwrap_or_default().trim()),
        }
    }

    fn replay(
        &self,
        question: &Question<'_>,
        trails: Vec<NamedTrail>,
        host: &dyn Host,
    ) -> Result<Result<Replays, Interrupt>> {
        safety::refuse_others(&question.property)?;
        let model = read(question, host)?;
        let about = trails.iter().filter_map(|(_, trail)| endless_property(&model, trail.as_ref().ok()?));
        let mut about: Vec<String> = about.collect();
        about.dedup();
        if question.property.text.is_none() && about.len() > 1 {
            bail!("the trails are about different properties: choose one with -p");
        }
        let given = question.property.text.clone().or_else(|| about.pop());
        let (model, endless, told) = match safety::asked_for(&question.property, given.as_deref())? {
            Some((_, told)) => (model, None, told),
            None => {
                let given = given.as_deref().unwrap_or_default().trim();
                let (model, endless) = endless_of(question, model, given)?;
                let told = endless.told(&model, given);
                (model, Some(endless), told)
            }
        };
        let replays = replayed(question, &model, endless, &told.text, trails, host);
        let input = question.told_input(Model::KIND, None);
        Ok(Ok(Replays { input, property: told, replays }))
    }

    fn verify(
        &self,
        question: &Question<'_>,
        report: &verify::Report,
        host: &dyn Host,
    ) -> Result<Verification> {
        let model = read(question, host)?;
        match safety::asked_for(&question.property, question.property.text.as_deref())? {
            Some((asked, _)) => {
                let changed = |text: &str| {
                    Model::read(&Disk, question.input.path, text, &options(&question.reading)).model.ok()
                };
                Ok(verified::model(question, report, &model, &asked, &changed, host))
            }
            None => Ok(verify::untested(report)),
        }
    }

    fn transition_system(
        &self,
        question: &Question<'_>,
        host: &dyn Host,
    ) -> Result<Result<StateGraph, Interrupt>> {
        let model = read(question, host)?;
        searched::transition_system(&model, question.request.max_states, host)
    }
}

/// Refuses what models have no use for.
fn refuse(question: &Question<'_>) -> Result<()> {
    safety::refuse_others(&question.property)?;
    emit::refuse(question.emit, Language::Promela)?;
    if !matches!(question.search.engine, Engine::Auto | Engine::Explicit) {
        bail!("--engine: models are searched state by state; other engines are for C programs");
    }
    if question.counterexample_lts.is_some() {
        bail!("--counterexample-lts is for transition systems, not for models");
    }
    Ok(())
}

fn options(reading: &ReadingOptions) -> Options {
    Options {
        defines: reading.definitions(),
        include_folders: reading.include_folders.clone(),
        ..Options::default()
    }
}

/// Reads the model; if it cannot be run, this is the error.
fn read(question: &Question<'_>, host: &dyn Host) -> Result<Model> {
    for option in question.reading.given_for_c() {
        host.notice(Notice::Warning(format!("{option} is for C programs; it does not apply to models")));
    }
    let text = text_of(question.input.bytes);
    let reading = Model::read(&Disk, question.input.path, &*text, &options(&question.reading));
    let messages = messages(&reading);
    match reading.model {
        Ok(model) => {
            host.notice(Notice::Messages(messages));
            Ok(model)
        }
        Err(_) => Err(Unreadable::file(&question.input.path.display().to_string(), messages).into()),
    }
}

/// All that was said about a text, each with the macros and included files it came through.
fn messages(reading: &Reading) -> Vec<Message> {
    let map = reading.map();
    let told = reading.messages.iter().map(|message| {
        let notes = message.preprocessed.map(|offset| map.notes(offset)).unwrap_or_default().into_iter();
        let notes = notes.map(|note| {
            format!("{}: {}", map.location(note.place.file, note.place.span.start), note.message)
        });
        let name = map.path(message.file).display().to_string();
        let text = map.text(message.file).clone();
        Message { notes: notes.collect(), ..Message::new(message.diagnostic.clone(), name, text) }
    });
    told.collect()
}

/// Looks for what is wrong at the end of a trace: deadlocks, assertions and faults.
fn explain_safety(question: &Question<'_>, host: &dyn Host, model: &Model, goal: &Goal) -> Result<Answer> {
    mention_formulas(question, model, host);
    let narrator = Narrator::new(model);
    let retraced = |trail: &Trail| spin_trails::in_model(model, &narrator, trail);
    let events = question
        .trail
        .as_ref()
        .map(|(path, trail)| retraced(trail).with_context(|| path.display().to_string())?.violating(path));
    let searching = Searching::new(question, host);
    let request = Request { events: events.transpose()?, ..searching.request(Model::KIND, goal) };
    let mut before = None;
    let mut explanation = if searching.is_check() {
        let reduce = question.search.reduce && model.machine.can_be_reduced();
        searching.checked(model, goal, reduce)?
    } else {
        let found = searching.explored(model, near_states(question.near.as_ref(), retraced)?)?;
        before = request.repairs.map(|_| pipeline::repairs::explored(&found, &narrator, &goal.0));
        searching.explained(model, found, request.clone())?
    };
    host.known(&explanation);
    effect_trace::diagnose(&mut explanation, model, &narrator, &request, host);
    repair::repair(question, host, &goal.0, before, &mut explanation);
    shown(question, model, explanation)
}

/// Looks for what goes wrong for ever.
fn explain_endless(question: &Question<'_>, host: &dyn Host, model: Model, given: &str) -> Result<Answer> {
    if question.request.violation.is_some_and(|id| id != 1) {
        bail!("there is at most one violation of such a property: --violation does not apply");
    }
    if question.near.is_some() {
        bail!("--near is for violations at the end of a trace");
    }
    let (model, endless) = endless_of(question, model, given)?;
    let narrator = Narrator::new(&model);
    let lasso = question.trail.as_ref().map(|(path, trail)| {
        let given = spin_trails::in_model(&model, &narrator, trail);
        lassos::violating(&model, endless, given, host).with_context(|| path.display().to_string())
    });
    let lasso = lasso.transpose()?;
    let limits = Limits { max_states: question.request.max_states, order: question.search.order() };
    let found = explore(&model, limits, 0.5, host)?;
    let size = findings::GraphSize {
        states: found.counted_states,
        transitions: found.transitions,
        labels: found.events.len() as u64,
    };
    let fairness = question.property.fairness.unwrap_or(Fairness::None);
    let obligation = endless.obligation(&model, &found, fairness == Fairness::Weak, host)?;
    let told = endless.told(&model, given);
    let request = question.request.about(question.told_input(Model::KIND, Some(size)), told);
    let request = Request { fairness, ..request };
    let trace = lasso.as_ref().map(|lasso| (&lasso.trace.events[..], lasso.ending));
    let mut explanation = analyse_endless(&model, found, &narrator, &obligation, trace, &request, host);
    host.known(&explanation);
    // What only an unfair scheduler does is not mended by changing the model.
    if !explanation.only_unfair {
        repair::repair_endless(question, host, given, fairness, &mut explanation);
    }
    shown(question, &model, explanation)
}

/// The answer, with its counterexample as a trail if that is asked for.
fn shown(question: &Question<'_>, model: &Model, explanation: Explanation) -> Result<Answer> {
    answer(question.emit, explanation, |_, counterexample| {
        let start = loop_start(counterexample).map(|start| start as usize);
        Ok(promela::trail::write(&model.machine, &counterexample.run.events, start))
    })
}

/// Goes trails again in a model, without searching it.
fn replayed(
    question: &Question<'_>,
    model: &Model,
    endless: Option<Endless>,
    text: &str,
    trails: Vec<NamedTrail>,
    host: &dyn Host,
) -> Vec<Replay> {
    let narrator = Narrator::new(model);
    retrace::replay_all(
        &narrator,
        trails,
        |trail| spin_trails::in_model(model, &narrator, trail),
        |trail, retraced| {
            // A trail of SPIN with a claim may still be one of a failed assertion.
            let is_asked = question.property.text.is_some() || endless_property(model, trail).is_some();
            match endless.filter(|_| is_asked && !retraced.is_wrong(trail)) {
                None => Ok(retrace::at_its_end(&narrator, retraced)),
                Some(endless) => lassos::judge(model, endless, text, retraced, host),
            }
        },
    )
}

/// The property of endless traces that a trail is about, unless the trail itself goes wrong at its end.
fn endless_property(model: &Model, trail: &Trail) -> Option<String> {
    let property = lassos::property_of(model, trail)?;
    let goes_wrong = || {
        let retraced = spin_trails::in_model(model, &Narrator::new(model), trail);
        retraced.is_ok_and(|retraced| retraced.is_wrong(trail))
    };
    (!goes_wrong()).then_some(property)
}

/// The property of endless traces that `given` means, and the model with it.
fn endless_of(question: &Question<'_>, model: Model, given: &str) -> Result<(Model, Endless)> {
    let text = text_of(question.input.bytes);
    endless_in(question, model, &text, given)
}

/// The same for a model with this text.
fn endless_in(question: &Question<'_>, model: Model, text: &str, given: &str) -> Result<(Model, Endless)> {
    if let Some(endless) = Endless::named(&model, given) {
        return Ok((model, endless));
    }
    let path: &Path = question.input.path;
    let (model, number) = with_formula(&model, given, &Disk, path, text, options(&question.reading))?;
    Ok((model, Endless::Formula(number)))
}

/// Says how to check what a model asks for and this run does not look at.
fn mention_formulas(question: &Question<'_>, model: &Model, host: &dyn Host) {
    if question.property.text.is_some() {
        return;
    }
    let formulas = model.program.formulas.iter().map(|formula| formula.name.as_str());
    let claims = Machine::claims(&model.program).map(|claim| model.program.processes[claim].name.as_str());
    let names: Vec<String> = formulas.chain(claims).map(|name| format!("-p {name}")).collect();
    if !names.is_empty() {
        let names = names.join(", ");
        host.notice(Notice::Note(format!("formulas and claims are checked on request: {names}")));
    }
}
