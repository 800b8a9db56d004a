//! Repairs: changes of the text after which the checker finds nothing wrong, and the program still does its work.
//!
//! Candidates come from `edits`, those in the most suspect lines first. Each is tried from scratch: the front-end
//! reads the changed text, and the checker decides the same property again. A repair counts as verified only if
//! the violation is gone, nothing new is wrong, whatever passing traces did before some trace still does, the
//! statement that went wrong is still executed, and nothing goes on for ever that came to an end before. Otherwise the
//! best repair of every program would be to do nothing at all.

mod observed;
mod trial;

use std::collections::{BTreeMap, BTreeSet};

use edits::{
    COST, Candidate, Hint, Language, Operator, Wish, code_lines, lines_of_units, repairs, statement_lines,
    units,
};
use findings::ViolationKind;
use findings::{EndlessProperty, FoundRepair, Location, Repair, TraceEnd, What};
use graph::{Interrupt, Sort};
use source::Markers;

use crate::combine::rank;
use crate::request::RepairEffort;
use crate::trust::Trust;

pub use findings::Wrongdoing;
pub use trial::{Known, Text, Trial, explored, run, summarised, wrongdoing};

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
    /// The line before which a method says that something is missing.
    pub missing: Option<u64>,
    /// Lines that nothing is changed in, in order.
    pub trusted: &'a [u64],
    /// Whether several processes have to do with it.
    pub is_concurrent: bool,
    /// What blocked processes wait for where nothing goes on. Whatever mends that changes it.
    pub awaited: &'a [String],
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// So many lines that can be repaired are enough.
    pub enough: usize,
    /// How many candidates are tried.
    pub tried: usize,
    /// How much work all trials are together: a unit is an edge that a search finds.
    pub work: u64,
    /// How much of it may be done after one was found that leaves nothing wrong, besides as much as it took to find it: what
    /// comes after it is less likely.
    pub after: u64,
    /// How much less likely than that one others may be that it takes a second round to decide about.
    pub near: usize,
    /// Whether a trial that may look at more states can tell more; a solver knows no states.
    pub has_states: bool,
}

impl Limits {
    pub fn of(effort: RepairEffort) -> Self {
        match effort {
            RepairEffort::Brief => Self::SHORT,
            RepairEffort::Thorough => Self::LONG,
        }
    }

    /// What nobody asked for: a second or two.
    pub const SHORT: Self = Self {
        enough: 5,
        tried: 1_000,
        work: 10_000_000,
        after: 1_000_000,
        near: 2 * COST,
        has_states: true,
    };
    /// As much as makes sense.
    pub const LONG: Self =
        Self { tried: 5_000, work: 100_000_000, after: u64::MAX, near: NEAR, ..Self::SHORT };
}

/// How far one trial may go.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// How many states it may look at.
    pub states: u64,
    pub work: u64,
    /// Which trial it is, and how many there may be.
    pub number: u64,
    pub of: u64,
}

impl Allowance {
    /// For the program as it is.
    pub const WHOLE: Self = Self { states: u64::MAX, work: u64::MAX, number: 0, of: 0 };
}

/// How much work it is to read a changed text, however little of it is searched: so much, and a
/// unit for each byte.
const READING: u64 = 2_000;

/// The part of all work that a single trial may be.
const A_TRIAL: u64 = 4;

/// How many states a changed program may have, as a multiple of what the program has within bounds. Most changes do not
/// help and show that at once; a program that fails soon may have much to do when it does not fail any more.
const ROUNDS: [[Effort; 2]; 2] = [
    [Effort { times: 0, least: 2_000, most: 2_000 }, Effort { times: 4, least: 5_000, most: 100_000 }],
    [
        Effort { times: 16, least: 50_000, most: 1_000_000 },
        Effort { times: 64, least: 1_000_000, most: u64::MAX },
    ],
];

#[derive(Clone, Copy, Debug)]
struct Effort {
    times: u64,
    least: u64,
    most: u64,
}

impl Effort {
    fn states(self, all: u64) -> u64 {
        all.saturating_mul(self.times).clamp(self.least, self.most)
    }
}

/// The part of all work that the first round may do, so that something is left for the second one.
const FIRST_ROUND: f64 = 0.7;

/// How much less likely a repair is that costs one more.
const ONE_FURTHER: f64 = 0.85;

