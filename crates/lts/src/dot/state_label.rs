//! A state as TLC prints it, taken apart into variables.
//!
//! ```text
//! /\ pc = <<"Loop", "Done">>
//! /\ forks = << [holder |-> 1],
//!    [holder |-> 2] >>
//! ```
//!
//! A conjunct starts with `/\ ` in the first column, outside of strings; with a single variable
//! there is no `/\`. Values over several lines are joined. A label that is not like that (an alias
//! of the user, a graph TLC did not write) is kept whole, as one variable called `state`.

use std::borrow::Cow;

use graph::{Labels, StateVariables};

use crate::outcome::{Notes, Stop};
use crate::scan::Decoder;

/// The values of states in the order in which they are read, before it is known how many states
/// and variables there are.
#[derive(Debug, Default)]
pub(super) struct StateTable {
    names: Labels,
    values: Labels,
    /// State, variable, value; later ones win.
    cells: Vec<[u32; 3]>,
}

impl StateTable {
    /// Takes `label`, which stands at `at`, as the values of `state`.
    pub(super) fn add(
        &mut self,
        state: u32,
        label: &[u8],
        decoder: &mut Decoder,
        at: usize,
    ) -> Result<(), Stop> {
        let text = decoder.decode(label, at)?;
        let text = text.trim();
        if !text.is_empty() && !self.add_conjuncts(state, text) {
            self.set(state, "state", &joined(text));
        }
        Ok(())
    }

    /// Takes only variables from `label`; a text that is none is no state.
    pub(super) fn add_variables(
        &mut self,
        state: u32,
        label: &[u8],
        decoder: &mut Decoder,
        at: usize,
    ) -> Result<(), Stop> {
        let text = decoder.decode(label, at)?;
        self.add_conjuncts(state, text.trim());
        Ok(())
    }

    fn add_conjuncts(&mut self, state: u32, text: &str) -> bool {
        let Some(list) = text.strip_prefix("/\\ ") else {
            return variable(text).is_some_and(|(name, value)| {
                self.set(state, name, &value);
                true
            });
        };
        if conjuncts(list).any(|conjunct| variable(conjunct).is_none()) {
            return false;
        }
        for (name, value) in conjuncts(list).filter_map(variable) {
            self.set(state, name, &value);
        }
        true
    }

    fn set(&mut self, state: u32, name: &str, value: &str) {
        self.cells.push([state, self.names.intern(name), self.values.intern(value)]);
    }

    /// The table for `states` states, read from a file of `length` bytes.
    pub(super) fn finish(self, states: usize, length: usize, notes: &mut Notes) -> Option<StateVariables> {
        if self.cells.is_empty() {
            return None;
        }
        let names: Vec<String> = self.names.iter().map(str::to_owned).collect();
        let mut table = crate::variables::table(names, states, length, notes)?;
        for [state, name, value] in self.cells {
            table.set(state, name as usize, self.values.get(value));
        }
        Some(table)
    }
}

/// Splits at `/\ ` in the first column of a line, outside of strings.
fn conjuncts(list: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(list);
    let mut strings = true;
    std::iter::from_fn(move || {
        let text = rest?;
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(offset) = memchr::memchr2(b'\n', b'"', &bytes[at..]) {
            at += offset + 1;
            if bytes[at - 1] == b'"' {
                // A quote that is never closed opens no string, and neither does any behind it.
                let end = if strings { string_end(bytes, at) } else { None };
                strings = end.is_some();
                at = end.unwrap_or(at);
            } else if bytes[at..].starts_with(b"/\\ ") {
                rest = Some(&text[at + 3..]);
                return Some(&text[..at - 1]);
            }
        }
        rest = None;
        Some(text)
    })
}

/// Where the string ends whose text starts at `at`.
fn string_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// Splits `name = value`.
fn variable(conjunct: &str) -> Option<(&str, Cow<'_, str>)> {
    let (name, value) = conjunct.split_once(" =")?;
    let value = if value.is_empty() { value } else { value.strip_prefix([' ', '\n'])? };
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '!');
    (!name.is_empty() && name.chars().all(is_name)).then(|| (name, joined(value)))
}

/// The lines of `text`, trimmed, with single spaces between them.
fn joined(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    if !text.contains('\n') {
        return Cow::Borrowed(text);
    }
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    Cow::Owned(lines.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(label: &str) -> Vec<(String, String)> {
        let mut table = StateTable::default();
        table.add(0, label.as_bytes(), &mut Decoder::default(), 0).unwrap();
        let text = |labels: &Labels, id| labels.get(id).to_owned();
        table
            .cells
            .iter()
            .map(|[_, name, value]| (text(&table.names, *name), text(&table.values, *value)))
            .collect()
    }

    fn check(label: &str, expected: &[(&str, &str)]) {
        let found = variables(label);
        let found: Vec<_> = found.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn conjuncts_become_variables() {
        check("/\\ big = 0\n/\\ small = 3", &[("big", "0"), ("small", "3")]);
        check("x = 5", &[("x", "5")]);
        check("/\\ x = 5", &[("x", "5")]);
    }

    #[test]
    fn values_over_several_lines_are_joined() {
        check(
            "/\\ f = << [a |-> 1],\n   [a |-> 2] >>\n/\\ g =\n  {}",
            &[("f", "<< [a |-> 1], [a |-> 2] >>"), ("g", "{}")],
        );
    }

    #[test]
    fn conjunctions_inside_values_do_not_split() {
        check("/\\ x = \"a\n/\\ y = 1\"\n/\\ z = 2", &[("x", "\"a /\\ y = 1\""), ("z", "2")]);
        check("/\\ x = {a\n  /\\ b}\n/\\ z = \"\\\"\"", &[("x", "{a /\\ b}"), ("z", "\"\\\"\"")]);
        check("/\\ x = 5\"\n/\\ z = 2", &[("x", "5\""), ("z", "2")]);
    }

    #[test]
    fn other_labels_are_kept_whole() {
        check("waiting", &[("state", "waiting")]);
        check("a b = c", &[("state", "a b = c")]);
        check("/\\ x = 1\n/\\ broken", &[("state", "/\\ x = 1 /\\ broken")]);
        check("", &[]);
        check("/\\ x =\n/\\ y = ", &[("x", ""), ("y", "")]);
    }
}
