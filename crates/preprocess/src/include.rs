//! `#include`: the file is looked for beside the including one, then in the folders of the options,
//! for `<name>` as for `"name"`, unless the options say otherwise.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::Unread;
use crate::engine::{Engine, Stop};
use crate::map::{Content, FileId, Spot};
use crate::symbols::Symbol;
use crate::token::{Token, TokenKind};

/// The name after `#include`, where it stands, and whether in angle brackets.
struct Header {
    name: String,
    spot: Spot,
    angles: bool,
}

impl Engine<'_> {
    /// Reads the rest of an `#include` and opens the file; with `once`, unless that was done before.
    pub(crate) fn include(&mut self, once: bool) -> Result<(), Stop> {
        let here = self.here;
        let Some(Header { name, spot, angles }) = self.header_name()? else { return Ok(()) };
        if name.is_empty() {
            return self.error(spot, "the name of the file to include is empty");
        }
        let beside = !(angles && self.options.angles_in_folders_only);
        let (path, content) = match self.find(Path::new(&name), beside) {
            Ok(found) => found,
            Err(Unread::Missing) => return self.error(spot, format!("there is no file `{name}`")),
            Err(Unread::Failed(why)) => return self.error(spot, format!("`{name}` cannot be read: {why}")),
        };
        if self.once.contains(&plain(&path)) {
            return Ok(());
        }
        if once {
            self.once.insert(plain(&path));
        }
        self.here = here.to(spot);
        // The main file is not included.
        if self.frames.len() > self.options.limits.include_depth {
            return Err(self.stop("files include each other too deeply, perhaps forever"));
        }
        let file = self.map.add_file(&path, content, Some(here.to(spot)));
        self.open(file)
    }

    /// The name in quotes or angle brackets, which macros may make, and where it stands. The line is
    /// read to its end.
    fn header_name(&mut self) -> Result<Option<Header>, Stop> {
        let here = self.here;
        let lexeme = self.lexeme()?;
        let first = self.token(lexeme);
        if first.is_end() {
            self.error(here, "`#include` needs the name of a file")?;
            return Ok(None);
        }
        // Between angle brackets nothing is a token or a comment.
        if first.is_operator(Symbol::LESS)
            && let Some(frame) = self.frames.last_mut()
        {
            let rest = &frame.content.joined.text()[lexeme.start..];
            let line = rest.split('\n').next().unwrap_or_default();
            if let Some(end) = line.find('>') {
                let name = line[1..end].to_owned();
                let spot = frame.spot(lexeme.start, lexeme.start + end + 1);
                frame.at = lexeme.start + end + 1;
                self.ignore_rest()?;
                return Ok(Some(Header { name, spot, angles: true }));
            }
        }
        if first.kind == TokenKind::String {
            let name = self.symbols.text(first.text).trim_matches('"').to_owned();
            self.ignore_rest()?;
            return Ok(Some(Header { name, spot: first.spot, angles: false }));
        }
        let mut line = vec![first];
        line.extend(self.line()?);
        let spot = line.last().map_or(first.spot, |last| first.spot.to(last.spot));
        let mut line = self.expand_apart(line)?;
        line.retain(|token| !token.is_padding());
        match self.made_name(&line) {
            Some((name, angles)) => Ok(Some(Header { name, spot, angles })),
            None => {
                self.error(spot, "`#include` needs a name in quotes or angle brackets")?;
                Ok(None)
            }
        }
    }

    fn made_name(&self, line: &[Token]) -> Option<(String, bool)> {
        let first = line.first()?;
        if first.kind == TokenKind::String {
            return Some((self.symbols.text(first.text).trim_matches('"').to_owned(), false));
        }
        if !first.is_operator(Symbol::LESS) {
            return None;
        }
        let end = line.iter().position(|token| token.is_operator(Symbol::GREATER))?;
        Some((self.spelling(&line[1..end]), true))
    }

    fn ignore_rest(&mut self) -> Result<(), Stop> {
        let rest = self.line()?;
        self.expect_end(&rest, "include");
        Ok(())
    }

    fn find(&mut self, name: &Path, beside: bool) -> Result<(PathBuf, Arc<Content>), Unread> {
        let mut places = Vec::new();
        if let Some(frame) = self.frames.last().filter(|_| beside) {
            let including = self.map.path(FileId::new(frame.file));
            places.push(including.parent().unwrap_or(Path::new("")).join(name));
        }
        places.extend(self.options.include_folders.iter().map(|folder| folder.join(name)));
        for path in places {
            match self.content(&path) {
                Err(Unread::Missing) => {}
                found => return found.map(|content| (path, content)),
            }
        }
        Err(Unread::Missing)
    }
}

/// A path without detours, so that one file has one name as far as names tell.
pub(crate) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(plain.components().next_back(), Some(Component::Normal(_))) => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}
