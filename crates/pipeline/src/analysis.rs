//! Check, then explain: the stages in their order, each allowed to run into a limit.
//!
//! Whatever a stage found before a limit stopped it is told; what it could not find is said to be
//! missing. So a report always comes out, and never claims more than was computed.

use explain::Matched;
use findings::{Explanation, Skip, Verdict, ViolationKind, Why};
use graph::{Exploration, Interrupt, Product, Story, System, TooManyEdges, Trace, Transitions, Watch};
use search::{Explored, Limits};

use crate::as_findings::{self, Judged};
use crate::budget::Budget;
use crate::method::{ModelCase, Registry, on_model, skip_methods};
use crate::model_system::{Classes, ModelSystem};
use crate::named_patterns;
use crate::naming::Naming;
use crate::others::other_failures;
use crate::registry::Standard;
use crate::request::{Asked, Host, ModelError, Request};
use crate::stages::{explain, unexplained};

/// Searches a system for [`analyse_model`], with all its steps; what was found may be partial.
///
/// # Errors
/// If there are more steps than can be numbered.
pub fn explore(system: &impl System, max_states: u64, watch: &dyn Watch) -> Result<Explored, TooManyEdges> {
    search::explore(system, Limits { max_states, ..Limits::default() }, watch)
}

/// Checks a system that is there as a graph, and explains what is found.
pub fn analyse<T: Transitions + Naming>(system: &T, request: Request, host: &dyn Host) -> Explanation {
    analyse_with::<Standard, T>(system, None, request, host)
}

/// Analyses a counterexample LTS from elsewhere: `product` is that of the model with it as the property
/// and tells what can become of traces; `matched` has its neighbourhoods.
pub fn analyse_matched(
    product: &Product<'_>,
    matched: &Matched<'_>,
    request: Request,
    host: &dyn Host,
) -> Explanation {
    analyse_with::<Standard, _>(product, Some(matched), request, host)
}

/// What is wrong with a model that was searched, without explaining it.
pub fn judge(found: &Explored, story: &impl Story, asked: &Asked) -> Judged {
    let classes = Classes::new(found, story);
    as_findings::judged(found.interrupt, &classes, &classes.asked(asked))
}

/// Reports on a model that was searched.
pub fn analyse_model(
    system: &impl System,
    found: Explored,
    story: &impl Story,
    mut request: Request,
    host: &dyn Host,
) -> Result<Explanation, ModelError> {
    let searched = host.seconds();
    let classes = Classes::new(&found, story);
    let asked = classes.asked(&request.asked);
    let mut explanation = as_findings::blank(&request);
    as_findings::search(&mut explanation, &found, &classes, &asked);
    explanation.statistics.search_seconds = Some(searched);
    if request.unreached && found.interrupt.is_none() {
        explanation.unreached =
            Some(story.unreached(&found.events).into_iter().map(as_findings::deed).collect());
    }
    let Some(mut target) = request.target(&asked)? else {
        skip_methods::<Standard>(&mut explanation, &request, &Skip::NothingToExplain);
        as_findings::cost(&mut explanation, host);
        return Ok(explanation);
    };
    as_findings::explained(&mut explanation, &asked, &classes, target);
    // A failed assertion that nobody asked about is a step like any other; a fault leaves nothing to go
    // on with, and where a model must not stop, no trace passes.
    let matters =
        |class: usize| asked.contains(&class) || classes.list[class].wrong.kind != ViolationKind::Assertion;
    let mut model = ModelSystem::new(system, found, story, &classes, matters);
    match &request.events {
        None => model.aim(target),
        Some(events) => {
            let trace = model.follow(events).ok_or(ModelError::TrailNotExplored)?;
            target = model.class(trace.last()).unwrap_or(target);
            as_findings::explained(&mut explanation, &asked, &classes, target);
            model.aim(target);
            request.trace = Some(trace);
        }
    }
    let aimed = Aimed { model, classes: &classes, asked: &asked, target };
    explain_aimed(aimed, request, &mut explanation, host);
    as_findings::cost(&mut explanation, host);
    Ok(explanation)
}

/// A model with the class of violations that is to be explained.
pub(crate) struct Aimed<'a, S> {
    pub(crate) model: ModelSystem<'a, S>,
    pub(crate) classes: &'a Classes,
    /// The classes that are asked for.
    pub(crate) asked: &'a [usize],
    pub(crate) target: usize,
}

