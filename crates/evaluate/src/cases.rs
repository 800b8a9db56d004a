//! Labelled faults: mutations of correct examples that violate what is checked.
//!
//! Of each example a few are taken, as different as possible: the operators take turns, and of each operator the
//! candidates come in the order of a hash, so that neither the first lines nor the most fertile operator fill the
//! list. Which candidates violate something is remembered in the folder, because it takes a while to find out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result};
use edits::{Candidate, Language, mutations};

use crate::bases::Base;
use crate::tool::Tool;

#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The example, the operator, the line and a number.
    pub(crate) name: String,
    pub(crate) language: Language,
    /// The file with the fault.
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) options: Vec<String>,
    pub(crate) operator: &'static str,
    pub(crate) line: u64,
    /// The lines in which the fault is, and those between which something is missing.
    pub(crate) lines: Vec<u64>,
    pub(crate) what: String,
    pub(crate) patch: String,
}

impl Case {
    /// Whether the case is kept for the final figure.
    pub(crate) fn is_held_out(&self) -> bool {
        // The lowest bit depends on those of the letters only.
        hash(&self.name) >> 40 & 1 == 1
    }
}

/// FNV-1a, which stays the same for ever.
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// How many candidates of one example are tried for each case that is wanted.
const TRIES: usize = 5;
/// How many seconds a candidate is checked for.
const PATIENCE: u64 = 8;

pub(crate) fn cases(
    bases: &[Base],
    tool: &Tool,
    folder: &Path,
    per_base: usize,
    jobs: usize,
) -> Result<Vec<Case>> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let memory = Memory::read(&folder.join("verdicts.txt"));
    let next = AtomicUsize::new(0);
    let made: Mutex<Vec<(usize, Result<Vec<Case>>)>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(base) = bases.get(at) else { return };
                    let cases = of_base(base, tool, folder, per_base, &memory);
                    if let Ok(mut made) = made.lock() {
                        made.push((at, cases));
                    }
                }
            });
        }
    });
    memory.write()?;
    let mut made = made.into_inner().unwrap_or_default();
    made.sort_by_key(|(at, _)| *at);
    let mut cases = Vec::new();
    for (_, found) in made {
        cases.extend(found?);
    }
    Ok(cases)
}

fn of_base(base: &Base, tool: &Tool, folder: &Path, per_base: usize, memory: &Memory) -> Result<Vec<Case>> {
    let mut options = base.options.clone();
    options.extend(["-I".to_owned(), base.folder.display().to_string()]);
    let write = |name: &str, text: &str| -> Result<PathBuf> {
        let folder = folder.join("cases").join(name);
        std::fs::create_dir_all(&folder)?;
        let path = folder.join(base.file());
        std::fs::write(&path, text)?;
        Ok(path)
    };
    let violates = |name: &str, text: &str| -> Result<bool> {
        let path = write(name, text)?;
        memory.or_find(text, || {
            let run = tool.run("check", &path, &options, PATIENCE)?;
            Ok(run.report.is_some_and(|report| report["verdict"] == "violated"))
        })
    };
    // What is wrong without a fault would be blamed on it.
    if violates(&format!("{}-as-it-is", base.file()), &base.text)? {
        return Ok(Vec::new());
    }
    let mut cases = Vec::new();
    for (name, candidate) in chosen(base).into_iter().take(per_base * TRIES) {
        if cases.len() == per_base {
            break;
        }
        let text = candidate.patch.apply(&base.text);
        if !violates(&name, &text)? {
            std::fs::remove_dir_all(folder.join("cases").join(&name))?;
            continue;
        }
        let mut lines = candidate.patch.lines(&base.text);
        lines.extend(candidate.region.0..=candidate.region.1);
        lines.sort_unstable();
        lines.dedup();
        cases.push(Case {
            path: folder.join("cases").join(&name).join(base.file()),
            name,
            language: base.language,
            text,
            options: options.clone(),
            operator: candidate.operator.name(),
            line: candidate.line,
            lines,
            what: report::tell::change(&candidate.change),
            patch: candidate.patch.diff(&base.text, &base.file()).to_string(),
        });
    }
    Ok(cases)
}

/// The candidates of an example with their names, the operators in turns.
fn chosen(base: &Base) -> Vec<(String, Candidate)> {
    let mut by_operator: BTreeMap<edits::Operator, Vec<(String, Candidate)>> = BTreeMap::new();
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    for candidate in mutations(&base.text, base.language) {
        let stem = format!("{}-{}-{}", base.file(), candidate.operator.name(), candidate.line);
        let number = numbers.entry(stem.clone()).or_default();
        *number += 1;
        let name = format!("{stem}-{number}");
        by_operator.entry(candidate.operator).or_default().push((name, candidate));
    }
    let mut turns: Vec<std::vec::IntoIter<(String, Candidate)>> = by_operator
        .into_values()
        .map(|mut candidates| {
            candidates.sort_by_key(|(name, _)| hash(name));
            candidates.into_iter()
        })
        .collect();
    // Which operator comes first differs from example to example.
    let first = hash(&base.name) as usize % turns.len().max(1);
    turns.rotate_left(first);
    let mut found = Vec::new();
    loop {
        let before = found.len();
        found.extend(turns.iter_mut().filter_map(Iterator::next));
        if found.len() == before {
            return found;
        }
    }
}

/// Which texts violate something, as far as that is known.
struct Memory {
    path: PathBuf,
    known: Mutex<BTreeMap<u64, bool>>,
}

impl Memory {
    fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let entry = |line: &str| {
            let (text, verdict) = line.split_once(' ')?;
            Some((text.parse().ok()?, verdict == "violated"))
        };
        Self { path: path.to_owned(), known: Mutex::new(text.lines().filter_map(entry).collect()) }
    }

    fn or_find(&self, text: &str, find: impl FnOnce() -> Result<bool>) -> Result<bool> {
        let key = hash(text);
        if let Some(known) = self.known.lock().ok().and_then(|known| known.get(&key).copied()) {
            return Ok(known);
        }
        let found = find()?;
        if let Ok(mut known) = self.known.lock() {
            known.insert(key, found);
        }
        Ok(found)
    }

    fn write(&self) -> Result<()> {
        let Ok(known) = self.known.lock() else { return Ok(()) };
        let line = |(key, violated): (&u64, &bool)| {
            format!("{key} {}\n", if *violated { "violated" } else { "not" })
        };
        std::fs::write(&self.path, known.iter().map(line).collect::<String>())
            .with_context(|| self.path.display().to_string())
    }
}
