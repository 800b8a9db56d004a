//! What the parts of the method found, in terms of the steps of the counterexample.

use std::collections::BTreeMap;

use explain::Counterexample;
use explain::anomalies::skipping::Tracks;
use explain::anomalies::{
    Anomaly, Crossing, Cure, Deferred, KnownFates, Link, OrderCore, Ranked, RankedAnomaly, Sequence, Why,
    cure,
};
use explain::recheck::{self, Recheck, RecheckLimits};
use findings::{AnomalyKind, Atomic, Between, Claim, Finding, How, LinkReason, LinkWhy, RecheckResult};
use graph::{BitSet, Interrupt, Sort, Transitions, is_computed};

use super::statements::Statements;
use crate::as_findings;
use crate::causes::{RECHECK_STATES, locations, result_of};
use crate::naming::Naming;
use crate::request::{Host, Request};

/// For how many deferred events a cure is looked for.
const MOST_CURES: usize = 8;
/// How many anomalies are rechecked until one is confirmed.
const MOST_RECHECKED: usize = 8;

/// Where the explanatory sequence starts.
#[derive(Clone, Copy)]
pub(super) enum Start<'a> {
    /// At the last event before the anomaly whose name contains this.
    Named(&'a str),
    /// At this step of the report's counterexample.
    Step(usize),
}

/// Where an anomaly occurs.
#[derive(Clone, Debug)]
struct Occurrence<'a> {
    /// The indices of its steps.
    steps: Vec<usize>,
    between: Gap<'a>,
}

/// What may lie between the steps of an anomaly.
#[derive(Clone, Copy, Debug)]
enum Gap<'a> {
    Nothing,
    /// Steps in which this process takes no part.
    Others(u8),
    /// Steps whose labels are not among these.
    Uncounted(&'a BitSet),
}

impl Occurrence<'_> {
    /// The steps as people count them.
    fn numbers(&self) -> Vec<u64> {
        self.steps.iter().map(|at| *at as u64 + 1).collect()
    }
}

fn takes_part<T: Transitions>(system: &T, label: u32, process: u8) -> bool {
    system.actors(label).iter().any(|actor| actor == process)
}

pub(super) struct Occurrences<'a, T> {
    pub(super) known_fates: &'a KnownFates<'a, T>,
    pub(super) counterexample: &'a Counterexample,
    pub(super) labels: &'a [u32],
    pub(super) ranked: &'a Ranked,
    pub(super) late: &'a [Deferred],
    /// What counts after which event, unless all do.
    pub(super) tracks: Option<&'a Tracks>,
}