/// How much less likely than the first repair others may be that are told.
const NEAR: usize = 8 * COST;

/// How much less likely a repair is that leaves something else wrong.
const HALF: usize = 12 * COST;

/// How much less likely a repair is after which nobody reaches some code that traces reached.
const UNREACHED: usize = 6 * COST;

/// How much less likely a repair is that takes away all that passing traces show.
const DISTURBING: f64 = (8 * COST) as f64;

/// How much worse it is that something is not given back, as a part of all that passing traces show.
const NOT_GIVEN_BACK: f64 = 0.5;

/// A change that takes away more than this part of what passing traces show is no repair.
const MOST_LOST: f64 = 0.75;

/// What came of looking for repairs.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// The likeliest first.
    pub verified: Vec<FoundRepair>,
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
    /// A process does nothing any more.
    LostProcess,
    /// Nothing passes.
    NothingPasses,
    /// Some traces do not end any more.
    Endless,
    /// A formula holds without a part of it having a say that had one before.
    Vacuous,
    /// Passing traces show hardly anything any more of what they showed.
    Disturbing,
    /// A condition in this line decides nothing any more.
    Constant(u64),
}

/// Looks for repairs. `try_out` tells what the checker says of a changed text, going so far at most; nothing if that is
/// no program.
pub fn find(
    faulty: &Faulty<'_>,
    limits: Limits,
    mut try_out: impl FnMut(&str, Allowance) -> Result<Option<Trial>, Interrupt>,
) -> Search {
    let wish = Wish {
        lines: faulty.suspects,
        hints: faulty.hints,
        missing: faulty.missing,
        is_concurrent: faulty.is_concurrent,
        most: limits.tried.saturating_mul(4),
    };
    let mut search = Search::default();
    let mut helpful: Vec<Helpful> = Vec::new();
    let mut left = limits.work;
    let mut waiting = repairs(faulty.text, faulty.language, &wish);
    // A statement behind another one is the same as before the next one.
    let mut seen = BTreeSet::new();
    // What is the same however far one looks is looked at once.
    let (rounds, efforts_each) = if limits.has_states { (ROUNDS.len(), ROUNDS[0].len()) } else { (1, 1) };
    for (number, efforts) in ROUNDS[..rounds].iter().enumerate() {
        let is_first = number == 0;
        let kept_back = if is_first { limits.work - (limits.work as f64 * FIRST_ROUND) as u64 } else { 0 };
        let near = if is_first { NEAR } else { limits.near };
        let mut undecided = Vec::new();
        let of = waiting.len() as u64;
        for (candidate, number) in waiting.into_iter().zip(1..) {
            // One repair of a line is enough, and it is the likeliest because of the order.
            let is_known =
                helpful.iter().any(|known| known.candidate.line == candidate.line && known.is_good());
            let is_trusted = faulty.trusted.binary_search(&candidate.line).is_ok();
            if is_known || is_trusted || is_needless(&candidate, &helpful, limits.enough, near) {
                continue;
            }
            let is_enough = search.tried >= limits.tried as u64;
            if is_first && is_enough || left <= kept_back {
                search.stopped = true;
                break;
            }
            let changed = candidate.patch.apply(faulty.text);
            if is_first && !seen.insert(squeezed(&changed)) {
                continue;
            }
            let lines = candidate.patch.lines(faulty.text);
            let mut verdict = Err(Refuted::Undecided);
            let mut is_program = false;
            for effort in &efforts[..efforts_each] {
                let states = effort.states(faulty.trial.states);
                let allowance = Allowance { states, work: (limits.work / A_TRIAL).min(left), number, of };
                left = left.saturating_sub(READING + faulty.text.len() as u64);
                let trial = match try_out(&changed, allowance) {
                    Ok(Some(trial)) => trial,
                    Ok(None) => break,
                    Err(_) => {
                        search.stopped = true;
                        return search.told(helpful);
                    }
                };
                is_program = true;
                left = left.saturating_sub(trial.work);
                let operator = candidate.operator;
                let change = Change {
                    lines: &lines,
                    removes: operator.removes(),
                    guards: operator.guards(),
                    forgotten: forgotten(&candidate),
                };
                verdict = judge(faulty, &trial, change).map(|lost| (trial, lost));
                if !matches!(verdict, Err(Refuted::Undecided)) {
                    break;
                }
            }
            search.tried += u64::from(is_program && is_first);
            match verdict {
                Ok((after, lost)) => {
                    let found = Helpful::new(faulty, candidate, &after, lost);
                    let is_first_good = found.is_good() && !helpful.iter().any(Helpful::is_good);
                    helpful.push(found);
                    if is_first_good {
                        let spent = limits.work - left;
                        left = left.min(kept_back.saturating_add(spent).saturating_add(limits.after));
                    }
                }
                Err(Refuted::Undecided) if is_program => undecided.push(candidate),
                Err(_) => {}
            }
        }
        waiting = undecided;
        if helpful.iter().any(Helpful::is_good) {
            left = left.min(limits.after);
        }
    }
    search.stopped |= !waiting.is_empty();
    search.told(helpful)
}

