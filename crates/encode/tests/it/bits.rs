//! Every operation on bit-vectors against Rust's own arithmetic: at small widths all operands, at large ones
//! random operands; with variables and with constants on either side.

use encode::Circuit;
use encode::bits::Bits;
use encode::solver::{Literal, Solver, Verdict};
use graph::Unwatched;
use testkit::random::{Random, for_random_inputs};

/// An operation on two vectors of one width, and what it should be on numbers of that width; `None` where
/// anything goes.
struct Operation {
    name: &'static str,
    build: fn(&mut Circuit<'_>, &Bits, &Bits) -> Bits,
    meaning: fn(Operands) -> Option<u64>,
}

/// The operands without and with their sign.
#[derive(Clone, Copy)]
struct Operands {
    a: u64,
    b: u64,
    signed_a: i64,
    signed_b: i64,
    width: u32,
}

impl Operands {
    fn new(width: usize, a: u64, b: u64) -> Self {
        let spare = 64 - width;
        let signed = |number: u64| (number << spare) as i64 >> spare;
        Self { a, b, signed_a: signed(a), signed_b: signed(b), width: width as u32 }
    }
}

const OPERATIONS: &[Operation] = &[
    Operation { name: "and", build: |c, a, b| c.and_bits(a, b), meaning: |x| Some(x.a & x.b) },
    Operation { name: "or", build: |c, a, b| c.or_bits(a, b), meaning: |x| Some(x.a | x.b) },
    Operation { name: "xor", build: |c, a, b| c.xor_bits(a, b), meaning: |x| Some(x.a ^ x.b) },
    Operation { name: "not", build: |_, a, _| a.not(), meaning: |x| Some(!x.a) },
    Operation { name: "add", build: |c, a, b| c.add(a, b), meaning: |x| Some(x.a.wrapping_add(x.b)) },
    Operation {
        name: "subtract",
        build: |c, a, b| c.subtract(a, b),
        meaning: |x| Some(x.a.wrapping_sub(x.b)),
    },
    Operation { name: "negate", build: |c, a, _| c.negate(a), meaning: |x| Some(x.a.wrapping_neg()) },
    Operation {
        name: "magnitude",
        build: |c, a, _| c.magnitude(a),
        meaning: |x| Some(x.signed_a.unsigned_abs()),
    },
    Operation {
        name: "multiply",
        build: |c, a, b| c.multiply(a, b),
        meaning: |x| Some(x.a.wrapping_mul(x.b)),
    },
    Operation {
        name: "divide unsigned",
        build: |c, a, b| c.divide_unsigned(a, b).0,
        meaning: |x| x.a.checked_div(x.b),
    },
    Operation {
        name: "remainder unsigned",
        build: |c, a, b| c.divide_unsigned(a, b).1,
        meaning: |x| x.a.checked_rem(x.b),
    },
    Operation {
        name: "divide signed",
        build: |c, a, b| c.divide_signed(a, b).0,
        meaning: |x| (x.b != 0).then(|| x.signed_a.wrapping_div(x.signed_b) as u64),
    },
    Operation {
        name: "remainder signed",
        build: |c, a, b| c.divide_signed(a, b).1,
        meaning: |x| (x.b != 0).then(|| x.signed_a.wrapping_rem(x.signed_b) as u64),
    },
    Operation {
        name: "shift left",
        build: |c, a, b| c.shift_left(a, b),
        meaning: |x| Some(if x.b < u64::from(x.width) { x.a << x.b } else { 0 }),
    },
    Operation {
        name: "shift right",
        build: |c, a, b| c.shift_right(a, b),
        meaning: |x| Some(if x.b < u64::from(x.width) { x.a >> x.b } else { 0 }),
    },
    Operation {
        name: "shift right signed",
        build: |c, a, b| c.shift_right_signed(a, b),
        meaning: |x| Some((x.signed_a >> x.b.min(63)) as u64),
    },
    Operation {
        name: "equal",
        build: |c, a, b| bit(c.equal(a, b)),
        meaning: |x| Some(u64::from(x.a == x.b)),
    },
    Operation {
        name: "less unsigned",
        build: |c, a, b| bit(c.less_unsigned(a, b)),
        meaning: |x| Some(u64::from(x.a < x.b)),
    },
    Operation {
        name: "less signed",
        build: |c, a, b| bit(c.less_signed(a, b)),
        meaning: |x| Some(u64::from(x.signed_a < x.signed_b)),
    },
    Operation {
        name: "at most unsigned",
        build: |c, a, b| bit(c.at_most_unsigned(a, b)),
        meaning: |x| Some(u64::from(x.a <= x.b)),
    },
    Operation {
        name: "at most signed",
        build: |c, a, b| bit(c.at_most_signed(a, b)),
        meaning: |x| Some(u64::from(x.signed_a <= x.signed_b)),
    },
    Operation { name: "any", build: |c, a, _| bit(c.any_bit(a)), meaning: |x| Some(u64::from(x.a != 0)) },
    Operation {
        name: "all",
        build: |c, a, _| bit(c.all_bits(a)),
        meaning: |x| Some(u64::from(x.a.count_ones() == x.width)),
    },
    Operation {
        name: "odd",
        build: |c, a, _| bit(c.odd_bits(a)),
        meaning: |x| Some(u64::from(x.a.count_ones() % 2)),
    },
    Operation {
        name: "choose",
        build: |c, a, b| c.choose_bits(a.literals()[0], a, b),
        meaning: |x| Some(if x.a & 1 == 1 { x.a } else { x.b }),
    },
    Operation {
        name: "select",
        build: |c, a, b| {
            let elements: Vec<Bits> = (0..5).map(|by| c.add(a, &Bits::constant(a.width(), by))).collect();
            c.select(&elements, b)
        },
        meaning: |x| (x.b < 5).then(|| x.a.wrapping_add(x.b)),
    },
    Operation {
        name: "update",
        build: |c, a, b| {
            let mut elements: Vec<Bits> = (0..5).map(|at| Bits::constant(a.width(), at)).collect();
            let odd = c.odd_bits(a);
            c.update(&mut elements, b, a, odd);
            elements[2].clone()
        },
        meaning: |x| Some(if x.b == 2 && x.a.count_ones() % 2 == 1 { x.a } else { 2 }),
    },
];

fn bit(literal: Literal) -> Bits {
    Bits::bit(literal)
}

fn mask(width: usize) -> u64 {
    u64::MAX >> (64 - width)
}

/// Literals that say which number the bits are.
fn pin(bits: &Bits, number: u64, assumptions: &mut Vec<Literal>) {
    let literals = bits.literals().iter().enumerate();
    assumptions.extend(literals.map(|(at, bit)| bit.flipped(number >> at & 1 == 0)));
}

/// One operation on variables, asked again and again.
struct Asked<'w> {
    circuit: Circuit<'w>,
    a: Bits,
    b: Bits,
    result: Bits,
    assumptions: Vec<Literal>,
}

