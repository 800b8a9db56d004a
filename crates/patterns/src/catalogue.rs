//! All patterns, the more specific first: the first match that the whole system confirms gives the bug its name. Where no
//! match could be tested, the first that was not refuted does, and says so.
//!
//! Of several matches of one pattern the narrowest is tried first.

use std::collections::BTreeSet;

use findings::{BugPattern, Claim, Finding, How, PatternMatch, RecheckResult, ViolationKind};

use crate::capacity::FullMonitor;
use crate::circular_full_channels::FullCircleMonitor;
use crate::if_for_while::WokenMonitor;
use crate::leaked_lock::HolderMonitor;
use crate::lens::{Facts, Lens};
use crate::lock_order::CircleMonitor;
use crate::missed_signal::SignalMonitor;
use crate::missing_case::UnspecifiedMonitor;
use crate::not_atomic_pair::PairMonitor;
use crate::recheck::{Limits, Tested};
use crate::scene::{Scene, SceneStep};
use crate::use_before_ready::EarlyMonitor;
use crate::waits_for_ended::DesertedMonitor;
use crate::windows::{Found, WindowMonitor};
use crate::{
    World, capacity, check_then_act, circular_full_channels, division_by_zero, if_for_while, leaked_lock,
    lock_order, lost_update, missed_signal, missing_case, not_atomic_pair, null_or_dangling,
    use_before_ready, waits_for_ended, wrap_around,
};

/// How many matches of one pattern are tested.
const MOST_TRIED: usize = 6;

/// The name of the bug, as a finding, if it has one.
pub fn named<W: World>(world: &W, scene: &Scene, limits: &Limits<'_>) -> Option<Finding> {
    if let Some(finding) = named_without_graph(scene) {
        return Some(finding);
    }
    let case = Case { world, scene, facts: Facts::new(world), limits };
    if scene.end.kind == ViolationKind::Deadlock {
        case.lock_order()
            .or_else(|| case.leaked_lock())
            .or_else(|| case.signal_before_wait())
            .or_else(|| case.windows(missed_signal::candidates(scene), missed_signal::told))
            .or_else(|| case.circular_full_channels())
            .or_else(|| case.capacity())
            .or_else(|| case.missing_case())
            .or_else(|| case.waits_for_ended())
            .or_else(|| case.use_before_ready())
            .or_else(|| case.windows(check_then_act::candidates(scene), check_then_act::told))
    } else {
        case.if_for_while()
            .or_else(|| case.windows(lost_update::candidates(scene), lost_update::told))
            .or_else(|| case.use_before_ready())
            .or_else(|| case.windows(check_then_act::candidates(scene), check_then_act::told))
            .or_else(|| case.not_atomic_pair())
    }
}

/// The same of a trace in a system that was not written out: what the fault at its end says by itself.
pub fn named_without_graph(scene: &Scene) -> Option<Finding> {
    let found = division_by_zero::candidate(scene)
        .or_else(|| null_or_dangling::candidate(scene))
        .or_else(|| wrap_around::candidate(scene))?;
    Some(finding(found, None))
}

fn finding(pattern: BugPattern, tested: Option<(How, Tested)>) -> Finding {
    let (locations, steps) = (pattern.locations(), pattern.steps());
    let coverage = tested.as_ref().and_then(|(_, tested)| tested.coverage);
    let finding =
        Finding::new(Claim::Pattern(Box::new(PatternMatch { pattern, coverage })), locations, steps);
    match tested {
        Some((how, tested)) => finding.rechecked(how, tested.result),
        None => finding,
    }
}

struct Case<'a, W> {
    world: &'a W,
    scene: &'a Scene,
    facts: Facts,
    limits: &'a Limits<'a>,
}

