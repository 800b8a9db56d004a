//! Counterexamples travel between SPIN and us. Needs SPIN and a C compiler; the tables are printed with
//! `--nocapture`.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use testkit::packaged_models::packaged_models;
use testkit::spin::{Options, Source, Spin, Trail};

use crate::support;
use crate::support::{json, run, stderr, stdout};

/// How many errors of each model are looked at.
const ERRORS: usize = 3;

/// SPIN with and without merging of statements, with and without reduction.
fn searches() -> [(&'static str, Options); 3] {
    let compiled = |options: Options, flags: &str| Options {
        compiler: flags.split_whitespace().map(str::to_owned).collect(),
        ..options
    };
    let searches = [
        ("exact", compiled(Options::quick(), "-O0 -DSAFETY -DNOREDUCE -DNOCLAIM")),
        ("merged", compiled(Options::optimised(), "-O0 -DSAFETY -DNOREDUCE -DNOCLAIM")),
        ("reduced", compiled(Options::reduced(), "-O0 -DSAFETY -DNOCLAIM")),
    ];
    // Large tables take longer to be made than these searches need.
    let small = |options: Options| Options { verifier: Options::quick().verifier, ..options };
    searches.map(|(name, options)| (name, small(options).within(Duration::from_secs(20))))
}

/// The searches for a violation of a claim.
fn claim_searches(claim: &str) -> [(&'static str, Options); 2] {
    let verifier = match claim {
        "np" => "-l -m1000000 -w20".to_owned(),
        name => format!("-a -N {name} -m1000000 -w20"),
    };
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    let compiler = words(if claim == "np" { "-O0 -DNP -DNOREDUCE" } else { "-O0 -DNOREDUCE" });
    let options = Options { compiler, verifier: words(&verifier), ..Options::exact() };
    let options = options.within(Duration::from_secs(20));
    [("exact", options.clone()), ("merged", Options { spin: Vec::new(), ..options })]
}

/// What we call an error of SPIN. A bad index is a failed assertion there, and a fault here.
fn kinds(error: &str) -> &'static [&'static str] {
    if error.starts_with("invalid end state") {
        &["deadlock"]
    } else if error.starts_with("assertion violated") {
        &["assertion", "fault"]
    } else if error.starts_with("non-progress") {
        &["non-progress"]
    } else if ["acceptance cycle", "accept stutter", "end state in claim"]
        .iter()
        .any(|is| error.starts_with(is))
    {
        &["ltl", "acceptance"]
    } else {
        &["fault"]
    }
}

/// Why a trail of SPIN does not come to the same end here; nothing if it does.
fn differs(folder: &Path, model: &str, text: &str, error: &str) -> Option<String> {
    std::fs::write(folder.join("given.trail"), text).unwrap();
    let output = run(folder, &["replay", model, "--trail", "given.trail", "-f", "json"]);
    if output.stdout.is_empty() {
        return Some(stderr(&output));
    }
    let replay = json(&output)["replays"][0].clone();
    let kind = replay["violation"]["kind"].as_str().unwrap_or("nothing").to_owned();
    let is_same = kinds(error).contains(&kind.as_str());
    // A search that goes on past a failed assertion may find that nothing can move behind it.
    let is_both = kind == "assertion" && error.starts_with("invalid end state");
    // In the claims that SPIN makes of safety formulas what is wrong is an assertion.
    let is_claimed = kind == "ltl" && error.starts_with("assertion violated  !(");
    if replay["result"] == "fails" && (is_same || is_both || is_claimed) {
        return None;
    }
    Some(format!("SPIN: {error}; ours: {} {kind}, {}", replay["result"], replay["divergence"]))
}

#[test]
fn trails_of_packaged_examples_come_to_the_same_end() {
    let Some(spin) = Spin::find() else { return };
    let mut table = String::from("| model | search | error | numbers | listing |\n|---|---|---|---|---|\n");
    let (mut compared, mut models) = (0, 0);
    let mut failed = Vec::new();
    for model in packaged_models() {
        let source = model.source();
        let is_wrong = |verdict: &testkit::spin::Verdict| verdict.errors > 0;
        if model.is_slow() || !spin.verify(&source, &Options::exact()).as_ref().is_ok_and(is_wrong) {
            continue;
        }
        models += 1;
        let folder = tempfile::tempdir().unwrap();
        source.write_to(folder.path()).unwrap();
        for (search, options) in searches() {
            let trails = match spin.trails(&source, &options, ERRORS) {
                Ok(trails) => trails,
                Err(refusal) => {
                    writeln!(table, "| {} | {search} | no trail: {refusal:?} | | |", model.name).unwrap();
                    continue;
                }
            };
            for Trail { error, steps, replay, .. } in trails {
                let found = [&steps, &replay].map(|text| differs(folder.path(), source.name(), text, &error));
                let told = found.each_ref().map(|found| if found.is_none() { "same" } else { "differs" });
                writeln!(table, "| {} | {search} | {error} | {} | {} |", model.name, told[0], told[1])
                    .unwrap();
                for (format, why) in ["numbers", "listing"].iter().zip(found) {
                    compared += 1;
                    failed.extend(why.map(|why| format!("{} {search} {format}: {why}", model.name)));
                }
            }
        }
    }
    println!("{table}\n{models} models with errors, {compared} trails compared, {} differ", failed.len());
    assert!(failed.is_empty(), "{failed:#?}");
    assert!(packaged_models().is_empty() || compared > 100);
}

#[test]
fn trails_of_formulas_come_to_the_same_end() {
    let Some(spin) = Spin::find() else { return };
    let mut table =
        String::from("| model | claim | search | error | numbers | listing |\n|---|---|---|---|---|---|\n");
    let mut compared = 0;
    let mut failed = Vec::new();
    for model in packaged_models() {
        let is_large = model.is_slow() || model.name.starts_with("LTL/leader");
        if !model.name.starts_with("LTL/") || is_large {
            continue;
        }
        let source = model.source();
        let folder = tempfile::tempdir().unwrap();
        source.write_to(folder.path()).unwrap();
        let mut claims = support::formulas(&source.main_text());
        if source.main_text().contains("progress") {
            claims.push("np".to_owned());
        }
        for claim in claims {
            for (search, options) in claim_searches(&claim) {
                let Ok(trails) = spin.trails(&source, &options, 1) else { continue };
                for Trail { error, steps, replay, .. } in trails {
                    // The verifier stops where a formula looks into a channel that is not there yet.
                    if error.starts_with("ref to uninitialized chan name") {
                        let name = &model.name;
                        writeln!(table, "| {name} | {claim} | {search} | {error} | no violation | |")
                            .unwrap();
                        continue;
                    }
                    let found =
                        [&steps, &replay].map(|text| differs(folder.path(), source.name(), text, &error));
                    let told = found.each_ref().map(|found| if found.is_none() { "same" } else { "differs" });
                    let name = &model.name;
                    writeln!(table, "| {name} | {claim} | {search} | {error} | {} | {} |", told[0], told[1])
                        .unwrap();
                    compared += 2;
                    failed.extend(
                        found.into_iter().flatten().map(|why| format!("{name} {claim} {search}: {why}")),
                    );
                }
            }
        }
    }
    println!("{table}\n{compared} trails compared, {} differ", failed.len());
    assert!(failed.is_empty(), "{failed:#?}");
    assert!(packaged_models().is_empty() || compared > 20);
}

/// How `spin -t` says that a trail of ours ends; nothing if as it should.
fn spin_differs(spin: &Spin, folder: &Path, model: &str, kind: &str) -> Option<String> {
    let listing = spin.replayed(folder, model, "ours.trail");
    let failed = listing.contains("Error: assertion violated");
    // At the end SPIN tells where every process stands, and of each that may stay there that it may.
    let at_end = listing.split("#processes:").nth(1).unwrap_or_default();
    let stands = at_end.lines().filter(|line| line.contains("\tproc ") && line.contains("(state "));
    let is_stuck = stands.clone().any(|line| !line.contains("<valid end state>"));
    let is_same = match kind {
        "assertion" => failed,
        "deadlock" => is_stuck,
        "ltl" | "acceptance" | "non-progress" => listing.contains("spin: trail ends after"),
        // A statement with a fault is an error for the simulator, or cannot be executed; it says so as it likes.
        _ => true,
    };
    let lost = ["no matching stmnt", "stop error", "invalid statement", "(?)"];
    let is_lost = lost.iter().any(|word| listing.contains(word))
        || (kind != "fault" && listing.contains("transition failed"));
    (!is_same || is_lost).then(|| format!("{kind}: {listing}"))
}

/// How the verifier says that a trail of ours ends; nothing if as it should.
fn verifier_differs(spin: &Spin, source: &Source, folder: &Path, kind: &str) -> Option<String> {
    let trail = std::fs::read_to_string(folder.join("ours.trail")).unwrap();
    let listing = match spin.replayed_by_verifier(source, &trail) {
        Ok(listing) => listing,
        Err(refusal) => return Some(format!("no verifier: {refusal:?}")),
    };
    let steps = trail.lines().filter(|line| !line.starts_with('-')).count();
    let is_same = match kind {
        "assertion" => listing.contains("assertion violated"),
        // The verifier stops with a message of its own.
        "fault" => true,
        _ => listing.contains(&format!("trail ends after {steps} steps")),
    };
    (!is_same).then(|| format!("pan -r, {kind}: {listing}"))
}

/// The counterexamples of all models that are wrong, for SPIN.
#[test]
fn our_counterexamples_replay_in_spin() {
    let Some(spin) = Spin::find() else { return };
    let mut table = String::from("| model | property | kind | steps | spin -t |\n|---|---|---|---|---|\n");
    let mut failed = Vec::new();
    let mut compared = 0;
    let packaged = packaged_models().into_iter().filter(|model| !model.is_slow());
    let sources = packaged.map(|model| (model.name.clone(), model.source()));
    let examples = support::workspace().join("examples/promela");
    let mut paths: Vec<_> = std::fs::read_dir(examples).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pml"));
    paths.sort();
    let own = paths
        .iter()
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), Source::file(path).unwrap()));
    for (name, source) in sources.chain(own) {
        let folder = tempfile::tempdir().unwrap();
        source.write_to(folder.path()).unwrap();
        let safety = ["deadlock", "assertion", "fault"].map(str::to_owned);
        for property in safety.into_iter().chain(support::formulas(&source.main_text())) {
            let limits = ["--max-states", "100000"];
            let report = ["check", source.name(), "-p", &property, "-f", "json"];
            let output = run(folder.path(), &[&report[..], &limits].concat());
            if output.status.code() != Some(1) {
                continue;
            }
            let counterexample = json(&output)["counterexample"].clone();
            let emit = ["check", source.name(), "-p", &property, "--emit", "trail", "-o", "ours.trail"];
            let output = run(folder.path(), &[&emit[..], &limits].concat());
            assert_eq!(output.status.code(), Some(1), "{name}: {}", stderr(&output));
            // It also comes back to us.
            let again = run(
                folder.path(),
                &["replay", source.name(), "-p", &property, "--trail", "ours.trail", "-q"],
            );
            assert_eq!(again.status.code(), Some(1), "{name} {property}: {}", stdout(&again));
            let kind = counterexample["kind"].as_str().unwrap();
            let why = spin_differs(&spin, folder.path(), source.name(), kind)
                .or_else(|| verifier_differs(&spin, &source, folder.path(), kind));
            let told = if why.is_none() { "same" } else { "differs" };
            writeln!(table, "| {name} | {property} | {kind} | {} | {told} |", counterexample["length"])
                .unwrap();
            compared += 1;
            failed.extend(why.map(|why| format!("{name} {property}: {why}")));
        }
    }
    println!("{table}\n{compared} counterexamples replayed, {} differ", failed.len());
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(compared > 30);
}
