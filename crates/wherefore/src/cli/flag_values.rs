//! What flags can be given: choices of the command line alone, sizes, durations.

use std::time::Duration;

use clap::ValueEnum;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Reduction {
    /// None: all states, as many as SPIN has without its optimisations
    None,
    /// Partial-order reduction, where it is sound: steps that no other process can notice come first
    Por,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// All traces, on the whole graph
    Exact,
    /// The traces that a depth-first search meets, as in the paper
    Sampled,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    /// Steps that follow each other
    Trace,
    /// Steps of one process that follow each other, whatever others do between them
    Process,
    /// Steps that depend on each other, by process, variables or channels, whatever comes between them
    Dependent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
    /// SARIF 2.1.0, for code scanning and editors; of checked and explained systems
    Sarif,
    /// One page with everything in it, for a browser
    Html,
}

impl Format {
    /// As it is called on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Sarif => "sarif",
            Self::Html => "html",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    Auto,
    Always,
    Never,
}

pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_uppercase().trim_end_matches("IB").trim_end_matches('B') {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1u64 << 40,
        _ => return Err("expected a size such as 512M or 8G".to_owned()),
    };
    let number: f64 = digits.parse().map_err(|_| "expected a size such as 512M or 8G".to_owned())?;
    if !(number.is_finite() && number >= 0.0) {
        return Err("expected a size such as 512M or 8G".to_owned());
    }
    Ok((number * unit as f64) as u64)
}

pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    let expected = || "expected a duration such as 30s, 5m or 1h".to_owned();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(expected()),
    };
    let number: f64 = digits.parse().map_err(|_| expected())?;
    Duration::try_from_secs_f64(number * unit).map_err(|_| expected())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_durations() {
        assert_eq!(parse_size("512M"), Ok(512 << 20));
        assert_eq!(parse_size("1.5GiB"), Ok(3 << 29));
        assert_eq!(parse_size("7"), Ok(7));
        assert!(parse_size("-1G").is_err() && parse_size("G").is_err() && parse_size("1X").is_err());
        assert_eq!(parse_duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_duration("250ms"), Ok(Duration::from_millis(250)));
        assert!(parse_duration("-1s").is_err() && parse_duration("soon").is_err());
    }
}
