//! Names for events that tell them apart: the text, where that is not enough the line, and the column.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::Model;

pub(super) fn distinct(model: &Model, texts: &[String]) -> Vec<String> {
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, text) in texts.iter().enumerate() {
        groups.entry(text).or_default().push(number);
    }
    let mut names = texts.to_vec();
    for group in groups.into_values().filter(|group| group.len() > 1) {
        let at = |number: usize| {
            let statement = model.machine.labels[number].statement;
            model.location(model.program().statements[statement as usize].span)
        };
        let line = |number: usize| at(number).map_or(String::new(), |at| format!("line {}", at.line));
        let column =
            |number: usize| at(number).map_or(String::new(), |at| format!("line {}:{}", at.line, at.column));
        let tells = |spelling: &dyn Fn(usize) -> String| {
            group.iter().map(|number| spelling(*number)).collect::<BTreeSet<_>>().len() == group.len()
        };
        for (copy, number) in group.iter().enumerate() {
            let suffix = if tells(&line) {
                line(*number)
            } else if tells(&column) {
                column(*number)
            } else {
                format!("{}, copy {} of {}", column(*number), copy + 1, group.len())
            };
            names[*number].push_str(&format!(" ({suffix})"));
        }
    }
    names
}
