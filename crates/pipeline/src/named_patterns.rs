//! The name of the bug: what the catalogue of patterns makes of the counterexample.

use findings::{Finding, Run};
use graph::{Fairness, Story, Trace, Watch, Wrong};
use patterns::{Course, Limits, Scene, World, named, named_without_graph};
use search::Replayed;

use crate::model_system::ModelSystem;
use crate::naming::Naming;

/// How many pairs of a state and what a monitor remembers a test may look at.
const MOST_PAIRS: usize = 2_000_000;
/// Longer traces have no story that anybody would tell.
const LONGEST: usize = 5_000;

/// Names the bug that a trace of a searched model shows.
pub(crate) fn in_model<S: Story>(
    model: &ModelSystem<'_, S>,
    trace: &Trace,
    run: &Run,
    fairness: Fairness,
    watch: &dyn Watch,
) -> Option<Finding> {
    let scene = scene(model.story(), &run.states, &run.events, &model.violation(trace)?)?;
    named(model, &scene, &Limits { fairness, max_states: MOST_PAIRS, watch })
}

/// Names the bug that a single run shows.
pub(crate) fn in_run(story: &impl Story, trace: &Replayed, wrong: &Wrong) -> Option<Finding> {
    named_without_graph(&scene(story, &trace.states, &trace.events, wrong)?)
}

fn scene(story: &dyn Story, states: &[Vec<u8>], events: &[u64], wrong: &Wrong) -> Option<Scene> {
    if events.is_empty() || events.len() > LONGEST {
        return None;
    }
    Scene::new(story, Course { states, events }, wrong)
}

impl<S: Story> World for ModelSystem<'_, S> {
    fn story(&self) -> &dyn Story {
        let story: &S = ModelSystem::<S>::story(self);
        story
    }

    fn bytes(&self, state: u32) -> Option<&[u8]> {
        Naming::bytes(self, state)
    }

    fn event(&self, label: u32) -> Option<u64> {
        Naming::event(self, label)
    }

    fn label_count(&self) -> u32 {
        self.labels().len() as u32
    }
}
