//! The tests of a program: which fail, and what each failing one shows.
//!
//! Every test is run by itself first. That tells who fails, which every other part takes as known: the diagnosis explains
//! failing tests and no change may break a passing one. A test on which the program does not end is told to fail where
//! a loop goes round, once it has gone round often enough; one of which nothing is known is left out.

use std::sync::Arc;

use cfront::tests::{Difference, Shown, Tests, difference};
use cfront::{Model, Narrator};
use findings::{Explanation, FailingTest, OutputDifference, TestRuns, UndecidedTest, Verdict, Why};
use graph::{End, Progress, Story, System, Worker, Wrong};
use pipeline::request::{DiagnosisRequest, Host};

use super::source::Source;

/// How many steps a test may take.
const MOST_STEPS: u64 = 1_000_000;
/// After how many of them whoever watches is asked.
const PULSE_STEPS: u64 = 1 << 12;
/// How many failing tests besides that of the counterexample the diagnosis has to explain.
const MOST_FAILING: usize = 4;

/// The tests of a program with what came of each.
pub(super) struct Suite {
    told: TestRuns,
    /// Whether each of them passes.
    passes: Vec<Option<bool>>,
    /// How many steps the longest run has.
    longest: u64,
}

/// What came of running a test.
enum Outcome {
    /// After so many steps.
    Passes(u64),
    Fails {
        wrong: Wrong,
        detail: Option<String>,
        steps: u64,
    },
    Endless,
    Unknown(String),
}

impl Suite {
    /// Runs all tests of a program. The program is read again if some do not end, or nothing is known of them.
    pub(super) fn run(
        model: Model,
        source: &mut Source,
        folder: String,
        host: &dyn Host,
    ) -> anyhow::Result<(Model, Self)> {
        let mut model = model;
        let Some(mut tests) = source.tests().cloned() else {
            return Ok((model, Self { told: none(folder), passes: Vec::new(), longest: 0 }));
        };
        let mut found = outcomes(&model, &tests, host)?;
        if found.iter().any(|outcome| matches!(outcome, Outcome::Endless)) {
            let mut marked = (*tests).clone();
            for (test, outcome) in marked.all.iter_mut().zip(&found) {
                test.is_endless = matches!(outcome, Outcome::Endless);
            }
            tests = Arc::new(marked);
            model = again(source, &tests, model);
            found = outcomes(&model, &tests, host)?;
        }
        let differences = differences(source, &tests);
        model.know_differences(differences.clone());
        // With what is known now, what is wrong is told in full.
        for (number, outcome) in found.iter_mut().enumerate() {
            if matches!(outcome, Outcome::Fails { .. }) {
                *outcome = self::outcome(&model, &Narrator::new(&model), number, host)?;
            }
        }
        // What nothing is known of, and what is not noticed to be endless where rounds are counted, is not searched.
        let is_lost = |outcome: &Outcome| matches!(outcome, Outcome::Endless | Outcome::Unknown(_));
        if found.iter().any(is_lost) {
            let mut marked = (*tests).clone();
            for (test, outcome) in marked.all.iter_mut().zip(&found) {
                test.is_left_out = is_lost(outcome);
            }
            tests = Arc::new(marked);
            model = again(source, &tests, model);
            model.know_differences(differences.clone());
        }
        Ok((model, Self::told(folder, &tests, found, &differences)))
    }

    fn told(folder: String, tests: &Tests, found: Vec<Outcome>, differences: &[Option<Difference>]) -> Self {
        let mut told = TestRuns { count: tests.all.len() as u64, ..none(folder) };
        let (mut passes, mut longest) = (Vec::new(), 0);
        for ((test, outcome), difference) in tests.all.iter().zip(found).zip(differences) {
            let name = test.name.clone();
            passes.push(match outcome {
                Outcome::Passes(steps) => {
                    longest = longest.max(steps);
                    told.passing.push(name);
                    Some(true)
                }
                Outcome::Fails { wrong, detail, steps } => {
                    longest = longest.max(steps);
                    let is_output = wrong.sort == graph::Sort::Output;
                    let output = difference.as_ref().filter(|_| is_output && !test.is_endless).map(output);
                    let what = match detail {
                        Some(detail) if is_output => detail,
                        Some(detail) => format!("{}: {detail}", wrong.text),
                        None => wrong.text,
                    };
                    told.failing.push(FailingTest { name, what, location: wrong.location, output });
                    Some(false)
                }
                Outcome::Endless => {
                    let why = format!("it does not end within {MOST_STEPS} steps and 4096 nested calls");
                    told.undecided.push(UndecidedTest { name, why });
                    None
                }
                Outcome::Unknown(why) => {
                    told.undecided.push(UndecidedTest { name, why });
                    None
                }
            });
        }
        Self { told, passes, longest }
    }

    /// How many steps a test may take in a changed program: many more than in the program as it is.
    pub(super) fn most_steps(&self) -> u64 {
        self.longest.saturating_mul(8).saturating_add(2_000)
    }

