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
    assert!(summary.contains("Starvation of Writer:2 and Writer:3"), "{summary}");
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

#[test]
fn what_is_written_beside_a_reset_is_not_stale() {
    // The mode is written right before, and the order of keys has nothing to do with the number of entries.
    let oven = |guard: &str| {
        format!(
            "#include <assert.h>
            extern int __VERIFIER_nondet_int(void);
            static int mode, heating, open;
            static void enter(int next) {{ mode = next; heating = next == 1; }}
            int main(void) {{
                for (int i = 0; i < 4; i++) {{
                    int e = __VERIFIER_nondet_int();
                    if (e == 0 && (mode == 2 || !open) {guard}) enter(1);
                    else if (e == 1) {{ open = 1; if (mode == 1) enter(2); }}
                    else if (e == 2) {{ open = 0; }}
                    assert(!(heating && open));
                }}
                return 0; }}"
        )
    };
    is_not_named(C, &oven(""), "stale-value");
    holds(C, &oven("&& !open"));
    let heap = "#include <assert.h>
        extern int __VERIFIER_nondet_int(void);
        extern void __VERIFIER_assume(int);
        static int heap[3]; static int size;
        static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
        int main(void) {
            for (int n = 0; n < 3; n++) {
                int key = __VERIFIER_nondet_int();
                __VERIFIER_assume(key >= 0 && key <= 2);
                heap[size++] = key;
                if (size > 1 && heap[size - 2] > heap[size - 1]) swap(&heap[size - 2], &heap[size - 1]);
            }
            int last = -1;
            for (int i = 0; i < size; i++) { assert(heap[i] >= last); last = heap[i]; }
            return 0; }";
    is_not_named(C, heap, "stale-value");
}

#[test]
fn what_is_counted_is_never_made_ready() {
    let monitor = |guard: &str| {
        format!(
            "byte sleepers, wakeups, items = 2;
            proctype Maker() {{ sleepers++; atomic {{ wakeups > 0 -> wakeups--; sleepers-- }} }}
            active proctype Taker() {{
                do
                :: items > 0 -> items--;
                    if :: {guard} sleepers > wakeups -> wakeups++ :: else fi
                :: items == 0 && sleepers <= wakeups -> break
                od
            }}
            init {{ atomic {{ run Maker(); run Maker() }} }}"
        )
    };
    is_not_named(PROMELA, &monitor("items == 1 &&"), "use-before-ready");
    // Signals of the language are ready from the beginning.
    let lock = |test: &str| {
        format!(
            "#include <assert.h>\n#include <pthread.h>
            static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
            static int readers, writing, inside;
            static void *reader(void *a) {{ (void)a;
                pthread_mutex_lock(&m); while (writing) pthread_cond_wait(&idle, &m); readers++; pthread_mutex_unlock(&m);
                assert(!inside);
                pthread_mutex_lock(&m); if (--readers == 0) pthread_cond_broadcast(&idle); pthread_mutex_unlock(&m);
                return 0; }}
            static void *writer(void *a) {{ (void)a;
                pthread_mutex_lock(&m); {test} (writing || readers > 0) pthread_cond_wait(&idle, &m);
                writing = 1; pthread_mutex_unlock(&m);
                inside = 1; inside = 0;
                pthread_mutex_lock(&m); writing = 0; pthread_cond_broadcast(&idle); pthread_mutex_unlock(&m);
                return 0; }}
            int main(void) {{ pthread_t r, v, w;
                pthread_create(&v, 0, writer, 0); pthread_create(&w, 0, writer, 0); pthread_create(&r, 0, reader, 0);
                pthread_join(v, 0); pthread_join(w, 0); pthread_join(r, 0);
                return 0; }}"
        )
    };
    let summary = is_named(C, &lock("if"), "if-for-while");
    assert!(summary.contains("without testing"), "{summary}");
    holds(C, &lock("while"));
}

#[test]
fn a_table_that_is_told_before_it_is_filled() {
    let table = |body: &str| {
        format!(
            "#include <assert.h>\n#include <pthread.h>
            static int table[2]; static volatile int filled;
            static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
            static void fill(void) {{ for (int i = 0; i < 2; i++) table[i] = i + 1; }}
            static int look(int at) {{
                if (!filled) {{ pthread_mutex_lock(&m); if (!filled) {{ {body} }} pthread_mutex_unlock(&m); }}
                return table[at]; }}
            static void *one(void *a) {{ (void)a; int v = look(0); assert(v == 1); return 0; }}
            static void *two(void *a) {{ (void)a; int v = look(1); assert(v == 2); return 0; }}
            int main(void) {{ pthread_t s, t;
                pthread_create(&s, 0, one, 0); pthread_create(&t, 0, two, 0);
                pthread_join(s, 0); pthread_join(t, 0);
                return 0; }}"
        )
    };
    is_named(C, &table("filled = 1; fill();"), "use-before-ready");
    holds(C, &table("fill(); filled = 1;"));
    // Elements of one index belong together, and are made ready in every round again.
    let ring = |hand_over: &str| {
        format!(
            "bool given[2]; byte item[2];
            active proctype Maker() {{ byte n; for (n : 0 .. 3) {{ !given[n % 2]; {hand_over} }} }}
            active proctype Taker() {{ byte n; for (n : 0 .. 3) {{
                given[n % 2]; byte got = item[n % 2]; assert(got == n + 1); item[n % 2] = 0; given[n % 2] = false }} }}"
        )
    };
    let summary = is_named(PROMELA, &ring("given[n % 2] = true; item[n % 2] = n + 1"), "use-before-ready");
    assert!(summary.contains("uses `item["), "{summary}");
    holds(PROMELA, &ring("item[n % 2] = n + 1; given[n % 2] = true"));
}

