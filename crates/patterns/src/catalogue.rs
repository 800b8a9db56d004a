//! All patterns, the more specific first: the first match that the whole system confirms gives the bug its name. Where no
//! match could be confirmed, the first that was not refuted does, and says so. Patterns whose shape alone says little
//! give no name unless they are confirmed.
//!
//! Of several matches of one pattern the narrowest is tried first.

use std::cell::{Cell, OnceCell};
use std::collections::BTreeSet;

use findings::{BugPattern, Claim, Coverage, Finding, How, PatternMatch, RecheckResult, ViolationKind};
use graph::Fairness;

use crate::capacity::FullMonitor;
use crate::circular_full_channels::FullCircleMonitor;
use crate::double_release::{MisuseMonitor, UnlockMonitor};
use crate::environment::{ChoiceMonitor, FreeChoiceMonitor};
use crate::following::Following;
use crate::foreign_release::ForeignMonitor;
use crate::if_for_while::WokenMonitor;
use crate::leaked_lock::HolderMonitor;
use crate::lens::{Facts, Lens};
use crate::lock_order::CircleMonitor;
use crate::missed_signal::SignalMonitor;
use crate::missing_case::UnspecifiedMonitor;
use crate::not_atomic_pair::PairMonitor;
use crate::off_by_one::BoundMonitor;
use crate::recheck::{Limits, Tested};
use crate::scene::{Scene, SceneStep};
use crate::served_update::ServedMonitor;
use crate::skipped::OwedMonitor;
use crate::stale_value::StaleMonitor;
use crate::told_early::ToldMonitor;
use crate::use_before_ready::EarlyMonitor;
use crate::waits_for_ended::DesertedMonitor;
use crate::windows::{FoundWindow, WindowMonitor};
use crate::wrap_around::LossMonitor;
use crate::wrong_notify::{AwaitedMonitor, PermitMonitor, SleeperMonitor};
use crate::{
    World, capacity, check_then_act, circular_full_channels, division_by_zero, double_release, dropped,
    environment, foreign_release, if_for_while, leaked_lock, lock_order, lost_update, missed_signal,
    missing_case, not_atomic_pair, null_or_dangling, off_by_one, served_update, skipped, stale_answer,
    stale_value, told_early, uninitialised, untested, update_then_test, use_before_ready, waits_for_ended,
    wrap_around, wrong_notify,
};

/// How many matches of one pattern are tested.
const MOST_TRIED: usize = 6;

/// The name of the bug, as a finding, if it has one.
pub fn named<W: World>(world: &W, scene: &Scene, limits: &Limits<'_>) -> Option<Finding> {
    let case = PatternCase { world, scene, facts: Facts::new(world), following: OnceCell::new(), limits };
    if let Some(found) = fault(scene) {
        // Where an order of steps of several processes leads to the fault, that order says more.
        let orders: [Pattern<'_, W>; 5] = [
            PatternCase::if_for_while,
            PatternCase::lost_update,
            PatternCase::use_before_ready,
            PatternCase::check_then_act,
            PatternCase::update_then_test,
        ];
        let order = orders.iter().find_map(|pattern| pattern(&case).filter(Finding::is_confirmed));
        return order.or_else(|| Some(finding(found, None)));
    }
    let tried: &[Pattern<'_, W>] = if scene.end.kind == ViolationKind::Deadlock {
        &[
            PatternCase::lock_order,
            PatternCase::leaked_lock,
            PatternCase::signalled_another,
            PatternCase::signal_before_wait,
            PatternCase::missed_signal,
            PatternCase::woke_another,
            PatternCase::took_two,
            PatternCase::circular_full_channels,
            PatternCase::capacity,
            PatternCase::missing_case,
            PatternCase::waits_for_ended,
            PatternCase::use_before_ready,
            PatternCase::told_early,
            PatternCase::stale_answer,
            PatternCase::environment,
            PatternCase::dropped,
            PatternCase::lost_update,
            PatternCase::check_then_act,
            PatternCase::update_then_test,
            PatternCase::skipped,
            PatternCase::off_by_one,
        ]
    } else {
        &[
            PatternCase::double_release,
            PatternCase::unlocked,
            PatternCase::foreign_release,
            PatternCase::if_for_while,
            PatternCase::lost_update,
            PatternCase::served_update,
            PatternCase::use_before_ready,
            PatternCase::check_then_act,
            PatternCase::update_then_test,
            PatternCase::not_atomic_pair,
            PatternCase::told_early,
            PatternCase::stale_answer,
            PatternCase::environment,
            PatternCase::dropped,
            PatternCase::untested,
            PatternCase::stale_value,
            PatternCase::forgotten_reset,
            PatternCase::skipped,
            PatternCase::losses,
            PatternCase::off_by_one,
        ]
    };
    let mut unconfirmed = None;
    for pattern in tried {
        match pattern(&case) {
            Some(found) if found.is_confirmed() => return Some(found),
            found => unconfirmed = unconfirmed.or(found),
        }
    }
    unconfirmed
}

