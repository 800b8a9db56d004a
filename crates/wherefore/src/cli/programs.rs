//! Commands on C programs.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow, bail};
use cfront::{DataModel, Model, Narrator, Options, Reading};
use findings::ViolationKind;
use findings::Why;
use graph::{Interrupt, StateGraph};
use pipeline::bounded::{BoundedAnswer, analyse_bounded, wrong_at_end};
use pipeline::budget::Budget;
use pipeline::repairs::Known;
use pipeline::request::{Asked, Host, ModelRequest};
use pipeline::sat_answers::Runnable;
use pipeline::summaries::analyse_summaries;
use report::replay::Replay;
use search::{Ending, Explored, Limits, Replayed, Summaries};
use witness::Witness;

use super::bounded::Effort;
use super::commands::Replays;
use super::flags::{self, Emit, Engine, Kind, Language, ModelArgs, PropertyArgs, TextArgs};
use super::host::Terminal;
use super::models::{self, Disk, definition, text_of};
use super::retrace::Retraced;
use super::session::{Repairing, Session, Wanted};
use super::suggestions::suggest;
use super::trail::Trail;
use super::{bounded, c_test, diagnosis, diagnostics, emit, input, repairs, retrace, witnesses};

/// Whether a file is a program in C, by what the user says or by its name.
pub(crate) fn is_program(path: &Path, kind: Option<Kind>) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    kind.map_or(matches!(extension, "c" | "i"), |kind| kind == Kind::C)
}

/// A program as text, and how it is read.
struct Source {
    path: PathBuf,
    text: String,
    options: Options,
    inputs: Option<Vec<i64>>,
}

impl Source {
    fn new(path: &Path, args: &TextArgs, goal: &Goal) -> Result<Self> {
        let default = Options::default();
        let options = Options {
            defines: args.define.iter().map(|text| definition(text)).collect(),
            include_dirs: args.include.clone(),
            data_model: match args.data_model {
                Some(flags::DataModel::Ilp32) => DataModel::Ilp32,
                Some(flags::DataModel::Lp64) | None => DataModel::Lp64,
            },
            entry: args.entry.clone().unwrap_or(default.entry),
            overflow: goal.overflow,
            races: goal.races,
            input_bits: args.input_bits.unwrap_or(default.input_bits),
            error: goal.error.clone(),
            system_dirs: default.system_dirs,
        };
        let (path, text) = source(path, args, &options)?;
        let inputs = args.inputs.as_deref().map(inputs).transpose()?;
        Ok(Self { path, text, options, inputs })
    }

    /// What becomes of another text in its place.
    fn reading(&self, text: &str) -> Reading {
        Model::read(&Disk, &self.path, text, &self.options, self.inputs.clone())
    }
}

/// Reads a program; all that is wrong with it is shown, and if it cannot be run, this is the error.
fn read(path: &Path, args: &TextArgs, goal: &Goal, host: &Terminal, colour: bool) -> Result<(Model, Source)> {
    let mut source = Source::new(path, args, goal)?;
    let mut reading = source.reading(&source.text);
    let missing = reading.diagnostics.iter().find_map(missing_header);
    if let Some(header) = missing.filter(|_| !args.cc)
        && let Ok(text) = compiled(path, &source.text, args)
    {
        host.show(&format!(
            "note: there is no <{header}> of ours; `cc -E` reads the program, with the system's\n"
        ));
        source = Source { path: path.with_extension("i"), text, ..source };
        reading = source.reading(&source.text);
    }
    let drawn = diagnostics::draw_in_files(&reading.diagnostics, colour);
    let Some(model) = reading.model else {
        let errors = reading.diagnostics.iter().filter(|found| found.is_error()).count();
        let summary = if errors == 1 { "1 error".to_owned() } else { format!("{errors} errors") };
        return Err(diagnostics::Drawn(format!("{drawn}error: {}: {summary}", path.display())).into());
    };
    host.show(&drawn);
    if let Some(name) = &goal.error
        && !model.tree.functions.iter().any(|function| *function.name == **name)
    {
        bail!("`{name}` is no function that `{}` can reach", source.options.entry);
    }
    Ok((model, source))
}

