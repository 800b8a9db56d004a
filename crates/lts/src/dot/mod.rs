//! Directed graphs in the DOT language, above all the state graphs that TLC dumps
//! (`-dump dot,actionlabels`).
//!
//! ```text
//! strict digraph DiskGraph {
//! subgraph cluster_graph {
//! -123 [label="/\\ x = 0\n/\\ y = 1",style = filled]
//! -123 -> 456 [label="Act",color="black",fontcolor="black"];
//! 456 [label="/\\ x = 1\n/\\ y = 1",tooltip="..."];
//! {rank = same; -123;}
//! }
//! }
//! ```
//!
//! Filled nodes are initial, unless they have a fill colour: those are states outside the model's
//! constraint. A dashed edge from a state to itself without a label is TLC's way to draw
//! stuttering, not a step. The legend of coloured dumps is no part of the graph. Graphs that others
//! drew are read as far as nodes and edges go.

mod lexer;
mod state_label;

use std::io::Write;

use graph::{GraphBuilder, StateGraph, StateName, Watch};

use self::lexer::{Id, Lexer, Token};
use self::state_label::StateTable;
use crate::naming::Naming;
use crate::outcome::{Notes, Stop, Tally, WriteError, counted};
use crate::scan::{Decoder, Pulse};
use crate::{Format, writing};

/// What a step is called that the file gives no name.
const UNNAMED: &str = "step";

pub(crate) fn read(input: &[u8], watch: &dyn Watch, notes: &mut Notes) -> Result<StateGraph, Stop> {
    let mut reader = Reader {
        lexer: Lexer::new(input)?,
        states: Naming::new(input.len()),
        builder: GraphBuilder::new(),
        table: StateTable::default(),
        initial: Vec::new(),
        decoder: Decoder::default(),
        unnamed: Tally::default(),
        outside: Tally::default(),
        sources: Vec::new(),
        targets: Vec::new(),
        pairs: Vec::new(),
        scratch: Vec::new(),
    };
    reader.header()?;
    reader.statements(Pulse::new(watch, input))?;
    reader.finish(input.len(), notes)
}

struct Reader<'a> {
    lexer: Lexer<'a>,
    states: Naming,
    builder: GraphBuilder,
    table: StateTable,
    initial: Vec<u32>,
    decoder: Decoder,
    unnamed: Tally,
    outside: Tally,
    // Room for one statement, kept so that none has to be made anew for every edge.
    sources: Vec<u32>,
    targets: Vec<u32>,
    pairs: Vec<(u32, u32)>,
    scratch: Vec<u8>,
}

/// The attributes of a node or an edge that mean something here.
#[derive(Default)]
struct Attributes<'a> {
    label: Option<Id<'a>>,
    tooltip: Option<Id<'a>>,
    style: Option<Id<'a>>,
    filled_with: Option<Id<'a>>,
}

impl Attributes<'_> {
    fn has_style(&self, wanted: &str) -> bool {
        let style = self.style.map(|id| id.raw).unwrap_or_default();
        style.split(|byte| *byte == b',').any(|part| part.trim_ascii() == wanted.as_bytes())
    }
}

impl<'a> Reader<'a> {
    fn header(&mut self) -> Result<(), Stop> {
        const WANTED: &str = "`digraph`";
        let start = self.lexer.at();
        let mut word = self.lexer.expect_id(WANTED)?;
        if word.is_keyword("strict") {
            word = self.lexer.expect_id(WANTED)?;
        }
        if word.is_keyword("graph") {
            return Err(Stop::fault(word.at, "a graph whose edges have no direction: expected `digraph`"));
        }
        if !word.is_keyword("digraph") {
            let shown = crate::scan::quote(&String::from_utf8_lossy(word.raw));
            return Err(Stop::fault(start.max(word.at), format!("expected {WANTED}, found {shown}")));
        }
        self.lexer.accept(Token::Id)?;
        self.lexer.expect(Token::Open, "`{`")
    }

    fn statements(&mut self, mut pulse: Pulse<'_>) -> Result<(), Stop> {
        let mut depth = 1u64;
        while depth > 0 {
            pulse.tick(self.lexer.at(), self.states.len(), self.builder.edge_count())?;
            match self.lexer.token() {
                Token::Semicolon | Token::Comma => self.lexer.advance()?,
                Token::Open => {
                    self.lexer.advance()?;
                    depth += 1;
                }
                Token::Close => {
                    self.lexer.advance()?;
                    depth -= 1;
                    if self.lexer.token() == Token::Arrow {
                        return Err(self.lexer.unexpected("no edge from a group of nodes"));
                    }
                }
                Token::Id => {
                    let id = self.lexer.id();
                    self.lexer.advance()?;
                    if self.statement(id)? {
                        depth += 1;
                    }
                }
                Token::End => {
                    return Err(self.lexer.unexpected("`}` (the file seems to be cut short)"));
                }
                _ => return Err(self.lexer.unexpected("a node, an edge or `}`")),
            }
        }
        self.lexer.expect(Token::End, "nothing after the end of the graph")
    }

