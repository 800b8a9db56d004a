//! The question: what is explained, how far to go, and with which methods.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use findings::{Method, Order, Passing, ViolationKind, What};
use graph::Product;

use super::bridge::Bridge;
use super::clock::Clock;
use super::sources::SourceOptions;
use super::{Error, Explanation, Lts, Property, System, Traces};
use pipeline::analysis::{analyse, analyse_model, explore};
use pipeline::request::{
    AnomalyRequest, Asked, DiagnosisRequest, Mode, Projection as VariationParts, Request, VariationOrder,
    VariationRequest,
};
use pipeline::{Trust, conclude};

/// What counts as passing for ever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fairness {
    /// Every process moves again and again, or again and again cannot.
    #[default]
    Weak,
    /// Whoever is passed over.
    None,
}

/// How to explain: limits and methods. The defaults are those of the command line, except that a search of a
/// [`System`] ends after [`Explainer::DEFAULT_STATES`] states, since nobody may be there to interrupt it.
///
/// A limit never makes an explanation fail: what was found before it is told, and what could not be found is said to
/// be missing ([`Explanation::is_complete`]).
///
/// ```
/// use std::time::Duration;
/// use wherefore::{Explainer, Method};
///
/// let explainer = Explainer::new()
///     .max_states(100_000)
///     .timeout(Duration::from_secs(10))
///     .methods([Method::Neighbourhoods, Method::Anomalies]);
/// # let _ = explainer;
/// ```
#[derive(Clone, Debug)]
pub struct Explainer {
    max_states: Option<u64>,
    timeout: Option<Duration>,
    cancel: Option<Arc<AtomicBool>>,
    violation: Option<String>,
    pub(super) methods: Vec<Method>,
    fairness: Option<Fairness>,
    trust: Vec<String>,
    anomalies: AnomalyRequest,
    pub(super) variations: VariationRequest,
    pub(super) threads: Option<NonZeroUsize>,
    /// Whether methods were asked for by name.
    pub(super) by_name: bool,
    pub(super) source: SourceOptions,
}

impl Default for Explainer {
    fn default() -> Self {
        Self::new()
    }
}

impl Explainer {
    /// How many states of a system are looked at where nothing else is asked for.
    pub const DEFAULT_STATES: u64 = 1_000_000;

    /// All methods, without a limit of time.
    pub fn new() -> Self {
        Self {
            max_states: None,
            timeout: None,
            cancel: None,
            violation: None,
            methods: Method::ALL.to_vec(),
            fairness: None,
            trust: Vec::new(),
            anomalies: AnomalyRequest::default(),
            variations: VariationRequest::default(),
            threads: None,
            by_name: false,
            source: SourceOptions::default(),
        }
    }

    /// Looks at so many states at most, give or take those of one step more.
    #[must_use]
    pub fn max_states(mut self, states: u64) -> Self {
        self.max_states = Some(states);
        self
    }

    /// Takes so long at most, give or take a moment: only the engine looks at the clock, not the code of the system.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Ends with what is known as soon as somebody sets this.
    #[must_use]
    pub fn cancel(mut self, cancel: Arc<AtomicBool>) -> Self {
        self.cancel = Some(cancel);
        self
    }

    /// Explains this violation of a system, by its text, where there are several; otherwise the nearest one is
    /// explained. Nothing else counts as a violation then, so that without this one the system holds. For deadlocks the
    /// text is what [`FoundViolation::text`](crate::FoundViolation::text) says.
    ///
    /// ```
    /// # use wherefore::{Event, Steps, System, Violation};
    /// # struct Counter;
    /// # impl System for Counter {
    /// #     type State = u8;
    /// #     type Action = u8;
    /// #     fn initial_states(&self) -> Vec<u8> { vec![0] }
    /// #     fn steps(&self, state: &u8, steps: &mut Steps<u8, u8>) {
    /// #         for by in 1..3 { steps.push(by, state + by); }
    /// #     }
    /// #     fn event(&self, action: &u8) -> Event { Event::new(format!("add {action}")) }
    /// #     fn violation(&self, state: &u8) -> Option<Violation> {
    /// #         match state { 5 => Some(Violation::new("it is five")), 6.. => Some(Violation::new("it is too large")), _ => None }
    /// #     }
    /// # }
    /// use wherefore::Explainer;
    ///
    /// let all = Explainer::new().explain(&Counter)?;
    /// assert_eq!(all.violations().map(|one| one.text()).collect::<Vec<_>>(), ["it is five", "it is too large"]);
    /// assert_eq!(all.counterexample().unwrap().text(), Some("it is five"));
    /// let other = Explainer::new().violation("it is too large").explain(&Counter)?;
    /// assert_eq!(other.counterexample().unwrap().text(), Some("it is too large"));
    /// # Ok::<(), wherefore::Error>(())
    /// ```
    #[must_use]
    pub fn violation(mut self, text: impl Into<String>) -> Self {
        self.violation = Some(text.into());
        self
    }

