//! Looking for changes of a program after which nothing is wrong, with the engine that found the violation.

use cfront::Narrator;
use findings::{Engine, Explanation};
use pipeline::budget::Budget;
use pipeline::repairs::{Known, Text as Tried, Trial, target};
use pipeline::request::Asked;

use super::Program;
use super::bounded::Effort;
use super::failing::{Failing, bounded};
use super::goal;
use super::passing::Passing;
use super::tests::Suite;
use crate::repairs::{self, Text, changed_lines};

pub(super) fn repair(program: &Program<'_>, explanation: &mut Explanation) {
    let (question, host, source) = (program.question(), program.host(), program.source);
    // Whatever was asked for, a change must not break anything else that programs are checked for.
    let asked = &Asked::All;
    let about = Text { question, text: &source.text, language: edits::Language::C };
    let engine = explanation.engine;
    let request = &question.request.diagnosis;
    let most = program.suite.as_ref().map(Suite::most_steps);
    let known = program.suite.as_ref().map(|suite| suite.known(explanation, request));
    let mut failing = Failing::new(explanation, known.as_ref().unwrap_or(request), most);
    let mut passing: Option<Passing> = None;
    let known = Known::new(explanation);
    let file = question.input.path.display().to_string();
    let check = target(explanation).filter(|wrong| wrong.is_check).and_then(|wrong| wrong.place);
    repairs::repair(explanation, &about, host, None, |text, allowance| {
        let allowance = about.at_most(allowance);
        let Some(model) = source.reading(text).model else { return Ok(None) };
        let is_itself = text == source.text;
        if !is_itself {
            // Threads take the same steps; a program of one thread, the same inputs.
            let refuted = match model.program().threads {
                true => {
                    let changed = changed_lines(&source.text, text);
                    let narrator = Narrator::new(&model);
                    known.refutes(&known.followed(&model, &narrator, &file, &changed), &narrator)
                }
                false => failing.refutes(&model, asked),
            };
            if refuted.is_some() {
                return Ok(refuted);
            }
        }
        let trial = match engine {
            Engine::Sat => {
                let effort = Effort::new(&question.search);
                let trial = bounded(&model, asked, &mut failing, effort, allowance, is_itself, host)?;
                if is_itself {
                    passing = Some(failing.passing_nearby(&model, asked));
                }
                let is_right = !is_itself && trial.complete && trial.violations.is_empty();
                let known = passing.as_ref().filter(|_| is_right);
                let lines = changed_lines(&source.text, text);
                let lost = known.and_then(|known| known.lost(&model, asked, &lines));
                Trial { lost, ..trial }
            }
            Engine::Summary => {
                let budget = Budget::of(host, allowance.work);
                let found = search::summarise(&model, allowance.states, &budget);
                repairs::interrupted(found.interrupt)?;
                pipeline::repairs::summarised(&found, &Narrator::new(&model), asked)
            }
            Engine::Explicit | Engine::Logs => {
                let Some(found) = repairs::explored(&model, allowance, host)? else { return Ok(None) };
                let tried = match is_itself {
                    true => Tried::AsItIs,
                    false => Tried::Changed { check: check.as_ref() },
                };
                pipeline::repairs::explored(&model, &found, &Narrator::new(&model), asked, tried)
            }
        };
        if is_itself {
            failing.know(&trial);
        }
        Ok(Some(trial))
    });
    if let Some(search) = &mut explanation.repair_search {
        // That a test passes says that nothing is wrong in it.
        let safety = program.suite.is_none().then(|| goal::SAFETY.to_owned());
        let is_more = program.goal.0 != Asked::All || program.suite.is_some();
        let asked = is_more.then(|| program.goal.1.text.clone());
        search.properties = safety.into_iter().chain(asked).collect();
    }
}
