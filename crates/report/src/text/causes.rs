//! The causes, drawn as rustc draws an error: a headline, the line with the statement underlined, and below it why
//! it is believed. The first cause is told whole; the others in a line each.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use anstyle::AnsiColor;
use source::LineChange;

use super::{Detail, Page};
use crate::story::{is_placed, outcome};
use crate::wording::{shown, shown_line};
use crate::{Cause, CauseKind, Location, Recheck, RecheckResult, Report};

/// How many reasons for the first cause are told, and how many further causes, without `-v`.
const MOST_REASONS: usize = 4;
const MOST_OTHERS: usize = 4;
/// How many places of one cause are drawn.
const MOST_DRAWN: usize = 3;
/// Lines longer than this are not drawn.
const LONGEST_LINE: usize = 400;

impl Page {
    pub(super) fn causes(&mut self, report: &Report) {
        let is_verbose = self.detail == Detail::Verbose;
        self.main_file.clone_from(&report.input.path);
        let placed: Vec<&Cause> = report.causes.iter().filter(|cause| is_placed(cause)).collect();
        let is_told = |cause: &&Cause| cause.kind == CauseKind::Doomed || is_verbose;
        for cause in report.causes.iter().filter(|cause| !is_placed(cause)).filter(is_told) {
            self.line("");
            let text = format!("{}{}", cause.claim, looked(Some(&cause.recheck)));
            self.sentence("note:", 6, &shown(&text));
        }
        for (at, cause) in placed.iter().enumerate() {
            if at == 0 || is_verbose {
                self.told_cause(cause, placed.len() > 1 && is_verbose, MOST_REASONS);
            } else if at == 1 {
                self.line("");
                let title = self.paint(AnsiColor::Cyan, "also suspected");
                self.line(&title);
            }
            if at > 0 && !is_verbose {
                if at > MOST_OTHERS {
                    let left = placed.len() - at;
                    self.line(&format!("  ... and {left} more (-v tells all)"));
                    break;
                }
                let place = self.place(cause.locations.first());
                let mark = mark(&cause.recheck);
                self.sentence(
                    &format!("{:>4}.", cause.rank),
                    6,
                    &shown(&format!("{place}{}{mark}", cause.summary)),
                );
            }
        }
    }

    /// A cause in full, with so many reasons if not all are asked for.
    pub(super) fn told_cause(&mut self, cause: &Cause, is_numbered: bool, most: usize) {
        self.line("");
        let title = if is_numbered { format!("cause {}", cause.rank) } else { "cause".to_owned() };
        let title = self.paint(AnsiColor::Red, &title);
        self.sentence(&format!("{title}: "), 2, &shown(&cause.summary));
        let mut drawn: Vec<&Location> = Vec::new();
        for location in &cause.locations {
            let is_known =
                drawn.iter().any(|known| (&known.file, known.line) == (&location.file, location.line));
            if !is_known && drawn.len() < MOST_DRAWN {
                self.excerpt(location, drawn.is_empty(), "");
                drawn.push(location);
            }
        }
        let gutter = drawn.iter().map(|at| at.line.to_string().len()).max().unwrap_or(1);
        // Where the claim says no more than the headline, the recheck is what is left to tell.
        self.reason(gutter, "because", &cause.claim, Some(&cause.recheck));
        let most = self.most(most);
        for evidence in cause.evidence.iter().take(most) {
            self.reason(gutter, "and", &evidence.claim, evidence.recheck.as_ref());
        }
        if let Some(repair) = &cause.repair {
            self.sentence(&format!("{:gutter$} = try", ""), gutter + 11, &outcome(repair, &self.checked));
            for hunk in &repair.patch.hunks {
                self.line(&format!("{:gutter$}   {}", "", hunk.header()));
                for line in &hunk.lines {
                    let text = shown_line(&line.to_string());
                    let text = match line.change {
                        LineChange::Added => self.paint(AnsiColor::Green, &text),
                        LineChange::Removed => self.paint(AnsiColor::Red, &text),
                        LineChange::Kept => text,
                    };
                    self.line(&format!("{:gutter$}   {text}", ""));
                }
            }
        }
    }

    fn reason(&mut self, gutter: usize, word: &str, claim: &str, recheck: Option<&Recheck>) {
        let head = format!("{:gutter$} = {word}", "");
        self.sentence(&head, gutter + 11, &shown(&format!("{claim}{}", looked(recheck))));
    }

