/*
 * Two-phase commit with a coordinator that may crash once and comes back.
 *
 * The coordinator asks every participant to prepare, collects the votes,
 * writes its decision to a log on disk, and announces it. A participant that
 * has voted yes must wait for the decision. After a crash the coordinator
 * reads its log: a decision found there is announced again. If it finds none,
 * it believes that there is nothing to do.
 *
 * expect: deadlock
 * fault: line 63 ":: log == nothing -> skip": after a crash before the decision was logged, participants that voted yes wait for ever; mended by announcing abort there (presumed abort).
 * enlarge: -DPARTICIPANTS=3 (3.8 million states)
 * pattern: unanswered-environment-choice; story: lines 72, 63 */
#ifndef PARTICIPANTS
#define PARTICIPANTS 2
#endif
#define EACH(i)     i : 0 .. PARTICIPANTS - 1

mtype = { prepare, yes, no, commit, abort, nothing };

chan to_part[PARTICIPANTS] = [2] of { mtype };
chan votes = [PARTICIPANTS] of { mtype };

mtype log = nothing;            /* survives a crash */
bool crashed, may_crash = true;

mtype outcome[PARTICIPANTS] = nothing;

/* all local memory of the coordinator is lost when it crashes */
inline announce(what)
{
    for (EACH(k)) {
        to_part[k]!what
    }
}

proctype Coordinator()
{
    byte k, n;
    mtype v, decision = commit;

    {
        announce(prepare);
        do
        :: n < PARTICIPANTS ->
            votes?v;
            n++;
            if
            :: v == no -> decision = abort
            :: v == yes
            fi
        :: else -> break
        od;
        log = decision;
        announce(decision)
    } unless {
        crashed -> d_step { k = 0; n = 0; v = nothing; decision = nothing }
    };

    if
    :: crashed ->               /* recovery */
        if
        :: log == nothing -> skip
        :: log != nothing -> announce(log)
        fi
    :: else
    fi
}

proctype Crash()
{
    atomic { may_crash -> crashed = true; may_crash = false }
}

proctype Participant(byte me)
{
    mtype d;
    byte i;

end_idle:
    if
    :: to_part[me]?prepare
    :: to_part[me]?abort -> goto finish     /* told before asked */
    fi;
    if
    :: votes!yes ->
        to_part[me]?d
    :: votes!no ->
        d = abort
    fi;
finish:
    outcome[me] = (d == commit -> commit : abort);
    for (EACH(i)) {
        assert(outcome[i] == nothing || outcome[i] == outcome[me])
    }
end_done:                       /* decisions told twice are ignored */
    do
    :: to_part[me]?_
    od
}

init {
    byte p;
    atomic {
        run Coordinator();
        for (EACH(p)) {
            run Participant(p)
        }
        run Crash()
    }
}
