//! What a program is checked for.

use anyhow::{Result, bail};
use findings::ViolationKind;
use graph::Sort;
use pipeline::request::Asked;

use crate::question::PropertyOptions;
use crate::safety::asked_for;

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
    if let Some((asked, mut told)) = asked_for(options, options.text.as_deref())? {
        match asked {
            Asked::All => "no deadlock, no failed assertion, no fault".clone_into(&mut told.text),
            Asked::Kind(_) if told.kind == ViolationKind::Deadlock => {
                "no deadlock".clone_into(&mut told.text)
            }
            _ => {}
        }
        return Ok((Goal { asked, ..Goal::default() }, told));
    }
    let given = options.text.as_deref().unwrap_or_default().trim();
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
