//! The explanatory sequence: from an anomaly back to where it comes from.
//!
//! The paper leaves this step to a person. Here every event asks what it needed: a variable that it
//! read leads to the last step that wrote it, a message to the step that sent it, a step inside a
//! sequence that nothing interrupts to the one before it, a step behind a condition to the condition,
//! until nothing new comes up. The result is a dynamic slice of the counterexample (Korel and Laski,
//! 1988), with a reason for every link.
//!
//! One case is special, and it is the paper's own: a variable holds what it holds because the event that
//! would have changed it was deferred. Then the old writer explains nothing; the link goes to the step
//! after which the deferred event could have been executed. The deferred event is part of a piece
//! of work that its process began when somebody last spoke to it, and the sequence goes back no
//! further than there: all before went as intended.

use std::collections::{BTreeMap, BTreeSet};

use graph::Footprint;

use super::deferred::{Deferred, TouchedStep};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    /// The indices of its steps, ascending.
    pub steps: Vec<usize>,
    pub links: Vec<Link>,
    /// The deferred events that links lead through, by their numbers.
    pub deferred: Vec<usize>,
}

/// One step of a sequence needed another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link {
    /// The index of the step that was needed, and of the one that needed it.
    pub from: usize,
    pub to: usize,
    pub why: Why,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// It was the last to write this variable.
    Wrote(String),
    /// It sent the message, through this channel.
    Sent(String),
    /// Nothing could come between them.
    Inside,
    /// It asked something, and only after this answer does its process come to the step.
    Guarded,
    /// The variable still has its old value, because the deferred event with this number, which could
    /// have been executed since then, was not.
    Stale(String, usize),
    /// It is the step before it of the process whose event is deferred.
    Before,
}

/// The sequence that leads to the steps with the indices `seeds`.
pub fn sequence(steps: &[TouchedStep], deferred: &[Deferred], seeds: &[usize]) -> Sequence {
    let slicing = Slicing { steps, deferred, sent: matching_sends(steps) };
    let whole = slicing.back(seeds, 0);
    let Some(start) = whole.deferred.iter().map(|number| slicing.beginning(*number)).min() else {
        return whole;
    };
    let mut cut = slicing.back(seeds, start);
    for number in cut.deferred.clone() {
        slicing.add_work(number, &mut cut);
    }
    cut.links.retain(|link| cut.steps.contains(&link.from) && cut.steps.contains(&link.to));
    cut.links.sort();
    cut.links.dedup();
    cut
}

struct Slicing<'a> {
    steps: &'a [TouchedStep],
    deferred: &'a [Deferred],
    /// By step, the channels it receives from and the steps that sent what it received.
    sent: BTreeMap<usize, Vec<(String, usize)>>,
}

