//! What each command does.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use explain::Matched;
use findings::ViolationKind;
use graph::{Fairness, Interrupt, Product, StateGraph};
use lts::{Format, Mismatch, Tau};
use pipeline::analysis;
use pipeline::plain_steps;
use report::replay::{Replay, ReplayReport, ReplayResult};
use wherefore::replay::Replayed;

use super::flags::{
    self, CheckArgs, ConvertArgs, Emit, ExplainArgs, Language, Method, ReduceArgs, ReplayArgs,
};
use super::host::{Terminal, message};
use super::property_choice::{Choice, Compiled, divergence, told};
use super::session::{Session, Wanted, read};
use super::trail::{self, Trail, TrailProperty};
use super::variation_flags::VariationArgs;
use super::{emit, exit, input, models};

/// How many neighbourhoods a report lists unless it is asked for all.
const MOST_LISTED: usize = 1_000;

pub(crate) fn explain(args: &ExplainArgs) -> Result<u8> {
    let session = Session::new(&args.input, &args.limits, &args.output)
        .since(args.since.as_deref())?
        .with_files(args.variations.files())
        .near(near(&args.variations)?)
        .by_method(!args.method.is_empty());
    if let Some(telling) = args.output.early().filter(|_| args.model.emit.is_none()) {
        session.host.tell_early(telling);
    }
    let wanted = Wanted {
        fairness: args.property.fairness.map_or(Fairness::Weak, flags::Fairness::fairness),
        neighbourhoods: args.runs(Method::Neighbourhoods),
        anomalies: args.runs(Method::Anomalies).then(|| args.anomalies.request()),
        correct_transitions: args.runs(Method::CorrectTransitions).then(|| args.trust()),
        variations: args.runs(Method::Variations).then(|| args.variations.request()),
        repairs: args.repairing(),
        diagnosis: args.diagnosis(),
        others: true,
        edges: args.edges,
        most_listed: if args.output.verbose || args.edges { usize::MAX } else { MOST_LISTED },
    };
    let trail = args.trail.as_deref().map(read_trail).transpose()?;
    if session.is_model()? {
        if args.counterexample_lts.is_some() {
            bail!("--counterexample-lts is for transition systems, not for models");
        }
        let trail = args.trail.as_deref().zip(trail);
        return models::report(&session, &args.property, &args.model, trail, wanted);
    }
    emit::refuse(args.model.emit, Language::Graph)?;
    if session.is_near() {
        bail!("--near is for models and programs: a transition system is there as a whole");
    }
    if let Some(path) = &args.counterexample_lts {
        return explain_matched(&session, path, args, wanted);
    }
    let colour = session.colours_messages();
    let about = trail.as_ref().and_then(|trail| trail.property.as_ref());
    let choice = Choice::read(&args.property, colour)?.or_of_report(&args.property, about, colour)?;
    let loaded = session.read(args.model.given())?;
    let graph = match &loaded.graph {
        Ok(graph) => graph,
        Err(limit) => return session.report_unread(&loaded, choice.told(), *limit),
    };
    let compiled = choice.compile(graph, &args.property, &session)?;
    let product = compiled.product(graph)?;
    let trace = match (&args.trail, &trail) {
        (Some(path), Some(trail)) => {
            let trace = compiled.follow(graph, &product, trail);
            Some(trace.with_context(|| path.display().to_string())?)
        }
        _ => None,
    };
    let request = session.request(&loaded, choice.told(), trace, wanted);
    let report = choice.evaluated(analysis::analyse(&product, request, &session.host));
    show(&session, args.model.emit, &report)
}

/// The trail near which to look, and how far.
fn near(args: &VariationArgs) -> Result<Option<(PathBuf, Trail, u32)>> {
    let Some(path) = &args.near else { return Ok(None) };
    Ok(Some((path.clone(), read_trail(path)?, args.depth)))
}

