#ifndef PUSHPIT_ZLIB_SHIM_H
#define PUSHPIT_ZLIB_SHIM_H
#include <zlib.h>
#endif
