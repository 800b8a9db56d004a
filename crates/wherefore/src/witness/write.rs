//! A violation witness of our own, in SV-COMP's format 2.0: the inputs in their order, and where it ends.

use std::fmt::Write as _;

/// What a witness is about.
#[derive(Clone, Debug)]
pub struct Task<'a> {
    pub file: &'a str,
    pub data_model: &'a str,
    pub version: &'a str,
}

/// Writes a witness: the values that functions returned from outside, each with its line, and the line and column of
/// the violation.
pub fn write(task: &Task<'_>, inputs: &[(u64, i64)], target: (u64, u64)) -> String {
    let mut text = String::new();
    let file = quoted(task.file);
    let _ = write!(
        text,
        "- entry_type: violation_sequence\n  metadata:\n    format_version: '2.0'\n    producer:\n      name: Wherefore\n      \
         version: {}\n    task:\n      input_files:\n      - {file}\n",
        quoted(task.version)
    );
    let _ = write!(
        text,
        "      specification: 'G ! call(reach_error())'\n      data_model: {}\n      language: C\n  content:\n",
        task.data_model
    );
    let mut segment = |kind: &str, line: u64, column: Option<u64>, constraint: Option<String>| {
        let _ = write!(
            text,
            "  - segment:\n    - waypoint:\n        type: {kind}\n        action: follow\n        location:\n          \
             file_name: {file}\n          line: {line}\n"
        );
        if let Some(column) = column {
            let _ = writeln!(text, "          column: {column}");
        }
        if let Some(constraint) = constraint {
            let _ = write!(
                text,
                "        constraint:\n          value: '{constraint}'\n          format: c_expression\n"
            );
        }
    };
    for (line, value) in inputs {
        segment("function_return", *line, None, Some(format!("\\result == {value}")));
    }
    segment("target", target.0, Some(target.1), None);
    text
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::super::{Waypoint, What, read};
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let task = Task { file: "it's.c", data_model: "LP64", version: "1" };
        let text = write(&task, &[(4, -7), (5, 3)], (9, 5));
        let read = read(&text).unwrap().unwrap();
        let expected = [
            Waypoint { line: 4, what: What::Returns(Some(-7)) },
            Waypoint { line: 5, what: What::Returns(Some(3)) },
            Waypoint { line: 9, what: What::Target },
        ];
        assert_eq!(read.waypoints, expected);
    }
}
