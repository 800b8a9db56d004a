//! AUT, the text format of Aldebaran: a header, then one transition a line.
//!
//! ```text
//! des (0, 2, 2)
//! (0, "SEND !1", 1)
//! (1, tau, 0)
//! ```
//!
//! Everybody writes it a little differently, so the reader is generous: blanks are free, labels may
//! be quoted or not and may hold commas, parentheses and quotes (an edge is split at its first and
//! its last comma), wrong counts are worth a warning. It goes over the bytes once, finds line ends
//! with `memchr` and allocates nothing per line.

use std::io::Write;

use graph::{GraphBuilder, StateGraph, Watch};

use crate::numbering::Numbering;
use crate::outcome::{Notes, Stop, WriteError, counted};
use crate::scan::{
    Decoder, Number, Pulse, expect_number, expected, found, line_end, number, skip_blanks, skip_white, trim,
};
use crate::{Format, writing};

pub(crate) fn read(input: &[u8], watch: &dyn Watch, notes: &mut Notes) -> Result<StateGraph, Stop> {
    let header = Header::read(input)?;
    let mut states = Numbering::new(0, header.states, input.len());
    let initial = states.index(header.initial, header.initial_at)?;
    let mut builder = GraphBuilder::new();
    // The shortest transition, `(0,,0)` and a line feed, has seven bytes.
    builder.reserve(header.transitions.min((input.len() / 7) as u64) as usize);
    let mut decoder = Decoder::default();
    let mut pulse = Pulse::new(watch, input);
    let mut at = header.end;
    loop {
        at = skip_white(input, at);
        if at == input.len() {
            break;
        }
        let end = line_end(input, at)?;
        let line = &input[at..end];
        let Some(edge) = split_edge(line) else { return Err(explain(input, at, end)) };
        let source = states.index(edge.source, at)?;
        let target = states.index(edge.target, at)?;
        let label_at = at + edge.label.0;
        let mut label = &line[edge.label.0..edge.label.1];
        match label {
            [b'"', inner @ .., b'"'] => label = inner,
            [b'"', ..] => return Err(Stop::fault(label_at, "the quote that opens this label is not closed")),
            _ => {}
        }
        let label = decoder.intern(&mut builder.labels, label, label_at)?;
        builder.edge(source, label, target);
        at = end;
        pulse.tick(at, states.states(), builder.edge_count())?;
    }
    let read = builder.edge_count() as u64;
    let count = states.states();
    let names = states.finish(header.states_at, notes);
    decoder.finish(notes);
    let mut graph = builder.finish(count, vec![initial]).map_err(Stop::too_many_edges)?;
    graph.names = names;
    if header.transitions > read {
        let declared = counted(header.transitions, "transition");
        let message = format!("the file is cut off: {declared} declared, {read} found");
        return Err(Stop::fault(header.transitions_at, message));
    }
    // Some tools count repeated transitions and some do not.
    let distinct = graph.edge_count() as u64;
    if header.transitions != read && header.transitions != distinct {
        notes.at(
            header.transitions_at,
            format!("{} declared, {read} found", counted(header.transitions, "transition")),
        );
    }
    Ok(graph)
}

/// `des (initial, transitions, states)`, with where each number stands.
struct Header {
    initial: u64,
    initial_at: usize,
    transitions: u64,
    transitions_at: usize,
    states: u64,
    states_at: usize,
    /// Where the header's line ends.
    end: usize,
}

impl Header {
    fn read(input: &[u8]) -> Result<Self, Stop> {
        let mut at = skip_white(input, 0);
        if at == input.len() {
            return Err(Stop::fault(at, "no header: expected `des (initial, transitions, states)`"));
        }
        if !input[at..].starts_with(b"des") {
            return Err(expected(input, at, "the header `des (initial, transitions, states)`"));
        }
        let punctuation = |at: usize, wanted: u8| {
            let at = skip_blanks(input, at);
            if input.get(at) == Some(&wanted) {
                Ok(skip_blanks(input, at + 1))
            } else {
                let wanted =
                    format!("`{}` in the header `des (initial, transitions, states)`", wanted as char);
                Err(expected(input, at, &wanted))
            }
        };
        let initial_at = punctuation(at + 3, b'(')?;
        let (initial, end) = expect_number(input, initial_at, "the number of the initial state")?;
        at = skip_blanks(input, end);
        if input.get(at).is_some_and(u8::is_ascii_digit) {
            return Err(Stop::fault(
                initial_at,
                "a probabilistic initial state; only plain ones can be read",
            ));
        }
        let transitions_at = punctuation(at, b',')?;
        let (transitions, end) = expect_number(input, transitions_at, "the number of transitions")?;
        let states_at = punctuation(end, b',')?;
        let (states, end) = expect_number(input, states_at, "the number of states")?;
        at = punctuation(end, b')')?;
        let end = line_end(input, at)?;
        let (start, stop) = trim(input, at, end);
        if start < stop {
            return Err(expected(input, start, "the end of the line after the header"));
        }
        Ok(Self { initial, initial_at, transitions, transitions_at, states, states_at, end })
    }
}

