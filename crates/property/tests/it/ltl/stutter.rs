//! Which formulas cannot tell a word from one with letters repeated.

use property::buchi::{Lasso, Limits, is_stutter_invariant};
use property::ltl::Formula;
use testkit::random::for_random_inputs;

use super::support::{all_lassos, formula, holds, random_formula};

fn invariant(formula: &Formula<String>) -> bool {
    is_stutter_invariant(formula, Limits::default()).expect("a small formula")
}

#[test]
fn well_known_formulas() {
    let cases = [
        ("p U (q && <>r)", true),
        ("X p", false),
        ("[](p -> X q)", false),
        ("<>(p && X q)", false),
        ("<>(p && X !p)", true),
        ("X []<>p", true),
        ("[]<>(p && X q)", false),
        ("<>(!p && X p) || p || []!p", true),
        ("(X p U X q) || !X (p U q)", true),
        ("X p -> X p", true),
    ];
    for (text, expected) in cases {
        assert_eq!(invariant(&formula(text)), expected, "{text}");
    }
}

/// The word with the letter at a position twice.
fn repeated(word: &Lasso, at: usize) -> Lasso {
    let mut letters = word.letters.clone();
    letters.insert(at, letters[at]);
    Lasso { letters, loop_start: word.loop_start + usize::from(at < word.loop_start) }
}

#[test]
fn a_difference_is_found_if_and_only_if_there_is_one() {
    let words = all_lassos(4, 2);
    let (mut differing, mut invariants) = (0, 0);
    for_random_inputs(1_000, |random| {
        let operators = random.between(1, 4);
        let formula = random_formula(random, operators, 2, true);
        let difference = words.iter().any(|word| {
            let meaning = holds(&formula, word);
            (0..word.letters.len()).any(|at| holds(&formula, &repeated(word, at)) != meaning)
        });
        assert_eq!(invariant(&formula), !difference, "{formula}");
        if difference { differing += 1 } else { invariants += 1 }
    });
    println!("{differing} formulas tell the difference, {invariants} do not");
}
