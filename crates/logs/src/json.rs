//! The wanted members of one JSON object, without building the rest of it.
//!
//! Members are named by paths with dots: `request.id` is the member `id` of the member `request`. A
//! member whose own name has dots in it is found as well. What nobody wants is skipped by the parser.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, Visitor};

use crate::record::{FIELDS, Values};

/// What is wanted, by the names of [`crate::record`].
pub(crate) type Paths = [Option<String>; FIELDS];

/// Reads the wanted members of `line` into `values`; an error says what is wrong with the line.
pub(crate) fn read(line: &str, paths: &Paths, values: &mut Values) -> Result<(), String> {
    let mut wanted = [None; FIELDS];
    for (wanted, path) in wanted.iter_mut().zip(paths) {
        *wanted = path.as_deref();
    }
    let mut json = serde_json::Deserializer::from_str(line);
    Object { wanted, values }.deserialize(&mut json).map_err(|error| reason(&error))?;
    json.end().map_err(|error| reason(&error))
}

/// Without the position that `serde_json` adds: all of it is in one line, but the column helps.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
    if error.is_data() { what.to_owned() } else { format!("not JSON: {what} at column {}", error.column()) }
}

/// The names of the members of an object.
pub(crate) fn names(line: &str) -> Option<Vec<String>> {
    match serde_json::from_str(line).ok()? {
        serde_json::Value::Object(members) => Some(members.into_iter().map(|(name, _)| name).collect()),
        _ => None,
    }
}

struct Object<'a, 'v> {
    wanted: [Option<&'a str>; FIELDS],
    values: &'v mut Values,
}

impl<'de> DeserializeSeed<'de> for Object<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Object<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(within) = members.next_key_seed(Key { wanted: &self.wanted })? {
            match within {
                Within::Nothing => _ = members.next_value::<IgnoredAny>()?,
                Within::Value(fields) => members.next_value_seed(Scalar { fields, values: self.values })?,
                Within::Member(wanted) => members.next_value_seed(Member { wanted, values: self.values })?,
            }
        }
        Ok(())
    }
}

/// What lies behind a name.
enum Within<'a> {
    Nothing,
    /// It is the value of these fields.
    Value([bool; FIELDS]),
    /// It may hold the rest of these paths.
    Member([Option<&'a str>; FIELDS]),
}

struct Key<'k, 'a> {
    wanted: &'k [Option<&'a str>; FIELDS],
}

impl<'de, 'a> DeserializeSeed<'de> for Key<'_, 'a> {
    type Value = Within<'a>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Within<'a>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'a> Visitor<'_> for Key<'_, 'a> {
    type Value = Within<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Within<'a>, E> {
        let values = self.wanted.map(|path| path == Some(name));
        if values.contains(&true) {
            return Ok(Within::Value(values));
        }
        let rest = self.wanted.map(|path| path?.strip_prefix(name)?.strip_prefix('.'));
        Ok(if rest.iter().any(Option::is_some) { Within::Member(rest) } else { Within::Nothing })
    }
}

/// An object within the object; anything else there just does not hold what is wanted.
struct Member<'a, 'v> {
    wanted: [Option<&'a str>; FIELDS],
    values: &'v mut Values,
}

impl<'de> DeserializeSeed<'de> for Member<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Member<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<(), A::Error> {
        Object { wanted: self.wanted, values: self.values }.visit_map(members)
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

/// A value that becomes text.
struct Scalar<'v> {
    fields: [bool; FIELDS],
    values: &'v mut Values,
}

impl Scalar<'_> {
    fn set(self, text: &str) {
        for (field, _) in self.fields.iter().enumerate().filter(|(_, wanted)| **wanted) {
            self.values.set(field, text);
        }
    }
}

impl<'de> DeserializeSeed<'de> for Scalar<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Scalar<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text or a number in the fields for trace, process and event")
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.set(text);
        Ok(())
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        self.set(&number.to_string());
        Ok(())
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        self.set(&number.to_string());
        Ok(())
    }

    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        self.set(&number.to_string());
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.set(if value { "true" } else { "false" });
        Ok(())
    }

    /// As if it were not there.
    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        Err(A::Error::custom("a field is an object, not text"))
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        Err(A::Error::custom("a field is a list, not text"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{EVENT, PROCESS, TRACE};

    fn fields(line: &str) -> Result<[Option<String>; FIELDS], String> {
        let paths = ["id", "who.name", "event"].map(|path| Some(path.to_owned()));
        let mut values = Values::default();
        read(line, &paths, &mut values)?;
        Ok([TRACE, PROCESS, EVENT].map(|field| values.get(field).map(str::to_owned)))
    }

    #[test]
    fn wanted_members_are_found_and_others_skipped() {
        let line = r#"{"x":[{"id":9}],"id":7,"who":{"name":"a\tb","id":8},"event":"go","y":{}}"#;
        assert_eq!(fields(line).unwrap().map(Option::unwrap), ["7", "a\tb", "go"]);
        assert_eq!(fields(r#"{"who.name":"w","event":null}"#).unwrap(), [None, Some("w".to_owned()), None]);
        assert_eq!(fields(r#"{"who":[1,{"name":2}]}"#).unwrap(), [None, None, None]);
    }

    #[test]
    fn broken_lines_say_why() {
        for (line, why) in [
            ("{\"event\":", "not JSON: EOF"),
            ("[1]", "expected a JSON object"),
            ("7", "expected a JSON object"),
            ("{} {}", "not JSON: trailing"),
            ("{\"event\":{}}", "an object, not text"),
            ("{\"event\":[\"a\"]}", "a list, not text"),
            ("", "not JSON"),
        ] {
            let error = fields(line).unwrap_err();
            assert!(error.contains(why), "{line}: {error}");
        }
        let deep = "[".repeat(100_000);
        assert!(fields(&format!("{{\"x\":{deep}")).is_err());
        assert!(fields(&format!("{{\"who\":{}", "{\"name.x\":".repeat(100_000))).is_err());
    }
}
