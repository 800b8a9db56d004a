//! Classes of faults that texts of users showed, each as a small model or program with its name, and beside it the near misses:
//! the corrected text, and one that looks like it and has another fault.
#![allow(clippy::unwrap_used)]

use serde_json::Value;
use wherefore::{Explainer, Language};

use crate::support::checked_json;

fn report(language: Language, text: &str) -> Value {
    let file = if language == Language::C { "input.c" } else { "input.pml" };
    let explanation = Explainer::new().name(file).explain_source(language, text).unwrap();
    checked_json(&explanation.to_json())
}

/// The name of the bug, and the sentence that tells it.
fn named(report: &Value) -> Option<(String, String)> {
    let causes = report["causes"].as_array().unwrap();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    causes.iter().find_map(|cause| Some((text(&cause["pattern"])?, text(&cause["summary"])?)))
}

#[track_caller]
fn is_named(language: Language, text: &str, name: &str) -> String {
    let report = report(language, text);
    assert_eq!(report["verdict"], "violated", "{text}");
    let (found, summary) = named(&report).unwrap_or_else(|| panic!("no name for {name}: {text}"));
    assert_eq!(found, name, "{summary}: {text}");
    summary
}

/// A corrected text is not violated; a text with another fault does not get this name.
#[track_caller]
fn is_not_named(language: Language, text: &str, name: &str) {
    let report = report(language, text);
    assert_eq!(report["verdict"], "violated", "{text}");
    let found = named(&report);
    assert!(found.as_ref().is_none_or(|(found, _)| found != name), "{found:?}: {text}");
}

#[track_caller]
fn holds(language: Language, text: &str) {
    assert_eq!(report(language, text)["verdict"], "holds", "{text}");
}

const C: Language = Language::C;
const PROMELA: Language = Language::Promela;

#[test]
fn a_relay_that_drops_messages() {
    let link = |drop: &str, answer: &str| {
        format!(
            "chan air = [1] of {{ byte }}; chan near = [1] of {{ byte }}; chan back = [1] of {{ bit }};
            active proctype Sensor() {{ air!7; back?1 }}
            active proctype Radio() {{ byte v; end: do :: air?v -> if :: near!v {drop} fi od }}
            active proctype Station() {{ byte v; end: do :: near?v {answer} od }}"
        )
    };
    let summary = is_named(PROMELA, &link(":: skip", "-> back!1"), "message-lost-or-overtaken");
    assert!(summary.contains("Radio drops in line 3 the message that Sensor sent to `air`"), "{summary}");
    holds(PROMELA, &link("", "-> back!1"));
    is_not_named(PROMELA, &link("", ""), "message-lost-or-overtaken");
    // It fails with and without the loss.
    is_not_named(PROMELA, &link(":: skip", ""), "message-lost-or-overtaken");
}

#[test]
fn a_relay_that_takes_and_keeps_nothing() {
    let link = |lossy: &str| {
        format!(
            "chan air = [1] of {{ byte }}; chan near = [1] of {{ byte }};
            active proctype Sensor() {{ air!7 }}
            active proctype Radio() {{ byte v; end: do :: air?v -> near!v {lossy} od }}
            active proctype Station() {{ byte v; near?v }}"
        )
    };
    is_named(PROMELA, &link(":: air?_"), "message-lost-or-overtaken");
    holds(PROMELA, &link(""));
}

#[test]
fn a_choice_that_the_environment_must_make_in_the_end() {
    // The crash comes sooner or later; afterwards it does no harm.
    let crash = |answer: &str| {
        format!(
            "bool up = true; chan jobs = [1] of {{ bit }}; chan done = [1] of {{ bit }};
            active proctype Worker() {{ end: do :: up && nempty(jobs) -> jobs?1; done!1 {answer} od }}
            active proctype Boss() {{ jobs!1; done?1 }}
            active proctype Power() {{ atomic {{ up -> up = false }} }}"
        )
    };
    is_named(PROMELA, &crash(""), "unanswered-environment-choice");
    holds(PROMELA, &crash(":: !up && nempty(jobs) -> jobs?1; done!1"));
}