/// A text without blanks and ends of lines.
fn squeezed(text: &str) -> Vec<u8> {
    text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect()
}

/// A candidate that helps.
struct Helpful {
    candidate: Candidate,
    found: FoundRepair,
    /// Whether passing traces show something no longer that they showed, or code that was reached is reached no longer.
    disturbs: bool,
}

impl Helpful {
    /// `lost` is the part of what passing traces showed that they show no longer.
    fn new(faulty: &Faulty<'_>, mut candidate: Candidate, after: &Trial, lost: f64) -> Self {
        let found = verified(faulty, &candidate, after);
        // What is reached only because something was forgotten need not be reached.
        let unreached = !found.is_shown && leaves_unreached(faulty, after, &candidate);
        candidate.cost += if unreached { UNREACHED } else { 0 };
        candidate.cost += (lost * DISTURBING) as usize;
        candidate.cost += if found.repair.leaves.is_some() { HALF } else { 0 };
        candidate.cost += if found.withholds { (NOT_GIVEN_BACK * DISTURBING) as usize } else { 0 };
        let disturbs = lost > 0.0 || unreached || found.withholds;
        let kept = (!unreached && knows_passing(faulty.trial, after)).then_some(1.0 - lost);
        Self { candidate, found: FoundRepair { kept, ..found }, disturbs }
    }

    /// Whether it leaves nothing wrong, and all that passing traces do as it was.
    fn is_good(&self) -> bool {
        self.found.repair.leaves.is_none() && !self.disturbs
    }
}

/// Whether anything is known of what passing traces do: what they execute, or what known passing runs do.
fn knows_passing(before: &Trial, after: &Trial) -> bool {
    !before.executed.is_empty() && before.passes || after.lost.is_some()
}

/// Whether code that any trace reached is not reached any more. Where the violation is a call that always fails, what leads
/// up to it is for failing traces alone.
fn leaves_unreached(faulty: &Faulty<'_>, after: &Trial, candidate: &Candidate) -> bool {
    // What only traces execute that violate a property of endless traces may be left.
    if faulty.trial.processes.is_empty()
        || matches!(faulty.target.what, What::Endless { .. })
        || !faulty.target.is_check && faulty.target.kind == ViolationKind::Assertion
    {
        return false;
    }
    let changed = candidate.patch.lines(faulty.text);
    let is_changed = |place: &(String, u64)| place.0 == faulty.file && changed.contains(&place.1);
    faulty.trial.visited.iter().any(|place| !is_changed(place) && !after.visited.contains(place))
}

/// Whether a candidate is less likely than what helps already.
fn is_needless(candidate: &Candidate, helpful: &[Helpful], enough: usize, near: usize) -> bool {
    let costs = || helpful.iter().filter(|known| known.is_good()).map(|known| known.candidate.cost);
    let is_far_fetched = costs().min().is_some_and(|least| candidate.cost > least + near);
    is_far_fetched || costs().filter(|cost| *cost <= candidate.cost).count() >= enough
}

impl Search {
    /// With what helps, the likeliest first, and one repair of a line.
    fn told(mut self, mut helpful: Vec<Helpful>) -> Self {
        helpful.sort_by_key(|known| known.candidate.cost);
        let mut lines = BTreeSet::new();
        helpful.retain(|known| lines.insert((known.candidate.line, known.found.repair.leaves.is_some())));
        let first = helpful.first().map_or(0, |known| known.candidate.cost);
        let told = helpful.into_iter().map(|known| {
            let further = (known.candidate.cost - first) as f64 / COST as f64;
            FoundRepair { likelihood: ONE_FURTHER.powf(further), ..known.found }
        });
        self.verified = told.collect();
        self
    }
}

