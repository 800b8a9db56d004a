//! Laws of arithmetic: that two circuits differ for some operands must be unsatisfiable. These are real proofs,
//! and they fail if a gate says less than it should.

use encode::Circuit;
use encode::bits::Bits;
use encode::solver::{Backend, Literal, Solver, Verdict};
use graph::Unwatched;

/// Whether the claim holds for all operands.
fn holds(width: usize, claim: impl Fn(&mut Circuit<'_>, &Bits, &Bits, &Bits) -> Literal) {
    for backend in Backend::ALL {
        let mut circuit = Circuit::new(Solver::with_backend(*backend, &Unwatched));
        let [a, b, c] = [(); 3].map(|()| circuit.fresh_bits(width));
        let claimed = claim(&mut circuit, &a, &b, &c);
        assert_eq!(circuit.solver.solve(&[!claimed]), Ok(Verdict::Unsatisfiable), "{backend:?}");
        assert_ne!(circuit.solver.solve(&[claimed]), Ok(Verdict::Unsatisfiable), "{backend:?}");
    }
}

#[test]
fn sums() {
    holds(32, |c, x, y, _| {
        let (one, other) = (c.add(x, y), c.add(y, x));
        c.equal(&one, &other)
    });
    holds(16, |c, x, y, z| {
        let (xy, yz) = (c.add(x, y), c.add(y, z));
        let (one, other) = (c.add(&xy, z), c.add(x, &yz));
        c.equal(&one, &other)
    });
    holds(24, |c, x, y, _| {
        let minus = c.negate(y);
        let (one, other) = (c.subtract(x, y), c.add(x, &minus));
        c.equal(&one, &other)
    });
    holds(32, |c, x, _, _| {
        let (twice, shifted) = (c.add(x, x), c.shift_left(x, &Bits::constant(3, 1)));
        c.equal(&twice, &shifted)
    });
}

#[test]
fn products_distribute() {
    holds(4, |c, x, y, z| {
        let sum = c.add(y, z);
        let (xy, xz) = (c.multiply(x, y), c.multiply(x, z));
        let (one, other) = (c.multiply(x, &sum), c.add(&xy, &xz));
        c.equal(&one, &other)
    });
    holds(12, |c, x, _, _| {
        let ten = c.multiply(x, &Bits::constant(12, 10));
        let (eight, two) = (c.shift_left(x, &Bits::constant(2, 3)), c.shift_left(x, &Bits::constant(1, 1)));
        let sum = c.add(&eight, &two);
        c.equal(&ten, &sum)
    });
}

#[test]
fn quotient_and_remainder_make_the_dividend() {
    holds(6, |c, x, y, _| {
        let (quotient, remainder) = c.divide_unsigned(x, y);
        let product = c.multiply(&quotient, y);
        let again = c.add(&product, &remainder);
        let (same, small) = (c.equal(&again, x), c.less_unsigned(&remainder, y));
        let right = c.and(same, small);
        let divides = c.any_bit(y);
        c.implies(divides, right)
    });
    holds(5, |c, x, y, _| {
        let (quotient, remainder) = c.divide_signed(x, y);
        let product = c.multiply(&quotient, y);
        let again = c.add(&product, &remainder);
        let same = c.equal(&again, x);
        let divides = c.any_bit(y);
        c.implies(divides, same)
    });
}

#[test]
fn order_is_total_and_transitive() {
    holds(16, |c, x, y, z| {
        let (xy, yz, xz) = (c.at_most_signed(x, y), c.at_most_signed(y, z), c.at_most_signed(x, z));
        let both = c.and(xy, yz);
        c.implies(both, xz)
    });
    holds(16, |c, x, y, _| {
        let (less, same, more) = (c.less_unsigned(x, y), c.equal(x, y), c.less_unsigned(y, x));
        let one = c.xor(less, same);
        c.xor(one, more)
    });
    holds(16, |c, x, y, _| {
        let (wide_x, wide_y) = (x.sign_extend(17), y.sign_extend(17));
        let difference = c.subtract(&wide_x, &wide_y);
        let less = c.less_signed(x, y);
        c.same(difference.top(), less)
    });
}

#[test]
fn shifts_agree_with_arithmetic() {
    holds(8, |c, x, y, _| {
        let low = y.truncate(3);
        let (left, one) = (c.shift_left(&Bits::constant(8, 1), &low), c.shift_left(x, &low));
        let other = c.multiply(x, &left);
        c.equal(&one, &other)
    });
    holds(8, |c, x, _, _| {
        let halved = c.shift_right(x, &Bits::constant(2, 2));
        let (quotient, _) = c.divide_unsigned(x, &Bits::constant(8, 4));
        c.equal(&halved, &quotient)
    });
}

#[test]
fn what_was_written_is_read() {
    holds(4, |c, index, value, old| {
        let mut elements = vec![old.clone(); 11];
        c.update(&mut elements, index, value, Literal::TRUE);
        let read = c.select(&elements, index);
        let (same, inside) = (c.equal(&read, value), c.less_unsigned(index, &Bits::constant(4, 11)));
        c.implies(inside, same)
    });
}

#[test]
fn equal_formulas_are_one_literal() {
    let mut circuit = Circuit::new(Solver::new(&Unwatched));
    let (x, y) = (circuit.fresh_bits(16), circuit.fresh_bits(16));
    let sum = circuit.add(&x, &y);
    assert_eq!(circuit.add(&y, &x), sum);
    let (less, not_at_most) = (circuit.less_unsigned(&x, &y), !circuit.at_most_unsigned(&y, &x));
    assert_eq!(less, not_at_most);
    let built = circuit.solver.variables();
    circuit.subtract(&x, &y);
    assert_eq!(circuit.solver.variables() - built, 15, "only the upper bits of the difference are new");
}