impl Slicing<'_> {
    /// Goes back from the seeds, but not to steps before `start`.
    fn back(&self, seeds: &[usize], start: usize) -> Sequence {
        let mut steps: BTreeSet<usize> = seeds.iter().copied().collect();
        let mut waiting: Vec<usize> = seeds.to_vec();
        let mut links = Vec::new();
        let mut deferred = BTreeSet::new();
        while let Some(to) = waiting.pop() {
            for (from, why) in self.needs(to) {
                if from < start {
                    continue;
                }
                if let Why::Stale(_, number) = &why {
                    deferred.insert(*number);
                }
                links.push(Link { from, to, why });
                if steps.insert(from) {
                    waiting.push(from);
                }
            }
        }
        links.sort();
        links.dedup();
        Sequence { steps: steps.into_iter().collect(), links, deferred: deferred.into_iter().collect() }
    }

    fn needs(&self, to: usize) -> Vec<(usize, Why)> {
        let step = &self.steps[to];
        let mut needs = Vec::new();
        for name in &step.footprint.reads {
            let writer = self.steps[..to].iter().rposition(|other| {
                let footprint = &other.footprint;
                // A rendezvous leaves nothing in its channel.
                let mut kept =
                    footprint.sends.iter().chain(&footprint.receives).filter(|one| one.slot.is_some());
                footprint.writes.contains(name) || kept.any(|one| one.channel == *name)
            });
            // Whoever wrote it after that made it what it is.
            let is_stale = |one: &Deferred| {
                let untouched = writer.is_none_or(|writer| writer < one.since);
                one.is_pending(to) && one.since > 0 && one.footprint.writes.contains(name) && untouched
            };
            if let Some(number) = self.deferred.iter().position(is_stale) {
                needs.push((self.deferred[number].since - 1, Why::Stale(name.clone(), number)));
                continue;
            }
            needs.extend(writer.map(|from| (from, Why::Wrote(name.clone()))));
        }
        for (channel, from) in self.sent.get(&to).into_iter().flatten() {
            needs.push((*from, Why::Sent(channel.clone())));
        }
        if step.is_inside && to > 0 {
            needs.push((to - 1, Why::Inside));
        } else {
            needs.extend(self.guard(to).map(|from| (from, Why::Guarded)));
        }
        needs
    }

    /// The step before it of the same process, if all that it did was to ask.
    fn guard(&self, to: usize) -> Option<usize> {
        let actors = self.steps[to].actors;
        let before = self.steps[..to].iter().rposition(|step| step.shares_actor(actors))?;
        let Footprint { reads, writes, begins, sends, receives } = &self.steps[before].footprint;
        let does_nothing = writes.is_empty() && begins.is_empty() && sends.is_empty() && receives.is_empty();
        (does_nothing && !reads.is_empty()).then_some(before)
    }

    /// Where the work began of which a deferred event is a part: where its process was last spoken to
    /// before the step that made the event possible.
    fn beginning(&self, number: usize) -> usize {
        self.work(number).last().copied().unwrap_or(self.deferred[number].since)
    }

    /// The steps of that work, from the last to the first.
    fn work(&self, number: usize) -> Vec<usize> {
        let one = &self.deferred[number];
        let Some(enabling) = one.since.checked_sub(1) else { return Vec::new() };
        let mut work = vec![enabling];
        if !one.after_own_step {
            return work;
        }
        // The step that made it possible may be a rendezvous; whose work it is, the event itself says.
        let owner = |step: &TouchedStep| {
            one.step
                .map_or(self.steps[enabling].actors, |at| self.steps[at].actors)
                .iter()
                .any(|own| step.actors.iter().any(|other| other == own))
        };
        for at in (0..enabling).rev().filter(|at| owner(&self.steps[*at])) {
            work.push(at);
            if !self.steps[at].footprint.receives.is_empty() {
                return work;
            }
        }
        // Nobody spoke to it: then its own steps explain nothing.
        work.truncate(1);
        work
    }

    fn add_work(&self, number: usize, sequence: &mut Sequence) {
        let work = self.work(number);
        for pair in work.windows(2) {
            let [to, from] = [pair[0], pair[1]];
            if !sequence.links.iter().any(|link| (link.from, link.to) == (from, to)) {
                sequence.links.push(Link { from, to, why: Why::Before });
            }
        }
        sequence.steps.extend(work);
        sequence.steps.extend(self.deferred[number].step);
        sequence.steps.sort_unstable();
        sequence.steps.dedup();
    }
}

/// For every step that takes messages out of channels, who put them in: the channels are played again
/// with the indices of the sending steps in place of the messages.
fn matching_sends(steps: &[TouchedStep]) -> BTreeMap<usize, Vec<(String, usize)>> {
    let mut channels: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut sent: BTreeMap<usize, Vec<(String, usize)>> = BTreeMap::new();
    for (at, step) in steps.iter().enumerate() {
        for passage in &step.footprint.receives {
            let Some(slot) = passage.slot else { continue };
            let held = channels.entry(&passage.channel).or_default();
            let slot = slot as usize;
            if slot < held.len() {
                sent.entry(at).or_default().push((passage.channel.clone(), held[slot]));
                if !passage.stays {
                    held.remove(slot);
                }
            }
        }
        for passage in &step.footprint.sends {
            let Some(slot) = passage.slot else { continue };
            let held = channels.entry(&passage.channel).or_default();
            held.insert((slot as usize).min(held.len()), at);
        }
    }
    sent
}

#[cfg(test)]
mod tests {
    use graph::{Actors, Passage};

    use super::*;

    fn step(process: u8, reads: &[&str], writes: &[&str]) -> TouchedStep {
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
        let footprint = Footprint { reads: names(reads), writes: names(writes), ..Footprint::default() };
        TouchedStep { label: 0, actors: Actors::new(process, None), footprint, is_inside: false }
    }