/// The header in pointed brackets that an error is about, if it is about one.
fn missing_header(found: &cfront::Diagnostic) -> Option<String> {
    let named = found.text.get(found.span.start..found.span.end)?;
    let header = named.strip_prefix('<')?.strip_suffix('>')?;
    found.is_error().then(|| header.to_owned())
}

/// The text of a program and what it is read as: the user's file with the others behind it, or what the
/// system's compiler makes of them.
fn source(path: &Path, args: &TextArgs, options: &Options) -> Result<(PathBuf, String)> {
    let bytes = input::open(path)?;
    let mut others = Vec::new();
    for other in &args.with {
        let whole = std::path::absolute(other).with_context(|| other.display().to_string())?;
        if !whole.is_file() {
            bail!("{}: there is no such file", other.display());
        }
        let text = text_of(&input::open(&whole)?).into_owned();
        others.push((whole, text));
    }
    let others: Vec<(&Path, &str)> = others.iter().map(|(path, text)| (&**path, &**text)).collect();
    let text = match &others[..] {
        [] => text_of(&bytes).into_owned(),
        others => cfront::together(&Disk, path, &text_of(&bytes), others, options),
    };
    if !args.cc {
        return Ok((path.to_owned(), text));
    }
    Ok((path.with_extension("i"), compiled(path, &text, args)?))
}

/// A text after the preprocessor of the system's compiler.
fn compiled(path: &Path, text: &str, args: &TextArgs) -> Result<String> {
    let width = if args.data_model == Some(flags::DataModel::Ilp32) { "-m32" } else { "-m64" };
    let mut command = Command::new("cc");
    command.args(["-E", width, "-x", "c"]);
    command.args(args.define.iter().map(|define| format!("-D{define}")));
    let own = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    command.arg("-iquote").arg(own);
    args.include.iter().for_each(|folder| _ = command.arg("-I").arg(folder));
    command.arg("-").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().context("--cc: `cc` cannot be run")?;
    let named = format!("# 1 \"{}\"\n{text}", path.display());
    let feeder =
        child.stdin.take().map(|mut pipe| std::thread::spawn(move || pipe.write_all(named.as_bytes())));
    let output = child.wait_with_output().context("--cc: `cc` cannot be run")?;
    drop(feeder.map(std::thread::JoinHandle::join));
    if !output.status.success() {
        bail!("--cc: `cc -E` refuses the program:\n{}", text_of(&output.stderr).trim_end());
    }
    Ok(text_of(&output.stdout).into_owned())
}

/// The values of `--inputs`: numbers separated by commas, or a file of them.
fn inputs(given: &str) -> Result<Vec<i64>> {
    let number = |word: &str| {
        let value = word.parse::<i64>().or_else(|_| word.parse::<u64>().map(|value| value as i64));
        value.map_err(|_| anyhow!("`{word}` is no number"))
    };
    let split = |text: &str| -> Result<Vec<i64>> {
        let words = text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty());
        words.map(number).collect()
    };
    split(given).or_else(|error| {
        let path = Path::new(given);
        if !path.exists() {
            return Err(error.context(format!("--inputs: `{given}` is neither a list of values nor a file")));
        }
        split(&input::open_text(path)?).with_context(|| given.to_owned())
    })
}

/// Why the machine cannot tell what comes after a state.
fn obstacle(model: &Model, state: &[u8]) -> Option<Interrupt> {
    let obstacle = model.obstacle(state)?;
    let line = obstacle.location.map_or(0, |location| location.line);
    Some(Interrupt::Stuck(obstacle.reason, line))
}

/// Marks the states from which the machine could not tell what comes next; the first of them is why the
/// search is not complete.
fn mark_obstacles(model: &Model, found: &mut Explored) {
    let mut open = vec![false; found.store.len()];
    found.open.iter().for_each(|state| open[*state as usize] = true);
    let is_end = |state: &u32| found.graph.edges(*state).is_empty() && !open[*state as usize];
    let ends: Vec<u32> = (0..found.store.len() as u32).filter(is_end).collect();
    for state in ends {
        if let Some(obstacle) = obstacle(model, found.store.get(state)) {
            found.open.push(state);
            found.interrupt.get_or_insert(obstacle);
        }
    }
    found.open.sort_unstable();
}

