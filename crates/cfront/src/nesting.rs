//! How deep a text is nested, at most, before anybody descends into it.
//!
//! A parser and a typer of C descend as deep as the text is nested, and what overflows a stack cannot be
//! caught. So the depth is bounded from above without descending: between two ends of statements every
//! operator, bracket and keyword may be one level, whatever it means; brackets add up; an `else` is a level
//! of its own as long as the chain of its `if` goes on; and every type that is built on another one, by
//! `typedef` or `typeof`, may be one level of the types.

use source::Span;

/// Levels that are let through: more than any program that was met has, and few enough for the stack.
pub(crate) const LIMIT: usize = 10_000;

/// Words that open a level.
const OPENING: &[&str] = &[
    "if",
    "else",
    "while",
    "for",
    "do",
    "switch",
    "case",
    "default",
    "return",
    "sizeof",
    "_Alignof",
    "__alignof__",
    "__alignof",
    "typeof",
    "__typeof__",
    "__typeof",
    "__extension__",
    "__real__",
    "__imag__",
];

/// Words that build a type on another one.
const BUILDING: &[&str] = &["typedef", "typeof", "__typeof__", "__typeof", "__auto_type"];

/// An open bracket.
#[derive(Clone, Copy, Default)]
struct Level {
    /// Levels outside of it.
    outside: usize,
    /// Levels since the last end of a statement or of an element.
    links: usize,
    /// How often the last `if` went on.
    elses: usize,
    brace: bool,
    /// A statement has just ended.
    ended: bool,
}

/// The first place that is too deep.
pub(crate) fn too_deep(text: &str) -> Option<Span> {
    let bytes = text.as_bytes();
    let mut stack = Vec::new();
    let mut level = Level { brace: true, ..Level::default() };
    let mut types = 0;
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let first = bytes[at];
        at += 1;
        match first {
            b' ' | b'\t' | b'\r' | b'\n' => continue,
            b'"' | b'\'' => {
                at = after_literal(bytes, start);
                continue;
            }
            b'0'..=b'9' => {
                at = start + bytes[start..].iter().take_while(|byte| is_word(**byte)).count();
                continue;
            }
            _ if is_word(first) => {
                at = start + bytes[start..].iter().take_while(|byte| is_word(**byte)).count();
                let word = text.get(start..at).unwrap_or_default();
                if level.ended && word != "else" {
                    level.elses = 0;
                }
                level.ended = false;
                level.links += usize::from(OPENING.contains(&word));
                level.elses += usize::from(word == "else");
                types += usize::from(BUILDING.contains(&word));
            }
            b';' => {
                level.links = 0;
                level.ended = true;
            }
            b',' if level.brace => level.links = 0,
            b'(' | b'[' | b'{' => {
                let outside = level.outside + level.links + level.elses + 1;
                stack.push(level);
                level = Level { outside, brace: first == b'{', ..Level::default() };
            }
            b')' | b']' | b'}' => {
                level = stack.pop().unwrap_or(Level { brace: true, ..Level::default() });
                if first == b'}' {
                    level.links = 0;
                    level.ended = true;
                } else {
                    // What was in it may be one level, as in `a[0][0][0]`.
                    level.links += 1;
                }
            }
            _ => level.links += 1,
        }
        if level.outside + level.links + level.elses > LIMIT || types > LIMIT {
            return Some(Span::new(start, at));
        }
    }
    None
}

fn is_word(byte: u8) -> bool {
    byte == b'_' || byte == b'$' || byte.is_ascii_alphanumeric() || byte >= 0x80
}

/// Where the literal ends that starts here; at the end of the line at the latest.
fn after_literal(bytes: &[u8], start: usize) -> usize {
    let quote = bytes[start];
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deep(piece: &str, times: usize) -> bool {
        too_deep(&format!("int main(void) {{ int x = 0; {}; }}", piece.repeat(times))).is_some()
    }

    #[test]
    fn chains_add_up() {
        for piece in ["+x", "-", "!", "(", "[0]", "*", "x=", "x ? 1 : ", "sizeof ", "if (x) ", "l:", ".a"] {
            assert!(deep(piece, LIMIT + 1), "{piece}");
        }
        for piece in ["if (x) x = 1; else ", "if (x) { x = 1; } else ", "typedef int t;", "{", "{ x; "] {
            assert!(deep(piece, LIMIT + 1), "{piece}");
        }
    }

    #[test]
    fn lists_do_not() {
        for piece in
            ["x = x + 1;", "\"+ - * / {{{\"", "if (x) x = 1; ", "if (x) { x = 1; } else { x = 2; }", "'\\''"]
        {
            assert!(!deep(piece, 3 * LIMIT), "{piece}");
        }
        assert!(too_deep(&format!("int a[] = {{ {} }};", "1 + 2, ".repeat(LIMIT))).is_none());
        assert!(too_deep(&format!("enum e {{ {} }};", "A = 1, ".repeat(LIMIT))).is_none());
    }

    #[test]
    fn broken_texts_are_no_trouble() {
        for text in ["", "\"", "'\\", "}}})))", "\"abc\\", "é'", "/*"] {
            assert!(too_deep(text).is_none(), "{text}");
        }
    }
}
