/*
 * A driver for a disk: one request of any kind comes in and is dispatched. Two properties are written into
 * the first functions: the lock is taken and released in turn, and a request goes through its stages in order
 * and ends once. There are eight faults, four against each.
 *
 * shows: several independent faults in a program of over a thousand lines
 * expect: assertion line 100
 * fault: line 343 "forward_request();": the request is forwarded already
 * fault: line 397 "return complete_with(status);": the lock is not released on this way out
 * fault: line 451 "return status;": the request is never completed
 * fault: line 476 "drain_queue(1);": takes the lock that is held already
 * fault: line 544 "release_lock();": the lock is released already
 * fault: line 677 "return status;": the request is never completed
 * fault: line 804 "return PENDING;": nobody has marked and queued the request
 * fault: line 955 "return complete_with(status);": the lock is not released on this way out
 * mend: line 343:         note_error(CANCELLED);
 * mend: line 397:         return release_lock(), complete_with(status);
 * mend: line 451:         return complete_with(status);
 * mend: line 476:         queue_depth[1] = 0;
 * mend: line 544:         note_error(status);
 * mend: line 677:             return complete_with(status);
 * mend: line 804:         return leave_in_queue(3);
 * mend: line 955:         return release_lock(), complete_with(status);
 * pattern: leaked-lock */
#include <assert.h>
#include "verifier.h"

/* What routines report. */
enum status {
    SUCCESS,
    PENDING,
    NOT_SUPPORTED,
    INVALID,
    NO_MEMORY,
    DEVICE_GONE,
    IO_ERROR,
    CANCELLED
};

/* What is asked for. */
enum major {
    CREATE,
    CLOSE,
    CLEANUP,
    READ,
    WRITE,
    FLUSH,
    CONTROL,
    INTERNAL_CONTROL,
    PNP,
    POWER,
    SYSTEM_CONTROL,
    SHUTDOWN,
    MAJORS
};

/* Where a request is between its arrival and its end. */
enum stage {
    NONE,
    RECEIVED,
    MARKED,
    QUEUED,
    STARTED,
    COPIED,
    HOOKED,
    FORWARDED,
    BACK,
    COMPLETED,
    LEFT_PENDING,
    DONE
};

enum power {
    WORKING,
    SLEEPING,
    OFF
};

enum device {
    STOPPED,
    RUNNING,
    STOPPING,
    REMOVING,
    GONE
};

#define QUEUES  4
#define BLOCKS  8
#define BLOCK   512
#define RETRIES 2

/* ---- the properties -------------------------------------------------------------------------- */

static int lock_held;
static int stage;

/* The lock is taken and released in turn. */
static void acquire_lock(void)
{
    assert(!lock_held);
    lock_held = 1;
}

static void release_lock(void)
{
    assert(lock_held);
    lock_held = 0;
}

/* A request goes through its stages in order, and ends once. */
static void receive_request(void)
{
    assert(stage == NONE);
    stage = RECEIVED;
}

static void mark_pending(void)
{
    assert(stage == RECEIVED);
    stage = MARKED;
}

static void queue_request(void)
{
    assert(stage == MARKED);
    stage = QUEUED;
}

static void start_request(void)
{
    assert(stage == RECEIVED || stage == QUEUED);
    stage = STARTED;
}

static void copy_request(void)
{
    assert(stage == RECEIVED || stage == STARTED);
    stage = COPIED;
}

static void hook_request(void)
{
    assert(stage == COPIED);
    stage = HOOKED;
}

static void forward_request(void)
{
    assert(stage == COPIED || stage == HOOKED);
    stage = FORWARDED;
}

static void request_came_back(void)
{
    assert(stage == FORWARDED);
    stage = BACK;
}

static void complete_request(void)
{
    assert(stage == RECEIVED || stage == STARTED || stage == BACK);
    stage = COMPLETED;
}

static void finish_request(int status)
{
    assert(!lock_held);
    assert(status == PENDING ? stage == QUEUED : stage == COMPLETED || stage == FORWARDED);
    stage = status == PENDING ? LEFT_PENDING : DONE;
}

/* ---- the device ------------------------------------------------------------------------------ */

static int device_state;
static int power_state;
static int open_handles;
static int queue_depth[QUEUES];
static int queue_limit[QUEUES];
static int next_block;
static int last_error;
static int statistics_reads;
static int statistics_writes;
static int interrupts_on;
static int timer_on;
static int cached;

static int yes(void)
{
    return __VERIFIER_nondet_bool();
}

static void note_error(int status)
{
    last_error = status;
}