struct Parts {
    source: u64,
    /// Where the label starts and ends in the line.
    label: (usize, usize),
    target: u64,
}

/// Splits `(source, label, target)`, from the front up to the first comma and from the back down to
/// the last. No answer for anything else: [`explain`] says why.
#[inline]
fn split_edge(line: &[u8]) -> Option<Parts> {
    if line.first() != Some(&b'(') {
        return None;
    }
    let Number::Read { value: source, end } = number(line, skip_blanks(line, 1)) else { return None };
    let first_comma = skip_blanks(line, end);
    if line.get(first_comma) != Some(&b',') {
        return None;
    }
    let (_, stop) = trim(line, first_comma, line.len());
    if line[stop - 1] != b')' {
        return None;
    }
    let (_, stop) = trim(line, first_comma, stop - 1);
    let mut start = stop;
    while line[start - 1].is_ascii_digit() {
        start -= 1;
    }
    let Number::Read { value: target, .. } = number(&line[..stop], start) else { return None };
    let (_, last_comma) = trim(line, first_comma, start);
    // The first comma bounds every step back, so `last_comma` is at least one behind it.
    let last_comma = last_comma - 1;
    if last_comma <= first_comma || line[last_comma] != b',' {
        return None;
    }
    Some(Parts { source, label: trim(line, first_comma + 1, last_comma), target })
}

/// Why the line from `at` to `end` is no transition.
#[cold]
fn explain(input: &[u8], at: usize, end: usize) -> Stop {
    match explain_or(input, at, end) {
        Err(stop) => stop,
        Ok(()) => expected(input, at, "a transition `(source, label, target)`"),
    }
}

fn explain_or(input: &[u8], at: usize, end: usize) -> Result<(), Stop> {
    let input = &input[..input.len().min(end + 1)];
    if input[at..end].starts_with(b"des") {
        return Err(Stop::fault(at, format!("a second header: {}", found(input, at))));
    }
    if input[at] != b'(' {
        return Err(expected(input, at, "a transition `(source, label, target)`"));
    }
    let (_, behind) = expect_number(input, skip_blanks(input, at + 1), "the number of the source state")?;
    let comma = skip_blanks(input, behind);
    if input.get(comma) != Some(&b',') {
        return Err(expected(input, comma, "`,` after the source state"));
    }
    let last = memchr::memrchr(b',', &input[at..end]).map_or(comma, |last| at + last);
    if last == comma {
        return Err(expected(input, comma + 1, "a label, `,` and the number of the target state"));
    }
    let target_at = skip_blanks(input, last + 1);
    let (_, behind) = expect_number(input, target_at, "the number of the target state")?;
    let behind = skip_blanks(input, behind);
    if input.get(behind).is_some_and(u8::is_ascii_digit) {
        return Err(Stop::fault(
            target_at,
            format!("a probabilistic target, which cannot be read: {}", found(input, target_at)),
        ));
    }
    if input.get(behind) != Some(&b')') {
        return Err(expected(input, behind, "`)` after the target state"));
    }
    Err(expected(input, skip_blanks(input, behind + 1), "the end of the line after the transition"))
}

