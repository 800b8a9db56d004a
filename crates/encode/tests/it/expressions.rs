//! Expressions as circuits against the evaluator: random expressions on random memory, part of it variables.

use encode::Circuit;
use encode::expr::{Cell, Condition, EncodeError, Environment, Need, Value, encode};
use encode::solver::{Literal, Solver, Verdict};
use encode::ssa::Store;
use graph::Unwatched;
use model::{
    Base, Binary, Code, Context, Expr, Fault, Host, Index, Place, Primitive, Scalar, Unary, compile,
};
use testkit::random::{Random, for_random_inputs};

/// Frames of 16 bytes: globals, whoever executes, and another process.
const FRAME: usize = 16;
const PROCESSES: [(i64, u32); 2] = [(1, 1), (4, 2)];

struct Memory(Store);

impl Environment for Memory {
    fn global(&self) -> u32 {
        0
    }

    fn local(&self) -> u32 {
        1
    }

    fn processes(&self) -> &[(i64, u32)] {
        &PROCESSES
    }

    fn load(&self, cell: Cell, scalar: Scalar) -> Result<Value, EncodeError> {
        self.0.load(cell, scalar)
    }

    fn ask(&self, _: &mut Circuit<'_>, question: u32, arguments: &[Value]) -> Result<Value, EncodeError> {
        Ok(arguments.first().cloned().unwrap_or(Value::constant(i64::from(question))))
    }
}

struct Evaluator;

impl Host for Evaluator {
    fn ask(&self, question: u32, arguments: &[i64], _: &Context<'_>) -> Result<i64, Fault> {
        Ok(arguments.first().copied().unwrap_or(i64::from(question)))
    }

    fn frame_of(&self, value: i64, _: &Context<'_>) -> Result<usize, Fault> {
        let process = PROCESSES.iter().find(|(number, _)| *number == value);
        process.map(|(_, frame)| *frame as usize * FRAME).ok_or(Fault::NoProcess(value))
    }
}

fn evaluate(code: &Code, bytes: &[u8]) -> Result<i64, Fault> {
    code.run(&Context { bytes, local: FRAME, process: 0 }, &Evaluator)
}

const UNARY: [Unary; 3] = [Unary::Negate, Unary::Not, Unary::Complement];
const BINARY: [Binary; 16] = [
    Binary::Add,
    Binary::Subtract,
    Binary::Multiply,
    Binary::Divide,
    Binary::Remainder,
    Binary::And,
    Binary::Or,
    Binary::Xor,
    Binary::ShiftLeft,
    Binary::ShiftRight,
    Binary::Equal,
    Binary::NotEqual,
    Binary::Less,
    Binary::LessEqual,
    Binary::Greater,
    Binary::GreaterEqual,
];

/// Those that are circuits.
const PRIMITIVES: [Primitive; 23] = [
    Primitive::ExactSum,
    Primitive::ExactDifference,
    Primitive::ExactProduct,
    Primitive::ExactQuotient,
    Primitive::DivideUnsigned,
    Primitive::RemainderUnsigned,
    Primitive::ShiftRightUnsigned,
    Primitive::LessUnsigned,
    Primitive::LessEqualUnsigned,
    Primitive::FloatNegate,
    Primitive::FloatMagnitude,
    Primitive::FloatEqual,
    Primitive::FloatLess,
    Primitive::FloatLessEqual,
    Primitive::CopySign,
    Primitive::IsNotANumber,
    Primitive::IsInfinite,
    Primitive::IsNormal,
    Primitive::SignBit,
    Primitive::CountOnes,
    Primitive::LeadingZeros,
    Primitive::TrailingZeros,
    Primitive::SwapBytes,
];

fn random_scalar(random: &mut Random) -> Scalar {
    let bits = match random.below(4) {
        0 => random.between(1, 4),
        1 => [8, 16, 32, 64][random.below(4) as usize],
        2 => random.between(1, 16),
        _ => random.between(1, 64),
    };
    Scalar { bits: bits as u8, signed: random.percent(50) }
}

