//! `check` against `explore`, which keeps everything: the same states, transitions, violations and lengths,
//! whatever the number of threads.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use graph::{End, Interrupt, Progress, Step, System, Unwatched, Watch, Worker};
use search::{Checked, Class, Ending, Limits, Plan, Violation, Wrong, check, explore, replay};
use testkit::random::{Random, for_random_inputs};

/// A system whose steps follow from a seed: state `n` is `n` and a number of bytes that varies.
#[derive(Clone, Debug)]
struct Chance {
    seed: u64,
    states: u32,
    degree: u32,
    /// In a thousand: states inside sequences, steps that are wrong.
    passing: u32,
    wrong: u32,
}

impl Chance {
    fn random(random: &mut Random, states: u32) -> Self {
        Self {
            seed: random.bits(),
            states,
            degree: random.between(1, 4),
            passing: [0, 100, 300][random.below(3) as usize],
            wrong: [0, 3, 50][random.below(3) as usize],
        }
    }

    /// A number below `bound` that belongs to these two.
    fn draw(&self, state: u32, what: u32, bound: u32) -> u32 {
        Random::new(self.seed ^ (u64::from(state) << 8) ^ u64::from(what)).below(bound)
    }

    fn spell(&self, state: u32) -> Vec<u8> {
        let mut bytes = vec![(state % 3) as u8; 4 + (state % 7) as usize * 5];
        bytes[..4].copy_from_slice(&state.to_le_bytes());
        bytes
    }

    fn number(&self, bytes: &[u8]) -> u32 {
        u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
    }

    fn is_inside(&self, state: u32) -> bool {
        self.draw(state, 1, 1000) < self.passing
    }
}

impl System for Chance {
    type Worker<'a> = &'a Chance;

    fn worker(&self) -> &Chance {
        self
    }
}

impl Worker for &Chance {
    fn initial(&mut self, mut visit: impl FnMut(&[u8])) {
        visit(&self.spell(0));
    }

