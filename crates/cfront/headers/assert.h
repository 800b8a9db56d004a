/* May be included again with NDEBUG changed, so nothing guards it. */
#undef assert

#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
/* One check is one event, whether it passes or fails. */
#define assert(condition) __WHEREFORE_assert(condition)
#endif

extern void __WHEREFORE_assert(_Bool condition);

#undef static_assert
#define static_assert _Static_assert
