//! Running the program, asking the library, and judging their JSON.
#![allow(clippy::unwrap_used, clippy::print_stdout, unreachable_pub)]

pub mod documents;
pub mod library;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use serde_json::Value;

pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The program, to be run in `folder`.
pub fn wherefore(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wherefore"));
    command.current_dir(folder).env_remove("NO_COLOR").env("COLUMNS", "100");
    command
}

pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    wherefore(folder).args(arguments).output().unwrap()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn validator(file: &str) -> jsonschema::Validator {
    let text = std::fs::read_to_string(workspace().join("schema").join(file)).unwrap();
    let mut schema = serde_json::from_str(&text).unwrap();
    close(&mut schema);
    jsonschema::validator_for(&schema).unwrap()
}

/// The schema lets members be added, as the interface does; what this version prints must be in it.
fn close(schema: &mut Value) {
    if let Value::Object(members) = schema {
        if members.contains_key("properties") && !members.contains_key("additionalProperties") {
            members.insert("additionalProperties".to_owned(), Value::Bool(false));
        }
        members.values_mut().for_each(close);
    } else if let Value::Array(items) = schema {
        items.iter_mut().for_each(close);
    }
}

static REPORT: LazyLock<jsonschema::Validator> = LazyLock::new(|| validator("report.schema.json"));
static CONTRAST: LazyLock<jsonschema::Validator> = LazyLock::new(|| validator("contrast.schema.json"));
static REPLAY: LazyLock<jsonschema::Validator> = LazyLock::new(|| validator("replay.schema.json"));

/// The official schema of SARIF. It comes with a crate of others, which the test script fetches;
/// `WHEREFORE_SARIF_SCHEMA` names it.
static SARIF: LazyLock<Option<jsonschema::Validator>> = LazyLock::new(|| {
    let Some(path) = std::env::var_os("WHEREFORE_SARIF_SCHEMA") else {
        assert_ne!(
            std::env::var("WHEREFORE_REQUIRE_TOOLS").as_deref(),
            Ok("1"),
            "there is no schema of SARIF"
        );
        println!("not validated: WHEREFORE_SARIF_SCHEMA names no schema");
        return None;
    };
    let mut schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(schema["title"].as_str().unwrap().contains("(SARIF) Version 2.1.0"));
    // The pattern of `language`, which we do not write, has a bracket too many for strict readers.
    for definition in schema["definitions"].as_object_mut().unwrap().values_mut() {
        if let Some(language) = definition.pointer_mut("/properties/language").and_then(Value::as_object_mut)
        {
            language.remove("pattern");
        }
    }
    Some(jsonschema::options().should_validate_formats(true).build(&schema).unwrap())
});

pub fn assert_valid_sarif(log: &Value, name: &str) {
    if let Some(schema) = &*SARIF {
        let errors = schema.iter_errors(log).map(|error| format!("{}: {error}", error.instance_path()));
        let errors: Vec<String> = errors.collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
    }
}

/// The items of an array; none if there is no array.
pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Parses JSON output and checks it against the schema it belongs to.
pub fn json(output: &Output) -> Value {
    checked_json(&stdout(output))
}

/// The same for text that was found elsewhere.
pub fn checked_json(text: &str) -> Value {
    let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let validator = match (value.get("replays"), value["engine"].as_str()) {
        (Some(_), _) => &*REPLAY,
        (None, Some("logs")) => &*CONTRAST,
        _ => &*REPORT,
    };
    let errors: Vec<String> =
        validator.iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{text}");
    value
}

/// One row of the honesty matrix.
#[derive(Debug)]
struct Row {
    method: String,
    input: String,
    violation: String,
    engine: String,
    status: String,
    reason: String,
}

static MATRIX: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let text = std::fs::read_to_string(workspace().join("honesty.csv")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let rows = lines.skip(1).map(|line| {
        let fields: Vec<String> = line.splitn(6, ',').map(str::to_owned).collect();
        let [method, input, violation, engine, status, reason] = fields.try_into().unwrap();
        assert!(["runs", "skipped", "may-skip"].contains(&status.as_str()), "{line}");
        assert_eq!(status == "runs", reason.is_empty(), "{line}: a skip has a reason, a run needs none");
        Row { method, input, violation, engine, status, reason }
    });
    rows.collect()
});

/// Checks that an `explain` report skips a method only where the honesty matrix allows it.
pub fn assert_honest(report: &Value) {
    let input = match report["input"]["kind"].as_str().unwrap() {
        "aut" | "dot" | "csv" | "fsm" | "json" | "lts" => "lts",
        "promela" => "promela",
        "c" => "c",
        "system" => "system",
        "logs" => "logs",
        other => panic!("an input the matrix does not know: {other}"),
    };
    let violated = report["verdict"] == "violated";
    let violation = match (violated, input) {
        (false, _) => "none",
        // The user said which traces fail, not how.
        (true, "logs") => "recorded",
        (true, _) => report["counterexample"]["kind"].as_str().unwrap(),
    };
    let engine = report["engine"].as_str().unwrap();
    let rows = || {
        MATRIX.iter().filter(|row| row.input == input && row.violation == violation && row.engine == engine)
    };
    assert!(rows().next().is_some(), "no row for {input}, {violation}, {engine}");
    for row in rows().filter(|row| row.status != "may-skip") {
        let method = &report["methods"][row.method.replace('-', "_")];
        assert!(!method.is_null(), "{} is missing", row.method);
        match method["skipped"].as_str() {
            None => assert_eq!(row.status, "runs", "{} ran although {row:?}", row.method),
            Some(reason) => assert!(
                rows().any(|row| row.status != "runs" && row.reason == reason),
                "{} was skipped without leave: {reason}",
                row.method
            ),
        }
    }
}

/// The names of the `ltl` blocks in a text; one without a name is `ltl_0`.
pub fn formulas(text: &str) -> Vec<String> {
    let code: Vec<&str> = text.lines().map(|line| line.split("/*").next().unwrap_or_default()).collect();
    let names = code.iter().filter_map(|line| {
        let rest = line.trim_start().strip_prefix("ltl")?;
        let name = rest.split('{').next()?.trim();
        let known = rest.starts_with([' ', '\t', '{']) && !name.contains('$');
        known.then(|| if name.is_empty() { "ltl_0".to_owned() } else { name.to_owned() })
    });
    names.collect()
}
