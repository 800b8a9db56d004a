//! Choices of the library as the command line spells them.
//!
//! The library knows no flags, so what a value is called and what help says of it stands here: one list for each type,
//! which the parser, the help, completions and reports that are asked again share.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use findings::Method;
use graph::Fairness;
use languages::{DataModel, Emit, Engine, Language, SearchOrder, Spelling};
use lts::{Equivalence, Format};

/// A type of the library whose values are chosen by flags.
pub(crate) trait Choice: Copy + Send + Sync + 'static {
    const ALL: &'static [Self];

    /// What a value is called, and what help says of it.
    fn spelled(self) -> (&'static str, Option<&'static str>);

    /// The value with this name.
    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.spelled().0 == name)
    }
}

/// Reads values by their names.
pub(crate) fn choice<T: Choice>() -> impl TypedValueParser<Value = T> {
    let known = T::ALL.iter().map(|value| {
        let (name, help) = value.spelled();
        let known = PossibleValue::new(name);
        help.into_iter().fold(known, PossibleValue::help)
    });
    PossibleValuesParser::new(known).try_map(|name| T::named(&name).ok_or("this is no known name"))
}

/// The methods by their names.
pub(crate) fn method_parser() -> impl TypedValueParser<Value = Method> {
    let known = Method::ALL.map(|method| PossibleValue::new(method.to_string()).help(method.about()));
    PossibleValuesParser::new(known).try_map(|name| {
        let found = Method::ALL.into_iter().find(|method| method.to_string() == name);
        found.ok_or("this is no method")
    })
}

/// Makes a type a choice by the list of its values: the compiler says so if one is missing.
macro_rules! choices {
    ($of:ty { $($variant:ident $(($inner:path))? = $name:literal $(, $help:literal)?;)+ }) => {
        impl Choice for $of {
            const ALL: &'static [Self] = &[$(Self::$variant $(($inner))?),+];

            fn spelled(self) -> (&'static str, Option<&'static str>) {
                match self {
                    $(Self::$variant $(($inner))? => ($name, help!($($help)?))),+
                }
            }
        }
    };
}

macro_rules! help {
    () => {
        None
    };
    ($text:literal) => {
        Some($text)
    };
}

choices!(DataModel {
    Ilp32 = "ilp32", "int, long and pointers have 32 bits";
    Lp64 = "lp64", "int has 32 bits, long and pointers have 64 (the default)";
});

choices!(Engine {
    Auto = "auto", "Summaries where recursion has no bound, SAT where inputs have too many values, else all states; where one \
                    does not decide, the next is asked";
    Explicit = "explicit", "All states, with all calls in them";
    Summary = "summary", "Call by call: recursion needs no bound. For programs without threads and heap in which no pointer \
                          leads from one function into the variables of another";
    Sat = "sat", "The program as a formula, with loops and recursion unwound up to a bound. For inputs of any width; no \
                  threads";
});

choices!(Emit {
    Trail = "trail", "SPIN's, of a Promela model: `spin -t -p -k FILE model.pml` replays it";
    Witness = "witness", "SV-COMP's violation witness 2.0, of a C program: its inputs in their order, and where it ends";
    Inputs = "inputs", "The inputs of a C program, one a line, as --inputs reads them";
    CTest = "c-test", "A C file that makes a C program without threads fail in the same line when both are compiled";
    Aut = "aut", "A chain of transitions as CADP and mCRL2 read it; --trail reads it too";
    Tlc = "tlc", "States and actions as `-dumpTrace json` of TLC writes them; --trail reads it too";
});

choices!(SearchOrder {
    BreadthFirst = "bfs", "Breadth-first: finds a shortest counterexample first";
    DepthFirst = "dfs", "Depth-first: comes to deep states early, for searches that will not end";
});

choices!(Language {
    Graph(Format::Aut) = "aut", "Aldebaran, of CADP and mCRL2";
    Graph(Format::TlcDot) = "dot", "A state graph dumped by TLC";
    Graph(Format::Csv) = "csv", "Rows of source, target, label";
    Graph(Format::Fsm) = "fsm", "mCRL2's FSM";
    Graph(Format::Json) = "json", "Our own";
    Promela = "promela", "A model for SPIN";
    C = "c", "A C program";
    Java = "java", "A Java program: its text, a class file or an archive";
});

choices!(Spelling {
    Mcl = "mcl", "As CADP spells it";
    Mcf = "mcf", "As mCRL2 spells it";
});

choices!(Fairness {
    Weak = "weak";
    None = "none";
});

choices!(Equivalence {
    Strong = "strong";
    Branching = "branching";
});

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn reads_its_own_names<T: Choice + PartialEq>() {
        let names: BTreeSet<&str> = T::ALL.iter().map(|value| value.spelled().0).collect();
        assert_eq!(names.len(), T::ALL.len(), "no two values have the same name");
        assert!(T::ALL.iter().all(|value| T::named(value.spelled().0) == Some(*value)));
        assert!(T::named("nothing").is_none());
    }

    #[test]
    fn every_value_has_a_name_of_its_own() {
        reads_its_own_names::<DataModel>();
        reads_its_own_names::<Engine>();
        reads_its_own_names::<Emit>();
        reads_its_own_names::<SearchOrder>();
        reads_its_own_names::<Language>();
        reads_its_own_names::<Spelling>();
        reads_its_own_names::<Fairness>();
        reads_its_own_names::<Equivalence>();
    }
}
