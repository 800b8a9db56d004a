/*
 * Two ends of a connection that is opened and closed by messages.
 *
 * shows: two state machines with a queue between them
 * expect: holds
 */
#include <assert.h>
#include "verifier.h"

enum state { CLOSED, OPENING, OPEN, CLOSING };
enum message { OPEN_IT, ACCEPT, CLOSE_IT };

struct end {
    enum state state;
    enum message inbox[2];
    int waiting;
};

static void send(struct end *to, enum message m)
{
    assert(to->waiting < 2);
    to->inbox[to->waiting++] = m;
}

static void receive(struct end *self, struct end *peer)
{
    if (self->waiting == 0)
        return;
    enum message m = self->inbox[0];
    self->inbox[0] = self->inbox[1];
    self->waiting--;
    switch (m) {
    case OPEN_IT:
        self->state = OPEN;
        send(peer, ACCEPT);
        break;
    case ACCEPT:
        if (self->state == OPENING)
            self->state = OPEN;
        break;
    case CLOSE_IT:
        if (self->state == OPEN)
            send(peer, CLOSE_IT);
        self->state = CLOSED;
        break;
    }
}

static void user(struct end *self, struct end *peer)
{
    if (self->state == CLOSED) {
        self->state = OPENING;
        send(peer, OPEN_IT);
    } else if (self->state == OPEN) {
        self->state = CLOSING;
        send(peer, CLOSE_IT);
    }
}

int main(void)
{
    struct end client = { CLOSED, { OPEN_IT, OPEN_IT }, 0 }, server = { CLOSED, { OPEN_IT, OPEN_IT }, 0 };
    for (int i = 0; i < 7; i++) {
        int move = __VERIFIER_nondet_int();
        __VERIFIER_assume(move >= 0 && move <= 2);
        if (move == 0)
            user(&client, &server);
        else if (move == 1)
            receive(&server, &client);
        else
            receive(&client, &server);
        if (client.state == OPEN && client.waiting == 0)
            assert(server.state == OPEN);
    }
    return 0;
}