    /// Reads the statement that starts with `id`; true if it opened a block.
    fn statement(&mut self, id: Id<'a>) -> Result<bool, Stop> {
        if id.is_keyword("subgraph") {
            let name = self.lexer.id().raw;
            let is_legend = self.lexer.accept(Token::Id)? && name == b"cluster_legend";
            if is_legend && self.lexer.token() == Token::Open {
                self.lexer.skip_block()?;
                return Ok(false);
            }
            self.lexer.expect(Token::Open, "`{` after `subgraph`")?;
            return Ok(true);
        }
        if self.lexer.accept(Token::Equals)? {
            self.lexer.expect_id("a value after `=`")?;
        } else if ["graph", "node", "edge"].iter().any(|word| id.is_keyword(word)) {
            // Defaults are about looks.
            self.attributes()?;
        } else {
            let node = self.node(id)?;
            if self.lexer.token() == Token::Arrow {
                self.edges(node, id.at)?;
            } else {
                let attributes = self.attributes()?;
                self.describe(node, id.at, &attributes)?;
            }
        }
        Ok(false)
    }

    /// The state called `id`; a port behind it says only where a line is drawn to.
    fn node(&mut self, id: Id<'a>) -> Result<u32, Stop> {
        let state = self.states.index(id.resolve(&mut self.scratch), &mut self.decoder, id.at)?;
        while self.lexer.accept(Token::Colon)? {
            self.lexer.expect_id("a port after `:`")?;
        }
        Ok(state)
    }

    /// Reads `-> b -> {c d} [label="x"]` behind the node `from`.
    fn edges(&mut self, from: u32, at: usize) -> Result<(), Stop> {
        self.pairs.clear();
        self.sources.clear();
        self.sources.push(from);
        while self.lexer.accept(Token::Arrow)? {
            self.targets()?;
            if self.sources.len() > 1 && self.targets.len() > 1 {
                return Err(Stop::fault(at, "edges from a group to a group of nodes cannot be read"));
            }
            for source in &self.sources {
                self.pairs.extend(self.targets.iter().map(|target| (*source, *target)));
            }
            std::mem::swap(&mut self.sources, &mut self.targets);
        }
        let attributes = self.attributes()?;
        let label = match attributes.label {
            Some(id) if !id.raw.is_empty() => {
                self.decoder.intern(&mut self.builder.labels, id.resolve(&mut self.scratch), id.at)?
            }
            _ => {
                if attributes.label.is_none() && attributes.has_style("dashed") {
                    self.pairs.retain(|(source, target)| source != target);
                }
                if self.pairs.is_empty() {
                    return Ok(());
                }
                self.pairs.iter().for_each(|_| self.unnamed.hit(at));
                self.builder.labels.intern(UNNAMED)
            }
        };
        for (source, target) in &self.pairs {
            self.builder.edge(*source, label, *target);
        }
        Ok(())
    }

    /// Reads the node, or the nodes in braces, behind an arrow.
    fn targets(&mut self) -> Result<(), Stop> {
        self.targets.clear();
        if !self.lexer.accept(Token::Open)? {
            let id = self.lexer.expect_id("a node after `->`")?;
            if id.is_keyword("subgraph") {
                return Err(Stop::fault(id.at, "edges to a subgraph cannot be read"));
            }
            let node = self.node(id)?;
            self.targets.push(node);
            return Ok(());
        }
        while !self.lexer.accept(Token::Close)? {
            if !self.lexer.accept(Token::Semicolon)? && !self.lexer.accept(Token::Comma)? {
                let id = self.lexer.expect_id("a node or `}`")?;
                let node = self.node(id)?;
                self.targets.push(node);
            }
        }
        Ok(())
    }

