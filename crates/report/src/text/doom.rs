//! How likely the end was, along the counterexample: where the chance to fail leapt, it was decided.

use anstyle::AnsiColor;
use findings::Fate;

use super::Page;
use crate::Report;
use crate::wording::count;

/// Smaller leaps are not told.
const LEAP: f64 = 0.05;
/// So many leaps are told, the largest ones.
const MOST_LEAPS: usize = 4;

impl Page {
    pub(super) fn doom(&mut self, report: &Report) {
        let soon: Vec<Option<f64>> = report.doom_soon.iter().copied().map(Some).collect();
        // What is certain sooner or later need not be certain soon.
        let is_certain = report.doom.first() == Some(&Some(1.0)) && !soon.is_empty();
        let (chances, within) = if is_certain {
            (&soon, format!("within {}", count(soon.len() as u64 - 1, "step")))
        } else {
            (&report.doom, "sooner or later".to_owned())
        };
        let Some(Some(start)) = chances.first().copied() else { return };
        let mut leaps: Vec<(usize, f64, f64)> = Vec::new();
        for (n, pair) in (1..).zip(chances.windows(2)) {
            if let [Some(before), Some(after)] = *pair
                && (after - before).abs() >= LEAP
            {
                leaps.push((n, after, (after - before).abs()));
            }
        }
        leaps.sort_by(|one, other| other.2.total_cmp(&one.2).then(one.0.cmp(&other.0)));
        leaps.truncate(MOST_LEAPS);
        leaps.sort_by_key(|leap| leap.0);
        let told = |n: usize, chance: f64| percent(chance, is_decided(report, n));
        let later = leaps.iter().map(|(n, chance, _)| format!(", {} after step {n}", told(*n, *chance)));
        let title = self.paint(AnsiColor::Cyan, "chance to fail");
        let told = format!("{} at the start{}", told(0, start), later.collect::<String>());
        self.line("");
        self.sentence(
            &format!("{title}: "),
            0,
            &format!("{told} ({within}, every step as likely as the others)"),
        );
    }
}

/// Whether every continuation fails after so many steps of the counterexample.
fn is_decided(report: &Report, steps: usize) -> bool {
    let all = report.counterexample.as_ref().map_or(&[][..], |counterexample| &counterexample.steps);
    match steps.checked_sub(1) {
        Some(last) => all.get(last).is_none_or(|step| step.fate == Fate::Doomed),
        None => all.first().is_none_or(|step| step.fate == Fate::Doomed && !step.point_of_no_return),
    }
}

/// In hundredths; 0 and 100 only where it is exactly that. A run may fail with probability 1 and still be able to pass, by
/// running forever as chance never does.
fn percent(chance: f64, is_decided: bool) -> String {
    match (chance * 100.0).round() {
        _ if chance <= 0.0 => "0 %".to_owned(),
        _ if chance >= 1.0 && !is_decided => "almost certain".to_owned(),
        _ if chance >= 1.0 => "100 %".to_owned(),
        0.0 => "below 1 %".to_owned(),
        100.0 => "above 99 %".to_owned(),
        rounded => format!("{rounded} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn only_certainty_is_called_so() {
        let told: Vec<String> =
            [0.0, 0.0001, 0.125, 0.5, 0.9999, 1.0].map(|chance| percent(chance, true)).into();
        assert_eq!(told, ["0 %", "below 1 %", "13 %", "50 %", "above 99 %", "100 %"]);
        assert_eq!(percent(1.0, false), "almost certain", "a run that can still pass is not lost");
    }
}
