//! The whole way from text to automaton against the definition: random formulas are written out in
//! both spellings with as few parentheses as the precedences allow, and every word up to length five
//! is matched by trying all ways to cut it.

use graph::{Dfa, Labels, ViolatedWhen};
use property::{CompiledProperty, MAX_STATES, Spelling, parse};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// The labels of the model and, for each spelling, ways to write a test that only it satisfies.
const LABELS: [&str; 3] = ["SEND !1", "loss(2)|recv", "i"];
const MCL: [[&str; 3]; 3] = [
    ["\"SEND !1\"", "{ SEND !1 }", "'SEND .*'"],
    ["\"loss(2)|recv\"", "'loss(2)|recv'", "'loss([0-9])|.*'"],
    ["tau", "\"i\"", "'i'"],
];
const MCF: [[&str; 3]; 3] =
    [["!(loss(2)|recv || tau)"; 3], ["loss(2)|recv", "recv|loss( 2 )", "recv | loss(2)"], ["tau"; 3]];
const LONGEST: usize = 5;

#[derive(Clone, Debug)]
enum Action {
    True,
    False,
    Label(usize, usize),
    Not(Box<Action>),
    And(Box<Action>, Box<Action>),
    Or(Box<Action>, Box<Action>),
    Implies(Box<Action>, Box<Action>),
    Equivalent(Box<Action>, Box<Action>),
}

#[derive(Clone, Debug)]
enum Trace {
    Nil,
    Action(Action),
    Then(Box<Trace>, Box<Trace>),
    Either(Box<Trace>, Box<Trace>),
    Star(Box<Trace>),
    Plus(Box<Trace>),
    Optional(Box<Trace>),
}

fn action() -> impl Strategy<Value = Action> {
    let leaf = prop_oneof![
        2 => Just(Action::True),
        1 => Just(Action::False),
        8 => (0..3usize, 0..3usize).prop_map(|(label, way)| Action::Label(label, way)),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        let pair = (inner.clone(), inner.clone()).prop_map(|(a, b)| (Box::new(a), Box::new(b)));
        prop_oneof![
            inner.prop_map(|a| Action::Not(Box::new(a))),
            pair.clone().prop_map(|(a, b)| Action::And(a, b)),
            pair.clone().prop_map(|(a, b)| Action::Or(a, b)),
            pair.clone().prop_map(|(a, b)| Action::Implies(a, b)),
            pair.prop_map(|(a, b)| Action::Equivalent(a, b)),
        ]
    })
}

fn trace() -> impl Strategy<Value = Trace> {
    let leaf = prop_oneof![1 => Just(Trace::Nil), 8 => action().prop_map(Trace::Action)];
    leaf.prop_recursive(4, 12, 2, |inner| {
        let pair = (inner.clone(), inner.clone()).prop_map(|(a, b)| (Box::new(a), Box::new(b)));
        let one = inner.prop_map(Box::new);
        prop_oneof![
            3 => pair.clone().prop_map(|(a, b)| Trace::Then(a, b)),
            2 => pair.prop_map(|(a, b)| Trace::Either(a, b)),
            2 => one.clone().prop_map(Trace::Star),
            1 => one.clone().prop_map(Trace::Plus),
            1 => one.prop_map(Trace::Optional),
        ]
    })
}

/// Text and how tightly its outermost operator binds.
type Written = (String, u8);

fn at_least((text, binds): Written, least: u8) -> String {
    if binds < least { format!("({text})") } else { text }
}

fn write_action(action: &Action, spelling: Spelling) -> Written {
    let write = |action: &Action, least| at_least(write_action(action, spelling), least);
    let mcl = spelling == Spelling::Mcl;
    let pick = |mcl_sign, mcf_sign| if mcl { mcl_sign } else { mcf_sign };
    match action {
        Action::True => ("true".to_owned(), 9),
        Action::False => ("false".to_owned(), 9),
        Action::Label(label, way) if mcl => (MCL[*label][*way].to_owned(), 9),
        // The first one is a negation.
        Action::Label(label, way) => (MCF[*label][*way].to_owned(), if *label == 0 { 8 } else { 9 }),
        Action::Not(inner) => (format!("{}{}", pick("not ", "!"), write(inner, 8)), 8),
        Action::And(a, b) => (format!("{} {} {}", write(a, 7), pick("and", "&&"), write(b, 7)), 7),
        Action::Or(a, b) => (format!("{} {} {}", write(a, 6), pick("or", "||"), write(b, 6)), 6),
        Action::Implies(a, b) => (format!("{} {} {}", write(a, 6), pick("implies", "=>"), write(b, 5)), 5),
        Action::Equivalent(a, b) if mcl => (format!("{} equ {}", write(a, 4), write(b, 4)), 4),
        // mCRL2 has no equivalence.
        Action::Equivalent(a, b) => (format!("({} => {1}) && ({1} => {0})", write(a, 6), write(b, 6)), 7),
    }
}

