//! Sequences in which only some events count: those of one process, or those that depend on the first.
//!
//! Processes that have nothing to do with each other run side by side, and their steps become neighbours
//! by accident. Seen by one process, or among dependent events only, such neighbours disappear and
//! those that were torn apart come together. A *track* is an event and what counts after it; the pair of
//! the event and the first one that counts occurs in a trace whatever lies between them.
//!
//! Each track is one search from the states behind its event, over edges that do not count, nearest
//! first, so that it also finds where each pair occurs first.

use graph::{BitSet, Edge, Exploration, Interrupt, OUTSIDE, Transitions};

use super::substrings::{Anomaly, Crossing, crossing};
use super::{FAILING, KnownFates, PASSING};
use crate::pulse::Pulse;

/// What counts after which event.
#[derive(Clone, Debug, Default)]
pub struct Tracks {
    /// Sets of labels that count.
    sets: Vec<BitSet>,
    /// An event, and the set of what counts after it; the event itself is in it.
    tracks: Vec<(u32, usize)>,
}

impl Tracks {
    /// The sequences of each process: after an event of a process count the events of that process.
    pub fn by_process<T: Transitions>(system: &T, labels: usize) -> Self {
        let mut tracks = Self::default();
        let mut processes: Vec<Option<usize>> = vec![None; usize::from(u8::MAX) + 1];
        for label in 0..labels as u32 {
            for process in system.actors(label).iter() {
                let set = *processes[usize::from(process)].get_or_insert_with(|| {
                    tracks.sets.push(BitSet::new(labels));
                    tracks.sets.len() - 1
                });
                tracks.sets[set].insert(label);
                tracks.tracks.push((label, set));
            }
        }
        tracks
    }

    /// After each event count those that depend on it.
    pub fn by_dependence(labels: usize, depends: impl Fn(u32, u32) -> bool) -> Self {
        let mut tracks = Self::default();
        for label in 0..labels as u32 {
            let mut set = BitSet::new(labels);
            (0..labels as u32).filter(|other| *other == label || depends(label, *other)).for_each(|other| {
                set.insert(other);
            });
            tracks.tracks.push((label, tracks.sets.len()));
            tracks.sets.push(set);
        }
        tracks
    }

    /// Where in a trace with these labels the pair occurs first: the indices of its events, and what
    /// counts between them.
    pub fn find(&self, trace: &[u32], pair: [u32; 2]) -> Option<([usize; 2], &BitSet)> {
        let begins = (0..trace.len()).filter(|at| trace[*at] == pair[0]);
        begins.flat_map(|at| self.after(pair[0]).map(move |set| (at, set))).find_map(|(at, set)| {
            let next = (at + 1..trace.len()).find(|next| set.contains(trace[*next]))?;
            (trace[next] == pair[1]).then_some(([at, next], set))
        })
    }

    /// What counts after an event, on each of its tracks.
    fn after(&self, label: u32) -> impl Iterator<Item = &BitSet> {
        self.tracks.iter().filter(move |(own, _)| *own == label).map(|(_, set)| &self.sets[*set])
    }
}

/// The pairs that occur on tracks of failing traces and not on the same tracks of passing ones.
pub fn skipping<T: Transitions>(
    known_fates: &KnownFates<'_, T>,
    tracks: &Tracks,
) -> Result<Vec<Anomaly>, Interrupt> {
    let edges = EdgesByLabel::new(known_fates);
    let levels = known_fates.explored.levels_up_to(Exploration::NO_LEVEL - 1);
    let mut search = Search {
        known_fates,
        pulse: Pulse::new("comparing", known_fates.watch),
        seen: vec![0; known_fates.system.bound()],
        came: vec![Edge { label: 0, state: 0 }; known_fates.system.bound()],
        waiting: Vec::new(),
        followers: Vec::new(),
        slot: vec![usize::MAX; known_fates.labels],
    };
    let mut found: Vec<Anomaly> = Vec::new();
    for (number, (label, set)) in (1..).zip(&tracks.tracks) {
        search.run(number, *label, &tracks.sets[*set], edges.of(*label))?;
        search.collect(*label, &levels, &mut found);
    }
    found.sort_by(|one, other| (&one.events, one.position).cmp(&(&other.events, other.position)));
    found.dedup_by(|one, other| one.events == other.events);
    Ok(found)
}

