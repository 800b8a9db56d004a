//! Timestamps at the start of lines, in the forms logs have: ISO 8601 and its relatives, times of day,
//! syslog's `Jan  2 15:04:05`, seconds since 1970, and the kernel's seconds since boot in brackets.

/// How many bytes of `text` are a timestamp and what sets it off from the rest; 0 where there is none or
/// nothing else.
pub(crate) fn leading(text: &[u8]) -> usize {
    let bracketed = text.first() == Some(&b'[');
    let mut at = usize::from(bracketed);
    if bracketed {
        at += blanks(&text[at..]);
    }
    let Some(length) = stamp(&text[at..], bracketed) else { return 0 };
    at += length;
    if bracketed {
        if text.get(at) != Some(&b']') {
            return 0;
        }
        at += 1;
    } else {
        match text.get(at) {
            Some(b' ' | b'\t') => {}
            Some(b',' | b':' | b'|' | b';') => at += 1,
            _ => return 0,
        }
    }
    at += blanks(&text[at..]);
    if let Some(b'-' | b',' | b':' | b'|' | b';') = text.get(at)
        && matches!(text.get(at + 1), None | Some(b' ' | b'\t'))
    {
        at += 1;
        at += blanks(&text[at..]);
    }
    if at < text.len() { at } else { 0 }
}

fn stamp(text: &[u8], bracketed: bool) -> Option<usize> {
    if let Some(date) = date(text) {
        let separator = match text.get(date) {
            Some(b'T' | b't' | b'_') => 1,
            Some(_) => blanks(&text[date..]),
            None => 0,
        };
        return Some(match time(&text[date + separator..]) {
            Some(time) if separator > 0 => date + separator + time,
            _ => date,
        });
    }
    if let Some(time) = time(text) {
        return Some(time);
    }
    if let Some(syslog) = syslog(text) {
        return Some(syslog);
    }
    let digits = digits(text);
    let fraction = fraction(&text[digits..]);
    ((10..=19).contains(&digits) || bracketed && digits > 0 && fraction > 0).then_some(digits + fraction)
}

/// `2024-01-02`, `2024/01/02`, `2024.01.02`.
fn date(text: &[u8]) -> Option<usize> {
    let separator = *text.get(4).filter(|byte| matches!(byte, b'-' | b'/' | b'.'))?;
    let fits = digits(text) == 4
        && digits(&text[5..]) == 2
        && text.get(7) == Some(&separator)
        && digits(text.get(8..)?) == 2;
    fits.then_some(10)
}

/// `15:04:05`, with a fraction and a zone where there are any.
fn time(text: &[u8]) -> Option<usize> {
    let hours = digits(text);
    let fits = (1..=2).contains(&hours)
        && text.get(hours) == Some(&b':')
        && digits(&text[hours + 1..]) == 2
        && text.get(hours + 3) == Some(&b':')
        && digits(&text[hours + 4..]) == 2;
    if !fits {
        return None;
    }
    let mut at = hours + 6;
    at += fraction(&text[at..]);
    Some(at + zone(&text[at..]))
}

fn zone(text: &[u8]) -> usize {
    match text {
        [b'Z' | b'z', ..] => 1,
        [b' ', b'U', b'T', b'C', ..] => 4,
        [b'+' | b'-', rest @ ..] => match (digits(rest), rest.get(2)) {
            (4, _) => 5,
            (2, Some(b':')) if digits(&rest[3..]) == 2 => 6,
            _ => 0,
        },
        [b' ', b'+' | b'-', rest @ ..] if digits(rest) == 4 => 6,
        _ => 0,
    }
}

/// `Jan  2 15:04:05`, with a day of the week before it and a year behind it where there are any.
fn syslog(text: &[u8]) -> Option<usize> {
    const MONTHS: [&[u8]; 12] =
        [b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec"];
    const DAYS: [&[u8]; 7] = [b"Mon", b"Tue", b"Wed", b"Thu", b"Fri", b"Sat", b"Sun"];
    let is_one_of = |names: &[&[u8]], at: usize| {
        text.get(at..at + 3).is_some_and(|word| names.contains(&word)) && text.get(at + 3) == Some(&b' ')
    };
    let mut at = if is_one_of(&DAYS, 0) { 4 } else { 0 };
    if !is_one_of(&MONTHS, at) {
        return None;
    }
    at += 4;
    at += blanks(&text[at..]);
    let day = digits(&text[at..]);
    if !(1..=2).contains(&day) {
        return None;
    }
    at += day;
    let gap = blanks(&text[at..]);
    at += gap;
    at += time(&text[at..]).filter(|_| gap > 0)?;
    if text.get(at) == Some(&b' ') && digits(&text[at + 1..]) == 4 {
        at += 5;
    }
    Some(at)
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// `.678` or `,678`.
fn fraction(text: &[u8]) -> usize {
    match text {
        [b'.' | b',', rest @ ..] if digits(rest) > 0 => 1 + digits(rest),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_the_line_is_what_counts() {
        for stamp in [
            "2024-01-02T03:04:05.678Z ",
            "2024-01-02T03:04:05+01:00 ",
            "2024-01-02 03:04:05,678 ",
            "2024-01-02 03:04:05.678 +0100 ",
            "2024-01-02 03:04:05 UTC - ",
            "[2024-01-02 03:04:05] ",
            "2024/01/02 03:04:05 ",
            "2024-01-02 ",
            "03:04:05.678 | ",
            "3:04:05: ",
            "Jan  2 03:04:05 ",
            "Mon Jan 12 03:04:05 2024 ",
            "1700000000 ",
            "1700000000.123: ",
            "1700000000123,",
            "[    1.234567] ",
        ] {
            let line = format!("{stamp}conn open");
            assert_eq!(&line[leading(line.as_bytes())..], "conn open", "{line}");
        }
    }

    #[test]
    fn what_is_no_timestamp_stays() {
        for line in [
            "",
            "2024-01-02",
            "[2024-01-02 03:04:05",
            "[]",
            "conn 12:30:45",
            "12 angry men",
            "123 conn",
            "[12] conn",
            "Jan 2nd",
            "Jan 2",
            "Sun",
            "2024-01-02x",
            "12:30",
            "1:2:3 x",
            "May",
            "2024-",
            "2024-01-",
        ] {
            assert_eq!(leading(line.as_bytes()), 0, "{line}");
        }
    }
}
