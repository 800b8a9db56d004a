//! Comparison with CLEAR, the tool of the paper's authors, on five of its own cases: the edges of the
//! counterexample LTS, every colour, every neighbourhood and its type, the length of a shortest
//! counterexample, and the figures the paper gives for its case study.
//!
//! The cases are not part of this repository. The folder `clear` in the test data (see
//! `testkit::data_folder`) holds them; without it these tests say so and pass.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use explain::Neighbourhoods;
use explain::neighbourhoods::{Colour, Kind};
use graph::{Exploration, Fairness, Fates, Product, StateGraph, Transitions, Unwatched, calmest_shortest};
use property::{CompiledProperty, MAX_STATES, Spelling};

const CASES: [&str; 5] =
    ["allbad_bug", "interleaving_bug", "isolated_bug", "iteration_bug", "sanitary_agency"];

struct Case {
    folder: PathBuf,
    model: StateGraph,
    property: CompiledProperty,
}

impl Case {
    fn load(name: &str) -> Option<Self> {
        let folder = testkit::data_folder("clear")?.join(name);
        let model = read_aut(&file(&folder, |name| {
            name.ends_with(".aut") && !name.starts_with("bad_") && !name.starts_with("cexp")
        })?);
        let formula = std::fs::read_to_string(file(&folder, |name| name.ends_with(".mcl"))?).unwrap();
        let formula = property::parse(&formula, Spelling::Mcl).unwrap();
        let property = formula.automaton(&model.labels, None, MAX_STATES).unwrap();
        Some(Self { folder, model, property })
    }

    fn analyse<R>(&self, look: impl FnOnce(&Analysis<'_>) -> R) -> R {
        let product = Product::new(
            &self.model,
            &self.property.classes,
            &self.property.dfa,
            self.property.violated_when,
        )
        .unwrap();
        let mut explored = Exploration::new(&product, u64::MAX, &Unwatched);
        explored.go_beyond(&product, u64::MAX, &Unwatched);
        let fates = Fates::new(&product, &explored, Fairness::Weak, &Unwatched).unwrap();
        let found =
            Neighbourhoods::new(&product, self.model.labels.len(), &explored, &fates, &Unwatched).unwrap();
        look(&Analysis { product: &product, explored: &explored, fates: &fates, found: &found })
    }
}

struct Analysis<'a> {
    product: &'a Product<'a>,
    explored: &'a Exploration,
    fates: &'a Fates,
    found: &'a Neighbourhoods,
}

/// A state as both tools know it: the state of the model and that of the property automaton.
type Both = (u32, u32);
type Edges = BTreeMap<(Both, String, Option<Both>, &'static str), usize>;

impl Analysis<'_> {
    fn both(&self, state: u32) -> Both {
        (self.product.graph_state(state), self.product.automaton_state(state))
    }

    /// Every edge with its colour; the target of a green one is of no interest.
    fn edges(&self) -> Edges {
        let mut edges = Edges::new();
        self.found.each_edge(self.product, self.explored, self.fates, |from, label, to, colour| {
            let label = self.product.graph().labels.get(label).to_owned();
            let (to, colour) = match colour {
                Colour::Green => (None, "GREEN"),
                Colour::Black => (Some(self.both(to)), "BLACK"),
                Colour::Red => (Some(self.both(to)), "RED"),
            };
            *edges.entry((self.both(from), label, to, colour)).or_default() += 1;
        });
        edges
    }

    fn kinds(&self) -> BTreeMap<Both, &'static str> {
        let name = |kind| match kind {
            Kind::G => "G",
            Kind::Gr => "GR",
            Kind::Grb => "GRB",
            Kind::R => "R",
        };
        let hoods = self.found.list(self.product, self.explored, self.fates);
        hoods.map(|hood| (self.both(hood.state), name(hood.kind))).collect()
    }
}

fn file(folder: &Path, wanted: impl Fn(&str) -> bool) -> Option<PathBuf> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| wanted(name))
        .collect();
    names.sort();
    names.first().map(|name| folder.join(name))
}

fn read_aut(path: &Path) -> StateGraph {
    lts::read(lts::Format::Aut, &std::fs::read(path).unwrap(), &Unwatched).unwrap().graph
}

/// CLEAR's product before pruning: numbered states with the pair each stands for.
struct Theirs {
    pairs: BTreeMap<i64, Both>,
    edges: Vec<(i64, String, i64)>,
}

impl Theirs {
    fn load(folder: &Path) -> Self {
        let map = std::fs::read_to_string(file(folder, |name| name.ends_with(".prd")).unwrap()).unwrap();
        let pairs = map.lines().map(|line| {
            let numbers: Vec<u32> =
                line.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
            (i64::from(numbers[0]), (numbers[1], numbers[2]))
        });
        let text =
            std::fs::read_to_string(file(folder, |name| name.ends_with("_unclean.aut")).unwrap()).unwrap();
        let edges = text.lines().skip(1).map(|line| {
            let parts: Vec<&str> = line.trim_matches(['(', ')']).split(", ").collect();
            (parts[0].parse().unwrap(), parts[1].trim_matches('"').to_owned(), parts[2].parse().unwrap())
        });
        Self { pairs: pairs.collect(), edges: edges.collect() }
    }

