#ifndef __WHEREFORE_STDATOMIC_H
#define __WHEREFORE_STDATOMIC_H

#include <stdbool.h>

typedef enum {
    memory_order_relaxed = 0,
    memory_order_consume = 1,
    memory_order_acquire = 2,
    memory_order_release = 3,
    memory_order_acq_rel = 4,
    memory_order_seq_cst = 5
} memory_order;

typedef _Atomic(_Bool) atomic_bool;
typedef _Atomic(char) atomic_char;
typedef _Atomic(signed char) atomic_schar;
typedef _Atomic(unsigned char) atomic_uchar;
typedef _Atomic(short) atomic_short;
typedef _Atomic(unsigned short) atomic_ushort;
typedef _Atomic(int) atomic_int;
typedef _Atomic(unsigned int) atomic_uint;
typedef _Atomic(long) atomic_long;
typedef _Atomic(unsigned long) atomic_ulong;
typedef _Atomic(long long) atomic_llong;
typedef _Atomic(unsigned long long) atomic_ullong;
typedef _Atomic(__SIZE_TYPE__) atomic_size_t;
typedef _Atomic(__PTRDIFF_TYPE__) atomic_ptrdiff_t;
typedef _Atomic(__INTPTR_TYPE__) atomic_intptr_t;
typedef _Atomic(__UINTPTR_TYPE__) atomic_uintptr_t;
typedef _Atomic(__INT64_TYPE__) atomic_intmax_t;
typedef _Atomic(__UINT64_TYPE__) atomic_uintmax_t;
typedef _Atomic(__INT_LEAST8_TYPE__) atomic_int_least8_t;
typedef _Atomic(__UINT_LEAST8_TYPE__) atomic_uint_least8_t;
typedef _Atomic(__INT_LEAST16_TYPE__) atomic_int_least16_t;
typedef _Atomic(__UINT_LEAST16_TYPE__) atomic_uint_least16_t;
typedef _Atomic(__INT_LEAST32_TYPE__) atomic_int_least32_t;
typedef _Atomic(__UINT_LEAST32_TYPE__) atomic_uint_least32_t;
typedef _Atomic(__INT_LEAST64_TYPE__) atomic_int_least64_t;
typedef _Atomic(__UINT_LEAST64_TYPE__) atomic_uint_least64_t;
typedef _Atomic(__INT_FAST8_TYPE__) atomic_int_fast8_t;
typedef _Atomic(__UINT_FAST8_TYPE__) atomic_uint_fast8_t;
typedef _Atomic(__INT_FAST16_TYPE__) atomic_int_fast16_t;
typedef _Atomic(__UINT_FAST16_TYPE__) atomic_uint_fast16_t;
typedef _Atomic(__INT_FAST32_TYPE__) atomic_int_fast32_t;
typedef _Atomic(__UINT_FAST32_TYPE__) atomic_uint_fast32_t;
typedef _Atomic(__INT_FAST64_TYPE__) atomic_int_fast64_t;
typedef _Atomic(__UINT_FAST64_TYPE__) atomic_uint_fast64_t;
typedef struct {
    _Bool __set;
} atomic_flag;

#define ATOMIC_FLAG_INIT {0}
#define ATOMIC_VAR_INIT(value) (value)
#define ATOMIC_INT_LOCK_FREE 2
#define ATOMIC_POINTER_LOCK_FREE 2
#define kill_dependency(value) (value)

#define atomic_init(object, value) atomic_store_explicit(object, value, memory_order_relaxed)
#define atomic_is_lock_free(object) ((void)(object), 1)
#define atomic_thread_fence(order) __atomic_thread_fence(order)
#define atomic_signal_fence(order) __atomic_signal_fence(order)

#define atomic_load_explicit(object, order) __atomic_load_n(object, order)
#define atomic_load(object) __atomic_load_n(object, memory_order_seq_cst)
#define atomic_store_explicit(object, value, order) __atomic_store_n(object, value, order)
#define atomic_store(object, value) __atomic_store_n(object, value, memory_order_seq_cst)
#define atomic_exchange_explicit(object, value, order) __atomic_exchange_n(object, value, order)
#define atomic_exchange(object, value) __atomic_exchange_n(object, value, memory_order_seq_cst)
#define atomic_compare_exchange_strong_explicit(object, expected, value, success, failure) \
    __atomic_compare_exchange_n(object, expected, value, 0, success, failure)
#define atomic_compare_exchange_strong(object, expected, value) \
    __atomic_compare_exchange_n(object, expected, value, 0, memory_order_seq_cst, memory_order_seq_cst)
#define atomic_compare_exchange_weak_explicit(object, expected, value, success, failure) \
    __atomic_compare_exchange_n(object, expected, value, 1, success, failure)
#define atomic_compare_exchange_weak(object, expected, value) \
    __atomic_compare_exchange_n(object, expected, value, 1, memory_order_seq_cst, memory_order_seq_cst)
#define atomic_fetch_add_explicit(object, value, order) __atomic_fetch_add(object, value, order)
#define atomic_fetch_add(object, value) __atomic_fetch_add(object, value, memory_order_seq_cst)
#define atomic_fetch_sub_explicit(object, value, order) __atomic_fetch_sub(object, value, order)
#define atomic_fetch_sub(object, value) __atomic_fetch_sub(object, value, memory_order_seq_cst)
#define atomic_fetch_or_explicit(object, value, order) __atomic_fetch_or(object, value, order)
#define atomic_fetch_or(object, value) __atomic_fetch_or(object, value, memory_order_seq_cst)
#define atomic_fetch_xor_explicit(object, value, order) __atomic_fetch_xor(object, value, order)
#define atomic_fetch_xor(object, value) __atomic_fetch_xor(object, value, memory_order_seq_cst)
#define atomic_fetch_and_explicit(object, value, order) __atomic_fetch_and(object, value, order)
#define atomic_fetch_and(object, value) __atomic_fetch_and(object, value, memory_order_seq_cst)

#define atomic_flag_test_and_set_explicit(flag, order) __atomic_test_and_set(&(flag)->__set, order)
#define atomic_flag_test_and_set(flag) __atomic_test_and_set(&(flag)->__set, memory_order_seq_cst)
#define atomic_flag_clear_explicit(flag, order) __atomic_store_n(&(flag)->__set, 0, order)
#define atomic_flag_clear(flag) __atomic_store_n(&(flag)->__set, 0, memory_order_seq_cst)

#endif