    /// A line with the statement in it underlined, and perhaps a word about it.
    pub(super) fn excerpt(&mut self, location: &Location, is_first: bool, label: &str) {
        if location.text.trim().is_empty() || location.text.chars().count() > LONGEST_LINE {
            let place = format!("{}:{}", location.file, location.line);
            self.sentence("  -->", 6, &shown(&place));
            return;
        }
        let Some(span) = statement(&location.text, location.column) else { return };
        // Tabs and control characters take other room on the screen than in the file.
        let before = shown_line(&location.text[..span.start]);
        let own = shown_line(&location.text[span.clone()]);
        let text = format!("{before}{own}{}", shown_line(&location.text[span.end..]));
        let span = before.len()..before.len() + own.len();
        let renderer = if self.colour { Renderer::styled() } else { Renderer::plain() };
        let kind = if is_first { AnnotationKind::Primary } else { AnnotationKind::Context };
        let path = shown(&location.file);
        let snippet = Snippet::source(text.as_str())
            .line_start(location.line as usize)
            .path(path.as_str())
            .annotation(if label.is_empty() { kind.span(span) } else { kind.span(span).label(label) });
        let group = Group::with_level(Level::ERROR).element(snippet);
        let drawn = renderer.term_width(self.width).render(&[group]);
        // The empty line above the statement is the first that can be spared.
        let spared = empty_gutter(location.line);
        for line in drawn.lines() {
            if self.fit.gaps || line.trim_end() != spared {
                self.line(line);
            }
        }
    }
}

/// The empty line of an excerpt without colours.
fn empty_gutter(line: u64) -> String {
    format!("{:1$} |", "", line.to_string().len())
}

/// What became of a claim when it was looked at again.
fn looked(recheck: Option<&Recheck>) -> String {
    let Some(recheck) = recheck.filter(|recheck| recheck.how != Recheck::READ_OFF) else {
        return String::new();
    };
    let verdict = match recheck.result {
        RecheckResult::Confirmed => "confirmed",
        RecheckResult::Refuted => "refuted",
        RecheckResult::NotRun => "not rechecked",
    };
    format!(" ({verdict}: {})", recheck.how)
}

fn mark(recheck: &Recheck) -> &'static str {
    match recheck.result {
        RecheckResult::Confirmed => " (confirmed)",
        RecheckResult::Refuted => " (refuted)",
        RecheckResult::NotRun => "",
    }
}

/// The bytes of the statement that starts in this column, counted from 1: up to its semicolon, its arrow or its
/// opening brace, and not into a comment.
pub(super) fn statement(text: &str, column: u64) -> Option<std::ops::Range<usize>> {
    let start = text.char_indices().nth(column.saturating_sub(1) as usize).map_or(0, |(at, _)| at);
    let rest = &text[start..];
    let skipped = rest.len() - rest.trim_start().len();
    let (start, rest) = (start + skipped, rest.trim_start());
    let mut depth = 0i32;
    let mut end = rest.len();
    let mut before = ' ';
    for (at, c) in rest.char_indices() {
        let follows = |other: char| rest[at + c.len_utf8()..].starts_with(other);
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        let is_end =
            depth <= 0 && (c == ';' || c == '{' || c == '}' || (c == '-' && follows('>') && before == ' '));
        let is_comment = c == '/' && (follows('/') || follows('*'));
        if depth < 0 || is_comment || (is_end && at > 0) {
            end = at;
            break;
        }
        before = c;
    }
    let kept = rest[..end].trim_end().len().max(rest.chars().next()?.len_utf8());
    Some(start..start + kept)
}

#[cfg(test)]
mod tests {
    use super::statement;

    #[test]
    fn a_statement_ends_where_its_language_says() {
        let of = |text: &'static str, column| statement(text, column).map(|span| &text[span]);
        assert_eq!(of("  a->out += f(b; c); next();", 3), Some("a->out += f(b; c)"));
        assert_eq!(of("\t:: owner == FREE -> owner = me;", 5), Some("owner == FREE"));
        assert_eq!(of("\t:: owner == FREE -> owner = me;", 22), Some("owner = me"));
        assert_eq!(of("if (x > 0) { y = 1; }", 1), Some("if (x > 0)"));
        assert_eq!(of("d_step {", 1), Some("d_step"));
        assert_eq!(of("x = 1 /* why */;", 1), Some("x = 1"));
        assert_eq!(of("x", 99), Some("x"), "a column that is not there");
        assert_eq!(of("", 1), None);
    }
}
