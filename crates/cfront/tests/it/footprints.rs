//! What steps read and write, by name.

use cfront::{Narrator, Options};
use graph::{End, Footprint, Story, System, Worker};

use crate::run;

/// The footprints along the first trace of a program without choices, each behind the text of its step; at
/// the end what is asked for in vain, if anything is.
fn footprints(text: &str) -> Vec<(String, Footprint)> {
    let model = run::model(text, &Options::default(), None);
    let story = Narrator::new(&model);
    let mut worker = model.worker();
    let mut state = Vec::new();
    worker.initial(|initial| state = initial.to_vec());
    let mut told = Vec::new();
    loop {
        let mut step = None;
        worker.steps(&state, |taken| _ = step.get_or_insert((taken.event, taken.state.to_vec())));
        let Some((event, next)) = step else { break };
        told.push((story.event(event).deed.action, story.footprint(&state, event)));
        state = next;
    }
    if worker.end(&state) == End::Deadlock {
        told.push(("waits".to_owned(), story.wants(&state)));
    }
    told
}

fn of<'a>(told: &'a [(String, Footprint)], action: &str) -> &'a Footprint {
    let found = told.iter().find(|(text, _)| text.starts_with(action));
    &found.unwrap_or_else(|| panic!("no step {action}: {told:?}")).1
}

#[test]
fn elements_fields_and_what_pointers_lead_to_have_names() {
    let told = footprints(
        "#include <stdlib.h>
         struct pair { int a, b; } p;
         int v[3];
         int main(void) {
             int i = 2, *q = &p.b;
             v[i] = p.a;
             *q = v[1] + *q;
             int *h = malloc(sizeof(int));
             *h = i;
             if (i > 5 && p.a) return 1;
             return *h;
         }",
    );
    let set = of(&told, "v[i] = p.a");
    assert_eq!(
        (&set.reads[..], &set.writes[..]),
        (&["main.i".into(), "p.a".into()][..], &["v[2]".into()][..])
    );
    let through = of(&told, "*q =");
    assert_eq!(through.reads, ["main.q", "p.b", "v[1]"]);
    assert_eq!(through.writes, ["p.b"]);
    // What is not evaluated is not read.
    assert_eq!(of(&told, "if (i > 5").reads, ["main.i"]);
    let heap = of(&told, "return *h");
    assert!(heap.reads.iter().any(|name| name.starts_with("heap")), "{heap:?}");
}

#[test]
fn a_call_begins_variables_and_reads_what_it_hands_over() {
    let told = footprints("int f(int n) { return n + 1; } int main(void) { int x = 1; x = f(x); return x; }");
    let call = of(&told, "f(x)");
    assert_eq!(call.reads, ["main.x"]);
    assert_eq!(call.begins, ["f.n"]);
    let back = of(&told, "return n + 1");
    assert_eq!((&back.reads[..], &back.writes[..]), (&["f.n".into()][..], &["main.(result 0)".into()][..]));
    let set = of(&told, "x = f(x)");
    assert_eq!((&set.reads[..], &set.writes[..]), (&["main.(result 0)".into()][..], &["main.x".into()][..]));
}

#[test]
fn who_waits_asks_for_the_lock() {
    let told = footprints(
        "#include <pthread.h>
         pthread_mutex_t m;
         int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }",
    );
    let lock = of(&told, "pthread_mutex_lock(&m)");
    assert_eq!((&lock.reads[..], &lock.writes[..]), (&["m".into()][..], &["m".into()][..]));
    assert!(of(&told, "waits").reads.contains(&"m".to_owned()));
}
