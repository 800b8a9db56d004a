//! What a pattern says of its own steps besides who takes them: which variable they change, what they receive and send, and
//! what does not happen between them.

use findings::Witness;
use serde::Deserialize;
use serde_json::Value;

use crate::case::{Case, Tested, same};
use crate::pattern::Moment;

/// Whose steps say more than that they are there.
pub(crate) fn shape(case: &Case<'_>, pattern: &Value) -> Tested {
    let Some((name, cast)) = pattern.as_object().and_then(|only| only.iter().next()) else { return Ok(()) };
    match name.as_str() {
        "skipped-bookkeeping" => read(cast).map_or(Ok(()), |cast| skipped(case, &cast)),
        "foreign-release" => read(cast).map_or(Ok(()), |cast| foreign(case, &cast)),
        "message-dropped" => read(cast).map_or(Ok(()), |cast| dropped(case, &cast)),
        "served-update" => read(cast).map_or(Ok(()), |cast| served(case, &cast)),
        "signal-before-wait" => read(cast).map_or(Ok(()), |cast| early(&cast)),
        "use-before-ready" => read(cast).map_or(Ok(()), |cast| unready(case, &cast)),
        "stale-value" => read(cast).map_or(Ok(()), |cast| stale(case, &cast)),
        "signalled-another" => read(cast).map_or(Ok(()), |cast| another(case, &cast)),
        "stale-answer" => read(cast).map_or(Ok(()), |cast| answered(case, &cast)),
        _ => Ok(()),
    }
}

fn read<T: serde::de::DeserializeOwned>(cast: &Value) -> Option<T> {
    serde_json::from_value(cast.clone()).ok()
}

#[derive(Deserialize)]
struct Skipped {
    variable: String,
    counted: Moment,
}

#[derive(Deserialize)]
struct Foreign {
    lock: String,
    taken: Moment,
    given: Moment,
}

#[derive(Deserialize)]
struct Dropped {
    channel: String,
    taken: Moment,
    dropped: Moment,
}

#[derive(Deserialize)]
struct Served {
    variable: String,
    read: Moment,
    got: Moment,
    sent: Moment,
    foreign: Moment,
    stored: Moment,
}

#[derive(Deserialize)]
struct Early {
    given: Moment,
    sleep: Moment,
}

#[derive(Deserialize)]
struct Unready {
    flag: String,
    data: String,
    set: Moment,
    seen: Moment,
    used: Moment,
}

#[derive(Deserialize)]
struct Stale {
    variable: String,
    value: String,
    set: Moment,
    renewed: Moment,
    used: Moment,
    fresh: Option<String>,
}

#[derive(Deserialize)]
struct Another {
    given: Moment,
    changed: Moment,
    variable: String,
}

#[derive(Deserialize)]
struct Answered {
    channel: String,
    asked: Moment,
    answered: Moment,
    first: Moment,
    accepted: Moment,
}

/// Somebody else gives the signal, and before the other one sleeps.
fn early(told: &Early) -> Tested {
    same("order of the steps", &true, &(told.given.step < told.sleep.step))?;
    same("whether it misses a signal of its own", &false, &(told.given.who.pid == told.sleep.who.pid))
}

/// The flag is set by one and seen by the other, who then reads the data without writing it.
fn unready(case: &Case<'_>, told: &Unready) -> Tested {
    let [set, seen, used] = [told.set.step, told.seen.step, told.used.step];
    same("order of the steps", &true, &(set < seen && seen < used))?;
    same("whether another process sets it", &true, &(told.set.who.pid != told.used.who.pid))?;
    same("who sees the flag", &told.used.who.pid, &told.seen.who.pid)?;
    same("whether the flag is set", &true, &changes(case, set, &told.flag)?)?;
    same("whether the flag is seen", &true, &touched(case, seen)?.reads.contains(&told.flag))?;
    let touched = touched(case, used)?;
    same("whether the data is read", &true, &touched.reads.contains(&told.data))?;
    let is_written = touched.writes.contains(&told.data) || changes(case, used, &told.data)?;
    same("whether who uses the data writes it", &false, &is_written)?;
    same("whether it is ever made ready", &true, &is_made(case, &told.data, told.set.who.pid))
}

