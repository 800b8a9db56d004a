//! Tokens of C and Promela: words, numbers, texts in quotes and signs, without comments.
//!
//! Of the preprocessor's lines only what `#define` stands for is kept, apart from the rest, because it has no place
//! among the statements around it.

use source::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Word,
    Number,
    Quoted,
    Sign,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
    /// Counted from 1.
    pub(crate) line: u64,
}

/// All tokens of a text.
#[derive(Debug, Default)]
pub(crate) struct Tokens {
    pub(crate) code: Vec<Token>,
    /// What macros stand for, one list a macro.
    pub(crate) macros: Vec<Vec<Token>>,
    /// The names of macros without parameters.
    pub(crate) constants: Vec<Token>,
}

/// Signs of several characters, the longest first.
const SIGNS: [&str; 27] = [
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=", "::", "..", "??", "!!", "##",
];

pub(crate) fn scan(text: &str) -> Tokens {
    let mut scanner = Scanner { text, at: 0, line: 1 };
    let mut tokens = Tokens::default();
    let mut starts_line = true;
    while let Some(next) = scanner.rest().chars().next() {
        if next == '#' && starts_line {
            scanner.directive(&mut tokens);
            continue;
        }
        starts_line = next == '\n' || starts_line && next.is_whitespace();
        if let Some(token) = scanner.token() {
            starts_line = false;
            tokens.code.push(token);
        }
    }
    tokens
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    line: u64,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip(&mut self, length: usize) {
        let skipped = self.rest().get(..length).unwrap_or_default();
        self.line += skipped.bytes().filter(|byte| *byte == b'\n').count() as u64;
        self.at += length;
    }

    /// The next token, or nothing if there was a blank or a comment instead; goes on in every case.
    fn token(&mut self) -> Option<Token> {
        let rest = self.rest();
        let first = rest.chars().next()?;
        if first.is_whitespace() {
            self.skip(first.len_utf8());
            return None;
        }
        if let Some(comment) = rest.strip_prefix("/*") {
            self.skip(comment.find("*/").map_or(rest.len(), |end| end + 4));
            return None;
        }
        if rest.starts_with("//") {
            self.skip(rest.find('\n').unwrap_or(rest.len()));
            return None;
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let (kind, length) = if first.is_ascii_digit() {
            // A number does not run into the two points of a range.
            let plain = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            let behind = &rest[plain..];
            let fraction = behind.starts_with('.') && !behind.starts_with("..");
            let more = if fraction {
                1 + behind[1..].find(|c: char| !is_word(c)).unwrap_or(behind.len() - 1)
            } else {
                0
            };
            (TokenKind::Number, plain + more)
        } else if is_word(first) {
            (TokenKind::Word, rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()))
        } else if first == '"' || first == '\'' {
            (TokenKind::Quoted, quoted(rest, first))
        } else {
            let long = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            (TokenKind::Sign, long.map_or(first.len_utf8(), |sign| sign.len()))
        };
        let token = Token { kind, span: Span::new(self.at, self.at + length), line: self.line };
        self.skip(length);
        Some(token)
    }

    /// A line of the preprocessor, with those that continue it.
    fn directive(&mut self, tokens: &mut Tokens) {
        let rest = self.rest();
        let mut end = rest.len();
        for (at, _) in rest.match_indices('\n') {
            if !rest[..at].trim_end_matches('\r').ends_with('\\') {
                end = at;
                break;
            }
        }
        let stop = self.at + end;
        let mut found = Vec::new();
        while self.at < stop {
            found.extend(self.token().filter(|token| token.span.text(self.text) != "\\"));
        }
        let is =
            |at: usize, word: &str| found.get(at).is_some_and(|token| token.span.text(self.text) == word);
        let Some(name) = found.get(2).copied().filter(|_| is(1, "define")) else { return };
        // A parenthesis right behind the name opens parameters.
        let with_parameters = found.get(3).is_some_and(|next| next.span.start == name.span.end && is(3, "("));
        let body = if with_parameters {
            found.iter().position(|token| token.span.text(self.text) == ")").map_or(found.len(), |at| at + 1)
        } else {
            tokens.constants.push(name);
            3
        };
        tokens.macros.push(found.split_off(body.min(found.len())));
    }
}

/// How long the text in quotes is with which `rest` begins.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            '\n' if !escaped => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if letter == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        scan(text).code.iter().map(|token| token.span.text(text)).collect()
    }

    #[test]
    fn comments_and_directives_are_no_tokens() {
        let text =
            "#include <a.h>\n#define N 3\n#define F(x) \\\n  ((x) + 1)\na /* b */ = \"/*;\"; // c\n'\\''";
        assert_eq!(words(text), ["a", "=", "\"/*;\"", ";", "'\\''"]);
        let tokens = scan(text);
        let bodies: Vec<Vec<&str>> = tokens
            .macros
            .iter()
            .map(|body| body.iter().map(|token| token.span.text(text)).collect())
            .collect();
        assert_eq!(bodies, [vec!["3"], vec!["(", "(", "x", ")", "+", "1", ")"]]);
        assert_eq!(tokens.macros[1][0].line, 4);
    }

    #[test]
    fn signs_are_taken_as_long_as_they_can_be() {
        assert_eq!(words("a->b<=c?<x>"), ["a", "->", "b", "<=", "c", "?", "<", "x", ">"]);
        assert_eq!(words("0..N-1 1.5 c!!x ::"), ["0", "..", "N", "-", "1", "1.5", "c", "!!", "x", "::"]);
    }

    #[test]
    fn every_text_is_scanned_to_its_end() {
        for text in ["", "\"", "'", "/*", "//", "#define", "#define F(", "\\", "ü = 1", "#\\\n", "1."] {
            scan(text);
        }
    }
}
