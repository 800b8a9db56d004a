//! Errors that end the program.

use languages::Unreadable;
use source::visible_lines;

/// An error in one line, or all that is wrong with a text.
pub(crate) fn error(error: &anyhow::Error, colour: bool) -> String {
    let Some(Unreadable { messages, summary }) = error.downcast_ref() else {
        return visible_lines(&format!("error: {error:#}"));
    };
    let mut drawn = report::messages::draw(messages, colour);
    if let Some(summary) = summary {
        drawn.push_str(&format!("error: {}", visible_lines(summary)));
    }
    drawn.trim_end().to_owned()
}
