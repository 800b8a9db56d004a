//! Records as lists of what they consist of, which is how they travel in messages and parameters.

use super::{Expr, ExprKind, Field, FieldStep, Place, ProcessId, Program, Type};

/// No message or parameter list is longer.
const LEAF_LIMIT: usize = 1024;

/// Why a record cannot be written as a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeafProblem {
    ArrayOfRecords,
    TooMany,
}

impl LeafProblem {
    pub(super) fn message(self) -> String {
        match self {
            LeafProblem::ArrayOfRecords => "a type with an array of records cannot be passed".to_owned(),
            LeafProblem::TooMany => format!("this has more than {LEAF_LIMIT} parts"),
        }
    }
}

impl Program {
    /// What the arguments of `run` are stored into: the parameters of a process, records replaced by
    /// their fields.
    pub fn parameter_places(&self, id: ProcessId) -> Vec<Place> {
        let mut places = Vec::new();
        for &variable in &self.process(id).parameters {
            let declared = self.variable(variable);
            let place =
                Place { variable, index: None, fields: Vec::new(), ty: declared.ty, span: declared.span };
            // What could not be taken apart has been reported at its declaration.
            places.extend(self.leaves(place).unwrap_or_default());
        }
        places
    }

    /// The parts of what a place denotes; the place itself unless it is a record.
    pub(super) fn leaves(&self, place: Place) -> Result<Vec<Place>, LeafProblem> {
        let mut leaves = Vec::new();
        self.add_leaves(place, &mut leaves)?;
        Ok(leaves)
    }

    fn add_leaves(&self, place: Place, leaves: &mut Vec<Place>) -> Result<(), LeafProblem> {
        let Type::Record(record) = place.ty else {
            leaves.push(place);
            return if leaves.len() > LEAF_LIMIT { Err(LeafProblem::TooMany) } else { Ok(()) };
        };
        for (at, field) in self.record(record).fields.iter().enumerate() {
            let step = |index: Option<u32>| {
                let mut inner = place.clone();
                let index = index
                    .map(|value| Box::new(Expr { kind: ExprKind::Number(value as i32), span: place.span }));
                inner.fields.push(FieldStep { field: at as u32, index });
                inner.ty = field.ty;
                inner
            };
            match field.length {
                None => self.add_leaves(step(None), leaves)?,
                Some(_) if matches!(field.ty, Type::Record(_)) => return Err(LeafProblem::ArrayOfRecords),
                Some(length) => {
                    for index in 0..length {
                        self.add_leaves(step(Some(index)), leaves)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The types of the parts of a type.
    pub(super) fn leaf_types(&self, ty: Type) -> Result<Vec<Type>, LeafProblem> {
        let mut types = Vec::new();
        self.add_leaf_types(ty, &mut types)?;
        Ok(types)
    }

    fn add_leaf_types(&self, ty: Type, types: &mut Vec<Type>) -> Result<(), LeafProblem> {
        let Type::Record(record) = ty else {
            types.push(ty);
            return if types.len() > LEAF_LIMIT { Err(LeafProblem::TooMany) } else { Ok(()) };
        };
        for field in &self.record(record).fields {
            if field.length.is_some() && matches!(field.ty, Type::Record(_)) {
                return Err(LeafProblem::ArrayOfRecords);
            }
            for _ in 0..field.length.unwrap_or(1) {
                self.add_leaf_types(field.ty, types)?;
            }
        }
        Ok(())
    }

    /// Has an array somewhere in it.
    pub(super) fn contains_array(&self, ty: Type) -> bool {
        let Type::Record(record) = ty else { return false };
        self.record(record).fields.iter().any(|field| field.length.is_some() || self.contains_array(field.ty))
    }

    /// How many scalars a type consists of.
    pub(super) fn scalars(&self, ty: Type) -> u64 {
        let Type::Record(record) = ty else { return 1 };
        self.record(record).scalars
    }

    pub(super) fn field_scalars(&self, field: &Field) -> u64 {
        self.scalars(field.ty).saturating_mul(u64::from(field.length.unwrap_or(1)))
    }

    /// How many levels of records a record with these fields has.
    pub(super) fn depth_of(&self, fields: &[Field]) -> u32 {
        let inner = fields.iter().filter_map(|field| match field.ty {
            Type::Record(id) => Some(self.record(id).depth),
            _ => None,
        });
        inner.max().unwrap_or(0) + 1
    }
}
