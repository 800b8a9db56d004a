//! What the algorithms need to know of a graph.

/// The end of an edge that leaves everything a property still cares about: no violation can come
/// after it, so nobody keeps states there.
pub const OUTSIDE: u32 = u32::MAX;

/// States with labelled edges both ways, some of them violating.
///
/// A graph in memory, its product with an automaton, and pairs of matched states all answer these
/// questions; the algorithms are compiled for each.
pub trait Transitions {
    /// All states are below this number; not every number need be a state.
    fn bound(&self) -> usize;

    /// The initial states, ascending.
    fn initial(&self) -> Vec<u32>;

    /// Whether a trace that arrives here has failed. For every method, a trace ends there; the edges
    /// beyond are still given, because CLEAR's colours look at them.
    fn is_violating(&self, state: u32) -> bool;

    /// Whether the violation of `state`, which is violating, is the one to be explained. Others end a
    /// trace as well, but a trace that ends there neither fails in this way nor passes.
    fn is_target(&self, state: u32) -> bool {
        self.is_violating(state)
    }

    /// Whether `state`, which is violating, stands for the ends of several steps that are violations.
    fn is_shared_end(&self, _state: u32) -> bool {
        false
    }

    /// Whether nobody knows the edges of `state`, because whoever built the graph had to stop.
    fn is_open(&self, _state: u32) -> bool {
        false
    }

    /// Whether steps are taken by processes, so that there is something to be fair to.
    fn has_processes(&self) -> bool {
        false
    }

    /// The processes that take part in a step with this label.
    fn actors(&self, _label: u32) -> Actors {
        Actors::NONE
    }

    /// Whether `state` lies inside a sequence that nothing interrupts: that other processes do not move
    /// there says nothing about whether they could.
    fn is_uninterrupted(&self, _state: u32) -> bool {
        false
    }

    /// Calls `visit(label, target)` for every edge out of `state`; the target may be [`OUTSIDE`].
    fn successors(&self, state: u32, visit: impl FnMut(u32, u32));

    /// Calls `visit(label, source)` for every edge into `state`. Sources that cannot be reached may
    /// be among them; a source from which everything that follows is violating may be missing, since
    /// nothing is decided there any more.
    fn predecessors(&self, state: u32, visit: impl FnMut(u32, u32));

    /// How many edges leave `state`, those to [`OUTSIDE`] included.
    fn degree(&self, state: u32) -> u32;

    /// The states outside, for the few who ask what traces do there, have numbers of their own below
    /// this one.
    fn outside_bound(&self) -> usize {
        0
    }

    /// Calls `visit(label, target)` for every edge from `state` to [`OUTSIDE`]; the target is a state
    /// outside.
    fn leaving(&self, _state: u32, _visit: impl FnMut(u32, u32)) {}

    /// Calls `visit(label, target)` for every edge out of a state outside; the target is another one.
    fn outside_successors(&self, _outside: u32, _visit: impl FnMut(u32, u32)) {}
}

/// The processes that take a step together: none are known in a transition system, one takes most steps
/// of a program, two take a rendezvous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Actors([u8; 2]);

impl Actors {
    pub const NONE: Actors = Actors([Self::NOBODY; 2]);
    const NOBODY: u8 = u8::MAX;

    /// # Panics
    /// If a number is 255, which is nobody's.
    pub fn new(first: u8, second: Option<u8>) -> Self {
        let second = second.unwrap_or(Self::NOBODY);
        assert_ne!(first, Self::NOBODY);
        Self([first, second])
    }

    pub fn iter(self) -> impl Iterator<Item = u8> {
        self.0.into_iter().filter(|process| *process != Self::NOBODY)
    }

    pub fn is_none(self) -> bool {
        self == Self::NONE
    }
}
