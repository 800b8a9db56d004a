//! What a program prints on a test, all of it.

use graph::{End, System, Worker};

use crate::model::Model;
use crate::tests::{Difference, Printed};

impl Model {
    /// What a program that keeps its output prints on a test, within so many steps; nothing if it does not keep it.
    pub fn printed(&self, test: usize, most: u64) -> Option<Printed> {
        let record = self.tests.as_ref()?.record?;
        let fed = self.fed(vec![i64::try_from(test).ok()?]);
        let mut worker = fed.worker();
        let mut state = Vec::new();
        worker.initial(|initial| state = initial.to_vec());
        let mut next = Vec::new();
        let mut ended = false;
        for _ in 0..most {
            let (mut is_there, mut is_wrong) = (false, false);
            worker.steps(&state, |step| {
                next.clear();
                next.extend_from_slice(step.state);
                (is_there, is_wrong) = (true, step.violation.is_some());
            });
            if !is_there || is_wrong {
                ended = !is_there && worker.end(&state) == End::Valid;
                break;
            }
            std::mem::swap(&mut state, &mut next);
        }
        let length = self.number_in(&state, record.length)?;
        let start = record.start as usize;
        let text = state.get(start..start + length.min(record.room) as usize)?.to_vec();
        Some(Printed { text, ended: ended && length < record.room })
    }

    /// Keeps in mind what is wrong with the output of each test, to tell it.
    pub fn know_differences(&mut self, differences: Vec<Option<Difference>>) {
        self.differences = differences;
    }

    /// The number of the test that a state belongs to.
    pub(crate) fn test_of(&self, state: &[u8]) -> Option<usize> {
        let tests = self.tests.as_ref()?;
        Some(self.number_in(state, tests.number)? as usize)
    }

    /// Whether a statement checks the output of a test.
    pub(crate) fn checks_output(&self, statement: u32) -> bool {
        self.tests.as_ref().is_some_and(|tests| tests.checks.contains(&statement))
    }

    /// Whether it does so where the program ends.
    pub(crate) fn ends_program(&self, statement: u32) -> bool {
        self.tests.as_ref().is_some_and(|tests| tests.ends.contains(&statement))
    }

    /// Whether it is a loop that goes round too often.
    pub(crate) fn is_round(&self, statement: u32) -> bool {
        self.tests.as_ref().is_some_and(|tests| tests.rounds.contains(&statement))
    }

    fn number_in(&self, state: &[u8], at: u32) -> Option<u32> {
        let bytes = state.get(at as usize..at as usize + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    }
}
