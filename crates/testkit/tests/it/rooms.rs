//! Who may use whom: the rooms of the house, held against what the crates declare.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What a crate must not reach, directly or through others.
const MUST_NOT_KNOW: &[(&str, &[&str])] = &[
    ("graph", &["lts", "property", "model", "findings", "report"]),
    ("findings", &["explain", "search", "promela", "cfront", "report", "edits"]),
    ("explain", &["promela", "cfront", "report", "edits", "logs", "wherefore"]),
    ("diagnosis", &["promela", "cfront", "preprocess", "report", "languages", "wherefore"]),
    ("languages", &["report", "logs", "wherefore"]),
    (
        "pipeline",
        &["promela", "cfront", "preprocess", "report", "logs", "diagnosis", "languages", "wherefore"],
    ),
    ("witness", &["promela", "cfront", "report", "explain", "search", "wherefore"]),
    ("report", &["explain", "search", "encode", "promela", "cfront", "edits", "lts", "wherefore"]),
    ("promela", &["cfront", "explain", "report"]),
    ("cfront", &["promela", "explain", "report"]),
    ("jvm", &["promela", "cfront", "model", "explain", "findings", "report"]),
    ("edits", &["promela", "cfront", "explain", "report"]),
    // It shares no code with the methods whose claims it tests.
    (
        "verify",
        &[
            "explain",
            "pipeline",
            "patterns",
            "search",
            "liveness",
            "diagnosis",
            "encode",
            "report",
            "promela",
            "cfront",
        ],
    ),
];

/// What a crate must not name, though it reaches it through others: the command line and the library ask languages, and
/// know none of them.
const MUST_NOT_NAME: &[(&str, &[&str])] =
    &[("wherefore", &["cfront", "jvm", "promela", "encode", "search", "explain", "edits", "diagnosis"])];

/// The crates of the workspace, each with those it depends on outside of its tests.
fn workspace() -> BTreeMap<String, BTreeSet<String>> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = std::fs::read_dir(&crates).expect("the crates are there");
    let names: Vec<String> = folders
        .map(|folder| folder.expect("a folder can be read").file_name().to_string_lossy().into_owned())
        .collect();
    names.iter().map(|name| (name.clone(), declared(&crates.join(name).join("Cargo.toml"), &names))).collect()
}

/// The crates of the workspace that a manifest names under `[dependencies]`.
fn declared(manifest: &Path, names: &[String]) -> BTreeSet<String> {
    let text = std::fs::read_to_string(manifest).expect("every crate has a manifest");
    let section = text.lines().skip_while(|line| *line != "[dependencies]").skip(1);
    let lines = section.take_while(|line| !line.starts_with('['));
    let named = lines.filter_map(|line| line.split(['.', ' ', '=']).next());
    named.filter(|name| names.iter().any(|known| known == name)).map(str::to_owned).collect()
}

fn reachable(from: &str, all: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut waiting = vec![from.to_owned()];
    while let Some(next) = waiting.pop() {
        for used in all.get(&next).into_iter().flatten() {
            if seen.insert(used.clone()) {
                waiting.push(used.clone());
            }
        }
    }
    seen
}

#[test]
fn no_room_knows_what_it_must_not_know() {
    let all = workspace();
    let mut wrong = Vec::new();
    for (room, forbidden) in MUST_NOT_KNOW {
        assert!(all.contains_key(*room), "there is no crate {room}");
        let known = reachable(room, &all);
        wrong.extend(
            forbidden
                .iter()
                .filter(|other| known.contains(**other))
                .map(|other| format!("{room} uses {other}")),
        );
    }
    for (room, forbidden) in MUST_NOT_NAME {
        let named = forbidden.iter().filter(|other| all[*room].contains(**other));
        wrong.extend(named.map(|other| format!("{room} names {other}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn dependencies_are_read_as_cargo_reads_them() {
    let all = workspace();
    assert!(all["explain"].contains("graph"), "explain works on graphs");
    assert!(reachable("wherefore", &all).contains("source"), "through others");
    assert!(!all["graph"].contains("testkit"), "what only tests use does not count");
}
