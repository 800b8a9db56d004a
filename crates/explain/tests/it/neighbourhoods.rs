//! Everything at once on products of random models and random properties.

use testkit::Case;
use testkit::naive_neighbourhoods::NaiveNeighbourhoods;
use testkit::random::for_random_inputs;

use crate::comparison::Analysis;

#[test]
fn everything_is_as_defined() {
    let (mut kinds, mut touched, mut beyond) = ([0; 4], 0, 0);
    for_random_inputs(12_000, |random| {
        let case = Case::random(random);
        let (product, twin) = (case.product(), case.twin());
        let read = |state| Case::pair(&product, state);
        let analysis = Analysis::new(&product, case.graph.labels.len(), u64::MAX, &read);
        analysis.compare(&twin);

        for (sum, count) in kinds.iter_mut().zip(analysis.found.kinds) {
            *sum += count;
        }
        let truth = NaiveNeighbourhoods::new(&twin);
        touched += truth.calmest().map_or(0, |trace| truth.abstraction(&trace).len());
        beyond += usize::from(truth.frontier.iter().any(|state| !twin.live().contains(state)));
    });
    assert!(kinds.iter().all(|count| *count > 0) && touched > 0 && beyond > 0, "too dull a choice");
}
