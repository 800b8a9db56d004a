//! The way back: from any piece of the output to the user's own text.
//!
//! A token that was written in the text proper, or as an argument of a macro, leads to exactly where it
//! was written. A token that comes from a macro's body leads to the outermost invocation, which is what the user
//! wrote; the macros in between are told as a chain. Expansions form a forest of small nodes, each
//! made once however many tokens it yields, and the output keeps one entry for each run of tokens that
//! lie in it as they lie in the source.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use source::{Diagnostic, LineIndex, Position, Span};

use crate::splice::Joined;

/// A file, as often as it was included: each inclusion has a number of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

impl FileId {
    /// The file that was given.
    pub const MAIN: FileId = FileId(0);

    pub(crate) fn new(number: u32) -> Self {
        Self(number)
    }
}

/// A piece of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    pub file: FileId,
    pub span: Span,
}

/// A line and column as a person is told them: `#line` and line markers are obeyed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    pub path: PathBuf,
    pub position: Position,
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.path.display(), self.position)
    }
}

/// One step of the way from the user's text to a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expanded<'a> {
    /// The macro's name.
    pub name: &'a str,
    /// Where its name stands in its definition.
    pub definition: Place,
    /// Where it was invoked, arguments included; in another macro's body for all but the outermost.
    pub invocation: Place,
    /// The token was passed to the macro rather than written in its body.
    pub argument: bool,
}

/// A remark that belongs to a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub message: String,
    pub place: Place,
}

/// A place in as few bytes as possible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) file: u32,
    pub(crate) start: u32,
    pub(crate) length: u32,
}

impl Spot {
    pub(crate) fn end(self) -> u32 {
        self.start + self.length
    }

    pub(crate) fn file(self) -> FileId {
        FileId(self.file)
    }

    pub(crate) fn span(self) -> Span {
        Span::new(self.start as usize, self.end() as usize)
    }

    fn place(self) -> Place {
        Place { file: self.file(), span: self.span() }
    }

    /// From here to the end of `last`, where that lies further on in the same file.
    pub(crate) fn to(self, last: Spot) -> Spot {
        if self.file == last.file && last.end() >= self.end() {
            Spot { length: last.end() - self.start, ..self }
        } else {
            self
        }
    }
}

/// The number of a node of the forest of expansions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Expansion(u32);

impl Expansion {
    /// Written in the text proper.
    pub(crate) const NONE: Expansion = Expansion(0);
}

#[derive(Clone, Copy, Debug)]
enum Node {
    /// From the body of a macro.
    Body { definition: u32, invocation: Spot, outermost: Spot, parent: Expansion },
    /// Written in the text, as an argument of the expansion.
    Argument { of: Expansion },
}

/// The text of a file, and what is derived from it once however often it is included.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) text: Arc<str>,
    pub(crate) joined: Joined,
    pub(crate) lines: LineIndex,
}

impl Content {
    pub(crate) fn new(text: Arc<str>) -> Self {
        Self { joined: Joined::new(&text), lines: LineIndex::new(&text), text }
    }

    pub(crate) fn line(&self, offset: usize) -> u64 {
        self.lines.line(offset)
    }
}

/// From line `from` on, lines are counted from `line` in `path`.
#[derive(Debug)]
struct LineMark {
    from: u64,
    line: u64,
    path: Arc<Path>,
}

#[derive(Debug)]
struct Inclusion {
    path: Arc<Path>,
    content: Arc<Content>,
    included_from: Option<Spot>,
    marks: Vec<LineMark>,
}

/// A run of output and where it comes from.
#[derive(Clone, Copy, Debug)]
struct Entry {
    output: u32,
    spot: Spot,
    expansion: Expansion,
    /// The output is the text under the spot, byte for byte.
    verbatim: bool,
}

/// Leads from the output to the user's files.
#[derive(Debug, Default)]
pub struct SourceMap {
    inclusions: Vec<Inclusion>,
    definitions: Vec<(Box<str>, Spot)>,
    nodes: Vec<Node>,
    entries: Vec<Entry>,
}

