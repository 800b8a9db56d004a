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

/// The pointer that is followed was copied from one that dangled before.
const COPIED_LATER: &str = "#include <stdlib.h>
struct node { struct node *next; int value; };
int main(void) {
    struct node *first = malloc(sizeof *first);
    struct node *second = malloc(sizeof *second);
    first->next = second;
    second->next = 0;
    second->value = 2;
    free(second);
    struct node *at = first->next;
    return at->value;
}
";

#[test]
fn to_copy_a_dangling_pointer_frees_nothing() {
    let text = explained(Language::C, COPIED_LATER).to_text(Detail::Normal);
    assert!(
        !text.contains("first->next` in line 10 frees") && !text.contains("at->value` in line 11 frees"),
        "{text}"
    );
    assert!(text.contains("`free(second)` in line 9 frees"), "{text}");
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

/// A report of the program on a text in a file of its own, with its exit status.
fn asked(file: &str, text: &str, arguments: &[&str]) -> (String, Option<i32>) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join(file), text).expect("written");
    let output = super::support::run(folder.path(), &[&[file], arguments].concat());
    (super::support::stdout(&output), output.status.code())
}

#[test]
fn no_property_holds_because_a_fault_comes_first() {
    let text = "#include <assert.h>\nint main(void) {\n    int *p = 0;\n    *p = 0;\n    assert(0);\n    return 0;\n}\n";
    for engine in ["explicit", "sat"] {
        for property in ["assertion", "5", "deadlock"] {
            let (told, code) = asked("f.c", text, &["-p", property, "--engine", engine]);
            assert_eq!(code, Some(3), "{engine} {property}: {told}");
            let words: Vec<&str> = told.split_whitespace().collect();
            let words = words.join(" ");
            assert!(words.contains("runs end before") && words.contains("f.c:4"), "{words}");
        }
        let (told, code) = asked("f.c", text, &["-p", "fault", "--engine", engine]);
        assert_eq!(code, Some(1), "{told}");
        let fine = text.replace("*p = 0;", "p = 0;").replace("assert(0)", "assert(p == 0)");
        assert_eq!(asked("f.c", &fine, &["-p", "assertion", "--engine", engine]).1, Some(0));
    }
}

#[test]
fn no_bound_stands_beside_a_run_that_goes_round_more_often() {
    let text = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n    \
                int x = __VERIFIER_nondet_int(), n = 0;\n    for (int i = 0; i < 3; i++)\n        if (x == 77) n++;\n    \
                assert(n != 3);\n    return 0;\n}\n";
    let (told, _) = asked("l.c", text, &["--engine", "sat", "-f", "json"]);
    let report: Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!((&report["verdict"], &report["bound"]), (&"violated".into(), &Value::Null));
    let (told, _) = asked("l.c", text, &["--engine", "sat", "-m", "neighbourhoods"]);
    assert!(!told.contains("unwound"), "{told}");
}

const NEVER_DECIDED: &str = "
bool asked, served;
active proctype P() { do :: asked = true :: asked -> served = true; served = false; asked = false od }
ltl answered { [] (asked -> <> served) }
";

#[test]
fn a_way_to_a_loop_is_no_way_to_a_point_of_no_return() {
    let explanation = explained(Language::Promela, NEVER_DECIDED);
    let report = json(&explanation);
    let found = &report["counterexample"];
    let steps = found["steps"].as_array().expect("steps");
    assert!(!found["loop_start"].is_null() && steps.iter().all(|step| step["point_of_no_return"] == false));
    let chosen = found["chosen"].as_str().expect("words");
    assert!(chosen.contains("loop") && !chosen.contains("point of no return"), "{chosen}");
}

/// Whoever goes on by chance fails sooner or later, but need not.
const BY_CHANCE: &str = "
byte n;
active proctype P() { do :: n = 1 - n :: n == 1 -> break od; assert(false) }
";

#[test]
fn what_can_still_pass_is_not_certain_to_fail() {
    let explanation = explained(Language::Promela, BY_CHANCE);
    let report = json(&explanation);
    let steps = report["counterexample"]["steps"].as_array().expect("steps");
    let doom = report["doom"].as_array().expect("chances");
    let is_free_and_certain = |n: usize| doom[n] == 1.0 && n > 0 && steps[n - 1]["fate"] == "free";
    assert!((0..doom.len()).any(is_free_and_certain), "{doom:?}");
    let text = explanation.to_text(Detail::Verbose);
    let chances = text.split("chance to fail").nth(1).expect("chances are told");
    let told = chances.split("\n\n").next().unwrap_or_default();
    for part in told.split(',').filter(|part| part.contains("100 %")) {
        let step = part.split("after step ").nth(1).and_then(|rest| rest.split_whitespace().next());
        let n: usize = step.and_then(|step| step.parse().ok()).expect("a step");
        assert_eq!(steps[n - 1]["fate"], "doomed", "{told}");
    }
    assert!(told.contains('%') || told.contains("certain"), "{told}");
}