    fn passage(channel: &str, slot: Option<u32>) -> Vec<Passage> {
        vec![Passage { channel: channel.to_owned(), slot, stays: false }]
    }

    fn sends(process: u8, channel: &str, slot: Option<u32>) -> TouchedStep {
        let mut step = step(process, &[], &[]);
        step.footprint.sends = passage(channel, slot);
        step
    }

    fn receives(process: u8, channel: &str, slot: u32) -> TouchedStep {
        let mut step = step(process, &[], &[]);
        step.footprint.receives = passage(channel, Some(slot));
        step
    }

    fn link(from: usize, to: usize, why: Why) -> Link {
        Link { from, to, why }
    }

    #[test]
    fn values_lead_to_their_last_writer() {
        let steps =
            [step(0, &[], &["x"]), step(1, &[], &["x"]), step(1, &[], &["y"]), step(0, &["x"], &["z"])];
        let found = sequence(&steps, &[], &[3]);
        assert_eq!(found.steps, [1, 3]);
        assert_eq!(found.links, [link(1, 3, Why::Wrote("x".to_owned()))]);
    }

    #[test]
    fn messages_lead_to_who_sent_them_and_not_to_others_in_the_channel() {
        // The second message is sorted in before the first, so it is received first.
        let steps =
            [sends(0, "c", Some(0)), sends(1, "c", Some(0)), receives(2, "c", 0), receives(2, "c", 0)];
        assert_eq!(sequence(&steps, &[], &[2]).links, [link(1, 2, Why::Sent("c".to_owned()))]);
        assert_eq!(sequence(&steps, &[], &[3]).links, [link(0, 3, Why::Sent("c".to_owned()))]);
    }

    #[test]
    fn who_asks_of_a_channel_is_led_to_who_filled_it_but_not_to_a_rendezvous() {
        let filled = [sends(0, "c", Some(0)), step(1, &["c"], &[])];
        assert_eq!(sequence(&filled, &[], &[1]).steps, [0, 1]);
        let passed = [sends(0, "c", None), step(1, &["c"], &[])];
        assert_eq!(sequence(&passed, &[], &[1]).steps, [1]);
    }

    #[test]
    fn conditions_lead_on_to_what_they_ask() {
        // Process 1 sets x; process 0 finds it set and, after a step of 1, writes y.
        let steps = [step(1, &[], &["x"]), step(0, &["x"], &[]), step(1, &[], &["w"]), step(0, &[], &["y"])];
        let found = sequence(&steps, &[], &[3]);
        assert_eq!(found.steps, [0, 1, 3]);
        assert!(found.links.contains(&link(1, 3, Why::Guarded)));
        // A step that does something is no condition.
        let steps = [step(0, &["x"], &["v"]), step(0, &[], &["y"])];
        assert_eq!(sequence(&steps, &[], &[1]).steps, [1]);
    }

    #[test]
    fn what_nothing_interrupts_leads_to_the_step_before() {
        let mut steps = vec![step(0, &[], &["x"]), step(0, &[], &["y"])];
        steps[1].is_inside = true;
        assert_eq!(sequence(&steps, &[], &[1]).links, [link(0, 1, Why::Inside)]);
    }

    /// As in the paper's example: the answer comes before the flag is taken down, and meanwhile somebody reads
    /// the flag.
    #[test]
    fn stale_values_lead_to_where_the_deferred_event_could_have_been() {
        let steps = [
            step(0, &[], &["flag"]),
            receives(0, "ask", 0),
            sends(0, "ok", Some(0)),
            step(1, &["flag"], &["wrong"]),
            step(0, &[], &["flag"]),
        ];
        let late = Deferred {
            label: 0,
            step: Some(4),
            since: 3,
            after_own_step: true,
            overtaken_by: vec![3],
            footprint: steps[4].footprint.clone(),
        };
        let found = sequence(&steps, &[late], &[3]);
        // From the request on; who put the flag up explains nothing.
        assert_eq!(found.steps, [1, 2, 3, 4]);
        assert_eq!(found.links, [link(1, 2, Why::Before), link(2, 3, Why::Stale("flag".to_owned(), 0))]);
        assert_eq!(found.deferred, [0]);
    }
}