impl SourceMap {
    /// All files in the order in which they were entered.
    pub fn files(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..self.inclusions.len()).map(|index| FileId(index as u32))
    }

    /// The files that were read, whatever line markers say.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.inclusions.iter().map(|inclusion| &*inclusion.path)
    }

    pub fn path(&self, file: FileId) -> &Path {
        &self.inclusions[file.0 as usize].path
    }

    pub fn text(&self, file: FileId) -> &Arc<str> {
        &self.inclusions[file.0 as usize].content.text
    }

    /// The `#include` that brought the file in.
    pub fn included_from(&self, file: FileId) -> Option<Place> {
        self.inclusions[file.0 as usize].included_from.map(Spot::place)
    }

    /// Line and column to tell a person, after what `#line` and line markers say.
    pub fn location(&self, file: FileId, offset: usize) -> Location {
        let content = &self.inclusions[file.0 as usize].content;
        let column = content.lines.position(&content.text, offset).column;
        let (path, line) = self.line(file, offset);
        Location { path: path.to_path_buf(), position: Position { line, column } }
    }

    /// The file and line to tell a person.
    pub(crate) fn line(&self, file: FileId, offset: usize) -> (&Path, u64) {
        let inclusion = &self.inclusions[file.0 as usize];
        let line = inclusion.content.line(offset);
        let passed = inclusion.marks.partition_point(|mark| mark.from <= line);
        match passed.checked_sub(1).map(|last| &inclusion.marks[last]) {
            None => (&inclusion.path, line),
            Some(mark) => (&mark.path, line - mark.from + mark.line),
        }
    }

    /// Where the piece of output under `output` comes from. A piece with several origins leads to the
    /// smallest span that holds them all, as far as they lie in one file.
    pub fn place(&self, output: Span) -> Place {
        let Some((first, start)) = self.entry_at(output.start) else {
            return Place { file: FileId::MAIN, span: Span::at(0) };
        };
        let from = Self::within(first, start);
        if output.end <= output.start {
            return from;
        }
        let Some((last, end)) = self.entry_at(output.end - 1) else { return from };
        let mut to = Self::within(last, end);
        if last.verbatim && end < last.spot.length as usize {
            to.span.end += 1;
        }
        if from.file == to.file { Place { span: from.span.to(to.span), ..from } } else { from }
    }

    /// The place a piece of the output comes from, with its line, as a person is told it.
    pub fn told(&self, output: Span) -> source::Location {
        let place = self.place(output);
        let at = self.location(place.file, place.span.start);
        let text = self.text(place.file);
        let before = text.get(..place.span.start).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = text[start..].lines().next().unwrap_or_default();
        source::Location {
            file: at.path.display().to_string(),
            line: at.position.line,
            column: at.position.column,
            text: line.trim_end().to_owned(),
            calls: Vec::new(),
        }
    }

    /// A message about the output as one about the file it comes from.
    pub fn diagnostic(&self, diagnostic: Diagnostic) -> (FileId, Diagnostic) {
        let Place { file, span } = self.place(diagnostic.span);
        (file, Diagnostic { span, ..diagnostic })
    }

    /// The macros through which the output at `offset` went, innermost first.
    pub fn expansions(&self, offset: usize) -> Vec<Expanded<'_>> {
        let mut chain = Vec::new();
        let mut at = self.entry_at(offset).map_or(Expansion::NONE, |(entry, _)| entry.expansion);
        let mut argument = false;
        while let Some(node) = self.node(at) {
            match *node {
                Node::Argument { of } => {
                    argument = true;
                    at = of;
                }
                Node::Body { definition, invocation, parent, .. } => {
                    let (name, spot) = &self.definitions[definition as usize];
                    let (definition, invocation) = (spot.place(), invocation.place());
                    chain.push(Expanded { name, definition, invocation, argument });
                    argument = false;
                    at = parent;
                }
            }
        }
        chain
    }

    /// What a message about the output at `offset` should add: the macros it went through, innermost
    /// first, then the files that were included on the way to it.
    pub fn notes(&self, offset: usize) -> Vec<Note> {
        let mut notes = Vec::new();
        for step in self.expansions(offset) {
            let role = if step.argument { "argument" } else { "expansion" };
            let Place { file, span } = step.definition;
            let defined = self.location(file, span.start);
            let message = format!("in {role} of macro `{}`, defined at {defined}", step.name);
            notes.push(Note { message, place: step.invocation });
        }
        let mut file = self.place(Span::at(offset)).file;
        while let Some(place) = self.included_from(file) {
            let message = format!("included from {}", self.location(place.file, place.span.start));
            notes.push(Note { message, place });
            file = place.file;
        }
        notes
    }

    /// The entry that holds the output at `offset`, and how far into it that is.
    fn entry_at(&self, offset: usize) -> Option<(Entry, usize)> {
        let after = self.entries.partition_point(|entry| entry.output as usize <= offset);
        let entry = self.entries[after.checked_sub(1)?];
        Some((entry, offset - entry.output as usize))
    }

    /// The point of a verbatim entry, or all of another.
    fn within(entry: Entry, offset: usize) -> Place {
        let mut place = entry.spot.place();
        if entry.verbatim {
            place.span = Span::at(place.span.start + offset.min(entry.spot.length as usize));
        }
        place
    }

    fn node(&self, expansion: Expansion) -> Option<&Node> {
        self.nodes.get((expansion.0 as usize).checked_sub(1)?)
    }

    fn add_node(&mut self, node: Node) -> Expansion {
        self.nodes.push(node);
        Expansion(self.nodes.len() as u32)
    }

    pub(crate) fn add_file(
        &mut self,
        path: &Path,
        content: Arc<Content>,
        included_from: Option<Spot>,
    ) -> u32 {
        self.inclusions.push(Inclusion { path: path.into(), content, included_from, marks: Vec::new() });
        self.inclusions.len() as u32 - 1
    }

    pub(crate) fn content(&self, file: u32) -> &Arc<Content> {
        &self.inclusions[file as usize].content
    }

    pub(crate) fn add_line_mark(&mut self, file: u32, from: u64, line: u64, path: Option<&Path>) {
        let inclusion = &mut self.inclusions[file as usize];
        let path = match path {
            Some(path) => path.into(),
            None => inclusion.marks.last().map_or(&inclusion.path, |mark| &mark.path).clone(),
        };
        // Of two marks for one line the later one counts.
        while inclusion.marks.last().is_some_and(|mark| mark.from >= from) {
            inclusion.marks.pop();
        }
        inclusion.marks.push(LineMark { from, line, path });
    }

    pub(crate) fn add_definition(&mut self, name: &str, spot: Spot) -> u32 {
        self.definitions.push((name.into(), spot));
        self.definitions.len() as u32 - 1
    }

    pub(crate) fn definition(&self, definition: u32) -> Spot {
        self.definitions[definition as usize].1
    }

    /// A macro begins to be expanded; its name came out of `parent`.
    pub(crate) fn enter(&mut self, definition: u32, invocation: Spot, parent: Expansion) -> Expansion {
        let outermost = self.users_spot(invocation, parent);
        self.add_node(Node::Body { definition, invocation, outermost, parent })
    }

    /// The mark of tokens of the text proper that were handed to the expansion.
    pub(crate) fn argument(&mut self, of: Expansion) -> Expansion {
        self.add_node(Node::Argument { of })
    }

    /// What the user wrote to get something that is written at `spot` and came out of `expansion`.
    pub(crate) fn users_spot(&self, spot: Spot, expansion: Expansion) -> Spot {
        match self.node(expansion) {
            Some(Node::Body { outermost, .. }) => *outermost,
            Some(Node::Argument { .. }) | None => spot,
        }
    }

    /// The output at `output` is this token's text.
    pub(crate) fn add_output(&mut self, output: u32, length: usize, spot: Spot, expansion: Expansion) {
        let users = self.users_spot(spot, expansion);
        let from_body = matches!(self.node(expansion), Some(Node::Body { .. }));
        let verbatim = !from_body && users.length as usize == length;
        if let Some(last) = self.entries.last_mut()
            && (last.expansion, last.verbatim, last.spot.file) == (expansion, verbatim, users.file)
        {
            let in_step = users.start.wrapping_sub(last.spot.start) == output - last.output;
            // One byte between two tokens is a blank in both texts.
            let near = users.start.wrapping_sub(last.spot.end()) <= 1;
            if verbatim && in_step && near {
                last.spot.length = users.end() - last.spot.start;
                return;
            }
            if !verbatim && last.spot == users {
                return;
            }
        }
        self.entries.push(Entry { output, spot: users, expansion, verbatim });
    }
}