fn random_place(random: &mut Random, depth: u32) -> Place {
    let scalar = random_scalar(random);
    let base = match random.below(8) {
        0 if depth > 0 => Base::Of(Box::new(random_expr(random, depth - 1))),
        0 => Base::Of(Box::new(Expr::Constant([1, 4, 5][random.below(3) as usize]))),
        1..=4 => Base::Global,
        _ => Base::Local,
    };
    let room = FRAME as u32 - scalar.bytes();
    let mut place = Place { base, offset: random.below(room + 1), indices: Vec::new(), scalar };
    let mut room = room - place.offset;
    while depth > 0 && random.percent(30) && room > 0 {
        let stride = random.between(1, room);
        let length = room / stride + 1;
        place.indices.push(Index { value: random_expr(random, depth - 1), stride, length });
        room -= stride * (length - 1);
    }
    place
}

fn random_constant(random: &mut Random) -> i64 {
    match random.below(6) {
        0 => i64::from(random.below(4)),
        1 => -i64::from(random.below(4)),
        2 => i64::from(random.below(70)),
        3 => 1 << random.below(64),
        4 => [i64::MIN, i64::MAX, -1, 255, 256, 10][random.below(6) as usize],
        _ => random.bits() as i64 >> random.below(64),
    }
}

fn random_expr(random: &mut Random, depth: u32) -> Expr {
    if depth == 0 {
        return if random.percent(40) {
            Expr::Constant(random_constant(random))
        } else {
            Expr::Load(random_place(random, 0))
        };
    }
    let inner = |random: &mut Random| Box::new(random_expr(random, depth - 1));
    match random.below(15) {
        14 => {
            let primitive = PRIMITIVES[random.below(19) as usize];
            Expr::Apply(primitive, (0..primitive.arity()).map(|_| *inner(random)).collect())
        }
        0 => Expr::Load(random_place(random, depth)),
        1 | 2 => Expr::Unary(UNARY[random.below(3) as usize], inner(random)),
        3 => Expr::AndAlso(inner(random), inner(random)),
        4 => Expr::OrElse(inner(random), inner(random)),
        5 => Expr::Choose(inner(random), inner(random), inner(random)),
        6 | 7 => Expr::Wrap(random_scalar(random), inner(random)),
        8 => Expr::Ask(7, if random.percent(50) { vec![*inner(random)] } else { Vec::new() }),
        _ => Expr::Binary(BINARY[random.below(16) as usize], inner(random), inner(random)),
    }
}

fn random_byte(random: &mut Random) -> u8 {
    match random.below(3) {
        0 => random.below(5) as u8,
        1 => [0, 255, 128, 1][random.below(4) as usize],
        _ => random.bits() as u8,
    }
}

/// Which need the fault is the failure of.
fn is_failure_of(fault: Fault, need: Need) -> bool {
    match (fault, need) {
        (Fault::DivisionByZero, Need::Divisor)
        | (Fault::NoProcess(_), Need::Process)
        | (Fault::SignedOverflow, Need::Fits) => true,
        (Fault::Index { length, .. }, Need::Index { length: other }) => length == other,
        _ => false,
    }
}

