//! The story of a counterexample: what an expert would say aloud before any detail.
//!
//! Which cause is told first, which steps cannot be left out, what each process is called and who is blocked is decided
//! here, once. The first screen of the text and the first tab of the page both show this, so their counts and words never
//! differ.

mod rows;

use findings::{Claim, Doubt};
use serde::Serialize;
use source::Diff;

pub(crate) use rows::{Told, named_process, told_steps};

use crate::wording::count;
use crate::{Blocked, Cause, CauseKind, Counterexample, Location, Recheck, RecheckResult, Repair, Report};

/// The story as data, for renderers that draw it.
#[derive(Debug, Serialize)]
pub(crate) struct Story<'a> {
    causes: Vec<ToldCause<'a>>,
    /// `8 of 10 steps`.
    counted: String,
    steps: Vec<Told>,
    /// The steps that the causes are about, by their `n`; null where all are.
    matter: Option<Vec<u64>>,
    blocked: Vec<Stuck<'a>>,
    repair: Option<ToldRepair<'a>>,
    processes: Vec<Name<'a>>,
}

/// A cause as it is told first.
#[derive(Debug, Serialize)]
struct ToldCause<'a> {
    rank: u64,
    /// The one or two sentences.
    summary: &'a str,
    /// What is said of its line.
    label: &'static str,
    /// What more it claims, where the story does not show that.
    claim: Option<&'a str>,
    /// How the claim was confirmed, where it was.
    confirmed: Option<String>,
}

/// A process that cannot move, and why.
#[derive(Debug, Serialize)]
pub(crate) struct Stuck<'a> {
    pub(crate) who: String,
    pub(crate) process: Option<&'a str>,
    pub(crate) pid: Option<u64>,
    pub(crate) may_end: bool,
    /// What it waits for, where no statement says that.
    pub(crate) waits_for: &'a str,
    pub(crate) needs: Vec<StuckAt<'a>>,
}

/// A statement that is not enabled.
#[derive(Debug, Serialize)]
pub(crate) struct StuckAt<'a> {
    pub(crate) location: Option<&'a Location>,
    pub(crate) action: &'a str,
    pub(crate) reason: &'a str,
}

#[derive(Debug, Serialize)]
struct ToldRepair<'a> {
    patch: &'a Diff,
    outcome: String,
}

/// What a process is called in this report.
#[derive(Debug, Serialize)]
struct Name<'a> {
    process: &'a str,
    pid: Option<u64>,
    name: String,
}

impl<'a> Story<'a> {
    pub(crate) fn of(report: &'a Report) -> Self {
        let trace = report.counterexample.as_ref();
        Self {
            causes: first_causes(report).into_iter().map(told_cause).collect(),
            counted: trace.map(|trace| counted(trace, told_steps(trace).len())).unwrap_or_default(),
            steps: trace.map(rows::rows).unwrap_or_default(),
            matter: trace.and_then(matter),
            blocked: trace.map(|trace| stuck(report, trace)).unwrap_or_default(),
            repair: first_repair(report).map(|repair| ToldRepair {
                patch: &repair.patch,
                outcome: outcome(repair, &report.repairs_checked),
            }),
            processes: trace.map(names).unwrap_or_default(),
        }
    }
}

fn told_cause(cause: &Cause) -> ToldCause<'_> {
    ToldCause {
        rank: cause.rank,
        summary: if is_placed(cause) { &cause.summary } else { &cause.claim },
        label: label(cause),
        claim: further_claim(cause).filter(|_| is_placed(cause)),
        confirmed: confirmation(&cause.recheck),
    }
}

/// The cause to tell first or, where none has a place, why the run was lost from the start.
pub(crate) fn first_causes(report: &Report) -> Vec<&Cause> {
    match told_first(report) {
        Some(cause) => vec![cause],
        None => report.causes.iter().filter(|cause| cause.kind == CauseKind::Doomed).collect(),
    }
}

/// The first cause that has a place.
pub(crate) fn told_first(report: &Report) -> Option<&Cause> {
    first_of(&report.causes)
}

/// The same among any causes.
pub(crate) fn first_of(causes: &[Cause]) -> Option<&Cause> {
    causes.iter().find(|cause| is_placed(cause))
}

/// The same, or else the first of all: that every trace fails is a cause without a place.
pub(crate) fn first_or_any(causes: &[Cause]) -> Option<&Cause> {
    first_of(causes).or(causes.first())
}

/// Whether a cause points at something.
pub(crate) fn is_placed(cause: &Cause) -> bool {
    !(cause.locations.is_empty() && cause.steps.is_empty())
}

/// What is said of the line that is underlined.
pub(crate) fn label(cause: &Cause) -> &'static str {
    match cause.kind {
        CauseKind::PointOfNoReturn | CauseKind::OnlyTheViolation => "point of no return",
        CauseKind::Crossing => "fatal",
        CauseKind::Diagnosis => "may be wrong",
        CauseKind::MayBeWrong => match &cause.says {
            Some(Claim::MayBeWrong(found)) if found.adds => "a statement may be missing here",
            _ => "may be wrong",
        },
        CauseKind::ErrorEdge | CauseKind::Values => "only failing traces do this",
        _ => "",
    }
}

