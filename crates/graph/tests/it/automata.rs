//! The subset construction and Hopcroft's refinement against twins that go by the definitions: a
//! word is accepted if some path reads it; two states are equivalent if no word up to a length that
//! is long enough tells them apart.

use std::collections::{BTreeMap, BTreeSet};

use graph::{Dfa, LabelClasses, Nfa};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const CLASSES: u32 = 3;

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 1000,
        rng_seed: RngSeed::Fixed(testkit::seed()),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// States, initial, accepting, moves, silent moves.
type Plan = (u32, Vec<u32>, Vec<u32>, Vec<(u32, u32, u32)>, Vec<(u32, u32)>);

fn plan() -> impl Strategy<Value = Plan> {
    (1u32..6).prop_flat_map(|states| {
        (
            Just(states),
            vec(0..states, 0..3),
            vec(0..states, 0..3),
            vec((0..states, 0..CLASSES, 0..states), 0..12),
            vec((0..states, 0..states), 0..5),
        )
    })
}

fn nfa((states, initial, accepting, moves, silent): &Plan) -> Nfa {
    let mut nfa = Nfa::default();
    for _ in 0..*states {
        nfa.add_state();
    }
    nfa.initial.clone_from(initial);
    accepting.iter().for_each(|state| nfa.accepting[*state as usize] = true);
    for (source, class, target) in moves {
        nfa.moves[*source as usize].push((*class, *target));
    }
    for (source, target) in silent {
        nfa.silent[*source as usize].push(*target);
    }
    nfa
}

