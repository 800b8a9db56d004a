#ifndef __WHEREFORE_ALLOCA_H
#define __WHEREFORE_ALLOCA_H

#include <stddef.h>

#define alloca(size) __builtin_alloca(size)

#endif
