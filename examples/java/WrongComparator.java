/*
 * Patients are treated in the order of their urgency.
 *
 * shows: a comparison by subtraction that overflows
 * expect: assertion line 24
 * fault: line 16 "return one.urgency - two.urgency;": the difference of a large and a negative number overflows
 * mend: line 16:             return Integer.compare(one.urgency, two.urgency);
 * pattern: wrap-around */
import java.util.Comparator;

public class WrongComparator {
    record Patient(String name, int urgency) { }

    static class ByUrgency implements Comparator<Patient> {
        public int compare(Patient one, Patient two) {
            return one.urgency - two.urgency;
        }
    }

    public static void main(String[] args) {
        Patient calm = new Patient("Ann", -2_000_000_000);
        Patient urgent = new Patient("Bob", 2_000_000_000);
        Comparator<Patient> order = new ByUrgency();
        assert order.compare(urgent, calm) > 0;
    }
}
