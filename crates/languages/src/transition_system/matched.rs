//! A counterexample LTS from elsewhere: all failing traces of a system in a file of their own.

use std::path::Path;

use anyhow::{Context, Result, bail};
use explain::Matched;
use findings::ViolationKind;
use graph::{Product, StateGraph, Transitions as _};
use lts::Mismatch;
use pipeline::analysis;
use pipeline::request::Host;

use super::property::told;
use super::{TransitionSystem, read, shown};
use crate::answer::Answer;
use crate::language::Language;
use crate::question::Question;

/// Explains all the traces of a counterexample LTS.
pub(super) fn explain(
    system: &TransitionSystem,
    question: &Question<'_>,
    path: &Path,
    bytes: &[u8],
    host: &dyn Host,
) -> Result<Answer> {
    let end_label = question.property.end_label.as_deref();
    let name = path.display().to_string();
    let told = told(ViolationKind::Safety, &format!("the traces of {name} do not occur"));
    let graph = system.read(question, question.given_for_models(), host)?;
    let Language::Graph(format) = Language::of_file(path, bytes)? else {
        bail!("{name}: a counterexample LTS is a transition system");
    };
    let given = read(format, &name, bytes, host)?;
    let (model, given) = match (&graph, &given) {
        (Ok(model), Ok(given)) => (model, given),
        (Err(limit), _) | (_, Err(limit)) => return system.unread(question, told, *limit, host),
    };
    let end = match end_label {
        None => None,
        Some(label) => match given.labels.find(label) {
            Some(end) => Some(end),
            None => bail!("{name}: no transition has the end label `{label}`"),
        },
    };
    let simulation = match lts::simulate(given, model, end, host) {
        Ok(simulation) => simulation,
        Err(limit) => return system.unread(question, told, limit, host),
    };
    if let Some(mismatch) = simulation.mismatch() {
        bail!("{name}: {}", not_contained(given, mismatch));
    }
    let own = match lts::simulate(given, given, None, host) {
        Ok(own) => own,
        Err(limit) => return system.unread(question, told, limit, host),
    };
    let matched = Matched::new(model, given, end, &simulation, &own)?;
    if (0..given.state_count() as u32).all(|state| !matched.is_violating(state)) {
        bail!(
            "{name}: no counterexample ends: every state has an outgoing transition; name the label that ends them with --end-label"
        );
    }
    let property = property::from_graph(given, end_label, &model.labels).with_context(|| name.clone())?;
    let property = property.compiled;
    let product = Product::new(model, &property.classes, &property.dfa, property.violated_when)?;
    let request = system.request(question, Some(model), told, None);
    shown(question, host, analysis::analyse_matched(&product, &matched, request, host))
}

fn not_contained(given: &StateGraph, mismatch: &Mismatch) -> String {
    let labels: Vec<&str> = mismatch.trace.iter().map(|label| given.labels.get(*label)).collect();
    let after =
        if labels.is_empty() { "at its start".to_owned() } else { format!("after {}", labels.join(", ")) };
    let cannot = mismatch.stuck.map_or_else(String::new, |(label, _)| {
        format!(" it does `{}`, which the system cannot do there", given.labels.get(label))
    });
    format!("not a counterexample LTS of the system: {after}{cannot}")
}
