/*
 * A driver dispatches a request of the operating system. Every request must be
 * completed exactly once, or be queued and completed later.
 *
 * shows: a control error, code goes on after it should have returned
 * expect: assertion line 27
 * fault: line 48 "status = NOT_SUPPORTED;": after an unsupported request was completed the function does not return, so the request is completed again at its end
 * mend: line 48: return NOT_SUPPORTED;
 * pattern: missing-statement; story: lines 28, 27 */
#include <assert.h>
#include <stddef.h>
#include "verifier.h"

enum major { READ, WRITE, CONTROL, OTHER };
enum status { SUCCESS, PENDING, NOT_SUPPORTED, TOO_SMALL };

struct request {
    enum major major;
    int length;
    int completed;
    int queued;
    enum status status;
};

static void complete(struct request *r, enum status status)
{
    assert(r->completed == 0);
    r->completed = 1;
    r->status = status;
}

static enum status dispatch(struct request *r)
{
    enum status status = SUCCESS;
    switch (r->major) {
    case READ:
    case WRITE:
        if (r->length == 0)
            break;
        r->queued = 1;
        return PENDING;
    case CONTROL:
        if (r->length < 2)
            status = TOO_SMALL;
        break;
    default:
        complete(r, NOT_SUPPORTED);
        status = NOT_SUPPORTED;
    }
    complete(r, status);
    return status;
}

int main(void)
{
    struct request r = { READ, 0, 0, 0, SUCCESS };
    int major = __VERIFIER_nondet_int();
    if (major < READ || major > OTHER)
        return 0;
    int length = __VERIFIER_nondet_int();
    if (length < 0 || length > 3)
        return 0;
    r.major = major;
    r.length = length;
    enum status answer = dispatch(&r);
    assert((answer == PENDING) == (r.queued && !r.completed));
    return 0;
}
