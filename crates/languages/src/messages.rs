//! What is wrong with a text that cannot be read.

use source::{Diagnostic, Message};
use thiserror::Error;

/// A text with errors; all that is wrong with it is there, warnings included.
#[derive(Debug, Error)]
#[error("{}", self.listed())]
pub struct Unreadable {
    pub messages: Vec<Message>,
    /// A last line that sums them up, where there is one.
    pub summary: Option<String>,
}

impl Unreadable {
    /// A file that is no model or program.
    pub(crate) fn file(name: &str, messages: Vec<Message>) -> Self {
        let errors = messages.iter().filter(|message| message.is_error()).count();
        let count = if errors == 1 { "1 error".to_owned() } else { format!("{errors} errors") };
        Self { messages, summary: Some(format!("{name}: {count}")) }
    }

    /// A property that is none.
    pub(crate) fn property(name: &str, text: &str, diagnostics: Vec<Diagnostic>) -> Self {
        let messages = diagnostics.into_iter().map(|one| Message::new(one, name, text)).collect();
        Self { messages, summary: None }
    }

    /// The messages with their lines and columns, one a line.
    fn listed(&self) -> String {
        let told = self.messages.iter().map(|message| {
            let at =
                source::LineIndex::new(&message.text).position(&message.text, message.diagnostic.span.start);
            let help = message.diagnostic.help.as_ref().map_or_else(String::new, |help| format!(" ({help})"));
            format!("{}:{}:{}: {}{help}", message.file, at.line, at.column, message.diagnostic.message)
        });
        told.collect::<Vec<_>>().join("\n")
    }
}