/// Where a change is made.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    pub lines: &'a [u64],
    /// Whether a statement may be gone from its line.
    pub removes: bool,
    /// Whether its line has a condition more.
    pub guards: bool,
    /// The variable that is set and was forgotten to be: it may hold something else in the end.
    pub forgotten: Option<&'a str>,
}

/// The variable that a candidate sets as the text itself shows to be forgotten.
fn forgotten(candidate: &Candidate) -> Option<&str> {
    if !matches!(candidate.operator, Operator::Forgotten | Operator::Reset) {
        return None;
    }
    let added = candidate.change.parts().into_iter().next()?;
    let name = added.trim_start().split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    let behind = added[name.len()..].trim_start();
    (!name.is_empty() && behind.starts_with('=') && !behind.starts_with("==")).then_some(name)
}

/// Whether a change helps, by what the checker says of the changed text; and if so, the part of what passing traces
/// showed that they show no longer.
pub fn judge(faulty: &Faulty<'_>, after: &Trial, change: Change<'_>) -> Result<f64, Refuted> {
    let changed = change.lines;
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
    if !after.passes {
        return Err(Refuted::NothingPasses);
    }
    if before.executed.is_empty() {
        still_entered(faulty, after, change)?;
    }
    let here = |place: &&(String, u64)| place.0 == faulty.file;
    for place in before.executed.iter().filter(|place| !(here(place) && changed.contains(&place.1))) {
        if !after.executed.contains(place) {
            return Err(Refuted::Lost(place.1));
        }
    }
    // To switch off what stands in the changed line itself, such as a choice of the environment, is no repair either.
    for (place, count) in before.statements.iter().filter(|(place, _)| here(place)) {
        let left = after.statements.get(place).copied().unwrap_or(0);
        let least = match changed.contains(&place.1) {
            false => *count,
            true if change.removes => count.saturating_sub(1),
            // The condition counts, too: what it guards has to be executed sometimes.
            true if change.guards => count + 1,
            true => count.saturating_sub(1).max(1),
        };
        if left < least {
            return Err(Refuted::Lost(place.1));
        }
    }
    // What stands in the changed line is still reached, if it was before: to let it never happen is no repair of it.
    let is_reached = |trial: &Trial| {
        let mut lines = changed.iter().map(|line| (faulty.file.to_owned(), *line));
        lines.any(|place| trial.visited.contains(&place))
    };
    if !change.removes && !before.visited.is_empty() && is_reached(before) && !is_reached(after) {
        return Err(Refuted::Lost(changed.first().copied().unwrap_or_default()));
    }
    // A condition that always comes out the same is none.
    for (place, count) in before.ways.iter().filter(|(place, _)| here(place) && changed.contains(&place.1)) {
        let left = after.ways.get(place).copied().unwrap_or(0);
        if *count > 1 && left < 2 && !change.removes {
            return Err(Refuted::Constant(place.1));
        }
    }
    // Nor is a process that is left out.
    for (name, count) in &before.processes {
        if after.processes.get(name).is_none_or(|left| left < count) {
            return Err(Refuted::LostProcess);
        }
    }
    if before.matters.iter().any(|part| !after.matters.contains(part)) {
        return Err(Refuted::Vacuous);
    }
    // An assertion that nobody asks any more holds as well.
    if faulty.target.is_check
        && let Some(place) = &faulty.target.place
        && before.visited.contains(place)
        && !after.executed.contains(place)
    {
        return Err(Refuted::Lost(place.1));
    }
    if before.ends && !after.ends {
        return Err(Refuted::Endless);
    }
    let check = faulty.target.place.as_ref().filter(|_| faulty.target.is_check);
    let both = before.observed.as_ref().zip(after.observed.as_ref());
    // A variable that starts with another value may end with another one.
    let mut uncounted = edits::declared_in(faulty.text, faulty.language, changed);
    uncounted.extend(change.forgotten.map(str::to_owned));
    uncounted.extend_from_slice(faulty.awaited);
    let lost = both.and_then(|(before, after)| before.lost(after, check, &uncounted));
    let lost = lost.or(after.lost).unwrap_or(0.0);
    if lost > MOST_LOST {
        return Err(Refuted::Disturbing);
    }
    Ok(lost)
}