/// Checks a program, and explains what is found if that is wanted.
pub(crate) fn report(
    session: &Session<'_>,
    property: &PropertyArgs,
    args: &ModelArgs,
    trail: Option<(&Path, Trail)>,
    wanted: Wanted,
) -> Result<u8> {
    emit::refuse(args.emit, Language::C)?;
    let (goal, told) = goal(property)?;
    let (mut model, source) =
        read(session.path(), &args.text, &goal, &session.host, session.colours_messages())?;
    if args.emit == Some(Emit::CTest) {
        c_test::refuse(&model, args.text.entry.as_deref(), goal.error.as_deref())?;
    }
    if let Some((path, trail)) = &trail {
        if let Some(witness) = &trail.witness {
            let about = (path.display().to_string(), witness);
            let request = wanted.diagnosis.clone();
            let mut report = report_witness(session, args, &model, about, (goal.asked, told), wanted)?;
            session.host.known(&report);
            diagnosis::diagnose(&mut report, &model, request.as_ref(), &session.host);
            return show(session, args, &model, &report);
        }
        give_inputs(&mut model, &args.text, trail);
    }
    let given = trail.is_some() || args.text.inputs.is_some() || session.is_near();
    let obstacle = bounded::obstacle(&model).or(given.then_some("the run is given"));
    let attempts = match (args.engine, obstacle) {
        (Engine::Sat, Some(why)) => bail!("--engine sat: {why}"),
        (Engine::Sat, None) => vec![Attempt::Formula(None)],
        (Engine::Auto, None) => attempts(model.has_many_inputs(), wanted.needs_states()),
        (Engine::Auto | Engine::Explicit | Engine::Summary, _) => vec![Attempt::States(None)],
    };
    let wants_repairs = wanted.repairs.clone();
    let request = wanted.diagnosis.clone();
    let mut undecided = Undecided::default();
    let mut searched = None;
    for attempt in attempts {
        let asked = (goal.asked.clone(), told.clone());
        let mut report = match attempt {
            Attempt::States(None) if searched == Some(Searched::Whole) => continue,
            Attempt::Formula(_) if searched == Some(Searched::Violated) => continue,
            Attempt::Formula(work) => report_bounded(session, args, (&model, work), asked, wanted.clone()),
            Attempt::States(most) => {
                session.limit_states(most);
                let report =
                    report_search(session, args, (&model, &source), trail.as_ref(), asked, wanted.clone())?;
                session.limit_states(None);
                let is_violated = report.verdict == findings::Verdict::Violated;
                let is_part = most.is_some_and(|most| {
                    let is_over = is_violated || report.reason.why.limit_of_states() == Some(most);
                    !report.statistics.complete && most < session.max_states() && is_over
                });
                searched = Some(match (is_part, is_violated && wanted.needs_states()) {
                    (false, _) => Searched::Whole,
                    (true, false) => Searched::Part,
                    (true, true) => Searched::Violated,
                });
                if searched == Some(Searched::Violated) {
                    continue;
                }
                report
            }
        };
        if report.verdict != findings::Verdict::Unknown {
            session.host.known(&report);
            diagnosis::diagnose(&mut report, &model, request.as_ref(), &session.host);
            if let Some(wanted) = &wants_repairs {
                repair((session, wanted), args, &source, &goal.asked, &mut report);
            }
            return show(session, args, &model, &report);
        }
        match attempt {
            Attempt::States(_) => undecided.by_states = Some(report),
            Attempt::Formula(_) => undecided.by_formula = Some(report),
        }
    }
    match undecided.told() {
        Some(report) => show(session, args, &model, &report),
        None => bail!("no engine fits"),
    }
}

/// In which order a program is searched and asked of a solver, by whether its inputs are too many to try them all and
/// whether explanations need the graph of its states. Where states may be few after all, a solver is given only so
/// much work before they are searched to the end.
fn attempts(has_many_inputs: bool, needs_states: bool) -> Vec<Attempt> {
    let (few, many) = (Attempt::States(Some(FEW_STATES)), Attempt::States(Some(MANY_STATES)));
    let (all, ask) = (Attempt::States(None), Attempt::Formula(None));
    let briefly = Attempt::Formula(Some(A_FEW_QUESTIONS));
    match (has_many_inputs, needs_states) {
        (true, false) => vec![ask, all],
        (true, true) => vec![few, ask, all],
        (false, false) => vec![few, briefly, all, ask],
        (false, true) => vec![many, briefly, all, ask],
    }
}

