//! What an error trace lacks, as a statement to insert: where it could go, and whether that helps.
//!
//! A statement that every correct trace executes and the error trace does not is put where the error trace does what
//! no correct trace does: into the branch it takes, or before or after a statement of its own. The text keeps its
//! lines, so that what is wrong with the changed program can be compared with what was wrong before: the cause
//! must be gone, and nothing else may have gone wrong.

use report::{ErrorTrace, Outcome, Report};

/// How many statements are tried in how many places.
const MOST_STATEMENTS: usize = 2;
const MOST_PLACES: usize = 6;
/// How deeply statements are followed.
const DEEPEST: usize = 64;

/// A statement put into a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insertion {
    /// The statement, with its semicolon.
    pub statement: String,
    /// The line it goes to, counted from 1.
    pub line: u64,
    /// The whole text with it.
    pub text: String,
}

impl Insertion {
    /// The line before and after, as a patch of the file.
    pub fn patch(&self, file: &str, before: &str) -> String {
        let at = self.line as usize - 1;
        let line = |text: &str| text.lines().nth(at).unwrap_or_default().to_owned();
        let number = self.line;
        format!(
            "--- a/{file}\n+++ b/{file}\n@@ -{number} +{number} @@\n-{}\n+{}\n",
            line(before),
            line(&self.text)
        )
    }
}

/// What could be inserted into the text of `file` so that the trace is no error any more, the likeliest first.
pub fn candidates(text: &str, file: &str, trace: &ErrorTrace) -> Vec<Insertion> {
    let mut statements: Vec<String> = Vec::new();
    for event in &trace.lacks {
        if let Some(statement) = statement_of(&event.action)
            && !statements.contains(&statement)
        {
            statements.push(statement);
        }
    }
    let mut found: Vec<Insertion> = Vec::new();
    for statement in statements.iter().take(MOST_STATEMENTS) {
        let mut places = 0;
        for cause in trace.causes.iter().rev() {
            let Some(location) = cause.from.as_ref().filter(|location| location.file == file) else {
                continue;
            };
            let Some(start) = offset(text, location.line, location.column) else { continue };
            // What another preprocessor made is not the text that people edit.
            let line = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
            if text[line..].lines().next().map(str::trim) != Some(location.text.trim()) {
                continue;
            }
            for edit in edits(text, start, &cause.event.action, statement) {
                if places < MOST_PLACES && !found.iter().any(|known| known.text == edit.text) {
                    places += 1;
                    found.push(edit);
                }
            }
        }
    }
    found
}

/// The event of a missing step as a statement: a call or an assignment; nothing for branches, returns, checks, and
/// what takes inputs.
fn statement_of(action: &str) -> Option<String> {
    const NO_STATEMENTS: [&str; 10] =
        ["if", "while", "for", "switch", "do", "return", "assert", "case", "goto", "__VERIFIER_"];
    let is_other = NO_STATEMENTS.iter().any(|word| {
        let rest = action.strip_prefix(word);
        rest.is_some_and(|rest| {
            word.ends_with('_') || !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        })
    });
    let branches = [": true", ": false"].iter().any(|outcome| action.ends_with(outcome));
    let is_whole = !action.ends_with("...") && !action.contains(" gave ");
    let is_statement =
        action.ends_with(')') || action.contains('=') || action.contains("++") || action.contains("--");
    (!is_other && !branches && is_whole && is_statement).then(|| format!("{action};"))
}

/// The offset of a place, counted from 1 in lines and characters.
fn offset(text: &str, line: u64, column: u64) -> Option<usize> {
    let start = match line.checked_sub(2) {
        None => 0,
        Some(newline) => text.match_indices('\n').nth(usize::try_from(newline).ok()?)?.0 + 1,
    };
    let rest = text[start..].lines().next()?;
    let column = usize::try_from(column).ok()?.checked_sub(1)?;
    let at = rest.char_indices().nth(column).map_or(rest.len(), |(at, _)| at);
    Some(start + at)
}