/// The names in what blocked processes cannot execute, where nothing goes on.
pub fn awaited(explanation: &findings::Explanation) -> Vec<String> {
    let blocked = explanation.counterexample.iter().flat_map(|found| &found.blocked);
    let needs = blocked.filter(|blocked| !blocked.may_end).flat_map(|blocked| &blocked.needs);
    let mut names: Vec<String> = needs.flat_map(|need| words(&need.action)).map(str::to_owned).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Where nothing is known of passing traces, what failing ones did has to serve: each function and process that was
/// entered still is, unless it is what failed or the changed line calls another one in its place; and the one that was
/// changed does not leave at once.
fn still_entered(faulty: &Faulty<'_>, after: &Trial, change: Change<'_>) -> Result<(), Refuted> {
    let visited = |trial: &Trial, from: u64, to: u64| -> Vec<u64> {
        let there =
            trial.visited.iter().filter(|place| place.0 == faulty.file && (from..=to).contains(&place.1));
        there.map(|place| place.1).collect()
    };
    let text: Vec<&str> = faulty.text.lines().collect();
    let is_named = |line: &u64, name: &str| {
        let line = line.checked_sub(1).and_then(|at| text.get(usize::try_from(at).ok()?));
        line.is_some_and(|line| words(line).any(|word| word == name))
    };
    for unit in units(faulty.text, faulty.language) {
        let was = visited(faulty.trial, unit.first, unit.last);
        let (Some(first), is) = (was.first(), visited(after, unit.first, unit.last)) else { continue };
        let has_failed = faulty.target.place.as_ref().is_some_and(|(_, line)| was.contains(line));
        let is_replaced = !change.removes && change.lines.iter().any(|line| is_named(line, &unit.name));
        if is.is_empty() && !has_failed && !is_replaced {
            return Err(Refuted::Lost(*first));
        }
        let changed = change.lines.iter().filter(|line| (unit.first..=unit.last).contains(line)).max();
        let Some(changed) = changed else { continue };
        let rest: Vec<u64> = was.iter().copied().filter(|line| line > changed).collect();
        if rest.len() > 1 && !rest.iter().any(|line| is.contains(line)) {
            return Err(Refuted::Lost(rest[0]));
        }
    }
    Ok(())
}

fn verified(faulty: &Faulty<'_>, candidate: &Candidate, after: &Trial) -> FoundRepair {
    FoundRepair {
        repair: Repair {
            patch: candidate.patch.diff(faulty.text, faulty.file),
            location: line_of(faulty.text, faulty.file, candidate.line),
            verified: true,
            bound: after.bound,
            leaves: after.violations.first().cloned(),
        },
        change: candidate.change.clone(),
        target: faulty.target.clone(),
        likelihood: 1.0,
        adds: candidate.operator.adds(),
        is_shown: candidate.operator == Operator::Forgotten,
        protects: candidate.operator.protects(),
        withholds: candidate.operator == Operator::Withheld,
        kept: None,
    }
}

/// A line of a text, from its first word on, as its markers call it.
pub fn line_of(text: &str, file: &str, line: u64) -> Location {
    let markers = Markers::of(text);
    let (named, number) = markers.told(line);
    let text = text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default();
    let column = text.chars().take_while(|c| c.is_whitespace()).count() as u64 + 1;
    let file = named.unwrap_or(file).to_owned();
    Location { file, line: number, column, text: text.trim_end().to_owned(), calls: Vec::new() }
}

/// How many lines of a report are suspected at most.
const MOST_SUSPECTS: usize = 120;

/// The lines of a text that are suspected, the most suspect first, when causes were ranked by what is known so far: where the causes are, where processes are stuck,
/// what the counterexample executes, from its end back, and then what it does not execute, which may be just the
/// trouble, from near those to far. Those that are trusted are never among them.
pub fn suspects(
    explanation: &mut findings::Explanation,
    file: &str,
    text: &str,
    language: Language,
    trusted: &[u64],
) -> Vec<u64> {
    rank(explanation);
    let is_trusted = |line: u64| trusted.binary_search(&line).is_ok();
    let causes = explanation.causes.iter().flat_map(|cause| &cause.locations);
    let counterexample = explanation.counterexample.iter();
    let blocked = counterexample.clone().flat_map(|found| &found.blocked);
    let blocked = blocked.flat_map(|blocked| {
        blocked.location.iter().chain(blocked.needs.iter().filter_map(|need| need.location.as_ref()))
    });
    let steps = counterexample.flat_map(|found| found.steps.iter().rev());
    let (kept, others): (Vec<&findings::Step>, Vec<&findings::Step>) = steps.partition(|step| step.kept);
    let places_of = |step: &'_ findings::Step| {
        let partner = step.partner.as_ref().and_then(|partner| partner.location.clone());
        step.location.clone().into_iter().chain(partner)
    };
    let steps = kept.into_iter().chain(others).flat_map(places_of);
    let all = causes.cloned().chain(blocked.cloned()).chain(steps);
    let markers = Markers::of(text);
    let mut lines: Vec<u64> = Vec::new();
    for location in all {
        // What is called in several places is also to blame where it is called.
        for place in std::iter::once(&location).chain(&location.calls) {
            let named = (place.file != file).then_some(place.file.as_str());
            for line in markers.lines(named, place.line) {
                if !lines.contains(&line) && !is_trusted(line) && lines.len() < MOST_SUSPECTS {
                    lines.push(line);
                }
            }
        }
    }
    lines = with_macros(&lines, text);
    lines.retain(|line| !is_trusted(*line));
    // Statements first, then declarations and definitions.
    for mut others in [statement_lines(text, language), code_lines(text)] {
        others.retain(|line| !lines.contains(line) && !is_trusted(*line));
        others.sort_by_key(|line| lines.iter().map(|suspect| suspect.abs_diff(*line)).min());
        lines.extend(others);
    }
    lines.truncate(MOST_SUSPECTS);
    lines
}

