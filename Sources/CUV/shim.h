#ifndef PUSHPIT_UV_SHIM_H
#define PUSHPIT_UV_SHIM_H
#include <uv.h>
#endif
