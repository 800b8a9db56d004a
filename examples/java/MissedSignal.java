/*
 * A customer waits for a dish; the kitchen rings once.
 *
 * shows: a signal that is given before anybody waits for it
 * expect: deadlock
 * fault: line 23 "counter.wait();": nobody looks whether the dish is there already
 * mend: line 23:             while (!ready) counter.wait();
 * pattern: missed-signal */
public class MissedSignal {
    static final Object counter = new Object();
    static boolean ready;

    static void cook() {
        synchronized (counter) {
            ready = true;
            counter.notify();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        new Thread(MissedSignal::cook).start();
        synchronized (counter) {
            counter.wait();
        }
    }
}
