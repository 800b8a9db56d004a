//! As much of YAML as witnesses are written in: nested maps and lists by indentation, plain and quoted scalars, empty
//! collections in braces. Anchors, tags, block scalars and other collections in braces are refused by name.

use crate::WitnessError;

/// How deep collections may be nested.
const DEEPEST: usize = 32;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) line: u64,
    pub(crate) column: u64,
    pub(crate) kind: NodeKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Map(Vec<(String, Node)>),
    List(Vec<Node>),
    Scalar(String),
}

impl Node {
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        match &self.kind {
            NodeKind::Map(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, node)| node),
            _ => None,
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Scalar(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn items(&self) -> &[Node] {
        match &self.kind {
            NodeKind::List(items) => items,
            _ => &[],
        }
    }

    pub(crate) fn error(&self, message: impl Into<String>) -> WitnessError {
        WitnessError::new(self.line, self.column, message)
    }
}

/// A line without its indentation and comment.
#[derive(Clone, Copy)]
struct Line<'t> {
    number: u64,
    indent: usize,
    text: &'t str,
}

pub(crate) fn parse(text: &str) -> Result<Node, WitnessError> {
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let text = line.trim_start_matches(' ');
        let indent = line.len() - text.len();
        if text.starts_with('\t') {
            return Err(WitnessError::new(number, indent as u64 + 1, "a tab in the indentation"));
        }
        let text = without_comment(text).trim_end();
        if !text.is_empty() && text != "---" && text != "..." {
            lines.push(Line { number, indent, text });
        }
    }
    let mut parser = Parser { lines, at: 0 };
    let node = match parser.peek() {
        None => Node { line: 1, column: 1, kind: NodeKind::List(Vec::new()) },
        Some(line) => parser.block(line.indent, 0)?,
    };
    match parser.peek() {
        None => Ok(node),
        Some(line) => Err(parser.error(line, "this line is indented otherwise than those around it")),
    }
}

fn without_comment(text: &str) -> &str {
    let (mut quote, mut before) = (None, ' ');
    for (at, c) in text.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            None if (c == '"' || c == '\'') && (before == ' ' || before == ':') => quote = Some(c),
            None if c == '#' && before == ' ' => return &text[..at],
            _ => {}
        }
        before = c;
    }
    text
}

struct Parser<'t> {
    lines: Vec<Line<'t>>,
    at: usize,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<Line<'t>> {
        self.lines.get(self.at).copied()
    }

    fn error(&self, line: Line<'_>, message: &str) -> WitnessError {
        WitnessError::new(line.number, line.indent as u64 + 1, message)
    }

    /// The collection or scalar whose lines are indented so far.
    fn block(&mut self, indent: usize, depth: usize) -> Result<Node, WitnessError> {
        let Some(first) = self.peek() else {
            return Ok(Node { line: 1, column: 1, kind: NodeKind::Scalar(String::new()) });
        };
        if depth > DEEPEST {
            return Err(self.error(first, "this is nested too deeply"));
        }
        let (line, column) = (first.number, first.indent as u64 + 1);
        if first.text == "-" || first.text.starts_with("- ") {
            let mut items = Vec::new();
            while let Some(entry) = self.peek().filter(|entry| entry.indent == indent) {
                let Some(rest) =
                    entry.text.strip_prefix('-').filter(|rest| rest.is_empty() || rest.starts_with(' '))
                else {
                    break;
                };
                let inner = rest.trim_start();
                if inner.is_empty() {
                    self.at += 1;
                    items.push(self.below(entry, depth)?);
                } else {
                    // What stands behind the dash begins a block of its own.
                    let moved = indent + (entry.text.len() - inner.len());
                    self.lines[self.at] = Line { number: entry.number, indent: moved, text: inner };
                    items.push(self.block(moved, depth + 1)?);
                }
            }
            return Ok(Node { line, column, kind: NodeKind::List(items) });
        }
        if key_of(first.text).is_none() {
            self.at += 1;
            let kind = scalar(first)?;
            return Ok(Node { line, column, kind });
        }
        let mut entries: Vec<(String, Node)> = Vec::new();
        while let Some(entry) = self.peek().filter(|entry| entry.indent == indent) {
            let Some((key, rest)) = key_of(entry.text) else { break };
            self.at += 1;
            if entries.iter().any(|(known, _)| *known == key) {
                return Err(self.error(entry, &format!("`{key}` is given twice")));
            }
            let value = if rest.is_empty() {
                self.below(entry, depth)?
            } else {
                let indent = entry.indent + (entry.text.len() - rest.len());
                let line = Line { number: entry.number, indent, text: rest };
                Node { line: entry.number, column: indent as u64 + 1, kind: scalar(line)? }
            };
            entries.push((key, value));
        }
        Ok(Node { line, column, kind: NodeKind::Map(entries) })
    }

    /// What belongs to a key or a dash: lines that are indented further, or a list that is not.
    fn below(&mut self, entry: Line<'_>, depth: usize) -> Result<Node, WitnessError> {
        match self.peek() {
            Some(next)
                if next.indent > entry.indent
                    || next.indent == entry.indent && next.text.starts_with('-') =>
            {
                self.block(next.indent, depth + 1)
            }
            _ => Ok(Node {
                line: entry.number,
                column: entry.indent as u64 + 1,
                kind: NodeKind::Scalar(String::new()),
            }),
        }
    }
}