#[test]
fn a_signal_that_nobody_gives() {
    let mailbox = |freed: &str| {
        format!(
            "#include <assert.h>\n#include <pthread.h>
            static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
            static pthread_cond_t some = PTHREAD_COND_INITIALIZER, room = PTHREAD_COND_INITIALIZER;
            static int used;
            static void *put(void *a) {{ (void)a; pthread_mutex_lock(&m); while (used == 1) pthread_cond_wait(&room, &m);
                used++; pthread_cond_signal(&some); pthread_mutex_unlock(&m); return 0; }}
            static void *get(void *a) {{ (void)a; for (int i = 0; i < 2; i++) {{ pthread_mutex_lock(&m);
                while (used == 0) pthread_cond_wait(&some, &m);
                used--; pthread_cond_signal(&{freed}); pthread_mutex_unlock(&m); }} return 0; }}
            int main(void) {{ pthread_t s, t, u;
                pthread_create(&s, 0, put, 0); pthread_create(&t, 0, put, 0); pthread_create(&u, 0, get, 0);
                pthread_join(s, 0); pthread_join(t, 0); pthread_join(u, 0); return 0; }}"
        )
    };
    let summary = is_named(C, &mailbox("some"), "wrong-notify");
    assert!(summary.contains("nobody ever signals `room`"), "{summary}");
    holds(C, &mailbox("room"));
}

#[test]
fn a_lock_that_is_kept_on_the_way_out() {
    let queue = |exit: &str| {
        format!(
            "#include <pthread.h>
            static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int next;
            static int take(void) {{
                pthread_mutex_lock(&m);
                if (next == 2) {{ pthread_mutex_unlock(&m); return 0; }}
                if (next++ == 1) {{ {exit} return -1; }}
                pthread_mutex_unlock(&m);
                return 1; }}
            static void *work(void *a) {{ (void)a; while (take()) ; return 0; }}
            int main(void) {{ pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); return 0; }}"
        )
    };
    let summary = is_named(C, &queue(""), "leaked-lock");
    assert!(summary.contains("leaves the function in line 6 without giving it back"), "{summary}");
    holds(C, &queue("pthread_mutex_unlock(&m);"));
    // What is called while the lock is held wants it as well: nothing was leaked.
    let nested = "#include <pthread.h>
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int n;
        static void inner(void) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); }
        static void outer(void) { pthread_mutex_lock(&m); inner(); pthread_mutex_unlock(&m); }
        static void *work(void *a) { (void)a; outer(); return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); return 0; }";
    is_named(C, nested, "lock-order");
}

#[test]
fn an_answer_to_what_was_asked_before() {
    let transfer = |accept: &str| {
        format!(
            "chan down = [2] of {{ bit, byte }}; chan up = [2] of {{ bit }}; byte done;
            active proctype Sender() {{ bit seq; bit got; byte block;
                do
                :: block < 4 ->
                    if :: down!seq,block :: skip fi;
                    if :: up?got -> {accept} :: skip fi
                :: else -> break
                od }}
            active proctype Receiver() {{ bit wanted; bit b; byte block;
            end: do
                :: down?b,block ->
                    if :: b == wanted -> assert(block == done); done++; wanted = 1 - wanted :: else fi;
                    if :: up!b :: skip fi
                od }}"
        )
    };
    let summary = is_named(PROMELA, &transfer("seq = 1 - seq; block++"), "stale-answer");
    assert!(summary.contains("has gone on after the first answer"), "{summary}");
    holds(PROMELA, &transfer("if :: got == seq -> seq = 1 - seq; block++ :: else fi"));
    // The answer is tested, and another number is wrong.
    let wrong = transfer("if :: got == seq -> seq = 1 - seq; block = block + 2 :: else fi");
    is_not_named(PROMELA, &wrong, "stale-answer");
}

