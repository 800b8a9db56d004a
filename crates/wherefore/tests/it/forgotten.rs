//! What the text itself shows to be forgotten is found, told as a cause, and verified; known runs judge changes.
#![allow(clippy::unwrap_used)]

use serde_json::Value;

use crate::support::library;

/// The report on a text.
fn report(file: &str, text: &str, options: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(file), text).unwrap();
    library::report(folder.path(), &[&["explain", file], options].concat())
}

/// The first cause: its kind, its sentence, and its line.
fn first_cause(report: &Value) -> (&str, &str, u64) {
    let cause = &report["causes"][0];
    let line = cause["locations"][0]["line"].as_u64().unwrap();
    (cause["kind"].as_str().unwrap(), cause["summary"].as_str().unwrap(), line)
}

/// A caller that dials again when nobody answers, and gives up when it has dialled three times for one call.
const DIALLER: &str = "mtype = { ring, answer };
chan line = [1] of { mtype };
chan back = [1] of { mtype };
byte dialled = 0, calls = 0;
bool gave_up;
active proctype Caller() {
    do
    :: calls < 2 ->
        line!ring;
        dialled++;
        do
        :: back?answer -> calls++; break
        :: timeout ->
            if
            :: dialled < 3 -> line!ring; dialled++
            :: else -> gave_up = true; goto done
            fi
        od
    :: else -> break
    od;
done: skip
}
active proctype Exchange() {
    byte missed;
end: do
    :: line?ring ->
        if
        :: missed < 1 -> missed++
        :: true -> missed = 0; back!answer
        fi
    od
}
ltl patient { [] !gave_up }
ltl bounded { [] (dialled <= 3) }
ltl served { <> (calls == 2) }
";

#[test]
fn a_count_that_is_never_reset_is_the_cause() {
    let report = report("dialler.pml", DIALLER, &[]);
    let (kind, summary, line) = first_cause(&report);
    assert!(kind == "may-be-wrong" || kind == "pattern", "{kind}: {summary}");
    assert!(summary.contains("dialled"), "{line}: {summary}");
    let patch = report["repairs"][0]["patch"].as_str().unwrap();
    assert!(patch.contains("dialled = 0"), "{patch}");
}

/// A server that answers each request once, behind a link that loses one answer.
const SERVER: &str = "chan ask = [1] of { byte };
chan sent = [1] of { byte };
chan answer = [1] of { byte };
bool waiting;
active proctype Client() {
    byte got;
    waiting = true;
    ask!1;
    do
    :: answer?got -> break
    :: timeout -> ask!1
    od;
    waiting = false
}
active proctype Link() {
    byte id, lost;
end: do
    :: sent?id ->
        if
        :: answer!id
        :: lost < 1 -> lost++
        fi
    od
}
active proctype Server() {
    byte id, seen;
end: do
    :: ask?id ->
        if
        :: id > seen -> seen = id; sent!id
        :: id == seen -> skip
        :: else
        fi
    od
}
ltl served { [] (waiting -> <> !waiting) }
";

#[test]
fn an_answer_that_one_branch_forgets_is_the_cause_although_more_is_promised_then() {
    let report = report("server.pml", SERVER, &[]);
    let (_, summary, line) = first_cause(&report);
    assert!(summary.contains("sent!id") && line == 31, "{line}: {summary}");
    // With it `waiting` ends whether anybody waits or not, which makes the formula no less met.
    let repair = &report["repairs"][0];
    assert!(repair["patch"].as_str().unwrap().contains("id == seen"), "{repair}");
}

const FALLS_THROUGH: &str = "#include <assert.h>
static int tag(char c)
{
    int t = 0;
    switch (c) {
    case 'a':
        t = 1;
        break;
    case 'b':
        t = 2;
    case 'c':
        t = 3;
        break;
    }
    return t;
}
int main(void)
{
    assert(tag('a') == 1);
    assert(tag('b') == 2);
    return 0;
}
";

#[test]
fn a_break_that_all_other_cases_have_is_the_cause() {
    let report = report("tag.c", FALLS_THROUGH, &[]);
    let (_, summary, line) = first_cause(&report);
    assert!(summary.starts_with("`break` may be missing") && line == 10, "{line}: {summary}");
}

#[test]
fn a_variable_that_nothing_sets_is_set() {
    let text = "byte served[2];
active proctype Scheduler() {
    byte last, pick, turn;
    do
    :: turn < 4 -> pick = (last + 1) % 2; served[pick]++; turn++
    :: else -> break
    od;
    assert(served[0] == served[1])
}
";
    let report = report("turns.pml", text, &[]);
    let patch = report["repairs"][0]["patch"].as_str().unwrap();
    assert!(patch.contains("last = pick"), "{patch}");
}

/// Wrong above the limits only: a change that mends that may break what is right below them.
const LIMITS: &str = "int nondet_int(void);
void reach_error(void);
static int limited(int v, int low, int high)
{
    if (v < low)
        return low;
    if (v > high)
        return low;
    return v;
}
int main(void)
{
    int v = nondet_int();
    int r = limited(v, 10, 20);
    if (v == 25 && r != 20)
        reach_error();
    if (v == 3 && r != 10)
        reach_error();
    if (v == 15 && r != 15)
        reach_error();
    return 0;
}
";