    /// The numbers of their automaton's states in ours, found by walking both products together.
    fn automaton_states(&self, ours: &Analysis<'_>) -> BTreeMap<u32, u32> {
        let start = ours.product.initial()[0];
        let mut known = BTreeMap::from([(self.pairs[&0].1, ours.product.automaton_state(start))]);
        let mut seen = BTreeSet::from([(0i64, start)]);
        let mut work = vec![(0i64, start)];
        while let Some((their, our)) = work.pop() {
            for (_, label, to) in self.edges.iter().filter(|(from, label, _)| *from == their && label != "i")
            {
                let (model_state, automaton_state) = self.pairs[to];
                let mut target = None;
                ours.product.successors(our, |found, state| {
                    if ours.product.graph().labels.get(found) == label
                        && state != graph::OUTSIDE
                        && ours.product.graph_state(state) == model_state
                    {
                        target = Some(state);
                    }
                });
                // Where ours left for good, theirs goes on in states that are pruned later.
                let Some(target) = target else { continue };
                let expected = *known.entry(automaton_state).or_insert(ours.product.automaton_state(target));
                assert_eq!(expected, ours.product.automaton_state(target), "automata differ");
                if seen.insert((*to, target)) {
                    work.push((*to, target));
                }
            }
        }
        known
    }

    /// What is left when the states that reach no end marker are taken away.
    fn pruned(&self) -> Vec<(i64, String, i64)> {
        let mut kept: BTreeSet<i64> =
            self.edges.iter().filter(|(_, label, _)| label == "i").map(|(from, _, _)| *from).collect();
        loop {
            let more: Vec<i64> = self
                .edges
                .iter()
                .filter(|(from, _, to)| kept.contains(to) && !kept.contains(from))
                .map(|(from, _, _)| *from)
                .collect();
            if more.is_empty() {
                break;
            }
            kept.extend(more);
        }
        let mut edges = self.edges.clone();
        edges.retain(|(from, label, to)| label != "i" && kept.contains(from) && kept.contains(to));
        edges
    }
}

