//! Reports to look at: one of each kind of input and violation, as pages for a browser, and a page that leads to them.

use std::ffi::OsString;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use report::html::{Entry, gallery as page};

use crate::tool::Tool;

/// The name of the page, what it is an example of, and what the tool is given.
const SELECTION: [(&str, &str, &[&str]); 8] = [
    ("deadlock", "A deadlock in Promela: dining philosophers", &["examples/promela/philosophers.pml"]),
    ("assertion", "An assertion in Promela: a lost update", &["examples/promela/counter.pml"]),
    ("wake-up", "A missed wake-up in Promela: planner and executive", &["examples/promela/planner.pml"]),
    (
        "lasso",
        "An endless trace: starvation without fairness",
        &["examples/promela/dekker.pml", "-p", "no_starvation"],
    ),
    ("sequential", "A sequential C program: binary search", &["examples/c/binary_search.c"]),
    ("threads", "C with threads: a missed signal", &["examples/c/missed_signal.c"]),
    (
        "transitions",
        "A transition system: the web shop",
        &["examples/lts/web_shop.aut", "--property-file", "examples/lts/web_shop.mcl"],
    ),
    ("diagnosis", "Diagnosis with a repair: the middle of three", &["examples/diagnosis/middle.c"]),
];

/// How long one example may take before something is wrong.
const PATIENCE: Duration = Duration::from_secs(300);

/// What was violated, as the pages call it.
fn kind_name(kind: &serde_json::Value) -> &str {
    match kind.as_str() {
        Some("ltl") => "LTL formula",
        Some("safety") => "safety formula",
        other => other.unwrap_or_default(),
    }
}

/// Writes the reports and the page into a folder.
pub(crate) fn gallery(root: &Path, tool: &Tool, folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let mut entries = Vec::new();
    for (name, kind, words) in SELECTION {
        let file = format!("{name}.html");
        let call = |more: &[&std::ffi::OsStr]| -> Vec<OsString> {
            words.iter().map(OsString::from).chain(more.iter().map(OsString::from)).collect()
        };
        let path = folder.join(&file);
        let written = tool.launch(
            root,
            &call(&["-q".as_ref(), "-f".as_ref(), "html".as_ref(), "-o".as_ref(), path.as_ref()]),
            PATIENCE,
        )?;
        let told = tool.launch(root, &call(&["-q".as_ref(), "-f".as_ref(), "json".as_ref()]), PATIENCE)?;
        let Some(report) =
            told.report.filter(|report| written.status == Some(1) && report["verdict"] == "violated")
        else {
            bail!("{}: no violation is reported: {}", words.join(" "), written.complaints);
        };
        let cause = &report["causes"][0];
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        let counterexample = &report["counterexample"];
        entries.push(Entry {
            file,
            kind: kind.to_owned(),
            command: format!("wherefore {}", words.join(" ")),
            verdict: format!(
                "{} after {} steps",
                kind_name(&counterexample["kind"]),
                counterexample["length"]
            ),
            cause: text(&cause["summary"]),
            recheck: text(&cause["recheck"]["result"]),
        });
        println!("{}", path.display());
    }
    let index = folder.join("index.html");
    page(&entries, &mut BufWriter::new(File::create(&index)?))?;
    println!("{}", index.display());
    Ok(())
}
