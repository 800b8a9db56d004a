//! Variables that are declared here and defined in a file that was not given: what they hold when the program starts
//! is an input.

use model::{Command, Place, Scalar, StatementKind};

use super::body::Body;
use super::homes::Home;
use super::types::ScalarKind;
use super::{Lowering, Refusal};
use crate::tree::{Object, ObjectId, Storage, Type};

impl Lowering<'_> {
    /// The integer that an external variable is, if it is one.
    pub(super) fn external(&self, object: &Object) -> Option<Scalar> {
        match self.kind(object.ty, object.span).ok()? {
            ScalarKind::Int(scalar) if object.storage == Storage::Extern => Some(scalar),
            _ => None,
        }
    }

    pub(super) fn refuse_external(&mut self, id: ObjectId) {
        let object = &self.tree[id];
        let name = object.name.as_deref().unwrap_or_default();
        let message = format!(
            "the variable `{name}` is defined in another file; --with names it, and only integers are taken as inputs"
        );
        self.refusals.push(Refusal { span: object.span, message });
    }
}

impl Body<'_, '_> {
    /// Gives all external variables a value.
    pub(super) fn external_variables(&mut self) {
        let tree = self.lowering.tree;
        for id in tree.object_ids() {
            let object = &tree[id];
            if self.lowering.is_known_external(id) {
                continue;
            }
            let (Some(scalar), Home::Global { offset, .. }, Some(name)) =
                (self.lowering.external(object), self.lowering.homes[id.index()], &object.name)
            else {
                continue;
            };
            self.boundary();
            self.statement = self.lowering.statement(object.span, StatementKind::Other, self.id);
            self.lowering.statements[self.statement as usize].text = format!("start with some {name}");
            let is_bool = tree.types.get(object.ty) == Type::Bool;
            let range = if is_bool { Some((0, 1)) } else { self.all_values(scalar) };
            let range = range.map(|(low, high)| (model::Expr::Constant(low), model::Expr::Constant(high)));
            self.emit(Command::Nondet { place: Place::global(offset, scalar), range });
            // A test cannot give it this value.
            self.lowering.sources.insert(name.clone());
        }
    }
}