impl Asked<'_> {
    fn new(operation: &Operation, width: usize) -> Self {
        let mut circuit = Circuit::new(Solver::new(&Unwatched));
        let (a, b) = (circuit.fresh_bits(width), circuit.fresh_bits(width));
        let result = (operation.build)(&mut circuit, &a, &b);
        Self { circuit, a, b, result, assumptions: Vec::new() }
    }

    fn value(&mut self, a: u64, b: u64) -> u64 {
        self.assumptions.clear();
        pin(&self.a, a, &mut self.assumptions);
        pin(&self.b, b, &mut self.assumptions);
        assert_eq!(
            self.circuit.solver.solve(&self.assumptions),
            Ok(Verdict::Satisfiable),
            "a circuit has a value"
        );
        self.result.unsigned_value(&self.circuit.solver)
    }
}

fn check(operation: &Operation, width: usize, a: u64, b: u64, found: u64, result_width: usize) {
    if let Some(meant) = (operation.meaning)(Operands::new(width, a, b)) {
        assert_eq!(found, meant & mask(result_width), "{} of {a} and {b}, {width} bits", operation.name);
    }
}

#[test]
fn all_operands_at_small_widths() {
    for operation in OPERATIONS {
        for width in 1..=4 {
            let mut asked = Asked::new(operation, width);
            for (a, b) in pairs(width) {
                let found = asked.value(a, b);
                check(operation, width, a, b, found, asked.result.width());
            }
        }
    }
}

#[test]
fn all_operands_at_eight_bits() {
    for operation in OPERATIONS {
        let mut asked = Asked::new(operation, 8);
        for (a, b) in pairs(8) {
            let found = asked.value(a, b);
            check(operation, 8, a, b, found, asked.result.width());
        }
    }
}

fn pairs(width: usize) -> impl Iterator<Item = (u64, u64)> {
    (0..=mask(width)).flat_map(move |a| (0..=mask(width)).map(move |b| (a, b)))
}

/// Small, large, negative, or anything.
fn interesting(random: &mut Random, width: usize) -> u64 {
    let number = match random.below(5) {
        0 => u64::from(random.below(4)),
        1 => u64::from(random.below(70)),
        2 => u64::from(random.below(4)).wrapping_neg(),
        3 => 1 << random.below(64),
        _ => random.bits(),
    };
    number & mask(width)
}

#[test]
fn random_operands_at_all_widths() {
    for_random_inputs(40, |random| {
        for operation in OPERATIONS {
            let width = random.between(1, 64) as usize;
            let mut asked = Asked::new(operation, width);
            for _ in 0..6 {
                let (a, b) = (interesting(random, width), interesting(random, width));
                let found = asked.value(a, b);
                check(operation, width, a, b, found, asked.result.width());
            }
        }
    });
}