/// One way to decide about a program.
#[derive(Clone, Copy)]
enum Attempt {
    /// All states, or so many of them.
    States(Option<u64>),
    /// As a formula, with so much work or as long as it takes.
    Formula(Option<u64>),
}

/// How far states were searched.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Searched {
    /// As far as they ever will be.
    Whole,
    /// In part.
    Part,
    /// In part, and something is wrong there, which takes all of them to explain.
    Violated,
}

/// How many states are looked at before a solver is asked: where explanations need all of them, and where they do not.
const MANY_STATES: u64 = 3_000_000;
const FEW_STATES: u64 = 400_000;

/// How much work the formula and its solver may be before all states are searched, in units of a [`graph::Watch`]: a few
/// seconds.
const A_FEW_QUESTIONS: u64 = 2_000 * graph::PULSE;

/// Looks for repairs with the engine that found the violation.
fn repair(
    (session, wanted): (&Session<'_>, &Repairing),
    args: &ModelArgs,
    source: &Source,
    asked: &Asked,
    report: &mut findings::Explanation,
) {
    let file = session.path().display().to_string();
    let about = repairs::Text { file: &file, text: &source.text, language: edits::Language::C };
    let engine = report.engine;
    let mut failing = repairs::Failing::new(report);
    let known = Known::new(report);
    repairs::repair(report, &about, (&session.host, wanted), None, |text, allowance| {
        let allowance = session.at_most(allowance);
        let Some(model) = source.reading(text).model else { return Ok(None) };
        let is_itself = text == source.text;
        if !is_itself {
            // Threads take the same steps; a program of one thread, the same inputs.
            let refuted = match model.program().threads {
                true => known.refutes(&model, &Narrator::new(&model)),
                false => failing.refutes(&model, asked),
            };
            if refuted.is_some() {
                return Ok(refuted);
            }
        }
        let trial = match engine {
            findings::Engine::Sat => {
                let effort = (Effort::new(args), allowance);
                repairs::bounded(&model, (asked, &mut failing), effort, is_itself, &session.host)?
            }
            findings::Engine::Summary => {
                let budget = Budget::of(&session.host, allowance.work);
                let found = search::summarise(&model, allowance.states, &budget);
                repairs::interrupted(found.interrupt)?;
                pipeline::repairs::summarised(&found, &Narrator::new(&model), asked)
            }
            findings::Engine::Explicit | findings::Engine::Logs => {
                let Some(mut found) = repairs::explored(&model, allowance, &session.host)? else {
                    return Ok(None);
                };
                mark_obstacles(&model, &mut found);
                pipeline::repairs::explored(&found, &Narrator::new(&model), asked)
            }
        };
        if is_itself {
            failing.know(&trial);
        }
        Ok(Some(trial))
    });
}

/// What engines say that do not know, each the last time it was asked.
#[derive(Default)]
struct Undecided {
    by_states: Option<findings::Explanation>,
    by_formula: Option<findings::Explanation>,
}

impl Undecided {
    /// What both say together.
    fn told(self) -> Option<findings::Explanation> {
        let Self { by_states: Some(mut first), by_formula: Some(second) } = self else {
            return self.by_states.or(self.by_formula);
        };
        first.reason = Why::Both {
            first: Box::new((first.reason, first.engine)),
            second: Box::new((second.reason, second.engine)),
        }
        .into();
        first.bound = first.bound.or(second.bound);
        Some(first)
    }
}

/// Searches all states, or call by call.
fn report_search(
    session: &Session<'_>,
    args: &ModelArgs,
    (model, source): (&Model, &Source),
    trail: Option<&(&Path, Trail)>,
    asked: (Asked, findings::Property),
    wanted: Wanted,
) -> Result<findings::Explanation> {
    let narrator = Narrator::new(model);
    let trace = trail.map(|(path, trail)| {
        retrace::by_deeds(model, &narrator, trail)
            .with_context(|| path.display().to_string())?
            .violating(path)
    });
    let trace = trace.transpose()?;
    let program = (model, &narrator);
    let summaries = summaries(session, args, model, trail.is_some() || session.is_near());
    if summaries.is_none() && models::is_check(args, trail.is_some(), &wanted) {
        let obstacle = |state: &[u8]| obstacle(model, state);
        let about = (model, &narrator, "c");
        return models::report_check(session, args, session.plan(false), about, asked, wanted, obstacle);
    }
    let by_calls = summaries.is_some();
    let methods = Wanted { correct_transitions: wanted.correct_transitions.clone(), ..Wanted::CHECK };
    let mut report = match summaries {
        Some(found) => report_summaries(session, args, program, &found, asked.clone(), wanted)?,
        None => {
            let near = session.near_states(|trail| retrace::by_deeds(model, &narrator, trail))?;
            let found = models::explore_for(session, model, near, args, &wanted)?;
            report_states(session, args, program, (found, trace), asked.clone(), wanted)?
        }
    };
    let file = session.path().display().to_string();
    suggest(&mut report, (&file, &source.text), |changed, max_states| {
        let model = source.reading(changed).model?;
        let narrator = Narrator::new(&model);
        let program = (&model, &narrator);
        if by_calls {
            let found = search::summarise(&model, max_states, &session.host);
            report_summaries(session, args, program, &found, asked.clone(), methods.clone()).ok()
        } else {
            let limits = Limits { max_states, ..Limits::default() };
            let found = models::explore(&model, limits, 0.5, &session.host).ok()?;
            report_states(session, args, program, (found, None), asked.clone(), methods.clone()).ok()
        }
    });
    Ok(report)
}

/// A program, with the words for it.
type Program<'m> = (&'m Model, &'m Narrator<'m>);

