//! What a diagnosis has to know of a program.

use model::{Place, Program, Runner};

/// A program with its text.
pub trait Text {
    fn program(&self) -> &Program;
    /// Where a statement stands.
    fn location(&self, statement: u32) -> Option<source::Location>;
    /// The integer variables that a statement can name.
    fn in_scope(&self, statement: u32) -> Vec<(String, Place)>;
    /// Whoever runs this program, whose statements are those of the text; nothing if nobody can.
    fn runner(&self, program: Program) -> Option<Box<dyn Runner>>;
}
