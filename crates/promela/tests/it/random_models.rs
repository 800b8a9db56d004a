//! Random models, compared with SPIN.

#![allow(clippy::print_stdout)]

use std::time::Duration;

use testkit::random::{Random, for_random_inputs};
use testkit::random_promela::{Knobs, RandomModel, shrink};
use testkit::spin::{Options, Source, Spin};

use crate::support::found::{Found, ours};

/// How many models are compared with `WHEREFORE_RANDOM_MODELS` unset: the verifier of each takes a second to
/// compile. These few are the same ones every time, so that their verdicts are kept.
const USUAL: u64 = 12;

/// What we and SPIN find where that differs. What SPIN refuses or cannot finish is no test of ours.
fn difference(spin: &Spin, model: &RandomModel, options: &Options, compared: &mut u64) -> Option<String> {
    let source = Source::text(model.to_string());
    let verdict = spin.verify(&source, options).ok()?;
    if !verdict.completed() || verdict.states > 20_000 {
        return None;
    }
    *compared += 1;
    let theirs = Found::from(&verdict);
    let ours = ours(&source, 1_000_000);
    (ours != Ok(theirs)).then(|| format!("{ours:?} instead of {theirs:?}"))
}

fn compare(spin: &Spin, random: &mut Random, options: &Options, compared: &mut u64) {
    let knobs = Knobs::varied(random);
    let model = RandomModel::random(random, &knobs);
    if difference(spin, &model, options, compared).is_some() {
        let differs = |model: &RandomModel| difference(spin, model, options, &mut 0).is_some();
        let small = shrink(model, differs);
        panic!("{}:\n{small}", difference(spin, &small, options, &mut 0).unwrap_or_default());
    }
}

/// As many models as `WHEREFORE_RANDOM_MODELS` says, or a few; `WHEREFORE_SEED` replays one.
#[test]
fn random_models_have_the_states_that_spin_finds() {
    let Some(spin) = Spin::find() else { return };
    let options = Options::quick().within(Duration::from_secs(20)).compiled_with("-DVECTORSZ=2048");
    let mut compared = 0;
    match std::env::var("WHEREFORE_RANDOM_MODELS").ok().and_then(|count| count.parse().ok()) {
        Some(count) => {
            let options = options.uncached();
            for_random_inputs(count, |random| compare(&spin, random, &options, &mut compared));
        }
        None => (0..USUAL).for_each(|seed| compare(&spin, &mut Random::new(seed), &options, &mut compared)),
    }
    println!("{compared} models compared");
    assert!(compared > 0);
}
