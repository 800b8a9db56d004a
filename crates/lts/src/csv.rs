//! Lists of edges as comma-separated values: what a home-made checker can write with one `printf`.
//!
//! ```text
//! # initial: 0
//! src,dst,label
//! 0,1,"send(1, 2)"
//! 1,0,tau
//! ```
//!
//! The header row is optional and may have its columns in any order. Quotes are those of RFC 4180;
//! the separator may be a semicolon or a tab as well. States are called by numbers or words. Without
//! `# initial:` the first source is initial; `# state:` mentions a state no transition mentions.

use std::borrow::Cow;
use std::io::Write;

use graph::{GraphBuilder, StateGraph, StateName, Watch};
use memchr::{memchr, memchr2};

use crate::naming::Naming;
use crate::outcome::{Notes, Stop, WriteError};
use crate::scan::{
    Decoder, LONGEST, Pulse, expected, is_blank, line_end, skip_blanks, skip_white, too_long, trim,
};
use crate::{Format, writing};

const FORM: &str = "`source,target,label`";

pub(crate) fn read(input: &[u8], watch: &dyn Watch, notes: &mut Notes) -> Result<StateGraph, Stop> {
    let mut rows = Rows { input, at: 0, separator: None, fields: Vec::new() };
    let mut columns: Option<Columns> = None;
    let mut states = Naming::new(input.len());
    let mut initial = Vec::new();
    let mut has_header = false;
    // The first row, as long as it is the only one whose states are words.
    let mut first_of_words = None;
    let mut edges: Vec<[u32; 3]> = Vec::new();
    let mut builder = GraphBuilder::new();
    let mut decoder = Decoder::default();
    let mut pulse = Pulse::new(watch, input);
    while let Some(row) = rows.next()? {
        pulse.tick(rows.at, states.len(), edges.len())?;
        let row = match row {
            Row::Comment { key, field } => {
                let state = states.index(&field.bytes(input), &mut decoder, field.start)?;
                if key == Key::Initial {
                    initial.push(state);
                }
                continue;
            }
            Row::Fields(start) => start,
        };
        let columns = match columns {
            Some(columns) => columns,
            None => {
                let named = Columns::named(input, row, &rows.fields)?;
                columns = Some(named.unwrap_or(Columns::USUAL));
                has_header = named.is_some();
                if has_header {
                    continue;
                }
                Columns::USUAL
            }
        };
        let fields = &rows.fields;
        if fields.len() != columns.count && (columns.count == 3 || fields.len() < columns.count) {
            let advice =
                if fields.len() > columns.count { " (quote a label that holds the separator)" } else { "" };
            let found =
                format!("expected {FORM}, found {} fields instead of {}", fields.len(), columns.count);
            return Err(Stop::fault(row, found + advice));
        }
        let mut state = |column: usize| {
            let field = fields[column];
            if field.start == field.end && !field.quoted {
                return Err(expected(input, field.start, "the name of a state"));
            }
            states.index(&field.bytes(input), &mut decoder, field.start)
        };
        let (source, target) = (state(columns.source)?, state(columns.target)?);
        let is_number = |column: usize| {
            let id = fields[column].bytes(input);
            let digits = id.strip_prefix(b"-").unwrap_or(&id);
            !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
        };
        match (is_number(columns.source), is_number(columns.target)) {
            (false, false) if edges.is_empty() && !has_header => first_of_words = Some(row),
            (true, true) => {}
            _ => first_of_words = None,
        }
        let label = fields[columns.label];
        let label = decoder.intern(&mut builder.labels, &label.bytes(input), label.start)?;
        edges.push([source, label, target]);
    }
    if states.len() == 0 {
        return Err(Stop::fault(input.len(), format!("no transitions: expected lines of the form {FORM}")));
    }
    if let Some(row) = first_of_words.filter(|_| edges.len() > 1) {
        let message =
            "this row looks like a header, but it does not say which columns are `source` and `target`";
        return Err(Stop::fault(row, message));
    }
    if initial.is_empty() {
        initial.push(edges.first().map_or(0, |edge| edge[0]));
    }
    let count = states.len();
    let (names, new_index) = states.finish_sorted();
    let index = |state: u32| new_index.as_ref().map_or(state, |index| index[state as usize]);
    builder.reserve(edges.len());
    for [source, label, target] in edges {
        builder.edge(index(source), label, index(target));
    }
    let initial = initial.into_iter().map(index).collect();
    decoder.finish(notes);
    let mut graph = builder.finish(count, initial).map_err(Stop::too_many_edges)?;
    graph.names = names;
    Ok(graph)
}

/// Which column holds what, and how many there are.
#[derive(Clone, Copy)]
struct Columns {
    source: usize,
    target: usize,
    label: usize,
    count: usize,
}

