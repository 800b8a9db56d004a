//! The wrong one is woken: a signal goes to somebody who has no use for it, and who needs it sleeps on.
//!
//! It applies to deadlocks, in three shapes. Processes sleep until others set a flag of theirs: the last one that was woken
//! sleeps again at the end, and somebody else sleeps although what it tested before it went to sleep has changed (POSIX,
//! `pthread_cond_signal`: at least one is unblocked, and not the one that was meant). Or permits are given out by a counter
//! that is 0 at the beginning: a process takes two of them while another one waits, and gives none. Or somebody sleeps until a
//! signal comes that no statement of the system gives; somebody else changes what it has tested, and gives another signal.
//!
//! The first shape is refuted if a violating state can be reached in which nobody sleeps whose test has changed; the second
//! if one is left when nobody takes two permits in a row while another one waits; the third if one is left when nobody
//! waits for that signal.

use findings::BugPattern;
use graph::{Awaited, Obstacle, Story, Synchronisation};

use crate::lens::{Act, Facts};
use crate::names::base;
use crate::recheck::{Monitor, Next};
use crate::scene::{Scene, SceneStep, standstill};

/// A signal that woke the wrong one: the match, the variable that was tested, and the statement that tested it.
pub(crate) struct Woken {
    pub(crate) pattern: BugPattern,
    pub(crate) variable: String,
}

pub(crate) fn woke_another(scene: &Scene) -> Option<Woken> {
    let sleepers: Vec<(&Obstacle, &String)> = scene.end.obstacles.iter().filter_map(flag).collect();
    let (given, woken) = scene.steps.iter().enumerate().rev().find_map(|(at, step)| {
        let of_sleeper = |sleeper: &&(&Obstacle, &String)| {
            sleeper.0.actor.number != step.actor() && step.alters(sleeper.1)
        };
        sleepers.iter().find(of_sleeper).map(|sleeper| (at, sleeper.0.actor.number))
    })?;
    // It was woken, and has gone to sleep again.
    let asleep = scene.steps.iter().rposition(|step| step.is_by(woken)).filter(|at| *at > given)?;
    for (sleeper, flag) in sleepers.iter().filter(|(sleeper, _)| sleeper.actor.number != woken) {
        let actor = sleeper.actor.number;
        let tested = scene.steps.iter().rposition(|step| {
            step.actor() == actor
                && step.is_guard
                && !step.reads(flag)
                && step.footprint.reads.iter().any(|name| scene.is_shared(name, actor))
        })?;
        for variable in &scene.steps[tested].footprint.reads {
            let is_changed =
                scene.value_before(tested, variable) != scene.end.values.get(variable).map(String::as_str);
            let is_meant = scene.is_shared(variable, actor)
                && is_changed
                && !sleepers.iter().any(|(_, flag)| *flag == variable);
            if is_meant && scene.steps[asleep].n > scene.steps[given].n {
                let pattern = BugPattern::WokeAnother {
                    given: scene.steps[given].moment(),
                    asleep: scene.steps[asleep].moment(),
                    waits: standstill(sleeper),
                    tested: scene.steps[tested].moment(),
                    variable: variable.clone(),
                };
                return Some(Woken { pattern, variable: variable.clone() });
            }
        }
    }
    None
}

/// A signal that is given instead of another one: the match, and the signal that nobody gives.
pub(crate) fn signalled_another(scene: &Scene, facts: &Facts) -> Option<(BugPattern, String)> {
    scene.end.obstacles.iter().find_map(|obstacle| {
        let Awaited::Signal(awaited) = &obstacle.on else { return None };
        let mut all = facts.synchronisation.iter().flatten();
        if all
            .any(|one| matches!(one, Synchronisation::Signal { signal, .. } if base(signal) == base(awaited)))
        {
            return None;
        }
        let actor = obstacle.actor.number;
        let own = |step: &SceneStep| step.actor() == actor;
        let is_sleep = |step: &SceneStep| {
            let mut done = step.synchronisation.iter();
            own(step) && done.any(|one| matches!(one, Synchronisation::Sleep { .. }))
        };
        let sleep = scene.steps.iter().rposition(is_sleep)?;
        let is_test = |step: &SceneStep| {
            own(step) && step.is_guard && step.footprint.reads.iter().any(|name| scene.is_shared(name, actor))
        };
        let tested = scene.steps[..sleep].iter().rposition(is_test)?;
        for variable in &scene.steps[tested].footprint.reads {
            let changes = (sleep + 1..scene.steps.len())
                .filter(|at| !own(&scene.steps[*at]) && scene.steps[*at].alters(variable));
            for changed in changes {
                let by = scene.steps[changed].actor();
                let later = scene.steps[changed + 1..].iter().filter(|step| step.actor() == by);
                let mut signals =
                    later.flat_map(|step| step.synchronisation.iter().map(move |one| (step, one)));
                // What it gives before anything else that it does to others is told.
                let first = signals.find(|(_, one)| !matches!(one, Synchronisation::Acquire(_)));
                let Some((given, Synchronisation::Signal { signal, .. })) = first else { continue };
                let pattern = BugPattern::SignalledAnother {
                    given: given.moment(),
                    signal: signal.clone(),
                    awaited: awaited.clone(),
                    waits: standstill(obstacle),
                    changed: scene.steps[changed].moment(),
                    variable: variable.clone(),
                };
                return Some((pattern, awaited.clone()));
            }
        }
        None
    })
}

/// Lets nobody wait for a signal.
pub(crate) struct AwaitedMonitor {
    pub(crate) signal: String,
}

