//! The text of a program, for the method "diagnosis".

use cfront::{Model, Rehearsal};
use diagnosis::Text;
use model::{Place, Program, Runner};

pub(super) struct OfModel<'m>(pub(super) &'m Model);

impl Text for OfModel<'_> {
    fn program(&self) -> &Program {
        self.0.program()
    }

    fn location(&self, statement: u32) -> Option<source::Location> {
        self.0.location(self.0.program().statements.get(statement as usize)?.span)
    }

    fn in_scope(&self, statement: u32) -> Vec<(String, Place)> {
        self.0.variables_at(statement)
    }

    fn runner(&self, program: Program) -> Option<Box<dyn Runner>> {
        Some(Box::new(Rehearsal::new(program)?))
    }
}
