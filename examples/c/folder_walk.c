/*
 * A walk through folders of any depth. The disk serves one reader at a time, so whoever goes down into
 * another folder lets go of it first. One way down forgets to.
 *
 * shows: mutual recursion without a bound: no search of whole stacks would end
 * expect: assertion line 25
 * fault: line 44 "visit_folder();": the disk is still held here, unlike for a folder
 * mend: line 44:         release(), visit_folder(), acquire();
 * pattern: leaked-lock; story: lines 44, 25 */
#include <assert.h>
#include "verifier.h"

enum kind {
    PLAIN,
    FOLDER,
    LINK
};

static int busy;

static void visit_folder(void);

static void acquire(void)
{
    assert(!busy);
    busy = 1;
}

static void release(void)
{
    assert(busy);
    busy = 0;
}

static void visit_entry(int kind)
{
    if (kind == FOLDER) {
        release();
        visit_folder();
        acquire();
        return;
    }
    if (kind == LINK)
        visit_folder();
}

static void visit_folder(void)
{
    acquire();
    while (__VERIFIER_nondet_bool()) {
        int kind = __VERIFIER_nondet_int();
        __VERIFIER_assume(kind >= PLAIN && kind <= LINK);
        visit_entry(kind);
    }
    release();
}

int main(void)
{
    visit_folder();
    assert(!busy);
    return 0;
}
