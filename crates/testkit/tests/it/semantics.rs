//! SPIN accepts every small model of the semantics folder and searches it to its end in no time.

use testkit::semantics::semantics_cases;
use testkit::spin::{Options, Spin};
use testkit::spin_table::{TABLE_HEAD, reference_table};

/// Shown with `--nocapture`.
#[test]
fn spin_judges_every_case() {
    let Some(spin) = Spin::find() else { return };
    let cases = semantics_cases();
    let models: Vec<_> = cases.iter().map(|case| (case.name.clone(), case.source.clone())).collect();
    let rows = reference_table(&spin, &models, &Options::quick());
    println!("{TABLE_HEAD}");
    for row in &rows {
        println!("{row}");
    }
    for (case, row) in cases.iter().zip(&rows) {
        let verdict = row.verdict.as_ref().unwrap_or_else(|refusal| panic!("{}: {refusal:?}", case.name));
        assert!(verdict.completed() || case.is_fault(), "{}: {:?}", case.name, verdict.ending);
        assert!(verdict.states < 5000, "{} has {} states", case.name, verdict.states);
    }
}
