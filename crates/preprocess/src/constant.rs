//! Integer and character constants of `#if`. All arithmetic there has the widest type, 64 bits, signed
//! unless something says otherwise.

/// A value of a preprocessor expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) bits: u64,
    pub(crate) unsigned: bool,
}

impl Value {
    pub(crate) fn signed(value: i64) -> Self {
        Self { bits: value as u64, unsigned: false }
    }

    pub(crate) fn is_true(self) -> bool {
        self.bits != 0
    }
}

/// The value of a number, or what is wrong with it.
pub(crate) fn number(text: &str) -> Result<Value, String> {
    let lower = text.to_ascii_lowercase();
    let (radix, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', ..] => (8, &lower[1..]),
        _ => (10, &lower[..]),
    };
    let is_digit = |character: char| character.is_digit(if radix == 16 { 16 } else { 10 });
    let end = digits.find(|character| !is_digit(character)).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    if suffix.starts_with(['.', 'p']) || (radix != 16 && suffix.starts_with('e')) {
        return Err(format!("`{text}` is not an integer"));
    }
    let unsigned = match suffix {
        "" | "l" | "ll" => false,
        "u" | "ul" | "ull" | "lu" | "llu" => true,
        _ => return Err(format!("`{suffix}` cannot end an integer")),
    };
    if digits.is_empty() && matches!(radix, 2 | 16) {
        return Err(format!("`{text}` has no digits"));
    }
    let mut bits: u64 = 0;
    for digit in digits.chars() {
        let Some(digit) = digit.to_digit(radix) else {
            return Err(format!("`{digit}` is not a digit of `{text}`"));
        };
        // Too large a number wraps, as in gcc.
        bits = bits.wrapping_mul(u64::from(radix)).wrapping_add(u64::from(digit));
    }
    Ok(Value { bits, unsigned: unsigned || bits > i64::MAX as u64 })
}

/// The value of a character constant with its quotes, or what is wrong with it.
pub(crate) fn character(text: &str) -> Result<Value, String> {
    let open = text.find('\'').unwrap_or(0);
    let wide = open > 0 && !text.starts_with("u8");
    let inner = text.get(open + 1..text.len().saturating_sub(1)).unwrap_or_default();
    if inner.is_empty() {
        return Err("this character constant is empty".to_owned());
    }
    let mut units: Vec<u32> = Vec::new();
    let mut rest = inner.chars();
    while let Some(character) = rest.next() {
        if character == '\\' {
            units.push(escape(&mut rest)?);
        } else if wide {
            units.push(character as u32);
        } else {
            let mut buffer = [0; 4];
            units.extend(character.encode_utf8(&mut buffer).bytes().map(u32::from));
        }
    }
    if wide {
        return Ok(Value::signed(units.last().map_or(0, |unit| i64::from(*unit as i32))));
    }
    if let [unit] = units[..] {
        return Ok(Value::signed(i64::from(unit as u8 as i8)));
    }
    let packed = units.iter().fold(0_u32, |packed, unit| (packed << 8) | (unit & 0xFF));
    Ok(Value::signed(i64::from(packed as i32)))
}

/// The character after a backslash.
fn escape(rest: &mut std::str::Chars<'_>) -> Result<u32, String> {
    Ok(match rest.next() {
        None => return Err("a character must follow the backslash".to_owned()),
        Some(first @ '0'..='7') => digits(rest, 8, 2, first as u32 - '0' as u32),
        Some('x') if !rest.as_str().starts_with(|next: char| next.is_ascii_hexdigit()) => {
            return Err("digits must follow `\\x`".to_owned());
        }
        Some('x') => digits(rest, 16, usize::MAX, 0),
        Some('a') => 7,
        Some('b') => 8,
        Some('t') => 9,
        Some('n') => 10,
        Some('v') => 11,
        Some('f') => 12,
        Some('r') => 13,
        Some('e' | 'E') => 27,
        Some(other) => other as u32,
    })
}

/// Goes on from `value` with as many digits as there are, at most `most`.
fn digits(rest: &mut std::str::Chars<'_>, radix: u32, most: usize, mut value: u32) -> u32 {
    for _ in 0..most {
        let Some(digit) = rest.clone().next().and_then(|next| next.to_digit(radix)) else { break };
        value = value.wrapping_mul(radix).wrapping_add(digit);
        rest.next();
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_base() {
        for (text, bits, unsigned) in [
            ("0", 0, false),
            ("10", 10, false),
            ("010", 8, false),
            ("0xFfUL", 255, true),
            ("0b101", 5, false),
            ("18446744073709551615", u64::MAX, true),
            ("1llu", 1, true),
        ] {
            assert_eq!(number(text), Ok(Value { bits, unsigned }), "{text}");
        }
        for text in ["1.0", "1e3", "08", "1x", "0x", "0b2", "1lul", "0..N"] {
            assert!(number(text).is_err(), "{text}");
        }
    }

    #[test]
    fn characters_are_small_signed_numbers() {
        for (text, value) in [
            ("'a'", 97),
            ("'\\n'", 10),
            ("'\\0'", 0),
            ("'\\377'", -1),
            ("'\\x41'", 65),
            ("'ab'", 24930),
            ("L'ä'", 228),
        ] {
            assert_eq!(character(text), Ok(Value::signed(value)), "{text}");
        }
        assert!(character("''").is_err());
        assert!(character("'\\x'").is_err());
    }
}
