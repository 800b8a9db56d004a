//! Repairs: changes of the text after which the checker finds nothing wrong, and the program still does its work.
//!
//! Candidates come from `edits`, those in the most suspect lines first. Each is tried from scratch: the front-end
//! reads the changed text, and the checker decides the same property again. A repair counts as verified only if
//! the violation is gone, nothing new is wrong, whatever passing traces did before some trace still does, the
//! statement that went wrong is still executed, and nothing goes on for ever that came to an end before. Otherwise the
//! best repair of every program would be to do nothing at all.

mod trial;

use edits::{Candidate, Hint, Language, Wish, repairs};
use graph::Interrupt;
use report::Repair;

pub use trial::{Trial, Wrongdoing, explored, run, summarised};

/// A text with something wrong in it, and what is known of that.
#[derive(Debug)]
pub struct Faulty<'a> {
    pub text: &'a str,
    /// What the text is called in patches, and in places that are told.
    pub file: &'a str,
    pub language: Language,
    /// What the checker says of it.
    pub trial: &'a Trial,
    /// What is to go away: one of the violations of the trial.
    pub target: &'a Wrongdoing,
    /// Lines of the text, the most suspect first.
    pub suspects: &'a [u64],
    /// Statements that a method proposes.
    pub hints: &'a [Hint],
    /// Whether several processes have to do with it.
    pub is_concurrent: bool,
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// So many repairs are enough.
    pub enough: usize,
    /// How many candidates are tried.
    pub tried: usize,
    /// How many states all trials look at together.
    pub states: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { enough: 3, tried: 400, states: 4_000_000 }
    }
}

/// A changed program may have so many states, as a multiple of what the program has, and besides.
const MORE: u64 = 4;
const BESIDES: u64 = 1_000;
/// Most changes do not help, and show that within this part of the states.
const PART: u64 = 8;

/// How much less likely than the first repair others may be that are told.
const NEAR: usize = 4;

/// A repair that was tried and helps.
#[derive(Clone, Debug)]
pub struct Verified {
    pub repair: Repair,
    /// The line it changes first.
    pub line: u64,
    /// The whole text with it.
    pub text: String,
    /// What was done, and what came of it, in a sentence.
    pub sentence: String,
}

/// What came of looking for repairs.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// The likeliest first.
    pub verified: Vec<Verified>,
    /// How many candidates were programs, and were tried.
    pub tried: u64,
    /// Whether some candidates were left untried.
    pub stopped: bool,
}

/// Why a candidate is no repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refuted {
    /// Not everything was looked at.
    Undecided,
    /// The violation is still there.
    Remains,
    /// Something else is wrong now.
    New,
    /// A line is not executed any more that passing traces executed.
    Lost(u64),
    /// Some traces do not end any more.
    Endless,
}

/// Looks for repairs. `try_out` tells what the checker says of a changed text, looking at so many states at most; nothing
/// if that is no program.
pub fn find(
    faulty: &Faulty<'_>,
    budget: Budget,
    mut try_out: impl FnMut(&str, u64) -> Result<Option<Trial>, Interrupt>,
) -> Search {
    let wish = Wish {
        lines: faulty.suspects,
        hints: faulty.hints,
        is_concurrent: faulty.is_concurrent,
        most: budget.tried.saturating_mul(4),
    };
    let mut search = Search::default();
    let whole = faulty.trial.states.saturating_mul(MORE).saturating_add(BESIDES);
    let part = (faulty.trial.states / PART).max(BESIDES);
    let mut left = budget.states;
    let mut first: Option<usize> = None;
    for candidate in repairs(faulty.text, faulty.language, &wish) {
        let is_far_fetched = first.is_some_and(|first| candidate.cost > first + NEAR);
        if search.verified.len() >= budget.enough || is_far_fetched {
            return search;
        }
        if search.tried >= budget.tried as u64 || left == 0 {
            search.stopped = true;
            return search;
        }
        let changed = candidate.patch.apply(faulty.text);
        let lines = candidate.patch.lines(faulty.text);
        let mut verdict = Err(Refuted::Undecided);
        for max_states in [part, whole] {
            let trial = match try_out(&changed, max_states) {
                Ok(Some(trial)) => trial,
                Ok(None) => break,
                Err(_) => {
                    search.stopped = true;
                    return search;
                }
            };
            search.tried += u64::from(max_states == part);
            left = left.saturating_sub(trial.states.max(1));
            verdict = judge(faulty, &trial, &lines).map(|()| trial.bound);
            if verdict != Err(Refuted::Undecided) {
                break;
            }
        }
        if let Ok(bound) = verdict {
            first.get_or_insert(candidate.cost);
            search.verified.push(told(faulty, &candidate, changed, bound));
        }
    }
    search
}