const SHOP: &str = "#include <assert.h>\n#include <pthread.h>\nstatic int stock = 1;
    static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    static int look(void) { int n; pthread_mutex_lock(&m); n = stock; pthread_mutex_unlock(&m); return n; }
    static void take(void) { pthread_mutex_lock(&m); stock--; pthread_mutex_unlock(&m); }\n";

fn shop(buyer: &str) -> String {
    format!(
        "{SHOP} static void *buyer(void *arg) {{ (void)arg; {buyer} return 0; }}
        int main(void) {{ pthread_t a, b; pthread_create(&a, 0, buyer, 0); pthread_create(&b, 0, buyer, 0);
            pthread_join(a, 0); pthread_join(b, 0); assert(stock >= 0); return 0; }}"
    )
}

#[test]
fn a_copy_that_is_tested_when_it_is_old() {
    let summary = is_named(C, &shop("if (look() > 0) take();"), "check-then-act");
    assert!(summary.contains("reads `stock` in line 5 and tests what it read in line 7"), "{summary}");
    holds(C, &shop("pthread_mutex_lock(&m); if (stock > 0) stock--; pthread_mutex_unlock(&m);"));
    // Nobody tests anything.
    is_not_named(C, &shop("take();"), "check-then-act");
}

#[test]
fn a_lock_that_is_given_back_is_no_flag() {
    let model = "byte items; bit mutex; bool there;
        inline enter() { atomic { mutex == 0 -> mutex = 1 } }
        inline leave() { mutex = 0 }
        active proctype Maker() { enter(); leave(); enter(); items++; leave() }
        active proctype User() { enter(); there = items > 0; leave(); assert(there) }";
    is_not_named(PROMELA, model, "use-before-ready");
    let flag = |first: &str, second: &str| {
        format!(
            "bool ready; byte item;
            active proctype Maker() {{ {first}; {second} }}
            active proctype User() {{ ready; assert(item == 3) }}"
        )
    };
    is_named(PROMELA, &flag("ready = true", "item = 3"), "use-before-ready");
    holds(PROMELA, &flag("item = 3", "ready = true"));
}

#[test]
fn a_lock_known_by_what_is_done_to_it() {
    let bus = |late: &str, always: &str| {
        format!(
            "bool bus; byte on;
            active [3] proctype Driver() {{
                bool got;
                atomic {{ if :: !bus -> bus = true; got = true :: else fi }};
                if :: got -> on++; assert(on == 1); on--; {late} :: else fi;
                {always} }}"
        )
    };
    let summary = is_named(PROMELA, &bus("skip", "bus = false"), "double-release");
    assert!(summary.contains("does not hold it"), "{summary}");
    holds(PROMELA, &bus("bus = false", "skip"));
    // A flag that one process sets and another one clears has no holder.
    let flag = "bool asked; byte served;
        active proctype Client() { atomic { !asked -> asked = true }; atomic { !asked -> asked = true } }
        active proctype Server() { do :: asked -> asked = false; served++; assert(served < 2) od }";
    is_not_named(PROMELA, flag, "double-release");
}

#[test]
fn an_exit_that_skips_the_bookkeeping() {
    let garage = |member: &str| {
        format!(
            "#define SLOTS 2
            byte places = SLOTS;
            proctype Car() {{
                atomic {{ places > 0 -> places-- }};
                if :: {member} -> goto out :: skip fi;
                places++;
            out: skip }}
            init {{ atomic {{ run Car(); run Car() }}; (_nr_pr == 1); assert(places == SLOTS) }}"
        )
    };
    let summary = is_named(PROMELA, &garage("skip"), "skipped-bookkeeping");
    assert!(summary.contains("ends without `places++`"), "{summary}");
    holds(PROMELA, &garage("places++"));
    // Nobody ever gives back: no path is forgotten.
    let tickets = "byte left = 2;
        proctype Visitor() { atomic { left > 0 -> left-- } }
        init { atomic { run Visitor(); run Visitor() }; (_nr_pr == 1); assert(left == 1) }";
    is_not_named(PROMELA, tickets, "skipped-bookkeeping");
}

