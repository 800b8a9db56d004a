//! Properties of endless traces: check, then explain.
//!
//! The model was searched as for any other property. Its product with the automaton of all violations
//! is looked through for a trace that the automaton accepts; with the automaton of the traces that meet
//! the property beside it, the states that decide are found as for any other violation.

use explain::Counterexample as Explained;
use explain::neighbourhoods::Neighbourhoods;
use findings::{
    Chosen, EndlessProperty, Explanation, Method, Outcome, Passing, Reason, Skip, TraceEnd, Verdict,
    ViolationKind, What, Why,
};
use graph::{Exploration, Fairness, StateGraph, Story, System, Transitions, Watch};
use liveness::{
    Answer, Continuations, Counterexample, Ending, NotUnfolded, Product, Taken, TooLarge, Unfolded,
};
use search::{Explored, Store};

use crate::as_findings;
use crate::endless_causes::{Cause, causes};
use crate::evaluation;
use crate::invariant::Broken;
use crate::meeting::MeetingTraces;
use crate::method::{skip_each, skip_methods};
use crate::model_system::{Classes, ModelSystem, is_end};
use crate::naming::Naming;
pub use crate::obligation::Obligation;
use crate::registry::Standard;
use crate::request::{Host, Request};
use crate::skips::skipped;
use crate::surroundings::surroundings;
use crate::unfolded_naming::Named;

/// How many states the methods may work on.
const MOST_UNFOLDED: usize = 20_000_000;

/// A model that was searched, in which properties of endless traces are decided one after another: the search is done
/// once for all of them.
#[derive(Debug)]
pub struct Endlessly<'a, S> {
    model: ModelSystem<'a, S>,
    /// The search, without its states and steps.
    found: Explored,
}

/// What came of one property.
#[derive(Debug)]
pub struct Decided {
    pub verdict: Verdict,
    pub reason: Reason,
    pub violation: Option<Violated>,
}

/// How a property of endless traces is violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violated {
    /// By a trace that ends like this, and its length.
    Endlessly { ending: TraceEnd, length: u64 },
    /// In so many states, the nearest of them after this step.
    InStates { count: u64, step: u64 },
}

impl<'a, S: Story> Endlessly<'a, S> {
    pub fn new(system: &impl System, mut found: Explored, story: &'a S) -> Self {
        let classes = Classes::new(&found, story);
        let model = ModelSystem::lent(system, &mut found, story, &classes, |class| is_end(&classes, class));
        Self { model, found }
    }

    pub fn store(&self) -> &Store {
        self.model.store()
    }

    pub fn graph(&self) -> &StateGraph {
        self.model.graph()
    }

    /// Decides about a property without explaining it.
    pub fn decide(&self, obligation: &Obligation, fairness: Fairness, host: &dyn Watch) -> Decided {
        let undecided = |why: Why| Decided { verdict: Verdict::Unknown, reason: why.into(), violation: None };
        let product = match Product::new(&self.model, &obligation.violations, &obligation.reading) {
            Ok(product) => product,
            Err(TooLarge) => return undecided(Why::TooManyPairs),
        };
        let continuations = match Continuations::new(&product, fairness, host) {
            Ok(continuations) => continuations,
            Err(limit) => return undecided(Why::NothingBefore(Some(limit))),
        };
        match continuations.answer(&product) {
            Answer::Unknown => undecided(Why::NothingBefore(self.found.interrupt)),
            Answer::No => {
                Decided { verdict: Verdict::Holds, reason: Why::NoEndlessTrace.into(), violation: None }
            }
            Answer::Yes => match Counterexample::new(&product, &continuations, fairness) {
                None => undecided(Why::CounterexampleLost),
                Some(found) => {
                    let length = found.trace.steps.len();
                    let end = trace_end(found.ending, length);
                    let endlessly = Violated::Endlessly { ending: end, length: length as u64 };
                    let in_states = self.broken(obligation).map(|broken| Violated::InStates {
                        count: broken.states.len() as u64,
                        step: broken.step,
                    });
                    Decided {
                        verdict: Verdict::Violated,
                        reason: Why::Endless(end).into(),
                        violation: Some(in_states.unwrap_or(endlessly)),
                    }
                }
            },
        }
    }

    /// What the traces do that meet a property; nothing if that cannot be told.
    pub fn passing(
        &self,
        obligation: &Obligation,
        fairness: Fairness,
        host: &dyn Watch,
    ) -> Option<MeetingTraces> {
        let (automaton, reading) = obligation.fulfilments.as_ref()?;
        let product = Product::new(&self.model, automaton, reading).ok()?;
        let continuations = Continuations::new(&product, fairness, host).ok()?;
        let taken = Taken::new(&product, &continuations);
        let event = |label: u32| self.found.events.get(label as usize).copied();
        let events = taken.labels.into_iter().map(event).collect::<Option<_>>()?;
        Some(MeetingTraces { events, ends: taken.ends })
    }

