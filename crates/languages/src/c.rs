//! C programs.

mod bounded;
mod c_test;
mod failing;
mod goal;
mod passing;
mod portfolio;
mod repair;
mod source;
mod suggestions;
mod tests;
mod text;
mod witnesses;

use std::path::Path;

use anyhow::{Context, Result, bail};
use cfront::{Model, Narrator};
use findings::{DataModel, Explanation, Property, Replay, Verdict, Verification};
use graph::Interrupt;
use pipeline::bounded::{BoundedAnswer, analyse_bounded, wrong_at_end};
use pipeline::budget::Budget;
use pipeline::request::{Asked, Host, Notice, Request};
use pipeline::sat_answers::Runnable;
use pipeline::summaries::analyse_summaries;
use pipeline::watches::Sharing;
use search::{Ending, Limits, Replayed, Summaries};
use witness::Witness;

use self::bounded::Effort;
use self::goal::goal;
use self::portfolio::{Attempt, Situation};
use self::source::{Source, read};
use self::suggestions::suggest;
use self::tests::Suite;
use self::text::OfModel;
use crate::answer::{Answer, NamedTrail};
use crate::emit::{self, Emit, answer};
use crate::language::Language;
use crate::models::{self, Called, ModelLanguage};
use crate::question::{Engine, Question};
use crate::retrace::{self, Retraced, near_states};
use crate::safety::refuse_others;
use crate::searched::{Goal, Searched, Searching, explore};
use crate::trail::Trail;
use crate::verified;

/// The front-end.
pub(crate) struct C;

impl Searched for Model {
    const KIND: &'static str = "c";
    type Story<'a> = Narrator<'a>;

    fn story(&self) -> Narrator<'_> {
        Narrator::new(self)
    }

    fn obstacle(&self, state: &[u8]) -> Option<Interrupt> {
        let obstacle = self.obstacle(state)?;
        let line = obstacle.location.map_or(0, |location| location.line);
        Some(Interrupt::Stuck(obstacle.reason, line))
    }
}

impl ModelLanguage for C {
    type Model = Model;
    const DECIDES_AT_ONCE: bool = false;

    fn explained(&self, question: &Question<'_>, host: &dyn Host) -> Result<Answer> {
        models::refuse(question, &Called { language: Language::C, kind: "models", by_states: None })?;
        refuse_with_tests(question)?;
        let (goal, mut told) = goal(&question.property)?;
        let (mut model, mut source) = read(question, &goal, host)?;
        let mut suite = None;
        if let Some(folder) = &question.reading.tests {
            let name = folder.path.display().to_string();
            let (known, found) = Suite::run(model, &mut source, name, host)?;
            (model, suite) = (known, Some(found));
            if !question.property.is_given() {
                told.text = Suite::property(folder.tests.all.len());
            }
        }
        if question.emit == Some(Emit::CTest) {
            c_test::refuse(&model, question.reading.entry.as_deref(), goal.error.as_deref())?;
        }
        let goal = (goal.asked, told);
        if let Some((_, trail)) = &question.trail {
            give_inputs(&mut model, question, trail);
        }
        let program = Program {
            searching: Searching::new(question, host),
            model: &model,
            source: &source,
            goal,
            suite,
        };
        let explanation = match &question.trail {
            Some((path, Trail { witness: Some(witness), .. })) => {
                let mut explanation = program.follow_witness(&path.display().to_string(), witness)?;
                program.diagnose(&mut explanation);
                explanation
            }
            _ => {
                let mut explanation = program.decide()?;
                if let Some(suite) = &program.suite {
                    suite.tell(&mut explanation);
                }
                if explanation.verdict != Verdict::Unknown {
                    program.diagnose(&mut explanation);
                    repair::repair(&program, &mut explanation);
                }
                explanation
            }
        };
        shown(question, host, &model, explanation)
    }

