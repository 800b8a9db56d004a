//! What a method is: what it makes of a counterexample, by what is known of the system.
//!
//! A method says what it can do with the answers of which engine; where it can do nothing it says why. All of them stand
//! in one list ([`crate::registry`]), and whoever runs them goes through that list and names none.

use std::cell::Cell;

use explain::Counterexample;
use findings::{Explanation, Finding, Method as Name, Methods, Outcome, Skip, Step};
use graph::{Exploration, Fates, NestedTrace, Story, Trace, Transitions, Wrong};
use search::{Replayed, Summaries};

use crate::budget::Budget;
use crate::call_violations::FoundViolation;
use crate::model_system::{Classes, ModelSystem};
use crate::naming::Naming;
use crate::request::{Host, Request, Stage};
use crate::sat_answers::{Runnable, SatAnswers};

/// What a method found: its own result, and what it claims.
pub(crate) struct Answer<R> {
    pub(crate) result: R,
    pub(crate) findings: Vec<Finding>,
}

/// The same, or why there is nothing.
pub(crate) type Answered<R> = Result<Answer<R>, Skip>;

pub(crate) trait Method {
    /// What it finds besides what it claims.
    type Result;

    const NAME: Name;

    /// Where its result is kept.
    fn slot(methods: &mut Methods) -> &mut Option<Outcome<Self::Result>>;

    /// In a graph of all states and steps.
    fn on_graph<T: Transitions + Naming>(case: &GraphCase<'_, T>) -> Answered<Self::Result>;

    /// In a model of which all violations are known, after its graph was looked at for one of them; nothing where that
    /// has told everything.
    fn on_model<S: Story>(_: &mut ModelCase<'_, '_, S>) -> Option<Answered<Self::Result>> {
        None
    }

    /// In a program that was searched call by call.
    fn on_calls<S: Story>(_: &CallCase<'_, S>) -> Answered<Self::Result> {
        Err(Skip::NoStates)
    }

    /// In a program as a formula.
    fn on_formula<S: Story, R: Runnable>(_: &mut FormulaCase<'_, '_, '_, S, R>) -> Answered<Self::Result> {
        Err(Skip::NoGraph)
    }
}

/// A counterexample in a graph.
pub(crate) struct GraphCase<'a, T> {
    pub(crate) system: &'a T,
    pub(crate) explored: &'a Exploration,
    pub(crate) fates: &'a Fates,
    /// How long it took to find the fates.
    pub(crate) fate_seconds: f64,
    pub(crate) counterexample: &'a Counterexample,
    /// The steps of the counterexample as they are told.
    pub(crate) steps: &'a [Step],
    /// What was found of neighbourhoods on the way to the counterexample.
    pub(crate) neighbourhoods: Cell<Option<findings::Neighbourhoods>>,
    /// Whether all failing traces were given from elsewhere.
    pub(crate) is_given: bool,
    /// Whether this is one violation of a model that is looked at as a whole afterwards.
    pub(crate) is_of_model: bool,
    pub(crate) request: &'a Request,
    pub(crate) host: &'a dyn Host,
    /// When explaining began.
    pub(crate) started: f64,
}

impl<T> GraphCase<'_, T> {
    /// Work for one method.
    pub(crate) fn budget(&self) -> Budget<'_> {
        Budget::new(self.host, self.request, self.explored.live_edges())
    }
}

/// A model with all its violations.
pub(crate) struct ModelCase<'a, 'm, S> {
    pub(crate) model: &'a mut ModelSystem<'m, S>,
    pub(crate) explored: &'a Exploration,
    pub(crate) classes: &'a Classes,
    /// The classes of violations that are asked for, and the one that is explained.
    pub(crate) asked: &'a [usize],
    pub(crate) target: usize,
    /// The counterexample, and the fates for the violation that is explained.
    pub(crate) first: Option<Trace>,
    pub(crate) fates: Option<Fates>,
    /// How long the fates took to find.
    pub(crate) fate_seconds: f64,
    /// How long it took to explore the model.
    pub(crate) exploring: f64,
    pub(crate) request: &'a Request,
    pub(crate) host: &'a dyn Host,
}

/// A program that was searched call by call.
pub(crate) struct CallCase<'a, S> {
    pub(crate) found: &'a Summaries,
    pub(crate) story: &'a S,
    pub(crate) classes: &'a Classes,
    /// All that is wrong.
    pub(crate) list: &'a [FoundViolation],
    pub(crate) asked: &'a [usize],
    pub(crate) target: usize,
    /// The counterexample of the class that is explained.
    pub(crate) first: Option<&'a NestedTrace>,
    /// Whether everything was searched.
    pub(crate) is_complete: bool,
    pub(crate) request: &'a Request,
    pub(crate) host: &'a dyn Host,
}

/// A run that a solver found, and the formula that can be asked more.
pub(crate) struct FormulaCase<'a, 'p, 'w, S, R> {
    pub(crate) story: &'a S,
    pub(crate) trace: &'a Replayed,
    /// What is wrong at its end.
    pub(crate) wrong: Option<&'a Wrong>,
    pub(crate) steps: &'a [Step],
    pub(crate) answers: &'a mut SatAnswers<'a, 'p, 'w, R>,
    pub(crate) request: &'a Request,
    pub(crate) host: &'a dyn Host,
}

