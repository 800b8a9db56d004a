//! Small models and programs that are instances of a pattern, and near misses that are not: a wrong name is worse than none.
#![allow(clippy::unwrap_used)]

use serde_json::Value;
use wherefore::{Explainer, Language};

use crate::support::checked_json;

/// What the bug in a text is called.
fn name(language: Language, text: &str) -> Option<String> {
    report(language, text)["causes"]
        .as_array()
        .unwrap()
        .iter()
        .find_map(|cause| cause["pattern"].as_str())
        .map(str::to_owned)
}

fn report(language: Language, text: &str) -> Value {
    let file = if language == Language::C { "input.c" } else { "input.pml" };
    let explanation = Explainer::new().name(file).explain_source(language, text).unwrap();
    let report = checked_json(&explanation.to_json());
    assert_eq!(report["verdict"], "violated", "{text}");
    report
}

/// Each text with its name, or without one.
fn all_are_named(language: Language, cases: &[(&str, Option<&str>)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(text, expected)| {
            let found = name(language, text);
            (found.as_deref() != *expected).then(|| format!("{found:?} for {expected:?} in {text}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// A program with what it needs in front.
fn c(text: &str) -> String {
    let declared = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
                    extern unsigned __VERIFIER_nondet_uint(void);\nextern void __VERIFIER_assume(int);\n";
    format!("{declared}{text}")
}

#[test]
fn double_release() {
    let release = "
        static int disk_lock;
        static void acquire(void) { assert(disk_lock == 0); disk_lock = 1; }
        static void release(void) { assert(disk_lock == 1); disk_lock = 0; }
        int main(void) {
            int n = __VERIFIER_nondet_int();
            __VERIFIER_assume(n >= 0 && n <= 3);
            acquire();
            if (n == 2) release();
            release();
            return 0;
        }";
    let never_taken = "
        enum state { FREE, HELD };
        static enum state mutex;
        static void take(void) { assert(mutex == FREE); mutex = HELD; }
        static void give(void) { assert(mutex == HELD); mutex = FREE; }
        int main(void) {
            int want = __VERIFIER_nondet_int();
            __VERIFIER_assume(want == 0 || want == 1);
            if (want) take();
            give();
            return 0;
        }";
    let kept = "
        static int busy;
        static void begin(void) { assert(!busy); busy = 1; }
        static void finish(void) { assert(busy); busy = 0; }
        int main(void) {
            int error = __VERIFIER_nondet_int();
            __VERIFIER_assume(error == 0 || error == 1);
            begin();
            if (!error) finish();
            begin();
            finish();
            return 0;
        }";
    // A value that is checked and changed, but never given back.
    let once = "
        static int done;
        static void complete(void) { assert(done == 0); done = 1; }
        int main(void) {
            int twice = __VERIFIER_nondet_int();
            __VERIFIER_assume(twice == 0 || twice == 1);
            complete();
            if (twice) complete();
            return 0;
        }";
    // A lock that is only looked at.
    let looked_at = "
        static int lock;
        int main(void) {
            int n = __VERIFIER_nondet_int();
            __VERIFIER_assume(n >= 0 && n <= 1);
            lock = n;
            int copy = lock;
            assert(lock == 0);
            return copy;
        }";
    let misuse = ["double-release", "double-release", "leaked-lock"];
    for (text, expected) in [release, never_taken, kept].into_iter().zip(misuse) {
        assert_eq!(name(Language::C, &c(text)).as_deref(), Some(expected), "{text}");
    }
    for text in [once, looked_at] {
        let found = name(Language::C, &c(text));
        assert!(!matches!(found.as_deref(), Some("double-release" | "leaked-lock")), "{found:?}: {text}");
    }
    let model = "bit mutex;
        inline enter() { d_step { assert(mutex == 0); mutex = 1 } }
        inline leave() { d_step { assert(mutex == 1); mutex = 0 } }
        active proctype P() { enter(); if :: leave() :: skip fi; leave() }";
    all_are_named(Language::Promela, &[(model, Some("double-release"))]);
}

#[test]
fn lost_messages_and_choices_of_the_environment() {
    let lossy = "chan wire = [1] of { byte }; chan back = [1] of { byte };
        active proctype Client() { wire!1; back?2 }
        active proctype Server() { end: do :: wire?1 -> back!2 od }
        active proctype Thief() { end: do :: wire?_ :: break od }";
    let crash = "bool up = true; chan jobs = [1] of { bit }; chan done = [1] of { bit };
        active proctype Worker() { end: do :: up && nempty(jobs) -> jobs?1; done!1 od }
        active proctype Boss() { jobs!1; done?1 }
        active proctype Power() { if :: up = false :: skip fi }";
    // The thief is asked by somebody: it is no environment.
    let asked = "chan wire = [1] of { byte }; bool steal;
        active proctype Client() { steal = true; wire!1; !steal }
        active proctype Server() { end: do :: wire?1 od }
        active proctype Thief() { steal -> end: do :: wire?_ od }";
    // It deadlocks with and without the choice.
    let anyway = "bool up = true; chan c = [1] of { bit };
        active proctype P() { c?1 }
        active proctype Power() { if :: up = false :: skip fi }
        active proctype Q() { end: do :: up -> skip; break :: !up -> break od }";
    let named = |text: &str| name(Language::Promela, text);
    assert_eq!(named(lossy).as_deref(), Some("message-lost-or-overtaken"), "{lossy}");
    assert_eq!(named(crash).as_deref(), Some("unanswered-environment-choice"), "{crash}");
    for text in [asked, anyway] {
        let found = named(text);
        assert!(
            !matches!(found.as_deref(), Some("message-lost-or-overtaken" | "unanswered-environment-choice")),
            "{found:?}: {text}"
        );
    }
}

#[test]
fn stale_values() {
    let session = "byte user, rights, visits; bool in;
        active proctype Site() {
            do
            :: visits < 3 && !in -> visits++; d_step { user = 1; rights = 2; in = true }
            :: visits < 3 && !in -> visits++; d_step { user = 2; in = true }
            :: in -> assert(user == 1 || rights == 0); in = false
            :: visits == 3 && !in -> break
            od
        }";
    // All three are set anew.
    let renewed = "byte user, rights, visits; bool in;
        active proctype Site() {
            do
            :: visits < 3 && !in -> visits++; d_step { user = 1; rights = 2; in = true }
            :: visits < 3 && !in -> visits++; d_step { user = 2; rights = 0; in = true }
            :: in -> assert(user == 1); in = false
            :: visits == 3 && !in -> break
            od
        }";
    assert_ne!(name(Language::Promela, renewed).as_deref(), Some("stale-value"));
    assert_eq!(name(Language::Promela, session).as_deref(), Some("stale-value"));
}

#[test]
fn bounds() {
    let last = "
        static const int table[] = { 3, 5, 8, 9 };
        static int find(int key) {
            for (int i = 0; i < 3; i++)
                if (table[i] == key) return i;
            return -1;
        }
        int main(void) {
            int key = __VERIFIER_nondet_int();
            __VERIFIER_assume(key >= 0 && key <= 10);
            int known = key == 3 || key == 5 || key == 8 || key == 9;
            assert((find(key) >= 0) == known);
            return 0;
        }";
    // Equality decides here, but no change of that comparison helps.
    let right = "
        int main(void) {
            int sum = 0;
            int n = __VERIFIER_nondet_int();
            __VERIFIER_assume(n >= 0 && n <= 3);
            for (int i = 0; i < n; i++)
                sum += i * i;
            assert(sum < 5);
            return 0;
        }";
    let found = name(Language::C, &c(right));
    assert_ne!(found.as_deref(), Some("off-by-one"), "{right}");
    assert_eq!(name(Language::C, &c(last)).as_deref(), Some("off-by-one"), "{last}");
}

#[test]
fn wrapped_around() {
    let sum = "
        int main(void) {
            unsigned used = __VERIFIER_nondet_uint(), more = __VERIFIER_nondet_uint();
            __VERIFIER_assume(used <= 100);
            unsigned total = used + more;
            assert(total >= used);
            return 0;
        }";
    assert_eq!(name(Language::C, &c(sum)).as_deref(), Some("wrap-around"), "{sum}");
    // It wraps around as hashes do, and that is not why it fails.
    let hash = "
        int main(void) {
            unsigned h = __VERIFIER_nondet_uint();
            __VERIFIER_assume(h > 4000000000u);
            unsigned mixed = h * 31 + 7;
            int n = __VERIFIER_nondet_int();
            __VERIFIER_assume(n >= 0 && n < 3);
            assert(n != 2 || mixed == 1);
            return 0;
        }";
    assert_ne!(name(Language::C, &c(hash)).as_deref(), Some("wrap-around"), "{hash}");
}

#[test]
fn the_wrong_one_is_woken() {
    let barrier = "byte gate, here; byte mutex = 1;
        proctype T() { byte r;
            for (r : 1 .. 2) {
                atomic { mutex > 0 -> mutex-- }
                here++;
                if :: here == 2 -> here = 0; gate++; gate++ :: else fi;
                mutex++;
                atomic { gate > 0 -> gate-- }
            } }
        init { atomic { run T(); run T() } }";
    assert_eq!(name(Language::Promela, barrier).as_deref(), Some("wrong-notify"), "{barrier}");
    // Two units of a resource are wanted by each: nobody is woken wrongly.
    let pool = "byte units = 2;
        proctype P() { atomic { units > 0 -> units-- } atomic { units > 0 -> units-- } units++; units++ }
        init { atomic { run P(); run P() } }";
    assert_ne!(name(Language::Promela, pool).as_deref(), Some("wrong-notify"), "{pool}");
}

#[test]
fn told_before_it_is_done() {
    let early = "chan ready = [1] of { bit }; byte value;
        active proctype Maker() { ready!1; value = 7 }
        active proctype User() { ready?1; byte seen = value; assert(seen == 7) }";
    let right = "chan ready = [1] of { bit }; byte value;
        active proctype Maker() { value = 7; ready!1 }
        active proctype User() { ready?1; byte seen = value; assert(seen == 8) }";
    assert_eq!(name(Language::Promela, early).as_deref(), Some("use-before-ready"), "{early}");
    assert_eq!(name(Language::Promela, right), None, "{right}");
}

/// What an endless counterexample to a formula is called.
fn name_of_loop(text: &str) -> Option<String> {
    let explainer = Explainer::new().name("input.pml").property("goal");
    let explanation = explainer.explain_source(Language::Promela, text).unwrap();
    let report = checked_json(&explanation.to_json());
    assert_eq!(report["verdict"], "violated", "{text}");
    let causes = report["causes"].as_array().unwrap();
    causes.iter().find_map(|cause| cause["pattern"].as_str()).map(str::to_owned)
}

#[test]
fn starvation() {
    // The lock is free at times, but always taken again by the others.
    let starved = "bool busy; bool served;
        active proctype Greedy() { do :: atomic { !busy -> busy = true }; busy = false od }
        active proctype Poor() { atomic { !busy -> busy = true }; served = true; busy = false }
        ltl goal { <> served }";
    assert_eq!(name_of_loop(starved).as_deref(), Some("starvation"), "{starved}");
    // It waits for what nobody ever does: it is blocked, and nobody passes it over.
    let blocked = "bool granted; bool served; bit x;
        active proctype Busy() { do :: x = 1 - x od }
        active proctype Waiter() { granted; served = true }
        ltl goal { <> served }";
    assert_eq!(name_of_loop(blocked), None, "{blocked}");
    // Nobody is passed over: the only process does something else.
    let alone = "bool served; bit x;
        active proctype P() { do :: x = 1 - x :: served = true; break od; do :: x = 1 - x od }
        ltl goal { <> served }";
    assert_eq!(name_of_loop(alone), None, "{alone}");
}
