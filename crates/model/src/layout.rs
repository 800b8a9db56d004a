//! What lies where in a frame.

use std::sync::Arc;

use crate::Scalar;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Scalar(Scalar),
    Array(Box<Type>, u32),
    Record(Arc<Record>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub name: String,
    pub fields: Vec<Field>,
    pub size: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    pub kind: Type,
    /// From the start of the record or frame.
    pub offset: u32,
}

impl Record {
    /// Lays the fields out one after the other, without gaps.
    pub fn new(name: impl Into<String>, fields: impl IntoIterator<Item = (String, Type)>) -> Self {
        let mut layout = Layout::default();
        for (name, kind) in fields {
            layout.add(name, kind);
        }
        Self { name: name.into(), fields: layout.fields, size: layout.size }
    }
}

impl Type {
    pub fn size(&self) -> u32 {
        match self {
            Self::Scalar(scalar) => scalar.bytes(),
            Self::Array(element, length) => element.size().saturating_mul(*length),
            Self::Record(record) => record.size,
        }
    }
}

/// A frame: named fields, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    pub fields: Vec<Field>,
    pub size: u32,
}

/// One scalar of a frame, with the name a person knows it by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// `count`, `fork[2]`, `node[1].state`.
    pub name: String,
    pub offset: u32,
    pub scalar: Scalar,
}

impl Layout {
    /// Adds a field at the end and returns its offset.
    pub fn add(&mut self, name: impl Into<String>, kind: Type) -> u32 {
        let offset = self.size;
        self.size = self.size.saturating_add(kind.size());
        self.fields.push(Field { name: name.into(), kind, offset });
        offset
    }

    /// Every scalar in the frame, in order.
    pub fn variables(&self) -> Vec<Variable> {
        let mut variables = Vec::new();
        for field in &self.fields {
            spell_out(&field.name, &field.kind, field.offset, &mut variables);
        }
        variables
    }
}

fn spell_out(name: &str, kind: &Type, offset: u32, variables: &mut Vec<Variable>) {
    match kind {
        Type::Scalar(scalar) => {
            variables.push(Variable { name: name.to_owned(), offset, scalar: *scalar });
        }
        Type::Array(element, length) => {
            for index in 0..*length {
                spell_out(&format!("{name}[{index}]"), element, offset + index * element.size(), variables);
            }
        }
        Type::Record(record) => {
            for field in &record.fields {
                let name = format!("{name}.{}", field.name);
                spell_out(&name, &field.kind, offset + field.offset, variables);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_records_and_arrays_are_spelt_out() {
        let pair = Arc::new(Record::new(
            "pair",
            [("a".to_owned(), Type::Scalar(Scalar::U8)), ("b".to_owned(), Type::Scalar(Scalar::I32))],
        ));
        let mut frame = Layout::default();
        frame.add("x", Type::Scalar(Scalar::I16));
        assert_eq!(frame.add("p", Type::Array(Box::new(Type::Record(pair)), 2)), 2);
        let names: Vec<(String, u32)> =
            frame.variables().into_iter().map(|variable| (variable.name, variable.offset)).collect();
        let expected = [("x", 0), ("p[0].a", 2), ("p[0].b", 3), ("p[1].a", 7), ("p[1].b", 8)];
        assert_eq!(names, expected.map(|(name, offset)| (name.to_owned(), offset)));
        assert_eq!(frame.size, 12);
    }
}
