//! Tests out of a folder: what a program reads, what it is started with, and what it should print.
//!
//! A test has a name, and a file for each of these. Usual layouts are read: `4.in` and `4.out` (or `.ans`, `.exp`,
//! `.expected`), each perhaps with `.txt` behind it; `input4.txt` and `output4.txt`; a folder `input` and a folder
//! `output` with files of the same name. `4.args` has the words the program is started with.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use languages::{Test, TestFolder, Tests};

use super::input;
use super::messages::message;

/// How many tests are read, and how many bytes all their files may have.
const MOST_TESTS: usize = 1_000;
const MOST_BYTES: usize = 8 << 20;

/// What a file says of a test.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Input,
    Output,
    Arguments,
}

/// The files of one test.
#[derive(Default)]
struct Files {
    input: Option<PathBuf>,
    output: Option<PathBuf>,
    arguments: Option<PathBuf>,
}

impl Files {
    fn of(&mut self, role: Role) -> &mut Option<PathBuf> {
        match role {
            Role::Input => &mut self.input,
            Role::Output => &mut self.output,
            Role::Arguments => &mut self.arguments,
        }
    }
}

/// Reads the tests of a folder.
pub(crate) fn read(folder: &Path) -> Result<TestFolder> {
    let name = folder.display();
    let mut found: BTreeMap<Vec<Part>, (String, Files)> = BTreeMap::new();
    for (path, within) in files(folder)? {
        let Some(own) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let Some((test, role)) = named(own, within) else { continue };
        let (_, files) = found.entry(parts(&test)).or_insert_with(|| (test, Files::default()));
        if let Some(other) = files.of(role).replace(path.clone()) {
            bail!("--tests: {} and {} are for the same test", other.display(), path.display());
        }
    }
    let too_many = || {
        anyhow!(
            "--tests: {name} has too many tests: at most {MOST_TESTS} are read, of {} MB",
            MOST_BYTES >> 20
        )
    };
    if found.len() > MOST_TESTS {
        return Err(too_many());
    }
    let mut tests = Vec::new();
    let mut bytes = 0;
    for (test, files) in found.into_values() {
        let Some(output) = files.output else {
            message(&format!(
                "warning: test {test} of {name} has no expected output ({test}.out); it is left out"
            ));
            continue;
        };
        let read = |path: Option<PathBuf>| -> Result<Vec<u8>> {
            path.map_or_else(|| Ok(Vec::new()), |path| Ok(input::open(&path)?.to_vec()))
        };
        let arguments = read(files.arguments)?;
        let one = Test {
            name: test,
            input: read(files.input)?,
            expected: read(Some(output))?,
            arguments: words(&arguments),
            ..Test::default()
        };
        bytes += one.input.len() + one.expected.len() + arguments.len();
        if bytes > MOST_BYTES {
            return Err(too_many());
        }
        tests.push(one);
    }
    if tests.is_empty() {
        bail!(
            "--tests: {name} has no tests: files such as `1.in` with what is read, and `1.out` with what is printed"
        );
    }
    Ok(TestFolder { path: folder.to_owned(), tests: Arc::new(Tests { all: tests }) })
}

/// The files of a folder, and of folders in it that say by their names what they hold.
fn files(folder: &Path) -> Result<Vec<(PathBuf, Option<Role>)>> {
    let mut found = Vec::new();
    for path in entries(folder)? {
        if !path.is_dir() {
            found.push((path, None));
            continue;
        }
        let role = match path.file_name().and_then(|name| name.to_str()) {
            Some("in" | "input" | "inputs") => Role::Input,
            Some("out" | "output" | "outputs" | "expected") => Role::Output,
            Some("args") => Role::Arguments,
            _ => continue,
        };
        let inside = entries(&path)?.into_iter().filter(|path| !path.is_dir());
        found.extend(inside.map(|path| (path, Some(role))));
    }
    Ok(found)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let name = folder.display();
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("--tests: {name} cannot be read as a folder"))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<Result<_, _>>().with_context(|| name.to_string())?;
    paths.sort();
    Ok(paths)
}

/// The test that a file belongs to, and what it says of it.
fn named(name: &str, within: Option<Role>) -> Option<(String, Role)> {
    if name.starts_with('.') {
        return None;
    }
    let bare = name.strip_suffix(".txt").unwrap_or(name);
    if let Some((test, ending)) = bare.rsplit_once('.') {
        let role = match ending {
            "in" | "input" | "inp" => Some(Role::Input),
            "out" | "output" | "ans" | "exp" | "expected" => Some(Role::Output),
            "args" => Some(Role::Arguments),
            _ => None,
        };
        if let Some(role) = role {
            return Some((test.to_owned(), within.unwrap_or(role)));
        }
    }
    if let Some(role) = within {
        return Some((numbered(bare, &["input", "output", "in", "out"]), role));
    }
    for (word, role) in [("input", Role::Input), ("output", Role::Output), ("expected", Role::Output)] {
        if bare.contains(word) {
            return Some((numbered(bare, &[word]), role));
        }
    }
    None
}

/// A name without the word that says what the file holds, if something else is left of it.
fn numbered(name: &str, words: &[&str]) -> String {
    for word in words {
        if let Some((before, after)) = name.split_once(word) {
            let rest = format!("{before}{after}");
            let rest = rest.trim_matches(['_', '-', '.']);
            return if rest.is_empty() { "1".to_owned() } else { rest.to_owned() };
        }
    }
    name.to_owned()
}

/// Names in the order in which people count: 2 before 10.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Number(u128, String),
    Text(String),
}

fn parts(name: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let is_digit = first.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != is_digit).unwrap_or(rest.len());
        let (part, further) = rest.split_at(end);
        parts.push(match part.parse() {
            Ok(number) if is_digit => Part::Number(number, part.to_owned()),
            _ => Part::Text(part.to_owned()),
        });
        rest = further;
    }
    parts
}

/// The words of a line, separated by white space, or within quotes.
fn words(line: &[u8]) -> Vec<Vec<u8>> {
    let mut words: Vec<Vec<u8>> = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    for byte in line.iter().copied() {
        match quote {
            Some(end) if byte == end => quote = None,
            None if byte == b'"' || byte == b'\'' => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            None if byte.is_ascii_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_names() {
        let is = |name: &str, test: &str, role: Role| {
            assert!(named(name, None) == Some((test.to_owned(), role)), "{name}");
        };
        is("4.in", "4", Role::Input);
        is("4.out.txt", "4", Role::Output);
        is("empty.ans", "empty", Role::Output);
        is("4.args", "4", Role::Arguments);
        is("input04.txt", "04", Role::Input);
        is("output_04.txt", "04", Role::Output);
        is("input.txt", "1", Role::Input);
        assert!(named("README.md", None).is_none() && named(".in", None).is_none());
        assert!(named("7.txt", Some(Role::Output)) == Some(("7".to_owned(), Role::Output)));
    }

    #[test]
    fn names_are_counted_as_people_count() {
        let mut names = ["t10", "t9", "a", "t09"];
        names.sort_by_key(|name| parts(name));
        assert_eq!(names, ["a", "t09", "t9", "t10"]);
    }

    #[test]
    fn words_may_have_spaces_in_quotes() {
        assert_eq!(words(b" a 'b c' \"\"\n"), [b"a".to_vec(), b"b c".to_vec(), Vec::new()]);
    }
}