/// The ways to put a statement into the branch that is taken at `start`, or beside the statement there.
fn edits(text: &str, start: usize, action: &str, statement: &str) -> Vec<Insertion> {
    let line_of = |at: usize| text[..at].matches('\n').count() as u64 + 1;
    let put = |at: usize, insert: String| Insertion {
        statement: statement.to_owned(),
        line: line_of(at),
        text: format!("{}{insert}{}", &text[..at], &text[at..]),
    };
    // Around a statement, braces keep it one.
    let around = |from: usize, to: usize, first: &str, last: &str| Insertion {
        statement: statement.to_owned(),
        line: line_of(if first.is_empty() { to } else { from }),
        text: format!("{}{{ {first}{}{last} }}{}", &text[..from], &text[from..to], &text[to..]),
    };
    let into = |from: usize| -> Option<Insertion> {
        if text[from..].starts_with('{') {
            return Some(put(from + 1, format!(" {statement}")));
        }
        let to = end_of_statement(text, from, 0)?;
        Some(around(from, to, &format!("{statement} "), ""))
    };
    let mut found = Vec::new();
    if let Some(branch) = Branch::at(text, start) {
        if action.ends_with(": true") {
            found.extend(into(branch.then));
        } else if let Some(otherwise) = branch.otherwise {
            found.extend(into(otherwise));
        } else if branch.is_if {
            found.push(put(branch.end, format!(" else {{ {statement} }}")));
        }
        return found;
    }
    if let Some(end) = end_of_statement(text, start, 0)
        && text[start..end].ends_with(';')
    {
        found.push(around(start, end, &format!("{statement} "), ""));
        found.push(around(start, end, "", &format!(" {statement}")));
    }
    found
}

/// An `if` or a loop: where its branches begin, and where it ends.
struct Branch {
    then: usize,
    otherwise: Option<usize>,
    end: usize,
    is_if: bool,
}

impl Branch {
    fn at(text: &str, start: usize) -> Option<Self> {
        let is_if = word_at(text, start) == "if";
        if !is_if && word_at(text, start) != "while" {
            return None;
        }
        let then = behind_condition(text, start)?;
        let end = end_of_statement(text, then, 0)?;
        let next = skip_blanks(text, end);
        let otherwise = (is_if && word_at(text, next) == "else").then(|| skip_blanks(text, next + 4));
        Some(Self { then, otherwise, end, is_if })
    }
}

fn word_at(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or_default();
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    &rest[..end]
}

/// Behind blanks and comments.
fn skip_blanks(text: &str, mut at: usize) -> usize {
    loop {
        let rest = &text[at..];
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        if trimmed.starts_with("/*") {
            at += trimmed.find("*/").map_or(trimmed.len(), |end| end + 2);
        } else if trimmed.starts_with("//") {
            at += trimmed.find('\n').unwrap_or(trimmed.len());
        } else {
            return at;
        }
    }
}

/// Behind the condition in parentheses that follows the word at `start`, and the blanks after it.
fn behind_condition(text: &str, start: usize) -> Option<usize> {
    let open = skip_blanks(text, start + word_at(text, start).len());
    text[open..].starts_with('(').then_some(())?;
    Some(skip_blanks(text, balanced(text, open)?))
}

/// Behind what the bracket at `open` closes with.
fn balanced(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0u32;
    let mut at = open;
    while let Some(next) = text[at..].chars().next() {
        match next {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {
                at = behind_piece(text, at);
                continue;
            }
        }
        at += 1;
    }
    None
}

/// Behind one character, or a whole text, comment or character in quotes.
fn behind_piece(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let Some(first) = rest.chars().next() else { return at };
    if rest.starts_with("/*") || rest.starts_with("//") {
        return skip_blanks(text, at);
    }
    if first != '"' && first != '\'' {
        return at + first.len_utf8();
    }
    let mut escaped = false;
    for (offset, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if letter == first => return at + offset + 1,
            _ => {}
        }
    }
    text.len()
}

/// Behind the statement that begins at `start`.
fn end_of_statement(text: &str, start: usize, depth: usize) -> Option<usize> {
    if depth > DEEPEST {
        return None;
    }
    if text.get(start..)?.starts_with('{') {
        return balanced(text, start);
    }
    match word_at(text, start) {
        "if" => {
            let end = end_of_statement(text, behind_condition(text, start)?, depth + 1)?;
            let next = skip_blanks(text, end);
            if word_at(text, next) == "else" {
                return end_of_statement(text, skip_blanks(text, next + 4), depth + 1);
            }
            Some(end)
        }
        "while" | "for" | "switch" => end_of_statement(text, behind_condition(text, start)?, depth + 1),
        "do" => {
            let end = end_of_statement(text, skip_blanks(text, start + 2), depth + 1)?;
            end_of_statement(text, behind_condition(text, skip_blanks(text, end))?, depth + 1)
        }
        _ => {
            let mut at = start;
            while let Some(next) = text[at..].chars().next() {
                match next {
                    ';' => return Some(at + 1),
                    '(' | '[' | '{' => at = balanced(text, at)?,
                    ')' | ']' | '}' => return None,
                    _ => at = behind_piece(text, at),
                }
            }
            None
        }
    }
}

