/*
 * A configuration is published before it is complete.
 *
 * shows: an object that others see before its fields are set
 * expect: fault line 27
 * fault: line 20 "made.limits = new int[] {1, 2, 3};": the reader can see the configuration before its table is there
 * mend: line 19:         made.limits = new int[] {1, 2, 3};
 * mend: line 20:         current = made;
 * pattern: use-before-ready */
public class UnsafePublication {
    static class Settings {
        int[] limits;
    }

    static volatile Settings current;

    static void load() {
        Settings made = new Settings();
        current = made;
        made.limits = new int[] {1, 2, 3};
    }

    public static void main(String[] args) {
        new Thread(UnsafePublication::load).start();
        Settings seen = current;
        if (seen != null) {
            int count = seen.limits.length;
        }
    }
}
