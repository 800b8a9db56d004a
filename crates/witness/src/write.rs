//! A violation witness of our own, in SV-COMP's format 2.0: the inputs in their order, and where it ends.
//!
//! Everything that the format asks for is there: the hash of the program, and an identifier, which is derived from the
//! content, so that the same counterexample is the same witness.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// What a witness is about.
#[derive(Clone, Debug)]
pub struct Task<'a> {
    pub file: &'a str,
    /// The bytes of that file.
    pub program: &'a [u8],
    pub data_model: &'a str,
    /// What is violated, in the words of SV-COMP.
    pub specification: &'a str,
    pub version: &'a str,
    /// When the witness was made, in seconds since 1970.
    pub created: u64,
}

/// A step of a run: its line, and the values that functions returned from outside in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub line: u64,
    pub inputs: Vec<i64>,
}

/// A place in the program, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub line: u64,
    pub column: u64,
}

/// Writes a witness: the values that functions returned from outside, and where the violation is.
pub fn write(task: &Task<'_>, steps: &[Step], violation: Position) -> String {
    let text = String::from_utf8_lossy(task.program);
    let file = quoted(task.file);
    let mut content = String::new();
    let mut segment = |kind: &str, line: u64, column: Option<u64>, constraint: Option<String>| {
        let _ =
            write!(content, "  - segment:\n    - waypoint:\n        type: {kind}\n        action: follow\n");
        if let Some(constraint) = constraint {
            let _ = write!(
                content,
                "        constraint:\n          value: '{constraint}'\n          format: acsl_expression\n"
            );
        }
        let _ = write!(content, "        location:\n          file_name: {file}\n          line: {line}\n");
        if let Some(column) = column {
            let _ = writeln!(content, "          column: {column}");
        }
    };
    for Returned { line, column, value } in returned(&text, steps) {
        segment("function_return", line, column, Some(format!("\\result == {value}")));
    }
    segment("target", violation.line, Some(violation.column), None);
    let hash = hexadecimal(&Sha256::digest(task.program));
    let identity = Sha256::new().chain_update(&hash).chain_update(&content).finalize();
    let mut text = String::new();
    let _ = write!(
        text,
        "- entry_type: violation_sequence\n  metadata:\n    format_version: '2.0'\n    uuid: '{}'\n    \
         creation_time: '{}'\n    producer:\n      name: Wherefore\n      version: {}\n    task:\n      \
         input_files:\n      - {file}\n      input_file_hashes:\n        {file}: '{hash}'\n      \
         specification: '{}'\n      data_model: {}\n      language: C\n  content:\n{content}",
        identifier(&identity),
        time(task.created),
        quoted(task.version),
        task.specification,
        task.data_model
    );
    text
}

/// A value that a function returned from outside: its line, the column of the call's closing parenthesis if it is
/// known, and the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Returned {
    line: u64,
    column: Option<u64>,
    value: i64,
}

/// The values of all steps, each at its call in the text of the program.
fn returned(text: &str, steps: &[Step]) -> Vec<Returned> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found: Vec<Returned> = Vec::new();
    let mut before: usize = 0;
    for Step { line, inputs } in steps {
        let written = usize::try_from(*line).ok().and_then(|line| lines.get(line.checked_sub(1)?));
        let calls = written.map_or_else(Vec::new, |written| calls(written));
        for value in inputs {
            // Calls of one line follow each other, and a loop begins with the first again.
            let same = found.last().is_some_and(|last| last.line == *line);
            before = if same { before + 1 } else { 0 };
            let column = before.checked_rem(calls.len()).map(|call| calls[call]);
            found.push(Returned { line: *line, column, value: *value });
        }
    }
    found
}

/// The columns of the closing parentheses of calls that return inputs, counted from 1.
fn calls(line: &str) -> Vec<u64> {
    // `__VERIFIER_nondet_int`, or `nondet_int` as for CBMC.
    let starts = line.match_indices("nondet_").map(|(start, _)| start);
    let end = |start: usize| {
        let after = &line[start..];
        let open = after.find('(')?;
        let close = after[open..].find(')')?;
        Some(line[..start + open + close].chars().count() as u64 + 1)
    };
    starts.filter_map(end).collect()
}

/// An identifier made of a hash (RFC 9562, version 8: whatever its maker likes).
fn identifier(hash: &[u8]) -> String {
    let mut bytes: Vec<u8> = hash.iter().copied().take(16).collect();
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits = hexadecimal(&bytes);
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A moment as ISO 8601 writes it, in universal time.
fn time(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years that begin in March have their odd day last, and 400 of them always have the same length.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{What, read};

    fn sample(program: &[u8], created: u64) -> String {
        let specification = "G ! call(reach_error())";
        let task = Task { file: "it's.c", program, data_model: "LP64", specification, version: "1", created };
        let steps = [Step { line: 4, inputs: vec![-7] }, Step { line: 5, inputs: vec![3] }];
        write(&task, &steps, Position { line: 9, column: 5 })
    }

    #[test]
    fn what_is_written_is_read() {
        let read = read(&sample(b"", 0)).unwrap().unwrap();
        let expected = [(4, What::Returns(Some(-7))), (5, What::Returns(Some(3))), (9, What::Target)];
        let said: Vec<_> =
            read.waypoints.into_iter().map(|waypoint| (waypoint.line, waypoint.what)).collect();
        assert_eq!(said, expected);
    }

    #[test]
    fn values_stand_at_the_calls_of_their_line_in_turn() {
        let text = "int x;\nf(__VERIFIER_nondet_int(), __VERIFIER_nondet_int());\ng(read());\n";
        let steps = [(2, vec![1, 2]), (2, vec![3]), (3, vec![4]), (2, vec![5]), (9, vec![6])];
        let steps = steps.map(|(line, inputs)| Step { line, inputs });
        let found: Vec<_> =
            returned(text, &steps).into_iter().map(|one| (one.line, one.column, one.value)).collect();
        let expected = [
            (2, Some(25), 1),
            (2, Some(50), 2),
            (2, Some(25), 3),
            (3, None, 4),
            (2, Some(25), 5),
            (9, None, 6),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn the_hash_is_that_of_the_program_and_the_identifier_that_of_the_content() {
        let text = sample(b"abc", 0);
        // The example of the standard (FIPS 180-2, B.1).
        assert!(text.contains("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"), "{text}");
        let identifier = |text: &str| {
            text.lines().find_map(|line| line.trim().strip_prefix("uuid: ").map(str::to_owned)).unwrap()
        };
        assert_eq!(identifier(&text), identifier(&sample(b"abc", 77)));
        assert_ne!(identifier(&text), identifier(&sample(b"abd", 0)));
    }

    #[test]
    fn days_are_counted_as_calendars_do() {
        assert_eq!(time(0), "1970-01-01T00:00:00Z");
        assert_eq!(time(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(time(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(time(1_709_251_199), "2024-02-29T23:59:59Z");
        assert_eq!(time(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