    fn replayed(
        &self,
        question: &Question<'_>,
        trails: Vec<NamedTrail>,
        host: &dyn Host,
    ) -> Result<(Property, Vec<Replay>)> {
        refuse_others(&question.property)?;
        let (goal, told) = goal(&question.property)?;
        let (mut model, _) = read(question, &goal, host)?;
        let mut replays = Vec::new();
        for (path, trail) in trails {
            let replayed = match &trail {
                Ok(Trail { witness: Some(witness), .. }) => {
                    let followed = witnesses::followed(&model, witness, &goal.asked, Effort::default(), host);
                    match followed.map(|followed| followed.map(|solved| solved.found.inputs)) {
                        Ok(Ok(inputs)) => {
                            model.give(Some(inputs));
                            let trace = pipeline::bounded::run(&model, host)?;
                            let gone = Retraced { trace, loop_start: None, divergence: None };
                            replay_as(&model, (path, trail), gone)
                        }
                        Ok(Err(divergence)) => {
                            let trace =
                                Replayed { states: Vec::new(), events: Vec::new(), ending: Ending::Fine };
                            let gone = Retraced { trace, loop_start: None, divergence: Some(divergence) };
                            replay_as(&model, (path, trail), gone)
                        }
                        Err(error) => {
                            vec![Replay::unreadable(path.display().to_string(), format!("{error:#}"))]
                        }
                    }
                }
                _ => {
                    if let Ok(trail) = &trail {
                        give_inputs(&mut model, question, trail);
                    }
                    let narrator = Narrator::new(&model);
                    retrace::replay_all(
                        &narrator,
                        vec![(path, trail)],
                        |trail| retrace::by_deeds(&model, &narrator, trail),
                        |_, retraced| Ok(retrace::at_its_end(&narrator, retraced)),
                    )
                }
            };
            replays.extend(replayed);
            if question.reading.inputs.is_none() {
                model.give(None);
            }
        }
        Ok((told, replays))
    }

    fn verified(
        &self,
        question: &Question<'_>,
        report: &verify::Report,
        host: &dyn Host,
    ) -> Result<Verification> {
        let (goal, _) = goal(&question.property)?;
        let (model, source) = read(question, &goal, host)?;
        let changed = |text: &str| source.reading(text).model;
        Ok(verified::model(question, report, &model, &goal.asked, &changed, host))
    }

    fn whole(&self, question: &Question<'_>, host: &dyn Host) -> Result<Model> {
        Ok(read(question, &goal::Goal::default(), host)?.0)
    }
}

/// A trail that was gone again already.
fn replay_as(model: &Model, trail: NamedTrail, gone: Retraced) -> Vec<Replay> {
    let narrator = Narrator::new(model);
    retrace::replay_all(
        &narrator,
        vec![trail],
        |_| Ok(gone.clone()),
        |_, retraced| Ok(retrace::at_its_end(&narrator, retraced)),
    )
}

/// Where inputs are too many to look for those of a trail, they are taken from it.
fn give_inputs(model: &mut Model, question: &Question<'_>, trail: &Trail) {
    if question.reading.inputs.is_none() && model.has_wide_inputs() && trail.witness.is_none() {
        model.give(Some(trail.inputs()));
    }
}

/// Refuses what does not go together with tests.
fn refuse_with_tests(question: &Question<'_>) -> Result<()> {
    let Question { reading, trail, near, emit, .. } = question;
    if reading.tests.is_none() {
        return Ok(());
    }
    let given = [
        (reading.inputs.is_some(), "--inputs"),
        (trail.is_some(), "--trail"),
        (near.is_some(), "--near"),
        (emit.is_some(), "--emit"),
    ];
    let known = question.request.diagnosis.given();
    match given.into_iter().find(|(given, _)| *given).map(|(_, name)| name).or(known) {
        Some(option) => bail!("{option} and --tests do not go together: a test says all that is read"),
        None => Ok(()),
    }
}

/// A program that was read, and what is asked about it.
struct Program<'a> {
    searching: Searching<'a>,
    model: &'a Model,
    source: &'a Source,
    goal: Goal,
    /// The tests that it runs on.
    suite: Option<Suite>,
}

