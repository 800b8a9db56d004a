//! From numbers back to names: what states, labels and values are called in the input.

use std::collections::BTreeMap;

use explain::Matched;
use findings::StateId;
use graph::{
    Actor, Chosen, ConditionPart, Footprint, Labels, Outline, Product, StateGraph, StateName, Told, Trace,
    Waiting, Wrong,
};

/// A system whose states stand for states of a graph, with the names of its states and labels by their numbers.
///
/// A [`graph::Story`] names the events and bytes of a model, of which no graph need be known; a transition system has none.
/// This is what the methods see of either: where there is a story, it answers with what the story says.
pub trait Naming {
    /// The graph the system was made from.
    fn graph(&self) -> &StateGraph;

    /// The states of the graph that `state` stands for, ascending; at least one.
    fn stands_for(&self, state: u32) -> Vec<u32>;

    /// The number of a state of the counterexample LTS, which was the `counted`th to be found.
    fn counterexample_state(&self, _state: u32, counted: u64) -> u64 {
        counted
    }

    fn labels(&self) -> &Labels {
        &self.graph().labels
    }

    fn label(&self, label: u32) -> String {
        self.labels().get(label).to_owned()
    }

    fn label_list(&self, labels: &[u32]) -> Vec<String> {
        labels.iter().map(|label| self.label(*label)).collect()
    }

    fn state_id(&self, state: u32) -> StateId {
        self.stands_for(state).first().map_or(StateId::Number(-1), |first| id(self.graph(), *first))
    }

    /// The values of all variables in a state; empty where states have none.
    fn values(&self, state: u32) -> BTreeMap<String, String> {
        let Some((variables, row)) = self.row(state) else { return BTreeMap::new() };
        let names = variables.names().iter().enumerate();
        names.filter_map(|(at, name)| Some((name.clone(), variables.get(row, at)?.to_owned()))).collect()
    }

    /// The event of a label, where events have numbers of their own.
    fn event(&self, _label: u32) -> Option<u64> {
        None
    }

    /// The bytes of a state, if it is bytes that are laid out somehow.
    fn bytes(&self, _state: u32) -> Option<&[u8]> {
        None
    }

    /// Where the variables lie in such bytes.
    fn outline(&self, state: &[u8]) -> Outline {
        Outline::new(state, Vec::new(), Vec::new())
    }

    /// What changed from one state to another.
    fn changes(&self, from: u32, to: u32) -> BTreeMap<String, [Option<String>; 2]> {
        let (Some((variables, old)), Some((_, new))) = (self.row(from), self.row(to)) else {
            return BTreeMap::new();
        };
        let changes = variables.changes(old, new);
        let owned = |value: Option<&str>| value.map(str::to_owned);
        changes.map(|(at, old, new)| (variables.names()[at].clone(), [owned(old), owned(new)])).collect()
    }

    /// The values that a step took from outside.
    fn inputs(&self, _from: u32, _to: u32, _label: u32) -> Vec<i64> {
        Vec::new()
    }

    /// Who does what in steps with this label, and with whom; nothing where nobody is known.
    fn told(&self, _label: u32) -> Option<Told> {
        None
    }

    /// The names of the processes, functions and files that steps with this label belong to.
    fn parts(&self, label: u32) -> Vec<String> {
        self.told(label).map_or_else(Vec::new, |told| parts_of(told, None))
    }

    /// What steps with this label are called and where they start, in a transition system whose states say so.
    fn place(&self, _label: u32) -> Option<(String, String)> {
        None
    }

    /// What of steps with this label does not depend on the data; nothing where nobody knows.
    fn chosen(&self, _label: u32) -> Option<Chosen> {
        None
    }

    /// Whether steps with this label do nothing but decide where to go on.
    fn steers(&self, _label: u32) -> bool {
        false
    }

    /// Whether steps with this label are taken as soon as they can be and never later, because they concern nobody
    /// else.
    fn is_taken_early(&self, _label: u32) -> bool {
        false
    }

    /// What the program calls the place from which steps with this label start, where it has a name.
    fn point(&self, _label: u32) -> Option<String> {
        None
    }

    /// What a step with this label from `state` touches; nothing where nobody knows.
    fn footprint(&self, _state: u32, _label: u32) -> Option<Footprint> {
        None
    }

    /// What processes that cannot go on in a state ask; nothing where nobody knows.
    fn wants(&self, _state: u32) -> Option<Footprint> {
        None
    }

    /// Where each process stands in a state: who it is, and the line of what it does next.
    fn standing(&self, _state: u32) -> Vec<(Actor, u64)> {
        Vec::new()
    }

    /// What keeps each process from moving in a state.
    fn waiting(&self, _state: u32) -> Vec<Waiting> {
        Vec::new()
    }

    /// What the violation at the end of a trace is called.
    fn violation(&self, _trace: &Trace) -> Option<Wrong> {
        None
    }

    /// The condition that has to hold in every state, if a trace ends where it is false: what the property is called, and
    /// the condition part by part.
    fn broken(&self, _trace: &Trace) -> Option<(String, Vec<ConditionPart>)> {
        None
    }

    /// The condition of the assertion that fails at the end of a trace, part by part.
    fn condition(&self, _trace: &Trace) -> Vec<ConditionPart> {
        Vec::new()
    }

    /// The table of values and the state's row in it. A state that stands for several has no values
    /// of its own.
    fn row(&self, state: u32) -> Option<(&graph::StateVariables, u32)> {
        let variables = self.graph().variables.as_ref()?;
        match self.stands_for(state)[..] {
            [only] => Some((variables, only)),
            _ => None,
        }
    }
}

/// The processes, files and the function that an event belongs to.
pub(crate) fn parts_of(told: Told, function: Option<&str>) -> Vec<String> {
    let deeds = std::iter::once(told.deed).chain(told.partner);
    let parts = deeds.flat_map(|deed| [Some(deed.actor.name), deed.location.map(|location| location.file)]);
    parts.flatten().chain(function.map(str::to_owned)).collect()
}

/// A state of a graph as its file calls it.
pub fn id(graph: &StateGraph, state: u32) -> StateId {
    match graph.names.name(state) {
        // Beyond 2^53 many readers of JSON round numbers.
        StateName::Number(number) if number.unsigned_abs() > 1 << 53 => StateId::Text(number.to_string()),
        StateName::Number(number) => StateId::Number(number),
        StateName::Text(text) => StateId::Text(text.to_owned()),
    }
}

impl Naming for Product<'_> {
    fn graph(&self) -> &StateGraph {
        Product::graph(self)
    }

    fn stands_for(&self, state: u32) -> Vec<u32> {
        vec![self.graph_state(state)]
    }
}

impl Naming for Matched<'_> {
    fn graph(&self) -> &StateGraph {
        self.model()
    }

    fn stands_for(&self, state: u32) -> Vec<u32> {
        self.counterparts(state).collect()
    }

    fn counterexample_state(&self, state: u32, _counted: u64) -> u64 {
        u64::from(state)
    }
}

impl Naming for StateGraph {
    fn graph(&self) -> &StateGraph {
        self
    }

    fn stands_for(&self, state: u32) -> Vec<u32> {
        vec![state]
    }
}
