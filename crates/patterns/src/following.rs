//! What a process always writes in its very next step after a statement, over the whole graph. One pass over all steps
//! answers that for every statement of a trace.

use graph::{Interrupt, OUTSIDE, PULSE, Progress, Watch};
use rustc_hash::FxHashSet;

use crate::World;
use crate::lens::Facts;
use crate::scene::{Scene, SceneStep};

/// For each statement of the trace and each process that executes it there.
pub(crate) struct Following {
    keys: Vec<(u32, u8)>,
    /// The variables that all next steps write; nothing where there is no next step.
    writes: Vec<Option<Vec<String>>>,
}

impl Following {
    pub(crate) fn new(
        world: &impl World,
        facts: &Facts,
        scene: &Scene,
        watch: &dyn Watch,
    ) -> Result<Self, Interrupt> {
        let mut keys: Vec<(u32, u8)> =
            scene.steps.iter().filter_map(|step| Some((statement(facts, step)?, step.actor()))).collect();
        keys.sort_unstable();
        keys.dedup();
        let key_of = |label: usize| keys.binary_search(&(facts.statements[label], facts.actors[label])).ok();
        let wanted: Vec<Option<usize>> = (0..facts.statements.len()).map(key_of).collect();
        let mut writes: Vec<Option<Vec<String>>> = vec![None; keys.len()];
        let mut known: FxHashSet<(usize, u32)> = FxHashSet::default();
        let mut work = 0;
        for state in 0..world.bound() as u32 {
            world.successors(state, |label, target| {
                work += 1;
                let Some(key) = wanted[label as usize].filter(|_| target != OUTSIDE) else { return };
                let actor = facts.actors[label as usize];
                world.successors(target, |next, _| {
                    work += 1;
                    if facts.actors[next as usize] != actor || !known.insert((key, next)) {
                        return;
                    }
                    let own = &facts.samples[next as usize].writes;
                    match &mut writes[key] {
                        Some(common) => common.retain(|variable| own.contains(variable)),
                        none => *none = Some(own.clone()),
                    }
                });
            });
            if work >= PULSE {
                watch.pulse(Progress { phase: "looking for patterns", work, ..Progress::default() })?;
                work = 0;
            }
        }
        Ok(Self { keys, writes })
    }

    /// Whether a process always writes the variable in its next step after a statement.
    pub(crate) fn writes(&self, facts: &Facts, after: &SceneStep, actor: u8, variable: &String) -> bool {
        let key = statement(facts, after).and_then(|number| self.keys.binary_search(&(number, actor)).ok());
        let common = key.and_then(|key| self.writes[key].as_ref());
        common.is_some_and(|common| common.contains(variable))
    }
}

fn statement(facts: &Facts, step: &SceneStep) -> Option<u32> {
    facts.statement(step.told.deed.location.as_ref(), &step.told.deed.action)
}
