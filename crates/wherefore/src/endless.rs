//! Properties of endless traces: check, then explain.
//!
//! The model was searched as for any other property. Its product with the automaton of all violations
//! is looked through for a trace that the automaton accepts; with the automaton of the traces that meet
//! the property beside it, the states that decide are found as for any other violation.

use explain::Counterexample as Explained;
use explain::neighbourhoods::Neighbourhoods;
use findings::ViolationKind;
use graph::{Exploration, Fairness, Interrupt, Story, System};
use liveness::{Answer, Continuations, Counterexample, Ending, Product, Reading, Unfolded};
use property::buchi::Automaton;
use property::ltl::Formula;
use report::{Outcome, Report, Verdict};
use search::Explored;

use crate::analysis::{Host, NOTHING_TO_EXPLAIN, Request, skip_methods, skipped};
use crate::endless_causes::{Cause, causes};
use crate::evaluation;
use crate::model_system::{Classes, ModelSystem};
use crate::naming::Naming;
use crate::surroundings::surroundings;
use crate::telling;
use crate::unfolded_naming::Named;

/// Why no correct transitions are looked for.
const CORRECT_END: &str = "correct transitions are those of traces that end, and this one goes on for ever";
/// Why no variations are looked for.
const VARIATIONS_END: &str = "variations are compared in traces that end, and this one goes on for ever";
/// Why no anomalies are looked for.
const GOES_ON: &str = "anomalies are compared in traces that end, and this one goes on for ever";
/// Why there is no diagnosis.
const NO_CHECK: &str = "an endless trace has no check that should hold";
/// How many states the methods may work on.
const MOST_UNFOLDED: usize = 20_000_000;
/// Why some never claims and acceptance labels are not explained.
const NO_FULFILMENTS: &str = "which traces pass is not known of this claim";

/// What must hold of endless traces.
#[derive(Debug)]
pub struct Obligation {
    /// What the report calls a violation: `ltl`, `acceptance` or `non-progress`.
    pub kind: ViolationKind,
    /// Accepts the traces that violate it.
    pub violations: Automaton,
    /// What that automaton reads.
    pub reading: Reading,
    /// Accepts the traces that meet it, with what it reads, where such an automaton is known.
    pub fulfilments: Option<(Automaton, Reading)>,
    /// The formula over the atoms, where it is one.
    pub formula: Option<Formula<u32>>,
    /// The atoms, as their author wrote them.
    pub atoms: Vec<String>,
}

/// Reports on a model that was searched. `given` is a violating trace to explain: its events, and what it does
/// after them.
pub fn analyse_endless(
    system: &impl System,
    found: Explored,
    story: &impl Story,
    obligation: &Obligation,
    given: Option<(&[u64], Ending)>,
    request: &Request,
    host: &dyn Host,
) -> Report {
    let classes = Classes::new(&found, story);
    let mut report = telling::blank(request);
    telling::search(&mut report, &found, &classes, &[]);
    report.passing_definition = passing_definition(request.fairness);
    skip_methods(&mut report, request, NOTHING_TO_EXPLAIN);
    let interrupt = found.interrupt;
    // A failed assertion is a step like any other; a fault leaves nothing to go on with.
    let matters = |class: usize| classes.list[class].wrong.kind == ViolationKind::Fault;
    let model = ModelSystem::new(system, found, story, &classes, matters);
    let check = Check { model: &model, obligation, given, request, host };
    let verdict = check.run(&mut report);
    if let Err(why) = verdict {
        report.verdict = Verdict::Unknown;
        report.reason = why;
    } else if report.verdict == Verdict::Unknown {
        let limit = interrupt.map_or_else(|| "a limit".to_owned(), telling::ending);
        report.reason = format!("nothing was found before {limit}");
    }
    telling::cost(&mut report, host);
    report
}

fn passing_definition(fairness: Fairness) -> String {
    let which = match fairness {
        Fairness::Weak => {
            "every trace in which each process moves again and again or again and again cannot (weak fairness) \
             must meet it"
        }
        Fairness::None => "every trace must meet it, whoever is passed over (--fairness weak asks for less)",
    };
    format!(
        "a trace passes when it meets the property; where it ends, its last state counts for ever; {which}"
    )
}