/// Explains all the traces of a counterexample LTS from elsewhere.
fn explain_matched(session: &Session<'_>, path: &Path, args: &ExplainArgs, wanted: Wanted) -> Result<u8> {
    let end_label = args.property.end_label.as_deref();
    let name = path.display();
    let told = told(ViolationKind::Safety, &format!("the traces of {name} do not occur"));
    let loaded = session.read(args.model.given())?;
    let given = read(path, None, &session.host)?;
    let (model, given) = match (&loaded.graph, &given.graph) {
        (Ok(model), Ok(given)) => (model, given),
        (Err(limit), _) | (_, Err(limit)) => return session.report_unread(&loaded, told, *limit),
    };
    let end = match end_label {
        None => None,
        Some(label) => match given.labels.find(label) {
            Some(end) => Some(end),
            None => bail!("{name}: no transition has the end label `{label}`"),
        },
    };
    let simulation = match lts::simulate(given, model, end, &session.host) {
        Ok(simulation) => simulation,
        Err(limit) => return session.report_unread(&loaded, told, limit),
    };
    if let Some(mismatch) = simulation.mismatch() {
        bail!("{name}: {}", not_contained(given, mismatch));
    }
    let own = match lts::simulate(given, given, None, &session.host) {
        Ok(own) => own,
        Err(limit) => return session.report_unread(&loaded, told, limit),
    };
    let matched = Matched::new(model, given, end, &simulation, &own)?;
    if (0..given.state_count() as u32).all(|state| !graph::Transitions::is_violating(&matched, state)) {
        bail!(
            "{name}: no counterexample ends: every state has a way on; say with --end-label which label ends them"
        );
    }
    let property = property::from_graph(given, end_label, &model.labels).with_context(|| name.to_string())?;
    let property = property.compiled;
    let product = Product::new(model, &property.classes, &property.dfa, property.violated_when)?;
    let request = session.request(&loaded, told, None, wanted);
    let report = analysis::analyse_matched(&product, &matched, request, &session.host);
    show(session, args.model.emit, &report)
}

/// Shows a report on a transition system, or its counterexample in the form that is asked for.
fn show(session: &Session<'_>, form: Option<Emit>, report: &findings::Explanation) -> Result<u8> {
    emit::show(session, form, report, |_, _| bail!("not of transition systems"))
}

fn not_contained(given: &StateGraph, mismatch: &Mismatch) -> String {
    let labels: Vec<&str> = mismatch.trace.iter().map(|label| given.labels.get(*label)).collect();
    let after =
        if labels.is_empty() { "at its start".to_owned() } else { format!("after {}", labels.join(", ")) };
    let cannot = mismatch.stuck.map_or_else(String::new, |(label, _)| {
        format!(" it does `{}`, which the system cannot do there", given.labels.get(label))
    });
    format!("not a counterexample LTS of the system: {after}{cannot}")
}

pub(crate) fn check(args: &CheckArgs) -> Result<u8> {
    let session = Session::new(&args.input, &args.limits, &args.output).since(args.since.as_deref())?;
    if session.is_model()? {
        let wanted = Wanted {
            fairness: args.property.fairness.map_or(Fairness::Weak, flags::Fairness::fairness),
            ..Wanted::CHECK
        };
        return models::report(&session, &args.property, &args.model, None, wanted);
    }
    emit::refuse(args.model.emit, Language::Graph)?;
    let choice = Choice::read(&args.property, session.colours_messages())?;
    let loaded = session.read(args.model.given())?;
    let graph = match &loaded.graph {
        Ok(graph) => graph,
        Err(limit) => return session.report_unread(&loaded, choice.told(), *limit),
    };
    let compiled = choice.compile(graph, &args.property, &session)?;
    let product = compiled.product(graph)?;
    let request = session.request(&loaded, choice.told(), None, Wanted::CHECK);
    let report = choice.evaluated(analysis::analyse(&product, request, &session.host));
    show(&session, args.model.emit, &report)
}

pub(crate) fn replay(args: &ReplayArgs) -> Result<u8> {
    args.output.refuse_sarif("replay")?;
    args.output.refuse_page()?;
    let session = Session::new(&args.input, &args.limits, &args.output);
    let trails: Vec<(PathBuf, Result<Trail>)> =
        trail_files(&args.trail)?.into_iter().map(|path| (path.clone(), read_trail(&path))).collect();
    let replayed = if session.is_model()? {
        Ok(models::replays(&session, &args.property, &args.text, trails)?)
    } else {
        graph_replays(&session, args, trails)?
    };
    let (input, property, replays) = match replayed {
        Ok(replayed) => replayed,
        Err(limit) => return stopped(&session.host, limit, "nothing was replayed"),
    };
    let some = |result| replays.iter().any(|replay| replay.result == result);
    // A trail that is no longer possible says nothing about whether what it showed is mended.
    let code = if some(ReplayResult::Unreadable) {
        exit::BAD_INPUT
    } else if some(ReplayResult::Fails) {
        exit::VIOLATED
    } else if some(ReplayResult::Diverges) {
        exit::UNDECIDED
    } else {
        exit::FINE
    };
    let version = env!("CARGO_PKG_VERSION");
    let told = ReplayReport { schema: ReplayReport::SCHEMA, version, input, property, replays };
    session.host.clear();
    session.output.write(
        |detail, colour, out| report::replay::render_text(&told, detail, colour, out),
        |out| report::replay::render_json(&told, out),
    )?;
    Ok(code)
}

/// What was replayed, about what, and what came out.
pub(crate) type Replays = (findings::Input, findings::Property, Vec<Replay>);

