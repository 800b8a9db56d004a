//! What the library is known to get wrong without a word, found in the tokens and refused. Each was met by
//! the comparison with gcc; a version of the library that gets it right makes its rule here unnecessary.
//!
//! - `mode` and `vector_size` behind a member or a parameter are not seen, and its type is another one.
//! - `packed` on a record with bit-fields, under a `#pragma pack` of more than 1, does not mean for gcc what
//!   either says alone.

use rucc_base::Interner;
use rucc_diag::Span;
use rucc_lex::{Keyword, Pragma, Punct, Token, Tokens};

/// What is wrong, and where.
pub(super) type Fault = (Span, &'static str);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    /// The members of a record: where it starts.
    Record(usize),
    /// Attributes, which are no place of their own.
    Attribute,
    Parenthesis,
    Other,
}

pub(super) fn doubts(tokens: &Tokens, names: &Interner) -> Vec<Fault> {
    let list = &tokens.tokens;
    let word = |token: &Token| token.ident().map(|name| names.resolve(name).trim_matches('_'));
    let mut faults = Vec::new();
    let mut open: Vec<Bracket> = Vec::new();
    // A `struct` or `union` whose body may follow.
    let mut record = None;
    let mut packing = Packing { lines: &tokens.pragmas, ..Packing::default() };
    for (index, token) in list.iter().enumerate() {
        match token.punct() {
            Some(Punct::LParen) => {
                let attribute = index
                    .checked_sub(1)
                    .is_some_and(|before| list[before].keyword() == Some(Keyword::Attribute))
                    || open.last() == Some(&Bracket::Attribute);
                open.push(if attribute { Bracket::Attribute } else { Bracket::Parenthesis });
            }
            Some(Punct::LBrace) => open.push(record.take().map_or(Bracket::Other, Bracket::Record)),
            Some(Punct::LBracket) => open.push(Bracket::Other),
            Some(Punct::RParen | Punct::RBracket | Punct::RBrace) => {
                if let Some(Bracket::Record(start)) = open.pop()
                    && packing.at(index, tokens, names) > 1
                    && is_packed(list, start, index, &word)
                    && has_bit_fields(list, start, index)
                {
                    faults.push((token.span, "a packed record with bit-fields under `#pragma pack`"));
                }
            }
            Some(Punct::Semi | Punct::Eq | Punct::Comma) => record = None,
            _ => {}
        }
        match token.keyword() {
            Some(Keyword::Struct | Keyword::Union) => record = Some(index),
            _ if open.last() == Some(&Bracket::Attribute) => {
                let around = open.iter().rev().find(|bracket| **bracket != Bracket::Attribute);
                let inside = matches!(around, Some(Bracket::Record(_) | Bracket::Parenthesis));
                if inside && word(token).is_some_and(|word| word == "mode" || word == "vector_size") {
                    faults.push((token.span, "the mode of a member or parameter"));
                }
            }
            _ => {}
        }
    }
    faults
}

/// What `#pragma pack` asks for, followed from line to line.
#[derive(Default)]
struct Packing<'a> {
    lines: &'a [Pragma],
    now: u128,
    pushed: Vec<u128>,
}

impl Packing<'_> {
    /// How many bytes are asked for at a token, or 0.
    fn at(&mut self, index: usize, tokens: &Tokens, names: &Interner) -> u128 {
        while let Some((line, later)) = self.lines.split_first()
            && line.before as usize <= index
        {
            self.lines = later;
            let words: Vec<&str> = line
                .tokens
                .iter()
                .filter_map(|token| token.ident())
                .map(|name| names.resolve(name))
                .collect();
            let number = line.tokens.iter().find_map(|token| tokens.int(*token)).map(|number| number.value);
            match words.as_slice() {
                ["pack", "push", ..] => self.pushed.push(self.now),
                ["pack", "pop", ..] => self.now = self.pushed.pop().unwrap_or(0),
                ["pack"] if number.is_none() => self.now = 0,
                ["pack", ..] => {}
                _ => continue,
            }
            self.now = number.unwrap_or(self.now);
        }
        self.now
    }
}

/// Whether `packed` stands before, in or after the body that ends at `end`.
fn is_packed<'a>(
    list: &[Token],
    start: usize,
    end: usize,
    word: &impl Fn(&Token) -> Option<&'a str>,
) -> bool {
    let after = list[end..].iter().take_while(|token| token.punct() != Some(Punct::Semi)).count();
    list[start..end + after].iter().any(|token| word(token) == Some("packed"))
}

fn has_bit_fields(list: &[Token], start: usize, end: usize) -> bool {
    list[start..end].iter().any(|token| token.punct() == Some(Punct::Colon))
}
