//! Telling what the parts of the method found, in terms of the report's counterexample.

use std::collections::BTreeMap;

use explain::Counterexample;
use explain::anomalies::skipping::Tracks;
use explain::anomalies::{
    Anomaly, Crossing, Cure, Deferred, Ground, Link, OrderCore, Ranked, RankedAnomaly, Sequence, Why, cure,
};
use explain::recheck::{self, Look, Recheck};
use findings::{AnomalyKind, Atomic, Method};
use graph::{BitSet, Interrupt, Transitions};
use report::{CauseKind, RecheckResult};

use super::statements::Statements;
use crate::analysis::{Host, Request};
use crate::causes::{RECHECK_STATES, locations, told_recheck};
use crate::naming::Naming;
use crate::telling;

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
    between: Between<'a>,
}

/// What may lie between the steps of an anomaly.
#[derive(Clone, Copy, Debug)]
enum Between<'a> {
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

pub(super) struct Telling<'a, T> {
    pub(super) ground: &'a Ground<'a, T>,
    pub(super) counterexample: &'a Counterexample,
    pub(super) labels: &'a [u32],
    pub(super) ranked: &'a Ranked,
    pub(super) late: &'a [Deferred],
    /// What counts after which event, unless all do.
    pub(super) tracks: Option<&'a Tracks>,
}