impl<T: Transitions + Naming> Occurrences<'_, T> {
    /// Where in the counterexample an anomaly first occurs: one step after the other or, if its events
    /// are all of one process, in the steps of that process.
    fn occurrence(&self, anomaly: &Anomaly) -> Option<Occurrence<'_>> {
        if let (Some(tracks), [first, second]) = (self.tracks, &anomaly.events[..]) {
            let (steps, counted) = tracks.find(self.labels, [*first, *second])?;
            return Some(Occurrence { steps: steps.to_vec(), between: Gap::Uncounted(counted) });
        }
        let system = self.known_fates.system;
        let all = Occurrence { steps: (0..self.labels.len()).collect(), between: Gap::Nothing };
        let first = anomaly.events.first().map(|label| system.actors(*label))?;
        let own = first.iter().map(|process| Occurrence {
            steps: all
                .steps
                .iter()
                .copied()
                .filter(|at| takes_part(system, self.labels[*at], process))
                .collect(),
            between: Gap::Others(process),
        });
        std::iter::once(all.clone()).chain(own).find_map(|view| {
            let labels: Vec<u32> = view.steps.iter().map(|at| self.labels[*at]).collect();
            let at = labels.windows(anomaly.events.len()).position(|window| window == anomaly.events)?;
            let steps = view.steps[at..at + anomaly.events.len()].to_vec();
            Some(Occurrence { steps, between: view.between })
        })
    }

    /// What the explanatory sequence leads to: the best anomaly of the counterexample or, where it has
    /// none, its order core or else the step that decided; and the violation itself. That is the last
    /// step or, where nobody can move, what is asked for behind it: who moved last says nothing then.
    pub(super) fn seeds(&self, core: &OrderCore, is_stuck: bool) -> Vec<usize> {
        let deciding = self.ranked.anomalies.iter().filter(|one| one.anomaly.crossing != Crossing::Before);
        let best = deciding.filter_map(|one| self.occurrence(&one.anomaly)).next();
        let mut seeds = match (best, core) {
            (Some(best), _) => best.steps,
            (None, OrderCore::Found(core)) => core.clone(),
            _ => {
                let notes = self.counterexample.notes.iter();
                notes.enumerate().filter(|(_, note)| note.is_point_of_no_return()).map(|(at, _)| at).collect()
            }
        };
        let end = self.labels.len();
        seeds.extend(if is_stuck { Some(end) } else { end.checked_sub(1) });
        seeds.sort_unstable();
        seeds.dedup();
        seeds
    }

    pub(super) fn anomalies(&self, start: Option<Start<'_>>) -> Vec<findings::Anomaly> {
        let system = self.known_fates.system;
        let told = (1..).zip(&self.ranked.anomalies).map(|(rank, one)| findings::Anomaly {
            rank,
            events: one.anomaly.events.iter().map(|label| as_findings::event(system, *label)).collect(),
            position: u64::from(one.anomaly.position) + 1,
            rank_by_position: one.by_position as u64 + 1,
            counterexample: one.counterexample as u64 + 1,
            at: one.at as u64 + 1,
            score: start.and_then(|start| self.score(one, start)),
            support: one.support,
            kind: match one.anomaly.crossing {
                Crossing::Last => AnomalyKind::Decisive,
                Crossing::Inside => AnomalyKind::Inside,
                Crossing::Before => AnomalyKind::Consequence,
            },
            dependent: one.dependent,
            steps: self.occurrence(&one.anomaly).map_or_else(Vec::new, |found| found.numbers()),
        });
        told.collect()
    }

    /// Equation (6): one minus the distance from the start of the explanatory sequence to the anomaly,
    /// by the length of the counterexample.
    fn score(&self, one: &RankedAnomaly, start: Start<'_>) -> Option<f64> {
        let (at, start, length) = match start {
            Start::Named(text) => {
                let trace = self.ranked.counterexamples.get(one.counterexample)?;
                let named = |step: &graph::Edge| self.known_fates.system.label(step.label).contains(text);
                (one.at, trace.steps[..=one.at].iter().rposition(named)?, trace.steps.len())
            }
            Start::Step(start) => {
                let at = self.occurrence(&one.anomaly)?.steps.first().copied().filter(|at| *at >= start)?;
                (at, start, self.labels.len())
            }
        };
        Some(1.0 - (at - start) as f64 / length as f64)
    }

    pub(super) fn links(&self, links: &[Link]) -> Vec<findings::AnomalyLink> {
        let states: Vec<u32> = self.counterexample.trace.states().collect();
        let told = links.iter().map(|link| {
            let value_at = |at: usize, name: &str| self.known_fates.system.values(states[at]).remove(name);
            let value = |name: &str| value_at(link.to, name);
            // What a variable holds may change its name without being written: what a pointer points to is freed.
            let written =
                |name: &str| value(name).filter(|now| value_at(link.from + 1, name).as_ref() == Some(now));
            let why = match &link.why {
                Why::Wrote(name) if is_computed(name) => LinkWhy::Computed,
                Why::Wrote(name) => LinkWhy::Wrote { variable: name.clone(), value: written(name) },
                Why::Sent(channel) => LinkWhy::Sent { channel: channel.clone() },
                Why::Inside => LinkWhy::Inside,
                Why::Guarded => LinkWhy::Guarded,
                Why::Stale(name, number) => LinkWhy::Stale {
                    variable: name.clone(),
                    value: value(name),
                    event: self.known_fates.system.label(self.late[*number].label),
                },
                Why::Before => LinkWhy::Before,
            };
            let (from, to) = (link.from as u64 + 1, link.to as u64 + 1);
            let by = (link.to < self.labels.len()).then_some(to);
            findings::AnomalyLink { from, to, reason: LinkReason { since: from, by, why }.into() }
        });
        told.collect()
    }

    pub(super) fn deferred(&self, cures: &[Option<Cure>]) -> Vec<findings::Deferred> {
        let told = self.late.iter().zip(cures).map(|(one, cure)| findings::Deferred {
            step: one.step.map(|at| at as u64 + 1),
            enabled_at: one.since as u64,
            event: as_findings::event(self.known_fates.system, one.label),
            overtaken_by: one.overtaken_by.iter().map(|at| *at as u64 + 1).collect(),
            after_own_step: one.after_own_step,
            atomic: cure.and_then(|cure| match cure {
                Cure::Cured => Some(Atomic::Cured),
                Cure::StillFails => Some(Atomic::StillFails),
                Cure::NothingPasses => Some(Atomic::NothingPasses),
                Cure::Unknown => None,
            }),
        });
        told.collect()
    }

    /// What becomes of the violation if deferred events follow the steps before them at once. Those that
    /// the explanatory sequence leads through are tried first.
    pub(super) fn cures(
        &self,
        sequence: &Sequence,
        request: &Request,
        host: &dyn Host,
    ) -> Result<Vec<Option<Cure>>, Interrupt> {
        let mut cures = vec![None; self.late.len()];
        let candidates = sequence.deferred.iter().copied().chain(0..self.late.len());
        let mut statements = None;
        let mut tried: BTreeMap<(usize, usize), Cure> = BTreeMap::new();
        for number in candidates {
            let one = &self.late[number];
            if !one.after_own_step || cures[number].is_some() || tried.len() >= MOST_CURES {
                continue;
            }
            // A step that is never taken late is no beginning: that nothing comes between the two would cure less
            // than the search says.
            if self.known_fates.system.is_taken_early(self.labels[one.since - 1]) {
                continue;
            }
            let statements = statements
                .get_or_insert_with(|| Statements::new(self.known_fates.system, self.known_fates.labels));
            let Some((first, second)) = statements.pair(self.labels[one.since - 1], one.label) else {
                continue;
            };
            let found = match tried.get(&(first, second)) {
                Some(known) => *known,
                None => {
                    let fence = statements.fence(first, second);
                    let KnownFates { system, explored, .. } = *self.known_fates;
                    cure(system, explored, &fence, request.fairness, host)?
                }
            };
            tried.insert((first, second), found);
            cures[number] = Some(found);
        }
        Ok(cures)
    }

    pub(super) fn causes(&self, cures: &[Option<Cure>], request: &Request, host: &dyn Host) -> Vec<Finding> {
        let system = self.known_fates.system;
        let mut causes = Vec::new();
        // A race is about two steps that nothing orders: that one of them comes late explains nothing.
        let is_race =
            system.violation(&self.counterexample.trace).is_some_and(|wrong| wrong.sort == Sort::DataRace);
        let is_cured = |number: &usize| {
            if is_race || cures[*number] != Some(Cure::Cured) {
                return false;
            }
            // Two processes that execute one statement after the other are no order of statements.
            let one = &self.late[*number];
            let (event, before) = (system.told(one.label), system.told(self.labels[one.since - 1]));
            let is_same = event.zip(before).is_some_and(|(event, before)| {
                event.deed.action == before.deed.action && event.deed.location == before.deed.location
            });
            !is_same
        };
        if let Some(number) = (0..cures.len()).find(is_cured) {
            let one = &self.late[number];
            let claim = Claim::Deferred {
                event: system.label(one.label),
                before: system.label(self.labels[one.since - 1]),
                since: one.since as u64,
                executed: one.step.map(|at| at as u64 + 1),
            };
            let mut steps = vec![one.since as u64];
            steps.extend(one.step.map(|at| at as u64 + 1));
            let finding = Finding::new(claim, locations(system, self.counterexample, &steps), steps);
            causes.push(finding.rechecked(How::NothingBetween, RecheckResult::Confirmed));
        }
        let candidates = self.ranked.anomalies.iter();
        let candidates = candidates.filter(|one| one.anomaly.crossing != Crossing::Before);
        let is_early = |label: &u32| system.is_taken_early(*label);
        let candidates = candidates.filter(|one| !one.anomaly.events.iter().any(is_early));
        let look = RecheckLimits { fairness: request.fairness, max_states: RECHECK_STATES, watch: host };
        let found = candidates.take(MOST_RECHECKED).find_map(|one| {
            let found = self.occurrence(&one.anomaly)?;
            let counts = |label| match found.between {
                // Steps that could as well be taken later separate nothing.
                Gap::Nothing => !system.is_taken_early(label),
                Gap::Others(process) => takes_part(system, label, process),
                Gap::Uncounted(counted) => counted.contains(label),
            };
            // In the steps of one process alone it may occur in passing traces as well.
            let result = recheck::only_failing(system, &one.anomaly.events, counts, &look);
            (result != Recheck::Refuted).then_some((one, found, result))
        });
        if let Some((one, found, result)) = found {
            let steps = found.numbers();
            let claim = Claim::Anomaly {
                events: system.label_list(&one.anomaly.events),
                steps: steps.clone(),
                between: match found.between {
                    Gap::Nothing => Between::Nothing,
                    Gap::Others(process) => Between::OtherProcesses { than: u64::from(process) },
                    Gap::Uncounted(_) => Between::Uncounted,
                },
            };
            let finding = Finding::new(claim, locations(system, self.counterexample, &steps), steps);
            causes.push(finding.rechecked(How::ForwardFromOccurrences, result_of(result)));
        }
        causes
    }
}
