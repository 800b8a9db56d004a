/*
 * The middle of a range of a large array.
 *
 * shows: a sum that overflows before it is halved
 * expect: assertion line 18
 * fault: line 11 "return (low + high) / 2;": the sum of two large indices overflows
 * mend: line 11:         return low + (high - low) / 2;
 * pattern: wrap-around */
public class Midpoint {
    static int middle(int low, int high) {
        return (low + high) / 2;
    }

    public static void main(String[] args) {
        int low = 1_500_000_000;
        int high = 1_900_000_000;
        int middle = middle(low, high);
        assert low <= middle && middle <= high;
    }
}
