//! Variations of the counterexample, told: what separates those that fail from those that pass.

mod keys;
mod located;
mod nearest;
mod points;
mod solved;

use encode::solver::Stop;
use explain::recheck::Recheck;
use explain::variations::{
    self, Class, Exact, Generated, Order, Plan, Row, Side, Table, Transformed, exact, generate,
    transformations, walk_again,
};
use findings::{
    Choice, Choices, Claim, Compared, Exactness, Finding, How, Location, Method as Name, Methods, Outcome,
    Skip, Step, VariationKind, Walk,
};
use graph::{Exploration, Fates, Interrupt, Story, TooManyEdges, Trace, Transitions, Watch};

use crate::as_findings;
use crate::causes::result_of;
use crate::method::{Answer, Answered, FormulaCase, GraphCase, Method};
use crate::naming::Naming;
use crate::request::{Projection, Request, VariationRequest};
use crate::sat_answers::Runnable;
use crate::skips::unsolved;
use keys::{Keys, Steps};
use located::Located;
use points::Points;
use solved::of_runs;

/// Why there are no variations.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Why {
    NoStep,
    NotUnwound,
    Interrupted(Interrupt),
    Stopped(Stop),
    TooManyEdges,
}

impl Why {
    fn skip(self) -> Skip {
        match self {
            Self::NoStep => Skip::NoOtherStep,
            Self::NotUnwound => Skip::LeavesUnwound,
            Self::Interrupted(interrupt) => Skip::Interrupted(interrupt),
            Self::Stopped(stop) => unsolved(stop),
            Self::TooManyEdges => Skip::TooManyTransitions,
        }
    }
}

impl From<Interrupt> for Why {
    fn from(interrupt: Interrupt) -> Self {
        Self::Interrupted(interrupt)
    }
}

impl From<Stop> for Why {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl From<TooManyEdges> for Why {
    fn from(_: TooManyEdges) -> Self {
        Self::TooManyEdges
    }
}

pub(crate) struct FoundVariations {
    pub(crate) told: findings::Variations,
    pub(crate) findings: Vec<Finding>,
    /// Whether any of the variations that do not fail like the counterexample can pass at all: some may go on to another
    /// violation, and then nothing is claimed of passing ones.
    pub(crate) any_passes: bool,
}

/// What failing variations of the counterexample have in common that passing ones do not have.
pub(crate) struct Variations;

impl Method for Variations {
    type Result = findings::Variations;
    const NAME: Name = Name::Variations;

    fn slot(methods: &mut Methods) -> &mut Option<Outcome<Self::Result>> {
        &mut methods.variations
    }

    fn on_graph<T: Transitions + Naming>(case: &GraphCase<'_, T>) -> Answered<Self::Result> {
        if case.is_given {
            return Err(Skip::GivenLts(Self::NAME));
        }
        let started = case.host.seconds();
        let GraphCase { system, explored, fates, counterexample, request, .. } = case;
        let found = variations(*system, explored, fates, &counterexample.trace, request, &case.budget());
        answered(found, case.steps, case.host.seconds() - started)
    }