fn words(length: usize) -> Vec<Vec<u32>> {
    let mut all = vec![vec![]];
    let mut last = all.clone();
    for _ in 0..length {
        last = last
            .iter()
            .flat_map(|word| (0..CLASSES).map(move |letter| [word.as_slice(), &[letter]].concat()))
            .collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// Every way through the automaton, one step at a time.
fn naive_nfa_accepts(plan: &Plan, word: &[u32]) -> bool {
    let (_, initial, accepting, moves, silent) = plan;
    let close = |mut set: BTreeSet<u32>| {
        loop {
            let more: Vec<u32> = silent
                .iter()
                .filter(|(from, to)| set.contains(from) && !set.contains(to))
                .map(|m| m.1)
                .collect();
            if more.is_empty() {
                return set;
            }
            set.extend(more);
        }
    };
    let mut now = close(initial.iter().copied().collect());
    for letter in word {
        now = close(
            moves
                .iter()
                .filter(|(from, read, _)| now.contains(from) && read == letter)
                .map(|m| m.2)
                .collect(),
        );
    }
    accepting.iter().any(|state| now.contains(state))
}

fn dfa_accepts_from(dfa: &Dfa, start: u32, word: &[u32]) -> bool {
    let end = word.iter().fold(start, |state, letter| match state {
        Dfa::DEAD => Dfa::DEAD,
        state => dfa.next(state, *letter),
    });
    end != Dfa::DEAD && dfa.accepts(end)
}

/// Moore's refinement without any cleverness: how many states, DEAD aside, words can tell apart.
fn naive_minimal_size(dfa: &Dfa) -> usize {
    let mut reached = BTreeSet::from([dfa.initial()]);
    loop {
        let more: BTreeSet<u32> = reached
            .iter()
            .flat_map(|state| (0..CLASSES).map(|class| dfa.next(*state, class)))
            .filter(|state| *state != Dfa::DEAD && !reached.contains(state))
            .collect();
        if more.is_empty() {
            break;
        }
        reached.extend(more);
    }
    let dead = usize::MAX;
    let mut block: BTreeMap<u32, usize> =
        reached.iter().map(|s| (*s, usize::from(dfa.accepts(*s)))).collect();
    loop {
        let block_of = |state: u32| if state == Dfa::DEAD { dead } else { block[&state] };
        let mut keys = BTreeMap::new();
        let next: BTreeMap<u32, usize> = reached
            .iter()
            .map(|state| {
                let row: Vec<usize> = (0..CLASSES).map(|class| block_of(dfa.next(*state, class))).collect();
                let fresh = keys.len();
                (*state, *keys.entry((block[state], row)).or_insert(fresh))
            })
            .collect();
        let stable = keys.len() == block.values().collect::<BTreeSet<_>>().len();
        block = next;
        if stable {
            return keys.len();
        }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn determinising_and_minimising_keep_the_language(plan in plan()) {
        let dfa = nfa(&plan).determinise(CLASSES, 1000).unwrap();
        let small = dfa.clone().trim_and_minimise();
        for word in words(6) {
            let expected = naive_nfa_accepts(&plan, &word);
            prop_assert_eq!(dfa_accepts_from(&dfa, dfa.initial(), &word), expected, "{:?}", word);
            prop_assert_eq!(dfa_accepts_from(&small, small.initial(), &word), expected, "{:?}", word);
        }
    }

    #[test]
    fn no_state_is_superfluous(plan in plan()) {
        let small = nfa(&plan).determinise(CLASSES, 1000).unwrap().trim_and_minimise();
        prop_assert_eq!(small.state_count(), naive_minimal_size(&small));
        let empty = small.state_count() == 1 && !small.accepts(0);
        // Every state is told apart from every other and from DEAD by some word.
        let words = words(6);
        let languages: Vec<Vec<bool>> = (0..small.state_count() as u32)
            .map(|state| words.iter().map(|word| dfa_accepts_from(&small, state, word)).collect())
            .collect();
        if small.state_count() <= 6 {
            prop_assert_eq!(languages.iter().collect::<BTreeSet<_>>().len(), languages.len());
            prop_assert!(empty || languages.iter().all(|language| language.contains(&true)));
        }
    }

    /// The same automaton with its states renamed and its moves in another order.
    #[test]
    fn equal_languages_give_equal_automata(plan in plan(), rotate in 0u32..6) {
        let renamed = {
            let (states, initial, accepting, moves, silent) = &plan;
            let name = |state: &u32| (state + rotate) % states;
            let mut moves: Vec<_> = moves.iter().map(|(s, c, t)| (name(s), *c, name(t))).collect();
            moves.reverse();
            (
                *states,
                initial.iter().map(name).collect(),
                accepting.iter().map(name).collect(),
                moves,
                silent.iter().map(|(s, t)| (name(s), name(t))).collect(),
            )
        };
        let one = nfa(&plan).determinise(CLASSES, 1000).unwrap();
        let other = nfa(&renamed).determinise(CLASSES, 1000).unwrap();
        let small = one.trim_and_minimise();
        prop_assert_eq!(&small, &other.trim_and_minimise());
        prop_assert_eq!(&small.clone().trim_and_minimise(), &small);
    }

    /// The same on automata that have nothing to do with each other: two languages whose minimal
    /// automata have n and m states are equal if they agree on all words shorter than n + m.
    #[test]
    fn automata_differ_only_if_a_short_word_tells_them_apart(one in plan(), other in plan()) {
        let [one, other] = [one, other]
            .map(|plan| nfa(&plan).determinise(CLASSES, 1000).unwrap().trim_and_minimise());
        if one.state_count() + other.state_count() <= 7 {
            let same = words(6).iter().all(|word| {
                dfa_accepts_from(&one, one.initial(), word) == dfa_accepts_from(&other, other.initial(), word)
            });
            prop_assert_eq!(same, one == other);
        }
    }
}

#[test]
fn the_empty_language_is_one_state_without_moves() {
    let nothing = Dfa::new(0, vec![false], CLASSES, vec![Dfa::DEAD; CLASSES as usize]);
    let mut nfa = Nfa::default();
    assert_eq!(nfa.determinise(CLASSES, 10).unwrap().trim_and_minimise(), nothing);
    let state = nfa.add_state();
    nfa.initial.push(state);
    nfa.moves[state as usize].push((0, state));
    assert_eq!(nfa.determinise(CLASSES, 10).unwrap().trim_and_minimise(), nothing);
}

#[test]
fn an_alphabet_may_be_empty() {
    let mut nfa = Nfa::default();
    let state = nfa.add_state();
    nfa.initial.push(state);
    nfa.accepting[state as usize] = true;
    let dfa = nfa.determinise(0, 10).unwrap().trim_and_minimise();
    assert_eq!((dfa.state_count(), dfa.accepts(dfa.initial())), (1, true));
}

/// "The n-th letter from the end is a 0" needs two to the power n states.
#[test]
fn exponential_growth_stops_at_the_limit() {
    let mut nfa = Nfa::default();
    let first = nfa.add_state();
    nfa.initial.push(first);
    nfa.moves[first as usize].extend([(0, first), (1, first)]);
    let mut last = first;
    for depth in 0..40 {
        let next = nfa.add_state();
        nfa.moves[last as usize].push((0, next));
        if depth > 0 {
            nfa.moves[last as usize].push((1, next));
        }
        last = next;
    }
    nfa.accepting[last as usize] = true;
    let error = nfa.determinise(2, 5000).unwrap_err();
    assert!(error.states > 5000 && error.states < 6000, "{error}");
}

/// A cycle in which one state in ten accepts: ten states are left, and refinement takes many rounds.
#[test]
fn a_long_cycle_shrinks_to_its_period() {
    let states = 100_000;
    let table = (0..states).map(|state| (state + 1) % states).collect();
    let accepting = (0..states).map(|state| state % 10 == 0).collect();
    assert_eq!(Dfa::new(0, accepting, 1, table).trim_and_minimise().state_count(), 10);
}

#[test]
fn labels_with_equal_keys_are_one_class() {
    let classes = LabelClasses::by_key(["x", "y", "x", "z", "y"]);
    assert_eq!((0..5).map(|label| classes.of(label)).collect::<Vec<_>>(), [0, 1, 0, 2, 1]);
    assert_eq!((classes.count(), classes.representatives()), (3, vec![0, 1, 3]));
}
