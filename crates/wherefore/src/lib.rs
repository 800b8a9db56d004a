//! Wherefore explains counterexamples: your model checker found one, what went wrong?
//!
//! It compares *all* failing traces of a system with *all* passing ones, and tells what made the difference: the step
//! after which nothing could be saved, sequences of events that only failing traces have, steps that no correct trace
//! takes. Every claim is rechecked by a search of its own.
//!
//! ```
//! use wherefore::{Explainer, Verdict};
//!
//! # let model = "../../examples/promela/counter.pml";
//! let explanation = Explainer::new().property("assertion").explain_file(model)?;
//! assert_eq!(explanation.verdict(), Verdict::Violated);
//! for cause in explanation.causes() {
//!     println!("{} ({:?})", cause.summary(), cause.recheck().0);
//! }
//! # assert!(explanation.causes().len() > 0);
//! # Ok::<(), wherefore::Error>(())
//! ```
//!
//! There are four ways in, and one [`Explanation`] out:
//!
//! | you have | you write | and ask |
//! |---|---|---|
//! | a Promela model, a C program or a transition system, as a file or a text | its name or its text | [`Explainer::explain_file`], [`Explainer::explain_source`] |
//! | a system, as code | an implementation of [`System`] | [`Explainer::explain`] |
//! | a transition system | an [`Lts`], built or read, and a [`Property`] | [`Explainer::explain_lts`] |
//! | recordings of runs | [`Traces`], failing and passing ones | [`Explainer::contrast`] |
//!
//! # A first example
//!
//! Two clerks count the same stock. Each reads the number, and writes back one more.
//!
//! ```
//! use wherefore::{Detail, Event, Explainer, Recheck, Steps, System, Verdict, Violation};
//!
//! struct Stock;
//!
//! /// The stock, and for each clerk what they have read and whether they are done.
//! #[derive(Clone, Debug, PartialEq, Eq, Hash)]
//! struct State {
//!     stock: u8,
//!     read: [Option<u8>; 2],
//!     done: [bool; 2],
//! }
//!
//! #[derive(Clone, PartialEq, Eq, Hash)]
//! enum Action {
//!     Read(usize),
//!     Write(usize),
//! }
//!
//! impl System for Stock {
//!     type State = State;
//!     type Action = Action;
//!
//!     fn initial_states(&self) -> Vec<State> {
//!         vec![State { stock: 0, read: [None; 2], done: [false; 2] }]
//!     }
//!
//!     fn steps(&self, state: &State, steps: &mut Steps<State, Action>) {
//!         for clerk in 0..2 {
//!             let mut next = state.clone();
//!             match state.read[clerk] {
//!                 None => {
//!                     next.read[clerk] = Some(state.stock);
//!                     steps.push(Action::Read(clerk), next);
//!                 }
//!                 Some(read) if !state.done[clerk] => {
//!                     next.stock = read + 1;
//!                     next.done[clerk] = true;
//!                     steps.push(Action::Write(clerk), next);
//!                 }
//!                 Some(_) => {}
//!             }
//!         }
//!     }
//!
//!     fn event(&self, action: &Action) -> Event {
//!         match action {
//!             Action::Read(clerk) => Event::new("read").by("clerk", *clerk as u8),
//!             Action::Write(clerk) => Event::new("write").by("clerk", *clerk as u8),
//!         }
//!     }
//!
//!     fn violation(&self, state: &State) -> Option<Violation> {
//!         let lost = state.done == [true; 2] && state.stock < 2;
//!         lost.then(|| Violation::new("a count is lost"))
//!     }
//!
//!     fn may_end(&self, state: &State) -> bool {
//!         state.done == [true; 2]
//!     }
//!
//!     fn variables(&self, state: &State) -> Vec<(String, String)> {
//!         wherefore::variables_of_debug(state)
//!     }
//! }
//!
//! let explanation = Explainer::new().explain(&Stock)?;
//! assert_eq!(explanation.verdict(), Verdict::Violated);
//! assert_eq!(explanation.reason(), "a count is lost");
//!
//! // One of the causes: the second clerk reads before the first has written.
//! let cause = explanation.causes().find(|cause| cause.steps() == [2]).unwrap();
//! assert!(cause.summary().contains("is the point of no return"));
//! assert_eq!(cause.recheck().0, Recheck::Confirmed);
//! let step = explanation.counterexample().unwrap().steps().nth(1).unwrap();
//! assert_eq!((step.action(), step.is_point_of_no_return()), ("read", true));
//!
//! // For people.
//! let text = explanation.to_text(Detail::Normal);
//! assert!(text.contains("a count is lost"));
//! let page = explanation.to_html(|_| None)?;
//! assert!(page.starts_with("<!doctype html>"));
//! # Ok::<(), wherefore::Error>(())
//! ```
//!
//! # Words
//!
//! A **trace** is a sequence of steps from an initial state. It **fails** if it reaches the violation, and **passes**
//! if it ends where it may or goes on for ever without one; where there are processes, without passing one over. A
//! state is **doomed** if every trace from it fails, **safe** if none does, and **free** if both is possible; a step
//! from free to doomed is a **point of no return**. A **cause** names steps, claims something about failing and
//! passing traces, and says what came of testing the claim.
//!
//! # Limits
//!
//! [`Explainer`] has limits of states and of time. They are no errors: what was found before is told, and nothing is
//! claimed that was not computed. Explaining keeps every state and every step in memory: a system with a million states of
//! eight bytes and two steps from each took 150 MB.
//!
//! A panic in the code of a [`System`] is not caught.
//!
//! # Features
//!
//! `cli` (on by default) is the program `wherefore` and what it needs for its flags, its progress line and its manual
//! pages; a library needs none of it: `default-features = false`.
//!
//! `stateright` (off by default) explains models that were written for the model checker of that name; it adds the
//! module `stateright`.
//!
//! # What is stable
//!
//! What this page lists follows semantic versioning, as does the shape of the JSON. Modules that it does not list are
//! there for the command line and its tests, and come without promises.

#[doc(hidden)]
pub mod contrast;
#[doc(hidden)]
pub mod leftovers;
mod library;
#[doc(hidden)]
pub mod since;

#[cfg(feature = "stateright")]
pub use library::stateright;
pub use library::{
    Cause, CheckedProperty, Counterexample, DataModel, Detail, Emit, Engine, Error, Event, Explainer,
    Explanation, Fairness, Fate, Fates, FoundViolation, Language, Location, Lts, LtsBuilder, LtsFormat,
    Method, MethodResult, Order, Property, Recheck, Repairs, SearchOrder, Spelling, Statistics, Steps,
    System, TraceStep, Traces, VariationOrder, VariationParts, Verdict, Violation, ViolationKind, Waiting,
    variables_of_debug,
};
