//! The state of one run, and reading the files that are open.
//!
//! Text is pulled: whoever wants a token asks for one, and what has to happen for that (directives,
//! included files, expansion) happens then. Files and expansions are stacks on the heap; only
//! invocations inside arguments nest on the call stack, within a limit.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use source::Diagnostic;

use crate::definition::{Builtin, Macro, Meaning};
use crate::expand::Context;
use crate::lexer::{Lexeme, Piece, lex};
use crate::map::{Content, FileId, SourceMap, Spot};
use crate::output::Output;
use crate::symbols::{Symbol, Symbols};
use crate::token::{Token, TokenKind};
use crate::{Files, Options, Preprocessed};

/// A limit was crossed and reported: nothing more is done.
#[derive(Debug)]
pub(crate) struct Stop;

/// An `#if` that is open.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) opened: Spot,
    /// One of its parts has been used.
    pub(crate) taken: bool,
    /// The part being read is used.
    pub(crate) active: bool,
    pub(crate) after_else: bool,
    /// It stands in a part that is not used.
    pub(crate) left_out: bool,
}

/// A file that is being read.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) file: u32,
    pub(crate) content: Arc<Content>,
    /// How far, in the joined text.
    pub(crate) at: usize,
    line_start: bool,
    pub(crate) groups: Vec<Group>,
}

/// Whether the text is read for the sake of a macro's arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    Text,
    /// Looking for the parenthesis that makes a name an invocation.
    Seeking,
    Arguments,
}

pub(crate) struct Engine<'a> {
    pub(crate) files: &'a dyn Files,
    pub(crate) options: &'a Options,
    pub(crate) symbols: Symbols,
    /// By symbol.
    macros: Vec<Option<Rc<Macro>>>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) contexts: Vec<Context>,
    /// By symbol: macros whose expansion is open.
    pub(crate) open_macros: Vec<bool>,
    /// A token that was read too far.
    pub(crate) lookahead: Option<Token>,
    /// What a comment stands for, as far as nobody has read it yet.
    annotated: VecDeque<Token>,
    pub(crate) reading: Reading,
    pub(crate) argument_depth: usize,
    pub(crate) counter: u64,
    /// The last token of the text proper, to point at when a limit is crossed.
    pub(crate) here: Spot,
    pub(crate) macro_tokens: usize,
    input_bytes: usize,
    pub(crate) output: Output,
    pub(crate) map: SourceMap,
    pub(crate) diagnostics: Vec<(FileId, Diagnostic)>,
    pub(crate) errors: usize,
    contents: BTreeMap<PathBuf, Arc<Content>>,
    /// Files that want to be included only once.
    pub(crate) once: BTreeSet<PathBuf>,
}

impl<'a> Engine<'a> {
    pub(crate) fn new(files: &'a dyn Files, options: &'a Options) -> Self {
        Self {
            files,
            options,
            symbols: Symbols::new(),
            macros: Vec::new(),
            frames: Vec::new(),
            contexts: Vec::new(),
            open_macros: Vec::new(),
            lookahead: None,
            annotated: VecDeque::new(),
            reading: Reading::Text,
            argument_depth: 0,
            counter: 0,
            here: Spot::default(),
            macro_tokens: 0,
            input_bytes: 0,
            output: Output::new(),
            map: SourceMap::default(),
            diagnostics: Vec::new(),
            errors: 0,
            contents: BTreeMap::new(),
            once: BTreeSet::new(),
        }
    }

    pub(crate) fn run(mut self, path: &Path, text: Arc<str>) -> Preprocessed {
        let main = self.map.add_file(path, Arc::new(Content::new(text)), None);
        let _reported = self.text(main);
        let Self { output, map, diagnostics, .. } = self;
        Preprocessed { text: output.finish(), map, diagnostics }
    }

    fn text(&mut self, main: u32) -> Result<(), Stop> {
        self.predefine()?;
        self.open(main)?;
        loop {
            let token = self.expanded()?;
            if token.is_end() {
                return Ok(());
            }
            self.output.token(token, &self.symbols, &mut self.map);
            if self.output.text.len() > self.options.limits.output_bytes {
                return Err(self.stop("the preprocessed text is too long"));
            }
        }
    }

