use crate::Edge;

/// A stem of steps from an initial state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    pub start: u32,
    /// Each step's label and the state it leads to.
    pub steps: Vec<Edge>,
}

impl Trace {
    pub fn new(start: u32) -> Self {
        Self { start, steps: Vec::new() }
    }

    /// The states the trace passes, one more than it has steps.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = u32> + Clone {
        std::iter::once(self.start).chain(self.steps.iter().map(|step| step.state))
    }

    pub fn last(&self) -> u32 {
        self.steps.last().map_or(self.start, |step| step.state)
    }
}