/// The same of a trace in a system that was not written out.
pub fn named_without_graph(scene: &Scene) -> Option<Finding> {
    let found = fault(scene).or_else(|| misused_in(scene)).or_else(|| wrapped_in(scene))?;
    Some(finding(found, None))
}

/// What the fault at the end of a trace says by itself.
fn fault(scene: &Scene) -> Option<BugPattern> {
    division_by_zero::candidate(scene)
        .or_else(|| null_or_dangling::candidate(scene))
        .or_else(|| wrap_around::candidate(scene))
        .or_else(|| uninitialised::candidate(scene))
}

fn misused_in(scene: &Scene) -> Option<BugPattern> {
    let is_followed = |after: &SceneStep, lock: &String| double_release::is_followed_in(scene, after, lock);
    double_release::candidate(scene, is_followed).map(|found| found.pattern)
}

fn wrapped_in(scene: &Scene) -> Option<BugPattern> {
    let losses = wrap_around::used_losses(scene);
    let [(pattern, _)] = &losses[..] else { return None };
    Some(pattern.clone())
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

/// What a pattern finds.
type Pattern<'a, W> = fn(&PatternCase<'a, W>) -> Option<Finding>;

struct PatternCase<'a, W> {
    world: &'a W,
    scene: &'a Scene,
    facts: Facts,
    /// What is written right after statements, where somebody asked; nothing inside if there was no time to look.
    following: OnceCell<Option<Following>>,
    limits: &'a Limits<'a>,
}

