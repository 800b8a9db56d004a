//! The library as its users meet it.

#![allow(clippy::unwrap_used)]

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use testkit::random::{Random, for_random_inputs};
use wherefore::{
    Detail, Error, Event, Explainer, Explanation, Fairness, Fate, Location, Lts, LtsFormat, Method,
    MethodResult, Property, Recheck, Steps, System, Traces, Verdict, Violation, ViolationKind, Waiting,
};

use crate::support::{assert_honest, checked_json};

/// Two workers who each need two tools; the second takes them in the other order if `crossed`.
struct Workshop {
    crossed: bool,
}

/// Who holds each tool, and how many tools each worker has taken; 3 when done.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Bench {
    holder: [Option<usize>; 2],
    stage: [usize; 2],
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Act {
    Take(usize, usize),
    Return(usize),
}

impl Workshop {
    fn tool(&self, worker: usize, stage: usize) -> usize {
        if self.crossed && worker == 1 { 1 - stage } else { stage }
    }
}

impl System for Workshop {
    type State = Bench;
    type Action = Act;

    fn initial_states(&self) -> Vec<Bench> {
        vec![Bench { holder: [None; 2], stage: [0; 2] }]
    }

    fn steps(&self, state: &Bench, steps: &mut Steps<Bench, Act>) {
        for worker in 0..2 {
            let stage = state.stage[worker];
            let mut next = state.clone();
            next.stage[worker] += 1;
            if stage < 2 {
                let tool = self.tool(worker, stage);
                if state.holder[tool].is_none() {
                    next.holder[tool] = Some(worker);
                    steps.push(Act::Take(worker, tool), next);
                }
            } else if stage == 2 {
                next.holder = [None; 2];
                steps.push(Act::Return(worker), next);
            }
        }
    }

    fn event(&self, action: &Act) -> Event {
        match action {
            Act::Take(worker, tool) => Event::new(format!("take tool {tool}")).by("worker", *worker as u8),
            Act::Return(worker) => Event::new("return both").by("worker", *worker as u8),
        }
    }

    fn may_end(&self, state: &Bench) -> bool {
        state.stage == [3; 2]
    }

    fn variables(&self, state: &Bench) -> Vec<(String, String)> {
        wherefore::variables_of_debug(state)
    }

    fn waiting(&self, state: &Bench) -> Vec<Waiting> {
        let wanted = |worker: usize| self.tool(worker, state.stage[worker].min(1));
        (0..2).map(|one| Waiting::new("worker", one as u8, format!("tool {}", wanted(one)))).collect()
    }
}

fn honest(explanation: &Explanation) -> serde_json::Value {
    let json = checked_json(&explanation.to_json());
    assert_honest(&json);
    json
}

#[test]
fn a_deadlock_is_explained_with_who_waits_for_what() {
    let explanation = Explainer::new().explain(&Workshop { crossed: true }).unwrap();
    let json = honest(&explanation);
    assert_eq!(
        (json["input"]["path"].as_str(), json["input"]["kind"].as_str()),
        (Some("Workshop"), Some("system"))
    );
    assert_eq!(explanation.verdict(), Verdict::Violated);
    let trace = explanation.counterexample().unwrap();
    assert_eq!(trace.kind(), ViolationKind::Deadlock);
    assert_eq!(trace.waiting().collect::<Vec<_>>(), [("worker", "tool 1"), ("worker", "tool 0")]);
    let steps: Vec<_> =
        trace.steps().map(|step| (step.process().unwrap().1, step.action(), step.fate())).collect();
    assert_eq!(steps, [(0, "take tool 0", Fate::Free), (1, "take tool 1", Fate::Doomed)]);
    let last = trace.steps().last().unwrap();
    assert!(last.is_point_of_no_return());
    assert_eq!(last.escapes(), ["worker:0 take tool 1"]);
    let holder = ("holder", Some("[Some(0), None]"), Some("[Some(0), Some(1)]"));
    assert!(last.changes().any(|change| change == holder));
    let cause = explanation.causes().next().unwrap();
    assert_eq!((cause.rank(), cause.recheck().0), (1, Recheck::Confirmed));
    assert!(cause.steps().contains(&2));
    assert_eq!(explanation.violations().len(), 1);
}

/// Explanations are made in one thread and looked at in others.
#[test]
fn everything_can_be_sent_and_shared() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Explainer>();
    is_shared::<Explanation>();
    is_shared::<wherefore::Cause<'_>>();
    is_shared::<wherefore::Counterexample<'_>>();
    is_shared::<wherefore::Error>();
    is_shared::<wherefore::Lts>();
    is_shared::<wherefore::Property>();
    is_shared::<wherefore::Traces>();
    is_shared::<Event>();
}