impl<W: World> Case<'_, W> {
    fn lens(&self, variables: &[&str], asks_synchronisation: bool) -> Lens<'_, W> {
        Lens::new(self.world, &self.facts, variables, asks_synchronisation)
    }

    fn statement(&self, at: usize) -> Option<u32> {
        let SceneStep { told, .. } = &self.scene.steps[at];
        self.facts.statement(told.deed.location.as_ref(), &told.deed.action)
    }

    /// A finding, unless its test refutes it.
    fn stands(&self, pattern: BugPattern, how: How, tested: Tested) -> Option<Finding> {
        (tested.result != RecheckResult::Refuted).then(|| finding(pattern, Some((how, tested))))
    }

    fn windows(
        &self,
        mut candidates: Vec<Found>,
        told: impl Fn(&Scene, &Found) -> BugPattern,
    ) -> Option<Finding> {
        candidates.sort_by_key(|found| (found.width(), found.look));
        candidates.iter().take(MOST_TRIED).find_map(|found| {
            let monitor = WindowMonitor {
                looks: BTreeSet::from([self.statement(found.look)?]),
                relies: BTreeSet::from([self.statement(found.reliance)?]),
            };
            let tested = self.lens(&[&found.variable], false).test(self.world, &monitor, self.limits);
            self.stands(told(self.scene, found), How::PatternBlocked, tested)
        })
    }

    fn lock_order(&self) -> Option<Finding> {
        let found = lock_order::candidate(self.scene, &self.facts)?;
        let names: Vec<&str> = found.locks.iter().map(String::as_str).collect();
        let lens = self.lens(&names, false);
        let number = |name: &str| lens.number(name);
        let monitor = CircleMonitor::new(self.world.story(), &number, &self.facts);
        let tested = lens.test(self.world, &monitor, self.limits);
        self.stands(found.pattern, How::PatternAtEveryEnd, tested)
    }

    fn leaked_lock(&self) -> Option<Finding> {
        let (pattern, name) = leaked_lock::candidate(self.scene)?;
        let lens = self.lens(&[&name], false);
        let monitor = HolderMonitor { story: self.world.story(), lock: lens.number(&name)?, name };
        let tested = lens.test(self.world, &monitor, self.limits);
        self.stands(pattern, How::PatternAtEveryEnd, tested)
    }

    fn signal_before_wait(&self) -> Option<Finding> {
        let (pattern, signal) = missed_signal::signal(self.scene)?;
        let lens = self.lens(&[&signal], true);
        let tested = lens.test(self.world, &SignalMonitor { signal: signal.clone() }, self.limits);
        self.stands(pattern, How::PatternBlocked, tested)
    }

    fn circular_full_channels(&self) -> Option<Finding> {
        let pattern = circular_full_channels::candidate(self.scene, &self.facts)?;
        let monitor = FullCircleMonitor { story: self.world.story(), facts: &self.facts };
        let tested = self.lens(&[], false).test(self.world, &monitor, self.limits);
        self.stands(pattern, How::PatternAtEveryEnd, tested)
    }

    fn capacity(&self) -> Option<Finding> {
        let pattern = capacity::candidate(self.scene, &self.facts)?;
        let monitor = FullMonitor { story: self.world.story(), facts: &self.facts };
        let tested = self.lens(&[], false).test(self.world, &monitor, self.limits);
        self.stands(pattern, How::PatternAtEveryEnd, tested)
    }

    fn missing_case(&self) -> Option<Finding> {
        let pattern = missing_case::candidate(self.scene)?;
        let monitor = UnspecifiedMonitor { story: self.world.story() };
        let tested = self.lens(&[], false).test(self.world, &monitor, self.limits);
        self.stands(pattern, How::PatternAtEveryEnd, tested)
    }

    fn waits_for_ended(&self) -> Option<Finding> {
        let pattern = waits_for_ended::candidate(self.scene, &self.facts)?;
        let monitor = DesertedMonitor { story: self.world.story(), facts: &self.facts };
        let tested = self.lens(&[], false).test(self.world, &monitor, self.limits);
        self.stands(pattern, How::PatternAtEveryEnd, tested)
    }

    fn if_for_while(&self) -> Option<Finding> {
        if_for_while::candidates(self.scene).into_iter().take(MOST_TRIED).find_map(|found| {
            let lens = self.lens(&[&found.variable], true);
            let monitor = WokenMonitor {
                signal: found.signal,
                variable: lens.number(&found.variable)?,
                test: self.statement(found.test)?,
                usage: self.statement(found.usage)?,
            };
            let tested = lens.test(self.world, &monitor, self.limits);
            self.stands(found.pattern, How::PatternBlocked, tested)
        })
    }

    fn use_before_ready(&self) -> Option<Finding> {
        let mut candidates = use_before_ready::candidates(self.scene, &self.facts);
        candidates.sort_by_key(|found| (found.used - found.set, found.set));
        candidates.iter().take(MOST_TRIED).find_map(|found| {
            let lens = self.lens(&[&found.data], false);
            let monitor = EarlyMonitor {
                data: lens.number(&found.data)?,
                set: self.statement(found.set)?,
                seen: self.statement(found.seen)?,
                used: self.statement(found.used)?,
            };
            let tested = lens.test(self.world, &monitor, self.limits);
            self.stands(use_before_ready::told(self.scene, found), How::PatternBlocked, tested)
        })
    }

    fn not_atomic_pair(&self) -> Option<Finding> {
        let candidates = not_atomic_pair::candidates(self.world, self.scene, &self.facts);
        candidates.iter().take(MOST_TRIED).find_map(|found| {
            let lens = self.lens(&[&found.second], false);
            let monitor = PairMonitor {
                second: lens.number(&found.second)?,
                written: self.statement(found.written)?,
                read: self.statement(found.read)?,
            };
            let tested = lens.test(self.world, &monitor, self.limits);
            self.stands(not_atomic_pair::told(self.scene, found), How::PatternBlocked, tested)
        })
    }
}
