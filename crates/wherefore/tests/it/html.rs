//! The HTML report as a file: what is in it, and what can never be. `browser/` looks at it in a browser.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use serde_json::Value;

use crate::support;
use crate::support::{checked_json, json, run, stderr, stdout, workspace};

/// The data of a page: the report, checked against its schema, and the sources.
fn data(page: &str) -> (Value, Value) {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    let (island, _) = rest.split_once("</script>").unwrap();
    assert!(!island.contains(['<', '>', '&', '\u{2028}', '\u{2029}']));
    let data: Value = serde_json::from_str(island).unwrap();
    (checked_json(&data["report"].to_string()), data["sources"].clone())
}

/// Without what differs from run to run.
fn timeless(mut report: Value) -> Value {
    fn forget(value: &mut Value) {
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    if ["seconds", "search_seconds", "peak_bytes"].contains(&name.as_str()) {
                        *member = Value::Null;
                    } else {
                        forget(member);
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(forget),
            _ => {}
        }
    }
    forget(&mut report);
    report
}

/// Without what is looked for only as long as there is time: two runs may find different things.
const METHODS: [&str; 2] = ["-m", "neighbourhoods,anomalies,correct-transitions,variations"];

const WEB_SHOP: [&str; 3] = ["examples/lts/web_shop.aut", "--property-file", "examples/lts/web_shop.mcl"];

#[test]
fn a_page_tells_what_the_json_report_tells() {
    let examples: [&[&str]; 4] = [
        &["examples/promela/philosophers.pml"],
        &["examples/promela/counter.pml"],
        &["examples/c/midpoint.c"],
        &WEB_SHOP,
    ];
    for example in examples {
        let page = run(&workspace(), &[example, &METHODS, &["-f", "html"]].concat());
        let plain = run(&workspace(), &[example, &METHODS, &["-f", "json"]].concat());
        assert_eq!(page.status.code(), plain.status.code());
        let (mut report, sources) = data(&stdout(&page));
        let surroundings = report.as_object_mut().unwrap().remove("surroundings").unwrap();
        assert_eq!(timeless(report.clone()), timeless(json(&plain)), "{example:?}");
        let states = surroundings["states"].as_array().unwrap();
        for edge in surroundings["edges"].as_array().unwrap() {
            assert!(edge["from"].as_u64().unwrap().max(edge["to"].as_u64().unwrap()) < states.len() as u64);
            assert!(surroundings["labels"].get(edge["label"].as_u64().unwrap() as usize).is_some());
        }
        // The whole trace, which comes to no state twice, is in the picture, and fates agree.
        for step in report["counterexample"]["steps"].as_array().unwrap() {
            let drawn = states.iter().find(|state| state["step"] == step["n"]);
            assert!(drawn.is_some_and(|state| state["fate"] == step["fate"]), "{step}");
        }
        // The lines that steps stand in are lines of the sources.
        for step in report["counterexample"]["steps"].as_array().unwrap() {
            let at = &step["location"];
            if at.is_null() {
                continue;
            }
            let file =
                sources.as_array().unwrap().iter().find(|source| source["file"] == at["file"]).unwrap();
            let line = &file["pieces"][0]["text"][at["line"].as_u64().unwrap() as usize - 1];
            assert_eq!(line.as_str().unwrap().trim(), at["text"].as_str().unwrap().trim());
        }
    }
}

/// What a page knows of a small system, word by word.
#[test]
fn the_data_of_a_page() {
    let page = run(
        &workspace(),
        &["examples/lts/send_recv.aut", "--property-file", "examples/lts/no_second_send.mcl", "-f", "html"],
    );
    let (report, sources) = data(&stdout(&page));
    let told = serde_json::json!({ "surroundings": report["surroundings"], "sources": sources });
    insta::assert_snapshot!(serde_json::to_string_pretty(&timeless(told)).unwrap());
}

#[test]
fn a_page_needs_nothing_and_allows_nothing() {
    let page = stdout(&run(&workspace(), &[&WEB_SHOP[..], &["-f", "html"]].concat()));
    let policy = page.split("http-equiv=\"Content-Security-Policy\" content=\"").nth(1).unwrap();
    let policy = policy.split('"').next().unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    assert!(policy.ends_with("base-uri 'none'; form-action 'none'"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    let (before, after) = page.split_once("<script type=\"application/json\"").unwrap();
    let after = after.split_once("</script>").unwrap().1;
    for own in [before, after] {
        // The heads of arrows are part of the page.
        let own = own.replace("url(#arrow)", "");
        for word in [" src=", "<link", "@import", "url(", " onclick", " style=\""] {
            assert!(!own.contains(word), "{word}");
        }
    }
}

/// A model that is full of markup: none of it may be more than data.
#[test]
fn a_hostile_system_is_data() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evil<img src=x onerror=alert(1)>'.aut");
    let label = "</script><script>alert(1)</script><!-- \u{2028}\u{202e}' onclick=alert(2)";
    std::fs::write(&path, format!("des (0,2,3)\n(0,\"{label}\",1)\n(1,\"<b>&amp;\",2)\n")).unwrap();
    let output = run(folder.path(), &[path.to_str().unwrap(), "-f", "html"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let page = stdout(&output);
    let (report, _) = data(&page);
    assert_eq!(report["counterexample"]["steps"][0]["action"], label);
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script").count(), 2);
    assert!(!page.contains("<img") && !page.contains("<!--"));
    let title = page.split("<title>").nth(1).unwrap().split("</title>").next().unwrap();
    assert!(!title.contains(['<', '\'']), "{title}");
}

#[test]
fn only_reports_are_pages() {
    let trail = workspace().join("examples/lts/web_shop.mcl");
    let arguments = ["replay", "examples/lts/web_shop.aut", "--trail", trail.to_str().unwrap(), "-f", "html"];
    let output = run(&workspace(), &arguments);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("only `explain` and `check` make HTML reports"), "{}", stderr(&output));
}

/// `--open` writes a page and hands it to the browser that the user has named.
#[cfg(unix)]
#[test]
fn a_page_is_opened_on_request() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let browser = folder.path().join("browser");
    std::fs::write(&browser, "#!/bin/sh\nprintf %s \"$1\" > \"$0.part\" && mv \"$0.part\" \"$0.opened\"\n")
        .unwrap();
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).unwrap();
    let opened = |arguments: &[&str]| {
        let _ = std::fs::remove_file(folder.path().join("browser.opened"));
        let output = support::wherefore(&workspace())
            .args(WEB_SHOP)
            .args(arguments)
            .env("BROWSER", &browser)
            .env("TMPDIR", folder.path())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert_eq!(stdout(&output), "");
        // The browser is not waited for.
        for _ in 0..500 {
            if let Ok(path) = std::fs::read_to_string(folder.path().join("browser.opened")) {
                return path;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        panic!("no browser was started: {}", stderr(&output));
    };
    let path = opened(&["--open"]);
    assert!(path.contains("wherefore-web_shop-"), "{path}");
    assert_eq!(data(&std::fs::read_to_string(path).unwrap()).0["verdict"], "violated");
    let named = folder.path().join("mine.html");
    let path = opened(&["--open", "-o", named.to_str().unwrap()]);
    assert_eq!(Path::new(&path), named.canonicalize().unwrap());
    let refused =
        support::wherefore(&workspace()).args(WEB_SHOP).args(["--open", "-o", "-"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
}
