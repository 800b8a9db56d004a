//! Variables out of what `Debug` prints.

use std::fmt::Debug;

/// The fields of a value as variables, by what its `Debug` prints: those of a struct by their names, those of a
/// tuple and elements of a list by their numbers. Whatever looks otherwise is one variable, `state`.
///
/// ```
/// #[derive(Debug)]
/// struct Lock {
///     holder: Option<u8>,
///     waiting: Vec<u8>,
/// }
///
/// let lock = Lock { holder: Some(1), waiting: vec![2, 3] };
/// let variables = wherefore::variables_of_debug(&lock);
/// assert_eq!(variables[0], ("holder".to_owned(), "Some(1)".to_owned()));
/// assert_eq!(variables[1], ("waiting".to_owned(), "[2, 3]".to_owned()));
/// ```
pub fn variables_of_debug(value: &impl Debug) -> Vec<(String, String)> {
    let text = format!("{value:?}");
    fields(&text).unwrap_or_else(|| vec![("state".to_owned(), text)])
}

fn fields(text: &str) -> Option<Vec<(String, String)>> {
    let open = text.find(['{', '(', '['])?;
    let name = text[..open].trim_end();
    if !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let close = match text.as_bytes()[open] {
        b'{' => '}',
        b'(' => ')',
        _ => ']',
    };
    let inside = text[open + 1..].strip_suffix(close)?;
    let parts = parts(inside)?;
    let named = |part: &str| {
        let (name, value) = part.split_once(": ")?;
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.is_empty();
        is_name.then(|| (name.to_owned(), value.to_owned()))
    };
    // A list of one is as well known by its only element as by a number, but a set or map has no names.
    match close {
        '}' => parts.into_iter().map(named).collect(),
        _ => Some(
            (0..).zip(parts).map(|(at, part): (usize, &str)| (at.to_string(), part.to_owned())).collect(),
        ),
    }
}

/// What stands between the commas that are inside of nothing; nothing if brackets or quotes do not match.
fn parts(text: &str) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    let mut open = Vec::new();
    let mut start = 0;
    let mut characters = text.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => loop {
                match characters.next()?.1 {
                    '\\' => _ = characters.next()?,
                    '"' => break,
                    _ => {}
                }
            },
            // The only quote that can hide a bracket stands around one character.
            '\'' => {
                let rest = characters.as_str();
                let hidden = ["{'", "}'", "('", ")'", "['", "]'", ",'", "\"'", "\\''"];
                if let Some(hidden) = hidden.iter().find(|hidden| rest.starts_with(**hidden)) {
                    _ = characters.nth(hidden.chars().count() - 1)?;
                }
            }
            '{' => open.push('}'),
            '(' => open.push(')'),
            '[' => open.push(']'),
            '}' | ')' | ']' => _ = open.pop().filter(|wanted| *wanted == c)?,
            ',' if open.is_empty() => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if !open.is_empty() {
        return None;
    }
    let last = text[start..].trim();
    parts.extend((!last.is_empty()).then_some(last));
    Some(parts)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn shown(value: &impl Debug) -> String {
        let variables = variables_of_debug(value).into_iter();
        variables.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(";")
    }

    #[derive(Debug)]
    #[allow(dead_code, reason = "only printed")]
    struct Odd {
        text: &'static str,
        letter: [char; 3],
        inner: Option<(u8, Vec<u8>)>,
    }

    #[test]
    fn fields_are_what_stands_between_commas() {
        let odd = Odd { text: "a, \"b\": {", letter: [',', '\'', '{'], inner: Some((1, vec![2, 3])) };
        let expected = r#"text="a, \"b\": {";letter=[',', '\'', '{'];inner=Some((1, [2, 3]))"#;
        assert_eq!(shown(&odd), expected);
        assert_eq!(shown(&(1, "x")), r#"0=1;1="x""#);
        assert_eq!(shown(&[true, false]), "0=true;1=false");
    }

    #[test]
    fn what_has_no_fields_is_one_variable() {
        assert_eq!(shown(&7), "state=7");
        assert_eq!(shown(&BTreeMap::from([("a b", 1)])), r#"state={"a b": 1}"#);
        struct Broken;
        impl Debug for Broken {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("Broken { a: (1] }")
            }
        }
        assert_eq!(shown(&Broken), "state=Broken { a: (1] }");
    }
}