/// The key at the start of a line, and what follows its colon.
fn key_of(text: &str) -> Option<(String, &str)> {
    if let Some(open) = text.chars().next().filter(|c| *c == '"' || *c == '\'') {
        let end = closing(&text[1..], open)? + 1;
        let rest = text[end + 1..].strip_prefix(':')?;
        let key = || unquoted(&text[1..end], open);
        return (rest.is_empty() || rest.starts_with(' ')).then(|| (key(), rest.trim_start()));
    }
    if text.starts_with(['{', '[']) {
        return None;
    }
    let at = text.match_indices(':').map(|(at, _)| at).find(|at| {
        let rest = &text[at + 1..];
        rest.is_empty() || rest.starts_with(' ')
    })?;
    let key = text[..at].trim_end();
    let is_name = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c));
    is_name.then(|| (key.to_owned(), text[at + 1..].trim_start()))
}

fn scalar(line: Line<'_>) -> Result<NodeKind, WitnessError> {
    let error = |message: &str| Err(WitnessError::new(line.number, line.indent as u64 + 1, message));
    let text = line.text;
    match text.as_bytes().first() {
        Some(b'[') if text == "[]" => Ok(NodeKind::List(Vec::new())),
        Some(b'{') if text == "{}" => Ok(NodeKind::Map(Vec::new())),
        Some(b'[' | b'{') => error("collections in brackets are not supported"),
        Some(b'&' | b'*' | b'!') => error("anchors, aliases and tags are not supported"),
        Some(b'|' | b'>') => error("scalars of several lines are not supported"),
        Some(quote @ (b'"' | b'\'')) => {
            let quote = char::from(*quote);
            let inner = &text[1..];
            let Some(end) = closing(inner, quote) else { return error("the quotation does not end") };
            if !inner[end + 1..].trim().is_empty() {
                return error("something stands behind the quotation");
            }
            Ok(NodeKind::Scalar(unquoted(&inner[..end], quote)))
        }
        _ => Ok(NodeKind::Scalar(text.to_owned())),
    }
}

/// Where a quotation ends.
fn closing(text: &str, quote: char) -> Option<usize> {
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if quote == '"' && c == '\\' {
            chars.next();
        } else if c == quote {
            if quote == '\'' && chars.peek().is_some_and(|(_, next)| *next == '\'') {
                chars.next();
            } else {
                return Some(at);
            }
        }
    }
    None
}

fn unquoted(text: &str, quote: char) -> String {
    if quote == '\'' {
        return text.replace("''", "'");
    }
    let mut result = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => result.push('\n'),
                Some('t') => result.push('\t'),
                Some(other @ ('"' | '\\' | '/')) => result.push(other),
                // What C means stays as it is: `\result`.
                Some(other) => result.extend(['\\', other]),
                None => result.push('\\'),
            },
            _ => result.push(c),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_and_lists_nest_by_indentation() {
        let node = parse("- a: 1\n  b:\n  - x: 'it''s'\n    y: \"two\"\n  - z\n- c: [] # none\n").unwrap();
        assert_eq!(node.items().len(), 2);
        let first = &node.items()[0];
        assert_eq!(first.get("a").and_then(Node::text), Some("1"));
        let inner = first.get("b").unwrap().items();
        assert_eq!(inner[0].get("x").and_then(Node::text), Some("it's"));
        assert_eq!(inner[0].get("y").and_then(Node::text), Some("two"));
        assert_eq!(inner[1].text(), Some("z"));
        assert_eq!((inner[1].line, inner[1].column), (5, 5));
        assert_eq!(node.items()[1].get("c").unwrap().kind, NodeKind::List(Vec::new()));
    }

    #[test]
    fn what_is_not_read_is_refused_with_its_place() {
        for (text, place) in [
            ("a: &x 1", (1, 4)),
            ("a:\n  b: |\n    text", (2, 6)),
            ("a: {b: 1}", (1, 4)),
            ("a: 'open", (1, 4)),
            ("a: 1\n  b: 2", (2, 3)),
            ("a: 1\na: 2", (2, 1)),
            ("\ta: 1", (1, 1)),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!((error.line, error.column), place, "{text:?}: {error}");
        }
    }
}
