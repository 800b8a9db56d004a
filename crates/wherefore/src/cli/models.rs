//! Commands on models and programs, which are searched rather than read.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use findings::ViolationKind;
use graph::{Fairness, Interrupt, StateGraph, Story, System};
use pipeline::analysis;
use pipeline::checking::{Watches, analyse_check};
use pipeline::endless::analyse_endless;
use pipeline::repairs::Known;
use pipeline::request::{Asked, Host, ModelRequest, Request};
use preprocess::{Files, Unread};
use promela::machine::Machine;
use promela::{Message, Model, Narrator};
use search::{Explored, Limits, Plan};

use super::commands::Replays;
use super::flags::{self, Kind, Language, ModelArgs, PropertyArgs, TextArgs};
use super::host::{Terminal, message};
use super::obligations::{Endless, with_formula};
use super::session::{Repairing, Session, Wanted};
use super::trail::Trail;
use super::{diagnosis, diagnostics, emit, input, lassos, programs, repairs, retrace};

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
    emit::refuse(args.emit, Language::Promela)?;
    if !matches!(args.engine, flags::Engine::Auto | flags::Engine::Explicit) {
        bail!("--engine: models are searched state by state; other engines are for C programs");
    }
    let model = read(session.path(), &args.text, &session.host, session.colours_messages())?;
    let given = property.property.clone().or_else(|| endless_property(&model, &trail.as_ref()?.1));
    let (asked, told) = match asked_for(property, given.as_deref())? {
        Some(safety) => safety,
        None => {
            let given = given.unwrap_or_default();
            return endless(session, property, given.trim(), args, model, trail, wanted);
        }
    };
    mention_formulas(session, property, &model);
    let narrator = Narrator::new(&model);
    let trace = trail.as_ref().map(|(path, trail)| {
        retrace::in_model(&model, &narrator, trail)
            .with_context(|| path.display().to_string())?
            .violating(path)
    });
    let trace = trace.transpose()?;
    let about = (&model, &narrator, "promela");
    let wants_repairs = wanted.repairs.clone();
    let wants_diagnosis = wanted.diagnosis.clone();
    let asked_for = asked.clone();
    let mut before = None;
    let mut report = if is_check(args, trail.is_some(), &wanted) {
        let reduce = args.reduction == flags::Reduction::Por && model.machine.can_be_reduced();
        let plan = session.plan(reduce);
        report_check(session, args, plan, about, (asked, told), wanted, |_| None)?
    } else {
        let near = session.near_states(|trail| retrace::in_model(&model, &narrator, trail))?;
        let found = explore_for(session, &model, near, args, &wanted)?;
        before = wants_repairs.as_ref().map(|_| pipeline::repairs::explored(&found, &narrator, &asked));
        report_found(session, args, about, found, trace, (asked, told), wanted)?
    };
    session.host.known(&report);
    diagnosis::diagnose_trace(&mut report, &model, &narrator, wants_diagnosis.as_ref(), &session.host);
    if let Some(wanted) = &wants_repairs {
        repair((session, wanted), args, None, (&asked_for, before), &mut report)?;
    }
    show(session, args, &model, &narrator, &report)
}

/// Whether only a verdict is wanted, so that a search need not keep steps.
pub(crate) fn is_check(args: &ModelArgs, has_trail: bool, wanted: &Wanted) -> bool {
    !wanted.explains() && !has_trail && args.search == flags::Search::Bfs
}

/// Checks a model: the system, its story, and the name of its language. `obstacle` tells what keeps the system
/// from knowing what comes after a state.
pub(crate) fn report_check<S: System + Sync, N: Story>(
    session: &Session<'_>,
    args: &ModelArgs,
    plan: Plan,
    (system, story, kind): (&S, &N, &str),
    (asked, told): (Asked, findings::Property),
    wanted: Wanted,
    obstacle: impl Fn(&[u8]) -> Option<Interrupt>,
) -> Result<findings::Explanation> {
    let request = session.request_for(session.told_model(kind, None), told, wanted);
    let wanted = ModelRequest { asked, violation: args.violation, unreached: args.unreached, trace: None };
    let limits = session.host.with_share(0.9);
    let watches = Watches { host: &session.host, search: &limits, tracing: &session.host.patient() };
    Ok(analyse_check(system, story, plan, &wanted, request, watches, obstacle)?)
}