static void enable_interrupts(void)
{
    interrupts_on = 1;
}

static void disable_interrupts(void)
{
    interrupts_on = 0;
}

static void start_timer(void)
{
    timer_on = 1;
}

static void stop_timer(void)
{
    timer_on = 0;
}

/* Called once, before the first request. */
static void driver_entry(void)
{
    int q;

    device_state = STOPPED;
    power_state = WORKING;
    for (q = 0; q < QUEUES; q++) {
        queue_depth[q] = 0;
        queue_limit[q] = q + 1;
    }
    next_block = 0;
    last_error = SUCCESS;
    cached = 0;
}

static void add_device(void)
{
    acquire_lock();
    device_state = RUNNING;
    enable_interrupts();
    start_timer();
    release_lock();
}

static int device_answers(void)
{
    return device_state == RUNNING && power_state == WORKING;
}

/* ---- helpers for requests -------------------------------------------------------------------- */

static int complete_with(int status)
{
    if (status != SUCCESS)
        note_error(status);
    complete_request();
    return status;
}

static int pass_down(void)
{
    copy_request();
    forward_request();
    return SUCCESS;
}

static int pass_down_and_wait(void)
{
    copy_request();
    hook_request();
    forward_request();
    request_came_back();
    return yes() ? SUCCESS : IO_ERROR;
}

static int leave_in_queue(int q)
{
    mark_pending();
    queue_request();
    queue_depth[q]++;
    return PENDING;
}

static int queue_has_room(int q)
{
    return queue_depth[q] < queue_limit[q];
}

static int valid_range(int first, int count)
{
    if (first < 0)
        return 0;
    if (count <= 0)
        return 0;
    return first + count <= BLOCKS;
}

static int transfer_block(int block)
{
    next_block = block + 1;
    if (yes())
        return SUCCESS;
    return IO_ERROR;
}

/* ---- opening and closing --------------------------------------------------------------------- */

static int dispatch_create(void)
{
    if (device_state == GONE)
        return complete_with(DEVICE_GONE);
    acquire_lock();
    if (open_handles > 0 && yes()) {
        release_lock();
        return complete_with(INVALID);
    }
    open_handles = 1;
    release_lock();
    return complete_with(SUCCESS);
}

static int dispatch_close(void)
{
    acquire_lock();
    if (open_handles > 0)
        open_handles = 0;
    release_lock();
    return complete_with(SUCCESS);
}

/* Requests of a handle that goes away are cancelled. */
static void cancel_queued(int q)
{
    acquire_lock();
    while (queue_depth[q] > 0)
        queue_depth[q]--;
    release_lock();
}

static int dispatch_cleanup(void)
{
    cancel_queued(0);
    cancel_queued(1);
    if (yes()) {
        pass_down();
        forward_request();
        return SUCCESS;
    }
    return complete_with(SUCCESS);
}

/* ---- reading --------------------------------------------------------------------------------- */

static int read_from_cache(int first)
{
    if (!cached)
        return IO_ERROR;
    if (first != next_block)
        return IO_ERROR;
    statistics_reads++;
    return SUCCESS;
}

static int read_blocks(int first, int count)
{
    int status = SUCCESS;
    int block;

    for (block = first; block < first + count; block++) {
        status = transfer_block(block);
        if (status != SUCCESS)
            return status;
    }
    statistics_reads++;
    return status;
}

static int dispatch_read(void)
{
    int first = 0, count = 1;
    int status;

    if (yes())
        count = 2;
    if (!valid_range(first, count))
        return complete_with(INVALID);
    acquire_lock();
    if (!device_answers()) {
        release_lock();
        return complete_with(DEVICE_GONE);
    }
    if (read_from_cache(first) == SUCCESS) {
        release_lock();
        return complete_with(SUCCESS);
    }
    start_request();
    status = read_blocks(first, count);
    if (status != SUCCESS) {
        note_error(status);
        return complete_with(status);
    }
    cached = 1;
    release_lock();
    return complete_with(SUCCESS);
}

/* ---- writing --------------------------------------------------------------------------------- */

static int write_once(int block)
{
    int attempt;

    for (attempt = 0; attempt < RETRIES; attempt++) {
        if (transfer_block(block) == SUCCESS) {
            statistics_writes++;
            return SUCCESS;
        }
    }
    return IO_ERROR;
}

static int verify_block(int block)
{
    if (next_block != block + 1)
        return IO_ERROR;
    return yes() ? SUCCESS : IO_ERROR;
}

