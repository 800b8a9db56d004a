//! The largest simulation of one graph by another (Park 1981; Definition 5 of Barbon, Leroy and Salaün
//! 2017): `x ⊑ y` if every step `x -l-> x'` can be followed by some `y -l-> y'` with `x' ⊑ y'`.
//!
//! Only pairs that matter are looked at: those reached from the initial pairs by steps of equal labels.
//! They are closed under such steps, so what holds among them holds among all pairs. The greatest
//! fixpoint is found by counting: every step of `x` in every pair `(x, y)` is an *obligation* that
//! counts its answers, the pairs `(x', y')` that may still hold. A pair dies when an obligation has no
//! answer left, and takes one from the count of every obligation it answered. Time and space are in
//! proportion to the pairs of steps.
//!
//! Pairs die in the order of how soon `large` is stuck if it holds out as long as it can. So if an
//! initial state is not simulated, the answers that died last spell the shortest trace that shows it.

use std::hash::Hasher;

use graph::{Edge, Interrupt, StateGraph, Watch};
use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::pulse::Pulse;

/// Which states of `large` simulate which states of `small`, on the pairs that matter.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// Where the matches of each state of `small` start, and where the last ones end.
    offsets: Vec<u32>,
    matches: Vec<u32>,
    mismatch: Option<Mismatch>,
}

/// Why an initial state of `small` is simulated by no initial state of `large`.
///
/// If `small` takes the steps of `trace` and `large` follows as well as it can, they arrive at states
/// where `small` can do `label` and `large` cannot. With choices that look alike in `large`, another
/// choice may lead elsewhere, but never further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Labels of `small`, by number.
    pub trace: Vec<u32>,
    /// Where `small` is after the trace.
    pub small: u32,
    /// The step that cannot be followed, a label of `small`, and where `large` is; nothing if `large` has
    /// no initial state to begin with.
    pub stuck: Option<(u32, u32)>,
}

impl Simulation {
    /// The states of `large` that simulate `x`, ascending, of those that can be reached together with it
    /// from simulated initial states.
    pub fn matches(&self, x: u32) -> &[u32] {
        &self.matches[self.offsets[x as usize] as usize..self.offsets[x as usize + 1] as usize]
    }

    pub fn pair_count(&self) -> usize {
        self.matches.len()
    }

    /// All pairs `(x, y)`, ascending.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        let states = 0..self.offsets.len() as u32 - 1;
        states.flat_map(|x| self.matches(x).iter().map(move |y| (x, *y)))
    }

    /// Nothing if every initial state of `small` is simulated by one of `large`.
    pub fn mismatch(&self) -> Option<&Mismatch> {
        self.mismatch.as_ref()
    }
}

/// How `large` simulates `small`. Labels are matched by their texts. Steps of `small` labelled
/// `ignored_label`, a marker of where counterexamples end, are no part of the behaviour.
///
/// The watch sees the number of pairs as the number of states.
pub fn simulate(
    small: &StateGraph,
    large: &StateGraph,
    ignored_label: Option<u32>,
    watch: &dyn Watch,
) -> Result<Simulation, Interrupt> {
    let mut pulse = Pulse::new(watch, "matching");
    let mut game = Game::new(small, large, ignored_label);
    game.explore(&mut pulse)?;
    game.let_die(&mut pulse)?;
    let (offsets, matches) = game.surviving_pairs(&mut pulse)?;
    Ok(Simulation { offsets, matches, mismatch: game.mismatch() })
}

const NONE: u32 = u32::MAX;

/// A step of `small` in some pair.
struct Obligation {
    /// Whose step it is.
    pair: u32,
    label: u32,
    /// How many answers may still hold.
    answers: u32,
}

/// `target` is an answer to the obligation.
struct SettledObligation {
    obligation: u32,
    target: u32,
}

struct Death {
    pair: u32,
    /// The step that could not be followed any more.
    label: u32,
    /// The last answer to it that died; [`NONE`] if there never was one.
    last_answer: u32,
}

struct Game<'a> {
    small: &'a StateGraph,
    large: &'a StateGraph,
    /// For every label of `small`, the same one in `large`.
    translation: Vec<Translation>,
    pairs: Vec<(u32, u32)>,
    index: HashTable<u32>,
    obligations: Vec<Obligation>,
    /// By pair whose obligation they answer.
    answers: Vec<SettledObligation>,
    /// Where the answers of every pair start, and where the last ones end.
    answers_start: Vec<u32>,
    deaths: Vec<Death>,
    /// For every pair which of the deaths is its; [`NONE`] while it lives.
    death_of: Vec<u32>,
}

