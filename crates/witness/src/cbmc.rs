//! Traces of CBMC (`cbmc --trace --json-ui`): an array of messages, one of which has results with a trace.
//!
//! A trace assigns values line by line. Those that a function returned from outside are what decides a run; CBMC names
//! them in the line of the call, and the variable that gets them again in the same line.

use serde_json::Value;

use crate::{Waypoint, What, Witness, WitnessError, integer};

/// Nothing if it is no output of CBMC.
pub(crate) fn read(text: &str) -> Option<Result<Witness, WitnessError>> {
    let messages: Value = match serde_json::from_str(text) {
        Ok(messages) => messages,
        // Other tools write arrays as well.
        Err(_) if !text.contains("\"result\"") => return None,
        Err(error) => {
            let message = format!("this is not JSON: {error}");
            // An error behind the last line has no column of its own.
            let (line, column) = (error.line().max(1) as u64, error.column().max(1) as u64);
            return Some(Err(WitnessError::new(line, column, message)));
        }
    };
    let results = messages.as_array()?.iter().find_map(|message| message.get("result")?.as_array())?;
    let trace = results.iter().find_map(|result| result.get("trace")?.as_array());
    let Some(trace) = trace else {
        return Some(Err(WitnessError::new(1, 1, "no result has a `trace`: run CBMC with --trace")));
    };
    let mut witness = Witness::default();
    for step in trace {
        let line = step.get("sourceLocation").and_then(|place| place.get("line")).and_then(number);
        let Some(line) = line else { continue };
        match step.get("stepType").and_then(Value::as_str) {
            Some("assignment") => {
                let name = step.get("lhs").and_then(Value::as_str).unwrap_or_default();
                let Some(value) = step.get("value").and_then(value_of) else { continue };
                if name.starts_with("return_value_") || name.starts_with("return_value$") {
                    witness.waypoints.push(Waypoint::new(line, What::Returns(Some(value))));
                } else if is_name(name) {
                    witness.waypoints.push(Waypoint::new(line, What::Holds(format!("{name} == {value}"))));
                }
            }
            Some("failure") => witness.waypoints.push(Waypoint::new(line, What::Target)),
            _ => {}
        }
    }
    // Assignments are told behind their statement; only what came from outside can be looked for at it.
    let given: Vec<u64> = witness
        .waypoints
        .iter()
        .filter(|waypoint| matches!(waypoint.what, What::Returns(_)))
        .map(|waypoint| waypoint.line)
        .collect();
    let from_outside = |waypoint: Waypoint| match waypoint.what {
        What::Holds(text) if given.is_empty() => {
            let value = text.rsplit("== ").next().and_then(integer);
            Some(Waypoint::new(waypoint.line, What::Returns(value)))
        }
        What::Holds(_) => None,
        _ => Some(waypoint),
    };
    witness.waypoints = witness.waypoints.into_iter().filter_map(from_outside).collect();
    Some(Ok(witness))
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_') && !text.starts_with("__CPROVER")
}

fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

/// The integer that a value is, if it is one.
fn value_of(value: &Value) -> Option<i64> {
    let data = value.get("data")?;
    match data.as_str() {
        Some("TRUE" | "true") => Some(1),
        Some("FALSE" | "false") => Some(0),
        Some(text) => integer(text),
        None => data.as_i64(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_from_outside_are_read() {
        let text = r#"[{"program": "CBMC"}, {"result": [{"property": "main.assertion.1", "trace": [
            {"stepType": "function-call", "sourceLocation": {"line": "3"}},
            {"stepType": "assignment", "lhs": "return_value___VERIFIER_nondet_int", "value": {"data": "-5"},
             "sourceLocation": {"file": "t.c", "line": "4"}},
            {"stepType": "assignment", "lhs": "x", "value": {"data": "-5"}, "sourceLocation": {"line": "4"}},
            {"stepType": "failure", "sourceLocation": {"line": "6"}}]}]}]"#;
        let read = read(text).unwrap().unwrap();
        let expected = [Waypoint::new(4, What::Returns(Some(-5))), Waypoint::new(6, What::Target)];
        assert_eq!(read.waypoints, expected);
    }

    #[test]
    fn what_is_broken_is_told_with_its_place() {
        let error = read("[{\"result\":\n ]").unwrap().unwrap_err();
        assert_eq!(error.line, 2, "{error}");
        let error = read("[{\"result\": [\n").unwrap().unwrap_err();
        assert!(error.line >= 1 && error.column >= 1, "{error}");
        assert!(read("[1, 2]").is_none());
        assert!(read("[{\"result\": []}]").unwrap().is_err());
    }
}
