//! Small mistakes that people make, and how likely they are, for whoever tries to take them back.

use serde::Serialize;

use crate::Binary;

/// A small mistake, by what takes it back; the likeliest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mistake {
    Operator,
    Negation,
    /// One larger or smaller, or with the other sign.
    NearConstant,
    Constant,
    Variable,
    /// One more or one less.
    Step,
    /// An operand left out, or two exchanged.
    Operand,
    Removal,
    /// One operand more.
    Term,
    Guard,
    /// A constant instead of a variable.
    Fixed,
    Target,
    Insertion,
}

impl Mistake {
    pub const ALL: [Self; 13] = [
        Self::Operator,
        Self::Negation,
        Self::NearConstant,
        Self::Constant,
        Self::Variable,
        Self::Step,
        Self::Operand,
        Self::Removal,
        Self::Term,
        Self::Guard,
        Self::Fixed,
        Self::Target,
        Self::Insertion,
    ];

    /// How unlikely it is, compared with others.
    pub fn cost(self) -> u32 {
        match self {
            Self::Operator => 1,
            Self::Negation | Self::NearConstant | Self::Variable => 2,
            Self::Step | Self::Operand => 3,
            Self::Constant | Self::Removal | Self::Term => 5,
            Self::Guard | Self::Fixed | Self::Target | Self::Insertion => 6,
        }
    }

    /// How far-fetched it is, in four classes: a slip, another word, more than that, or another statement.
    ///
    /// This is no function of [`Self::cost`], because both are asked for other things. Repairs add a cost to how far down the
    /// list of suspects a line is, and try the smallest sum first: every difference counts, and one too many is tried a
    /// little later. Diagnosis lets a whole class decide: statements for which a change of the smallest class is enough
    /// become causes, those of the next class are likely as well, and all others are not; pairs are tried up to a class
    /// only. Another variable, one operand more and a new assignment stand a class further away there than their costs say:
    /// so rankings were measured. With costs in place
    /// of classes, `Negation` (2) would leave `Step` (3) likely, but not `Removal` (5), which is as far from it as
    /// `Step` is here.
    pub fn distance(self) -> u32 {
        match (self, self.cost()) {
            (Self::Variable, _) => 1,
            (Self::Term, _) => 2,
            (Self::Insertion, _) => 3,
            (_, 0..=2) => 0,
            (_, 3..=5) => 1,
            _ => 2,
        }
    }
}

/// Operators that this one is often mistaken for, the likeliest first.
pub fn mistaken(operator: Binary) -> &'static [Binary] {
    use Binary as B;
    match operator {
        B::Less => &[B::LessEqual, B::Greater, B::GreaterEqual, B::NotEqual],
        B::LessEqual => &[B::Less, B::GreaterEqual, B::Greater, B::Equal],
        B::Greater => &[B::GreaterEqual, B::Less, B::LessEqual, B::NotEqual],
        B::GreaterEqual => &[B::Greater, B::LessEqual, B::Less, B::Equal],
        B::Equal => &[B::NotEqual, B::LessEqual, B::GreaterEqual, B::Less, B::Greater],
        B::NotEqual => &[B::Equal, B::Less, B::Greater],
        B::Add => &[B::Subtract],
        B::Subtract => &[B::Add],
        B::Multiply => &[B::Divide, B::Add],
        B::Divide => &[B::Multiply, B::Remainder],
        B::Remainder => &[B::Divide],
        B::ShiftLeft => &[B::ShiftRight],
        B::ShiftRight => &[B::ShiftLeft],
        B::And => &[B::Or],
        B::Or => &[B::And],
        B::Xor => &[],
    }
}

/// Those that it is seldom mistaken for: for whoever can afford to try them as well.
pub fn seldom_mistaken(operator: Binary) -> &'static [Binary] {
    use Binary as B;
    match operator {
        B::Less | B::Greater => &[B::Equal],
        B::LessEqual | B::GreaterEqual => &[B::NotEqual],
        B::NotEqual => &[B::LessEqual, B::GreaterEqual],
        B::Add => &[B::Multiply],
        B::And | B::Or => &[B::Xor],
        B::Xor => &[B::And, B::Or],
        B::Equal | B::Subtract | B::Multiply | B::Divide => &[],
        B::Remainder | B::ShiftLeft | B::ShiftRight => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_come_first() {
        assert!(Mistake::ALL.is_sorted());
        assert!(Mistake::ALL.is_sorted_by_key(|mistake| mistake.distance()));
    }

    #[test]
    fn comparisons_are_mistaken_for_all_other_comparisons_and_nothing_for_itself() {
        for sign in ["<", "<=", ">", ">=", "==", "!=", "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"] {
            let operator = Binary::of_sign(sign).expect("a sign of an operator");
            let others = [mistaken(operator), seldom_mistaken(operator)].concat();
            assert!(!others.is_empty() && !others.contains(&operator), "{sign}");
            if operator.is_comparison() {
                assert_eq!(others.iter().filter(|other| other.is_comparison()).count(), 5, "{sign}");
            }
        }
    }
}