/// Lines, each followed by those that define the macros it uses, unless they stand before it already.
fn with_macros(lines: &[u64], text: &str) -> Vec<u64> {
    let definitions: BTreeMap<&str, u64> = text
        .lines()
        .zip(1..)
        .filter_map(|(line, number)| {
            Some((words(line.trim_start().strip_prefix("#define")?).next()?, number))
        })
        .collect();
    let text: Vec<&str> = text.lines().collect();
    let mut all: Vec<u64> = Vec::with_capacity(lines.len());
    for line in lines {
        let mut waiting = vec![*line];
        while let Some(line) = waiting.pop() {
            if all.contains(&line) {
                continue;
            }
            all.push(line);
            let line = line.checked_sub(1).and_then(|at| text.get(usize::try_from(at).ok()?));
            waiting.extend(
                line.into_iter().flat_map(|line| words(line)).filter_map(|word| definitions.get(word)),
            );
        }
    }
    all
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// The lines of a text that nothing is changed in: those of functions and processes that are trusted.
pub fn trusted_lines(text: &str, language: Language, trust: &Trust) -> Vec<u64> {
    lines_of_units(text, language, |name| trust.includes(name))
}

/// Whether several processes take part in the counterexample of a report.
pub fn is_concurrent(explanation: &findings::Explanation) -> bool {
    let Some(found) = &explanation.counterexample else { return false };
    let mut processes = found.steps.iter().filter_map(|step| step.pid).collect::<Vec<_>>();
    processes.sort_unstable();
    processes.dedup();
    processes.len() > 1 || found.kind == ViolationKind::Deadlock
}

/// What a report says is wrong.
pub fn target(explanation: &findings::Explanation) -> Option<Wrongdoing> {
    let violation = explanation.explained_violation().or(explanation.violations.first())?;
    let place = violation.location.as_ref().map(|at| (at.file.clone(), at.line));
    // How exactly a trace goes on that violates a property makes no other violation of it.
    let what = match &violation.what {
        What::Endless { property, .. } => {
            What::Endless { property: property.clone(), ending: TraceEnd::Decided }
        }
        What::Broken { property, .. } => {
            let property = EndlessProperty::Stated(property.clone());
            What::Endless { property, ending: TraceEnd::Decided }
        }
        what => what.clone(),
    };
    let is_output = explanation.counterexample.as_ref().is_some_and(|found| found.sort == Sort::Output);
    Some(Wrongdoing { kind: violation.kind, what, place, is_check: violation.can_hold, is_output })
}
