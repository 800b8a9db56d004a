//! Traces by chance: what tools that know nothing of graphs compare.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use edits::Language;
use graph::{Story, System, Worker};
use preprocess::{Files, Unread};

use crate::cases::{Case, hash};

/// How many traces are sampled, and how long each may be.
const WALKS: u64 = 300;
const LONGEST: usize = 2_000;

/// The lines that traces execute, failing ones and passing ones.
#[derive(Debug, Default)]
pub(crate) struct Spectrum {
    pub(crate) failing: Vec<BTreeSet<u64>>,
    pub(crate) passing: Vec<BTreeSet<u64>>,
}

struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> Result<Arc<str>, Unread> {
        std::fs::read_to_string(path).map(Into::into).map_err(|_| Unread::Missing)
    }
}

/// Samples the traces of a case; `inputs` made it fail.
pub(crate) fn sample(case: &Case, inputs: &[i64]) -> Spectrum {
    let folders = case.options.iter().skip_while(|option| *option != "-I").skip(1).map(Into::into).collect();
    match case.language {
        Language::Promela => {
            let options = preprocess::Options { include_folders: folders, ..preprocess::Options::default() };
            let Ok(model) = promela::Model::read(&Disk, &case.path, case.text.as_str(), &options).model
            else {
                return Spectrum::default();
            };
            let mut random = Random(hash(&case.name));
            let mut spectrum = Spectrum::default();
            let narrator = promela::Narrator::new(&model);
            (0..WALKS).for_each(|_| walk(&model, &narrator, case, &mut random, &mut spectrum));
            spectrum
        }
        Language::C => program(case, folders, inputs),
    }
}

fn program(case: &Case, include_dirs: Vec<std::path::PathBuf>, inputs: &[i64]) -> Spectrum {
    let asks = |what: &str| case.options.iter().any(|option| option == what);
    let options = cfront::Options {
        include_dirs,
        overflow: asks("overflow"),
        races: asks("race"),
        ..cfront::Options::default()
    };
    let mut spectrum = Spectrum::default();
    let Some(mut model) = cfront::Model::read(&Disk, &case.path, &case.text, &options, None).model else {
        return spectrum;
    };
    let mut random = Random(hash(&case.name));
    let is_wide = model.has_wide_inputs();
    for number in 0..WALKS {
        if is_wide {
            // Values near those that fail, and others.
            let given = (0..inputs.len().max(8)).map(|at| match random.below(4) {
                0 => inputs.get(at).copied().unwrap_or_default(),
                1 => random.below(16) as i64 - 4,
                2 => inputs.get(at).copied().unwrap_or_default() + random.below(5) as i64 - 2,
                _ => i64::from(random.next() as i32),
            });
            let given = if number == 0 { inputs.to_vec() } else { given.collect() };
            model.give(Some(given));
        }
        walk(&model, &cfront::Narrator::new(&model), case, &mut random, &mut spectrum);
    }
    spectrum
}

/// One trace, every step as likely as the others.
fn walk<S: System, N: Story>(
    system: &S,
    story: &N,
    case: &Case,
    random: &mut Random,
    spectrum: &mut Spectrum,
) {
    let file = case.path.file_name().unwrap_or_default().to_string_lossy();
    let mut worker = system.worker();
    let mut state = Vec::new();
    worker.initial(|initial| state = initial.to_vec());
    let mut events = BTreeSet::new();
    let mut is_wrong = false;
    for _ in 0..LONGEST {
        let mut count = 0;
        let mut chosen = None;
        // The last of those that are as good as the first, each with its chance.
        worker.steps(&state, |step| {
            count += 1;
            if random.below(count) == 0 {
                chosen = Some((step.event, step.state.to_vec(), step.violation.is_some()));
            }
        });
        let Some((event, next, wrong)) = chosen else {
            is_wrong = worker.end(&state) == graph::End::Deadlock;
            break;
        };
        events.insert(event);
        state = next;
        if wrong {
            is_wrong = true;
            break;
        }
    }
    let mut lines = BTreeSet::new();
    for event in events {
        let told = story.event(event);
        let deeds = std::iter::once(told.deed).chain(told.partner);
        for at in deeds.filter_map(|deed| deed.location).filter(|at| at.file.ends_with(&*file)) {
            lines.insert(at.line);
        }
    }
    if is_wrong { spectrum.failing.push(lines) } else { spectrum.passing.push(lines) }
}

/// Numbers by chance, the same every time (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }
}