impl Columns {
    const USUAL: Self = Self { source: 0, target: 1, label: 2, count: 3 };

    /// The columns as a header row names them, if the first row is one.
    fn named(input: &[u8], row: usize, fields: &[Field]) -> Result<Option<Self>, Stop> {
        let find = |words: &[&str]| {
            fields.iter().position(|field| {
                let name = field.bytes(input);
                words.iter().any(|word| name.eq_ignore_ascii_case(word.as_bytes()))
            })
        };
        let source = find(&["src", "source", "from"]);
        let target = find(&["dst", "target", "to", "destination"]);
        let (Some(source), Some(target)) = (source, target) else { return Ok(None) };
        match find(&["label", "action"]) {
            Some(label) => Ok(Some(Self { source, target, label, count: fields.len() })),
            None => Err(Stop::fault(row, format!("a header without a column `label`: expected {FORM}"))),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Initial,
    State,
}

enum Row {
    Comment {
        key: Key,
        field: Field,
    },
    /// The fields of a row that starts here.
    Fields(usize),
}

#[derive(Clone, Copy)]
struct Field {
    start: usize,
    end: usize,
    quoted: bool,
}

impl Field {
    /// The bytes meant; only doubled quotes have to be copied.
    fn bytes<'a>(&self, input: &'a [u8]) -> Cow<'a, [u8]> {
        let raw = &input[self.start..self.end];
        if !self.quoted || memchr(b'"', raw).is_none() {
            return Cow::Borrowed(raw);
        }
        let mut bytes = Vec::with_capacity(raw.len());
        let mut rest = raw;
        while let Some(quote) = memchr(b'"', rest) {
            bytes.extend_from_slice(&rest[..=quote]);
            rest = rest.get(quote + 2..).unwrap_or_default();
        }
        bytes.extend_from_slice(rest);
        Cow::Owned(bytes)
    }
}

struct Rows<'a> {
    input: &'a [u8],
    at: usize,
    /// Known once the first row was read.
    separator: Option<u8>,
    fields: Vec<Field>,
}

impl Rows<'_> {
    /// The next row or comment that means something.
    fn next(&mut self) -> Result<Option<Row>, Stop> {
        loop {
            self.skip_empty_lines();
            let start = self.at;
            match self.input.get(start) {
                None => return Ok(None),
                Some(b'#') => {
                    if let Some(comment) = self.comment()? {
                        return Ok(Some(comment));
                    }
                }
                Some(_) => {
                    self.row()?;
                    return Ok(Some(Row::Fields(start)));
                }
            }
        }
    }

    /// Like [`skip_white`], but a tab that starts a line may be a separator behind an empty field.
    fn skip_empty_lines(&mut self) {
        let content = skip_white(self.input, self.at);
        let line =
            memchr::memrchr(b'\n', &self.input[self.at..content]).map_or(self.at, |end| self.at + end + 1);
        let comment = self.input.get(content).is_none_or(|byte| *byte == b'#');
        self.at = if self.separator == Some(b'\t') && !comment { line } else { content };
    }

    fn comment(&mut self) -> Result<Option<Row>, Stop> {
        let end = line_end(self.input, self.at)?;
        let key_at = skip_blanks(self.input, self.at + 1);
        self.at = end;
        let Some(colon) = memchr(b':', &self.input[key_at..end]) else { return Ok(None) };
        let key = match self.input[key_at..key_at + colon].trim_ascii() {
            key if key.eq_ignore_ascii_case(b"initial") => Key::Initial,
            key if key.eq_ignore_ascii_case(b"state") => Key::State,
            _ => return Ok(None),
        };
        let (start, end) = trim(self.input, key_at + colon + 1, end);
        if start == end {
            return Err(expected(self.input, start, "the name of a state"));
        }
        if self.input[start] != b'"' {
            return Ok(Some(Row::Comment { key, field: Field { start, end, quoted: false } }));
        }
        let (field, behind) = self.quoted(start)?;
        self.at = skip_blanks(self.input, behind);
        match self.input.get(self.at) {
            None | Some(b'\n' | b'\r') => Ok(Some(Row::Comment { key, field })),
            Some(_) => Err(expected(self.input, self.at, "the end of the line")),
        }
    }

    /// Reads the fields of the row at hand.
    fn row(&mut self) -> Result<(), Stop> {
        self.fields.clear();
        loop {
            let separator = self.separator;
            let is_separator = |byte: u8| match separator {
                Some(separator) => byte == separator,
                None => matches!(byte, b',' | b';' | b'\t'),
            };
            // In a list with tabs, a tab is no blank.
            while self.input.get(self.at).is_some_and(|byte| is_blank(*byte) && !is_separator(*byte)) {
                self.at += 1;
            }
            let field = if self.input.get(self.at) == Some(&b'"') {
                let (field, behind) = self.quoted(self.at)?;
                self.at = behind;
                while self.input.get(self.at).is_some_and(|byte| is_blank(*byte) && !is_separator(*byte)) {
                    self.at += 1;
                }
                field
            } else {
                self.unquoted(is_separator)?
            };
            self.fields.push(field);
            match self.input.get(self.at) {
                None | Some(b'\n') => return Ok(()),
                Some(b'\r') if matches!(self.input.get(self.at + 1), None | Some(b'\n')) => {
                    self.at += 1;
                    return Ok(());
                }
                // The first separator seen is the one of the file.
                Some(byte) if is_separator(*byte) => self.separator = Some(*byte),
                Some(_) => return Err(expected(self.input, self.at, "a separator after the closing quote")),
            }
            self.at += 1;
        }
    }

    fn unquoted(&mut self, is_separator: impl Fn(u8) -> bool) -> Result<Field, Stop> {
        let window = &self.input[self.at..self.input.len().min(self.at + LONGEST)];
        let length = match self.separator {
            Some(separator) => memchr2(separator, b'\n', window),
            None => window.iter().position(|byte| *byte == b'\n' || is_separator(*byte)),
        };
        let stop = match length {
            Some(length) => self.at + length,
            None if self.at + window.len() == self.input.len() => self.input.len(),
            None => return Err(too_long(self.at, "field")),
        };
        let (start, end) = trim(self.input, self.at, stop);
        self.at = stop;
        Ok(Field { start, end, quoted: false })
    }

    /// The field whose opening quote stands at `open`, and where it ends.
    fn quoted(&self, open: usize) -> Result<(Field, usize), Stop> {
        let start = open + 1;
        let limit = self.input.len().min(start + LONGEST);
        let mut end = start;
        while let Some(offset) = memchr(b'"', &self.input[end..limit]) {
            end += offset;
            if self.input.get(end + 1) != Some(&b'"') {
                return Ok((Field { start, end, quoted: true }, end + 1));
            }
            end = (end + 2).min(limit);
        }
        match limit == self.input.len() {
            true => Err(Stop::fault(open, "a quoted field that is never closed")),
            false => Err(too_long(open, "field")),
        }
    }
}

