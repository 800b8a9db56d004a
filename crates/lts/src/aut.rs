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
use crate::outcome::{Notes, Stop, Tally, WriteError, counted};
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
    let mut half_quoted = Tally::default();
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
            [b'"', ..] => half_quoted.hit(label_at),
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
    notes.tally(&half_quoted, |count| {
        format!("{} opened but not closed; kept as they are", counted(count, "quoted label"))
    });
    let mut graph = builder.finish(count, vec![initial]).map_err(Stop::too_many_edges)?;
    graph.names = names;
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
