//! The statements of each process and their texts are those of SPIN: compared with the transitions that
//! `spin -a` writes for the packaged models and for small models of everything else. Compared is which
//! statements there are and how often, not their order; jumps and what is inside d_step are left out.

use std::collections::BTreeMap;
use std::path::PathBuf;

use promela::resolve::{Process, Program, Stmt, StmtKind};
use promela::syntax::ProcessKind;
use testkit::random::Random;
use testkit::random_promela::{Knobs, RandomModel};

use crate::support;
use crate::support::{packaged_models, spin};

/// What SPIN calls structures and jumps, which are no statements.
fn is_structure(text: &str) -> bool {
    matches!(text, "IF" | "DO" | "ATOMIC" | "sub-sequence" | "unless" | ".(goto)" | "-end-" | "break")
        || text.starts_with("D_STEP")
        || text.starts_with("goto ")
}

/// The texts of `pan.t` by process, in order of state numbers, each statement once.
fn spins_texts(transitions: &str) -> BTreeMap<String, Vec<String>> {
    let mut processes = BTreeMap::new();
    let mut current: Option<(String, BTreeMap<usize, Vec<String>>)> = None;
    let mut finish = |current: Option<(String, BTreeMap<usize, Vec<String>>)>| {
        if let Some((name, states)) = current {
            processes.insert(name, states.into_values().flatten().collect());
        }
    };
    for line in transitions.lines() {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("/* proctype ") {
            let name = rest.split_once(": ").map_or("", |(_, name)| name).trim_end_matches(" */").to_owned();
            finish(current.replace((name, BTreeMap::new())));
            continue;
        }
        let Some((_, states)) = &mut current else { continue };
        let Some(call) = line.find("settr(") else { continue };
        // Further transitions of the same state are those of an `if` and name no statement.
        let Some(at) = line[..call].find("trans[") else { continue };
        let mut numbers =
            line[at..call].split(['[', ']']).filter_map(|part| part.trim().parse::<usize>().ok());
        let Some(state) = numbers.nth(1) else { continue };
        let Some(start) = line[call..].find('"').map(|at| call + at + 1) else { continue };
        let Some(end) = line.rfind("\",").or_else(|| line.rfind("\" ")).or_else(|| line.rfind('"')) else {
            continue;
        };
        let text = &line[start..end];
        if !is_structure(text) {
            states.entry(state).or_default().push(without_scope(text));
        }
    }
    finish(current);
    processes
}

fn our_texts(process: &Process) -> Vec<String> {
    let mut texts = Vec::new();
    collect(&process.body, &mut texts);
    texts
}

fn collect(body: &[Stmt], texts: &mut Vec<String>) {
    for statement in body {
        match &statement.kind {
            StmtKind::If(choices) | StmtKind::Do(choices) => {
                choices.iter().for_each(|choice| collect(&choice.body, texts));
            }
            StmtKind::Atomic(inner) | StmtKind::Block(inner) => collect(inner, texts),
            StmtKind::Unless { main, escape } => {
                collect(main, texts);
                collect(escape, texts);
            }
            StmtKind::DStep(_) | StmtKind::Goto(_) | StmtKind::Break => {}
            _ => texts.push(statement.text.clone()),
        }
    }
}

/// The differences between SPIN's statements and ours, as sorted lists per process.
fn differences(program: &Program, transitions: &str) -> Vec<String> {
    let spins = spins_texts(transitions);
    let mut found = Vec::new();
    for process in &program.processes {
        let Some(theirs) = spins.get(&process.name) else {
            if matches!(process.kind, ProcessKind::Proctype | ProcessKind::Init) {
                found.push(format!("{}: SPIN does not have it", process.name));
            }
            continue;
        };
        let (mut ours, mut theirs) = (our_texts(process), theirs.clone());
        ours.sort();
        theirs.sort();
        if ours != theirs {
            let only = |left: &[String], right: &[String]| {
                let mut rest = right.to_vec();
                let mut only = Vec::new();
                for text in left {
                    match rest.iter().position(|other| other == text) {
                        Some(at) => drop(rest.swap_remove(at)),
                        None => only.push(text.clone()),
                    }
                }
                only.join(" ; ")
            };
            found.push(format!(
                "{}: only ours: {}\n        only SPIN's: {}",
                process.name,
                only(&ours, &theirs),
                only(&theirs, &ours)
            ));
        }
    }
    found
}

/// SPIN prints a constant of a named mtype as a number, or by the name that the plain mtype has for the
/// same number; we print its name.
const NAMED_CONSTANTS: [&str; 3] = ["abp.pml", "test_mtype.pml", "mtype_named.pml"];

/// SPIN numbers the counters of loops over channels by their scope.
fn without_scope(text: &str) -> String {
    let Some(at) = text.find("f0r_t3mp") else { return text.to_owned() };
    let (before, name) = text.split_at(at);
    let name = name.trim_start_matches("f0r_t3mp");
    let end = name.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(name.len());
    format!("{before}_f0r_t3mp{}", without_scope(&name[end..]))
}

