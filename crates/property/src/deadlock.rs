//! Deadlocks as a property: a state without edges, unless the trace that led to it ended well.
//!
//! Whether a state has edges is for the product to see. The automaton says which traces are bad if
//! they end: all of them, or all that do not end with the label that announces termination (`exit`
//! in LOTOS, for instance).

use graph::{Dfa, LabelClasses, Labels, ViolatedWhen};

use crate::CompiledProperty;

/// No trace may end in a state without edges, except behind `final_label`.
pub fn deadlock(labels: &Labels, final_label: Option<&str>) -> CompiledProperty {
    let last = final_label.and_then(|label| labels.find(label));
    let classes = LabelClasses::by_key((0..labels.len() as u32).map(|label| Some(label) == last));
    let anything = Dfa::new(0, vec![true], classes.count(), vec![0; classes.count() as usize]);
    let dfa = match last {
        Some(label) => unless_finished(&anything, classes.of(label)),
        None => anything,
    };
    CompiledProperty {
        classes,
        dfa,
        violated_when: ViolatedWhen::AcceptedAndStuck,
        warnings: Vec::new(),
        unknown: Vec::new(),
    }
}

/// The words of `dfa` that do not end with the letter `last`.
pub(crate) fn unless_finished(dfa: &Dfa, last: u32) -> Dfa {
    let classes = dfa.class_count();
    // Twice every state: before and behind the last label.
    let mut accepting = Vec::with_capacity(dfa.state_count() * 2);
    let mut table = Vec::with_capacity(dfa.state_count() * 2 * classes as usize);
    for state in 0..dfa.state_count() as u32 {
        for finished in [false, true] {
            accepting.push(dfa.accepts(state) && !finished);
            table.extend((0..classes).map(|class| match dfa.next(state, class) {
                Dfa::DEAD => Dfa::DEAD,
                next => next * 2 + u32::from(class == last),
            }));
        }
    }
    Dfa::new(dfa.initial() * 2, accepting, classes, table).trim_and_minimise()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(texts: &[&str]) -> Labels {
        let mut labels = Labels::new();
        texts.iter().for_each(|text| {
            labels.intern(text);
        });
        labels
    }

    #[test]
    fn without_a_final_label_every_end_is_bad() {
        let property = deadlock(&labels(&["a", "exit"]), None);
        assert_eq!((property.dfa.state_count(), property.classes.count()), (1, 1));
        assert!(property.dfa.accepts(property.dfa.initial()));
        assert_eq!(property.dfa.next(0, 0), 0);
        assert_eq!(property.violated_when, ViolatedWhen::AcceptedAndStuck);
        // So it is where the final label never occurs, and where there are no labels at all.
        assert_eq!(deadlock(&labels(&["a", "b"]), Some("exit")).dfa, property.dfa);
        assert!(deadlock(&labels(&[]), Some("exit")).dfa.accepts(0));
    }

    #[test]
    fn an_end_behind_the_final_label_is_good() {
        let property = deadlock(&labels(&["a", "exit", "b"]), Some("exit"));
        let (dfa, classes) = (&property.dfa, &property.classes);
        assert_eq!((dfa.state_count(), classes.count()), (2, 2));
        let read = |word: &[u32]| word.iter().fold(dfa.initial(), |s, label| dfa.next(s, classes.of(*label)));
        for (word, bad) in [(&[][..], true), (&[0], true), (&[1], false), (&[1, 2], true), (&[2, 1], false)] {
            assert_eq!(dfa.accepts(read(word)), bad, "{word:?}");
        }
    }
}