    fn on_formula<S: Story, R: Runnable>(case: &mut FormulaCase<'_, '_, '_, S, R>) -> Answered<Self::Result> {
        let started = case.host.seconds();
        let found = of_runs(case.story, case.trace, case.answers, case.request, case.host);
        answered(found, case.steps, case.host.seconds() - started)
    }
}

/// What was found, or why nothing was, with what is claimed of the steps of the counterexample.
fn answered(
    found: Result<FoundVariations, Why>,
    steps: &[Step],
    seconds: f64,
) -> Answered<findings::Variations> {
    match found {
        Err(why) => Err(why.skip()),
        Ok(FoundVariations { told, mut findings, any_passes }) => {
            if any_passes {
                findings.extend(only_failing(&told, steps));
            }
            Ok(Answer { result: findings::Variations { seconds, ..told }, findings })
        }
    }
}

/// So many variations of a kind are looked at.
const MOST_TRACES: usize = 20_000;
/// How many traces of a kind, and how many transformations, a report lists.
const MOST_LISTED: usize = 50;
/// How many negatives are kept.
const MOST_KEPT: usize = 1_000;

fn variations<T: Transitions + Naming>(
    system: &T,
    explored: &Exploration,
    fates: &Fates,
    counterexample: &Trace,
    request: &Request,
    watch: &dyn Watch,
) -> Result<FoundVariations, Why> {
    if !system.has_processes()
        && let Some(located) = Located::new(system, explored)
    {
        let counterexample = located.trace(counterexample);
        return in_graph(&located, explored, fates, &counterexample, request, watch);
    }
    in_graph(system, explored, fates, counterexample, request, watch)
}

fn in_graph<T: Transitions + Naming>(
    system: &T,
    explored: &Exploration,
    fates: &Fates,
    counterexample: &Trace,
    request: &Request,
    watch: &dyn Watch,
) -> Result<FoundVariations, Why> {
    let wanted = &request.variations;
    let keyed = Keyed::new(system, explored, wanted.project);
    let whole = &keyed.whole.of_label;
    let plan = Plan {
        counterexample,
        keys: whole,
        depth: wanted.depth,
        order: wanted.order,
        max_traces: MOST_TRACES,
    };
    let last = counterexample.steps.last().ok_or(Why::NoStep)?;
    let generated = generate(system, &plan, watch)?;
    let compared = exact::Compared {
        keys: whole,
        failing: whole[last.label as usize],
        shown: &keyed.shown.of_label,
        shown_count: keyed.shown.elements.len(),
    };
    let exact =
        explored.is_complete().then(|| variations::exact(system, explored, &compared, watch)).transpose()?;
    let passes = |state: u32| fates.may_pass(state);
    let mut found = told(&keyed, generated, exact.as_ref(), counterexample, &passes, request, watch)?;
    found.told.nearest_passing = nearest::nearest(system, fates, counterexample);
    Ok(found)
}

/// A system whose steps have keys.
struct Keyed<'a, T> {
    system: &'a T,
    explored: &'a Exploration,
    /// All that tells steps apart except the data.
    whole: Keys,
    /// What of it is asked for.
    shown: Keys,
}

impl<'a, T: Transitions + Naming> Keyed<'a, T> {
    fn new(system: &'a T, explored: &'a Exploration, project: Projection) -> Self {
        let steps = Steps::new(system, explored);
        let (whole, shown) = (Keys::whole(system, &steps), Keys::new(system, &steps, project));
        Self { system, explored, whole, shown }
    }
}

/// What there is to tell of variations, however they were found.
fn told<T: Transitions + Naming>(
    keyed: &Keyed<'_, T>,
    generated: Generated,
    exact: Option<&Exact>,
    counterexample: &Trace,
    passes: &dyn Fn(u32) -> bool,
    request: &Request,
    watch: &dyn Watch,
) -> Result<FoundVariations, Why> {
    let wanted = &request.variations;
    let Keyed { system, explored, whole, shown } = keyed;
    let last = counterexample.steps.last().ok_or(Why::NoStep)?;
    let shown_count = shown.elements.len();
    let transformed =
        transformations(*system, &generated, &whole.of_label, &shown.of_label, shown_count, watch)?;
    let error_traces = ErrorTraces { system: *system, shown, generated: &generated, passes };
    let table = error_traces.table();
    let points = Points {
        system: *system,
        explored,
        keys: whole,
        failing: whole.of_label[last.label as usize],
        generated: &generated,
        exact,
        counterexample,
    };
    let points = points.look(&wanted.points, watch)?;
    let told = error_traces.tell(wanted, &table, exact, &transformed);
    let negatives = generated.negatives.iter().take(if wanted.keep_negatives { MOST_KEPT } else { 0 });
    let told = findings::Variations {
        invariants: points.points,
        daikon: points.daikon,
        negative_traces: negatives
            .map(|node| as_findings::bare_counterexample(*system, request, &error_traces.trace(*node)))
            .collect(),
        ..told
    };
    let any_passes = generated.positives.iter().any(|node| error_traces.can_pass(*node));
    let findings = if any_passes { error_traces.causes(&table, &transformed) } else { Vec::new() };
    Ok(FoundVariations { told, findings, any_passes })
}

struct ErrorTraces<'a, T> {
    system: &'a T,
    shown: &'a Keys,
    generated: &'a Generated,
    /// Whether a trace from a state can pass.
    passes: &'a dyn Fn(u32) -> bool,
}

