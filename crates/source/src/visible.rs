//! Texts from outside, made fit to be shown.
//!
//! A name of a file, a label or a line of a source may hold characters that move the cursor, colour the terminal or
//! turn the direction of what is written. Whatever people are shown passes through here.

/// Whether a character would do something instead of being seen.
fn is_active(letter: char) -> bool {
    let hides = matches!(letter,
        // Marks of direction, separators of lines, what has no width, tags.
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    letter.is_control() || hides
}

fn written(text: &str, stays: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_active(letter) && !stays(letter) {
            out.extend(letter.escape_default());
        } else {
            out.push(letter);
        }
    }
    out
}

/// A text in one line.
pub fn visible(text: &str) -> String {
    written(text, |_| false)
}

/// A text in several lines.
pub fn visible_lines(text: &str) -> String {
    written(text, |letter| matches!(letter, '\n' | '\t'))
}

/// The same for a text that was drawn with colours by somebody who keeps foreign escape characters out.
pub fn visible_drawing(text: &str) -> String {
    written(text, |letter| matches!(letter, '\n' | '\t' | '\u{1b}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_moves_the_cursor_or_turns_the_direction() {
        let hostile = "a\u{1b}[31m\u{7}\u{9b}2J\u{202e}\u{2028}\u{200f}\nb\t\u{feff}";
        assert_eq!(visible(hostile), r"a\u{1b}[31m\u{7}\u{9b}2J\u{202e}\u{2028}\u{200f}\nb\t\u{feff}");
        assert_eq!(visible_lines("a\u{1b}\nb\t\r"), "a\\u{1b}\nb\t\\r");
        assert_eq!(visible_drawing("\u{1b}[1ma\u{9b}\n"), "\u{1b}[1ma\\u{9b}\n");
        assert_eq!(visible("é 漢 🙂"), "é 漢 🙂");
    }
}