/// Explores a model for a report.
pub(crate) fn explore_for(
    session: &Session<'_>,
    system: &impl System,
    near: Option<(Vec<Vec<u8>>, u32)>,
    args: &ModelArgs,
    wanted: &Wanted,
) -> Result<Explored> {
    // The methods need edges both ways and some marks for every state, about as much again.
    let share = if wanted.explains() { 0.5 } else { 0.9 };
    let limits = Limits { max_states: session.max_states(), order: args.search.order() };
    let Some((states, depth)) = near else { return explore(system, limits, share, &session.host) };
    let near = search::Near { states: &states, depth };
    let found = search::explore_near(system, near, limits, &session.host.with_share(share));
    session.host.clear();
    found.map_err(|error| anyhow!("the model has {error}"))
}

/// Shows a report, or its counterexample in the form that is asked for.
fn show(
    session: &Session<'_>,
    args: &ModelArgs,
    model: &Model,
    narrator: &Narrator<'_>,
    report: &findings::Explanation,
) -> Result<u8> {
    emit::show(session, args.emit, report, |_, counterexample| {
        let events = retrace::events(model, narrator, counterexample)?;
        let start = emit::loop_start(counterexample).map(|start| start as usize);
        Ok(promela::trail::write(&model.machine, &events, start))
    })
}

/// Reports what was found in a model: the system, its story, and the name of its language. `trace` is the
/// trace to explain, if it is not to be a shortest one.
pub(crate) fn report_found<S: System, N: Story>(
    session: &Session<'_>,
    args: &ModelArgs,
    (system, story, kind): (&S, &N, &str),
    found: Explored,
    trace: Option<Vec<u64>>,
    (asked, told): (Asked, findings::Property),
    wanted: Wanted,
) -> Result<findings::Explanation> {
    let size = findings::GraphSize {
        states: found.counted_states,
        transitions: found.transitions,
        labels: found.events.len() as u64,
    };
    let request = session.request_for(session.told_model(kind, size), told, wanted);
    let wanted = ModelRequest { asked, violation: args.violation, unreached: args.unreached, trace };
    Ok(analysis::analyse_model(system, found, story, &wanted, request, &session.host)?)
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
    let about = trails.iter().filter_map(|(_, trail)| endless_property(&model, trail.as_ref().ok()?));
    let mut about: Vec<String> = about.collect();
    about.dedup();
    if property.property.is_none() && about.len() > 1 {
        bail!("the trails are about different properties: say with -p which one to replay them for");
    }
    let given = property.property.clone().or_else(|| about.pop());
    let (model, endless, told) = match asked_for(property, given.as_deref())? {
        Some((_, told)) => (model, None, told),
        None => {
            let given = given.as_deref().unwrap_or_default().trim();
            let (model, endless) = endless_of(session, model, given, args)?;
            let told = endless.told(&model, given);
            (model, Some(endless), told)
        }
    };
    let narrator = Narrator::new(&model);
    let replays = retrace::replay_all(
        &narrator,
        trails,
        |trail| retrace::in_model(&model, &narrator, trail),
        |trail, retraced| {
            // A trail of SPIN with a claim may still be one of a failed assertion.
            let is_asked = property.property.is_some() || endless_property(&model, trail).is_some();
            match endless.filter(|_| is_asked && !retraced.is_wrong(trail)) {
                None => Ok(retrace::at_its_end(&narrator, retraced)),
                Some(endless) => lassos::judge(&model, endless, &told.text, retraced, &session.host),
            }
        },
    );
    Ok((session.told_model("promela", None), told, replays))
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
    Ok(Ok(pipeline::transition_system(&model, found, &Narrator::new(&model))?))
}

