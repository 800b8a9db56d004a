use crate::scan::LONGEST;
use crate::testing::{edges, error, initial, read, values, warnings, written};
use crate::{Format, WriteError};

const FSM: Format = Format::Fsm;

const SWITCH: &str = "b(2) Bool \"F\" \"T\"\nn(3) List(Nat) -> Nat  \"[0, 1]\" \"\" \"2\"\nu(0) Unused\n---\n\
                      0 0 5\n0 1 0\n1 2 99999999999\n---\n1 2 \"up(1, 2)\"\n2 3 \"on\"\n3 1 \"tau\"\n";

#[test]
fn parameters_become_variables() {
    let reading = read(FSM, SWITCH);
    assert_eq!(warnings(&reading), [""; 0]);
    assert_eq!(edges(&reading.graph), ["1 up(1, 2) 2", "2 on 3", "3 tau 1"]);
    assert_eq!(initial(&reading.graph), ["1"]);
    assert_eq!(values(&reading.graph, 0), ["b=F", "n=[0, 1]"]);
    assert_eq!(values(&reading.graph, 2), ["b=T", "n=2"]);
}

#[test]
fn a_last_section_names_the_initial_state() {
    let reading = read(FSM, format!("{SWITCH}---\r\n 3 \r\n"));
    assert_eq!(initial(&reading.graph), ["3"]);
}

#[test]
fn without_parameters_states_are_empty_lines_or_nothing() {
    let graph = read(FSM, "---\n\n\n\n---\n1 2 \"a\"").graph;
    assert_eq!((graph.state_count(), graph.variables.is_none()), (3, true));
    let graph = read(FSM, "---\n---\n1 4 \"a\"\n").graph;
    assert_eq!((graph.state_count(), edges(&graph)), (4, vec!["1 a 4".to_owned()]));
    assert_eq!(read(FSM, "---\n---\n").graph.state_count(), 1);
}

#[test]
fn odd_counts_are_worth_a_warning() {
    let reading = read(FSM, "b(3) Bool \"F\"\n---\n0\n---\n1 7000000000 \"a\"\n");
    assert_eq!(edges(&reading.graph), ["1 a 7000000000"]);
    assert_eq!(
        warnings(&reading),
        [
            "1:1: 1 parameter with more or fewer values than declared",
            "5:3: 1 state beyond the declared count of 1, up to number 7000000000; kept",
        ]
    );
}

#[test]
fn many_parameters_for_few_states_cost_nothing() {
    let parameters: String = (0..2000).map(|n| format!("p{n}(1) N \"0\"\n")).collect();
    let transitions: String = (2..3000).map(|n| format!("1 {n} \"a\"\n")).collect();
    let reading = read(FSM, format!("{parameters}---\n{}\n---\n{transitions}", "0 ".repeat(2000)));
    assert!(reading.graph.variables.is_none());
    assert_eq!(reading.warnings.len(), 2);
}

#[test]
fn faults_tell_what_was_expected_and_found() {
    let cases: [(&str, &str); 21] = [
        ("", "1:1: expected `---` after the parameters, found the end of the file"),
        ("---\n", "2:1: expected `---` after the states, found the end of the file"),
        ("hello\n", "1:1: expected a parameter `name(count) Type \"value\" ...` or `---`, found `hello`"),
        ("b(x)", "1:3: expected the number of values, found `x)`"),
        ("b(2", "1:4: expected `)` after the number of values, found the end of the file"),
        ("b(1) \"x\" y", "1:10: expected a label in quotes, found `y`"),
        ("b(1) \"x\n---\n", "1:6: a quote that is not closed in its line: `\"x`"),
        ("b(1) \"x\"\n---\n1\n---\n", "3:1: parameter `b` has no value with index 1"),
        ("b(1) \"x\"\n---\n0 0\n---\n", "3:3: expected a line with 1 values, found `0`"),
        (
            "b(1) \"x\"\nc(1) \"y\"\n---\n0\n---\n",
            "4:2: expected 2 values, one for every parameter, found the end of the line",
        ),
        ("---\n---\n0 1 \"a\"", "3:1: state 0: states are counted from 1"),
        ("---\n---\n1 -1 \"a\"", "3:3: expected the number of a state, found a negative number: `-1 \"a\"`"),
        ("---\n---\n1 900000000 \"a\"", "3:3: state 900000000 in a file too short for so many states"),
        ("---\n---\n1 2 a", "3:5: expected a label in quotes, found `a`"),
        ("---\n---\n1 2\n", "3:4: expected a label in quotes, found the end of the line"),
        ("---\n---\n1 2 \"a\" b", "3:9: expected the end of the line after the label, found `b`"),
        (
            "---\n---\n1 [2 1/2 3 1/2] \"a\"",
            "3:3: a probabilistic state, which cannot be read: `[2 1/2 3 1/2] \"a\"`",
        ),
        ("---\n---\n---\n[1 1/2 2 1/2]", "4:1: a probabilistic state, which cannot be read: `[1 1/2 2 1/2]`"),
        ("---\n---\n1 2 [1/2] 3 \"a\"", "3:5: a probabilistic state, which cannot be read: `[1/2] 3 \"a\"`"),
        ("---\n---\n---\n1 2\n", "4:3: expected nothing after the initial state, found `2`"),
        ("---\n---\n---\n1\n2\n", "5:1: expected nothing after the initial state, found `2`"),
    ];
    for (contents, message) in cases {
        assert_eq!(error(FSM, contents), message, "{contents:?}");
    }
    assert!(error(FSM, "x".repeat(2 * LONGEST)).contains("longer than"));
}

#[test]
fn what_is_written_can_be_read() {
    let graph = read(FSM, format!("{SWITCH}---\n2")).graph;
    let file = written(FSM, &graph);
    assert!(file.starts_with(
        "b(2) String \"F\" \"T\"\nn(3) String \"[0, 1]\" \"\" \"2\"\nu(1) String \"\"\n---\n0 0 0\n"
    ));
    assert!(file.ends_with("3 1 \"tau\"\n---\n2\n"));
    let again = read(FSM, &file).graph;
    assert_eq!((edges(&again), initial(&again)), (edges(&graph), initial(&graph)));
}

#[test]
fn quotes_cannot_be_written() {
    let graph = read(Format::Csv, "0,1,\"say \"\"x\"\"\"").graph;
    let result = crate::write(FSM, &graph, &mut Vec::new());
    assert!(matches!(result, Err(WriteError::Text { problem: "a quote", .. })));
}

#[test]
fn odd_names_of_variables_cannot_be_written() {
    for (name, problem) in [("f(x)", "a parenthesis"), (" ", "an empty name"), ("a\\nb", "a line break")] {
        let contents = format!(
            "{{\"format\": \"wherefore-lts/1\", \"initial\": [0], \"transitions\": [], \
             \"variables\": {{\"names\": [\"{name}\"], \"values\": [[\"1\"]]}}}}"
        );
        let error = crate::write(FSM, &read(Format::Json, contents).graph, &mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains(problem), "{error}");
    }
}
