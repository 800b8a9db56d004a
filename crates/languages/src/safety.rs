//! Which violations of a model or program `-p` asks for.

use anyhow::{Result, bail};
use findings::ViolationKind;
use pipeline::request::Asked;

use crate::question::PropertyOptions;
use crate::searched::Goal;

/// Which violations are asked for, and what the report calls that; none if it is about endless traces. A trail may say
/// what is asked for, so what is given is not always in the options.
pub(crate) fn asked_for(options: &PropertyOptions, given: Option<&str>) -> Result<Option<Goal>> {
    let told =
        |kind: ViolationKind, text: &str| findings::Property { kind, text: text.to_owned(), spelling: None };
    if let Some(file) = &options.file {
        bail!("{}: properties of models are given with -p", file.path.display());
    }
    Ok(Some(match given.map(str::trim) {
        None => {
            let text = "no invalid end state, no failed assertion, no fault";
            (Asked::All, told(ViolationKind::Safety, text))
        }
        Some("deadlock") => {
            (Asked::Kind(ViolationKind::Deadlock), told(ViolationKind::Deadlock, "no invalid end state"))
        }
        Some("assertion") => {
            (Asked::Kind(ViolationKind::Assertion), told(ViolationKind::Assertion, "no failed assertion"))
        }
        Some("fault") => (Asked::Kind(ViolationKind::Fault), told(ViolationKind::Fault, "no fault")),
        Some(text) => match text.parse() {
            Ok(line) => {
                (Asked::Line(line), told(ViolationKind::Assertion, &format!("nothing wrong in line {line}")))
            }
            Err(_) => return Ok(None),
        },
    }))
}

/// Refuses what only properties of transition systems have.
pub(crate) fn refuse_others(options: &PropertyOptions) -> Result<()> {
    let given = [
        (options.spelling.is_some(), "--formula"),
        (options.end_label.is_some(), "--end-label"),
        (options.final_label.is_some(), "--final-label"),
    ];
    match given.iter().find(|(given, _)| *given) {
        Some((_, option)) => bail!("{option} is for transition systems, not for models"),
        None => Ok(()),
    }
}