/// The property of endless traces that a trail is about, unless the trail itself goes wrong at its end.
fn endless_property(model: &Model, trail: &Trail) -> Option<String> {
    let property = lassos::property_of(model, trail)?;
    let goes_wrong = || {
        let retraced = retrace::in_model(model, &Narrator::new(model), trail);
        retraced.is_ok_and(|retraced| retraced.is_wrong(trail))
    };
    (!goes_wrong()).then_some(property)
}

/// The property of endless traces that `given` means, and the model with it.
fn endless_of(session: &Session<'_>, model: Model, given: &str, args: &TextArgs) -> Result<(Model, Endless)> {
    if let Some(endless) = Endless::named(&model, given) {
        return Ok((model, endless));
    }
    let bytes = input::open(session.path())?;
    let text = String::from_utf8_lossy(&bytes);
    let colour = session.colours_messages();
    let (model, number) = with_formula(&model, given, &Disk, (session.path(), &text), options(args), colour)?;
    Ok((model, Endless::Formula(number)))
}

/// Checks a property of endless traces.
fn endless(
    session: &Session<'_>,
    property: &PropertyArgs,
    given: &str,
    args: &ModelArgs,
    model: Model,
    trail: Option<(&Path, Trail)>,
    wanted: Wanted,
) -> Result<u8> {
    if args.violation.is_some_and(|id| id != 1) {
        bail!("there is at most one violation of such a property: --violation is of no use");
    }
    if session.is_near() {
        bail!("--near is for violations at the end of a trace");
    }
    let (model, endless) = endless_of(session, model, given, &args.text)?;
    let narrator = Narrator::new(&model);
    let lasso = trail.map(|(path, trail)| {
        let given = retrace::in_model(&model, &narrator, &trail);
        lassos::violating(&model, endless, given, &session.host).with_context(|| path.display().to_string())
    });
    let lasso = lasso.transpose()?;
    let limits = Limits { max_states: session.max_states(), order: args.search.order() };
    let found = explore(&model, limits, 0.5, &session.host)?;
    let size = findings::GraphSize {
        states: found.counted_states,
        transitions: found.transitions,
        labels: found.events.len() as u64,
    };
    let fairness = property.fairness.map_or(Fairness::None, flags::Fairness::fairness);
    let obligation = endless.obligation(&model, &found, fairness == Fairness::Weak, &session.host)?;
    let told = endless.told(&model, given);
    let wants_repairs = wanted.repairs.clone();
    let request = session.request_for(session.told_model("promela", size), told, wanted);
    let request = Request { fairness, ..request };
    let trace = lasso.as_ref().map(|lasso| (&lasso.trace.events[..], lasso.ending));
    let mut report = analyse_endless(&model, found, &narrator, &obligation, trace, &request, &session.host);
    session.host.known(&report);
    // What only an unfair scheduler does is not mended by changing the model.
    if let Some(wanted) = wants_repairs.filter(|_| !report.only_unfair) {
        repair((session, &wanted), args, Some((given, fairness)), (&Asked::All, None), &mut report)?;
    }
    show(session, args, &model, &narrator, &report)
}

