//! What is done with every model and program that is searched state by state.

use std::num::NonZeroUsize;

use anyhow::{Result, anyhow};
use findings::Explanation;
use graph::{Interrupt, Story, System};
use pipeline::analysis::analyse_model;
use pipeline::checking::{Watches, analyse_check};
use pipeline::request::{Asked, Host, Request};
use pipeline::watches::{Patient, Sharing};
use search::{Explored, Limits, Order, Plan};

use crate::question::{Question, SearchOptions, SearchOrder};

/// A model or program that was read: its states and steps, and the words for them.
pub(crate) trait Searched: System + Sync {
    /// What reports call the language.
    const KIND: &'static str;

    type Story<'a>: Story
    where
        Self: 'a;

    fn story(&self) -> Self::Story<'_>;

    /// What keeps the machine from telling what comes after a state.
    fn obstacle(&self, _state: &[u8]) -> Option<Interrupt> {
        None
    }
}

/// Which violations are asked for, and what the report calls that.
pub(crate) type Goal = (Asked, findings::Property);

impl SearchOptions {
    pub(crate) fn order(&self) -> Order {
        match self.order {
            SearchOrder::BreadthFirst => Order::BreadthFirst,
            SearchOrder::DepthFirst => Order::DepthFirst,
        }
    }

    /// How a model is checked without keeping its steps: by as many threads as there are processors, unless the user
    /// says otherwise.
    fn plan(&self, max_states: u64, reduce: bool) -> Plan {
        let available = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Plan { max_states, threads: self.threads.unwrap_or_else(available), reduce }
    }
}

/// A model at hand, and what is asked about it.
#[derive(Clone, Copy)]
pub(crate) struct Searching<'a> {
    pub(crate) question: &'a Question<'a>,
    pub(crate) host: &'a dyn Host,
    /// How many states are looked at for now.
    pub(crate) max_states: u64,
}

impl<'a> Searching<'a> {
    pub(crate) fn new(question: &'a Question<'a>, host: &'a dyn Host) -> Self {
        Self { question, host, max_states: question.request.max_states }
    }

    /// The same with no more than so many states, and never with more than the user says.
    pub(crate) fn at_most(self, states: Option<u64>) -> Self {
        Self { max_states: states.map_or(self.max_states, |most| most.min(self.max_states)), ..self }
    }

    /// What is asked about the input, for a goal.
    pub(crate) fn request(&self, kind: &str, goal: &Goal) -> Request {
        let (asked, told) = goal;
        let input = self.question.told_input(kind, None);
        let request = self.question.request.about(input, told.clone());
        Request { asked: asked.clone(), max_states: self.max_states, ..request }
    }

    /// Whether only a verdict is wanted, so that a search need not keep steps.
    pub(crate) fn is_check(&self) -> bool {
        let Question { request, trail, search, .. } = self.question;
        !request.explains() && trail.is_none() && search.order == SearchOrder::BreadthFirst
    }

    /// Checks a model without keeping its steps.
    pub(crate) fn checked<M: Searched>(
        &self,
        model: &M,
        request: Request,
        reduce: bool,
    ) -> Result<Explanation> {
        let plan = self.question.search.plan(self.max_states, reduce);
        let (search, tracing) = (Sharing::new(self.host, 0.9), Patient::new(self.host));
        let watches = Watches { host: self.host, search: &search, tracing: &tracing };
        let obstacle = |state: &[u8]| model.obstacle(state);
        Ok(analyse_check(model, &model.story(), plan, request, watches, obstacle)?)
    }

    /// Searches a model, near the given states if there are such, and keeps all steps.
    pub(crate) fn explored<M: Searched>(
        &self,
        model: &M,
        near: Option<(Vec<Vec<u8>>, u32)>,
    ) -> Result<Explored> {
        // The methods need edges both ways and some marks for every state, about as much again.
        let share = if self.question.request.explains() { 0.5 } else { 0.9 };
        let limits = Limits { max_states: self.max_states, order: self.question.search.order() };
        let Some((states, depth)) = near else { return explore(model, limits, share, self.host) };
        let near = search::Near { states: &states, depth };
        let found = search::explore_near(model, near, limits, &Sharing::new(self.host, share));
        let mut found = found.map_err(|error| anyhow!("the model has {error}"))?;
        mark_obstacles(model, &mut found);
        Ok(found)
    }

    /// Explains what was found.
    pub(crate) fn explained<M: Searched>(
        &self,
        model: &M,
        found: Explored,
        request: Request,
    ) -> Result<Explanation> {
        let mut request = request;
        request.input.size = Some(findings::GraphSize {
            states: found.counted_states,
            transitions: found.transitions,
            labels: found.events.len() as u64,
        });
        Ok(analyse_model(model, found, &model.story(), request, self.host)?)
    }
}

/// Searches a model and keeps all steps; the graph may be partial. `share` is how much of the memory the search may take,
/// so that enough is left for what comes after it.
pub(crate) fn explore<M: Searched>(
    model: &M,
    limits: Limits,
    share: f64,
    host: &dyn Host,
) -> Result<Explored> {
    let found = search::explore(model, limits, &Sharing::new(host, share));
    let mut found = found.map_err(|error| anyhow!("the model has {error}"))?;
    mark_obstacles(model, &mut found);
    Ok(found)
}

/// The transition system of a model, or the limit that was reached first.
pub(crate) fn transition_system<M: Searched>(
    model: &M,
    max_states: u64,
    host: &dyn Host,
) -> Result<Result<graph::StateGraph, Interrupt>> {
    let limits = Limits { max_states, ..Limits::default() };
    let found = explore(model, limits, 0.7, host)?;
    if let Some(limit) = found.interrupt {
        return Ok(Err(limit));
    }
    Ok(Ok(pipeline::transition_system(model, found, &model.story())?))
}

/// Marks the states from which the machine could not tell what comes next; the first of them is why the
/// search is not complete.
pub(crate) fn mark_obstacles<M: Searched>(model: &M, found: &mut Explored) {
    let mut open = vec![false; found.store.len()];
    found.open.iter().for_each(|state| open[*state as usize] = true);
    let is_end = |state: &u32| found.graph.edges(*state).is_empty() && !open[*state as usize];
    let ends: Vec<u32> = (0..found.store.len() as u32).filter(is_end).collect();
    for state in ends {
        if let Some(obstacle) = model.obstacle(found.store.get(state)) {
            found.open.push(state);
            found.interrupt.get_or_insert(obstacle);
        }
    }
    found.open.sort_unstable();
}
