//! Neighbourhoods: where failing and passing traces part.
//!
//! Barbon, Leroy and Salaün, "Debugging of Concurrent Systems using Counterexample Analysis"
//! (FSEN 2017). The *counterexample LTS* is the product of the model with the automaton of the
//! forbidden sequences, pruned to the states from which a violation can still come. An edge of the
//! model that leaves it is a *correct transition*; a state with one is on the *frontier*; that
//! state's incoming and outgoing edges in the counterexample LTS are its *neighbourhood*
//! (Definition 9). A counterexample is abstracted to the steps that lie in neighbourhoods.
//!
//! Beside the paper stand the colours that its authors' tool CLEAR computes. *Green*: a correct
//! transition. *Black*: an edge of the counterexample LTS after which the frontier can still be
//! reached. *Red*: every other edge of it. They give each neighbourhood a [`Kind`].

use graph::{BitSet, Exploration, Fates, Interrupt, OUTSIDE, Trace, Transitions, Watch};

use crate::pulse::Pulse;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    Green,
    Black,
    Red,
}

/// What kinds of edges leave a neighbourhood's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Green ones beside black ones at most.
    G,
    /// Green and red.
    Gr,
    /// Green, red and black.
    Grb,
    /// No green one, some red ones, and no red one comes in: here the frontier was left behind.
    /// CLEAR's addition, not a neighbourhood by Definition 9.
    R,
}

impl Kind {
    pub const ALL: [Kind; 4] = [Kind::G, Kind::Gr, Kind::Grb, Kind::R];
}

/// One neighbourhood; labels ascending, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbourhood {
    pub state: u32,
    /// The state's number in the counterexample LTS, counted breadth-first, states beyond violations last.
    pub number: u64,
    pub kind: Kind,
    pub incoming: Vec<u32>,
    /// Labels of the outgoing edges that stay in the counterexample LTS.
    pub failing: Vec<u32>,
    /// Labels of the correct transitions.
    pub correct: Vec<u32>,
}

/// How large a graph is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    pub states: u64,
    pub transitions: u64,
    pub labels: u64,
}

/// The colours of a whole counterexample LTS.
#[derive(Debug)]
pub struct Neighbourhoods {
    green_out: BitSet,
    red_out: BitSet,
    black_out: BitSet,
    red_in: BitSet,
    /// States from which a state with a green edge can be reached.
    nears_green: BitSet,
    /// The size of the counterexample LTS.
    pub size: Size,
    /// How many states of each kind there are: G, GR, GRB, R.
    pub kinds: [u64; 4],
}

impl Neighbourhoods {
    pub fn new<T: Transitions>(
        system: &T,
        labels: usize,
        explored: &Exploration,
        fates: &Fates,
        watch: &dyn Watch,
    ) -> Result<Self, Interrupt> {
        let mut pulse = Pulse::new("colouring", watch);
        let none = || BitSet::new(system.bound());
        let (mut green_out, mut nears_green) = (none(), none());
        let kept = || explored.reached_ascending().filter(|state| fates.can_fail(*state));

        let mut near = Vec::new();
        for state in kept() {
            let mut green = false;
            system.successors(state, |_, target| green |= leaves(explored, fates, target));
            if green {
                green_out.insert(state);
                nears_green.insert(state);
                near.push(state);
            }
            pulse.beat(system.degree(state))?;
        }

        while let Some(state) = near.pop() {
            let mut edges = 0;
            system.predecessors(state, |_, source| {
                edges += 1;
                // Whatever leads to a state that can fail can fail itself.
                if !nears_green.contains(source) && explored.is_reached(source) {
                    nears_green.insert(source);
                    near.push(source);
                }
            });
            pulse.beat(edges)?;
        }

        let mut size = Size::default();
        let mut label_seen = vec![false; labels];
        let (mut red_out, mut black_out, mut red_in) = (none(), none(), none());
        for state in kept() {
            size.states += 1;
            let (mut red, mut black) = (false, false);
            system.successors(state, |label, target| {
                if !stays(explored, fates, target) {
                    return;
                }
                size.transitions += 1;
                label_seen[label as usize] = true;
                if nears_green.contains(target) {
                    black = true;
                } else {
                    red = true;
                    red_in.insert(target);
                }
            });
            if red {
                red_out.insert(state);
            }
            if black {
                black_out.insert(state);
            }
            pulse.beat(system.degree(state))?;
        }
        size.labels = label_seen.iter().filter(|seen| **seen).count() as u64;

        let mut result = Self { green_out, red_out, black_out, red_in, nears_green, size, kinds: [0; 4] };
        for state in kept() {
            if let Some(kind) = result.kind(state) {
                result.kinds[kind as usize] += 1;
            }
        }
        Ok(result)
    }

    /// How many neighbourhoods there are by Definition 9, that is, without kind R.
    pub fn count(&self) -> u64 {
        self.kinds[..3].iter().sum()
    }

    /// Whether `state` has a correct transition.
    #[inline]
    pub fn is_frontier(&self, state: u32) -> bool {
        self.green_out.contains(state)
    }

    /// Whether a state with a correct transition can be reached from `state`, be it beyond a violation.
    #[inline]
    pub fn nears_frontier(&self, state: u32) -> bool {
        self.nears_green.contains(state)
    }

