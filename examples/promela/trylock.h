/*
 * A lock that is tried, not waited for, written with plain reads and writes.
 */
#define FREE    255

byte owner = FREE;

/* got becomes true if the lock was taken */
inline try_lock(me, got)
{
    got = false;
    if
    :: owner == FREE -> owner = me;
        got = (owner == me)
    :: else -> skip
    fi
}

inline release_lock()
{
    owner = FREE
}
