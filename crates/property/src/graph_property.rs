//! A property given as a graph: the traces that must not be.
//!
//! Tools that read no formulas can be given the forbidden behaviour as one more graph, in any of the
//! formats graphs come in. A trace is forbidden if the graph can read it and then take an edge with
//! the end label. The graph may be nondeterministic and have several initial states.

use graph::{LabelClasses, Labels, Nfa, StateGraph, TooManyAutomatonStates, ViolatedWhen};
use thiserror::Error;

use crate::suggest::closest;
use crate::{CompiledProperty, MAX_STATES};

#[derive(Clone, Debug)]
pub struct GraphProperty {
    pub compiled: CompiledProperty,
    /// Labels of the property that the model does not have, in the order of the property.
    pub unknown: Vec<UnknownLabel>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLabel {
    pub label: String,
    /// A label of the model that it could be a misspelling of.
    pub closest: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GraphPropertyError {
    #[error("no edge of the property is labelled `{end_label}`; its labels are {existing}")]
    NoEnd { end_label: String, existing: String },
    #[error(transparent)]
    TooManyStates(#[from] TooManyAutomatonStates),
}

/// The automaton of the traces that `property` can read before an edge labelled `end_label`, or without
/// one, to where no edge leaves, for the labels of the model. Labels are compared letter by letter.
pub fn from_graph(
    property: &StateGraph,
    end_label: Option<&str>,
    model_labels: &Labels,
) -> Result<GraphProperty, GraphPropertyError> {
    let end = match end_label {
        None => None,
        Some(label) => match property.labels.find(label) {
            None => return Err(no_end(label, &property.labels)),
            end => end,
        },
    };
    // All labels that the property does not speak of are one class.
    let classes = LabelClasses::by_key(
        model_labels.iter().map(|label| property.labels.find(label).filter(|l| Some(*l) != end)),
    );
    let class_of: Vec<Option<u32>> =
        property.labels.iter().map(|label| model_labels.find(label).map(|label| classes.of(label))).collect();

    let mut nfa = Nfa::default();
    for state in 0..property.state_count() as u32 {
        nfa.add_state();
        nfa.accepting[state as usize] = end.is_none() && property.edges(state).is_empty();
        for edge in property.edges(state) {
            if Some(edge.label) == end {
                nfa.accepting[state as usize] = true;
            } else if let Some(class) = class_of[edge.label as usize] {
                nfa.moves[state as usize].push((class, edge.state));
            }
        }
    }
    nfa.initial.extend_from_slice(property.initial());
    let dfa = nfa.determinise(classes.count(), MAX_STATES)?.trim_and_minimise();

    let unknown = property.labels.iter().zip(&class_of).enumerate();
    let unknown = unknown.filter(|(label, (_, class))| class.is_none() && Some(*label as u32) != end);
    let unknown = unknown.map(|(_, (label, _))| UnknownLabel {
        label: label.to_owned(),
        closest: closest(label, model_labels).map(str::to_owned),
    });
    Ok(GraphProperty {
        unknown: unknown.collect(),
        compiled: CompiledProperty {
            classes,
            dfa,
            violated_when: ViolatedWhen::Accepted,
            warnings: Vec::new(),
            unknown: Vec::new(),
        },
    })
}

fn no_end(end_label: &str, labels: &Labels) -> GraphPropertyError {
    const SHOWN: usize = 10;
    let mut existing: Vec<String> = labels.iter().take(SHOWN).map(|label| format!("`{label}`")).collect();
    if labels.is_empty() {
        existing.push("none".to_owned());
    }
    if labels.len() > SHOWN {
        existing.push(format!("and {} more", labels.len() - SHOWN));
    }
    GraphPropertyError::NoEnd { end_label: end_label.to_owned(), existing: existing.join(", ") }
}

#[cfg(test)]
mod tests {
    use graph::{Dfa, GraphBuilder};

    use super::*;

    fn graph(edges: &[(u32, &str, u32)], initial: &[u32]) -> StateGraph {
        let mut builder = GraphBuilder::new();
        for (source, label, target) in edges {
            let label = builder.labels.intern(label);
            builder.edge(*source, label, *target);
        }
        let states = edges.iter().flat_map(|edge| [edge.0, edge.2]).max().map_or(1, |last| last + 1);
        builder.finish(states as usize, initial.to_vec()).unwrap()
    }

    fn model_labels() -> Labels {
        let mut labels = Labels::new();
        ["a", "b", "c", "d", "END"].into_iter().for_each(|label| {
            labels.intern(label);
        });
        labels
    }

    fn forbidden(property: &CompiledProperty, word: &[&str]) -> bool {
        let labels = model_labels();
        let end = word.iter().fold(property.dfa.initial(), |state, label| match state {
            Dfa::DEAD => Dfa::DEAD,
            state => property.dfa.next(state, property.classes.of(labels.find(label).unwrap())),
        });
        end != Dfa::DEAD && property.dfa.accepts(end)
    }

    #[test]
    fn what_ends_before_the_end_label_is_forbidden() {
        // (a b)* a, or anything at all between c and d.
        let graph = graph(
            &[(0, "a", 1), (1, "b", 0), (1, "END", 2), (3, "c", 4), (4, "a", 4), (4, "b", 4), (4, "d", 1)],
            &[0, 3],
        );
        let property = from_graph(&graph, Some("END"), &model_labels()).unwrap();
        assert!(property.unknown.is_empty());
        // a, b, c, d each, and END, which the property uses up.
        assert_eq!(property.compiled.classes.count(), 5);
        let forbidden = |word: &[&str]| forbidden(&property.compiled, word);
        assert!(forbidden(&["a"]) && forbidden(&["a", "b", "a"]) && forbidden(&["c", "b", "a", "d"]));
        assert!(!forbidden(&[]) && !forbidden(&["a", "b"]) && !forbidden(&["a", "END"]));
        assert!(forbidden(&["c", "d", "b", "a"]));
    }

    #[test]
    fn a_missing_end_label_is_an_error_that_lists_the_labels() {
        let error =
            from_graph(&graph(&[(0, "a", 1), (1, "b", 0)], &[0]), Some("END"), &model_labels()).unwrap_err();
        assert_eq!(error.to_string(), "no edge of the property is labelled `END`; its labels are `a`, `b`");
    }

    #[test]
    fn labels_the_model_does_not_have_are_reported() {
        let graph = graph(&[(0, "A", 1), (1, "zzzzzzzz", 1), (1, "END", 0)], &[0]);
        let property = from_graph(&graph, Some("END"), &model_labels()).unwrap();
        let unknown: Vec<_> =
            property.unknown.iter().map(|u| (u.label.as_str(), u.closest.as_deref())).collect();
        assert_eq!(unknown, [("A", Some("a")), ("zzzzzzzz", None)]);
        assert_eq!(property.compiled.dfa.state_count(), 1);
    }
}
