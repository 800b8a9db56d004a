//! Going trails again in a model.
//!
//! A report of ours names the steps of its counterexample in the words of the model; other tools in their own. Either way
//! the trace is looked for in the model itself, without searching it.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use findings::{Divergence, Replay, ReplayResult, Violated};
use graph::{Story, System};
use pipeline::model_steps;
use search::{Ending, Replayed};

use crate::answer::NamedTrail;
use crate::labels::label_and_inputs;
use crate::question::Near;
use crate::trail::{Fit, Trail};

/// A trail that was gone again.
#[derive(Clone)]
pub(crate) struct Retraced {
    pub(crate) trace: Replayed,
    /// How many steps lie before the loop, if the trail has one.
    pub(crate) loop_start: Option<usize>,
    /// Where it parts from the model.
    pub(crate) divergence: Option<Divergence>,
}

impl Retraced {
    /// Whether it goes wrong at its end, so that nothing comes after it. A trace that merely stops may still be
    /// about what must hold for ever.
    pub(crate) fn is_wrong(&self, trail: &Trail) -> bool {
        let has_loop =
            trail.loop_start.is_some() || trail.spin.as_ref().is_some_and(|spin| spin.cycle.is_some());
        let is_report = trail.deeds.is_some();
        !has_loop && !is_report && matches!(self.trace.ending, Ending::Wrong(_) | Ending::Deadlock)
    }

    /// The events of a trace that ends in a violation; otherwise an error says where it parts from the model or
    /// that nothing is violated.
    pub(crate) fn violating(self, path: &Path) -> Result<Vec<u64>> {
        let path = path.display();
        match (&self.trace.ending, &self.divergence) {
            (_, Some(parting)) => bail!("{path}: {parting}"),
            (Ending::Deadlock | Ending::Wrong(_), _) => Ok(self.trace.events),
            _ => bail!("{path}: the trail is a trace of the model, but it violates nothing"),
        }
    }
}

/// Goes the trail of a report again, or one that has only labels.
pub(crate) fn by_deeds(system: &impl System, story: &impl Story, trail: &Trail) -> Result<Retraced> {
    match (&trail.deeds, trail.chain(), &trail.spin) {
        (Some(steps), ..) => {
            let labels: Vec<&str> = trail.labels.iter().map(String::as_str).collect();
            let gone = |fit: Fit| {
                let fits =
                    |n: usize, event| steps.get(n).is_some_and(|step| step.fits(&story.event(event), fit));
                by_labels(system, story, trail.loop_start, &labels, fits)
            };
            // Statements may stand elsewhere by now.
            let exact = gone(Fit::Exact);
            Ok(if exact.divergence.is_none() { exact } else { gone(Fit::Words) })
        }
        (None, Some(chain), _) => {
            let labels: Vec<&str> = chain.into_iter().map(|label| label_and_inputs(label).0).collect();
            let fits = |n: usize, event| labels.get(n).is_some_and(|label| *label == story.label(event));
            Ok(by_labels(system, story, trail.loop_start, &labels, fits))
        }
        (None, None, Some(_)) => bail!("trails of SPIN are for Promela models"),
        (None, None, None) => bail!("neither a JSON report on a model nor a trail of SPIN"),
    }
}

/// Goes as many steps as there are labels, each of which must fit.
fn by_labels(
    system: &impl System,
    story: &impl Story,
    loop_start: Option<usize>,
    labels: &[&str],
    fits: impl Fn(usize, u64) -> bool,
) -> Retraced {
    let found = search::follow(system, labels.len(), loop_start, |n, event| fits(n, event).then_some(1));
    let trace = found.trace;
    let divergence = match &trace.ending {
        Ending::Diverges { possible } => {
            let n = trace.events.len();
            Some(Divergence {
                n: n as u64 + 1,
                wanted: labels.get(n).copied().unwrap_or_default().to_owned(),
                possible: self::labels(story, possible),
                line: None,
                reason: None,
            })
        }
        _ => None,
    };
    Retraced { trace, loop_start, divergence }
}

/// The states near which to look, if not everywhere, and how many steps away.
pub(crate) fn near_states(
    near: Option<&Near>,
    retrace: impl FnOnce(&Trail) -> Result<Retraced>,
) -> Result<Option<(Vec<Vec<u8>>, u32)>> {
    let Some(Near { path, trail, depth }) = near else { return Ok(None) };
    let retraced = retrace(trail).with_context(|| path.display().to_string())?;
    match &retraced.divergence {
        Some(parting) => bail!("{}: {parting}", path.display()),
        None => Ok(Some((retraced.trace.states, *depth))),
    }
}

pub(crate) fn labels(story: &impl Story, events: &[u64]) -> Vec<String> {
    events.iter().map(|event| story.label(*event)).collect()
}

/// What a trace violates at its end.
pub(crate) type Judged = (Replayed, Option<Violated>);

/// Replays trails and tells of each what became of it. `judge` looks at those that can be gone to their end.
pub(crate) fn replay_all(
    story: &impl Story,
    trails: Vec<NamedTrail>,
    retrace: impl Fn(&Trail) -> Result<Retraced>,
    judge: impl Fn(&Trail, Retraced) -> Result<Judged>,
) -> Vec<Replay> {
    let replay = |name: &str, trail: Result<Trail>| -> Result<Replay> {
        let trail = trail?;
        let located = |error: anyhow::Error| anyhow!("{name}: {error:#}");
        let retraced = retrace(&trail).map_err(located)?;
        let path = name.to_owned();
        if let Some(divergence) = retraced.divergence {
            let steps = model_steps(story, &retraced.trace);
            let (result, divergence) = (ReplayResult::Diverges, Some(divergence));
            return Ok(Replay { path, result, steps, violation: None, divergence, problem: None });
        }
        let (trace, violation) = judge(&trail, retraced).map_err(located)?;
        let result = if violation.is_some() { ReplayResult::Fails } else { ReplayResult::Passes };
        let steps = model_steps(story, &trace);
        Ok(Replay { path, result, steps, violation, divergence: None, problem: None })
    };
    let replays = trails.into_iter().map(|(path, trail)| {
        let name = path.display().to_string();
        replay(&name, trail).unwrap_or_else(|error| Replay::unreadable(name, format!("{error:#}")))
    });
    replays.collect()
}

/// Judges a trace by what it violates at its end.
pub(crate) fn at_its_end(story: &impl Story, retraced: Retraced) -> Judged {
    let violation = pipeline::violated_by(story, &retraced.trace).map(|wrong| Violated {
        kind: wrong.kind,
        what: pipeline::what(&wrong),
        location: wrong.location,
    });
    (retraced.trace, violation)
}