#[test]
fn places_can_be_read_again() {
    let place = wherefore::Location::new("a.rs", 7).column(3).text("x += 1;");
    assert_eq!(
        (place.file(), place.line(), place.column_number(), place.line_text()),
        ("a.rs", 7, 3, "x += 1;")
    );
}

#[test]
fn what_holds_is_said_to_hold() {
    let explanation = Explainer::new().explain(&Workshop { crossed: false }).unwrap();
    honest(&explanation);
    assert_eq!(explanation.verdict(), Verdict::Holds);
    assert!(explanation.is_complete() && explanation.counterexample().is_none());
    assert_eq!(explanation.causes().len(), 0);
}

#[test]
fn all_formats_come_out() {
    let explanation = Explainer::new().explain(&Workshop { crossed: true }).unwrap();
    for (detail, more) in
        [(Detail::Quiet, "violated"), (Detail::Normal, "take tool 1"), (Detail::Verbose, "anomalies")]
    {
        let text = explanation.to_text(detail);
        assert!(text.contains(more), "{text}");
    }
    assert_eq!(explanation.to_string(), explanation.to_text(Detail::default()));
    // There is no command line here whose options could be meant.
    assert!(!explanation.to_string().contains("-m METHOD"), "{explanation}");
    let sarif: serde_json::Value = serde_json::from_str(&explanation.to_sarif().unwrap()).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let page = explanation.to_html(|_| None).unwrap();
    assert!(page.contains("take tool 1") && page.contains("\"surroundings\""));
    let json: serde_json::Value = serde_json::from_str(&explanation.to_json()).unwrap();
    assert!(json.get("surroundings").is_none());
    let MethodResult::Found(found) = explanation.method(Method::Neighbourhoods) else { panic!("not found") };
    let found: serde_json::Value = serde_json::from_str(&found).unwrap();
    assert_eq!(found, json["methods"]["neighbourhoods"]);
}

#[test]
fn methods_run_when_they_are_asked_for() {
    let explainer = Explainer::new().methods([Method::Neighbourhoods]).fairness(Fairness::None);
    let explanation = explainer.explain(&Workshop { crossed: true }).unwrap();
    honest(&explanation);
    assert!(matches!(explanation.method(Method::Neighbourhoods), MethodResult::Found(_)));
    let skipped = MethodResult::Skipped("not asked for".to_owned());
    assert_eq!(explanation.method(Method::Anomalies), skipped);
    assert!(explanation.fates().is_some());
    let checked = Explainer::new().methods([]).explain(&Workshop { crossed: true }).unwrap();
    assert_eq!(checked.verdict(), Verdict::Violated);
    assert_eq!(checked.counterexample().unwrap().steps().len(), 2);
    assert!(checked.fates().is_none() && checked.causes().len() == 0);
}

/// Counts without end, and goes wrong at some number if at all.
struct Counter {
    wrong: Option<u64>,
    initial: Vec<u64>,
    asked: Cell<u64>,
}

impl Counter {
    fn new(wrong: Option<u64>) -> Self {
        Self { wrong, initial: vec![0], asked: Cell::new(0) }
    }
}

impl System for Counter {
    type State = u64;
    type Action = &'static str;

    fn initial_states(&self) -> Vec<u64> {
        self.initial.clone()
    }

    fn steps(&self, state: &u64, steps: &mut Steps<u64, &'static str>) {
        self.asked.set(self.asked.get() + 1);
        steps.push("one", state + 1);
        steps.push("two", state + 2);
    }

    fn event(&self, action: &&'static str) -> Event {
        Event::new(*action)
    }

    fn violation(&self, state: &u64) -> Option<Violation> {
        (Some(*state) == self.wrong).then(|| Violation::new("too much"))
    }
}

#[test]
fn limits_end_in_an_answer_that_says_so() {
    let endless = Counter::new(None);
    let explanation = Explainer::new().max_states(1_000).explain(&endless).unwrap();
    honest(&explanation);
    assert_eq!((explanation.verdict(), explanation.is_complete()), (Verdict::Unknown, false));
    assert!(explanation.reason().contains("1000 states"), "{}", explanation.reason());
    assert!(endless.asked.get() <= 1_001);
    // What goes wrong before the limit is explained all the same.
    let explanation = Explainer::new().max_states(1_000).explain(&Counter::new(Some(5))).unwrap();
    assert_eq!((explanation.verdict(), explanation.is_complete()), (Verdict::Violated, false));
    let trace = explanation.counterexample().unwrap();
    assert_eq!(trace.steps().len(), 3);
    assert_eq!(trace.text(), Some("too much"));
    assert!(trace.steps().all(|step| step.process().is_none()));
    // Nobody asks what comes after a violation.
    assert!(explanation.violations().next().is_some_and(|one| one.count() > 0));
}

