//! Calls.

use rucc_sema::{Conversion, DeclId, DeclKind, ExprId as Theirs, ExprKind as Kind, ExprList};
use source::Span;

use super::lower::{Lower, Lowered};
use crate::tree::{Callee, ExprId, ExprKind};

impl Lower<'_> {
    pub(super) fn call(
        &mut self,
        callee: Theirs,
        arguments: ExprList,
        ty: rucc_types::TypeId,
        span: Span,
    ) -> Lowered<ExprId> {
        let callee = match self.direct(callee) {
            Some(decl) => Callee::Direct(self.function(decl, self.tast.expr_span(callee))?),
            None => Callee::Pointer(self.expression(callee)?),
        };
        let arguments = self.expressions(arguments)?;
        let ty = self.typed(ty, span)?;
        Ok(self.program.add_expr(ExprKind::Call { callee, arguments }, ty, span))
    }

    /// All of a list; what is refused in one does not hide what is refused in the next.
    pub(super) fn expressions(&mut self, list: ExprList) -> Lowered<Box<[ExprId]>> {
        let tast = self.tast;
        let results: Vec<_> = tast[list].iter().map(|argument| self.expression(*argument)).collect();
        results.into_iter().collect()
    }

    /// The function a call names, if it names one.
    fn direct(&self, callee: Theirs) -> Option<DeclId> {
        let Kind::Convert { kind: Conversion::FunctionDecay, operand } = self.tast[callee].kind else {
            return None;
        };
        match self.tast[operand].kind {
            Kind::Decl(decl) if self.tast[decl].kind == DeclKind::Function => Some(decl),
            _ => None,
        }
    }
}
