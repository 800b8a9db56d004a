//! Any text as a formula, in both spellings, then its automaton for a few labels.
//!
//! Besides panics this looks for spans outside the text and automata that are not in normal form.

#![no_main]

use graph::Labels;
use libfuzzer_sys::fuzz_target;
use property::{Spelling, parse};

fuzz_target!(|text: &str| {
    let mut labels = Labels::new();
    for label in ["A", "B !1", "SEND !\"x\" !2", "a(1,[2,3])|b", "tau", "i", ""] {
        labels.intern(label);
    }
    for spelling in [Spelling::Mcl, Spelling::Mcf] {
        let diagnostics = match parse(text, spelling) {
            Err(errors) => {
                assert!(!errors.is_empty());
                errors
            }
            Ok(formula) => match formula.automaton(&labels, Some("A"), 2000) {
                Ok(property) => {
                    assert_eq!(property.dfa.clone().trim_and_minimise(), property.dfa);
                    property.warnings
                }
                Err(_) => formula.warnings,
            },
        };
        for diagnostic in diagnostics {
            assert!(text.get(diagnostic.span.start..diagnostic.span.end).is_some(), "{diagnostic:?}");
        }
    }
});