    /// What the diagnosis and the repairs take as known, once it is known which test the counterexample belongs to.
    pub(super) fn known(&self, explanation: &Explanation, request: &DiagnosisRequest) -> DiagnosisRequest {
        let own = self.own(explanation);
        let of = |wanted: bool| {
            let all = self.passes.iter().zip(0i64..);
            all.filter(move |(passes, _)| **passes == Some(wanted)).map(|(_, number)| number)
        };
        let failing = of(false).filter(|number| Some(*number) != own);
        DiagnosisRequest {
            fixed: true,
            failing: failing.map(|number| vec![number]).collect(),
            passing: of(true).map(|number| vec![number]).collect(),
            ..request.clone()
        }
    }

    /// The same for a diagnosis, which asks a formula about each failing test.
    pub(super) fn diagnosed(
        &self,
        explanation: &Explanation,
        request: &DiagnosisRequest,
    ) -> DiagnosisRequest {
        let mut known = self.known(explanation, request);
        known.failing.truncate(MOST_FAILING);
        // Runs of all tests tell much already.
        if known.work == DiagnosisRequest::AMONG_OTHERS {
            known.work /= 4;
        }
        known
    }

    /// The number of the test that the counterexample belongs to.
    fn own(&self, explanation: &Explanation) -> Option<i64> {
        explanation.counterexample.as_ref()?.steps.iter().find_map(|step| step.inputs.first().copied())
    }

    /// Says in an explanation what came of the tests.
    pub(super) fn tell(&self, explanation: &mut Explanation) {
        let mut told = self.told.clone();
        let own = self.own(explanation).and_then(|own| usize::try_from(own).ok());
        let failing = self.passes.iter().enumerate().filter(|(_, passes)| **passes == Some(false));
        let failing: Vec<usize> = failing.map(|(number, _)| number).collect();
        let at = own.and_then(|own| failing.iter().position(|number| *number == own));
        told.explained = at.and_then(|at| Some(told.failing.get(at)?.name.clone()));
        if let (Verdict::Holds, Some(first)) = (explanation.verdict, told.undecided.first()) {
            explanation.verdict = Verdict::Unknown;
            explanation.reason = Why::FromFrontEnd(format!("test {}: {}", first.name, first.why)).into();
        }
        explanation.tests = Some(told);
    }

    /// What a program is checked for that runs on tests.
    pub(super) fn property(count: usize) -> String {
        match count {
            1 => "the test passes".to_owned(),
            count => format!("all {count} tests pass"),
        }
    }
}

fn none(folder: String) -> TestRuns {
    TestRuns {
        folder,
        count: 0,
        passing: Vec::new(),
        failing: Vec::new(),
        undecided: Vec::new(),
        explained: None,
    }
}

/// The program with other tests; as it was if it cannot be read with them.
fn again(source: &mut Source, tests: &Arc<Tests>, model: Model) -> Model {
    source.set_tests(tests.clone());
    source.reading(&source.text).model.unwrap_or(model)
}

fn outcomes(model: &Model, tests: &Tests, host: &dyn Host) -> anyhow::Result<Vec<Outcome>> {
    let story = Narrator::new(model);
    (0..tests.all.len()).map(|number| outcome(model, &story, number, host)).collect()
}

fn outcome(model: &Model, story: &Narrator<'_>, test: usize, host: &dyn Host) -> anyhow::Result<Outcome> {
    let fed = model.fed(vec![test as i64]);
    let mut worker = fed.worker();
    let (mut state, mut next) = (Vec::new(), Vec::new());
    worker.initial(|initial| state = initial.to_vec());
    for number in 0..MOST_STEPS {
        if number % PULSE_STEPS == 0 {
            host.pulse(Progress { phase: "running tests", work: PULSE_STEPS, ..Progress::default() })?;
        }
        let mut taken = None;
        worker.steps(&state, |step| {
            next.clear();
            next.extend_from_slice(step.state);
            taken = Some((step.event, step.violation));
        });
        match taken {
            Some((_, None)) => std::mem::swap(&mut state, &mut next),
            Some((event, Some(what))) => {
                let detail = story.detail(&state, event);
                return Ok(Outcome::Fails { wrong: story.wrong(event, what), detail, steps: number });
            }
            None => {
                let ends = worker.end(&state) == End::Valid;
                return Ok(match model.obstacle(&state) {
                    None if ends => Outcome::Passes(number),
                    None => Outcome::Unknown("how the program goes on is not known".to_owned()),
                    Some(obstacle) if obstacle.is_depth => Outcome::Endless,
                    Some(obstacle) => {
                        let line = obstacle.location.map_or(0, |at| at.line);
                        Outcome::Unknown(format!("{}, in line {line}", obstacle.reason))
                    }
                });
            }
        }
    }
    Ok(Outcome::Endless)
}

/// What is wrong with the output on each test.
fn differences(source: &Source, tests: &Tests) -> Vec<Option<Difference>> {
    let recording = source.recording();
    let of = |(number, test): (usize, &cfront::tests::Test)| {
        difference(&recording.as_ref()?.printed(number, MOST_STEPS)?, &test.expected)
    };
    tests.all.iter().enumerate().map(of).collect()
}

fn output(difference: &Difference) -> OutputDifference {
    let word = |shown: &Shown| match shown {
        Shown::Word(word) => Some(word.clone()),
        Shown::EndOfLine | Shown::End => None,
    };
    OutputDifference {
        line: difference.line,
        printed: word(&difference.printed),
        expected: word(&difference.expected),
    }
}
