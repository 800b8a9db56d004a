//! Preprocessing tokens as gcc cuts them in `gnu99`: names (with `$` and letters of any script),
//! numbers in the generous sense of the preprocessor (`1..N` is one number), strings, character
//! constants, and the longest C operators. What C does not know (`@`, a lone quote, a back-tick) is a token as
//! well, and is passed on; the preprocessor does not judge the language it is used for.

/// What kind of piece was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Name,
    Number,
    String,
    Character,
    Operator,
    /// A byte that belongs to no C token, or a quote without its partner and the rest of its line.
    Other,
    Newline,
    End,
}

/// One piece of a joined text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lexeme {
    pub(crate) piece: Piece,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether blanks or comments stand before it.
    pub(crate) white: bool,
    /// Whether it is the first of its line; known to whoever reads piece after piece.
    pub(crate) line_start: bool,
    /// Whether a comment before it goes over several lines.
    pub(crate) over_lines: bool,
    /// The start of a comment that nobody closed.
    pub(crate) open_comment: Option<usize>,
}

/// Operators of more than one byte, longest first.
const OPERATORS: [&str; 29] = [
    "%:%:", "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=",
    "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##", "<:", ":>", "<%", "%>", "%:",
];

/// The piece that starts at or after `at`, blanks and comments skipped; newlines are pieces.
pub(crate) fn lex(text: &str, at: usize) -> Lexeme {
    let bytes = text.as_bytes();
    let (start, open_comment) = skip_blanks(bytes, at);
    let white = start > at;
    let over_lines = bytes[at..start].contains(&b'\n');
    let found = |piece, end| Lexeme { piece, start, end, white, line_start: false, over_lines, open_comment };
    let Some(&first) = bytes.get(start) else { return found(Piece::End, start) };
    let next = bytes.get(start + 1).copied().unwrap_or(b'\n');
    match first {
        b'\n' => found(Piece::Newline, start + 1),
        b'0'..=b'9' => found(Piece::Number, number_end(text, start)),
        b'.' if next.is_ascii_digit() => found(Piece::Number, number_end(text, start)),
        b'"' | b'\'' => {
            let (piece, end) = quoted(bytes, start);
            found(piece, end)
        }
        _ => {
            let end = name_end(text, start);
            if end > start {
                let wide = matches!(&bytes[start..end], b"L" | b"u" | b"U" | b"u8");
                return match bytes.get(end) {
                    Some(b'"' | b'\'') if wide => {
                        let (piece, end) = quoted(bytes, end);
                        found(piece, end)
                    }
                    _ => found(Piece::Name, end),
                };
            }
            if let Some(operator) = operator_at(&bytes[start..]) {
                return found(Piece::Operator, start + operator);
            }
            let width = text[start..].chars().next().map_or(1, char::len_utf8);
            let plain = first.is_ascii_punctuation() && !matches!(first, b'@' | b'`' | b'\\');
            found(if plain { Piece::Operator } else { Piece::Other }, start + width)
        }
    }
}

/// The end of blanks and comments from `at` on, and the start of a comment that is not closed.
fn skip_blanks(bytes: &[u8], mut at: usize) -> (usize, Option<usize>) {
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0) => at += 1,
            Some(b'/') if bytes.get(at + 1) == Some(&b'/') => {
                at += bytes[at..].iter().take_while(|byte| **byte != b'\n').count();
            }
            Some(b'/') if bytes.get(at + 1) == Some(&b'*') => {
                match bytes[at + 2..].windows(2).position(|pair| pair == b"*/") {
                    Some(length) => at += 2 + length + 2,
                    None => return (bytes.len(), Some(at)),
                }
            }
            _ => return (at, None),
        }
    }
}

pub(crate) fn is_name_start(character: char) -> bool {
    matches!(character, '_' | '$') || character.is_alphabetic()
}

fn is_name_part(character: char) -> bool {
    is_name_start(character) || character.is_alphanumeric()
}

fn name_end(text: &str, start: usize) -> usize {
    let rest = &text[start..];
    if !rest.starts_with(is_name_start) {
        return start;
    }
    start + rest.find(|character| !is_name_part(character)).unwrap_or(rest.len())
}

fn number_end(text: &str, start: usize) -> usize {
    let mut last = '0';
    for (at, character) in text[start..].char_indices() {
        let signed = matches!(character, '+' | '-') && matches!(last, 'e' | 'E' | 'p' | 'P');
        if !(is_name_part(character) || character == '.' || signed) {
            return start + at;
        }
        last = character;
    }
    text.len()
}

fn operator_at(bytes: &[u8]) -> Option<usize> {
    OPERATORS.iter().find(|operator| bytes.starts_with(operator.as_bytes())).map(|operator| operator.len())
}

/// The kind and end of a string or a character constant whose quote stands at `quote`; without its
/// partner on the line, the rest of the line is one strange token, as in gcc.
fn quoted(bytes: &[u8], quote: usize) -> (Piece, usize) {
    let mark = bytes[quote];
    let mut at = quote + 1;
    loop {
        match bytes.get(at) {
            // A carriage return before the newline belongs to the line's end.
            None | Some(b'\n') if bytes[at - 1] == b'\r' => return (Piece::Other, at - 1),
            None | Some(b'\n') => return (Piece::Other, at),
            Some(b'\\') if !matches!(bytes.get(at + 1), None | Some(b'\n')) => at += 2,
            Some(byte) if *byte == mark => {
                return (if mark == b'"' { Piece::String } else { Piece::Character }, at + 1);
            }
            Some(_) => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<&str> {
        let mut at = 0;
        let mut pieces = Vec::new();
        loop {
            let lexeme = lex(text, at);
            if lexeme.piece == Piece::End {
                return pieces;
            }
            pieces.push(&text[lexeme.start..lexeme.end]);
            at = lexeme.end;
        }
    }

    #[test]
    fn promela_is_cut_as_c_is() {
        assert_eq!(pieces("c??<x>!!y"), ["c", "?", "?", "<", "x", ">", "!", "!", "y"]);
        assert_eq!(pieces(":: a->b@l [] <>p"), [":", ":", "a", "->", "b", "@", "l", "[", "]", "<", ">", "p"]);
        assert_eq!(pieces("1..N 0 .. N"), ["1..N", "0", ".", ".", "N"]);
        assert_eq!(pieces("0x1e+3 .5.a.."), ["0x1e+3", ".5.a.."]);
    }

    #[test]
    fn comments_are_blanks_and_quotes_hide_them() {
        assert_eq!(pieces("a/*b*/c//d\ne"), ["a", "c", "\n", "e"]);
        assert_eq!(pieces("\"/*\" '//' '\\''"), ["\"/*\"", "'//'", "'\\''"]);
        assert_eq!(pieces("don't /* x\r\ny"), ["don", "'t /* x", "\n", "y"]);
        assert_eq!(lex("a /* b", 1).open_comment, Some(2));
        assert_eq!(lex("/*/ x", 0).open_comment, Some(0));
    }

    #[test]
    fn letters_of_any_script_make_names() {
        assert_eq!(pieces("größe$1 L'x' u8\"y\" §§"), ["größe$1", "L'x'", "u8\"y\"", "§", "§"]);
        assert_eq!(lex("§", 0).piece, Piece::Other);
    }
}