#[test]
fn a_reset_that_is_forgotten() {
    let frames = |reset: &str, bound: &str| {
        format!(
            "chan line = [0] of {{ byte }};
            active proctype Source() {{ byte f; for (f : 1 .. 2) {{ line!0; line!3; line!9 }} }}
            active proctype Parser() {{
                byte sum, count, v;
            end: do
                :: line?v ->
                    if
                    :: v == 0 ->
                        count = 0; {reset}
                    :: v == 9 -> assert(sum == {bound})
                    :: else ->
                        sum = sum + v;
                        count++
                    fi
                od }}"
        )
    };
    let summary = is_named(PROMELA, &frames("skip", "3"), "stale-value");
    assert!(summary.contains("`count` is set anew in line 9, `sum` is not"), "{summary}");
    holds(PROMELA, &frames("sum = 0", "3"));
    is_not_named(PROMELA, &frames("sum = 0", "4"), "stale-value");
}

#[test]
fn a_count_that_is_never_taken_back() {
    let pool = |finished: &str, expected: u32| {
        format!(
            "#include <assert.h>\n#include <pthread.h>
            static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
            static int active, finished;
            static void *work(void *arg) {{
                (void)arg;
                pthread_mutex_lock(&m);
                active++;
                pthread_mutex_unlock(&m);
                pthread_mutex_lock(&m);
                {finished}
                pthread_mutex_unlock(&m);
                return 0;
            }}
            int main(void) {{
                pthread_t a, b;
                pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);
                pthread_join(a, 0); pthread_join(b, 0);
                assert(finished == {expected});
                assert(active == 0);
                return 0;
            }}"
        )
    };
    is_named(C, &pool("finished++;", 2), "missing-statement");
    holds(C, &pool("active--; finished++;", 2));
    is_not_named(C, &pool("active--; finished++;", 3), "missing-statement");
}

#[test]
fn channels_that_nobody_ever_received_from() {
    let pipes = |first: &str, second: &str| {
        format!(
            "chan east = [1] of {{ byte }}; chan west = [1] of {{ byte }};
            active proctype Left() {{ byte x; west!0; {first} }}
            active proctype Right() {{ byte x; east!0; {second} }}"
        )
    };
    is_named(PROMELA, &pipes("west!1; east?x", "east!1; west?x"), "circular-full-channels");
    holds(PROMELA, &pipes("east?x", "west?x"));
    // Both wait for room in the same channel.
    is_not_named(PROMELA, &pipes("west!1", "west!1; east?x"), "circular-full-channels");
}

#[test]
fn several_that_are_passed_over() {
    let text = "byte readers; bool served;
        active [2] proctype Reader() { do :: atomic { readers < 9 -> readers++ }; readers-- od }
        active [2] proctype Writer() { atomic { readers == 0 -> served = true } }
        ltl goal { <> served }";
    let explanation =
        Explainer::new().name("input.pml").property("goal").explain_source(PROMELA, text).unwrap();
    let (name, summary) = named(&checked_json(&explanation.to_json())).unwrap();
    assert_eq!(name, "starvation");
    assert!(summary.contains("Starvation of Writer 2 and Writer 3"), "{summary}");
    assert!(summary.contains("forever without them"), "{summary}");
}

