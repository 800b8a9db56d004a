//! FSM, mCRL2's format for systems whose states have parameters.
//!
//! ```text
//! b(2) Bool "F" "T"
//! n(3) Nat "0" "1" "2"
//! ---
//! 0 0
//! 1 2
//! ---
//! 1 2 "switch"
//! 2 1 "back"
//! ---
//! 1
//! ```
//!
//! First the parameters with their values, then for every state the indices of its values, then the
//! transitions between states counted from 1, and at last, mostly left out, the initial state.
//! Without parameters every state is an empty line, or there are no lines at all. Texts have no
//! escapes, so a quote cannot be written.

use std::io::Write;

use graph::{GraphBuilder, Labels, StateGraph, StateNames, StateVariables, Watch};

use crate::numbering::{Numbering, believable};
use crate::outcome::{Notes, Stop, Tally, WriteError, counted};
use crate::scan::{Decoder, Pulse, expect_number, expected, found, line_end, quote, skip_blanks, trim};
use crate::{Format, writing};

pub(crate) fn read(input: &[u8], watch: &dyn Watch, notes: &mut Notes) -> Result<StateGraph, Stop> {
    let mut lines = Lines { input, at: 0, pulse: Pulse::new(watch, input) };
    let mut decoder = Decoder::default();
    let parameters = Parameters::read(&mut lines, &mut decoder, notes)?;
    let rows = Rows::read(&mut lines, &parameters)?;
    let mut states = match rows.count {
        0 => States::Unlisted { count: 0, most: believable(input.len()) },
        count => States::Listed(Numbering::new(1, count, input.len())),
    };
    let mut builder = GraphBuilder::new();
    let mut third_section = false;
    while let Some(line) = lines.next(states.count(), builder.edge_count())? {
        match line {
            Line::Blank(_) => {}
            Line::Separator => {
                third_section = true;
                break;
            }
            Line::Text(start, end) => {
                let (source, behind) = state_number(input, start, &mut states)?;
                let (target, behind) = state_number(input, behind, &mut states)?;
                refuse_distribution(input, behind)?;
                let label = quoted(input, behind, end)?;
                let (rest, _) = trim(input, label.1 + 1, end);
                if rest < end {
                    return Err(expected(input, rest, "the end of the line after the label"));
                }
                let label = decoder.intern(&mut builder.labels, &input[label.0..label.1], label.0)?;
                builder.edge(source, label, target);
            }
        }
    }
    let mut initial = None;
    while third_section && let Some(line) = lines.next(states.count(), builder.edge_count())? {
        let Line::Text(start, end) = line else { continue };
        let (state, behind) = state_number(input, start, &mut states)?;
        if initial.is_some() || behind < end {
            let at = if initial.is_some() { start } else { behind };
            return Err(expected(input, at, "nothing after the initial state"));
        }
        initial = Some(state);
    }
    let initial = match initial {
        Some(state) => state,
        None => states.index(1, 0)?,
    };
    decoder.finish(notes);
    let count = states.count();
    let mut graph = builder.finish(count, vec![initial]).map_err(Stop::too_many_edges)?;
    graph.names = match states {
        States::Listed(numbering) => numbering.finish(rows.at, notes),
        States::Unlisted { .. } => StateNames::Counted { first: 1 },
    };
    graph.variables = rows.table(&parameters, count, input.len(), notes);
    Ok(graph)
}

/// A state at `at`, and where the next thing in the line starts.
fn state_number(input: &[u8], at: usize, states: &mut States) -> Result<(u32, usize), Stop> {
    refuse_distribution(input, at)?;
    let (number, behind) = expect_number(input, at, "the number of a state")?;
    Ok((states.index(number, at)?, skip_blanks(input, behind)))
}

/// A distribution starts with a bracket, or goes on with one behind its first state.
fn refuse_distribution(input: &[u8], at: usize) -> Result<(), Stop> {
    if input.get(at) == Some(&b'[') {
        return Err(Stop::fault(
            at,
            format!("a probabilistic state, which cannot be read: {}", found(input, at)),
        ));
    }
    Ok(())
}

/// Where the text between the quotes at `at` starts and ends.
fn quoted(input: &[u8], at: usize, end: usize) -> Result<(usize, usize), Stop> {
    if at >= end || input[at] != b'"' {
        return Err(expected(input, at, "a label in quotes"));
    }
    match memchr::memchr(b'"', &input[at + 1..end]) {
        Some(length) => Ok((at + 1, at + 1 + length)),
        None => Err(Stop::fault(at, format!("a quote that is not closed in its line: {}", found(input, at)))),
    }
}

enum States {
    /// The second section has a line for every state.
    Listed(Numbering),
    /// It has none: there are as many states as the highest number says, within reason.
    Unlisted { count: u64, most: u64 },
}

