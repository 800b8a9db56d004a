//! The objects of SARIF 2.1.0 that we write, named as the standard names them; members that have nothing to say are
//! left out.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

#[derive(Debug, Serialize)]
pub(super) struct Log<'a> {
    #[serde(rename = "$schema")]
    pub(super) schema: &'static str,
    pub(super) version: &'static str,
    pub(super) runs: [Run<'a>; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run<'a> {
    pub(super) tool: Tool<'a>,
    pub(super) invocations: [Invocation; 1],
    pub(super) original_uri_base_ids: BTreeMap<&'static str, BaseId>,
    pub(super) artifacts: Vec<Artifact<'a>>,
    pub(super) results: Vec<SarifResult<'a>>,
    pub(super) column_kind: &'static str,
    pub(super) properties: RunProperties<'a>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RunProperties<'a> {
    pub(super) verdict: crate::Verdict,
    pub(super) reason: &'a str,
    pub(super) property: &'a str,
    pub(super) properties: &'a [crate::CheckedProperty],
    pub(super) engine: crate::Engine,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bound: Option<u64>,
    pub(super) passing_definition: &'a str,
}

#[derive(Debug, Serialize)]
pub(super) struct BaseId {
    pub(super) description: Message,
}

#[derive(Debug, Serialize)]
pub(super) struct Tool<'a> {
    pub(super) driver: Driver<'a>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver<'a> {
    pub(super) name: &'static str,
    pub(super) version: &'a str,
    pub(super) semantic_version: &'a str,
    pub(super) short_description: Message,
    pub(super) rules: Vec<Rule>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rule {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) short_description: Message,
    pub(super) full_description: Message,
    pub(super) help: Message,
    pub(super) default_configuration: Configuration,
    pub(super) properties: Tags,
}

#[derive(Debug, Serialize)]
pub(super) struct Configuration {
    pub(super) level: &'static str,
}

#[derive(Debug, Serialize)]
pub(super) struct Tags {
    pub(super) tags: Vec<String>,
}

/// A message, or a text in several forms; both are written alike.
#[derive(Debug, Serialize)]
pub(super) struct Message {
    pub(super) text: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub(super) execution_successful: bool,
    pub(super) exit_code: u8,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tool_execution_notifications: Vec<Notification>,
}

#[derive(Debug, Serialize)]
pub(super) struct Notification {
    pub(super) level: &'static str,
    pub(super) message: Message,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Artifact<'a> {
    pub(super) location: ArtifactLocation,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) roles: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source_language: Option<&'a str>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactLocation {
    pub(super) uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uri_base_id: Option<&'static str>,
    pub(super) index: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifResult<'a> {
    pub(super) rule_id: String,
    pub(super) rule_index: usize,
    pub(super) kind: &'static str,
    pub(super) level: &'static str,
    pub(super) rank: f64,
    pub(super) message: Message,
    pub(super) locations: [Location<'a>; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_locations: Vec<Location<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) code_flows: Vec<CodeFlow<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) fixes: Vec<Fix>,
    pub(super) partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "ResultProperties::is_empty")]
    pub(super) properties: ResultProperties<'a>,
}

#[derive(Debug, Serialize)]
pub(super) struct ResultProperties<'a> {
    pub(super) causes: Vec<CauseProperties<'a>>,
}

impl ResultProperties<'_> {
    fn is_empty(&self) -> bool {
        self.causes.is_empty()
    }
}

/// A cause as the report ranks it.
#[derive(Debug, Serialize)]
pub(super) struct CauseProperties<'a> {
    pub(super) rank: u64,
    pub(super) score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pattern: Option<findings::PatternName>,
    pub(super) summary: &'a str,
    pub(super) methods: &'a [crate::Method],
    pub(super) group: u64,
    pub(super) recheck: &'a crate::Recheck,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) physical_location: Option<PhysicalLocation<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) logical_locations: Vec<LogicalLocation<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<Message>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation<'a> {
    pub(super) artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) region: Option<Region<'a>>,
    /// The whole line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) context_region: Option<Region<'a>>,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region<'a> {
    pub(super) start_line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) start_column: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) end_line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) end_column: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) snippet: Option<Content<'a>>,
}

#[derive(Debug, Serialize)]
pub(super) struct Content<'a> {
    pub(super) text: Cow<'a, str>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LogicalLocation<'a> {
    pub(super) fully_qualified_name: Cow<'a, str>,
    pub(super) kind: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CodeFlow<'a> {
    pub(super) message: Message,
    pub(super) thread_flows: Vec<ThreadFlow<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ThreadFlow<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) initial_state: BTreeMap<&'a str, Message>,
    pub(super) locations: Vec<FlowLocation<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FlowLocation<'a> {
    pub(super) location: Location<'a>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) state: BTreeMap<&'a str, Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) nesting_level: Option<u64>,
    pub(super) execution_order: u64,
    pub(super) importance: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Fix {
    pub(super) description: Message,
    pub(super) artifact_changes: Vec<ArtifactChange>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactChange {
    pub(super) artifact_location: ArtifactLocation,
    pub(super) replacements: Vec<Replacement>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Replacement {
    pub(super) deleted_region: Region<'static>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) inserted_content: Option<Content<'static>>,
}
