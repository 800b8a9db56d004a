//! Descriptors of methods taken apart.

use crate::code::Kind;

/// The descriptors of the parameters, and of the result.
pub(crate) fn parts(descriptor: &str) -> Option<(Vec<&str>, &str)> {
    let rest = descriptor.strip_prefix('(')?;
    let (mut parameters, result) = rest.split_once(')')?;
    let mut found = Vec::new();
    while !parameters.is_empty() {
        let length = one(parameters)?;
        found.push(&parameters[..length]);
        parameters = &parameters[length..];
    }
    Some((found, result))
}

/// How long the first descriptor of a text is.
fn one(text: &str) -> Option<usize> {
    let dimensions = text.bytes().take_while(|byte| *byte == b'[').count();
    match text.as_bytes().get(dimensions)? {
        b'L' => Some(dimensions + text[dimensions..].find(';')? + 1),
        _ => Some(dimensions + 1),
    }
}

/// The kinds of the parameters, and of the result.
pub(crate) fn kinds(descriptor: &str) -> Option<(Vec<Kind>, Option<Kind>)> {
    let (parameters, result) = parts(descriptor)?;
    let result = (result != "V").then(|| Kind::of(result));
    Some((parameters.into_iter().map(Kind::of).collect(), result))
}

/// The name under which the class of a descriptor is looked for; nothing for numbers.
pub(crate) fn class_name(descriptor: &str) -> Option<&str> {
    if descriptor.starts_with('[') {
        return Some(descriptor);
    }
    descriptor.strip_prefix('L')?.strip_suffix(';')
}

/// How Java's text calls what a descriptor stands for.
pub(crate) fn spelled(descriptor: &str) -> String {
    let dimensions = descriptor.bytes().take_while(|byte| *byte == b'[').count();
    let element = &descriptor[dimensions..];
    let name = match element {
        "Z" => "boolean".to_owned(),
        "B" => "byte".to_owned(),
        "C" => "char".to_owned(),
        "S" => "short".to_owned(),
        "I" => "int".to_owned(),
        "J" => "long".to_owned(),
        "F" => "float".to_owned(),
        "D" => "double".to_owned(),
        "V" => "void".to_owned(),
        other => class_name(other).unwrap_or(other).replace('/', "."),
    };
    name + &"[]".repeat(dimensions)
}