    /// The states that violate a property by themselves, if it asks the same of all of them.
    fn broken(&self, obligation: &Obligation) -> Option<Broken> {
        let is_passing = |state| self.model.is_uninterrupted(state);
        Broken::new(&self.found, self.model.store().len(), obligation, is_passing)
    }

    /// The search, with all that it found.
    pub fn finish(self) -> Explored {
        let Self { model, mut found } = self;
        model.give_back(&mut found);
        found
    }
}

/// A violation of a property of endless traces, as reports list it.
pub fn violation(
    id: u64,
    kind: ViolationKind,
    property: EndlessProperty,
    violated: Violated,
) -> findings::Violation {
    let (what, count, shortest) = match (violated, property) {
        (Violated::InStates { count, step }, EndlessProperty::Stated(property)) => {
            (What::Broken { property, step, because: None }, count, step)
        }
        (Violated::InStates { step: length, .. }, property) => {
            (What::Endless { property, ending: TraceEnd::Decided }, 1, length)
        }
        (Violated::Endlessly { ending, length }, property) => (What::Endless { property, ending }, 1, length),
    };
    findings::Violation { id, kind, what, can_hold: true, location: None, count, shortest }
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
) -> Explanation {
    let classes = Classes::new(&found, story);
    let mut explanation = as_findings::blank(request);
    as_findings::search(&mut explanation, &found, &classes, &[]);
    explanation.passing = Passing::MeetsProperty(request.fairness);
    if request.unreached && found.interrupt.is_none() {
        let unreached = story.unreached(&found.events).into_iter();
        explanation.unreached = Some(unreached.map(as_findings::deed).collect());
    }
    skip_methods::<Standard>(&mut explanation, request, &Skip::NothingToExplain);
    let interrupt = found.interrupt;
    let model = ModelSystem::new(system, found, story, &classes, |class| is_end(&classes, class));
    let check = Check { model: &model, obligation, given, request, host };
    let verdict = check.run(&mut explanation);
    if let Err(why) = verdict {
        explanation.verdict = Verdict::Unknown;
        explanation.reason = (*why).into();
    } else if explanation.verdict == Verdict::Unknown {
        explanation.reason = Why::NothingBefore(interrupt).into();
    }
    as_findings::cost(&mut explanation, host);
    explanation
}

struct Check<'a, S> {
    model: &'a ModelSystem<'a, S>,
    obligation: &'a Obligation,
    given: Option<(&'a [u64], Ending)>,
    request: &'a Request,
    host: &'a dyn Host,
}

