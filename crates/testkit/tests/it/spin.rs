//! SPIN's verdicts, refusals and trails are read as they are.

use testkit::spin::{Ending, Options, Refusal, Source, Spin};

const MODEL: &str = "byte x;
active proctype p() { x = 1; assert(x == 2) }
active proctype q() { x == 1; x = 3; x == 9 }";

#[test]
fn trails_are_written_and_replayed() {
    let Some(spin) = Spin::find() else { return };
    let source = Source::text(MODEL);
    let options = Options::quick().uncached();
    let verdict = spin.verify(&source, &options).expect("a verdict");
    assert!(verdict.failed_assertions() > 0 && verdict.deadlocks() > 0, "{verdict:?}");
    let trails = spin.trails(&source, &options, verdict.errors as usize + 1).expect("trails");
    assert_eq!(trails.len() as u64, verdict.errors, "one for each error, and none beyond");
    for trail in &trails {
        assert!(trail.steps.lines().all(|line| line.split(':').count() == 3), "{}", trail.steps);
        assert!(trail.replay.contains("proc  0 (p:1) model.pml:2"), "{}", trail.replay);
    }
    assert!(trails.iter().any(|trail| trail.replay.contains("text of failed assertion: assert((x==2))")));
}

#[test]
fn other_runs_find_the_same_kinds_of_errors() {
    let Some(spin) = Spin::find() else { return };
    let source = Source::text(MODEL);
    let kinds = |options: Options| {
        let verdict = spin.verify(&source, &options).expect("a verdict");
        assert_eq!(verdict.ending, Ending::Completed);
        (verdict.failed_assertions() > 0, verdict.deadlocks() > 0)
    };
    for options in [Options::exact(), Options::quick(), Options::optimised(), Options::reduced()] {
        assert_eq!(kinds(options), (true, true));
    }
}

#[test]
fn acceptance_cycles_of_a_claim_are_found() {
    let Some(spin) = Spin::find() else { return };
    let source = Source::text("bit x; active proctype p() { do :: x = 0 od } ltl comes { <> (x == 1) }");
    let verdict = spin.verify(&source, &Options::liveness()).expect("a verdict");
    assert!(verdict.by_text.keys().any(|text| text.contains("acceptance cycle")), "{verdict:?}");
}

#[test]
fn a_refusal_carries_what_spin_said() {
    let Some(spin) = Spin::find() else { return };
    let refusal = spin.verify(&Source::text("active proctype p() { nowhere = 1 }"), &Options::quick());
    assert!(
        matches!(&refusal, Err(Refusal::Spin(text)) if text.contains("undeclared variable")),
        "{refusal:?}"
    );
}

#[test]
fn long_states_make_a_verifier_for_long_states() {
    let Some(spin) = Spin::find() else { return };
    let source = Source::text("int a[1000]; active proctype p() { a[999] = 1; assert(a[999] == 1) }");
    let verdict = spin.verify(&source, &Options::quick()).expect("a verdict");
    assert_eq!((verdict.ending, verdict.states, verdict.errors), (Ending::Completed, 4, 0));
}