/// Replays trails in a transition system, unless a limit is reached first.
fn graph_replays(
    session: &Session<'_>,
    args: &ReplayArgs,
    trails: Vec<(PathBuf, Result<Trail>)>,
) -> Result<Result<Replays, Interrupt>> {
    let about: Vec<&TrailProperty> =
        trails.iter().filter_map(|(_, trail)| trail.as_ref().ok()?.property.as_ref()).collect();
    if let [first, rest @ ..] = &about[..]
        && rest.iter().any(|other| other.text != first.text)
        && args.property.property.is_none()
        && args.property.property_file.is_none()
    {
        bail!("the reports are about different properties: say with -p which one to replay them for");
    }
    let colour = session.colours_messages();
    let choice =
        Choice::read(&args.property, colour)?.or_of_report(&args.property, about.first().copied(), colour)?;
    let loaded = session.read(args.text.given())?;
    let graph = match &loaded.graph {
        Ok(graph) => graph,
        Err(limit) => return Ok(Err(*limit)),
    };
    let compiled = choice.compile(graph, &args.property, session)?;
    let replays = trails
        .into_iter()
        .map(|(path, trail)| replay_one(graph, &compiled, &path, trail))
        .collect::<Result<Vec<_>>>()?;
    Ok(Ok((session.told_input(&loaded), choice.told(), replays)))
}

fn read_trail(path: &Path) -> Result<Trail> {
    let read = || trail::read(&input::open(path)?);
    read().with_context(|| path.display().to_string())
}

fn replay_one(graph: &StateGraph, compiled: &Compiled, path: &Path, trail: Result<Trail>) -> Result<Replay> {
    let path = path.display().to_string();
    let trail = match trail {
        Ok(trail) => trail,
        Err(error) => return Ok(Replay::unreadable(path, format!("{error:#}"))),
    };
    let product = compiled.product(graph)?;
    let replayed = match trail.replayed(graph, &product) {
        Ok(replayed) => replayed,
        Err(error) => return Ok(Replay::unreadable(path.clone(), format!("{path}: {error:#}"))),
    };
    let (result, steps, divergence) = match replayed {
        Replayed::Fails(trace) => (ReplayResult::Fails, plain_steps(&product, &trace), None),
        Replayed::Passes(trace) => (ReplayResult::Passes, plain_steps(graph, &trace), None),
        Replayed::Diverges { trace, wanted, possible } => {
            let steps = plain_steps(graph, &trace);
            (ReplayResult::Diverges, steps, Some(divergence(&trace, wanted, possible)))
        }
    };
    Ok(Replay { path, result, steps, violation: None, divergence, problem: None })
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
                bail!("{} holds no files", path.display());
            }
            files.extend(inside);
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

pub(crate) fn convert(args: &ConvertArgs) -> Result<u8> {
    let host = Terminal::new(&args.limits, false);
    let format = output_format(args)?;
    match graph_of(args, &host)? {
        Ok(graph) => write(&graph, format, &args.to),
        Err(limit) => stopped(&host, limit, "nothing was written"),
    }
}

/// The transition system in a file, or that of a model.
fn graph_of(args: &ConvertArgs, host: &Terminal) -> Result<Result<StateGraph, Interrupt>> {
    if models::is_model(&args.from, args.lang)? {
        let max_states = args.limits.max_states.unwrap_or(u64::MAX);
        let colour = std::io::stderr().is_terminal();
        return models::transition_system(&args.from, args.lang, &args.text, max_states, host, colour);
    }
    for option in args.text.given() {
        host.warn(&format!("{option} is for models; a transition system has no use for it"));
    }
    Ok(read(&args.from, args.lang, host)?.graph)
}

pub(crate) fn reduce(args: &ReduceArgs) -> Result<u8> {
    let host = Terminal::new(&args.convert.limits, false);
    let format = output_format(&args.convert)?;
    let graph = match graph_of(&args.convert, &host)? {
        Ok(graph) => graph,
        Err(limit) => return stopped(&host, limit, "nothing was written"),
    };
    let tau = args.tau.as_ref().map_or_else(Tau::default, |label| Tau::Named(label.clone()));
    let reduction = match lts::reduce(&graph, args.equivalence.equivalence(), &tau, &host) {
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
    args.to_kind.and_then(flags::Kind::format).or(named).ok_or_else(|| {
        anyhow!(
            "the format of {} is not known from its name: say --to aut|dot|csv|fsm|json",
            args.to.display()
        )
    })
}

fn write(graph: &StateGraph, format: Format, path: &Path) -> Result<u8> {
    input::create(path, |out| Ok(lts::write(format, graph, out)?))?;
    Ok(exit::FINE)
}

/// A command without a report ran into a limit.
fn stopped(host: &Terminal, limit: Interrupt, consequence: &str) -> Result<u8> {
    host.clear();
    message(&format!("stopped: {limit}; {consequence}"));
    Ok(exit::UNDECIDED)
}
