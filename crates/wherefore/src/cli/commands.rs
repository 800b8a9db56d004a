//! What each command does.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use findings::Overall;
use graph::{Interrupt, StateGraph};
use languages::{Language, VerifiedReport, front_end};
use lts::{Format, Tau};
use report::replay::ReplayReport;

use super::asking::{Opened, read_trail};
use super::flags::{
    CheckArgs, ConvertArgs, ExplainArgs, Format as Shown, PropertyArgs, ReduceArgs, ReplayArgs, VerifyArgs,
};
use super::host::Terminal;
use super::messages::message;
use super::session::Session;
use super::variation_files::VariationFiles;
use super::{exit, input, written};

pub(crate) fn explain(args: &ExplainArgs) -> Result<u8> {
    let session = Session::new(&args.limits, &args.output)
        .since(args.since.as_deref())?
        .with_files(VariationFiles::new(&args.variations))
        .by_method(!args.method.is_empty());
    args.output.refuse_ignored(args.model.emit, args.since.is_some())?;
    args.output.refuse_browser(&args.limits)?;
    args.refuse_unused()?;
    if let Some(telling) = args.output.early().filter(|_| args.model.emit.is_none()) {
        session.host.tell_early(telling);
    }
    let named = [&args.trail, &args.since, &args.counterexample_lts, &args.variations.near];
    let inputs = args.model.text.files().chain(named.into_iter().filter_map(Option::as_deref));
    args.output.refuse_overwriting(&args.input.file, &args.property, inputs)?;
    let opened = Opened::new(&args.input.file, args.input.lang)?;
    let question = args.question(&opened)?;
    let answer = front_end(opened.language).explain(&question, &session.host)?;
    session.show(answer, question.emit)
}

pub(crate) fn check(args: &CheckArgs) -> Result<u8> {
    args.output.refuse_ignored(args.model.emit, args.since.is_some())?;
    args.output.refuse_browser(&args.limits)?;
    let session = Session::new(&args.limits, &args.output).since(args.since.as_deref())?;
    let inputs = args.model.text.files().chain(args.since.as_deref());
    args.output.refuse_overwriting(&args.input.file, &args.property, inputs)?;
    let opened = Opened::new(&args.input.file, args.input.lang)?;
    let mut question = opened.question_of_model(&args.model, &args.property, &args.limits)?;
    question.request.picture = args.output.is_page();
    let answer = front_end(opened.language).explain(&question, &session.host)?;
    session.show(answer, question.emit)
}

pub(crate) fn replay(args: &ReplayArgs) -> Result<u8> {
    args.output.refuse_sarif("replay")?;
    args.output.refuse_page()?;
    args.output.refuse_ignored(None, false)?;
    let session = Session::new(&args.limits, &args.output);
    let files = trail_files(&args.trail)?;
    let inputs = args.text.files().chain(files.iter().map(PathBuf::as_path));
    args.output.refuse_overwriting(&args.input.file, &args.property, inputs)?;
    let trails = files.into_iter().map(|path| (path.clone(), read_trail(&path))).collect();
    let opened = Opened::new(&args.input.file, args.input.lang)?;
    let question = opened.question(&args.text, &args.property, &args.limits)?;
    let replayed = match front_end(opened.language).replay(&question, trails, &session.host)? {
        Ok(replayed) => replayed,
        Err(limit) => return stopped(&session.host, limit, "nothing was replayed"),
    };
    let some = |result| replayed.replays.iter().any(|replay| replay.result == result);
    // A trail that is no longer possible says nothing about whether what it showed is mended.
    let code = if some(findings::ReplayResult::Unreadable) {
        exit::BAD_INPUT
    } else if some(findings::ReplayResult::Fails) {
        exit::VIOLATED
    } else if some(findings::ReplayResult::Diverges) {
        exit::UNDECIDED
    } else {
        exit::FINE
    };
    let told = ReplayReport {
        schema: ReplayReport::SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        input: replayed.input,
        property: replayed.property,
        replays: replayed.replays.into_iter().map(report::replay::told).collect(),
    };
    session.host.clear();
    if args.output.format() == Shown::Text {
        let problems = told.replays.iter().filter_map(|replay| replay.problem.as_ref());
        problems.for_each(|problem| message(&format!("error: {problem}")));
    }
    session.output.write(
        |detail, colour, out| report::replay::render_text(&told, detail, colour, out),
        |out| report::replay::render_json(&told, out),
    )?;
    Ok(code)
}