/// What a cause claims besides its headline, which is not told twice. The steps show a point of no return with what could
/// have been done instead.
pub(crate) fn further_claim(cause: &Cause) -> Option<&str> {
    let is_read_off = matches!(&cause.says, Some(Claim::Pattern(found)) if found.is_read_off());
    let is_shown =
        is_read_off || matches!(cause.kind, CauseKind::PointOfNoReturn | CauseKind::OnlyTheViolation);
    let rest = cause.claim.strip_prefix(cause.summary.as_str());
    let claim = rest.map_or(&*cause.claim, |rest| rest.trim_start_matches([':', ';', ',', ' ']));
    (!is_shown && !claim.is_empty()).then_some(claim)
}

/// That the very claim was tested again.
pub(crate) fn confirmation(recheck: &Recheck) -> Option<String> {
    (recheck.result == RecheckResult::Confirmed).then(|| format!("confirmed: {}", recheck.how))
}

/// `8 of 10 steps`, or `10 steps` where all are told.
pub(crate) fn counted(counterexample: &Counterexample, told: usize) -> String {
    let all = count(counterexample.length, "step");
    if (told as u64) < counterexample.length { format!("{told} of {all}") } else { all }
}

/// The steps that the causes are about; nothing where none or all are.
pub(crate) fn matter(counterexample: &Counterexample) -> Option<Vec<u64>> {
    let kept: Vec<u64> = counterexample.steps.iter().filter(|step| step.kept).map(|step| step.n).collect();
    (!kept.is_empty() && (kept.len() as u64) < counterexample.length).then_some(kept)
}

/// Those that cannot move and are not simply done: who the first cause is about comes first, then who moved last, and who
/// may stop where it stands comes last.
pub(crate) fn stuck<'a>(report: &Report, counterexample: &'a Counterexample) -> Vec<Stuck<'a>> {
    let is_stuck = |blocked: &&Blocked| !(blocked.may_end && blocked.needs.is_empty());
    let concerned = told_first(report).map_or_else(Vec::new, |cause| concerned(cause, counterexample));
    let place = |blocked: &&Blocked| {
        let steps = counterexample.steps.iter();
        let last = steps.filter(|step| step.pid == blocked.pid).map(|step| step.n).max();
        (blocked.may_end, !concerned.contains(&blocked.pid), std::cmp::Reverse(last))
    };
    let told = |blocked: &'_ Blocked| named_process(counterexample, blocked.process.as_deref(), blocked.pid);
    let mut all: Vec<&Blocked> = counterexample.blocked.iter().filter(is_stuck).collect();
    all.sort_by_key(place);
    let all = all.into_iter().map(|blocked| {
        let needs = blocked.needs.iter().map(|need| {
            let reason = without_repetition(&need.action, &need.reason);
            StuckAt { location: need.location.as_ref(), action: &need.action, reason }
        });
        Stuck {
            who: told(blocked),
            process: blocked.process.as_deref(),
            pid: blocked.pid,
            may_end: blocked.may_end,
            waits_for: &blocked.waits_for,
            needs: needs.collect(),
        }
    });
    all.collect()
}

/// The processes that a cause is about.
fn concerned(cause: &Cause, counterexample: &Counterexample) -> Vec<Option<u64>> {
    let taking = counterexample.steps.iter().filter(|step| cause.steps.contains(&step.n));
    let roles = match &cause.says {
        Some(Claim::Pattern(found)) => found.pattern.roles(),
        _ => Vec::new(),
    };
    taking.map(|step| step.pid).chain(roles.into_iter().map(|role| Some(role.pid))).collect()
}

/// What is wrong with a statement that is named beside it, without the statement, however it is spaced.
fn without_repetition<'a>(action: &str, reason: &'a str) -> &'a str {
    let bare = |text: &str| text.split_whitespace().collect::<String>();
    let rest = reason.strip_prefix('`').and_then(|rest| rest.split_once("` is false: "));
    rest.filter(|(named, _)| bare(named) == bare(action)).map_or(reason, |(_, rest)| rest)
}

/// One repair: the likeliest if something speaks for it, or else that of the first cause; none that was not verified or
/// leaves something wrong.
pub(crate) fn first_repair(report: &Report) -> Option<&Repair> {
    let found = match report.repairs.first() {
        Some(likeliest) => likeliest.doubt.is_none().then_some(&likeliest.repair),
        None => told_first(report).and_then(|cause| cause.repair.as_ref()),
    };
    found.filter(|repair| repair.verified && repair.leaves.is_none())
}