#[test]
fn random_expressions_have_the_value_of_the_evaluator() {
    for_random_inputs(1500, |random| {
        let depth = random.between(1, 4);
        let expr = random_expr(random, depth);
        let Ok(code) = compile(&expr) else { return };
        let mut circuit = Circuit::new(Solver::new(&Unwatched));
        let mut bytes: Vec<u8> = (0..3 * FRAME).map(|_| random_byte(random)).collect();
        let mut memory = Memory(Store::new(bytes.chunks(FRAME)));
        // Some bytes stay constants, the others become variables.
        let share = random.below(101);
        let mut variables: Vec<(usize, Vec<Literal>)> = Vec::new();
        for at in (0..bytes.len()).filter(|_| random.percent(share)).collect::<Vec<_>>() {
            let bits = circuit.fresh_bits(8);
            let cell = Cell { frame: (at / FRAME) as u32, offset: (at % FRAME) as u32 };
            variables.push((at, bits.literals().to_vec()));
            memory
                .0
                .assign(&mut circuit, cell, Scalar::U8, &Value::new(bits, false), Literal::TRUE)
                .expect("inside");
        }
        let mut conditions = Vec::new();
        let value = encode(&mut circuit, &memory, &expr, &mut conditions).expect("nothing too deep");
        for _ in 0..4 {
            let mut assumptions = Vec::new();
            for (at, bits) in &variables {
                bytes[*at] = random_byte(random);
                assumptions.extend((0..8).map(|bit| bits[bit].flipped(bytes[*at] >> bit & 1 == 0)));
            }
            assert_eq!(
                circuit.solver.solve(&assumptions),
                Ok(Verdict::Satisfiable),
                "a circuit has a value: {expr:?}"
            );
            let failed = conditions.iter().find(|Condition { holds, .. }| !circuit.solver.is_true(*holds));
            match (evaluate(&code, &bytes), failed) {
                (Ok(meant), None) => {
                    assert_eq!(value.number(&circuit.solver), meant, "{expr:?} on {bytes:?}");
                    assert!(value.low() <= meant && meant <= value.high(), "{meant} in {value:?}, {expr:?}");
                }
                (Err(fault), Some(condition)) => {
                    assert!(is_failure_of(fault, condition.need), "{fault:?} is not {condition:?}: {expr:?}");
                }
                (evaluated, failed) => panic!("{evaluated:?}, but {failed:?}: {expr:?} on {bytes:?}"),
            }
        }
    });
}

/// Special numbers, as doubles and as integers.
const SPECIAL: [u64; 16] = [
    0,
    1 << 63,
    0x3ff0_0000_0000_0000,
    0xbff0_0000_0000_0000,
    0x7ff0_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0xfff0_0000_0000_0001,
    1,
    0x000f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    0x8000_0000_0000_0001,
    10,
    64,
    u64::MAX,
];

#[test]
fn primitives_of_special_numbers() {
    for primitive in PRIMITIVES {
        let mut circuit = Circuit::new(Solver::new(&Unwatched));
        let mut memory = Memory(Store::new([&[0; FRAME][..]]));
        let numbers = [0, 8].map(|offset| {
            let bits = circuit.fresh_bits(64);
            let cell = Cell { frame: 0, offset };
            let value = Value::new(bits.clone(), true);
            memory.0.assign(&mut circuit, cell, Scalar::I64, &value, Literal::TRUE).expect("inside");
            bits
        });
        let arguments = [0, 8].map(|offset| global(offset, Scalar::I64))[..primitive.arity()].to_vec();
        let expr = Expr::Apply(primitive, arguments);
        let mut conditions = Vec::new();
        let value = encode(&mut circuit, &memory, &expr, &mut conditions).expect("a circuit");
        for (a, b) in SPECIAL.into_iter().flat_map(|a| SPECIAL.map(|b| (a, b))) {
            let mut assumptions = Vec::new();
            for (bits, number) in numbers.iter().zip([a, b]) {
                assumptions.extend((0..64).map(|at| bits.literals()[at].flipped(number >> at & 1 == 0)));
            }
            assert_eq!(circuit.solver.solve(&assumptions), Ok(Verdict::Satisfiable));
            let fails = conditions.iter().any(|condition| !circuit.solver.is_true(condition.holds));
            match primitive.apply(a as i64, b as i64) {
                Ok(meant) => {
                    assert!(!fails);
                    assert_eq!(value.number(&circuit.solver), meant, "{primitive:?} of {a:x} and {b:x}");
                }
                Err(fault) => assert!(fails, "{fault}"),
            }
        }
    }
}

