//! Trails of endless traces: which property they are about, and what they do after their last step.

use anyhow::{Result, anyhow, bail};
use findings::{TraceEnd, Violated, What};
use graph::{System, Watch, Worker};
use liveness::Ending;
use promela::Model;
use search::Replayed;

use super::obligations::Endless;
use crate::retrace::{Judged, Retraced};
use crate::trail::Trail;

/// How often a loop is gone again to see whether it comes back to where it was. SPIN does not tell apart
/// states that differ only in variables that are not read any more; we do.
const MOST_TURNS: usize = 64;

/// A trace that goes on for ever, or ends.
pub(crate) struct Lasso {
    pub(crate) trace: Replayed,
    pub(crate) ending: Ending,
}

impl Lasso {
    /// What becomes of a trail after its last step. A loop that does not close is none.
    pub(crate) fn new(system: &impl System, retraced: Retraced) -> Option<Self> {
        let Retraced { mut trace, loop_start, .. } = retraced;
        let mut worker = system.worker();
        let last = trace.states.last()?;
        let Some(start) = loop_start.filter(|start| *start < trace.events.len()) else {
            let mut goes_on = false;
            worker.steps(last, |_| goes_on = true);
            let ending = if goes_on { Ending::Decided } else { Ending::Stops };
            return Some(Self { trace, ending });
        };
        let turn = trace.events[start..].to_vec();
        for again in 0..MOST_TURNS {
            let last = trace.states.last()?;
            let mut begins = (0..=again).map(|turns| start + turns * turn.len());
            if let Some(start) = begins.find(|at| trace.states.get(*at) == Some(last)) {
                return Some(Self { trace, ending: Ending::Loop(start) });
            }
            for event in &turn {
                let mut next = None;
                worker.steps(trace.states.last()?, |step| {
                    if step.event == *event && step.violation.is_none() && next.is_none() {
                        next = Some(step.state.to_vec());
                    }
                });
                trace.states.push(next?);
                trace.events.push(*event);
            }
        }
        None
    }

    /// What happens after the last step.
    fn end(&self) -> TraceEnd {
        pipeline::endless::trace_end(self.ending, self.trace.events.len())
    }
}

fn closed(model: &Model, retraced: Retraced) -> Result<Lasso> {
    let lasso = Lasso::new(model, retraced);
    lasso.ok_or_else(|| anyhow!("the loop of the trail does not come back to where it began"))
}

/// Judges a trace by a property of endless traces, which is called `text`.
pub(crate) fn judge(
    model: &Model,
    endless: Endless,
    text: &str,
    retraced: Retraced,
    watch: &dyn Watch,
) -> Result<Judged> {
    let lasso = closed(model, retraced)?;
    let violation = endless.is_violated_by(model, &lasso, watch)?.then(|| Violated {
        kind: endless.kind(),
        what: What::Endless { property: endless.property(text), ending: lasso.end() },
        location: None,
    });
    Ok((lasso.trace, violation))
}

/// The trace of a trail that violates a property of endless traces; an error if it does not.
pub(crate) fn violating(
    model: &Model,
    endless: Endless,
    retraced: Result<Retraced>,
    watch: &dyn Watch,
) -> Result<Lasso> {
    let retraced = retraced?;
    if let Some(parting) = &retraced.divergence {
        bail!("{parting}");
    }
    let lasso = closed(model, retraced)?;
    if !endless.is_violated_by(model, &lasso, watch)? {
        let end = match lasso.end() {
            TraceEnd::Repeats { first, last } => format!("it repeats steps {first} to {last} forever"),
            TraceEnd::Stops => "it ends after its last step".to_owned(),
            TraceEnd::Decided => "what comes after its last step is not known".to_owned(),
        };
        bail!("the trail is a trace of the model, but it does not violate the property: {end}");
    }
    Ok(lasso)
}

/// What `-p` would say of the property that a trail is about, if that is one of endless traces.
pub(crate) fn property_of(model: &Model, trail: &Trail) -> Option<String> {
    if let Some(spin) = &trail.spin {
        return match spin.claim {
            Some(claim) => Some(claim_name(model, claim as usize)),
            None => spin.cycle.map(|_| "acceptance".to_owned()),
        };
    }
    let property = trail.property.as_ref()?;
    match property.kind.as_deref()? {
        "non-progress" => Some("np".to_owned()),
        "acceptance" => Some(property.text.strip_prefix("never claim ").unwrap_or("acceptance").to_owned()),
        // A formula of the model with its name before it, or one from the command line.
        "ltl" => {
            let name = property.text.split_once('{').map(|(name, _)| name.trim());
            let is_known = |name: &&str| model.program.formulas.iter().any(|formula| formula.name == **name);
            Some(name.filter(is_known).unwrap_or(&property.text).to_owned())
        }
        _ => None,
    }
}

/// SPIN counts proctypes and claims in the order of the text, then formulas, then its own claim about progress.
fn claim_name(model: &Model, claim: usize) -> String {
    let processes = &model.program.processes;
    if let Some(process) = processes.get(claim) {
        return process.name.clone();
    }
    let formula = model.program.formulas.get(claim - processes.len());
    formula.map_or_else(|| "np".to_owned(), |formula| formula.name.clone())
}
