//! What of a failed assertion is true and what is not.

use cfront::{Narrator, Options};
use graph::{ConditionPart, Story, System, Worker, Worth, condition};

use crate::run;

/// The condition of the assertion in which the first trace of a program without choices fails.
fn failed(text: &str) -> Vec<ConditionPart> {
    let model = run::model(text, &Options::default(), None);
    let story = Narrator::new(&model);
    let mut worker = model.worker();
    let mut state = Vec::new();
    worker.initial(|initial| state = initial.to_vec());
    loop {
        let mut step = None;
        worker.steps(&state, |taken| {
            _ = step.get_or_insert((taken.event, taken.state.to_vec(), taken.violation));
        });
        let (event, next, violation) = step.expect("the program fails");
        let parts = story.condition(&state, event);
        if violation.is_some() {
            return parts;
        }
        assert_eq!(parts, [], "a step that does not fail has no condition");
        state = next;
    }
}

fn told(parts: &[ConditionPart]) -> Vec<String> {
    let one = |part: &ConditionPart| match &part.worth {
        Worth::Truth(truth) => format!("{} {truth}", part.text),
        Worth::Value(value) => format!("{} = {value}", part.text),
        Worth::Unasked => format!("{} ?", part.text),
    };
    parts.iter().rev().map(one).collect()
}

#[test]
fn conjuncts_and_comparisons_have_their_values() {
    let parts = failed(
        "#include <assert.h>
         struct pair { int a; unsigned char b; } s = { 1000000, 200 };
         int main(void) {
             int v[3] = { 3, 1, 2 }, i = 1;
             assert(s.a > 999999 && (v[i] >= v[i + 1] || s.b == 7) && v[0] != i / 0);
             return 0;
         }",
    );
    assert_eq!(
        told(&parts),
        [
            "s.a > 999999 && (v[i] >= v[i + 1] || s.b == 7) && v[0] != i / 0 false",
            "s.a > 999999 true",
            "s.a = 1000000",
            "v[i] >= v[i + 1] || s.b == 7 false",
            "v[i] >= v[i + 1] false",
            "v[i] = 1",
            "v[i + 1] = 2",
            "s.b == 7 false",
            "s.b = 200",
            "v[0] != i / 0 ?",
        ]
    );
    let because = condition::because(&parts);
    let expected = "`v[i] >= v[i + 1]` is false: v[i] is 1, v[i + 1] is 2; `s.b == 7` is false: s.b is 200";
    assert_eq!(because.as_deref(), Some(expected));
}

#[test]
fn pointers_are_not_told_as_numbers_and_sizes_are() {
    let parts = failed(
        "#include <assert.h>
         #include <stddef.h>
         int x;
         int main(void) {
             int *p = &x, *q = NULL;
             size_t n = 4, i = 4;
             assert(!(p == q) && (p != NULL) == (i < n));
             return 0;
         }",
    );
    assert_eq!(
        told(&parts),
        [
            "!(p == q) && (p != NULL) == (i < n) false",
            "!(p == q) true",
            "p == q false",
            "q = 0",
            "(p != NULL) == (i < n) false",
            "p != NULL = true",
            "NULL = 0",
            "i < n = false",
            "i = 4",
            "n = 4",
        ]
    );
}

/// Where the text is not put together as what it stands for, nothing is guessed.
#[test]
fn what_cannot_be_matched_stays_whole() {
    let parts = failed(
        "#include <assert.h>
         #define BOTH(a, b) a && b
         int f(int x) { return x + 1; }
         int main(void) {
             int a = 1, b = 0;
             assert(BOTH(a, b) && f(a) == 2);
             return 0;
         }",
    );
    assert_eq!(told(&parts), ["BOTH(a, b) && f(a) == 2 false"]);
    // What a call gave is known.
    let parts = failed(
        "#include <assert.h>
         int f(int x) { return x + 1; }
         int main(void) { int a = 1; assert(f(a) == 3); return 0; }",
    );
    assert_eq!(told(&parts), ["f(a) == 3 false", "f(a) = 2"]);
}

#[test]
fn an_error_that_is_only_reached_has_no_condition() {
    let parts = failed(
        "extern void reach_error(void);
         int main(void) { int a = 1; if (a) reach_error(); return 0; }",
    );
    assert_eq!(parts, []);
}
