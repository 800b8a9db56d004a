//! Windows: one process looks at a shared variable, another one changes it, and the first one goes on as if it had not.
//!
//! Lost updates, check-then-act, missed signals and forgotten re-tests are all windows; what they are called depends on
//! what the look was, what happened in the window and what the reliance is. This file finds windows and follows them:
//! in the whole system a process is inside a window from the statement that looks until the one that relies on it, or
//! until it looks again. A step that relies on it after a foreign write completes the pattern.

use std::collections::BTreeSet;

use findings::Window;

use crate::flow::test_of;
use crate::lens::Act;
use crate::recheck::{Monitor, Next};
use crate::scene::{Scene, SceneStep};

/// A window in the scene, by the places of its steps in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundWindow {
    pub(crate) variable: String,
    pub(crate) look: usize,
    pub(crate) foreign: usize,
    pub(crate) reliance: usize,
}

impl FoundWindow {
    pub(crate) fn cast(&self, scene: &Scene) -> Window {
        let value = |at| scene.value_before(at, &self.variable).map(str::to_owned);
        Window {
            variable: self.variable.clone(),
            before: value(self.foreign),
            after: value(self.reliance),
            look: scene.steps[self.look].moment(),
            test: test_of(scene, self.look, self.reliance)
                .filter(|at| scene.steps[*at].told.deed.location != scene.steps[self.look].told.deed.location)
                .map(|at| scene.steps[at].moment()),
            foreign: scene.steps[self.foreign].moment(),
            reliance: scene.steps[self.reliance].moment(),
        }
    }

    /// Narrow windows tell more than wide ones.
    pub(crate) fn width(&self) -> usize {
        self.reliance - self.look
    }
}

/// What a step of the process that looked is for its window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inside {
    GoesOn,
    /// It ends the window, whether anybody else came or not.
    Ends,
    /// It relies on what was seen, and ends the window.
    Relies,
}

/// All windows with looks of a kind. A process that looks again is in no window any more.
pub(crate) fn windows(
    scene: &Scene,
    looks: impl Fn(&SceneStep) -> bool,
    inside: impl Fn(&Scene, &str, usize, usize) -> Inside,
) -> Vec<FoundWindow> {
    let mut found = Vec::new();
    for (look, step) in scene.steps.iter().enumerate().filter(|(_, step)| looks(step)) {
        let actor = step.actor();
        for variable in &step.footprint.reads {
            if !scene.is_shared(variable, actor) {
                continue;
            }
            let mut foreign = None;
            for (at, later) in scene.steps.iter().enumerate().skip(look + 1) {
                if !later.is_by(actor) {
                    if later.alters(variable) {
                        foreign = Some(at);
                    }
                    continue;
                }
                match (inside(scene, variable, look, at), foreign) {
                    (Inside::Relies, Some(foreign)) => {
                        let variable = variable.clone();
                        found.push(FoundWindow { variable, look, foreign, reliance: at });
                        break;
                    }
                    (Inside::GoesOn, _) if !later.reads(variable) || is_half(scene, at, variable) => {}
                    _ => break,
                }
            }
        }
    }
    found
}

/// Whether a step reads for what the process writes in its next one, as both halves of `x++` do.
fn is_half(scene: &Scene, at: usize, variable: &str) -> bool {
    let step = &scene.steps[at];
    let next = scene.steps[at + 1..].iter().find(|next| next.is_by(step.actor()));
    next.is_some_and(|next| next.told.deed == step.told.deed && next.writes(variable))
}

/// Follows windows of every process through the whole system.
pub(crate) struct WindowMonitor {
    pub(crate) looks: BTreeSet<u32>,
    pub(crate) relies: BTreeSet<u32>,
}

/// How many bits of the memory belong to a process, and how many processes there can be.
const BITS: u32 = 8;
const MOST_PROCESSES: u32 = u64::BITS / BITS;

impl Monitor for WindowMonitor {
    /// The memory of a process is 0 outside of windows, else twice the number of the variable and 1, or 2 after a
    /// foreign write.
    fn step(&self, memory: u64, act: &Act) -> Next {
        let actor = u32::from(act.actor);
        if actor >= MOST_PROCESSES {
            let matters = self.looks.contains(&act.statement) || !act.writes.is_empty();
            return if matters { Next::Lost } else { Next::To(memory) };
        }
        let of = |memory: u64, process: u32| (memory >> (process * BITS)) & 0xff;
        let set = |memory: u64, process: u32, value: u64| {
            memory & !(0xff << (process * BITS)) | value << (process * BITS)
        };
        let own = of(memory, actor);
        if self.relies.contains(&act.statement) && own != 0 && own.is_multiple_of(2) {
            return Next::Complete;
        }
        let mut next = memory;
        for other in (0..MOST_PROCESSES).filter(|other| *other != actor) {
            let inside = of(memory, other);
            if inside % 2 == 1 && act.writes.contains(&((inside / 2) as u8)) {
                next = set(next, other, inside + 1);
            }
        }
        if self.looks.contains(&act.statement) && !act.reads.is_empty() {
            next = set(next, actor, 2 * u64::from(act.reads[0]) + 1);
        } else if own != 0
            && (self.relies.contains(&act.statement) || act.reads.contains(&(((own - 1) / 2) as u8)))
        {
            next = set(next, actor, 0);
        }
        Next::To(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn act(actor: u8, statement: u32, reads: &[u8], writes: &[u8]) -> Act {
        Act { actor, statement, reads: reads.to_vec(), writes: writes.to_vec(), ..Act::default() }
    }

    fn run(acts: &[Act]) -> Next {
        let monitor = WindowMonitor { looks: [1].into(), relies: [2].into() };
        acts.iter().fold(Next::To(0), |next, act| match next {
            Next::To(memory) => monitor.step(memory, act),
            other => other,
        })
    }

    #[test]
    fn a_foreign_write_inside_completes_it_and_a_second_look_does_not() {
        let look = act(0, 1, &[3], &[]);
        let (own, foreign) = (act(0, 2, &[], &[3]), act(1, 2, &[], &[3]));
        assert_eq!(run(&[look.clone(), foreign.clone(), own.clone()]), Next::Complete);
        assert!(matches!(run(&[foreign.clone(), look.clone(), own.clone()]), Next::To(_)));
        assert!(matches!(run(&[look.clone(), own.clone(), foreign.clone(), own.clone()]), Next::To(_)));
        assert!(matches!(run(&[look.clone(), foreign, look, own]), Next::To(_)));
    }

    #[test]
    fn another_variable_does_no_harm() {
        let acts = [act(0, 1, &[3], &[]), act(1, 2, &[], &[4]), act(0, 2, &[], &[3])];
        assert!(matches!(run(&acts), Next::To(_)));
        assert_eq!(run(&[act(9, 1, &[3], &[])]), Next::Lost);
    }
}