static int dispatch_write(void)
{
    int block = 1;
    int status;

    if (!valid_range(block, 1))
        return complete_with(INVALID);
    acquire_lock();
    if (!device_answers()) {
        release_lock();
        return complete_with(DEVICE_GONE);
    }
    cached = 0;
    if (yes() && queue_has_room(1)) {
        release_lock();
        return leave_in_queue(1);
    }
    release_lock();
    start_request();
    status = write_once(block);
    if (status != SUCCESS)
        return complete_with(status);
    status = verify_block(block);
    if (status != SUCCESS) {
        note_error(status);
        return status;
    }
    return complete_with(SUCCESS);
}

/* ---- flushing -------------------------------------------------------------------------------- */

static void drain_queue(int q)
{
    acquire_lock();
    while (queue_depth[q] > 0)
        queue_depth[q]--;
    release_lock();
}

static int dispatch_flush(void)
{
    int status;

    acquire_lock();
    if (!device_answers()) {
        release_lock();
        return complete_with(SUCCESS);
    }
    if (yes()) {
        drain_queue(1);
    } else {
        cached = 0;
    }
    release_lock();
    status = pass_down_and_wait();
    return complete_with(status);
}

/* ---- device control -------------------------------------------------------------------------- */

enum control {
    GET_GEOMETRY,
    GET_LENGTH,
    GET_STATISTICS,
    CLEAR_STATISTICS,
    CHECK_MEDIA,
    EJECT_MEDIA,
    SET_CACHE,
    CONTROLS
};

static int control_geometry(void)
{
    int sectors = BLOCKS;
    int size = BLOCK;

    if (size <= 0 || sectors <= 0)
        return complete_with(INVALID);
    return complete_with(SUCCESS);
}

static int control_length(void)
{
    long bytes = (long)BLOCKS * BLOCK;

    if (bytes == 0)
        return complete_with(INVALID);
    return complete_with(SUCCESS);
}

static int control_statistics(void)
{
    int reads, writes;

    acquire_lock();
    reads = statistics_reads;
    writes = statistics_writes;
    if (yes()) {
        release_lock();
        if (reads + writes < 0)
            return complete_with(INVALID);
        return complete_with(SUCCESS);
    }
    statistics_reads = 0;
    statistics_writes = 0;
    release_lock();
    return complete_with(SUCCESS);
}

static int control_clear_statistics(void)
{
    int status = SUCCESS;

    acquire_lock();
    if (yes()) {
        release_lock();
        status = INVALID;
        release_lock();
        return complete_with(status);
    }
    statistics_reads = 0;
    statistics_writes = 0;
    release_lock();
    return complete_with(status);
}

static int media_changed(void)
{
    return yes();
}

static int control_check_media(void)
{
    if (!device_answers())
        return complete_with(DEVICE_GONE);
    if (media_changed()) {
        acquire_lock();
        cached = 0;
        release_lock();
        return complete_with(IO_ERROR);
    }
    return complete_with(SUCCESS);
}

static int control_eject_media(void)
{
    int status;

    acquire_lock();
    if (open_handles > 0) {
        release_lock();
        return complete_with(INVALID);
    }
    cached = 0;
    release_lock();
    status = pass_down_and_wait();
    if (status != SUCCESS)
        note_error(status);
    return complete_with(status);
}

static int control_set_cache(void)
{
    acquire_lock();
    cached = yes();
    release_lock();
    return complete_with(SUCCESS);
}

static int pick_control(void)
{
    int code = __VERIFIER_nondet_int();
    __VERIFIER_assume(code >= GET_GEOMETRY && code <= CONTROLS);
    return code;
}

static int dispatch_control(void)
{
    switch (pick_control()) {
    case GET_GEOMETRY:
        return control_geometry();
    case GET_LENGTH:
        return control_length();
    case GET_STATISTICS:
        return control_statistics();
    case CLEAR_STATISTICS:
        return control_clear_statistics();
    case CHECK_MEDIA:
        return control_check_media();
    case EJECT_MEDIA:
        return control_eject_media();
    case SET_CACHE:
        return control_set_cache();
    default:
        return complete_with(NOT_SUPPORTED);
    }
}

/* ---- requests from other drivers ------------------------------------------------------------- */

enum internal {
    CLAIM,
    RELEASE,
    EXECUTE,
    RESET,
    ABORT,
    INTERNALS
};

static int claimed;

static int internal_claim(void)
{
    acquire_lock();
    if (claimed) {
        release_lock();
        return complete_with(INVALID);
    }
    claimed = 1;
    release_lock();
    return complete_with(SUCCESS);
}

static int internal_release(void)
{
    acquire_lock();
    claimed = 0;
    release_lock();
    return complete_with(SUCCESS);
}

