#ifndef __WHEREFORE_LOCALE_H
#define __WHEREFORE_LOCALE_H

#define LC_ALL 6
#define LC_CTYPE 0
#define LC_NUMERIC 1

char *setlocale(int category, const char *name);

#endif