    pub fn kind(&self, state: u32) -> Option<Kind> {
        let has = |set: &BitSet| set.contains(state);
        match (has(&self.green_out), has(&self.red_out), has(&self.black_out)) {
            (true, false, _) => Some(Kind::G),
            (true, true, false) => Some(Kind::Gr),
            (true, true, true) => Some(Kind::Grb),
            (false, true, _) if !has(&self.red_in) => Some(Kind::R),
            _ => None,
        }
    }

    /// The colour of an edge from a state of the counterexample LTS; none where too little was
    /// explored to tell whether it stays there. After an incomplete exploration, red says that no
    /// correct transition was found behind the edge.
    pub fn colour(&self, explored: &Exploration, fates: &Fates, target: u32) -> Option<Colour> {
        if leaves(explored, fates, target) {
            Some(Colour::Green)
        } else if !stays(explored, fates, target) {
            None
        } else if self.nears_frontier(target) {
            Some(Colour::Black)
        } else {
            Some(Colour::Red)
        }
    }

    /// The neighbourhoods, those of kind R included: nearest to the initial state first, and at the end
    /// those beyond violations.
    pub fn list<'a, T: Transitions>(
        &'a self,
        system: &'a T,
        explored: &'a Exploration,
        fates: &'a Fates,
    ) -> impl Iterator<Item = Neighbourhood> + 'a {
        let kept = explored.reached().filter(|state| fates.can_fail(*state));
        (0..).zip(kept).filter_map(move |(number, state)| {
            let kind = self.kind(state)?;
            let mut found = Neighbourhood {
                state,
                number,
                kind,
                incoming: Vec::new(),
                failing: Vec::new(),
                correct: Vec::new(),
            };
            system.successors(state, |label, target| match self.colour(explored, fates, target) {
                Some(Colour::Green) => found.correct.push(label),
                Some(_) => found.failing.push(label),
                None => {}
            });
            system.predecessors(state, |label, source| {
                if explored.is_reached(source) {
                    found.incoming.push(label);
                }
            });
            for labels in [&mut found.incoming, &mut found.failing, &mut found.correct] {
                labels.sort_unstable();
                labels.dedup();
            }
            Some(found)
        })
    }

    /// Every edge of the counterexample LTS and every correct transition: source, label, target,
    /// colour. The target of a correct transition is what the system says, [`OUTSIDE`] or a state
    /// that cannot fail.
    pub fn each_edge<T: Transitions>(
        &self,
        system: &T,
        explored: &Exploration,
        fates: &Fates,
        mut visit: impl FnMut(u32, u32, u32, Colour),
    ) {
        for state in explored.reached().filter(|state| fates.can_fail(*state)) {
            system.successors(state, |label, target| {
                if let Some(colour) = self.colour(explored, fates, target) {
                    visit(state, label, target, colour);
                }
            });
        }
    }

    /// Abstracts `trace` to the steps that lie in neighbourhoods.
    pub fn abstraction(&self, trace: &Trace) -> Abstraction {
        let states: Vec<u32> = trace.states().collect();
        let kept: Vec<bool> =
            states.windows(2).map(|pair| pair.iter().any(|state| self.is_frontier(*state))).collect();
        let touched = states.iter().filter(|state| self.is_frontier(**state)).count();
        Abstraction { kept, touched: touched as u64 }
    }
}

/// Whether an edge to `target` leaves the counterexample LTS.
#[inline]
fn leaves(explored: &Exploration, fates: &Fates, target: u32) -> bool {
    target == OUTSIDE || (explored.is_reached(target) && fates.is_safe(target))
}

/// Whether an edge to `target` stays in the counterexample LTS.
#[inline]
fn stays(explored: &Exploration, fates: &Fates, target: u32) -> bool {
    target != OUTSIDE && explored.is_reached(target) && fates.can_fail(target)
}

/// Which steps of a counterexample the neighbourhoods keep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Abstraction {
    /// Per step, whether it comes into or out of a neighbourhood's state.
    pub kept: Vec<bool>,
    /// How many states on the trace have a neighbourhood.
    pub touched: u64,
}

impl Abstraction {
    /// The kept sub-sequences as ranges of steps.
    pub fn runs(&self) -> Vec<std::ops::Range<usize>> {
        let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
        for (at, _) in self.kept.iter().enumerate().filter(|(_, kept)| **kept) {
            match runs.last_mut() {
                Some(run) if run.end == at => run.end += 1,
                _ => runs.push(at..at + 1),
            }
        }
        runs
    }

    /// How many steps are left. A counterexample that touches no neighbourhood comes back whole.
    pub fn len(&self) -> usize {
        if self.touched == 0 { self.kept.len() } else { self.kept.iter().filter(|kept| **kept).count() }
    }

    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}

/// Why a counterexample touches no neighbourhood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untouched {
    /// No trace passes: the system was doomed from the start.
    DoomedFromTheStart,
    /// Passing traces exist, but none leaves this trace by a correct transition: they part from it
    /// by a step after which failing was still possible. The state at which they last could.
    PartedEarlier { last_free: usize },
    /// The only way to pass is to go round in circles for ever.
    OnlyByCircling,
    /// Too little was explored to tell.
    NotExplored,
}
