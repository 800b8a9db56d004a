//! Short random traces over a few narrow variables and an array of three.

use encode::ssa::{Effect, TraceStep};
use model::{Binary, Expr, Index, Place, Scalar, Unary};
use testkit::random::Random;

/// A byte each: three variables, then the array.
pub(crate) const BYTES: usize = 6;
pub(crate) const STATEMENTS: u32 = 4;

const VARIABLES: [Scalar; 3] = [Scalar::unsigned(2), Scalar::signed(2), Scalar::unsigned(1)];
const ELEMENT: Scalar = Scalar::unsigned(2);
const OPERATORS: [Binary; 9] = [
    Binary::Add,
    Binary::Subtract,
    Binary::Multiply,
    Binary::Divide,
    Binary::Xor,
    Binary::Equal,
    Binary::NotEqual,
    Binary::Less,
    Binary::LessEqual,
];

fn variable(random: &mut Random) -> Place {
    let number = random.below(3);
    Place::global(number, VARIABLES[number as usize])
}

/// A variable, or an element whose index may lie outside.
fn place(random: &mut Random) -> Place {
    if random.percent(65) {
        return variable(random);
    }
    let mut value = Expr::Load(variable(random));
    if random.percent(30) {
        value = Expr::binary(Binary::Add, value, Expr::Constant(1));
    }
    Place { indices: vec![Index { value, stride: 1, length: 3 }], ..Place::global(3, ELEMENT) }
}

fn expr(random: &mut Random, depth: u32) -> Expr {
    if depth == 0 || random.percent(20) {
        return if random.percent(30) {
            Expr::Constant(i64::from(random.below(5)) - 1)
        } else {
            Expr::Load(place(random))
        };
    }
    let inner = |random: &mut Random| Box::new(expr(random, depth - 1));
    match random.below(8) {
        0 => Expr::Unary(Unary::Not, inner(random)),
        1 => Expr::AndAlso(inner(random), inner(random)),
        2 => Expr::OrElse(inner(random), inner(random)),
        3 => Expr::Choose(inner(random), inner(random), inner(random)),
        _ => Expr::Binary(OPERATORS[random.below(9) as usize], inner(random), inner(random)),
    }
}

fn effect(random: &mut Random) -> Effect {
    match random.below(10) {
        0..5 => Effect::Assign { place: place(random), value: expr(random, 2) },
        5..7 => Effect::Guard(expr(random, 2)),
        7 => {
            let place = variable(random);
            let width = random.between(1, u32::from(place.scalar.bits)) as u8;
            Effect::Input { place, width }
        }
        8 => Effect::Assume(expr(random, 1)),
        _ => Effect::Check(expr(random, 2)),
    }
}

pub(crate) fn random_trace(random: &mut Random) -> Vec<TraceStep> {
    let mut steps: Vec<TraceStep> = (0..random.between(1, 6))
        .map(|_| TraceStep {
            statement: random.below(STATEMENTS),
            frame: 0,
            effects: (0..random.between(1, 2)).map(|_| effect(random)).collect(),
        })
        .collect();
    steps.push(TraceStep { statement: STATEMENTS, frame: 0, effects: vec![Effect::Check(expr(random, 2))] });
    steps
}

/// Values that fit their types.
pub(crate) fn random_bytes(random: &mut Random) -> Vec<u8> {
    let mut bytes = vec![0; BYTES];
    for (at, byte) in bytes.iter_mut().enumerate() {
        let scalar = VARIABLES.get(at).copied().unwrap_or(ELEMENT);
        scalar.store(std::slice::from_mut(byte), i64::from(random.below(4)));
    }
    bytes
}
