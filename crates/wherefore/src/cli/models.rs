//! Commands on models and programs, which are searched rather than read.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use graph::{Fairness, Interrupt, StateGraph, Story, System};
use preprocess::{Files, Unread};
use promela::machine::Machine;
use promela::{Message, Model, Narrator};
use report::replay::{Divergence, Replay, ReplayResult};
use search::{Ending, Explored, Limits, Plan, Replayed};
use wherefore::analysis::{self, Asked, ModelRequest, Request};
use wherefore::checking::{Watches, analyse_check};
use wherefore::endless::analyse_endless;
use wherefore::model_steps;

use super::commands::Replays;
use super::flags::{self, Kind, ModelArgs, PropertyArgs, TextArgs};
use super::host::{Terminal, message};
use super::obligations::{Endless, with_formula};
use super::session::{Session, Wanted};
use super::trail::{Trail, TrailStep};
use super::{diagnostics, input, programs};

const EXTENSIONS: [&str; 4] = ["pml", "pm", "prom", "promela"];

/// Whether a file is a model or a program, by what the user says, by its name or by its content.
pub(crate) fn is_model(path: &Path, kind: Option<Kind>) -> Result<bool> {
    if let Some(kind) = kind {
        return Ok(kind.format().is_none());
    }
    if programs::is_program(path, kind) {
        return Ok(true);
    }
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known)) {
        return Ok(true);
    }
    if input::is_standard_stream(path) || lts::Format::from_extension(extension).is_some() {
        return Ok(false);
    }
    Ok(input::open(path)
        .is_ok_and(|bytes| lts::Format::detect(&bytes).is_none() && looks_like_promela(&bytes)))
}

/// Whether a word stands in the text that every model has: `proctype`, or `init` before a brace.
fn looks_like_promela(bytes: &[u8]) -> bool {
    let start = text_of(&bytes[..bytes.len().min(1 << 16)]);
    let mut words = start.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.any(|word| word == "proctype")
        || start.split("init").skip(1).any(|rest| rest.trim_start().starts_with('{'))
}

/// Files on the disk.
pub(crate) struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> Result<Arc<str>, Unread> {
        match std::fs::read(path) {
            Ok(bytes) => Ok(text_of(&bytes).into()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(Unread::Missing),
            Err(error) => Err(Unread::Failed(error.to_string())),
        }
    }
}

/// The text of a file, without the mark that some editors put before it.
pub(crate) fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))
}

/// Reads a model; all that is wrong with it is shown, and if it cannot be run, this is the error.
pub(crate) fn read(path: &Path, args: &TextArgs, host: &Terminal, colour: bool) -> Result<Model> {
    for option in args.given_for_programs() {
        host.warn(&format!("{option} is for C programs; a model has no use for it"));
    }
    let bytes = input::open(path)?;
    let text = text_of(&bytes);
    let reading = Model::read(&Disk, path, &*text, &options(args));
    let drawn = diagnostics::draw_messages(&reading.messages, reading.map(), colour);
    match reading.model {
        Ok(model) => {
            host.show(&drawn);
            Ok(model)
        }
        Err(_) => {
            let errors = reading.messages.iter().filter(|message| Message::is_error(message)).count();
            let summary = if errors == 1 { "1 error".to_owned() } else { format!("{errors} errors") };
            Err(diagnostics::Drawn(format!("{drawn}error: {}: {summary}", path.display())).into())
        }
    }
}

fn options(args: &TextArgs) -> preprocess::Options {
    preprocess::Options {
        defines: args.define.iter().map(|text| definition(text)).collect(),
        include_folders: args.include.clone(),
        ..preprocess::Options::default()
    }
}

/// `NAME` or `NAME=VALUE`.
pub(crate) fn definition(text: &str) -> (String, Option<String>) {
    match text.split_once('=') {
        None => (text.to_owned(), None),
        Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
    }
}

/// Explores a model; the graph may be partial. `share` is how much of the memory the search may take,
/// so that enough is left for what comes after it.
pub(crate) fn explore(system: &impl System, limits: Limits, share: f64, host: &Terminal) -> Result<Explored> {
    let found = search::explore(system, limits, &host.with_share(share));
    host.clear();
    found.map_err(|error| anyhow!("the model has {error}"))
}