#[test]
fn constants_fold_to_constants() {
    for_random_inputs(200, |random| {
        let mut circuit = Circuit::new(Solver::new(&Unwatched));
        for operation in OPERATIONS {
            let width = random.between(1, 64) as usize;
            let (a, b) = (interesting(random, width), interesting(random, width));
            let one = Bits::constant(width, a as i64);
            let other = Bits::constant(width, b as i64);
            let result = (operation.build)(&mut circuit, &one, &other);
            check(operation, width, a, b, result.known().expect("a constant"), result.width());
        }
        assert_eq!(
            (circuit.solver.variables(), circuit.solver.clauses()),
            (1, 0),
            "constants need no clauses"
        );
    });
}

#[test]
fn a_constant_on_one_side() {
    for_random_inputs(60, |random| {
        for operation in OPERATIONS {
            let width = random.between(1, 20) as usize;
            let mut circuit = Circuit::new(Solver::new(&Unwatched));
            let variable = circuit.fresh_bits(width);
            let (a, b) = (interesting(random, width), interesting(random, width));
            let result = if random.percent(50) {
                let result = (operation.build)(&mut circuit, &Bits::constant(width, a as i64), &variable);
                let mut assumptions = Vec::new();
                pin(&variable, b, &mut assumptions);
                assert_eq!(circuit.solver.solve(&assumptions), Ok(Verdict::Satisfiable));
                result
            } else {
                let result = (operation.build)(&mut circuit, &variable, &Bits::constant(width, b as i64));
                let mut assumptions = Vec::new();
                pin(&variable, a, &mut assumptions);
                assert_eq!(circuit.solver.solve(&assumptions), Ok(Verdict::Satisfiable));
                result
            };
            let found = result.unsigned_value(&circuit.solver);
            check(operation, width, a, b, found, result.width());
        }
    });
}

#[test]
fn products_of_different_widths() {
    for_random_inputs(300, |random| {
        let mut circuit = Circuit::new(Solver::new(&Unwatched));
        let (one_width, other_width, width) =
            (random.between(1, 20) as usize, random.between(1, 20) as usize, random.between(1, 40) as usize);
        let (one_signed, other_signed) = (random.percent(50), random.percent(50));
        let (a, b) = (interesting(random, one_width), interesting(random, other_width));
        let one = circuit.fresh_bits(one_width);
        let other = if random.percent(30) {
            Bits::constant(other_width, b as i64)
        } else {
            circuit.fresh_bits(other_width)
        };
        let product = circuit.multiply_to(&one, one_signed, &other, other_signed, width);
        let mut assumptions = Vec::new();
        pin(&one, a, &mut assumptions);
        pin(&other, b, &mut assumptions);
        assert_eq!(circuit.solver.solve(&assumptions), Ok(Verdict::Satisfiable));
        let number = |width, value, signed| {
            if signed { Operands::new(width, value, 0).signed_a } else { value as i64 }
        };
        let meant = number(one_width, a, one_signed).wrapping_mul(number(other_width, b, other_signed));
        assert_eq!(product.unsigned_value(&circuit.solver), meant as u64 & mask(width));
    });
}

#[test]
fn divisors_of_other_widths() {
    for_random_inputs(300, |random| {
        let mut circuit = Circuit::new(Solver::new(&Unwatched));
        let (one_width, other_width) = (random.between(1, 16) as usize, random.between(1, 16) as usize);
        let (a, b) = (interesting(random, one_width), interesting(random, other_width).max(1));
        let (one, other) = (circuit.fresh_bits(one_width), circuit.fresh_bits(other_width));
        let (quotient, remainder) = circuit.divide_unsigned(&one, &other);
        let mut assumptions = Vec::new();
        pin(&one, a, &mut assumptions);
        pin(&other, b, &mut assumptions);
        assert_eq!(circuit.solver.solve(&assumptions), Ok(Verdict::Satisfiable));
        assert_eq!(quotient.unsigned_value(&circuit.solver), a / b);
        assert_eq!(remainder.unsigned_value(&circuit.solver), a % b);
    });
}

#[test]
fn slices_and_extensions() {
    let bits = Bits::constant(8, 0b1011_0010);
    assert_eq!(bits.slice(4, 3).known(), Some(0b011));
    assert_eq!(bits.truncate(2).known(), Some(0b10));
    assert_eq!(bits.zero_extend(10).known(), Some(0b1011_0010));
    assert_eq!(bits.sign_extend(10).known(), Some(0b11_1011_0010));
    assert_eq!(bits.truncate(4).concat(&bits.slice(4, 4)), bits);
    assert_eq!(bits.resize(3, true).known(), Some(0b010));
    assert_eq!(Bits::constant(64, -1).known(), Some(u64::MAX));
}