#[test]
fn text_json_and_page_count_the_same_steps() {
    for input in ["promela/capture.pml", "promela/counter.pml", "c/bank_account.c", "c/stack_machine.c"] {
        let path = super::support::workspace().join("examples").join(input);
        let folder = path.parent().expect("a folder");
        let explainer = Explainer::new().include(folder);
        let language = if input.ends_with(".c") { Language::C } else { Language::Promela };
        let text = std::fs::read_to_string(&path).expect("a file");
        let explanation = explainer.explain_source(language, &text).expect("an explanation");
        let report = json(&explanation);
        let steps = report["counterexample"]["steps"].as_array().expect("steps");
        let kept: Vec<&Value> =
            steps.iter().filter(|step| step["kept"] == true).map(|step| &step["n"]).collect();
        let told = explanation.to_text(Detail::Verbose);
        let counted = told.split(" steps, of which ").nth(1).and_then(|rest| rest.split_whitespace().next());
        assert_eq!(counted, Some(kept.len().to_string().as_str()), "{input}: {told}");
        let page = explanation.to_html(|_| None).expect("a page");
        let list = page.split("\"matter\":[").nth(1).and_then(|rest| rest.split(']').next());
        let list = list.expect("the page counts steps");
        assert_eq!(list.split(',').count(), kept.len(), "{input}: {list}");
        let loops = report["violations"].as_array().expect("violations").len();
        assert_eq!(report["others"].as_array().map_or(0, Vec::len) + 1, loops, "{input}");
    }
}

#[test]
fn a_statement_that_is_mostly_harmless_is_said_to_be() {
    let mut seen = 0;
    for input in ["capture", "planner", "counter", "time_partition"] {
        let path = super::support::workspace().join(format!("examples/promela/{input}.pml"));
        let text = std::fs::read_to_string(path).expect("a file");
        let report = json(&explained(Language::Promela, &text));
        for claim in claims(&report).into_iter().filter(|claim| claim["says"]["kind"] == "crossing") {
            let says = &claim["says"];
            let (crosses, harmless) =
                (says["crosses"].as_u64().unwrap_or(0), says["harmless"].as_u64().unwrap_or(0));
            let told = claim["claim"].as_str().expect("a sentence");
            let cases = format!("in {crosses} of {}", crosses + harmless);
            assert!(harmless == 0 || told.contains(&cases), "{told}");
            seen += usize::from(harmless > 0);
        }
    }
    assert!(seen > 0, "some statement of these is harmless at times");
}

#[test]
fn the_page_knows_what_the_text_knows_of_a_formula() {
    let explanation = explained(Language::Promela, NEVER_DECIDED);
    let report = json(&explanation);
    let parts = report["evaluation"]["parts"].as_array().expect("parts");
    let length = report["counterexample"]["length"].as_u64().expect("a number");
    for part in parts {
        let values = part["values"].as_str().expect("letters");
        assert_eq!(values.len() as u64, length + 1);
        assert!(values.chars().all(|value| value == 'T' || value == 'F'), "{part}");
        let page = explanation.to_html(|_| None).expect("a page");
        assert!(page.contains(&format!("\"values\":\"{values}\"")), "{part}");
    }
}

/// Whoever updates `x` last finds 1, so every trace fails: in a deadlock or in one of two assertions.
const ALL_FAIL: &str = "
byte x = 1;
proctype A() { (x == 1) -> x = x + 1; assert(x == 2) }
proctype B() { (x == 1) -> x = x - 1; assert(x == 0) }
init { run A(); run B() }
";

#[test]
fn nothing_is_said_of_passing_variations_where_no_trace_passes() {
    let explanation = explained(Language::Promela, ALL_FAIL);
    let report = json(&explanation);
    assert_eq!((&report["fates"]["safe"], &report["fates"]["free"]), (&0.into(), &0.into()));
    for claim in claims(&report) {
        let text = claim["claim"].as_str().unwrap_or_default();
        assert!(!text.contains("passing variation") && !text.contains("no passing one"), "{text}");
    }
}

