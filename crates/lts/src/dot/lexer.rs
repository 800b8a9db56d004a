//! The words of the DOT language.
//!
//! An identifier is a bare word, a numeral (with a sign: TLC's fingerprints), a quoted string or
//! HTML between angle brackets. Comments are C's and C++'s, and lines that start with `#`.

use memchr::memchr2;

use crate::outcome::Stop;
use crate::scan::{LONGEST, expected, found, too_long};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// An identifier: [`Lexer::id`] says which.
    Id,
    Arrow,
    Open,
    Close,
    OpenAttributes,
    CloseAttributes,
    Equals,
    Semicolon,
    Comma,
    Colon,
    End,
}

/// An identifier as it stands in the file, without its quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Id<'a> {
    pub(super) raw: &'a [u8],
    /// Where `raw` starts.
    pub(super) at: usize,
    pub(super) kind: TokenKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Bare,
    Quoted,
    Html,
}

impl<'a> Id<'a> {
    /// Whether this is the keyword `word`; quoted, it would be a name.
    pub(super) fn is_keyword(&self, word: &str) -> bool {
        self.kind == TokenKind::Bare && self.raw.eq_ignore_ascii_case(word.as_bytes())
    }

    /// The bytes meant, escapes resolved in `scratch`. `\l` and `\r` are line breaks with an alignment.
    pub(super) fn resolve<'b>(&self, scratch: &'b mut Vec<u8>) -> &'b [u8]
    where
        'a: 'b,
    {
        if self.kind != TokenKind::Quoted || memchr::memchr(b'\\', self.raw).is_none() {
            return self.raw;
        }
        scratch.clear();
        let mut rest = self.raw;
        while let Some(backslash) = memchr::memchr(b'\\', rest) {
            scratch.extend_from_slice(&rest[..backslash]);
            rest = &rest[backslash + 1..];
            match rest.first() {
                Some(b'n' | b'l' | b'r') => scratch.push(b'\n'),
                Some(b'\n') => {}
                Some(same @ (b'"' | b'\\')) => scratch.push(*same),
                Some(other) => scratch.extend_from_slice(&[b'\\', *other]),
                None => scratch.push(b'\\'),
            }
            rest = rest.get(1..).unwrap_or_default();
        }
        scratch.extend_from_slice(rest);
        scratch
    }
}

/// Looks one token ahead.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    input: &'a [u8],
    token: Token,
    id: Id<'a>,
    start: usize,
    /// Where the token ends.
    end: usize,
}

impl<'a> Lexer<'a> {
    /// Stands before the first token.
    pub(super) fn new(input: &'a [u8]) -> Result<Self, Stop> {
        let id = Id { raw: b"", at: 0, kind: TokenKind::Bare };
        let mut lexer = Self { input, token: Token::End, id, start: 0, end: 0 };
        lexer.advance()?;
        Ok(lexer)
    }

    /// The next token.
    pub(super) fn token(&self) -> Token {
        self.token
    }