/// States are written by their index: other tools want them without gaps.
pub(crate) fn write(graph: &StateGraph, out: &mut dyn Write) -> Result<(), WriteError> {
    let initial = writing::only_initial(graph, Format::Aut)?;
    for label in graph.labels.iter() {
        writing::refuse(Format::Aut, "a label", label, &[('\n', "a line break"), ('\0', "a NUL")])?;
    }
    writeln!(out, "des ({initial}, {}, {})", graph.edge_count(), graph.state_count())?;
    for source in 0..graph.state_count() as u32 {
        for edge in graph.edges(source) {
            writeln!(out, "({source}, \"{}\", {})", graph.labels.get(edge.label), edge.state)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{edges, error, initial, read, warnings, written};
    use crate::{ReadError, scan::LONGEST};
    use graph::{Interrupt, PULSE, Progress, Unwatched};

    const AUT: Format = Format::Aut;

    #[track_caller]
    fn check(contents: impl AsRef<[u8]>, states: usize, expected: &[&str]) {
        let reading = read(AUT, contents);
        assert_eq!((reading.graph.state_count(), edges(&reading.graph)), (states, owned(expected)));
        assert_eq!(warnings(&reading), [""; 0]);
    }

    fn owned(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn cadp_and_mcrl2_spellings_are_one() {
        check("des (0, 2, 2)\n(0, \"SEND !1\", 1)\n(1, i, 0)\n", 2, &["0 SEND !1 1", "1 i 0"]);
        check("des (0,2,2)\n(0,\"lock(p2, f2)\",1)\n(1,\"tau\",0)\n", 2, &["0 lock(p2, f2) 1", "1 tau 0"]);
    }

    #[test]
    fn blanks_line_ends_and_empty_lines_are_free() {
        check("des(0,1,2)\n(0,a,1)", 2, &["0 a 1"]);
        check("\n \tdes  ( 0 ,1\t, 2 )\t\r\n\r\n \n ( 0 , a b , 1 ) \r\n\n", 2, &["0 a b 1"]);
        check("\u{feff}des (0, 0, 1)", 1, &[]);
    }

    #[test]
    fn labels_may_hold_commas_parentheses_and_quotes() {
        check(
            "des (0,3,1)\n(0,f(1,2),0)\n(0,\"say \"x\", y\",0)\n(0,a)b(,0)",
            1,
            &["0 f(1,2) 0", "0 say \"x\", y 0", "0 a)b( 0"],
        );
        check("des (0,2,1)\n(0,\" a \",0)\n(0,,0)", 1, &["0  a  0", "0  0"]);
    }

    #[test]
    fn quoted_and_unquoted_labels_are_the_same() {
        let graph = read(AUT, "des (0,2,3)\n(0,\"a\",1)\n(0,a,2)\n").graph;
        assert_eq!(graph.labels.len(), 1);
    }

    #[test]
    fn a_quote_that_is_not_closed_is_refused() {
        let message = error(AUT, "des (0,1,1)\n(0, \"a, 0)\n");
        assert_eq!(message, "2:5: the quote that opens this label is not closed");
    }

    #[test]
    fn wrong_counts_are_worth_a_warning() {
        let reading = read(AUT, "des (0, 1, 2)\n(0, a, 2)\n(2, b, 9)\n");
        assert_eq!(reading.graph.state_count(), 4);
        assert_eq!(edges(&reading.graph), ["0 a 2", "2 b 9"]);
        assert_eq!(
            warnings(&reading),
            [
                "2:1: 2 states beyond the declared count of 2, up to number 9; kept",
                "1:9: 1 transition declared, 2 found",
            ]
        );
    }

    #[test]
    fn what_is_cut_off_is_refused() {
        let message = error(AUT, "des (0, 7, 2)\n(0, a, 1)\n(1, b, 0)\n");
        assert_eq!(message, "1:9: the file is cut off: 7 transitions declared, 2 found");
    }

    #[test]
    fn repeated_transitions_may_be_counted_or_not() {
        for count in [1, 2] {
            check(format!("des (0,{count},1)\n(0,a,0)\n(0,\"a\",0)"), 1, &["0 a 0"]);
        }
    }

    #[test]
    fn numbers_beyond_32_bits_are_only_names() {
        let reading = read(AUT, "des (9223372036854775807, 1, 99999999999)\n(5000000000, a, 3)\n");
        assert_eq!(reading.graph.state_count(), 3);
        assert_eq!(edges(&reading.graph), ["5000000000 a 3"]);
        assert_eq!(initial(&reading.graph), ["9223372036854775807"]);
        assert_eq!(
            warnings(&reading),
            [
                "1:30: 99999999999 states are declared, far more than the 3 mentioned; the others are left out",
                "1:6: 1 state beyond the declared count of 99999999999, up to number 9223372036854775807; kept",
            ]
        );
    }

    #[test]
    fn an_initial_state_need_not_be_mentioned_again() {
        let reading = read(AUT, "des (2,1,3)\n(0,a,1)");
        assert_eq!((initial(&reading.graph), reading.warnings), (vec!["2".to_owned()], vec![]));
        let reading = read(AUT, "des (0,0,0)");
        assert_eq!((reading.graph.state_count(), reading.warnings.len()), (1, 1));
    }

    #[test]
    fn labels_that_are_not_utf8_are_latin1() {
        let reading = read(AUT, b"des (0,2,1)\n(0,caf\xe9,0)\n(0,caf\xe9,0)\n");
        assert_eq!(edges(&reading.graph), ["0 café 0"]);
        assert_eq!(warnings(&reading), ["2:4: 2 texts not in UTF-8; taken as Latin-1"]);
    }

    #[test]
    fn faults_tell_what_was_expected_and_found() {
        let cases: [(&str, &str); 22] = [
            ("", "1:1: no header: expected `des (initial, transitions, states)`"),
            (" \n\n", "3:1: no header: expected `des (initial, transitions, states)`"),
            (
                "dse (0,1,2)",
                "1:1: expected the header `des (initial, transitions, states)`, found `dse (0,1,2)`",
            ),
            ("des (,1,2)", "1:6: expected the number of the initial state, found `,1,2)`"),
            ("des (0,1)", "1:9: expected `,` in the header `des (initial, transitions, states)`, found `)`"),
            (
                "des (0,1,2",
                "1:11: expected `)` in the header `des (initial, transitions, states)`, found the end of the file",
            ),
            ("des (0,1,2) x", "1:13: expected the end of the line after the header, found `x`"),
            (
                "des (-1,1,2)",
                "1:6: expected the number of the initial state, found a negative number: `-1,1,2)`",
            ),
            ("des (0 1/3 1, 2, 2)", "1:6: a probabilistic initial state; only plain ones can be read"),
            (
                "des (0,1,9223372036854775808)",
                "1:10: `9223372036854775808)` is too large: numbers go up to 9223372036854775807",
            ),
            ("des (0,1,1)\ndes (0,1,1)", "2:1: a second header: `des (0,1,1)`"),
            ("des (0,1,1)\nhello", "2:1: expected a transition `(source, label, target)`, found `hello`"),
            ("des (0,1,1)\n(x,a,0)", "2:2: expected the number of the source state, found `x,a,0)`"),
            ("des (0,1,1)\n(0:N:R, a, 0)", "2:3: expected `,` after the source state, found `:N:R, a, 0)`"),
            (
                "des (0,1,1)\n(0,0)\n",
                "2:4: expected a label, `,` and the number of the target state, found `0)`",
            ),
            (
                "des (0,1,1)\n(0,a,-1)",
                "2:6: expected the number of the target state, found a negative number: `-1)`",
            ),
            (
                "des (0,1,1)\n(0,\"a\",0 1/2 1)",
                "2:8: a probabilistic target, which cannot be read: `0 1/2 1)`",
            ),
            ("des (0,1,1)\n(0,a,0\n", "2:7: expected `)` after the target state, found the end of the line"),
            ("des (0,1,1)\n(0,a,0);", "2:8: expected the end of the line after the transition, found `;`"),
            (
                "des (0,1,1)\n(0,ü,99999999999999999999)",
                "2:6: `99999999999999999999)` is too large: numbers go up to 9223372036854775807",
            ),
            ("des (0,1,1)\n(0,a,", "2:6: expected the number of the target state, found the end of the file"),
            ("des (0,1,1)\n(0,a\0b,0)", "2:5: a NUL byte: this is not a text file"),
        ];
        for (contents, message) in cases {
            assert_eq!(error(AUT, contents), message, "{contents:?}");
        }
    }

    #[test]
    fn binary_files_are_refused() {
        error(AUT, b"\x7fELF\x02\x01\x01\0\0\0");
        error(AUT, b"des (0,1,1)\n\xff\xfe\0\x01");
    }

    #[test]
    fn an_endless_line_ends_at_once() {
        let mut contents = b"des (0,1,1)\n(0,\"".to_vec();
        contents.resize(3 * LONGEST, b'a');
        assert_eq!(error(AUT, &contents), "2:1: this line is longer than 16777216 bytes");
    }

    #[test]
    fn a_watch_can_stop_the_reader() {
        struct Impatient;
        impl Watch for Impatient {
            fn pulse(&self, progress: Progress) -> Result<(), Interrupt> {
                assert_eq!((progress.phase, progress.edges), ("reading", PULSE));
                assert!(progress.permille.is_some_and(|part| part > 300 && part < 700));
                Err(Interrupt::Timeout)
            }
        }
        let contents = format!("des (0,1,1)\n{}", "(0,a,0)\n".repeat(2 * PULSE as usize));
        let result = crate::read(AUT, contents.as_bytes(), &Impatient);
        assert_eq!(result.unwrap_err(), ReadError::Interrupted(Interrupt::Timeout));
    }

    #[test]
    fn what_is_written_is_plain() {
        let graph = read(AUT, "des (1,2,2)\n(1, \"a \"b\"\", 0)\n(0, c, 7)").graph;
        assert_eq!(written(AUT, &graph), "des (1, 2, 3)\n(0, \"c\", 2)\n(1, \"a \"b\"\", 0)\n");
    }

    #[test]
    fn what_cannot_be_written_is_refused() {
        let several = read(Format::Csv, "# initial: 0\n# initial: 1\n0,1,a\n").graph;
        assert_eq!(
            write(&several, &mut Vec::new()).unwrap_err().to_string(),
            "aut files have one initial state and this system has 2; dot, csv and json files can have several"
        );
        let broken = crate::read(Format::Csv, b"0,1,\"a\nb\"\n", &Unwatched).unwrap().graph;
        assert_eq!(
            write(&broken, &mut Vec::new()).unwrap_err().to_string(),
            "aut files cannot hold a label with a line break: `a\\nb`"
        );
    }
}
