//! What states and events cannot hold is refused when a model is compiled, with its place; and what they just
//! hold is run.

use promela::machine::{Machine, NotRunnable, Reason};
use promela::resolve::read;

fn compiled(text: &str) -> Result<Machine, NotRunnable> {
    let (program, diagnostics) = read(text);
    Machine::new(&program.unwrap_or_else(|| panic!("{:?}", diagnostics.first())))
}

/// Why a text is not run, and the part of it that is pointed to.
fn refusal(text: &str) -> (Reason, &str) {
    let error = compiled(text).expect_err("more than fits");
    (error.reason, &text[error.span.start..error.span.end])
}

fn repeated(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect::<Vec<_>>().join("\n")
}

#[test]
fn kinds_of_processes() {
    let text = |count| repeated(count, |number| format!("active proctype p{number}() {{ skip }}"));
    assert!(compiled(&text(128)).is_ok());
    let (reason, place) = (refusal(&text(129)).0, refusal(&text(129)).1.to_owned());
    assert_eq!(reason, Reason::Processes);
    assert!(place.contains("p128"), "{place}");
}

#[test]
fn kinds_of_channels() {
    let text = |count| {
        let channels = repeated(count, |number| format!("chan c{number} = [{}] of {{ byte }};", number + 1));
        format!("{channels}\ninit {{ c0!1 }}")
    };
    assert!(compiled(&text(128)).is_ok());
    assert_eq!(refusal(&text(129)).0, Reason::ChannelKinds);
}

#[test]
fn the_capacity_of_a_channel() {
    assert!(compiled("chan c = [255] of { byte }; init { c!1 }").is_ok());
    let (reason, place) = refusal("chan c = [256] of { byte }; init { c!1 }");
    assert_eq!(reason, Reason::Capacity);
    assert!(place.contains("256"), "{place}");
}

#[test]
fn places_where_a_process_can_stand() {
    let text = |count| format!("byte x; init {{ {} }}", repeated(count, |_| "x = 1;".to_owned()));
    // The end is one of them.
    assert!(compiled(&text(65_534)).is_ok());
    assert_eq!(refusal(&text(65_535)), (Reason::Locations, "init"));
}

#[test]
fn the_size_of_a_state() {
    assert!(compiled("byte x[1000000]; init { x[5] = 1 }").is_ok());
    assert_eq!(refusal("byte x[1000000], y[100000]; init { x[5] = y[1] }").0, Reason::Globals);
    assert_eq!(refusal("int x[1000000]; init { x[5] = 1 }").0, Reason::Globals);
    let (reason, place) = refusal("proctype p() { int x[1000000]; x[5] = 1 } init { run p() }");
    assert_eq!(reason, Reason::Locals);
    assert!(place.contains("proctype p"), "{place}");
    let large = "typedef r { int x[1000] }; chan c[20] = [200] of { r }; init { skip }";
    assert_eq!(refusal(large).0, Reason::Globals);
}

#[test]
fn expressions_that_are_too_deep_are_pointed_to() {
    let nested = format!("byte x; init {{ x = 2; x = {}x{} }}", "(1 + ".repeat(90), ")".repeat(90));
    let (reason, place) = refusal(&nested);
    assert_eq!(reason, Reason::TooDeep);
    assert!(place.contains("(1 + (1 +"), "{place}");
}

#[test]
fn a_trace_has_no_variables() {
    let text = "chan c = [1] of { byte }; active proctype p() { c!1 } trace { byte x; c!1 }";
    assert_eq!(refusal(text).0, Reason::TraceVariables);
}