    fn attributes(&mut self) -> Result<Attributes<'a>, Stop> {
        let mut found = Attributes::default();
        while self.lexer.accept(Token::OpenAttributes)? {
            while !self.lexer.accept(Token::CloseAttributes)? {
                if self.lexer.accept(Token::Comma)? || self.lexer.accept(Token::Semicolon)? {
                    continue;
                }
                let name = self.lexer.expect_id("an attribute or `]`")?;
                let value = match self.lexer.accept(Token::Equals)? {
                    true => Some(self.lexer.expect_id("a value after `=`")?),
                    false => None,
                };
                match name.raw {
                    b"label" => found.label = value,
                    b"tooltip" => found.tooltip = value,
                    b"style" => found.style = value,
                    b"fillcolor" => found.filled_with = value,
                    _ => {}
                }
            }
        }
        Ok(found)
    }

    fn describe(&mut self, state: u32, at: usize, attributes: &Attributes<'a>) -> Result<(), Stop> {
        match attributes.filled_with {
            None if attributes.has_style("filled") => self.initial.push(state),
            Some(colour) if colour.raw == b"lightyellow" => self.outside.hit(at),
            _ => {}
        }
        // The tooltip has every variable, where the label may have only the changed ones or an alias.
        if let Some(id) = attributes.tooltip
            && attributes.label.is_none_or(|label| label.raw != id.raw)
        {
            self.table.add_variables(state, id.resolve(&mut self.scratch), &mut self.decoder, id.at)?;
        }
        if let Some(id) = attributes.label {
            self.table.add(state, id.resolve(&mut self.scratch), &mut self.decoder, id.at)?;
        }
        Ok(())
    }

    fn finish(mut self, length: usize, notes: &mut Notes) -> Result<StateGraph, Stop> {
        let states = self.states.len();
        if states == 0 {
            return Err(Stop::fault(length, "a graph without nodes: there is no initial state"));
        }
        if self.initial.is_empty() {
            self.initial.push(0);
            notes.about_the_file("no node is marked as initial (`style = filled`); the first one is taken");
        }
        notes.tally(&self.unnamed, |count| {
            format!(
                "{} without a name, called `{UNNAMED}` (`-dump dot,actionlabels` names them)",
                counted(count, "edge")
            )
        });
        notes.tally(&self.outside, |count| {
            format!("{} outside the model's constraint (light yellow); kept", counted(count, "state"))
        });
        self.decoder.finish(notes);
        let mut graph = self.builder.finish(states, self.initial).map_err(Stop::too_many_edges)?;
        graph.names = self.states.finish();
        graph.variables = self.table.finish(states, length, notes);
        Ok(graph)
    }
}

/// Writes the nodes before the edges, so that a reader that numbers states by first mention numbers
/// them alike.
pub(crate) fn write(graph: &StateGraph, out: &mut dyn Write) -> Result<(), WriteError> {
    let refuse = |what, text| writing::refuse(Format::TlcDot, what, text, &[('\0', "a NUL")]);
    for label in graph.labels.iter() {
        refuse("a label", label)?;
    }
    out.write_all(
        b"strict digraph DiskGraph {\nnodesep=0.35;\nsubgraph cluster_graph {\ncolor=\"white\";\n",
    )?;
    for state in 0..graph.state_count() as u32 {
        let name = graph.names.name(state);
        if let StateName::Text(text) = name {
            refuse("a name", text)?;
        }
        write_name(out, name)?;
        out.write_all(b" [label=\"")?;
        if let Some(variables) = &graph.variables {
            let mut separator = "";
            for (variable, name) in variables.names().iter().enumerate() {
                if let Some(value) = variables.get(state, variable) {
                    refuse("a value", value)?;
                    write!(out, "{separator}/\\\\ ")?;
                    write_escaped(out, name)?;
                    out.write_all(b" = ")?;
                    write_escaped(out, value)?;
                    separator = "\\n";
                }
            }
        }
        let initial = graph.initial().binary_search(&state).is_ok();
        out.write_all(if initial { b"\",style = filled]\n" } else { b"\"];\n" })?;
    }
    for source in 0..graph.state_count() as u32 {
        for edge in graph.edges(source) {
            write_name(out, graph.names.name(source))?;
            out.write_all(b" -> ")?;
            write_name(out, graph.names.name(edge.state))?;
            out.write_all(b" [label=\"")?;
            write_escaped(out, graph.labels.get(edge.label))?;
            out.write_all(b"\",color=\"black\",fontcolor=\"black\"];\n")?;
        }
    }
    out.write_all(b"}\n}\n")?;
    Ok(())
}

fn write_name(out: &mut dyn Write, name: StateName<'_>) -> Result<(), WriteError> {
    match name {
        StateName::Number(number) => write!(out, "{number}")?,
        StateName::Text(text) => {
            out.write_all(b"\"")?;
            write_escaped(out, text)?;
            out.write_all(b"\"")?;
        }
    }
    Ok(())
}

fn write_escaped(out: &mut dyn Write, text: &str) -> Result<(), WriteError> {
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\\', '\n']) {
        out.write_all(&rest.as_bytes()[..at])?;
        out.write_all(match rest.as_bytes()[at] {
            b'"' => b"\\\"",
            b'\\' => b"\\\\",
            _ => b"\\n",
        })?;
        rest = &rest[at + 1..];
    }
    out.write_all(rest.as_bytes())?;
    Ok(())
}

#[cfg(test)]
mod tests;
