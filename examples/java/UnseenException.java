/*
 * A worker fails, and nobody asks how it went.
 *
 * shows: an exception in a worker that nobody sees
 * expect: assertion line 32
 * fault: line 27 "Future<Integer> task = pool.submit(() -> total = sum(values, values.length + 1));": one value too many is asked for, and the exception stays in the task
 * mend: line 27:         Future<Integer> task = pool.submit(() -> total = sum(values, values.length));
 * pattern: none */
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class UnseenException {
    static volatile int total = -1;

    static int sum(int[] values, int count) {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += values[i];
        }
        return sum;
    }

    public static void main(String[] args) {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        int[] values = {1, 2, 3};
        Future<Integer> task = pool.submit(() -> total = sum(values, values.length + 1));
        pool.shutdown();
        while (!task.isDone()) {
            Thread.onSpinWait();
        }
        assert total == 6;
    }
}