/// Whether a trace of the report on a program is no error any more in the report on the changed program, and nothing
/// is wrong there that was not wrong before.
pub fn helps(before: &Report, trace: &ErrorTrace, after: &Report) -> bool {
    if !after.statistics.complete {
        return false;
    }
    let line = |location: &Option<report::Location>| location.as_ref().map(|location| location.line);
    let is_known = |new: &report::Violation| {
        let same = |old: &report::Violation| {
            (&old.kind, &old.text, line(&old.location)) == (&new.kind, &new.text, line(&new.location))
        };
        before.violations.iter().any(same)
    };
    if !after.violations.iter().all(is_known) {
        return false;
    }
    let traces = |report: &Report| match &report.methods.correct_transitions {
        Some(Outcome::Found(found)) => found.traces.clone(),
        _ => Vec::new(),
    };
    let of_query = |report: &Report| -> Vec<ErrorTrace> {
        let mut all = traces(report);
        all.retain(|other| {
            other.query.check == trace.query.check
                && line(&other.query.location) == line(&trace.query.location)
        });
        all
    };
    let (old, new) = (of_query(before), of_query(after));
    let takes_cause = |other: &ErrorTrace| {
        other.causes.iter().any(|new| {
            trace
                .causes
                .iter()
                .any(|old| old.event.action == new.event.action && line(&old.from) == line(&new.from))
        })
    };
    new.len() < old.len() && !new.iter().any(takes_cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(text: &str, at: &str, action: &str) -> Vec<String> {
        let start = text.find(at).expect("it is there");
        edits(text, start, action, "f();").into_iter().map(|edit| edit.text).collect()
    }

    #[test]
    fn statements_end_where_they_end() {
        let end = |text: &str| end_of_statement(text, 0, 0).map(|end| &text[..end]).map(str::to_owned);
        for (text, first) in [
            ("a = 1; b;", "a = 1;"),
            ("f(\";\", ';'); g();", "f(\";\", ';');"),
            ("{ a; { b; } } c;", "{ a; { b; } }"),
            ("if (a) b; else if (c) { d; } e;", "if (a) b; else if (c) { d; }"),
            ("if (a) /* else */ b; c;", "if (a) /* else */ b;"),
            ("for (;;) while (x) y; z;", "for (;;) while (x) y;"),
            ("do { a; } while (b); c;", "do { a; } while (b);"),
        ] {
            assert_eq!(end(text).as_deref(), Some(first));
        }
        for text in ["a", "(", "if", "if (", "if (a", "do", "\"", "'", "}", "{ (", "if (a) }"] {
            assert_eq!(end(text), None, "{text}");
        }
        let deep = "if (a) ".repeat(10_000) + "b;";
        assert_eq!(end(&deep), None);
    }

    #[test]
    fn a_statement_goes_into_the_branch_that_is_taken() {
        let text = "if (a)\n  b;\nelse\n  c;\nd;";
        assert_eq!(edited(text, "if", "if (a): true"), ["if (a)\n  { f(); b; }\nelse\n  c;\nd;"]);
        assert_eq!(edited(text, "if", "if (a): false"), ["if (a)\n  b;\nelse\n  { f(); c; }\nd;"]);
        assert_eq!(edited("if (a) { b; } d;", "if", "if (a): false"), ["if (a) { b; } else { f(); } d;"]);
        assert_eq!(edited("if (a) { b; } d;", "if", "if (a): true"), ["if (a) { f(); b; } d;"]);
        assert_eq!(
            edited(text, "d;", "d"),
            ["if (a)\n  b;\nelse\n  c;\n{ f(); d; }", "if (a)\n  b;\nelse\n  c;\n{ d; f(); }"]
        );
    }

    #[test]
    fn only_calls_and_assignments_are_inserted() {
        assert_eq!(statement_of("ReleaseLock()").as_deref(), Some("ReleaseLock();"));
        assert_eq!(statement_of("format = 1").as_deref(), Some("format = 1;"));
        for no in [
            "if (x): true",
            "return x",
            "assert(x)",
            "x = f() gave 3",
            "return from f",
            "a = b + ...",
            "x < 1: false",
        ] {
            assert_eq!(statement_of(no), None, "{no}");
        }
    }
}
