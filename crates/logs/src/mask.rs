//! Making lines that differ in numbers and ids one event: `conn 4711` and `conn 4712` are `conn #`.
//!
//! A line is a template with values in it, and the templates are the events. Log parsers learn templates
//! from many lines; that needs several passes and may change its mind. Here a value is known by its own
//! looks, in one pass over the bytes: numbers, hexadecimal ids, UUIDs, addresses, and timestamps at the
//! start. All become the same mark, because an id of hexadecimal digits may happen to be a number.
//!
//! The unit is the word: a run of letters and digits. Digits within a word are part of a name as long as
//! they are few (`eth0`, `x86`), and an id where they are three or more (`req4711`).

use std::net::Ipv6Addr;

use crate::timestamp;

/// What stands for whatever was masked.
const MARK: u8 = b'#';

/// How lines become events.
#[derive(Clone, Debug)]
pub struct Masker {
    values: bool,
    own: Option<regex::Regex>,
}

impl Default for Masker {
    fn default() -> Self {
        Self { values: true, own: None }
    }
}

impl Masker {
    /// Masks what matches `own`, and then, if `values`, what looks like a number or an id.
    ///
    /// # Errors
    /// If one of the regular expressions cannot be read.
    pub fn new(values: bool, own: &[String]) -> Result<Self, regex::Error> {
        // Each for itself, so that an error shows the expression the user wrote.
        for pattern in own {
            regex::Regex::new(pattern)?;
        }
        let all: Vec<String> = own.iter().map(|pattern| format!("(?:{pattern})")).collect();
        let own = if all.is_empty() { None } else { Some(regex::Regex::new(&all.join("|"))?) };
        Ok(Self { values, own })
    }

    /// Appends the event of `text` to `out`.
    pub fn mask(&self, text: &str, out: &mut Vec<u8>) {
        match &self.own {
            None => self.mask_values(text.as_bytes(), out),
            // What the user masks separates what lies around it.
            Some(own) => {
                let replaced = own.replace_all(text, "#");
                self.mask_values(replaced.as_bytes(), out);
            }
        }
    }

    fn mask_values(&self, text: &[u8], out: &mut Vec<u8>) {
        if self.values {
            mask_values(text, out);
        } else {
            out.extend_from_slice(text);
        }
    }
}

const DIGIT: u8 = 1;
const HEX_LETTER: u8 = 2;
const OTHER_LETTER: u8 = 4;

/// What words are made of; everything beyond ASCII counts as letters.
const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        class[byte] = match byte as u8 {
            b'0'..=b'9' => DIGIT,
            b'a'..=b'f' | b'A'..=b'F' => HEX_LETTER,
            b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => OTHER_LETTER,
            _ => 0,
        };
        byte += 1;
    }
    class
};

fn class(text: &[u8], at: usize) -> u8 {
    text.get(at).map_or(0, |byte| CLASS[usize::from(*byte)])
}

fn mask_values(text: &[u8], out: &mut Vec<u8>) {
    let mut copied = timestamp::leading(text);
    let mut at = copied;
    while let Some(byte) = text.get(at) {
        if CLASS[usize::from(*byte)] == 0 {
            // An address may begin with colons.
            if *byte == b':'
                && let Some(end) = address(text, at)
            {
                out.extend_from_slice(&text[copied..at]);
                out.push(MARK);
                (at, copied) = (end, end);
            } else {
                at += 1;
            }
            continue;
        }
        let start = at;
        let mut kinds = 0;
        loop {
            let class = class(text, at);
            if class == 0 {
                break;
            }
            kinds |= class;
            at += 1;
        }
        match value(text, start, at, kinds) {
            Some(end) => {
                out.extend_from_slice(&text[copied..start]);
                out.push(MARK);
                (at, copied) = (end, end);
            }
            None if kinds & DIGIT != 0 => {
                out.extend_from_slice(&text[copied..start]);
                mask_within_word(&text[start..at], out);
                copied = at;
            }
            None => {}
        }
    }
    out.extend_from_slice(&text[copied.min(text.len())..]);
}