static int sense_error(void)
{
    if (yes())
        return IO_ERROR;
    return SUCCESS;
}

static int internal_execute(void)
{
    int status;

    if (!device_answers())
        return complete_with(DEVICE_GONE);
    start_request();
    status = transfer_block(2);
    if (status != SUCCESS) {
        status = sense_error();
        if (status != SUCCESS) {
            note_error(status);
            return status;
        }
    }
    return complete_with(status);
}

static int internal_reset(void)
{
    acquire_lock();
    disable_interrupts();
    next_block = 0;
    enable_interrupts();
    release_lock();
    return complete_with(SUCCESS);
}

static int internal_abort(void)
{
    cancel_queued(2);
    return complete_with(SUCCESS);
}

static int pick_internal(void)
{
    int code = __VERIFIER_nondet_int();
    __VERIFIER_assume(code >= CLAIM && code <= INTERNALS);
    return code;
}

static int dispatch_internal(void)
{
    switch (pick_internal()) {
    case CLAIM:
        return internal_claim();
    case RELEASE:
        return internal_release();
    case EXECUTE:
        return internal_execute();
    case RESET:
        return internal_reset();
    case ABORT:
        return internal_abort();
    default:
        return pass_down();
    }
}

/* ---- plug and play --------------------------------------------------------------------------- */

enum minor {
    START,
    QUERY_STOP,
    CANCEL_STOP,
    STOP,
    QUERY_REMOVE,
    CANCEL_REMOVE,
    SURPRISE_REMOVE,
    REMOVE,
    QUERY_CAPABILITIES,
    QUERY_RELATIONS,
    MINORS
};

static int pnp_start(void)
{
    int status = pass_down_and_wait();

    if (status == SUCCESS) {
        acquire_lock();
        device_state = RUNNING;
        enable_interrupts();
        release_lock();
        start_timer();
    } else {
        note_error(status);
    }
    return complete_with(status);
}

static int pnp_query_stop(void)
{
    acquire_lock();
    if (open_handles > 0) {
        release_lock();
        return complete_with(INVALID);
    }
    if (queue_depth[0] > 0 || queue_depth[1] > 0) {
        release_lock();
        return complete_with(INVALID);
    }
    device_state = STOPPING;
    release_lock();
    return pass_down();
}

static int pnp_cancel_stop(void)
{
    int status = pass_down_and_wait();

    acquire_lock();
    if (device_state == STOPPING)
        device_state = RUNNING;
    release_lock();
    return complete_with(status);
}

static int pnp_stop(void)
{
    acquire_lock();
    disable_interrupts();
    device_state = STOPPED;
    release_lock();
    stop_timer();
    return pass_down();
}

static int pnp_query_remove(void)
{
    acquire_lock();
    if (open_handles > 0) {
        release_lock();
        return complete_with(INVALID);
    }
    device_state = REMOVING;
    release_lock();
    if (yes()) {
        queue_depth[3] = 1;
        return PENDING;
    }
    return pass_down();
}

static int pnp_cancel_remove(void)
{
    int status = pass_down_and_wait();

    acquire_lock();
    if (device_state == REMOVING)
        device_state = RUNNING;
    release_lock();
    return complete_with(status);
}

static int pnp_surprise_remove(void)
{
    acquire_lock();
    disable_interrupts();
    device_state = GONE;
    release_lock();
    stop_timer();
    cancel_queued(0);
    cancel_queued(1);
    return pass_down();
}

static int pnp_remove(void)
{
    acquire_lock();
    disable_interrupts();
    device_state = GONE;
    open_handles = 0;
    release_lock();
    stop_timer();
    return pass_down();
}

static int pnp_capabilities(void)
{
    int status = pass_down_and_wait();

    if (status != SUCCESS)
        return complete_with(status);
    return complete_with(SUCCESS);
}

static int pnp_relations(void)
{
    if (yes())
        return complete_with(NO_MEMORY);
    return pass_down();
}

static int pick_minor(void)
{
    int code = __VERIFIER_nondet_int();
    __VERIFIER_assume(code >= START && code <= MINORS);
    return code;
}

static int dispatch_pnp(void)
{
    switch (pick_minor()) {
    case START:
        return pnp_start();
    case QUERY_STOP:
        return pnp_query_stop();
    case CANCEL_STOP:
        return pnp_cancel_stop();
    case STOP:
        return pnp_stop();
    case QUERY_REMOVE:
        return pnp_query_remove();
    case CANCEL_REMOVE:
        return pnp_cancel_remove();
    case SURPRISE_REMOVE:
        return pnp_surprise_remove();
    case REMOVE:
        return pnp_remove();
    case QUERY_CAPABILITIES:
        return pnp_capabilities();
    case QUERY_RELATIONS:
        return pnp_relations();
    default:
        return pass_down();
    }
}