    fn steps(&mut self, state: &[u8], mut visit: impl FnMut(Step<'_>)) {
        let state = self.number(state);
        for step in 0..self.draw(state, 2, self.degree + 1) {
            let mut target = self.draw(state, 10 + step, self.states);
            // Sequences seldom go round: their steps lead to greater numbers, unless chance says so.
            if self.is_inside(state) && target <= state && self.draw(state, 3, 50) > 0 {
                target = (state + 1 + step).min(self.states - 1);
            }
            let wrong = self.draw(state, 20 + step, 1000) < self.wrong;
            let violation = wrong.then(|| self.draw(state, 30 + step, 2));
            visit(Step { event: u64::from(step), state: &self.spell(target), violation });
        }
    }

    fn end(&mut self, state: &[u8]) -> End {
        let state = self.number(state);
        if self.draw(state, 4, 3) == 0 { End::Valid } else { End::Deadlock }
    }

    fn is_passing(&self, state: &[u8]) -> bool {
        self.is_inside(self.number(state))
    }
}

fn plan(max_states: u64, threads: usize) -> Plan {
    Plan { max_states, threads: NonZeroUsize::new(threads).expect("not 0"), reduce: false }
}

/// Count and shortest length of every class.
type Classes = BTreeMap<Wrong, (u64, u32)>;

fn classes(found: &Checked) -> Classes {
    found.violations.iter().map(|class| (class.wrong, (class.count, class.shortest))).collect()
}

fn agrees<S: System + Sync + std::fmt::Debug>(system: &S) {
    let kept = explore(system, Limits::default(), &Unwatched).expect("few edges");
    let mut expected = Classes::new();
    for violation in &kept.violations {
        let (wrong, length) = match violation {
            Violation::Deadlock { state } => (Wrong::Deadlock, kept.depth(*state)),
            Violation::Step { state, edge, what } => {
                let event = kept.events[edge.label as usize];
                (Wrong::Step { event, what: *what }, kept.depth(*state) + 1)
            }
        };
        let (count, shortest) = expected.entry(wrong).or_insert((0, u32::MAX));
        *count += 1;
        *shortest = length.min(*shortest);
    }
    let mut traces = Vec::new();
    for count in [1, 2, 4] {
        let found = check(system, plan(u64::MAX, count), &Unwatched);
        assert_eq!(found.interrupt, None);
        assert_eq!(found.states, kept.counted_states, "{system:?}");
        assert_eq!(found.all_states, kept.store.len() as u64, "{system:?}");
        assert_eq!(found.transitions, kept.transitions, "{system:?}");
        // Where sequences go round there is no end of ways, and `explore` stops at some of them.
        if kept.transitions < u64::MAX {
            assert_eq!(found.errors, kept.errors, "{system:?}");
        }
        assert_eq!(found.max_depth, kept.max_depth(), "{system:?}");
        assert_eq!(classes(&found), expected, "{system:?}");
        let mut events = kept.events.clone();
        events.sort_unstable();
        assert_eq!(found.events, events, "{system:?}");
        let wanted: Vec<&Class> = found.violations.iter().collect();
        let shown = found.traces(system, &wanted, &Unwatched).expect("nobody ends it");
        // A trace does not depend on what else is asked for.
        for (class, trace) in wanted.iter().zip(&shown) {
            assert_eq!(found.traces(system, &[class], &Unwatched).as_deref(), Ok(&[trace.clone()][..]));
        }
        for (class, trace) in found.violations.iter().zip(&shown) {
            assert_eq!(trace.events.len(), class.shortest as usize, "{system:?}");
            assert_eq!(trace.states.len(), trace.events.len() + 1);
            let again = replay(system, trace.events.len(), |n, event| trace.events[n] == event);
            assert!(matches!(again.ending, Ending::Deadlock | Ending::Wrong(_)), "{system:?}: {again:?}");
        }
        traces.push(shown);
    }
    assert!(traces.iter().all(|shown| *shown == traces[0]), "{system:?}");
}

#[test]
fn small_systems_are_checked_as_they_are_explored() {
    for_random_inputs(300, |random| {
        let states = random.between(1, 60);
        agrees(&Chance::random(random, states));
    });
}

#[test]
fn threads_that_work_at_once_change_nothing() {
    for_random_inputs(6, |random| agrees(&Chance { degree: 4, ..Chance::random(random, 30_000) }));
}

#[test]
fn with_a_limit_whole_levels_are_looked_at() {
    for_random_inputs(6, |random| {
        let system = Chance { degree: 4, wrong: 50, ..Chance::random(random, 30_000) };
        let all = check(&system, plan(u64::MAX, 1), &Unwatched);
        if all.all_states <= 9_000 {
            return;
        }
        let part = check(&system, plan(9_000, 1), &Unwatched);
        assert_eq!(part.interrupt, Some(Interrupt::States(9_000)));
        assert!(part.states <= 9_000 && part.max_depth < all.max_depth);
        for class in &part.violations {
            assert!(all.violations.iter().any(|of_all| {
                of_all.wrong == class.wrong
                    && of_all.shortest == class.shortest
                    && of_all.count >= class.count
            }));
        }
        for count in [2, 4] {
            let other = check(&system, plan(9_000, count), &Unwatched);
            assert_eq!(
                (other.states, other.transitions, other.errors, other.max_depth),
                (part.states, part.transitions, part.errors, part.max_depth)
            );
            assert_eq!(other.violations, part.violations);
        }
    });
}

/// Stops at the first pulse.
struct Impatient;

impl Watch for Impatient {
    fn pulse(&self, _: Progress) -> Result<(), Interrupt> {
        Err(Interrupt::Timeout)
    }
}

#[test]
fn a_watch_can_end_it() {
    let systems = (0..).map(|seed| Chance { seed, states: 300_000, degree: 4, passing: 0, wrong: 0 });
    let mut large = systems.filter(|system| check(system, plan(50_000, 1), &Unwatched).interrupt.is_some());
    let system = large.next().expect("most of them");
    let found = check(&system, plan(u64::MAX, 2), &Impatient);
    assert_eq!(found.interrupt, Some(Interrupt::Timeout));
    assert!(found.states < 300_000);
}
