//! The verdicts about several properties: part of the verdict, so that nothing that was not checked is passed over.

use anstyle::AnsiColor;

use super::Page;
use crate::wording::shown;
use crate::{CheckedProperty, Report, Verdict};

impl Page {
    /// That all of several properties hold.
    pub(super) fn all_hold(&mut self, word: &str, report: &Report) {
        let title = match report.properties.len() {
            2 => "both properties".to_owned(),
            many => format!("all {many} properties"),
        };
        self.line(&format!("{word}: {title}"));
        for property in &report.properties {
            self.sentence("  -", 4, &shown(&property.text));
        }
        self.sentence("", 2, &report.reason);
    }

    /// The verdicts about the properties besides the one that the report is about.
    pub(super) fn other_properties(&mut self, report: &Report) {
        let others: Vec<&CheckedProperty> =
            report.properties.iter().filter(|other| !is_explained(report, other)).collect();
        let with = |verdict: Verdict| others.iter().filter(move |other| other.verdict == verdict);
        for other in with(Verdict::Violated) {
            let ask = other.ask.as_ref().filter(|_| self.options);
            let how = ask.map_or_else(String::new, |ask| format!(" (-p {ask})"));
            let title = self.paint(AnsiColor::Red, "also violated");
            self.sentence(&format!("  {title}: "), 4, &shown(&format!("{}{how}", other.text)));
        }
        for other in with(Verdict::Unknown) {
            let title = self.paint(AnsiColor::Yellow, "undecided");
            let text = format!("{}: {}", other.text, other.reason);
            self.sentence(&format!("  {title}: "), 4, &shown(&text));
        }
        let holding: Vec<&str> = with(Verdict::Holds).map(|other| other.text.as_str()).collect();
        if !holding.is_empty() {
            self.sentence("  holds: ", 4, &shown(&holding.join("; ")));
        }
    }
}

/// Whether a property is the one that the report is about.
fn is_explained(report: &Report, property: &CheckedProperty) -> bool {
    match report.explained {
        Some(explained) => property.violations.contains(&explained),
        None => property.text == report.property.text && property.kind == report.property.kind,
    }
}
