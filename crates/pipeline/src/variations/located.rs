//! Control locations in a transition system whose states have variables: those that say where processes stand.
//!
//! A step of a transition system is known by its label. Where states carry a variable that is a program counter (`pc`
//! as PlusCal writes it, `loc`, `location`), the place from which a step starts is known as well, and steps are told
//! apart by it as those of models are. With several processes the counter is a tuple, a record or a function, or there
//! are several counters; then the place is that of the process that moves: the parts of the counter that the step
//! changes.

use std::borrow::Cow;
use std::collections::BTreeMap;

use findings::StateId;
use graph::{Actors, Exploration, Labels, OUTSIDE, StateGraph, Trace, Transitions};
use rustc_hash::FxHashMap;

use crate::naming::Naming;

/// A system whose labels also tell where a step starts.
pub(super) struct Located<'a, T> {
    system: &'a T,
    /// Those of the system, followed by one for each label and place.
    labels: Labels,
    /// The label of the system and the place, for each label of ours behind those.
    refined: Vec<(u32, String)>,
    counters: Counters,
    /// Our number of a label and a place.
    numbers: FxHashMap<(u32, u32), u32>,
}

/// What the counters say, state by state.
struct Counters {
    /// For each state of the graph, which whole values it has: a number into `wholes`, or none.
    of_state: Vec<u32>,
    /// The parts of each combination of values.
    wholes: Vec<Vec<(String, String)>>,
    /// The place of a step from one combination to another.
    places: FxHashMap<(u32, u32), u32>,
    names: Vec<String>,
}

const NOWHERE: u32 = u32::MAX;

/// Whether a variable says where a process stands.
fn is_counter(name: &str) -> bool {
    let last = name.rsplit(['.', '_', ':']).next().unwrap_or(name);
    let bare = last.split(['[', '(']).next().unwrap_or(last).trim_end_matches(|c: char| c.is_ascii_digit());
    ["pc", "loc", "location", "control"].iter().any(|known| bare.eq_ignore_ascii_case(known))
}

impl<'a, T: Transitions + Naming> Located<'a, T> {
    /// Nothing if no variable says where processes stand.
    pub(super) fn new(system: &'a T, explored: &Exploration) -> Option<Self> {
        let counters = Counters::new(system.graph())?;
        let mut labels = Labels::default();
        for label in 0..system.labels().len() as u32 {
            labels.intern(system.labels().get(label));
        }
        let mut located =
            Self { system, labels, refined: Vec::new(), counters, numbers: FxHashMap::default() };
        let mut edges = Vec::new();
        for state in explored.reached_ascending() {
            edges.clear();
            system.successors(state, |label, target| edges.push((label, target)));
            for (label, target) in edges.drain(..) {
                let place = located.start(state, target);
                located.number(label, place);
            }
        }
        Some(located)
    }

    /// The place from which a step starts.
    fn start(&mut self, from: u32, to: u32) -> u32 {
        let (Some(from), to) = (self.whole(from), self.whole(to)) else { return NOWHERE };
        self.counters.place(from, to.unwrap_or(from))
    }

    /// Which values the counters have in a state of the system.
    fn whole(&self, state: u32) -> Option<u32> {
        if state == OUTSIDE {
            return None;
        }
        let [only] = self.system.stands_for(state)[..] else { return None };
        self.counters.of_state.get(only as usize).copied().filter(|whole| *whole != NOWHERE)
    }

    fn number(&mut self, label: u32, place: u32) -> u32 {
        if place == NOWHERE {
            return label;
        }
        let Self { numbers, labels, refined, counters, system, .. } = self;
        *numbers.entry((label, place)).or_insert_with(|| {
            let (own, place) = (system.labels().get(label), &counters.names[place as usize]);
            refined.push((label, place.clone()));
            // Another label may look the same; ours must not.
            let mut text = format!("{own} (at {place})");
            while (labels.intern(&text) as usize) < system.labels().len() + refined.len() - 1 {
                text.push('\'');
            }
            (system.labels().len() + refined.len()) as u32 - 1
        })
    }

