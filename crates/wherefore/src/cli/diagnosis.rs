//! The text of a C program, for the method "diagnosis".

use cfront::Model;
use model::{Place, Program};
use report::Report;
use wherefore::diagnosis::{self, DiagnosisRequest, Text};

use super::host::Terminal;

struct OfModel<'m>(&'m Model);

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
}

/// Puts the diagnosis of a report's counterexample into it.
pub(crate) fn diagnose(
    report: &mut Report,
    model: &Model,
    request: Option<&DiagnosisRequest>,
    host: &Terminal,
) {
    diagnosis::diagnose(report, &OfModel(model), request, host);
    host.clear();
}
