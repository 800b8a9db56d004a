//! Random expressions over integers that mean something whatever their variables hold.

use testkit::random::Random;
use testkit::random_c::TYPES;

/// A variable `v0`, `v1` ... for each type, with a random value.
pub(crate) fn variables(random: &mut Random) -> String {
    let declared = TYPES.iter().enumerate().map(|(number, ty)| {
        let value = match random.below(4) {
            0 => random.below(3) as i64 - 1,
            1 => i64::from(random.below(300)) - 150,
            _ => random.bits() as i64 >> random.below(60),
        };
        format!("{ty} v{number} = {};\n", literal(value))
    });
    declared.collect()
}

/// A number as C can write it.
pub(crate) fn literal(value: i64) -> String {
    if value == i64::MIN { "(-9223372036854775807LL - 1)".to_owned() } else { format!("({value}LL)") }
}

/// `leaf` yields what the expression is about.
pub(crate) fn expression(
    random: &mut Random,
    depth: u32,
    leaf: &mut dyn FnMut(&mut Random) -> String,
) -> String {
    if depth == 0 || random.percent(15) {
        return leaf(random);
    }
    let mut part = |random: &mut Random| expression(random, depth - 1, leaf);
    match random.below(20) {
        0..=5 => {
            let op = ["+", "-", "*", "&", "|", "^"][random.below(6) as usize];
            format!("({} {op} {})", part(random), part(random))
        }
        6 | 7 => {
            let op = ["/", "%"][random.below(2) as usize];
            // Neither by zero nor out of range.
            format!("({} {op} (({} & 7) + 1))", part(random), part(random))
        }
        8 | 9 => {
            let op = ["<<", ">>"][random.below(2) as usize];
            format!("({} {op} ({} & 15))", part(random), part(random))
        }
        10..=12 => {
            let op = ["==", "!=", "<", "<=", ">", ">="][random.below(6) as usize];
            format!("({} {op} {})", part(random), part(random))
        }
        13 => format!("({} ? {} : {})", part(random), part(random), part(random)),
        14 => {
            let op = ["&&", "||"][random.below(2) as usize];
            format!("({} {op} {})", part(random), part(random))
        }
        15 | 16 => format!("({}{})", ["-", "~", "!", "+"][random.below(4) as usize], part(random)),
        _ => format!("(({}){})", TYPES[random.below(TYPES.len() as u32) as usize], part(random)),
    }
}
