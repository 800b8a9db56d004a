//! Tables of variables that stay in proportion to the file they come from.

use graph::StateVariables;

use crate::outcome::Notes;

/// An empty table, unless its size would be out of proportion to a file of `length` bytes: a
/// thousand states with a variable of their own each would make a million cells.
pub(crate) fn table(
    names: Vec<String>,
    states: usize,
    length: usize,
    notes: &mut Notes,
) -> Option<StateVariables> {
    let most = length.saturating_mul(4).saturating_add(1 << 16);
    if names.len().checked_mul(states).is_some_and(|cells| cells <= most) {
        return Some(StateVariables::new(names, states));
    }
    notes.about_the_file(format!(
        "{} variables for {states} states, most of them without a value; left out",
        names.len()
    ));
    None
}
