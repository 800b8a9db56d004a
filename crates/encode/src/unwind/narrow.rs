//! What is assumed of a variable leaves fewer bits of it.
//!
//! Inputs are as wide as their type, and programs say what they may be: `assume(0 <= x && x <= 40)`. Behind an
//! assumption nothing is asked of runs on which it does not hold, so whatever the variable is there may be said in as
//! few bits as the numbers need that are left, and so may all that is computed from it. The formula is the same one;
//! but a solver that had to find out by itself that the bits above are not needed would do so again for every sum.

use model::{Binary, Expr, Scalar, Unary};

use super::execute::{Executor, Frame, literals_of};
use super::regions::View;
use super::state::State;
use crate::circuit::Circuit;
use crate::expr::{Cell, Environment, Value, encode, encode_place};
use crate::solver::Literal;

/// How deep conditions are nested that are looked at.
const DEEPEST: u32 = 64;

/// A variable lies between two numbers.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    cell: Cell,
    scalar: Scalar,
    low: i64,
    high: i64,
}

impl Bounds {
    fn is_about(&self, other: &Self) -> bool {
        (self.cell, self.scalar) == (other.cell, other.scalar)
    }
}

impl Executor<'_, '_, '_> {
    /// Keeps only those bits of variables that a condition leaves, which is assumed to hold from now on.
    pub(super) fn narrow(&mut self, state: &mut State, frame: &Frame, condition: &Expr) {
        let view = View::new(self.program, self.names, state, frame);
        for found in implied(self.circuit, &view, condition, true, 0) {
            let Ok(value) = state.memory.load(found.cell, found.scalar) else { continue };
            // Pointers are known by all their bits.
            if self.circuit.pointing(&value).is_some() {
                continue;
            }
            let narrow = Value::within(value.bits().clone(), value.is_signed(), found.low, found.high);
            if narrow.bits().width() < value.bits().width() {
                let literals = literals_of(&narrow, found.scalar);
                let written = state.memory.write(self.circuit, found.cell, &literals, Literal::TRUE);
                debug_assert!(written.is_ok(), "what was read can be written");
            }
        }
    }
}

/// What follows for single variables if a condition holds, or does not.
fn implied(
    circuit: &mut Circuit<'_>,
    view: &View<'_>,
    condition: &Expr,
    holds: bool,
    depth: u32,
) -> Vec<Bounds> {
    if depth == DEEPEST {
        return Vec::new();
    }
    match condition {
        Expr::Unary(Unary::Not, inner) => implied(circuit, view, inner, !holds, depth + 1),
        Expr::AndAlso(one, other) | Expr::OrElse(one, other) => {
            let are_both = matches!(condition, Expr::AndAlso(..)) == holds;
            let one = implied(circuit, view, one, holds, depth + 1);
            let other = implied(circuit, view, other, holds, depth + 1);
            if are_both { one.into_iter().chain(other).collect() } else { either(&one, &other) }
        }
        Expr::Binary(operator, one, other) => compared(circuit, view, *operator, holds, one, other),
        _ => Vec::new(),
    }
}

/// What holds of a variable either way.
fn either(one: &[Bounds], other: &[Bounds]) -> Vec<Bounds> {
    // Several bounds of one variable all hold; one of them is enough to say something.
    let pairs = one.iter().flat_map(|mine| {
        let same = other.iter().filter(move |yours| yours.is_about(mine));
        same.map(move |yours| Bounds {
            low: mine.low.min(yours.low),
            high: mine.high.max(yours.high),
            ..*mine
        })
    });
    pairs.collect()
}

/// What a comparison says of the variables on its sides.
fn compared(
    circuit: &mut Circuit<'_>,
    view: &View<'_>,
    operator: Binary,
    holds: bool,
    one: &Expr,
    other: &Expr,
) -> Vec<Bounds> {
    use Binary::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    let operator = match (operator, holds) {
        (operator, true) => operator,
        (Less, false) => GreaterEqual,
        (LessEqual, false) => Greater,
        (Greater, false) => LessEqual,
        (GreaterEqual, false) => Less,
        (NotEqual, false) => Equal,
        _ => return Vec::new(),
    };
    if !matches!(operator, Less | LessEqual | Greater | GreaterEqual | Equal) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let (Ok(left), Ok(right)) =
        (encode(circuit, view, one, &mut Vec::new()), encode(circuit, view, other, &mut Vec::new()))
    else {
        return found;
    };
    for (variable, own, limit, operator) in
        [(one, &left, &right, operator), (other, &right, &left, turned(operator))]
    {
        let (low, high) = match operator {
            Less => (own.low(), limit.high().saturating_sub(1)),
            LessEqual => (own.low(), limit.high()),
            Greater => (limit.low().saturating_add(1), own.high()),
            GreaterEqual => (limit.low(), own.high()),
            _ => (limit.low(), limit.high()),
        };
        if let Some((cell, scalar)) = variable_of(circuit, view, variable) {
            found.push(Bounds { cell, scalar, low, high });
        }
    }
    found
}

/// The comparison seen from the other side.
fn turned(operator: Binary) -> Binary {
    match operator {
        Binary::Less => Binary::Greater,
        Binary::LessEqual => Binary::GreaterEqual,
        Binary::Greater => Binary::Less,
        Binary::GreaterEqual => Binary::LessEqual,
        same => same,
    }
}

/// The one variable whose number an expression is.
fn variable_of(circuit: &mut Circuit<'_>, view: &View<'_>, mut expr: &Expr) -> Option<(Cell, Scalar)> {
    let mut wraps = Vec::new();
    while let Expr::Wrap(scalar, inner) = expr {
        wraps.push(*scalar);
        expr = inner;
    }
    let Expr::Load(place) = expr else { return None };
    let cells = encode_place(circuit, view, place, &mut Vec::new()).ok()?;
    let [(cell, Literal::TRUE)] = cells[..] else { return None };
    let value = view.load(cell, place.scalar).ok()?;
    wraps.iter().all(|scalar| value.wrap(*scalar) == value).then_some((cell, place.scalar))
}