/// Whether a change helps, by what the checker says of the changed text.
pub fn judge(faulty: &Faulty<'_>, after: &Trial, changed: &[u64]) -> Result<(), Refuted> {
    let before = faulty.trial;
    for wrong in &after.violations {
        if wrong == faulty.target {
            return Err(Refuted::Remains);
        }
        if !before.violations.contains(wrong) {
            return Err(Refuted::New);
        }
    }
    if !after.complete {
        return Err(Refuted::Undecided);
    }
    let here = |place: &&(String, u64)| place.0 == faulty.file;
    for place in before.executed.iter().filter(|place| !(here(place) && changed.contains(&place.1))) {
        if !after.executed.contains(place) {
            return Err(Refuted::Lost(place.1));
        }
    }
    // An assertion that nobody asks any more holds as well.
    if faulty.target.is_check
        && let Some(place) = &faulty.target.place
        && !after.executed.contains(place)
    {
        return Err(Refuted::Lost(place.1));
    }
    if before.ends && !after.ends {
        return Err(Refuted::Endless);
    }
    Ok(())
}

fn told(faulty: &Faulty<'_>, candidate: &Candidate, text: String, bound: Option<u64>) -> Verified {
    let what = match (faulty.target.kind.as_str(), &faulty.target.place) {
        ("deadlock", _) => "there is no deadlock".to_owned(),
        ("assertion", Some((_, line))) => format!("the assertion in line {line} holds"),
        ("fault", Some((_, line))) => format!("nothing goes wrong in line {line}"),
        _ => "the property holds".to_owned(),
    };
    let within = bound.map_or_else(String::new, |bound| format!(", K = {bound}"));
    let sentence = format!("with {} in line {} {what} (verified{within})", candidate.what, candidate.line);
    let repair = Repair { patch: candidate.patch.unified(faulty.text, faulty.file), verified: true, bound };
    Verified { repair, line: candidate.line, text, sentence }
}

/// How many lines of a report are suspected at most.
const MOST_SUSPECTS: usize = 60;

/// The lines of a file that a report suspects, the most suspect first: where the causes are, where processes are stuck,
/// and what the counterexample executes, from its end back.
pub fn suspects(report: &report::Report, file: &str) -> Vec<u64> {
    let causes = report.causes.iter().flat_map(|cause| &cause.locations);
    let counterexample = report.counterexample.iter();
    let blocked = counterexample.clone().flat_map(|found| &found.blocked);
    let blocked = blocked.flat_map(|blocked| {
        blocked.location.iter().chain(blocked.needs.iter().filter_map(|need| need.location.as_ref()))
    });
    let steps = counterexample.flat_map(|found| found.steps.iter().rev());
    let (kept, others): (Vec<&report::Step>, Vec<&report::Step>) = steps.partition(|step| step.kept);
    let places_of = |step: &'_ report::Step| {
        let partner = step.partner.as_ref().and_then(|partner| partner.location.clone());
        step.location.clone().into_iter().chain(partner)
    };
    let steps = kept.into_iter().chain(others).flat_map(places_of);
    let all = causes.cloned().chain(blocked.cloned()).chain(steps);
    let mut lines: Vec<u64> = Vec::new();
    for location in all {
        // What is called in several places is also to blame where it is called.
        for place in std::iter::once(&location).chain(&location.calls) {
            if place.file == file && !lines.contains(&place.line) && lines.len() < MOST_SUSPECTS {
                lines.push(place.line);
            }
        }
    }
    lines
}

/// Whether several processes take part in the counterexample of a report.
pub fn is_concurrent(report: &report::Report) -> bool {
    let Some(found) = &report.counterexample else { return false };
    let mut processes = found.steps.iter().filter_map(|step| step.pid).collect::<Vec<_>>();
    processes.sort_unstable();
    processes.dedup();
    processes.len() > 1 || found.kind == "deadlock"
}

/// What a report says is wrong.
pub fn target(report: &report::Report) -> Option<Wrongdoing> {
    let violation = report.explained_violation().or(report.violations.first())?;
    Some(Wrongdoing {
        kind: violation.kind.clone(),
        text: violation.text.clone(),
        place: violation.location.as_ref().map(|at| (at.file.clone(), at.line)),
        is_check: !violation.text.ends_with("is reached"),
    })
}
