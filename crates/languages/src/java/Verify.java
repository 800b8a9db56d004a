package gov.nasa.jpf.vm;

/** Inputs by the names that Java PathFinder gives them. The machine supplies the values; outside of it there are none. */
public class Verify {
    public static int getInt(int low, int high) { throw outside(); }
    public static boolean getBoolean() { throw outside(); }
    public static int random(int high) { throw outside(); }
    public static boolean randomBool() { throw outside(); }
    public static void beginAtomic() { }
    public static void endAtomic() { }
    public static void ignoreIf(boolean condition) { throw outside(); }

    private static UnsupportedOperationException outside() {
        return new UnsupportedOperationException("inputs exist only while a program is checked");
    }
}
