//! The words of the DOT language.
//!
//! An identifier is a bare word, a numeral (with a sign: TLC's fingerprints), a quoted string or
//! HTML between angle brackets. Comments are C's and C++'s, and lines that start with `#`.

use memchr::memchr2;

use crate::outcome::Stop;
use crate::scan::{LONGEST, expected, found, too_long};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Id(Id<'a>),
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
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bare,
    Quoted,
    Html,
}

impl<'a> Id<'a> {
    /// Whether this is the keyword `word`; quoted, it would be a name.
    pub(super) fn is_keyword(&self, word: &str) -> bool {
        self.kind == Kind::Bare && self.raw.eq_ignore_ascii_case(word.as_bytes())
    }

    /// The bytes meant, escapes resolved in `scratch`. `\l` and `\r` are line breaks with an alignment.
    pub(super) fn resolve<'b>(&self, scratch: &'b mut Vec<u8>) -> &'b [u8]
    where
        'a: 'b,
    {
        if self.kind != Kind::Quoted || memchr::memchr(b'\\', self.raw).is_none() {
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

#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    input: &'a [u8],
    at: usize,
    peeked: Option<(Token<'a>, usize)>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(input: &'a [u8]) -> Self {
        Self { input, at: 0, peeked: None }
    }

    /// Where the last token that was taken ends, or the next one starts if it was looked at.
    pub(super) fn at(&self) -> usize {
        self.peeked.map_or(self.at, |(_, start)| start)
    }

    pub(super) fn next(&mut self) -> Result<Token<'a>, Stop> {
        match self.peeked.take() {
            Some((token, _)) => Ok(token),
            None => Ok(self.scan()?.0),
        }
    }

    pub(super) fn peek(&mut self) -> Result<Token<'a>, Stop> {
        if self.peeked.is_none() {
            self.peeked = Some(self.scan()?);
        }
        Ok(self.peeked.map_or(Token::End, |(token, _)| token))
    }

    /// Takes the next token if it is `wanted`.
    pub(super) fn accept(&mut self, wanted: Token<'a>) -> Result<bool, Stop> {
        let accepted = self.peek()? == wanted;
        if accepted {
            self.peeked = None;
        }
        Ok(accepted)
    }

    pub(super) fn expect(&mut self, wanted: Token<'a>, name: &str) -> Result<(), Stop> {
        if self.accept(wanted)? { Ok(()) } else { Err(self.unexpected(name)) }
    }

    pub(super) fn expect_id(&mut self, name: &str) -> Result<Id<'a>, Stop> {
        match self.peek()? {
            Token::Id(id) => {
                self.peeked = None;
                Ok(id)
            }
            _ => Err(self.unexpected(name)),
        }
    }

    /// A fault at the next token.
    pub(super) fn unexpected(&self, wanted: &str) -> Stop {
        expected(self.input, self.at(), wanted)
    }

    /// Skips everything up to the brace that closes the block that was just opened.
    pub(super) fn skip_block(&mut self) -> Result<(), Stop> {
        let (start, mut depth) = (self.at(), 1u64);
        self.at = start;
        self.peeked = None;
        while let Some(byte) = self.input.get(self.at) {
            match byte {
                b'"' => {
                    self.quoted()?;
                    continue;
                }
                b'{' => depth += 1,
                b'}' => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Ok(());
            }
        }
        Err(Stop::fault(start, "a block that is opened here and never closed"))
    }

    fn scan(&mut self) -> Result<(Token<'a>, usize), Stop> {
        self.skip_comments()?;
        let start = self.at;
        let Some(byte) = self.input.get(start) else { return Ok((Token::End, start)) };
        let simple = match byte {
            b'{' => Token::Open,
            b'}' => Token::Close,
            b'[' => Token::OpenAttributes,
            b']' => Token::CloseAttributes,
            b'=' => Token::Equals,
            b';' => Token::Semicolon,
            b',' => Token::Comma,
            b':' => Token::Colon,
            b'"' => return Ok((Token::Id(self.quoted()?), start)),
            b'<' => return Ok((Token::Id(self.html()?), start)),
            b'-' if self.input.get(start + 1) == Some(&b'>') => {
                self.at += 2;
                return Ok((Token::Arrow, start));
            }
            b'-' if self.input.get(start + 1) == Some(&b'-') => {
                return Err(Stop::fault(start, "`--`, an edge without a direction: expected `->`"));
            }
            _ => return Ok((Token::Id(self.bare()?), start)),
        };
        self.at += 1;
        Ok((simple, start))
    }

    fn skip_comments(&mut self) -> Result<(), Stop> {
        loop {
            while self.input.get(self.at).is_some_and(u8::is_ascii_whitespace) {
                self.at += 1;
            }
            let rest = &self.input[self.at..];
            let starts_line = || self.at == 0 || self.input[self.at - 1] == b'\n';
            if rest.starts_with(b"//") || (rest.starts_with(b"#") && starts_line()) {
                self.at = memchr::memchr(b'\n', rest).map_or(self.input.len(), |end| self.at + end);
            } else if rest.starts_with(b"/*") {
                let end = memchr::memmem::find(&rest[2..], b"*/");
                let end = end.ok_or_else(|| Stop::fault(self.at, "a comment that is never closed"))?;
                self.at += 2 + end + 2;
            } else {
                return Ok(());
            }
        }
    }

    fn bare(&mut self) -> Result<Id<'a>, Stop> {
        let start = self.at;
        let sign = usize::from(self.input[start] == b'-');
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | 0x80..);
        let length =
            self.input[start + sign..].iter().take_while(|byte| is_word(byte)).take(LONGEST + 1).count();
        if length > LONGEST {
            return Err(too_long(start, "word"));
        }
        if length == 0 {
            let what = format!("a character that has no meaning here: {}", found(self.input, start));
            return Err(Stop::fault(start, what));
        }
        self.at = start + sign + length;
        Ok(Id { raw: &self.input[start..self.at], at: start, kind: Kind::Bare })
    }

    fn quoted(&mut self) -> Result<Id<'a>, Stop> {
        let start = self.at + 1;
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
        self.at = start + length + 1;
        Ok(Id { raw: &window[..length], at: start, kind: Kind::Quoted })
    }

    fn html(&mut self) -> Result<Id<'a>, Stop> {
        let start = self.at + 1;
        let window = &self.input[start..self.input.len().min(start + LONGEST)];
        let mut depth = 1u64;
        for at in memchr::memchr2_iter(b'<', b'>', window) {
            depth = if window[at] == b'<' { depth + 1 } else { depth - 1 };
            if depth == 0 {
                self.at = start + at + 1;
                return Ok(Id { raw: &window[..at], at: start, kind: Kind::Html });
            }
        }
        Err(Stop::fault(start - 1, "`<` without its `>`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(input: &str) -> Vec<String> {
        let mut lexer = Lexer::new(input.as_bytes());
        let mut words = Vec::new();
        loop {
            match lexer.next().unwrap() {
                Token::End => return words,
                Token::Id(id) => words.push(String::from_utf8(id.resolve(&mut Vec::new()).to_vec()).unwrap()),
                other => words.push(format!("{other:?}")),
            }
        }
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
        assert_eq!(words("# 1 \"file\"\na // b\n/* c */ d <<b>x</b>> # e").len(), 5);
    }

    #[test]
    fn what_is_never_closed_is_a_fault() {
        for input in ["\"abc", "\"abc\\", "\"abc\\\"", "<a<b>", "/* a", "@", "- 1", "a -- b"] {
            let mut lexer = Lexer::new(input.as_bytes());
            let result = (0..3).try_for_each(|_| lexer.next().map(drop));
            assert!(matches!(result, Err(Stop::Fault { .. })), "{input}");
        }
    }
}