    /// The next token, if it is an identifier.
    pub(super) fn id(&self) -> Id<'a> {
        self.id
    }

    /// Where the next token starts.
    pub(super) fn at(&self) -> usize {
        self.start
    }

    /// Takes the next token if it is `wanted`.
    #[inline]
    pub(super) fn accept(&mut self, wanted: Token) -> Result<bool, Stop> {
        let accepted = self.token == wanted;
        if accepted {
            self.advance()?;
        }
        Ok(accepted)
    }

    pub(super) fn expect(&mut self, wanted: Token, name: &str) -> Result<(), Stop> {
        if self.accept(wanted)? { Ok(()) } else { Err(self.unexpected(name)) }
    }

    #[inline]
    pub(super) fn expect_id(&mut self, name: &str) -> Result<Id<'a>, Stop> {
        let id = self.id;
        if self.accept(Token::Id)? { Ok(id) } else { Err(self.unexpected(name)) }
    }

    /// A fault at the next token.
    #[cold]
    pub(super) fn unexpected(&self, wanted: &str) -> Stop {
        expected(self.input, self.start, wanted)
    }

    /// Skips the block that the next token, a brace, opens.
    pub(super) fn skip_block(&mut self) -> Result<(), Stop> {
        let (start, mut depth) = (self.start, 1u64);
        while depth > 0 {
            match self.input.get(self.end) {
                Some(b'"') => {
                    self.quoted()?;
                    continue;
                }
                Some(b'{') => depth += 1,
                Some(b'}') => depth -= 1,
                Some(_) => {}
                None => return Err(Stop::fault(start, "a block that is opened here and never closed")),
            }
            self.end += 1;
        }
        self.advance()
    }

    pub(super) fn advance(&mut self) -> Result<(), Stop> {
        self.skip_comments()?;
        self.start = self.end;
        let Some(byte) = self.input.get(self.end) else {
            self.token = Token::End;
            return Ok(());
        };
        self.token = match byte {
            b'{' => Token::Open,
            b'}' => Token::Close,
            b'[' => Token::OpenAttributes,
            b']' => Token::CloseAttributes,
            b'=' => Token::Equals,
            b';' => Token::Semicolon,
            b',' => Token::Comma,
            b':' => Token::Colon,
            b'"' => return self.quoted(),
            b'<' => return self.html(),
            b'-' if self.input.get(self.end + 1) == Some(&b'>') => {
                self.end += 1;
                Token::Arrow
            }
            b'-' if self.input.get(self.end + 1) == Some(&b'-') => {
                return Err(Stop::fault(self.end, "`--`, an edge without a direction: expected `->`"));
            }
            _ => return self.bare(),
        };
        self.end += 1;
        Ok(())
    }

    fn skip_comments(&mut self) -> Result<(), Stop> {
        loop {
            while self.input.get(self.end).is_some_and(u8::is_ascii_whitespace) {
                self.end += 1;
            }
            let rest = &self.input[self.end..];
            let starts_line = || self.end == 0 || self.input[self.end - 1] == b'\n';
            if rest.starts_with(b"//") || (rest.starts_with(b"#") && starts_line()) {
                self.end = memchr::memchr(b'\n', rest).map_or(self.input.len(), |end| self.end + end);
            } else if rest.starts_with(b"/*") {
                let end = memchr::memmem::find(&rest[2..], b"*/");
                let end = end.ok_or_else(|| Stop::fault(self.end, "a comment that is never closed"))?;
                self.end += 2 + end + 2;
            } else {
                return Ok(());
            }
        }
    }

    fn take(&mut self, raw: &'a [u8], at: usize, kind: TokenKind) {
        self.token = Token::Id;
        self.id = Id { raw, at, kind };
    }

    fn bare(&mut self) -> Result<(), Stop> {
        let start = self.end;
        let mut end = start + usize::from(self.input[start] == b'-');
        let sign_end = end;
        let limit = self.input.len().min(start + LONGEST + 1);
        while end < limit && IN_WORD[self.input[end] as usize] {
            end += 1;
        }
        if end - start > LONGEST {
            return Err(too_long(start, "word"));
        }
        if end == sign_end {
            let what = format!("a character that has no meaning here: {}", found(self.input, start));
            return Err(Stop::fault(start, what));
        }
        self.end = end;
        self.take(&self.input[start..end], start, TokenKind::Bare);
        Ok(())
    }

    fn quoted(&mut self) -> Result<(), Stop> {
        let start = self.end + 1;
        let window = &self.input[start..self.input.len().min(start + LONGEST)];
        let mut length = 0;
        loop {
            match memchr2(b'"', b'\\', &window[length..]) {
                Some(offset) if window[length + offset] == b'"' => {
                    length += offset;
                    break;
                }
                // The character behind a backslash ends nothing.
                Some(offset) if length + offset + 2 <= window.len() => length += offset + 2,
                _ if start + window.len() == self.input.len() => {
                    return Err(Stop::fault(start - 1, "a quoted text that is never closed"));
                }
                _ => return Err(too_long(start - 1, "quoted text")),
            }
        }
        self.end = start + length + 1;
        self.take(&window[..length], start, TokenKind::Quoted);
        Ok(())
    }

    fn html(&mut self) -> Result<(), Stop> {
        let start = self.end + 1;
        let window = &self.input[start..self.input.len().min(start + LONGEST)];
        let mut depth = 1u64;
        for at in memchr::memchr2_iter(b'<', b'>', window) {
            depth = if window[at] == b'<' { depth + 1 } else { depth - 1 };
            if depth == 0 {
                self.end = start + at + 1;
                self.take(&window[..at], start, TokenKind::Html);
                return Ok(());
            }
        }
        Err(Stop::fault(start - 1, "`<` without its `>`"))
    }
}

/// Which bytes a bare word can have.
const IN_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let ascii = byte as u8;
        table[byte] = ascii.is_ascii_alphanumeric() || matches!(ascii, b'_' | b'.' | 0x80..);
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    fn words(input: &str) -> Vec<String> {
        let mut lexer = Lexer::new(input.as_bytes()).unwrap();
        let mut words = Vec::new();
        while lexer.token() != Token::End {
            words.push(match lexer.token() {
                Token::Id => String::from_utf8(lexer.id().resolve(&mut Vec::new()).to_vec()).unwrap(),
                other => format!("{other:?}"),
            });
            lexer.advance().unwrap();
        }
        words
    }

    #[test]
    fn signs_belong_to_numerals_and_arrows_do_not() {
        assert_eq!(words("-12->-3"), ["-12", "Arrow", "-3"]);
        assert_eq!(words("a->b"), ["a", "Arrow", "b"]);
    }

    #[test]
    fn escapes_are_resolved() {
        assert_eq!(words(r#""/\\ x = \"a\"\n/\\ y = \"\\n\"""#), ["/\\ x = \"a\"\n/\\ y = \"\\n\""]);
        assert_eq!(words(r#""a\lb\N""#), ["a\nb\\N"]);
    }

    #[test]
    fn comments_and_html_are_understood() {
        assert_eq!(words("# 1 \"file\"\na // b\n/* c */ d <<b>x</b>> e"), ["a", "d", "<b>x</b>", "e"]);
    }

    #[test]
    fn what_is_never_closed_is_a_fault() {
        for input in ["\"abc", "\"abc\\", "\"abc\\\"", "<a<b>", "/* a", "@", "- 1", "a -- b"] {
            let result =
                Lexer::new(input.as_bytes()).and_then(|mut lexer| (0..3).try_for_each(|_| lexer.advance()));
            assert!(matches!(result, Err(Stop::Fault { .. })), "{input}");
        }
    }
}
