//! The action patterns of MCL version 4, `{ GATE !1 ?any ... }`, as far as they bind no variables.
//!
//! A label `GATE !v1 !v2` is taken apart into its gate and its offers. A pattern gives a value or
//! `?any` for each offer; a final `...` stands for any further ones. Values are compared as text,
//! except that MCL writes `true` and `false` where labels have `TRUE` and `FALSE`.

use std::fmt;

use source::{Diagnostic, Span};

use crate::unquoted::{squeeze, with_outside};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ActionPattern {
    gate: String,
    offers: Vec<Offer>,
    /// Whether any further offers may follow.
    open: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Offer {
    Value(String),
    Any,
}

const SUPPORTED: &str = "supported are a gate, offers `!value` and `?any`, and a final `...`";

impl ActionPattern {
    /// Reads what stands between the braces; `base` is where that is in the whole text.
    pub(crate) fn parse(inside: &str, base: usize) -> Result<Self, Diagnostic> {
        let refuse = |start: usize, end: usize, message: String| {
            Err(Diagnostic::error(Span::new(base + start, base + end), message).help(SUPPORTED))
        };
        let pieces = pieces(inside, &["...", "!", "?"]);
        let mut pattern = Self { gate: String::new(), offers: Vec::new(), open: false };
        for piece in &pieces {
            let text = piece.text.trim();
            let (start, end) = (piece.start, piece.start + piece.mark.len() + piece.text.trim_end().len());
            if let Some(at) = find_word(piece.text, "where") {
                let at = piece.start + piece.mark.len() + at;
                return refuse(at, at + "where".len(), "conditions on offers are not supported".to_owned());
            }
            if pattern.open {
                return refuse(start, end, "nothing can follow `...` in an action pattern".to_owned());
            }
            match piece.mark {
                "" if text.contains(char::is_whitespace) => {
                    return refuse(start, end, format!("`{text}` is not the name of a gate"));
                }
                "" => pattern.gate = text.to_owned(),
                "..." if !text.is_empty() => {
                    return refuse(start, end, "nothing can follow `...` in an action pattern".to_owned());
                }
                "..." => pattern.open = true,
                "!" if text.is_empty() => {
                    return refuse(start, end, "a value is missing after `!`".to_owned());
                }
                "!" => pattern.offers.push(Offer::Value(value(text))),
                _ if text == "any" => pattern.offers.push(Offer::Any),
                _ => {
                    let message =
                        format!("variables in action patterns, such as `?{text}`, are not supported");
                    return refuse(start, end, message);
                }
            }
        }
        if pattern.gate.is_empty() {
            return refuse(0, inside.len(), "the action pattern has no gate".to_owned());
        }
        Ok(pattern)
    }

    pub fn matches(&self, label: &str) -> bool {
        // Most labels are at another gate, and this settles it without taking them apart.
        if !label.trim_start().starts_with(&self.gate) {
            return false;
        }
        let pieces = pieces(label, &["!"]);
        let Some((gate, offers)) = pieces.split_first() else { return false };
        gate.text.trim() == self.gate
            && (offers.len() == self.offers.len() || self.open && offers.len() > self.offers.len())
            && self.offers.iter().zip(offers).all(|(expected, offer)| match expected {
                Offer::Any => true,
                Offer::Value(expected) => value(offer.text) == *expected,
            })
    }

    pub fn gate(&self) -> &str {
        &self.gate
    }
}

impl fmt::Display for ActionPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}", self.gate)?;
        for offer in &self.offers {
            match offer {
                Offer::Value(value) => write!(f, " !{value}")?,
                Offer::Any => f.write_str(" ?any")?,
            }
        }
        f.write_str(if self.open { " ...}" } else { "}" })
    }
}

/// A mark and the text up to the next one; the first piece has no mark.
struct Piece<'a> {
    start: usize,
    mark: &'static str,
    text: &'a str,
}

/// Cuts the text before every mark outside of strings and brackets.
fn pieces<'a>(text: &'a str, marks: &[&'static str]) -> Vec<Piece<'a>> {
    let mut pieces = Vec::new();
    let (mut start, mut mark) = (0, "");
    let mut next = 0;
    for (at, _, outside) in with_outside(text) {
        if !outside || at < next {
            continue;
        }
        if let Some(found) = marks.iter().find(|mark| text[at..].starts_with(**mark)) {
            pieces.push(Piece { start, mark, text: &text[start + mark.len()..at] });
            (start, mark, next) = (at, *found, at + found.len());
        }
    }
    pieces.push(Piece { start, mark, text: &text[start + mark.len()..] });
    pieces
}

fn find_word(text: &str, word: &str) -> Option<usize> {
    let joins = |char: char| char.is_alphanumeric() || char == '_';
    let outside = with_outside(text).filter(|(_, _, outside)| *outside).map(|(at, ..)| at);
    outside
        .filter(|at| text[*at..].starts_with(word))
        .find(|at| !text[..*at].ends_with(joins) && !text[at + word.len()..].starts_with(joins))
}

fn value(text: &str) -> String {
    let mut value = squeeze(text);
    if value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("false") {
        value.make_ascii_lowercase();
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, label: &str) -> bool {
        ActionPattern::parse(pattern, 0).unwrap().matches(label)
    }

    #[test]
    fn every_offer_counts() {
        assert!(matches(" SEND !1 !true ", "SEND !1 !true"));
        assert!(matches("SEND !1 !true", "SEND !1 !TRUE"));
        assert!(!matches("SEND !1", "SEND !1 !TRUE"));
        assert!(!matches("SEND !1 !2", "SEND !1"));
        assert!(!matches("SEND !1", "SEND !2"));
        assert!(!matches("SEN !1", "SEND !1"));
        assert!(matches("SEND", "SEND"));
        assert!(!matches("SEND", "SEND !1"));
        assert!(matches("SEND !f(1,2)", "SEND !f (1, 2)"));
        assert!(matches(r#"SEND !"a!b" !3"#, r#"SEND !"a!b" !3"#));
    }

    #[test]
    fn any_is_one_offer_and_dots_are_any_number() {
        assert!(matches("SEND ?any", "SEND !1"));
        assert!(!matches("SEND ?any", "SEND"));
        assert!(!matches("SEND ?any", "SEND !1 !2"));
        assert!(matches("SEND ...", "SEND"));
        assert!(matches("SEND ...", "SEND !1 !2"));
        assert!(matches("SEND !1 ...", "SEND !1 !2"));
        assert!(!matches("SEND !1 ...", "SEND !2 !2"));
        assert!(!matches("SEND ...", "SENDER !2"));
    }

    #[test]
    fn what_binds_variables_is_refused_where_it_stands() {
        let refused = |text| {
            let diagnostic = ActionPattern::parse(text, 10).unwrap_err();
            (diagnostic.span.start - 10, diagnostic.span.end - 10, diagnostic.message)
        };
        let (start, end, message) = refused("SEND ?x:nat !1");
        assert_eq!((start, end), (5, 11));
        assert_eq!(message, "variables in action patterns, such as `?x:nat`, are not supported");
        assert_eq!(refused("SEND ?any where x > 1").0, 10);
        assert_eq!(refused("SEND ... !1").2, "nothing can follow `...` in an action pattern");
        assert_eq!(refused("...").2, "the action pattern has no gate");
        assert_eq!(refused("").2, "the action pattern has no gate");
        assert_eq!(refused("A B !1").2, "`A B` is not the name of a gate");
        assert_eq!(refused("A !").2, "a value is missing after `!`");
    }
}
