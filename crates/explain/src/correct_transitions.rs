//! Correct transitions: one trace per cause (Ball, Naik, Rajamani: From Symptom to Cause, 2003).
//!
//! A query is a check at a place: traces that come there and meet it are correct, traces that come there and
//! do not are errors. A transition that lies on some correct trace is correct. What an error trace does and no
//! correct transition does, statement for statement, is a cause. Causes are then halted, that is no trace
//! may take them, and the search goes on for another error trace, until none is left or one has no cause.
//! Halts take no correct trace away, because no correct trace takes a cause; so the correct transitions are
//! found once, by one pass backwards from where correct traces end.
//!
//! Where every statement of an error trace is also one of a correct trace, the states still tell the two
//! apart: from some step on no correct trace can come of it any more. That step is the point of interest.

use graph::{BitSet, Edge, Exploration, Interrupt, OUTSIDE, Trace, Transitions, Watch};

use crate::pulse::Pulse;

/// The transitions on correct traces.
#[derive(Clone, Debug)]
pub struct Correct {
    /// The states from which a correct trace can go on or where it ends.
    leading: BitSet,
    /// The labels of correct transitions, and how many labels there are.
    labels: BitSet,
    label_count: usize,
}

impl Correct {
    /// `ends` are the states where correct traces end: those at the place of the query that meet its check.
    pub fn new<T: Transitions>(
        system: &T,
        labels: usize,
        explored: &Exploration,
        ends: &BitSet,
        watch: &dyn Watch,
    ) -> Result<Self, Interrupt> {
        let mut correct =
            Self { leading: BitSet::new(system.bound()), labels: BitSet::new(labels), label_count: labels };
        let mut pulse = Pulse::new("looking for correct transitions", watch);
        let is_live = |state: u32| explored.is_reached(state) && !system.is_violating(state);
        let mut waiting: Vec<u32> = ends.iter().filter(|state| is_live(*state)).collect();
        for state in &waiting {
            correct.leading.insert(*state);
        }
        while let Some(state) = waiting.pop() {
            let mut edges = 0;
            system.predecessors(state, |label, source| {
                edges += 1;
                if is_live(source) {
                    correct.labels.insert(label);
                    if correct.leading.insert(source) {
                        waiting.push(source);
                    }
                }
            });
            pulse.beat(edges)?;
        }
        Ok(correct)
    }

    /// Whether a correct trace can still come of a trace that stands at `state`.
    pub fn leads_on(&self, state: u32) -> bool {
        self.leading.contains(state)
    }

    /// Whether a correct trace takes a step with this label.
    pub fn takes(&self, label: u32) -> bool {
        self.labels.contains(label)
    }
}

/// An error trace, and what sets it apart from correct ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorTrace {
    pub trace: Trace,
    /// The steps, counted from 0, with labels that no correct trace takes.
    pub causes: Vec<usize>,
    /// The first step after which no correct trace can come of it; nothing if none could come of it at
    /// the start.
    pub point_of_interest: Option<usize>,
}

/// How a search for causes ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// Every error trace takes one of the causes.
    All,
    /// The last error trace has no cause of its own, and more like it may be left.
    Unexplained,
    /// There may be more causes than were asked for.
    Limited,
}

/// All causes of one query.
#[derive(Clone, Debug)]
pub struct Localised {
    pub traces: Vec<ErrorTrace>,
    pub coverage: Coverage,
}

/// What is asked.
#[derive(Clone, Debug)]
pub struct Query<'a> {
    pub correct: &'a Correct,
    /// Whether an error trace comes to the place of the query with its last step but one, and its last one
    /// is the check itself.
    pub last_step_checks: bool,
    /// The error trace to begin with; a shortest one if none is given.
    pub first: Option<&'a Trace>,
    /// Which labels are never blamed.
    pub trusted: &'a BitSet,
    pub max_traces: usize,
}

/// The loop of the paper's Figure 2.
pub fn localise<T: Transitions>(
    system: &T,
    query: &Query<'_>,
    watch: &dyn Watch,
) -> Result<Localised, Interrupt> {
    let mut search = Search::new(system.bound(), watch);
    let mut halted = BitSet::new(query.correct.label_count);
    let mut traces = Vec::new();
    let mut given = query.first.cloned();
    loop {
        let next = match given.take() {
            Some(trace) => Some(trace),
            None => search.shortest(system, &halted)?,
        };
        let Some(trace) = next else {
            return Ok(Localised { traces, coverage: Coverage::All });
        };
        if traces.len() == query.max_traces {
            return Ok(Localised { traces, coverage: Coverage::Limited });
        }
        let found = query.compare(trace);
        let causes: Vec<u32> = found.causes.iter().map(|step| found.trace.steps[*step].label).collect();
        traces.push(found);
        if causes.is_empty() {
            return Ok(Localised { traces, coverage: Coverage::Unexplained });
        }
        for label in causes {
            halted.insert(label);
        }
    }
}

impl Query<'_> {
    fn compare(&self, trace: Trace) -> ErrorTrace {
        let compared = trace.steps.len() - usize::from(self.last_step_checks && !trace.steps.is_empty());
        let steps = trace.steps[..compared].iter().enumerate();
        let blamed = |edge: &Edge| !self.correct.takes(edge.label) && !self.trusted.contains(edge.label);
        let causes = steps.clone().filter(|(_, edge)| blamed(edge)).map(|(step, _)| step).collect();
        let point_of_interest = if self.correct.leads_on(trace.start) {
            steps.clone().find(|(_, edge)| !self.correct.leads_on(edge.state)).map(|(step, _)| step)
        } else {
            None
        };
        ErrorTrace { trace, causes, point_of_interest }
    }
}

/// Breadth-first searches for error traces, one after the other.
struct Search<'w> {
    seen: BitSet,
    order: Vec<u32>,
    /// From which state and by which label each state was first reached.
    from: Vec<Edge>,
    pulse: Pulse<'w>,
}

impl<'w> Search<'w> {
    fn new(bound: usize, watch: &'w dyn Watch) -> Self {
        Self {
            seen: BitSet::new(bound),
            order: Vec::new(),
            from: vec![Edge { label: 0, state: OUTSIDE }; bound],
            pulse: Pulse::new("looking for another error", watch),
        }
    }

    /// A shortest error trace without steps that are halted.
    fn shortest<T: Transitions>(&mut self, system: &T, halted: &BitSet) -> Result<Option<Trace>, Interrupt> {
        let Self { seen, order, from, pulse } = self;
        *seen = BitSet::new(system.bound());
        order.clear();
        for state in system.initial() {
            seen.insert(state);
            order.push(state);
            from[state as usize].state = OUTSIDE;
        }
        let mut at = 0;
        while let Some(state) = order.get(at).copied() {
            at += 1;
            if system.is_violating(state) {
                if system.is_target(state) {
                    return Ok(Some(self.trace_to(state)));
                }
                continue;
            }
            if system.is_open(state) {
                continue;
            }
            system.successors(state, |label, target| {
                if target != OUTSIDE && !halted.contains(label) && seen.insert(target) {
                    from[target as usize] = Edge { label, state };
                    order.push(target);
                }
            });
            pulse.beat(system.degree(state))?;
        }
        Ok(None)
    }

    fn trace_to(&self, mut state: u32) -> Trace {
        let mut steps = Vec::new();
        loop {
            let Edge { label, state: before } = self.from[state as usize];
            if before == OUTSIDE {
                steps.reverse();
                return Trace { start: state, steps };
            }
            steps.push(Edge { label, state });
            state = before;
        }
    }
}