    /// Our label of a step.
    fn located(&self, from: u32, label: u32, to: u32) -> u32 {
        let Some(whole) = self.whole(from) else { return label };
        let step = (whole, self.whole(to).unwrap_or(whole));
        let place = self.counters.places.get(&step).copied().unwrap_or(NOWHERE);
        self.numbers.get(&(label, place)).copied().unwrap_or(label)
    }

    /// A trace of the system with our labels.
    pub(super) fn trace(&self, trace: &Trace) -> Trace {
        let steps = trace.states().zip(&trace.steps).map(|(from, step)| graph::Edge {
            label: self.located(from, step.label, step.state),
            state: step.state,
        });
        Trace { start: trace.start, steps: steps.collect() }
    }
}

impl Counters {
    fn new(graph: &StateGraph) -> Option<Self> {
        let variables = graph.variables.as_ref()?;
        let names = variables.names();
        let columns: Vec<usize> = (0..names.len()).filter(|at| is_counter(&names[*at])).collect();
        if columns.is_empty() {
            return None;
        }
        let mut known: FxHashMap<Vec<Option<&str>>, u32> = FxHashMap::default();
        let mut wholes = Vec::new();
        let mut of_state = Vec::with_capacity(graph.state_count());
        for state in 0..graph.state_count() as u32 {
            let values: Vec<Option<&str>> = columns.iter().map(|at| variables.get(state, *at)).collect();
            if values.iter().all(Option::is_none) {
                of_state.push(NOWHERE);
                continue;
            }
            let fresh = wholes.len() as u32;
            let whole = *known.entry(values).or_insert_with_key(|values| {
                let named = columns.iter().map(|at| names[*at].as_str()).zip(values);
                let parts = named.filter_map(|(name, value)| Some(parts(name, (*value)?)));
                wholes.push(parts.flatten().collect());
                fresh
            });
            of_state.push(whole);
        }
        Some(Self { of_state, wholes, places: FxHashMap::default(), names: Vec::new() })
    }

    /// The place of a step: what it changes of the counters, or a single counter that it leaves as it is.
    fn place(&mut self, from: u32, to: u32) -> u32 {
        if let Some(place) = self.places.get(&(from, to)) {
            return *place;
        }
        let (own, next) = (&self.wholes[from as usize], &self.wholes[to as usize]);
        let changed = |(name, value): &&(String, String)| {
            own.len() == 1 || !next.iter().any(|(other, now)| other == name && now == value)
        };
        let moved: Vec<String> =
            own.iter().filter(changed).map(|(name, value)| format!("{name} = {value}")).collect();
        let place = if moved.is_empty() {
            NOWHERE
        } else {
            let text = moved.join(", ");
            let found = self.names.iter().position(|name| *name == text);
            found.unwrap_or_else(|| {
                self.names.push(text);
                self.names.len() - 1
            }) as u32
        };
        self.places.insert((from, to), place);
        place
    }
}

/// The parts of a counter: those of a tuple `<<a, b>>`, a record `[p |-> a, q |-> b]`, a function `(0 :> a @@ 1 :> b)` or
/// an array `[a, b]`, or the value itself.
fn parts(name: &str, value: &str) -> Vec<(String, String)> {
    let whole = value.trim();
    let inside = [("<<", ">>"), ("(", ")"), ("[", "]"), ("{", "}")]
        .iter()
        .find_map(|(open, close)| whole.strip_prefix(open)?.strip_suffix(close));
    let Some(inside) = inside.filter(|inside| !inside.trim().is_empty()) else {
        return vec![(name.to_owned(), whole.to_owned())];
    };
    let list = split(inside);
    let part = |(at, text): (usize, Cow<'_, str>)| {
        let keyed = [":>", "|->", ":"].iter().find_map(|sign| text.split_once(sign));
        match keyed {
            Some((key, value)) => (format!("{name}[{}]", key.trim()), value.trim().to_owned()),
            None => (format!("{name}[{at}]"), text.trim().to_owned()),
        }
    };
    list.into_iter().enumerate().map(part).collect()
}

