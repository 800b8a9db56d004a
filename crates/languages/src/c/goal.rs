//! What a program is checked for.

use anyhow::{Result, bail};
use findings::ViolationKind;
use graph::Sort;
use pipeline::request::Asked;

use crate::question::PropertyOptions;
use crate::safety;

/// What the report calls what programs are checked for where nothing is asked for.
pub(super) const SAFETY: &str = "no deadlock, no failed assertion, no fault";

/// The words for what programs can be checked for.
pub(super) const PROPERTIES: [&str; 5] = ["deadlock", "assertion", "fault", "overflow", "race"];

/// What a program is checked for.
pub(super) struct Goal {
    pub(super) asked: Asked,
    /// Whether signed overflow is looked for.
    pub(super) overflow: bool,
    /// Whether data races are looked for.
    pub(super) races: bool,
    /// The function that must not be called.
    pub(super) error: Option<String>,
}

impl Default for Goal {
    fn default() -> Self {
        Self { asked: Asked::All, overflow: false, races: false, error: None }
    }
}

/// Which violations are asked for, and what the report calls that.
pub(super) fn goal(options: &PropertyOptions) -> Result<(Goal, findings::Property)> {
    let goal = options.text().map_or_else(|| Some(safety::all()), safety::named);
    if let Some((asked, mut told)) = goal {
        match asked {
            Asked::All => SAFETY.clone_into(&mut told.text),
            Asked::Kind(_) if told.kind == ViolationKind::Deadlock => {
                "no deadlock".clone_into(&mut told.text)
            }
            _ => {}
        }
        return Ok((Goal { asked, ..Goal::default() }, told));
    }
    let given = options.text().unwrap_or_default().trim();
    let told = |kind: ViolationKind, text: String| findings::Property { kind, text, spelling: None };
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    if given == "overflow" {
        let asked = Asked::Sort(Sort::SignedOverflow);
        let goal = Goal { asked, overflow: true, ..Goal::default() };
        return Ok((goal, told(ViolationKind::Fault, "no signed overflow".to_owned())));
    }
    if given == "race" {
        let asked = Asked::Sort(Sort::DataRace);
        let goal = Goal { asked, races: true, ..Goal::default() };
        return Ok((goal, told(ViolationKind::Fault, "no data race".to_owned())));
    }
    if is_name(given) && !given.is_empty() {
        let asked = Asked::Sort(Sort::ErrorCall);
        let goal = Goal { asked, error: Some(given.to_owned()), ..Goal::default() };
        return Ok((goal, told(ViolationKind::Assertion, format!("no call of `{given}`"))));
    }
    bail!(
        "`{given}`: a program can be checked for deadlock, assertion, fault, overflow or race, for what is wrong in \
         a line (its number), or for calls of a function (its name)"
    );
}