    /// Runs these methods only. Without any, the answer is a verdict and a counterexample.
    #[must_use]
    pub fn methods(mut self, methods: impl IntoIterator<Item = Method>) -> Self {
        self.methods = methods.into_iter().collect();
        self.by_name = true;
        self
    }

    /// What counts as passing for ever, where there are processes: weak fairness unless this says otherwise. Of
    /// properties of endless traces it says which traces must meet them, and the default is all, as in SPIN.
    #[must_use]
    pub fn fairness(mut self, fairness: Fairness) -> Self {
        self.fairness = Some(fairness);
        self
    }

    /// Never blames processes, files or labels of these names; `*` stands for anything, `?` for one character.
    #[must_use]
    pub fn trust<T: Into<String>>(mut self, patterns: impl IntoIterator<Item = T>) -> Self {
        self.trust.extend(patterns.into_iter().map(Into::into));
        self
    }

    /// How many steps variations of the counterexample may deviate from it.
    #[must_use]
    pub fn variation_depth(mut self, depth: u32) -> Self {
        self.variations.depth = depth;
        self
    }

    /// How many events make an anomaly: 2 and, where there are none, 3, unless this says otherwise.
    #[must_use]
    pub fn anomaly_length(mut self, events: usize) -> Self {
        self.anomalies.length = Some(events.max(1));
        self
    }

    /// Which events follow each other in an anomaly.
    #[must_use]
    pub fn anomaly_order(mut self, order: Order) -> Self {
        self.anomalies.order = order;
        self
    }

    /// Scores anomalies by their distance from the last event before them whose name contains this.
    #[must_use]
    pub fn anomaly_start(mut self, event: impl Into<String>) -> Self {
        self.anomalies.start = Some(event.into());
        self
    }

    /// Compares the traces that a depth-first search meets, as the paper does, and not all.
    #[must_use]
    pub fn sample_anomalies(mut self) -> Self {
        self.anomalies.mode = Mode::Sampled;
        self
    }

    /// In which order variations of the counterexample are looked for.
    #[must_use]
    pub fn variation_order(mut self, order: VariationOrder) -> Self {
        self.variations.order = order;
        self
    }

    /// What of steps is compared in variations.
    #[must_use]
    pub fn variation_parts(mut self, parts: VariationParts) -> Self {
        self.variations.project = parts;
        self
    }

    /// Where values are looked at in variations: lines, or names of points.
    #[must_use]
    pub fn variation_points<T: Into<String>>(mut self, points: impl IntoIterator<Item = T>) -> Self {
        self.variations.points.points.extend(points.into_iter().map(Into::into));
        self
    }

    /// At which variables to look there; `*` stands for anything.
    #[must_use]
    pub fn variation_variables<T: Into<String>>(mut self, patterns: impl IntoIterator<Item = T>) -> Self {
        self.variations.points.vars.extend(patterns.into_iter().map(Into::into));
        self
    }

    /// Writes the values at the points for Daikon: [`Explanation::daikon_files`].
    #[must_use]
    pub fn daikon(mut self) -> Self {
        self.variations.points.daikon = true;
        self
    }

    /// Keeps every failing variation: [`Explanation::failing_variations`].
    #[must_use]
    pub fn keep_failing_variations(mut self) -> Self {
        self.variations.keep_negatives = true;
        self
    }

