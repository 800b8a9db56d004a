//! The report as a page for a browser: one file that needs nothing else, to look at and to attach to a ticket.
//!
//! The page carries the report as data and a script that builds everything from it. What comes from the input is
//! only ever data: [`island`] writes it so that it cannot end the element it stands in, and the script puts it on
//! the page as text. A content security policy in the page says the same to the browser: nothing is loaded, and
//! nothing runs but the one script whose hash it names.

mod digest;
mod gallery;
mod glossary;
mod island;
mod sources;

use std::fmt::Write as _;
use std::io;

use serde::Serialize;

pub use gallery::{Entry, gallery};
pub use sources::{Piece, SourceFile, sources};

use crate::Report;
use crate::story::Story;
use crate::text::{Headline, headlines, violated};

const STYLE: &str = include_str!("html/assets/page.css");

/// The body of the page before the script has filled it.
const BODY: &str = include_str!("html/assets/body.html");

/// The script, in the order in which its parts use each other.
const SCRIPT: [&str; 20] = [
    include_str!("html/assets/dom.js"),
    include_str!("html/assets/data.js"),
    include_str!("html/assets/icons.js"),
    include_str!("html/assets/glossary.js"),
    include_str!("html/assets/messages.js"),
    include_str!("html/assets/list.js"),
    include_str!("html/assets/source.js"),
    include_str!("html/assets/doom.js"),
    include_str!("html/assets/property.js"),
    include_str!("html/assets/step.js"),
    include_str!("html/assets/trace.js"),
    include_str!("html/assets/story.js"),
    include_str!("html/assets/causes.js"),
    include_str!("html/assets/compare.js"),
    include_str!("html/assets/states.js"),
    include_str!("html/assets/layout.js"),
    include_str!("html/assets/graph.js"),
    include_str!("html/assets/evidence.js"),
    include_str!("html/assets/search.js"),
    include_str!("html/assets/page.js"),
];

/// What the page knows.
#[derive(Serialize)]
struct Data<'a> {
    report: &'a Report,
    sources: &'a [SourceFile],
    /// What is violated, with the values that make it so.
    verdict: Option<String>,
    story: Story<'a>,
    headlines: Vec<Headline>,
    glossary: Vec<glossary::Entry>,
}

/// Writes the page. `sources` are the texts that the report points into, as far as they are at hand.
pub fn render(report: &Report, sources: &[SourceFile], out: &mut dyn io::Write) -> io::Result<()> {
    // What a browser hashes has its line ends made uniform.
    let script = format!("(() => {{\n'use strict';\n{}}})();\n", SCRIPT.concat()).replace('\r', "");
    head(&report.input.path, STYLE, Some(&script), out)?;
    write!(out, "{BODY}<script type=\"application/json\" id=\"data\">")?;
    let data = Data {
        report,
        sources,
        verdict: report.explained_violation().map(|nearest| violated(report, nearest)),
        story: Story::of(report),
        headlines: headlines(report),
        glossary: glossary::entries(),
    };
    island::write(&data, &mut *out)?;
    write!(out, "</script>\n<script>{script}</script>\n</body>\n</html>\n")
}

/// A page up to its body: a title, one style, and a policy by which nothing is loaded, and nothing runs but `script`.
fn head(title: &str, style: &str, script: Option<&str>, out: &mut dyn io::Write) -> io::Result<()> {
    let style = style.replace('\r', "");
    let named = |text: &str| format!("'sha256-{}'", digest::sha256_base64(text.as_bytes()));
    let runs = script.map_or_else(String::new, |script| format!("script-src {}; ", named(script)));
    write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; {runs}style-src {}; \
         base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{} \u{2014} Wherefore</title>\n<style>{style}</style>\n</head>\n<body>\n",
        named(&style),
        escaped(title),
    )
}

/// Text as the text of an element: nothing in it is markup, and nothing in it changes how the rest is read.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(letter, '<' | '>' | '&' | '"' | '\'') {
            let _ = write!(escaped, "&#{};", u32::from(letter));
        } else if letter.is_control() || is_direction_mark(letter) {
            escaped.push('\u{fffd}');
        } else {
            escaped.push(letter);
        }
    }
    escaped
}

/// Whether a character turns the direction of the text around it.
fn is_direction_mark(letter: char) -> bool {
    matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_text() {
        assert_eq!(escaped("a<b>&\"'\u{202e}\n"), "a&#60;b&#62;&#38;&#34;&#39;\u{fffd}\u{fffd}");
    }

    /// The parts of the script are one scope; a part that ends in the middle of a comment would swallow the next.
    #[test]
    fn the_parts_of_the_script_end_with_a_line() {
        for part in SCRIPT {
            assert!(part.starts_with("// ") && part.ends_with("\n"), "{}", &part[..60.min(part.len())]);
        }
        let own = [STYLE, BODY].into_iter().chain(SCRIPT);
        assert!(own.clone().all(|part| !part.contains("</script") && !part.contains("</style")));
        // Nothing of a page may be markup that comes from a string.
        let forbidden = [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "http://",
            "https://",
        ];
        for part in own {
            for word in forbidden {
                let allowed = part.matches("http://www.w3.org/2000/svg").count();
                let count = part.matches(word).count();
                assert!(count == 0 || (word == "http://" && count == allowed), "{word}");
            }
        }
    }
}
