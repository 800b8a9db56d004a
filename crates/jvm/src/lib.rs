//! Java programs: class files to a machine that runs them as the JVM does.
//!
//! A program is run with the real classes of the JDK that is installed. Its states are bytes, its steps are what one
//! thread does up to its next action that others can notice.

mod code;
mod descriptor;
mod dynamic;
mod event;
mod library;
mod link;
mod liveness;
mod machine;
mod model;
mod natives;
mod scene;
mod seam;
mod state;
mod story;
mod value;
mod worker;
mod world;

pub use library::{Archive, Jdk, Library, NoJdk, Part};
pub use model::{Model, Options, Source, Unrunnable};
pub use seam::{BadClass, class_name};
pub use story::Narrator;
pub use worker::JavaWorker;
