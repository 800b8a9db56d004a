/*
 * A file transfer session between a client and a server: open, blocks with
 * acknowledgements, close. Either side may abort while the session is open;
 * an abort and a message of the other side can cross on the way, so whoever
 * gives up goes on listening until the other side has confirmed.
 *
 * expect: none
 * enlarge: -DBLOCKS=6 -DSESSIONS=4
 */
#ifndef BLOCKS
#define BLOCKS   3
#endif
#ifndef SESSIONS
#define SESSIONS 2          /* session numbers are reused modulo this */
#endif

mtype = { connect, accept, refuse, block, ack, close, closed, abort, aborted };

typedef PDU {               /* protocol data unit */
    mtype kind;
    byte session;
    byte number
};

chan to_server = [2] of { PDU };
chan to_client = [2] of { PDU };

byte stored;                /* blocks of this session on the server's disk */
bool wanted_abort;          /* the user of the client has lost patience */

/* fills the message m and sends it */
#define SEND(line, m, k, n)     \
    atomic {                    \
        m.kind = k;             \
        m.session = session;    \
        m.number = n;           \
        line!m;                 \
        m.kind = 0; m.session = 0; m.number = 0 \
    }

inline clear(m)
{
    d_step { m.kind = 0; m.session = 0; m.number = 0 }
}

inline answer_or_abort()
{
    if
    :: to_client?in
    :: wanted_abort -> goto give_up
    fi
}

active proctype Client()
{
    PDU out, in;
    byte session, n;

idle:
    wanted_abort = false;
    SEND(to_server, out, connect, 0);
    to_client?in;
    if
    :: in.kind == refuse -> goto next_session
    :: in.kind == accept -> assert(in.session == session)
    fi;

    for (n : 1 .. BLOCKS) {
        SEND(to_server, out, block, n);
        answer_or_abort();
        if
        :: in.kind == ack && in.number == n
        :: in.kind == abort -> goto confirm_abort
        fi
    }

    SEND(to_server, out, close, BLOCKS);
    answer_or_abort();
    if
    :: in.kind == closed ->
progress_transferred:
        assert(stored == BLOCKS);
        goto next_session
    :: in.kind == abort -> goto confirm_abort
    fi;

give_up:
    SEND(to_server, out, abort, 0);
    do
    :: to_client?in ->
        if
        :: in.kind == aborted -> break
        :: else                 /* crossed with ours */
        fi
    od;
    goto next_session;

confirm_abort:
    SEND(to_server, out, aborted, 0);

next_session:
    clear(in);
    n = 0;
    session = (session + 1) % SESSIONS;
    goto idle
}

active proctype Server()
{
    PDU out, in;
    byte session;

end_listening:
    to_server?in;
    if
    :: in.kind == abort ->      /* crossed with our last word */
        SEND(to_client, out, aborted, 0);
        goto end_listening
    :: in.kind == connect ->
        session = in.session
    fi;
    stored = 0;
    if
    :: SEND(to_client, out, accept, 0)
    :: SEND(to_client, out, refuse, 0); goto end_listening
    fi;

receiving:
    to_server?in;
    assert(in.session == session);
    if
    :: in.kind == block && in.number == stored + 1 ->
        if
        :: stored = in.number;
           SEND(to_client, out, ack, in.number);
           goto receiving
        :: goto disk_full
        fi
    :: in.kind == close ->
        SEND(to_client, out, closed, 0);
        goto end_listening
    :: in.kind == abort ->
        SEND(to_client, out, aborted, 0);
        goto end_listening
    fi;

disk_full:
    SEND(to_client, out, abort, 0);
    to_server?in;
    if
    :: in.kind == aborted
    :: in.kind == abort ->      /* crossed with ours */
        SEND(to_client, out, aborted, 0)
    fi;
    clear(in);
    goto end_listening
}

active proctype Impatience()
{
    do
    :: atomic { !wanted_abort && Server@receiving -> wanted_abort = true }
    :: timeout -> assert(false)             /* never needed: nobody waits for ever */
    od
}
