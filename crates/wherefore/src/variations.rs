//! Variations of the counterexample, told: what separates those that fail from those that pass.

mod keys;
mod located;
mod nearest;
mod points;
mod solved;

use encode::solver::Stop;
use explain::recheck::Recheck;
use explain::variations::{
    self, Claim, Class, Exact, Generated, Order, Plan, Row, Side, Table, Transformed, exact::Compared,
    generate, transformations, walk_again,
};
use graph::{Exploration, Fates, Interrupt, TooManyEdges, Trace, Transitions, Watch};
use report::CauseKind;
use thiserror::Error;

use crate::analysis::{Request, skipped};
use crate::causes::told_recheck;
use crate::naming::Naming;
use crate::telling;
pub use keys::Projection;
use keys::{Keys, Steps};
use located::Located;
pub use points::PointRequest;
use points::Points;
pub(crate) use solved::of_runs;

/// In which order to look for variations.
pub type VariationOrder = Order;

/// How to look for variations.
#[derive(Clone, Debug)]
pub struct VariationRequest {
    /// How many steps a variation may deviate from the counterexample.
    pub depth: u32,
    pub order: VariationOrder,
    pub project: Projection,
    pub points: PointRequest,
    /// Whether the negatives themselves are wanted, to be replayed later.
    pub keep_negatives: bool,
}