/// The deadlock is a missed signal; the assertion is a test and an update in two steps. Each alone can be mended.
const TWO_BUGS: &str = "
byte x;
bool done;
active [2] proctype P() { (x < 1) -> x++; assert(x <= 1) }
active proctype Q() { done = true; done = false }
active proctype R() { done }
";

#[test]
fn the_same_cause_is_the_cause_of_both() {
    let text = explained(Language::Promela, TWO_BUGS).to_text(Detail::Normal);
    assert!(text.contains("also:"), "{text}");
    assert!(!text.contains("same cause"), "each is left when the other one is mended: {text}");
}

/// With 1 either assertion fails, with 2 only the first one: who keeps 1 away keeps one of them away.
const ONE_WAY: &str = "byte s;
active proctype P() {
    if
    :: s = 1
    :: s = 2
    :: goto done
    fi;
    if
    :: assert(s == 0)
    :: s == 1 -> assert(s != 1)
    fi;
done: skip
}
";

#[test]
fn who_tests_the_same_cause_asks_in_both_directions() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("m.pml"), ONE_WAY).expect("written");
    crate::support::run(folder.path(), &["m.pml", "-f", "json", "-o", "r.json"]);
    let report = std::fs::read_to_string(folder.path().join("r.json")).expect("a report");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["others"][0]["same_cause"], false, "{report:#}");
    let tested = crate::support::run(folder.path(), &["verify", "r.json"]);
    assert_ne!(tested.status.code(), Some(1), "{}", crate::support::stdout(&tested));
}

#[test]
fn a_race_is_not_said_to_be_late() {
    let text = "#include <pthread.h>\nint data;\nvoid *f(void *a) { data = 1; return 0; }\nint main(void) {\n    pthread_t t;\n    \
                pthread_create(&t, 0, f, 0);\n    data = 2;\n    pthread_join(t, 0);\n    return 0;\n}\n";
    let explanation =
        Explainer::new().property("race").explain_source(Language::C, text).expect("an explanation");
    let report = json(&explanation);
    assert_eq!(report["verdict"], "violated");
    for claim in claims(&report) {
        let text = claim["claim"].as_str().unwrap_or_default();
        assert!(!text.contains("too late"), "{text}");
    }
}

/// The flag is set after the turn is given away, so both get in.
const LATE_FLAG: &str = "
bool want[2]; byte turn, inside;
active [2] proctype P() {
    do
    :: turn = 1 - _pid; want[_pid] = true; !want[1 - _pid] || turn == _pid;
        inside++; inside--; want[_pid] = false
    od
}
ltl exclusive { [] (inside < 2) }
ltl never_both { !<> (inside == 2) }
";

#[test]
fn a_formula_about_single_states_is_explained_like_an_assertion() {
    for property in ["exclusive", "never_both"] {
        let explanation = Explainer::new()
            .property(property)
            .explain_source(Language::Promela, LATE_FLAG)
            .expect("an explanation");
        let report = json(&explanation);
        let trace = &report["counterexample"];
        assert!(trace["loop_start"].is_null(), "no loop is needed to violate it");
        let text = trace["text"].as_str().expect("a text");
        assert!(text.contains("violated after step 8") && text.contains("inside"), "{text}");
        let steps = trace["steps"].as_array().expect("steps");
        assert_eq!(
            steps.last().expect("a step")["changes"]["inside"][1],
            "2",
            "the step that breaks it has an effect"
        );
        for method in ["neighbourhoods", "anomalies", "correct_transitions", "variations"] {
            assert!(
                report["methods"][method]["skipped"].is_null(),
                "{method}: {}",
                report["methods"][method]
            );
        }
        let told = explanation.to_text(Detail::Verbose);
        let definition = told.find("\npassing: ").expect("what passing means");
        assert!(!told[..definition].contains("runs forever"), "{told}");
        let kept = steps.iter().filter(|step| step["kept"] == true).count();
        assert!(kept > 1, "one step tells nothing");
    }
}

#[test]
fn a_state_that_breaks_a_formula_at_once_has_no_steps_to_explain() {
    let text = "byte x = 3; active proctype P() { x = 1 } ltl small { [] (x < 3) }";
    let report = json(&explained(Language::Promela, text));
    assert_eq!((&report["verdict"], &report["counterexample"]["kind"]), (&"violated".into(), &"ltl".into()));
}
