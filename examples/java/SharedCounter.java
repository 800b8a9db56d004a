/*
 * Visitors are counted with an atomic counter, but the limit is tested apart from it.
 *
 * shows: two atomic operations that together are not atomic
 * expect: assertion line 28
 * fault: line 16 "if (inside.get() < 1) {": another visitor can come in between the test and the increment
 * mend: line 16:         if (inside.incrementAndGet() > 1) {
 * mend: line 17:             inside.decrementAndGet();
 * pattern: check-then-act */
import java.util.concurrent.atomic.AtomicInteger;

public class SharedCounter {
    static final AtomicInteger inside = new AtomicInteger();

    static void enter() {
        if (inside.get() < 1) {
            inside.incrementAndGet();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread one = new Thread(SharedCounter::enter);
        Thread two = new Thread(SharedCounter::enter);
        one.start();
        two.start();
        one.join();
        two.join();
        assert inside.get() <= 1;
    }
}
