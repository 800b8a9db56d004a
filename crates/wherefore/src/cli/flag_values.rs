//! What flags can be given: choices with the words for them, sizes, durations.

use std::time::Duration;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use findings::Method;
use languages::Language;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DataModel {
    /// int, long and pointers have 32 bits
    Ilp32,
    /// int has 32 bits, long and pointers have 64 (the default)
    Lp64,
}

impl DataModel {
    pub(crate) fn data_model(self) -> languages::DataModel {
        match self {
            Self::Ilp32 => languages::DataModel::Ilp32,
            Self::Lp64 => languages::DataModel::Lp64,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// Summaries where recursion has no bound, SAT where inputs have too many values, else all states; where one
    /// does not decide, the next is asked
    Auto,
    /// All states, with all calls in them
    Explicit,
    /// Call by call: recursion needs no bound. For programs without threads and heap in which no pointer
    /// leads from one function into the variables of another
    Summary,
    /// The program as a formula, with loops and recursion unwound up to a bound. For inputs of any width; no
    /// threads
    Sat,
}

impl Engine {
    pub(crate) fn engine(self) -> languages::Engine {
        match self {
            Self::Auto => languages::Engine::Auto,
            Self::Explicit => languages::Engine::Explicit,
            Self::Summary => languages::Engine::Summary,
            Self::Sat => languages::Engine::Sat,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Reduction {
    /// None: all states, as many as SPIN has without its optimisations
    None,
    /// Partial-order reduction, where it is sound: steps that no other process can notice come first
    Por,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// SPIN's, of a Promela model: `spin -t -p -k FILE model.pml` replays it
    Trail,
    /// SV-COMP's violation witness 2.0, of a C program: its inputs in their order, and where it ends
    Witness,
    /// The inputs of a C program, one a line, as --inputs reads them
    Inputs,
    /// A C file that makes a C program without threads fail in the same line when both are compiled
    CTest,
    /// A chain of transitions as CADP and mCRL2 read it; --trail reads it too
    Aut,
    /// States and actions as `-dumpTrace json` of TLC writes them; --trail reads it too
    Tlc,
}

impl Emit {
    pub(crate) fn form(self) -> languages::Emit {
        match self {
            Self::Trail => languages::Emit::Trail,
            Self::Witness => languages::Emit::Witness,
            Self::Inputs => languages::Emit::Inputs,
            Self::CTest => languages::Emit::CTest,
            Self::Aut => languages::Emit::Aut,
            Self::Tlc => languages::Emit::Tlc,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Search {
    /// Breadth-first: finds a shortest counterexample first
    Bfs,
    /// Depth-first: comes to deep states early, for searches that will not end
    Dfs,
}

impl Search {
    pub(crate) fn order(self) -> languages::SearchOrder {
        match self {
            Self::Bfs => languages::SearchOrder::BreadthFirst,
            Self::Dfs => languages::SearchOrder::DepthFirst,
        }
    }
}

/// The methods by their names.
pub(crate) fn method_parser() -> impl TypedValueParser<Value = Method> {
    let known = Method::ALL.map(|method| PossibleValue::new(method.to_string()).help(method.about()));
    PossibleValuesParser::new(known).map(|name| {
        let found = Method::ALL.into_iter().find(|method| method.to_string() == name);
        // The parser lets no other names through.
        found.unwrap_or(Method::Neighbourhoods)
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// All traces, on the whole graph
    Exact,
    /// The traces that a depth-first search meets, as in the paper
    Sampled,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    /// Steps that follow each other
    Trace,
    /// Steps of one process that follow each other, whatever others do between them
    Process,
    /// Steps that depend on each other, by process, variables or channels, whatever comes between them
    Dependent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Aldebaran, of CADP and mCRL2
    Aut,
    /// A state graph dumped by TLC
    Dot,
    /// Rows of source, target, label
    Csv,
    /// mCRL2's FSM
    Fsm,
    /// Our own
    Json,
    /// A model for SPIN
    Promela,
    /// A C program
    C,
    /// A Java program: its text, a class file or an archive
    Java,
}

impl Kind {
    pub(crate) fn language(self) -> Language {
        match self {
            Self::Aut => Language::Graph(lts::Format::Aut),
            Self::Dot => Language::Graph(lts::Format::TlcDot),
            Self::Csv => Language::Graph(lts::Format::Csv),
            Self::Fsm => Language::Graph(lts::Format::Fsm),
            Self::Json => Language::Graph(lts::Format::Json),
            Self::Promela => Language::Promela,
            Self::C => Language::C,
            Self::Java => Language::Java,
        }
    }

    /// The format of a transition system; none for models.
    pub(crate) fn format(self) -> Option<lts::Format> {
        match self.language() {
            Language::Graph(format) => Some(format),
            Language::Promela | Language::C | Language::Java => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Spelling {
    /// As CADP spells it
    Mcl,
    /// As mCRL2 spells it
    Mcf,
}

impl Spelling {
    pub(crate) fn spelling(self) -> languages::Spelling {
        match self {
            Self::Mcl => languages::Spelling::Mcl,
            Self::Mcf => languages::Spelling::Mcf,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Fairness {
    Weak,
    None,
}

impl Fairness {
    pub(crate) fn fairness(self) -> graph::Fairness {
        match self {
            Self::Weak => graph::Fairness::Weak,
            Self::None => graph::Fairness::None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Equivalence {
    Strong,
    Branching,
}

impl Equivalence {
    pub(crate) fn equivalence(self) -> lts::Equivalence {
        match self {
            Self::Strong => lts::Equivalence::Strong,
            Self::Branching => lts::Equivalence::Branching,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
    /// SARIF 2.1.0, for code scanning and editors; of checked and explained systems
    Sarif,
    /// One page with everything in it, for a browser
    Html,
}

impl Format {
    /// As it is called on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Sarif => "sarif",
            Self::Html => "html",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    Auto,
    Always,
    Never,
}

pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_uppercase().trim_end_matches("IB").trim_end_matches('B') {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1u64 << 40,
        _ => return Err("expected a size such as 512M or 8G".to_owned()),
    };
    let number: f64 = digits.parse().map_err(|_| "expected a size such as 512M or 8G".to_owned())?;
    if !(number.is_finite() && number >= 0.0) {
        return Err("expected a size such as 512M or 8G".to_owned());
    }
    Ok((number * unit as f64) as u64)
}

pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    let expected = || "expected a duration such as 30s, 5m or 1h".to_owned();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(expected()),
    };
    let number: f64 = digits.parse().map_err(|_| expected())?;
    Duration::try_from_secs_f64(number * unit).map_err(|_| expected())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_durations() {
        assert_eq!(parse_size("512M"), Ok(512 << 20));
        assert_eq!(parse_size("1.5GiB"), Ok(3 << 29));
        assert_eq!(parse_size("7"), Ok(7));
        assert!(parse_size("-1G").is_err() && parse_size("G").is_err() && parse_size("1X").is_err());
        assert_eq!(parse_duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_duration("250ms"), Ok(Duration::from_millis(250)));
        assert!(parse_duration("-1s").is_err() && parse_duration("soon").is_err());
    }
}