/// Splits at commas and `@@` that stand in no brackets or quotes.
fn split(text: &str) -> Vec<Cow<'_, str>> {
    let (mut depth, mut quoted, mut start, mut parts) = (0i64, false, 0, Vec::new());
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let width = match bytes[at] {
            b'"' => {
                quoted = !quoted;
                0
            }
            _ if quoted => 0,
            b'(' | b'[' | b'{' | b'<' => {
                depth += 1;
                0
            }
            // The arrow of a function is no bracket.
            b'>' if at > 0 && (bytes[at - 1] == b':' || bytes[at - 1] == b'-') => 0,
            b')' | b']' | b'}' | b'>' => {
                depth -= 1;
                0
            }
            b',' if depth == 0 => 1,
            b'@' if depth == 0 && bytes.get(at + 1) == Some(&b'@') => 2,
            _ => 0,
        };
        if width > 0 {
            parts.push(Cow::Borrowed(&text[start..at]));
            start = at + width;
        }
        at += width.max(1);
    }
    parts.push(Cow::Borrowed(&text[start..]));
    parts
}

impl<T: Transitions + Naming> Transitions for Located<'_, T> {
    fn bound(&self) -> usize {
        self.system.bound()
    }

    fn initial(&self) -> Vec<u32> {
        self.system.initial()
    }

    fn is_violating(&self, state: u32) -> bool {
        self.system.is_violating(state)
    }

    fn is_target(&self, state: u32) -> bool {
        self.system.is_target(state)
    }

    fn is_shared_end(&self, state: u32) -> bool {
        self.system.is_shared_end(state)
    }

    fn is_open(&self, state: u32) -> bool {
        self.system.is_open(state)
    }

    fn has_processes(&self) -> bool {
        self.system.has_processes()
    }

    fn actors(&self, _label: u32) -> Actors {
        Actors::NONE
    }

    fn successors(&self, state: u32, mut visit: impl FnMut(u32, u32)) {
        self.system.successors(state, |label, target| visit(self.located(state, label, target), target));
    }

    fn predecessors(&self, state: u32, mut visit: impl FnMut(u32, u32)) {
        self.system.predecessors(state, |label, source| visit(self.located(source, label, state), source));
    }

    fn degree(&self, state: u32) -> u32 {
        self.system.degree(state)
    }
}

impl<T: Transitions + Naming> Naming for Located<'_, T> {
    fn graph(&self) -> &StateGraph {
        self.system.graph()
    }

    fn stands_for(&self, state: u32) -> Vec<u32> {
        self.system.stands_for(state)
    }

    fn labels(&self) -> &Labels {
        &self.labels
    }

    fn state_id(&self, state: u32) -> StateId {
        self.system.state_id(state)
    }

    fn values(&self, state: u32) -> BTreeMap<String, String> {
        self.system.values(state)
    }

    fn place(&self, label: u32) -> Option<(String, String)> {
        let at = (label as usize).checked_sub(self.system.labels().len())?;
        let (own, place) = &self.refined[at];
        Some((self.system.label(*own), place.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_known_by_their_names() {
        assert!(
            ["pc", "PC", "pc[1]", "pc2", "proc.pc", "main_pc", "loc", "P1.location"]
                .iter()
                .all(|name| is_counter(name))
        );
        assert!(["pcs", "spc", "local", "x", "block", ""].iter().all(|name| !is_counter(name)));
    }

    #[test]
    fn counters_of_several_processes_have_parts() {
        let told = |value: &str| {
            let parts = parts("pc", value).into_iter();
            parts.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(told("<<\"a\", \"b, c\">>"), "pc[0]=\"a\" pc[1]=\"b, c\"");
        assert_eq!(told("(0 :> \"a\" @@ 1 :> <<1, 2>>)"), "pc[0]=\"a\" pc[1]=<<1, 2>>");
        assert_eq!(told("[p |-> \"a\", q |-> \"b\"]"), "pc[p]=\"a\" pc[q]=\"b\"");
        assert_eq!(told("[3, 4]"), "pc[0]=3 pc[1]=4");
        assert_eq!(told("\"Done\""), "pc=\"Done\"");
        assert_eq!(told("<<>>"), "pc=<<>>");
        assert_eq!(told(">"), "pc=>");
    }
}