struct Search<'g, 'a, T> {
    known_fates: &'g KnownFates<'a, T>,
    pulse: Pulse<'a>,
    /// The last track on which each state was seen, and how it was come to.
    seen: Vec<u32>,
    came: Vec<Edge>,
    waiting: Vec<u32>,
    /// What follows the event of the track, and by label where in the list it stands.
    followers: Vec<Follower>,
    slot: Vec<usize>,
}

struct Follower {
    label: u32,
    outcome: u8,
    crossing: Crossing,
    /// The first failing occurrence: the state before its last step, and the one after.
    first: Option<(u32, u32)>,
}

impl<T: Transitions> Search<'_, '_, T> {
    fn run(
        &mut self,
        track: u32,
        event: u32,
        counts: &BitSet,
        sources: &[(u32, u32)],
    ) -> Result<(), Interrupt> {
        let known_fates = self.known_fates;
        for (source, target) in sources {
            if !known_fates.goes_on(*target) || self.seen[*target as usize] == track {
                continue;
            }
            self.seen[*target as usize] = track;
            self.came[*target as usize] = Edge { label: event, state: *source };
            self.waiting.push(*target);
            let mut at = 0;
            while let Some(state) = self.waiting.get(at).copied() {
                at += 1;
                self.pulse.beat(known_fates.system.degree(state))?;
                let (seen, came, waiting) = (&mut self.seen, &mut self.came, &mut self.waiting);
                let (followers, slot) = (&mut self.followers, &mut self.slot);
                known_fates.system.successors(state, |label, target| {
                    if counts.contains(label) {
                        if slot[label as usize] == usize::MAX {
                            slot[label as usize] = followers.len();
                            followers.push(Follower {
                                label,
                                outcome: 0,
                                crossing: Crossing::Before,
                                first: None,
                            });
                        }
                        let follower = &mut followers[slot[label as usize]];
                        follower.outcome |= known_fates.outcome(target);
                        if known_fates.decides(state, target) {
                            follower.crossing = Crossing::Last;
                        }
                        if known_fates.outcome(target) & FAILING != 0 && follower.first.is_none() {
                            follower.first = Some((state, target));
                        }
                    } else if target != OUTSIDE
                        && known_fates.goes_on(target)
                        && seen[target as usize] != track
                    {
                        seen[target as usize] = track;
                        came[target as usize] = Edge { label, state };
                        waiting.push(target);
                    }
                });
            }
            self.waiting.clear();
        }
        Ok(())
    }

    /// Adds the anomalies of the track that was searched, and forgets it.
    fn collect(&mut self, event: u32, levels: &[u32], found: &mut Vec<Anomaly>) {
        for follower in std::mem::take(&mut self.followers) {
            self.slot[follower.label as usize] = usize::MAX;
            let Some((mut state, target)) = follower.first else { continue };
            if follower.outcome & PASSING != 0 {
                continue;
            }
            let mut steps = vec![Edge { label: follower.label, state: target }];
            // The event itself counts on its own track, so it is met once, at the start.
            let start = loop {
                let Edge { label, state: before } = self.came[state as usize];
                steps.push(Edge { label, state });
                state = before;
                if label == event {
                    break state;
                }
            };
            steps.reverse();
            let crossing = follower.crossing.min(crossing(self.known_fates, start, &steps));
            let position = levels[start as usize];
            found.push(Anomaly { events: vec![event, follower.label], position, start, steps, crossing });
        }
    }
}

/// The edges that traces can go on from, by label, those with the nearest sources first.
struct EdgesByLabel {
    starts: Vec<usize>,
    edges: Vec<(u32, u32)>,
}

impl EdgesByLabel {
    fn new<T: Transitions>(known_fates: &KnownFates<'_, T>) -> Self {
        let each = |visit: &mut dyn FnMut(u32, u32, u32)| {
            for state in
                known_fates.explored.live().iter().copied().filter(|state| known_fates.goes_on(*state))
            {
                known_fates.system.successors(state, |label, target| {
                    if target != OUTSIDE {
                        visit(label, state, target);
                    }
                });
            }
        };
        let mut starts = vec![0; known_fates.labels + 1];
        each(&mut |label, _, _| starts[label as usize + 1] += 1);
        for label in 0..known_fates.labels {
            starts[label + 1] += starts[label];
        }
        let mut next = starts.clone();
        let mut edges = vec![(0, 0); starts[known_fates.labels]];
        each(&mut |label, source, target| {
            edges[next[label as usize]] = (source, target);
            next[label as usize] += 1;
        });
        Self { starts, edges }
    }

    fn of(&self, label: u32) -> &[(u32, u32)] {
        &self.edges[self.starts[label as usize]..self.starts[label as usize + 1]]
    }
}
