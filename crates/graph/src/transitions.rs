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

    /// Calls `visit(label, target)` for every edge out of `state`; the target may be [`OUTSIDE`].
    fn successors(&self, state: u32, visit: impl FnMut(u32, u32));

    /// Calls `visit(label, source)` for every edge into `state`. Sources that cannot be reached may
    /// be among them; a source from which everything that follows is violating may be missing, since
    /// nothing is decided there any more.
    fn predecessors(&self, state: u32, visit: impl FnMut(u32, u32));

    /// How many edges leave `state`, those to [`OUTSIDE`] included.
    fn degree(&self, state: u32) -> u32;
}