/// Looks for repairs of a model; `endless` is the property of endless traces that is violated, if it is one, and
/// `before` what is known of the model as it is.
fn repair(
    (session, wanted): (&Session<'_>, &Repairing),
    args: &ModelArgs,
    endless: Option<(&str, Fairness)>,
    (asked, before): (&Asked, Option<pipeline::repairs::Trial>),
    report: &mut findings::Explanation,
) -> Result<()> {
    let bytes = input::open(session.path())?;
    let text = text_of(&bytes);
    let file = session.path().display().to_string();
    let about = repairs::Text { file: &file, text: &text, language: edits::Language::Promela };
    let known = Known::new(report);
    let is_unchanged = |changed: &str| changed == text;
    repairs::repair(report, &about, (&session.host, wanted), before, |text, allowance| {
        let Ok(model) = Model::read(&Disk, session.path(), text, &options(&args.text)).model else {
            return Ok(None);
        };
        let narrator = Narrator::new(&model);
        if endless.is_none()
            && !is_unchanged(text)
            && let Some(refuted) = known.refutes(&model, &narrator)
        {
            return Ok(Some(refuted));
        }
        let Some(found) = repairs::explored(&model, session.at_most(allowance), &session.host)? else {
            return Ok(None);
        };
        let mut trial = pipeline::repairs::explored(&found, &narrator, asked);
        if let Some((given, fairness)) = endless
            && trial.complete
        {
            // The property is looked at in a second graph that is searched as well.
            trial.work *= 2;
            let violated = violates(session, args, model, (text, given), found, fairness);
            match violated {
                Ok(violated) => trial.violations.extend(violated),
                Err(_) => return Ok(None),
            }
        }
        Ok(Some(trial))
    });
    Ok(())
}

/// What a model that was searched violates of a property of endless traces.
fn violates(
    session: &Session<'_>,
    args: &ModelArgs,
    model: Model,
    (text, given): (&str, &str),
    found: Explored,
    fairness: Fairness,
) -> Result<Option<pipeline::repairs::Wrongdoing>> {
    let endless = Endless::named(&model, given);
    let (model, endless, found) = match endless {
        Some(endless) => (model, endless, found),
        None => {
            let (model, number) =
                with_formula(&model, given, &Disk, (session.path(), text), options(&args.text), false)?;
            let found = explore(&model, Limits::default(), 0.5, &session.host)?;
            (model, Endless::Formula(number), found)
        }
    };
    let obligation = endless.obligation(&model, &found, fairness == Fairness::Weak, &session.host)?;
    let told = endless.told(&model, given);
    let request = session.request_for(session.told_model("promela", None), told, Wanted::CHECK);
    let request = Request { fairness, ..request };
    let narrator = Narrator::new(&model);
    let report = analyse_endless(&model, found, &narrator, &obligation, None, &request, &session.host);
    match report.verdict {
        findings::Verdict::Holds => Ok(None),
        findings::Verdict::Violated => Ok(pipeline::repairs::target(&report)),
        findings::Verdict::Unknown => bail!("undecided"),
    }
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
pub(crate) fn asked(args: &PropertyArgs) -> Result<Option<(Asked, findings::Property)>> {
    asked_for(args, args.property.as_deref())
}

/// The same where a trail may say what is asked for.
fn asked_for(args: &PropertyArgs, given: Option<&str>) -> Result<Option<(Asked, findings::Property)>> {
    let told =
        |kind: ViolationKind, text: &str| findings::Property { kind, text: text.to_owned(), spelling: None };
    if let Some(path) = &args.property_file {
        bail!("{}: properties of models are given with -p", path.display());
    }
    Ok(Some(match given.map(str::trim) {
        None => {
            let text = "no invalid end state, no failed assertion, no fault";
            (Asked::All, told(ViolationKind::Safety, text))
        }
        Some("deadlock") => {
            (Asked::Kind(ViolationKind::Deadlock), told(ViolationKind::Deadlock, "no invalid end state"))
        }
        Some("assertion") => {
            (Asked::Kind(ViolationKind::Assertion), told(ViolationKind::Assertion, "no failed assertion"))
        }
        Some("fault") => (Asked::Kind(ViolationKind::Fault), told(ViolationKind::Fault, "no fault")),
        Some(text) => match text.parse() {
            Ok(line) => {
                (Asked::Line(line), told(ViolationKind::Assertion, &format!("nothing wrong in line {line}")))
            }
            Err(_) => return Ok(None),
        },
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
