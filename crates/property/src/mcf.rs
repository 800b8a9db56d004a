//! The tokens of mCRL2's modal formulas.
//!
//! An action formula speaks of multi-actions, `a(1)|b`, which are one token here: their arguments
//! are data expressions, of which only the text matters. `+` is both "or" between regular formulas
//! and "at least once" behind one; the grammar tells them apart by what follows. Comments run from
//! `%` to the end of the line. A formula may be introduced by `form` and end with a semicolon, as
//! in files that have declarations, which are not supported.

use source::{Diagnostic, Span};

use crate::Test;
use crate::multi_action::normal_form;
use crate::token::{TokenKind, Tokens};

const FRAGMENT: &str = "supported are the regular safety formulas: `[R] false`, `[R] <true> true`, \
                        `!<R> true`, boxes behind boxes, and several of these joined by `&&`";

pub(crate) fn tokens(text: &str) -> Tokens {
    Lexer { text, at: 0, out: Tokens::default() }.run()
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    out: Tokens,
}

impl<'a> Lexer<'a> {
    fn run(mut self) -> Tokens {
        loop {
            self.blanks();
            let Some(char) = self.rest().chars().next() else { return self.out.end() };
            let start = self.at;
            if self.name().is_some() {
                self.word();
                continue;
            }
            let rest = self.rest();
            let (kind, length) = match char {
                '&' if rest.starts_with("&&") => (TokenKind::And, 2),
                '|' if rest.starts_with("||") => (TokenKind::Or, 2),
                '=' if rest.starts_with("=>") => (TokenKind::Implies, 2),
                '!' => (TokenKind::Not, 1),
                '(' => (TokenKind::OpenParenthesis, 1),
                ')' => (TokenKind::CloseParenthesis, 1),
                '[' => (TokenKind::OpenBox, 1),
                ']' => (TokenKind::CloseBox, 1),
                '<' => (TokenKind::OpenDiamond, 1),
                '>' => (TokenKind::CloseDiamond, 1),
                '.' => (TokenKind::Dot, 1),
                '*' => (TokenKind::Star, 1),
                '+' => (TokenKind::Plus, 1),
                '|' => (refused("`|` joins the actions of a multi-action, and only those"), 1),
                '@' => (refused("time (`@`) is not supported"), 1),
                ';' => {
                    self.at += 1;
                    self.blanks();
                    if !self.rest().is_empty() {
                        self.out.unknown(start, ';');
                    }
                    continue;
                }
                _ => {
                    self.out.unknown(start, char);
                    self.at += char.len_utf8();
                    continue;
                }
            };
            self.at += length;
            self.out.push(kind, Span::new(start, self.at));
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips blanks and comments.
    fn blanks(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with('%') {
                return;
            }
            self.at += trimmed.find(['\n', '\r']).unwrap_or(trimmed.len());
        }
    }

    /// The name that starts here. As in mCRL2 it may have primes.
    fn name(&self) -> Option<&'a str> {
        let rest = self.rest();
        let starts = rest.starts_with(|first: char| first.is_alphabetic() || first == '_');
        let inside = |char: char| char.is_alphanumeric() || char == '_' || char == '\'';
        starts.then(|| &rest[..rest.find(|char| !inside(char)).unwrap_or(rest.len())])
    }

    fn word(&mut self) {
        let start = self.at;
        let Some(name) = self.name() else { return };
        let kind = match name {
            "true" => TokenKind::True,
            "false" => TokenKind::False,
            "nil" => TokenKind::Nil,
            "tau" => TokenKind::Test(Test::Hidden),
            "form" if self.out.tokens.is_empty() => {
                self.at += name.len();
                return;
            }
            "mu" | "nu" => refused(format!("fixed points (`{name}`) are not supported")),
            "forall" | "exists" => refused(format!("quantification over data (`{name}`) is not supported")),
            "val" => refused("data expressions (`val`) are not supported"),
            "delay" | "yaled" => refused(format!("time (`{name}`) is not supported")),
            "act" | "sort" | "cons" | "map" | "var" | "eqn" | "glob" | "form"
                if self.out.tokens.is_empty() =>
            {
                refused(format!("declarations (`{name}`) are not supported"))
            }
            _ => return self.multi_action(),
        };
        self.at += name.len();
        self.out.push(kind, Span::new(start, self.at));
    }

    fn multi_action(&mut self) {
        let start = self.at;
        let mut text = String::new();
        let mut end = start;
        while let Some(name) = self.name() {
            text.push_str(name);
            self.at += name.len();
            end = self.at;
            self.blanks();
            if self.rest().starts_with('(') {
                let open = Span::new(self.at, self.at + 1);
                if !self.arguments(&mut text) {
                    let error =
                        Diagnostic::error(open, "the arguments of the action have no closing parenthesis");
                    return self.out.broken(Span::new(start, self.at), error);
                }
                end = self.at;
                self.blanks();
            }
            let rest = self.rest();
            if !rest.starts_with('|') || rest.starts_with("||") {
                self.out.push(TokenKind::Test(Test::MultiAction(normal_form(&text))), Span::new(start, end));
                return;
            }
            text.push('|');
            self.at += 1;
            end = self.at;
            self.blanks();
        }
        let error = Diagnostic::error(Span::new(end - 1, end), "an action is missing behind `|`")
            .help("write `||` for \"or\" between action formulas and `+` between regular formulas");
        self.out.broken(Span::new(start, end), error);
    }

    /// Appends the arguments that start here, without comments. Returns false if they do not end.
    fn arguments(&mut self, text: &mut String) -> bool {
        let mut depth = 0usize;
        let mut in_string = false;
        while let Some(char) = self.rest().chars().next() {
            match char {
                '%' if !in_string => {
                    self.blanks();
                    text.push(' ');
                    continue;
                }
                '"' => in_string = !in_string,
                '(' if !in_string => depth += 1,
                ')' if !in_string => depth -= 1,
                _ => {}
            }
            text.push(char);
            self.at += char.len_utf8();
            if depth == 0 {
                return true;
            }
        }
        false
    }
}

fn refused(message: impl Into<String>) -> TokenKind {
    TokenKind::Refused { message: message.into(), help: FRAGMENT }
}
