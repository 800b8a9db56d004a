/*
 * A printer that jams keeps its lock.
 *
 * shows: a lock that is not given back when an exception is thrown
 * expect: deadlock
 * fault: line 25 "print(pages);": the exception leaves the method before the lock is given back
 * mend: line 25:         try { print(pages); } finally { lock.unlock(); }
 * mend: line 26:         // given back
 * pattern: leaked-lock */
import java.util.concurrent.locks.ReentrantLock;

public class LeakedLock {
    static final ReentrantLock lock = new ReentrantLock();
    static int printed;

    static void print(int pages) {
        if (pages > 3) {
            throw new IllegalArgumentException("paper jam");
        }
        printed += pages;
    }

    static void job(int pages) {
        lock.lock();
        print(pages);
        lock.unlock();
    }

    public static void main(String[] args) {
        Thread large = new Thread(() -> {
            try {
                job(5);
            } catch (IllegalArgumentException e) {
                // the user is told
            }
        });
        Thread small = new Thread(() -> job(1));
        large.start();
        small.start();
    }
}