/// Checks a model, and explains what is found if that is wanted.
pub(crate) fn report(
    session: &Session<'_>,
    property: &PropertyArgs,
    args: &ModelArgs,
    trail: Option<(&Path, Trail)>,
    wanted: Wanted,
) -> Result<u8> {
    refuse_lts_options(property)?;
    if session.is_program() {
        return programs::report(session, property, args, trail, wanted);
    }
    let model = read(session.path(), &args.text, &session.host, session.colours_messages())?;
    let (asked, told_property) = match asked(property)? {
        Some(safety) => safety,
        None => return endless(session, property, args, model, trail, wanted),
    };
    mention_formulas(session, property, &model);
    let narrator = Narrator::new(&model);
    if is_check(args, &trail, &wanted) {
        let told = (&model, &narrator, "promela");
        let reduce = args.reduction == flags::Reduction::Por && model.machine.can_be_reduced();
        let plan = session.plan(reduce);
        return report_check(session, args, plan, told, (asked, told_property), wanted, |_| None);
    }
    let found = explore_for(session, &model, args, &wanted)?;
    report_found(session, args, (&model, &narrator, "promela"), found, trail, (asked, told_property), wanted)
}

/// Whether only a verdict is wanted, so that a search need not keep steps.
pub(crate) fn is_check(args: &ModelArgs, trail: &Option<(&Path, Trail)>, wanted: &Wanted) -> bool {
    !wanted.explains() && trail.is_none() && args.search == flags::Search::Bfs
}

/// Checks a model: the system, its story, and the name of its language. `obstacle` tells what keeps the system
/// from knowing what comes after a state.
pub(crate) fn report_check<S: System + Sync, N: Story>(
    session: &Session<'_>,
    args: &ModelArgs,
    plan: Plan,
    (system, story, kind): (&S, &N, &str),
    (asked, told): (Asked, report::Property),
    wanted: Wanted,
    obstacle: impl Fn(&[u8]) -> Option<Interrupt>,
) -> Result<u8> {
    let request = session.request_for(session.told_model(kind, None), told, wanted);
    let wanted = ModelRequest { asked, violation: args.violation, unreached: args.unreached, trace: None };
    let limits = session.host.with_share(0.9);
    let watches = Watches { host: &session.host, search: &limits, tracing: &session.host.patient() };
    let report = analyse_check(system, story, plan, &wanted, request, watches, obstacle)?;
    session.report_on(&report)
}

/// Explores a model for a report.
pub(crate) fn explore_for(
    session: &Session<'_>,
    system: &impl System,
    args: &ModelArgs,
    wanted: &Wanted,
) -> Result<Explored> {
    // The methods need edges both ways and some marks for every state, about as much again.
    let share = if wanted.explains() { 0.5 } else { 0.9 };
    let limits = Limits { max_states: session.max_states, order: args.search.order() };
    explore(system, limits, share, &session.host)
}

/// Reports what was found in a model: the system, its story, and the name of its language.
pub(crate) fn report_found<S: System, N: Story>(
    session: &Session<'_>,
    args: &ModelArgs,
    (system, story, kind): (&S, &N, &str),
    found: Explored,
    trail: Option<(&Path, Trail)>,
    (asked, told): (Asked, report::Property),
    wanted: Wanted,
) -> Result<u8> {
    let size = report::GraphSize {
        states: found.counted_states,
        transitions: found.transitions,
        labels: found.events.len() as u64,
    };
    let events = trail.as_ref().map(|(path, trail)| retraced(system, story, path, trail)).transpose()?;
    let request = session.request_for(session.told_model(kind, size), told, wanted);
    let wanted = ModelRequest { asked, violation: args.violation, unreached: args.unreached, trace: events };
    let report = analysis::analyse_model(system, found, story, &wanted, request, &session.host)?;
    session.report_on(&report)
}

