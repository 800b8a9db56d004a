//! Small words shared by everything that is written for people.

/// `3 steps`, `1 step`.
pub fn count(n: u64, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{} {one}s", grouped(n)) }
}

/// `12,345,678`.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Things in a row: "a", "a and b", "a, b and c".
pub(crate) fn in_a_row(items: &[String]) -> String {
    match items.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// `A`, `A or B`, `A, B or C`, with at most `most` of them named.
pub fn alternatives(items: &[String], most: usize) -> String {
    let more = items.len().saturating_sub(most);
    let mut named: Vec<String> = items.iter().take(most).map(|item| format!("`{item}`")).collect();
    if more > 0 {
        named.push(format!("{} more", grouped(more as u64)));
    }
    match named.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

/// What a step was given, after its statement: nothing where the statement itself is what was chosen.
pub fn given(element: &crate::Element) -> String {
    // Which way a branch goes says what it was given.
    let is_decided = [": true", ": false"].iter().any(|way| element.statement.ends_with(way));
    let choice = element.choice.as_ref().filter(|choice| **choice != element.statement && !is_decided);
    choice.map_or_else(String::new, |choice| format!(" gave {choice}"))
}

/// What could have been done in place of `action`. A label can lead to several states, so `action` may
/// be among its own alternatives.
pub fn instead_of(action: &str, labels: &[String], most: usize) -> String {
    alternatives(labels, most).replacen(&format!("`{action}`"), &format!("another `{action}`"), 1)
}

/// Control characters made visible, so that a label cannot move the cursor or colour the terminal.
pub(crate) fn shown(text: &str) -> String {
    source::visible(text)
}

/// A line of a source or a patch, with room where it has tabs.
pub(crate) fn shown_line(line: &str) -> String {
    shown(&line.replace('\t', "    "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_counted() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(count(1, "step"), "1 step");
        assert_eq!(count(1000, "step"), "1,000 steps");
    }

    #[test]
    fn lines_of_sources_cannot_move_the_cursor() {
        assert_eq!(shown_line("-\tx = 1; /* \u{1b}[2J */"), "-    x = 1; /* \\u{1b}[2J */");
    }

    #[test]
    fn long_lists_are_cut() {
        let items: Vec<String> = ["a", "b", "c", "d"].map(String::from).to_vec();
        assert_eq!(alternatives(&items[..1], 3), "`a`");
        assert_eq!(alternatives(&items[..2], 3), "`a` or `b`");
        assert_eq!(alternatives(&items, 2), "`a`, `b` or 2 more");
    }

    #[test]
    fn control_characters_are_shown_not_sent() {
        assert_eq!(shown("a\x1b[31m\u{202e}"), "a\\u{1b}[31m\\u{202e}");
    }
}
