//! What each method found, or why it found nothing.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::{Anomalies, CorrectTransitions, Diagnosis, Method, Neighbourhoods, Skip, Variations, Worded};

/// What each method found; a method that was not asked for is absent.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Methods {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub neighbourhoods: Option<Outcome<Neighbourhoods>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anomalies: Option<Outcome<Anomalies>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correct_transitions: Option<Outcome<CorrectTransitions>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variations: Option<Outcome<Variations>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagnosis: Option<Outcome<Diagnosis>>,
    /// What further methods found, each in a form of its own.
    #[serde(flatten, serialize_with = "by_member")]
    pub more: BTreeMap<Method, Option<Outcome<serde_json::Value>>>,
}

/// Every method that was asked for, under the name of its member.
fn by_member<S: Serializer>(
    more: &BTreeMap<Method, Option<Outcome<serde_json::Value>>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let named = more.iter().filter_map(|(method, found)| Some((method.member(), found.as_ref()?)));
    serializer.collect_map(named)
}

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Outcome<M> {
    Skipped { skipped: Worded<Skip> },
    Found(Box<M>),
}

impl<M> Outcome<M> {
    /// Nothing, and why.
    pub fn none(why: Skip) -> Self {
        Self::Skipped { skipped: why.into() }
    }

    pub fn found(&self) -> Option<&M> {
        match self {
            Self::Found(found) => Some(found),
            Self::Skipped { .. } => None,
        }
    }

    /// Why there is nothing.
    pub fn skipped(&self) -> Option<&Worded<Skip>> {
        match self {
            Self::Found(_) => None,
            Self::Skipped { skipped } => Some(skipped),
        }
    }
}