    /// The macros there are before the text starts: those of the language, then the caller's.
    fn predefine(&mut self) -> Result<(), Stop> {
        let builtins = [
            ("__FILE__", Builtin::File),
            ("__BASE_FILE__", Builtin::BaseFile),
            ("__LINE__", Builtin::Line),
            ("__COUNTER__", Builtin::Counter),
            ("__INCLUDE_LEVEL__", Builtin::IncludeLevel),
        ];
        for (name, builtin) in builtins {
            let name = self.symbols.intern(name);
            let meaning = Meaning::Builtin(builtin);
            self.set_macro(name, Some(Macro { meaning, body: Vec::new(), definition: 0 }));
        }
        // Date and time are those of no day, so that the same text always gives the same output.
        let mut text = String::from(
            "#define __STDC__ 1\n#define __STDC_VERSION__ 199901L\n#define __STDC_HOSTED__ 1\n\
             #define __DATE__ \"Jan  1 1970\"\n#define __TIME__ \"00:00:00\"\n",
        );
        self.side_text("<built-in>", &text)?;
        text.clear();
        for (name, value) in &self.options.defines {
            side_line(&mut text, &format!("#define {name} {}", value.as_deref().unwrap_or("1")));
        }
        for name in &self.options.undefine {
            side_line(&mut text, &format!("#undef {name}"));
        }
        if text.is_empty() { Ok(()) } else { self.side_text("<command line>", &text) }
    }

    /// Obeys directives that stand in no file.
    fn side_text(&mut self, name: &str, text: &str) -> Result<(), Stop> {
        let file = self.map.add_file(Path::new(name), Arc::new(Content::new(text.into())), None);
        self.open(file)?;
        while !self.expanded()?.is_end() {}
        Ok(())
    }

    /// Starts to read a file.
    pub(crate) fn open(&mut self, file: u32) -> Result<(), Stop> {
        let content = self.map.content(file).clone();
        // Opening a file costs something even if it is empty.
        self.input_bytes = self.input_bytes.saturating_add(content.text.len()).saturating_add(1000);
        if self.input_bytes > self.options.limits.input_bytes {
            return Err(self.stop("the text with all its included files is too long"));
        }
        self.frames.push(Frame { file, content, at: 0, line_start: true, groups: Vec::new() });
        Ok(())
    }

    /// The content of a file, read at most once.
    pub(crate) fn content(&mut self, path: &Path) -> Result<Arc<Content>, crate::Unread> {
        if let Some(content) = self.contents.get(path) {
            return Ok(content.clone());
        }
        let content = Arc::new(Content::new(self.files.read(path)?));
        self.contents.insert(path.to_path_buf(), content.clone());
        Ok(content)
    }

    /// The next token of the text, after obeying the directives before it. At the end of a file the
    /// including one goes on, except while arguments are read: an invocation cannot leave its file.
    pub(crate) fn text_token(&mut self) -> Result<Token, Stop> {
        loop {
            let token = match self.lookahead.take() {
                Some(token) => token,
                None => self.file_token()?,
            };
            if token.is_end() {
                if self.reading != Reading::Text || !self.close_file()? {
                    return Ok(token);
                }
                continue;
            }
            if token.line_start {
                if token.is_hash() && self.reading != Reading::Seeking {
                    self.directive(token)?;
                    continue;
                }
                self.start_line(token.spot);
            }
            self.here = token.spot;
            return Ok(token);
        }
    }

    /// The output goes on in the line of this token, unless that is read for somebody else.
    pub(crate) fn start_line(&mut self, spot: Spot) {
        if self.reading == Reading::Text {
            self.output.start_line(spot.file, self.map.content(spot.file).line(spot.start as usize));
        }
    }

    /// Leaves the file that is read; whether there is one to go on with.
    fn close_file(&mut self) -> Result<bool, Stop> {
        if let Some(frame) = self.frames.pop() {
            for group in frame.groups.iter().rev() {
                self.error(group.opened, "this `#if` has no `#endif`")?;
            }
        }
        Ok(!self.frames.is_empty())
    }

