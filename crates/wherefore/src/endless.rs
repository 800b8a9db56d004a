//! Properties of endless traces: check, then explain.
//!
//! The model was searched as for any other property. Its product with the automaton of all violations
//! is looked through for a trace that the automaton accepts.

use graph::{Fairness, Interrupt, Story, System};
use liveness::{Answer, Continuations, Counterexample, Ending, Product, Reading};
use property::buchi::Automaton;
use report::{Report, Verdict};
use search::Explored;

use crate::analysis::{Host, NOT_ASKED, Request, skipped};
use crate::model_system::{Classes, ModelSystem};
use crate::telling;

/// What must hold of endless traces.
#[derive(Debug)]
pub struct Obligation {
    /// What the report calls a violation: `ltl`, `acceptance` or `non-progress`.
    pub kind: &'static str,
    /// Accepts the traces that violate it.
    pub violations: Automaton,
    /// Accepts the traces that meet it, where such an automaton is known.
    pub fulfilments: Option<Automaton>,
    /// What both of them read.
    pub reading: Reading,
    /// The atoms of the formula, as its author wrote them.
    pub atoms: Vec<String>,
}

/// Reports on a model that was searched.
pub fn analyse_endless(
    system: &impl System,
    found: Explored,
    story: &impl Story,
    obligation: &Obligation,
    request: &Request,
    host: &dyn Host,
) -> Report {
    let classes = Classes::new(&found, story);
    let mut report = telling::blank(request);
    telling::search(&mut report, &found, &classes, &[]);
    report.passing_definition = passing_definition(request.fairness);
    report.methods.neighbourhoods =
        skipped(if request.neighbourhoods { "there is no counterexample to explain" } else { NOT_ASKED });
    let interrupt = found.interrupt;
    // A failed assertion is a step like any other; a fault leaves nothing to go on with.
    let matters = |class: usize| classes.list[class].wrong.kind == "fault";
    let model = ModelSystem::new(system, found, story, &classes, matters);
    match check(&model, obligation, request.fairness, host) {
        Ok(Checked::Violated(counterexample)) => {
            tell(&mut report, &model, obligation, request, &counterexample);
        }
        Ok(Checked::Holds) => {
            report.verdict = Verdict::Holds;
            "no endless trace violates it".clone_into(&mut report.reason);
        }
        Ok(Checked::Unknown) => {
            let limit = interrupt.map_or_else(|| "a limit".to_owned(), telling::ending);
            report.verdict = Verdict::Unknown;
            report.reason = format!("nothing was found before {limit}");
        }
        Err(why) => {
            report.verdict = Verdict::Unknown;
            report.reason = why;
        }
    }
    telling::cost(&mut report, host);
    report
}

enum Checked {
    Violated(Counterexample),
    Holds,
    Unknown,
}

fn check<T: graph::Transitions>(
    model: &T,
    obligation: &Obligation,
    fairness: Fairness,
    host: &dyn Host,
) -> Result<Checked, String> {
    let product = Product::new(model, &obligation.violations, &obligation.reading)
        .map_err(|error| error.to_string())?;
    let stopped = |interrupt: Interrupt| format!("nothing was found before {}", telling::ending(interrupt));
    let continuations = Continuations::new(&product, fairness, host).map_err(stopped)?;
    Ok(match continuations.answer(&product) {
        Answer::No => Checked::Holds,
        Answer::Unknown => Checked::Unknown,
        Answer::Yes => {
            let found = Counterexample::new(&product, &continuations, fairness);
            Checked::Violated(found.ok_or("the counterexample that must exist was not found")?)
        }
    })
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

fn tell<S: Story>(
    report: &mut Report,
    model: &ModelSystem<'_, S>,
    obligation: &Obligation,
    request: &Request,
    counterexample: &Counterexample,
) {
    let Counterexample { trace, ending } = counterexample;
    let length = trace.steps.len() as u64;
    let (text, loop_start) = match ending {
        Ending::Loop(start) => {
            let first = *start as u64 + 1;
            let steps = if first == length {
                format!("step {first} is repeated")
            } else {
                format!("steps {first} to {length} are repeated")
            };
            (format!("{steps} for ever"), Some(first))
        }
        Ending::Stops => ("nothing moves any more, and the property is not met".to_owned(), None),
        Ending::Decided => ("whatever comes now, the property is violated".to_owned(), None),
    };
    report.verdict = Verdict::Violated;
    report.reason = text.clone();
    report.statistics.violations = 1;
    report.violations = vec![report::Violation {
        id: 1,
        kind: obligation.kind.to_owned(),
        text: format!("{}: {text}", request.property.text),
        location: None,
        count: 1,
        shortest: length,
    }];
    report.counterexample = Some(report::Counterexample {
        kind: obligation.kind.to_owned(),
        text: Some(text),
        loop_start,
        ..telling::bare_counterexample(model, request, trace)
    });
}
