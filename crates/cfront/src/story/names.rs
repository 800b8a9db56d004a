//! Names for events that tell them apart: the text, where that is not enough the line, and the column.

use std::collections::{BTreeMap, BTreeSet};

use source::Location;

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
        let places: Vec<_> = group.iter().map(|number| at(*number)).collect();
        let spelled = |spelling: fn(Location) -> String| -> Vec<String> {
            places.iter().map(|place| place.clone().map_or(String::new(), spelling)).collect()
        };
        let tells = |names: &[String]| names.iter().collect::<BTreeSet<_>>().len() == names.len();
        let mut suffixes = spelled(|at| format!("line {}", at.line));
        if !tells(&suffixes) {
            suffixes = spelled(|at| format!("line {}:{}", at.line, at.column));
        }
        if !tells(&suffixes) {
            for (copy, suffix) in suffixes.iter_mut().enumerate() {
                suffix.push_str(&format!(", copy {} of {}", copy + 1, group.len()));
            }
        }
        for (number, suffix) in group.iter().zip(suffixes) {
            names[*number].push_str(&format!(" ({suffix})"));
        }
    }
    names
}
