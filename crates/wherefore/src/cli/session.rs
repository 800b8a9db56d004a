//! One command at work on one input: what it reads, what it asks, where it reports.

use std::cell::Cell;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use graph::{Fairness, Interrupt, StateGraph, Trace};
use lts::{Format, ReadError};
use pipeline::analysis;
use pipeline::repairs::Allowance;
use pipeline::request::DiagnosisRequest;
use pipeline::request::Request;
use pipeline::request::{AnomalyRequest, VariationRequest};
use pipeline::{Trust, rank};
use wherefore::since::Earlier;

use super::flags::{InputArgs, Kind, LimitArgs, OutputArgs};
use super::host::Terminal;
use super::retrace::Retraced;
use super::trail::Trail;
use super::variation_files::VariationFiles;
use super::{input, models, programs};

/// A graph as it was read, or the limit that was reached first.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) format: Format,
    pub(crate) graph: Result<StateGraph, Interrupt>,
}

/// Reads a graph; warnings go to standard error.
pub(crate) fn read(path: &Path, kind: Option<Kind>, host: &Terminal) -> Result<Loaded> {
    let bytes = input::open(path)?;
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match extension {
        "bcg" => {
            bail!("{}: BCG files are not read; `bcg_io model.bcg model.aut` converts them", path.display())
        }
        "lts" => bail!(
            "{}: .lts files are not read; `ltsconvert model.lts model.aut` converts them",
            path.display()
        ),
        "gz" | "zst" | "xz" | "bz2" => {
            bail!("{}: compressed files are not read; pipe it: `zcat FILE | wherefore -`", path.display())
        }
        _ => {}
    }
    let named = Format::from_extension(extension);
    let Some(format) = kind.and_then(Kind::format).or(named).or_else(|| Format::detect(&bytes)) else {
        bail!(
            "{}: neither its name nor its content tells what kind of file it is: say --lang",
            path.display()
        );
    };
    let graph = match lts::read(format, &bytes, host) {
        Ok(reading) => {
            for warning in reading.warnings {
                let place = warning.position.map_or(" ".to_owned(), |position| format!("{position}: "));
                host.warn(&format!("{}:{}{}", path.display(), place, warning.message));
            }
            Ok(reading.graph)
        }
        Err(ReadError::Interrupted(interrupt)) => Err(interrupt),
        Err(error) => return Err(anyhow!("{}:{error}", path.display())),
    };
    Ok(Loaded { format, graph })
}

/// What a report is to contain.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) fairness: Fairness,
    pub(crate) neighbourhoods: bool,
    pub(crate) anomalies: Option<AnomalyRequest>,
    pub(crate) correct_transitions: Option<Trust>,
    pub(crate) variations: Option<VariationRequest>,
    /// Whether and how to look for changes that help.
    pub(crate) repairs: Option<Repairing>,
    pub(crate) diagnosis: Option<DiagnosisRequest>,
    /// Whether to tell of other violations than the one that is explained.
    pub(crate) others: bool,
    pub(crate) edges: bool,
    pub(crate) most_listed: usize,
}

/// How to look for changes that help.
#[derive(Clone, Debug)]
pub(crate) struct Repairing {
    pub(crate) limits: pipeline::repairs::Limits,
    /// What is not changed.
    pub(crate) trust: Trust,
}

impl Wanted {
    /// Whether anything is to be explained.
    pub(crate) fn explains(&self) -> bool {
        self.neighbourhoods
            || self.anomalies.is_some()
            || self.correct_transitions.is_some()
            || self.variations.is_some()
            || self.diagnosis.is_some()
    }

    /// Whether something is asked for that only states and their steps can tell.
    pub(crate) fn needs_states(&self) -> bool {
        self.neighbourhoods || self.anomalies.is_some()
    }

    /// The verdict and nothing that explains it.
    pub(crate) const CHECK: Self = Self {
        fairness: Fairness::Weak,
        neighbourhoods: false,
        anomalies: None,
        correct_transitions: None,
        variations: None,
        repairs: None,
        diagnosis: None,
        others: false,
        edges: false,
        most_listed: 0,
    };
}

#[derive(Debug)]
pub(crate) struct Session<'a> {
    input: &'a InputArgs,
    pub(crate) output: &'a OutputArgs,
    max_states: u64,
    /// How many states are looked at for now.
    most_for_now: Cell<u64>,
    threads: Option<NonZeroUsize>,
    pub(crate) host: Terminal,
    /// An earlier report to compare with, and its name.
    since: Option<(String, Earlier)>,
    /// Where to put what the variations leave behind.
    files: VariationFiles,
    /// Look only near this trail, so many steps away.
    near: Option<(PathBuf, Trail, u32)>,
    /// Tell what each method found, and not only what they came to together.
    by_method: bool,
}

impl<'a> Session<'a> {
    pub(crate) fn new(input: &'a InputArgs, limits: &LimitArgs, output: &'a OutputArgs) -> Self {
        let host = Terminal::new(limits, output.quiet);
        let max_states = limits.max_states.unwrap_or(u64::MAX);
        Self {
            input,
            output,
            max_states,
            most_for_now: Cell::new(max_states),
            threads: limits.threads,
            host,
            since: None,
            files: VariationFiles::default(),
            near: None,
            by_method: false,
        }
    }

    /// How many states are looked at.
    pub(crate) fn max_states(&self) -> u64 {
        self.most_for_now.get()
    }

    /// Looks at no more than so many states from now on, and never at more than the user says.
    pub(crate) fn limit_states(&self, most: Option<u64>) {
        self.most_for_now.set(most.map_or(self.max_states, |most| most.min(self.max_states)));
    }

