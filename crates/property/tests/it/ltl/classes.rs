//! What is told about states and automata from their shape, against what they accept.

use property::buchi::{Automaton, Edge, Guard, Lasso};
use testkit::random::{Random, for_random_inputs};

use super::support::{all_lassos, automaton, formula, holds, random_formula};

#[test]
fn well_known_formulas() {
    // Formula, every rejected word has a bad prefix, every accepted one a good prefix.
    let cases = [
        ("true", true, true),
        ("false", true, true),
        ("p", true, true),
        ("X p || q", true, true),
        ("[]p", true, false),
        ("p W q", true, false),
        ("p V q", true, false),
        ("[](p -> X q)", true, false),
        ("<>p", false, true),
        ("p U q", false, true),
        ("<>(p && X q)", false, true),
        ("[]<>p", false, false),
        ("<>[]p", false, false),
        ("[](p -> <>q)", false, false),
        ("<>p && []q", false, false),
    ];
    for (text, safety, guarantee) in cases {
        let automaton = automaton(&formula(text));
        assert_eq!(automaton.is_safety(), safety, "{text}");
        assert_eq!(automaton.is_guarantee(), guarantee, "{text}");
    }
}

#[test]
fn violations_of_safety_properties_settle() {
    for text in ["[]p", "p W q", "[](p -> X q)", "[](p -> (q W r))"] {
        assert!(automaton(&formula(text).negated()).is_guarantee(), "{text}");
    }
}

/// The first letters of a word, however often it has to go round its loop, and then another word.
fn prefix_then(word: &Lasso, count: usize, then: &Lasso) -> Lasso {
    let period = word.letters.len() - word.loop_start;
    let letter = |at: usize| {
        let turns = at.saturating_sub(word.loop_start) / period;
        word.letters[at - turns * period]
    };
    let letters = (0..count).map(letter).chain(then.letters.iter().copied()).collect();
    Lasso { letters, loop_start: count + then.loop_start }
}

#[test]
fn prefixes_decide_where_it_is_said_that_they_do() {
    let words = all_lassos(2, 2);
    let (mut safe, mut guaranteed) = (0, 0);
    for_random_inputs(600, |random| {
        let operators = random.between(1, 5);
        let formula = random_formula(random, operators, 2, true);
        let automaton = automaton(&formula);
        let decided = |word: &Lasso, value: bool| {
            (0..12).any(|count| {
                words.iter().all(|then| holds(&formula, &prefix_then(word, count, then)) == value)
            })
        };
        if automaton.is_safety() {
            safe += 1;
            let mut rejected = words.iter().filter(|word| !holds(&formula, word));
            assert!(rejected.all(|word| decided(word, false)), "{formula} is no safety property");
        }
        if automaton.is_guarantee() {
            guaranteed += 1;
            let mut accepted = words.iter().filter(|word| holds(&formula, word));
            assert!(accepted.all(|word| decided(word, true)), "{formula} is no guarantee property");
        }
    });
    println!("{safe} safety properties, {guaranteed} guarantees");
}

/// An automaton with a few states, over two atoms.
fn random_automaton(random: &mut Random) -> Automaton {
    let states = random.between(1, 5);
    let accepting = (0..states).map(|_| random.percent(50)).collect();
    let edges = (0..random.below(3 * states + 1)).map(|_| {
        let positive = u64::from(random.below(4) & random.below(4));
        let negative = u64::from(random.below(4) & random.below(4)) & !positive;
        Edge { from: random.below(states), to: random.below(states), guard: Guard { positive, negative } }
    });
    let edges = edges.collect();
    Automaton::new(random.below(states), accepting, edges).expect("states that exist")
}

fn started_at(automaton: &Automaton, state: u32) -> Automaton {
    let accepting = (0..automaton.states() as u32).map(|state| automaton.is_accepting(state)).collect();
    Automaton::new(state, accepting, automaton.edges().to_vec()).expect("the same states")
}

/// Whether an accepting state on a cycle can be reached, by the transitive closure.
fn can_accept(automaton: &Automaton, state: usize) -> bool {
    let states = automaton.states();
    let mut reaches = vec![vec![false; states]; states];
    for edge in automaton.edges() {
        reaches[edge.from as usize][edge.to as usize] = true;
    }
    for middle in 0..states {
        for from in 0..states {
            for to in 0..states {
                reaches[from][to] |= reaches[from][middle] && reaches[middle][to];
            }
        }
    }
    (0..states).any(|goal| {
        let cycle = automaton.is_accepting(goal as u32) && reaches[goal][goal];
        cycle && (goal == state || reaches[state][goal])
    })
}

#[test]
fn settled_states_accept_everything_and_dead_states_nothing() {
    let words = all_lassos(3, 2);
    let (mut settled_states, mut dead_states, mut undecided) = (0, 0, 0);
    for_random_inputs(1_500, |random| {
        let automaton = random_automaton(random);
        let (settled, dead) = (automaton.settled(), automaton.dead());
        for state in 0..automaton.states() {
            assert_eq!(dead[state], !can_accept(&automaton, state), "state {state} of {automaton:?}");
            let started = started_at(&automaton, state as u32);
            if settled[state] {
                assert!(words.iter().all(|word| started.accepts(word)), "state {state} of {automaton:?}");
                settled_states += 1;
            } else if dead[state] {
                assert!(!words.iter().any(|word| started.accepts(word)), "state {state} of {automaton:?}");
                dead_states += 1;
            } else {
                undecided += 1;
            }
        }
    });
    println!("{settled_states} settled, {dead_states} dead, {undecided} others");
}

#[test]
fn only_the_initial_state_of_an_automaton_is_ever_dead() {
    for_random_inputs(500, |random| {
        let operators = random.between(1, 10);
        let formula = random_formula(random, operators, 3, true);
        let automaton = automaton(&formula);
        let dead = automaton.dead();
        assert!(automaton.states() == 1 || !dead.contains(&true), "{formula}");
    });
}
