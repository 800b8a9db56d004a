//! The bug has a name: known patterns of bugs, read off a counterexample and tested on the whole system.
//!
//! A [`Scene`] is the counterexample as data: who moves, what each step reads, writes, sends, receives and does to locks
//! and signals, and who stands before what at its end. Each pattern is a file. It says what it looks for, when it
//! applies, and what would refute it. A match is a cast: who, which variable or lock or channel, which steps.
//!
//! A match in one trace proves nothing, so every match is tested on the whole graph ([`recheck`]): a small monitor runs
//! along with the system, and a step that would complete the pattern is blocked. If violating states are still reached,
//! or nothing passes any more, the match is refuted and nobody is told of it.
//!
//! Nothing here knows an input language. Where a language has no locks, a variable or channel that is used as one counts
//! as one; [`lock_order`] has the rule.

mod capacity;
mod catalogue;
mod check_then_act;
mod circular_full_channels;
mod division_by_zero;
mod double_release;
mod dropped;
mod environment;
mod flow;
mod following;
mod foreign_release;
mod if_for_while;
mod leaked_lock;
mod lens;
mod lock_order;
mod lost_update;
mod missed_signal;
mod missing_case;
mod names;
mod not_atomic_pair;
mod null_or_dangling;
mod off_by_one;
mod product;
mod proposals;
mod recheck;
mod scene;
mod served_update;
mod skipped;
mod slips;
mod stale_answer;
mod stale_value;
mod starvation;
mod told_early;
mod uninitialised;
mod untested;
mod update_then_test;
mod use_before_ready;
mod waits_for_ended;
mod windows;
mod world;
mod wrap_around;
mod wrong_notify;

pub use catalogue::{named, named_without_graph};
pub use lens::Act;
pub use proposals::proposals;
pub use recheck::{Limits, Monitor, Next, Tested, recheck};
pub use scene::{Course, Ending, Scene, SceneStep};
pub use slips::settle;
pub use starvation::{Loop, starved};
pub use world::World;
