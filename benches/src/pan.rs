//! SPIN's verifier for a model: made, run, and what it said.

use std::path::Path;
use std::process::Command;

use crate::cost::{Cost, run};

/// How SPIN is asked.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    pub spin: &'static [&'static str],
    pub compiler: &'static [&'static str],
    pub verifier: &'static [&'static str],
}

/// Every state, no optimisation and no reduction: what a checker without reductions meets exactly.
pub const EVERYTHING: Asked = Asked {
    spin: &["-o1", "-o2", "-o3"],
    compiler: &["-O2", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM"],
    verifier: &["-c0", "-n"],
};

/// What is left after SPIN's reductions, all of it.
pub const REDUCED: Asked =
    Asked { spin: &[], compiler: &["-O2", "-DSAFETY", "-DNOCLAIM"], verifier: &["-c0", "-n"] };

/// What a user gets without asking for anything: optimised, reduced, and ended by the first error.
pub const AS_USED: Asked =
    Asked { spin: &[], compiler: &["-O2", "-DSAFETY", "-DNOCLAIM"], verifier: &["-n"] };

/// What came out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pan {
    pub states: u64,
    pub transitions: u64,
    pub errors: u64,
    /// What the states take, the table that finds them not included.
    pub state_megabytes: f64,
    pub all_megabytes: f64,
    /// Whether it found that its own reduction is invalid, because `xr` or `xs` does not hold.
    pub promise_broken: bool,
    /// Whether everything was searched.
    pub complete: bool,
    pub too_deep: bool,
    pub translation: Cost,
    pub compilation: Cost,
    pub search: Cost,
}

impl Pan {
    pub fn whole(&self) -> Cost {
        self.translation + self.compilation + self.search
    }
}

/// Checks the model `name` in `folder`, within so many MiB and steps.
pub fn check(
    folder: &Path,
    name: &str,
    definitions: &[&str],
    asked: Asked,
    memory: u32,
    depth: u32,
) -> Result<Pan, String> {
    let step = |program: &str, arguments: &[String]| {
        run(Command::new(program).args(arguments).current_dir(folder))
            .map_err(|error| format!("{program}: {error}"))
    };
    let words = |all: &[&str]| all.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let mut spin = words(asked.spin);
    spin.extend(words(definitions));
    spin.extend(words(&["-a", name]));
    let (_, translation) = step("spin", &spin)?;
    let mut compiler = words(asked.compiler);
    compiler.push(format!("-DMEMLIM={memory}"));
    compiler.extend(words(&["-w", "-o", "pan", "pan.c"]));
    let (output, compilation) = step("gcc", &compiler)?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let mut verifier = words(asked.verifier);
    verifier.push(format!("-m{depth}"));
    let (output, search) = step("./pan", &verifier)?;
    let mut pan = told(&String::from_utf8_lossy(&output.stdout));
    (pan.translation, pan.compilation, pan.search) = (translation, compilation, search);
    if pan.states == 0 {
        return Err("the verifier says nothing of states".to_owned());
    }
    Ok(pan)
}

/// Reads what the verifier prints at its end.
fn told(text: &str) -> Pan {
    let mut pan = Pan { complete: true, ..Pan::default() };
    for line in text.lines() {
        // Large numbers are printed as 1.2345e+08.
        let number = line.split_whitespace().next().and_then(|word| word.parse::<f64>().ok()).unwrap_or(0.0);
        if line.contains("states, stored") {
            pan.states = number as u64;
        } else if line.contains("transitions (=") {
            pan.transitions = number as u64;
        } else if line.contains("memory usage for states") {
            // First what they would take uncompressed, then what they do take.
            pan.state_megabytes = number;
        } else if line.contains("total actual memory usage") {
            pan.all_megabytes = number;
        } else if let Some((_, errors)) = line.split_once("errors: ") {
            pan.errors = errors.trim().parse().unwrap_or(0);
        } else if line.contains("partial order reduction invalid") {
            pan.promise_broken = true;
        } else if line.contains("depth too small") {
            (pan.complete, pan.too_deep) = (false, true);
        } else if line.contains("Search not completed") {
            pan.complete = false;
        }
    }
    pan
}
