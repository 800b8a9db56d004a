//! What other tools offer: statements ranked by how many failing and passing traces execute them.
//!
//! Tarantula (Jones, Harrold, Stasko 2002), Ochiai (Abreu, Zoeteweij, van Gemund 2006) and DStar with the star 2 (Wong,
//! Debroy, Gao, Li 2014).

use std::collections::BTreeSet;

use crate::walks::Spectrum;

pub(crate) const BASELINES: [&str; 3] = ["tarantula", "ochiai", "dstar"];

/// How suspect a line is that so many failing and passing traces execute, of so many.
fn score(formula: &str, failing: f64, passing: f64, all_failing: f64, all_passing: f64) -> f64 {
    let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    match formula {
        "tarantula" => {
            let (fails, passes) = (share(failing, all_failing), share(passing, all_passing));
            share(fails, fails + passes)
        }
        "ochiai" => share(failing, (all_failing * (failing + passing)).sqrt()),
        _ => {
            let others = passing + (all_failing - failing);
            // What all failing traces execute and no passing one is as suspect as can be.
            if others > 0.0 { failing * failing / others } else { f64::MAX * failing.min(1.0) }
        }
    }
}

/// The lines by their suspicion, with the number of lines that are more or as suspect as each; lines that are as suspect
/// as each other share the middle of their places.
pub(crate) fn ranking(formula: &str, spectrum: &Spectrum) -> Vec<(u64, f64)> {
    let lines: BTreeSet<u64> = spectrum.failing.iter().chain(&spectrum.passing).flatten().copied().collect();
    let count = |traces: &[BTreeSet<u64>], line: u64| {
        traces.iter().filter(|trace| trace.contains(&line)).count() as f64
    };
    let (fails, passes) = (spectrum.failing.len() as f64, spectrum.passing.len() as f64);
    let mut scored: Vec<(u64, f64)> = lines
        .into_iter()
        .map(|line| {
            let (failing, passing) = (count(&spectrum.failing, line), count(&spectrum.passing, line));
            (line, score(formula, failing, passing, fails, passes))
        })
        .collect();
    scored.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    let place = |value: f64| {
        let more = scored.iter().filter(|(_, other)| *other > value).count() as f64;
        let same = scored.iter().filter(|(_, other)| *other == value).count() as f64;
        more + (same + 1.0) / 2.0
    };
    scored.iter().map(|(line, value)| (*line, place(*value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_failing_traces_execute_is_most_suspect() {
        let set = |lines: &[u64]| lines.iter().copied().collect();
        let spectrum = Spectrum {
            failing: vec![set(&[1, 2, 3]), set(&[1, 3])],
            passing: vec![set(&[1, 2]), set(&[1, 4])],
        };
        for formula in BASELINES {
            let ranking = ranking(formula, &spectrum);
            assert_eq!(ranking[0], (3, 1.0), "{formula}");
            assert_eq!(ranking.last().map(|(line, _)| *line), Some(4), "{formula}");
        }
        let ties = Spectrum { failing: vec![set(&[1, 2])], passing: vec![] };
        assert_eq!(ranking("ochiai", &ties), [(1, 1.5), (2, 1.5)]);
    }
}
