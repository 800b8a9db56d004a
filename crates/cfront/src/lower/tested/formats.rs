//! The formats of `printf`.

use std::iter::Peekable;

use model::Scalar;

/// A piece of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(Vec<u8>),
    Value(Spec),
}

/// One conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spec {
    pub(super) kind: u8,
    pub(super) left: bool,
    pub(super) plus: bool,
    pub(super) space: bool,
    pub(super) zeros: bool,
    pub(super) width: Amount,
    pub(super) precision: Option<Amount>,
    /// Of an integer.
    pub(super) scalar: Scalar,
}

/// A width or a precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Amount {
    Fixed(u32),
    /// The next argument says it.
    Argument,
}

/// Widths and precisions up to this are known.
const MOST: u32 = 4096;

/// How many bits the number of a conversion has, by the letters before it; `letters` are those that are known there.
pub(super) fn length(rest: &mut Peekable<impl Iterator<Item = u8>>, letters: &[u8], long: u8) -> u8 {
    match rest.next_if(|letter| letters.contains(letter)) {
        None => 32,
        Some(b'h') if rest.next_if_eq(&b'h').is_some() => 8,
        Some(b'h') => 16,
        Some(b'l') if rest.next_if_eq(&b'l').is_some() => 64,
        Some(b'j') => 64,
        Some(_) => long,
    }
}

/// The pieces of a format; nothing if one of them is not known. `long` is how many bits a `long` has.
pub(super) fn pieces(format: &[u8], long: u8) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut text = Vec::new();
    let mut rest = format.iter().copied().peekable();
    while let Some(character) = rest.next() {
        if character != b'%' || rest.next_if_eq(&b'%').is_some() {
            text.push(character);
            continue;
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut text)));
        }
        let mut spec = Spec {
            kind: 0,
            left: false,
            plus: false,
            space: false,
            zeros: false,
            width: Amount::Fixed(0),
            precision: None,
            scalar: Scalar::I32,
        };
        while let Some(flag) = rest.next_if(|flag| b"-+ 0".contains(flag)) {
            match flag {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                _ => spec.zeros = true,
            }
        }
        spec.width = amount(&mut rest)?;
        if rest.next_if_eq(&b'.').is_some() {
            spec.precision = Some(amount(&mut rest)?);
        }
        let bits = length(&mut rest, b"hljztL", long);
        spec.kind = rest.next()?;
        spec.scalar = Scalar { bits, signed: matches!(spec.kind, b'd' | b'i') };
        if !b"diuxXocsfF".contains(&spec.kind) {
            return None;
        }
        pieces.push(Piece::Value(spec));
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Some(pieces)
}

fn amount(rest: &mut std::iter::Peekable<impl Iterator<Item = u8>>) -> Option<Amount> {
    if rest.next_if_eq(&b'*').is_some() {
        return Some(Amount::Argument);
    }
    let mut number = 0u32;
    while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
        number = number * 10 + u32::from(digit - b'0');
        if number > MOST {
            return None;
        }
    }
    Some(Amount::Fixed(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_taken_apart() {
        let found = pieces(b"a%%b %-5d|%05.2f%*lu\n", 64).unwrap();
        let [
            Piece::Text(first),
            Piece::Value(number),
            Piece::Text(bar),
            Piece::Value(float),
            Piece::Value(long),
            _,
        ] = &found[..]
        else {
            panic!("{found:?}")
        };
        assert_eq!((&first[..], &bar[..]), (&b"a%b "[..], &b"|"[..]));
        assert!(number.left && number.width == Amount::Fixed(5) && number.scalar == Scalar::I32);
        assert!(float.zeros && float.precision == Some(Amount::Fixed(2)));
        assert!(long.width == Amount::Argument && long.scalar == Scalar::unsigned(64));
        for unknown in ["%", "%p", "%n", "%e", "%99999d", "%#x"] {
            assert_eq!(pieces(unknown.as_bytes(), 64), None, "{unknown}");
        }
    }
}
