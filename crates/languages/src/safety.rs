//! Which violations of a model or program `-p` asks for.

use anyhow::{Result, bail};
use findings::ViolationKind;
use pipeline::request::Asked;

use crate::question::PropertyOptions;
use crate::searched::Goal;

/// Everything that is wrong at the end of a trace, and what the report calls that.
pub(crate) fn all() -> Goal {
    (Asked::All, told(ViolationKind::Safety, "no invalid end state, no failed assertion, no fault"))
}

/// Which violations at the end of a trace a word or a number of a line asks for; none if it is about something else.
pub(crate) fn named(given: &str) -> Option<Goal> {
    let of_kind = |kind: ViolationKind, text: &str| (Asked::Kind(kind), told(kind, text));
    Some(match given.trim() {
        "deadlock" => of_kind(ViolationKind::Deadlock, "no invalid end state"),
        "assertion" => of_kind(ViolationKind::Assertion, "no failed assertion"),
        "fault" => of_kind(ViolationKind::Fault, "no fault"),
        text => {
            let line = text.parse().ok()?;
            (Asked::Line(line), told(ViolationKind::Assertion, &format!("nothing wrong in line {line}")))
        }
    })
}

fn told(kind: ViolationKind, text: &str) -> findings::Property {
    findings::Property { kind, text: text.to_owned(), spelling: None }
}

/// Refuses what only properties of transition systems have.
pub(crate) fn refuse_others(options: &PropertyOptions) -> Result<()> {
    if let Some(file) = &options.file {
        bail!("{}: properties of models are given with -p", file.path.display());
    }
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
