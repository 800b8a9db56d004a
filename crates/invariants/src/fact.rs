//! Facts about a sample, which hold of it or do not.

use std::fmt;

use crate::samples::{Samples, Value};

/// Something that can be true of a sample. Variables are named.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fact {
    Constant(String, Value),
    /// One of a few values.
    OneOf(String, Vec<Value>),
    AtLeast(String, i64),
    AtMost(String, i64),
    NonZero(String),
    /// A variable is a number modulo another.
    Modulus {
        var: String,
        modulus: i64,
        remainder: i64,
    },
    Equal(String, String),
    NotEqual(String, String),
    Less(String, String),
    LessOrEqual(String, String),
    /// The sum of variables, each so many times, is a number.
    Linear {
        terms: Vec<(i64, String)>,
        constant: i64,
    },
    Sorted {
        array: String,
        strictly: bool,
    },
    ElementsAtLeast(String, i64),
    ElementsAtMost(String, i64),
    Member(String, String),
    /// A variable is the sum of the elements of an array.
    SumOf(String, String),
    /// Where a variable is a number, another fact holds.
    Implies(String, i64, Box<Fact>),
}

impl Fact {
    /// Whether the fact holds of a sample; nothing if the sample lacks a variable.
    pub fn holds(&self, samples: &Samples, row: usize) -> Option<bool> {
        let value = |name: &str| samples.value(row, samples.column(name)?);
        let number = |name: &str| value(name)?.number();
        let array = |name: &str| value(name)?.array();
        Some(match self {
            Self::Constant(var, constant) => value(var)? == constant,
            Self::OneOf(var, values) => values.contains(value(var)?),
            Self::AtLeast(var, bound) => number(var)? >= *bound,
            Self::AtMost(var, bound) => number(var)? <= *bound,
            Self::NonZero(var) => number(var)? != 0,
            Self::Modulus { var, modulus, remainder } => {
                i128::from(number(var)?).rem_euclid(i128::from(*modulus)) == i128::from(*remainder)
            }
            Self::Equal(one, other) => value(one)? == value(other)?,
            Self::NotEqual(one, other) => value(one)? != value(other)?,
            Self::Less(one, other) => number(one)? < number(other)?,
            Self::LessOrEqual(one, other) => number(one)? <= number(other)?,
            Self::Linear { terms, constant } => {
                let mut sum = 0;
                for (factor, var) in terms {
                    sum += i128::from(*factor) * i128::from(number(var)?);
                }
                sum == i128::from(*constant)
            }
            Self::Sorted { array: var, strictly } => {
                array(var)?.windows(2).all(|pair| pair[0] < pair[1] || (!strictly && pair[0] == pair[1]))
            }
            Self::ElementsAtLeast(var, bound) => array(var)?.iter().all(|element| element >= bound),
            Self::ElementsAtMost(var, bound) => array(var)?.iter().all(|element| element <= bound),
            Self::Member(var, of) => array(of)?.contains(&number(var)?),
            Self::SumOf(var, of) => {
                array(of)?.iter().map(|element| i128::from(*element)).sum::<i128>()
                    == i128::from(number(var)?)
            }
            Self::Implies(var, when, fact) => number(var)? != *when || fact.holds(samples, row)?,
        })
    }

    /// Whether the fact holds of all samples that have its variables, and of at least one.
    pub fn holds_in_all(&self, samples: &Samples) -> bool {
        let mut known = (0..samples.len()).filter_map(|row| self.holds(samples, row)).peekable();
        known.peek().is_some() && known.all(|holds| holds)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Word(word) => f.write_str(word),
            Self::Array(elements) => {
                let elements: Vec<String> = elements.iter().map(i64::to_string).collect();
                write!(f, "[{}]", elements.join(", "))
            }
        }
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(var, value) => write!(f, "{var} == {value}"),
            Self::OneOf(var, values) => {
                let values: Vec<String> = values.iter().map(Value::to_string).collect();
                write!(f, "{var} one of {{ {} }}", values.join(", "))
            }
            Self::AtLeast(var, bound) => write!(f, "{var} >= {bound}"),
            Self::AtMost(var, bound) => write!(f, "{var} <= {bound}"),
            Self::NonZero(var) => write!(f, "{var} != 0"),
            Self::Modulus { var, modulus, remainder } => write!(f, "{var} == {remainder} (mod {modulus})"),
            Self::Equal(one, other) => write!(f, "{one} == {other}"),
            Self::NotEqual(one, other) => write!(f, "{one} != {other}"),
            Self::Less(one, other) => write!(f, "{one} < {other}"),
            Self::LessOrEqual(one, other) => write!(f, "{one} <= {other}"),
            Self::Linear { terms, constant } => write_linear(f, terms, *constant),
            Self::Sorted { array, strictly: false } => write!(f, "{array} sorted by <="),
            Self::Sorted { array, strictly: true } => write!(f, "{array} sorted by <"),
            Self::ElementsAtLeast(array, bound) => write!(f, "{array} elements >= {bound}"),
            Self::ElementsAtMost(array, bound) => write!(f, "{array} elements <= {bound}"),
            Self::Member(var, array) => write!(f, "{var} in {array}"),
            Self::SumOf(var, array) => write!(f, "{var} == sum({array})"),
            Self::Implies(var, when, fact) => write!(f, "({var} == {when}) ==> ({fact})"),
        }
    }
}

/// The first variable on the left, all others on the right: `x == y + 2 * z - 1`.
fn write_linear(f: &mut fmt::Formatter<'_>, terms: &[(i64, String)], constant: i64) -> fmt::Result {
    let Some(((first, var), rest)) = terms.split_first() else { return write!(f, "0 == {constant}") };
    let times = |factor: i128, var: &str| match factor {
        1 => var.to_owned(),
        _ => format!("{factor} * {var}"),
    };
    // A negative factor on the left turns all signs round.
    let turn = if *first < 0 { -1i128 } else { 1 };
    write!(f, "{} ==", times(i128::from(*first) * turn, var))?;
    for (number, (factor, var)) in rest.iter().enumerate() {
        let factor = -i128::from(*factor) * turn;
        match (number, factor < 0) {
            (0, false) => write!(f, " {}", times(factor, var))?,
            (0, true) => write!(f, " -{}", times(-factor, var))?,
            (_, false) => write!(f, " + {}", times(factor, var))?,
            (_, true) => write!(f, " - {}", times(-factor, var))?,
        }
    }
    match i128::from(constant) * turn {
        0 => Ok(()),
        constant if constant < 0 => write!(f, " - {}", -constant),
        constant => write!(f, " + {constant}"),
    }
}
