//! What SPIN says about the models of its own package: the table other tests compare with.

use std::time::Duration;

use testkit::packaged_models::{SLOW, packaged_models};
use testkit::spin::{Options, Spin};
use testkit::spin_table::{TABLE_HEAD, reference_table};

/// Prints the reference table; `WHEREFORE_SLOW=1` includes the slow models. Shown with `--nocapture`.
#[test]
fn the_reference_table() {
    let Some(spin) = Spin::find() else { return };
    let slow = std::env::var_os("WHEREFORE_SLOW").is_some();
    let models: Vec<_> = packaged_models()
        .into_iter()
        .filter(|model| slow || !model.is_slow())
        .map(|model| (model.name.clone(), model.source()))
        .collect();
    let limit = Duration::from_secs(if slow { 600 } else { 60 });
    let rows = reference_table(&spin, &models, &Options::exact().within(limit));
    println!("{}\n\n{TABLE_HEAD}", spin.version());
    for row in &rows {
        println!("{row}");
    }
    let verdicts = || rows.iter().filter_map(|row| row.verdict.as_ref().ok());
    let completed = verdicts().filter(|verdict| verdict.completed()).count();
    println!(
        "\n{} models, {} accepted, {completed} searched to the end, {} with errors; left out as slow: {}",
        rows.len(),
        verdicts().count(),
        verdicts().filter(|verdict| verdict.errors > 0).count(),
        SLOW.join(", "),
    );
    for verdict in verdicts() {
        assert_eq!(
            verdict.by_text.values().sum::<u64>(),
            verdict.errors,
            "every error is printed: {verdict:?}"
        );
    }
    assert!(rows.is_empty() || completed * 10 >= rows.len() * 8, "most models are searched to the end");
}
