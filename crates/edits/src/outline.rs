//! What is known of a text: its tokens, which brackets belong together, its functions or processes, and what must
//! not be touched.

use source::Span;

use crate::Language;
use crate::names::{Name, names};
use crate::token::{Token, TokenKind, Tokens, scan};
use crate::tree::Tree;

/// Stands for no token.
pub(crate) const NONE: usize = usize::MAX;

/// A function, a process or an inline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit {
    /// The parentheses of its parameters, where it has any.
    pub(crate) parameters: Option<(usize, usize)>,
    /// The braces of its body.
    pub(crate) body: (usize, usize),
}

#[derive(Debug)]
pub(crate) struct Outline<'a> {
    pub(crate) text: &'a str,
    pub(crate) language: Language,
    pub(crate) tokens: Tokens,
    /// For each bracket the one that belongs to it.
    pub(crate) partner: Vec<usize>,
    pub(crate) units: Vec<Unit>,
    pub(crate) tree: Tree,
    pub(crate) names: Vec<Name<'a>>,
    /// Tokens of properties, assertions and assumptions, by their numbers.
    sacred: Vec<bool>,
}

impl<'a> Outline<'a> {
    pub(crate) fn new(text: &'a str, language: Language) -> Self {
        let tokens = scan(text);
        let count = tokens.code.len();
        let mut outline = Self {
            text,
            language,
            tokens,
            partner: vec![NONE; count],
            units: Vec::new(),
            tree: Tree::default(),
            names: Vec::new(),
            sacred: vec![false; count],
        };
        outline.match_brackets();
        outline.find_units();
        outline.keep_checks();
        outline.tree = Tree::new(&outline);
        outline.names = names(&outline);
        outline
    }

    pub(crate) fn len(&self) -> usize {
        self.tokens.code.len()
    }

    pub(crate) fn token(&self, at: usize) -> Option<&Token> {
        self.tokens.code.get(at)
    }

    /// The token with this number as it stands in the text; empty if there is none.
    pub(crate) fn word(&self, at: usize) -> &'a str {
        self.token(at).map_or("", |token| token.span.text(self.text))
    }

    pub(crate) fn kind(&self, at: usize) -> Option<TokenKind> {
        self.token(at).map(|token| token.kind)
    }

    pub(crate) fn line(&self, at: usize) -> u64 {
        self.token(at).map_or(0, |token| token.line)
    }

    /// The span of tokens, both included.
    pub(crate) fn span(&self, first: usize, last: usize) -> Span {
        match (self.token(first), self.token(last)) {
            (Some(first), Some(last)) if first.span.start <= last.span.end => first.span.to(last.span),
            _ => Span::default(),
        }
    }

    pub(crate) fn slice(&self, first: usize, last: usize) -> &'a str {
        self.span(first, last).text(self.text)
    }

    /// The bracket that belongs to the one at `at`, if that is one.
    pub(crate) fn closing(&self, at: usize) -> Option<usize> {
        self.partner.get(at).copied().filter(|partner| *partner != NONE && *partner > at)
    }

    /// Whether a token belongs to what the program is checked for.
    pub(crate) fn is_sacred(&self, at: usize) -> bool {
        self.sacred.get(at).copied().unwrap_or(false)
    }

    /// The unit a token stands in.
    pub(crate) fn unit_of(&self, at: usize) -> Option<usize> {
        let after = self.units.partition_point(|unit| unit.body.0 <= at);
        let unit = after.checked_sub(1)?;
        (self.units[unit].body.1 >= at).then_some(unit)
    }

    fn match_brackets(&mut self) {
        let mut open: Vec<(usize, &str)> = Vec::new();
        for at in 0..self.len() {
            let closes = match self.word(at) {
                "(" => ")",
                "[" => "]",
                "{" => "}",
                "if" if self.language == Language::Promela => "fi",
                "do" if self.language == Language::Promela => "od",
                word => {
                    if let Some((opened, closes)) = open.last()
                        && word == *closes
                    {
                        self.partner[*opened] = at;
                        self.partner[at] = *opened;
                        open.pop();
                    }
                    continue;
                }
            };
            open.push((at, closes));
        }
    }

    fn find_units(&mut self) {
        let mut at = 0;
        // The last pair of parentheses before a brace.
        let mut parameters = None;
        let mut is_property = false;
        let mut is_unit = self.language == Language::C;
        while at < self.len() {
            match self.word(at) {
                "(" => {
                    let Some(close) = self.closing(at) else { return };
                    if self.language == Language::C || parameters.is_none() {
                        parameters = Some((at, close));
                    }
                    at = close;
                    if let Some(body) = self.old_style_body(close) {
                        self.units.push(Unit { parameters: parameters.take(), body });
                        at = body.1;
                    }
                }
                "{" => {
                    let Some(close) = self.closing(at) else { return };
                    let is_body = match self.language {
                        Language::C => at > 0 && self.word(at - 1) == ")",
                        Language::Promela => is_unit,
                    };
                    if is_property {
                        self.sacred[at..=close].fill(true);
                    } else if is_body {
                        self.units.push(Unit { parameters, body: (at, close) });
                    }
                    (parameters, is_property) = (None, false);
                    is_unit = self.language == Language::C;
                    at = close;
                }
                "proctype" | "inline" | "init" if self.language == Language::Promela => {
                    (parameters, is_unit) = (None, true);
                }
                "never" | "ltl" | "trace" | "notrace" if self.language == Language::Promela => {
                    is_property = true;
                }
                ";" => parameters = None,
                _ => {}
            }
            at += 1;
        }
    }

    /// The body of a function whose parameters are declared behind its parentheses, as old C has them.
    fn old_style_body(&self, close: usize) -> Option<(usize, usize)> {
        if self.language != Language::C || self.kind(close + 1) != Some(TokenKind::Word) {
            return None;
        }
        let ends = |at: &usize| matches!(self.word(*at), "" | "{" | "(" | "=");
        let open = (close + 1..=self.len()).find(ends)?;
        let is_body = self.word(open) == "{" && self.word(open - 1) == ";";
        self.closing(open).filter(|_| is_body).map(|end| (open, end))
    }

    /// Assertions, assumptions and inputs are not to be changed: they say what is right.
    fn keep_checks(&mut self) {
        for at in 0..self.len() {
            let word = self.word(at);
            let is_check = matches!(word, "assert" | "abort" | "reach_error")
                || ["__VERIFIER_", "__WHEREFORE_", "__assert", "__CPROVER_", "assume"]
                    .iter()
                    .any(|start| word.starts_with(start));
            if is_check && self.word(at + 1) == "(" {
                let end = self.closing(at + 1).unwrap_or(at);
                self.sacred[at..=end].fill(true);
            }
        }
    }
}
