//! Driving the library: tokens, tree, types, each step going on after errors.
//!
//! It may panic, and it descends as deep as the text is nested, so it runs on a thread of its own with a
//! large stack; texts nested deeper than that carries are refused before ([`nesting`](crate::nesting)).

use std::thread;

use preprocess::Preprocessed;
use rucc_base::Interner;
use rucc_diag as diag;
use rucc_lex::{Convert, Keywords};
use rucc_sema::{Checked, Checker};
use rucc_session::Std;
use rucc_target::{TargetInfo, Triple};
use source::{Severity, Span};

use super::doubts::doubts;
use super::lower::{Outcome, lower};
use super::quiet::quiet_panics;
use super::ranges::too_large;
use super::spans::span_of;
use crate::Options;
use crate::diagnostic::{Diagnostic, Note};
use crate::nesting;
use crate::tree::{DataModel, Program};

/// Enough for several times as many levels as [`nesting::LIMIT`] lets through; those of code that is not
/// optimised are larger. Only what is used of it takes memory.
const STACK: usize = if cfg!(debug_assertions) { 1 << 30 } else { 1 << 28 };

/// Errors after which a text is not examined further.
const ERROR_LIMIT: usize = 100;

/// Reads preprocessed text.
pub(crate) fn read(ready: Preprocessed, options: &Options) -> (Option<Program>, Vec<Diagnostic>) {
    let Preprocessed { mut text, map, .. } = ready;
    let refuse = |span, message: &str| {
        (None, vec![Diagnostic::about(&map, Severity::Error, span, message.to_owned())])
    };
    if let Some(span) = nesting::too_deep(&text) {
        return refuse(span, "this is nested too deeply");
    }
    // The library wants its text to end in a line.
    text.push('\n');
    let start = Span::at(text.find(|character: char| !character.is_whitespace()).unwrap_or(0));
    let outcome = on_large_stack(|| check(&text, &map, options));
    let Outcome { program, diagnostics } = match outcome {
        Ok(outcome) => outcome,
        Err(Trouble::Overflow) => {
            return refuse(
                largest_number(&text).unwrap_or(start),
                "something is larger here than any memory",
            );
        }
        Err(Trouble::Panic) => return refuse(start, "the parser of C cannot cope with this text"),
        Err(Trouble::NoMemory) => return refuse(start, "there is not enough memory to read C"),
    };
    let program = program.map(|program| Program { source: text, map, ..program });
    (program, diagnostics)
}

/// Why nothing came of the work.
enum Trouble {
    /// A size or an offset is beyond 64 bits: the library's arithmetic is checked in every build.
    Overflow,
    Panic,
    NoMemory,
}

/// Does the work on a thread with a large stack, where it may panic.
fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Trouble> {
    thread::scope(|scope| {
        let work = || {
            quiet_panics();
            work()
        };
        let builder = thread::Builder::new().name("cfront".to_owned()).stack_size(STACK);
        let thread = builder.spawn_scoped(scope, work).map_err(|_| Trouble::NoMemory)?;
        thread.join().map_err(|panic| match panic.downcast_ref::<&str>() {
            Some(message) if message.ends_with("with overflow") => Trouble::Overflow,
            _ => Trouble::Panic,
        })
    })
}

/// Where the number with the most digits is.
fn largest_number(text: &str) -> Option<Span> {
    let word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    text.split(|character| !word(character))
        .filter(|word| word.starts_with(|first: char| first.is_ascii_digit()))
        .max_by_key(|number| number.len())
        .map(|number| {
            let start = number.as_ptr() as usize - text.as_ptr() as usize;
            Span::new(start, start + number.len())
        })
}

