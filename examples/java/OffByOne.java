/*
 * The largest of some measurements.
 *
 * shows: a loop that goes one element too far
 * expect: fault line 15
 * fault: line 14 "for (int i = 1; i <= values.length; i++) {": the last index is the length minus one
 * mend: line 14:         for (int i = 1; i < values.length; i++) {
 * pattern: off-by-one */
import gov.nasa.jpf.vm.Verify;

public class OffByOne {
    static int largest(int[] values) {
        int found = values[0];
        for (int i = 1; i <= values.length; i++) {
            if (values[i] > found) {
                found = values[i];
            }
        }
        return found;
    }

    public static void main(String[] args) {
        int[] values = new int[Verify.getInt(1, 3)];
        for (int i = 0; i < values.length; i++) {
            values[i] = i * 7 % 5;
        }
        assert largest(values) >= values[0];
    }
}
