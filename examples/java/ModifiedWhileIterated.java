/*
 * Expired sessions are removed from a list.
 *
 * shows: an iterator that is invalidated by a change of its collection
 * expect: fault line 16
 * fault: line 16 "for (Integer minutes : sessions) {": the list is changed while it is iterated
 * mend: line 16:         sessions.removeIf(minutes -> minutes > 30);
 * mend: line 17:         // removed
 * mend: line 18:         // all of them
 * pattern: none */
import java.util.ArrayList;
import java.util.List;

public class ModifiedWhileIterated {
    static void expire(List<Integer> sessions) {
        for (Integer minutes : sessions) {
            if (minutes > 30) sessions.remove(minutes);
        }
    }

    public static void main(String[] args) {
        List<Integer> sessions = new ArrayList<>();
        sessions.add(45);
        sessions.add(10);
        sessions.add(20);
        expire(sessions);
        assert sessions.size() == 2;
    }
}
