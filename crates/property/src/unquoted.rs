//! Looking at a text without being misled by what stands in quotes or brackets.
//!
//! Labels carry values, `SEND !pair(1, "a!b")`, in which a separator is not a separator. This is no
//! parser: labels come from anywhere, so brackets that do not match are taken as they are.

/// The characters of `text` with their offsets, and whether each is outside of strings and brackets.
/// Quotes and brackets themselves are not outside.
pub(crate) fn with_outside(text: &str) -> impl Iterator<Item = (usize, char, bool)> {
    let mut in_string = false;
    let mut escaped = false;
    let mut depth = 0usize;
    text.char_indices().map(move |(at, char)| {
        if in_string {
            in_string = escaped || char != '"';
            escaped = !escaped && char == '\\';
            return (at, char, false);
        }
        match char {
            '"' => in_string = true,
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => return (at, char, depth == 0),
        }
        (at, char, false)
    })
}

/// The text without blanks that mean nothing: outside of strings a blank is kept, as one space, only
/// where it separates two words.
pub(crate) fn squeeze(text: &str) -> String {
    let word = |char: char| char.is_alphanumeric() || char == '_' || char == '\'';
    let mut squeezed = String::with_capacity(text.len());
    let (mut in_string, mut escaped, mut blank) = (false, false, false);
    for char in text.chars() {
        if in_string {
            in_string = escaped || char != '"';
            escaped = !escaped && char == '\\';
        } else if char.is_whitespace() {
            blank = true;
            continue;
        } else {
            in_string = char == '"';
            if blank && word(char) && squeezed.ends_with(word) {
                squeezed.push(' ');
            }
        }
        blank = false;
        squeezed.push(char);
    }
    squeezed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_brackets_hide_their_content() {
        let outside = |text| -> String { with_outside(text).filter(|c| c.2).map(|c| c.1).collect() };
        assert_eq!(outside(r#"a(b[c])d"e\"f"g"#), "adg");
        assert_eq!(outside("a)b(c"), "ab");
    }

    #[test]
    fn only_blanks_that_separate_words_are_kept() {
        assert_eq!(squeeze(" a ( 1 , x   in y ) "), "a(1,x in y)");
        assert_eq!(squeeze(r#"a( "b  c\" d" )"#), r#"a("b  c\" d")"#);
    }
}
