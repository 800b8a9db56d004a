//! Line markers: `#line 12 "orig.c"`, and `# 12 "orig.c"` as preprocessors write it, say where a text came from. People are
//! told the lines of the text they wrote; changes are made in the text that was read.

/// The markers of a text.
#[derive(Clone, Debug, Default)]
pub struct Markers {
    marks: Vec<Mark>,
}

#[derive(Clone, Debug)]
struct Mark {
    /// The first line of the text that it speaks of, and what that is called.
    first: u64,
    named: u64,
    /// Nothing where the name of the file stays what it was.
    file: Option<String>,
}

impl Markers {
    pub fn of(text: &str) -> Self {
        let mut marks: Vec<Mark> = Vec::new();
        for (line, number) in text.lines().zip(1..) {
            if let Some((named, file)) = marker(line) {
                let file = file.or_else(|| marks.last().and_then(|mark| mark.file.clone()));
                marks.push(Mark { first: number + 1, named, file });
            }
        }
        Self { marks }
    }

    /// What a line of the text is called: its file, if that is another one, and its number there.
    pub fn told(&self, line: u64) -> (Option<&str>, u64) {
        match self.marks.iter().rev().find(|mark| mark.first <= line) {
            Some(mark) => (mark.file.as_deref(), mark.named.saturating_add(line - mark.first)),
            None => (None, line),
        }
    }

    /// The lines of the text that are called by this number in this file; none stands for the text itself.
    pub fn lines(&self, file: Option<&str>, named: u64) -> Vec<u64> {
        let unmarked = Mark { first: 1, named: 1, file: None };
        let starts = std::iter::once(&unmarked).chain(&self.marks);
        // The line before the first one of a mark is the marker itself.
        let ends = self.marks.iter().map(|mark| mark.first - 1).chain([u64::MAX]);
        let in_part = |(start, end): (&Mark, u64)| {
            let line = start.first.checked_add(named.checked_sub(start.named)?)?;
            (start.file.as_deref() == file && line < end).then_some(line)
        };
        starts.zip(ends).filter_map(in_part).collect()
    }
}

/// The number and the name in a line that is a marker.
fn marker(line: &str) -> Option<(u64, Option<String>)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").map_or(rest, str::trim_start);
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..digits].parse().ok()?;
    let name = rest[digits..].trim_start().strip_prefix('"').and_then(|name| name.split('"').next());
    Some((number, name.map(str::to_owned)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_as_their_markers_say() {
        let text = "one\n# 10 \"a.c\" 1 2\nten\neleven\n#line 3\nthree\n  # line 7 \"b.c\"\nseven\n";
        let markers = Markers::of(text);
        assert_eq!(markers.told(1), (None, 1));
        assert_eq!(markers.told(4), (Some("a.c"), 11));
        assert_eq!(markers.told(6), (Some("a.c"), 3), "the file stays");
        assert_eq!(markers.told(8), (Some("b.c"), 7));
        assert_eq!(markers.lines(Some("a.c"), 11), [4]);
        assert_eq!(markers.lines(None, 1), [1]);
        assert!(markers.lines(Some("b.c"), 6).is_empty(), "before the part begins");
        assert!(markers.lines(None, 3).is_empty(), "behind the part of the text itself");
        assert_eq!(Markers::of("plain").lines(None, 7), [7]);
    }

    #[test]
    fn other_directives_are_no_markers() {
        assert!(marker("#define N 3").is_none());
        assert!(marker("#pragma line 3").is_none());
        assert!(marker("x = 3;").is_none());
        assert!(marker("# 99999999999999999999999").is_none(), "a number that is too large");
    }
}