#[test]
fn time_and_cancelling_end_a_search() {
    let soon = Explainer::new().max_states(u64::MAX).timeout(Duration::from_millis(200));
    let explanation = soon.explain(&Counter::new(None)).unwrap();
    assert_eq!(explanation.verdict(), Verdict::Unknown);
    assert!(explanation.reason().contains("time limit"), "{}", explanation.reason());
    let cancelled = Explainer::new().cancel(Arc::new(AtomicBool::new(true)));
    let explanation = cancelled.explain(&Counter::new(None)).unwrap();
    assert!(explanation.reason().contains("interrupted"), "{}", explanation.reason());
}

#[test]
fn an_initial_state_may_be_wrong_itself() {
    let counter = Counter { initial: vec![3, 5], ..Counter::new(Some(5)) };
    let explanation = Explainer::new().max_states(100).explain(&counter).unwrap();
    honest(&explanation);
    assert_eq!(explanation.verdict(), Verdict::Violated);
    assert_eq!(explanation.counterexample().unwrap().steps().len(), 1);
}

/// A system of a few steps that are told in odd ways.
struct Odd(Vec<Event>);

impl System for Odd {
    type State = usize;
    type Action = usize;

    fn initial_states(&self) -> Vec<usize> {
        if self.0.is_empty() { Vec::new() } else { vec![0] }
    }

    fn steps(&self, state: &usize, steps: &mut Steps<usize, usize>) {
        for action in *state..self.0.len() {
            match action + 1 == self.0.len() {
                true => steps.fail(action, Violation::new("the last one")),
                false => steps.push(action, action + 1),
            }
        }
    }

    fn event(&self, action: &usize) -> Event {
        self.0[*action].clone()
    }

    fn may_end(&self, _: &usize) -> bool {
        true
    }

    fn name(&self) -> String {
        "<odd> \u{202e}".to_owned()
    }
}

#[test]
fn events_of_the_same_name_stay_apart_where_more_is_told() {
    let here = |line| Event::new("x").at(Location::new("a.rs", line).text("x();"));
    let events = vec![
        here(1),
        here(2),
        Event::new("x"),
        Event::new("x (a.rs:2:1)"),
        Event::new("x #2"),
        Event::new("(start)"),
        Event::new("x").by("p", 0),
        Event::new("p:0 x"),
        Event::new(""),
        Event::new("a\nb\0\u{7}</script>"),
        here(3),
    ];
    let count = events.len();
    let explanation = Explainer::new().explain(&Odd(events)).unwrap();
    let json = honest(&explanation);
    assert_eq!(json["input"]["size"]["labels"], count);
    assert_eq!(explanation.counterexample().unwrap().steps().len(), 1);
    let at = explanation.counterexample().unwrap().steps().next().unwrap().location().unwrap();
    assert_eq!(at, Location::new("a.rs", 3).text("x();"));
    assert!(!explanation.to_html(|_| None).unwrap().contains("</script>x"));
}

#[test]
fn what_no_system_may_do_is_an_error() {
    let error = |events: Vec<Event>| Explainer::new().explain(&Odd(events)).unwrap_err();
    assert_eq!(error(Vec::new()), Error::NoInitialState);
    for number in [254, 255] {
        let name = "p".to_owned();
        assert_eq!(error(vec![Event::new("x").by("p", number)]), Error::ProcessNumber { name, number });
    }
    let same = error(vec![Event::new("x").by("p", 1), Event::new("x").by("q", 1)]);
    assert_eq!(same, Error::SameProcess { number: 1, one: "p".to_owned(), other: "q".to_owned() });
}

