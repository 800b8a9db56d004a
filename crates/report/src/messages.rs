//! Messages that point into a text, drawn as rustc draws them.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use source::{Message, Severity, visible, visible_drawing};

/// Draws messages, each with the macros and included files it came through.
pub fn draw(messages: &[Message], colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut out = String::new();
    for message in messages {
        draw_one(message, &renderer, &mut out);
    }
    out
}

fn draw_one(message: &Message, renderer: &Renderer, out: &mut String) {
    let Message { diagnostic, file, text, notes } = message;
    let (file, title) = (visible(file), visible(&diagnostic.message));
    let (label, help) = (diagnostic.label.as_deref().map(visible), diagnostic.help.as_deref().map(visible));
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let span = diagnostic.span.start.min(text.len())..diagnostic.span.end.min(text.len());
    let mut annotation = AnnotationKind::Primary.span(span);
    if let Some(label) = &label {
        annotation = annotation.label(label.as_str());
    }
    let snippet = Snippet::source(&**text).path(file.as_str()).annotation(annotation);
    let mut groups: Vec<Group<'_>> = vec![level.primary_title(title.as_str()).element(snippet)];
    if let Some(help) = &help {
        groups.push(Group::with_title(Level::HELP.secondary_title(help.as_str())));
    }
    // The renderer takes escape characters out of the source, and not all else that acts.
    out.push_str(&visible_drawing(&renderer.render(&groups)));
    out.push('\n');
    for note in notes {
        out.push_str(&format!("  note: {}\n", visible(note)));
    }
}
