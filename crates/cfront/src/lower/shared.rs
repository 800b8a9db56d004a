//! Whether evaluating an expression reads what other threads may see.

use super::Home;
use super::body::Body;
use super::homes::root;
use crate::tree::{ExprId, ExprKind, PlaceId, PlaceKind};

impl Body<'_, '_> {
    pub(super) fn reads_shared(&self, expr: ExprId) -> bool {
        let tree = self.lowering.tree;
        match &tree[expr].kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) | ExprKind::Address { .. } => false,
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => self.finding_reads_shared(*place),
            ExprKind::Load { place, .. } => self.is_shared(*place) || self.finding_reads_shared(*place),
            ExprKind::Unary { operand, .. } | ExprKind::Convert { operand, .. } => {
                self.reads_shared(*operand)
            }
            ExprKind::Binary { left, right, .. }
            | ExprKind::Compare { left, right, .. }
            | ExprKind::Logical { left, right, .. }
            | ExprKind::PointerDifference { left, right } => {
                self.reads_shared(*left) || self.reads_shared(*right)
            }
            ExprKind::PointerAdd { pointer, index, .. } => {
                self.reads_shared(*pointer) || self.reads_shared(*index)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                [condition, then, otherwise].iter().any(|part| self.reads_shared(**part))
            }
            ExprKind::OrElse { value, otherwise } => {
                self.reads_shared(*value) || self.reads_shared(*otherwise)
            }
            ExprKind::Comma { first, second } => self.reads_shared(*first) || self.reads_shared(*second),
            ExprKind::Builtin { arguments, .. } => arguments.iter().any(|part| self.reads_shared(*part)),
            ExprKind::Assign { .. }
            | ExprKind::Compound { .. }
            | ExprKind::Increment { .. }
            | ExprKind::Call { .. }
            | ExprKind::Statement { .. } => true,
        }
    }

    fn is_shared(&self, place: PlaceId) -> bool {
        match root(self.lowering.tree, place).map(|root| self.lowering.homes[root.index()]) {
            Some(Home::Local { number, .. }) => number.is_some(),
            Some(Home::Constant { .. }) => false,
            Some(Home::Global { .. } | Home::Nowhere) | None => true,
        }
    }

    /// Whether finding out which place it is reads what others see.
    fn finding_reads_shared(&self, place: PlaceId) -> bool {
        match self.lowering.tree[place].kind {
            PlaceKind::Variable(_) | PlaceKind::String(_) => false,
            PlaceKind::Deref(pointer) | PlaceKind::Temporary(pointer) => self.reads_shared(pointer),
            PlaceKind::Index { array, index } => self.finding_reads_shared(array) || self.reads_shared(index),
            PlaceKind::Element { pointer, index } => self.reads_shared(pointer) || self.reads_shared(index),
            PlaceKind::Member { record, .. } => self.finding_reads_shared(record),
            PlaceKind::CompoundLiteral(_) => true,
        }
    }
}
