//! How much is looked at, and whether anything is.

use explain::diagnosis::Limits;
use findings::{Explanation, Method, Skip, Verdict};
use pipeline::request::Request;
use pipeline::skipped;

pub(crate) const LIMITS: Limits = Limits { size: 3, count: 30, questions: 400 };
/// How many other failing runs are looked at.
pub(crate) const MOST_RUNS: usize = 4;
/// How much work each part of the diagnosis may be, in pulses of a [`graph::Watch`]: alone, and where small changes tell who
/// is likely already.
pub(crate) const MOST_WORK: u64 = 400;
pub(crate) const MOST_WORK_MORE: u64 = 40;
/// The same where sets of statements are asked of the whole program.
pub(crate) const MOST_WORK_ON_SETS: u64 = 200;

/// Whether there is something to diagnose; otherwise the explanation says why there is no diagnosis.
pub(crate) fn is_wanted(explanation: &mut Explanation, request: &Request) -> bool {
    let why = if !request.runs(Method::Diagnosis) {
        Skip::NotAsked
    } else if explanation.verdict != Verdict::Violated || explanation.counterexample.is_none() {
        Skip::NothingToExplain
    } else {
        return true;
    };
    explanation.methods.diagnosis = skipped(why);
    false
}

pub(crate) fn unique(mut statements: Vec<u32>) -> Vec<u32> {
    statements.sort_unstable();
    statements.dedup();
    statements
}
