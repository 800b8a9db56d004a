//! Properties of endless traces, compared with SPIN: all that its packaged examples ask for, and random
//! formulas over random models, with and without weak fairness.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::path::Path;
use std::time::Duration;

use testkit::packaged_models::packaged_models;
use testkit::random::{Random, for_random_inputs};
use testkit::random_promela::{Knobs, RandomModel};
use testkit::spin::{Options, Source, Spin, Verdict};

use crate::support::{formulas, json, run};

/// How many random models are compared with `WHEREFORE_RANDOM_MODELS` unset.
const USUAL: u64 = 12;

/// A search for one violation of a claim.
fn options(claim: &str, fair: bool) -> Options {
    let fairness = if fair { " -f" } else { "" };
    let verifier = match claim {
        "np" => format!("-l -m1000000 -w20 -n{fairness}"),
        "acceptance" => format!("-a -m1000000 -w20 -n{fairness}"),
        name => format!("-a -N {name} -m1000000 -w20 -n{fairness}"),
    };
    // Reduction changes no verdict but takes time away; with rendezvous it does not go with fairness.
    let reduction = if fair { "-DNOREDUCE" } else { "" };
    let np = if claim == "np" { "-DNP" } else { "" };
    // Compiling takes longer than searching.
    let compiler = format!("-O0 -DNFAIR=5 {reduction} {np}");
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    Options { compiler: words(&compiler), verifier: words(&verifier), ..Options::exact() }
        .within(Duration::from_secs(20))
}

/// Whether SPIN found a violation; nothing where it cannot tell.
fn is_violated(verdict: &Verdict) -> Option<bool> {
    let about_claim = |text: &String| {
        ["acceptance cycle", "accept stutter", "end state in claim reached", "non-progress cycle"]
            .iter()
            .any(|start| text.starts_with(start))
    };
    if verdict.by_text.keys().any(about_claim) {
        return Some(true);
    }
    // Another error ends the search early.
    (verdict.completed() && verdict.errors == 0).then_some(false)
}

/// What we say: nothing where a limit was reached or the model cannot be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ours {
    Holds,
    /// With a trace that goes round, or after which nothing can help.
    Violated,
    /// With a trace that ends.
    ViolatedAtAnEnd,
}

impl Ours {
    /// With fairness SPIN (6.5.2) loses violations by traces that end if its claim has to visit several
    /// states in turn there: it says that `<>[] p` holds of a model that ends without p.
    fn agrees(self, violated: bool, fair: bool) -> bool {
        match self {
            Self::Holds => !violated,
            Self::Violated => violated,
            Self::ViolatedAtAnEnd => violated || fair,
        }
    }
}

fn ours(folder: &Path, file: &str, property: &str, fair: bool) -> Option<Ours> {
    let fairness = if fair { "weak" } else { "none" };
    let arguments =
        ["check", file, "-f", "json", "-p", property, "--fairness", fairness, "--max-states", "3000000"];
    let output = run(folder, &arguments);
    match output.status.code() {
        Some(0) => Some(Ours::Holds),
        Some(1) => {
            let report = json(&output);
            let ends = report["counterexample"]["text"].as_str().unwrap().contains("nothing moves any more");
            Some(if ends { Ours::ViolatedAtAnEnd } else { Ours::Violated })
        }
        _ => None,
    }
}