impl<W: World> PatternCase<'_, W> {
    fn following(&self) -> Option<&Following> {
        let look = || Following::new(self.world, &self.facts, self.scene, self.limits.watch).ok();
        self.following.get_or_init(look).as_ref()
    }

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
        mut candidates: Vec<FoundWindow>,
        told: impl Fn(&Scene, &FoundWindow) -> BugPattern,
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

    /// A finding, if its test confirms it.
    fn is_so(&self, pattern: BugPattern, tested: Tested) -> Option<Finding> {
        (tested.result == RecheckResult::Confirmed)
            .then(|| finding(pattern, Some((How::PatternBlocked, tested))))
    }

    fn missed_signal(&self) -> Option<Finding> {
        self.windows(missed_signal::candidates(self.scene), missed_signal::told)
    }

    fn check_then_act(&self) -> Option<Finding> {
        self.windows(check_then_act::candidates(self.scene), check_then_act::told)
    }

    fn update_then_test(&self) -> Option<Finding> {
        let mut candidates = update_then_test::candidates(self.scene);
        candidates.sort_by_key(|found| (found.width(), found.look));
        candidates.iter().take(MOST_TRIED).find_map(|found| {
            let (updates, tests) = update_then_test::concerned(self.scene, &found.variable);
            let statements =
                |steps: Vec<usize>| steps.into_iter().map(|at| self.statement(at)).collect::<Option<_>>();
            let monitor = WindowMonitor { looks: statements(updates)?, relies: statements(tests)? };
            let tested = self.lens(&[&found.variable], false).test(self.world, &monitor, self.limits);
            self.is_so(update_then_test::told(self.scene, found), tested)
        })
    }

    fn lost_update(&self) -> Option<Finding> {
        self.windows(lost_update::candidates(self.scene), lost_update::told)
    }

    fn served_update(&self) -> Option<Finding> {
        let mut candidates = served_update::candidates(self.scene);
        candidates.sort_by_key(|found| (found.stored - found.read, found.read));
        candidates.iter().take(MOST_TRIED).find_map(|found| {
            let lens = self.lens(&[&found.variable, &found.reply], false);
            let monitor = ServedMonitor {
                variable: lens.number(&found.variable)?,
                read: self.statement(found.read)?,
                got: self.statement(found.got)?,
                sent: self.statement(found.sent)?,
                stored: self.statement(found.stored)?,
            };
            let tested = lens.test(self.world, &monitor, self.limits);
            self.is_so(served_update::told(self.scene, found), tested)
        })
    }

    fn double_release(&self) -> Option<Finding> {
        let is_followed = |after: &SceneStep, lock: &String| {
            double_release::is_followed(self.world, &self.facts, after, lock)
        };
        let found = double_release::candidate(self.scene, is_followed)?;
        let lens = self.lens(&[&found.lock], false);
        let monitor = MisuseMonitor {
            lock: lens.number(&found.lock)?,
            statement: self.statement(self.scene.steps.len() - 1)?,
            is_taken: found.is_taken,
        };
        let tested = lens.test(self.world, &monitor, self.limits);
        self.is_so(found.pattern, tested)
    }

    fn unlocked(&self) -> Option<Finding> {
        let (pattern, _) = double_release::unlocked(self.scene)?;
        let BugPattern::DoubleRelease { lock, .. } = &pattern else { return None };
        let lens = self.lens(&[lock], true);
        let tested = lens.test(self.world, &UnlockMonitor { lock: lock.clone() }, self.limits);
        self.is_so(pattern, tested)
    }

    fn woke_another(&self) -> Option<Finding> {
        let found = wrong_notify::woke_another(self.scene)?;
        let lens = self.lens(&[&found.variable], false);
        let monitor = SleeperMonitor {
            story: self.world.story(),
            variable: lens.number(&found.variable)?,
            name: found.variable,
        };
        let tested = lens.test(self.world, &monitor, self.limits);
        self.is_so(found.pattern, tested)
    }

    fn signalled_another(&self) -> Option<Finding> {
        let (pattern, signal) = wrong_notify::signalled_another(self.scene, &self.facts)?;
        let tested = self.lens(&[], true).test(self.world, &AwaitedMonitor { signal }, self.limits);
        self.is_so(pattern, tested)
    }

    fn took_two(&self) -> Option<Finding> {
        let (pattern, counter) = wrong_notify::took_two(self.scene, &self.facts)?;
        let BugPattern::TookTwo { second, .. } = &pattern else { return None };
        let takes = self.statement(second.step as usize - 1)?;
        let lens = self.lens(&[&counter], false);
        let monitor = PermitMonitor::new(&self.facts, lens.number(&counter)?, takes);
        let tested = lens.test(self.world, &monitor, self.limits);
        self.is_so(pattern, tested)
    }

    fn told_early(&self) -> Option<Finding> {
        let candidates = told_early::candidates(self.scene, &self.facts, self.following()?);
        candidates.iter().take(MOST_TRIED).find_map(|found| {
            let lens = self.lens(&[&found.data], false);
            let monitor = ToldMonitor { data: lens.number(&found.data)?, told: self.statement(found.told)? };
            let tested = lens.test(self.world, &monitor, self.limits);
            self.is_so(told_early::told(self.scene, found), tested)
        })
    }

    fn stale_answer(&self) -> Option<Finding> {
        let found = stale_answer::candidate(self.scene, &self.facts)?;
        let tested = self.lens(&[], false).test(self.world, &found.monitor, self.limits);
        self.is_so(found.pattern, tested)
    }

    fn environment(&self) -> Option<Finding> {
        let candidates = environment::candidates(self.scene, &self.facts);
        candidates.into_iter().take(MOST_TRIED).find_map(|(pattern, at)| self.never(pattern, at))
    }

    fn dropped(&self) -> Option<Finding> {
        let candidates = dropped::candidates(self.world, self.scene, &self.facts);
        candidates.into_iter().take(MOST_TRIED).find_map(|(pattern, at)| self.never(pattern, at))
    }

    /// A finding, if nothing fails where a process never takes a step that it need not take.
    fn never(&self, pattern: BugPattern, at: usize) -> Option<Finding> {
        let choice = ChoiceMonitor { statement: self.statement(at)?, actor: self.scene.steps[at].actor() };
        let monitor = FreeChoiceMonitor { story: self.world.story(), choice };
        // The environment need not do what it could.
        let limits = Limits { fairness: Fairness::None, ..*self.limits };
        let tested = self.lens(&[], false).test(self.world, &monitor, &limits);
        self.is_so(pattern, tested)
    }

    fn untested(&self) -> Option<Finding> {
        let pattern = untested::candidate(self.world, self.scene, &self.facts)?;
        let last = self.scene.steps.len() - 1;
        let monitor =
            ChoiceMonitor { statement: self.statement(last)?, actor: self.scene.steps[last].actor() };
        let tested = self.lens(&[], false).test(self.world, &monitor, self.limits);
        self.is_so(pattern, tested)
    }

    fn stale_value(&self) -> Option<Finding> {
        let mut candidates = stale_value::candidates(self.scene);
        candidates.sort_by_key(|found| (std::cmp::Reverse(found.renewed), found.used));
        candidates.iter().take(MOST_TRIED).find_map(|found| {
            let tested = self.stale(found)?;
            self.is_so(stale_value::told(self.scene, found), tested)
        })
    }

    fn forgotten_reset(&self) -> Option<Finding> {
        stale_value::forgotten_resets(self.scene).iter().take(MOST_TRIED).find_map(|found| {
            let tested = self.stale(found)?;
            let is_needed = |coverage: &Coverage| coverage.need == coverage.violating;
            let is_possible = tested.coverage.as_ref().is_none_or(is_needed);
            // The last word has whoever tries the missing assignment. That nothing passes without the use says nothing.
            let coverage = tested.coverage.filter(|coverage| coverage.passes);
            let open = Tested { result: RecheckResult::NotRun, coverage };
            let pattern = stale_value::told(self.scene, found);
            is_possible.then(|| finding(pattern, Some((How::PatternBlocked, open))))
        })
    }

    /// What comes of it if nobody uses the stale value.
    fn stale(&self, found: &stale_value::Stale) -> Option<Tested> {
        let lens = self.lens(&[&found.variable], false);
        let monitor = StaleMonitor {
            variable: lens.number(&found.variable)?,
            renewed: self.statement(found.renewed)?,
            used: if found.fresh.is_none() { Some(self.statement(found.used)?) } else { None },
        };
        Some(lens.test(self.world, &monitor, self.limits))
    }

    fn foreign_release(&self) -> Option<Finding> {
        let candidates = foreign_release::candidates(self.scene, &self.facts);
        let is_lock = |found: &&foreign_release::Foreign| {
            foreign_release::is_taken_when_free(self.world, self.scene, &self.facts, found)
        };
        candidates.iter().take(MOST_TRIED).filter(is_lock).find_map(|found| {
            let lens = self.lens(&[&found.lock], false);
            let monitor =
                ForeignMonitor { lock: lens.number(&found.lock)?, given: self.statement(found.given)? };
            let tested = lens.test(self.world, &monitor, self.limits);
            self.is_so(foreign_release::told(self.scene, found), tested)
        })
    }

    fn skipped(&self) -> Option<Finding> {
        let candidates = skipped::candidates(self.world, self.scene, &self.facts);
        candidates.into_iter().take(MOST_TRIED).find_map(|found| {
            let story = self.world.story();
            let monitor = OwedMonitor { story, counted: found.counted, undone: found.undone };
            let tested = self.lens(&[], false).test(self.world, &monitor, self.limits);
            self.stands(found.pattern, How::PatternAtEveryEnd, tested)
        })
    }

    fn losses(&self) -> Option<Finding> {
        wrap_around::used_losses(self.scene).into_iter().take(MOST_TRIED).find_map(|(pattern, at)| {
            let statement = self.statement(at)?;
            let lens = self.lens(&[], false).judging(statement);
            let tested = lens.test(self.world, &LossMonitor { statement }, self.limits);
            self.is_so(pattern, tested)
        })
    }

    fn off_by_one(&self) -> Option<Finding> {
        off_by_one::candidates(self.scene).into_iter().take(MOST_TRIED).find_map(|at| {
            let statement = self.statement(at)?;
            let lens = self.lens(&[], false).judging(statement);
            let tested = lens.test(self.world, &BoundMonitor { statement }, self.limits);
            self.is_so(off_by_one::told(self.scene, at), tested)
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
        if !self.scene.is_lock(&name) && !leaked_lock::is_given_back(self.world, self.scene, &lens, &name) {
            return None;
        }
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
        let pattern = missing_case::candidate(self.scene, &self.facts)?;
        let monitor = UnspecifiedMonitor { story: self.world.story(), facts: &self.facts };
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
        if_for_while::candidates(self.scene, &self.facts).into_iter().take(MOST_TRIED).find_map(|found| {
            let names: Vec<&str> = found.variables.iter().map(String::as_str).collect();
            let lens = self.lens(&names, true);
            let numbers = found.variables.iter().map(|name| lens.number(name));
            let monitor = WokenMonitor {
                signal: found.signal,
                variables: numbers.collect::<Option<_>>()?,
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
            let lens = self.lens(&[&found.data, &found.flag], false);
            let monitor = EarlyMonitor {
                name: &|number| lens.name(number),
                flag: found.flag.clone(),
                data: found.data.clone(),
                set: self.statement(found.set)?,
                seen: self.statement(found.seen)?,
                used: self.statement(found.used)?,
                makes: found.makes.clone(),
                is_used_ready: Cell::new(false),
            };
            let tested = lens.test(self.world, &monitor, self.limits);
            let pattern = use_before_ready::told(self.scene, found);
            self.is_so(pattern, tested).filter(|_| monitor.is_used_ready.get())
        })
    }

    fn not_atomic_pair(&self) -> Option<Finding> {
        let candidates = not_atomic_pair::candidates(self.scene, &self.facts, self.following()?);
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