impl<T: Transitions + Naming> Telling<'_, T> {
    /// Where in the counterexample an anomaly first occurs: one step after the other or, if its events
    /// are all of one process, in the steps of that process.
    fn occurrence(&self, anomaly: &Anomaly) -> Option<Occurrence<'_>> {
        if let (Some(tracks), [first, second]) = (self.tracks, &anomaly.events[..]) {
            let (steps, counted) = tracks.find(self.labels, [*first, *second])?;
            return Some(Occurrence { steps: steps.to_vec(), between: Between::Uncounted(counted) });
        }
        let system = self.ground.system;
        let all = Occurrence { steps: (0..self.labels.len()).collect(), between: Between::Nothing };
        let first = anomaly.events.first().map(|label| system.actors(*label))?;
        let own = first.iter().map(|process| Occurrence {
            steps: all
                .steps
                .iter()
                .copied()
                .filter(|at| takes_part(system, self.labels[*at], process))
                .collect(),
            between: Between::Others(process),
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

    pub(super) fn anomalies(&self, start: Option<Start<'_>>) -> Vec<report::Anomaly> {
        let system = self.ground.system;
        let told = (1..).zip(&self.ranked.anomalies).map(|(rank, one)| report::Anomaly {
            rank,
            events: one.anomaly.events.iter().map(|label| telling::event(system, *label)).collect(),
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
                let named = |step: &graph::Edge| self.ground.system.label(step.label).contains(text);
                (one.at, trace.steps[..=one.at].iter().rposition(named)?, trace.steps.len())
            }
            Start::Step(start) => {
                let at = self.occurrence(&one.anomaly)?.steps.first().copied().filter(|at| *at >= start)?;
                (at, start, self.labels.len())
            }
        };
        Some(1.0 - (at - start) as f64 / length as f64)
    }

    pub(super) fn links(&self, links: &[Link]) -> Vec<report::AnomalyLink> {
        let states: Vec<u32> = self.counterexample.trace.states().collect();
        let told = links.iter().map(|link| {
            let value = |name: &str| self.ground.system.values(states[link.to]).remove(name);
            let since = link.from + 1;
            let reason = match &link.why {
                Why::Wrote(name) => match value(name) {
                    Some(value) => format!("`{name}` is {value} since step {since}"),
                    None => format!("`{name}` was last changed at step {since}"),
                },
                Why::Sent(channel) => format!("its message was sent at step {since}, through `{channel}`"),
                Why::Inside => format!("nothing can come between step {since} and this one"),
                Why::Guarded => format!("step {since}, a condition of the same process, let it happen"),
                Why::Stale(name, number) => {
                    let event = self.ground.system.label(self.late[*number].label);
                    let value =
                        value(name).map_or_else(|| "the same".to_owned(), |value| format!("still {value}"));
                    format!(
                        "`{name}` is {value}: `{event}`, possible since step {since}, was not executed yet"
                    )
                }
                Why::Before => format!("step {since} of the same process leads to it"),
            };
            report::AnomalyLink { from: since as u64, to: link.to as u64 + 1, reason }
        });
        told.collect()
    }

    pub(super) fn deferred(&self, cures: &[Option<Cure>]) -> Vec<report::Deferred> {
        let told = self.late.iter().zip(cures).map(|(one, cure)| report::Deferred {
            step: one.step.map(|at| at as u64 + 1),
            enabled_at: one.since as u64,
            event: telling::event(self.ground.system, one.label),
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
            let statements =
                statements.get_or_insert_with(|| Statements::new(self.ground.system, self.ground.labels));
            let Some((first, second)) = statements.pair(self.labels[one.since - 1], one.label) else {
                continue;
            };
            let found = match tried.get(&(first, second)) {
                Some(known) => *known,
                None => {
                    let fence = statements.fence(first, second);
                    let Ground { system, explored, .. } = *self.ground;
                    cure(system, explored, &fence, request.fairness, host)?
                }
            };
            tried.insert((first, second), found);
            cures[number] = Some(found);
        }
        Ok(cures)
    }

    pub(super) fn causes(
        &self,
        cures: &[Option<Cure>],
        request: &Request,
        host: &dyn Host,
    ) -> Vec<report::Cause> {
        let system = self.ground.system;
        let mut causes = Vec::new();
        if let Some(number) = cures.iter().position(|cure| *cure == Some(Cure::Cured)) {
            let one = &self.late[number];
            let (event, before) = (system.label(one.label), system.label(self.labels[one.since - 1]));
            let n = one.since as u64;
            let mut steps = vec![n];
            steps.extend(one.step.map(|at| at as u64 + 1));
            let when = match one.step {
                Some(at) => format!("executed only at step {}", at + 1),
                None => "not executed before the violation".to_owned(),
            };
            causes.push(cause(
                CauseKind::Deferred,
                &format!("`{event}` comes too late after `{before}`"),
                &format!(
                    "`{event}` could be executed right after step {n}, `{before}`, and was {when}; if nothing \
                     could come between the two, no trace would fail"
                ),
                locations(system, self.counterexample, &steps),
                steps,
                "a new search in which nothing comes between the two: no violation is left, and traces pass",
                RecheckResult::Confirmed,
            ));
        }
        let candidates = self.ranked.anomalies.iter();
        let candidates = candidates.filter(|one| one.anomaly.crossing != Crossing::Before);
        let look = Look { fairness: request.fairness, max_states: RECHECK_STATES, watch: host };
        let found = candidates.take(MOST_RECHECKED).find_map(|one| {
            let found = self.occurrence(&one.anomaly)?;
            let counts = |label| match found.between {
                Between::Nothing => true,
                Between::Others(process) => takes_part(system, label, process),
                Between::Uncounted(counted) => counted.contains(label),
            };
            // In the steps of one process alone it may occur in passing traces as well.
            let result = recheck::only_failing(system, &one.anomaly.events, counts, &look);
            (result != Recheck::Refuted).then_some((one, found, result))
        });
        if let Some((one, found, result)) = found {
            let names = one.anomaly.events.iter().map(|label| format!("`{}`", system.label(*label)));
            let names = names.collect::<Vec<_>>().join(", then ");
            let steps = found.numbers();
            let between = match found.between {
                Between::Nothing => "",
                Between::Others(_) => ", whatever others do in between",
                Between::Uncounted(_) => ", whatever comes between that does not count in this order",
            };
            causes.push(cause(
                CauseKind::Anomaly,
                &format!("{names}: only failing traces do this"),
                &format!(
                    "steps {}, {names}: no passing trace ever does this{between}",
                    steps.iter().map(u64::to_string).collect::<Vec<_>>().join(" and "),
                ),
                locations(system, self.counterexample, &steps),
                steps,
                "a forward search for a passing trace from wherever this can happen",
                told_recheck(result),
            ));
        }
        causes
    }
}

fn cause(
    kind: CauseKind,
    summary: &str,
    claim: &str,
    locations: Vec<report::Location>,
    steps: Vec<u64>,
    how: &str,
    result: RecheckResult,
) -> report::Cause {
    report::Cause {
        rank: 0,
        score: 1.0,
        kind,
        summary: summary.to_owned(),
        claim: claim.to_owned(),
        locations,
        steps,
        methods: vec![Method::Anomalies],
        group: 1,
        recheck: report::Recheck { how: how.to_owned(), result },
        repair: None,
        evidence: Vec::new(),
    }
}