#[test]
fn a_scheduler_that_always_serves_the_same() {
    let goal = |choice: &str, formula: &str| {
        let text = format!(
            "chan go[2] = [0] of {{ bit }}; byte turn; bool served;
            proctype Client(byte me) {{ do :: go[me]?1 -> served = (me == 0 -> true : served) od }}
            active proctype Server() {{ do {choice} od }}
            init {{ atomic {{ run Client(0); run Client(1) }} }}
            ltl goal {{ {formula} }}"
        );
        let explainer = Explainer::new().name("input.pml").property("goal");
        let report = checked_json(&explainer.explain_source(PROMELA, &text).unwrap().to_json());
        assert_eq!(report["verdict"], "violated", "{text}");
        named(&report)
    };
    let both = ":: turn = 1; go[1]!1 :: turn = 0; go[0]!1";
    let (name, summary) = goal(both, "<> served").unwrap();
    assert_eq!(name, "starvation", "{summary}");
    assert!(summary.ends_with("Starvation of Client:2"), "{summary}");
    // Nobody ever serves it: what it waits for is something else.
    assert_eq!(goal(":: turn = 1; go[1]!1", "<> served"), None);
    // The formula is violated as well where it is served.
    assert_eq!(goal(both, "<> (turn == 7)"), None);
}

#[test]
fn the_last_reader_is_two_readers() {
    let readers = |leave: &str| {
        format!(
            "byte users = 2; byte given;
            active [2] proctype Reader() {{
                {leave}
            }}"
        )
    };
    let apart = "users--; if :: users == 0 -> assert(given == 0); given++ :: else fi";
    let summary = is_named(PROMELA, &readers(apart), "update-then-test");
    assert!(summary.contains("updates `users` in line 3 and tests it in line 3"), "{summary}");
    holds(PROMELA, &readers(&format!("atomic {{ {apart} }}")));
    // Here the count itself is wrong.
    let wrong = "atomic { users = 0; if :: users == 0 -> assert(given == 0); given++ :: else fi }";
    is_not_named(PROMELA, &readers(wrong), "update-then-test");
}

#[test]
fn a_message_is_offered_where_nobody_expects_it() {
    let desk = |order: &str| {
        format!(
            "mtype = {{ open, cancel, paid }};
            chan desk = [0] of {{ mtype }}; chan till = [0] of {{ mtype }};
            active proctype Guest() {{ desk!open; if :: till!paid :: true -> desk!cancel fi }}
            active proctype Clerk() {{
                desk?open;
                {order}
            }}"
        )
    };
    let summary = is_named(PROMELA, &desk("till?paid"), "missing-case");
    let told =
        "Guest offers `desk!cancel` in line 3; only Clerk receives from `desk`, and it waits in line 6";
    assert!(summary.starts_with(told), "{summary}");
    holds(PROMELA, &desk("if :: till?paid :: desk?cancel fi"));
}

#[test]
fn a_flag_is_set_without_the_lock_while_somebody_decides_to_sleep() {
    let stop = |locked: bool| {
        let (lock, unlock) =
            if locked { ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);") } else { ("", "") };
        format!(
            "#include <pthread.h>
            static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
            static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
            static int stopping;
            static void *worker(void *arg) {{
                pthread_mutex_lock(&m);
                while (!stopping)
                    pthread_cond_wait(&wake, &m);
                pthread_mutex_unlock(&m);
                return arg;
            }}
            int main(void) {{
                pthread_t a, b;
                pthread_create(&a, NULL, worker, NULL);
                pthread_create(&b, NULL, worker, NULL);
                {lock}
                stopping = 1;
                {unlock}
                pthread_cond_broadcast(&wake);
                pthread_join(a, NULL);
                pthread_join(b, NULL);
                return 0;
            }}"
        )
    };
    is_named(C, &stop(false), "missed-signal");
    holds(C, &stop(true));
}

#[test]
fn memory_that_is_freed_twice_is_told_as_such() {
    let list = |after: &str| {
        format!(
            "#include <stdlib.h>
            struct list {{ int *data; int length; }};
            static void clear(struct list *l) {{ free(l->data); l->length = 0; }}
            static int load(struct list *l) {{
                l->data = malloc(4);
                if (!l->data) return 0;
                free(l->data);
                {after}
                return -1;
            }}
            int main(void) {{ struct list l = {{ 0, 0 }}; load(&l); clear(&l); return 0; }}"
        )
    };
    let summary = is_named(C, &list(""), "null-or-dangling");
    assert!(summary.ends_with("it is freed again in line 3. Double free"), "{summary}");
    holds(C, &list("l->data = NULL;"));
}

#[test]
fn what_was_ready_and_is_closed_later_is_used_too_late_and_not_too_early() {
    let cache = |first: &str, second: &str| {
        format!(
            "byte host, open;
            proctype User() {{ if :: host == 1 -> assert(open == 1) :: else fi }}
            proctype Janitor() {{ {second} }}
            init {{ {first} run User(); run Janitor() }}"
        )
    };
    is_not_named(PROMELA, &cache("host = 1; open = 1;", "open = 0"), "use-before-ready");
    holds(PROMELA, &cache("host = 1; open = 1;", "skip"));
}
