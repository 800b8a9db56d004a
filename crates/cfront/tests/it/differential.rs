//! Random programs compute the same here as when gcc compiles them.

use std::process::Command;

use cfront::Options;
use testkit::random::for_random_inputs;
use testkit::random_c::random_program;

use crate::run;
use crate::support;

/// What the program prints when gcc compiles it.
fn printed(text: &str, folder: &std::path::Path) -> Vec<String> {
    let (source, binary) = (folder.join("t.c"), folder.join("t"));
    std::fs::write(&source, text).expect("room for a file");
    let flags = ["-w", "-O0", "-fwrapv", "-fno-strict-aliasing", "-DPRINT", "-o"];
    let built = Command::new("gcc").args(flags).arg(&binary).arg(&source).output().expect("gcc runs");
    assert!(built.status.success(), "{}\n{text}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(&binary).output().expect("the program runs");
    assert!(ran.status.success(), "{text}");
    String::from_utf8_lossy(&ran.stdout).lines().map(str::to_owned).collect()
}

/// What it leaves in `out` when it runs here.
fn computed(text: &str) -> Vec<String> {
    let model = run::model(text, &Options::default(), None);
    let outcome = run::explored(&model);
    assert_eq!((&outcome.violations, &outcome.obstacles), (&vec![], &vec![]), "{text}");
    assert_eq!(outcome.ends.len(), 1, "it ends once\n{text}");
    let value = |name: &str| {
        let found = outcome.ends[0].iter().find(|(known, _)| known == name);
        found.map_or_else(|| panic!("no {name}"), |(_, value)| value.clone())
    };
    let count: usize = value("count").parse().expect("a number");
    (0..count).map(|index| value(&format!("out[{index}]"))).collect()
}

#[test]
fn random_programs_compute_what_gcc_computes() {
    if !support::gcc_is_there() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let count = std::env::var("WHEREFORE_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(40);
    for_random_inputs(count, |random| {
        let text = random_program(random);
        let computed = computed(&text);
        assert!(computed.len() > 15, "{text}");
        assert_eq!(computed, printed(&text, folder.path()), "{text}");
    });
}

#[test]
fn functions_of_the_library_compute_what_gcc_computes() {
    if !support::gcc_is_there() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for part in 1..=2 {
        let text = format!("#define PART {part}\n{}", include_str!("../programs/library.c"));
        let computed = computed(&text);
        assert!(computed.len() > 100, "{}", computed.len());
        assert_eq!(computed, printed(&text, folder.path()), "part {part}");
    }
}
