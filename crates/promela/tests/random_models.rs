//! Random models, compared with SPIN.

#![allow(clippy::print_stdout)]

mod support;

use support::found::{Found, ours};
use testkit::random::for_random_inputs;
use testkit::random_promela::{Knobs, RandomModel, shrink};
use testkit::spin::{Options, Source, Spin};

/// Random models, as many as `WHEREFORE_RANDOM_MODELS` says; `WHEREFORE_SEED` replays one. Not run by
/// default, because rare models meet a fault of SPIN 6.5.2: when it takes back a receive such as
/// `c?x,eval(x)`, it puts the new `x` into the message and so misses steps.
#[test]
fn random_models() {
    let Some(count) = std::env::var("WHEREFORE_RANDOM_MODELS").ok().and_then(|count| count.parse().ok())
    else {
        println!("skipped: WHEREFORE_RANDOM_MODELS does not say how many");
        return;
    };
    let Some(spin) = Spin::find() else { return };
    let mut compared = 0;
    let options = Options::quick().uncached().compiled_with("-DVECTORSZ=2048");
    // Both answers where they differ. What SPIN refuses or cannot finish is no test of ours.
    let mut difference = |model: &RandomModel| {
        let source = Source::text(model.to_string());
        let verdict = spin.verify(&source, &options).ok()?;
        if !verdict.completed() || verdict.states > 20_000 {
            return None;
        }
        compared += 1;
        let theirs = Found::from(&verdict);
        let ours = ours(&source, 1_000_000);
        (ours != Ok(theirs)).then(|| format!("{ours:?} instead of {theirs:?}"))
    };
    for_random_inputs(count, |random| {
        let model = RandomModel::random(random, &Knobs::default());
        if difference(&model).is_some() {
            let small = shrink(model, |model| difference(model).is_some());
            panic!("{}:\n{small}", difference(&small).unwrap_or_default());
        }
    });
    assert!(compared > 0);
}
