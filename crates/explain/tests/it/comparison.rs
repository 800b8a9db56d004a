//! One comparison for all systems: a product with a property, or a matched counterexample LTS.

use std::collections::BTreeMap;

use explain::neighbourhoods::{Colour, Kind};
use explain::{Counterexample, Neighbourhoods, Untouched};
use graph::{Exploration, Fairness, Fates, OUTSIDE, Trace, Transitions, Unwatched, calmest_shortest};
use testkit::naive_fates::{NaiveFate, NaiveUntouched};
use testkit::naive_neighbourhoods::{NaiveColour, NaiveNeighbourhood, NaiveNeighbourhoods};
use testkit::naive_system::{NaiveSystem, NaiveTrace, Pair, states_of, told};

/// A system with all that is computed of it, and how to read its states.
pub(crate) struct Analysis<'a, T> {
    pub(crate) system: &'a T,
    pub(crate) pair: &'a dyn Fn(u32) -> Pair,
    pub(crate) explored: Exploration,
    pub(crate) fates: Fates,
    pub(crate) found: Neighbourhoods,
}

impl<'a, T: Transitions> Analysis<'a, T> {
    pub(crate) fn new(system: &'a T, labels: usize, max_states: u64, pair: &'a dyn Fn(u32) -> Pair) -> Self {
        let mut explored = Exploration::new(system, max_states, &Unwatched);
        explored.go_beyond(system, max_states, &Unwatched);
        let fates = Fates::new(system, &explored, Fairness::Weak, &Unwatched).expect("nobody interrupts");
        let found =
            Neighbourhoods::new(system, labels, &explored, &fates, &Unwatched).expect("nobody interrupts");
        Self { system, pair, explored, fates, found }
    }

    pub(crate) fn told(&self, trace: &Trace) -> NaiveTrace {
        told(trace, self.pair)
    }

    pub(crate) fn calmest(&self) -> Option<Trace> {
        calmest_shortest(self.system, &self.explored, |state| self.found.is_frontier(state))
    }

    pub(crate) fn explain(&self, trace: Trace) -> Counterexample {
        Counterexample::new(self.system, &self.explored, &self.fates, &self.found, trace)
    }

    /// Edges with their colours, in order.
    pub(crate) fn coloured(&self) -> Vec<(Pair, u32, Option<Pair>, NaiveColour)> {
        let mut edges = Vec::new();
        self.found.each_edge(self.system, &self.explored, &self.fates, |source, label, target, colour| {
            let target = (target != OUTSIDE).then(|| (self.pair)(target));
            edges.push(((self.pair)(source), label, target, naive(colour)));
        });
        edges.sort_unstable();
        edges
    }

    /// Compares everything that is told with the twin. The exploration has to be complete.
    pub(crate) fn compare(&self, twin: &NaiveSystem) {
        assert_eq!(self.explored.interrupt(), None);
        let truth = NaiveNeighbourhoods::new(twin);
        self.compare_fates(twin);
        self.compare_neighbourhoods(&truth);
        let calmest = self.calmest();
        assert_eq!(calmest.as_ref().map(|trace| self.told(trace)), truth.calmest());
        if let Some(trace) = calmest {
            self.compare_counterexample(twin, &truth, trace);
        }
    }

    fn compare_fates(&self, twin: &NaiveSystem) {
        for state in self.explored.reached() {
            assert_eq!(NaiveFate::told(self.fates.of(state)), Some(twin.fate((self.pair)(state))));
        }
        let (counts, truth) = (self.fates.count(self.system, &self.explored), twin.fate_counts());
        assert_eq!((counts.safe, counts.free, counts.doomed), (truth.safe, truth.free, truth.doomed));
        let decided = (counts.points_of_no_return, counts.escapes);
        assert_eq!(decided, (truth.points_of_no_return, truth.escapes));
    }