    /// The next token of the file, over the ends of lines.
    fn file_token(&mut self) -> Result<Token, Stop> {
        let mut white = false;
        loop {
            if let Some(token) = self.annotated.pop_front() {
                return Ok(token);
            }
            let before = self.frames.last().map_or(0, |frame| frame.at);
            let lexeme = self.lexeme()?;
            if lexeme.piece == Piece::Newline {
                self.annotated = self.annotated(before, lexeme.start, lexeme.line_start);
            }
            match lexeme.piece {
                Piece::Newline => white = self.reading == Reading::Arguments,
                Piece::End => return Ok(self.token(lexeme)),
                _ => {
                    let mut token = self.token(lexeme);
                    token.white |= white;
                    if lexeme.over_lines {
                        self.start_line(token.spot);
                    }
                    self.remark(&token)?;
                    return Ok(token);
                }
            }
        }
    }

    /// The rest of a directive's line.
    pub(crate) fn line(&mut self) -> Result<Vec<Token>, Stop> {
        let mut line = Vec::new();
        loop {
            let lexeme = self.lexeme()?;
            if matches!(lexeme.piece, Piece::Newline | Piece::End) {
                return Ok(line);
            }
            line.push(self.token(lexeme));
        }
    }

    /// The next piece of the file that is read.
    pub(crate) fn lexeme(&mut self) -> Result<Lexeme, Stop> {
        let Some(frame) = self.frames.last_mut() else { return Ok(lex("", 0)) };
        let mut lexeme = lex(frame.content.joined.text(), frame.at);
        lexeme.line_start = frame.line_start;
        frame.line_start = lexeme.piece == Piece::Newline;
        frame.at = lexeme.end;
        if let Some(start) = lexeme.open_comment {
            let spot = frame.spot(start, start + 2);
            self.error(spot, "this comment has no end")?;
        }
        Ok(lexeme)
    }

    pub(crate) fn token(&mut self, lexeme: Lexeme) -> Token {
        let Some(frame) = self.frames.last() else { return Token::end(self.here) };
        let spot = frame.spot(lexeme.start, lexeme.end);
        if matches!(lexeme.piece, Piece::Newline | Piece::End) {
            return Token::end(spot);
        }
        let text = self.symbols.intern(&frame.content.joined.text()[lexeme.start..lexeme.end]);
        let Lexeme { white, line_start, .. } = lexeme;
        Token { white, line_start, ..Token::new(TokenKind::from(lexeme.piece), text, spot) }
    }

    pub(crate) fn macro_of(&self, name: Symbol) -> Option<&Rc<Macro>> {
        self.macros.get(name.index())?.as_ref()
    }

    pub(crate) fn set_macro(&mut self, name: Symbol, meaning: Option<Macro>) {
        if self.macros.len() <= name.index() {
            self.macros.resize_with(name.index() + 1, || None);
            self.open_macros.resize(name.index() + 1, false);
        }
        self.macros[name.index()] = meaning.map(Rc::new);
    }

    /// Counts tokens that expansion handles.
    pub(crate) fn charge(&mut self, tokens: usize) -> Result<(), Stop> {
        self.macro_tokens = self.macro_tokens.saturating_add(tokens);
        if self.macro_tokens > self.options.limits.macro_tokens {
            return Err(self.stop("the macros of this text expand to too much"));
        }
        Ok(())
    }
}

/// Adds one directive of the caller's, whatever is in it, as one line.
fn side_line(text: &mut String, line: &str) {
    let line = line.lines().next().unwrap_or_default();
    text.push_str(line);
    // Nothing the caller says may join its line with the next.
    text.push_str(if line.trim_end().ends_with('\\') { "/**/\n" } else { "\n" });
}

impl Frame {
    /// A piece of the joined text in the file itself.
    pub(crate) fn spot(&self, start: usize, end: usize) -> Spot {
        let from = self.content.joined.original(start);
        let to = self.content.joined.original_end(end).max(from);
        Spot { file: self.file, start: from as u32, length: (to - from) as u32 }
    }
}
