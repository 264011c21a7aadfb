#ifndef PUSHPIT_MALLOC_SHIM_H
#define PUSHPIT_MALLOC_SHIM_H
// Swift's Glibc module leaves this header out.
#include <malloc.h>
#endif
