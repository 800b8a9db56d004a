//! What a Java program is checked for.

use anyhow::{Result, bail};
use findings::ViolationKind;
use graph::Sort;
use pipeline::request::Asked;

use crate::question::PropertyOptions;
use crate::safety;

pub(super) struct Goal {
    pub(super) asked: Asked,
    pub(super) told: findings::Property,
    /// A method that must not be called.
    pub(super) forbidden: Option<String>,
    /// Whether data races are looked for.
    pub(super) races: bool,
}

/// Which violations are asked for, and what the report calls that.
pub(super) fn goal(options: &PropertyOptions) -> Result<Goal> {
    let given = options.text().map(str::trim);
    if let Some((asked, mut told)) = given.map_or_else(|| Some(safety::all()), safety::named) {
        let text = match asked {
            Asked::All => Some("no deadlock, no failed assertion, no uncaught exception"),
            Asked::Kind(ViolationKind::Deadlock) => Some("no deadlock"),
            Asked::Kind(ViolationKind::Fault) => Some("no uncaught exception"),
            _ => None,
        };
        if let Some(text) = text {
            text.clone_into(&mut told.text);
        }
        return Ok(Goal { asked, told, forbidden: None, races: false });
    }
    let given = given.unwrap_or_default();
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.'));
    if given == "race" {
        let told = findings::Property {
            kind: ViolationKind::Fault,
            text: "no data race".to_owned(),
            spelling: None,
        };
        return Ok(Goal { asked: Asked::Sort(Sort::DataRace), told, forbidden: None, races: true });
    }
    if given.is_empty() || !is_name(given) {
        bail!(
            "`{given}`: a Java program can be checked for deadlock, assertion, fault or race, for what is wrong in a line \
             (its number), or for calls of a method (its name)"
        );
    }
    let told = findings::Property {
        kind: ViolationKind::Assertion,
        text: format!("no call of `{given}`"),
        spelling: None,
    };
    Ok(Goal { asked: Asked::Sort(Sort::ErrorCall), told, forbidden: Some(given.to_owned()), races: false })
}