/// Whether a process gives a variable another value, in any trace, that is not made of its old one.
fn is_made(case: &Case<'_>, data: &str, pid: u64) -> bool {
    case.live.keys().any(|node| {
        let own = case.net.nodes[*node]
            .edges
            .iter()
            .filter(|edge| case.net.events[edge.event].actors.iter().any(|actor| u64::from(*actor) == pid));
        own.into_iter().any(|edge| {
            let reads = || case.words.footprint(case.net, *node, edge.event).unwrap_or_default().reads;
            case.words.changes(*node, edge.to).contains_key(data) && !reads().iter().any(|name| name == data)
        })
    })
}

/// Whether a variable holds a number or a word, and no pointer, before a step.
fn is_number(case: &Case<'_>, step: u64, name: &str) -> bool {
    let Ok(trace) = case.trace() else { return false };
    let at = usize::try_from(step).unwrap_or_default().saturating_sub(1);
    let value = trace.nodes.get(at).and_then(|node| case.words.values(*node).remove(name));
    value.is_some_and(|value| !value.starts_with('&'))
}

/// The value is kept from where it was set to where it is used, and the process does something else before the others are set
/// anew.
fn stale(case: &Case<'_>, told: &Stale) -> Tested {
    let [set, renewed, used] = [told.set.step, told.renewed.step, told.used.step];
    same("order of the steps", &true, &(set < renewed && renewed < used))?;
    for step in set + 1..used {
        let what = format!("whether step {step} changes the value");
        same(&what, &false, &changes(case, step, &told.variable)?)?;
    }
    // A reset does not depend on anything.
    let resets = told.fresh.is_some();
    let depends = touched(case, renewed)?.reads.iter().any(|name| is_number(case, renewed, name));
    same("whether the reset depends on a variable", &false, &(resets && depends))?;
    let before = (set..renewed).rev().find(|step| is_by(case, *step, told.renewed.who.pid));
    same("whether it is set right before the others", &false, &(before == Some(set)))?;
    let at = usize::try_from(used).unwrap_or_default().saturating_sub(1);
    let value = case.trace()?.nodes.get(at).and_then(|node| case.words.values(*node).remove(&told.variable));
    same("value before the use", &Some(&told.value), &value.as_ref())?;
    same("whether the use reads it", &true, &touched(case, used)?.reads.contains(&told.variable))
}

/// Who changes the variable gives the signal afterwards.
fn another(case: &Case<'_>, told: &Another) -> Tested {
    same("order of the steps", &true, &(told.changed.step < told.given.step))?;
    same("who signals", &told.changed.who.pid, &told.given.who.pid)?;
    same("whether the variable is changed", &true, &changes(case, told.changed.step, &told.variable)?)
}

/// A question, its answer, and the answer taken after another one that was taken since the question.
fn answered(case: &Case<'_>, told: &Answered) -> Tested {
    let steps = [told.asked.step, told.first.step, told.accepted.step];
    same("order of the steps", &true, &steps.is_sorted())?;
    let is_between = told.asked.step < told.answered.step && told.answered.step < told.accepted.step;
    same("whether the answer lies in between", &true, &is_between)?;
    same("who takes the answer", &told.asked.who.pid, &told.accepted.who.pid)?;
    same("whether another process answers", &true, &(told.answered.who.pid != told.asked.who.pid))?;
    let (sends, _) = channels(case, told.answered.step)?;
    same("whether the answer is sent", &true, &sends.contains(&told.channel))?;
    for step in [told.first.step, told.accepted.step] {
        let (_, receives) = channels(case, step)?;
        same(&format!("whether step {step} takes an answer"), &true, &receives.contains(&told.channel))?;
    }
    Ok(())
}

/// The number is changed, and not once more by that process.
fn skipped(case: &Case<'_>, told: &Skipped) -> Tested {
    same("whether the step changes it", &true, &changes(case, told.counted.step, &told.variable)?)?;
    let length = case.trace()?.events.len() as u64;
    let own = |step: &u64| is_by(case, *step, told.counted.who.pid);
    let mut again = false;
    for step in (told.counted.step + 1..=length).filter(own) {
        again |= changes(case, step, &told.variable)?;
    }
    same("whether the process changes it again", &false, &again)
}

