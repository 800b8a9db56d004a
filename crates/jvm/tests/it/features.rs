//! One feature of the language or the library a test; what is asserted is what Java says.

use crate::support::{Outcome, searched};

fn holds(body: &str) {
    let text = format!(
        "import java.util.*;\nimport java.util.concurrent.*;\nimport java.util.concurrent.atomic.*;\n\
         import java.util.concurrent.locks.*;\nimport java.util.function.*;\n\
         public class Main {{\nstatic int n;\n{body}\n}}\n"
    );
    if let Some(outcomes) = searched(&text) {
        assert_eq!(outcomes, [], "{body}");
    }
}

fn runs(body: &str) {
    holds(&format!("public static void main(String[] args) throws Exception {{ {body} }}"));
}

#[test]
fn locks_and_conditions() {
    runs(
        "ReentrantLock lock = new ReentrantLock(); Condition c = lock.newCondition();
         Thread t = new Thread(() -> { lock.lock(); try { n = 1; c.signal(); } finally { lock.unlock(); } });
         t.start(); lock.lock(); try { while (n == 0) c.await(); } finally { lock.unlock(); } t.join(); assert n == 1;",
    );
}

#[test]
fn atomics_and_latches() {
    runs(
        "AtomicInteger x = new AtomicInteger(); CountDownLatch l = new CountDownLatch(2);
         for (int i = 0; i < 2; i++) new Thread(() -> { x.addAndGet(5); l.countDown(); }).start();
         l.await(); assert x.get() == 10;",
    );
}

#[test]
fn queues_semaphores_and_barriers() {
    runs(
        "BlockingQueue<Integer> q = new ArrayBlockingQueue<>(1);
         Thread t = new Thread(() -> { try { q.put(1); q.put(2); } catch (InterruptedException e) { } });
         t.start(); assert q.take() + q.take() == 3; t.join();",
    );
    runs(
        "Semaphore s = new Semaphore(1);
         Thread t = new Thread(() -> { s.acquireUninterruptibly(); n++; s.release(); });
         t.start(); s.acquire(); n++; s.release(); t.join(); assert n == 2;",
    );
    runs(
        "CyclicBarrier b = new CyclicBarrier(2, () -> n++);
         Thread t = new Thread(() -> { try { b.await(); } catch (Exception e) { throw new RuntimeException(e); } });
         t.start(); b.await(); assert n == 1;",
    );
}

#[test]
fn concurrent_maps_executors_and_futures() {
    runs(
        "ConcurrentHashMap<String, Integer> m = new ConcurrentHashMap<>();
         Thread t = new Thread(() -> m.merge(\"a\", 1, Integer::sum));
         t.start(); m.merge(\"a\", 1, Integer::sum); t.join(); assert m.get(\"a\") == 2;",
    );
    runs(
        "ExecutorService e = Executors.newFixedThreadPool(2); assert e.submit(() -> 42).get() == 42; e.shutdown();",
    );
    runs("assert CompletableFuture.supplyAsync(() -> 20).thenApply(y -> y + 1).get() == 21;");
}

#[test]
fn thread_locals_interrupts_and_time_outs() {
    runs(
        "ThreadLocal<Integer> tl = ThreadLocal.withInitial(() -> 7);
         Thread t = new Thread(() -> tl.set(3)); t.start(); t.join(); assert tl.get() == 7;",
    );
    runs(
        "Thread t = new Thread(() -> { try { Thread.sleep(1000); } catch (InterruptedException e) { n = 9; } });
         t.start(); t.interrupt(); t.join(); assert n == 9 || n == 0;",
    );
    runs(
        "ReentrantLock lock = new ReentrantLock(); Condition c = lock.newCondition();
         lock.lock(); try { assert !c.await(1, TimeUnit.SECONDS); } finally { lock.unlock(); }",
    );
}

#[test]
fn records_lambdas_and_streams() {
    holds(
        "record P(int x, String y) { }
         public static void main(String[] args) {
           P p = new P(1, \"z\"); assert p.equals(new P(1, \"z\")) && p.toString().equals(\"P[x=1, y=z]\");
           int base = 3; IntUnaryOperator f = q -> q * 2 + base; assert f.applyAsInt(4) == 11;
           Supplier<List<String>> s = ArrayList::new; s.get().add(\"a\");
           Function<Object, String> t = Object::toString; assert t.apply(5).equals(\"5\");
           BiFunction<Integer, Integer, Integer> g = Math::max; assert g.apply(2, 9) == 9;
           assert List.of(1, 2, 3, 4).stream().filter(x -> x % 2 == 0).mapToInt(x -> x).sum() == 6;
         }",
    );
}

#[test]
fn inputs_are_tried_all() {
    let text = "import gov.nasa.jpf.vm.Verify;
        public class Main { public static void main(String[] a) { int x = Verify.getInt(0, 9); int y = 10 / (x - 7); } }";
    if let Some(outcomes) = searched(text) {
        assert_eq!(outcomes, [Outcome::Uncaught("java.lang.ArithmeticException".into(), 2)]);
    }
}

#[test]
fn what_is_missing_is_no_exception_of_the_program() {
    let text = "public class Main { public static void main(String[] a) throws Exception {
        try { new ProcessBuilder(\"ls\").start(); } catch (Throwable t) { assert false; } } }";
    if let Some(outcomes) = searched(text) {
        assert!(matches!(&outcomes[..], [Outcome::Needs(_)]), "{outcomes:?}");
    }
}

#[test]
fn an_unsynchronised_list_loses_elements() {
    let text = "import java.util.*;
        public class Main { public static void main(String[] a) throws Exception {
          List<Integer> l = new ArrayList<>(); Thread t = new Thread(() -> l.add(1));
          t.start(); l.add(2); t.join();
          assert l.size() == 2; } }";
    if let Some(outcomes) = searched(text) {
        assert!(outcomes.contains(&Outcome::Uncaught("java.lang.AssertionError".into(), 5)), "{outcomes:?}");
    }
}
