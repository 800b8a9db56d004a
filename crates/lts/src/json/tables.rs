//! The names and the variables of states in our own format, read as a stream.

use std::fmt;

use graph::{Labels, StateNames, StateVariables};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::scan::quote;

/// `[17, -4]` or `["a", "b"]`.
#[derive(Debug, Default)]
pub(super) struct Names {
    numbers: Vec<i64>,
    texts: Labels,
}

impl<'de> DeserializeSeed<'de> for &mut Names {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for &mut Names {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of numbers or of texts")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(Name(self))?.is_some() {}
        Ok(())
    }
}

struct Name<'a>(&'a mut Names);

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or a text")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        self.0.numbers.push(number);
        Ok(())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        let number = i64::try_from(number).map_err(|_| E::custom(format!("{number} is too large a name")))?;
        self.visit_i64(number)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        let count = self.0.texts.len();
        if (self.0.texts.intern(text) as usize) < count {
            return Err(E::custom(format!("two states with the name {}", quote(text))));
        }
        Ok(())
    }
}

impl Names {
    pub(super) fn finish(self, states: usize) -> Result<StateNames, String> {
        if self.texts.len() == states && self.numbers.is_empty() {
            return Ok(StateNames::Texts(Box::new(self.texts)));
        }
        if self.numbers.len() != states || !self.texts.is_empty() {
            return Err(format!("`names` must have {states} numbers or {states} texts"));
        }
        let mut sorted = self.numbers.clone();
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(format!("two states with the name {}", pair[0])),
            None => Ok(StateNames::Listed(self.numbers)),
        }
    }
}

/// `{"names": [...], "values": [[...], ...]}`.
#[derive(Debug, Default)]
pub(super) struct Variables {
    names: Option<Vec<String>>,
    texts: Labels,
    rows: Option<usize>,
    /// Row after row; all rows have the same width.
    cells: Vec<Option<u32>>,
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Field {
    Names,
    Values,
    #[serde(other)]
    Other,
}

impl<'de> DeserializeSeed<'de> for &mut Variables {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &mut Variables {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with \"names\" and \"values\"")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(field) = map.next_key()? {
            match field {
                Field::Names if self.names.is_some() => return Err(Error::duplicate_field("names")),
                Field::Names => self.names = Some(map.next_value()?),
                Field::Values if self.rows.is_some() => return Err(Error::duplicate_field("values")),
                Field::Values => map.next_value_seed(Values(self))?,
                Field::Other => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

struct Values<'a>(&'a mut Variables);

impl<'de> DeserializeSeed<'de> for Values<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Values<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of values for every state")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let (mut rows, mut width) = (0, None);
        while list.next_element_seed(Row(self.0))?.is_some() {
            rows += 1;
            let first = *width.get_or_insert(self.0.cells.len());
            if self.0.cells.len() != first * rows {
                return Err(Error::custom("states with different numbers of values"));
            }
        }
        self.0.rows = Some(rows);
        Ok(())
    }
}

struct Row<'a>(&'a mut Variables);

impl<'de> DeserializeSeed<'de> for Row<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Row<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the list of values of a state")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(value) = list.next_element_seed(Value(&mut self.0.texts))? {
            self.0.cells.push(value);
        }
        Ok(())
    }
}

/// A value: a text, or null where the state lacks the variable.
struct Value<'a>(&'a mut Labels);

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = Option<u32>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<u32>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for Value<'_> {
    type Value = Option<u32>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, a number, a truth value or null")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Option<u32>, E> {
        Ok(Some(self.0.intern(text)))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Option<u32>, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Option<u32>, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Option<u32>, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_bool<E: Error>(self, truth: bool) -> Result<Option<u32>, E> {
        self.visit_str(if truth { "true" } else { "false" })
    }

    fn visit_unit<E: Error>(self) -> Result<Option<u32>, E> {
        Ok(None)
    }
}

impl Variables {
    pub(super) fn finish(self, states: usize) -> Result<StateVariables, String> {
        let names = self.names.ok_or("missing field `names` of `variables`")?;
        let rows = self.rows.ok_or("missing field `values` of `variables`")?;
        let width = names.len();
        if rows != states || self.cells.len() != states * width {
            return Err(format!("`values` must have {states} rows of {width}"));
        }
        let mut table = StateVariables::new(names, states);
        for (cell, value) in self.cells.iter().enumerate() {
            if let Some(value) = value {
                table.set((cell / width) as u32, cell % width, self.texts.get(*value));
            }
        }
        Ok(table)
    }
}