/// The steps of a trail by who did what; a list of labels is no trail of a model.
fn deeds(trail: &Trail) -> Result<&[TrailStep]> {
    match &trail.deeds {
        Some(deeds) => Ok(deeds),
        None => bail!("not a JSON report on a model: only those are read as trails of models"),
    }
}

/// The events of a trail; an error says where it parts from the model or that nothing is violated.
fn retraced(system: &impl System, story: &impl Story, path: &Path, trail: &Trail) -> Result<Vec<u64>> {
    let steps = deeds(trail).with_context(|| path.display().to_string())?;
    let replayed = replay(system, story, steps);
    match &replayed.ending {
        Ending::Deadlock | Ending::Wrong(_) => Ok(replayed.events),
        Ending::Fine => {
            bail!("{}: the trail is a trace of the model, but it violates nothing", path.display())
        }
        Ending::Diverges { possible } => {
            let parting = divergence(story, trail, &replayed, possible);
            bail!("{}: {}", path.display(), parting.sentence())
        }
    }
}

fn replay(system: &impl System, story: &impl Story, steps: &[TrailStep]) -> Replayed {
    search::replay(system, steps.len(), |n, event| steps[n].fits(&story.event(event)))
}

fn divergence(story: &impl Story, trail: &Trail, replayed: &Replayed, possible: &[u64]) -> Divergence {
    let n = replayed.events.len();
    let possible = possible.iter().map(|event| story.label(*event)).collect();
    Divergence { n: n as u64 + 1, wanted: trail.labels[n].clone(), possible }
}

/// Replays trails in a model, without searching it.
pub(crate) fn replays(
    session: &Session<'_>,
    property: &PropertyArgs,
    args: &TextArgs,
    trails: Vec<(PathBuf, Result<Trail>)>,
) -> Result<Replays> {
    refuse_lts_options(property)?;
    if session.is_program() {
        return programs::replays(session, property, args, trails);
    }
    let model = read(session.path(), args, &session.host, session.colours_messages())?;
    let Some((_, told)) = asked(property)? else {
        bail!("traces are replayed for what they violate at their end, not for properties of endless traces");
    };
    let replays = replay_all(&model, &Narrator::new(&model), trails);
    Ok((session.told_model("promela", None), told, replays))
}

/// Replays trails in a system.
pub(crate) fn replay_all(
    system: &impl System,
    story: &impl Story,
    trails: Vec<(PathBuf, Result<Trail>)>,
) -> Vec<Replay> {
    let replays = trails.into_iter().map(|(path, trail)| {
        let path = path.display().to_string();
        let steps = trail.as_ref().map_err(|error| format!("{error:#}"));
        let steps = steps.and_then(|trail| deeds(trail).map_err(|error| format!("{path}: {error:#}")));
        let (trail, steps) = match (&trail, steps) {
            (Ok(trail), Ok(steps)) => (trail, steps),
            (_, Err(problem)) => return Replay::unreadable(path, problem),
            (Err(error), _) => return Replay::unreadable(path, format!("{error:#}")),
        };
        let replayed = replay(system, story, steps);
        let steps = model_steps(story, &replayed);
        let (result, divergence) = match &replayed.ending {
            Ending::Deadlock | Ending::Wrong(_) => (ReplayResult::Fails, None),
            Ending::Fine => (ReplayResult::Passes, None),
            Ending::Diverges { possible } => {
                let parting = divergence(story, trail, &replayed, possible);
                (ReplayResult::Diverges, Some(parting))
            }
        };
        Replay { path, result, steps, divergence, problem: None }
    });
    replays.collect()
}

/// The transition system of a model, or the limit that was reached first.
pub(crate) fn transition_system(
    path: &Path,
    kind: Option<Kind>,
    args: &TextArgs,
    max_states: u64,
    host: &Terminal,
    colour: bool,
) -> Result<Result<StateGraph, Interrupt>> {
    if programs::is_program(path, kind) {
        return programs::transition_system(path, args, max_states, host, colour);
    }
    let model = read(path, args, host, colour)?;
    let limits = Limits { max_states, ..Limits::default() };
    let found = explore(&model, limits, 0.7, host)?;
    if let Some(limit) = found.interrupt {
        return Ok(Err(limit));
    }
    Ok(Ok(wherefore::transition_system(&model, found, &Narrator::new(&model))?))
}

