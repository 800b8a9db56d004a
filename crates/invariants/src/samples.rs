//! Samples: rows of values, one column a variable.

use std::collections::BTreeMap;

/// A value of a variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    Number(i64),
    /// Something that can only be equal or not, such as a name.
    Word(String),
    Array(Vec<i64>),
}

impl Value {
    pub(crate) fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Word(_) | Self::Array(_) => None,
        }
    }

    pub(crate) fn array(&self) -> Option<&[i64]> {
        match self {
            Self::Array(elements) => Some(elements),
            Self::Number(_) | Self::Word(_) => None,
        }
    }
}

/// The values of variables, sample by sample. A variable that a sample lacks has no value there.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    names: Vec<String>,
    columns: BTreeMap<String, usize>,
    rows: Vec<Vec<Option<Value>>>,
}

impl Samples {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a sample.
    pub fn add(&mut self, values: impl IntoIterator<Item = (String, Value)>) {
        let mut row = vec![None; self.names.len()];
        for (name, value) in values {
            let next = self.names.len();
            let column = *self.columns.entry(name).or_insert_with_key(|name| {
                self.names.push(name.clone());
                next
            });
            if column >= row.len() {
                row.resize(column + 1, None);
            }
            row[column] = Some(value);
        }
        self.rows.push(row);
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The names of all variables, in the order in which they were first seen.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub(crate) fn value(&self, row: usize, column: usize) -> Option<&Value> {
        self.rows[row].get(column)?.as_ref()
    }

    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        self.columns.get(name).copied()
    }

    /// The numbers of a variable, if it is a number in every sample.
    pub(crate) fn numbers(&self, column: usize) -> Option<Vec<i64>> {
        (0..self.len()).map(|row| self.value(row, column)?.number()).collect()
    }

    /// The elements of a variable, if it is an array in every sample.
    pub(crate) fn arrays(&self, column: usize) -> Option<Vec<&[i64]>> {
        (0..self.len()).map(|row| self.value(row, column)?.array()).collect()
    }

    /// The words of a variable, if it is a word in every sample.
    pub(crate) fn words(&self, column: usize) -> Option<Vec<&str>> {
        let word = |row| match self.value(row, column)? {
            Value::Word(word) => Some(word.as_str()),
            Value::Number(_) | Value::Array(_) => None,
        };
        (0..self.len()).map(word).collect()
    }

    /// Only the samples in which a variable has this value.
    pub(crate) fn where_is(&self, column: usize, number: i64) -> Self {
        let is_such = |row: &&Vec<Option<Value>>| {
            row.get(column).and_then(Option::as_ref).and_then(Value::number) == Some(number)
        };
        let rows = self.rows.iter().filter(is_such).cloned().collect();
        Self { names: self.names.clone(), columns: self.columns.clone(), rows }
    }
}