fn check(text: &str, map: &preprocess::SourceMap, options: &Options) -> Outcome {
    let std = Std::C17;
    let mut names = Interner::new();
    let keywords = Keywords::new(&mut names, std, true);
    let target = TargetInfo::new(machine(options.data_model));
    let lexing = rucc_lex::Options::for_dialect(std, true, false);
    let (raw, mut found) = rucc_lex::tokenize(text.as_bytes(), 0, lexing, &mut names);
    let conversion =
        Convert { keywords: &keywords, interner: &names, target: &target, std, gnu: true, pedantic: false };
    let (tokens, more) = rucc_lex::convert(&raw, &conversion);
    found.extend(more);
    let context = rucc_parse::Context { error_limit: ERROR_LIMIT, ..rucc_parse::Context::new(&names, std) };
    let parsed = rucc_parse::parse(&tokens, context);
    found.extend(parsed.diagnostics);
    if let Err((span, message)) = too_large(&tokens) {
        found.push(diag::Diagnostic::error(message, span));
    }
    for (span, construct) in doubts(&tokens, &names) {
        found.push(diag::Diagnostic::error(format!("{construct} is not supported"), span));
    }
    if found.iter().any(|found| found.severity.is_fatal()) {
        return Outcome { program: None, diagnostics: told(found, text, map) };
    }
    let context = rucc_sema::Context {
        // Programs older than C99 call what they do not declare, and all compilers let them.
        permissive: true,
        // A program may define a function named like one of the library's.
        builtins: false,
        // `extern inline` in preprocessed headers is a definition that another may follow.
        gnu89_inline: true,
        error_limit: ERROR_LIMIT,
        ..rucc_sema::Context::new(&names, &target, std)
    };
    let mut checker = Checker::new(&parsed.ast, context);
    checker.check_unit();
    let mut checked = checker.finish();
    found.append(&mut checked.diagnostics);
    let failed = found.iter().any(|found| found.severity.is_fatal());
    let mut diagnostics = told(found, text, map);
    if failed {
        return Outcome { program: None, diagnostics };
    }
    let Checked { tast, types, .. } = checked;
    let lowered = lower(&tast, &types, &names, &target, text, map, options);
    diagnostics.extend(lowered.diagnostics);
    Outcome { program: lowered.program, diagnostics }
}

fn machine(model: DataModel) -> Triple {
    use rucc_target::{Arch, Env, Os};
    let arch = match model {
        DataModel::Lp64 => Arch::X86_64,
        DataModel::Ilp32 => Arch::X86,
    };
    Triple::new(arch, Os::Linux, Env::Gnu)
}

/// The library's messages as ours, in the order of the text and each once. Of its warnings, those that gcc
/// gives without being asked; a pointer cut off by a cast is no surprise in the code that does it.
fn told(mut found: Vec<diag::Diagnostic>, text: &str, map: &preprocess::SourceMap) -> Vec<Diagnostic> {
    let mut wanted = diag::Named::default();
    for unwanted in ["no-pointer-to-int-cast", "no-int-to-pointer-cast"] {
        wanted.flag(unwanted);
    }
    found.retain(|found| !wanted.silenced(found));
    // Where something is warned of and refused in the same words, the refusal stays.
    found.sort_by_key(|found| (found.span.lo, std::cmp::Reverse(found.severity)));
    found.dedup_by(|one, other| (one.span, &one.message) == (other.span, &other.message));
    let told = found.into_iter().filter_map(|found| {
        let severity = match found.severity {
            diag::Severity::Error | diag::Severity::Ice => Severity::Error,
            diag::Severity::Warning => Severity::Warning,
            diag::Severity::Note | diag::Severity::Help => return None,
        };
        let span = span_of(found.span, text);
        let mut told = Diagnostic::about(map, severity, span, backticks(&found.message));
        for child in found.children {
            let place = map.place(span_of(child.span, text));
            let location = map.location(place.file, place.span.start);
            told.notes.push(Note { message: backticks(&child.message), location });
        }
        Some(told)
    });
    told.collect()
}

/// Names in a message quoted as they are everywhere else.
fn backticks(message: &str) -> String {
    let mut text = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(start) = rest.find('\'') {
        let before = &rest[..start];
        let after = &rest[start + 1..];
        let opens = before.chars().next_back().is_none_or(|last| !last.is_alphanumeric());
        match after.find('\'') {
            Some(end) if opens => {
                text.push_str(before);
                text.push('`');
                text.push_str(&after[..end]);
                text.push('`');
                rest = &after[end + 1..];
            }
            _ => {
                text.push_str(&rest[..=start]);
                rest = after;
            }
        }
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::{Trouble, backticks, on_large_stack};

    #[test]
    fn panics_are_contained() {
        let panicked = on_large_stack(|| -> u32 { panic!("on purpose") });
        assert!(matches!(panicked, Err(Trouble::Panic)));
        let overflowed = on_large_stack(|| u64::MAX + std::hint::black_box(1));
        assert!(matches!(overflowed, Err(Trouble::Overflow)) || !cfg!(debug_assertions));
        assert!(matches!(on_large_stack(|| 7), Ok(7)));
    }

    #[test]
    fn names_are_quoted_with_backticks() {
        assert_eq!(backticks("type of 'b' defaults to 'int'"), "type of `b` defaults to `int`");
        assert_eq!(backticks("doesn't have 'x'"), "doesn't have `x`");
        assert_eq!(backticks("one ' alone"), "one ' alone");
    }
}
