//! Any text as a counterexample of another verifier of C programs: waypoints, or an error with its place.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Some(Err(error)) = witness::read(text) {
        assert!(error.line >= 1 && error.column >= 1, "{error}");
    }
});
