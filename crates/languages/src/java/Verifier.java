package org.sosy_lab.sv_benchmarks;

/** Inputs by the names that SV-COMP gives them. The machine supplies the values; outside of it there are none. */
public final class Verifier {
    public static void assume(boolean condition) { throw outside(); }
    public static boolean nondetBoolean() { throw outside(); }
    public static byte nondetByte() { throw outside(); }
    public static int nondetInt() { throw outside(); }
    public static long nondetLong() { throw outside(); }

    private static UnsupportedOperationException outside() {
        return new UnsupportedOperationException("inputs exist only while a program is checked");
    }
}
