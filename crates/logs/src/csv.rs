//! Rows of CSV as RFC 4180 has them: fields may be quoted, quotes within are doubled, and a quoted field
//! may hold line breaks.

/// One row: where its fields are, and the text of those that needed unquoting.
#[derive(Debug, Default)]
pub(crate) struct Row {
    fields: Vec<Field>,
    unquoted: String,
}

#[derive(Clone, Copy, Debug)]
enum Field {
    Plain(usize, usize),
    Unquoted(usize, usize),
}

impl Row {
    /// Reads the row at the start of `text`. The number of bytes it takes, without the line break; `None`
    /// where a quoted field does not end.
    pub(crate) fn read(&mut self, text: &str, delimiter: u8) -> Option<usize> {
        self.fields.clear();
        self.unquoted.clear();
        let bytes = text.as_bytes();
        let mut at = 0;
        loop {
            if bytes.get(at) == Some(&b'"') {
                let start = self.unquoted.len();
                at = self.unquote(text, at + 1)?;
                // What stands behind the closing quote belongs to the field as well.
                let rest = end_of_field(&bytes[at..], delimiter);
                self.unquoted.push_str(text[at..at + rest].trim_end_matches('\r'));
                at += rest;
                self.fields.push(Field::Unquoted(start, self.unquoted.len()));
            } else {
                let rest = end_of_field(&bytes[at..], delimiter);
                let end = at + text[at..at + rest].trim_end_matches('\r').len();
                self.fields.push(Field::Plain(at, end));
                at += rest;
            }
            match bytes.get(at) {
                Some(byte) if *byte == delimiter => at += 1,
                _ => return Some(at),
            }
        }
    }

    /// Appends a quoted field from behind its opening quote; the place behind its closing one.
    fn unquote(&mut self, text: &str, mut at: usize) -> Option<usize> {
        loop {
            let quote = at + memchr::memchr(b'"', &text.as_bytes()[at..])?;
            self.unquoted.push_str(&text[at..quote]);
            if text.as_bytes().get(quote + 1) != Some(&b'"') {
                return Some(quote + 1);
            }
            self.unquoted.push('"');
            at = quote + 2;
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.fields.len()
    }

    /// A field of the row that was read from `text`.
    pub(crate) fn get<'a>(&'a self, text: &'a str, column: usize) -> Option<&'a str> {
        match *self.fields.get(column)? {
            Field::Plain(start, end) => text.get(start..end),
            Field::Unquoted(start, end) => self.unquoted.get(start..end),
        }
    }
}

fn end_of_field(bytes: &[u8], delimiter: u8) -> usize {
    memchr::memchr2(delimiter, b'\n', bytes).unwrap_or(bytes.len())
}

/// The separator of a header row: the most frequent of the usual ones.
pub(crate) fn delimiter(header: &str) -> u8 {
    let count = |byte: &u8| header.bytes().filter(|other| other == byte).count();
    let first = [b';', b'\t', b','].into_iter().max_by_key(count);
    first.unwrap_or(b',')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(text: &str) -> Option<(usize, Vec<String>)> {
        let mut row = Row::default();
        let taken = row.read(text, b',')?;
        Some((taken, (0..row.len()).map(|column| row.get(text, column).unwrap().to_owned()).collect()))
    }

    #[test]
    fn fields_with_and_without_quotes() {
        assert_eq!(row("a,b,\nc").unwrap(), (4, vec!["a".into(), "b".into(), String::new()]));
        assert_eq!(row("\"a,\n\"\"b\"\"\",c\r\n").unwrap(), (13, vec!["a,\n\"b\"".into(), "c".into()]));
        assert_eq!(row("").unwrap(), (0, vec![String::new()]));
        assert_eq!(row("\"a\"b,c").unwrap().1, ["ab", "c"]);
        assert_eq!(row("5\" disk,c").unwrap().1, ["5\" disk", "c"]);
        assert!(row("a,\"b\n").is_none());
    }

    #[test]
    fn the_separator_is_guessed() {
        assert_eq!([delimiter("a,b"), delimiter("a;b,c;d"), delimiter("a\tb"), delimiter("a")], *b",;\t,");
    }
}
