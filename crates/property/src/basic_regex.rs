//! Basic regular expressions, the ones of `ed` and `grep`.
//!
//! CADP's `'...'` are matched by the classic UNIX library. There `. * [ ] ^ $` are special, while
//! `( ) { } | + ?` are ordinary characters that become special after a backslash: the other way
//! round than in most of today's expressions. The text is translated piece by piece to the syntax of
//! the `regex` crate, which matches in linear time whatever the expression is; what that cannot do
//! (back-references) is refused. A match is always one of the whole label.

mod translate;

use std::ops::Range;

use regex::{Regex, RegexBuilder};

/// How large one compiled expression may be, in bytes.
const SIZE_LIMIT: usize = 1 << 18;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BasicRegex {
    source: String,
    meaning: Meaning,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Meaning {
    /// Nothing in it is special: the commonest case by far, and the cheapest.
    Literal(String),
    /// In the syntax of the `regex` crate.
    Translated(String),
}

/// What is wrong with an expression, and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BadRegex {
    pub(crate) at: Range<usize>,
    pub(crate) message: String,
}

impl BasicRegex {
    pub(crate) fn parse(source: &str) -> Result<Self, BadRegex> {
        let meaning = translate::translate(source)?;
        if let Meaning::Translated(translated) = &meaning {
            compile(translated, true)
                .map_err(|error| BadRegex { at: 0..source.len(), message: blame(&error) })?;
        }
        Ok(Self { source: source.to_owned(), meaning })
    }

    /// As it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The only text it matches, if it has nothing special in it.
    pub fn literal(&self) -> Option<&str> {
        match &self.meaning {
            Meaning::Literal(text) => Some(text),
            Meaning::Translated(_) => None,
        }
    }

    /// The compiled expression. It is not kept in the formula: a formula may have many, and each is
    /// needed once.
    pub(crate) fn whole(&self) -> Option<Regex> {
        self.compile(true)
    }

    /// The same, but matching parts of a label as well.
    pub(crate) fn part(&self) -> Option<Regex> {
        self.compile(false)
    }

    fn compile(&self, whole: bool) -> Option<Regex> {
        match &self.meaning {
            Meaning::Literal(text) => compile(&regex::escape(text), whole).ok(),
            Meaning::Translated(translated) => compile(translated, whole).ok(),
        }
    }

    /// What it would be if it had been meant as an extended expression, in which `( ) { } | + ?` are
    /// special without a backslash; none if that makes no difference.
    pub(crate) fn as_extended(&self) -> Option<Self> {
        let mut swapped = String::new();
        let mut chars = self.source.chars().peekable();
        let mut in_brackets = false;
        while let Some(char) = chars.next() {
            match char {
                '[' => in_brackets = true,
                ']' => in_brackets = false,
                '(' | ')' | '{' | '}' | '|' | '+' | '?' if !in_brackets => swapped.push('\\'),
                '\\' if !in_brackets => match chars.next() {
                    Some('(' | ')' | '{' | '}' | '|' | '+' | '?') | None => return None,
                    Some(next) => {
                        swapped.extend([char, next]);
                        continue;
                    }
                },
                _ => {}
            }
            swapped.push(char);
        }
        if swapped == self.source { None } else { Self::parse(&swapped).ok() }
    }
}

fn compile(translated: &str, whole: bool) -> Result<Regex, regex::Error> {
    let anchored = if whole { format!(r"\A(?:{translated})\z") } else { translated.to_owned() };
    RegexBuilder::new(&anchored).dot_matches_new_line(true).size_limit(SIZE_LIMIT).build()
}

