//! Variables and parts of them.

use source::Span;

use super::{Expr, ExprKind, FieldStep, Place, Resolver, Type};
use crate::syntax::{self, Part, VarRef};

impl<'m> Resolver<'m> {
    /// A variable or a part of it that is a scalar.
    pub(super) fn scalar(&mut self, name: &'m VarRef) -> Option<Place> {
        let place = self.place(name)?;
        if let Type::Record(record) = place.ty {
            let record = self.program.record(record);
            let message = format!("this is a whole record of type `{}`", record.name);
            let fields: Vec<_> = record.fields.iter().map(|field| format!("`.{}`", field.name)).collect();
            self.error_help(name.span, message, format!("name one of its fields: {}", fields.join(", ")));
            return None;
        }
        Some(place)
    }

    /// A channel.
    pub(super) fn channel_place(&mut self, name: &'m VarRef) -> Option<Place> {
        let place = self.place(name)?;
        if place.ty != Type::Chan {
            let shown = &name.parts[name.parts.len() - 1].name;
            self.error_help(shown.span, format!("`{}` is not a channel", shown.name), "declare it as `chan`");
            return None;
        }
        Some(place)
    }

    /// A variable or a part of it, perhaps a record.
    pub(super) fn place(&mut self, name: &'m VarRef) -> Option<Place> {
        let [first, fields @ ..] = name.parts.as_slice() else { return None };
        let Some(variable) = self.find_variable(&first.name.name) else {
            self.undeclared(&first.name);
            return None;
        };
        let declared = self.program.variable(variable);
        let (mut ty, length) = (declared.ty, declared.length);
        let index = self.index(first, length)?;
        let mut steps = Vec::with_capacity(fields.len());
        for part in fields {
            let (field, field_ty, length) = self.field(ty, part)?;
            let index = self.index(part, length)?;
            steps.push(FieldStep { field, index });
            ty = field_ty;
        }
        Some(Place { variable, index, fields: steps, ty, span: name.span })
    }

    fn field(&mut self, ty: Type, part: &Part) -> Option<(u32, Type, Option<u32>)> {
        let Type::Record(record) = ty else {
            self.error(
                part.name.span,
                format!("there is no field `{}`: this is not a record", part.name.name),
            );
            return None;
        };
        if self.find_constant(&part.name.name).is_some() {
            let message =
                format!("`{}` is an mtype constant and cannot be the name of a field", part.name.name);
            self.error_help(part.name.span, message, "rename the field or the constant");
            return None;
        }
        let record = self.program.record(record);
        let found = record.fields.iter().position(|field| field.name == part.name.name);
        match found {
            Some(at) => {
                let field = &record.fields[at];
                Some((at as u32, field.ty, field.length))
            }
            None => {
                let message = format!("the type `{}` has no field `{}`", record.name, part.name.name);
                let names: Vec<_> = record.fields.iter().map(|field| format!("`{}`", field.name)).collect();
                self.error_help(part.name.span, message, format!("it has {}", names.join(", ")));
                None
            }
        }
    }

    /// The index of a part, against the declaration; the outer `None` after an error.
    pub(super) fn index(&mut self, part: &'m Part, length: Option<u32>) -> Option<Option<Box<Expr>>> {
        match (&part.index, length) {
            (None, None) => Some(None),
            (None, Some(_)) => {
                let message = format!("`{}` is an array; its first element is taken", part.name.name);
                self.warning_help(part.name.span, message, "give an index");
                Some(Some(Box::new(Self::zero(part.name.span))))
            }
            (Some(index), Some(length)) => {
                let resolved = self.inner_expr(index);
                self.check_range(&resolved, length, index.span);
                Some(Some(Box::new(resolved)))
            }
            // SPIN lets `x[0]` pass for `x`.
            (Some(index), None) if matches!(index.kind, syntax::ExprKind::Number(0)) => Some(None),
            (Some(index), None) => {
                self.error(
                    index.span,
                    format!("`{}` is not an array and cannot have an index", part.name.name),
                );
                None
            }
        }
    }

    fn check_range(&mut self, index: &Expr, length: u32, span: Span) {
        if let ExprKind::Number(value) = index.kind
            && !(0..i64::from(length)).contains(&i64::from(value))
        {
            self.warning(span, format!("the index {value} is outside of this array of length {length}"));
        }
    }

    /// An array, for `for (x in array)`: how many elements it has.
    pub(super) fn array_length_of(&mut self, name: &'m VarRef) -> Option<u32> {
        let [first, fields @ ..] = name.parts.as_slice() else { return None };
        let Some(variable) = self.find_variable(&first.name.name) else {
            self.undeclared(&first.name);
            return None;
        };
        let declared = self.program.variable(variable);
        let (mut ty, mut length) = (declared.ty, declared.length);
        for part in fields {
            (_, ty, length) = self.field(ty, part)?;
        }
        if length.is_none() {
            let message = "a loop can only run over an array, or over a channel into a record";
            self.error(name.span, message);
        }
        length
    }
}