/// What came of trying a repair on these properties.
pub(crate) fn outcome(repair: &Repair, checked: &[String]) -> String {
    // Of a formula its name is enough.
    let names: Vec<&str> =
        checked.iter().map(|text| text.split_once(" {").map_or(text.as_str(), |(name, _)| name)).collect();
    let what = match &repair.leaves {
        None => match names.len() {
            0 => "no violation is left with this change".to_owned(),
            1 => format!("with this change it holds: {}", names[0]),
            2 => format!("with this change both properties hold: {}", names.join("; ")),
            many => format!("with this change all {many} properties hold: {}", names.join("; ")),
        },
        Some(rest) => format!("this violation is gone with this change, but {rest}"),
    };
    match (repair.verified, repair.bound) {
        (true, None) => format!("verified: {what}"),
        (true, Some(bound)) => format!("verified up to bound {bound}: {what}"),
        (false, _) => "not verified".to_owned(),
    }
}

/// That no change was found which helps, where changes were looked for.
pub(crate) fn no_repair(report: &Report, options: bool) -> Option<String> {
    let tried = report.repairs_tried.filter(|_| first_repair(report).is_none() && !report.only_unfair)?;
    if report.repairs.iter().any(|found| found.repair.leaves.is_some()) {
        return Some("every small change that helps here leaves something else wrong".to_owned());
    }
    if let Some(likeliest) = report.repairs.first() {
        let many = count(report.repairs.len() as u64, "small change");
        let help = if report.repairs.len() == 1 { "helps" } else { "help" };
        let more = if options { " (-v shows more)" } else { "" };
        let why = match likeliest.doubt {
            Some(Doubt::NothingPasses) => "no trace passes that could tell which one is right",
            Some(Doubt::Withholds) => "something is then not given back or waited for any more",
            _ => "passing traces lose much of what they do",
        };
        return Some(format!("{many} {help}, but {why}{more}"));
    }
    let longer = if options && !report.repairs_thorough { " (--repair looks longer)" } else { "" };
    Some(match (report.repairs_cut_short, tried) {
        (false, 0) => "no small change was found that could be tried".to_owned(),
        (false, 1) => "the only small change that was tried does not help".to_owned(),
        (false, _) => format!("none of {} that were tried helps", count(tried, "small change")),
        (true, 0) => format!("no small change was tried within the limits{longer}"),
        (true, _) => {
            format!("{} were tried, some of them not to the end{longer}", count(tried, "small change"))
        }
    })
}

/// The names of all processes that move or are blocked.
fn names(counterexample: &Counterexample) -> Vec<Name<'_>> {
    let mut all: Vec<(&str, Option<u64>)> = rows::processes(counterexample).collect();
    all.sort_unstable_by_key(|(process, pid)| (*pid, *process));
    all.dedup();
    let name = |process, pid| named_process(counterexample, Some(process), pid);
    all.into_iter().map(|(process, pid)| Name { process, pid, name: name(process, pid) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{counterexample, step};

    /// Twenty steps of two processes, of which the causes are about these.
    fn trace(kept: &[u64]) -> Counterexample {
        let steps = (1..=20).map(|n| crate::Step { kept: kept.contains(&n), ..step(n, n % 2, None) });
        counterexample(steps.collect())
    }

    fn told(counterexample: &Counterexample) -> Vec<u64> {
        told_steps(counterexample).iter().map(|step| step.n).collect()
    }

    #[test]
    fn what_matters_is_told_with_the_end() {
        let short = trace(&[3, 7]);
        assert_eq!(told(&short), [3, 7, 20]);
        assert_eq!(counted(&short, 3), "3 of 20 steps");
        // What is counted as mattering are the steps of causes alone, in the text and on the page.
        assert_eq!(matter(&short), Some(vec![3, 7]));
        let all: Vec<u64> = (1..=20).collect();
        assert_eq!(matter(&trace(&all)), None, "where all matter, nothing is told apart");
        assert_eq!(told(&trace(&all)), (11..=20).collect::<Vec<u64>>(), "a story is short");
    }

    #[test]
    fn a_short_loop_is_told_whole() {
        let mut endless = trace(&[2]);
        endless.loop_start = Some(17);
        assert_eq!(told(&endless), [2, 17, 18, 19, 20]);
        endless.loop_start = Some(3);
        assert_eq!(told(&endless), [2, 20]);
    }

    #[test]
    fn processes_are_numbered_where_their_names_do_not_suffice() {
        let two = trace(&[]);
        assert_eq!(named_process(&two, Some("p"), Some(1)), "p:1");
        let alone = counterexample(vec![step(1, 0, None)]);
        assert_eq!(named_process(&alone, Some("p"), Some(0)), "");
        let mut named = trace(&[]);
        for step in named.steps.iter_mut().filter(|step| step.pid == Some(1)) {
            step.process = Some("q".to_owned());
        }
        assert_eq!(named_process(&named, Some("q"), Some(1)), "q");
        let names = names(&named);
        assert_eq!(names.iter().map(|name| &*name.name).collect::<Vec<_>>(), ["p", "q"]);
    }
}