/// States are written by their names.
pub(crate) fn write(graph: &StateGraph, out: &mut dyn Write) -> Result<(), WriteError> {
    let refuse = |what, text| writing::refuse(Format::Csv, what, text, &[('\0', "a NUL")]);
    for label in graph.labels.iter() {
        refuse("a label", label)?;
    }
    let mut mentioned = vec![false; graph.state_count()];
    for state in graph.initial() {
        mentioned[*state as usize] = true;
        write_comment(out, "initial", graph.names.name(*state))?;
    }
    for source in 0..graph.state_count() as u32 {
        mentioned[source as usize] |= !graph.edges(source).is_empty();
        graph.edges(source).iter().for_each(|edge| mentioned[edge.state as usize] = true);
        if let StateName::Text(text) = graph.names.name(source) {
            refuse("a name", text)?;
        }
    }
    for state in (0..graph.state_count() as u32).filter(|state| !mentioned[*state as usize]) {
        write_comment(out, "state", graph.names.name(state))?;
    }
    out.write_all(b"src,dst,label\n")?;
    for source in 0..graph.state_count() as u32 {
        for edge in graph.edges(source) {
            write_name(out, graph.names.name(source))?;
            out.write_all(b",")?;
            write_name(out, graph.names.name(edge.state))?;
            out.write_all(b",")?;
            write_text(out, graph.labels.get(edge.label))?;
            out.write_all(b"\n")?;
        }
    }
    Ok(())
}

fn write_comment(out: &mut dyn Write, key: &str, name: StateName<'_>) -> Result<(), WriteError> {
    write!(out, "# {key}: ")?;
    write_name(out, name)?;
    out.write_all(b"\n")?;
    Ok(())
}

fn write_name(out: &mut dyn Write, name: StateName<'_>) -> Result<(), WriteError> {
    match name {
        StateName::Number(number) => Ok(write!(out, "{number}")?),
        StateName::Text(text) => write_text(out, text),
    }
}

