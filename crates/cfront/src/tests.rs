//! Tests of a program: what it reads, what it is started with, and what it should print.
//!
//! All tests together are one program with one choice at its start: which test this is. What is read comes from the
//! text of that test, and what is printed is compared with the expected text byte by byte as it is printed, so that a
//! failing test is a failing trace that ends with the statement that printed the first wrong byte, and a passing test
//! is a passing trace. `lower/tested` makes that of a program.
//!
//! White space at the end of a line, and lines without text at the end of the output, make no difference.

mod difference;
mod scan;

pub use difference::{Difference, Printed, Shown, difference};
pub(crate) use scan::{Conversion, Kind, scan};

/// The end of a text among its bytes.
pub(crate) const END: i16 = -1;

/// The tests of a program, in the order in which they are tried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tests {
    pub all: Vec<Test>,
}

/// One test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Test {
    pub name: String,
    /// What is read from standard input.
    pub input: Vec<u8>,
    /// The words behind the name of the program.
    pub arguments: Vec<Vec<u8>>,
    /// What should be printed on standard output.
    pub expected: Vec<u8>,
    /// Whether the program does not come to its end on it; then its loops go round so many times and no further.
    pub is_endless: bool,
    /// Whether nobody looks at it, because nothing is known of it.
    pub is_left_out: bool,
}

/// A text without what makes no difference: white space at the end of lines, and lines without text at its end.
pub(crate) fn normal(text: &[u8]) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end).collect();
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines.join(&b'\n')
}

/// Whether it is white space inside of a line.
pub(crate) fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() && byte != b'\n'
}

#[cfg(test)]
mod unit {
    use super::normal;

    #[test]
    fn white_space_at_the_end_makes_no_difference() {
        assert_eq!(normal(b"a  b \r\n\n c\t\n \n\n"), b"a  b\n\n c");
        assert_eq!(normal(b" \n"), b"");
    }
}