/// What is done with each method.
pub(crate) trait Visit {
    fn method<M: Method>(&mut self);
}

/// A list of methods: one before the rest.
pub(crate) trait Registry {
    fn each(visit: &mut impl Visit);
}

impl Registry for () {
    fn each(_: &mut impl Visit) {}
}

impl<M: Method, R: Registry> Registry for (M, R) {
    fn each(visit: &mut impl Visit) {
        visit.method::<M>();
        R::each(visit);
    }
}

/// Puts what a method answers into an explanation.
fn put<M: Method>(explanation: &mut Explanation, answered: Answered<M::Result>) {
    *M::slot(&mut explanation.methods) = Some(match answered {
        Err(why) => Outcome::none(why),
        Ok(Answer { result, findings }) => {
            explanation.findings.extend(findings);
            Outcome::Found(Box::new(result))
        }
    });
}

/// Says of every method that was asked for why it was not run.
pub(crate) fn skip_methods<L: Registry>(explanation: &mut Explanation, request: &Request, why: &Skip) {
    skip_each::<L>(explanation, request, |_| why.clone());
}

/// The same, with a reason for each method.
pub(crate) fn skip_each<L: Registry>(
    explanation: &mut Explanation,
    request: &Request,
    why: impl Fn(Name) -> Skip,
) {
    struct Skipping<'a, F> {
        explanation: &'a mut Explanation,
        request: &'a Request,
        why: F,
    }
    impl<F: Fn(Name) -> Skip> Visit for Skipping<'_, F> {
        fn method<M: Method>(&mut self) {
            let why = if self.request.runs(M::NAME) { (self.why)(M::NAME) } else { Skip::NotAsked };
            put::<M>(self.explanation, Err(why));
        }
    }
    L::each(&mut Skipping { explanation, request, why });
}

/// Runs the methods on a graph.
pub(crate) fn on_graph<L: Registry, T: Transitions + Naming>(
    explanation: &mut Explanation,
    case: &GraphCase<'_, T>,
) {
    struct Running<'a, 'c, T> {
        explanation: &'a mut Explanation,
        case: &'a GraphCase<'c, T>,
    }
    impl<T: Transitions + Naming> Visit for Running<'_, '_, T> {
        fn method<M: Method>(&mut self) {
            let is_asked = self.case.request.runs(M::NAME);
            self.case.host.stage(Stage::Method(M::NAME));
            let answered = if is_asked { M::on_graph(self.case) } else { Err(Skip::NotAsked) };
            put::<M>(self.explanation, answered);
        }
    }
    let host = case.host;
    L::each(&mut Running { explanation, case });
    host.stage(Stage::Whole);
}

/// Runs the methods that look at all violations of a model.
pub(crate) fn on_model<L: Registry, S: Story>(
    explanation: &mut Explanation,
    case: &mut ModelCase<'_, '_, S>,
) {
    struct Running<'a, 'c, 'm, S> {
        explanation: &'a mut Explanation,
        case: &'a mut ModelCase<'c, 'm, S>,
    }
    impl<S: Story> Visit for Running<'_, '_, '_, S> {
        fn method<M: Method>(&mut self) {
            if !self.case.request.runs(M::NAME) {
                return;
            }
            self.case.host.stage(Stage::Method(M::NAME));
            if let Some(answered) = M::on_model(self.case) {
                put::<M>(self.explanation, answered);
            }
        }
    }
    let host = case.host;
    L::each(&mut Running { explanation, case });
    host.stage(Stage::Whole);
}

/// Runs the methods on a program that was searched call by call.
pub(crate) fn on_calls<L: Registry, S: Story>(explanation: &mut Explanation, case: &CallCase<'_, S>) {
    struct Running<'a, 'c, S> {
        explanation: &'a mut Explanation,
        case: &'a CallCase<'c, S>,
    }
    impl<S: Story> Visit for Running<'_, '_, S> {
        fn method<M: Method>(&mut self) {
            let is_asked = self.case.request.runs(M::NAME);
            self.case.host.stage(Stage::Method(M::NAME));
            let answered = if is_asked { M::on_calls(self.case) } else { Err(Skip::NotAsked) };
            put::<M>(self.explanation, answered);
        }
    }
    let host = case.host;
    L::each(&mut Running { explanation, case });
    host.stage(Stage::Whole);
}

/// Runs the methods on a program as a formula.
pub(crate) fn on_formula<L: Registry, S: Story, R: Runnable>(
    explanation: &mut Explanation,
    case: &mut FormulaCase<'_, '_, '_, S, R>,
) {
    struct Running<'a, 'c, 'p, 'w, S, R> {
        explanation: &'a mut Explanation,
        case: &'a mut FormulaCase<'c, 'p, 'w, S, R>,
    }
    impl<S: Story, R: Runnable> Visit for Running<'_, '_, '_, '_, S, R> {
        fn method<M: Method>(&mut self) {
            let is_asked = self.case.request.runs(M::NAME);
            self.case.host.stage(Stage::Method(M::NAME));
            let answered = if is_asked { M::on_formula(self.case) } else { Err(Skip::NotAsked) };
            put::<M>(self.explanation, answered);
        }
    }
    let host = case.host;
    L::each(&mut Running { explanation, case });
    host.stage(Stage::Whole);
}