fn write_trace(trace: &Trace, spelling: Spelling) -> Written {
    let write = |trace: &Trace, least| at_least(write_trace(trace, spelling), least);
    let choice = if spelling == Spelling::Mcl { "|" } else { "+" };
    match trace {
        Trace::Nil => ("nil".to_owned(), 9),
        Trace::Action(action) => write_action(action, spelling),
        Trace::Then(a, b) => (format!("{}.{}", write(a, 2), write(b, 2)), 2),
        Trace::Either(a, b) => (format!("{} {choice} {}", write(a, 1), write(b, 1)), 1),
        Trace::Star(inner) => (format!("{}*", write(inner, 3)), 3),
        Trace::Plus(inner) => (format!("{}+", write(inner, 3)), 3),
        Trace::Optional(inner) if spelling == Spelling::Mcl => (format!("{}?", write(inner, 3)), 3),
        Trace::Optional(inner) => (format!("{} + nil", write(inner, 1)), 1),
    }
}

fn holds(action: &Action, label: usize) -> bool {
    match action {
        Action::True => true,
        Action::False => false,
        Action::Label(expected, _) => *expected == label,
        Action::Not(inner) => !holds(inner, label),
        Action::And(a, b) => holds(a, label) && holds(b, label),
        Action::Or(a, b) => holds(a, label) || holds(b, label),
        Action::Implies(a, b) => !holds(a, label) || holds(b, label),
        Action::Equivalent(a, b) => holds(a, label) == holds(b, label),
    }
}

fn matches(trace: &Trace, word: &[usize]) -> bool {
    match trace {
        Trace::Nil => word.is_empty(),
        Trace::Action(action) => word.len() == 1 && holds(action, word[0]),
        Trace::Then(a, b) => (0..=word.len()).any(|cut| matches(a, &word[..cut]) && matches(b, &word[cut..])),
        Trace::Either(a, b) => matches(a, word) || matches(b, word),
        Trace::Star(inner) => {
            word.is_empty()
                || (1..=word.len()).any(|cut| matches(inner, &word[..cut]) && matches(trace, &word[cut..]))
        }
        Trace::Plus(inner) => {
            matches(inner, word)
                || (1..word.len()).any(|cut| matches(inner, &word[..cut]) && matches(trace, &word[cut..]))
        }
        Trace::Optional(inner) => word.is_empty() || matches(inner, word),
    }
}

fn words() -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    let mut start = 0;
    for _ in 0..LONGEST {
        let end = all.len();
        for at in start..end {
            for label in 0..LABELS.len() {
                all.push([all[at].as_slice(), &[label]].concat());
            }
        }
        start = end;
    }
    all
}

fn labels() -> Labels {
    let mut labels = Labels::new();
    for label in LABELS {
        labels.intern(label);
    }
    labels
}

fn accepted(property: &CompiledProperty, word: &[usize]) -> bool {
    let end = word.iter().fold(property.dfa.initial(), |state, label| match state {
        Dfa::DEAD => Dfa::DEAD,
        state => property.dfa.next(state, property.classes.of(*label as u32)),
    });
    end != Dfa::DEAD && property.dfa.accepts(end)
}

fn compile(text: &str, spelling: Spelling, final_label: Option<&str>) -> CompiledProperty {
    let formula = parse(text, spelling).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    formula.automaton(&labels(), final_label, MAX_STATES).expect("a small automaton")
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 500,
        rng_seed: RngSeed::Fixed(testkit::seed()),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_automaton_reads_what_the_formula_forbids(trace in trace()) {
        let mcl = format!("[{}] false", write_trace(&trace, Spelling::Mcl).0);
        let mcf = format!("[{}] false", write_trace(&trace, Spelling::Mcf).0);
        let properties =
            [compile(&mcl, Spelling::Mcl, Some("i")), compile(&mcf, Spelling::Mcf, None)];
        for word in words() {
            let expected = matches(&trace, &word);
            for (property, text) in properties.iter().zip([&mcl, &mcf]) {
                prop_assert_eq!(accepted(property, &word), expected, "{:?} in {}", word, text);
            }
        }
    }

    #[test]
    fn deadlocks_behind_the_final_label_are_none(trace in trace()) {
        let text = format!("[{}] <true> true", write_trace(&trace, Spelling::Mcl).0);
        let property = compile(&text, Spelling::Mcl, Some(LABELS[1]));
        prop_assert_eq!(property.violated_when, ViolatedWhen::AcceptedAndStuck);
        for word in words() {
            let expected = matches(&trace, &word) && word.last() != Some(&1);
            prop_assert_eq!(accepted(&property, &word), expected, "{:?} in {}", word, text);
        }
    }

    #[test]
    fn conjunctions_and_boxes_behind_boxes(one in trace(), two in trace()) {
        let [a, b] = [&one, &two].map(|trace| write_trace(trace, Spelling::Mcl).0);
        let both = compile(&format!("[{a}] false and not <{b}> true"), Spelling::Mcl, None);
        let nested = compile(&format!("[{a}] [{b}] false"), Spelling::Mcl, None);
        let either = Trace::Either(Box::new(one.clone()), Box::new(two.clone()));
        let then = Trace::Then(Box::new(one), Box::new(two));
        for word in words() {
            prop_assert_eq!(accepted(&both, &word), matches(&either, &word), "{:?}: {} {}", word, a, b);
            prop_assert_eq!(accepted(&nested, &word), matches(&then, &word), "{:?}: {} {}", word, a, b);
        }
    }
}