impl Monitor for AwaitedMonitor {
    fn step(&self, memory: u64, act: &Act) -> Next {
        let mut done = act.synchronisation.iter();
        let waits =
            done.any(|one| matches!(one, Synchronisation::Sleep { signal, .. } if *signal == self.signal));
        if waits { Next::Complete } else { Next::To(memory) }
    }
}

/// Who sleeps until somebody else sets a variable of its own.
fn flag(obstacle: &Obstacle) -> Option<(&Obstacle, &String)> {
    // Which element it is may be said by a variable of the process, which is read as well.
    let mut elements = obstacle.reads.iter().filter(|name| name.contains('['));
    let flag = elements.next().filter(|_| elements.next().is_none())?;
    (obstacle.on == Awaited::Condition && !obstacle.may_end).then_some((obstacle, flag))
}

/// Remembers what each process saw when it tested the variable last, and looks whether a sleeper saw something else than
/// what is there.
pub(crate) struct SleeperMonitor<'a> {
    pub(crate) story: &'a dyn Story,
    pub(crate) variable: u8,
    pub(crate) name: String,
}

/// How many processes can be told apart: two bits each, tested and changed since.
const MOST: u8 = 32;

impl Monitor for SleeperMonitor<'_> {
    fn step(&self, memory: u64, act: &Act) -> Next {
        if act.actor >= MOST {
            return Next::Lost;
        }
        let own = u32::from(act.actor) * 2;
        let mut next = memory;
        if act.changed.contains(&self.variable) {
            // Everybody else who has tested it saw something that is no longer there.
            for other in (0..u32::from(MOST)).filter(|other| other * 2 != own) {
                next |= ((next >> (other * 2)) & 1) << (other * 2 + 1);
            }
        }
        if act.reads.contains(&self.variable) && !act.writes.contains(&self.variable) {
            next = next & !(3 << own) | 1 << own;
        }
        Next::To(next)
    }

    fn is_complete_at(&self, memory: u64, state: &[u8]) -> bool {
        let obstacles = self.story.obstacles(state);
        let mut sleepers = obstacles.iter().filter_map(flag);
        sleepers.any(|(sleeper, flag)| {
            let number = sleeper.actor.number;
            base(flag) != base(&self.name) && number < MOST && (memory >> (u32::from(number) * 2)) & 2 != 0
        })
    }
}

/// Permits of which somebody took two: the match, and the counter.
pub(crate) fn took_two(scene: &Scene, facts: &Facts) -> Option<(BugPattern, String)> {
    for obstacle in scene.end.obstacles.iter().filter(|obstacle| !obstacle.may_end) {
        let [counter] = &obstacle.reads[..] else { continue };
        let is_counter = matches!(obstacle.on, Awaited::Condition | Awaited::Counter(_));
        if !is_counter || scene.first_value(counter).is_none_or(|value| value != "0") {
            continue;
        }
        let takes = |step: &&SceneStep| falls(step, counter);
        let since = scene.steps.iter().rposition(|step| step.is_by(obstacle.actor.number))?;
        let taken: Vec<&SceneStep> = scene.steps.iter().filter(takes).collect();
        let by_one = taken.iter().rev().find_map(|second| {
            let is_own = |first: &&&SceneStep| first.actor() == second.actor() && first.n < second.n;
            let first = taken.iter().rev().find(is_own)?;
            (second.actor() != obstacle.actor.number && second.n > scene.steps[since].n)
                .then_some((*first, *second))
        });
        // Who takes and gives back has a resource, and no permit.
        let gives_back = |actor: u8| {
            let mut own = (0..facts.actors.len()).filter(|label| facts.actors[*label] == actor);
            own.any(|label| {
                facts.samples[label].writes.contains(counter) && !facts.samples[label].reads.contains(counter)
            })
        };
        if let Some((first, second)) = by_one
            && !gives_back(second.actor())
        {
            let pattern = BugPattern::TookTwo {
                counter: counter.clone(),
                first: first.moment(),
                second: second.moment(),
                waits: standstill(obstacle),
            };
            return Some((pattern, counter.clone()));
        }
    }
    None
}

/// Whether a step makes a counter smaller by one.
fn falls(step: &SceneStep, counter: &str) -> bool {
    let number = |text: &Option<String>| text.as_deref().and_then(|text| text.parse::<i64>().ok());
    step.changes.get(counter).is_some_and(|change| {
        matches!((number(&change.old), number(&change.new)), (Some(old), Some(new)) if new + 1 == old)
    })
}

/// Remembers who has taken a permit while others have not.
pub(crate) struct PermitMonitor {
    pub(crate) counter: u8,
    pub(crate) takes: u32,
    /// All who ever take one.
    pub(crate) everybody: u64,
}

impl PermitMonitor {
    pub(crate) fn new(facts: &Facts, counter: u8, takes: u32) -> Self {
        let own = (0..facts.actors.len()).filter(|label| facts.statements[*label] == takes);
        let everybody = own
            .filter(|label| facts.actors[*label] < 64)
            .fold(0, |all, label| all | 1u64 << facts.actors[label]);
        Self { counter, takes, everybody }
    }
}

impl Monitor for PermitMonitor {
    /// For each process: whether it has taken a permit that others still wait for.
    fn step(&self, memory: u64, act: &Act) -> Next {
        if act.actor >= 64 {
            return Next::Lost;
        }
        let own = 1u64 << act.actor;
        if act.statement != self.takes || !act.changed.contains(&self.counter) {
            return Next::To(memory);
        }
        match memory | own {
            _ if memory & own != 0 => Next::Complete,
            all if all == self.everybody => Next::To(0),
            some => Next::To(some),
        }
    }
}
