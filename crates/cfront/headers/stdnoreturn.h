#ifndef __WHEREFORE_STDNORETURN_H
#define __WHEREFORE_STDNORETURN_H

#define noreturn _Noreturn

#endif
