//! Under a limit less is told, and what is told is true.

use std::collections::BTreeSet;

use testkit::Case;
use testkit::naive_fates::NaiveFate;
use testkit::naive_neighbourhoods::{NaiveColour, NaiveNeighbourhoods};
use testkit::naive_system::states_of;
use testkit::random::for_random_inputs;

use crate::comparison::{Analysis, told_untouched};

#[test]
fn nothing_is_guessed() {
    let (mut cut, mut silent) = (0, 0);
    for_random_inputs(8_000, |random| {
        let case = Case::random(random);
        let (product, twin) = (case.product(), case.twin());
        let read = |state| Case::pair(&product, state);
        let limit = u64::from(random.below(twin.steps.len() as u32 + 1));
        let analysis = Analysis::new(&product, case.graph.labels.len(), limit, &read);
        if analysis.explored.interrupt().is_none() {
            analysis.compare(&twin);
            return;
        }
        cut += 1;
        let truth = NaiveNeighbourhoods::new(&twin);
        let edges: BTreeSet<_> = truth.coloured().into_iter().collect();
        for edge in analysis.coloured() {
            let (source, label, target, colour) = edge;
            // Red says that no correct transition was found behind the edge; there may yet be one.
            let as_black = (source, label, target, NaiveColour::Black);
            assert!(
                edges.contains(&edge) || colour == NaiveColour::Red && edges.contains(&as_black),
                "{edge:?}"
            );
        }
        for state in analysis.explored.reached().filter(|state| analysis.found.is_frontier(*state)) {
            assert!(truth.frontier.contains(&read(state)));
        }
        let Some(trace) = analysis.calmest() else {
            assert!(analysis.explored.violating().is_empty());
            return;
        };
        let naive = analysis.told(&trace);
        let states = states_of(&naive);
        assert!(states.iter().rposition(|state| twin.violates(*state)) == Some(states.len() - 1));
        assert_eq!(states.len(), truth.calmest().map_or(0, |trace| states_of(&trace).len()));
        let found = analysis.explain(trace);
        for (at, note) in found.notes.iter().enumerate() {
            assert!(NaiveFate::told(note.before).is_none_or(|told| told == twin.fate(states[at])));
            assert!(NaiveFate::told(note.after).is_none_or(|told| told == twin.fate(states[at + 1])));
            assert!(twin.escapes(states[at]).is_superset(&note.escapes.iter().copied().collect()));
            let beside = twin.still_free(states[at], naive.1[at]);
            assert!(
                note.still_free
                    .iter()
                    .all(|label| beside.contains(label) || twin.escapes(states[at]).contains(label))
            );
        }
        assert_eq!(found.untouched.is_some(), found.abstraction.touched == 0);
        if let Some(reason) = found.untouched {
            silent += u32::from(told_untouched(reason).is_none());
            assert!(told_untouched(reason).is_none_or(|told| told == twin.untouched(&states)));
        }
    });
    assert!(cut > 0 && silent > 0, "no limit ever hid anything");
}
