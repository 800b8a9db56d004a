//! What `scanf` makes of a text, one conversion at a time.

/// What a conversion reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// White space, as much as there is.
    Space,
    /// A number to a base; 0 for one that the text says itself.
    Integer {
        base: u32,
    },
    Float,
    /// So many characters, white space or not.
    Characters,
    Word,
    /// Characters of a set.
    Set {
        members: Vec<u8>,
        inverted: bool,
    },
    /// A line with its end.
    Line,
}

/// A conversion, with the most characters that it reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Conversion {
    pub(crate) kind: Kind,
    pub(crate) width: Option<u32>,
}

/// What came of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scanned {
    /// How many characters were taken.
    pub(crate) taken: u32,
    /// How many of them, the last ones, are the text that was asked for.
    pub(crate) length: u32,
    /// The number, or the bits of one of double precision.
    pub(crate) value: i64,
    /// 0 where something was read, 1 where something else stands there, 2 at the end of the text.
    pub(crate) status: u8,
    /// Whether the end of the text was seen.
    pub(crate) sees_end: bool,
}

pub(crate) const READ: u8 = 0;
pub(crate) const MISMATCH: u8 = 1;
pub(crate) const AT_END: u8 = 2;

/// Applies a conversion to the rest of a text.
pub(crate) fn scan(conversion: &Conversion, text: &[u8]) -> Scanned {
    let most = conversion.width.map_or(usize::MAX, |width| width as usize);
    let skips = matches!(conversion.kind, Kind::Space | Kind::Integer { .. } | Kind::Float | Kind::Word);
    let space = if skips { run(text, u8::is_ascii_whitespace) } else { 0 };
    let rest = &text[space..];
    let limited = &rest[..rest.len().min(most)];
    let (taken, value, is_read) = match &conversion.kind {
        Kind::Space => (0, 0, true),
        Kind::Integer { base } => integer(limited, *base),
        Kind::Float => float(limited),
        Kind::Characters => {
            let wanted = most.min(if conversion.width.is_none() { 1 } else { usize::MAX });
            (limited.len().min(wanted), 0, limited.len() >= wanted)
        }
        Kind::Word => (run(limited, |byte| !byte.is_ascii_whitespace()), 0, !limited.is_empty()),
        Kind::Set { members, inverted } => {
            let length = run(limited, |byte| members.contains(byte) != *inverted);
            (length, 0, length > 0)
        }
        Kind::Line => {
            let line = run(limited, |byte| *byte != b'\n');
            (line + usize::from(limited.get(line) == Some(&b'\n')), 0, !limited.is_empty())
        }
    };
    let is_space = conversion.kind == Kind::Space;
    let status = match () {
        () if is_read => READ,
        () if rest.is_empty() => AT_END,
        () => MISMATCH,
    };
    let last_is_line_end = conversion.kind == Kind::Line && taken > 0 && rest[taken - 1] == b'\n';
    let stops_itself = conversion.kind == Kind::Characters || last_is_line_end;
    Scanned {
        taken: (space + taken) as u32,
        length: if is_space { 0 } else { taken as u32 },
        value,
        status,
        sees_end: space + taken == text.len() && taken < most && !(stops_itself && is_read),
    }
}

fn run(text: &[u8], is: impl Fn(&u8) -> bool) -> usize {
    text.iter().take_while(|byte| is(byte)).count()
}

/// How many characters belong to a number, the number, and whether there is one.
fn integer(text: &[u8], base: u32) -> (usize, i64, bool) {
    let sign = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let negative = text.first() == Some(&b'-');
    let rest = &text[sign..];
    let marked = matches!(rest, [b'0', b'x' | b'X', next, ..] if next.is_ascii_hexdigit());
    let (base, mark) = match (base, rest.first()) {
        (16, _) if marked => (16, 2),
        (0, _) if marked => (16, 2),
        (0, Some(b'0')) => (8, 0),
        (0, _) => (10, 0),
        (base, _) => (base, 0),
    };
    let digits = run(&rest[mark..], |byte| char::from(*byte).is_digit(base));
    let mut number = 0i128;
    for digit in &rest[mark..mark + digits] {
        let digit = char::from(*digit).to_digit(base).unwrap_or(0);
        number = (number * i128::from(base) + i128::from(digit)).min(1 << 100);
    }
    let number = if negative { -number } else { number };
    // Beyond 64 bits the nearest there is, as `strtol` has it.
    let value = match u64::try_from(number) {
        Ok(number) => number as i64,
        Err(_) => number.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64,
    };
    let taken = if digits == 0 { sign } else { sign + mark + digits };
    (taken, value, digits > 0)
}

