//! Programs with threads.

use crate::run;
use crate::run::run;

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

/// Blocked in the middle of an atomic sequence, a thread lets others move; once it moves again, nobody does until the
/// sequence ends.
#[test]
fn a_thread_that_waits_in_an_atomic_section_stays_atomic() {
    let three = |acquire: &str| {
        violations(&format!(
            "int m, in; extern void __VERIFIER_assume(int);
             void __VERIFIER_atomic_acquire(void) {{ {acquire} }}
             void __VERIFIER_atomic_release(void) {{ m = 0; }}
             void *work(void *a) {{ __VERIFIER_atomic_acquire(); in++; assert(in == 1); in--;
               __VERIFIER_atomic_release(); return 0; }}
             int main(void) {{ pthread_t a, b; pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);
               work(0); return 0; }}"
        ))
    };
    assert_eq!(three("__VERIFIER_assume(m == 0); m = 1;"), Vec::<String>::new());
    assert_eq!(three("m = 1;"), ["8: `assert(in == 1)` fails"], "nothing keeps them apart");
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

#[test]
fn what_is_done_once_is_done_once_and_waited_for() {
    let found = violations(
        "pthread_once_t once = PTHREAD_ONCE_INIT; int made, ready;
         void make(void) { made++; ready = 1; }
         void *work(void *u) { pthread_once(&once, make); assert(ready == 1); return 0; }
         int main(void) { pthread_t a; pthread_create(&a, 0, work, 0); work(0); pthread_join(a, 0);
           assert(made == 1); return 0; }",
    );
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn a_barrier_holds_all_until_the_last_has_come() {
    let with = |count: u32| {
        violations(&format!(
            "pthread_barrier_t b; int come[2], last;
             void *work(void *n) {{ come[(long)n] = 1; int r = pthread_barrier_wait(&b); assert(come[0] && come[1]);
               if (r == PTHREAD_BARRIER_SERIAL_THREAD) last++;
               pthread_barrier_wait(&b); assert(last == 1); return 0; }}
             int main(void) {{ pthread_t a; pthread_barrier_init(&b, 0, {count}); pthread_create(&a, 0, work, (void *)1);
               work((void *)0); pthread_join(a, 0); return 0; }}"
        ))
    };
    assert_eq!(with(2), Vec::<String>::new());
    assert_eq!(with(3), ["deadlock"]);
}

#[test]
fn locks_for_reading_and_writing_can_be_tried() {
    let found = violations(
        "pthread_rwlock_t l; int main(void) {
           assert(pthread_rwlock_tryrdlock(&l) == 0); assert(pthread_rwlock_tryrdlock(&l) == 0);
           assert(pthread_rwlock_trywrlock(&l) != 0); pthread_rwlock_unlock(&l); pthread_rwlock_unlock(&l);
           assert(pthread_rwlock_trywrlock(&l) == 0); assert(pthread_rwlock_tryrdlock(&l) != 0); return 0; }",
    );
    assert_eq!(found, Vec::<String>::new());
}

/// The lines of data races in a program in which two threads run `body`.
fn races(body: &str) -> Vec<String> {
    let text = program(&format!(
        "#include <stdatomic.h>
#include <string.h>
int x, y; atomic_int z; struct {{ int a, b; }} s; char t[4]; pthread_mutex_t m;
void *work(void *argument) {{ int me = argument != 0; (void)me; {body} return 0; }}
int main(void) {{ pthread_t a; x = 1; pthread_create(&a, 0, work, &x); work(0); pthread_join(a, 0); return x; }}"
    ));
    let options = cfront::Options { races: true, ..cfront::Options::default() };
    let outcome = run::explored(&run::model(&text, &options, None));
    assert_eq!(outcome.obstacles, Vec::<String>::new());
    outcome.violations
}

#[test]
fn races_are_found_where_nothing_says_who_comes_first() {
    let none = Vec::<String>::new();
    assert_eq!(races("x = 2;"), ["8: data race in `x = 2`"]);
    assert_eq!(races("y = x;"), ["8: data race in `y = x`"]);
    assert_eq!(races("if (me) x = 2; else y = x;"), ["8: data race in `x = 2`", "8: data race in `y = x`"]);
    assert_eq!(races("memset(t, me, 4);"), ["8: data race in `memset(t, me, 4)`"]);
    assert_eq!(races("return (void *)(long)x;"), none);
    assert_eq!(races("pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"), none);
    assert_eq!(races("z++; int r = z; (void)r;"), none);
    assert_eq!(races("if (me) s.a = 1; else s.b = 1;"), none);
    assert_eq!(races("t[me] = 1;"), none);
    assert_eq!(races("if (me) { x = 5; z = 1; } else if (z) { x = 6; }"), none);
}

/// What POSIX and C leave undefined.
#[test]
fn locks_are_given_back_by_those_who_have_them() {
    let main = |body: &str| {
        violations(&format!(
            "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c; pthread_rwlock_t l;
             void *locks(void *a) {{ pthread_mutex_lock(&m); return 0; }}
             void *nothing(void *a) {{ return 0; }}
             int main(void) {{ pthread_t t; {body} return 0; }}"
        ))
    };
    let none = Vec::<String>::new();
    let not_held = |statement: &str| vec![format!("8: release of a lock that is not held in `{statement}`")];
    assert_eq!(main("pthread_mutex_unlock(&m);"), not_held("pthread_mutex_unlock(&m)"));
    assert_eq!(main("pthread_rwlock_unlock(&l);"), not_held("pthread_rwlock_unlock(&l)"));
    assert_eq!(main("pthread_cond_wait(&c, &m);"), not_held("pthread_cond_wait(&c, &m)"));
    let of_another = "pthread_create(&t, 0, locks, 0); pthread_join(t, 0); pthread_mutex_unlock(&m);";
    assert_eq!(main(of_another), not_held("pthread_mutex_unlock(&m)"));
    assert_eq!(main("pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_destroy(&m);"), none);
    assert_eq!(
        main("pthread_mutex_lock(&m); pthread_mutex_destroy(&m);"),
        ["8: destruction of what is in use in `pthread_mutex_destroy(&m)`"]
    );
    let join = "pthread_create(&t, 0, nothing, 0); pthread_join(t, 0);";
    assert_eq!(main(join), none);
    assert_eq!(
        main(&format!("{join} pthread_join(t, 0);")),
        ["8: second join of a thread in `pthread_join(t, 0)`"]
    );
}

/// Who waits for a signal is asked again and again what for, without the lock that it gave back.
#[test]
fn a_joined_thread_stands_nowhere_and_a_sleeping_one_holds_nothing() {
    let found = violations(
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c; int go;
         void *work(void *a) { pthread_mutex_lock(&m); go = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0; }
         int main(void) { pthread_t t, u; pthread_create(&t, 0, work, 0); pthread_mutex_lock(&m);
           while (!go) pthread_cond_wait(&c, &m);
           pthread_mutex_unlock(&m); pthread_join(t, 0); pthread_create(&u, 0, work, 0); pthread_join(u, 0);
           pthread_cond_destroy(&c); pthread_mutex_destroy(&m); return 0; }",
    );
    assert_eq!(found, Vec::<String>::new());
}
