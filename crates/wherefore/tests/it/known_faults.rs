//! What the method "anomalies" finds of faults that are known, as the tables of `docs/anomalies.md` have it.
//! `WHEREFORE_UPDATE=1 cargo test -p wherefore --test it known_faults::` writes them anew.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;

use serde_json::Value;
use testkit::packaged_models::{FAULTY, packaged_models};

use crate::support::{json, run, workspace};

/// A file and a line of it.
type Place = (String, u64);

/// The lines of a fault, and those in which it is first seen, as the header of a model gives them.
struct Documented {
    fault: BTreeSet<Place>,
    effect: BTreeSet<Place>,
}

impl Documented {
    fn of(file: &str, text: &str) -> Option<Self> {
        let header = text.split("*/").next()?;
        let (mut fault, mut effect) = (BTreeSet::new(), BTreeSet::new());
        for row in header.lines().map(|row| row.trim_start_matches([' ', '*'])) {
            let Some(rest) = row.strip_prefix("fault: ").or_else(|| row.strip_prefix("also: ")) else {
                continue;
            };
            let (before, behind) = rest.split_once("line ").unwrap();
            let named = if before.is_empty() { file } else { before.trim() };
            fault.insert((named.to_owned(), first_number(behind)));
            if let Some((_, behind)) = rest.split_once("first seen in line ") {
                effect.insert((file.to_owned(), first_number(behind)));
            }
        }
        (!fault.is_empty()).then_some(Self { fault, effect })
    }
}

fn first_number(text: &str) -> u64 {
    text.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
}