/// One takes the lock, and nobody but the other one changes it until that one gives it back.
fn foreign(case: &Case<'_>, told: &Foreign) -> Tested {
    let (taken, given) = (told.taken.step, told.given.step);
    same("order of the steps", &true, &(taken < given))?;
    same("whether another process gives it back", &true, &(told.taken.who.pid != told.given.who.pid))?;
    for step in taken..=given {
        let is_end = step == taken || step == given;
        same(&format!("whether step {step} changes the lock"), &is_end, &changes(case, step, &told.lock)?)?;
    }
    Ok(())
}

/// The message is received, and the process sends nothing until it drops it.
fn dropped(case: &Case<'_>, told: &Dropped) -> Tested {
    let (taken, dropped) = (told.taken.step, told.dropped.step);
    same("order of the steps", &true, &(taken <= dropped))?;
    let (_, receives) = channels(case, taken)?;
    same("whether the message is received", &true, &receives.contains(&told.channel))?;
    for step in (taken..=dropped).filter(|step| is_by(case, *step, told.taken.who.pid)) {
        let (sends, _) = channels(case, step)?;
        same(&format!("whether step {step} sends"), &false, &!sends.is_empty())?;
    }
    Ok(())
}

/// The value goes out, changes, and what was made of it comes back.
fn served(case: &Case<'_>, told: &Served) -> Tested {
    let steps = [told.read.step, told.got.step, told.sent.step, told.stored.step];
    same("order of the steps", &true, &steps.is_sorted())?;
    let is_between = told.read.step < told.foreign.step && told.foreign.step < told.stored.step;
    same("whether the change lies in between", &true, &is_between)?;
    same("whether it changes the variable", &true, &changes(case, told.foreign.step, &told.variable)?)?;
    same("who stores it", &told.read.who.pid, &told.stored.who.pid)?;
    same("who sends it back", &told.got.who.pid, &told.sent.who.pid)?;
    let ((sends, _), (_, receives)) = (channels(case, told.read.step)?, channels(case, told.got.step)?);
    same("whether the message arrives", &true, &sends.iter().any(|channel| receives.contains(channel)))
}

fn is_by(case: &Case<'_>, step: u64, pid: u64) -> bool {
    let Ok(trace) = case.trace() else { return false };
    let event = usize::try_from(step).ok().and_then(|step| trace.events.get(step.checked_sub(1)?));
    event.is_some_and(|event| case.net.events[*event].actors.iter().any(|actor| u64::from(*actor) == pid))
}

/// Whether a step leaves another value in a variable.
fn changes(case: &Case<'_>, step: u64, variable: &str) -> Result<bool, Witness> {
    let trace = case.trace()?;
    let at = usize::try_from(step).unwrap_or_default();
    let nodes = (at.checked_sub(1).and_then(|before| trace.nodes.get(before)), trace.nodes.get(at));
    let (Some(from), Some(to)) = nodes else { return Ok(false) };
    Ok(case.words.changes(*from, *to).contains_key(variable))
}

/// What a step touches.
fn touched(case: &Case<'_>, step: u64) -> Result<graph::Footprint, Witness> {
    let trace = case.trace()?;
    let at = usize::try_from(step).unwrap_or_default().saturating_sub(1);
    let (Some(node), Some(event)) = (trace.nodes.get(at), trace.events.get(at)) else {
        return Ok(graph::Footprint::default());
    };
    Ok(case.words.footprint(case.net, *node, *event).unwrap_or_default())
}

/// The channels that a step sends to, and those from which it receives.
fn channels(case: &Case<'_>, step: u64) -> Result<(Vec<String>, Vec<String>), Witness> {
    let touched = touched(case, step)?;
    let names = |passages: Vec<graph::Passage>| passages.into_iter().map(|passage| passage.channel).collect();
    Ok((names(touched.sends), names(touched.receives)))
}
