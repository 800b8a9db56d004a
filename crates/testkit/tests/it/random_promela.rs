//! SPIN accepts every random model, and most have a small state space.

use testkit::random::{Random, for_random_inputs};
use testkit::random_promela::{Knobs, RandomModel, shrink};
use testkit::spin::{Ending, Options, Source, Spin};

/// How many models are drawn: `WHEREFORE_RANDOM_MODELS`, or a few.
fn count() -> u64 {
    std::env::var("WHEREFORE_RANDOM_MODELS").ok().and_then(|count| count.parse().ok()).unwrap_or(12)
}

#[test]
fn spin_accepts_random_models() {
    let Some(spin) = Spin::find() else { return };
    let mut sizes = Vec::new();
    let mut refused = Vec::new();
    let (mut deadlocks, mut assertions, mut large) = (0, 0, 0);
    for_random_inputs(count(), |random| {
        let model = RandomModel::random(random, &Knobs::default()).to_string();
        let options = Options::quick().uncached().compiled_with("-DVECTORSZ=2048");
        let verdict = spin.verify(&Source::text(&model), &options);
        let verdict = match verdict {
            Ok(verdict) => verdict,
            Err(refusal) => return refused.push(format!("{refusal:?}\n{model}")),
        };
        match verdict.ending {
            Ending::Completed => {}
            Ending::DepthTooSmall | Ending::OutOfMemory | Ending::TimedOut => {
                large += 1;
                return;
            }
            ending => {
                let why = format!("{ending:?}: {:?} {:?}", verdict.by_text, verdict.remarks);
                return refused.push(format!("{why}\n{model}"));
            }
        }
        sizes.push(verdict.states);
        deadlocks += u32::from(verdict.deadlocks() > 0);
        assertions += u32::from(verdict.failed_assertions() > 0);
        assert_eq!(verdict.deadlocks() + verdict.failed_assertions(), verdict.errors, "{model}");
    });
    assert!(
        refused.is_empty(),
        "{} refused, such as {}",
        refused.len(),
        refused[..refused.len().min(4)].join("\n")
    );
    sizes.sort_unstable();
    let share = |part: usize| sizes[(sizes.len() - 1) * part / 100];
    let small = sizes.iter().filter(|size| **size <= 20_000).count();
    println!(
        "{} models: {small} up to 20,000 states, {large} not searched to the end; states: quarter {}, half {}, \
         three quarters {}, nine tenths {}; {deadlocks} with deadlocks, {assertions} with failed assertions",
        count(),
        share(25),
        share(50),
        share(75),
        share(90),
    );
    assert!(small as u64 * 2 >= count(), "most random models are small");
}

#[test]
fn a_model_shrinks_to_what_its_property_needs() {
    let mut random = Random::new(7);
    let knobs = Knobs { processes: (3, 3), rendezvous: 100, ..Knobs::default() };
    let holds = |model: &RandomModel| {
        let text = model.to_string();
        text.contains("c0!") && text.contains("chan c0")
    };
    let model = (0..1000)
        .map(|_| RandomModel::random(&mut random, &knobs))
        .find(|model| holds(model))
        .expect("a model with a send");
    let smallest = shrink(model.clone(), holds).to_string();
    assert!(smallest.lines().count() < model.to_string().lines().count());
    assert_eq!(smallest.lines().filter(|line| line.contains("proctype")).count(), 1, "{smallest}");
    assert_eq!(smallest.lines().filter(|line| line.contains("c0!")).count(), 1, "{smallest}");
    assert_eq!(smallest.lines().filter(|line| !line.trim().is_empty()).count(), 5, "{smallest}");
}