/// Reports on what a search of all states found, and a trace to explain.
fn report_states(
    session: &Session<'_>,
    args: &ModelArgs,
    (model, narrator): Program<'_>,
    (mut found, trace): (Explored, Option<Vec<u64>>),
    asked: (Asked, findings::Property),
    wanted: Wanted,
) -> Result<findings::Explanation> {
    mark_obstacles(model, &mut found);
    models::report_found(session, args, (model, narrator, "c"), found, trace, asked, wanted)
}

/// Reports on what a search by summaries found.
fn report_summaries(
    session: &Session<'_>,
    args: &ModelArgs,
    (model, narrator): Program<'_>,
    found: &Summaries,
    (asked, told): (Asked, findings::Property),
    wanted: Wanted,
) -> Result<findings::Explanation> {
    let request = session.request_for(session.told_model("c", None), told, wanted);
    let wanted = ModelRequest { asked, violation: args.violation, unreached: args.unreached, trace: None };
    Ok(analyse_summaries(model, found, narrator, &wanted, request, &session.host)?)
}

/// Follows a counterexample of another verifier; it is an error if it does not end in a violation.
fn report_witness(
    session: &Session<'_>,
    args: &ModelArgs,
    model: &Model,
    (path, witness): (String, &Witness),
    (asked, told): (Asked, findings::Property),
    wanted: Wanted,
) -> Result<findings::Explanation> {
    let followed = witnesses::followed(model, witness, &asked, Effort::new(args), &session.host);
    let solved = match followed.with_context(|| path.clone())? {
        Ok(solved) => solved,
        Err(parting) => bail!("{path}: {}", parting.sentence()),
    };
    let (runs, inputs) = (bounded::Runs(model), solved.found.inputs.clone());
    let trace = pipeline::bounded::run(&runs.fed(inputs.clone()), &session.host)?;
    let narrator = Narrator::new(model).fed(inputs);
    if wrong_at_end(&narrator, &trace).is_none_or(|wrong| !asked.covers(&wrong)) {
        bail!("{path}: internal error: the run that was found violates nothing; please report this");
    }
    let request = session.request_for(session.told_model("c", None), told, wanted);
    let wanted = ModelRequest { asked, violation: args.violation, unreached: args.unreached, trace: None };
    let finding = (BoundedAnswer::Given(trace), u64::from(solved.unwinding.bound));
    let answers = Some(solved.answers(&runs));
    Ok(analyse_bounded(&narrator, finding, answers, &wanted, &request, &session.host))
}

