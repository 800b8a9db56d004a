//! Commands on models and programs, which are searched rather than read.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use graph::{Interrupt, StateGraph, Story, System};
use preprocess::{Files, Unread};
use promela::{Message, Model, Narrator};
use report::replay::{Divergence, Replay, ReplayResult};
use search::{Ending, Explored, Limits, Replayed};
use wherefore::analysis::{self, Asked, ModelRequest};
use wherefore::model_steps;

use super::commands::Replays;
use super::flags::{Kind, ModelArgs, PropertyArgs, TextArgs};
use super::host::Terminal;
use super::session::{Session, Wanted};
use super::trail::Trail;
use super::{diagnostics, input};

const EXTENSIONS: [&str; 4] = ["pml", "pm", "prom", "promela"];

/// Whether a file is a Promela model, by what the user says, by its name or by its content.
pub(crate) fn is_model(path: &Path, kind: Option<Kind>) -> Result<bool> {
    if let Some(kind) = kind {
        return Ok(kind == Kind::Promela);
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

fn looks_like_promela(bytes: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(1 << 16)]);
    let mut words = start.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.any(|word| matches!(word, "proctype" | "init"))
}

/// Files on the disk.
struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> Result<Arc<str>, Unread> {
        match std::fs::read(path) {
            Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(Unread::Missing),
            Err(error) => Err(Unread::Failed(error.to_string())),
        }
    }
}

/// Reads a model; all that is wrong with it is shown, and if it cannot be run, this is the error.
pub(crate) fn read(path: &Path, args: &TextArgs, host: &Terminal, colour: bool) -> Result<Model> {
    let bytes = input::open(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let options = preprocess::Options {
        defines: args.define.iter().map(|text| definition(text)).collect(),
        include_folders: args.include.clone(),
        ..preprocess::Options::default()
    };
    let reading = Model::read(&Disk, path, &*text, &options);
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

/// `NAME` or `NAME=VALUE`.
fn definition(text: &str) -> (String, Option<String>) {
    match text.split_once('=') {
        None => (text.to_owned(), None),
        Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
    }
}

/// Explores a model; the graph may be partial. `share` is how much of the memory the search may take,
/// so that enough is left for what comes after it.
fn explore(system: &impl System, limits: Limits, share: f64, host: &Terminal) -> Result<Explored> {
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
    let (asked, told) = asked(property)?;
    let model = read(session.path(), &args.text, &session.host, session.colours_messages())?;
    let narrator = Narrator::new(&model);
    // The methods need edges both ways and some marks for every state, about as much again.
    let share = if wanted.neighbourhoods { 0.5 } else { 0.9 };
    let limits = Limits { max_states: session.max_states, order: args.search.order() };
    let found = explore(&model, limits, share, &session.host)?;
    let size = report::GraphSize {
        states: found.counted_states,
        transitions: found.transitions,
        labels: found.events.len() as u64,
    };
    let events = trail.as_ref().map(|(path, trail)| retraced(&model, &narrator, path, trail)).transpose()?;
    let request = session.request_for(session.told_model("promela", size), told, wanted);
    let wanted = ModelRequest { asked, violation: args.violation, unreached: args.unreached, trace: events };
    let report = analysis::analyse_model(&model, found, &narrator, &wanted, request, &session.host)?;
    session.report_on(&report)
}

/// The events of a trail; an error says where it parts from the model or that nothing is violated.
fn retraced(system: &impl System, story: &impl Story, path: &Path, trail: &Trail) -> Result<Vec<u64>> {
    let replayed = replay(system, story, trail);
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

fn replay(system: &impl System, story: &impl Story, trail: &Trail) -> Replayed {
    search::replay(system, trail.labels.len(), |n, event| story.label(event) == trail.labels[n])
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
    let (_, told) = asked(property)?;
    let model = read(session.path(), args, &session.host, session.colours_messages())?;
    let narrator = Narrator::new(&model);
    let replays = trails.into_iter().map(|(path, trail)| {
        let path = path.display().to_string();
        let trail = match trail {
            Ok(trail) => trail,
            Err(error) => return Replay::unreadable(path, format!("{error:#}")),
        };
        let replayed = replay(&model, &narrator, &trail);
        let steps = model_steps(&narrator, &replayed);
        let (result, divergence) = match &replayed.ending {
            Ending::Deadlock | Ending::Wrong(_) => (ReplayResult::Fails, None),
            Ending::Fine => (ReplayResult::Passes, None),
            Ending::Diverges { possible } => {
                let parting = divergence(&narrator, &trail, &replayed, possible);
                (ReplayResult::Diverges, Some(parting))
            }
        };
        Replay { path, result, steps, divergence, problem: None }
    });
    let replays = replays.collect();
    Ok((session.told_model("promela", None), told, replays))
}

/// The transition system of a model, or the limit that was reached first.
pub(crate) fn transition_system(
    path: &Path,
    args: &TextArgs,
    max_states: u64,
    host: &Terminal,
    colour: bool,
) -> Result<Result<StateGraph, Interrupt>> {
    let model = read(path, args, host, colour)?;
    let limits = Limits { max_states, ..Limits::default() };
    let found = explore(&model, limits, 0.7, host)?;
    if let Some(limit) = found.interrupt {
        return Ok(Err(limit));
    }
    Ok(Ok(wherefore::transition_system(&model, found, &Narrator::new(&model))?))
}

/// Which violations are asked for, and what the report calls that.
fn asked(args: &PropertyArgs) -> Result<(Asked, report::Property)> {
    let told = |kind: &str, text: &str| report::Property {
        kind: kind.to_owned(),
        text: text.to_owned(),
        spelling: None,
    };
    if let Some(path) = &args.property_file {
        bail!("{}: properties of models are named with -p: deadlock, assertion or fault", path.display());
    }
    Ok(match args.property.as_deref().map(str::trim) {
        None => {
            let text = "no invalid end state, no failed assertion, no fault";
            (Asked::All, told("safety", text))
        }
        Some("deadlock") => (Asked::Kind("deadlock".to_owned()), told("deadlock", "no invalid end state")),
        Some("assertion") => (Asked::Kind("assertion".to_owned()), told("assertion", "no failed assertion")),
        Some("fault") => (Asked::Kind("fault".to_owned()), told("fault", "no fault")),
        Some(other) => bail!("`{other}`: a model can be checked for deadlock, assertion or fault"),
    })
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