fn blame(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(_) => "the regular expression is too large".to_owned(),
        // What the translation lets through can only be too deeply nested.
        _ => "the regular expression is nested too deeply".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(source: &str, label: &str) -> bool {
        let regex = BasicRegex::parse(source).unwrap();
        if let Some(literal) = regex.literal() {
            assert_eq!(regex.whole().unwrap().is_match(label), literal == label);
        }
        regex.whole().unwrap().is_match(label)
    }

    fn all(source: &str, yes: &[&str], no: &[&str]) {
        for label in yes {
            assert!(matches(source, label), "{source} should match {label}");
        }
        for label in no {
            assert!(!matches(source, label), "{source} should not match {label}");
        }
    }

    #[test]
    fn the_whole_label_has_to_match() {
        all("SEND", &["SEND"], &["SEND !1", "RESEND", "", "send"]);
        all("SEND.*", &["SEND", "SEND !1"], &["RESEND"]);
        all("SEND !.*", &["SEND !1"], &["SEND"]);
        all("", &[""], &["a"]);
    }

    #[test]
    fn today_s_special_characters_are_ordinary() {
        all("a+", &["a+"], &["a", "aa"]);
        all("a|b", &["a|b"], &["a", "b"]);
        all("f(x)?", &["f(x)?"], &["f(x)", "fx"]);
        all("a{2}", &["a{2}"], &["aa"]);
    }

    #[test]
    fn and_special_after_a_backslash() {
        all(r"a\+", &["a", "aa"], &["", "a+"]);
        all(r"a\|b", &["a", "b"], &["a|b", "ab"]);
        all(r"\(ab\)*c", &["c", "ababc"], &["abac"]);
        all(r"a\{2,3\}b\?", &["aa", "aaab"], &["a", "aaaa"]);
        all(r"a\{2\}*", &["", "aa", "aaaa"], &["a", "aaa"]);
        all(r"\(a\|b\)\{2\}", &["ab", "ba"], &["a"]);
        all(r"a\{2,\}", &["aa", "aaa"], &["a"]);
        all(r"a*\?\+", &["", "aaa"], &["b"]);
        all(r"a\?\+", &["", "aaa"], &["b"]);
        all(r"\.\*\[\]\\", &[r".*[]\"], &["a"]);
    }

    #[test]
    fn stars_and_anchors_depend_on_their_place() {
        all("*a", &["*a"], &["a"]);
        all(r"\(*a\)", &["*a"], &["a"]);
        all("^a$", &["a"], &["^a$"]);
        all("a^b$c", &["a^b$c"], &["abc"]);
        all(r"^a\|^b", &["a", "b"], &["c"]);
        all("^*", &["*"], &[""]);
    }

    #[test]
    fn brackets() {
        all("[]a]", &["]", "a"], &["b"]);
        all("[^]a]", &["b"], &["]", "a"]);
        all("[a-c]x", &["ax", "cx"], &["dx", "-x"]);
        all("[a-]", &["a", "-"], &["b"]);
        all("[[:digit:]_]*", &["12_3", ""], &["a"]);
        all(r"[\n]", &["\\", "n"], &["\n"]);
        all("[a&&b~~^]", &["&", "~", "^", "a", "b"], &["c"]);
        all("[[]", &["["], &["]"]);
        all("[ä-ü].", &["öß"], &["aß"]);
    }

    #[test]
    fn errors_say_where() {
        let error = |source| {
            let bad = BasicRegex::parse(source).unwrap_err();
            (bad.at.start, bad.at.end, bad.message)
        };
        assert_eq!(error(r"ab\"), (2, 3, "the regular expression ends with a backslash".to_owned()));
        assert_eq!(error(r"a\(b"), (1, 3, r"`\(` has no `\)`".to_owned()));
        assert_eq!(error(r"a\)b"), (1, 3, r"`\)` has no `\(`".to_owned()));
        assert_eq!(error("a[b"), (1, 2, "`[` has no `]`".to_owned()));
        assert_eq!(error(r"\(a\)\1"), (5, 7, r"back-references such as `\1` are not supported".to_owned()));
        assert_eq!(error("[z-a]"), (1, 4, "`z-a` is not a range of characters".to_owned()));
        assert_eq!(error("[[:foo:]]"), (1, 8, "`[:foo:]` is not a class of characters".to_owned()));
        assert_eq!(error(r"a\{3,1\}").0, 1);
        assert_eq!(error(r"a\{9999\}").0, 1);
        assert_eq!(error(r"\+").2, r"there is nothing to repeat before `\+`");
        assert_eq!(error(r".\{900\}\{900\}").2, "the regular expression is too large");
        let deep = r"\(".repeat(1000) + &r"\)".repeat(1000);
        assert_eq!(error(&deep).2, "the regular expression is nested too deeply");
    }

    #[test]
    fn an_extended_expression_is_recognised() {
        let extended = |source| BasicRegex::parse(source).unwrap().as_extended().map(|regex| regex.source);
        assert_eq!(extended("(A|B)+.*").as_deref(), Some(r"\(A\|B\)\+.*"));
        assert_eq!(extended("A[+?]"), None);
        assert_eq!(extended("A.*"), None);
        assert_eq!(extended("A)"), None);
    }
}
