/*
 * A seat is booked once, if the map is asked and changed in one go.
 *
 * shows: a test and an action with a gap between them, although each is atomic
 * expect: assertion line 31
 * fault: line 18 "if (!seats.containsKey("12A")) {": another thread can book the seat after the test
 * mend: line 18:         if (seats.putIfAbsent("12A", passenger) == null) {
 * mend: line 19:             // booked
 * pattern: check-then-act */
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

public class CheckThenAct {
    static final ConcurrentHashMap<String, String> seats = new ConcurrentHashMap<>();
    static final AtomicInteger tickets = new AtomicInteger();

    static void book(String passenger) {
        if (!seats.containsKey("12A")) {
            seats.put("12A", passenger);
            tickets.incrementAndGet();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread ann = new Thread(() -> book("Ann"));
        Thread bob = new Thread(() -> book("Bob"));
        ann.start();
        bob.start();
        ann.join();
        bob.join();
        assert tickets.get() == 1;
    }
}
