//! Running Promela: control flow, frames and the rule of who may step next.
//!
//! [`Machine::new`] compiles a resolved program; a [`Machine`] is a [`graph::System`].

mod account;
mod claim;
mod compiled;
mod event;
mod flow;
mod frames;
mod hidden;
mod independence;
mod limits;
mod lower;
mod observer;
mod program;
mod scheduler;
mod tell;
mod temporal;
mod touches;
mod vector;
mod view;

pub use account::{Account, AccountStep, Goal, Made, NOBODYS};
pub(crate) use account::{account, declaration};
pub use event::{ASSERTION, Breach, Event};
pub use limits::{NotRunnable, Reason};
pub use program::{Machine, Statement};
pub use scheduler::Scheduler;
pub use tell::{Blocked, Change, Teller, Value, Wait};

pub use claim::{Claim, UnreadableClaim};
pub use observer::{Observed, Observer};
pub use temporal::abstracted;