/// Tests the claims of a report again.
pub(crate) fn verify(args: &VerifyArgs) -> Result<u8> {
    args.output.refuse_sarif("verify")?;
    args.output.refuse_page()?;
    let inputs = args.file.as_deref();
    args.output.refuse_overwriting(&args.report, &PropertyArgs::default(), inputs)?;
    let session = Session::new(&args.limits, &args.output);
    let name = args.report.display().to_string();
    let told = VerifiedReport::read(&input::open(&args.report)?)
        .map_err(|error| anyhow!("{name}: {error}; `wherefore FILE -f json -o report.json` writes one"))?;
    let file = args.file.clone().unwrap_or_else(|| PathBuf::from(&told.input.path));
    let opened = Opened::new(&file, None)?;
    let question = opened.question_of_report(&told, &args.limits)?;
    let tested = front_end(opened.language).verify(&question, &told, &session.host)?;
    session.host.clear();
    session.output.write(
        |detail, colour, out| report::verification::render_text(&tested, detail, colour, out),
        |out| report::verification::render_json(&tested, out),
    )?;
    Ok(match tested.overall() {
        Overall::AllHold => exit::FINE,
        Overall::SomeRefuted => exit::VIOLATED,
        Overall::SomeUntested => exit::UNDECIDED,
    })
}

/// The files named, and all files in the folders named, in order.
fn trail_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let entries =
                std::fs::read_dir(path).with_context(|| format!("{} cannot be read", path.display()))?;
            let mut inside = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
            inside.retain(|path| path.is_file());
            inside.sort();
            if inside.is_empty() {
                bail!("{} contains no files", path.display());
            }
            files.extend(inside);
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

pub(crate) fn convert(args: &ConvertArgs) -> Result<u8> {
    let host = host(args);
    let format = output_format(args)?;
    written::refuse_missing_folder(&args.to)?;
    match graph_of(args, &host)? {
        Ok(graph) => write(&graph, format, &args.to),
        Err(limit) => stopped(&host, limit, "nothing was written"),
    }
}

/// What surrounds a command without a report.
fn host(args: &ConvertArgs) -> Terminal {
    Terminal::new(&args.limits, false, std::io::stderr().is_terminal())
}

/// The transition system in a file, or that of a model.
fn graph_of(args: &ConvertArgs, host: &Terminal) -> Result<Result<StateGraph, Interrupt>> {
    let opened = Opened::new(&args.from, args.lang)?;
    let question = opened.question(&args.text, &PropertyArgs::default(), &args.limits)?;
    front_end(opened.language).transition_system(&question, host)
}

pub(crate) fn reduce(args: &ReduceArgs) -> Result<u8> {
    let host = host(&args.convert);
    let format = output_format(&args.convert)?;
    written::refuse_missing_folder(&args.convert.to)?;
    let graph = match graph_of(&args.convert, &host)? {
        Ok(graph) => graph,
        Err(limit) => return stopped(&host, limit, "nothing was written"),
    };
    let tau = args.tau.as_ref().map_or_else(Tau::default, |label| Tau::Named(label.clone()));
    let reduction = match lts::reduce(&graph, args.equivalence, &tau, &host) {
        Ok(reduction) => reduction,
        Err(limit) => return stopped(&host, limit, "nothing was written"),
    };
    host.clear();
    let code = write(&reduction.graph, format, &args.convert.to)?;
    message(&format!(
        "{} states, {} transitions -> {} states, {} transitions",
        graph.state_count(),
        graph.edge_count(),
        reduction.graph.state_count(),
        reduction.graph.edge_count(),
    ));
    Ok(code)
}

fn output_format(args: &ConvertArgs) -> Result<Format> {
    let named = args.to.extension().and_then(|extension| extension.to_str()).and_then(Format::from_extension);
    let asked = args.to_kind.and_then(|language| match language {
        Language::Graph(format) => Some(format),
        Language::Promela | Language::C | Language::Java => None,
    });
    asked.or(named).ok_or_else(|| {
        anyhow!(
            "the format of {} is not known from its name: use --to aut|dot|csv|fsm|json",
            args.to.display()
        )
    })
}

fn write(graph: &StateGraph, format: Format, path: &Path) -> Result<u8> {
    written::create(path, |out| match lts::write(format, graph, out) {
        // As it is, so that it is seen what sort of error it is.
        Err(lts::WriteError::Io(error)) => Err(error.into()),
        other => Ok(other?),
    })?;
    Ok(exit::FINE)
}

/// A command without a report ran into a limit.
fn stopped(host: &Terminal, limit: Interrupt, consequence: &str) -> Result<u8> {
    host.clear();
    message(&format!("stopped: {limit}; {consequence}"));
    Ok(exit::UNDECIDED)
}