#[test]
fn an_update_that_goes_to_a_server_and_back() {
    let counter = |update: &str| {
        format!(
            "mtype = {{ fetch, store, add }};
            chan server = [1] of {{ mtype, byte, byte }}; chan reply[2] = [1] of {{ byte }};
            byte count;
            active proctype Server() {{
                byte who, n;
            end: do
                :: server?fetch(who, _) -> reply[who]!count
                :: server?store(_, n) -> count = n
                :: server?add(_, n) -> count = count + n
                od }}
            proctype Client(byte me) {{ byte seen; {update} }}
            init {{ atomic {{ run Client(0); run Client(1) }};
                _nr_pr == 2 && empty(server) -> (timeout); assert(count == 2) }}"
        )
    };
    let fetched = "server!fetch(me, 0); reply[me]?seen; server!store(me, seen + 1)";
    let summary = is_named(PROMELA, &counter(fetched), "lost-update");
    assert!(summary.contains("sends in line 11 what it made of the old value"), "{summary}");
    holds(PROMELA, &counter("server!add(me, 1)"));
    // Nobody stores anything old.
    is_not_named(PROMELA, &counter("server!add(me, 2)"), "lost-update");
}

#[test]
fn the_order_that_leads_to_a_fault_says_more_than_the_fault() {
    let threads = |load: &str| {
        format!(
            "#include <pthread.h>
            static int workers; static volatile int loaded;
            static void *loader(void *a) {{ (void)a; {load} return 0; }}
            static void *server(void *a) {{ (void)a; if (loaded) {{ int each = 100 / workers; (void)each; }} return 0; }}
            int main(void) {{
                pthread_t l, s;
                pthread_create(&l, 0, loader, 0); pthread_create(&s, 0, server, 0);
                pthread_join(l, 0); pthread_join(s, 0);
                return 0; }}"
        )
    };
    is_named(C, &threads("loaded = 1; workers = 4;"), "use-before-ready");
    holds(C, &threads("workers = 4; loaded = 1;"));
    is_named(C, &threads("loaded = 1;"), "division-by-zero");
}

#[test]
fn an_index_is_no_lock_and_an_undo_owes_nothing() {
    let buffer = |room: &str| {
        format!(
            "byte slots[2]; byte next, last, count, put, got; bool lock;
            active [2] proctype Producer() {{
                byte i = 1;
                do
                :: i <= 2 -> atomic {{ !lock -> lock = true }};
                    if :: {room} -> slots[next] = i; next = (next + 1) % 2; count++; put = put + i; i++ :: else fi;
                    lock = false
                :: i > 2 -> break
                od
            }}
            active proctype Consumer() {{
                byte n;
                do
                :: n < 4 -> atomic {{ !lock -> lock = true }};
                    if :: count > 0 -> got = got + slots[last]; last = (last + 1) % 2; count--; n++ :: else fi;
                    lock = false
                :: else -> break
                od;
                assert(got == put)
            }}"
        )
    };
    is_not_named(PROMELA, &buffer("count <= 2"), "double-release");
    holds(PROMELA, &buffer("count < 2"));

    let permits = |abort: &str| {
        format!(
            "byte permits = 2; byte inside;
            active [4] proctype Worker() {{
                atomic {{ permits > 0 -> permits-- }};
                inside++;
                assert(inside <= 2);
                if :: inside--{abort} :: inside-- fi;
                permits++
            }}"
        )
    };
    is_not_named(PROMELA, &permits("; permits++"), "skipped-bookkeeping");
    holds(PROMELA, &permits(""));
}

#[test]
fn whose_test_still_holds_relies_on_no_old_one() {
    let seats = "byte free = 3; int left = 3;
        proctype Agent(byte want) {
            if :: free >= want -> d_step { free = free - want; left = left - want }; assert(left >= 0) :: else fi
        }
        init { run Agent(1); run Agent(1); run Agent(2) }";
    let summary = is_named(PROMELA, seats, "check-then-act");
    let report = report(PROMELA, seats);
    let steps = report["counterexample"]["steps"].as_array().unwrap();
    let values = steps.iter().filter_map(|step| step["changes"]["left"][1].as_str());
    assert!(values.clone().any(|value| value.starts_with('-')), "{summary}");
    let last = steps.iter().rposition(|step| step["changes"]["left"].is_array()).unwrap();
    let pid = &steps[last]["pid"];
    let reliance = report["causes"][0]["steps"].as_array().unwrap().last().unwrap();
    assert_eq!(reliance.as_u64(), Some(last as u64 + 1), "who acts on a false test is {pid}: {summary}");
}
