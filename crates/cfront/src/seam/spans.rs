//! From the library's spans to ours, and from a statement to the words that are shown for it.

use source::Span;

/// A span of the library in the text it was given.
pub(super) fn span_of(span: rucc_diag::Span, text: &str) -> Span {
    if span.is_dummy() {
        return Span::at(0);
    }
    let end = (span.hi as usize).min(text.len());
    Span::new((span.lo as usize).min(end), end)
}

/// The span without blanks and semicolons at its end.
pub(super) fn without_semicolon(span: Span, text: &str) -> Span {
    let trimmed = span.text(text).trim_end_matches(|last: char| last.is_whitespace() || last == ';');
    Span::new(span.start, span.start + trimmed.len())
}

/// What stands before the body of a statement: `if (x)`, `for (;;)`. The body may begin with anything,
/// the head ends with its last parenthesis.
pub(super) fn head_before(span: Span, body: Span, text: &str) -> Span {
    let end = body.start.clamp(span.start, span.end);
    let before = Span::new(span.start, end).text(text);
    let length = before.rfind(')').map_or(before.trim_end().len(), |at| at + 1);
    Span::new(span.start, span.start + length)
}

/// What stands after the body of `do body while (x);`.
pub(super) fn head_after(span: Span, body: Span, text: &str) -> Span {
    let start = body.end.clamp(span.start, span.end);
    let after = Span::new(start, span.end).text(text);
    let blank = after.len() - after.trim_start().len();
    without_semicolon(Span::new(start + blank, span.end), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(text: &str, body: &str) -> String {
        let start = text.find(body).unwrap_or(text.len());
        let body = Span::new(start, start + body.len());
        head_before(Span::new(0, text.len()), body, text).text(text).to_owned()
    }

    #[test]
    fn heads_end_before_the_body() {
        assert_eq!(head("if ((x))  { y; }", "{ y; }"), "if ((x))");
        assert_eq!(head("while (f(x)) ;", ";"), "while (f(x))");
        let text = "do { x; } while (x > 1) ;";
        assert_eq!(head_after(Span::new(0, text.len()), Span::new(3, 9), text).text(text), "while (x > 1)");
        let text = "x = y ;";
        assert_eq!(without_semicolon(Span::new(0, text.len()), text).text(text), "x = y");
    }
}