#[derive(Clone, Copy)]
enum Translation {
    Label(u32),
    Missing,
    Ignored,
}

impl<'a> Game<'a> {
    fn new(small: &'a StateGraph, large: &'a StateGraph, ignored_label: Option<u32>) -> Self {
        let translate = |(id, text)| match large.labels.find(text) {
            _ if Some(id) == ignored_label => Translation::Ignored,
            Some(label) => Translation::Label(label),
            None => Translation::Missing,
        };
        Self {
            small,
            large,
            translation: (0u32..).zip(small.labels.iter()).map(translate).collect(),
            pairs: Vec::new(),
            index: HashTable::new(),
            obligations: Vec::new(),
            answers: Vec::new(),
            answers_start: Vec::new(),
            deaths: Vec::new(),
            death_of: Vec::new(),
        }
    }

    /// Finds the pairs that matter, breadth-first. A pair with a step that `large` cannot follow at all
    /// dies at once, and nothing beyond it matters.
    fn explore(&mut self, pulse: &mut Pulse<'_>) -> Result<(), Interrupt> {
        for x in self.small.initial() {
            for y in self.large.initial() {
                self.find_or_add(*x, *y)?;
                pulse.work(1, self.pairs.len())?;
            }
        }
        let mut pair = 0;
        while let Some((x, y)) = self.pairs.get(pair as usize).copied() {
            let steps = self.small.edges(x);
            self.answers_start.push(self.answers.len() as u32);
            let stuck = steps.iter().find(|step| {
                let translation = self.translation[step.label as usize];
                !matches!(translation, Translation::Ignored) && self.followers(y, translation).is_empty()
            });
            if let Some(step) = stuck {
                self.die(pair, step.label, NONE);
            } else {
                for step in steps {
                    self.add_obligation(pair, y, *step)?;
                }
            }
            let work = self.answers.len() - self.answers_start[pair as usize] as usize;
            pulse.work(work + steps.len() + 1, self.pairs.len())?;
            pair += 1;
        }
        self.answers_start.push(self.answers.len() as u32);
        self.index = HashTable::new();
        Ok(())
    }