impl States {
    fn index(&mut self, number: u64, at: usize) -> Result<u32, Stop> {
        let Some(offset) = number.checked_sub(1) else {
            return Err(Stop::fault(at, "state 0: states are counted from 1"));
        };
        match self {
            Self::Listed(numbering) => numbering.index(offset, at),
            Self::Unlisted { count, most } if offset < *most => {
                *count = (*count).max(offset + 1);
                Ok(offset as u32)
            }
            Self::Unlisted { .. } => {
                Err(Stop::fault(at, format!("state {number} in a file too short for so many states")))
            }
        }
    }

    fn count(&self) -> usize {
        match self {
            Self::Listed(numbering) => numbering.states(),
            Self::Unlisted { count, .. } => *count as usize,
        }
    }
}

enum Line {
    Separator,
    Blank(usize),
    /// Where its text starts and ends.
    Text(usize, usize),
}

struct Lines<'a> {
    input: &'a [u8],
    at: usize,
    pulse: Pulse<'a>,
}

impl Lines<'_> {
    fn next(&mut self, states: usize, edges: usize) -> Result<Option<Line>, Stop> {
        if self.at >= self.input.len() {
            return Ok(None);
        }
        self.pulse.tick(self.at, states, edges)?;
        let line_start = self.at;
        let line_end = line_end(self.input, line_start)?;
        self.at = line_end + 1;
        let (start, end) = trim(self.input, line_start, line_end);
        Ok(Some(match &self.input[start..end] {
            [] => Line::Blank(line_start),
            b"---" => Line::Separator,
            _ => Line::Text(start, end),
        }))
    }

    /// The next line of a section that `---` has to end.
    fn next_in_section(&mut self, section: &str) -> Result<Line, Stop> {
        match self.next(0, 0)? {
            Some(line) => Ok(line),
            None => Err(expected(self.input, self.input.len(), &format!("`---` after the {section}"))),
        }
    }
}

/// The first section: names, and all values in one table.
#[derive(Default)]
struct Parameters {
    names: Vec<String>,
    values: Labels,
    /// The values of parameter `p` are `domain[starts[p]..starts[p + 1]]`.
    domain: Vec<u32>,
    starts: Vec<usize>,
}

impl Parameters {
    fn read(lines: &mut Lines<'_>, decoder: &mut Decoder, notes: &mut Notes) -> Result<Self, Stop> {
        let input = lines.input;
        let mut parameters = Self { starts: vec![0], ..Self::default() };
        let mut miscounted = Tally::default();
        loop {
            let (start, end) = match lines.next_in_section("parameters")? {
                Line::Separator => break,
                Line::Blank(_) => continue,
                Line::Text(start, end) => (start, end),
            };
            let open = memchr::memchr(b'(', &input[start..end]).filter(|length| *length > 0);
            let Some(open) = open.map(|length| start + length) else {
                return Err(expected(input, start, "a parameter `name(count) Type \"value\" ...` or `---`"));
            };
            let (name_start, name_end) = trim(input, start, open);
            let name = decoder.decode(&input[name_start..name_end], name_start)?;
            let (cardinality, behind) =
                expect_number(input, skip_blanks(input, open + 1), "the number of values")?;
            let mut at = skip_blanks(input, behind);
            if input.get(at) != Some(&b')') {
                return Err(expected(input, at, "`)` after the number of values"));
            }
            // What stands before the first quote is the type.
            at = memchr::memchr(b'"', &input[at..end]).map_or(end, |length| at + length);
            while at < end {
                let value = quoted(input, at, end)?;
                let text = decoder.decode(&input[value.0..value.1], value.0)?;
                parameters.domain.push(parameters.values.intern(&text));
                at = skip_blanks(input, value.1 + 1);
            }
            let values = parameters.domain.len() - parameters.starts.last().copied().unwrap_or(0);
            if values as u64 != cardinality {
                miscounted.hit(start);
            }
            parameters.names.push(name.into_owned());
            parameters.starts.push(parameters.domain.len());
        }
        notes.tally(&miscounted, |count| {
            format!("{} with more or fewer values than declared", counted(count, "parameter"))
        });
        Ok(parameters)
    }

    /// Value number `index` of parameter `parameter`.
    fn value(&self, parameter: usize, index: usize) -> Option<&str> {
        let domain = &self.domain[self.starts[parameter]..self.starts[parameter + 1]];
        domain.get(index).map(|value| self.values.get(*value))
    }

    /// A parameter without values has an index in every state that says nothing.
    fn is_ignored(&self, parameter: usize) -> bool {
        self.starts[parameter] == self.starts[parameter + 1]
    }
}

