//! What the tests of temporal formulas share: a reader of SPIN's spelling, random formulas, small words.

use property::buchi::{Automaton, Guard, Lasso, Limits, translate};
use property::ltl::{Binary, Formula, Unary};
use testkit::random::Random;

/// Reads a formula whose atoms are lower-case names and in which 1 is true. Binary operators bind from weakest to strongest:
/// `->` and `<->`, `||`, `&&`, then `U`, `V` and `W`.
pub(crate) fn formula(text: &str) -> Formula<String> {
    read(text, false)
}

/// The same, with `p W q` read as `q V (p || q)`, which means the same and which all tools know.
pub(crate) fn formula_without_weak_until(text: &str) -> Formula<String> {
    read(text, true)
}

fn read(text: &str, expand_weak_until: bool) -> Formula<String> {
    let mut reader = Reader { text, rest: text, expand_weak_until };
    let formula = reader.binary(0);
    assert!(reader.rest.trim().is_empty(), "`{}` is left of {text}", reader.rest);
    formula
}

struct Reader<'t> {
    text: &'t str,
    rest: &'t str,
    expand_weak_until: bool,
}

const BINARY: [&[(&str, Binary)]; 4] = [
    &[("<->", Binary::Equivalent), ("->", Binary::Implies)],
    &[("||", Binary::Or)],
    &[("&&", Binary::And)],
    &[("U", Binary::Until), ("V", Binary::Release), ("W", Binary::WeakUntil)],
];

impl Reader<'_> {
    fn takes(&mut self, sign: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn binary(&mut self, level: usize) -> Formula<String> {
        let Some(operators) = BINARY.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1);
        while let Some((_, operator)) = operators.iter().find(|(sign, _)| self.takes(sign)) {
            let right = self.binary(level + 1);
            left = if self.expand_weak_until && *operator == Binary::WeakUntil {
                Formula::binary(Binary::Release, right.clone(), Formula::binary(Binary::Or, left, right))
            } else {
                Formula::binary(*operator, left, right)
            };
        }
        left
    }

    fn unary(&mut self) -> Formula<String> {
        let operators =
            [("!", Unary::Not), ("[]", Unary::Always), ("<>", Unary::Eventually), ("X", Unary::Next)];
        for (sign, operator) in operators {
            if self.takes(sign) {
                return Formula::unary(operator, self.unary());
            }
        }
        if self.takes("1") {
            return Formula::constant(true);
        }
        if self.takes("(") {
            let inner = self.binary(0);
            assert!(self.takes(")"), "`)` is missing in {}", self.text);
            return inner;
        }
        let rest = self.rest.trim_start();
        let end = rest.find(|sign: char| !sign.is_ascii_lowercase()).unwrap_or(rest.len());
        let (name, rest) = rest.split_at(end);
        assert!(!name.is_empty(), "an atom is missing in {} before `{rest}`", self.text);
        self.rest = rest;
        match name {
            "true" => Formula::constant(true),
            "false" => Formula::constant(false),
            _ => Formula::atom(name.to_owned()),
        }
    }
}

/// A formula with so many operators over the first few of p, q, r, ...
pub(crate) fn random_formula(random: &mut Random, operators: u32, atoms: u32, next: bool) -> Formula<String> {
    if operators == 0 {
        if random.percent(4) {
            return Formula::constant(random.percent(50));
        }
        return Formula::atom(char::from(b'p' + random.below(atoms) as u8).to_string());
    }
    let unary = [Unary::Not, Unary::Eventually, Unary::Always, Unary::Next];
    if random.percent(45) {
        let operator = unary[random.below(if next { 4 } else { 3 }) as usize];
        return Formula::unary(operator, random_formula(random, operators - 1, atoms, next));
    }
    let binary = [
        Binary::And,
        Binary::Or,
        Binary::Until,
        Binary::Release,
        Binary::And,
        Binary::Or,
        Binary::Until,
        Binary::WeakUntil,
        Binary::Implies,
        Binary::Equivalent,
    ];
    let operator = binary[random.below(binary.len() as u32) as usize];
    let left = random.below(operators);
    let left_formula = random_formula(random, left, atoms, next);
    Formula::binary(operator, left_formula, random_formula(random, operators - 1 - left, atoms, next))
}

/// All words of up to so many letters over so many atoms.
pub(crate) fn all_lassos(longest: usize, atoms: u32) -> Vec<Lasso> {
    let mut lassos = Vec::new();
    for length in 1..=longest {
        for number in 0..1_u64 << (atoms as usize * length) {
            let letter = |at: usize| number >> (atoms as usize * at) & ((1 << atoms) - 1);
            let letters: Vec<u64> = (0..length).map(letter).collect();
            lassos.extend((0..length).map(|loop_start| Lasso { letters: letters.clone(), loop_start }));
        }
    }
    lassos
}

pub(crate) fn random_lasso(random: &mut Random, longest: u32, atoms: u32) -> Lasso {
    let length = random.between(1, longest);
    // Letters that come again are what makes words interesting.
    let mut letters = vec![u64::from(random.below(1 << atoms))];
    for _ in 1..length {
        let last = letters[letters.len() - 1];
        letters.push(match random.below(3) {
            0 => last,
            1 => last ^ (1 << random.below(atoms)),
            _ => u64::from(random.below(1 << atoms)),
        });
    }
    Lasso { letters, loop_start: random.below(length) as usize }
}

/// What a formula over p, q, ... says of a word whose letters have a bit for each of these names.
pub(crate) fn holds(formula: &Formula<String>, word: &Lasso) -> bool {
    formula.holds_on(word.letters.len(), word.loop_start, |atom, at| {
        word.letters[at] >> (atom.as_bytes()[0] - b'p') & 1 == 1
    })
}

/// The automaton of a formula, over letters that have a bit for each of p, q, ...
pub(crate) fn automaton(formula: &Formula<String>) -> Automaton {
    let translation =
        translate(formula, Limits::default()).unwrap_or_else(|error| panic!("{formula}: {error}"));
    let bits = |numbers: u64| {
        let names = translation.atoms.iter().enumerate().filter(|(number, _)| numbers >> number & 1 == 1);
        names.fold(0, |bits, (_, name)| bits | 1 << (name.as_bytes()[0] - b'p'))
    };
    let automaton = &translation.automaton;
    let edges = automaton.edges().iter().map(|edge| property::buchi::Edge {
        guard: Guard { positive: bits(edge.guard.positive), negative: bits(edge.guard.negative) },
        ..*edge
    });
    let accepting = (0..automaton.states() as u32).map(|state| automaton.is_accepting(state)).collect();
    Automaton::new(automaton.initial(), accepting, edges.collect()).expect("the same states")
}