    /// How many threads read recorded traces: as many as there are processors, unless this says otherwise. The
    /// answer does not depend on it. Systems are searched by one thread, because explanations need every step.
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Searches a system and explains what is wrong with it: states and steps that it says are violations, and
    /// deadlocks.
    ///
    /// # Errors
    /// If the system has no initial state, or numbers its processes in a way that cannot be told.
    pub fn explain<S: System>(&self, system: &S) -> Result<Explanation, Error> {
        let clock = self.clock();
        let bridge = Bridge::new(system)?;
        let max_states = self.max_states.unwrap_or(Self::DEFAULT_STATES);
        let found = explore(&bridge, max_states, &clock).map_err(|error| Error::too_large(&error))?;
        if let Some(error) = bridge.error() {
            return Err(error);
        }
        let has_processes = graph::Story::has_processes(&bridge);
        let size = findings::GraphSize {
            states: found.counted_states,
            transitions: found.graph.edge_count() as u64,
            labels: found.events.len() as u64,
        };
        let input = findings::Input {
            path: system.name(),
            kind: "system".to_owned(),
            size: Some(size),
            options: findings::Options::default(),
        };
        let text = "nothing that the system calls a violation, and no deadlock".to_owned();
        let property = findings::Property { kind: ViolationKind::Safety, text, spelling: None };
        let request = Request { has_processes, ..self.request(input, property) };
        let asked = match &self.violation {
            None => Asked::All,
            Some(text) if *text == report::tell::what(&What::Deadlock) => {
                Asked::Kind(ViolationKind::Deadlock)
            }
            Some(text) => Asked::Exactly(text.clone()),
        };
        let request = Request { asked, ..request };
        let mut explanation = analyse_model(&bridge, found, &bridge, request, &clock)
            .map_err(|error| Error::Internal(error.to_string()))?;
        if !has_processes {
            explanation.passing = Passing::NoProcesses;
        }
        Ok(Explanation::told(&conclude(explanation, &clock)))
    }

    /// Explains why a transition system violates a property.
    ///
    /// # Errors
    /// If the property cannot be made an automaton over the labels of the system, or the product of both is too
    /// large.
    pub fn explain_lts(&self, lts: &Lts, property: &Property) -> Result<Explanation, Error> {
        let clock = self.clock();
        let compiled = property.compile(lts, self.allows_unknown())?;
        let graph = lts.graph();
        let product = Product::new(graph, &compiled.classes, &compiled.dfa, compiled.violated_when)
            .map_err(|error| Error::too_large(&error))?;
        let request = self.request(lts.told(), property.told());
        let explanation = property.evaluated(analyse(&product, request, &clock));
        Ok(Explanation::told(&conclude(explanation, &clock)))
    }

    /// Compares recorded traces that failed with such that passed.
    ///
    /// # Errors
    /// If there are no failing or no passing traces, or none of them has an event.
    pub fn contrast(&self, traces: &Traces) -> Result<Explanation, Error> {
        let clock = self.clock();
        let available = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        traces.compare(self.threads.unwrap_or_else(available), &clock)
    }

    pub(super) fn fairness_given(&self) -> Option<graph::Fairness> {
        self.fairness.map(|fairness| match fairness {
            Fairness::Weak => graph::Fairness::Weak,
            Fairness::None => graph::Fairness::None,
        })
    }

    pub(super) fn clock(&self) -> Clock {
        Clock::new(self.timeout, self.cancel.clone())
    }

    pub(super) fn request(&self, input: findings::Input, property: findings::Property) -> Request {
        Request {
            max_states: self.max_states.unwrap_or(u64::MAX),
            has_processes: false,
            fairness: self.fairness_given().unwrap_or(graph::Fairness::Weak),
            methods: self.methods.clone(),
            trust: Trust::new(self.trust.iter().map(String::as_str)),
            anomalies: self.anomalies.clone(),
            variations: self.variations.clone(),
            diagnosis: DiagnosisRequest::default(),
            most_listed: MOST_LISTED,
            others: true,
            picture: true,
            ..Request::check(input, property)
        }
    }
}

/// How many neighbourhoods a report lists.
const MOST_LISTED: usize = 1_000;