/// The second section.
struct Rows {
    /// Where it starts.
    at: usize,
    count: u64,
    /// An index for every state and parameter.
    indices: Vec<u32>,
}

impl Rows {
    fn read(lines: &mut Lines<'_>, parameters: &Parameters) -> Result<Self, Stop> {
        let input = lines.input;
        let width = parameters.names.len();
        let mut rows = Self { at: lines.at, count: 0, indices: Vec::new() };
        loop {
            let (start, end) = match lines.next_in_section("states")? {
                Line::Separator => return Ok(rows),
                Line::Blank(_) if width > 0 => continue,
                Line::Blank(start) => (start, start),
                Line::Text(start, end) => (start, end),
            };
            let mut at = start;
            for parameter in 0..width {
                if at >= end {
                    let wanted = format!("{width} values, one for every parameter");
                    return Err(expected(input, end, &wanted));
                }
                let (index, behind) = expect_number(input, at, "the index of a value")?;
                let known = parameters.is_ignored(parameter)
                    || usize::try_from(index).is_ok_and(|index| parameters.value(parameter, index).is_some());
                if !known {
                    let name = quote(&parameters.names[parameter]);
                    return Err(Stop::fault(at, format!("parameter {name} has no value with index {index}")));
                }
                // Only an index that says nothing can be too large.
                rows.indices.push(u32::try_from(index).unwrap_or(u32::MAX));
                at = skip_blanks(input, behind);
            }
            if at < end {
                return Err(expected(input, at, &format!("a line with {width} values")));
            }
            rows.count += 1;
        }
    }

    fn table(
        &self,
        parameters: &Parameters,
        states: usize,
        length: usize,
        notes: &mut Notes,
    ) -> Option<StateVariables> {
        if self.indices.is_empty() {
            return None;
        }
        let width = parameters.names.len();
        let mut table = crate::variables::table(parameters.names.clone(), states, length, notes)?;
        for (cell, index) in self.indices.iter().enumerate() {
            if let Some(value) = parameters.value(cell % width, *index as usize) {
                table.set((cell / width) as u32, cell % width, value);
            }
        }
        Some(table)
    }
}

/// States are written by their index, counted from 1.
pub(crate) fn write(graph: &StateGraph, out: &mut dyn Write) -> Result<(), WriteError> {
    let initial = writing::only_initial(graph, Format::Fsm)?;
    for label in graph.labels.iter() {
        refuse("a label", label)?;
    }
    let states = 0..graph.state_count() as u32;
    match &graph.variables {
        Some(variables) => write_variables(variables, states.clone(), out)?,
        None => {
            out.write_all(b"---\n")?;
            states.clone().try_for_each(|_| out.write_all(b"\n"))?;
        }
    }
    out.write_all(b"---\n")?;
    for source in states {
        for edge in graph.edges(source) {
            let (source, target) = (u64::from(source) + 1, u64::from(edge.state) + 1);
            writeln!(out, "{source} {target} \"{}\"", graph.labels.get(edge.label))?;
        }
    }
    if initial != 0 {
        writeln!(out, "---\n{}", u64::from(initial) + 1)?;
    }
    Ok(())
}

/// The first two sections. A parameter has the values it takes, in order of appearance; a state that
/// lacks the variable takes one value more, an empty text.
fn write_variables(
    variables: &StateVariables,
    states: std::ops::Range<u32>,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let mut domains = Vec::new();
    for (variable, name) in variables.names().iter().enumerate() {
        refuse("a variable", name)?;
        writing::refuse(Format::Fsm, "a variable", name, &[('(', "a parenthesis")])?;
        if name.trim().is_empty() {
            let (what, problem) = ("a variable", "an empty name");
            return Err(WriteError::Text { format: Format::Fsm, what, problem, text: quote(name) });
        }
        let mut domain = Labels::new();
        for state in states.clone() {
            domain.intern(variables.get(state, variable).unwrap_or_default());
        }
        write!(out, "{name}({}) String", domain.len())?;
        for value in domain.iter() {
            refuse("a value", value)?;
            write!(out, " \"{value}\"")?;
        }
        out.write_all(b"\n")?;
        domains.push(domain);
    }
    out.write_all(b"---\n")?;
    for state in states {
        for (variable, domain) in domains.iter().enumerate() {
            let value = variables.get(state, variable).unwrap_or_default();
            let index = domain.find(value).unwrap_or_default();
            write!(out, "{}{index}", if variable > 0 { " " } else { "" })?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn refuse(what: &'static str, text: &str) -> Result<(), WriteError> {
    let impossible = [('"', "a quote"), ('\n', "a line break"), ('\0', "a NUL")];
    writing::refuse(Format::Fsm, what, text, &impossible)
}

#[cfg(test)]
mod tests;