impl Program<'_> {
    fn question(&self) -> &Question<'_> {
        self.searching.question
    }

    fn host(&self) -> &dyn Host {
        self.searching.host
    }

    fn request(&self) -> Request {
        self.searching.request(Model::KIND, &self.goal)
    }

    /// Tells the verdict, and puts the diagnosis of its counterexample into an explanation.
    fn diagnose(&self, explanation: &mut Explanation) {
        self.host().known(explanation);
        let request = self.request();
        let known = self.suite.as_ref().map(|suite| suite.diagnosed(explanation, &request.diagnosis));
        let request = Request { diagnosis: known.unwrap_or_else(|| request.diagnosis.clone()), ..request };
        diagnosis::diagnose(explanation, &OfModel(self.model), &request, self.host());
    }

    /// Asks one engine after the other.
    fn decide(&self) -> Result<Explanation> {
        let Question { request, search, trail, reading, near, .. } = self.question();
        let is_given = trail.is_some() || reading.inputs.is_some() || near.is_some();
        let no_formula = bounded::obstacle(self.model).or(is_given.then_some("the run is given"));
        let situation = Situation {
            engine: search.engine,
            no_formula: no_formula.or(reading.tests.is_some().then_some("the program runs on tests")),
            has_many_inputs: self.model.has_many_inputs(),
            needs_states: request.needs_states(),
            max_states: self.searching.max_states,
        };
        situation.decided(|attempt| match attempt {
            Attempt::Formula(work) => Ok(self.ask(work)),
            Attempt::States(most) => self.search(self.searching.at_most(most)),
        })
    }

    /// Searches all states, or call by call.
    fn search(&self, searching: Searching<'_>) -> Result<Explanation> {
        let Question { trail, near, request, .. } = self.question();
        let narrator = Narrator::new(self.model);
        let retraced = |trail: &Trail| retrace::by_deeds(self.model, &narrator, trail);
        let events = trail.as_ref().map(|(path, trail)| {
            retraced(trail).with_context(|| path.display().to_string())?.violating(path)
        });
        let events = events.transpose()?;
        let summaries = self.summaries(&searching, trail.is_some() || near.is_some());
        if summaries.is_none() && searching.is_check() {
            return searching.checked(self.model, searching.request(Model::KIND, &self.goal), false);
        }
        let by_calls = summaries.is_some();
        let mut explanation = match summaries {
            Some(found) => {
                let request = searching.request(Model::KIND, &self.goal);
                analyse_summaries(self.model, &found, &narrator, request, self.host())?
            }
            None => {
                let found = searching.explored(self.model, near_states(near.as_ref(), retraced)?)?;
                let request = Request { events, ..searching.request(Model::KIND, &self.goal) };
                searching.explained(self.model, found, request)?
            }
        };
        let file = self.question().input.path.display().to_string();
        // What is inserted is judged by the method that suggests it.
        let method = findings::Method::CorrectTransitions;
        let methods = if request.runs(method) { vec![method] } else { Vec::new() };
        suggest(&mut explanation, &file, &self.source.text, |changed, max_states| {
            let model = self.source.reading(changed).model?;
            let checked = Request::check(self.question().told_input(Model::KIND, None), self.goal.1.clone());
            let request = Request {
                asked: Asked::All,
                max_states: searching.max_states,
                unreached: request.unreached,
                methods: methods.clone(),
                trust: request.trust.clone(),
                ..checked
            };
            if by_calls {
                let found = search::summarise(&model, max_states, self.host());
                analyse_summaries(&model, &found, &Narrator::new(&model), request, self.host()).ok()
            } else {
                let limits = Limits { max_states, ..Limits::default() };
                let found = explore(&model, limits, 0.5, self.host()).ok()?;
                searching.explained(&model, found, request).ok()
            }
        });
        Ok(explanation)
    }

    /// What a search by summaries finds, where that is asked for, or where recursion without a bound makes it the only
    /// one that ends. Where it does not apply, this is said if it was asked for, and all states are searched.
    fn summaries(&self, searching: &Searching<'_>, has_trail: bool) -> Option<Summaries> {
        let engine = self.question().search.engine;
        let is_asked = engine == Engine::Summary;
        let hand_over = |why: &str| {
            if is_asked {
                self.host().notice(Notice::Warning(format!(
                    "--engine summary does not apply: {why}; all states are searched instead"
                )));
            }
            None
        };
        if engine == Engine::Explicit || !is_asked && (self.suite.is_some() || !self.model.calls_itself()) {
            return None;
        }
        if has_trail {
            return hand_over("a trail is explained in states with all their calls");
        }
        if let Some(why) = self.model.without_procedures() {
            return hand_over(why);
        }
        let found = search::summarise(self.model, searching.max_states, &Sharing::new(self.host(), 0.5));
        if let Some(untold) = found.untold {
            return hand_over(untold.reason);
        }
        (is_asked || found.graph.goes_round()).then_some(found)
    }

    /// Searches with a solver, up to a bound, and with so much work. What is asked about its findings may be more.
    fn ask(&self, work: Option<u64>) -> Explanation {
        let budget = Budget::of(self.host(), work.unwrap_or(u64::MAX));
        let effort = Effort::new(&self.question().search);
        let searched = bounded::search_program(self.model, &self.goal.0, effort, &budget);
        budget.lift();
        let bounded::Searched { finding, bound, solved } = searched;
        let inputs = solved.as_ref().map_or_else(Vec::new, |solved| solved.found.inputs.clone());
        let (narrator, runs) = (Narrator::new(self.model).fed(inputs), bounded::Runs(self.model));
        let answers = solved.map(|solved| solved.answers(&runs));
        analyse_bounded(&narrator, finding, bound, answers, &self.request(), self.host())
    }

    /// Follows a counterexample of another verifier; it is an error if it does not end in a violation.
    fn follow_witness(&self, path: &str, witness: &Witness) -> Result<Explanation> {
        let effort = Effort::new(&self.question().search);
        let followed = witnesses::followed(self.model, witness, &self.goal.0, effort, self.host());
        let solved = match followed.with_context(|| path.to_owned())? {
            Ok(solved) => solved,
            Err(parting) => bail!("{path}: {parting}"),
        };
        let (runs, inputs) = (bounded::Runs(self.model), solved.found.inputs.clone());
        let trace = pipeline::bounded::run(&runs.fed(inputs.clone()), self.host())?;
        let narrator = Narrator::new(self.model).fed(inputs);
        if wrong_at_end(&narrator, &trace).is_none_or(|wrong| !self.goal.0.covers(&wrong)) {
            bail!("{path}: internal error: the run that was found violates nothing; please report this");
        }
        let (finding, bound) = (BoundedAnswer::Given(trace), u64::from(solved.unwinding.bound));
        let answers = Some(solved.answers(&runs));
        Ok(analyse_bounded(&narrator, finding, bound, answers, &self.request(), self.host()))
    }
}

/// The answer, with its counterexample in the form that is asked for.
fn shown(
    question: &Question<'_>,
    host: &dyn Host,
    model: &Model,
    explanation: Explanation,
) -> Result<Answer> {
    let narrow = question.reading.data_model == Some(DataModel::Ilp32);
    let path = question.input.path;
    let answer = answer(question.emit, host, explanation, |form, counterexample| match form {
        Emit::CTest => c_test::written(model, path, narrow, counterexample),
        Emit::Inputs => Ok(emit::inputs(counterexample)),
        _ => {
            let data_model = if narrow { "ILP32" } else { "LP64" };
            witnesses::written(path, question.input.bytes, data_model, counterexample)
        }
    })?;
    // What another preprocessor made is no file, and what it was made of is.
    let named = [path].into_iter().chain(question.reading.with.iter().map(|(path, _)| &**path));
    let sources = model.tree.map.paths().chain(named).map(Path::to_owned);
    Ok(Answer { sources: sources.collect(), ..answer })
}
