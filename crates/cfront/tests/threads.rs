//! Programs with threads.

#[path = "support/run.rs"]
mod run;

use run::run;

fn program(text: &str) -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\nextern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);\n{text}"
    )
}

fn violations(text: &str) -> Vec<String> {
    let outcome = run(&program(text));
    assert_eq!(outcome.obstacles, Vec::<String>::new());
    assert!(!outcome.ends.is_empty() || !outcome.violations.is_empty());
    outcome.violations
}

/// Two threads that run `body` on the counter `x`, and what `main` asserts afterwards.
fn two(body: &str, check: &str) -> Vec<String> {
    violations(&format!(
        "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
         void *work(void *argument) {{ {body} return 0; }}
         int main(void) {{ pthread_t a, b; pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);
           pthread_join(a, 0); pthread_join(b, 0);
           assert({check}); return 0; }}"
    ))
}

#[test]
fn an_increment_is_a_load_and_a_store() {
    assert_eq!(two("x++;", "x == 2"), ["9: `assert(x == 2)` fails"]);
    assert_eq!(two("x++;", "x == 1 || x == 2"), Vec::<String>::new());
    assert_eq!(two("int t = x; x = t + 1;", "x == 2"), ["9: `assert(x == 2)` fails"]);
}

#[test]
fn locks_and_atomic_sections_prevent_it() {
    assert_eq!(two("pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);", "x == 2"), Vec::<String>::new());
    assert_eq!(
        two("__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();", "x == 2"),
        Vec::<String>::new()
    );
    assert_eq!(two("__sync_fetch_and_add(&x, 1);", "x == 2"), Vec::<String>::new());
    let tried = "if (pthread_mutex_trylock(&m) == 0) { x++; pthread_mutex_unlock(&m); }";
    assert_eq!(two(tried, "x == 2"), ["9: `assert(x == 2)` fails"]);
    assert_eq!(two(tried, "x == 1 || x == 2"), Vec::<String>::new());
}

#[test]
fn values_go_to_threads_and_back() {
    let found = violations(
        "void *twice(void *n) { return (void *)((long)n * 2); }
         int main(void) { pthread_t t; void *r; pthread_create(&t, 0, twice, (void *)21); pthread_join(t, &r);
           assert((long)r == 42); return 0; }",
    );
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn opposite_orders_of_locks_deadlock() {
    let with = |second: &str| {
        violations(&format!(
            "pthread_mutex_t a, b;
             void *one(void *u) {{ pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return 0; }}
             void *two(void *u) {{ {second} pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return 0; }}
             int main(void) {{ pthread_t s, t; pthread_create(&s, 0, one, 0); pthread_create(&t, 0, two, 0);
               pthread_join(s, 0); pthread_join(t, 0); return 0; }}"
        ))
    };
    assert_eq!(with("pthread_mutex_lock(&b); pthread_mutex_lock(&a);"), ["deadlock"]);
    assert_eq!(with("pthread_mutex_lock(&a); pthread_mutex_lock(&b);"), Vec::<String>::new());
    assert_eq!(
        violations(
            "pthread_mutex_t m; int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }"
        ),
        ["deadlock"]
    );
    let recursive = "pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
        int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&m); return 0; }";
    assert_eq!(violations(recursive), Vec::<String>::new());
}

#[test]
fn a_signal_before_the_wait_is_missed() {
    let with = |wait: &str| {
        violations(&format!(
            "int ready; pthread_mutex_t m; pthread_cond_t c;
             void *producer(void *u) {{ pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0; }}
             int main(void) {{ pthread_t t; pthread_create(&t, 0, producer, 0);
               pthread_mutex_lock(&m); {wait} assert(ready); pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }}"
        ))
    };
    assert_eq!(with("while (!ready) pthread_cond_wait(&c, &m);"), Vec::<String>::new());
    assert_eq!(with("pthread_cond_wait(&c, &m);"), ["deadlock"]);
}

#[test]
fn semaphores_count() {
    let found = violations(
        "sem_t s; int done; void *work(void *u) { done = 1; sem_post(&s); return 0; }
         int main(void) { sem_init(&s, 0, 0); pthread_t t; pthread_create(&t, 0, work, 0); sem_wait(&s); assert(done); return 0; }",
    );
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn steps_that_concern_nobody_else_are_not_interleaved() {
    let with = |count: u32| {
        let text = format!(
            "int x; void *work(void *u) {{ int i = 0; for (int n = 0; n < {count}; n++) i += n; x = i; return 0; }}
             int main(void) {{ pthread_t a, b; pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);
               pthread_join(a, 0); pthread_join(b, 0); return 0; }}"
        );
        run(&program(&text)).states
    };
    // Interleaved, the steps of the loops would make states by their product.
    let (few, many) = (with(4), with(8));
    assert!(many < 4 * few, "{few} states, then {many}");
}
