//! Formulas with random damage: whatever the text is, parsing ends without a panic, and every
//! diagnostic points into the text.

use graph::Labels;
use property::{Spelling, parse};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const SEEDS: [&str; 8] = [
    "([\n    true* . 'EXEC1' .\n    true* . 'EXEC2' . \n    true*\n] false\n)",
    "(* c (* d *) *) [not 'A'* | \"B !1\"+ . {SEND !\"x\" ?any ...}?] <true> true and true",
    r"['\(A\|B\)\{2,3\}[^]a-z[:digit:]]\+$'] ['^.*'] not <nil . 'A' implies 'B' equ tau> true",
    "mu X . <true> X or macro 'ü' [ 'é'{3} ] @",
    "[true* . !(a(1,[2, 3])|b)* . (c || d => e)+ + nil] false && [f] <true> true % ü",
    "form [forall n: Nat. val(n > 1) => a(n)@2] false;",
    "!<a.b> true",
    "",
];
const PIECES: [&str; 24] = [
    "(", ")", "[", "]", "<", ">", "{", "}", "'", "\"", "\\", "(*", "*)", "|", "||", "+", "*", ".", "!", "%",
    "ü", "not ", " and ", "\n",
];

#[derive(Clone, Debug)]
enum Damage {
    Insert(usize, usize),
    Delete(usize, usize),
    Copy(usize, usize, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        (any::<usize>(), 0..PIECES.len()).prop_map(|(at, piece)| Damage::Insert(at, piece)),
        (any::<usize>(), 1..9usize).prop_map(|(at, length)| Damage::Delete(at, length)),
        (any::<usize>(), 1..9usize, any::<usize>()).prop_map(|(at, length, to)| Damage::Copy(at, length, to)),
    ]
}

fn apply(text: &str, damage: &[Damage]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for damage in damage {
        let length = chars.len();
        let place = |at: usize| at % (length + 1);
        match *damage {
            Damage::Insert(at, piece) => {
                chars.splice(place(at)..place(at), PIECES[piece].chars());
            }
            Damage::Delete(at, count) => {
                chars.drain(place(at)..(place(at) + count).min(length));
            }
            Damage::Copy(at, count, to) => {
                let copied = chars[place(at)..(place(at) + count).min(length)].to_vec();
                chars.splice(place(to)..place(to), copied);
            }
        }
    }
    chars.into_iter().collect()
}

fn check(text: &str) {
    let mut labels = Labels::new();
    for label in ["A", "B !1", "SEND !\"x\" !2", "a(1,[2,3])|b", "i", ""] {
        labels.intern(label);
    }
    for spelling in [Spelling::Mcl, Spelling::Mcf] {
        let diagnostics = match parse(text, spelling) {
            Ok(formula) => match formula.automaton(&labels, Some("A"), 10_000) {
                Ok(property) => property.warnings,
                Err(_) => formula.warnings,
            },
            Err(errors) => {
                assert!(!errors.is_empty());
                errors
            }
        };
        for diagnostic in diagnostics {
            let span = diagnostic.span;
            assert!(span.start <= span.end && text.get(span.start..span.end).is_some(), "{diagnostic:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 5000,
        rng_seed: RngSeed::Fixed(testkit::seed()),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn damaged_formulas(seed in 0..SEEDS.len(), damage in vec(damage(), 0..8)) {
        check(&apply(SEEDS[seed], &damage));
    }

    #[test]
    fn any_text(text in "\\PC{0,40}") {
        check(&text);
    }

    #[test]
    fn any_pieces(pieces in vec(0..PIECES.len(), 0..40)) {
        check(&pieces.into_iter().map(|piece| PIECES[piece]).collect::<String>());
    }
}