/// A graph in which some steps are called `bad`, as code.
struct Drawn(Vec<(u32, &'static str, u32)>);

impl System for Drawn {
    type State = u32;
    type Action = &'static str;

    fn initial_states(&self) -> Vec<u32> {
        vec![0]
    }

    fn steps(&self, state: &u32, steps: &mut Steps<u32, &'static str>) {
        for (_, label, to) in self.0.iter().filter(|(from, ..)| from == state) {
            match *label {
                "bad" => steps.fail(label, Violation::new("bad")),
                _ => steps.push(label, *to),
            }
        }
    }

    fn event(&self, action: &&'static str) -> Event {
        Event::new(*action)
    }

    fn may_end(&self, _: &u32) -> bool {
        true
    }
}

fn drawn(random: &mut Random) -> Vec<(u32, &'static str, u32)> {
    let labels = ["a", "b", "c", "bad"];
    let states = random.between(2, 8);
    let edge = |random: &mut Random| {
        let label = labels[random.below(4) as usize];
        (random.below(states), label, random.below(states))
    };
    (0..random.between(1, 14)).map(|_| edge(random)).collect()
}

/// The same graph as a system and as a transition system is the same to every question that both can answer.
#[test]
fn systems_and_transition_systems_agree() {
    let property = Property::mcl("[true* . \"bad\"] false").unwrap();
    let mut violated = 0;
    for_random_inputs(300, |random| {
        let edges = drawn(random);
        let mut lts = Lts::builder("drawn");
        edges.iter().for_each(|(from, label, to)| _ = lts.transition(*from, label, *to));
        let explainer = Explainer::new().methods([Method::Neighbourhoods, Method::Anomalies]).allow_unknown();
        let one = explainer.explain(&Drawn(edges.clone())).unwrap();
        let other = explainer.explain_lts(&lts.build().unwrap(), &property).unwrap();
        honest(&one);
        honest(&other);
        assert_eq!(one.verdict(), other.verdict(), "{edges:?}");
        let length = |of: &Explanation| of.counterexample().map(|trace| trace.steps().len());
        assert_eq!(length(&one), length(&other), "{edges:?}");
        let fates = |of: &Explanation| of.fates().map(|fates| (fates.free, fates.points_of_no_return > 0));
        assert_eq!(fates(&one), fates(&other), "{edges:?}");
        assert!(one.causes().all(|cause| cause.recheck().0 != Recheck::Refuted), "{edges:?}");
        violated += u32::from(one.verdict() == Verdict::Violated);
    });
    assert!(violated > 50, "{violated}");
}

#[test]
fn transition_systems_are_read_and_built() {
    let text = b"des (0, 3, 3)\n(0, \"send\", 1)\n(1, \"receive\", 0)\n(1, \"lose\", 2)\n";
    assert_eq!(LtsFormat::detect(text), Some(LtsFormat::Aut));
    let lts = Lts::read("channel.aut", LtsFormat::Aut, text).unwrap();
    assert_eq!((lts.state_count(), lts.transition_count(), lts.warnings().len()), (3, 3, 0));
    let explanation = Explainer::new().explain_lts(&lts, &Property::deadlock()).unwrap();
    honest(&explanation);
    assert_eq!(explanation.verdict(), Verdict::Violated);
    let forgiven = Property::deadlock().final_label("lose");
    assert_eq!(Explainer::new().explain_lts(&lts, &forgiven).unwrap().verdict(), Verdict::Holds);
    let broken = Lts::read("x.aut", LtsFormat::Aut, b"des (0, 1, 2)\n(0, \"a\"\n").unwrap_err();
    assert!(broken.to_string().starts_with("x.aut:2:"), "{broken}");
    // Numbers of states are only names.
    let mut far = Lts::builder("far");
    far.initial(u32::MAX).transition(u32::MAX, "a", 7).transition(7, "b", 7);
    let far = far.build().unwrap();
    assert_eq!(far.state_count(), 2);
    let explanation =
        Explainer::new().explain_lts(&far, &Property::mcf("[true* . b] false").unwrap()).unwrap();
    assert!(explanation.to_json().contains("\"state\": 7"));
    let empty = Lts::builder("empty").build().unwrap();
    assert_eq!(
        Explainer::new().explain_lts(&empty, &Property::deadlock()).unwrap().verdict(),
        Verdict::Violated
    );
}

#[test]
fn formulas_with_errors_say_where() {
    let error = Property::mcl("[true* . ] false").unwrap_err();
    assert!(error.to_string().contains("\n1:10: "), "{error}");
    assert!(matches!(Property::mcf("<true> true || true").unwrap_err(), Error::Property(_)));
}

#[test]
fn recorded_traces_are_compared() {
    let mut traces = Traces::new();
    traces.passing_by([("a", "lock 1"), ("a", "unlock 1"), ("b", "lock 2"), ("b", "unlock 2")]);
    traces.failing_by([("a", "lock 3"), ("b", "lock 4"), ("a", "unlock 3")]);
    traces.mask_values();
    let explanation = Explainer::new().contrast(&traces).unwrap();
    honest(&explanation);
    assert_eq!(explanation.verdict(), Verdict::Violated);
    let cause = explanation.causes().next().unwrap();
    assert!(cause.summary().contains("`a: lock #` and at once `b: lock #`"), "{}", cause.summary());
    assert_eq!(cause.recheck().0, Recheck::NotRun);
    assert!(explanation.to_text(Detail::Normal).contains("lock #"));
    assert_eq!(explanation.to_html(|_| None), Err(Error::NotOfTraces("HTML")));
    assert_eq!(explanation.to_sarif(), Err(Error::NotOfTraces("SARIF")));
    assert!(matches!(explanation.method(Method::Anomalies), MethodResult::Found(_)));
    assert!(matches!(explanation.method(Method::Variations), MethodResult::Skipped(_)));
    let nothing = Explainer::new().contrast(&Traces::new()).unwrap_err();
    assert!(matches!(nothing, Error::Traces(_)), "{nothing}");
}