#[test]
fn what_is_known_to_pass_goes_on_to() {
    let lines = |known: &[&str]| -> Vec<u64> {
        let report = report("limits.c", LIMITS, &[&["--inputs", "25"], known].concat());
        let repairs = report["repairs"].as_array().unwrap().iter();
        repairs.map(|repair| repair["location"]["line"].as_u64().unwrap()).collect()
    };
    // The one run that is looked at passes if the limits are exchanged where they are handed over; others do not.
    assert_eq!(lines(&[]), [8, 14]);
    assert_eq!(lines(&["--passing", "3", "--passing", "15"]), [8]);
}

/// A parser that begins again when a new frame starts inside of another one.
const PARSER: &str = "#include <assert.h>
struct parser { int in_frame; int sum; int length; int good; int bad; };
static void begin(struct parser *p) {
    p->sum = 0;
    p->length = 0;
    p->in_frame = 1;
}
static void end(struct parser *p, int check) {
    if (p->sum == check)
        p->good++;
    else
        p->bad++;
    p->sum = 0;
    p->length = 0;
    p->in_frame = 0;
}
static void feed(struct parser *p, int c) {
    if (c == 1) {
        if (p->in_frame) {
            p->length = 0;
            return;
        }
        begin(p);
    } else if (c == 2) {
        end(p, 7);
    } else if (p->in_frame) {
        p->sum += c;
        p->length++;
    }
}
int main(void) {
    static const int stream[7] = { 1, 3, 1, 3, 4, 2, 0 };
    struct parser p = { 0, 0, 0, 0, 0 };
    for (int i = 0; stream[i]; i++)
        feed(&p, stream[i]);
    assert(p.good == 1);
    return 0;
}
";

#[test]
fn what_is_reset_together_elsewhere_is_reset_here() {
    let report = report("parser.c", PARSER, &[]);
    let (kind, summary, line) = first_cause(&report);
    assert_eq!((kind, line), ("may-be-wrong", 20), "{summary}");
    assert!(summary.starts_with("`p->sum = 0` may be missing"), "{summary}");
    assert_eq!(report["repairs"][0]["doubt"], Value::Null);
}

#[test]
fn a_change_that_nothing_speaks_for_is_not_shown() {
    // Of many changes that make the assertion hold, nothing tells which one is right: no trace passes.
    let text = "#include <assert.h>
static int leap(int year) { return year % 4 == 0; }
static int days(int year) { return leap(year) ? 366 : 365; }
int main(void) {
    int sum = 0;
    for (int year = 2099; year < 2101; year++)
        sum += days(year);
    assert(sum == 730);
    return 0;
}
";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("dates.c"), text).unwrap();
    let told = crate::support::stdout(&crate::support::run(folder.path(), &["dates.c"]));
    assert!(told.contains("but no trace passes that could tell which one is right"), "{told}");
    assert!(!told.contains("\ntry "), "{told}");
    let report = report("dates.c", text, &[]);
    assert!(report["repairs"].as_array().unwrap().iter().all(|found| found["doubt"] == "nothing-passes"));
}

#[test]
fn the_row_of_a_missing_assignment_is_the_one_that_mattered() {
    // A frame that is whole comes after the bad one, and restarts as well.
    let stream = "static const int stream[12] = { 1, 3, 1, 3, 4, 2, 1, 1, 7, 2, 0, 0 };";
    let text = PARSER.replace("static const int stream[7] = { 1, 3, 1, 3, 4, 2, 0 };", stream);
    let report = report("parser.c", &text.replace("p.good == 1", "p.bad == 0"), &[]);
    assert_eq!(first_cause(&report).2, 20);
    let steps = report["counterexample"]["steps"].as_array().unwrap();
    let there = |step: &&Value| step["location"]["line"] == 20;
    let kept: Vec<&Value> = steps.iter().filter(there).filter(|step| step["kept"] == true).collect();
    assert_eq!(kept.len(), 1, "{kept:#?}");
    assert_eq!(kept[0]["n"], steps.iter().find(there).unwrap()["n"], "the first restart of two");
}

#[test]
fn a_lock_that_is_never_given_back_may_be_there_at_the_end() {
    // Every proper end is one after which the room is taken: a right repair changes all of them.
    let text = "chan room = [1] of { bit }; chan mutex = [1] of { bit };
byte readers;
proctype Reader() {
    mutex?1;
    readers++;
    if
    :: readers == 1 -> room?1
    :: else
    fi;
    mutex!1;
    mutex?1;
    if
    :: readers == 0 -> room!1
    :: else
    fi;
    readers--;
    mutex!1
}
active proctype Writer() { room?1; room!1 }
init { room!1; mutex!1; run Reader() }
";
    let report = report("rooms.pml", text, &[]);
    assert_eq!(report["counterexample"]["kind"], "deadlock");
    let lines = report["repairs"].as_array().unwrap().iter();
    let lines: Vec<(&Value, &Value)> =
        lines.map(|found| (&found["location"]["line"], &found["doubt"])).collect();
    assert!(lines.iter().any(|(line, doubt)| **line == 14 && doubt.is_null()), "{lines:?}");
}