/// Quotes whatever is not a plain word.
fn write_text(out: &mut dyn Write, text: &str) -> Result<(), WriteError> {
    let is_plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'!' | 0x80..);
    if !text.is_empty() && text.bytes().all(is_plain) {
        out.write_all(text.as_bytes())?;
    } else {
        out.write_all(b"\"")?;
        for (count, part) in text.split('"').enumerate() {
            out.write_all(if count > 0 { b"\"\"" } else { b"" })?;
            out.write_all(part.as_bytes())?;
        }
        out.write_all(b"\"")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{edges, error, initial, read, warnings, written};

    const CSV: Format = Format::Csv;

    #[track_caller]
    fn check(contents: impl AsRef<[u8]>, first: &str, expected: &[&str]) {
        let reading = read(CSV, contents);
        assert_eq!(edges(&reading.graph), expected);
        assert_eq!(initial(&reading.graph), [first]);
        assert_eq!(warnings(&reading), [""; 0]);
    }

    #[test]
    fn a_header_is_optional_and_orders_the_columns() {
        check("0,1,a\n1,0,b\n", "0", &["0 a 1", "1 b 0"]);
        check("src,dst,label\n0,1,a", "0", &["0 a 1"]);
        check("Action,id,To,From\r\na,17,1,0\r\n", "0", &["0 a 1"]);
        check("source,target,label,note\n0,1,a,x,y\n", "0", &["0 a 1"]);
    }

    #[test]
    fn separators_are_found_out() {
        check("0;1;a,b\n", "0", &["0 a,b 1"]);
        check("0\t1\ta;b c\n1\t0\t\n", "0", &["0 a;b c 1", "1  0"]);
        check("\"a;b\",1,x", "a;b", &["a;b x 1"]);
    }

    #[test]
    fn quotes_follow_rfc_4180() {
        check(
            "0 , 1 , \"say \"\"x\"\", y\" \n0,1,\"two\nlines\"\n",
            "0",
            &["0 say \"x\", y 1", "0 two\nlines 1"],
        );
        check("0,1,a\"b\n0,1,\"\"\n0,1,\"\"\"\"", "0", &["0 a\"b 1", "0  1", "0 \" 1"]);
    }

    #[test]
    fn comments_may_name_states() {
        check("# by hand: today\n#initial: 1\n\n0,1,a\n  # more\n1,0,b\n", "1", &["0 a 1", "1 b 0"]);
        let graph = read(CSV, "# INITIAL : \"x, y\"\n# initial: b\n# state: c\n\"x, y\",b,a").graph;
        assert_eq!((initial(&graph).join("|"), graph.state_count()), ("x, y|b".to_owned(), 3));
        assert_eq!(read(CSV, "# initial: 3").graph.state_count(), 1);
    }

    #[test]
    fn numbers_are_ordered_and_words_are_not() {
        check("7,-2,a\n-2,30,b\n", "7", &["-2 b 30", "7 a -2"]);
        check("b,a,x\na,07,y\n", "b", &["b x a", "a y 07"]);
    }

    #[test]
    fn faults_tell_what_was_expected_and_found() {
        let cases: [(&str, &str); 11] = [
            ("", "1:1: no transitions: expected lines of the form `source,target,label`"),
            ("src,dst,label\n", "2:1: no transitions: expected lines of the form `source,target,label`"),
            (
                "start,end,event\n0,1,a\n1,0,b\n",
                "1:1: this row looks like a header, but it does not say which columns are `source` and `target`",
            ),
            ("src,dst\n0,1\n", "1:1: a header without a column `label`: expected `source,target,label`"),
            ("0,1\n", "1:1: expected `source,target,label`, found 2 fields instead of 3"),
            (
                "0,1,a\n0,1,f(1,2)\n",
                "2:1: expected `source,target,label`, found 4 fields instead of 3 (quote a label that holds the separator)",
            ),
            ("0,,a\n", "1:3: expected the name of a state, found `,a`"),
            ("# initial:\n", "1:11: expected the name of a state, found the end of the line"),
            ("0,1,\"a\n", "1:5: a quoted field that is never closed"),
            ("0,1,\"a\" b\n", "1:9: expected a separator after the closing quote, found `b`"),
            ("0,1,a\0\n", "1:6: a NUL byte: this is not a text file"),
        ];
        for (contents, message) in cases {
            assert_eq!(error(CSV, contents), message, "{contents:?}");
        }
    }

    #[test]
    fn an_endless_field_ends_in_an_error() {
        let long = "x".repeat(2 * LONGEST);
        assert_eq!(error(CSV, &long), "1:1: this field is longer than 16777216 bytes");
        assert_eq!(error(CSV, format!("0,1,\"{long}")), "1:5: this field is longer than 16777216 bytes");
        assert_eq!(
            error(CSV, format!("0,1,\"{}", "\"\"".repeat(LONGEST))),
            "1:5: this field is longer than 16777216 bytes"
        );
    }

    #[test]
    fn what_is_written_keeps_names() {
        let graph = read(CSV, "b,\"a, b\",\"x \"\"\"\n# initial: b\n# state: \"#z\"").graph;
        let file = "# initial: b\n# state: \"#z\"\nsrc,dst,label\nb,\"a, b\",\"x \"\"\"\n";
        assert_eq!(written(CSV, &graph), file);
    }
}