/// Where the value ends that begins with the word from `start` to `end`.
fn value(text: &[u8], start: usize, end: usize, kinds: u8) -> Option<usize> {
    let word = &text[start..end];
    let is_hex = kinds & OTHER_LETTER == 0;
    let next = text.get(end).copied();
    if is_hex
        && word.len() == 8
        && next == Some(b'-')
        && let Some(end) = uuid(text, start)
    {
        return Some(end);
    }
    if is_hex
        && word.len() <= 4
        && next == Some(b':')
        && let Some(end) = address(text, start)
    {
        return Some(end);
    }
    if kinds & DIGIT == 0 {
        return None;
    }
    if kinds == DIGIT {
        return Some(number(text, end));
    }
    if let [b'0', b'x' | b'X', digits @ ..] = word
        && !digits.is_empty()
        && digits.iter().all(u8::is_ascii_hexdigit)
    {
        return Some(end);
    }
    (is_hex && (word.len() >= 6 || word[0].is_ascii_digit())).then_some(end)
}

/// The end of a number whose first digits end at `end`: fractions, versions and IPv4 addresses.
fn number(text: &[u8], mut end: usize) -> usize {
    while text.get(end) == Some(&b'.') && class(text, end + 1) == DIGIT {
        let mut digits = end + 1;
        while class(text, digits) == DIGIT {
            digits += 1;
        }
        let mut word = digits;
        while class(text, word) & (DIGIT | HEX_LETTER) != 0 {
            word += 1;
        }
        // `1.5e7` to its end, of `1.5ms` the number.
        end = if class(text, word) == 0 { word } else { digits };
        if end != digits {
            break;
        }
    }
    end
}

/// `123e4567-e89b-12d3-a456-426614174000`.
fn uuid(text: &[u8], start: usize) -> Option<usize> {
    const LENGTH: usize = 36;
    let candidate = text.get(start..start + LENGTH)?;
    let fits = candidate.iter().enumerate().all(|(at, byte)| match at {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    });
    (fits && class(text, start + LENGTH) == 0).then_some(start + LENGTH)
}

/// An IPv6 address or six pairs of hexadecimal digits, as network cards have them.
fn address(text: &[u8], start: usize) -> Option<usize> {
    const LONGEST: usize = 39;
    // Colons within words are part of the word's surroundings, not of an address.
    if start > 0 && (class(text, start - 1) != 0 || text[start - 1] == b':') {
        return None;
    }
    let run = &text[start..text.len().min(start + LONGEST + 1)];
    let is_part = |byte: &&u8| byte.is_ascii_hexdigit() || **byte == b':';
    let mut length = run.iter().take_while(is_part).count();
    if length > LONGEST || class(text, start + length) != 0 {
        return None;
    }
    // A colon at the end belongs to the sentence.
    if run[..length].ends_with(b":") && !run[..length].ends_with(b"::") {
        length -= 1;
    }
    let candidate = std::str::from_utf8(&run[..length]).ok()?;
    let pairs = candidate.len() == 17
        && candidate.bytes().enumerate().all(|(at, byte)| (at % 3 == 2) == (byte == b':'));
    // Without a digit it is more likely a name, as `a::b`.
    let fits =
        pairs || candidate.parse::<Ipv6Addr>().is_ok() && candidate.bytes().any(|b| b.is_ascii_digit());
    fits.then_some(start + length)
}

