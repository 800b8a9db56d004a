//! Variations of a counterexample: what separates its failing relatives from its passing ones (Groce, Visser:
//! What Went Wrong: Explaining Counterexamples, 2003).
//!
//! A *negative* is a trace that fails in the same way with the same last step; a *positive* is one that takes
//! that step unharmed. [`generate`] finds some of each near the counterexample, [`exact`] looks at all of
//! them on a complete graph, and [`known`] sorts those that are given one by one. [`table`] compares the steps they take, [`transform`] looks for the smallest
//! changes that turn a positive into a negative.
//!
//! Steps are compared by their *keys*: the place of the executing process, who it is, and what it chooses
//! there, whatever the data are. A key is a number for every label.

pub mod exact;
pub mod generate;
pub mod known;
pub mod recheck;
pub mod table;
pub mod transform;
pub mod tree;

pub use exact::{Exact, exact};
pub use generate::{Generated, Order, Plan, generate};
pub use recheck::{Claim, walk_again};
pub use table::{Row, Side, Table};
pub use transform::{Class, Transformation, Transformed, transformations};
pub use tree::Tree;
