//! Where processes stand before their statements, and what labels call those places.

use super::Teller;
use crate::machine::compiled::CompiledLocation;

impl Teller<'_> {
    /// The place before each of [`super::Machine::statements`]: statements that start from the same place have
    /// the same number. Inside of a `d_step` there are no places; its statements have that of the whole.
    pub(crate) fn places(&self) -> Vec<u32> {
        let mut places = vec![0; self.machine.statements.len()];
        let mut next = 0;
        for location in self.machine.kinds.iter().flat_map(|kind| &kind.locations) {
            next += 1;
            mark(location, next, &mut places);
        }
        places
    }

    /// The label before each statement, where there is one.
    pub(crate) fn labels(&self) -> Vec<Option<String>> {
        let mut labels = vec![None; self.machine.statements.len()];
        let processes = self.program.processes.iter().zip(&self.machine.kinds);
        for ((process, kind), locations) in processes.zip(&self.origins.label_locations) {
            for (label, location) in process.labels.iter().zip(locations) {
                let Some(location) = location.and_then(|location| kind.locations.get(location as usize))
                else {
                    continue;
                };
                for step in &location.steps {
                    labels[step.statement as usize].get_or_insert_with(|| label.name.clone());
                }
            }
        }
        labels
    }
}

fn mark(location: &CompiledLocation, place: u32, places: &mut [u32]) {
    for step in &location.steps {
        places[step.statement as usize] = place;
    }
}
