//! What must not happen, as an automaton over labels.
//!
//! Users of CADP and of mCRL2 have their properties at hand as regular formulas: `[ R ] false` says
//! that no trace of the system reads a word of the regular expression R. [`parse`] reads both
//! [`Spelling`]s; [`Formula::automaton`] compiles what was read for the labels of one graph. Besides
//! there are properties that need no formula: [`deadlock()`] and an automaton given as a graph
//! ([`from_graph`]).
//!
//! The way of a formula: characters become tokens (`mcl` or `mcf`, the only places where the
//! spellings differ), tokens become a state formula (`grammar`), of which only the fragment that
//! forbids finite traces is kept (`safety`): one [`Regular`] expression over [`Predicate`]s over
//! [`Atom`]s. Then every atom is tried on every distinct label once, labels that no predicate tells
//! apart become one letter (`compile`), and the expression becomes an automaton (`thompson`).
//!
//! Beside that stand temporal formulas ([`ltl`]) and the automata on infinite words that accept what they
//! hold of ([`buchi`]). They are generic over their atoms and know no language of models.

mod action_pattern;
mod atom;
mod basic_regex;
pub mod buchi;
mod compile;
mod compile_error;
mod deadlock;
mod evaluate;
mod grammar;
mod graph_property;
mod label_set;
pub mod ltl;
mod matching;
mod mcf;
mod mcl;
mod multi_action;
mod predicate;
mod regular;
mod safety;
mod suggest;
mod thompson;
mod token;
mod unquoted;

pub use action_pattern::ActionPattern;
pub use atom::{Atom, Test};
pub use basic_regex::BasicRegex;
pub use compile::{CompiledProperty, MAX_STATES};
pub use compile_error::CompileError;
pub use deadlock::deadlock;
pub use graph_property::{GraphProperty, GraphPropertyError, UnknownLabel, from_graph};
pub use matching::Matching;
pub use predicate::Predicate;
pub use regular::{Regular, Repeat};
pub use suggest::closest;

use graph::ViolatedWhen;
use source::Diagnostic;

/// The language a formula is written in. They clash (`|` and `+` mean different things), so it has
/// to be known beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spelling {
    /// The Model Checking Language of CADP.
    Mcl,
    /// The modal formulas of mCRL2.
    Mcf,
}

impl Spelling {
    /// The spelling that files with this ending are in by custom.
    pub fn from_extension(extension: &str) -> Option<Self> {
        match extension {
            "mcl" => Some(Self::Mcl),
            "mcf" => Some(Self::Mcf),
            _ => None,
        }
    }
}

/// A set of traces: a regular expression over what single steps are like.
pub type Traces = Regular<Predicate<Atom>>;

/// A property: the traces that match `regular` violate it, at once or if they cannot be continued.
#[derive(Clone, Debug)]
pub struct Formula {
    pub violated_when: ViolatedWhen,
    pub regular: Traces,
    pub spelling: Spelling,
    /// What was parsed; all spans point into it.
    pub text: String,
    /// The same on one line and without comments, for reports.
    pub line: String,
    /// What is legal but perhaps not meant.
    pub warnings: Vec<Diagnostic>,
}

/// Reads a formula. If it cannot be read, says why, in as many places as it makes sense to.
pub fn parse(text: &str, spelling: Spelling) -> Result<Formula, Vec<Diagnostic>> {
    let tokens = match spelling {
        Spelling::Mcl => mcl::tokens(text),
        Spelling::Mcf => mcf::tokens(text),
    };
    let line = tokens.on_one_line(text);
    let parsed = grammar::parse(text, spelling, tokens)?;
    let (violated_when, regular, mut warnings) = safety::violating_traces(parsed.formula, spelling)?;
    warnings.splice(0..0, parsed.warnings);
    Ok(Formula { violated_when, regular, spelling, text: text.to_owned(), line, warnings })
}