impl<T: Transitions + Naming> ErrorTraces<'_, T> {
    /// The sets of the variations that were found.
    fn table(&self) -> Table {
        let tree = &self.generated.tree;
        let mut path = Vec::new();
        let mut side = |nodes: &[u32]| {
            let traces = nodes.iter().map(|node| {
                tree.path(*node, &mut path);
                let labels = path.iter().map(|node| tree.step(*node).label);
                labels.map(|label| self.shown.of_label[label as usize]).collect::<Vec<u32>>().into_iter()
            });
            Side::of_traces(self.shown.elements.len(), traces)
        };
        Table { negative: side(&self.generated.negatives), positive: side(&self.generated.positives) }
    }

    fn tell(
        &self,
        wanted: &VariationRequest,
        table: &Table,
        exact: Option<&Exact>,
        transformed: &Transformed,
    ) -> findings::Variations {
        let listed = |nodes: &[u32], kind| -> Vec<findings::VariationTrace> {
            let events =
                |trace: &Trace| trace.steps.iter().map(|step| self.system.label(step.label)).collect();
            let told = |node: &u32| {
                let trace = self.trace(*node);
                let length = trace.steps.len() as u64;
                findings::VariationTrace { kind, length, events: events(&trace) }
            };
            nodes.iter().take(MOST_LISTED).map(told).collect()
        };
        let mut traces = listed(&self.generated.negatives, VariationKind::Negative);
        traces.extend(listed(&self.generated.positives, VariationKind::Positive));
        let event = |edge: &graph::Edge| as_findings::event(self.system, edge.label);
        let changes = transformed.list.iter().take(MOST_LISTED).map(|change| findings::Transformation {
            at: change.at as u64,
            positive: change.positive.iter().map(event).collect(),
            negative: change.negative.iter().map(event).collect(),
            rejoins: as_findings::event(self.system, change.rejoins),
            pairs: change.pairs,
            class: change.class.map(choices),
        });
        findings::Variations {
            seconds: 0.0,
            exactness: Exactness::Bounded,
            depth: Some(u64::from(wanted.depth)),
            solved: None,
            walk: match wanted.order {
                Order::BreadthFirst => Walk::Bfs,
                Order::DepthFirst => Walk::Dfs,
                Order::Heuristic => Walk::Heuristic,
            },
            negatives: self.generated.negatives.len() as u64,
            positives: self.generated.positives.len() as u64,
            limited: self.generated.is_limited,
            traces,
            transitions: self.sets(table),
            all: exact.map(|exact| findings::AllVariations {
                has_positives: exact.table.positive.is_some(),
                transitions: self.sets(&exact.table),
            }),
            nearest_passing: None,
            invariants: Vec::new(),
            negative_traces: Vec::new(),
            daikon: None,
            transformations: changes.collect(),
            transformation_count: transformed.list.len() as u64,
            pairs: transformed.pairs,
            transformed_transitions: self.sets(&transformed.table),
        }
    }

    fn sets(&self, table: &Table) -> findings::Sets {
        let row = |row| {
            let keys = table.row(row)?.into_iter();
            let mut elements: Vec<&findings::Element> =
                keys.map(|key| &self.shown.elements[key as usize]).collect();
            elements.sort_by_key(|element| {
                let place = element.location.as_ref().map(|at| (&at.file, at.line, at.column));
                (place.is_none(), place, &element.statement, &element.thread, &element.choice)
            });
            Some(elements.into_iter().cloned().collect())
        };
        findings::Sets {
            trans_neg: row(Row::TransNeg),
            trans_pos: row(Row::TransPos),
            all_neg: row(Row::AllNeg),
            all_pos: row(Row::AllPos),
            only_neg: row(Row::OnlyNeg),
            only_pos: row(Row::OnlyPos),
            cause_neg: row(Row::CauseNeg),
            cause_pos: row(Row::CausePos),
        }
    }

    fn trace(&self, node: u32) -> Trace {
        let tree = &self.generated.tree;
        let mut path = Vec::new();
        tree.path(node, &mut path);
        let steps = path.iter().map(|node| tree.step(*node)).collect();
        Trace { start: tree.state(variations::Tree::ROOT), steps }
    }

    /// Whether a variation that does not fail like the counterexample can pass.
    fn can_pass(&self, positive: u32) -> bool {
        (self.passes)(self.generated.tree.state(positive))
    }

    /// What all failing variations do and no passing one does, and the smallest change, each looked at again.
    fn causes(&self, table: &Table, transformed: &Transformed) -> Vec<Finding> {
        let traces = |nodes: &[u32]| -> Vec<Trace> { nodes.iter().map(|node| self.trace(*node)).collect() };
        let mut causes = Vec::new();
        if let Some(keys) = table.row(Row::CauseNeg)
            && let Some(first) = keys.first()
        {
            let kind = |label: u32| {
                let found = keys.binary_search(&self.shown.of_label[label as usize]);
                found.ok().map(|kind| kind as u32)
            };
            let claimed = variations::Claim::Separates(keys.len() as u32, &kind);
            let can_pass: Vec<u32> =
                self.generated.positives.iter().copied().filter(|node| self.can_pass(*node)).collect();
            let (failing, passing) = (traces(&self.generated.negatives), traces(&can_pass));
            let result = walk_again(self.system, &failing, &passing, claimed);
            let locations = keys.iter().filter_map(|key| self.shown.elements[*key as usize].location.clone());
            let claim = Claim::SeparatesVariations {
                step: choice(&self.shown.elements[*first as usize]),
                more: keys.len() as u64 - 1,
                failing: self.generated.negatives.len() as u64,
                passing: can_pass.len() as u64,
            };
            causes.push(walked(claim, locations.collect(), result));
        }
        if let Some(change) = transformed.list.iter().find(|change| self.can_pass(change.example.0)) {
            let names = |steps: &[graph::Edge]| -> Vec<String> {
                steps.iter().map(|step| self.system.label(step.label)).collect()
            };
            let (positive, negative) = change.example;
            let (failing, passing) = (self.trace(negative), self.trace(positive));
            let result = walk_again(self.system, &[failing], &[passing], variations::Claim::Ends);
            let events = change.negative.iter().map(|step| as_findings::event(self.system, step.label));
            let locations = events.filter_map(|event| event.location).collect();
            let claim = Claim::Replaced {
                choices: change.class.map(choices),
                after: change.at as u64,
                failing: names(&change.negative),
                passing: names(&change.positive),
            };
            causes.push(walked(claim, locations, result));
        }
        causes
    }
}

