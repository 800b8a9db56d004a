//! Formulas that are too large end in an error, soon and without exhausting the stack.

use property::buchi::{Limits, MAX_ATOMS, MAX_DEPTH, MAX_SIZE, TranslationError, translate};
use property::ltl::{Binary, Formula, Unary};

fn refusal(formula: &Formula<usize>) -> TranslationError {
    translate(formula, Limits::default()).expect_err("too large")
}

fn all(operator: Binary, members: impl Iterator<Item = Formula<usize>>) -> Formula<usize> {
    // As a balanced tree, so that only its size is large.
    let mut members: Vec<Formula<usize>> = members.collect();
    while members.len() > 1 {
        let mut pairs = members.into_iter();
        let mut joined = Vec::new();
        while let Some(left) = pairs.next() {
            joined.push(match pairs.next() {
                Some(right) => Formula::binary(operator, left, right),
                None => left,
            });
        }
        members = joined;
    }
    members.remove(0)
}

fn recurring(atom: usize) -> Formula<usize> {
    Formula::unary(Unary::Always, Formula::unary(Unary::Eventually, Formula::atom(atom)))
}

#[test]
fn depth() {
    let nested = |depth| (1..depth).fold(Formula::atom(0), |inner, _| Formula::unary(Unary::Not, inner));
    assert_eq!(refusal(&nested(10_000)), TranslationError::TooDeep(10_000));
    assert_eq!(refusal(&nested(MAX_DEPTH + 1)), TranslationError::TooDeep(MAX_DEPTH + 1));
    assert!(translate(&nested(MAX_DEPTH), Limits::default()).is_ok());
}

#[test]
fn depth_alone_harms_nobody() {
    let mut formula = Formula::atom(0);
    for level in 0..300_000 {
        formula = match level % 3 {
            0 => Formula::unary(Unary::Next, formula),
            1 => Formula::binary(Binary::Until, formula, Formula::constant(false)),
            _ => Formula::unary(Unary::Not, formula),
        };
    }
    assert_eq!(formula.clone(), formula);
    assert!(formula.to_string().starts_with("!("));
    // Until false never holds.
    assert!(formula.holds_on(2, 0, |_, at| at == 0));
    assert_eq!(refusal(&formula), TranslationError::TooDeep(300_001));
}

#[test]
fn size_and_atoms() {
    let disjunction = |count, atoms| all(Binary::Or, (0..count).map(|number| Formula::atom(number % atoms)));
    let members = MAX_SIZE / 2 + 1;
    assert_eq!(refusal(&disjunction(members, 3)), TranslationError::TooLong(2 * members - 1));
    assert!(translate(&disjunction(members - 1, 3), Limits::default()).is_ok());
    assert_eq!(refusal(&disjunction(100, MAX_ATOMS + 1)), TranslationError::TooManyAtoms(MAX_ATOMS + 1));
    let most = translate(&disjunction(100, MAX_ATOMS), Limits::default()).expect("not too large");
    assert_eq!(most.atoms.len(), MAX_ATOMS);
    assert_eq!(most.automaton.edges().len(), MAX_ATOMS + 1);
}

#[test]
fn states_and_edges() {
    // Every subset of the members may be met at once, though few of these edges are left in the end.
    let all_recur = |count| all(Binary::And, (0..count).map(recurring));
    let small = translate(&all_recur(10), Limits::default()).expect("not too large");
    assert_eq!((small.automaton.states(), small.automaton.edges().len()), (11, 76));
    assert_eq!(refusal(&all_recur(40)), TranslationError::TooLarge);
    let limits = Limits { states: 8, ..Limits::default() };
    assert_eq!(translate(&all_recur(8), limits), Err(TranslationError::TooLarge));
    let next = |count| (0..count).fold(Formula::atom(0), |inner, _| Formula::unary(Unary::Next, inner));
    let chain = translate(&next(100), Limits::default()).expect("not too large");
    assert_eq!(chain.automaton.states(), 102);
    assert_eq!(refusal(&next(200)), TranslationError::TooLarge);
}

#[test]
fn formulas_at_the_limit_of_depth_need_little_stack() {
    let nested = |operators: &[Binary], first: usize| {
        (0..MAX_DEPTH - 2).fold(Formula::atom(first), |inner, level| {
            let operator = operators[level % operators.len()];
            let atom = Formula::atom(level % 3);
            // Left and right by turns, so that both sides grow deep.
            if level % 5 < 2 {
                Formula::binary(operator, inner, atom)
            } else {
                Formula::binary(operator, atom, inner)
            }
        })
    };
    let mixtures: [&[Binary]; 5] = [
        &[Binary::Until],
        &[Binary::Until, Binary::Release],
        &[Binary::And, Binary::Until, Binary::Or, Binary::Release],
        &[Binary::Equivalent],
        &[Binary::WeakUntil, Binary::Implies],
    ];
    for mixture in mixtures {
        for joining in [Binary::And, Binary::Or, Binary::Until, Binary::Equivalent] {
            let formula = Formula::binary(joining, nested(mixture, 1), nested(mixture, 2));
            assert_eq!(formula.depth(), MAX_DEPTH);
            let small = std::thread::Builder::new().stack_size(1 << 20);
            let small = small.spawn(move || translate(&formula, Limits::default())).expect("a thread");
            match small.join().expect("no overflow") {
                Ok(translation) => assert!(translation.automaton.states() < 200),
                Err(error) => assert_eq!(error, TranslationError::TooLarge),
            }
        }
    }
}
