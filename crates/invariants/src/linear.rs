//! Linear relations of two and three variables: a line or a plane is laid through as many samples as it takes,
//! and holds if all others lie on it, too. All in whole numbers.

use std::collections::BTreeSet;

use crate::fact::Fact;

/// A column of numbers with its name.
pub(crate) type Column<'a> = (&'a str, &'a [i64]);

/// Larger coefficients are chance, or no help.
const LARGEST: i128 = 1_000;

/// A relation of two variables, neither of which is constant, and how many different samples it is about.
pub(crate) fn of_two(x: Column<'_>, y: Column<'_>) -> Option<(Fact, usize)> {
    let points = || x.1.iter().zip(y.1).map(|(x, y)| [i128::from(*x), i128::from(*y)]);
    let first = points().next()?;
    let second = points().find(|point| *point != first)?;
    let [dx, dy] = minus(second, first)?;
    if dx == 0 || dy == 0 {
        return None;
    }
    let at = |point: [i128; 2]| product(dy, point[0])?.checked_sub(product(dx, point[1])?);
    let constant = at(first)?;
    if !points().all(|point| at(point) == Some(constant)) {
        return None;
    }
    linear(&[(dy, x.0), (-dx, y.0)], constant).map(|fact| (fact, distinct(points())))
}

/// A relation of three variables.
pub(crate) fn of_three(x: Column<'_>, y: Column<'_>, z: Column<'_>) -> Option<(Fact, usize)> {
    let rows = || x.1.iter().zip(y.1).zip(z.1);
    let points = || rows().map(|((x, y), z)| [i128::from(*x), i128::from(*y), i128::from(*z)]);
    let first = points().next()?;
    let along = minus(points().find(|point| *point != first)?, first)?;
    let normal = points().find_map(|point| {
        let normal = cross(along, minus(point, first)?)?;
        (normal != [0; 3]).then_some(normal)
    })?;
    // A plane that does not depend on one of the variables is a relation of the others.
    if normal.contains(&0) {
        return None;
    }
    let at = |point: [i128; 3]| -> Option<i128> {
        let parts = normal.iter().zip(point).map(|(factor, value)| product(*factor, value));
        parts.sum::<Option<i128>>()
    };
    let constant = at(first)?;
    if !points().all(|point| at(point) == Some(constant)) {
        return None;
    }
    let terms = [(normal[0], x.0), (normal[1], y.0), (normal[2], z.0)];
    linear(&terms, constant).map(|fact| (fact, distinct(points())))
}

/// The relation in lowest terms.
fn linear(terms: &[(i128, &str)], constant: i128) -> Option<Fact> {
    let divisor = terms
        .iter()
        .fold(constant.unsigned_abs(), |divisor, (factor, _)| gcd(divisor, factor.unsigned_abs()));
    let divisor = i128::try_from(divisor.max(1)).ok()?;
    let small = |number: i128| i64::try_from(number / divisor).ok();
    if terms.iter().any(|(factor, _)| (factor / divisor).abs() > LARGEST) {
        return None;
    }
    let terms = terms.iter().map(|(factor, name)| Some((small(*factor)?, (*name).to_owned())));
    Some(Fact::Linear { terms: terms.collect::<Option<Vec<_>>>()?, constant: small(constant)? })
}

fn distinct<const N: usize>(points: impl Iterator<Item = [i128; N]>) -> usize {
    points.collect::<BTreeSet<_>>().len()
}

fn minus<const N: usize>(one: [i128; N], other: [i128; N]) -> Option<[i128; N]> {
    let mut difference = [0; N];
    for at in 0..N {
        difference[at] = one[at].checked_sub(other[at])?;
    }
    Some(difference)
}

fn product(one: i128, other: i128) -> Option<i128> {
    one.checked_mul(other)
}

fn cross(one: [i128; 3], other: [i128; 3]) -> Option<[i128; 3]> {
    let part = |a: usize, b: usize| product(one[a], other[b])?.checked_sub(product(one[b], other[a])?);
    Some([part(1, 2)?, part(2, 0)?, part(0, 1)?])
}

fn gcd(one: u128, other: u128) -> u128 {
    if other == 0 { one } else { gcd(other, one % other) }
}
