//! Two faults at once: small changes of two statements with which no run fails.
//!
//! Where a program has two faults, no small change of one statement mends all runs; what does is far-fetched, or there is
//! none. But taking back one of the faults mends some of the failing runs and breaks none that passes. Such changes are
//! collected, and two of them that mend between them what can be mended by one are tried together.

use std::ops::ControlFlow;

use graph::Watch;
use model::mistakes::Mistake;
use model::{Function, Runner};

use crate::change::Change;
use crate::samples::Sample;
use crate::trials::{Outcome, Suspects, TRYING, of_run, outcome};
use crate::variants::variants;

/// How far-fetched each of two changes may be.
const FARTHEST: u32 = 1;
/// How many changes that help are kept, and how many pairs are told.
const MOST_HELPFUL: usize = 400;
const MOST_PAIRS: usize = 3;
/// How many runs that fail at one assertion are tried first: a change that helps none of them is not looked at any longer.
const FIRST: usize = 4;

/// A change of one statement that mends some failing runs, and breaks none.
struct Helpful {
    statement: u32,
    kind: Mistake,
    pool: usize,
    function: Function,
    /// Which failing runs it mends, by bits.
    mends: u64,
}

/// Looks for two statements that small changes mend together.
pub(crate) fn pairs(
    suspects: &Suspects<'_>,
    rehearsal: &mut dyn Runner,
    samples: &[Sample],
    watch: &dyn Watch,
) -> Vec<([u32; 2], Change)> {
    let failing = samples.iter().filter(|sample| sample.fails).count();
    if !(2..=64).contains(&failing) {
        return Vec::new();
    }
    let helpful = helpful(suspects, rehearsal, samples, watch);
    // Runs that meet both faults are mended by neither change alone.
    let all = helpful.iter().fold(0, |all, one| all | one.mends);
    let mut couples: Vec<(Change, &Helpful, &Helpful)> = Vec::new();
    for (number, one) in helpful.iter().enumerate() {
        for other in &helpful[number + 1..] {
            if one.statement != other.statement && one.mends | other.mends == all {
                let change = Change {
                    kind: one.kind.max(other.kind),
                    also: Some(one.kind.min(other.kind)),
                    avoids: false,
                };
                couples.push((change, one, other));
            }
        }
    }
    couples.sort_by_key(|(change, one, other)| (change.distance(), *change, one.statement, other.statement));
    let mut found: Vec<([u32; 2], Change)> = Vec::new();
    for (change, one, other) in couples {
        let mut both = [one.statement, other.statement];
        both.sort_unstable();
        if found.len() == MOST_PAIRS || watch.pulse(TRYING).is_err() {
            break;
        }
        let is_known = found.iter().any(|(known, _)| *known == both);
        if !is_known && mend_together(suspects, rehearsal, samples, one, other) {
            found.push((both, change));
        }
    }
    found
}

/// The changes that help, the least far-fetched first; of one statement only those that help with different runs.
fn helpful(
    suspects: &Suspects<'_>,
    rehearsal: &mut dyn Runner,
    samples: &[Sample],
    watch: &dyn Watch,
) -> Vec<Helpful> {
    let Suspects { program, statements, pools, guards, .. } = suspects;
    let runs = Runs::new(samples);
    let mut found: Vec<Helpful> = Vec::new();
    for kind in Mistake::ALL.into_iter().filter(|kind| kind.distance() <= FARTHEST) {
        for (pool, statement) in statements.iter().enumerate().filter(|(at, _)| !guards[*at]) {
            let number = program.statements[*statement as usize].function.0;
            let mut is_stopped = false;
            let _ = variants(program, *statement, kind, &pools[pool], &mut |function| {
                let is_enough = found.len() == MOST_HELPFUL;
                is_stopped = is_enough || watch.pulse(TRYING).is_err();
                if is_stopped {
                    return ControlFlow::Break(());
                }
                if rehearsal.exchange(number, function)
                    && let Some(mends) = runs.mended(rehearsal)
                    && !found.iter().any(|known| (known.statement, known.mends) == (*statement, mends))
                {
                    let function = function.clone();
                    found.push(Helpful { statement: *statement, kind, pool, function, mends });
                }
                ControlFlow::Continue(())
            });
            rehearsal.exchange(number, &program.functions[number as usize]);
            if is_stopped {
                return found;
            }
        }
    }
    found
}

/// The runs that a change is tried on, in the order in which they tell most.
struct Runs<'a> {
    /// The first failing runs at each assertion, by their numbers among all failing ones.
    first: Vec<(usize, &'a Sample)>,
    /// The other failing ones.
    rest: Vec<(usize, &'a Sample)>,
    passing: Vec<&'a Sample>,
}

impl<'a> Runs<'a> {
    fn new(samples: &'a [Sample]) -> Self {
        let (failing, passing): (Vec<&Sample>, Vec<&Sample>) =
            samples.iter().partition(|sample| sample.fails);
        let (first, rest) = failing.iter().copied().enumerate().partition(|(at, sample)| {
            let alike = failing[..*at].iter().filter(|before| before.check == sample.check);
            alike.count() < FIRST
        });
        Self { first, rest, passing }
    }

    /// Which failing runs a changed program mends, if it does mend some of the first and breaks none that passes.
    fn mended(&self, rehearsal: &dyn Runner) -> Option<u64> {
        let mends = |sample: &Sample| of_run(rehearsal, sample) == Outcome::Mends;
        let bits = |runs: &[(usize, &Sample)]| {
            runs.iter().map(|(at, sample)| u64::from(mends(sample)) << at).sum::<u64>()
        };
        let first = bits(&self.first);
        let helps = first != 0 && self.passing.iter().all(|sample| mends(sample));
        helps.then(|| first | bits(&self.rest))
    }
}

/// Whether no run fails with both changes. Where they are in one function, the second is made again in the changed one.
fn mend_together(
    suspects: &Suspects<'_>,
    rehearsal: &mut dyn Runner,
    samples: &[Sample],
    one: &Helpful,
    other: &Helpful,
) -> bool {
    let Suspects { program, pools, .. } = suspects;
    let of = |change: &Helpful| program.statements[change.statement as usize].function.0;
    let (first, second) = (of(one), of(other));
    let mut mends = false;
    if first == second {
        let mut changed = (*program).clone();
        changed.functions[first as usize] = one.function.clone();
        let _ = variants(&changed, other.statement, other.kind, &pools[other.pool], &mut |function| {
            mends = rehearsal.exchange(first, function) && outcome(rehearsal, samples) == Outcome::Mends;
            if mends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    } else if rehearsal.exchange(first, &one.function) && rehearsal.exchange(second, &other.function) {
        mends = outcome(rehearsal, samples) == Outcome::Mends;
    }
    for number in [first, second] {
        rehearsal.exchange(number, &program.functions[number as usize]);
    }
    mends
}
