//! What a model is checked for: what `-p` asks for, or else everything that its text states.
//!
//! A text states that its assertions hold and that nothing ends where it must not, its `ltl` blocks, its never claims, and
//! by labels that begin with `accept` that no trace passes them forever. Labels that begin with `progress` are looked at
//! on request, as in SPIN.

use anyhow::{Result, anyhow, bail};
use findings::Property;
use pipeline::request::Asked;
use promela::Model;
use promela::machine::Machine;

use super::obligations::{Endless, with_formulas};
use super::{messages_of, options};
use crate::disk::{Disk, text_of};
use crate::guess::{instead_of, no_line};
use crate::messages::Unreadable;
use crate::question::Question;
use crate::safety;

/// A property that is to be checked.
#[derive(Clone, Debug)]
pub(super) struct Stated {
    pub(super) property: Property,
    /// What `-p` says to ask for it alone.
    pub(super) ask: Option<String>,
    pub(super) what: What,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    /// Something wrong at the end of a trace.
    Safety(Asked),
    /// Something that goes wrong forever.
    Endless(Endless),
    /// A formula with errors: where the first of them is, and what the parser says of it.
    Broken { at: String, message: String },
}

/// The words for what models can be checked for.
const PROPERTIES: [&str; 6] = ["deadlock", "assertion", "fault", SAFETY, "np", "acceptance"];
/// The word for everything that can be wrong at the end of a trace, unless the model has a formula of this name.
const SAFETY: &str = "safety";

impl Stated {
    /// Everything that can be wrong at the end of a trace.
    fn safety(model: &Model) -> Self {
        let (asked, property) = safety::all();
        let ask = Endless::named(model, SAFETY).is_none().then(|| SAFETY.to_owned());
        Self { property, ask, what: What::Safety(asked) }
    }

    fn endless(model: &Model, endless: Endless, ask: &str) -> Self {
        let property = endless.told(model, ask);
        let what = match endless {
            Endless::Formula(number) => problem(model, number),
            _ => None,
        };
        Self { property, ask: Some(ask.to_owned()), what: what.unwrap_or(What::Endless(endless)) }
    }
}

/// The first error in a formula.
fn problem(model: &Model, number: usize) -> Option<What> {
    let (_, message) = model.problems.iter().find(|(formula, _)| *formula == number)?;
    let at = model.map.location(message.file, message.diagnostic.span.start);
    Some(What::Broken { at: at.to_string(), message: message.diagnostic.message.clone() })
}

/// Everything that a model states.
pub(super) fn all(model: &Model) -> Vec<Stated> {
    let mut stated = vec![Stated::safety(model)];
    let formulas = model.program.formulas.iter().enumerate();
    stated.extend(
        formulas.map(|(number, formula)| Stated::endless(model, Endless::Formula(number), &formula.name)),
    );
    let claims: Vec<usize> = Machine::claims(&model.program).collect();
    stated.extend(
        claims.iter().map(|claim| {
            Stated::endless(model, Endless::Claim(*claim), &model.program.processes[*claim].name)
        }),
    );
    // With a claim, its automaton reads these labels as well.
    if claims.is_empty() && has_accept_labels(model) {
        stated.push(Stated::endless(model, Endless::Acceptance, "acceptance"));
    }
    stated
}

fn has_accept_labels(model: &Model) -> bool {
    let labels = model.program.processes.iter().flat_map(|process| &process.labels);
    labels.into_iter().any(|label| label.name.starts_with("accept"))
}

/// Everything that a model states, and the number of what a trail is about: a property of endless traces, which need not
/// stand in the model, or what goes wrong at its end.
pub(super) fn with_trail(
    question: &Question<'_>,
    model: Model,
    endless: Option<String>,
) -> Result<(Model, Vec<Stated>, usize)> {
    let mut stated = all(&model);
    let Some(about) = endless else { return Ok((model, stated, 0)) };
    if let Some(at) = stated.iter().position(|one| one.ask.as_deref() == Some(&about)) {
        return Ok((model, stated, at));
    }
    let (model, own) = asked_for(question, model, &[about])?;
    stated.extend(own);
    let last = stated.len() - 1;
    Ok((model, stated, last))
}

/// What `-p` asks for, in its order. Formulas become part of the model.
pub(super) fn asked_for(
    question: &Question<'_>,
    model: Model,
    texts: &[String],
) -> Result<(Model, Vec<Stated>)> {
    let text = text_of(question.input.bytes);
    asked_in(question, model, &text, texts)
}

/// The same for a model with this text.
pub(super) fn asked_in(
    question: &Question<'_>,
    model: Model,
    text: &str,
    texts: &[String],
) -> Result<(Model, Vec<Stated>)> {
    let is_known = |text: &str| {
        text == SAFETY || safety::named(text).is_some() || Endless::named(&model, text).is_some()
    };
    let formulas: Vec<&str> = texts.iter().map(|text| text.trim()).filter(|text| !is_known(text)).collect();
    let own = model.program.formulas.len();
    let model = match formulas.is_empty() {
        true => model,
        false => {
            let (path, options) = (question.input.path, options(&question.reading));
            with_formulas(&model, &formulas, &Disk, path, text, options).map_err(|error| {
                let unknown = formulas.iter().find(|text| is_unknown_name(&error, text));
                unknown.map_or(error, |name| no_such_formula(&model, name))
            })?
        }
    };
    let mut numbers = own..;
    let mut stated = Vec::new();
    for given in texts.iter().map(|text| text.trim()) {
        stated.push(match (safety::named(given), Endless::named(&model, given)) {
            (Some((asked, property)), _) => {
                if let Asked::Line(line) = asked
                    && let Some(why) = no_line(line, text)
                {
                    bail!("{}: {why}", question.input.path.display());
                }
                Stated { property, ask: Some(given.to_owned()), what: What::Safety(asked) }
            }
            (None, Some(endless)) => {
                refuse_broken(&model, endless)?;
                Stated::endless(&model, endless, given)
            }
            (None, None) if given == SAFETY => Stated::safety(&model),
            (None, None) => {
                let number = numbers.next().unwrap_or(own);
                Stated::endless(&model, Endless::Formula(number), given)
            }
        });
    }
    Ok((model, stated))
}

/// Whether an error says that a formula is nothing but a name that nobody declared.
fn is_unknown_name(error: &anyhow::Error, text: &str) -> bool {
    let Some(unreadable) = error.downcast_ref::<Unreadable>() else { return false };
    let expected = format!("`{text}` is not declared");
    unreadable.messages.iter().any(|message| message.diagnostic.message == expected)
}

fn no_such_formula(model: &Model, name: &str) -> anyhow::Error {
    let formulas = model.program.formulas.iter().map(|formula| formula.name.as_str());
    let claims = Machine::claims(&model.program).map(|claim| model.program.processes[claim].name.as_str());
    let known = instead_of(name, "formulas and claims of the file", formulas.chain(claims), &PROPERTIES);
    anyhow!("`{name}` is no formula of the file, and no variable: {known}")
}

/// A formula that is asked for by its name must be one.
fn refuse_broken(model: &Model, endless: Endless) -> Result<()> {
    let Endless::Formula(asked) = endless else { return Ok(()) };
    let own = model.problems.iter().filter(|(number, _)| *number == asked).map(|(_, message)| message);
    let messages = messages_of(&model.map, own);
    if messages.is_empty() {
        return Ok(());
    }
    let name = &model.program.formulas[asked].name;
    Err(Unreadable { messages, summary: Some(format!("`{name}` cannot be checked")) }.into())
}
