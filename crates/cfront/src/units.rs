//! A program of several files as one text.
//!
//! Files are read one behind the other, as if one included the others. Functions and variables that are
//! `static` belong to their file alone, so where another file uses the name too, it gets another one in its
//! own: a macro around its file says so. That would rename fields of records as well, so a name that is
//! also a field's is left as it is, and what clashes is then told as an error.

use std::collections::BTreeSet;
use std::path::Path;

use preprocess::Files;

use crate::{Options, headers, predefined};

/// What names occur in a preprocessed text.
#[derive(Default)]
struct Names<'t> {
    all: BTreeSet<&'t str>,
    /// Of functions and variables that are `static` outside of functions.
    own: BTreeSet<&'t str>,
    fields: BTreeSet<&'t str>,
}

/// The text of `path` and, behind it, those of other files, given by whole paths and texts.
pub fn together(
    files: &dyn Files,
    path: &Path,
    text: &str,
    others: &[(&Path, &str)],
    options: &Options,
) -> String {
    let files = headers::WithHeaders::new(files);
    let preprocessed = |path: &Path, text: &str| {
        preprocess::preprocess(&files, path, text, &predefined::options(path, options)).text
    };
    let texts: Vec<String> = std::iter::once((path, text))
        .chain(others.iter().copied())
        .map(|(path, text)| preprocessed(path, text))
        .collect();
    let names: Vec<Names<'_>> = texts.iter().map(|text| Names::of(text)).collect();
    let mut whole = text.to_owned();
    if !whole.ends_with('\n') {
        whole.push('\n');
    }
    for (number, (path, _)) in (1..).zip(others) {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let stem: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let Names { own, fields, .. } = &names[number];
        let elsewhere = |name: &&&str| {
            names.iter().enumerate().any(|(other, names)| other != number && names.all.contains(**name))
        };
        let renamed: Vec<&&str> = own.difference(fields).filter(elsewhere).collect();
        for name in &renamed {
            whole.push_str(&format!("#define {name} {name}__{stem}\n"));
        }
        whole.push_str(&format!("#include \"{}\"\n", path.display()));
        for name in &renamed {
            whole.push_str(&format!("#undef {name}\n"));
        }
    }
    whole
}

impl<'t> Names<'t> {
    fn of(text: &'t str) -> Self {
        let mut names = Self::default();
        let (mut depth, mut is_static, mut selects) = (0u32, false, false);
        let mut last = "";
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '"' | '\'' => literal(rest, first),
                _ if first == '_' || first.is_alphabetic() => {
                    rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len())
                }
                _ if first.is_ascii_digit() => {
                    rest.find(|c: char| c != '.' && c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len())
                }
                _ => first.len_utf8(),
            };
            let (word, after) = rest.split_at(length);
            rest = after;
            match first {
                _ if first == '_' || first.is_alphabetic() => {
                    names.all.insert(word);
                    if selects {
                        names.fields.insert(word);
                    }
                    if depth == 0 {
                        is_static |= word == "static";
                        last = word;
                    }
                }
                '(' | '[' | '{' => {
                    let is_declared = is_static && depth == 0 && !last.starts_with("__") && first != '{';
                    if is_declared {
                        names.own.insert(last);
                    }
                    // What is declared behind a bracket is an element or a parameter.
                    is_static &= !(is_declared && first == '(');
                    depth += 1;
                }
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                '=' | ',' | ';' if depth == 0 => {
                    if is_static && !last.is_empty() {
                        names.own.insert(last);
                    }
                    is_static &= first != ';';
                    last = "";
                }
                _ => {}
            }
            if !first.is_whitespace() {
                selects = first == '.' || first == '>' && text[..text.len() - rest.len()].ends_with("->");
            }
        }
        names
    }
}

/// How long the literal is that a text starts with.
fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote || character == '\n' => return at + character.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use preprocess::NoFiles;

    #[test]
    fn statics_are_found_outside_of_functions() {
        let text = "static int a, *b = 0, c[2] = {1, 2}; int d; static struct s { int x; } e;\n\
                    static inline int f(int p) { static int g; return p.h + q->i; }\n\
                    static __attribute__((unused)) long j(void); int k(void); char t[] = \"static int u;\";";
        let names = Names::of(text);
        assert_eq!(names.own.into_iter().collect::<Vec<_>>(), ["a", "b", "c", "e", "f", "j"]);
        assert_eq!(names.fields.into_iter().collect::<Vec<_>>(), ["h", "i"]);
    }

    #[test]
    fn only_what_clashes_is_renamed() {
        let main = "static int n; int one(void); int main(void) { return one(); }";
        let other = "static int n; static int own; int one(void) { return n + own; }";
        let fields = "static int n; struct s { int n; } s; int two(void) { return s.n; }";
        let others = [(Path::new("/x/a-b.c"), other), (Path::new("/x/c.c"), fields)];
        let text = together(&NoFiles, Path::new("t.c"), main, &others, &Options::default());
        let expected = "\n#define n n__a_b\n#include \"/x/a-b.c\"\n#undef n\n#include \"/x/c.c\"\n";
        assert_eq!(text, format!("{main}{expected}"));
    }
}
