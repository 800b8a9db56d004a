//! Endless traces and the automata that read them.
//!
//! A property of endless traces is violated by a trace that a Büchi automaton accepts. A finite system
//! has such a trace exactly if its product with the automaton has a cycle through an accepting state
//! that can be reached (Vardi and Wolper 1986). Here the product is never written out ([`Product`]); its
//! strongly connected components tell which of its nodes have an accepted continuation
//! ([`Continuations`]), with or without weak fairness; and a breadth-first search finds a short
//! counterexample ([`Counterexample`]). Together with the automaton of the traces that meet the property the
//! same components tell what can still become of a trace ([`Unfolded`]).
//!
//! How a trace is read ([`Reading`]) follows SPIN:
//!
//! - The automaton reads a letter before every step, the initial state's first.
//! - Inside a sequence that nothing interrupts it does not move, and so does not see those states.
//! - Where a trace ends the last letter is read again and again, unless the property says otherwise.
//! - Where the automaton cannot move the trace is of no interest any more.

mod accepting;
mod along;
mod continuations;
mod lasso;
mod passed_over;
mod processes;
mod product;
mod recheck;
mod taken;
mod unfolded;

pub use along::accepts;
pub use continuations::{Answer, Continuations};
pub use lasso::{Counterexample, Ending};
pub use passed_over::pass_over;
pub use product::{Product, Reading, TooLarge};
pub use recheck::is_accepted_from;
pub use taken::Taken;
pub use unfolded::{NotUnfolded, Unfolded};