/// The same of a number with a fraction or an exponent.
fn float(text: &[u8]) -> (usize, i64, bool) {
    let sign = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let whole = run(&text[sign..], u8::is_ascii_digit);
    let mut end = sign + whole;
    let mut digits = whole;
    if text.get(end) == Some(&b'.') {
        let fraction = run(&text[end + 1..], u8::is_ascii_digit);
        digits += fraction;
        if digits > 0 {
            end += 1 + fraction;
        }
    }
    if digits == 0 {
        return (sign, 0, false);
    }
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        let exponent = run(&text[end + 1 + sign..], u8::is_ascii_digit);
        end += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    let number = std::str::from_utf8(&text[..end]).ok().and_then(|text| text.parse::<f64>().ok());
    (end, number.unwrap_or(0.0).to_bits() as i64, number.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scanned(kind: Kind, width: Option<u32>, text: &str) -> (u32, u32, i64, u8, bool) {
        let found = scan(&Conversion { kind, width }, text.as_bytes());
        (found.taken, found.length, found.value, found.status, found.sees_end)
    }

    #[test]
    fn numbers_are_read_as_scanf_reads_them() {
        let decimal = || Kind::Integer { base: 10 };
        assert_eq!(scanned(decimal(), None, " \n-12x"), (5, 3, -12, READ, false));
        assert_eq!(scanned(decimal(), Some(2), "1234"), (2, 2, 12, READ, false));
        assert_eq!(scanned(decimal(), None, "7"), (1, 1, 7, READ, true));
        assert_eq!(scanned(decimal(), None, " x"), (1, 0, 0, MISMATCH, false));
        assert_eq!(scanned(decimal(), None, " \n"), (2, 0, 0, AT_END, true));
        assert_eq!(scanned(Kind::Integer { base: 16 }, None, "0x1f"), (4, 4, 31, READ, true));
        assert_eq!(scanned(Kind::Integer { base: 0 }, None, "010 "), (3, 3, 8, READ, false));
        let half = 0.5f64.to_bits() as i64;
        assert_eq!(scanned(Kind::Float, None, " .5 "), (3, 2, half, READ, false));
        assert_eq!(scanned(Kind::Float, None, "5e-1e"), (4, 4, half, READ, false));
        assert_eq!(scanned(Kind::Float, None, "."), (0, 0, 0, MISMATCH, false));
    }

    #[test]
    fn texts_are_read_as_scanf_reads_them() {
        assert_eq!(scanned(Kind::Word, None, " ab c"), (3, 2, 0, READ, false));
        assert_eq!(scanned(Kind::Word, Some(1), "ab"), (1, 1, 0, READ, false));
        assert_eq!(scanned(Kind::Characters, None, " a"), (1, 1, 0, READ, false));
        assert_eq!(scanned(Kind::Characters, None, ""), (0, 0, 0, AT_END, true));
        assert_eq!(scanned(Kind::Line, None, "ab\ncd"), (3, 3, 0, READ, false));
        assert_eq!(scanned(Kind::Line, Some(2), "abc"), (2, 2, 0, READ, false));
        assert_eq!(scanned(Kind::Line, None, "ab"), (2, 2, 0, READ, true));
        let set = Kind::Set { members: b"\n".to_vec(), inverted: true };
        assert_eq!(scanned(set, None, "a b\n"), (3, 3, 0, READ, false));
        assert_eq!(scanned(Kind::Space, None, " \t"), (2, 0, 0, READ, true));
    }
}
