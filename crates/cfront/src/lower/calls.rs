//! Calls of functions of the program. Those of the library are in [`library`](super::library).

use model::{Argument, Command, Expr, Place, Region, Scalar, StatementKind};

use super::Lowered;
use super::body::Body;
use crate::tree::{Callee, ExprId};

/// What the message about a function begins with that is not known.
pub(super) const UNKNOWN: &str = "the function";

impl Body<'_, '_> {
    /// A call; its value, if it has one and it is wanted.
    pub(super) fn call(
        &mut self,
        id: ExprId,
        callee: Callee,
        arguments: &[ExprId],
        wanted: bool,
    ) -> Lowered<Option<Expr>> {
        let tree = self.lowering.tree;
        if let Callee::Direct(function) = callee
            && let Some(known) = self.library_call(id, function, arguments, wanted)?
        {
            return Ok(known);
        }
        let result = tree[id].ty;
        if tree.types.is_record(result) {
            let size = self.lowering.size(result, tree[id].span)?;
            let offset = self.temporary_block(size);
            let to = Region::Place(Place::local(offset, Scalar::U8));
            self.call_for_record(id, callee, arguments, to, size)?;
            return Ok(None);
        }
        let place = (wanted && !tree.types.is_void(result)).then(|| self.temporary());
        self.plain_call(id, callee, arguments, place.clone())?;
        Ok(place.map(Expr::Load))
    }

    /// A call whose result is a record.
    pub(super) fn call_for_record(
        &mut self,
        id: ExprId,
        callee: Callee,
        arguments: &[ExprId],
        to: Region,
        size: u32,
    ) -> Lowered<()> {
        let offset = self.temporary_block(size);
        let place = Place::local(offset, Scalar::U8);
        self.plain_call(id, callee, arguments, Some(place.clone()))?;
        let from = Region::Place(place);
        if to != from {
            self.emit(Command::Copy { to, from, size });
        }
        Ok(())
    }

    fn plain_call(
        &mut self,
        id: ExprId,
        callee: Callee,
        arguments: &[ExprId],
        result: Option<Place>,
    ) -> Lowered<()> {
        let tree = self.lowering.tree;
        let pointer = match callee {
            Callee::Direct(function) => {
                self.refuse_entry(id, function)?;
                None
            }
            Callee::Pointer(pointer) => Some(self.value(pointer)?),
        };
        let mut handed = Vec::with_capacity(arguments.len());
        for argument in arguments {
            handed.push(self.argument(*argument)?);
        }
        let atomic = matches!(callee, Callee::Direct(function) if self.is_atomic(function));
        if atomic {
            self.mark_atomic(true);
        }
        self.call_step(id, |body| {
            let command = match (callee, pointer) {
                (Callee::Direct(function), _) => match body.lowering.functions[function.index()] {
                    Some(function) => Command::Call { function, arguments: handed, result },
                    None => {
                        let name = &tree[function].name;
                        let message = format!(
                            "{UNKNOWN} `{name}` is neither defined here nor known; define it, or take what it gives \
                             from an input like `__VERIFIER_nondet_int()`"
                        );
                        return body.lowering.refuse(tree[id].span, message);
                    }
                },
                (Callee::Pointer(_), pointer) => Command::CallPointer {
                    pointer: pointer.unwrap_or(Expr::Constant(0)),
                    arguments: handed,
                    result,
                },
            };
            body.emit(command);
            Ok(())
        })?;
        if atomic {
            self.mark_atomic(false);
        }
        Ok(())
    }

    /// The edge of a call is a step of its own, unless the call is all of the statement.
    pub(super) fn call_step(
        &mut self,
        id: ExprId,
        act: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let outer = self.statement;
        let span = self.lowering.tree[id].span;
        let is_call = self
            .lowering
            .statements
            .get(outer as usize)
            .is_some_and(|statement| statement.kind == StatementKind::Call && statement.span == span);
        if !is_call {
            self.statement = self.lowering.statement(span, StatementKind::Call, self.id);
        }
        act(self)?;
        let next = self.location();
        self.flush(next, None);
        self.statement = outer;
        Ok(())
    }

    /// The values of all arguments.
    pub(super) fn values(&mut self, arguments: &[ExprId]) -> Lowered<Vec<Expr>> {
        arguments.iter().map(|argument| self.value(*argument)).collect()
    }

    /// Evaluates all arguments for what they do.
    pub(super) fn effects(&mut self, arguments: &[ExprId]) -> Lowered<()> {
        for argument in arguments {
            match self.argument(*argument)? {
                Argument::Value(value) => drop(self.keep(value)),
                Argument::Block(..) => {}
            }
        }
        Ok(())
    }
}