/// Explains the violations that a model is aimed at, with all methods, and the others that are asked for. Gives back the
/// model and the counterexample, if it was explained.
pub(crate) fn explain_aimed<'a, S: Story>(
    aimed: Aimed<'a, S>,
    mut request: Request,
    explanation: &mut Explanation,
    host: &dyn Host,
) -> (ModelSystem<'a, S>, Option<Trace>) {
    let Aimed { mut model, classes, asked, target } = aimed;
    let exploring = host.seconds();
    let mut explored = Exploration::new(&model, u64::MAX, host);
    let exploring = host.seconds() - exploring;
    if explored.violating().is_empty() && explored.is_complete() {
        request.past_others = true;
        model.go_past_all_but(target);
        explored = Exploration::new(&model, u64::MAX, host);
    }
    let edges = model.graph().edge_count() as u64;
    let mut counterexample = None;
    if request.explains() {
        let known = explain::<Standard, _>(&model, None, true, &mut explored, &request, explanation, host);
        let fate_seconds = known.as_ref().map_or(0.0, |(_, known)| known.seconds);
        if let (Some((trace, _)), Some(told)) = (&known, &explanation.counterexample) {
            let within = Budget::new(host, &request, edges);
            let found = named_patterns::in_model(&model, trace, &told.run, request.fairness, &within);
            explanation.findings.extend(found);
        }
        let (first, fates) = known.map(|(trace, known)| (trace, known.fates)).unzip();
        counterexample.clone_from(&first);
        let mut case = ModelCase {
            model: &mut model,
            explored: &explored,
            classes,
            asked,
            target,
            first,
            fates,
            fate_seconds,
            exploring,
            request: &request,
            host,
        };
        on_model::<Standard, _>(explanation, &mut case);
    } else {
        explanation.counterexample = unexplained(&model, &explored, &request);
        skip_methods::<Standard>(explanation, &request, &Skip::NotAsked);
    }
    if request.others && request.violation.is_none() && request.events.is_none() && !request.past_others {
        let within = Budget::new(host, &request, edges);
        explanation.others = other_failures(&mut model, asked, target, &request, explanation, &within);
    }
    (model, counterexample)
}

/// The same with these methods.
fn analyse_with<L: Registry, T: Transitions + Naming>(
    system: &T,
    matched: Option<&Matched<'_>>,
    request: Request,
    host: &dyn Host,
) -> Explanation {
    let mut explored = Exploration::new(system, request.max_states, host);
    let mut explanation = as_findings::blank(&request);
    as_findings::exploration(&mut explanation, &request, &explored);
    match (explanation.verdict, request.explains()) {
        (Verdict::Violated, true) => {
            explain::<L, T>(system, matched, false, &mut explored, &request, &mut explanation, host);
        }
        (Verdict::Violated, false) => {
            explanation.counterexample = unexplained(system, &explored, &request);
            skip_methods::<L>(&mut explanation, &request, &Skip::NotAsked);
        }
        _ => skip_methods::<L>(&mut explanation, &request, &Skip::NothingToExplain),
    }
    as_findings::cost(&mut explanation, host);
    explanation
}

/// The report on an input that was not even read to its end.
pub fn unread(request: &Request, interrupt: Interrupt, host: &dyn Host) -> Explanation {
    let mut explanation = as_findings::blank(request);
    explanation.reason = Why::NotRead(interrupt).into();
    as_findings::cost(&mut explanation, host);
    explanation
}

#[cfg(test)]
mod tests {
    use findings::{Method as Name, Methods, Outcome};
    use graph::{GraphBuilder, Progress};
    use serde_json::{Value, json};

    use super::*;
    use crate::method::{Answer, Answered, GraphCase, Method};

    /// A method that counts the steps of the counterexample. Its name stands for one that no other method has.
    struct Sixth;

    impl Method for Sixth {
        type Result = Value;
        const NAME: Name = Name::Repair;

        fn slot(methods: &mut Methods) -> &mut Option<Outcome<Value>> {
            methods.more.entry(Self::NAME).or_default()
        }

        fn on_graph<T: Transitions + Naming>(case: &GraphCase<'_, T>) -> Answered<Value> {
            Ok(Answer {
                result: json!({ "steps": case.counterexample.trace.steps.len() }),
                findings: Vec::new(),
            })
        }
    }

    struct NoClock;

    impl Watch for NoClock {
        fn pulse(&self, _: Progress) -> Result<(), Interrupt> {
            Ok(())
        }
    }

    impl Host for NoClock {
        fn seconds(&self) -> f64 {
            0.0
        }

        fn peak_bytes(&self) -> Option<u64> {
            None
        }
    }

    /// The explanation of a way into a deadlock, with these methods.
    fn explained(methods: Vec<Name>) -> Explanation {
        let mut builder = GraphBuilder::new();
        for (from, label, to) in [(0, "stay", 0), (0, "go", 1), (1, "on", 2)] {
            let label = builder.labels.intern(label);
            builder.edge(from, label, to);
        }
        let graph = builder.finish(3, vec![0]).expect("a small graph");
        let property = property::deadlock(&graph.labels, None);
        let product = Product::new(&graph, &property.classes, &property.dfa, property.violated_when);
        let input = findings::Input {
            path: "g".to_owned(),
            kind: "aut".to_owned(),
            size: None,
            options: findings::Options::default(),
        };
        let property =
            findings::Property { kind: ViolationKind::Deadlock, text: "deadlock".to_owned(), spelling: None };
        let request = Request { methods, has_processes: false, ..Request::check(input, property) };
        analyse_with::<(Sixth, Standard), _>(&product.expect("a small product"), None, request, &NoClock)
    }

    #[test]
    fn a_sixth_method_takes_its_file_its_name_and_a_line_in_the_list() {
        let all = explained(vec![Name::Neighbourhoods, Name::Repair]);
        let found = all.methods.more[&Name::Repair].as_ref().and_then(Outcome::found);
        assert_eq!(found, Some(&json!({ "steps": 2 })));
        assert!(all.methods.neighbourhoods.is_some_and(|outcome| outcome.found().is_some()));
        let without = explained(vec![Name::Neighbourhoods]);
        let skipped = &without.methods.more[&Name::Repair];
        assert!(skipped.as_ref().is_some_and(|outcome| outcome.skipped() == Some(&Skip::NotAsked.into())));
    }
}
