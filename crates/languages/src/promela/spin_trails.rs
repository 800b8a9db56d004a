//! Going trails of SPIN again (see [`promela::trail`]).

use anyhow::Result;
use findings::Divergence;
use promela::trail::{Guide, Reading};
use promela::{Model, Narrator};
use search::{Ending, Followed};

use crate::retrace::{Retraced, by_deeds, labels};
use crate::trail::Trail;

/// Goes a trail again in a Promela model.
pub(crate) fn in_model(model: &Model, narrator: &Narrator<'_>, trail: &Trail) -> Result<Retraced> {
    match &trail.spin {
        Some(trail) => Ok(by_spin(model, narrator, trail)),
        None => by_deeds(model, narrator, trail),
    }
}

fn by_spin(model: &Model, narrator: &Narrator<'_>, trail: &promela::trail::Trail) -> Retraced {
    let mut guide = Guide::new(model, narrator, trail);
    // In a loop of the claim alone no process moves: the trace has ended.
    let cycle = trail.cycle.filter(|cycle| *cycle < guide.length());
    let go =
        |guide: &Guide<'_>| search::follow(model, guide.length(), cycle, |at, event| guide.covers(at, event));
    let is_violating = |found: &Followed| {
        matches!(found.trace.ending, Ending::Deadlock | Ending::Wrong(_)) || found.loop_start.is_some()
    };
    let mut found = go(&guide);
    if guide.is_ambiguous() {
        let mut best = guide.reading;
        for reading in Reading::FURTHER {
            if is_violating(&found) {
                break;
            }
            guide.reading = reading;
            let other = go(&guide);
            if is_violating(&other) || found.entries.last() < other.entries.last() {
                (found, best) = (other, reading);
            }
        }
        guide.reading = best;
    }
    let Followed { trace, entries, loop_start } = found;
    let divergence = match &trace.ending {
        Ending::Diverges { possible } => {
            let at = entries.last().copied().unwrap_or_default();
            let reason = trace.states.last().and_then(|state| guide.why_not(state, at));
            Some(Divergence {
                n: trace.events.len() as u64 + 1,
                wanted: guide.wanted(at),
                possible: labels(narrator, possible),
                line: guide.entry(at).map(|entry| entry.line as u64),
                reason,
            })
        }
        _ => None,
    };
    // If it does not come back, the loop begins with the first step of which an entry lies behind its start.
    let begins = |cycle: usize| entries.iter().skip(1).take_while(|at| **at <= cycle).count();
    Retraced { loop_start: loop_start.or(cycle.map(begins)), trace, divergence }
}