/// Why there are no variations.
#[derive(Clone, Copy, Debug, Error)]
pub(crate) enum Why {
    #[error("the counterexample has no step that could be another")]
    NoStep,
    #[error("the run with the inputs of the counterexample leaves what was unwound")]
    NotUnwound,
    #[error(transparent)]
    Interrupted(#[from] Interrupt),
    #[error(transparent)]
    Stopped(#[from] Stop),
    #[error(transparent)]
    TooMany(#[from] TooManyEdges),
}

pub(crate) struct Found {
    pub(crate) told: report::Variations,
    pub(crate) causes: Vec<report::Cause>,
}

/// Puts what was found, or why nothing was, into a report.
pub(crate) fn put(report: &mut report::Report, found: Result<Found, Why>, seconds: f64) {
    report.methods.variations = match found {
        Err(why) => skipped(why.to_string()),
        Ok(Found { told, causes }) => {
            for cause in causes {
                let rank = report.causes.len() as u64 + 1;
                report.causes.push(report::Cause { rank, ..cause });
            }
            Some(report::Outcome::Found(Box::new(report::Variations { seconds, ..told })))
        }
    };
}

/// So many variations of a kind are looked at.
const MOST_TRACES: usize = 20_000;
/// How many traces of a kind, and how many transformations, a report lists.
const MOST_LISTED: usize = 50;
/// How many negatives are kept.
const MOST_KEPT: usize = 1_000;
/// How many steps of a transformation a cause names.
const MOST_NAMED: usize = 3;

pub(crate) fn variations<T: Transitions + Naming>(
    system: &T,
    explored: (&Exploration, &Fates),
    counterexample: &Trace,
    wanted: &VariationRequest,
    request: &Request,
    watch: &dyn Watch,
) -> Result<Found, Why> {
    if !system.has_processes()
        && let Some(located) = Located::new(system, explored.0)
    {
        let counterexample = located.trace(counterexample);
        return in_graph(&located, explored, &counterexample, wanted, request, watch);
    }
    in_graph(system, explored, counterexample, wanted, request, watch)
}

fn in_graph<T: Transitions + Naming>(
    system: &T,
    (explored, fates): (&Exploration, &Fates),
    counterexample: &Trace,
    wanted: &VariationRequest,
    request: &Request,
    watch: &dyn Watch,
) -> Result<Found, Why> {
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
    let compared = Compared {
        keys: whole,
        failing: whole[last.label as usize],
        shown: &keyed.shown.of_label,
        shown_count: keyed.shown.elements.len(),
    };
    let exact =
        explored.is_complete().then(|| variations::exact(system, explored, &compared, watch)).transpose()?;
    let mut found = told(&keyed, generated, exact.as_ref(), counterexample, (wanted, request), watch)?;
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
    (wanted, request): (&VariationRequest, &Request),
    watch: &dyn Watch,
) -> Result<Found, Why> {
    let Keyed { system, explored, whole, shown } = keyed;
    let last = counterexample.steps.last().ok_or(Why::NoStep)?;
    let sets = (&shown.of_label[..], shown.elements.len());
    let transformed = transformations(*system, &generated, &whole.of_label, sets, watch)?;
    let teller = Teller { system: *system, shown, generated: &generated };
    let table = teller.table();
    let points = Points {
        system: *system,
        explored,
        keys: whole,
        failing: whole.of_label[last.label as usize],
        generated: &generated,
        exact,
        counterexample,
    };
    let points = points.look(&wanted.points);
    let told = teller.tell(wanted, &table, exact, &transformed);
    let negatives = generated.negatives.iter().take(if wanted.keep_negatives { MOST_KEPT } else { 0 });
    let told = report::Variations {
        invariants: points.points,
        daikon: points.daikon,
        negative_traces: negatives
            .map(|node| telling::bare_counterexample(*system, request, &teller.trace(*node)))
            .collect(),
        ..told
    };
    let causes = teller.causes(&table, &transformed);
    Ok(Found { told, causes })
}

struct Teller<'a, T> {
    system: &'a T,
    shown: &'a Keys,
    generated: &'a Generated,
}

impl<T: Transitions + Naming> Teller<'_, T> {
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
    ) -> report::Variations {
        let listed = |nodes: &[u32], kind| -> Vec<report::VariationTrace> {
            let events =
                |trace: &Trace| trace.steps.iter().map(|step| self.system.label(step.label)).collect();
            let told = |node: &u32| {
                let trace = self.trace(*node);
                let length = trace.steps.len() as u64;
                report::VariationTrace { kind, length, events: events(&trace) }
            };
            nodes.iter().take(MOST_LISTED).map(told).collect()
        };
        let mut traces = listed(&self.generated.negatives, "negative");
        traces.extend(listed(&self.generated.positives, "positive"));
        let event = |edge: &graph::Edge| telling::event(self.system, edge.label);
        let changes = transformed.list.iter().take(MOST_LISTED).map(|change| report::Transformation {
            at: change.at as u64,
            positive: change.positive.iter().map(event).collect(),
            negative: change.negative.iter().map(event).collect(),
            rejoins: telling::event(self.system, change.rejoins),
            pairs: change.pairs,
            class: change.class.map(class_name),
        });
        report::Variations {
            seconds: 0.0,
            exactness: "bounded",
            depth: Some(u64::from(wanted.depth)),
            solved: None,
            walk: match wanted.order {
                Order::BreadthFirst => "bfs",
                Order::DepthFirst => "dfs",
                Order::Heuristic => "heuristic",
            },
            negatives: self.generated.negatives.len() as u64,
            positives: self.generated.positives.len() as u64,
            limited: self.generated.is_limited,
            traces,
            transitions: self.sets(table),
            all: exact.map(|exact| report::AllVariations {
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

    fn sets(&self, table: &Table) -> report::Sets {
        let row = |row| {
            let keys = table.row(row)?.into_iter();
            let mut elements: Vec<&report::Element> =
                keys.map(|key| &self.shown.elements[key as usize]).collect();
            elements.sort_by_key(|element| {
                let place = element.location.as_ref().map(|at| (&at.file, at.line, at.column));
                (place.is_none(), place, &element.statement, &element.thread, &element.choice)
            });
            Some(elements.into_iter().cloned().collect())
        };
        report::Sets {
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

    /// What all failing variations do and no passing one does, and the smallest change, each looked at again.
    fn causes(&self, table: &Table, transformed: &Transformed) -> Vec<report::Cause> {
        let negatives = self.generated.negatives.len() as u64;
        let positives = self.generated.positives.len() as u64;
        let traces = |nodes: &[u32]| -> Vec<Trace> { nodes.iter().map(|node| self.trace(*node)).collect() };
        let mut causes = Vec::new();
        if let Some(keys) = table.row(Row::CauseNeg)
            && let Some(first) = keys.first()
        {
            let element = &self.shown.elements[*first as usize];
            let choice = report::wording::given(element);
            let more = match keys.len() {
                1 => String::new(),
                count => format!(" and {} more", report::wording::count(count as u64 - 1, "step")),
            };
            let summary = format!(
                "every failing variation takes `{}{choice}`{more}, no passing one does",
                element.statement
            );
            let claim = format!(
                "{summary}: {} and {} near the counterexample were compared",
                report::wording::count(negatives, "failing trace"),
                report::wording::count(positives, "passing one")
            );
            let kind = |label: u32| {
                let found = keys.binary_search(&self.shown.of_label[label as usize]);
                found.ok().map(|kind| kind as u32)
            };
            let claimed = Claim::Separates(keys.len() as u32, &kind);
            let (failing, passing) = (traces(&self.generated.negatives), traces(&self.generated.positives));
            let result = walk_again(self.system, &failing, &passing, claimed);
            let locations = keys.iter().filter_map(|key| self.shown.elements[*key as usize].location.clone());
            causes.push(cause(CauseKind::SeparatesVariations, summary, claim, locations.collect(), result));
        }
        if let Some(change) = transformed.list.first() {
            let what = match change.class {
                Some(Class::Schedule) => "another schedule alone",
                Some(Class::Input) => "another choice alone",
                Some(Class::Both) => "another choice and another schedule",
                None => "a change",
            };
            let text = |steps: &[graph::Edge]| {
                let shown = steps.iter().take(MOST_NAMED);
                let mut names: Vec<String> =
                    shown.map(|step| format!("`{}`", self.system.label(step.label))).collect();
                if steps.len() > MOST_NAMED {
                    let more = report::wording::count((steps.len() - MOST_NAMED) as u64, "step");
                    names.push(format!("{more} more"));
                }
                if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
            };
            let summary = format!("{what} makes a passing trace fail, after step {}", change.at);
            let claim =
                format!("{summary}: {} in place of {}", text(&change.negative), text(&change.positive));
            let (positive, negative) = change.example;
            let (failing, passing) = (self.trace(negative), self.trace(positive));
            let result = walk_again(self.system, &[failing], &[passing], Claim::Ends);
            let events = change.negative.iter().map(|step| telling::event(self.system, step.label));
            let locations = events.filter_map(|event| event.location).collect();
            causes.push(cause(CauseKind::Replaced, summary, claim, locations, result));
        }
        causes
    }
}

fn class_name(class: Class) -> &'static str {
    match class {
        Class::Schedule => "schedule",
        Class::Input => "input",
        Class::Both => "both",
    }
}

fn cause(
    kind: CauseKind,
    summary: String,
    claim: String,
    mut locations: Vec<report::Location>,
    result: Recheck,
) -> report::Cause {
    locations
        .dedup_by(|one, other| (&one.file, one.line, one.column) == (&other.file, other.line, other.column));
    report::Cause {
        rank: 0,
        score: 1.0,
        kind,
        summary,
        claim,
        locations,
        steps: Vec::new(),
        methods: vec!["variations"],
        group: 1,
        recheck: report::Recheck {
            how: "the variations were walked again step by step".to_owned(),
            result: told_recheck(result),
        },
        repair: None,
        evidence: Vec::new(),
    }
}
