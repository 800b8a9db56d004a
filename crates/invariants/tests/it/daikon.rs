//! The files for Daikon, held against the description of its formats by a reader that accepts nothing else, and
//! against Daikon itself where it is at hand: `WHEREFORE_DAIKON` is then its class path.

use std::collections::BTreeMap;
use std::process::Command;

use invariants::daikon::{Point, data_trace, declarations};
use invariants::{Samples, Value};
use testkit::random::{Random, for_random_inputs};

/// A variable as it is declared: its name and how its values are kept.
type Variable = (String, String);

fn unescaped(text: &str) -> String {
    assert!(!text.contains(char::is_whitespace), "`{text}`");
    text.replace("\\_", " ").replace("\\\\", "\\")
}

/// Reads declarations; everything has to stand where the format wants it.
fn read_declarations(text: &str) -> BTreeMap<String, Vec<Variable>> {
    let mut lines = text.lines().peekable();
    assert_eq!(lines.next(), Some("decl-version 2.0"));
    assert_eq!(lines.next(), Some("var-comparability none"));
    let mut points = BTreeMap::new();
    while let Some(line) = lines.next() {
        assert_eq!(line, "", "points are set apart by an empty line");
        let name = lines.next().and_then(|line| line.strip_prefix("ppt ")).expect("a point");
        assert!(name.ends_with(":::POINT"), "{name}");
        assert_eq!(lines.next(), Some("ppt-type point"));
        let mut variables: Vec<Variable> = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.is_empty()) {
            let name = unescaped(line.strip_prefix("variable ").expect("a variable"));
            let mut fields: BTreeMap<&str, &str> = BTreeMap::new();
            while let Some(field) = lines.next_if(|line| line.starts_with("  ")) {
                let (key, value) = field.trim_start().split_once(' ').expect("a key and a value");
                assert!(fields.insert(key, value).is_none(), "{key} is there twice");
            }
            let kept = fields["rep-type"];
            match fields["var-kind"] {
                "variable" => assert!(["int", "java.lang.String", "hashcode"].contains(&kept), "{kept}"),
                "array" => {
                    assert_eq!((fields["array"], kept), ("1", "int[]"));
                    let within = unescaped(fields["enclosing-var"]);
                    let place = variables.iter().find(|(name, _)| *name == within).expect("declared before");
                    assert_eq!(place.1, "hashcode");
                }
                other => panic!("{other}"),
            }
            assert!(fields.contains_key("dec-type") && fields.contains_key("comparability"));
            assert!(variables.iter().all(|(known, _)| *known != name), "{name} is declared twice");
            variables.push((name, kept.to_owned()));
        }
        assert!(points.insert(unescaped(name), variables).is_none(), "{name} is there twice");
    }
    points
}

/// Reads a data trace against its declarations; how many samples there are.
fn read_trace(text: &str, points: &BTreeMap<String, Vec<Variable>>) -> usize {
    let mut lines = text.lines();
    let mut samples = 0;
    while let Some(name) = lines.next() {
        for (variable, kept) in &points[&unescaped(name)] {
            let named = lines.next().map(unescaped);
            assert_eq!(
                named.as_deref(),
                Some(variable.as_str()),
                "variables stand in the order of declarations"
            );
            let (value, known) = (lines.next().expect("a value"), lines.next().expect("a number"));
            let is_number = |text: &str| text.parse::<i64>().is_ok();
            let fits = match kept.as_str() {
                _ if value == "nonsensical" => known == "2",
                "int" | "hashcode" => is_number(value),
                "int[]" => {
                    let inside = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
                    inside.is_some_and(|inside| inside.split_whitespace().all(is_number))
                }
                _ => value.len() >= 2 && value.starts_with('"') && value.ends_with('"'),
            };
            assert!(fits && (known == "1" || known == "2"), "{variable}: {value} {known} is no {kept}");
        }
        assert_eq!(lines.next(), Some(""), "samples end with an empty line");
        samples += 1;
    }
    samples
}

fn random_samples(random: &mut Random) -> Samples {
    let mut samples = Samples::new();
    let names = ["x", "main.y", "a[]", "queue b[]", "who\\is", "mixed"];
    for _ in 0..random.below(30) {
        let mut row = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let number = i64::from(random.below(9)) - 4;
            let value = match at {
                2 | 3 => Value::Array((0..random.below(4)).map(i64::from).collect()),
                4 => Value::Word(["idle", "a \"b\"\n\t\\", "", "ü"][random.below(4) as usize].to_owned()),
                5 if random.percent(50) => Value::Word("null".to_owned()),
                _ => Value::Number(number),
            };
            if random.percent(80) {
                row.push(((*name).to_owned(), value));
            }
        }
        samples.add(row);
    }
    samples
}

#[test]
fn files_for_daikon_are_what_its_formats_ask_for() {
    for_random_inputs(100, |random| {
        let (one, two) = (random_samples(random), random_samples(random));
        let points = [
            Point { name: "line 3: x = y", samples: &one },
            Point { name: "the failing step", samples: &two },
        ];
        let known = read_declarations(&declarations(&points));
        assert_eq!(known.len(), 2);
        assert_eq!(read_trace(&data_trace(&points), &known), one.len() + two.len());
    });
}

/// What Daikon says of a file that it reads, if it is there.
fn daikon(points: &[Point<'_>]) -> Option<String> {
    let path = std::env::var("WHEREFORE_DAIKON").ok()?;
    let folder = tempfile::tempdir().expect("a folder");
    let (decls, dtrace) = (folder.path().join("t.decls"), folder.path().join("t.dtrace"));
    std::fs::write(&decls, declarations(points)).expect("written");
    std::fs::write(&dtrace, data_trace(points)).expect("written");
    let mut java = Command::new("java");
    java.current_dir(folder.path()).args(["-cp", &path, "daikon.Daikon"]).arg(&decls).arg(&dtrace);
    let output = java.output().expect("java runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    Some(said)
}

#[test]
fn daikon_reads_them_and_finds_what_is_there() {
    let mut samples = Samples::new();
    for n in 0..60i64 {
        let array = Value::Array((n..n + 1 + n % 4).collect());
        let word = Value::Word(if n % 2 == 0 { "even" } else { "odd" }.to_owned());
        samples.add([
            ("main.x".to_owned(), Value::Number(n)),
            ("main.y".to_owned(), Value::Number(2 * n + 3)),
            ("marks[]".to_owned(), array),
            ("kind".to_owned(), word),
            ("five".to_owned(), Value::Number(5)),
        ]);
    }
    let points = [Point { name: "line 7: x++", samples: &samples }];
    let Some(said) = daikon(&points) else { return };
    for expected in ["five == 5", "marks[] sorted by <", "kind one of { \"even\", \"odd\" }"] {
        assert!(said.contains(expected), "{expected}\n{said}");
    }
    assert!(said.contains("2 * main.x - main.y + 3 == 0"), "{said}");
    for_random_inputs(3, |random| {
        let samples = random_samples(random);
        let points = [Point { name: "line 4: printf(\"a\\n\")", samples: &samples }];
        assert!(daikon(&points).is_some());
    });
}