/// How many steps of a set become findings.
const MOST_OF_A_KIND: usize = 12;

/// What only failing traces do, near the counterexample and of all that come to its last step.
fn only_failing(found: &findings::Variations, steps: &[Step]) -> Vec<Finding> {
    let all = found.all.as_ref().filter(|all| all.has_positives).map(|all| &all.transitions);
    let last = steps.last().map_or_else(String::new, |step| step.event.clone());
    let sets = [(all, Compared::Reaching(last)), (Some(&found.transitions), Compared::Near)];
    let mut findings = Vec::new();
    for (sets, traces) in sets {
        let Some(elements) = sets.and_then(|sets| sets.only_neg.as_ref()) else { continue };
        for element in elements.iter().take(MOST_OF_A_KIND) {
            let taken = steps.iter().filter(|step| step.event == element.statement).map(|step| step.n);
            let traces = traces.clone();
            let claim = Claim::OnlyFailing { step: choice(element), traces, among: elements.len() };
            findings.push(Finding::new(claim, element.location.iter().cloned().collect(), taken.collect()));
        }
    }
    findings
}

/// A step as claims name it: what it was given is said only where the statement does not say it.
fn choice(element: &findings::Element) -> Choice {
    let given = element.choice.clone().filter(|choice| *choice != element.statement);
    Choice { statement: element.statement.clone(), given }
}

fn choices(class: Class) -> Choices {
    match class {
        Class::Schedule => Choices::Schedule,
        Class::Input => Choices::Input,
        Class::Both => Choices::Both,
    }
}

fn walked(claim: Claim, mut locations: Vec<Location>, result: Recheck) -> Finding {
    locations
        .dedup_by(|one, other| (&one.file, one.line, one.column) == (&other.file, other.line, other.column));
    Finding::new(claim, locations, Vec::new()).rechecked(How::VariationsWalked, result_of(result))
}
