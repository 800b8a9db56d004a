//! Promela: models for SPIN.

mod effect_trace;
mod explaining;
mod lassos;
mod obligations;
mod repair;
mod spin_trails;
mod stated;
mod verifying;

use std::path::Path;

use anyhow::{Result, bail};
use findings::{Explanation, Property, Replay, Verification};
use pipeline::request::{Host, Notice};
use preprocess::{Options, SourceMap};
use promela::{Model, Narrator};
use source::{Message, Severity};

use self::obligations::Endless;
use self::stated::{Stated, What};
use crate::answer::{Answer, NamedTrail};
use crate::disk::{Disk, text_of};
use crate::emit::answer;
use crate::labels::loop_start;
use crate::language::Language;
use crate::messages::Unreadable;
use crate::models::{self, Called, ModelLanguage, refuse_options_of_c};
use crate::question::{Question, ReadingOptions};
use crate::retrace;
use crate::safety;
use crate::searched::Searched;
use crate::trail::Trail;

/// The front-end.
pub(crate) struct Promela;

impl Searched for Model {
    const KIND: &'static str = "promela";
    type Story<'a> = Narrator<'a>;

    fn story(&self) -> Narrator<'_> {
        Narrator::new(self)
    }
}

impl ModelLanguage for Promela {
    type Model = Model;
    const DECIDES_AT_ONCE: bool = true;

    fn explained(&self, question: &Question<'_>, host: &dyn Host) -> Result<Answer> {
        let called = Called { language: Language::Promela, kind: "models", by_states: Some("models") };
        models::refuse(question, &called)?;
        let model = read(question, host)?;
        let texts = &question.property.texts;
        let Some((_, trail)) = &question.trail else {
            let (model, stated) = match &texts[..] {
                [] => {
                    let stated = stated::all(&model);
                    (model, stated)
                }
                texts => stated::asked_for(question, model, texts)?,
            };
            warn_of_first_states(&model, &stated, host);
            return explaining::explain(question, host, &model, &stated, None);
        };
        if texts.len() > 1 {
            bail!("--trail is a counterexample to one property: give -p once");
        }
        if !texts.is_empty() {
            let (model, stated) = stated::asked_for(question, model, texts)?;
            return explaining::explain(question, host, &model, &stated, Some(0));
        }
        // The trail says what is explained; everything else is checked as well.
        let about = endless_property(&model, trail);
        let (model, stated, pinned) = stated::with_trail(question, model, about)?;
        explaining::explain(question, host, &model, &stated, Some(pinned))
    }

    fn replayed(
        &self,
        question: &Question<'_>,
        trails: Vec<NamedTrail>,
        host: &dyn Host,
    ) -> Result<(Property, Vec<Replay>)> {
        safety::refuse_others(&question.property)?;
        let model = read(question, host)?;
        let about = trails.iter().filter_map(|(_, trail)| endless_property(&model, trail.as_ref().ok()?));
        let mut about: Vec<String> = about.collect();
        about.dedup();
        let given = match &question.property.texts[..] {
            [] if about.len() > 1 => {
                bail!("the trails are about different properties: choose one with -p")
            }
            [] => about.pop(),
            [one] => Some(one.clone()),
            _ => bail!("trails are replayed for one property: give -p once"),
        };
        let (model, endless, told) = match given {
            None => (model, None, safety::all().1),
            Some(given) => {
                let (model, stated) = stated::asked_for(question, model, &[given])?;
                let Some(Stated { property, what, .. }) = stated.into_iter().next() else {
                    bail!("there is no property to replay the trails for");
                };
                let endless = match what {
                    What::Endless(endless) => Some(endless),
                    What::Safety(_) | What::Broken { .. } => None,
                };
                (model, endless, property)
            }
        };
        let replays = replayed(question, &model, endless, &told.text, trails, host);
        Ok((told, replays))
    }

    fn verified(
        &self,
        question: &Question<'_>,
        report: &verify::Report,
        host: &dyn Host,
    ) -> Result<Verification> {
        let model = read(question, host)?;
        let (model, stated) = match &question.property.texts[..] {
            [] => {
                let stated = stated::all(&model);
                (model, stated)
            }
            texts => stated::asked_for(question, model, texts)?,
        };
        Ok(verifying::verify(question, report, &model, &stated, host))
    }

    fn whole(&self, question: &Question<'_>, host: &dyn Host) -> Result<Model> {
        read(question, host)
    }
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
    refuse_options_of_c(question, "models")?;
    let text = text_of(question.input.bytes);
    let reading = Model::read(&Disk, question.input.path, &*text, &options(&question.reading));
    let messages = messages_of(reading.map(), &reading.messages);
    match reading.model {
        Ok(model) => {
            let mut messages = messages;
            messages.extend(broken_formulas(&model));
            host.notice(Notice::Messages(messages));
            Ok(model)
        }
        Err(_) => Err(Unreadable::file(&question.input.path.display().to_string(), messages).into()),
    }
}

/// What is wrong with formulas, which is told when they are asked for as an error, and before as a warning.
fn broken_formulas(model: &Model) -> Vec<Message> {
    let mut messages = messages_of(&model.map, model.problems.iter().map(|(_, message)| message));
    messages.iter_mut().for_each(|message| message.diagnostic.severity = Severity::Warning);
    messages
}

/// A formula without temporal operators looks like an invariant and is none.
fn warn_of_first_states(model: &Model, stated: &[Stated], host: &dyn Host) {
    for Stated { property, what, .. } in stated {
        let What::Endless(Endless::Formula(number)) = what else { continue };
        if !model.program.formulas[*number].formula.is_temporal() {
            host.notice(Notice::Warning(format!(
                "`{}` has no temporal operator, so it is about the first state only; `[]` asks for it always, `<>` \
                 at some time",
                property.text
            )));
        }
    }
}

/// All that was said about a text, each with the macros and included files it came through.
fn messages_of<'m>(
    map: &SourceMap,
    messages: impl IntoIterator<Item = &'m promela::Message>,
) -> Vec<Message> {
    let told = messages.into_iter().map(|message| {
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

/// The answer, with its counterexample as a trail if that is asked for.
fn shown(
    question: &Question<'_>,
    host: &dyn Host,
    model: &Model,
    explanation: Explanation,
) -> Result<Answer> {
    let answer = answer(question.emit, host, explanation, |_, counterexample| {
        let start = loop_start(counterexample).map(|start| start as usize);
        Ok(promela::trail::write(&model.machine, &counterexample.run.events, start))
    })?;
    Ok(Answer { sources: model.map.paths().map(Path::to_owned).collect(), ..answer })
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
            let is_asked = question.property.is_given() || endless_property(model, trail).is_some();
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
