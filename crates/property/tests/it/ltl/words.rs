//! The translation against the meaning of formulas: on all small words, and on random longer ones, the
//! automaton accepts exactly the words of which the formula holds.

use property::buchi::Lasso;
use testkit::random::for_random_inputs;

use super::support::{all_lassos, automaton, formula, holds, random_formula, random_lasso};

#[test]
fn all_words_of_up_to_four_letters_over_two_atoms() {
    let words = all_lassos(4, 2);
    assert_eq!(words.len(), 1252);
    for_random_inputs(3_000, |random| {
        let operators = random.between(1, 9);
        let formula = random_formula(random, operators, 2, true);
        let automaton = automaton(&formula);
        for word in &words {
            assert_eq!(automaton.accepts(word), holds(&formula, word), "{formula} on {word:?}");
        }
    });
}

#[test]
fn longer_words_over_three_atoms() {
    for_random_inputs(4_000, |random| {
        let operators = random.between(4, 14);
        let formula = random_formula(random, operators, 3, true);
        let automaton = automaton(&formula);
        for _ in 0..60 {
            let word = random_lasso(random, 9, 3);
            assert_eq!(automaton.accepts(&word), holds(&formula, &word), "{formula} on {word:?}");
        }
    });
}

#[test]
fn what_operators_mean() {
    // p holds at first, then q for two positions, then neither and both by turns.
    let word = Lasso { letters: vec![1, 2, 2, 0, 3], loop_start: 3 };
    let cases = [
        ("p U q", true),
        ("q U p", true),
        ("p && X !p", true),
        ("X (q U !q)", true),
        ("[] (p || q)", false),
        ("[]<> (p && q)", true),
        ("<>[] (p <-> q)", true),
        ("p V q", false),
        ("X (p V (q || !p))", true),
        ("X ((p && q) V q)", false),
        ("p W false", false),
        ("X X X ((!p && !q) W q)", true),
        ("X (q W false)", false),
        ("true W false", true),
        ("X X X X X X (p -> q)", true),
    ];
    for (text, expected) in cases {
        let formula = formula(text);
        assert_eq!(holds(&formula, &word), expected, "meaning of {text}");
        assert_eq!(automaton(&formula).accepts(&word), expected, "automaton of {text}");
    }
}

#[test]
fn a_formula_or_its_negation() {
    for_random_inputs(1_000, |random| {
        let operators = random.between(1, 10);
        let formula = random_formula(random, operators, 3, true);
        let (one, other) = (automaton(&formula), automaton(&formula.clone().negated()));
        for _ in 0..40 {
            let word = random_lasso(random, 8, 3);
            assert_ne!(one.accepts(&word), other.accepts(&word), "{formula} on {word:?}");
        }
    });
}

#[test]
fn what_is_written_reads_as_the_same_formula() {
    for_random_inputs(2_000, |random| {
        let operators = random.below(20);
        let written = random_formula(random, operators, 4, true);
        assert_eq!(formula(&written.to_string()), written);
    });
}