    /// A trial, with no more states than the user says.
    pub(crate) fn at_most(&self, allowance: Allowance) -> Allowance {
        Allowance { states: allowance.states.min(self.max_states()), ..allowance }
    }

    /// How a model is checked without keeping its steps: by as many threads as there are processors,
    /// unless the user says otherwise.
    pub(crate) fn plan(&self, reduce: bool) -> search::Plan {
        let available = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let threads = self.threads.unwrap_or_else(available);
        search::Plan { max_states: self.max_states(), threads, reduce }
    }

    /// Compares what is reported with an earlier report.
    pub(crate) fn since(self, path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else { return Ok(self) };
        let name = path.display().to_string();
        let earlier = Earlier::read(&input::open(path)?).map_err(|error| anyhow!("{name}: {error}"))?;
        Ok(Self { since: Some((name, earlier)), ..self })
    }

    /// Writes what the variations leave behind beside the report.
    pub(crate) fn with_files(self, files: VariationFiles) -> Self {
        Self { files, ..self }
    }

    /// Looks only at what lies near a trail.
    pub(crate) fn near(self, near: Option<(PathBuf, Trail, u32)>) -> Self {
        Self { near, ..self }
    }

    /// Tells the results of each method as well, where some were asked for by name.
    pub(crate) fn by_method(self, by_method: bool) -> Self {
        Self { by_method, ..self }
    }

    pub(crate) fn is_near(&self) -> bool {
        self.near.is_some()
    }

    /// The states near which to look, if not everywhere, and how many steps away.
    pub(crate) fn near_states(
        &self,
        retrace: impl FnOnce(&Trail) -> Result<Retraced>,
    ) -> Result<Option<(Vec<Vec<u8>>, u32)>> {
        let Some((path, trail, depth)) = &self.near else { return Ok(None) };
        let retraced = retrace(trail).with_context(|| path.display().to_string())?;
        match &retraced.divergence {
            Some(parting) => bail!("{}: {}", path.display(), parting.sentence()),
            None => Ok(Some((retraced.trace.states, *depth))),
        }
    }

    pub(crate) fn colours_messages(&self) -> bool {
        self.output.colours_messages()
    }

    /// The input.
    pub(crate) fn path(&self) -> &'a Path {
        &self.input.file
    }

    /// Whether the input is a model rather than a transition system.
    pub(crate) fn is_model(&self) -> Result<bool> {
        if self.output.output.as_deref().is_some_and(|output| input::same_file(output, &self.input.file)) {
            bail!("the report would overwrite {}", self.input.file.display());
        }
        models::is_model(&self.input.file, self.input.lang)
    }

    /// Whether the input is a program in C.
    pub(crate) fn is_program(&self) -> bool {
        programs::is_program(&self.input.file, self.input.lang)
    }

    /// Reads a transition system, for which some options that were given are of no use.
    pub(crate) fn read(&self, unused: Vec<&str>) -> Result<Loaded> {
        for option in unused {
            self.host.warn(&format!("{option} is for models; a transition system has no use for it"));
        }
        read(&self.input.file, self.input.lang, &self.host)
    }

    pub(crate) fn told_input(&self, loaded: &Loaded) -> findings::Input {
        findings::Input {
            path: self.input.file.display().to_string(),
            kind: loaded.format.name().to_owned(),
            size: loaded.graph.as_ref().ok().map(|graph| findings::GraphSize {
                states: graph.state_count() as u64,
                transitions: graph.edge_count() as u64,
                labels: graph.labels.len() as u64,
            }),
        }
    }

    pub(crate) fn told_model(
        &self,
        kind: &str,
        size: impl Into<Option<findings::GraphSize>>,
    ) -> findings::Input {
        findings::Input {
            path: self.input.file.display().to_string(),
            kind: kind.to_owned(),
            size: size.into(),
        }
    }

    /// What is asked of a model.
    pub(crate) fn request_for(
        &self,
        input: findings::Input,
        property: findings::Property,
        wanted: Wanted,
    ) -> Request {
        Request {
            input,
            property,
            max_states: self.max_states(),
            has_processes: true,
            fairness: wanted.fairness,
            trace: None,
            past_others: false,
            neighbourhoods: wanted.neighbourhoods,
            anomalies: wanted.anomalies,
            correct_transitions: wanted.correct_transitions,
            variations: wanted.variations,
            diagnosis: wanted.diagnosis,
            others: wanted.others,
            edges: wanted.edges,
            most_listed: wanted.most_listed,
            picture: self.output.is_page(),
        }
    }

    pub(crate) fn request(
        &self,
        loaded: &Loaded,
        property: findings::Property,
        trace: Option<Trace>,
        wanted: Wanted,
    ) -> Request {
        let request = self.request_for(self.told_input(loaded), property, wanted);
        Request { has_processes: false, trace, ..request }
    }

    /// Shows a report; the exit code says what came out.
    pub(crate) fn report_on(&self, explanation: &findings::Explanation) -> Result<u8> {
        self.host.clear();
        let mut explanation = explanation.clone();
        rank(&mut explanation);
        let mut report = report::tell(&explanation);
        self.files.write(&report)?;
        report.since = self.since.as_ref().map(|(path, earlier)| earlier.compared(path.clone(), &report));
        self.output.report(&report, self.by_method, &self.host.told())
    }

    /// Reports that a limit came before there was anything to analyse.
    pub(crate) fn report_unread(
        &self,
        loaded: &Loaded,
        property: findings::Property,
        limit: Interrupt,
    ) -> Result<u8> {
        let request = self.request(loaded, property, None, Wanted::CHECK);
        self.report_on(&analysis::unread(&request, limit, &self.host))
    }
}
