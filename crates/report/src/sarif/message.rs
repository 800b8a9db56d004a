//! Texts as messages of SARIF, in which some characters mean something.

/// A text as it must be written in messages, where `{0}` would be a placeholder and `[text](target)` a link.
pub(super) fn message_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['{', ']']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
        let taken = if rest.starts_with('{') && digits > 0 && rest[1 + digits..].starts_with('}') {
            out.push_str(&format!("{{{{{}}}}}", &rest[1..=digits]));
            digits + 2
        } else if rest.starts_with("](") {
            out.push_str("\\]");
            1
        } else {
            out.push_str(&rest[..1]);
            1
        };
        rest = &rest[taken..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_and_links_are_neither() {
        assert_eq!(message_text("a[i] = {0}; f[1](2) {x} {12"), "a[i] = {{0}}; f[1\\](2) {x} {12");
        assert_eq!(message_text("{ä}{{7}}]"), "{ä}{{{7}}}]");
    }
}