/// Checks a property of endless traces.
fn endless(
    session: &Session<'_>,
    property: &PropertyArgs,
    args: &ModelArgs,
    model: Model,
    trail: Option<(&Path, Trail)>,
    wanted: Wanted,
) -> Result<u8> {
    if let Some((path, _)) = trail {
        bail!("{}: a trail of an endless trace cannot be explained yet; leave --trail out", path.display());
    }
    if args.violation.is_some_and(|id| id != 1) {
        bail!("there is at most one violation of such a property: --violation is of no use");
    }
    let given = property.property.as_deref().map(str::trim).unwrap_or_default();
    let (model, endless) = match Endless::named(&model, given) {
        Some(endless) => (model, endless),
        None => {
            let bytes = input::open(session.path())?;
            let text = String::from_utf8_lossy(&bytes);
            let (path, options) = (session.path(), options(&args.text));
            let colour = session.colours_messages();
            let (model, number) = with_formula(&model, given, &Disk, (path, &text), options, colour)?;
            (model, Endless::Formula(number))
        }
    };
    let narrator = Narrator::new(&model);
    let limits = Limits { max_states: session.max_states, order: args.search.order() };
    let found = explore(&model, limits, 0.5, &session.host)?;
    let size = report::GraphSize {
        states: found.counted_states,
        transitions: found.transitions,
        labels: found.events.len() as u64,
    };
    let fairness = property.fairness.map_or(Fairness::None, flags::Fairness::fairness);
    let obligation = endless.obligation(&model, &found, fairness == Fairness::Weak, &session.host)?;
    let told = endless.told(&model, given);
    let request = session.request_for(session.told_model("promela", size), told, wanted);
    let request = Request { fairness, ..request };
    let report = analyse_endless(&model, found, &narrator, &obligation, &request, &session.host);
    session.report_on(&report)
}

/// Says how to check what a model asks for and this run does not look at.
fn mention_formulas(session: &Session<'_>, property: &PropertyArgs, model: &Model) {
    if property.property.is_some() || session.output.quiet {
        return;
    }
    let formulas = model.program.formulas.iter().map(|formula| formula.name.as_str());
    let claims = Machine::claims(&model.program).map(|claim| model.program.processes[claim].name.as_str());
    let names: Vec<String> = formulas.chain(claims).map(|name| format!("-p {name}")).collect();
    if !names.is_empty() {
        message(&format!("note: formulas and claims are checked on request: {}", names.join(", ")));
    }
}

/// Which violations are asked for, and what the report calls that; none if -p is about endless traces.
pub(crate) fn asked(args: &PropertyArgs) -> Result<Option<(Asked, report::Property)>> {
    let told = |kind: &str, text: &str| report::Property {
        kind: kind.to_owned(),
        text: text.to_owned(),
        spelling: None,
    };
    if let Some(path) = &args.property_file {
        bail!("{}: properties of models are given with -p", path.display());
    }
    Ok(Some(match args.property.as_deref().map(str::trim) {
        None => {
            let text = "no invalid end state, no failed assertion, no fault";
            (Asked::All, told("safety", text))
        }
        Some("deadlock") => (Asked::Kind("deadlock".to_owned()), told("deadlock", "no invalid end state")),
        Some("assertion") => (Asked::Kind("assertion".to_owned()), told("assertion", "no failed assertion")),
        Some("fault") => (Asked::Kind("fault".to_owned()), told("fault", "no fault")),
        Some(_) => return Ok(None),
    }))
}

fn refuse_lts_options(args: &PropertyArgs) -> Result<()> {
    let given = [
        (args.formula.is_some(), "--formula"),
        (args.end_label.is_some(), "--end-label"),
        (args.final_label.is_some(), "--final-label"),
    ];
    match given.iter().find(|(given, _)| *given) {
        Some((_, option)) => bail!("{option} is for transition systems, not for models"),
        None => Ok(()),
    }
}
