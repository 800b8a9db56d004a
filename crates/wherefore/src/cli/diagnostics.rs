//! Messages that point into a text, drawn as rustc draws them.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use preprocess::SourceMap;
use promela::Message;
use source::{Diagnostic, Severity};

/// Draws `diagnostics` on `text`, which the user knows as `name`.
pub(crate) fn draw(diagnostics: &[Diagnostic], name: &str, text: &str, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut out = String::new();
    for diagnostic in diagnostics {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let span = diagnostic.span.start.min(text.len())..diagnostic.span.end.min(text.len());
        let mut annotation = AnnotationKind::Primary.span(span);
        if let Some(label) = &diagnostic.label {
            annotation = annotation.label(label.as_str());
        }
        let snippet = Snippet::source(text).path(name).annotation(annotation);
        let mut groups: Vec<Group<'_>> =
            vec![level.primary_title(diagnostic.message.as_str()).element(snippet)];
        if let Some(help) = &diagnostic.help {
            groups.push(Group::with_title(Level::HELP.secondary_title(help.as_str())));
        }
        out.push_str(&renderer.render(&groups));
        out.push('\n');
    }
    out
}

/// Draws messages about the files of a map, each with the macros and included files it came through.
pub(crate) fn draw_messages(messages: &[Message], map: &SourceMap, colour: bool) -> String {
    let mut out = String::new();
    for message in messages {
        let name = map.path(message.file).display().to_string();
        let drawn = draw(std::slice::from_ref(&message.diagnostic), &name, map.text(message.file), colour);
        out.push_str(&drawn);
        for note in message.preprocessed.map(|offset| map.notes(offset)).unwrap_or_default() {
            let at = map.location(note.place.file, note.place.span.start);
            out.push_str(&format!("  note: {at}: {}\n", note.message));
        }
    }
    out
}

/// Draws messages that know the file they are about, each with the macros and files it came through.
pub(crate) fn draw_in_files(messages: &[cfront::Diagnostic], colour: bool) -> String {
    let mut out = String::new();
    for message in messages {
        let diagnostic = Diagnostic {
            severity: message.severity,
            message: message.message.clone(),
            span: message.span,
            label: message.label.clone(),
            help: message.help.clone(),
        };
        out.push_str(&draw(&[diagnostic], &message.path.display().to_string(), &message.text, colour));
        for note in &message.notes {
            out.push_str(&format!("  note: {}: {}\n", note.location, note.message));
        }
    }
    out
}

/// An error that ends the program: one line, or what was drawn already.
pub(crate) fn error(error: &anyhow::Error) -> String {
    match error.downcast_ref::<Drawn>() {
        Some(Drawn(drawn)) => drawn.trim_end().to_owned(),
        None => format!("error: {error:#}"),
    }
}

/// Messages that are drawn already.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Drawn(pub(crate) String);