#[test]
fn packaged_models_have_spins_statements() {
    let mut failed = Vec::new();
    let mut compared = 0;
    for (path, text) in packaged_models() {
        let Some(run) = spin(&text, &["-o1", "-o2", "-o3"]) else {
            println!("skipped: no spin");
            return;
        };
        let (Some(program), _) = promela::resolve::read(&text) else { continue };
        if run.transitions.is_empty() {
            println!("spin made nothing of {}", path.display());
            continue;
        }
        if NAMED_CONSTANTS.iter().any(|name| path.ends_with(name)) {
            continue;
        }
        compared += 1;
        let found = differences(&program, &run.transitions);
        if !found.is_empty() {
            failed.push(format!("{}\n    {}", path.display(), found.join("\n    ")));
        }
    }
    println!("{compared} models compared");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Constructs that the packaged models use rarely or not at all.
const SMALL: &[&str] = &[
    "mtype = {aa, bb};
     proctype P(byte q) { byte x[2]; byte z; L: skip; x[1] = 2 }
     chan c = [2] of {byte, mtype};
     init { P[1]@L; P[1]:x[1] == 2 && P:z; P@L; run P(3); byte k; k = run P(1); c!k+1,aa; c?1,bb;
            c?eval(k+1),_; assert k; k = 'a'; k == aa; printf(\"hi %d\\n\", k); get_priority(1) > 2;
            set_priority(1, 3); c!!2,bb; c??2,bb; c?<1,bb>; c??<1,bb>; k = (k -> 1 : 2); _priority = 4;
            k = -1; _last == 0; k = len(c); nfull(c) && k; !k; c??[1,aa]; k = ~k ^ k & k | k << 2 >> 1 % 3 }",
    "typedef R { byte f; short g[2] }; typedef Q { R r; R s[2]; bit b };
     chan ch = [2] of { mtype, R }; mtype = { m, n };
     typedef T { byte f; bit g }; proctype P(T x; byte y) { x.f == y }
     init { R rr; Q q; T t; run P(t, 3); ch!m(rr); ch?eval(q.b),rr; ch?[m,rr]; q.s[1].g[q.r.f] = 4; ch!n,q.s[1];
            ch?n(q.r) }",
    "init { byte x, y; byte arr[3]; for (x : 1 .. 3) { y++ } for (x : y .. y + 2) { skip; y-- }
           for (x in arr) { arr[x] = x } select (x : 1 .. 4); select (x : 1 .. y); select (x : 1 .. 40);
           L: for (x : 1 .. 2) { if :: y -> break :: else fi } }",
    "typedef R { byte f; bit g }; chan c = [3] of { R }; R r;
     init { for (r in c) { printf(\"x\") } skip; for (r in c) { skip } }",
    "init { skip; byte x = 1; byte a[3]; byte b[2] = 4; { byte w; w = 7 } { byte w = 2; w = 8 } if :: byte z; z = 1 :: z = 2 fi }",
    "inline f(v, w) { byte loc = 3; v = v * loc; w } inline g(a) { f(a, a > 1); end: a++ }
     byte n; init { g(n); f(n, n + 1 == 2) }",
    "inline h(x) { return x + 1 } init { byte y; y = h(y); skip }",
    "byte x; init { if :: skip; skip; x = 1 :: x = 2; skip; printf(\"a\"); skip; skip; x = 3 :: skip; skip fi }",
    "byte x; init { end: do :: x = 1; progress1: goto end :: x == 2 -> accept_x: break od; { x = 1; x = 2 } unless { x == 3; x = 4 };
       L: { x = 5 } unless x == 6; { M: do :: x = 1 od } unless x == 3; N: do :: x = 1 od unless O: do :: x = 2 od; x = 7 unless x == 8; goto L }",
    "byte x; active [2] proctype P() priority 3 provided (x > 1) { x = _pid; _nr_pr > 1; timeout -> x = 1 }",
    "byte x; init { atomic { x = 1; atomic { x = 2; d_step { x = 3; x = 4 } } } d_step { x = 5 } }",
    "unsigned u : 3 = 2; hidden byte h; show short s; local int i; chan c = [1] of {byte}; init { u = h + s; s = i; xr c; xs c; c!1 } chan d;",
    "chan c = [0] of {byte}; byte x; init { u: x = 1
        x = 2
        c!x
        (x > 1)
        if
        :: c?x
        :: else
        fi
        x == 1 -> x = 2 }",
    "never { do :: skip :: np_ od } byte x; init { x = 1 } proctype Q() { byte y; Q:y; Q[1]:y == x }",
    "chan c = [1] of {byte}; trace { do :: c!1; c?1 :: c!_ -> c?_ od } init { c!1; c?1 }",
];

#[test]
fn small_models_have_spins_statements() {
    for model in SMALL {
        let Some(run) = spin(model, &["-o1", "-o2", "-o3"]) else {
            println!("skipped: no spin");
            return;
        };
        let (program, diagnostics) = promela::resolve::read(model);
        let lines: Vec<_> = diagnostics.iter().map(|diagnostic| support::shown(model, diagnostic)).collect();
        let Some(program) = program else { panic!("{model}\n{}\n{}", lines.join("\n"), run.printed) };
        assert!(!run.transitions.is_empty(), "spin refuses {model}\n{}", run.printed);
        let found = differences(&program, &run.transitions);
        assert!(found.is_empty(), "{model}\n{}", found.join("\n"));
    }
}

/// The process, SPIN's number and the text of every row of `pan.t`.
fn spins_numbers(transitions: &str) -> Vec<(String, u32, String)> {
    let mut process = String::new();
    let mut rows = Vec::new();
    // Behind all processes comes a claim of SPIN's own, which looks for progress.
    for line in transitions.lines().map(str::trim).take_while(|line| !line.contains("np_ demon")) {
        if let Some(rest) = line.strip_prefix("/* proctype ") {
            process = rest.split_once(": ").map_or("", |(_, name)| name).trim_end_matches(" */").to_owned();
        }
        let row = || {
            let (_, call) = line.split_once("settr(")?;
            let text = call.split_once('"')?.1.rsplit_once("\",")?.0;
            Some((call.split(',').next()?.parse().ok()?, text.to_owned()))
        };
        rows.extend(row().map(|(number, text)| (process.clone(), number, text)));
    }
    rows
}

/// The same texts from the numbers of our statements.
fn our_numbers(body: &[Stmt], texts: &mut BTreeMap<u32, String>) {
    for statement in body {
        let (text, behind): (&str, &[&str]) = match &statement.kind {
            StmtKind::If(_) => ("IF", &[".(goto)"]),
            StmtKind::Do(_) => ("DO", &[".(goto)", "break"]),
            StmtKind::Unless { .. } => ("unless", &[".(goto)"]),
            StmtKind::Goto(_) | StmtKind::Break => ("goto", &[]),
            _ => (&statement.text, &[]),
        };
        for (number, text) in (statement.element..).zip(std::iter::once(&text).chain(behind)) {
            if let Some(other) = texts.insert(number, (*text).to_owned()) {
                texts.insert(number, format!("both {other} and {text}"));
            }
        }
        match &statement.kind {
            StmtKind::If(choices) | StmtKind::Do(choices) => {
                choices.iter().for_each(|choice| our_numbers(&choice.body, texts));
            }
            StmtKind::Atomic(inner) | StmtKind::Block(inner) | StmtKind::DStep(inner) => {
                our_numbers(inner, texts);
            }
            StmtKind::Unless { main, escape } => {
                our_numbers(main, texts);
                our_numbers(escape, texts);
            }
            _ => {}
        }
    }
}

/// In inlines SPIN prints constants of an mtype as numbers.
fn without_message(text: &str) -> &str {
    text.split_once(['!', '?', '=']).map_or(text, |(before, _)| before)
}

/// Rows of SPIN that we number otherwise, and how many were compared.
fn misnumbered(program: &Program, transitions: &str) -> (usize, Vec<String>) {
    let mut compared = 0;
    let mut wrong = Vec::new();
    let mut all = BTreeMap::new();
    for process in &program.processes {
        our_numbers(&process.body, &mut all);
        all.insert(process.elements.1, "-end-".to_owned());
    }
    for (name, number, text) in spins_numbers(transitions) {
        // We have no claims made of formulas.
        if !program.processes.iter().any(|process| process.name == name) {
            continue;
        }
        let text = without_scope(&text);
        let text = if text.starts_with("goto ") { "goto".to_owned() } else { text };
        let text = if text.starts_with("D_STEP") { "D_STEP".to_owned() } else { text };
        let ours = all.get(&number);
        compared += 1;
        if ours.map(|ours| without_message(ours)) != Some(without_message(&text)) {
            wrong.push(format!("{name}: SPIN's {number} is {text}, ours {ours:?}"));
        }
    }
    (compared, wrong)
}

#[test]
fn statements_have_spins_numbers() {
    let mut compared = 0;
    let mut failed = Vec::new();
    let small = SMALL.iter().map(|text| (PathBuf::from("small model"), (*text).to_owned()));
    let random = (0..40).map(|seed| {
        let mut random = Random::new(seed);
        let knobs = Knobs::varied(&mut random);
        (PathBuf::from(format!("random model {seed}")), RandomModel::random(&mut random, &knobs).to_string())
    });
    for (path, text) in support::models().into_iter().chain(small).chain(random) {
        let Some(run) = spin(&text, &["-o1", "-o2", "-o3"]) else {
            println!("skipped: no spin");
            return;
        };
        let (Some(program), _) = promela::resolve::read(&text) else { continue };
        if NAMED_CONSTANTS.iter().any(|name| path.ends_with(name)) {
            continue;
        }
        let (rows, wrong) = misnumbered(&program, &run.transitions);
        compared += rows;
        if !wrong.is_empty() {
            failed.push(format!("{}\n    {}", path.display(), wrong.join("\n    ")));
        }
    }
    println!("{compared} numbers compared");
    assert!(failed.is_empty(), "{} models: {}", failed.len(), failed.join("\n"));
}