/// The lines at which an event or a step stands, and those of the calls that lead there.
fn places(event: &Value) -> BTreeSet<Place> {
    let mut found = BTreeSet::new();
    for location in [&event["location"], &event["partner"]["location"]] {
        for at in std::iter::once(location).chain(location["calls"].as_array().into_iter().flatten()) {
            if let (Some(file), Some(line)) = (at["file"].as_str(), at["line"].as_u64()) {
                found.insert((file.to_owned(), line));
            }
        }
    }
    found
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Where in a report one of these lines stands.
fn found(report: &Value, lines: &BTreeSet<Place>) -> Vec<String> {
    let told = &report["methods"]["anomalies"];
    let steps = list(&report["counterexample"]["steps"]);
    let is_there = |event: &Value| !places(event).is_disjoint(lines);
    let rank =
        |events: &Value, event: &dyn Fn(&Value) -> bool| list(events).iter().position(event).map(|at| at + 1);
    let among_steps =
        |name: &str| list(&told[name]).iter().any(|n| is_there(&steps[n.as_u64().unwrap() as usize - 1]));
    let mut found = Vec::new();
    if let Some(rank) = rank(&told["anomalies"], &|one| list(&one["events"]).iter().any(is_there)) {
        found.push(format!("anomaly {rank}"));
    }
    if among_steps("order_core") {
        found.push("order core".to_owned());
    }
    if among_steps("explanatory_sequence") {
        found.push("sequence".to_owned());
    }
    if let Some(late) = list(&told["deferred"]).iter().find(|late| is_there(&late["event"])) {
        let cure = if late["atomic"] == "cured" { ", with its cure" } else { "" };
        found.push(format!("deferred{cure}"));
    }
    if let Some(rank) = rank(&told["points_of_no_return"], &|point| is_there(&point["event"])) {
        found.push(format!("point of no return {rank}"));
    }
    found
}

/// The columns that both tables have: violation, steps, anomalies, length, decisive, core, sequence.
fn figures(report: &Value) -> String {
    let told = &report["methods"]["anomalies"];
    let core = match list(&told["order_core"]).len() {
        0 => "-".to_owned(),
        length => length.to_string(),
    };
    format!(
        "{} | {} | {} | {} | {} | {core} | {}",
        report["counterexample"]["kind"].as_str().unwrap(),
        report["counterexample"]["length"],
        told["count"],
        told["length"],
        told["decisive"],
        list(&told["explanatory_sequence"]).len(),
    )
}

/// The manual is written by several tests.
static WRITING: Mutex<()> = Mutex::new(());

/// Compares a table with the one in the manual that has this head, or writes it there.
fn compare_table(head: &str, rows: &[String]) {
    let _alone = WRITING.lock().unwrap();
    let path = workspace().join("docs/anomalies.md");
    let manual = std::fs::read_to_string(&path).unwrap();
    let begin = manual.find(head).unwrap_or_else(|| panic!("no table with the head {head}"));
    let begin = begin + manual[begin..].match_indices('\n').nth(1).unwrap().0 + 1;
    let end = manual[begin..].find("\n\n").map_or(manual.len(), |end| begin + end + 1);
    let table = rows.iter().map(|row| format!("{row}\n")).collect::<String>();
    println!("{table}");
    if std::env::var("WHEREFORE_UPDATE").is_ok_and(|value| value == "1") {
        std::fs::write(&path, format!("{}{table}{}", &manual[..begin], &manual[end..])).unwrap();
    } else {
        assert_eq!(&manual[begin..end], table, "the table in docs/anomalies.md is out of date");
    }
}

/// What anomalies say of a model.
fn explained(folder: &Path, file: &str) -> Value {
    json(&run(folder, &[file, "-m", "anomalies", "-f", "json"]))
}

/// When points of no return are fatal is computed from fates and rechecked by searches of their own: every condition that
/// covers nothing harmless has to stand, whether it covers all that is fatal or not. Returns how many are exact and were
/// confirmed.
fn conditions_are_never_refuted(name: &str, report: &Value) -> usize {
    let mut confirmed = 0;
    for point in list(&report["methods"]["anomalies"]["points_of_no_return"]) {
        let when = &point["fatal_when"];
        assert_ne!(when["recheck"], "refuted", "{name}: {point}");
        confirmed += usize::from(when["exact"] == true && when["recheck"] == "confirmed");
    }
    confirmed
}

#[test]
fn every_known_fault_is_shown() {
    let folder = workspace().join("examples/promela");
    let entries = std::fs::read_dir(&folder).unwrap();
    let mut files: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    files.retain(|file| file.ends_with(".pml"));
    files.sort();
    let mut rows = Vec::new();
    let mut missed = Vec::new();
    let mut confirmed = 0;
    for file in files {
        let text = std::fs::read_to_string(folder.join(&file)).unwrap();
        let Some(documented) = Documented::of(&file, &text) else { continue };
        let report = explained(&folder, &file);
        confirmed += conditions_are_never_refuted(&file, &report);
        let fault = found(&report, &documented.fault);
        let effect = found(&report, &documented.effect);
        // The point of no return is not the method's own.
        let is_shown = |found: &[String]| found.iter().any(|name| !name.starts_with("point"));
        let shown = if is_shown(&fault) {
            fault.join(", ")
        } else if is_shown(&effect) {
            format!("first effect: {}", effect.join(", "))
        } else {
            missed.push(file.clone());
            "**missed**".to_owned()
        };
        rows.push(format!("| `{}` | {} | {shown} |", file.trim_end_matches(".pml"), figures(&report)));
    }
    compare_table("| model | violation | steps | anomalies |", &rows);
    assert!(rows.len() >= 17, "{} models", rows.len());
    assert!(missed.is_empty(), "missed: {missed:?}");
    assert!(confirmed >= 5, "{confirmed} conditions are exact and confirmed");
}

#[test]
fn models_that_come_with_spin_are_explained() {
    let models = packaged_models();
    let mut rows = Vec::new();
    for model in models.iter().filter(|model| FAULTY.contains(&model.name.as_str())) {
        let folder = model.path.parent().unwrap();
        let report = explained(folder, model.path.file_name().unwrap().to_str().unwrap());
        conditions_are_never_refuted(&model.name, &report);
        let told = &report["methods"]["anomalies"];
        let best = list(&told["anomalies"]).first().map_or("none".to_owned(), |best| {
            let names = list(&best["events"]).iter().map(|event| event["event"].as_str().unwrap());
            let names: Vec<String> = names.map(|name| format!("`{}`", name.replace('|', "\\|"))).collect();
            format!("{}: {}", best["kind"].as_str().unwrap(), names.join(", then "))
        });
        let cure = list(&told["deferred"]).iter().find(|late| late["atomic"] == "cured");
        let cure = cure.map_or("-".to_owned(), |late| {
            format!("`{}` at once", late["event"]["event"].as_str().unwrap().replace('|', "\\|"))
        });
        rows.push(format!("| `{}` | {} | {best} | {cure} |", model.name, figures(&report)));
    }
    if !models.is_empty() {
        compare_table("| packaged model | violation | steps |", &rows);
        assert_eq!(rows.len(), FAULTY.len());
    }
}

/// The paper's own example, with what the paper says about it.
#[test]
fn rether_deadlocks_for_the_reason_the_paper_gives() {
    let report = explained(&workspace().join("examples/promela"), "rether.pml");
    let told = &report["methods"]["anomalies"];
    let steps = list(&report["counterexample"]["steps"]);
    let action = |n: &Value| steps[n.as_u64().unwrap() as usize - 1]["action"].as_str().unwrap();
    let best = &told["anomalies"][0];
    let events: Vec<&str> =
        list(&best["events"]).iter().map(|event| event["action"].as_str().unwrap()).collect();
    assert_eq!(events, ["rt == 1", "granted == 0"]);
    assert_eq!(best["kind"], "decisive");
    let sequence = list(&told["explanatory_sequence"]);
    assert_eq!(action(&sequence[0]), "release!id");
    let late = &told["deferred"][0];
    assert_eq!(
        (late["event"]["action"].as_str(), late["atomic"].as_str()),
        (Some("in_RT[i] = 0"), Some("cured"))
    );
    assert_eq!(action(&late["enabled_at"]), "ok!0");
    assert!(sequence.contains(&late["step"]), "the deferred statement is part of the sequence");
    let cures = claims(&report).into_iter().filter(|claim| {
        claim["claim"]
            .as_str()
            .unwrap()
            .contains("if no other step could run between the two, no trace would fail")
            && claim["recheck"]["result"] == "confirmed"
    });
    assert!(cures.count() >= 1);
}

/// Everything that is claimed of any cause.
fn claims(report: &Value) -> Vec<&Value> {
    let mut claims = Vec::new();
    for cause in list(&report["causes"]) {
        claims.push(cause);
        claims.extend(cause["evidence"].as_array().into_iter().flatten());
    }
    claims
}

#[test]
fn anomalies_of_other_orders_are_rechecked_as_well() {
    let folder = workspace().join("examples/promela");
    for (file, order) in
        [("rether.pml", "process"), ("rether.pml", "dependent"), ("trylock.pml", "dependent")]
    {
        let report = json(&run(&folder, &[file, "--order", order, "-f", "json"]));
        assert_eq!(report["methods"]["anomalies"]["order"], order);
        let claimed = claims(&report)
            .into_iter()
            .find(|cause| cause["claim"].as_str().unwrap().contains("with any uncounted steps in between"));
        let claimed = claimed.unwrap_or_else(|| panic!("no claim for {file} in the order {order}"));
        assert_eq!(claimed["recheck"]["result"], "confirmed", "{file} {order}");
        let shown = list(&report["methods"]["anomalies"]["anomalies"]).iter();
        let shown = shown.filter(|one| one["steps"] == claimed["steps"]);
        assert!(shown.count() >= 1, "the steps are those of an anomaly");
    }
}