/* ---- power ----------------------------------------------------------------------------------- */

enum power_request {
    SET_WORKING,
    SET_SLEEPING,
    SET_OFF,
    QUERY_POWER,
    WAIT_WAKE,
    POWERS
};

static int spin_up(void)
{
    int attempt;

    for (attempt = 0; attempt < RETRIES; attempt++) {
        if (yes())
            return SUCCESS;
    }
    return IO_ERROR;
}

static int power_up(void)
{
    int status;

    acquire_lock();
    if (power_state == WORKING) {
        release_lock();
        return pass_down();
    }
    status = spin_up();
    if (status != SUCCESS) {
        note_error(status);
        release_lock();
        return complete_with(status);
    }
    power_state = WORKING;
    enable_interrupts();
    release_lock();
    return pass_down();
}

static int flush_for_power(void)
{
    if (!cached)
        return SUCCESS;
    cached = 0;
    return yes() ? SUCCESS : IO_ERROR;
}

static int power_down(int to)
{
    int status;

    acquire_lock();
    disable_interrupts();
    cached = 1;
    status = flush_for_power();
    if (status != SUCCESS) {
        enable_interrupts();
        return complete_with(status);
    }
    power_state = to;
    release_lock();
    return pass_down();
}

static int power_query(void)
{
    acquire_lock();
    if (queue_depth[0] > 0) {
        release_lock();
        return complete_with(INVALID);
    }
    release_lock();
    return pass_down();
}

static int power_wait_wake(void)
{
    acquire_lock();
    if (!queue_has_room(2)) {
        release_lock();
        return complete_with(INVALID);
    }
    release_lock();
    return leave_in_queue(2);
}

static int pick_power(void)
{
    int code = __VERIFIER_nondet_int();
    __VERIFIER_assume(code >= SET_WORKING && code <= POWERS);
    return code;
}

static int dispatch_power(void)
{
    switch (pick_power()) {
    case SET_WORKING:
        return power_up();
    case SET_SLEEPING:
        return power_down(SLEEPING);
    case SET_OFF:
        return power_down(OFF);
    case QUERY_POWER:
        return power_query();
    case WAIT_WAKE:
        return power_wait_wake();
    default:
        return pass_down();
    }
}

/* ---- the rest -------------------------------------------------------------------------------- */

static int dispatch_system_control(void)
{
    if (yes())
        return complete_with(NOT_SUPPORTED);
    return pass_down();
}

static int dispatch_shutdown(void)
{
    int status;

    acquire_lock();
    cached = 0;
    stop_timer();
    release_lock();
    status = pass_down_and_wait();
    return complete_with(status);
}

/* Runs when the timer fires: looks after the queues between requests. */
static void timer_routine(void)
{
    int q;

    if (!timer_on)
        return;
    acquire_lock();
    for (q = 0; q < QUEUES; q++) {
        if (queue_depth[q] > queue_limit[q])
            queue_depth[q] = queue_limit[q];
    }
    release_lock();
}

/* Runs when the device interrupts. */
static void interrupt_routine(void)
{
    if (!interrupts_on)
        return;
    acquire_lock();
    if (last_error != SUCCESS)
        last_error = SUCCESS;
    release_lock();
}

static int pick_major(void)
{
    int code = __VERIFIER_nondet_int();
    __VERIFIER_assume(code >= CREATE && code <= MAJORS);
    return code;
}

static int dispatch(void)
{
    switch (pick_major()) {
    case CREATE:
        return dispatch_create();
    case CLOSE:
        return dispatch_close();
    case CLEANUP:
        return dispatch_cleanup();
    case READ:
        return dispatch_read();
    case WRITE:
        return dispatch_write();
    case FLUSH:
        return dispatch_flush();
    case CONTROL:
        return dispatch_control();
    case INTERNAL_CONTROL:
        return dispatch_internal();
    case PNP:
        return dispatch_pnp();
    case POWER:
        return dispatch_power();
    case SYSTEM_CONTROL:
        return dispatch_system_control();
    case SHUTDOWN:
        return dispatch_shutdown();
    default:
        return complete_with(NOT_SUPPORTED);
    }
}

int main(void)
{
    int status;

    driver_entry();
    add_device();
    timer_routine();
    interrupt_routine();
    receive_request();
    status = dispatch();
    finish_request(status);
    return 0;
}
