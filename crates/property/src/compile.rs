//! A formula together with the labels of a graph: classes of labels and the smallest automaton.

use std::collections::BTreeMap;

use graph::{Dfa, LabelClasses, Labels, ViolatedWhen};
use source::Diagnostic;

use crate::compile_error::CompileError;
use crate::deadlock::unless_finished;
use crate::evaluate::Evaluator;
use crate::label_set::{LabelSet, classes};
use crate::{Formula, suggest, thompson};

/// How many states the automaton of a property may have before it is made as small as possible.
pub const MAX_STATES: usize = 1 << 18;
/// The most moves of the nondeterministic automaton: a quarter of a gibibyte.
const MAX_MOVES: usize = 1 << 25;

/// A property for the labels of one graph.
#[derive(Clone, Debug)]
pub struct CompiledProperty {
    pub classes: LabelClasses,
    pub dfa: Dfa,
    pub violated_when: ViolatedWhen,
    /// About the formula's text.
    pub warnings: Vec<Diagnostic>,
    /// Tests that no label of the graph satisfies.
    pub unknown: Vec<Diagnostic>,
}

impl Formula {
    /// The automaton of the traces that violate the formula.
    ///
    /// `final_label` is for formulas that are violated by deadlocks: a trace that ends with it has
    /// ended well.
    pub fn automaton(
        &self,
        labels: &Labels,
        final_label: Option<&str>,
        max_states: usize,
    ) -> Result<CompiledProperty, CompileError> {
        let mut evaluator = Evaluator::new(labels);
        // What counts is which labels satisfy a predicate, not how it is written.
        let mut numbers: BTreeMap<LabelSet, usize> = BTreeMap::new();
        let regular = self.regular.try_map(&mut |predicate| {
            let set = evaluator.predicate(predicate)?;
            let fresh = numbers.len();
            Ok::<_, CompileError>(*numbers.entry(set).or_insert(fresh))
        })?;
        let finals = final_label
            .and_then(|label| labels.find(label))
            .filter(|_| self.violated_when == ViolatedWhen::AcceptedAndStuck);
        let only_final = finals.map(|label| {
            let mut set = LabelSet::none(labels.len());
            set.insert(label);
            set
        });
        let classes = classes(labels.len(), numbers.keys().chain(&only_final));

        let mut uses = vec![0usize; numbers.len()];
        regular.for_each_atom(&mut |number| uses[*number] += 1);
        let letters = letters(&classes, labels, &numbers, &uses)?;
        let nfa = thompson::automaton(&regular, &letters);
        let mut dfa = nfa.determinise(classes.count(), max_states)?.trim_and_minimise();
        if let Some(label) = finals {
            dfa = unless_finished(&dfa, classes.of(label));
        }
        let unknown = suggest::unsatisfied(self, labels, &mut evaluator)?;
        let warnings = self.warnings.iter().chain(&unknown).cloned().collect();
        Ok(CompiledProperty { classes, dfa, violated_when: self.violated_when, warnings, unknown })
    }
}

/// The classes that satisfy each predicate. `uses` is how often each occurs: an automaton that would
/// have too many moves is not begun.
fn letters(
    classes: &LabelClasses,
    labels: &Labels,
    numbers: &BTreeMap<LabelSet, usize>,
    uses: &[usize],
) -> Result<Vec<Vec<u32>>, CompileError> {
    let representatives = classes.representatives();
    let mut of_each_class = LabelSet::none(labels.len());
    representatives.iter().for_each(|label| of_each_class.insert(*label));
    let moves: usize =
        numbers.iter().map(|(set, number)| set.count_common(&of_each_class) * uses[*number]).sum();
    if moves > MAX_MOVES {
        return Err(CompileError::TooManyMoves { classes: classes.count() });
    }
    let mut letters = vec![Vec::new(); numbers.len()];
    for (set, number) in numbers {
        let satisfied = (0..classes.count()).filter(|class| set.contains(representatives[*class as usize]));
        letters[*number] = satisfied.collect();
    }
    Ok(letters)
}