    fn followers(&self, y: u32, translation: Translation) -> &'a [Edge] {
        let Translation::Label(label) = translation else { return &[] };
        let edges = self.large.edges(y);
        let edges = &edges[edges.partition_point(|edge| edge.label < label)..];
        &edges[..edges.partition_point(|edge| edge.label == label)]
    }

    fn add_obligation(&mut self, pair: u32, y: u32, step: Edge) -> Result<(), Interrupt> {
        let followers = self.followers(y, self.translation[step.label as usize]);
        if followers.is_empty() {
            return Ok(());
        }
        // Every obligation has an answer, so if answers can be numbered, so can obligations.
        if self.answers.len() + followers.len() >= NONE as usize {
            return Err(Interrupt::Memory);
        }
        let obligation = self.obligations.len() as u32;
        self.obligations.push(Obligation { pair, label: step.label, answers: followers.len() as u32 });
        for follower in followers {
            let target = self.find_or_add(step.state, follower.state)?;
            self.answers.push(SettledObligation { obligation, target });
        }
        Ok(())
    }

    fn find_or_add(&mut self, x: u32, y: u32) -> Result<u32, Interrupt> {
        let Self { pairs, index, .. } = self;
        let hash = hash(x, y);
        if let Some(pair) = index.find(hash, |pair| pairs[*pair as usize] == (x, y)) {
            return Ok(*pair);
        }
        let pair = pairs.len() as u32;
        if pair == NONE {
            return Err(Interrupt::States(u64::from(NONE)));
        }
        pairs.push((x, y));
        index.insert_unique(hash, pair, |pair| {
            let (x, y) = pairs[*pair as usize];
            self::hash(x, y)
        });
        self.death_of.push(NONE);
        Ok(pair)
    }

    fn die(&mut self, pair: u32, label: u32, last_answer: u32) {
        self.death_of[pair as usize] = self.deaths.len() as u32;
        self.deaths.push(Death { pair, label, last_answer });
    }

    /// Passes deaths on to the obligations they leave without an answer, first come, first served.
    fn let_die(&mut self, pulse: &mut Pulse<'_>) -> Result<(), Interrupt> {
        if self.deaths.is_empty() {
            return Ok(());
        }
        let (starts, answered) = self.answered_obligations(pulse)?;
        let mut next = 0;
        while let Some(Death { pair, .. }) = self.deaths.get(next) {
            let pair = *pair;
            let answered = &answered[starts[pair as usize] as usize..starts[pair as usize + 1] as usize];
            for obligation in answered {
                let Obligation { pair: owner, label, answers } = &mut self.obligations[*obligation as usize];
                *answers -= 1;
                if *answers == 0 && self.death_of[*owner as usize] == NONE {
                    let (owner, label) = (*owner, *label);
                    self.die(owner, label, pair);
                }
            }
            pulse.work(answered.len() + 1, self.pairs.len())?;
            next += 1;
        }
        Ok(())
    }

    /// For every pair the obligations that it answers: where they start, and all of them.
    fn answered_obligations(&self, pulse: &mut Pulse<'_>) -> Result<(Vec<u32>, Vec<u32>), Interrupt> {
        let mut next = vec![0u32; self.pairs.len() + 1];
        for answer in &self.answers {
            next[answer.target as usize] += 1;
        }
        let mut sum = 0;
        for slot in &mut next {
            sum += std::mem::replace(slot, sum);
        }
        let starts = next.clone();
        let mut answered = vec![0; self.answers.len()];
        for answer in &self.answers {
            let slot = &mut next[answer.target as usize];
            answered[*slot as usize] = answer.obligation;
            *slot += 1;
            pulse.work(1, self.pairs.len())?;
        }
        Ok((starts, answered))
    }

    /// The pairs that hold and can be reached from initial ones that hold: for every state of `small`
    /// where its matches start, and all matches.
    fn surviving_pairs(&self, pulse: &mut Pulse<'_>) -> Result<(Vec<u32>, Vec<u32>), Interrupt> {
        let mut seen: Vec<bool> = self.death_of.iter().map(|death| *death != NONE).collect();
        let mut waiting = Vec::new();
        let mut found = Vec::new();
        let mut visit = |pair: u32, waiting: &mut Vec<u32>| {
            if !std::mem::replace(&mut seen[pair as usize], true) {
                found.push(self.pairs[pair as usize]);
                waiting.push(pair);
            }
        };
        // The initial pairs were added first.
        for pair in 0..self.small.initial().len() * self.large.initial().len() {
            visit(pair as u32, &mut waiting);
        }
        while let Some(pair) = waiting.pop() {
            let range = self.answers_start[pair as usize]..self.answers_start[pair as usize + 1];
            for answer in &self.answers[range.start as usize..range.end as usize] {
                visit(answer.target, &mut waiting);
            }
            pulse.work(range.len() + 1, self.pairs.len())?;
        }
        found.sort_unstable();
        let mut offsets = vec![0; self.small.state_count() + 1];
        for (x, _) in &found {
            offsets[*x as usize + 1] += 1;
        }
        for x in 0..self.small.state_count() {
            offsets[x + 1] += offsets[x];
        }
        Ok((offsets, found.into_iter().map(|(_, y)| y).collect()))
    }

    /// The soonest that an initial state of `small` leaves every initial state of `large` behind.
    fn mismatch(&self) -> Option<Mismatch> {
        let (small, large) = (self.small.initial(), self.large.initial());
        if large.is_empty() {
            return small.first().map(|x| Mismatch { trace: Vec::new(), small: *x, stuck: None });
        }
        // The deaths are in order; one that never happened has the largest number, NONE.
        let last_of = |deaths: &[u32]| deaths.iter().copied().max().unwrap_or(NONE);
        let deaths = &self.death_of[..small.len() * large.len()];
        let soonest = deaths.chunks(large.len()).map(last_of).min()?;
        let mut death = self.deaths.get(soonest as usize)?;
        let mut trace = Vec::new();
        while death.last_answer != NONE {
            trace.push(death.label);
            death = &self.deaths[self.death_of[death.last_answer as usize] as usize];
        }
        let (small, large) = self.pairs[death.pair as usize];
        Some(Mismatch { trace, small, stuck: Some((death.label, large)) })
    }
}

fn hash(x: u32, y: u32) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(u64::from(x) << 32 | u64::from(y));
    hasher.finish()
}
