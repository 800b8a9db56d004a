//! The input languages: what each of them offers, and which engines decide about it.
//!
//! A [`Question`] is an input with all that is asked about it. [`front_end`] finds out which language it is in; the
//! [`FrontEnd`] of that language answers. What an answer says is data ([`findings::Explanation`]): nothing is printed
//! here, and the clock and the signals belong to the [`Host`](pipeline::request::Host).
//!
//! A new language is one more module beside [`promela`](mod@promela), `c`, `java` and `transition_system`, and a line in [`front_end`].

mod answer;
mod c;
mod disk;
mod emit;
mod front_end;
mod guess;
mod java;
mod labels;
mod language;
mod messages;
mod models;
mod promela;
mod question;
mod repairs;
mod retrace;
mod safety;
mod searched;
mod several;
mod tlc_trail;
mod trail;
mod transition_system;
mod verified;

pub use answer::{Answer, NamedTrail, Replays};
pub use cfront::tests::{Test, Tests};
pub use disk::{Disk, text_of};
pub use emit::Emit;
pub use findings::{DataModel, Spelling};
pub use front_end::FrontEnd;
pub use language::Language;
pub use messages::Unreadable;
pub use question::{
    Engine, Input, Near, PropertyFile, PropertyOptions, Question, ReadingOptions, SearchOptions, SearchOrder,
    TestFolder,
};
pub use trail::Trail;
pub use verify::Report as VerifiedReport;

/// Whoever reads a language.
pub fn front_end(language: Language) -> Box<dyn FrontEnd> {
    match language {
        Language::Promela => Box::new(promela::Promela),
        Language::C => Box::new(c::C),
        Language::Java => Box::new(java::Java),
        Language::Graph(format) => Box::new(transition_system::TransitionSystem(format)),
    }
}
