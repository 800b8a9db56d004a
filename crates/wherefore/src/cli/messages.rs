//! Messages on standard error.

use std::io::Write as _;

use source::visible_lines;

/// A line on standard error, or several.
pub(crate) fn message(text: &str) {
    drawn(&visible_lines(text));
}

/// The same, for what is coloured.
pub(crate) fn drawn(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
