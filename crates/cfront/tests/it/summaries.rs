//! Programs searched one call at a time are what they are with all their frames.

use std::collections::{BTreeMap, BTreeSet};

use cfront::{Model, Narrator, Options};
use graph::{BitSet, Shortest, Story, Target, Unwatched};
use search::{Ending, Limits, Summaries, Violation, replay, summarise};
use testkit::random::for_random_inputs;
use testkit::random_c::random_program;
use testkit::random_calls::random_calls;

use crate::run;

fn summaries(model: &Model) -> Summaries {
    assert_eq!(model.without_procedures(), None);
    summarise(model, u64::MAX, &Unwatched)
}

/// What is wrong, and how near.
type Wrongs = BTreeMap<String, u32>;

fn told(story: &Narrator<'_>, event: u64, what: u32) -> String {
    let wrong = story.wrong(event, what);
    format!("{}: {}", wrong.location.map_or(0, |at| at.line), wrong.text)
}

/// All that is wrong by summaries; a trace to each is gone again with all frames.
fn by_summaries(model: &Model, found: &Summaries) -> Wrongs {
    let story = Narrator::new(model);
    let shortest =
        Shortest::new(&found.graph, &BitSet::new(found.events.len()), &Unwatched).expect("no limit");
    let mut wrongs = Wrongs::new();
    for node in 0..found.graph.node_count() as u32 {
        for edge in found.graph.edges(node) {
            let Target::Wrong(what) = edge.target else { continue };
            let told = told(&story, found.events[edge.label as usize], what);
            let length = shortest.to(node).expect("all nodes are reached") + 1;
            let known = wrongs.entry(told).or_insert(u32::MAX);
            if length >= *known {
                continue;
            }
            *known = length;
            let trace = shortest.trace(node, Some(edge.label), 1 << 20).expect("a trace");
            assert_eq!(trace.steps.len(), length as usize);
            let events: Vec<u64> = trace.steps.iter().map(|step| found.events[step.label as usize]).collect();
            let gone = replay(model, events.len(), |at, event| events[at] == event);
            assert_eq!(gone.ending, Ending::Wrong(what));
        }
    }
    wrongs
}

/// The same with all frames, and all that happens.
fn by_enumeration(model: &Model) -> Option<(Wrongs, BTreeSet<u64>)> {
    let limits = Limits { max_states: 50_000, ..Limits::default() };
    let found = search::explore(model, limits, &Unwatched).expect("room for the graph");
    if found.interrupt.is_some() {
        return None;
    }
    let story = Narrator::new(model);
    let mut wrongs = Wrongs::new();
    for violation in &found.violations {
        let Violation::Step { state, edge, what } = violation else { panic!("a deadlock") };
        let told = told(&story, found.events[edge.label as usize], *what);
        let length = found.depth(*state) + 1;
        let known = wrongs.entry(told).or_insert(length);
        *known = length.min(*known);
    }
    Some((wrongs, found.events.iter().copied().collect()))
}

#[test]
fn random_programs_with_calls_agree() {
    let (mut compared, mut failing, mut alike) = (0, 0, 0);
    for_random_inputs(150, |random| {
        let fuel = random.between(1, 4);
        let text = random_calls(random, Some(fuel));
        let model = run::model(&text, &Options::default(), None);
        let found = summaries(&model);
        assert_eq!(found.interrupt, None, "{text}");
        // Two numbers side by side in a record can look like an address; then the search says so and hands over.
        if let Some(untold) = &found.untold {
            assert_eq!(untold.reason, "the address of a local variable leaves its function", "{text}");
            alike += 1;
            return;
        }
        if let Some((wrongs, events)) = by_enumeration(&model) {
            assert_eq!(by_summaries(&model, &found), wrongs, "{text}");
            assert_eq!(found.events.iter().copied().collect::<BTreeSet<u64>>(), events, "{text}");
            assert!(!found.graph.goes_round(), "{text}");
            compared += 1;
            failing += u32::from(!wrongs.is_empty());
        }
    });
    assert!(
        compared > 100 && failing > 10 && alike < 5,
        "{failing} of {compared} fail, {alike} are not told"
    );
}

#[test]
fn random_programs_of_one_trace_agree() {
    let mut compared = 0;
    for_random_inputs(25, |random| {
        let text = random_program(random);
        let model = run::model(&text, &Options::default(), None);
        let found = summaries(&model);
        let (wrongs, events) = by_enumeration(&model).expect("one trace");
        if found.untold.is_none() {
            assert_eq!(by_summaries(&model, &found), wrongs, "{text}");
            assert_eq!(found.events.iter().copied().collect::<BTreeSet<u64>>(), events, "{text}");
            compared += 1;
        }
    });
    assert!(compared > 5, "{compared}");
}

#[test]
fn random_programs_without_a_bound_are_decided() {
    let mut round = 0;
    for_random_inputs(60, |random| {
        let text = random_calls(random, None);
        let model = run::model(&text, &Options::default(), None);
        let found = summaries(&model);
        assert_eq!((found.untold, found.interrupt), (None, None), "{text}");
        by_summaries(&model, &found);
        round += u32::from(found.graph.goes_round());
    });
    assert!(round > 15, "{round}");
}

#[test]
fn what_cannot_be_looked_at_alone_is_said() {
    let without = |text: &str| run::model(text, &Options::default(), None).without_procedures();
    assert_eq!(without("int main(void) { return 0; }"), None);
    let heap = "#include <stdlib.h>\nint main(void) { free(malloc(4)); return 0; }";
    assert_eq!(without(heap), Some("it allocates memory"));
    let threads = "#include <pthread.h>\nvoid *f(void *x) { return x; }\nint main(void) { pthread_t t; \
                   pthread_create(&t, 0, f, 0); return 0; }";
    assert_eq!(without(threads), Some("it starts threads"));
    for escaping in [
        "void f(int *p) { *p = 1; }\nint main(void) { int x = 0; f(&x); return x; }",
        "int *g;\nvoid f(void) { *g = 1; }\nint main(void) { int x = 0; g = &x; f(); return x; }",
        "int *f(void) { int x = 0; int *p = &x; return p; }\nint main(void) { f(); return 0; }",
        "int *g;\nvoid f(void) { int x = 0; g = &x; }\nint main(void) { f(); return 0; }",
        "struct s { int *p; };\nstruct s f(void) { int x = 0; struct s s; s.p = &x; return s; }\n\
         int main(void) { f(); return 0; }",
    ] {
        let model = run::model(escaping, &Options::default(), None);
        let untold = summaries(&model).untold.expect("an address leaves");
        assert_eq!(untold.reason, "the address of a local variable leaves its function", "{escaping}");
    }
    let stays = "void f(int p) { }\nint main(void) { int x = 0; int *p = &x; f(*p); *p = 2; return 0; }";
    let model = run::model(stays, &Options::default(), None);
    assert_eq!(summaries(&model).untold, None);
}

#[test]
fn recursion_is_seen_in_the_text() {
    let calls_itself = |text: &str| run::model(text, &Options::default(), None).calls_itself();
    assert!(calls_itself("int f(int n) { return n ? f(n - 1) : 0; }\nint main(void) { return f(3); }"));
    let mutual = "int g(int n);\nint f(int n) { return n ? g(n - 1) : 0; }\nint g(int n) { return f(n); }\n\
                  int main(void) { return f(3); }";
    assert!(calls_itself(mutual));
    assert!(!calls_itself(
        "int g(void) { return 0; }\nint f(void) { return g() + g(); }\nint main(void) { return f(); }"
    ));
}