    fn compare_neighbourhoods(&self, truth: &NaiveNeighbourhoods<'_>) {
        assert_eq!(self.coloured(), truth.coloured());
        let size = self.found.size;
        assert_eq!((size.states, size.transitions, size.labels), truth.size());

        let kept: Vec<u32> = self.explored.reached().filter(|state| self.fates.can_fail(*state)).collect();
        let mut listed = BTreeMap::new();
        let mut last = None;
        for hood in self.found.list(self.system, &self.explored, &self.fates) {
            assert_eq!(kept[hood.number as usize], hood.state);
            assert!(last.replace(hood.number) < Some(hood.number));
            assert_eq!(self.found.kind(hood.state), Some(hood.kind));
            for labels in [&hood.incoming, &hood.failing, &hood.correct] {
                assert!(labels.is_sorted_by(|one, other| one < other));
            }
            let kind = kind_name(hood.kind);
            let (incoming, failing) =
                (hood.incoming.into_iter().collect(), hood.failing.into_iter().collect());
            let correct = hood.correct.into_iter().collect();
            listed.insert((self.pair)(hood.state), NaiveNeighbourhood { kind, incoming, failing, correct });
        }
        let expected = truth.neighbourhoods();
        assert_eq!(listed, expected);
        for state in self.explored.reached() {
            let is_frontier = truth.frontier.contains(&(self.pair)(state));
            assert_eq!(self.found.is_frontier(state), is_frontier);
        }
        for kind in Kind::ALL {
            let count = expected.values().filter(|hood| hood.kind == kind_name(kind)).count();
            assert_eq!(self.found.kinds[kind as usize], count as u64);
        }
        assert_eq!(self.found.count(), truth.frontier.len() as u64);
    }

    fn compare_counterexample(&self, twin: &NaiveSystem, truth: &NaiveNeighbourhoods<'_>, trace: Trace) {
        let naive = self.told(&trace);
        let found = self.explain(trace);
        let kept = truth.abstraction(&naive);
        let states = states_of(&naive);
        let touched = states.iter().filter(|state| truth.frontier.contains(state)).count();
        assert_eq!((&found.abstraction.kept, found.abstraction.touched), (&kept, touched as u64));
        let runs = found.abstraction.runs();
        assert!(runs.iter().all(|run| !run.is_empty()));
        assert!(runs.is_sorted_by(|one, next| one.end < next.start));
        let in_runs: Vec<bool> = (0..kept.len()).map(|at| runs.iter().any(|run| run.contains(&at))).collect();
        assert_eq!(in_runs, kept);
        let left = kept.iter().filter(|kept| **kept).count();
        assert_eq!(found.abstraction.len(), if touched == 0 { kept.len() } else { left });

        let untouched = (touched == 0).then(|| twin.untouched(&states));
        assert_eq!(found.untouched.map(told_untouched), untouched.map(Some));
        assert_eq!(found.notes.len(), kept.len());
        for (at, note) in found.notes.iter().enumerate() {
            let (before, after) = (twin.fate(states[at]), twin.fate(states[at + 1]));
            assert_eq!(
                (NaiveFate::told(note.before), NaiveFate::told(note.after)),
                (Some(before), Some(after))
            );
            assert_eq!(note.is_point_of_no_return(), before.is_free() && !after.can_pass);
            assert_eq!(note.escapes, twin.escapes(states[at]).into_iter().collect::<Vec<_>>());
            let still_free = twin.still_free(states[at], naive.1[at]);
            assert_eq!(note.still_free, still_free.into_iter().collect::<Vec<_>>());
        }
    }
}

fn naive(colour: Colour) -> NaiveColour {
    match colour {
        Colour::Green => NaiveColour::Green,
        Colour::Black => NaiveColour::Black,
        Colour::Red => NaiveColour::Red,
    }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::G => "G",
        Kind::Gr => "GR",
        Kind::Grb => "GRB",
        Kind::R => "R",
    }
}

/// What is said of a counterexample without a correct transition; nothing if it is not known.
pub(crate) fn told_untouched(untouched: Untouched) -> Option<NaiveUntouched> {
    match untouched {
        Untouched::DoomedFromTheStart => Some(NaiveUntouched::DoomedFromTheStart),
        Untouched::PartedEarlier { last_free } => Some(NaiveUntouched::PartedEarlier { last_free }),
        Untouched::OnlyByCircling => Some(NaiveUntouched::OnlyByCircling),
        Untouched::NotExplored => None,
    }
}
