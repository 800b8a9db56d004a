//! The values of named variables in every state, where the input has them.

use crate::Labels;

/// A table of values: one row a state, one column a variable, each distinct value stored once.
#[derive(Clone, Debug, Default)]
pub struct StateVariables {
    names: Vec<String>,
    values: Labels,
    /// Row-major; [`StateVariables::ABSENT`] where a state lacks the variable.
    table: Vec<u32>,
}

impl StateVariables {
    const ABSENT: u32 = u32::MAX;

    /// A table for `names` over `states` states, all values absent.
    pub fn new(names: Vec<String>, states: usize) -> Self {
        let table = vec![Self::ABSENT; states * names.len()];
        Self { names, values: Labels::new(), table }
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub fn set(&mut self, state: u32, variable: usize, value: &str) {
        let id = self.values.intern(value);
        self.table[state as usize * self.names.len() + variable] = id;
    }

    pub fn get(&self, state: u32, variable: usize) -> Option<&str> {
        let id = self.table[state as usize * self.names.len() + variable];
        (id != Self::ABSENT).then(|| self.values.get(id))
    }

    /// The variables in which two states differ: index, value in `from`, value in `to`.
    pub fn changes(&self, from: u32, to: u32) -> impl Iterator<Item = (usize, Option<&str>, Option<&str>)> {
        (0..self.names.len()).filter_map(move |variable| {
            let (old, new) = (self.get(from, variable), self.get(to, variable));
            (old != new).then_some((variable, old, new))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_name_only_what_differs() {
        let mut table = StateVariables::new(vec!["x".into(), "y".into()], 2);
        table.set(0, 0, "1");
        table.set(0, 1, "2");
        table.set(1, 0, "1");
        assert_eq!(table.changes(0, 1).collect::<Vec<_>>(), [(1, Some("2"), None)]);
        assert_eq!(table.get(1, 0), Some("1"));
    }
}