#[test]
fn what_fits_its_type_is_no_overflow() {
    for bits in [1, 8, 16, 31, 32, 63, 64] {
        let mut circuit = Circuit::new(Solver::new(&Unwatched));
        let mut memory = Memory(Store::new([&[0; FRAME][..]]));
        let number = circuit.fresh_bits(64);
        let (cell, value) = (Cell { frame: 0, offset: 0 }, Value::new(number.clone(), true));
        memory.0.assign(&mut circuit, cell, Scalar::I64, &value, Literal::TRUE).expect("inside");
        let arguments = vec![global(0, Scalar::I64), Expr::Constant(bits)];
        let mut conditions = Vec::new();
        encode(&mut circuit, &memory, &Expr::Apply(Primitive::Fits, arguments), &mut conditions)
            .expect("a circuit");
        for a in SPECIAL.into_iter().flat_map(|a| [a, a >> (64 - bits), !(a >> (64 - bits))]) {
            let assumptions: Vec<Literal> =
                (0..64).map(|at| number.literals()[at].flipped(a >> at & 1 == 0)).collect();
            assert_eq!(circuit.solver.solve(&assumptions), Ok(Verdict::Satisfiable));
            let fails = conditions.iter().any(|condition| !circuit.solver.is_true(condition.holds));
            assert_eq!(fails, Primitive::Fits.apply(a as i64, bits).is_err(), "{a:x} in {bits} bits");
        }
    }
}

#[test]
fn floating_point_arithmetic_is_for_constants() {
    let float = |number: f64| Expr::Constant(number.to_bits() as i64);
    let (value, _) = encoded(&Expr::Apply(Primitive::FloatAdd, vec![float(1.5), float(2.25)]));
    assert_eq!(value.known(), Some(3.75f64.to_bits() as i64));
    let mut circuit = Circuit::new(Solver::new(&Unwatched));
    let mut memory = Memory(Store::new([&[0; FRAME][..]]));
    let free = Value::new(circuit.fresh_bits(64), true);
    memory
        .0
        .assign(&mut circuit, Cell { frame: 0, offset: 0 }, Scalar::I64, &free, Literal::TRUE)
        .expect("inside");
    let sum = Expr::Apply(Primitive::FloatAdd, vec![global(0, Scalar::I64), float(1.0)]);
    let refused = encode(&mut circuit, &memory, &sum, &mut Vec::new()).err();
    assert_eq!(refused, Some(EncodeError::Primitive(Primitive::FloatAdd)));
}

/// The value of an expression over 16 bytes of globals that are all variables, and how large its formula is.
fn encoded(expr: &Expr) -> (Value, u32) {
    let mut circuit = Circuit::new(Solver::new(&Unwatched));
    let mut memory = Memory(Store::new([&[0; FRAME][..]]));
    for offset in 0..FRAME as u32 {
        let value = Value::new(circuit.fresh_bits(8), false);
        let cell = Cell { frame: 0, offset };
        memory.0.assign(&mut circuit, cell, Scalar::U8, &value, Literal::TRUE).expect("inside");
    }
    let before = circuit.solver.variables();
    let value = encode(&mut circuit, &memory, expr, &mut Vec::new()).expect("nothing too deep");
    (value, circuit.solver.variables() - before)
}

fn global(offset: u32, scalar: Scalar) -> Expr {
    Expr::Load(Place::global(offset, scalar))
}

fn width(expr: &Expr) -> usize {
    encoded(expr).0.bits().width()
}

#[test]
fn values_are_as_narrow_as_their_range() {
    let byte = |offset| global(offset, Scalar::U8);
    let nibble = |offset| Expr::binary(Binary::And, byte(offset), Expr::Constant(15));
    assert_eq!(width(&Expr::binary(Binary::Add, byte(0), byte(1))), 9);
    assert_eq!(width(&Expr::binary(Binary::Subtract, byte(0), byte(1))), 9);
    assert_eq!(width(&Expr::binary(Binary::Multiply, byte(0), byte(1))), 16);
    assert_eq!(width(&Expr::binary(Binary::Less, byte(0), byte(1))), 1);
    assert_eq!(width(&Expr::binary(Binary::Remainder, byte(0), Expr::Constant(10))), 4);
    assert_eq!(width(&Expr::binary(Binary::Divide, byte(0), Expr::Constant(10))), 5);
    let sum = (1..10).fold(nibble(0), |sum, at| Expr::binary(Binary::Add, sum, nibble(at)));
    assert_eq!(width(&sum), 8, "ten numbers up to 15 make at most 150");
    let shifted = Expr::binary(Binary::ShiftRight, global(0, Scalar::I64), Expr::Constant(60));
    assert_eq!(width(&shifted), 4);
}

