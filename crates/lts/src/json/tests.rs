use graph::{Interrupt, PULSE, Progress, Watch};

use crate::testing::{edges, error, initial, read, values, written};
use crate::{Format, ReadError};

const JSON: Format = Format::Json;

const SMALL: &str = r#"{"format": "wherefore-lts/1",
"initial": [0, 1],
"states": 3,
"transitions": [
[0, "send \"x\"", 1],
[1, "tau", 0]],
"names": [17, -4, 5],
"variables": {"names": ["x", "y"], "values": [
["0", null],
["\n", "é"],
[null, null]]}}
"#;

fn system(rest: &str) -> String {
    format!("{{\"format\": \"wherefore-lts/1\", {rest}}}")
}

#[test]
fn everything_is_read_and_written_back() {
    let graph = read(JSON, SMALL).graph;
    assert_eq!(graph.state_count(), 3);
    assert_eq!(edges(&graph), ["17 send \"x\" -4", "-4 tau 17"]);
    assert_eq!(initial(&graph), ["17", "-4"]);
    assert_eq!(values(&graph, 1), ["x=\n", "y=é"]);
    assert_eq!(written(JSON, &graph), SMALL);
}

#[test]
fn fields_come_in_any_order_and_others_are_ignored() {
    let deep = "[".repeat(100) + &"]".repeat(100);
    let graph = read(
        JSON,
        format!(
            "{{\"transitions\": [[0, \"a\", 2]], \"deep\": {deep}, \"variables\": {{\"values\": \
             [[1], [true], [-2.5]], \"more\": {{}}, \"names\": [\"v\"]}}, \"names\": [\"a\", \"b\", \"c\"], \
             \"initial\": [1], \"format\": \"wherefore-lts/1\"}}"
        ),
    )
    .graph;
    assert_eq!((graph.state_count(), edges(&graph).join(";")), (3, "a a c".to_owned()));
    assert_eq!(
        (0..3).flat_map(|state| values(&graph, state)).collect::<Vec<_>>(),
        ["v=1", "v=true", "v=-2.5"]
    );
}

#[test]
fn faults_have_a_place() {
    let cases = [
        ("", "1:1: EOF while parsing a value"),
        ("{", "1:1: EOF while parsing an object"),
        ("[]", "1:1: invalid type: sequence, expected an object with \"format\": \"wherefore-lts/1\""),
        ("{}", "1:2: missing field `format`"),
        (
            "{\n \"format\": \"other/1\"}",
            "2:21: invalid value: string \"other/1\", expected the format wherefore-lts/1",
        ),
    ];
    for (contents, message) in cases {
        assert_eq!(error(JSON, contents), message, "{contents:?}");
    }
    let cases = [
        ("\"initial\": []", "missing field `transitions`"),
        ("\"transitions\": []", "missing field `initial`"),
        ("\"initial\": [], \"transitions\": []", "no initial state"),
        ("\"initial\": [-1], \"transitions\": []", "invalid value: integer `-1`, expected u32"),
        ("\"initial\": [9], \"states\": 2, \"transitions\": []", "state 9 in a system of 2 states"),
        (
            "\"initial\": [0], \"states\": 2, \"transitions\": [[0, \"a\", 2]]",
            "state 2 in a system of 2 states",
        ),
        (
            "\"initial\": [0], \"states\": 1000000000, \"transitions\": []",
            "1000000000 states in a file too short",
        ),
        ("\"initial\": [4294967295], \"transitions\": []", "4294967296 states in a file too short"),
        ("\"transitions\": [[0, \"a\"]]", "invalid length 2, expected a transition"),
        ("\"transitions\": [[0, \"a\", 1, 2]]", "invalid length 4, expected a transition"),
        ("\"transitions\": [[0, 1, 2]]", "invalid type: integer `1`, expected a text"),
        ("\"initial\": [0], \"initial\": [0]", "duplicate field `initial`"),
        ("\"names\": [\"a\", \"a\"]", "two states with the name `a`"),
        (
            "\"initial\": [0], \"transitions\": [], \"names\": [1, 2]",
            "`names` must have 1 numbers or 1 texts",
        ),
        ("\"initial\": [1], \"transitions\": [], \"names\": [2, 2]", "two states with the name 2"),
        (
            "\"initial\": [1], \"transitions\": [], \"names\": [2, \"a\"]",
            "`names` must have 2 numbers or 2 texts",
        ),
        (
            "\"initial\": [0], \"transitions\": [], \"variables\": {\"names\": [\"x\"], \"values\": []}",
            "`values` must have 1 rows of 1",
        ),
        ("\"variables\": {\"values\": [[1], []]}", "states with different numbers of values"),
    ];
    for (rest, message) in cases {
        let found = error(JSON, system(rest));
        assert!(found.contains(message), "{rest}: {found}");
    }
}

#[test]
fn places_are_counted_in_characters() {
    let contents = "{\"format\": \"wherefore-lts/1\",\n\"ü\": \"üü\" x";
    assert_eq!(error(JSON, contents), "2:11: expected `,` or `}`");
}

#[test]
fn nesting_and_bytes_that_are_no_text_end_in_an_error() {
    for rest in ["\"x\": ", "\"transitions\": ", "\"initial\": ", "\"variables\": "] {
        error(JSON, system(&format!("{rest}{}", "[".repeat(1_000_000))));
        error(JSON, system(&format!("{rest}{}", "{\"a\":".repeat(1_000_000))));
    }
    error(JSON, b"{\"format\": \"\xff\"}");
    error(JSON, b"{\"format\"\0");
    assert!(error(JSON, format!("{{\"format\": \"{}\"}}", "\\n".repeat(1_000_000))).len() < 200);
    error(JSON, format!("{SMALL}x"));
}

#[test]
fn a_watch_can_stop_the_reader() {
    struct Impatient;
    impl Watch for Impatient {
        fn pulse(&self, progress: Progress) -> Result<(), Interrupt> {
            assert_eq!((progress.phase, progress.edges), ("reading", PULSE));
            Err(Interrupt::Cancelled)
        }
    }
    let transitions = "[0, \"a\", 0],".repeat(PULSE as usize) + "[0, \"a\", 0]";
    let contents = system(&format!("\"transitions\": [{transitions}]"));
    let result = crate::read(JSON, contents.as_bytes(), &Impatient);
    assert_eq!(result.unwrap_err(), ReadError::Interrupted(Interrupt::Cancelled));
}