/// Masks digits at the start of a word, and three or more within it.
fn mask_within_word(word: &[u8], out: &mut Vec<u8>) {
    let mut at = 0;
    while at < word.len() {
        let digits = word[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            out.push(word[at]);
            at += 1;
        } else {
            if at == 0 || digits >= 3 {
                out.push(MARK);
            } else {
                out.extend_from_slice(&word[at..at + digits]);
            }
            at += digits;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn masked(text: &str) -> String {
        let mut out = Vec::new();
        Masker::default().mask(text, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn values_become_marks() {
        for (line, event) in [
            ("conn 4711 closed", "conn # closed"),
            ("2024-01-02T03:04:05Z conn 4711", "conn #"),
            ("conn-4711, slot_12", "conn-#, slot_#"),
            ("took 12ms, 1.5s, 3.0e7", "took #ms, #s, #"),
            ("version 1.2.3", "version #"),
            ("from 10.0.0.1:8080", "from #:#"),
            ("from [fe80::1]:80 and ::1", "from [#]:# and #"),
            ("mac aa:bb:cc:dd:ee:ff up", "mac # up"),
            ("at 12:30:45", "at #:#:#"),
            ("id 123e4567-e89b-12d3-a456-426614174000.", "id #."),
            ("id deadbeef-dead-beef-dead-beefdeadbeef", "id #"),
            ("ptr 0x7fffdeadbeef", "ptr #"),
            ("commit 4f3a2b1c", "commit #"),
            ("req4711 on eth0, node1", "req# on eth0, node1"),
            ("std::vector<T> a::b", "std::vector<T> a::b"),
            ("deadbeef cafe", "deadbeef cafe"),
            ("größe 12", "größe #"),
            ("4711", "#"),
            ("", ""),
        ] {
            assert_eq!(masked(line), event, "{line}");
        }
    }

    #[test]
    fn own_expressions_come_first_and_values_can_be_left() {
        let event = |values: bool, own: &[&str], text: &str| {
            let own: Vec<String> = own.iter().map(|pattern| (*pattern).to_owned()).collect();
            let mut out = Vec::new();
            Masker::new(values, &own).unwrap().mask(text, &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(event(false, &[], "conn 4711"), "conn 4711");
        assert_eq!(event(false, &["user=[a-z]+"], "user=bob 1"), "# 1");
        assert_eq!(event(true, &["user=[a-z]+", "x|y"], "user=bob 1 x y"), "# # # #");
        assert!(Masker::new(true, &["(".to_owned()]).is_err());
    }

    /// A value that is masked, of a random kind.
    fn a_value() -> impl Strategy<Value = String> {
        prop_oneof![
            any::<u64>().prop_map(|n| n.to_string()),
            (any::<u32>(), any::<u32>()).prop_map(|(a, b)| format!("{a}.{b}")),
            any::<u128>().prop_map(|bits| {
                let hex = format!("{bits:032x}");
                [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
            }),
            any::<u64>().prop_map(|bits| format!("0x{bits:x}")),
            any::<u64>().prop_map(|bits| format!("{bits:08x}0")),
            any::<[u8; 4]>().prop_map(|ip| std::net::Ipv4Addr::from(ip).to_string()),
            any::<[u16; 8]>().prop_map(|ip| Ipv6Addr::from(ip).to_string()),
        ]
    }

    proptest! {
        #[test]
        fn anything_is_masked_to_text(line in ".*") {
            masked(&line);
        }

        #[test]
        fn lines_of_digits_and_signs_too(line in "[0-9a-fx:.\\[\\]# -]{0,60}") {
            masked(&line);
        }

        #[test]
        fn masking_twice_is_masking_once(line in "[0-9a-gxT:.,#\\[\\]é -]{0,40}") {
            // Masks may uncover a timestamp's separator, never another value.
            let once = masked(&line);
            prop_assert_eq!(masked(&once), once);
        }

        #[test]
        fn values_of_all_kinds_are_alike(
            words in proptest::collection::vec("[g-zG-Z]{1,9}", 1..5),
            one in proptest::collection::vec(a_value(), 5),
            other in proptest::collection::vec(a_value(), 5),
        ) {
            let line = |values: &[String]| {
                words.iter().zip(values).map(|(word, value)| format!("{word} ({value}) ")).collect::<String>()
            };
            prop_assert_eq!(masked(&line(&one)), masked(&line(&other)));
        }

        #[test]
        fn text_without_digits_and_colons_stays(line in "[a-zA-Z ,.()_\\-]{0,40}") {
            prop_assume!(!line.contains('-'));
            prop_assert_eq!(masked(&line), line);
        }

        #[test]
        fn no_number_stands_alone(line in "[a-z0-9 ,()]{0,40}") {
            for word in masked(&line).split(|c: char| !c.is_alphanumeric()) {
                prop_assert!(word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_digit()), "{word}");
            }
        }
    }
}