/// Shows a report, or its counterexample in the form that is asked for.
fn show(
    session: &Session<'_>,
    args: &ModelArgs,
    model: &Model,
    report: &findings::Explanation,
) -> Result<u8> {
    let narrow = args.text.data_model == Some(flags::DataModel::Ilp32);
    emit::show(session, args.emit, report, |form, counterexample| match form {
        Emit::CTest => c_test::written(model, session.path(), narrow, counterexample),
        Emit::Inputs => Ok(emit::inputs(counterexample)),
        _ => {
            let data_model = if narrow { "ILP32" } else { "LP64" };
            witnesses::written(session.path(), data_model, counterexample)
        }
    })
}

/// Searches with a solver, up to a bound, and with so much work. What is asked about its findings may be more.
fn report_bounded(
    session: &Session<'_>,
    args: &ModelArgs,
    (model, work): (&Model, Option<u64>),
    (asked, told): (Asked, findings::Property),
    wanted: Wanted,
) -> findings::Explanation {
    let budget = Budget::of(&session.host, work.unwrap_or(u64::MAX));
    let searched = bounded::search_program(model, &asked, Effort::new(args), &budget);
    budget.lift();
    let request = session.request_for(session.told_model("c", None), told, wanted);
    let wanted = ModelRequest { asked, violation: args.violation, unreached: args.unreached, trace: None };
    let bounded::Searched { finding, bound, solved } = searched;
    let inputs = solved.as_ref().map_or_else(Vec::new, |solved| solved.found.inputs.clone());
    let (narrator, runs) = (Narrator::new(model).fed(inputs), bounded::Runs(model));
    let answers = solved.map(|solved| solved.answers(&runs));
    analyse_bounded(&narrator, (finding, bound), answers, &wanted, &request, &session.host)
}

/// What a search by summaries finds, where that is asked for, or where recursion without a bound makes it the only
/// one that ends. Where it does not apply, this is said if it was asked for, and all states are searched.
fn summaries(session: &Session<'_>, args: &ModelArgs, model: &Model, has_trail: bool) -> Option<Summaries> {
    let is_asked = args.engine == Engine::Summary;
    let hand_over = |why: &str| {
        if is_asked {
            session
                .host
                .warn(&format!("--engine summary does not apply: {why}; all states are searched instead"));
        }
        None
    };
    if args.engine == Engine::Explicit || !is_asked && !model.calls_itself() {
        return None;
    }
    if has_trail {
        return hand_over("a trail is explained in states with all their calls");
    }
    if let Some(why) = model.without_procedures() {
        return hand_over(why);
    }
    let share = session.host.with_share(0.5);
    let found = search::summarise(model, session.max_states(), &share);
    session.host.clear();
    if let Some(untold) = found.untold {
        return hand_over(untold.reason);
    }
    (is_asked || found.graph.goes_round()).then_some(found)
}