impl<S: Story> Check<'_, S> {
    fn run(&self, explanation: &mut Explanation) -> Result<(), Box<Why>> {
        let Obligation { violations, reading, .. } = self.obligation;
        let fairness = self.request.fairness;
        let product =
            Product::new(self.model, violations, reading).map_err(|TooLarge| Box::new(Why::TooManyPairs))?;
        let continuations = Continuations::new(&product, fairness, self.host)
            .map_err(|limit| Box::new(Why::NothingBefore(Some(limit))))?;
        match continuations.answer(&product) {
            Answer::Unknown => explanation.verdict = Verdict::Unknown,
            Answer::No => {
                explanation.verdict = Verdict::Holds;
                explanation.reason = Why::NoEndlessTrace.into();
            }
            Answer::Yes => {
                let found = match self.given {
                    Some((events, ending)) => {
                        let trace = self.model.find(events).ok_or_else(|| Box::new(Why::TrailNotExplored))?;
                        Counterexample { trace, ending }
                    }
                    None => Counterexample::new(&product, &continuations, fairness)
                        .ok_or_else(|| Box::new(Why::CounterexampleLost))?,
                };
                self.tell(explanation, &found);
                explanation.only_unfair = self.request.explains() && self.holds_if_fair(&product);
                skip_each::<Standard>(explanation, self.request, Skip::EndlessTrace);
                if self.request.runs(Method::Neighbourhoods) {
                    let fair = explanation.only_unfair;
                    self.explain(explanation, &product, &continuations, &found, fair);
                }
            }
        }
        Ok(())
    }

    /// Whether the property would hold with weak fairness, if that was not asked for.
    fn holds_if_fair(&self, product: &Product<'_, ModelSystem<'_, S>>) -> bool {
        self.request.fairness == Fairness::None
            && Continuations::new(product, Fairness::Weak, self.host)
                .is_ok_and(|fair| fair.answer(product) == Answer::No)
    }

    fn property(&self) -> EndlessProperty {
        let stated = || EndlessProperty::Stated(self.request.property.text.clone());
        self.obligation.forbids.clone().unwrap_or_else(stated)
    }

    fn tell(&self, explanation: &mut Explanation, found: &Counterexample) {
        let ending = trace_end(found.ending, found.trace.steps.len());
        let length = found.trace.steps.len() as u64;
        explanation.verdict = Verdict::Violated;
        explanation.reason = Why::Endless(ending).into();
        explanation.statistics.violations = 1;
        explanation.explained = Some(1);
        let property = self.property();
        let endlessly = Violated::Endlessly { ending, length };
        explanation.violations = vec![violation(1, self.obligation.kind, property, endlessly)];
        let bare = as_findings::bare_counterexample(self.model, self.request, &found.trace);
        explanation.counterexample = Some(self.finished(bare, found));
        explanation.evaluation = evaluation::of_obligation(self.obligation, self.model, found);
    }

    /// What only the ending of a counterexample says.
    fn finished(&self, told: findings::Counterexample, found: &Counterexample) -> findings::Counterexample {
        let loop_start = match found.ending {
            Ending::Loop(start) => Some(start as u64 + 1),
            Ending::Stops | Ending::Decided => None,
        };
        let stuck = found.ending == Ending::Stops;
        let chosen = match self.given {
            Some(_) => Chosen::Given,
            None => Chosen::ShortestToDecision,
        };
        findings::Counterexample {
            kind: self.obligation.kind,
            what: Some(What::Endless {
                property: self.property(),
                ending: trace_end(found.ending, found.trace.steps.len()),
            }),
            loop_start,
            chosen,
            past_others: false,
            blocked: if stuck {
                as_findings::all_blocked(self.model, found.trace.last())
            } else {
                Vec::new()
            },
            ..told
        }
    }

    fn explain(
        &self,
        explanation: &mut Explanation,
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
            watch: self.host,
        };
        let Some((automaton, reading)) = &self.obligation.fulfilments else {
            explanation.methods.neighbourhoods = skipped(Skip::UnknownFulfilments);
            explanation.findings = causes(&cause(None), None);
            return;
        };
        let weighed = (|| {
            let fulfilling =
                Product::new(self.model, automaton, reading).map_err(|TooLarge| Skip::TooManyPairs)?;
            let can_pass = Continuations::new(&fulfilling, self.request.fairness, self.host)
                .map_err(Skip::Interrupted)?;
            let labels = self.model.labels().len() as u32;
            let (fails, passes) = ((product, continuations), (&fulfilling, &can_pass));
            let unfolded = Unfolded::new(fails, passes, labels, MOST_UNFOLDED, self.host).map_err(
                |error| match error {
                    NotUnfolded::Interrupted(interrupt) => Skip::Interrupted(interrupt),
                    NotUnfolded::TooLarge => Skip::TooManySplit,
                },
            )?;
            let named = Named { model: self.model, unfolded: &unfolded };
            let explored = Exploration::new(&named, u64::MAX, self.host);
            let hoods = Neighbourhoods::new(&named, labels as usize, &explored, &unfolded.fates, self.host)
                .map_err(Skip::Interrupted)?;
            let trace = unfolded.follow(&found.trace).ok_or(Skip::TraceLost)?;
            let explained = Explained::new(&named, &explored, &unfolded.fates, &hoods, trace);
            explanation.fates = Some(as_findings::fates(unfolded.fates.count(&named, &explored)));
            let decisive = explained.notes.iter().position(|note| note.is_point_of_no_return());
            explanation.findings =
                causes(&cause(decisive.map(|at| (at, explained.notes[at].clone()))), Some(&fulfilling));
            if self.request.picture {
                explanation.surroundings = Some(surroundings(&named, &explored, &unfolded.fates, &explained));
            }
            let told = as_findings::counterexample(&named, self.request, &explained);
            explanation.counterexample = Some(self.finished(told, found));
            let told = as_findings::neighbourhoods(
                &named,
                &explored,
                self.request,
                &unfolded.fates,
                &hoods,
                &explained,
            );
            // The states of a loop are passed more than once.
            let mut passed: Vec<u32> = explained.trace.states().collect();
            passed.sort_unstable();
            passed.dedup();
            let touched = passed.into_iter().filter(|state| hoods.is_frontier(*state)).count() as u64;
            let seconds = self.host.seconds() - started;
            Ok::<_, Skip>(findings::Neighbourhoods { seconds, touched, ..told })
        })();
        explanation.methods.neighbourhoods = match weighed {
            Ok(told) => Some(Outcome::Found(Box::new(told))),
            Err(why) => skipped(why),
        };
    }
}

/// How a trace of so many steps goes on.
pub fn trace_end(ending: Ending, length: usize) -> TraceEnd {
    match ending {
        Ending::Loop(start) => TraceEnd::Repeats { first: start as u64 + 1, last: length as u64 },
        Ending::Stops => TraceEnd::Stops,
        Ending::Decided => TraceEnd::Decided,
    }
}