#[test]
fn packaged_examples_have_the_verdicts_of_spin() {
    let Some(spin) = Spin::find() else { return };
    let (mut compared, mut violated) = (0, 0);
    let mut wrong = Vec::new();
    for model in packaged_models() {
        // Without reduction the leader elections have more states than a test should look at.
        let is_large = model.is_slow() || model.name.starts_with("LTL/leader");
        if !model.name.starts_with("LTL/") || is_large {
            continue;
        }
        let source = model.source();
        let folder = tempfile::tempdir().unwrap();
        source.write_to(folder.path()).unwrap();
        let text = std::fs::read(folder.path().join(source.name())).unwrap();
        let text = String::from_utf8_lossy(&text).into_owned();
        let mut claims = formulas(&text);
        if text.contains("progress") {
            claims.push("np".to_owned());
        }
        for claim in claims {
            for fair in [false, true] {
                let Ok(verdict) = spin.verify(&source, &options(&claim, fair)) else { continue };
                let Some(theirs) = is_violated(&verdict) else {
                    println!("{} {claim}: SPIN cannot tell: {:?}", model.name, verdict.ending);
                    continue;
                };
                let found = ours(folder.path(), source.name(), &claim, fair);
                println!("{} {claim} fair {fair}: SPIN {theirs}, ours {found:?}", model.name);
                compared += 1;
                violated += u32::from(theirs);
                if !found.is_some_and(|found| found.agrees(theirs, fair)) {
                    wrong.push(format!("{} {claim} fair {fair}: SPIN {theirs}, ours {found:?}", model.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    println!("{compared} verdicts compared, {violated} of them violations");
    assert!(packaged_models().is_empty() || compared >= 20);
}

/// A condition on the global variables of a random model.
fn condition(random: &mut Random, variables: &[String]) -> String {
    let variable = &variables[random.below(variables.len() as u32) as usize];
    let sign = ["==", "!=", ">", "<="][random.below(4) as usize];
    format!("({variable} {sign} {})", random.below(3))
}

fn formula(random: &mut Random, variables: &[String], depth: u32) -> String {
    if depth == 0 {
        return condition(random, variables);
    }
    let part = |random: &mut Random| formula(random, variables, depth - 1);
    match random.below(9) {
        0 => condition(random, variables),
        1 => format!("!({})", part(random)),
        2 | 3 => format!("[] ({})", part(random)),
        4 | 5 => format!("<> ({})", part(random)),
        6 => format!("(({}) && ({}))", part(random), part(random)),
        7 => format!("(({}) -> ({}))", part(random), part(random)),
        _ => format!("(({}) U ({}))", part(random), part(random)),
    }
}

/// The global numbers that a random model declares.
fn variables(model: &str) -> Vec<String> {
    let declared = model.lines().take_while(|line| !line.contains("proctype"));
    let declared = declared.filter_map(|line| {
        let mut words = line.split_whitespace();
        let is_number = matches!(words.next()?, "byte" | "bit" | "bool" | "int" | "short");
        let name: String =
            words.next()?.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let rest = line.split_once(&name)?.1;
        (is_number && !rest.trim_start().starts_with('[')).then_some(name)
    });
    declared.collect()
}

fn compare(spin: &Spin, random: &mut Random, cached: bool, compared: &mut [u64; 2]) {
    // SPIN stores nothing inside atomic sequences, and so goes round in them for ever.
    // With fairness it loses traces that end where `provided` or a priority keeps a process.
    let quiet =
        Knobs { assertion: 0, provided: 0, priorities: 0, processes: (2, 3), ..Knobs::varied(random) };
    let model = RandomModel::random(random, &quiet).to_string();
    let names = variables(&model);
    if names.is_empty() {
        return;
    }
    let formula = formula(random, &names, 3);
    let text = format!("{model}\nltl asked {{ {formula} }}\n");
    let source = Source::text(text.clone());
    let folder = tempfile::tempdir().unwrap();
    source.write_to(folder.path()).unwrap();
    for fair in [false, true] {
        let options = options("asked", fair);
        let compiler = ["-O0", "-DNOREDUCE", "-DNFAIR=5", "-DVECTORSZ=2048"].map(str::to_owned).to_vec();
        let options = Options { compiler, ..options };
        let options = if cached { options } else { options.uncached() };
        let Ok(verdict) = spin.verify(&source, &options.within(Duration::from_secs(20))) else { return };
        let Some(theirs) = is_violated(&verdict) else { return };
        let found = ours(folder.path(), source.name(), "asked", fair);
        let found = found.unwrap_or_else(|| panic!("no verdict on\n{text}"));
        assert!(found.agrees(theirs, fair), "{found:?}, fair {fair}:\n{text}");
        // The same formula given on the command line.
        assert_eq!(ours(folder.path(), source.name(), &formula, fair), Some(found), "fair {fair}:\n{text}");
        compared[usize::from(theirs)] += 1;
    }
}

/// As many models as `WHEREFORE_RANDOM_MODELS` says, or a few; `WHEREFORE_SEED` replays one.
#[test]
fn random_formulas_have_the_verdicts_of_spin() {
    let Some(spin) = Spin::find() else { return };
    let mut compared = [0; 2];
    match std::env::var("WHEREFORE_RANDOM_MODELS").ok().and_then(|count| count.parse().ok()) {
        Some(count) => for_random_inputs(count, |random| compare(&spin, random, false, &mut compared)),
        None => (0..USUAL).for_each(|seed| compare(&spin, &mut Random::new(seed), true, &mut compared)),
    }
    println!("{} verdicts hold, {} are violations", compared[0], compared[1]);
    assert!(compared[0] + compared[1] > 0);
}