#[test]
fn only_bits_that_matter_are_computed() {
    let int = |offset| global(offset, Scalar::I32);
    let product = || Box::new(Expr::binary(Binary::Multiply, int(0), int(4)));
    let (value, wrapped) = encoded(&Expr::Wrap(Scalar::I32, product()));
    assert_eq!((value.bits().width(), value.is_signed()), (32, true));
    let (value, whole) = encoded(&product());
    assert_eq!(value.bits().width(), 64);
    assert!(2 * wrapped < whole, "{wrapped} variables for half of the product, {whole} for the whole");
    let (_, masked) = encoded(&Expr::binary(Binary::And, *product(), Expr::Constant(3)));
    assert!(masked < 20, "{masked} variables for two bits of a product");
}

#[test]
fn how_far_a_shift_goes_does_not_depend_on_who_looks() {
    let far = Expr::binary(Binary::Multiply, Expr::Constant(16), Expr::Constant(16));
    let shifted = Expr::binary(Binary::ShiftLeft, Expr::Constant(1), far);
    assert_eq!(encoded(&Expr::Wrap(Scalar::U8, Box::new(shifted))).0.known(), Some(0), "by 256, not by 0");
}

#[test]
fn what_is_nested_too_deeply_is_refused() {
    let byte = || global(0, Scalar::U8);
    let nest = |levels: usize| (0..levels).fold(byte(), |expr, _| Expr::binary(Binary::Xor, byte(), expr));
    let refusal = |expr: &Expr| {
        let memory = Memory(Store::new([&[0; FRAME][..]]));
        encode(&mut Circuit::new(Solver::new(&Unwatched)), &memory, expr, &mut Vec::new()).err()
    };
    assert_eq!(refusal(&nest(390)), None);
    assert_eq!(refusal(&nest(410)), Some(EncodeError::TooDeep));
    let chain = (0..3000).fold(byte(), |expr, _| Expr::binary(Binary::Xor, expr, byte()));
    assert_eq!(refusal(&chain), None, "chains that lean to the left need no stack");
    let all = (0..3000).fold(byte(), |expr, _| Expr::AndAlso(Box::new(expr), Box::new(byte())));
    assert_eq!(refusal(&all), None);
}

#[test]
fn places_outside_of_memory_are_refused() {
    let refusal = |expr: &Expr| {
        let memory = Memory(Store::new([&[0; FRAME][..]]));
        encode(&mut Circuit::new(Solver::new(&Unwatched)), &memory, expr, &mut Vec::new()).err()
    };
    assert_eq!(
        refusal(&global(14, Scalar::I32)),
        Some(EncodeError::Outside { frame: 0, offset: 14 }),
        "half of it lies outside"
    );
    let far = Place {
        indices: vec![Index { value: Expr::Constant(u32::MAX.into()), stride: u32::MAX, length: u32::MAX }],
        ..Place::global(0, Scalar::U8)
    };
    assert!(matches!(refusal(&Expr::Load(far)), Some(EncodeError::Outside { .. })));
    let index = Index { value: global(0, Scalar::I64), stride: 1, length: u32::MAX };
    let many = Place { indices: vec![index], ..Place::global(0, Scalar::U8) };
    let mut circuit = Circuit::new(Solver::new(&Unwatched));
    let mut memory = Memory(Store::new([&[0; FRAME][..]]));
    let free = Value::new(circuit.fresh_bits(64), true);
    memory
        .0
        .assign(&mut circuit, Cell { frame: 0, offset: 0 }, Scalar::I64, &free, Literal::TRUE)
        .expect("inside");
    let refused = encode(&mut circuit, &memory, &Expr::Load(many), &mut Vec::new()).err();
    assert!(matches!(refused, Some(EncodeError::TooManyElements(_))));
}
