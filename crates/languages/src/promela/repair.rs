//! Looking for changes of a model after which nothing is wrong.

use anyhow::{Result, bail};
use findings::{Explanation, Verdict};
use graph::Fairness;
use pipeline::endless::analyse_endless;
use pipeline::repairs::{Known, Trial, Wrongdoing};
use pipeline::request::{Asked, Host, Request};
use promela::{Model, Narrator};
use search::{Explored, Limits};

use super::{endless_in, options};
use crate::disk::{Disk, text_of};
use crate::question::Question;
use crate::repairs::{self, Text};
use crate::searched::{Searched, explore};

/// Looks for repairs of what is wrong at the end of a trace; `before` is what is known of the model as it is.
pub(super) fn repair(
    question: &Question<'_>,
    host: &dyn Host,
    asked: &Asked,
    before: Option<Trial>,
    explanation: &mut Explanation,
) {
    let text = text_of(question.input.bytes);
    let known = Known::new(explanation);
    let about = Text { question, text: &text, language: edits::Language::Promela };
    repairs::repair(explanation, &about, host, before, |changed, allowance| {
        let Some(model) = parsed(question, changed) else { return Ok(None) };
        let narrator = Narrator::new(&model);
        if changed != text
            && let Some(refuted) = known.refutes(&model, &narrator)
        {
            return Ok(Some(refuted));
        }
        let found = repairs::explored(&model, about.at_most(allowance), host)?;
        Ok(found.map(|found| pipeline::repairs::explored(&found, &narrator, asked)))
    });
}

/// Looks for repairs of a property of endless traces.
pub(super) fn repair_endless(
    question: &Question<'_>,
    host: &dyn Host,
    given: &str,
    fairness: Fairness,
    explanation: &mut Explanation,
) {
    let text = text_of(question.input.bytes);
    let about = Text { question, text: &text, language: edits::Language::Promela };
    repairs::repair(explanation, &about, host, None, |changed, allowance| {
        let Some(model) = parsed(question, changed) else { return Ok(None) };
        let Some(found) = repairs::explored(&model, about.at_most(allowance), host)? else { return Ok(None) };
        let mut trial = pipeline::repairs::explored(&found, &Narrator::new(&model), &Asked::All);
        if trial.complete {
            // The property is looked at in a second graph that is searched as well.
            trial.work *= 2;
            match violates(question, model, changed, given, found, fairness, host) {
                Ok(violated) => trial.violations.extend(violated),
                Err(_) => return Ok(None),
            }
        }
        Ok(Some(trial))
    });
}

fn parsed(question: &Question<'_>, text: &str) -> Option<Model> {
    Model::read(&Disk, question.input.path, text, &options(&question.reading)).model.ok()
}

/// What a model that was searched violates of a property of endless traces.
fn violates(
    question: &Question<'_>,
    model: Model,
    text: &str,
    given: &str,
    found: Explored,
    fairness: Fairness,
    host: &dyn Host,
) -> Result<Option<Wrongdoing>> {
    let before = model.program.formulas.len();
    let (model, endless) = endless_in(question, model, text, given)?;
    // With a formula from outside the model is another one.
    let found = match model.program.formulas.len() == before {
        true => found,
        false => explore(&model, Limits::default(), 0.5, host)?,
    };
    let obligation = endless.obligation(&model, &found, fairness == Fairness::Weak, host)?;
    let input = question.told_input(Model::KIND, None);
    let request = Request { fairness, ..Request::check(input, endless.told(&model, given)) };
    let narrator = Narrator::new(&model);
    let checked = analyse_endless(&model, found, &narrator, &obligation, None, &request, host);
    match checked.verdict {
        Verdict::Holds => Ok(None),
        Verdict::Violated => Ok(pipeline::repairs::target(&checked)),
        Verdict::Unknown => bail!("undecided"),
    }
}