fn stopped(interrupt: Interrupt) -> String {
    format!("nothing was found before {}", telling::ending(interrupt))
}

struct Check<'a, S> {
    model: &'a ModelSystem<'a, S>,
    obligation: &'a Obligation,
    given: Option<(&'a [u64], Ending)>,
    request: &'a Request,
    host: &'a dyn Host,
}

impl<S: Story> Check<'_, S> {
    fn run(&self, report: &mut Report) -> Result<(), String> {
        let Obligation { violations, reading, .. } = self.obligation;
        let fairness = self.request.fairness;
        let product = Product::new(self.model, violations, reading).map_err(|error| error.to_string())?;
        let continuations = Continuations::new(&product, fairness, self.host).map_err(stopped)?;
        match continuations.answer(&product) {
            Answer::Unknown => report.verdict = Verdict::Unknown,
            Answer::No => {
                report.verdict = Verdict::Holds;
                "no endless trace violates it".clone_into(&mut report.reason);
            }
            Answer::Yes => {
                let found = match self.given {
                    Some((events, ending)) => {
                        let trace = self.model.find(events).ok_or("the trail was not explored")?;
                        Counterexample { trace, ending }
                    }
                    None => Counterexample::new(&product, &continuations, fairness)
                        .ok_or("the counterexample that must exist was not found")?,
                };
                self.tell(report, &found);
                report.only_unfair = self.explains() && self.holds_if_fair(&product);
                if self.request.anomalies.is_some() {
                    report.methods.anomalies = skipped(GOES_ON);
                }
                if self.request.correct_transitions.is_some() {
                    report.methods.correct_transitions = skipped(CORRECT_END);
                }
                if self.request.variations.is_some() {
                    report.methods.variations = skipped(VARIATIONS_END);
                }
                if self.request.diagnosis.is_some() {
                    report.methods.diagnosis = skipped(NO_CHECK);
                }
                if self.request.neighbourhoods {
                    let fair = report.only_unfair;
                    self.explain(report, &product, &continuations, &found, fair);
                }
            }
        }
        Ok(())
    }

    /// Whether more than a verdict is wanted.
    fn explains(&self) -> bool {
        let Request { neighbourhoods, anomalies, correct_transitions, variations, diagnosis, .. } =
            self.request;
        *neighbourhoods
            || anomalies.is_some()
            || correct_transitions.is_some()
            || variations.is_some()
            || diagnosis.is_some()
    }

    /// Whether the property would hold with weak fairness, if that was not asked for.
    fn holds_if_fair(&self, product: &Product<'_, ModelSystem<'_, S>>) -> bool {
        self.request.fairness == Fairness::None
            && Continuations::new(product, Fairness::Weak, self.host)
                .is_ok_and(|fair| fair.answer(product) == Answer::No)
    }

    fn tell(&self, report: &mut Report, found: &Counterexample) {
        let text = text(found);
        let length = found.trace.steps.len() as u64;
        report.verdict = Verdict::Violated;
        report.reason.clone_from(&text);
        report.statistics.violations = 1;
        report.explained = Some(1);
        report.violations = vec![report::Violation {
            id: 1,
            kind: self.obligation.kind,
            text: format!("{}: {text}", self.request.property.text),
            location: None,
            count: 1,
            shortest: length,
        }];
        let bare = telling::bare_counterexample(self.model, self.request, &found.trace);
        report.counterexample = Some(self.finished(bare, found));
        report.evaluation = evaluation::of_obligation(self.obligation, self.model, found);
    }

    /// What only the ending of a counterexample says.
    fn finished(&self, told: report::Counterexample, found: &Counterexample) -> report::Counterexample {
        let loop_start = match found.ending {
            Ending::Loop(start) => Some(start as u64 + 1),
            Ending::Stops | Ending::Decided => None,
        };
        let stuck = found.ending == Ending::Stops;
        let chosen = match self.given {
            Some(_) => "the one given",
            None => "a shortest way to where it is decided",
        };
        report::Counterexample {
            kind: self.obligation.kind,
            text: Some(format!("{}: {}", self.request.property.text, text(found))),
            loop_start,
            chosen: chosen.to_owned(),
            blocked: if stuck { telling::all_blocked(self.model, found.trace.last()) } else { Vec::new() },
            ..told
        }
    }

    fn explain(
        &self,
        report: &mut Report,
        product: &Product<'_, ModelSystem<'_, S>>,
        continuations: &Continuations,
        found: &Counterexample,
        holds_if_fair: bool,
    ) {
        let started = self.host.seconds();
        let cause = |decisive| Cause {
            model: self.model,
            obligation: self.obligation,
            fairness: self.request.fairness,
            found,
            decisive,
            holds_if_fair,
        };
        let Some((automaton, reading)) = &self.obligation.fulfilments else {
            report.methods.neighbourhoods = skipped(NO_FULFILMENTS);
            report.causes = causes(&cause(None), None);
            return;
        };
        let weighed = (|| {
            let fulfilling =
                Product::new(self.model, automaton, reading).map_err(|error| error.to_string())?;
            let can_pass = Continuations::new(&fulfilling, self.request.fairness, self.host)
                .map_err(|interrupt| interrupt.to_string())?;
            let labels = self.model.labels().len() as u32;
            let (fails, passes) = ((product, continuations), (&fulfilling, &can_pass));
            let unfolded = Unfolded::new(fails, passes, labels, MOST_UNFOLDED, self.host)
                .map_err(|error| error.to_string())?;
            let named = Named { model: self.model, unfolded: &unfolded };
            let explored = Exploration::new(&named, u64::MAX, self.host);
            let hoods = Neighbourhoods::new(&named, labels as usize, &explored, &unfolded.fates, self.host)
                .map_err(|interrupt| interrupt.to_string())?;
            let trace = unfolded.follow(&found.trace).ok_or("the trace was not found again")?;
            let explained = Explained::new(&named, &explored, &unfolded.fates, &hoods, trace);
            report.fates = Some(telling::fates(unfolded.fates.count(&named, &explored)));
            let decisive = explained.notes.iter().position(|note| note.is_point_of_no_return());
            report.causes =
                causes(&cause(decisive.map(|at| (at, explained.notes[at].clone()))), Some(&fulfilling));
            if self.request.picture {
                report.surroundings = Some(surroundings(&named, (&explored, &unfolded.fates), &explained));
            }
            let told = telling::counterexample(&named, self.request, &explained);
            report.counterexample = Some(self.finished(told, found));
            let told =
                telling::neighbourhoods(&named, &explored, self.request, &unfolded.fates, &hoods, &explained);
            // The states of a loop are passed more than once.
            let mut passed: Vec<u32> = explained.trace.states().collect();
            passed.sort_unstable();
            passed.dedup();
            let touched = passed.into_iter().filter(|state| hoods.is_frontier(*state)).count() as u64;
            let seconds = self.host.seconds() - started;
            Ok::<_, String>(report::Neighbourhoods { seconds, touched, ..told })
        })();
        report.methods.neighbourhoods = match weighed {
            Ok(told) => Some(Outcome::Found(Box::new(told))),
            Err(why) => skipped(why),
        };
    }
}

/// What happens after the stem.
fn text(found: &Counterexample) -> String {
    ending_text(found.ending, found.trace.steps.len())
}

/// What happens after a trace of so many steps.
pub fn ending_text(ending: Ending, length: usize) -> String {
    match ending {
        Ending::Loop(start) if start + 1 == length => format!("step {length} is repeated for ever"),
        Ending::Loop(start) => format!("steps {} to {length} are repeated for ever", start + 1),
        Ending::Stops => "nothing moves any more, and the property is not met".to_owned(),
        Ending::Decided => "whatever comes now, the property is violated".to_owned(),
    }
}