fn each_case(test: impl Fn(&str, &Case, &Analysis<'_>)) {
    for name in CASES {
        let Some(case) = Case::load(name) else { continue };
        case.analyse(|analysis| test(name, &case, analysis));
    }
}

#[test]
fn the_counterexample_lts_has_the_same_edges() {
    each_case(|name, case, ours| {
        let theirs = Theirs::load(&case.folder);
        let automaton = theirs.automaton_states(ours);
        let both = |state: i64| {
            let (model, property) = theirs.pairs[&state];
            (model, automaton[&property])
        };
        let mut expected: BTreeMap<(Both, String, Both), usize> = BTreeMap::new();
        for (from, label, to) in theirs.pruned() {
            *expected.entry((both(from), label, both(to))).or_default() += 1;
        }
        let mut found: BTreeMap<(Both, String, Both), usize> = BTreeMap::new();
        for ((from, label, to, _), count) in ours.edges() {
            if let Some(to) = to {
                *found.entry((from, label, to)).or_default() += count;
            }
        }
        assert_eq!(found, expected, "{name}");
        // Their cleaned file is the same graph under other numbers.
        let clean = file(&case.folder, |name| name.starts_with("bad_") && !name.contains("unclean")).unwrap();
        let clean = read_aut(&clean);
        assert_eq!(ours.found.size.states, clean.state_count() as u64, "{name}");
        assert_eq!(ours.found.size.transitions, clean.edge_count() as u64, "{name}");
    });
}

#[test]
fn colours_and_types_are_the_same() {
    each_case(|name, case, ours| {
        let Some(path) = file(&case.folder, |name| name.ends_with(".autx")) else { return };
        let theirs = Theirs::load(&case.folder);
        let automaton = theirs.automaton_states(ours);
        let both = |state: &str| {
            let (model, property) = theirs.pairs[&state.parse().unwrap()];
            (model, automaton[&property])
        };
        let text = std::fs::read_to_string(path).unwrap();
        let (mut edges, mut kinds) = (Edges::new(), BTreeMap::new());
        for line in text.lines().skip(1) {
            let parts: Vec<&str> = line.trim_matches(['(', ')']).split(", ").collect();
            let mut source = parts[0].split(":N:");
            let from = both(source.next().unwrap());
            if let Some(kind) = source.next() {
                kinds.insert(from, kind.to_owned());
            }
            let (label, colour) = parts[1].rsplit_once(':').unwrap();
            let colour = ["GREEN", "BLACK", "RED"].into_iter().find(|known| *known == colour).unwrap();
            let to = (parts[2] != "-1").then(|| both(parts[2]));
            *edges.entry((from, label.trim_matches('"').to_owned(), to, colour)).or_default() += 1;
        }
        assert_eq!(ours.edges(), edges, "{name}");
        let found: BTreeMap<Both, String> =
            ours.kinds().into_iter().map(|(state, kind)| (state, kind.to_owned())).collect();
        assert_eq!(found, kinds, "{name}");
    });
}

#[test]
fn shortest_counterexamples_have_the_same_length() {
    each_case(|name, case, ours| {
        let Some(path) = file(&case.folder, |name| name == "cexp_dump.aut") else { return };
        let theirs = read_aut(&path).edge_count();
        let trace = calmest_shortest(ours.product, ours.explored, |_| false).unwrap();
        assert_eq!(trace.steps.len(), theirs, "{name}");
    });
}

/// CLEAR's own counterexample LTS, handed in from outside without its map, gives the same neighbourhoods.
#[test]
fn matching_by_simulation_finds_the_same_neighbourhoods() {
    each_case(|name, case, ours| {
        let given = file(&case.folder, |name| name.ends_with("_unclean.aut")).unwrap();
        let given = read_aut(&given);
        let end = given.labels.find("i");
        let simulation = lts::simulate(&given, &case.model, end, &Unwatched).unwrap();
        assert_eq!(simulation.mismatch(), None, "{name}");
        let own = lts::simulate(&given, &given, None, &Unwatched).unwrap();
        let matched = explain::Matched::new(&case.model, &given, end, &simulation, &own).unwrap();
        let mut explored = Exploration::new(&matched, u64::MAX, &Unwatched);
        explored.go_beyond(&matched, u64::MAX, &Unwatched);
        let fates = Fates::new(&matched, &explored, Fairness::Weak, &Unwatched).unwrap();
        let labels = case.model.labels.len();
        let found = Neighbourhoods::new(&matched, labels, &explored, &fates, &Unwatched).unwrap();
        assert_eq!(found.kinds, ours.found.kinds, "{name}");
        let full = |state: u32| matched.counterparts(state).collect::<Vec<_>>();
        let mut by_matching: Vec<Vec<u32>> =
            found.list(&matched, &explored, &fates).map(|hood| full(hood.state)).collect();
        by_matching.sort();
        let mut by_construction: Vec<Vec<u32>> = ours.kinds().keys().map(|(state, _)| vec![*state]).collect();
        by_construction.sort();
        assert_eq!(by_matching, by_construction, "{name}");
    });
}

/// Section 4.2: seven neighbourhoods; a shortest counterexample of 19 actions that passes three of
/// them and keeps 6 actions, among them ACCEPTANCE_EM, PROVT_EM and RECMONEYPOSST_EM. The calmest of
/// all shortest ones, which the paper does not look for, keeps 4.
#[test]
fn the_case_study_of_the_paper() {
    let Some(case) = Case::load("sanitary_agency") else { return };
    case.analyse(|ours| {
        assert_eq!(ours.found.count(), 7);
        let calmest =
            calmest_shortest(ours.product, ours.explored, |state| ours.found.is_frontier(state)).unwrap();
        let abstraction = ours.found.abstraction(&calmest);
        assert_eq!((calmest.steps.len(), abstraction.touched, abstraction.len()), (19, 2, 4));

        let all = all_shortest(ours);
        assert_eq!(all.len(), 579);
        let kept: BTreeSet<usize> = all.iter().map(|trace| ours.found.abstraction(trace).len()).collect();
        assert_eq!((kept.first(), kept.last()), (Some(&4), Some(&8)));
        let papers = all.iter().any(|trace| {
            let abstraction = ours.found.abstraction(trace);
            let steps = trace.steps.iter().zip(&abstraction.kept).filter(|(_, kept)| **kept);
            let labels: BTreeSet<&str> = steps.map(|(step, _)| case.model.labels.get(step.label)).collect();
            abstraction.touched == 3
                && abstraction.len() == 6
                && ["ACCEPTANCE_EM", "PROVT_EM", "RECMONEYPOSST_EM"]
                    .iter()
                    .all(|label| labels.contains(label))
        });
        assert!(papers, "no shortest counterexample is abstracted as the paper's is");
    });
}

/// All shortest counterexamples, by plain recursion.
fn all_shortest(ours: &Analysis<'_>) -> Vec<graph::Trace> {
    fn extend(ours: &Analysis<'_>, trace: &mut graph::Trace, left: usize, all: &mut Vec<graph::Trace>) {
        if left == 0 {
            if ours.product.is_violating(trace.last()) {
                all.push(trace.clone());
            }
            return;
        }
        let mut next = Vec::new();
        ours.product.successors(trace.last(), |label, state| {
            if state != graph::OUTSIDE {
                next.push(graph::Edge { label, state });
            }
        });
        for edge in next {
            trace.steps.push(edge);
            extend(ours, trace, left - 1, all);
            trace.steps.pop();
        }
    }
    let mut all = Vec::new();
    extend(ours, &mut graph::Trace::new(ours.product.initial()[0]), 19, &mut all);
    all
}
