//! A message that is dropped: a process that passes messages on takes one, and then does not, although it could.
//!
//! That is how a link that may lose messages is modelled. Two shapes are known: after it has received, the process chooses a
//! step that does nothing, in a state in which it could send instead; or it has two statements that receive from the same
//! channel in the same state, and the one that it chooses keeps nothing of the message, while it sends what it keeps.
//!
//! It is refuted if a violation is left when the process never chooses so, or if nothing passes then.

use findings::BugPattern;
use graph::{Footprint, OUTSIDE, ViolationKind};

use crate::World;
use crate::lens::Facts;
use crate::scene::{Scene, SceneStep, standstill};

/// The matches, the last first, each with the place of the step that drops the message.
pub(crate) fn candidates(world: &impl World, scene: &Scene, facts: &Facts) -> Vec<(BugPattern, usize)> {
    let mut found: Vec<(BugPattern, usize)> = Vec::new();
    for (at, step) in scene.steps.iter().enumerate().rev() {
        let is_known = found.iter().any(|(_, known)| scene.steps[*known].told.deed == step.told.deed);
        let Some((taken, channel)) = taken(scene, at).filter(|_| !is_known) else { continue };
        let could = |other: &Footprint| match taken == at {
            true => other.receives.iter().any(|passage| passage.channel == channel) && keeps(other),
            false => !other.sends.is_empty(),
        };
        if passes_on(facts, step.actor()) && has_choice(world, facts, step, could) {
            found.push((told(scene, at, taken, &channel), at));
        }
    }
    found
}

/// The step that received what the one at `at` may drop, and from where.
fn taken(scene: &Scene, at: usize) -> Option<(usize, String)> {
    let step = &scene.steps[at];
    let received = |at: usize| {
        let mut receives = scene.steps[at].footprint.receives.iter();
        receives.find(|passage| !passage.stays).map(|passage| (at, passage.channel.clone()))
    };
    if step.channels().next().is_some() {
        return received(at).filter(|_| !keeps(&step.footprint));
    }
    if !is_idle(step) {
        return None;
    }
    received((0..at).rev().find(|before| scene.steps[*before].actor() == step.actor())?)
}

/// Whether a step does nothing at all.
fn is_idle(step: &SceneStep) -> bool {
    let Footprint { reads, writes, begins, .. } = &step.footprint;
    reads.is_empty() && writes.is_empty() && begins.is_empty() && step.synchronisation.is_empty()
}

fn keeps(footprint: &Footprint) -> bool {
    !footprint.writes.is_empty()
}

/// Whether a process sends at all.
fn passes_on(facts: &Facts, actor: u8) -> bool {
    (0..facts.samples.len())
        .any(|label| facts.actors[label] == actor && !facts.samples[label].sends.is_empty())
}

/// Whether the process can take another step of a kind wherever it can take this one.
fn has_choice(
    world: &impl World,
    facts: &Facts,
    step: &SceneStep,
    could: impl Fn(&Footprint) -> bool,
) -> bool {
    let deed = &step.told.deed;
    let Some(statement) = facts.statement(deed.location.as_ref(), &deed.action) else { return false };
    for state in 0..world.bound() as u32 {
        let (mut is_here, mut has_other) = (false, false);
        world.successors(state, |label, target| {
            let at = label as usize;
            if target == OUTSIDE || facts.actors[at] != step.actor() {
                return;
            }
            is_here |= facts.statements[at] == statement;
            has_other |= facts.statements[at] != statement && could(&facts.samples[at]);
        });
        if is_here && has_other {
            return true;
        }
    }
    false
}

fn told(scene: &Scene, at: usize, taken: usize, channel: &str) -> BugPattern {
    let before = scene.steps[..taken].iter();
    let mut sent =
        before.filter(|step| step.footprint.sends.iter().any(|passage| passage.channel == channel));
    let waits = scene.end.obstacles.iter().find(|obstacle| !obstacle.may_end);
    BugPattern::MessageDropped {
        channel: channel.to_owned(),
        sent: sent.next_back().map(SceneStep::moment),
        taken: scene.steps[taken].moment(),
        dropped: scene.steps[at].moment(),
        waits: waits.filter(|_| scene.end.kind == ViolationKind::Deadlock).map(standstill),
    }
}
