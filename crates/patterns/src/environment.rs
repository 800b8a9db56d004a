//! A choice of the environment that nothing answers, and messages that it takes away.
//!
//! A process is environment if nobody has any influence on it: what it reads nobody else writes, it sends nothing and
//! starts nobody. It models what can go wrong outside: a crash, a link that loses messages.
//!
//! It applies where the counterexample has a step of such a process. Who takes a message out of a channel from which
//! others receive loses it; any other step is a choice, and applies to deadlocks only, where somebody waits. It is
//! refuted if a violation is left when the environment never takes that step, or if nothing passes then. Where only that
//! step is left to be taken and everybody else may stop, a trace passes: what the environment could do it need not do.

use findings::{BugPattern, Standstill, ViolationKind};
use graph::{Obstacle, Story};

use crate::lens::{Act, Facts};
use crate::names::base;
use crate::recheck::{Monitor, Next};
use crate::scene::{Scene, SceneStep, standstill};

/// The matches, each with the place of the step that the environment takes.
pub(crate) fn candidates(scene: &Scene, facts: &Facts) -> Vec<(BugPattern, usize)> {
    let mut found: Vec<(BugPattern, usize)> = Vec::new();
    for (at, step) in scene.steps.iter().enumerate().rev() {
        let is_known = found.iter().any(|(_, known)| scene.steps[*known].told.deed == step.told.deed);
        if is_known || step.is_guard && !is_acted_on(scene, at) || !is_environment(facts, step.actor()) {
            continue;
        }
        let pattern = match step.footprint.receives.first() {
            Some(passage) => lost(scene, facts, step, &passage.channel),
            None => unanswered(scene, facts, step),
        };
        found.extend(pattern.map(|pattern| (pattern, at)));
    }
    found
}

/// Whether the process acts in its next step.
fn is_acted_on(scene: &Scene, at: usize) -> bool {
    let actor = scene.steps[at].actor();
    scene.steps[at + 1..].iter().find(|step| step.is_by(actor)).is_some_and(|next| !next.is_guard)
}

fn waiting(scene: &Scene) -> Option<Standstill> {
    let mut waiting = scene.end.obstacles.iter().filter(|obstacle: &&Obstacle| !obstacle.may_end);
    waiting.next().map(standstill)
}

fn lost(scene: &Scene, facts: &Facts, step: &SceneStep, channel: &str) -> Option<BugPattern> {
    let takes = |label: usize| {
        facts.receivers[label] != step.actor()
            && facts.samples[label].receives.iter().any(|passage| base(&passage.channel) == base(channel))
    };
    if !step.footprint.writes.is_empty() || !(0..facts.samples.len()).any(takes) {
        return None;
    }
    let before = scene.steps.iter().take_while(|other| other.n < step.n);
    let sent = before.filter(|other| other.footprint.sends.iter().any(|passage| passage.channel == channel));
    Some(BugPattern::MessageLost {
        channel: channel.to_owned(),
        sent: sent.last().map(SceneStep::moment),
        lost: step.moment(),
        waits: waiting(scene),
    })
}

fn unanswered(scene: &Scene, facts: &Facts, step: &SceneStep) -> Option<BugPattern> {
    let is_read = |name: &String| {
        (0..facts.samples.len())
            .any(|label| facts.actors[label] != step.actor() && facts.samples[label].reads.contains(name))
    };
    if scene.end.kind != ViolationKind::Deadlock || !step.footprint.writes.iter().any(is_read) {
        return None;
    }
    Some(BugPattern::UnansweredChoice { choice: step.moment(), waits: waiting(scene)? })
}

/// Whether nobody has any influence on what a process does.
fn is_environment(facts: &Facts, actor: u8) -> bool {
    let own = || (0..facts.samples.len()).filter(|label| facts.actors[*label] == actor);
    let writes_elsewhere = |name: &String| {
        (0..facts.samples.len()).any(|label| {
            facts.actors[label] != actor
                && facts.samples[label].writes.iter().any(|other| base(other) == base(name))
        })
    };
    own().next().is_some()
        && own().all(|label| {
            let sample = &facts.samples[label];
            sample.sends.is_empty()
                && sample.begins.is_empty()
                && !sample.reads.iter().any(writes_elsewhere)
                && facts.synchronisation[label].is_empty()
        })
}

/// Blocks a statement of a process that need not execute it.
pub(crate) struct FreeChoiceMonitor<'a> {
    pub(crate) story: &'a dyn Story,
    pub(crate) choice: ChoiceMonitor,
}

impl Monitor for FreeChoiceMonitor<'_> {
    fn step(&self, memory: u64, act: &Act) -> Next {
        self.choice.step(memory, act)
    }

    fn may_stop_at(&self, state: &[u8]) -> bool {
        let obstacles = self.story.obstacles(state);
        obstacles.iter().all(|obstacle| obstacle.may_end || obstacle.actor.number == self.choice.actor)
    }
}

/// Blocks a statement.
pub(crate) struct ChoiceMonitor {
    pub(crate) statement: u32,
    pub(crate) actor: u8,
}

impl Monitor for ChoiceMonitor {
    fn step(&self, memory: u64, act: &Act) -> Next {
        let is_meant = act.statement == self.statement && act.actor == self.actor;
        if is_meant { Next::Complete } else { Next::To(memory) }
    }
}
