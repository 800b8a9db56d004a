//! Sentences that were printed once and were false, each with an input that made the program print it. What is tested is
//! the class of the sentence: what it may be made of.

use serde_json::Value;
use wherefore::{Detail, Explainer, Explanation, Language, Method};

fn explained(language: Language, text: &str) -> Explanation {
    Explainer::new().explain_source(language, text).expect("an explanation")
}

fn json(explanation: &Explanation) -> Value {
    serde_json::from_str(&explanation.to_json()).expect("JSON")
}

/// All causes, with what else speaks for them.
fn claims(report: &Value) -> Vec<&Value> {
    let causes = report["causes"].as_array().expect("causes");
    let evidence = causes.iter().flat_map(|cause| cause["evidence"].as_array().into_iter().flatten());
    causes.iter().chain(evidence).collect()
}

/// Two threads read, compute in a local variable, and write back.
const LOCAL_STEP: &str = "
#include <pthread.h>
#include <assert.h>
int x;
void *inc(void *a) {
    int t = x;
    int u = t + 1;
    x = u;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, inc, 0);
    pthread_create(&b, 0, inc, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    return 0;
}
";

#[test]
fn a_local_step_that_is_always_taken_early_is_no_part_of_an_order() {
    let report = json(&explained(Language::C, LOCAL_STEP));
    let is_order =
        |text: &str| text.contains("no other step could run") || text.contains("no passing trace does this");
    for text in
        claims(&report).iter().filter_map(|claim| claim["claim"].as_str()).filter(|text| is_order(text))
    {
        assert!(!text.contains("int u = t + 1"), "the two made atomic still fail: {text}");
    }
    let atomic = LOCAL_STEP.replace(
        "int u = t + 1;\n    x = u;",
        "int u; __VERIFIER_atomic_begin(); u = t + 1; x = u; __VERIFIER_atomic_end();",
    );
    assert_eq!(
        json(&explained(Language::C, &atomic))["verdict"],
        "violated",
        "what the claim would have said holds"
    );
}

const FREED_LATER: &str = "
#include <stdlib.h>
int *table[2];
void put(int i) { table[i] = malloc(sizeof(int)); if (!table[i]) exit(0); *table[i] = i; }
int main(void) {
    put(0);
    put(1);
    free(table[0]);
    return *table[0];
}
";

#[test]
fn a_pointer_is_not_dangling_before_what_it_points_to_is_freed() {
    let explanation = explained(Language::C, FREED_LATER);
    let report = json(&explanation);
    let steps = report["counterexample"]["steps"].as_array().expect("steps");
    let freed =
        steps.iter().find(|step| step["action"].as_str().is_some_and(|action| action.starts_with("free")));
    let freed = freed.expect("it is freed")["n"].as_u64().expect("a number");
    let text = explanation.to_text(Detail::Verbose);
    for since in text.split("dangling since step ").skip(1) {
        let digits: String = since.chars().take_while(char::is_ascii_digit).collect();
        assert!(digits.parse::<u64>().expect("a number") >= freed, "{text}");
    }
}

/// One source line, which a generator wrote as two.
const ONE_LINE_TWICE: &str = "
# 10 \"orig.c\"
int main(void) {
    int a = __VERIFIER_nondet_bool();
    int b = a ? 1 : 2;
# 13 \"orig.c\"
    if (a) b += 3;
# 13 \"orig.c\"
    if (b == 4) reach_error();
    return 0;
}
";

#[test]
fn a_source_line_is_one_cause_however_often_it_is_marked() {
    let report = json(&explained(Language::C, ONE_LINE_TWICE));
    let mut places: Vec<String> = Vec::new();
    for cause in report["causes"].as_array().expect("causes") {
        let at = &cause["locations"][0];
        places.push(format!("{}:{}", at["file"], at["line"]));
    }
    let mut once = places.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), places.len(), "{places:?}");
}

/// A deadlock that nothing avoids, and steps that pass a check once before it.
const DOOMED: &str = "
byte turn;
active [2] proctype P() {
    do
    :: turn < 4 -> turn++; assert(turn != 4)
    :: turn > 9 -> break
    od
}
";

#[test]
fn where_no_trace_passes_none_is_said_to_pass() {
    let explanation = explained(Language::Promela, DOOMED);
    let report = json(&explanation);
    assert_eq!(report["fates"]["safe"], 0, "no state of this model is safe");
    let text = explanation.to_text(Detail::Verbose);
    let claimed = text.replace("a forward search for a passing trace", "");
    assert!(!claimed.contains("a passing trace"), "{text}");
    assert!(text.contains("a passing variation"), "a trace that passes the check once is called so: {text}");
}

#[test]
fn a_diagnosis_without_sets_does_not_say_that_nothing_could_help() {
    // Whatever is assigned to `a`, the assertion about `b` fails; a call of `set` is missing.
    let text = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint a, b;\n\
                void set(int x) { b = x; }\nint main(void) {\n    int x = __VERIFIER_nondet_int();\n    \
                if (x != 3) return 0;\n    a = x;\n    assert(b == 3);\n    return 0;\n}\n";
    let explanation = Explainer::new()
        .methods([Method::Diagnosis])
        .explain_source(Language::C, text)
        .expect("an explanation");
    let told = explanation.to_text(Detail::Verbose);
    assert!(!told.contains("0 smallest sets"), "{told}");
}