/// Replays trails in a program, without searching it.
pub(crate) fn replays(
    session: &Session<'_>,
    property: &PropertyArgs,
    args: &TextArgs,
    trails: Vec<(PathBuf, Result<Trail>)>,
) -> Result<Replays> {
    let (goal, told) = goal(property)?;
    let (mut model, _) = read(session.path(), args, &goal, &session.host, session.colours_messages())?;
    let mut replays = Vec::new();
    for (path, trail) in trails {
        let mut parting = None;
        let followed = match &trail {
            Ok(Trail { witness: Some(witness), .. }) => {
                let effort = Effort::default();
                let followed = witnesses::followed(&model, witness, &goal.asked, effort, &session.host)
                    .map(|followed| followed.map(|solved| solved.found.inputs));
                match followed {
                    Ok(Ok(inputs)) => model.give(Some(inputs)),
                    Ok(Err(divergence)) => parting = Some(divergence),
                    Err(error) => {
                        let name = path.display().to_string();
                        replays.push(Replay::unreadable(name, format!("{error:#}")));
                        continue;
                    }
                }
                true
            }
            Ok(trail) => {
                give_inputs(&mut model, args, trail);
                false
            }
            Err(_) => false,
        };
        let narrator = Narrator::new(&model);
        if followed {
            let trace = match &parting {
                None => pipeline::bounded::run(&model, &session.host)?,
                Some(_) => Replayed { states: Vec::new(), events: Vec::new(), ending: Ending::Fine },
            };
            let retraced =
                || Retraced { trace: trace.clone(), loop_start: None, divergence: parting.clone() };
            replays.extend(retrace::replay_all(
                &narrator,
                vec![(path, trail)],
                |_| Ok(retraced()),
                |_, retraced| Ok(retrace::at_its_end(&narrator, retraced)),
            ));
            model.give(None);
            continue;
        }
        replays.extend(retrace::replay_all(
            &narrator,
            vec![(path, trail)],
            |trail| retrace::by_deeds(&model, &narrator, trail),
            |_, retraced| Ok(retrace::at_its_end(&narrator, retraced)),
        ));
    }
    Ok((session.told_model("c", None), told, replays))
}

/// Where inputs are too many to look for those of a trail, they are taken from it.
fn give_inputs(model: &mut Model, args: &TextArgs, trail: &Trail) {
    if args.inputs.is_none() && model.has_wide_inputs() {
        model.give(Some(trail.inputs()));
    }
}

/// The transition system of a program, or the limit that was reached first.
pub(crate) fn transition_system(
    path: &Path,
    args: &TextArgs,
    max_states: u64,
    host: &Terminal,
    colour: bool,
) -> Result<Result<StateGraph, Interrupt>> {
    let (model, _) = read(path, args, &Goal::default(), host, colour)?;
    let limits = Limits { max_states, ..Limits::default() };
    let mut found = models::explore(&model, limits, 0.7, host)?;
    mark_obstacles(&model, &mut found);
    if let Some(limit) = found.interrupt {
        return Ok(Err(limit));
    }
    Ok(Ok(pipeline::transition_system(&model, found, &Narrator::new(&model))?))
}

/// What a program is checked for.
struct Goal {
    asked: Asked,
    /// Whether signed overflow is looked for.
    overflow: bool,
    /// Whether data races are looked for.
    races: bool,
    /// The function that must not be called.
    error: Option<String>,
}

impl Default for Goal {
    fn default() -> Self {
        Self { asked: Asked::All, overflow: false, races: false, error: None }
    }
}

/// Which violations are asked for, and what the report calls that.
fn goal(property: &PropertyArgs) -> Result<(Goal, findings::Property)> {
    if let Some((asked, mut told)) = models::asked(property)? {
        match asked {
            Asked::All => "no deadlock, no failed assertion, no fault".clone_into(&mut told.text),
            Asked::Kind(_) if told.kind == ViolationKind::Deadlock => {
                "no deadlock".clone_into(&mut told.text)
            }
            _ => {}
        }
        return Ok((Goal { asked, ..Goal::default() }, told));
    }
    let given = property.property.as_deref().unwrap_or_default().trim();
    let told = |kind: ViolationKind, text: String| findings::Property { kind, text, spelling: None };
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    if given == "overflow" {
        let asked = Asked::Text { start: "signed overflow", end: "" };
        let goal = Goal { asked, overflow: true, ..Goal::default() };
        return Ok((goal, told(ViolationKind::Fault, "no signed overflow".to_owned())));
    }
    if given == "race" {
        let asked = Asked::Text { start: "data race", end: "" };
        let goal = Goal { asked, races: true, ..Goal::default() };
        return Ok((goal, told(ViolationKind::Fault, "no data race".to_owned())));
    }
    if is_name(given) && !given.is_empty() {
        let asked = Asked::Text { start: "", end: "is reached" };
        let goal = Goal { asked, error: Some(given.to_owned()), ..Goal::default() };
        return Ok((goal, told(ViolationKind::Assertion, format!("no call of `{given}`"))));
    }
    bail!(
        "`{given}`: a program can be checked for deadlock, assertion, fault, overflow or race, for what is wrong in \
         a line (its number), or for calls of a function (its name)"
    );
}
