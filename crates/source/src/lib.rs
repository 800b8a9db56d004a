//! Positions in text.
//!
//! Everything that reads text speaks of it in [`Span`]s (byte ranges) and turns them into lines and
//! columns only when a person is to see them. A [`Diagnostic`] is a message with a span, a [`Message`] has its
//! text as well; how it is drawn is the business of whoever shows it.

mod diagnostic;
mod diff;
mod location;
mod markers;
mod message;
mod position;
mod span;
mod visible;

pub use diagnostic::{Diagnostic, Severity};
pub use diff::{Diff, DiffLine, Hunk, LineChange};
pub use location::Location;
pub use markers::Markers;
pub use message::Message;
pub use position::{LineIndex, Position};
pub use span::Span;
pub use visible::{visible, visible_drawing, visible_lines};
