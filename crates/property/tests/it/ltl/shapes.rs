//! How large the automata of well-known formulas are.

use property::buchi::{Automaton, Edge, Guard};

use super::support::{all_lassos, automaton, formula, holds};

/// Formulas over p and q with the states and edges of their automata. Where promises recur, one edge could be
/// spared for each accepting state by making a run pause there; but then cycles of a product would be longer
/// than those of the system.
const MINIMAL: [(&str, usize, usize); 13] = [
    ("true", 1, 1),
    ("false", 1, 0),
    ("p && !p", 1, 0),
    ("<>p", 2, 3),
    ("[]p", 1, 1),
    ("p U q", 2, 3),
    ("p V q", 2, 3),
    ("p W q", 2, 3),
    ("[]<>p", 2, 4),
    ("<>[]p", 2, 3),
    ("[](p -> <>q)", 2, 5),
    ("!([](p -> <>q))", 2, 3),
    ("[]<>p && []<>q", 3, 8),
];

#[test]
fn well_known_formulas_have_small_automata() {
    // One that is not minimal: two states would do.
    let fairness = ("[]<>p -> []<>q", 3, 7);
    for (text, states, edges) in MINIMAL.into_iter().chain([fairness]) {
        let automaton = automaton(&formula(text));
        assert_eq!((automaton.states(), automaton.edges().len()), (states, edges), "{text}");
    }
}

/// All automata over p and q with so many states: for each pair of states any set of the four letters.
fn all_automata(states: u32) -> impl Iterator<Item = Automaton> {
    let pairs = states * states;
    (0..1_u64 << (4 * pairs + states)).map(move |number| {
        let accepting = (0..states).map(|state| number >> (4 * pairs + state) & 1 == 1).collect();
        let edges = (0..4 * pairs).filter(|bit| number >> bit & 1 == 1).map(|bit| {
            let (pair, letter) = (bit / 4, u64::from(bit % 4));
            let guard = Guard { positive: letter, negative: 3 & !letter };
            Edge { from: pair / states, to: pair % states, guard }
        });
        Automaton::new(0, accepting, edges.collect()).expect("states that exist")
    })
}

#[test]
fn no_automaton_with_fewer_states_accepts_the_same_words() {
    let words = all_lassos(3, 2);
    for states in [1, 2] {
        let formulas: Vec<_> = MINIMAL.iter().filter(|known| known.1 == states as usize + 1).collect();
        assert!(!formulas.is_empty());
        let meanings: Vec<Vec<bool>> = formulas
            .iter()
            .map(|(text, ..)| words.iter().map(|word| holds(&formula(text), word)).collect())
            .collect();
        for automaton in all_automata(states) {
            for (known, meaning) in formulas.iter().zip(&meanings) {
                let same = words.iter().zip(meaning).all(|(word, holds)| automaton.accepts(word) == *holds);
                assert!(!same, "{} has {automaton:?}", known.0);
            }
        }
    }
}
